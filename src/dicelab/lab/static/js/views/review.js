// After the game: how it went, what was given away and where, and what the dice did.

import { get } from "../api.js";
import { lines, range } from "../charts.js";
import { announce, h, show, stat } from "../dom.js";
import { progressPlace } from "../waiting.js";
import { against, capital, measure, plural, titled, when } from "../words.js";
import { t } from "../i18n.js";
import { drawnPosition } from "./positions.js";
import { walk } from "./walk.js";

const MOST = 12; // so many mistakes are shown; the others are folded away

function curveChart(review, says, who) {
  const { curve, others } = review;
  const other = (name) => (others.length > 1 ? capital(others[(Number(name.split(" ")[1]) || 1) - 1].name) : "Other");
  const y = curve.map((point) => (says.isPercent ? 100 * says.part(point.value) : point.value));
  const tells = (i) => {
    const point = curve[i];
    const what = point.who ? `${point.who === "you" ? who : other(point.who)}: ${point.move}${point.dice?.length ? ` ${point.dice.slice(0, 12).join(" ")}` : ""}` : "Start";
    const cost = point.cost > 1e-9 && point.who === "you" ? `\ncost ${says.cost(point.cost)}` : "";
    return `${what}\n${point.notation}\n${says.value(point.value)}${cost}`;
  };
  const marked = new Set(review.mistakes.filter((mistake) => !mistake.slip).map((mistake) => mistake.ply));
  const wrong = range(curve.length).filter((i) => curve[i].who === "you" && marked.has(curve[i].ply));
  const two = Boolean(against(review.opponent.label));
  const axis = says.isPercent ? says.means.split(",")[0] : `${says.means} expected`;
  return lines({
    series: [{ x: range(curve.length), y, filled: true, says: tells }, ...(wrong.length ? [{ x: wrong, y: wrong.map((i) => y[i]), dots: true, token: "bad", name: "mistakes" }] : [])],
    xTitle: "moves", yTitle: axis, low: 0, high: says.isPercent ? 100 : null, yText: (x) => `${x}${says.isPercent ? "%" : ""}`, guide: says.isPercent && two ? 100 / review.seats : null,
    label: `${capital(axis)} after every move, from ${says.value(curve[0].value)} to ${says.value(curve.at(-1).value)}; ${plural(review.you.mistakes, "mistake")} marked.`,
  });
}

function mistakeItem(mistake, review, says) {
  return h("li", { class: "mistake" },
    h("header", {}, h("h3", {}, `Move ${mistake.ply}: ${mistake.label ?? mistake.move}`), h("span", { class: "cost", "data-cost": mistake.cost }, `−${says.cost(mistake.cost)}`)),
    h("div", { class: "where" }, drawnPosition(mistake.position, review.sides, review.yours ? null : review.player),
      h("div", {}, h("p", {}, mistake.sentence),
        mistake.dice_then?.length ? h("p", { class: "soft small" }, `The dice then showed ${mistake.dice_then.join(", ")}.`) : null)));
}

function copyButton() {
  const button = h("button", {
    class: "button small", type: "button", "data-do": "link",
    on: {
      click: async () => {
        try { await navigator.clipboard.writeText(location.href); button.textContent = "Copied"; announce("The link is copied"); }
        catch { button.textContent = location.href; }
      },
    },
  }, "Copy the link to this review");
  return button;
}

export default async function drawReview(place, { id }) {
  const progress = progressPlace();
  show(place, progress.node);
  const review = await get(`/api/reviews/${encodeURIComponent(id)}`, { onProgress: progress.onProgress });
  const { you, grade, result, mistakes } = review;
  const says = measure(review);
  const who = review.yours ? "You" : review.player, whose = review.yours ? "Your" : `${review.player}'s`;
  const large = mistakes.filter((each) => !each.slip), slips = mistakes.filter((each) => each.slip);
  const listing = (some) => h("ol", { class: "mistakes" }, some.map((mistake) => mistakeItem(mistake, review, says)));
  const rest = [...large.slice(MOST), ...slips];
  show(place,
    h("div", { class: "page-head" },
      h("p", { class: "soft" }, `${review.yours ? "" : `${review.player} at `}${titled(review.title)}${against(review.opponent.label)}, ${when(review.played)}`),
      h("h1", {}, result.sentence)),
    h("div", { class: "split" },
      h("div", { class: "stack" },
        h("section", { class: "card", "aria-labelledby": "curve-title" }, h("h2", { id: "curve-title" }, "How it went"), curveChart(review, says, who),
          h("p", { class: "chart-note" }, `${capital(says.means)} where ${review.assumes} from then on.`)),
        walk(review, says).node,
        h("section", { class: "stack", "aria-labelledby": "mistakes-title" }, h("h2", { id: "mistakes-title" }, large.length ? `${whose} mistakes, dearest first` : slips.length ? `No mistakes, only ${plural(slips.length, "slip")}` : "No mistakes"),
          large.length ? listing(large.slice(0, MOST)) : h("p", { class: "note" }, slips.length ? "What was not best cost next to nothing. The rest was dice." : "Every decision was a best one. The rest was dice."),
          rest.length ? h("details", { class: "smaller" }, h("summary", {}, large.length > MOST ? `${rest.length} smaller ones` : plural(slips.length, "slip")), listing(rest)) : null)),
      h("div", { class: "stack" },
        h("section", { class: "card", "aria-label": "Grade" }, h("div", { class: "grade" }, grade.letter ? h("div", { class: "seal", "data-grade": grade.letter, "aria-hidden": "true" }, grade.letter) : null,
          h("div", {}, h("h2", {}, grade.letter ? h("span", { class: "unseen" }, `Grade ${grade.letter}: `) : null, capital(grade.words)), h("p", {}, grade.sentence)))),
        h("div", { class: "stats" },
          stat(says.cost(you.cost), `${says.isPercent ? "of the game" : says.means} given away, in ${plural(you.mistakes, "mistake")}${you.slips ? ` and ${plural(you.slips, "slip")}` : ""}`),
          stat(says.cost(you.error_per_decision), `per unforced decision (${you.unforced} of ${you.decisions})`),
          you.accuracy === null ? null : stat(`${(100 * you.accuracy).toFixed(1)}%`, t("accuracy: the share kept of what hung on the decisions")),
          stat(says.signed(you.luck), `${whose.toLowerCase() === "your" ? "your" : whose} luck: what the dice gave`),
          review.others.map(({ name, score }) => stat(says.signed(score.luck), review.seats > 2 ? `the luck of ${name}` : "the other player's luck")),
          stat(says.value(you.luck_adjusted), "luck-adjusted result: what the decisions alone deserved"),
          review.others.map(({ name, score }) => stat(says.cost(score.cost), `given away by ${review.seats > 2 ? name : "the other player"}`))),
        h("div", { class: "row" }, review.yours ? copyButton() : null, h("a", { class: "button small", href: "/play" }, review.yours ? "Play another" : "Play a game yourself")))));
}
