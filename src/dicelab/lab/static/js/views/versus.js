// Strategy against strategy: the exact result at once, the best reply, and everybody against everybody.

import { allGames, get, post, query } from "../api.js";
import { winBar } from "../bar.js";
import { eitherWay, heatmap, range } from "../charts.js";
import { h, show } from "../dom.js";
import { parameters, strategyPicker } from "../fields.js";
import { note } from "../go.js";
import { t, tn } from "../i18n.js";
import { failure, newest, progressPlace } from "../waiting.js";
import { capital, measure, percent, plain, spoken } from "../words.js";
import { strategyField } from "./strategies.js";

// Smaller than the usual game: an answer while you paint.
const QUICK = { target: 40, max: 30, dice: 5 };

function givenRules(game, search) {
  const given = {};
  for (const spec of game.parameters) {
    if (search.has(spec.name)) given[spec.name] = search.get(spec.name);
    else if (spec.name in QUICK && spec.type === "int") given[spec.name] = Math.min(QUICK[spec.name], spec.default);
  }
  return given;
}

function seats(told) {
  const starts = told.at_once ? [[t("at once"), told.a_first]] : [[t("when A starts"), told.a_first], [t("when B starts"), told.b_first]];
  const rows = starts.filter(([, each]) => each);
  const drawn = rows.some(([, each]) => each.draws > 0), never = rows.some(([, each]) => each.never_ends > 0);
  return h("table", { class: "data" }, h("caption", { class: "unseen" }, t("Both seats")),
    h("thead", {}, h("tr", {}, ["", t("A wins"), t("B wins"), drawn && t("drawn"), never && t("never ends")].filter((text) => text !== false).map((text) => (text ? h("th", { scope: "col" }, text) : h("td"))))),
    h("tbody", {}, rows.map(([text, each]) => h("tr", {}, h("th", { scope: "row" }, text), h("td", {}, percent(each.a_wins, 2)), h("td", {}, percent(each.b_wins, 2)),
      drawn ? h("td", {}, percent(each.draws, 2)) : null, never ? h("td", {}, percent(each.never_ends, 2)) : null))));
}

function replyMap(told) {
  if (told.holding) {
    const { points } = told.holding;
    const z = points.map((row, mine) => row.map((point) => (point === -1 ? null : point === null ? points.length - mine : point)));
    return heatmap({
      x: range(points[0].length), y: range(points.length), z, label: t("Where the best reply holds, for every pair of banks."), size: "short", xTitle: t("the other's bank"), yTitle: t("my bank"), bar: t("hold at"),
      describe: (column, row) => { const point = points[row][column]; return t("I have {mine}, the other {yours}: {what}.", { mine: row, yours: column, what: point === null ? t("roll to win") : point === -1 ? t("no turn begins here") : t("hold at {point}", { point }) }); },
    }).node;
  }
  const board = told.boards?.[0];
  if (!board) return null;
  return heatmap({
    x: range(board.dice[0].length), y: range(board.dice.length), z: board.dice, label: t("How many dice the best reply throws, for every pair of scores."), size: "short", xTitle: t("the other has"), yTitle: t("I have"), bar: t("dice"),
    describe: (column, row) => t("I have {mine}, the other {yours}: {what}.", { mine: row, yours: column, what: board.dice[row][column] ? tn("{n} die", "{n} dice", board.dice[row][column]) : t("no dice") }),
  }).node;
}

function tournamentCard(game, rules, painted) {
  const names = [...game.rivals];
  const called = (name) => (typeof name === "string" ? spoken(name) : name.name);
  const progress = progressPlace();
  const chips = h("ul", { class: "chips" }), result = h("div", { class: "stack", "aria-live": "polite" });
  const picker = strategyPicker(game, { label: t("Add another"), name: "tournament-strategy", explained: false });
  function drawChips() {
    show(chips, names.map((name, i) => h("li", {}, called(name),
      h("button", { type: "button", "aria-label": t("Remove {name}", { name: called(name) }), on: { click: () => { names.splice(i, 1); drawChips(); } } }, "×"))));
  }
  drawChips();
  async function hold() {
    try {
      const told = await post("/api/versus/tournament", { game: game.name, parameters: rules(), strategies: names }, { onProgress: progress.onProgress });
      const best = told.champion ? t("{name} beats every other.", { name: capital(spoken(told.champion)) }) : t("Nobody beats every other.");
      const circle = told.cycles?.[0] ? ` ${t("{chain}, which beats {first}.", { chain: capital(told.cycles[0].map(spoken).join(` ${t("beats")} `)), first: spoken(told.cycles[0][0]) })}` : "";
      const order = told.ranking;
      const index = order.map((name) => told.names.indexOf(name));
      const says = measure({ scale: { low: told.least, high: told.most }, unit: told.unit }), chance = told.unit === t("chance to win");
      const z = index.map((row) => index.map((column) => told.values[row][column]));
      const said = order.map(spoken), told_ = (x, digits) => (chance ? percent(x, digits) : `${plain(x, digits + 2)} ${told.unit}`);
      const map = heatmap({
        x: said, y: said, z, size: "tall", downwards: true, label: `${t("Tournament: what the row gets against the column.")} ${best}`, stops: eitherWay, low: told.least, high: told.most,
        texts: order.length <= 8 && innerWidth > 600 ? z.map((row) => row.map((x) => percent(says.part(x)))) : null,
        describe: (column, row) => t("{name} gets {share} against {other}, with seats taken in turn.", { name: capital(said[row]), share: told_(z[row][column], 2), other: said[column] }),
      });
      show(result, h("p", { class: "coach" }, h("span", { class: "advice", "data-champion": told.champion ?? "" }, `${best}${circle}`)), map.node,
        h("ol", { class: "ranking" }, order.map((name, i) => h("li", {}, h("span", {}, spoken(name)), h("b", { class: "number" }, told_(told.share[index[i]], 1))))));
    } catch (refused) { show(result, failure(refused)); }
    progress.done();
  }
  return h("section", { class: "card", "aria-labelledby": "tournament-title" }, h("h2", { id: "tournament-title" }, t("Everybody against everybody")), chips,
    h("div", { class: "row end" }, h("div", { class: "grow" }, picker.node),
      h("button", { class: "button", type: "button", on: { click: () => { if (!names.includes(picker.value)) names.push(picker.value); drawChips(); } } }, t("Add")),
      game.canvas ? h("button", { class: "button", type: "button", on: { click: () => {
        const mine = painted();
        if (!mine) return;
        const old = names.findIndex((name) => typeof name !== "string");
        if (old >= 0) names[old] = mine; else names.push(mine);
        drawChips();
      } } }, t("Add what I painted")) : null),
    h("button", { class: "button primary", type: "button", "data-do": "tournament", on: { click: hold } }, t("Hold the tournament")), progress.node, result);
}

