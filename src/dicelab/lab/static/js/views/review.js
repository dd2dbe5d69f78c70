// After the game: how it went, what was given away and where, and what the dice did.

import { get } from "../api.js";
import { chart, colour } from "../charts.js";
import { announce, h, show, stat } from "../dom.js";
import { progressPlace } from "../waiting.js";
import { against, amount, capital, percent, plain, plural, titled, when } from "../words.js";
import { written } from "./coach.js";
import { drawnPosition } from "./positions.js";
import { highestFace } from "./tray.js";

const signed = (x, unit) => {
  const text = unit === "chance to win" ? percent(Math.abs(x)) : plain(Math.abs(x), 3);
  return `${x < 0 ? "−" : "+"}${text}`;
};

function curveChart(review) {
  const { unit, curve } = review;
  const share = curve.every((point) => point.share !== null && point.share !== undefined);
  const y = curve.map((point) => (share ? 100 * point.share : point.value));
  const said = (point) => {
    const what = point.who ? `${point.who === "you" ? "You" : "Other"}: ${point.move}${point.dice?.length ? ` ${point.dice.slice(0, 12).join(" ")}` : ""}` : "Start";
    const cost = point.cost > 1e-9 && point.who === "you" ? `<br>cost ${amount(point.cost, unit)}` : "";
    return `${what}<br>${point.notation}<br>${unit === "chance to win" ? percent(point.share) : written(point.value, unit)}${cost}`;
  };
  const mistakes = new Set(review.mistakes.map((mistake) => mistake.ply));
  const wrong = curve.map((point, i) => [point, i]).filter(([point]) => point.who === "you" && mistakes.has(point.ply));
  const axis = unit === "chance to win" ? "your chance to win" : unit === "rating" ? "your rating" : unit === "gain" ? "your share" : unit === "turns" ? "turns expected" : "worth expected";
  return chart(() => ({
    data: [
      { x: curve.map((_, i) => i), y, mode: "lines", line: { color: colour("you"), width: 3, shape: "linear" }, fill: "tozeroy", fillcolor: `${colour("you")}22`,
        text: curve.map(said), hovertemplate: "%{text}<extra></extra>", showlegend: false },
      { x: wrong.map(([, i]) => i), y: wrong.map(([, i]) => y[i]), mode: "markers", marker: { color: colour("bad"), size: 11, line: { color: colour("card"), width: 2 } },
        hoverinfo: "skip", name: "your mistakes", showlegend: wrong.length > 0 },
    ],
    layout: {
      hovermode: "x",
      xaxis: { title: { text: "moves" }, zeroline: false, showgrid: false },
      yaxis: share ? { range: [0, 102], ticksuffix: unit === "chance to win" ? "%" : "", title: { text: axis }, zeroline: false, dtick: 25 } : { title: { text: axis }, rangemode: "tozero" },
      shapes: share && against(review.opponent.label) ? [{ type: "line", xref: "paper", x0: 0, x1: 1, y0: 50, y1: 50, line: { color: colour("edge"), width: 1, dash: "dot" } }] : [],
    },
  }), { label: `${capital(axis)} after every move, from ${written(curve[0].value, unit)} to ${written(curve.at(-1).value, unit)}; ${plural(review.you.mistakes, "mistake")} marked.` });
}

function mistakeItem(mistake, review) {
  return h("li", { class: "mistake" },
    h("header", {}, h("h3", {}, `Move ${mistake.ply}: ${mistake.label ?? mistake.move}`), h("span", { class: "cost", "data-cost": mistake.cost }, `−${amount(mistake.cost, review.unit)}`)),
    h("div", { class: "where" }, drawnPosition(mistake.position, highestFace(review.parameters?.die ?? 6)),
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
  const { you, unit, grade, result } = review;
  const whole = unit === "chance to win" ? " of the game" : "";
  const curve = curveChart(review);
  show(place,
    h("div", { class: "page-head" },
      h("p", { class: "soft" }, `${titled(review.title)}${against(review.opponent.label)}, ${when(review.played)}`),
      h("h1", {}, result.sentence)),
    h("div", { class: "split" },
      h("div", { class: "stack" },
        h("section", { class: "card", "aria-labelledby": "curve-title" }, h("h2", { id: "curve-title" }, "How it went"), curve.node),
        h("section", { class: "stack", "aria-labelledby": "mistakes-title" }, h("h2", { id: "mistakes-title" }, review.mistakes.length ? "Your mistakes, dearest first" : "No mistakes"),
          review.mistakes.length ? h("ol", { class: "mistakes" }, review.mistakes.slice(0, 12).map((mistake) => mistakeItem(mistake, review)))
            : h("p", { class: "note" }, "Every decision was a best one. The rest was dice."),
          review.mistakes.length > 12 ? h("p", { class: "soft" }, `and ${review.mistakes.length - 12} smaller ones`) : null)),
      h("div", { class: "stack" },
        h("section", { class: "card", "aria-label": "Grade" }, h("div", { class: "grade" }, grade.letter ? h("div", { class: "seal", "data-grade": grade.letter, "aria-hidden": "true" }, grade.letter) : null,
          h("div", {}, h("h2", {}, grade.letter ? h("span", { class: "unseen" }, `Grade ${grade.letter}: `) : null, capital(grade.words)), h("p", {}, grade.sentence)))),
        h("div", { class: "stats" },
          stat(amount(you.cost, unit), `${whole ? "of the game " : ""}given away, in ${plural(you.mistakes, "mistake")}`),
          stat(amount(you.error_per_decision, unit), `per unforced decision (${you.unforced} of ${you.decisions})`),
          stat(signed(you.luck, unit), "your luck: what the dice gave"),
          review.opponent_score ? stat(signed(review.opponent_score.luck, unit), "the other player's luck") : null,
          stat(written(you.luck_adjusted, unit), "luck-adjusted result: what the decisions alone deserved"),
          review.opponent_score ? stat(amount(review.opponent_score.cost, unit), "given away by the other player") : null),
        h("div", { class: "row" }, copyButton(), h("a", { class: "button small", href: "/play" }, "Play another")))));
}
