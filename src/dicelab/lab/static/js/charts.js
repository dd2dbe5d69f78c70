// Charts: lines as SVG, maps on a canvas, both in the colours of the page and drawn by hand. They come with the page
// and need nothing else; only a surface to turn fetches a library (surface.js).

import { freshId, h, s } from "./dom.js";
import { t } from "./i18n.js";
import { plain } from "./words.js";

/** The whole numbers below n, for an axis. */
export const range = (n) => Array.from({ length: n }, (_, i) => i);

export const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
const isDark = () => matchMedia("(prefers-color-scheme: dark)").matches;

/** Cividis, for values from little to much: it reads the same with any colour vision. */
export const CIVIDIS = ["#00204c", "#0b2f6d", "#31446b", "#4f576c", "#666970", "#7d7c78", "#948f78", "#aea371", "#c8b866", "#e5cf52", "#ffea46"];
/** From the other side's colour over paper to yours, for what may go either way. */
export const eitherWay = () => [colour("them"), isDark() ? "#2a3335" : "#f4efe4", colour("you")];

const live = new Set();
const redrawn = () => { for (const each of live) each(); };
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redrawn);

/** Forget the charts of the view that goes. */
export function clearCharts() {
  live.clear();
}

/** Draw now that the node is on the page, again when its size changes, and when the colours do. */
function kept(node, draw) {
  const again = () => {
    if (!node.isConnected || !node.clientWidth) return;
    draw(node.clientWidth, node.clientHeight);
    node.dataset.drawn = "yes";
  };
  new ResizeObserver(again).observe(node);
  live.add(again);
  return again;
}

/** Return round numbers between two, about so many. */
function ticks(low, high, wanted = 5, whole = false) {
  const rough = Math.max((high - low) / wanted, 1e-12), power = 10 ** Math.floor(Math.log10(rough));
  let step = [1, 2, 5, 10].find((each) => each * power >= rough) * power;
  if (whole) step = Math.max(1, Math.round(step));
  const first = Math.ceil(low / step - 1e-9);
  return Array.from({ length: Math.max(0, Math.floor(high / step + 1e-9) - first + 1) }, (_, i) => Number(((first + i) * step).toPrecision(12)));
}

const plainTick = (x) => plain(x, 12);

/**
 * Return lines over an axis. A series has `x`, `y` (null breaks the line), and may have a `name`, a `token` of colour, `dots`
 * instead of a line, `dashed`, `steps`, `filled`, and `says(i)`, which tells about a point. `guide` is a level to mark.
 * `onPick(i)` hears which point of the first series somebody chose, and `onReady(mark)` gets a function that marks one.
 */
