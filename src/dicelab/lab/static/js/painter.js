// A map to paint on: cells in columns and rows, a brush, by pointer or by keys.

import { colour } from "./charts.js";
import { freshId, h } from "./dom.js";
import { t } from "./i18n.js";

/**
 * Return a painter of whole numbers. `paints` lists {value, label, token}; `says(column, row, label)` describes a cell;
 * `onPaint` hears when a stroke pauses.
 */
export function painter({ columns, rows, start, paints, says, xTitle, yTitle, onPaint }) {
  const id = freshId("paint");
  let cells = Array.from({ length: columns }, (_, x) => Array.from({ length: rows }, (_, y) => start(x, y)));
  let brush = paints[0].value, size = columns > 60 ? 3 : columns > 25 ? 2 : 1, cursor = null, down = false, waiting = null;
  const scale = Math.max(4, Math.min(24, Math.floor(900 / columns)));
  const canvas = h("canvas", { class: "paint", tabindex: "0", role: "application", "aria-label": t("A map to paint: {across} to the right, {up} upwards. Arrow keys move, space paints.", { across: xTitle, up: yTitle }), "aria-describedby": id, "data-walk": "yes" });
  const readout = h("p", { class: "readout", id, "aria-live": "polite" }, t("Paint with the pointer, or with the arrow keys and space."));
  const label = (value) => paints.find((each) => each.value === value)?.label ?? String(value);
  const context = canvas.getContext("2d");

  function draw() {
    canvas.width = columns * scale;
    canvas.height = rows * scale;
    const ink = new Map(paints.map((each) => [each.value, each.token.startsWith("--") ? colour(each.token.slice(2)) : each.token]));
    for (let x = 0; x < columns; x++) {
      for (let y = 0; y < rows; y++) {
        const value = cells[x][y];
        if (value === null) continue;
        context.fillStyle = ink.get(value) ?? "#888";
        context.fillRect(x * scale, (rows - 1 - y) * scale, scale, scale);
      }
    }
    if (cursor) {
      context.lineWidth = 3;
      context.strokeStyle = colour("card");
      const reach = size - 1;
      context.strokeRect((cursor[0] - reach) * scale, (rows - 1 - cursor[1] - reach) * scale, (2 * reach + 1) * scale, (2 * reach + 1) * scale);
      context.strokeStyle = colour("ink");
      context.lineWidth = 1.5;
      context.strokeRect((cursor[0] - reach) * scale, (rows - 1 - cursor[1] - reach) * scale, (2 * reach + 1) * scale, (2 * reach + 1) * scale);
    }
  }
  function stroke(x, y) {
    const reach = size - 1;
    for (let i = Math.max(0, x - reach); i <= Math.min(columns - 1, x + reach); i++) {
      for (let j = Math.max(0, y - reach); j <= Math.min(rows - 1, y + reach); j++) if (cells[i][j] !== null) cells[i][j] = brush;
    }
    clearTimeout(waiting);
    waiting = setTimeout(onPaint, 160);
  }
  function cellOf(event) {
    const box = canvas.getBoundingClientRect();
    const x = Math.floor(((event.clientX - box.left) / box.width) * columns), y = rows - 1 - Math.floor(((event.clientY - box.top) / box.height) * rows);
    return [Math.min(columns - 1, Math.max(0, x)), Math.min(rows - 1, Math.max(0, y))];
  }
  const tell = ([x, y]) => { readout.textContent = says(x, y, cells[x][y] === null ? t("never reached") : label(cells[x][y])); };
  canvas.addEventListener("pointerdown", (event) => { down = true; canvas.setPointerCapture(event.pointerId); cursor = cellOf(event); stroke(...cursor); tell(cursor); draw(); });
  canvas.addEventListener("pointermove", (event) => { cursor = cellOf(event); if (down) stroke(...cursor); tell(cursor); draw(); });
  canvas.addEventListener("pointerup", () => { down = false; });
  canvas.addEventListener("pointercancel", () => { down = false; });
  canvas.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key];
    cursor ??= [Math.floor(columns / 2), Math.floor(rows / 2)];
    if (step) {
      const far = event.shiftKey ? 5 : 1;
      cursor = [Math.min(columns - 1, Math.max(0, cursor[0] + far * step[0])), Math.min(rows - 1, Math.max(0, cursor[1] + far * step[1]))];
    } else if (event.key === " " || event.key === "Enter") stroke(...cursor);
    else return;
    event.preventDefault();
    tell(cursor);
    draw();
  });
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const recolour = () => (canvas.isConnected ? draw() : dark.removeEventListener("change", recolour));
  dark.addEventListener("change", recolour);
  draw();
  return {
    node: h("div", { class: "stack" }, h("div", { class: "painting" }, canvas), h("div", { class: "legend-row" }, h("span", {}, `${xTitle} →, ${yTitle} ↑`),
      paints.length <= 12 ? paints.map((each) => h("span", {}, h("i", { vars: { "--swatch": each.token.startsWith("--") ? `var(${each.token})` : each.token } }), each.label)) : null), readout),
    canvas,
    get cells() { return cells; },
    fill(next) { cells = cells.map((column, x) => column.map((_, y) => next(x, y))); draw(); onPaint(); },
    set brush(value) { brush = value; },
    set size(value) { size = value; draw(); },
  };
}
