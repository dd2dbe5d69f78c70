// A position: set it by its fields, by dice or in the game's notation, ask what it is worth, play from there, or send its link.

import { allGames, get, post, query } from "../api.js";
import { announce, h, freshId, show } from "../dom.js";
import { dropdown, parameters, segments } from "../fields.js";
import { go, note } from "../go.js";
import { t } from "../i18n.js";
import { failure, newest, progressPlace } from "../waiting.js";
import { capital, measure } from "../words.js";
import { movesTable } from "./coach.js";
import { pickedDice } from "./explore_dice.js";
import { toldPosition } from "./positions.js";

/** A number to set, within what the game allows. */
function numberField(spec, onChange) {
  const id = freshId("set");
  const input = h("input", { type: "number", inputmode: "numeric", id, min: spec.min, max: spec.max ?? undefined, step: spec.step, "data-set": spec.name, on: { change: onChange } });
  input.value = spec.value;
  const limits = spec.max === null ? null : h("span", { class: "hint" }, t("{low} to {high}", { low: spec.min, high: spec.max }));
  return { name: spec.name, node: h("div", { class: "field" }, h("label", { for: id }, spec.label), input, limits), get value() { return input.value.trim(); } };
}

/** Who plays against whom from there. */
function playForm(game, told, values, problem, progress) {
  const rivals = [{ value: "optimal", label: t("Perfect play") }, ...(game.people ?? []).filter((each) => each.strategy !== "optimal").map((each) => ({ value: each.strategy, label: capital(each.name) }))];
  const two = told.players === 2;
  const rival = two ? dropdown({ label: t("Against"), name: "rival", choices: rivals, value: "optimal" }) : null;
  const mover = told.kind === "turns" ? segments({ legend: t("Who is to move there"), name: "mover", value: "me", choices: [{ value: "me", label: t("I am") }, { value: "opponent", label: t("The other player is") }] }) : null;
  const button = h("button", { class: "button primary", type: "submit", "data-do": "play" }, t("Play from here"));
  return h("form", {
    class: "stack", on: {
      submit: async (event) => {
        event.preventDefault();
        button.disabled = true;
        const opponent = !two ? {} : { opponent: rival.value === "optimal" ? { kind: "optimal" } : { kind: "strategy", name: rival.value } };
        try {
          const match = await post("/api/matches", { game: game.name, parameters: values(), start: told.at, starts: mover?.value ?? "me", coach: "on", ...opponent }, { onProgress: progress.onProgress });
          go(`/play/${match.id}`);
        } catch (refused) { button.disabled = false; progress.done(); show(problem, failure(refused)); }
      },
    },
  }, h("div", { class: "fields" }, rival?.node), mover?.node, h("p", { class: "soft small" }, t("A game from here is practice: it has its coach and its review, and counts in no statistics.")), h("div", { class: "row" }, button));
}

function copyLink() {
  const button = h("button", { class: "button", type: "button", "data-do": "link", on: { click: async () => {
    try { await navigator.clipboard.writeText(location.href); button.textContent = t("Copied"); announce(t("The link is copied")); } catch { button.textContent = location.href; }
  } } }, t("Copy the link to this position"));
  return button;
}