export function lines({ series, xTitle, yTitle, low = null, high = null, yText = plainTick, wholeX = true, guide = null, label, size = "", onPick = null, onReady = null }) {
  const node = h("div", { class: `chart lines ${size}${onPick ? " pick" : ""}`, role: "img", "aria-label": label });
  const tip = h("div", { class: "tip", hidden: true });
  const named = series.filter((each) => each.name);
  const legend = named.length > 1 || named.some((each) => each.dots) ? h("div", { class: "legend-row", "aria-hidden": "true" },
    named.map((each) => h("span", {}, h("i", { vars: { "--swatch": `var(--${each.token ?? "you"})` } }), each.name))) : null;

  let marked = null, put = () => {};
  onReady?.((x) => { marked = x; put(); });
  kept(node, (width, height) => {
    const xs = series.flatMap((each) => each.x), ys = series.flatMap((each) => each.y).filter((y) => y !== null && y !== undefined);
    const left = [Math.min(...xs), Math.max(...xs)], bottom = low ?? Math.min(...ys), top = high ?? Math.max(...ys);
    const levels = ticks(bottom, top > bottom ? top : bottom + 1, 4);
    const most = high ?? Math.max(top, levels.at(-1) ?? top), span = (most - bottom) || 1, wide = (left[1] - left[0]) || 1;
    const edge = { l: 14 + 8 * Math.max(...levels.map((each) => yText(each).length), 2) + 18, r: 14, t: 12, b: 46 };
    const X = (x) => edge.l + ((x - left[0]) / wide) * (width - edge.l - edge.r), Y = (y) => height - edge.b - ((y - bottom) / span) * (height - edge.t - edge.b);
    const path = (each) => {
      let text = "", pen = false, before = null;
      each.x.forEach((x, i) => {
        const y = each.y[i];
        if (y === null || y === undefined) { pen = false; return; }
        if (pen && each.steps) text += `H${((X(before) + X(x)) / 2).toFixed(1)}V${Y(y).toFixed(1)}H${X(x).toFixed(1)}`;
        else text += `${pen ? "L" : "M"}${X(x).toFixed(1)} ${Y(y).toFixed(1)}`;
        pen = true;
        before = x;
      });
      return text;
    };
    const drawing = s("svg", { width, height, viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true" },
      levels.map((each) => [s("line", { class: "grid", x1: edge.l, x2: width - edge.r, y1: Y(each), y2: Y(each) }),
        s("text", { class: "tick", x: edge.l - 8, y: Y(each) + 4, "text-anchor": "end" }, yText(each))]),
      ticks(left[0], left[1], Math.max(2, Math.min(8, width / 70)), wholeX).map((each) => s("text", { class: "tick", x: X(each), y: height - edge.b + 18, "text-anchor": "middle" }, plainTick(each))),
      s("line", { class: "axis", x1: edge.l, x2: width - edge.r, y1: height - edge.b, y2: height - edge.b }),
      s("text", { class: "title", x: (edge.l + width - edge.r) / 2, y: height - 6, "text-anchor": "middle" }, xTitle),
      s("text", { class: "title", "text-anchor": "middle", transform: `translate(13 ${(edge.t + height - edge.b) / 2}) rotate(-90)` }, yTitle),
      guide === null ? null : s("line", { class: "guide", x1: edge.l, x2: width - edge.r, y1: Y(guide), y2: Y(guide) }),
      series.map((each) => {
        const ink = `var(--${each.token ?? "you"})`;
        if (each.dots) return each.x.map((x, i) => (each.y[i] === null ? null : s("circle", { class: "dot", cx: X(x), cy: Y(each.y[i]), r: 5, fill: ink })));
        return [each.filled ? s("path", { class: "under", d: `${path(each)}L${X(each.x.at(-1))} ${Y(bottom)}L${X(each.x[0])} ${Y(bottom)}Z`, fill: ink }) : null,
          s("path", { class: each.dashed ? "line dashed" : "line", d: path(each), stroke: ink })];
      }),
      s("line", { class: "here", y1: edge.t, y2: height - edge.b, visibility: "hidden" }), s("circle", { class: "here", r: 6, visibility: "hidden" }),
      s("line", { class: "cursor", y1: edge.t, y2: height - edge.b, visibility: "hidden" }));
    node.replaceChildren(drawing, tip);
    put = () => {
      const y = series[0].y[series[0].x.indexOf(marked)], seen = y === undefined || y === null ? "hidden" : "visible";
      const [line, dot] = drawing.querySelectorAll(".here");
      for (const each of [line, dot]) each.setAttribute("visibility", seen);
      if (seen === "hidden") return;
      for (const name of ["x1", "x2"]) line.setAttribute(name, X(marked));
      dot.setAttribute("cx", X(marked));
      dot.setAttribute("cy", Y(y));
    };
    put();
    const nearest = (event, each) => { const at = event.clientX - node.getBoundingClientRect().left; return each.x.map((x, i) => [Math.abs(X(x) - at), i, each]).reduce((a, b) => (b[0] < a[0] ? b : a), [Infinity, 0, each]); };
    if (onPick) node.onclick = (event) => onPick(nearest(event, series[0])[1]);
    const cursor = drawing.lastChild, telling = series.filter((each) => each.says);
    node.onpointermove = (event) => {
      const found = telling.map((each) => nearest(event, each));
      if (!found.length) return;
      tip.replaceChildren(...found.flatMap(([, i, each]) => each.says(i).split("\n").map((line) => h("div", {}, line))));
      tip.hidden = false;
      const x = X(found[0][2].x[found[0][1]]);
      tip.style.setProperty("--x", `${Math.max(0, Math.min(width - tip.offsetWidth, x + 12 + tip.offsetWidth > width ? x - 12 - tip.offsetWidth : x + 12))}px`);
      for (const name of ["x1", "x2"]) cursor.setAttribute(name, x);
      cursor.setAttribute("visibility", "visible");
    };
    node.onpointerleave = () => { tip.hidden = true; cursor.setAttribute("visibility", "hidden"); };
  });
  return h("div", { class: "stack" }, legend, node);
}

/** Return a function from 0..1 to a colour, through stops that are evenly spaced. */
function ramp(stops) {
  const rgb = stops.map((stop) => [1, 3, 5].map((i) => parseInt(stop.slice(i, i + 2), 16)));
  return (x) => {
    const place = Math.min(1, Math.max(0, x)) * (rgb.length - 1), i = Math.min(rgb.length - 2, Math.floor(place)), part = place - i;
    return rgb[i].map((each, k) => Math.round(each + part * (rgb[i + 1][k] - each)));
  };
}

/**
 * Return a map that can be walked with the arrow keys. `describe(column, row)` says what is at a cell; it is shown below, and
 * read out. `z` is by rows, from the bottom up, or `downwards`; null is left empty. `low` and `high` are the ends of the
 * colours, `stops()` the colours themselves; `bar` is the title of their scale, `texts` what is written into the cells. `mark([column, row])` puts a dot.
 */
export function heatmap(given) {
  const id = freshId("readout");
  const readout = h("p", { class: "readout", id, "aria-live": "polite" }, t("Point at the map, or walk on it with the arrow keys."));
  const canvas = h("canvas", { "aria-hidden": "true" });
  const node = h("div", { class: `chart map ${given.size ?? ""}`, role: "img", tabindex: "0", "aria-label": given.label, "aria-describedby": id, "data-walk": "yes" }, canvas);
  let now = given, at = [...(given.start ?? [0, 0])], walked = false, box = null;

  const again = kept(node, (width, height) => {
    const { x, y, z, xTitle = "", yTitle = "", stops = () => CIVIDIS, bar = null, texts = null, downwards = false } = now;
    const context = canvas.getContext("2d"), dense = devicePixelRatio || 1;
    canvas.width = width * dense;
    canvas.height = height * dense;
    canvas.style.setProperty("width", `${width}px`);
    canvas.style.setProperty("height", `${height}px`);
    context.scale(dense, dense);
    context.font = `12px ${getComputedStyle(node).fontFamily}`;
    const all = z.flat().filter((each) => each !== null && each !== undefined);
    const low = now.low ?? (all.length ? Math.min(...all) : 0), high = now.high ?? (all.length ? Math.max(...all) : 1);
    const named = typeof y[0] === "string", slanted = typeof x[0] === "string";
    const wide = named ? Math.min(width * 0.34, Math.max(...y.map((each) => context.measureText(each).width)) + 12) : 50;
    const deep = slanted ? Math.min(height * 0.3, Math.max(...x.map((each) => context.measureText(each).width)) * 0.75 + 16) : 44;
    box = { l: wide, t: 12, w: Math.max(10, width - wide - (bar === null ? 12 : 66)), h: Math.max(10, height - deep - 12) };
    const cell = { w: box.w / x.length, h: box.h / y.length };
    const paint = ramp(stops()), ink = colour("ink"), soft = colour("soft");
    const top = (row) => box.t + (downwards ? row : y.length - 1 - row) * cell.h;
    const small = new OffscreenCanvas(x.length, y.length), dots = small.getContext("2d"), image = dots.createImageData(x.length, y.length);
    z.forEach((line, row) => line.forEach((value, column) => {
      if (value === null || value === undefined) return;
      const place = 4 * ((downwards ? row : y.length - 1 - row) * x.length + column);
      image.data.set([...paint(high > low ? (value - low) / (high - low) : 0.5), 255], place);
    }));
    dots.putImageData(image, 0, 0);
    context.imageSmoothingEnabled = false;
    context.drawImage(small, box.l, box.t, box.w, box.h);
    context.fillStyle = soft;
    context.textBaseline = "middle";
    const every = (names, room) => Math.max(1, ticks(0, names.length, Math.max(2, room), true)[1] ?? 1);
    const stepX = slanted ? 1 : every(x, box.w / 60), stepY = named ? 1 : every(y, box.h / 45);
    x.forEach((name, i) => {
      if (i % stepX) return;
      const place = box.l + (i + 0.5) * cell.w;
      context.save();
      context.translate(place, box.t + box.h + 8);
      if (slanted) { context.rotate(-0.7); context.textAlign = "right"; } else { context.textAlign = "center"; context.translate(0, 6); }
      context.fillText(name, 0, 0);
      context.restore();
    });
    context.textAlign = "right";
    y.forEach((name, i) => { if (i % stepY === 0) context.fillText(name, box.l - 7, top(i) + cell.h / 2, wide - 8); });
    context.textAlign = "center";
    context.font = `13px ${getComputedStyle(node).fontFamily}`;
    if (xTitle) context.fillText(xTitle, box.l + box.w / 2, height - 8);
    if (yTitle) { context.save(); context.translate(10, box.t + box.h / 2); context.rotate(-Math.PI / 2); context.fillText(yTitle, 0, 0); context.restore(); }
    if (texts) {
      z.forEach((line, row) => line.forEach((value, column) => {
        if (value === null || value === undefined) return;
        const [r, g, b] = paint(high > low ? (value - low) / (high - low) : 0.5);
        context.fillStyle = 0.299 * r + 0.587 * g + 0.114 * b > 140 ? "#1e2729" : "#fffdf8";
        context.fillText(texts[row][column], box.l + (column + 0.5) * cell.w, top(row) + cell.h / 2, cell.w - 4);
      }));
    }
    if (bar !== null && all.length) {
      const left = box.l + box.w + 14;
      range(Math.ceil(box.h)).forEach((i) => { context.fillStyle = `rgb(${paint(1 - i / box.h).join(" ")})`; context.fillRect(left, box.t + i, 12, 1.5); });
      context.fillStyle = soft;
      context.textAlign = "left";
      context.font = `12px ${getComputedStyle(node).fontFamily}`;
      const say = now.barText ?? plainTick;
      for (const each of ticks(low, high, 5, all.every(Number.isInteger))) context.fillText(say(each), left + 16, box.t + box.h * (1 - (each - low) / ((high - low) || 1)));
      context.save();
      context.textAlign = "right";
      context.fillText(bar, width - 4, height - deep + 18);
      context.restore();
    }
    if (now.dot) {
      context.beginPath();
      context.arc(box.l + (now.dot[0] + 0.5) * cell.w, top(now.dot[1]) + cell.h / 2, 7, 0, 2 * Math.PI);
      context.fillStyle = colour("bad");
      context.strokeStyle = colour("card");
      context.lineWidth = 3;
      context.stroke();
      context.fill();
    }
    if (walked) {
      const [w, t] = [box.l + at[0] * cell.w, top(at[1])];
      context.lineWidth = 4;
      context.strokeStyle = colour("card");
      context.strokeRect(w - 1, t - 1, Math.max(6, cell.w + 2), Math.max(6, cell.h + 2));
      context.lineWidth = 2;
      context.strokeStyle = colour("focus");
      context.strokeRect(w - 1, t - 1, Math.max(6, cell.w + 2), Math.max(6, cell.h + 2));
    }
  });

  const tell = (column, row) => { at = [column, row]; readout.textContent = now.describe(column, row); };
  function pointed(event) {
    if (!box) return;
    const { left, top } = node.getBoundingClientRect();
    const column = Math.floor(((event.clientX - left - box.l) / box.w) * now.x.length), row = Math.floor(((event.clientY - top - box.t) / box.h) * now.y.length);
    if (column < 0 || row < 0 || column >= now.x.length || row >= now.y.length) return;
    tell(column, now.downwards ? row : now.y.length - 1 - row);
  }
  node.addEventListener("pointermove", pointed);
  node.addEventListener("pointerdown", pointed);
  node.addEventListener("keydown", (event) => {
    const up = now.downwards ? -1 : 1;
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, up], ArrowDown: [0, -up] }[event.key];
    if (!step) return;
    event.preventDefault();
    const far = event.shiftKey ? 5 : 1;
    walked = true;
    tell(Math.min(now.x.length - 1, Math.max(0, at[0] + far * step[0])), Math.min(now.y.length - 1, Math.max(0, at[1] + far * step[1])));
    again();
  });
  return {
    node: h("div", { class: "stack" }, node, readout),
    /** Put a dot where somebody stands, or none. */
    mark(dot) {
      now = { ...now, dot: dot && dot[0] < now.x.length && dot[1] < now.y.length ? dot : null };
      if (now.dot) { node.dataset.dot = now.dot.join(" "); tell(...now.dot); } else delete node.dataset.dot;
      again();
    },
    update(next) {
      now = { ...now, ...next };
      node.setAttribute("aria-label", now.label);
      at = [Math.min(at[0], now.x.length - 1), Math.min(at[1], now.y.length - 1)];
      if (walked) tell(...at);
      again();
    },
  };
}
