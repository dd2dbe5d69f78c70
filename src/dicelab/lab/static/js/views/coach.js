// The coach: the chance to win as a bar, each move with what it is worth, and one sentence.

import { announce, h, show } from "../dom.js";
import { winBar } from "../bar.js";
import { capital, listed, measure, percent, smallPercent } from "../words.js";

const MODES = [["on", "beside me"], ["warn", "only warns"], ["after", "after the game"], ["off", "off"]];
const SHORT = 6; // so many moves are listed; the others are folded away

function row(move, says) {
  const best = move.status !== "worse";
  return h("tr", { class: best ? "best" : "", "data-move": move.move },
    h("td", {}, move.label, best ? h("span", { class: "tag" }, move.status === "tied" ? "as good" : "best") : null),
    h("td", { "data-value": move.value }, says.value(move.value)),
    h("td", { "data-cost": move.cost }, best ? "–" : says.cost(move.cost)));
}

/** A table of moves; `says` writes their numbers (see words.measure). */
export function movesTable(moves, says, caption = "What each move is worth against perfect play") {
  const head = h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Move"), h("th", { scope: "col" }, capital(says.head)), h("th", { scope: "col" }, "Costs")));
  const first = moves.slice(0, SHORT), rest = moves.slice(SHORT);
  const table = h("table", { class: "moves" }, h("caption", { class: "unseen" }, caption), head, h("tbody", {}, first.map((move) => row(move, says))));
  if (!rest.length) return table;
  return h("div", { class: "stack" }, table, h("details", {}, h("summary", {}, `${rest.length} more`),
    h("table", { class: "moves" }, h("caption", { class: "unseen" }, "The other moves"), head.cloneNode(true), h("tbody", {}, rest.map((move) => row(move, says))))));
}

function mixtureText(mixture) {
  const parts = Object.entries(mixture).filter(([, chance]) => chance > 0.0005).sort((a, b) => b[1] - a[1]);
  return `Best play is not to be predictable: ${parts.map(([move, chance]) => `${move} in ${percent(chance, 0)} of cases`).join(", ")}.`;
}

/** Return the coach's panel, with `draw(match)` and `say(match)`, which also tells people who listen. */
export function coachPanel({ onMode, onSure, onThink }) {
  const place = h("div", { class: "stack" });
  const select = h("select", { id: "coach-mode", "aria-label": "What the coach may say", on: { change: () => onMode(select.value) } },
    MODES.map(([value, label]) => h("option", { value }, `Coach: ${label}`)));
  const node = h("section", { class: "card coach", "aria-labelledby": "coach-title" },
    h("header", {}, h("h2", { id: "coach-title" }, "Coach")), place, select);

  function contents(match) {
    const { coach, coach_mode: mode, warning } = match;
    const says = measure(match);
    if (warning) {
      return [
        h("div", { class: "warning", role: "alert" }, warning.sentence),
        h("div", { class: "row" },
          h("button", { class: "button primary", type: "button", "data-do": "think", on: { click: onThink } }, "Think again"),
          h("button", { class: "button", type: "button", "data-do": "sure", on: { click: () => onSure(warning.move) } }, "Play it all the same")),
      ];
    }
    if (match.over) return [h("p", { class: "soft" }, "The review has every move with its cost.")];
    if (mode === "warn") return [h("p", { class: "soft" }, `I speak up when a move would cost you at least ${says.isPercent ? `${smallPercent(match.warn_at)} of the game` : `${match.warn_at} ${match.unit}`}.`)];
    if (mode === "after") return [h("p", { class: "soft" }, "I keep quiet until the game is over.")];
    if (mode === "off" || !coach) return [h("p", { class: "soft" }, mode === "off" ? "Off. You are on your own." : "One moment.")];
    const two = match.kind !== "solo", many = match.seats.length > 2, { against } = coach;
    const chances = (x, label, name, told) => {
      if (x.share === null || x.share === undefined || !says.isPercent) return h("p", { class: "number", [name]: x.value }, told ? `${told}: ${x.said}` : x.said);
      const bar = winBar({ you: two ? "You" : "", them: many ? "Others" : two ? "Other" : "", label: `${says.means}, ${label}` }).set(x.share);
      bar.node.dataset.value = x.value;
      return h("div", { class: "chances", [name]: x.value }, told ? h("p", { class: "soft small" }, told) : null, bar.node);
    };
    const means = says.isPercent && says.means !== "chance to win" ? ` (${says.means})` : "";
    const perfect = two ? chances(coach, `where ${coach.assumes}`, "data-perfect", `${coach.heading}${means}`) : chances(coach, "if you play your best", "data-perfect", means.slice(2, -1) ? capital(means.slice(2, -1)) : "");
    const theirs = !against ? null
      : against.value === null ? h("p", { class: "soft small", "data-against": "" }, against.sentence)
      : chances(against, `with the best reply to ${against.label}`, "data-against", `Against ${against.label}, with the best reply to ${many ? "them" : "it"}`);
    const other = against?.best?.length && !coach.moves.some((move) => move.status !== "worse" && against.best.includes(move.move))
      ? h("p", { class: "soft small" }, `Against ${against.label} another move is best: ${listed(coach.moves.filter((move) => against.best.includes(move.move)).map((move) => move.label.toLowerCase()))}.`) : null;
    return [
      theirs, perfect,
      h("p", { class: "advice", "data-advice": "yes" }, coach.sentence),
      other,
      movesTable(coach.moves, says, many ? `What each move is worth where ${coach.assumes}` : undefined),
      two ? h("p", { class: "soft small" }, many ? `Advice and costs are those where ${coach.assumes}.` : "Advice and costs are those against perfect play.") : null,
      coach.mixture ? h("p", { class: "soft small" }, mixtureText(coach.mixture)) : null,
      match.played?.sentence && match.played.cost > 0 ? h("p", { class: "soft small" }, `Before: ${match.played.sentence}`) : null,
    ];
  }

  return {
    node,
    draw(match) {
      select.value = match.coach_mode;
      select.hidden = match.over;
      node.hidden = false;
      show(place, contents(match));
    },
    say(match) {
      if (match.warning) return;
      if (match.coach && match.to_move === "you" && !match.over) announce(`${match.position.words} ${match.coach.sentence}`);
      else announce(match.over ? match.result.sentence : match.position.words);
    },
  };
}
