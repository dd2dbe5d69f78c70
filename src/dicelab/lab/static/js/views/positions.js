// A position drawn small: what lies on the table when somebody had to decide.

import { stillPart } from "../boards/parts.js";
import { h } from "../dom.js";
import { die, suiting, suitingThrow } from "../dice.js";
import { t, tn } from "../i18n.js";

const NAMES = { mine: t("you"), yours: t("other"), at_risk: t("at risk"), turns: t("turns taken"), left: t("left") };
const HIDDEN = new Set(["target", "max", "stage"]);

/** Return a position as it lay on the table, seen by who had to move; `player` is their name, where a friend looks. */
export function drawnPosition(position, sides = 6, player = null) {
  const { fields, words, threw = [] } = position;
  const small = (face, as = suiting([face], sides)) => { const each = die(as, { size: 34 }); each.show(face); return each.node; };
  const drawn = new Set((position.board ?? []).flatMap((part) => part.fields));
  const parts = [];
  if (Array.isArray(fields.thrown)) {
    if (fields.aside.length) parts.push(h("div", {}, h("span", { class: "dice" }, fields.aside.map((face) => small(face))), t("put aside")));
    parts.push(fields.thrown.length ? h("div", {}, h("span", { class: "dice" }, fields.thrown.map((face) => small(face))), tn("thrown, {n} cast left", "thrown, {n} casts left", fields.left)) : h("div", {}, tn("{n} cast left", "{n} casts left", fields.left)));
  } else {
    const many = Object.keys(fields).length > 1; // turns alone say nothing of a position
    for (const [name, value] of Object.entries(fields)) {
      if (HIDDEN.has(name) || drawn.has(name) || (name === "turns" && !many) || (name === "left" && !value)) continue;
      parts.push(h("div", {}, h("b", {}, Array.isArray(value) ? value.join(" ") : String(value)), name === "mine" && player ? player : NAMES[name] ?? t(name.replaceAll("_", " "))));
    }
    const of = fields.target ?? fields.max;
    if (of) parts.push(h("div", {}, h("b", {}, String(of)), fields.max ? t("most") : t("target")));
    if (!parts.length) parts.push(h("div", {}, words ?? position.notation));
    if (fields.stage === 1) parts.push(h("div", {}, h("b", {}, "!"), t("last turn")));
    if (threw.length) parts.push(h("div", {}, h("span", { class: "dice" }, threw.map((face) => small(face, suitingThrow(threw, sides)))), t("thrown")));
  }
  const told = h("div", { class: "position", role: "img", "aria-label": words ?? position.notation }, parts);
  const board = (position.board ?? []).filter((part) => part.part !== "dice"); // dice are among what is told
  return board.length ? h("div", { class: "stack" }, board.map((part) => stillPart(part, { sides })), told) : told;
}

/** Draw a position and say it in words, once where the words are all there is to draw. */
export function toldPosition(position, sides) {
  const drawn = drawnPosition(position, sides);
  return [drawn, drawn.textContent.endsWith(position.words) ? null : h("p", {}, position.words)];
}
