// Games of two scores and handfuls of dice: what a position is worth, and how many dice to throw, as maps side by side.

import { CIVIDIS, eitherWay, heatmap, range } from "../charts.js";
import { h } from "../dom.js";
import { t, tn } from "../i18n.js";
import { capital, measure } from "../words.js";

function pair(about, board) {
  const says = measure(about);
  const value = (x) => (says.isPercent ? 100 * says.part(x) : x);
  const say = (column, row) => {
    const worth = board.values[row]?.[column], dice = board.dice[row]?.[column];
    const scores = { mine: row, yours: column };
    if (worth === null || worth === undefined) return t("You have {mine}, the other player {yours}: play never comes here.", scores);
    const told = says.isPercent ? t("{chance} to win", { chance: says.value(worth) }) : `${says.value(worth)} ${says.means}`;
    if (dice === null || dice === undefined) return t("You have {mine}, the other player {yours}: {worth}.", { ...scores, worth: told });
    const count = dice === 0 ? t("throw no dice") : tn("throw {n} die", "throw {n} dice", dice);
    return t("You have {mine}, the other player {yours}: {move}; {worth}.", { ...scores, move: count, worth: told });
  };
  const common = { x: range(board.values[0]?.length ?? 0), y: range(board.values.length), describe: say, xTitle: t("the other player has"), yTitle: t("I have") };
  return {
    worth: { ...common, z: board.values.map((row) => row.map((x) => (x === null || x === undefined ? null : value(x)))), stops: eitherWay, bar: says.isPercent ? t("% to win") : says.means,
      ...(says.isPercent ? { low: 0, high: 100 } : {}), label: t("{means} for every pair of scores. Walk with the arrow keys to hear it.", { means: capital(says.means) }) },
    dice: { ...common, z: board.dice, stops: () => CIVIDIS, bar: t("dice"), label: t("How many dice to throw for every pair of scores. Walk with the arrow keys to hear it.") },
  };
}

/** Draw the maps of a game; `update` when the rules change. */
export function scoreMaps(_game, _values, found) {
  let maps = [];
  const node = h("div", { class: "stack" });
  function build({ about, board: { boards } }) {
    maps = [];
    node.replaceChildren(...boards.flatMap((board) => {
      const given = pair(about, board);
      const made = { worth: heatmap(given.worth), dice: heatmap(given.dice) };
      maps.push(made);
      return [
        boards.length > 1 ? h("h2", {}, capital(board.title || board.name)) : null,
        h("div", { class: "halves" },
          h("section", { class: "card" }, h("header", {}, h("h3", {}, capital(measure(about).means))), made.worth.node),
          h("section", { class: "card" }, h("header", {}, h("h3", {}, capital(board.shown))), made.dice.node)),
      ].filter(Boolean);
    }));
  }
  build(found);
  return {
    node,
    /** Put a dot where somebody stands: on the board of that kind of turn. */
    mark(fields) {
      maps.forEach((made, i) => {
        const here = fields && "mine" in fields && "yours" in fields && i === (maps.length > 1 ? fields.stage ?? 0 : 0);
        for (const each of [made.worth, made.dice]) each.mark(here ? [fields.yours, fields.mine] : null);
      });
    },
    update(_next, fresh) {
      const { boards } = fresh.board;
      if (boards.length !== maps.length) { build(fresh); return; }
      boards.forEach((board, i) => {
        const given = pair(fresh.about, board);
        maps[i].worth.update(given.worth);
        maps[i].dice.update(given.dice);
      });
    },
  };
}