export default async function position(place, { url }) {
  const games = await allGames(), given = Object.fromEntries(url.searchParams);
  const game = games.find((each) => each.name === given.game) ?? games[0];
  const names = new Set(game.parameters.map((each) => each.name));
  const own = (wanted) => Object.fromEntries(Object.entries(given).filter(([name]) => name !== "game" && name !== "at" && names.has(name) === wanted));
  const problem = h("div"), progress = progressPlace(), answer = h("div", { class: "stack", "aria-live": "polite" });
  const fields = h("div", { class: "fields" }), examples = h("div", { class: "resume" }), play = h("section", { class: "card", "aria-label": t("Play from here"), hidden: true });
  const said = h("section", { class: "card", "aria-label": t("The coach"), hidden: true }, answer);
  const latest = newest();
  const rules = parameters(game, { given: own(true), shown: 3, explained: false, onChange: () => ask({}) });
  const which = dropdown({ label: t("Game"), name: "position-game", value: game.name, choices: games.map((each) => ({ value: each.name, label: each.title })), onChange: (name) => go(`/position${query({ game: name })}`) });
  const input = h("input", { type: "text", id: "at", autocomplete: "off", spellcheck: "false", maxlength: 200 });
  const dice = game.tray === "keep" ? pickedDice(game, () => rules.value, (at) => ask({ at })) : null;
  let numbers = [];

  /** Ask about a position: as it is written, or with the numbers that were set. */
  async function ask({ at = input.value, set = [] }) {
    const asked = new URLSearchParams({ ...rules.value, ...(at ? { at } : {}) });
    for (const each of set) asked.append("set", each);
    try {
      const told = await latest((signal) => get(`/api/positions/${encodeURIComponent(game.name)}?${asked}`, { signal, onProgress: progress.onProgress }));
      if (told) draw(told);
    } catch (refused) {
      if (!input.value) input.value = at;
      show(problem, failure(refused));
      place.dataset.asked = "refused";
    }
    progress.done();
  }

  function draw(told) {
    show(problem);
    said.hidden = play.hidden = false;
    input.value = told.at;
    note(`/position${query({ game: game.name, ...rules.value, at: told.at })}`);
    dice?.show(told.position.fields);
    const had = document.activeElement?.dataset?.set;
    numbers = told.fields.map((spec) => numberField(spec, () => ask({ set: numbers.filter((each) => each.value !== "").map((each) => `${each.name}=${each.value}`) })));
    show(fields, numbers.map((each) => each.node));
    fields.hidden = !numbers.length;
    if (had) fields.querySelector(`[data-set="${had}"]`)?.focus();
    show(examples, h("span", { class: "legend" }, t("Such as")), told.examples.map((text) => h("button", { class: "button small", type: "button", "data-example": text, on: { click: () => ask({ at: text }) } }, text)));
    examples.hidden = !told.examples.length;
    const says = measure(told);
    show(answer, toldPosition(told.position, told.sides),
      h("p", { class: "number", "data-value": told.coach.value }, capital(told.coach.said), told.coach.exact ? h("span", { class: "soft" }, ` (${told.coach.exact})`) : null),
      h("p", { class: "coach" }, h("span", { class: "advice", "data-advice": "yes" }, told.coach.sentence)), movesTable(told.coach.moves, says),
      h("div", { class: "row" }, copyLink(), h("a", { class: "button quiet", href: `/explore${query({ game: game.name, ...rules.value })}` }, t("Explore the whole game"))));
    show(play, h("h2", {}, t("Play from here")), playForm(game, told, () => rules.value, problem, progress));
    place.dataset.asked = told.at;
    announce(`${told.position.words} ${told.coach.sentence}`);
  }

  show(place,
    h("div", { class: "page-head" }, h("h1", {}, t("Set a position")), h("p", { class: "lead" }, t("Any position of any game: what it is worth, what each move costs, and a game from there."))),
    h("div", { class: "split" },
      h("div", { class: "stack" },
        h("section", { class: "card", "aria-label": t("The position") }, which.node, h("details", {}, h("summary", {}, t("Rules")), rules.node),
          fields, dice?.node,
          h("form", { class: "row end", on: { submit: (event) => { event.preventDefault(); ask({}); } } },
            h("div", { class: "field grow" }, h("label", { for: "at" }, t("In the notation of the game, seen by who is to move")), input), h("button", { class: "button", type: "submit", "data-do": "ask" }, t("Ask"))),
          examples, progress.node, problem)),
      h("div", { class: "stack" }, said, play)));
  // A plus that somebody typed into an address arrives as a space beside the one that was there.
  await ask({ at: (given.at ?? "").replace("  ", " +"), set: Object.entries(own(false)).map(([name, value]) => `${name}=${value}`) });
}
