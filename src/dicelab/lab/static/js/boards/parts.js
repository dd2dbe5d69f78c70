// The parts of a board, each drawn as the server tells it: heaps, a card, tiles, squares, dice. No game is known here.
// A part gets `pick(item, node, attributes)`, which makes an item a button where a move is about it.

import { h } from "../dom.js";
import { die, laidOut } from "../dice.js";
import { t, tn } from "../i18n.js";

const MOST = 24; // counters that are drawn one by one

const counters = (count, kind) => h("span", { class: "board-counters", "aria-hidden": "true" }, Array.from({ length: Math.min(count, MOST) }, () => h("i", { class: kind })));
const says = (part) => part.says.map((text) => h("p", {}, text));
const section = (part, kind, ...children) => h("section", { class: `board board-${kind}`, "aria-label": part.label }, ...children, says(part));

function heaps(part) {
  return section(part, "heaps", h("ul", {}, part.items.map((heap) => h("li", { class: heap.seat === 0 ? "mine" : heap.seat === null ? "common" : "theirs", "data-heap": heap.seat ?? "common" },
    h("span", { class: "board-name" }, heap.name), h("b", {}, String(heap.count)), counters(heap.count, "counter"), h("span", { class: "board-tag" }, heap.tag)))));
}

/** One box of a card: what stands in it, or what the dice on the table would score there. */
function box(item, pick) {
  const shown = item.filled ? (item.points === null ? "✓" : String(item.points)) : item.would === null ? "" : String(item.would);
  const content = [h("span", {}, item.name), h("b", { "aria-hidden": "true" }, shown)];
  const said = item.filled
    ? (item.points === null ? t("filled") : tn("{n} point", "{n} points", item.points))
    : item.would === null ? t("open") : tn("would score {n} point", "would score {n} points", item.would);
  return h("li", {}, pick(item, [...content, h("span", { class: "unseen" }, said)], { class: `box${item.filled ? " filled" : ""}`, "data-box": item.key }));
}

function card(part, pick) {
  const lines = (place) => part.sums.filter((sum) => sum.section === place).map((sum) => h("li", { class: "sum" }, h("span", {}, sum.name), " ", h("b", {}, sum.text)));
  const half = (place) => h("ul", {}, part.items.filter((item) => item.section === place).map((item) => box(item, pick)), lines(place));
  const halves = [0, 1].filter((place) => part.items.some((item) => item.section === place) || lines(place).length);
  return section(part, "card", h("div", { class: "board-halves" }, halves.map(half)));
}

function tiles(part, pick) {
  return section(part, "tiles", h("ul", {}, part.items.map((item) => h("li", {},
    pick(item, [item.name, h("span", { class: "unseen" }, item.up ? t("open") : t("shut"))], { class: `board-tile ${item.up ? "up" : "down"}`, "data-tile": item.key })))));
}

/** Squares in their places; what has no number on it, such as where pieces wait, has a word that needs room. */
function squares(part, pick) {
  const columns = Math.max(...part.items.map((item) => item.column));
  return section(part, "squares", h("ul", { vars: { "--columns": columns } }, part.items.map((item) => h("li", { vars: { "--row": item.row, "--column": item.column } },
    pick(item, [
      h("span", { class: "board-name", "aria-hidden": "true" }, item.name.replace(/^\D+(?=\d)/, "")), h("span", { class: "unseen" }, spoken(item)),
      counters(item.mine, "mine"), counters(item.yours, "theirs"),
      item.mine + item.yours > 1 ? h("b", { "aria-hidden": "true" }, String(item.mine + item.yours)) : null,
    ], { class: `board-square${item.marked ? " marked" : ""}${/\d/.test(item.name) ? "" : " worded"}`, "data-square": item.key ?? "" })))));
}

function spoken({ name, mine, yours, marked }) {
  const told = [name, marked ? t("rosette") : "", mine ? tn("{n} of yours", "{n} of yours", mine) : "", yours ? tn("{n} of theirs", "{n} of theirs", yours) : ""];
  return told.filter(Boolean).join(", ");
}

function dice(part, pick, { sides }) {
  const size = Math.round(0.86 * laidOut(part.items.length).size); // there is a rim around each
  const shown = (face, at) => { const each = die(sides, { size: at }); each.show(face); return each.node; };
  return h("section", { class: "board-dice stack", "aria-label": part.label },
    h("div", { class: "dice" }, part.items.map((item) => pick(item, [shown(item.face, size), h("span", { class: "unseen" }, t("die showing {face}", { face: item.face }))], { class: "keep", "data-face-key": item.face }))),
    part.aside.length ? h("div", { class: "aside-box" }, t("put aside"), part.aside.map((face) => shown(face, size * 0.7)), h("span", { class: "unseen" }, part.aside.join(", "))) : null);
}

const DRAWN = { heaps, card, tiles, squares, dice };

/** Return a part as an element; null where its kind is not known here. */
export const drawnPart = (part, pick, how) => (Object.hasOwn(DRAWN, part.part) ? DRAWN[part.part](part, pick, how) : null);

/** Return a part that is only looked at. */
export const stillPart = (part, how) => drawnPart(part, (item, content, attributes) => h("div", attributes, content), how);
