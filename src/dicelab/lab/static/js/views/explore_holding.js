// Games of roll or hold: where to hold as a map, and as a surface to turn, and a slice through it.

import { get, query } from "../api.js";
import { colour, heatmap, lines, range } from "../charts.js";
import { h, show } from "../dom.js";
import { segments, slider } from "../fields.js";
import { t, tn } from "../i18n.js";
import { hasWebGL, surface } from "../surface.js";
import { newest, failure } from "../waiting.js";
import { measure } from "../words.js";

const MOVES = { r: 0, b: 0.5, h: 1 };
const SAID = { r: t("roll"), h: t("hold"), b: t("both are equally good") };

/** What to hold at, as heights: rolling to win means all that is missing. */
function heights({ points, axes }, target) {
  const two = axes[1] === "yours";
  return points.map((row, mine) => row.map((point) => (point === -1 ? null : point === null ? (two ? target - mine : null) : point)));
}

/** The range of colours: that of the points one really holds at, where there are any. */
function tinted(points, z) {
  const real = points.flat().filter((point) => point !== null && point >= 0);
  const all = real.length ? real : z.flat().filter((point) => point !== null);
  return [Math.min(...all), Math.max(...all)];
}

function holdingWords(points, axes, target) {
  return (column, row) => {
    const point = points[row]?.[column];
    const what = point === -1 || point === undefined ? t("no turn begins here") : point === null ? t("roll until you win, that is to {risk} at risk", { risk: target - row }) : t("hold at {point}", { point });
    return axes[1] === "yours" ? t("You have {mine}, the other player {yours}: {what}.", { mine: row, yours: column, what })
      : tn("You have {mine}, {n} turn left: {what}.", "You have {mine}, {n} turns left: {what}.", column, { mine: row, what });
  };
}