export default async function versus(place, { url }) {
  const games = (await allGames()).filter((each) => each.players === 2);
  const id = url.searchParams.get("painting");
  const kept = id ? await get(`/api/paintings/${encodeURIComponent(id)}`) : null;
  const wanted = kept?.game ?? url.searchParams.get("game");
  const game = games.find((each) => each.name === wanted) ?? games[0];
  const links = h("nav", { class: "subnav long", "aria-label": t("Games") }, games.map((each) =>
    h("a", { href: `/versus?game=${each.name}`, "aria-current": each === game ? "page" : undefined }, each.title)));
  const latest = newest(), latestReply = newest();
  const progress = progressPlace(), replyProgress = progressPlace();
  const result = h("div", { class: "stack", "aria-live": "polite" }), reply = h("div", { class: "stack" }), strategies = h("div", { class: "split even" }), tournament = h("div");
  const bar = winBar({ you: "A", them: "B", label: t("share of what there is to win, taking turns in starting") });
  let a, b, waiting = null;

  async function compare() {
    const body = { game: game.name, parameters: rules.value, a: a.value, b: b.value };
    try {
      const told = await latest((signal) => post("/api/versus", body, { signal, onProgress: progress.onProgress }));
      if (!told) return;
      bar.set(told.share);
      show(result, bar.node, h("p", { class: "coach" }, h("span", { class: "advice", "data-overall": told.overall }, capital(told.sentence))), h("div", { class: "table-wrap" }, seats(told)),
        h("p", { class: "soft small" }, told.error ? tn("Nothing is simulated: certain to {n} digit.", "Nothing is simulated: certain to {n} digits.", Math.max(1, Math.floor(-Math.log10(told.error)))) : t("Nothing is simulated: exact.")));
    } catch (refused) { show(result, failure(refused)); }
    progress.done();
  }
  async function answer() {
    try {
      const told = await latestReply((signal) => post("/api/versus/reply", { game: game.name, parameters: rules.value, to: a.value }, { signal, onProgress: replyProgress.onProgress }));
      if (!told) return;
      show(reply, h("p", { class: "coach" }, h("span", { class: "advice", "data-reply": told.overall }, told.sentence)), replyMap(told));
    } catch (refused) { show(reply, failure(refused)); }
    replyProgress.done();
  }
  function heard() {
    clearTimeout(waiting);
    waiting = setTimeout(() => { compare(); answer(); }, 120);
  }
  const newestRules = newest();
  async function build() {
    note(`/versus${query({ game: game.name, ...rules.value })}`);
    let told;
    try {
      told = await newestRules((signal) => post("/api/games/check", { game: game.name, parameters: rules.value }, { signal }));
    } catch (refused) { show(strategies, failure(refused)); show(tournament); return; }
    if (!told) return;
    a = strategyField(game, rules.value, told.canvas, { label: "A", name: "a", painted: true, kept, value: game.strategies[0].name, heard });
    b = strategyField(game, rules.value, told.canvas, { label: "B", name: "b", value: game.rivals[0], heard });
    show(strategies, a.node, h("div", { class: "stack" }, b.node, h("section", { class: "card", "aria-labelledby": "result-title" }, h("h2", { id: "result-title" }, t("The exact result")), progress.node, result),
      h("section", { class: "card", "aria-labelledby": "reply-title" }, h("h2", { id: "reply-title" }, t("The best reply to A")), replyProgress.node, reply)));
    show(tournament, tournamentCard(game, () => rules.value, () => (typeof a.value === "string" ? null : a.value)));
    heard();
  }
  const rules = parameters(game, { given: kept?.parameters ?? givenRules(game, url.searchParams), shown: 5, explained: false, onChange: () => { clearTimeout(waiting); waiting = setTimeout(build, 500); } });

  show(place,
    h("div", { class: "page-head" }, h("h1", {}, t("Strategy against strategy")), h("p", { class: "lead" }, t("Pick two, or paint your own. Nothing is simulated: the result is exact."))),
    links, h("section", { class: "card", "aria-label": t("Rules") }, rules.node), strategies, tournament);
  await build();
  return () => clearTimeout(waiting);
}

