// Explore: the best strategy of every game as a map to walk through.

import { allGames, get, query } from "../api.js";
import { h, show } from "../dom.js";
import { dropdown, slider } from "../fields.js";
import { note } from "../go.js";
import { newest, progressPlace, failure } from "../waiting.js";
import { capital, percent, plain, title, titled } from "../words.js";
import { movesTable } from "./coach.js";
import { battleMaps } from "./explore_boards.js";
import { pigMaps } from "./explore_pig.js";
import { roundAdvice } from "./explore_421.js";

// Sliders stop where solving while you look is no longer a matter of seconds.
const MOST = { target: 150, max: 150, dice: 15 };
const SIDES = 12;

/** Sliders and drop-downs for the rules of a game; `onChange` hears the values that are not the usual ones. */
function controls(game, given, onChange) {
  const values = () => Object.fromEntries(made.map(([spec, field]) => [spec.name, field.value]).filter(([name, value]) => {
    const spec = game.parameters.find((each) => each.name === name);
    return String(value) !== String(spec.default);
  }));
  const heard = () => onChange(values());
  const made = game.parameters.flatMap((spec) => {
    const value = given.get(spec.name) ?? spec.default;
    const label = spec.label ?? capital(spec.name);
    if (spec.type === "die") return /^\d+$/.test(value) ? [[spec, slider({ label: "Sides of the die", name: spec.name, min: 2, max: Math.max(SIDES, Number(value)), value: Number(value), onChange: heard })]] : [];
    if (spec.type === "choice") return [[spec, dropdown({ label, name: spec.name, value: String(value), choices: spec.choices.map((choice) => ({ value: String(choice), label: String(choice) })), onChange: heard })]];
    if (spec.type === "int" && ["target", "max", "dice", "left", "turns"].includes(spec.name)) {
      const most = Math.max(Math.min(spec.max ?? 100, MOST[spec.name] ?? 30), Number(value));
      return [[spec, slider({ label, name: spec.name, min: Math.max(spec.min ?? 1, spec.name === "target" || spec.name === "max" ? Math.min(5, spec.default) : 0), max: most, value: Number(value), onChange: heard })]];
    }
    return [];
  });
  return { node: h("div", { class: "fields" }, made.map(([, field]) => field.node)), get value() { return values(); } };
}

function summary(found) {
  const { unit, value } = found;
  const worth = unit === "chance to win" ? `The first player wins ${percent(value, 2)} with best play.`
    : unit === "turns" ? `Best play takes ${plain(value, 4)} turns on average.`
    : unit === "rating" ? `The first player's rating is ${plain(value, 5)} with best play.`
    : `With best play the game is worth ${plain(value, 4)} to the first player.`;
  return h("div", { class: "stack" }, h("p", { class: "coach" }, h("span", { class: "advice", "data-summary": "yes", "data-worth": value }, worth)),
    h("p", { class: "soft small" }, `${Number(found.positions).toLocaleString("en")} positions, solved in ${plain(found.seconds, 2)} s; certain within ${Number(found.upper - found.lower).toExponential(0)}.`));
}

/** Ask about one position, in its own notation. */
function positionForm(game, values, example) {
  const answer = h("div", { class: "stack", "aria-live": "polite" });
  const input = h("input", { type: "text", id: "at", autocomplete: "off", spellcheck: "false" });
  input.value = example;
  async function ask() {
    try {
      const told = await get(`/api/explore/${game.name}/position${query({ ...values(), at: input.value })}`);
      show(answer, h("p", { class: "soft" }, told.position.words), h("p", { class: "coach" }, h("span", { class: "advice" }, told.sentence)), movesTable(told.moves, game.unit));
    } catch (refused) { show(answer, failure(refused)); }
  }
  const node = h("section", { class: "card", "aria-labelledby": "ask-title" }, h("h2", { id: "ask-title" }, "Ask about a position"),
    h("form", { class: "row", on: { submit: (event) => { event.preventDefault(); ask(); } } }, h("label", { for: "at", class: "unseen" }, "Position"), h("span", { class: "grow" }, input), h("button", { class: "button", type: "submit" }, "Ask")), answer);
  return { node, ask };
}

/** A position somewhere in the middle of a game, as an example to ask about. */
function example(game, values) {
  const of = Number(values.target ?? values.max ?? game.parameters.find((spec) => spec.name === "target" || spec.name === "max")?.default ?? 100);
  const part = (share) => Math.floor(share * of);
  if (game.name === "solo-pig") return `${part(0.3)} +${Math.max(2, part(0.09))}`;
  if (game.name === "dice-battle" || game.name === "greed") return `${part(0.6)}-${part(0.7)}`;
  return `${part(0.3)}-${part(0.12)} +${Math.max(2, part(0.09))}`;
}

export default async function explore(place, { url }) {
  const games = await allGames();
  const game = games.find((each) => each.name === url.searchParams.get("game")) ?? games[0];
  const links = h("nav", { class: "subnav", "aria-label": "Games" }, games.map((each) =>
    h("a", { href: `/explore?game=${each.name}`, "aria-current": each === game ? "page" : undefined }, title(each.name))));
  const head = h("div", { class: "page-head" }, h("h1", {}, `${title(game.name)}, solved`), h("p", { class: "lead" }, capital(game.rules ?? "")));
  if (game.kind === "round" || game.name === "421") {
    const advice = await roundAdvice(game, url);
    show(place, head, links, advice);
    return;
  }

  const progress = progressPlace();
  const told = h("div"), maps = h("div", { class: "stack" });
  const latest = newest();
  let drawn = null;

  async function solve(values) {
    note(`/explore${query({ game: game.name, ...values })}`);
    maps.classList.add("busy");
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
      const kind = found.board ? battleMaps : pigMaps;
      if (!drawn) { drawn = kind(game, values, found); show(maps, drawn.node); } else drawn.update(values, found);
      maps.dataset.solved = found.about.title ?? titled(game.name);
    } catch (refused) {
      progress.done();
      show(told, failure(refused));
    } finally {
      maps.classList.remove("busy");
    }
  }

  const knobs = controls(game, url.searchParams, solve);
  const position = positionForm(game, () => knobs.value, example(game, knobs.value));
  show(place, head, links,
    h("section", { class: "card", "aria-label": "Rules" }, knobs.node, progress.node, told),
    maps, position.node);
  await solve(knobs.value);
  position.ask();
}

