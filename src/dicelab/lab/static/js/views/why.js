// Why the coach advises what it does: the fan of the next throw, what holding leaves, and a rule of thumb.

import { get } from "../api.js";
import { h, pause, show } from "../dom.js";
import { die, suiting } from "../dice.js";
import { t, tn } from "../i18n.js";
import { failure } from "../waiting.js";
import { capital, percent, smallPercent } from "../words.js";

const KEY = "dicelab-why-open";
const BAD = new Set(["bust", "lost", "passed"]);

function dice(faces, sides) {
  return h("span", { class: "dice", role: "img", "aria-label": faces.join(", ") }, faces.map((face) => { const each = die(suiting([face], sides), { size: 24 }); each.show(face); return each.node; }));
}

function row(each, sides, says) {
  const bad = BAD.has(each.kind), part = each.chance < 0.001 ? smallPercent(each.chance) : percent(each.chance);
  return h("tr", { class: bad ? "bad" : each.kind === "won" ? "good" : "", "data-kind": each.kind, "data-chance": each.chance, "data-value": each.value },
    h("th", { scope: "row" },
      each.throws.length ? h("span", { class: "throws" }, each.throws.map((faces) => dice(faces, sides))) : null,
      each.others ? h("small", {}, tn("or {n} other", "or {n} others", each.others)) : null,
      each.label ? h("span", { class: "leads" }, each.label) : null),
    h("td", {}, part, h("i", { class: "part", vars: { "--x": each.chance } })),
    h("td", {}, each.kind === "won" && says.isPercent ? percent(1, 0) : says.value(each.value)));
}

/** Draw the next throw; `says` writes the numbers (see words.measure). */
export function drawnFan(fan, sides, says) {
  return h("div", { class: "fan", "data-fan": fan.move },
    h("table", {}, h("caption", {}, fan.title),
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, t("Throw")), h("th", { scope: "col" }, t("Chance")), h("th", { scope: "col" }, t("Then: {what}", { what: says.head })))),
      h("tbody", {}, fan.rows.map((each) => row(each, sides, says)))),
    h("p", {}, fan.sentence), fan.still.map((each) => h("p", { "data-still": each.move }, each.sentence)));
}

/** Return everything that explains advice, drawn; nothing where there is nothing to say. */
function drawn(why, sides, says) {
  return [why.fan ? drawnFan(why.fan, sides, says) : null,
    why.rule ? h("p", { class: "rule", "data-rule": why.rule.fits ? "fits" : "errs" }, why.rule.sentence) : null];
}

/** Return a place that opens on "Why?", with `ask(path, sides, says, more)`: what the server says there is drawn while it is open. */
export function whyPlace({ open = null } = {}) {
  const inside = h("div", { class: "stack" });
  const remembered = localStorage.getItem(KEY);
  const node = h("details", { class: "why", open: open ?? (remembered ? remembered === "yes" : matchMedia("(min-width: 760px)").matches) },
    h("summary", {}, t("Why?")), inside);
  let asked = null, current = 0;
  node.addEventListener("toggle", () => {
    if (open === null) localStorage.setItem(KEY, node.open ? "yes" : "no");
    fill();
  });

  function fresh(parts) {
    show(inside, parts);
    inside.removeAttribute("aria-busy");
  }

  async function fill() {
    if (!node.open || !asked || asked.done) return;
    const mine = ++current, { path, sides, says, more } = asked;
    asked.done = true;
    for (;;) {
      let why;
      try { why = await get(path); } catch (refused) { if (mine === current) fresh(failure(refused)); return; }
      if (mine !== current) return;
      const parts = [...drawn(why, sides, says), more].filter(Boolean);
      fresh(parts);
      node.hidden = !parts.length;
      if (!why.pending) return;
      await pause(2000);
      if (mine !== current || !node.isConnected) return;
    }
  }

  return {
    node,
    ask(path, sides, says, more = null) {
      current += 1;
      node.hidden = false;
      inside.setAttribute("aria-busy", "true"); // what lies there is of another position: it keeps its room, and is not seen
      asked = { path, sides, says, more, done: false };
      fill();
    },
  };
}

/** A link to the map of a game with a dot at a position. */
export function showMe(game, parameters, at) {
  const search = new URLSearchParams({ game, ...parameters, at });
  return h("p", {}, h("a", { class: "button small", href: `/explore?${search}`, "data-do": "show-me" }, t("Show me on the map")));
}
