// The coach: the chance to win as a bar, each move with what it is worth, and one sentence.

import { announce, h, show } from "../dom.js";
import { winBar } from "../bar.js";
import { t, tn } from "../i18n.js";
import { capital, listed, measure, percent, percentTick } from "../words.js";
import { showMe, whyPlace } from "./why.js";

const MODES = [["on", t("Coach: beside me")], ["warn", t("Coach: only warns")], ["after", t("Coach: after the game")], ["off", t("Coach: off")]];
const SHORT = 6; // so many moves are listed; the others are folded away

function row(move, says) {
  const best = move.status !== "worse";
  return h("tr", { class: best ? "best" : "", "data-move": move.move },
    h("td", {}, move.label, best ? h("span", { class: "tag" }, move.status === "tied" ? t("as good") : t("best")) : null),
    h("td", { "data-value": move.value }, says.value(move.value)),
    h("td", { "data-cost": move.cost }, best ? "–" : says.cost(move.cost)));
}

/** A table of moves; `says` writes their numbers (see words.measure). */
export function movesTable(moves, says, caption = t("What each move is worth")) {
  const head = h("thead", {}, h("tr", {}, h("th", { scope: "col" }, t("Move")), h("th", { scope: "col" }, capital(says.head)), h("th", { scope: "col" }, t("Costs"))));
  const first = moves.slice(0, SHORT), rest = moves.slice(SHORT);
  const table = h("table", { class: "moves" }, h("caption", { class: "unseen" }, caption), head, h("tbody", {}, first.map((move) => row(move, says))));
  if (!rest.length) return table;
  return h("div", { class: "stack" }, table, h("details", {}, h("summary", {}, tn("{n} more", "{n} more", rest.length)),
    h("table", { class: "moves" }, h("caption", { class: "unseen" }, t("The other moves")), head.cloneNode(true), h("tbody", {}, rest.map((move) => row(move, says))))));
}

function mixtureText({ mixture, moves }) {
  const label = (move) => moves.find((each) => each.move === move)?.label ?? move;
  const parts = Object.entries(mixture).filter(([, chance]) => chance > 0.0005).sort((a, b) => b[1] - a[1]);
  const cases = parts.map(([move, chance]) => t("{move} in {share} of cases", { move: label(move).toLowerCase(), share: percent(chance, 0) }));
  return t("Best play is not to be predictable: {cases}.", { cases: cases.join(", ") });
}

/** Return the coach's panel, with `draw(match)` and `say(match)`, which also tells people who listen. */
export function coachPanel({ onMode, onSure, onThink }) {
  const place = h("div", { class: "stack" });
  const select = h("select", { id: "coach-mode", "aria-label": t("What the coach may say"), on: { change: () => onMode(select.value) } },
    MODES.map(([value, label]) => h("option", { value }, label)));
  const node = h("section", { class: "card coach", "aria-labelledby": "coach-title" },
    h("header", {}, h("h2", { id: "coach-title" }, t("Coach"))), place, select);
  const why = whyPlace();
  let explained = null; // the decision whose reasons are drawn
  let views = []; // the maps there are of the game

  /** Ask for the reasons of the advice, once for each decision. */
  function explain(match, says) {
    const here = `${match.id} ${match.ply}`;
    if (explained === here) return why.node;
    explained = here;
    const mapped = views.length && match.seats.length < 3;
    why.ask(`/api/matches/${encodeURIComponent(match.id)}/why`, match.layout.sides, says, mapped ? showMe(match.game, match.parameters, match.position.notation) : null);
    return why.node;
  }

  function contents(match) {
    const { coach, coach_mode: mode, warning } = match;
    const says = measure(match);
    if (warning) {
      return [
        h("div", { class: "warning", role: "alert" }, warning.sentence),
        h("div", { class: "row" },
          h("button", { class: "button primary", type: "button", "data-do": "think", on: { click: onThink } }, t("Think again")),
          h("button", { class: "button", type: "button", "data-do": "sure", on: { click: () => onSure(warning.move) } }, t("Play it all the same"))),
      ];
    }
    if (match.over) return [h("p", { class: "soft" }, t("The review has every move with its cost."))];
    if (mode === "warn") return [h("p", { class: "soft" }, t("I speak up when a move would cost you {share} or more of what is at stake.", { share: percentTick(match.warn_at) }))];
    if (mode === "after") return [h("p", { class: "soft" }, t("I keep quiet until the game is over."))];
    if (mode === "off" || !coach) return [h("p", { class: "soft" }, mode === "off" ? t("Off. You are on your own.") : t("One moment."))];
    const two = match.kind !== "solo", many = match.seats.length > 2, { against } = coach;
    const chances = (x, label, name, told) => {
      if (x.share === null || x.share === undefined || !says.isPercent) return h("p", { class: "number", [name]: x.value }, told ? t("{what}: {share}", { what: told, share: x.said }) : x.said);
      const bar = winBar({ you: two ? t("You") : "", them: many ? t("Others") : two ? t("Other") : "", label: `${says.means}, ${label}` }).set(x.share);
      bar.node.dataset.value = x.value;
      return h("div", { class: "chances", [name]: x.value }, told ? h("p", { class: "soft small" }, told) : null, bar.node);
    };
    const means = says.isPercent && says.means !== t("chance to win") ? ` (${says.means})` : "";
    const perfect = two ? chances(coach, t("where {assumes}", { assumes: coach.assumes }), "data-perfect", `${coach.heading}${means}`) : chances(coach, t("if you play your best"), "data-perfect", means.slice(2, -1) ? capital(means.slice(2, -1)) : "");
    const theirs = !against ? null
      : against.value === null ? h("p", { class: "soft small", "data-against": "" }, against.sentence)
      : chances(against, t("with the best reply to {opponent}", { opponent: against.label }), "data-against",
        many ? t("Against {opponent}, with the best reply to them", { opponent: against.label }) : t("Against {opponent}, with the best reply to it", { opponent: against.label }));
    const other = against?.best?.length && !coach.moves.some((move) => move.status !== "worse" && against.best.includes(move.move))
      ? h("p", { class: "soft small" }, t("Against {opponent} another move is best: {moves}.", { opponent: against.label, moves: listed(coach.moves.filter((move) => against.best.includes(move.move)).map((move) => move.label.toLowerCase())) })) : null;
    return [
      theirs, perfect,
      h("p", { class: "advice", "data-advice": "yes" }, coach.sentence),
      other,
      match.kind === "at-once" ? null : explain(match, says),
      movesTable(coach.moves, says, many ? t("What each move is worth where {assumes}", { assumes: coach.assumes }) : undefined),
      two ? h("p", { class: "soft small" }, many ? t("Advice and costs are those where {assumes}.", { assumes: coach.assumes }) : t("Advice and costs are those against perfect play.")) : null,
      coach.mixture ? h("p", { class: "soft small" }, mixtureText(coach)) : null,
      match.played?.sentence && match.played.cost > 0 ? h("p", { class: "soft small" }, t("Before: {sentence}", { sentence: match.played.sentence })) : null,
    ];
  }

  return {
    node,
    draw(match) {
      select.value = match.coach_mode;
      select.hidden = match.over || Boolean(match.day);
      node.hidden = false;
      if (match.over) explained = null;
      show(place, contents(match));
    },
    /** Hear which maps there are of the game. */
    learn(found) { views = found; },
    say(match) {
      if (match.warning) return;
      if (match.coach && match.to_move === "you" && !match.over) announce(`${match.position.words} ${match.coach.sentence}`);
      else announce(match.over ? match.result.sentence : match.position.words);
    },
  };
}
