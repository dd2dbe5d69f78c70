// The scores of everybody at the table, large.

import { h, show } from "../dom.js";
import { t } from "../i18n.js";
import { capital } from "../words.js";

function card(who, name) {
  const points = h("span", { class: "points" });
  const aim = h("small");
  const bank = h("i"), risk = h("i");
  const turn = h("span");
  const node = h("div", { class: `score ${who}`, "data-score": who },
    h("div", { class: "name" }, h("b", {}, name), turn),
    h("div", {}, points, aim), h("div", { class: "track", "aria-hidden": "true" }, bank, risk));
  points.append(aim);
  const number = document.createTextNode("");
  points.prepend(number);
  return {
    node,
    set({ score, of, atRisk = 0, moves, says = "" }) {
      number.data = typeof score === "string" ? t("bust") : String(score); // the only word there is for a score
      points.classList.toggle("long", String(score).length + String(of ?? "").length > 5);
      aim.textContent = of && Number.isFinite(score) ? t("of {n}", { n: of }) : says;
      const part = of && Number.isFinite(score) ? Math.min(1, score / of) : 0; // who is out has no number
      bank.style.setProperty("--x", part);
      risk.style.setProperty("--x", of ? Math.min(1 - part, atRisk / of) : 0);
      node.classList.toggle("turn", moves);
      turn.textContent = moves ? t("to move") : "";
    },
  };
}

/** Return the fields of a position side by side, for a game that keeps no two scores. */
function counters(match, draws) {
  const node = h("div", { class: "scores" });
  return {
    node,
    set(fields) {
      const all = Object.entries({ ...match.position.fields, ...fields }).filter(([name]) => name !== "turns" && !draws(name));
      show(node, all.map(([name, value]) => h("div", { class: "score", "data-score": name }, h("div", { class: "name" }, h("b", {}, capital(t(name.replaceAll("_", " "))))),
        h("div", { class: "points" }, Array.isArray(value) ? value.join(" ") : String(value)))));
      node.hidden = !all.length;
    },
  };
}

/** Return the scores of a match, with `set(fields, who moves)`; `draws` tells which fields the board shows already. */
export function scoreboard(match, draws = () => false) {
  if (!("mine" in match.position.fields)) return counters(match, draws);
  const alone = match.kind === "solo";
  const me = card("me", match.people ? match.seats[0].name : t("You"));
  const taken = alone ? card("them", t("Turns taken")) : null;
  const others = alone ? [] : match.seats.slice(1).map((seat) => ({ ...seat, card: card("them", capital(seat.name)) }));
  const node = h("div", { class: `scores${others.length > 1 ? " many" : ""}` }, me.node, taken?.node, others.map((each) => each.card.node));
  return {
    node,
    set(fields, mover) {
      const all = { ...match.position.fields, ...fields };
      const of = all.target ?? all.max;
      const risk = all.at_risk ?? 0;
      me.set({ score: all.mine, of, atRisk: mover === "you" ? risk : 0, moves: mover === "you" });
      if (alone) taken.set({ score: all.turns ?? 0, of: 0, moves: false, says: all.left ? t("of {n}", { n: all.turns + all.left }) : "" });
      for (const { who, field, card: theirs } of others) theirs.set({ score: all[field], of, atRisk: mover === who ? risk : 0, moves: mover === who });
    },
  };
}
