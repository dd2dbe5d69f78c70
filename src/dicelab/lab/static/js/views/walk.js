// Walking through a game that is over: every decision with its board, its dice, its mark and what was best.

import { announce, h, show } from "../dom.js";
import { die, suiting } from "../dice.js";
import { t } from "../i18n.js";
import { useKeys } from "../keys.js";
import { drawnPosition } from "./positions.js";

/** Return the walk as a card, with `go(place)`, where a place is one of the curve's. */
export function walk(review, says) {
  const { curve, marks, sides } = review, last = curve.length - 1;
  const words = Object.fromEntries(marks.map(({ mark, words: text }) => [mark, text]));
  const stage = h("div", { class: "stack", "aria-live": "polite" });
  const button = (text, label, by) => h("button", { class: "button", type: "button", "aria-label": label, "data-walk-by": by, on: { click: () => go(at + by) } }, text);
  const count = h("span", { class: "soft", "data-walk-at": 0 });
  let at = 0;

  function dice(faces) {
    return h("div", { class: "dice" }, faces.slice(0, 20).map((face) => { const each = die(suiting([face], sides), { size: 34 }); each.show(face); return each.node; }));
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
      h("p", { class: "soft small" }, t("After it the game was worth {value}.", { value: says.value(point.value) })));
    announce(`${point.text} ${point.sentence}`);
  }

  const node = h("section", { class: "card", "aria-labelledby": "walk-title" },
    h("header", {}, h("h2", { id: "walk-title" }, t("Move by move")), count), stage,
    h("div", { class: "row" }, button("←", t("The move before"), -1), button("→", t("The next move"), 1)));
  useKeys({ ArrowLeft: () => go(at - 1), ArrowRight: () => go(at + 1), Home: () => go(1), End: () => go(last) });
  go(1);
  return { node, go };
}
