// Games of roll or hold: where to hold as a map, and as a surface to turn, and a slice through it.

import { get, query } from "../api.js";
import { colour, heatmap, lines, range } from "../charts.js";
import { h, show } from "../dom.js";
import { segments, slider } from "../fields.js";
import { hasWebGL, surface } from "../surface.js";
import { newest, failure } from "../waiting.js";
import { measure } from "../words.js";

const MOVES = { r: 0, b: 0.5, h: 1 };
const SAID = { r: "roll", h: "hold", b: "both are equally good" };

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
    const other = axes[1] === "yours" ? `the other player ${column}` : `${column} turns left`;
    const point = points[row]?.[column];
    const what = point === -1 || point === undefined ? "no turn begins here" : point === null ? `roll until you win, that is to ${target - row} at risk` : `hold at ${point}`;
    return `You have ${row}, ${other}: ${what}.`;
  };
}

/** Draw the maps of a game of this family; `update` when the rules change. */
export function holdingMaps(game, first, found) {
  const solo = game.players === 1;
  let values = first, holding = found.holding, target = Number(found.about.parameters?.target ?? first.target ?? 100);
  const otherName = solo ? "turns left" : "the other player's bank";
  const surfacePlace = h("div", { class: "stack" }), slicePlace = h("div", { class: "stack" });
  const kind = segments({
    legend: "Shown as", name: "shown", hidden: true, value: "map",
    choices: [{ value: "map", label: "Map" }, { value: "surface", label: "3-D surface" }], onChange: drawHolding,
  });
  let map = null, turned = null;

  function drawLine(z) {
    map = turned = null;
    show(surfacePlace, lines({
      series: [{ x: range(z.length), y: z.map((row) => row[0]), steps: true, says: (i) => `my bank ${i}: ${z[i][0] === null ? "roll until you are there" : `hold at ${z[i][0]}`}` }],
      xTitle: "my bank", yTitle: "hold at", low: 0, label: "Where to hold, by my bank.",
    }), h("p", { class: "chart-note" }, "Where the line breaks off, roll until you are there."));
  }

  function drawHolding() {
    const z = heights(holding, target);
    kind.node.hidden = (z[0]?.length ?? 0) < 2;
    if (kind.node.hidden) { drawLine(z); return; }
    const [low, high] = tinted(holding.points, z);
    if (kind.value === "map") {
      turned = null;
      const given = {
        x: range(z[0]?.length ?? 0), y: range(z.length), z, low, high, bar: "hold at", describe: holdingWords(holding.points, holding.axes, target), xTitle: otherName, yTitle: "my bank",
        label: `Where to hold, for every pair of banks up to ${target}. Walk with the arrow keys to hear it.`,
      };
      if (map) map.update(given); else { map = heatmap(given); show(surfacePlace, map.node); }
      return;
    }
    map = null;
    if (!hasWebGL()) {
      show(surfacePlace, h("p", { class: "note" }, "This browser has no WebGL, so the surface cannot be drawn. The map and the slices show the same numbers."));
      return;
    }
    const given = { z, low, high, xTitle: otherName, yTitle: "my bank", zTitle: "hold at", label: `A surface: the points to hold at, over my bank and ${otherName}. The map shows the same and can be walked with the keys.` };
    if (turned) { turned.update(given); return; }
    turned = surface(given);
    show(surfacePlace, turned.node, h("p", { class: "chart-note" }, "Roll below the surface, hold on it. Above it, ask about the position: rolling may be right again. Drag to turn."));
  }

  // The slice: one number of the other player (or of turns left), all of mine.
  const latest = newest();
  const name = solo ? "left" : "yours";
  let slice = null;
  const across = slider({
    label: solo ? "Turns left" : "The other player has", name: "slice", min: 0, max: Math.max(0, solo ? lastLeft() : target - 1), value: solo ? Math.min(3, lastLeft()) : Math.min(30, target - 1), onChange: drawSlice,
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
      const lies = `You have ${mine} and ${risk} at risk, ${solo ? `${got.left ?? across.value} turns left` : `the other player ${got.yours ?? across.value}`}: `;
      if (!(move in MOVES)) return `${lies}play never comes here.`;
      const [roll, hold] = [value(got.roll?.[mine]?.[risk]), value(got.hold?.[mine]?.[risk])];
      const verb = says.isPercent ? "wins" : "gives";
      return `${lies}${SAID[move]}.${roll ? ` Rolling ${verb} ${roll}` : ""}${hold ? `${roll ? ", holding" : ` Holding ${verb}`} ${hold}` : ""}${roll || hold ? "." : ""}`;
    };
    const given = {
      x: range(got.moves.length), y: range(cut), z, describe,
      label: `Roll or hold, where the ${solo ? "turns left are" : "other player has"} ${across.value}. Walk with the arrow keys to hear it.`,
      xTitle: "my bank", yTitle: "points at risk", stops: () => [colour("you"), colour("soft"), colour("clay")], low: 0, high: 1,
    };
    if (slice) slice.update(given);
    else { slice = heatmap({ ...given, start: [Math.min(30, target - 1), Math.min(20, cut - 1)] }); show(slicePlace, slice.node); }
  }

  drawHolding();
  drawSlice();
  return {
    node: h("div", { class: "halves" },
      h("section", { class: "card", "aria-labelledby": "hold-title" }, h("header", {}, h("h2", { id: "hold-title" }, "Where to hold"), kind.node), surfacePlace),
      h("section", { class: "card", "aria-labelledby": "slice-title" }, h("h2", { id: "slice-title" }, "A slice"), across.node,
        h("div", { class: "legend-row" }, h("span", {}, h("i", { vars: { "--swatch": "var(--you)" } }), "roll"), h("span", {}, h("i", { vars: { "--swatch": "var(--clay)" } }), "hold"), h("span", {}, "empty: never reached")),
        slicePlace)),
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
