// Explore: the best strategy of every game as a map to walk through.

import { allGames, get, query } from "../api.js";
import { h, show } from "../dom.js";
import { changed, parameter, slider } from "../fields.js";
import { note } from "../go.js";
import { language, t, tn } from "../i18n.js";
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
    if (spec.type === "die" && /^\d+$/.test(value)) return [spec, slider({ label: t("Sides of the die"), name: spec.name, min: 2, max: Math.max(SIDES, Number(value)), value: Number(value), onChange: heard })];
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
  return apart > 0 ? tn("certain to {n} digit", "certain to {n} digits", Math.max(1, Math.floor(-Math.log10(apart)))) : t("exact");
}

function summary(found) {
  const { value } = found, says = measure(found);
  const worth = !says.isPercent ? t("With best play it is worth {value} {unit} on average.", { value: plain(value, 4), unit: found.unit })
    : found.players === 1 ? t("Best play has a {means} of {share}.", { means: says.means, share: percent(says.part(value), 2) })
    : says.means.includes(",") ? t("The first player wins {share} with best play on both sides, {counting}.", { share: percent(says.part(value), 2), counting: says.means.split(", ")[1] })
    : t("The first player wins {share} with best play on both sides.", { share: percent(says.part(value), 2) });
  return h("div", { class: "stack" }, h("p", { class: "coach" }, h("span", { class: "advice", "data-summary": "yes", "data-worth": value }, worth)),
    h("p", { class: "soft small" }, t("{positions} positions, solved in {seconds} s; {certain}.", {
      positions: Number(found.positions).toLocaleString(language), seconds: plain(found.seconds, 2), certain: found.exact ? t("exactly {value}", { value: found.exact }) : certain(found.upper - found.lower),
    })));
}

/** Ask about one position, in its own notation; `renew` asks again, with the rules that now hold. */
function positionForm(game, values, given, onTold) {
  const answer = h("div", { class: "stack", "aria-live": "polite" });
  const input = h("input", { type: "text", id: "at", autocomplete: "off", spellcheck: "false", on: { input: () => { own = true; } } });
  const dice = game.tray === "keep" ? pickedDice(game, values, (at) => { own = true; input.value = at; return ask(); }) : null;
  const latest = newest();
  let own = Boolean(given); // somebody wrote a position: it stays when the rules change
  if (given) input.value = given;
  async function ask() {
    try {
      const told = await latest((signal) => get(`/api/explore/${game.name}/position${query({ ...values(), at: input.value })}`, { signal }));
      if (!told) return;
      dice?.show(told.position.fields);
      onTold(own ? told.position.fields : null);
      const says = measure({ ...game, scale: told.scale }), means = capital(says.means);
      show(answer, h("p", { class: "soft" }, [told.position.words, told.exact ? t("{means} {value}, exactly {exact}.", { means, value: says.value(told.value), exact: told.exact }) : t("{means} {value}.", { means, value: says.value(told.value) })].join(" ")),
        h("p", { class: "coach" }, h("span", { class: "advice", "data-answer": told.value }, told.sentence)), movesTable(told.moves, says));
    } catch (refused) { onTold(null); show(answer, failure(refused)); }
  }
  const node = h("section", { class: "card", "aria-labelledby": "ask-title" }, h("h2", { id: "ask-title" }, t("Ask about a position")),
    h("form", { class: "row", on: { submit: (event) => { event.preventDefault(); ask(); } } }, h("label", { for: "at", class: "unseen" }, t("Position")), h("span", { class: "grow" }, input), h("button", { class: "button", type: "submit" }, t("Ask"))), dice?.node, answer,
    h("p", {}, h("a", { href: `/position${query({ game: game.name })}`, "data-do": "set-position" }, t("Set a position, and play from there"))));
  return {
    node,
    get at() { return own ? input.value : undefined; },
    stale() { show(answer, h("p", { class: "soft" }, t("The rules have changed; one moment."))); },
    renew(example) { if (!own) input.value = example; return ask(); },
  };
}

/** The game as a whole, for a game without maps. */
const noMaps = () => ({ node: h("div"), update() {}, mark() {} });

export default async function explore(place, { url }) {
  const games = await allGames();
  const game = games.find((each) => each.name === url.searchParams.get("game")) ?? games[0];
  const links = h("nav", { class: "subnav long", "aria-label": t("Games") }, games.map((each) =>
    h("a", { href: `/explore?game=${each.name}`, "aria-current": each === game ? "page" : undefined }, each.title)));
  const head = h("div", { class: "page-head" }, h("h1", {}, t("{game}, solved", { game: game.title })), h("p", { class: "lead" }, capital(game.about)));

  const progress = progressPlace();
  const told = h("div"), maps = h("div", { class: "stack" });
  const latest = newest();
  let drawn = null, position = null;

  async function solve(values) {
    note(`/explore${query({ game: game.name, ...values, at: position?.at })}`);
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
  position = positionForm(game, () => knobs.value, url.searchParams.get("at"), (fields) => drawn?.mark(fields));
  show(place, head, links,
    h("section", { class: "card", "aria-label": t("Rules") }, knobs.node, progress.node, told),
    maps, position.node);
  await solve(knobs.value);
}

