// At the table: the scores, the felt, the buttons, the coach, and what happened so far.

import { get, post } from "../api.js";
import { alarm, announce, h, pause, show } from "../dom.js";
import { go, note } from "../go.js";
import { useKeys } from "../keys.js";
import { tempo } from "../pace.js";
import { progressPlace, failure } from "../waiting.js";
import { coachPanel } from "./coach.js";
import { capital, titled } from "../words.js";
import { scoreboard } from "./scores.js";
import { tray } from "./tray.js";

const MANY = 4; // from so many moves on, buttons are small and carry a number
const LONG = 12; // letters from which on a button needs a wide place
const WORDS = { won: "You won", lost: "You lost", drawn: "A draw", stopped: "Stopped", done: "Done" };

/** What it takes to ask for an opponent again. */
const askedFor = ({ kind, name, record, player }) => ({ kind, ...(kind === "strategy" ? { name } : {}), ...(record ? { record, player } : {}) });
const same = (a, b) => a.length === b.length && a.every((x, i) => x === b[i]);
const falling = (faces) => [...faces].sort((a, b) => b - a);

/** Things thrown at the same time belong together. */
function grouped(events, atOnce) {
  const groups = [];
  for (const event of events) {
    const last = groups.at(-1);
    if (atOnce && last && last[0].ply === event.ply && last[0].who !== event.who && event.effect !== "coin") last.push(event);
    else groups.push([event]);
  }
  return groups;
}

