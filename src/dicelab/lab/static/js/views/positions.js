// A position drawn small: what lies on the table when somebody had to decide.

import { h } from "../dom.js";
import { die, suiting } from "../dice.js";
import { plural } from "../words.js";

const NAMES = { mine: "you", yours: "other", at_risk: "at risk", turns: "turns taken", left: "left" };
const HIDDEN = new Set(["target", "max", "stage"]);

/** Return a position as it lay on the table, seen by who had to move; `player` is their name, where a friend looks. */
export function drawnPosition(position, sides = 6, player = null) {
  const { fields, words, threw = [] } = position;
  const small = (face) => { const each = die(suiting([face], sides), { size: 34 }); each.show(face); return each.node; };
  const parts = [];
  if (Array.isArray(fields.thrown)) {
    if (fields.aside.length) parts.push(h("div", {}, h("span", { class: "dice" }, fields.aside.map(small)), "put aside"));
    parts.push(h("div", {}, h("span", { class: "dice" }, fields.thrown.map(small)), `thrown, ${plural(fields.left, "cast")} left`));
  } else {
    const many = Object.keys(fields).length > 1; // turns alone say nothing of a position
    for (const [name, value] of Object.entries(fields)) {
      if (HIDDEN.has(name) || (name === "turns" && !many) || (name === "left" && !value)) continue;
      parts.push(h("div", {}, h("b", {}, Array.isArray(value) ? value.join(" ") : String(value)), name === "mine" && player ? player : NAMES[name] ?? name.replaceAll("_", " ")));
    }
    const of = fields.target ?? fields.max;
    if (of) parts.push(h("div", {}, h("b", {}, String(of)), fields.max ? "most" : "target"));
    if (!parts.length) parts.push(h("div", {}, words ?? position.notation));
    if (fields.stage === 1) parts.push(h("div", {}, h("b", {}, "!"), "last turn"));
    if (threw.length) parts.push(h("div", {}, h("span", { class: "dice" }, threw.map(small)), "thrown"));
  }
  return h("div", { class: "position", role: "img", "aria-label": words ?? position.notation }, parts);
}
