// The coach: the chance to win as a bar, each move with what it is worth, and one sentence.

import { announce, h, show } from "../dom.js";
import { winBar } from "../bar.js";
import { amount, capital, percent, plain } from "../words.js";

const MODES = [["on", "beside me"], ["warn", "only warns"], ["after", "after the game"], ["off", "off"]];
const SHORT = 6; // so many moves are listed; the others are folded away

/** What a value is called, and how it is written. */
export function written(x, unit) {
  if (x === null || x === undefined) return "–";
  return unit === "chance to win" ? percent(x) : unit === "gain" ? plain(x, 3) : plain(x, 4);
}

const HEADS = { "chance to win": "wins", gain: "gain", rating: "rating", turns: "turns", worth: "worth" };

function row(move, unit) {
  const best = move.status !== "worse";
  return h("tr", { class: best ? "best" : "", "data-move": move.move },
    h("td", {}, move.label ?? capital(move.move), best ? h("span", { class: "tag" }, move.status === "tied" ? "as good" : "best") : null),
    h("td", { "data-value": move.value }, written(move.value, unit)),
    h("td", { "data-cost": move.cost }, best ? "–" : amount(move.cost, unit)));
}

export function movesTable(moves, unit, caption = "What each move is worth") {
  const head = h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Move"), h("th", { scope: "col" }, capital(HEADS[unit] ?? "worth")), h("th", { scope: "col" }, "Costs")));
  const first = moves.slice(0, SHORT), rest = moves.slice(SHORT);
  const table = h("table", { class: "moves" }, h("caption", { class: "unseen" }, caption), head, h("tbody", {}, first.map((move) => row(move, unit))));
  if (!rest.length) return table;
  return h("div", { class: "stack" }, table, h("details", {}, h("summary", {}, `${rest.length} more`),
    h("table", { class: "moves" }, h("caption", { class: "unseen" }, "The other moves"), head.cloneNode(true), h("tbody", {}, rest.map((move) => row(move, unit))))));
}

function mixtureText(mixture) {
  const parts = Object.entries(mixture).filter(([, chance]) => chance > 0.0005).sort((a, b) => b[1] - a[1]);
  return `Best play is not to be predictable: ${parts.map(([move, chance]) => `${move} ${percent(chance, 0)}`).join(", ")}.`;
}

/** Return the coach's panel, with `draw(match)` and `say(match)`, which also tells people who listen. */
export function coachPanel({ onMode, onSure, onThink }) {
  const place = h("div", { class: "stack" });
  const select = h("select", { id: "coach-mode", "aria-label": "What the coach may say", on: { change: () => onMode(select.value) } },
    MODES.map(([value, label]) => h("option", { value }, `Coach: ${label}`)));
  const node = h("section", { class: "card coach", "aria-labelledby": "coach-title" },
    h("header", {}, h("h2", { id: "coach-title" }, "Coach")), place, select);
  let bar = null, shape = null;

  function contents(match) {
    const { coach, coach_mode: mode, unit, warning } = match;
    if (warning) {
      return [
        h("div", { class: "warning", role: "alert" }, warning.sentence),
        h("div", { class: "row" },
          h("button", { class: "button primary", type: "button", "data-do": "think", on: { click: onThink } }, "Think again"),
          h("button", { class: "button", type: "button", "data-do": "sure", on: { click: () => onSure(warning.move) } }, "Play it all the same")),
      ];
    }
    if (match.over) return [h("p", { class: "soft" }, "The review has every move with its cost.")];
    if (mode === "warn") return [h("p", { class: "soft" }, `I speak up when a move would cost you at least ${amount(match.warn_at, unit)}${unit === "chance to win" ? " of the game" : ""}.`)];
    if (mode === "after") return [h("p", { class: "soft" }, "I keep quiet until the game is over.")];
    if (mode === "off" || !coach) return [h("p", { class: "soft" }, mode === "off" ? "Off. You are on your own." : "One moment.")];
    const two = match.kind !== "solo" && match.kind !== "round";
    const words = `${unit}:${two}`;
    if (!bar || shape !== words) {
      bar = winBar({ you: two ? "You" : "", them: two ? "Other" : "", label: unit });
      shape = words;
    }
    if (coach.share !== null && coach.share !== undefined) {
      const text = unit === "chance to win" ? percent(coach.share) : written(coach.value, unit);
      const other = unit === "chance to win" ? percent(1 - coach.share) : "";
      bar.set(coach.share, { text: two || unit === "chance to win" ? text : coach.said ?? text, other, said: coach.said });
      bar.node.dataset.value = coach.value;
    }
    return [
      coach.share === null || coach.share === undefined ? h("p", { class: "number" }, coach.said ?? written(coach.value, unit)) : bar.node,
      h("p", { class: "advice", "data-advice": "yes" }, coach.sentence),
      movesTable(coach.moves, unit),
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
