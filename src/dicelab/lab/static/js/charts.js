// Charts: a thin coat over plotly.js, in the colours of the page. Plotly is fetched when a chart is first asked for.

import { h, freshId } from "./dom.js";

let loading = null;

// Plotly looks for an element of this name before it writes a style for geographic maps into the page. We draw
// none, and the content security policy would refuse it.
const MAP_STYLE = "9f215cf04c5486422605d13261cb87401f4e7763b6296af81e98efbc0130da53";

function plotly() {
  loading ??= new Promise((done, failed) => {
    document.head.append(h("meta", { id: MAP_STYLE, name: "maps", content: "none" }));
    const script = h("script", { src: "/static/vendor/plotly-strict.min.js" });
    script.onload = () => done(window.Plotly);
    script.onerror = () => failed(new Error("the charts could not be loaded from this server"));
    document.head.append(script);
  });
  return loading;
}

/** The whole numbers below n, for an axis. */
export const range = (n) => Array.from({ length: n }, (_, i) => i);

export const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
const phone = () => innerWidth < 600;
const dark = () => matchMedia("(prefers-color-scheme: dark)").matches;

/** The map of colours for values from little to much. Cividis reads the same with any colour vision. */
export const CIVIDIS = "Cividis";
/** From the other side's colour over paper to yours, for what may go either way. */
export const eitherWay = () => [[0, colour("them")], [0.5, dark() ? "#2a3335" : "#f4efe4"], [1, colour("you")]];

function style(layout) {
  const axis = {
    gridcolor: colour("line"), linecolor: colour("edge"), zerolinecolor: colour("line"), tickcolor: colour("edge"),
    ticks: "outside", ticklen: 4, automargin: true,
  };
  const merged = {
    paper_bgcolor: "rgba(0,0,0,0)", plot_bgcolor: "rgba(0,0,0,0)",
    font: { family: "Inter, system-ui, sans-serif", size: phone() ? 12 : 13, color: colour("ink") },
    margin: { l: 48, r: 12, t: 12, b: 44 },
    hoverlabel: { bgcolor: colour("card"), bordercolor: colour("edge"), font: { color: colour("ink"), family: "Inter, system-ui, sans-serif", size: 13 }, align: "left" },
    legend: { orientation: "h", x: 0, y: 1.02, yanchor: "bottom", bgcolor: "rgba(0,0,0,0)" },
    dragmode: false,
    ...layout,
  };
  for (const name of Object.keys(merged)) if (/^[xy]axis\d*$/.test(name)) {
    merged[name] = { ...axis, ...merged[name] };
    if (merged[name].title) merged[name].title = { standoff: 10, font: { size: 13, color: colour("soft") }, ...merged[name].title };
  }
  merged.xaxis ??= axis;
  merged.yaxis ??= axis;
  return merged;
}

const live = new Set();
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
  for (const chart of live) chart.redraw();
});

/** Forget the charts of the view that goes. */
export function clearCharts() {
  for (const chart of live) window.Plotly?.purge(chart.node);
  live.clear();
}

/**
 * Return a chart. `make()` gives {data, layout}, and is asked again when the colours change; `label` says in a
 * sentence what is seen. `drawn` resolves when it is on the page.
 */
export function chart(make, { label, size = "", onHover = null } = {}) {
  const node = h("div", { class: `chart ${size}`, role: "img", "aria-label": label });
  const each = {
    node,
    async redraw(next) {
      if (next) make = next;
      const lib = await plotly();
      if (!node.isConnected) await new Promise(requestAnimationFrame);
      if (!node.isConnected) return;
      const { data, layout = {} } = make();
      await lib.react(node, data, style(layout), { displayModeBar: false, responsive: true, scrollZoom: false, doubleClick: false, showAxisDragHandles: false });
      live.add(each);
      node.dataset.drawn = "yes";
      if (onHover && !node.dataset.heard) {
        node.dataset.heard = "yes";
        node.on("plotly_hover", (event) => onHover(event.points[0]));
        node.on("plotly_click", (event) => onHover(event.points[0]));
      }
    },
    relabel(text) { node.setAttribute("aria-label", text); },
  };
  each.drawn = new Promise((done) => requestAnimationFrame(done)).then(() => each.redraw()).catch((problem) => {
    node.replaceChildren(h("p", { class: "error" }, problem.message));
  });
  return each;
}

/** Whether surfaces can be drawn here. */
export function hasWebGL() {
  try {
    const canvas = document.createElement("canvas");
    return Boolean(canvas.getContext("webgl2") ?? canvas.getContext("webgl"));
  } catch {
    return false;
  }
}

/**
 * Return a heat map that can be walked with the arrow keys. `describe(column, row)` says what is at a cell; it is shown
 * below, and read out. Rows are listed from the bottom up, or `downwards`.
 */
export function heatmap({ x, y, z, layout = {}, trace = {}, label, describe, size = "", start = [0, 0], downwards = false }) {
  const id = freshId("readout");
  const readout = h("p", { class: "readout", id, "aria-live": "polite" }, "Point at the map, or walk on it with the arrow keys.");
  let at = [...start];
  let [columns, rows, values] = [x, y, z];
  let hovered = false;
  const tell = (column, row) => { at = [column, row]; readout.textContent = describe(column, row); };
  const make = () => ({
    data: [
      { type: "heatmap", x: columns, y: rows, z: values, colorscale: CIVIDIS, hoverinfo: "none", xgap: 0, ygap: 0,
        ...trace, colorbar: { thickness: 12, outlinewidth: 0, len: 0.92, tickfont: { size: 12 }, ...trace.colorbar } },
      { type: "scatter", mode: "markers", x: [columns[at[0]]], y: [rows[at[1]]], hoverinfo: "skip", showlegend: false, visible: hovered,
        marker: { symbol: "square-open", size: 14, color: colour("ink"), line: { width: 3, color: colour("focus") } } },
    ],
    layout: typeof layout === "function" ? layout() : layout,
  });
  const map = chart(make, {
    label, size,
    onHover(point) {
      if (!point.pointIndex && point.pointIndex !== 0) return;
      const [row, column] = point.pointIndex;
      if (row !== undefined && column !== undefined) tell(column, row);
    },
  });
  map.node.tabIndex = 0;
  map.node.dataset.walk = "yes";
  map.node.setAttribute("aria-describedby", id);
  map.node.addEventListener("keydown", (event) => {
    const up = downwards ? -1 : 1;
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, up], ArrowDown: [0, -up] }[event.key];
    if (!step) return;
    event.preventDefault();
    const far = event.shiftKey ? 5 : 1;
    hovered = true;
    tell(Math.min(columns.length - 1, Math.max(0, at[0] + far * step[0])), Math.min(rows.length - 1, Math.max(0, at[1] + far * step[1])));
    map.redraw();
  });
  return {
    node: h("div", { class: "stack" }, map.node, readout),
    drawn: map.drawn, tell, readout,
    update(next) {
      [columns, rows, values] = [next.x ?? columns, next.y ?? rows, next.z ?? values];
      if (next.describe) describe = next.describe;
      if (next.label) map.relabel(next.label);
      if (next.layout) layout = next.layout;
      if (next.trace) trace = next.trace;
      at = [Math.min(at[0], columns.length - 1), Math.min(at[1], rows.length - 1)];
      return map.redraw();
    },
  };
}
