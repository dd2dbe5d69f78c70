// Train: a position, ten seconds, a move, and at once what each move there is worth.

import { allGames, get, post, query } from "../api.js";
import { announce, h, reducedMotion, show, stat } from "../dom.js";
import { dropdown, segments } from "../fields.js";
import { go } from "../go.js";
import { t, tn } from "../i18n.js";
import { useKeys } from "../keys.js";
import { failure, progressPlace } from "../waiting.js";
import { measure, titled, when } from "../words.js";
import { movesTable } from "./coach.js";
import { toldPosition } from "./positions.js";

const PACE = "dicelab-drill-seconds";
const LONG = 12; // letters from which on a button needs a wide place
const TICK = 100; // ms between two looks at the clock
const PACES = [{ value: "10", label: t("10 seconds") }, { value: "30", label: t("30 seconds") }, { value: "off", label: t("No clock") }];
const SOURCES = {
  due: t("This position comes back."),
  mistake: t("From a game of yours: you made a mistake here."),
  "close call": t("A close call."),
};

const pace = () => PACES.find((each) => each.value === localStorage.getItem(PACE))?.value ?? "10";

/** A bar that empties in silence, with the seconds beside it; `onEnd` hears when none is left. */
function countdown(seconds, onEnd) {
  const told = h("b", {}, String(seconds)), bar = h("span");
  const node = h("div", { class: "drill-clock", "aria-hidden": "true" }, h("i", {}, bar), told);
  const began = performance.now();
  const timer = setInterval(() => {
    const left = Math.max(0, seconds - (performance.now() - began) / 1000);
    if (!reducedMotion()) bar.style.setProperty("--left", String(left / seconds));
    told.textContent = String(Math.ceil(left));
    if (!left) { clearInterval(timer); onEnd(); }
  }, TICK);
  return { node, stop: () => clearInterval(timer) };
}

/** How a player stands, in three numbers. */
function standing({ rating, streak }) {
  const points = (x) => String(Math.round(x));
  const of = rating.positions ? tn("rating, from {n} position", "rating, from {n} positions", rating.positions) : t("rating at the start");
  return h("div", { class: "stats", "data-rating": rating.rating },
    stat(points(rating.rating), rating.slower ? `${of}; ${tn("{n} with more time", "{n} with more time", rating.slower)}` : of),
    stat(t("{low} to {high}", { low: points(rating.low), high: points(rating.high) }), t("where it lies, with a chance of 95%")),
    stat(String(streak), tn("day in a row", "days in a row", streak)));
}

const address = (deck) => `/train${query({ game: deck.game, ...deck.parameters })}`;

/** The games there are to drill: those known first, then any other. */
async function overview(place) {
  const [games, told] = await Promise.all([allGames(), get("/api/drills")]);
  const due = told.decks.reduce((sum, deck) => sum + deck.due, 0);
  const another = dropdown({ label: told.decks.length ? t("Another game") : t("Game"), name: "drill-game", choices: games.filter((each) => !each.too_large).map((each) => ({ value: each.name, label: each.title })) });
  const begin = h("button", { class: `button${told.decks.length ? "" : " primary"}`, type: "button", "data-do": "begin", on: { click: () => go(address({ game: another.value })) } }, t("Drill it"));
  const time = segments({ legend: t("Time to think"), name: "drill-pace", value: pace(), choices: PACES, onChange: (value) => localStorage.setItem(PACE, value) });
  show(place,
    h("div", { class: "page-head" }, h("h1", {}, t("Train")),
      h("p", { class: "lead" }, t("Positions from your own mistakes and from close calls. One move, and the exact answer. What you miss comes back soon, what you know comes back later."))),
    standing(told),
    h("section", { class: "card" },
      h("h2", {}, due ? tn("{n} position waits for you", "{n} positions wait for you", due) : t("What to drill")),
      told.decks.length ? h("p", {}, h("a", { class: "button primary start", href: address(told.decks[0]), "data-deck": told.decks[0].title }, t("Drill {game}", { game: titled(told.decks[0].title) }))) : null,
      told.decks.length > 1 ? h("ul", { class: "items" }, told.decks.slice(1).map((deck) => h("li", {}, h("a", { href: address(deck), "data-deck": deck.title },
        h("b", {}, titled(deck.title)), deck.due ? h("span", { class: "tag" }, tn("{n} to repeat", "{n} to repeat", deck.due)) : h("span", { class: "tag plain" }, t("new positions")))))) : null,
      h("div", { class: "row end" }, h("div", { class: "grow" }, another.node), begin),
      time.node));
}