export default async function table(place, { id, url }) {
  let match = await get(`/api/matches/${encodeURIComponent(id)}`);
  const isNew = url.searchParams.has("new");
  if (isNew) note(`/play/${encodeURIComponent(id)}`);
  let busy = false, gone = false, typed = "", hurry = null;

  const names = Object.fromEntries(match.seats.map((seat) => [seat.who, capital(seat.name)]));
  const scores = match.layout.tray === "keep" ? null : scoreboard(match);
  const felt = tray(match, () => drawActions());
  const actions = h("div", { class: "actions-place", role: "group", "aria-label": "Your moves" });
  const problem = h("div");
  const progress = progressPlace();
  const log = h("ol", { class: "log", tabindex: "0", "aria-label": "What happened so far, newest first" });
  const coach = coachPanel({
    onMode: async (mode) => {
      try { match = await post(`/api/matches/${id}/coach`, { coach: mode, warn_at: match.warn_at }); coach.draw(match); drawActions(); complete(); } catch (refused) { fail(refused); }
    },
    onSure: (move) => move_(move, true),
    onThink: () => { match = { ...match, warning: null }; coach.draw(match); drawActions(); focusMoves(); },
  });

  function fail(refused) {
    show(problem, failure(refused));
    alarm(refused.message);
  }

  function logged(events) {
    for (const event of events) {
      const who = event.effect === "coin" ? "Coin" : event.who === "you" ? "You" : match.seats.length > 2 ? names[event.who] : event.who ? "Other" : "Dice";
      log.prepend(h("li", {}, h("span", { class: `who${who === "You" ? "" : " them"}` }, who), h("span", {}, event.text)));
    }
  }

  async function animate(events) {
    busy = true;
    coach.node.classList.add("busy");
    let skipped = false, shown = false;
    const skip = new Promise((done) => { hurry = () => { skipped = true; done(); }; });
    for (const group of grouped(events, match.kind === "at-once")) {
      if (gone) return;
      const { roll, rest } = skipped ? { roll: 0, rest: 0 } : tempo();
      const mover = group[0].who;
      const theirs = mover && mover !== "you";
      if (theirs && !shown) { shown = true; drawActions(); }
      if (theirs || group.length > 1) announce(group.map((event) => event.text).join(" "));
      if (scores && group[0].effect === "coin") scores.set({}, match.starter);
      await Promise.race([felt.play(group, roll), skip]);
      if (scores && group.at(-1).fields) scores.set(group.at(-1).fields, mover);
      logged(group);
      if (rest && !skipped) await Promise.race([pause(mover === "you" && match.kind !== "at-once" ? rest * 0.4 : rest), skip]);
    }
    busy = false;
    coach.node.classList.remove("busy");
  }

  /** Ask again for what the match is worth against this opponent while that is being worked out. */
  async function complete() {
    const { ply } = match;
    while (!gone && match.ply === ply && !match.over && match.coach?.against?.pending) {
      await pause(300);
      const next = await get(`/api/matches/${encodeURIComponent(id)}?since=${ply}`).catch(() => null);
      if (!next || busy || match.ply !== ply || next.ply !== ply || !next.coach) return;
      match = { ...match, coach: next.coach };
      coach.draw(match);
    }
  }

  function settle(events) {
    if (gone) return;
    scores?.set(match.position.fields, match.over ? null : match.to_move);
    felt.settle(match, events);
    giveUp.hidden = match.over;
    if (match.over) finish();
    coach.draw(match);
    drawActions();
    place.dataset.ply = match.ply;
    place.dataset.state = match.over ? "over" : match.to_move;
    complete();
  }

  function finish() {
    const { outcome, sentence } = match.result;
    felt.node.querySelector(".dice-place").replaceChildren(h("div", { class: "over", "data-outcome": outcome },
      h("b", {}, WORDS[outcome] ?? "Over"), h("span", {}, capital(sentence.replace(/^You (won|lost)[,:.]\s*/, "")) || sentence)));
    felt.node.querySelector(".says").textContent = "";
    felt.node.querySelector(".pot").textContent = "";
  }

  async function move_(move, sure = false) {
    if (busy || match.over) return;
    busy = true;
    typed = "";
    for (const each of actions.querySelectorAll("button")) each.setAttribute("aria-disabled", "true");
    const hadFocus = actions.contains(document.activeElement) || coach.node.contains(document.activeElement) || felt.node.contains(document.activeElement);
    show(problem);
    let next;
    try {
      next = await post(`/api/matches/${id}/moves`, { move, ply: match.ply, sure }, { onProgress: progress.onProgress });
    } catch (refused) {
      busy = false;
      progress.done();
      drawActions();
      if (refused.status === 409 && refused.body?.match) { match = refused.body.match; logged(match.events ?? []); settle(match.events ?? []); }
      fail(refused);
      return;
    }
    progress.done();
    if (gone) return;
    busy = false;
    match = next;
    if (match.warning) {
      coach.draw(match);
      drawActions();
      coach.node.querySelector("[data-do=think]").focus();
      coach.node.scrollIntoView({ block: "nearest" });
      return;
    }
    await animate(match.events);
    settle(match.events);
    coach.say(match);
    if (hadFocus) focusMoves(move);
  }

  function focusMoves(move) {
    const wanted = [...actions.querySelectorAll("button:not([disabled]), a")];
    (wanted.find((button) => button.dataset.move === move) ?? wanted[0])?.focus({ preventScroll: true });
  }

  function button(text, key, act, attributes = {}) {
    return h("button", { class: "button", type: "button", "aria-keyshortcuts": key ? key.toUpperCase() : undefined, ...attributes, on: { click: act } },
      text, key ? h("kbd", { "aria-hidden": "true" }, key.length === 1 ? key.toUpperCase() : key) : null);
  }

  function drawActions() {
    const keys = {};
    if (busy) {
      keys.s = () => hurry?.();
      show(actions, h("div", { class: "actions" }, button("Skip", "s", () => hurry?.(), { "data-do": "skip" })));
    } else if (match.over) drawOver(keys);
    else if (match.moves.some((each) => each.keep)) drawKeeping(keys);
    else if (match.layout.tray === "handfuls" && match.moves.length >= MANY) drawNumbers(keys);
    else {
      const long = match.moves.some((each) => each.label.length > LONG);
      show(actions, h("div", { class: `actions${long ? " long" : ""}` }, match.moves.map((each) => {
        if (each.key) keys[each.key] = () => move_(each.move);
        return button(each.label, each.key, () => move_(each.move), { "data-move": each.move });
      })));
    }
    useKeys(keys);
  }

  function drawOver(keys) {
    keys.v = () => go(`/review/${id}`);
    keys.n = again;
    show(actions, h("div", { class: "actions" },
      h("a", { class: "button primary", href: `/review/${id}`, "data-do": "review", "aria-keyshortcuts": "V" }, "Review", h("kbd", { "aria-hidden": "true" }, "V")),
      button("Play again", "n", again, { "data-do": "again" }),
      h("a", { class: "button", href: "/play" }, "New game")));
  }

  /** Many moves are numbers of dice: small buttons, and digits. */
  function drawNumbers(keys) {
    const number = (each) => each.dice;
    const byNumber = new Map(match.moves.map((each) => [number(each), each]));
    const few = Math.max(...byNumber.keys()) <= 9;
    const label = h("p", { class: "actions-label" }, "How many dice?", h("span", { class: "soft", "data-typed": "yes" }, typed ? `  ${typed} then Enter` : ""));
    const play = (n) => { const each = byNumber.get(n); if (each) move_(each.move); };
    for (const digit of "0123456789") {
      keys[digit] = () => {
        if (few) return play(Number(digit));
        typed = `${typed}${digit}`.slice(-3);
        label.lastChild.textContent = `  ${typed} then Enter`;
      };
    }
    keys.Enter = () => { if (typed) play(Number(typed)); typed = ""; label.lastChild.textContent = ""; };
    const one = (each) => h("button", { class: "button", type: "button", "data-move": each.move, "aria-label": each.label, on: { click: () => move_(each.move) } }, each.dice ? String(each.dice) : each.label);
    const rest = match.moves.filter((each) => !each.front);
    show(actions, label, h("div", { class: "actions many" }, match.moves.filter((each) => each.front).map(one)),
      rest.length ? h("details", {}, h("summary", {}, `More dice, which are never better: up to ${rest.at(-1).dice}`), h("div", { class: "actions many" }, rest.map(one))) : null);
  }

  /** Where dice are kept, those picked decide the move. */
  function drawKeeping(keys) {
    const wanted = falling(felt.chosen());
    const chosen = match.moves.find((each) => each.keep && same(falling(each.keep), wanted));
    const others = match.moves.filter((each) => !each.keep); // such as boxes of a card, open before the last cast
    const act = () => chosen && move_(chosen.move);
    for (let i = 0; i < felt.loose; i++) keys[String(i + 1)] = () => felt.toggle(i);
    keys.Enter = act;
    keys.c = act;
    show(actions, h("div", { class: "actions" }, button(chosen?.label ?? (others.length ? "Take one of these, or leave a die to cast" : "You must go on: leave a die to cast"), "Enter", act,
      { class: "button primary", "data-move": chosen?.move ?? "", disabled: !chosen })),
      others.length ? h("div", { class: "actions long" }, others.map((each) => button(each.label, "", () => move_(each.move), { "data-move": each.move }))) : null);
  }

  async function again() {
    if (busy) return;
    busy = true; // a key pressed twice begins one game
    const body = {
      game: match.game, parameters: match.parameters, coach: match.coach_mode, warn_at: match.warn_at,
      ...(match.opponents.length > 1 ? { opponents: match.opponents.map(askedFor) } : match.opponent ? { opponent: askedFor(match.opponent) } : {}),
      ...(match.opponent ? { starts: match.coin ? "coin" : match.you_start ? "me" : "opponent" } : {}),
    };
    try {
      const next = await post("/api/matches", body, { onProgress: progress.onProgress });
      go(`/play/${next.id}?new`);
    } catch (refused) { busy = false; fail(refused); }
  }

  let asked = null;
  const giveUp = h("button", {
    class: "button quiet small", type: "button", "data-do": "resign",
    on: {
      click: async () => {
        if (!asked) {
          giveUp.textContent = "Really give up?";
          asked = setTimeout(() => { asked = null; giveUp.textContent = "Give up"; }, 4000);
          return;
        }
        try { match = await post(`/api/matches/${id}/resign`, {}); settle(match.events ?? []); } catch (refused) { fail(refused); }
      },
    },
  }, "Give up");

  show(place,
    h("div", { class: "page-head" }, h("div", { class: "row" }, h("h1", {}, titled(match.title)), giveUp),
      match.opponent?.says ? h("p", { class: "soft" }, match.opponent.says) : null),
    h("div", { class: "split" },
      h("div", { class: "stack" }, scores?.node, felt.node, actions, progress.node, problem),
      h("div", { class: "stack" }, coach.node, h("section", { class: "card" }, h("h2", {}, "So far"), log))));

  (async () => {
    const events = match.events ?? [];
    if (isNew && events.length) {
      const nothing = { mine: 0, yours: 0, at_risk: 0, turns: 0, ...Object.fromEntries(match.seats.map((seat) => [seat.field, 0])) };
      scores?.set("mine" in match.position.fields ? nothing : {}, match.starter);
      await animate(events);
    } else logged(events);
    settle(events);
    if (!gone) coach.say(match);
  })();

  return () => { gone = true; hurry?.(); };
}
