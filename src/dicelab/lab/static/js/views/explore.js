// Explore: the best strategy of every game as a map to walk through.

import { allGames, get, query } from "../api.js";
import { h, show } from "../dom.js";
import { changed, parameter, slider } from "../fields.js";
import { note } from "../go.js";
import { newest, progressPlace, failure } from "../waiting.js";
import { capital, measure, percent, plain } from "../words.js";
import { movesTable } from "./coach.js";
import { scoreMaps } from "./explore_scores.js";
import { holdingMaps } from "./explore_holding.js";
import { pickedDice } from "./explore_dice.js";

// Sliders stop where solving while you look is no longer a matter of seconds.
const MOST = { target: 150, max: 150, dice: 15 };
const SIDES = 12;

/** Sliders and drop-downs for the rules of a game; `onChange` hears the values that are not the usual ones. */
function controls(game, given, onChange) {
  const heard = () => onChange(changed(made));
  const made = game.parameters.map((spec) => {
    const value = given.get(spec.name) ?? spec.default;
    const label = spec.label ?? capital(spec.name);
    if (spec.type === "die" && /^\d+$/.test(value)) return [spec, slider({ label: "Sides of the die", name: spec.name, min: 2, max: Math.max(SIDES, Number(value)), value: Number(value), onChange: heard })];
    if (spec.type === "int" && ["target", "max", "dice", "left", "turns", "casts"].includes(spec.name)) {
      const most = Math.max(Math.min(spec.max ?? 100, MOST[spec.name] ?? 30), Number(value));
      return [spec, slider({ label, name: spec.name, min: Math.max(spec.min ?? 1, spec.name === "target" || spec.name === "max" ? Math.min(5, spec.default) : 0), max: most, value: Number(value), onChange: heard })];
    }
    return [spec, parameter(spec, spec.type === "bool" ? ["yes", "true", true].includes(value) : value, heard, false, "change")];
  });
  return { node: h("div", { class: "fields" }, made.map(([, field]) => field.node)), get value() { return changed(made); } };
}

/** "the digits that are certain": bounds 2e-13 apart leave twelve. */
function certain(apart) {
  return apart > 0 ? `certain to ${Math.max(1, Math.floor(-Math.log10(apart)))} digits` : "exact";
}

function summary(found) {
  const { value } = found, says = measure(found);
  const worth = !says.isPercent ? `With best play it is worth ${plain(value, 4)} ${found.unit} on average.`
    : found.players === 1 ? `Best play has a ${says.means} of ${percent(says.part(value), 2)}.`
    : `The first player wins ${percent(says.part(value), 2)} with best play on both sides${says.means.includes(",") ? `,${says.means.split(",")[1]}` : ""}.`;
  return h("div", { class: "stack" }, h("p", { class: "coach" }, h("span", { class: "advice", "data-summary": "yes", "data-worth": value }, worth)),
    h("p", { class: "soft small" }, `${Number(found.positions).toLocaleString("en")} positions, solved in ${plain(found.seconds, 2)} s; ${found.exact ? `exactly ${found.exact}` : certain(found.upper - found.lower)}.`));
}

/** Ask about one position, in its own notation; `renew` asks again, with the rules that now hold. */
function positionForm(game, values) {
  const answer = h("div", { class: "stack", "aria-live": "polite" });
  const input = h("input", { type: "text", id: "at", autocomplete: "off", spellcheck: "false", on: { input: () => { own = true; } } });
  const dice = game.tray === "keep" ? pickedDice(game, values, (at) => { own = true; input.value = at; return ask(); }) : null;
  const latest = newest();
  let own = false; // somebody wrote a position: it stays when the rules change
  async function ask() {
    try {
      const told = await latest((signal) => get(`/api/explore/${game.name}/position${query({ ...values(), at: input.value })}`, { signal }));
      if (!told) return;
      dice?.show(told.position.fields);
      const says = measure({ ...game, scale: told.scale });
      show(answer, h("p", { class: "soft" }, `${told.position.words} ${capital(says.means)} ${says.value(told.value)}${told.exact ? `, exactly ${told.exact}` : ""}.`),
        h("p", { class: "coach" }, h("span", { class: "advice", "data-answer": told.value }, told.sentence)), movesTable(told.moves, says));
    } catch (refused) { show(answer, failure(refused)); }
  }
  const node = h("section", { class: "card", "aria-labelledby": "ask-title" }, h("h2", { id: "ask-title" }, "Ask about a position"),
    h("form", { class: "row", on: { submit: (event) => { event.preventDefault(); ask(); } } }, h("label", { for: "at", class: "unseen" }, "Position"), h("span", { class: "grow" }, input), h("button", { class: "button", type: "submit" }, "Ask")), dice?.node, answer);
  return {
    node,
    stale() { show(answer, h("p", { class: "soft" }, "The rules have changed; one moment.")); },
    renew(example) { if (!own) input.value = example; return ask(); },
  };
}

/** The game as a whole, for a game without maps. */
const noMaps = () => ({ node: h("div"), update() {} });

export default async function explore(place, { url }) {
  const games = await allGames();
  const game = games.find((each) => each.name === url.searchParams.get("game")) ?? games[0];
  const links = h("nav", { class: "subnav", "aria-label": "Games" }, games.map((each) =>
    h("a", { href: `/explore?game=${each.name}`, "aria-current": each === game ? "page" : undefined }, each.title)));
  const head = h("div", { class: "page-head" }, h("h1", {}, `${game.title}, solved`), h("p", { class: "lead" }, capital(game.about)));

  const progress = progressPlace();
  const told = h("div"), maps = h("div", { class: "stack" });
  const latest = newest();
  let drawn = null, position = null;

  async function solve(values) {
    note(`/explore${query({ game: game.name, ...values })}`);
    maps.classList.add("busy");
    position?.stale();
    try {
      const found = await latest(async (signal) => {
        const options = { onProgress: progress.onProgress, signal };
        const about = await get(`/api/explore/${game.name}${query(values)}`, options);
        const fetched = (name, more = {}) => get(`/api/explore/${game.name}/${name}${query({ ...values, ...more })}`, options);
        const views = about.views ?? game.views ?? [];
        const board = views.includes("boards") ? await fetched("boards") : null;
        const holding = views.includes("holding") ? await fetched("holding") : null;
        return { about, board, holding };
      });
      if (!found) return;
      progress.done();
      show(told, summary(found.about));
      const kind = found.board ? scoreMaps : found.holding ? holdingMaps : noMaps;
      if (!drawn) { drawn = kind(game, values, found); show(maps, drawn.node); } else drawn.update(values, found);
      maps.dataset.solved = found.about.title;
      position.renew(found.about.examples[0]);
    } catch (refused) {
      progress.done();
      show(told, failure(refused));
    } finally {
      maps.classList.remove("busy");
    }
  }

  const knobs = controls(game, url.searchParams, solve);
  position = positionForm(game, () => knobs.value);
  show(place, head, links,
    h("section", { class: "card", "aria-label": "Rules" }, knobs.node, progress.node, told),
    maps, position.node);
  await solve(knobs.value);
}

