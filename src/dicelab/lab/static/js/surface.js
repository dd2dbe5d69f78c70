// A surface to turn in space. This alone needs plotly.js, which is fetched when somebody asks for one.

import { colour, range } from "./charts.js";
import { h } from "./dom.js";
import { t } from "./i18n.js";

let loading = null;

// Plotly looks for an element of this name before it writes a style for geographic maps into the page. We draw
// none, and the content security policy would refuse it.
const MAP_STYLE = "9f215cf04c5486422605d13261cb87401f4e7763b6296af81e98efbc0130da53";

function plotly() {
  loading ??= new Promise((done, failed) => {
    document.head.append(h("meta", { id: MAP_STYLE, name: "maps", content: "none" }));
    document.head.append(h("link", { rel: "stylesheet", href: "/static/vendor/plotly.css", id: "plotly.js-style-global", class: "no-inline-styles" }));
    const script = h("script", { src: "/static/vendor/plotly-strict.min.js" });
    script.onload = () => done(window.Plotly);
    script.onerror = () => { loading = null; failed(new Error(t("the surface could not be loaded from this server"))); };
    document.head.append(script);
  });
  return loading;
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

/** Return a surface over two axes, with `update(given)`. `z` is by rows; `low` and `high` are the ends of the colours. */
export function surface(first) {
  const node = h("div", { class: "chart tall", role: "img", "aria-label": first.label }, h("p", { class: "loading" }, t("One moment")));
  let given = first;
  async function draw() {
    const lib = await plotly();
    if (!node.isConnected) return;
    const { z, low, high, xTitle, yTitle, zTitle } = given;
    const axis = { gridcolor: colour("line"), color: colour("soft"), backgroundcolor: "rgba(0,0,0,0)", showbackground: false, zerolinecolor: colour("line") };
    if (!node.dataset.drawn) node.replaceChildren();
    await lib.react(node, [{
      type: "surface", z, x: range(z[0]?.length ?? 0), y: range(z.length), colorscale: "Cividis", cmin: low, cmax: high, showscale: false,
      contours: { x: { highlight: false }, y: { highlight: false }, z: { highlight: false } },
      hovertemplate: `${yTitle} %{y}<br>${xTitle} %{x}<br>${zTitle} %{z}<extra></extra>`, lighting: { ambient: 0.85, diffuse: 0.35, specular: 0.03, roughness: 0.9 },
    }], {
      paper_bgcolor: "rgba(0,0,0,0)", margin: { l: 0, r: 0, t: 0, b: 0 }, dragmode: "turntable", uirevision: "stay",
      font: { family: "Inter, system-ui, sans-serif", size: 13, color: colour("ink") },
      hoverlabel: { bgcolor: colour("card"), bordercolor: colour("edge"), font: { color: colour("ink"), size: 13 }, align: "left" },
      scene: {
        xaxis: { ...axis, title: { text: xTitle } }, yaxis: { ...axis, title: { text: yTitle } }, zaxis: { ...axis, title: { text: zTitle } },
        camera: { eye: { x: -1.25, y: -1.25, z: 0.8 }, center: { x: 0, y: 0, z: -0.12 } }, aspectmode: "manual", aspectratio: { x: 1, y: 1, z: 0.72 },
      },
    }, { displayModeBar: false, responsive: true, scrollZoom: false, doubleClick: false });
    node.dataset.drawn = "yes";
  }
  const trying = () => draw().catch((problem) => { node.replaceChildren(h("p", { class: "error" }, problem.message)); });
  requestAnimationFrame(trying);
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const recolour = () => (node.isConnected ? trying() : dark.removeEventListener("change", recolour));
  dark.addEventListener("change", recolour);
  return { node, update(next) { given = { ...given, ...next }; return trying(); } };
}