/** One position after the other, of one game. */
async function drill(place, url) {
  const rules = Object.fromEntries(url.searchParams);
  const progress = progressPlace();
  const body = h("div", { class: "stack" });
  let clock = null, turn = 0;
  show(place, h("div", { class: "page-head" }, h("div", { class: "row" }, h("h1", {}, t("Train")), h("a", { class: "button quiet small", href: "/train", "data-do": "stop" }, t("End the drill")))), progress.node, body);

  function stop() {
    clock?.stop();
    useKeys({});
  }

  async function next() {
    const mine = ++turn;
    stop();
    body.classList.add("busy");
    try {
      const card = await get(`/api/drills/next${query(rules)}`, { onProgress: progress.onProgress });
      if (mine === turn) ask(card);
    } catch (refused) {
      if (mine === turn) show(body, failure(refused), h("p", { class: "row" }, h("a", { class: "button primary", href: "/train" }, t("Another game")), h("a", { class: "button", href: "/play" }, t("Play a game"))));
    } finally {
      if (mine === turn) { progress.done(); body.classList.remove("busy"); }
    }
  }

  function ask(card) {
    const mine = turn, keys = {}, buttons = [];
    const allowed = pace() === "off" ? null : Number(pace());
    const choose = async (move) => {
      if (mine !== turn) return;
      turn++; // one answer for each card
      const then = turn;
      stop();
      for (const each of buttons) each.disabled = true;
      try {
        const told = await post("/api/drills/answers", { card: card.card, move, allowed, number: card.number }, { onProgress: progress.onProgress });
        if (then === turn) answer(card, told);
      } catch (refused) {
        if (then === turn) show(body, failure(refused), h("div", { class: "row" }, nextButton(t("Try again"))));
      }
      progress.done();
    };
    const button = (offer) => {
      if (offer.key) keys[offer.key] = () => choose(offer.move);
      const made = h("button", { class: "button", type: "button", "data-move": offer.move, "aria-keyshortcuts": offer.key ? offer.key.toUpperCase() : undefined, on: { click: () => choose(offer.move) } },
        offer.label, offer.key ? h("kbd", { "aria-hidden": "true" }, offer.key.toUpperCase()) : null);
      buttons.push(made);
      return made;
    };
    const group = (offers) => h("div", { class: offers.some((each) => each.label.length >= LONG) ? "actions long" : "actions" }, offers.map(button));
    const front = card.moves.filter((each) => each.front), rest = card.moves.filter((each) => !each.front);
    clock = allowed === null ? null : countdown(allowed, () => choose(null));
    show(body, h("section", { class: "card", "data-drill": card.card, "data-source": card.source, "aria-label": t("A position"), tabindex: "-1" },
      h("p", { class: "soft" }, titled(card.title), " · ", SOURCES[card.source]),
      toldPosition(card.position, card.sides), clock?.node,
      h("div", { class: "stack", role: "group", "aria-label": t("Your moves") }, group(front),
        rest.length ? h("details", {}, h("summary", {}, tn("{n} more move", "{n} more moves", rest.length)), group(rest)) : null)),
    standing(card));
    useKeys(keys);
    body.firstChild.focus({ preventScroll: true }); // not a move: that would be a hint
    announce(allowed === null ? card.position.words : `${card.position.words} ${tn("{n} second.", "{n} seconds.", allowed)}`);
  }

  function nextButton(text) {
    return h("button", { class: "button primary", type: "button", "data-do": "next", "aria-keyshortcuts": "N", on: { click: next } }, text, h("kbd", { "aria-hidden": "true" }, "N"));
  }

  function answer(card, told) {
    const button = nextButton(t("Next"));
    show(body, h("section", { class: "card", "data-answered": told.card, "aria-label": t("The answer") },
      h("p", { class: "drill-mark", "data-mark": told.mark ?? "none", "data-found": told.found ? "yes" : "no" }, told.word),
      h("p", { class: "advice" }, told.sentence),
      toldPosition(card.position, card.sides),
      movesTable(told.coach.moves, measure(card)),
      h("p", { class: "soft small", "data-due": told.due }, t("This position comes back: {time}.", { time: when(told.due) })),
      h("div", { class: "row" }, button)),
    standing(told));
    useKeys({ n: next });
    button.focus({ preventScroll: true });
    announce(`${told.word}. ${told.sentence}`);
  }

  await next();
  return () => { turn++; stop(); };
}

export default (place, { url }) => (url.searchParams.has("game") ? drill(place, url) : overview(place));
