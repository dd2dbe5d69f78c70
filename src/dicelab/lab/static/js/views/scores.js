// Both scores, large.

import { h, show } from "../dom.js";
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
      number.data = String(score);
      aim.textContent = of ? `of ${of}` : says;
      bank.style.setProperty("--x", of ? Math.min(1, score / of) : 0);
      risk.style.setProperty("--x", of ? Math.min(1 - Math.min(1, score / of), atRisk / of) : 0);
      node.classList.toggle("turn", moves);
      turn.textContent = moves ? "to move" : "";
    },
  };
}

/** Return the fields of a position side by side, for a game that keeps no two scores. */
function counters(match) {
  const node = h("div", { class: "scores" });
  return {
    node,
    set(fields) {
      const all = Object.entries({ ...match.position.fields, ...fields }).filter(([name]) => name !== "turns");
      show(node, all.map(([name, value]) => h("div", { class: "score", "data-score": name }, h("div", { class: "name" }, h("b", {}, capital(name.replaceAll("_", " ")))),
        h("div", { class: "points" }, Array.isArray(value) ? value.join(" ") : String(value)))));
      node.hidden = !all.length;
    },
  };
}

/** Return the scores of a match, with `set(fields, who moves)`. */
export function scoreboard(match) {
  if (!("mine" in match.position.fields)) return counters(match);
  const alone = match.kind === "solo";
  const me = card("me", "You");
  const them = alone ? card("them", "Turns taken") : card("them", match.opponent?.label ?? "Other");
  const node = h("div", { class: "scores" }, me.node, them.node);
  return {
    node,
    set(fields, mover) {
      const all = { ...match.position.fields, ...fields };
      const of = all.target ?? all.max;
      const risk = all.at_risk ?? 0;
      me.set({ score: all.mine, of, atRisk: mover === "you" ? risk : 0, moves: mover === "you" });
      if (alone) them.set({ score: all.turns ?? 0, of: 0, moves: false, says: all.left ? `of ${all.turns + all.left}` : "" });
      else them.set({ score: all.yours, of, atRisk: mover === "opponent" ? risk : 0, moves: mover === "opponent" });
    },
  };
}