/** Draw the maps of a game of this family; `update` when the rules change. */
export function holdingMaps(game, first, found) {
  const solo = game.players === 1;
  let values = first, holding = found.holding, target = Number(found.about.parameters?.target ?? first.target ?? 100);
  const otherName = solo ? t("turns left") : t("the other player's bank");
  const surfacePlace = h("div", { class: "stack" }), slicePlace = h("div", { class: "stack" });
  const kind = segments({
    legend: t("Shown as"), name: "shown", hidden: true, value: "map",
    choices: [{ value: "map", label: t("Map") }, { value: "surface", label: t("3-D surface") }], onChange: drawHolding,
  });
  let map = null, turned = null, stands = null; // where somebody stands
  const dot = () => (stands && "mine" in stands ? [solo ? stands.left ?? 0 : stands.yours, stands.mine] : null);

  function drawLine(z) {
    map = turned = null;
    show(surfacePlace, lines({
      series: [{ x: range(z.length), y: z.map((row) => row[0]), steps: true, says: (i) => (z[i][0] === null ? t("my bank {bank}: roll until you are there", { bank: i }) : t("my bank {bank}: hold at {point}", { bank: i, point: z[i][0] })) }],
      xTitle: t("my bank"), yTitle: t("hold at"), low: 0, label: t("Where to hold, by my bank."),
    }), h("p", { class: "chart-note" }, t("Where the line breaks off, roll until you are there.")));
  }

  function drawHolding() {
    const z = heights(holding, target);
    kind.node.hidden = (z[0]?.length ?? 0) < 2;
    if (kind.node.hidden) { drawLine(z); return; }
    const [low, high] = tinted(holding.points, z);
    if (kind.value === "map") {
      turned = null;
      const given = {
        x: range(z[0]?.length ?? 0), y: range(z.length), z, low, high, bar: t("hold at"), describe: holdingWords(holding.points, holding.axes, target), xTitle: otherName, yTitle: t("my bank"),
        label: t("Where to hold, for every pair of banks up to {target}. Walk with the arrow keys to hear it.", { target }),
      };
      if (map) map.update(given); else { map = heatmap(given); show(surfacePlace, map.node); }
      map.mark(dot());
      return;
    }
    map = null;
    if (!hasWebGL()) {
      show(surfacePlace, h("p", { class: "note" }, t("This browser has no WebGL, so the surface cannot be drawn. The map and the slices show the same numbers.")));
      return;
    }
    const given = { z, low, high, xTitle: otherName, yTitle: t("my bank"), zTitle: t("hold at"), label: t("A surface: the points to hold at, over my bank and {other}. The map shows the same and can be walked with the keys.", { other: otherName }) };
    if (turned) { turned.update(given); return; }
    turned = surface(given);
    show(surfacePlace, turned.node, h("p", { class: "chart-note" }, t("Roll below the surface, hold on it. Above it, ask about the position: rolling may be right again. Drag to turn.")));
  }

  // The slice: one number of the other player (or of turns left), all of mine.
  const latest = newest();
  const name = solo ? "left" : "yours";
  let slice = null;
  const across = slider({
    label: solo ? t("Turns left") : t("The other player has"), name: "slice", min: 0, max: Math.max(0, solo ? lastLeft() : target - 1), value: solo ? Math.min(3, lastLeft()) : Math.min(30, target - 1), onChange: drawSlice,
  });
  function lastLeft() { return Math.max(0, (holding?.points[0]?.length ?? 1) - 1); }

  async function drawSlice() {
    let got;
    try {
      got = await latest((signal) => get(`/api/explore/${game.name}/slice${query({ ...values, [name]: across.value })}`, { signal }));
    } catch (refused) { show(slicePlace, failure(refused)); slice = null; return; }
    if (!got) return;
    const tall = Math.max(1, ...got.moves.map((row) => row.length));
    const cut = Math.min(tall, target + 1);
    const z = range(cut).map((risk) => got.moves.map((row) => MOVES[row[risk]] ?? null));
    const says = measure(found.about), value = (x) => (x === null || x === undefined ? null : says.value(x));
    const describe = (mine, risk) => {
      const move = got.moves[mine]?.[risk];
      const what = move in MOVES ? SAID[move] : t("play never comes here");
      const lies = solo ? tn("You have {mine} and {risk} at risk, {n} turn left: {what}.", "You have {mine} and {risk} at risk, {n} turns left: {what}.", got.left ?? across.value, { mine, risk, what })
        : t("You have {mine} and {risk} at risk, the other player {yours}: {what}.", { mine, risk, yours: got.yours ?? across.value, what });
      if (!(move in MOVES)) return lies;
      const [roll, hold] = [value(got.roll?.[mine]?.[risk]), value(got.hold?.[mine]?.[risk])];
      const wins = says.isPercent;
      const worth = roll && hold ? (wins ? t("Rolling wins {roll}, holding {hold}.", { roll, hold }) : t("Rolling gives {roll}, holding {hold}.", { roll, hold }))
        : roll ? (wins ? t("Rolling wins {roll}.", { roll }) : t("Rolling gives {roll}.", { roll }))
        : hold ? (wins ? t("Holding wins {hold}.", { hold }) : t("Holding gives {hold}.", { hold })) : "";
      return `${lies} ${worth}`.trim();
    };
    const given = {
      x: range(got.moves.length), y: range(cut), z, describe,
      label: solo ? t("Roll or hold, where the turns left are {n}. Walk with the arrow keys to hear it.", { n: across.value }) : t("Roll or hold, where the other player has {n}. Walk with the arrow keys to hear it.", { n: across.value }),
      xTitle: t("my bank"), yTitle: t("points at risk"), stops: () => [colour("you"), colour("soft"), colour("clay")], low: 0, high: 1,
    };
    if (slice) slice.update(given);
    else { slice = heatmap({ ...given, start: [Math.min(30, target - 1), Math.min(20, cut - 1)] }); show(slicePlace, slice.node); }
    slice.mark(stands && dot()?.[0] === across.value ? [stands.mine, stands.at_risk ?? 0] : null);
  }

  drawHolding();
  drawSlice();
  return {
    node: h("div", { class: "halves" },
      h("section", { class: "card", "aria-labelledby": "hold-title" }, h("header", {}, h("h2", { id: "hold-title" }, t("Where to hold")), kind.node), surfacePlace),
      h("section", { class: "card", "aria-labelledby": "slice-title" }, h("h2", { id: "slice-title" }, t("A slice")), across.node,
        h("div", { class: "legend-row" }, h("span", {}, h("i", { vars: { "--swatch": "var(--you)" } }), t("roll")), h("span", {}, h("i", { vars: { "--swatch": "var(--clay)" } }), t("hold")), h("span", {}, t("empty: never reached"))),
        slicePlace)),
    /** Put a dot where somebody stands, on the map and on the slice through there. */
    mark(fields) {
      if (!fields && !stands) return;
      stands = fields;
      if (dot()) across.value = dot()[0];
      map?.mark(dot());
      drawSlice();
    },
    update(next, fresh) {
      values = next;
      found = fresh;
      holding = fresh.holding;
      target = Number(fresh.about.parameters?.target ?? next.target ?? 100);
      across.max = Math.max(0, solo ? lastLeft() : target - 1);
      drawHolding();
      drawSlice();
    },
  };
}
