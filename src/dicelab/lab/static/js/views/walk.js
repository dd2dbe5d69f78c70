// Walking through a game that is over: every decision with its board, its dice, its mark and what was best.

import { announce, h, show } from "../dom.js";
import { post, query } from "../api.js";
import { die, suiting } from "../dice.js";
import { go as open } from "../go.js";
import { t } from "../i18n.js";
import { useKeys } from "../keys.js";
import { failure } from "../waiting.js";
import { drawnPosition } from "./positions.js";
import { whyPlace } from "./why.js";

/** A button that begins a game at a decision of another one, against perfect play, which of three and more nobody plays; it is practice. */
function playOn(review, point) {
  const problem = h("span");
  const button = h("button", {
    class: "button small", type: "button", "data-do": "play-on",
    on: {
      click: async () => {
        button.disabled = true;
        try {
          const alone = review.seats === 1;
          const match = await post("/api/matches", { game: review.game, parameters: review.parameters, coach: "on", ...point.play_on, ...(alone ? { starts: "me" } : { opponent: { kind: "optimal" } }) });
          open(`/play/${match.id}?new`);
        } catch (refused) { button.disabled = false; show(problem, failure(refused)); }
      },
    },
  }, review.seats === 2 ? t("Play on from here against perfect play") : t("Play on from here"));
  return [button, problem];
}

/** Return the walk as a card, with `go(place)`, where a place is one of the curve's, and `tell(label, values)` what it was worth against the opponent. */
export function walk(review, says, onGo = () => {}) {
  const { curve, marks, sides } = review, last = curve.length - 1;
  const why = whyPlace({ open: false });
  let met = null; // what the game was worth against who sat there
  const words = Object.fromEntries(marks.map(({ mark, words: text }) => [mark, text]));
  const stage = h("div", { class: "stack", "aria-live": "polite" });
  const button = (text, label, by) => h("button", { class: "button", type: "button", "aria-label": label, "data-walk-by": by, on: { click: () => go(at + by) } }, text);
  const count = h("span", { class: "soft", "data-walk-at": 0 });
  let at = 0;

  function dice(faces) {
    return h("div", { class: "dice" }, faces.slice(0, 20).map((face) => { const each = die(suiting([face], sides), { size: 34 }); each.show(face); return each.node; }));
  }

  /** What the game was worth after a decision: against perfect play, and against who sat there. */
  function worth(point, place) {
    const value = says.value(point.value), other = met?.values[place];
    if (review.seats === 1) return t("After it the game was worth {value}.", { value: says.isPercent ? value : `${value} ${says.means}` });
    if (other === null || other === undefined) return review.seats > 2 ? t("After it the game was worth {value}, where all play the strategy found.", { value }) : t("After it the game was worth {value} against perfect play.", { value });
    return t("After it the game was worth {value} against perfect play, and {other} against {opponent}, with the best reply to it.", { value, other: says.value(other), opponent: met.label });
  }

  function go(place) {
    at = Math.max(Math.min(1, last), Math.min(last, place));
    const point = curve[at];
    count.textContent = t("{n} of {all}", { n: at, all: last });
    count.dataset.walkAt = at;
    if (!point.before) { show(stage, h("p", { class: "soft" }, t("Nothing was decided in this game."))); return; }
    const tags = [point.mark, point.luck_mark].filter(Boolean).map((mark) => h("span", { class: "tag plain", "data-mark": mark }, words[mark]));
    show(stage, drawnPosition(point.before, sides, review.yours ? null : review.player), h("p", {}, h("b", {}, point.label), " ", tags),
      h("p", {}, point.text), point.dice.length ? dice(point.dice) : null,
      h("p", { class: "soft" }, point.sentence),
      h("p", { class: "soft small" }, worth(point, at)),
      h("div", { class: "row" }, point.play_on ? playOn(review, point) : null,
        point.who === "you" ? h("a", { class: "button quiet small", href: `/position${query({ game: review.game, ...review.parameters, at: point.before.notation })}`, "data-do": "position" }, t("Set this position")) : null),
      point.who === "you" && review.kind !== "at-once" ? why.node : null);
    if (point.who === "you" && review.kind !== "at-once") why.ask(`/api/reviews/${encodeURIComponent(review.id)}/why?ply=${point.ply}`, sides, says);
    onGo(at);
    announce(`${point.text} ${point.sentence}`);
  }

  const node = h("section", { class: "card", "aria-labelledby": "walk-title" },
    h("header", {}, h("h2", { id: "walk-title" }, t("Move by move")),
    h("div", { class: "row walk-by" }, count, button("←", t("The move before"), -1), button("→", t("The next move"), 1))), stage); // above what changes its height
  useKeys({ ArrowLeft: () => go(at - 1), ArrowRight: () => go(at + 1), Home: () => go(1), End: () => go(last) });
  go(1);
  return { node, go, tell(found) { met = found; if (curve[at].before) go(at); } };
}
