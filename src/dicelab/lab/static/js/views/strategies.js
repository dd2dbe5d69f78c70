// A strategy to be compared: named, or painted.

import { get, query } from "../api.js";
import { CIVIDIS } from "../charts.js";
import { h, show } from "../dom.js";
import { segments, slider, strategyPicker } from "../fields.js";
import { t, tn } from "../i18n.js";
import { painter } from "../painter.js";
import { keeper } from "./paintings.js";

function rollHold(game, values, target, heard) {
  const rows = Math.min(target, Math.max(30, Math.min(45, target)));
  const map = painter({
    columns: target, rows, start: (mine, risk) => (risk + mine >= target || risk >= 20 ? 1 : 0),
    paints: [{ value: 0, label: t("roll"), token: "--you" }, { value: 1, label: t("hold"), token: "--clay" }],
    says: (mine, risk, move) => t("My bank {mine}, at risk {risk}: {move}.", { mine, risk, move }), xTitle: t("my bank"), yTitle: t("at risk"), onPaint: heard,
  });
  const brush = segments({ legend: t("Brush"), name: "brush", value: "0", choices: [{ value: "0", label: t("Roll") }, { value: "1", label: t("Hold") }], onChange: (value) => { map.brush = Number(value); } });
  const width = slider({ label: t("Brush size"), name: "brush-size", min: 1, max: 8, value: target > 60 ? 3 : 2, onChange: (value) => { map.size = value; } });
  const level = slider({ label: t("Hold at"), name: "hold-at", min: 1, max: rows, value: 20, onChange: (points) => map.fill((mine, risk) => (risk + mine >= target || risk >= points ? 1 : 0)) });
  const copy = h("button", {
    class: "button small", type: "button", "data-do": "copy-best",
    on: {
      click: async () => {
        const { points } = await get(`/api/explore/${game.name}/holding${query(values)}`);
        map.fill((mine, risk) => { const at = points[mine]?.[Math.min(mine, points[mine].length - 1)]; return risk + mine >= target || (at !== null && at !== -1 && risk >= at) ? 1 : 0; });
      },
    },
  }, t("Copy best play at level scores"));
  return {
    node: h("div", { class: "stack" }, map.node, h("div", { class: "fields" }, brush.node, width.node, level.node), h("div", { class: "row" }, copy)),
    /** Take over a map that was kept. */
    load: ({ grid }) => map.fill((mine, risk) => (grid[mine]?.[risk] === "h" ? 1 : 0)),
    get value() {
      return { painted: "grid", name: t("painted"), grid: map.cells.map((column) => column.map((move) => (move ? "h" : "r")).join("")) };
    },
  };
}

/** A map of numbers of dice over both scores. */
function diceMap({ size, least: first, most: limit }, heard) {
  const most = Math.min(40, limit);
  const paints = Array.from({ length: most - first + 1 }, (_, i) => ({ value: first + i, label: tn("{n} die", "{n} dice", first + i), token: CIVIDIS[Math.round((i / Math.max(1, most - first)) * (CIVIDIS.length - 1))] }));
  const map = painter({
    columns: size, rows: size, start: () => Math.max(first, Math.ceil(most / 2)), paints,
    says: (yours, mine, what) => t("I have {mine}, the other {yours}: {what}.", { mine, yours, what }), xTitle: t("the other has"), yTitle: t("I have"), onPaint: heard,
  });
  const brush = slider({ label: t("Brush: dice to throw"), name: "brush", min: first, max: most, value: first, onChange: (value) => { map.brush = value; } });
  map.brush = first;
  const width = slider({ label: t("Brush size"), name: "brush-size", min: 1, max: 8, value: 2, onChange: (value) => { map.size = value; } });
  const level = slider({ label: t("Always throw"), name: "always", min: first, max: most, value: Math.max(first, Math.ceil(most / 2)), onChange: (value) => map.fill(() => value) });
  return {
    node: h("div", { class: "stack" }, map.node, h("div", { class: "fields" }, brush.node, width.node, level.node)),
    load: ({ dice }) => map.fill((yours, mine) => dice[mine]?.[yours] ?? first),
    get value() {
      const dice = Array.from({ length: size }, (_, mine) => Array.from({ length: size }, (_, yours) => map.cells[yours][mine]));
      return { painted: "dice", name: t("painted"), dice };
    },
  };
}

/** Return a field for one strategy; `value` goes to the server as it is. */
export function strategyField(game, values, canvas, { label, name, value, painted = false, kept = null, heard }) {
  const place = h("div", { class: "stack" });
  let inner = null;
  const canPaint = Boolean(canvas);
  const kind = segments({
    legend: label, name, value: painted && canPaint ? "painted" : "named",
    choices: [{ value: "named", label: t("Named") }, ...(canPaint ? [{ value: "painted", label: t("Painted") }] : [])], onChange: () => { draw(); heard(); },
  });
  function draw() {
    if (kind.value === "named") inner = strategyPicker(game, { label: t("Which one"), name: `${name}-strategy`, value, onChange: heard });
    else if (canvas.kind === "dice") inner = diceMap(canvas, heard);
    else inner = rollHold(game, values, canvas.size, heard);
    show(place, inner.node, kind.value === "named" ? null : keeper(game, values, inner).node);
  }
  draw();
  if (kept && kind.value === "painted") inner.load(kept.painted);
  return { node: h("section", { class: "card" }, kind.node, place), get value() { return inner.value; } };
}
