// Dice Battle and Greed: what a position is worth, and how many dice to throw, as maps side by side.

import { heatmap, eitherWay, CIVIDIS, range } from "../charts.js";
import { h } from "../dom.js";
import { capital, plain } from "../words.js";

function extremes(values) {
  const all = values.flat().filter((x) => x !== null && x !== undefined);
  return [Math.min(...all), Math.max(...all)];
}

function pair(game, board) {
  const greed = game.name === "greed";
  const worth = greed ? "rating" : "gain";
  const size = board.values.length;
  const say = (column, row) => {
    const value = board.values[row]?.[column], dice = board.dice[row]?.[column];
    const at = `You have ${row}, the other player ${column}: `;
    if (value === null || value === undefined) return `${at}play never comes here.`;
    const count = dice === null || dice === undefined ? "" : dice === 0 ? "throw no dice; " : `throw ${dice} ${dice === 1 ? "die" : "dice"}; `;
    return `${at}${count}${worth} ${plain(value, 4)}.`;
  };
  const axes = { xaxis: { title: { text: "the other player has" }, showgrid: false }, yaxis: { title: { text: "I have" }, showgrid: false } };
  const [low, high] = extremes(board.values);
  const around = greed ? { zmin: 0, zmax: 1 } : { zmin: -Math.max(Math.abs(low), Math.abs(high)), zmax: Math.max(Math.abs(low), Math.abs(high)) };
  const common = { x: range(board.values[0]?.length ?? 0), y: range(size), describe: say };
  return {
    worth: { ...common, z: board.values, label: `${greed ? "Rating" : "Expected gain"} for every pair of scores. Walk with the arrow keys to hear it.`, layout: axes,
      trace: { colorscale: eitherWay(), ...around, colorbar: { title: { text: worth, side: "top", font: { size: 12 } } } } },
    dice: { ...common, z: board.dice, label: `How many dice to throw for every pair of scores. Walk with the arrow keys to hear it.`, layout: axes,
      trace: { colorscale: CIVIDIS, colorbar: { title: { text: "dice", side: "top", font: { size: 12 } } } } },
  };
}

/** Draw the boards of a game; `update` when the rules change. */
export function battleMaps(game, _values, found) {
  const greed = game.name === "greed";
  let maps = [];
  const node = h("div", { class: "stack" });
  function build(boards) {
    maps = [];
    node.replaceChildren(...boards.flatMap((board) => {
      const given = pair(game, board);
      const made = { worth: heatmap(given.worth), dice: heatmap(given.dice) };
      maps.push(made);
      return [
        boards.length > 1 ? h("h2", {}, capital(board.title || board.name)) : null,
        h("div", { class: "halves" },
          h("section", { class: "card" }, h("header", {}, h("h3", {}, greed ? "Rating" : "EG, the expected gain")), made.worth.node),
          h("section", { class: "card" }, h("header", {}, h("h3", {}, greed ? "n*, how many dice" : `OPT, ${board.shown ?? "how many dice"}`)), made.dice.node)),
      ].filter(Boolean);
    }));
  }
  build(found.board.boards);
  return {
    node,
    update(_next, fresh) {
      const boards = fresh.board.boards;
      if (boards.length !== maps.length) { build(boards); return; }
      boards.forEach((board, i) => {
        const given = pair(game, board);
        maps[i].worth.update(given.worth);
        maps[i].dice.update(given.dice);
      });
    },
  };
}
