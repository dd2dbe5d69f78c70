// At the table: the scores, the felt, the buttons, the coach, and what happened so far.

import { allGames, get, post } from "../api.js";
import { matchBoard } from "../boards/board.js";
import { lieStill } from "../dice.js";
import { alarm, announce, h, pause, reducedMotion, show } from "../dom.js";
import { go, note } from "../go.js";
import { t } from "../i18n.js";
import { useKeys } from "../keys.js";
import { tempo } from "../pace.js";
import { clatter } from "../sound.js";
import { progressPlace, failure } from "../waiting.js";
import { coachPanel } from "./coach.js";
import { capital, titled } from "../words.js";
import { folding } from "./fold.js";
import { company, EVERY, isCovered, reviewsOf, waitingFor } from "./people.js";
import { scoreboard } from "./scores.js";
import { MANY, stepper } from "./stepper.js";
import { tray } from "./tray.js";

const SMALL = 4; // from so many moves on, buttons are small and carry a number
const NARROW = "(max-width: 979px)"; // as in the style sheet
const PIPS = 16; // that rise where somebody has won
const LONG = 12; // letters from which on a button needs a wide place
const WORDS = { won: t("You won"), lost: t("You lost"), drawn: t("A draw"), stopped: t("Stopped"), done: t("Done") };

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

export default (place, { id, url }) => tableAt(place, { url, path: `/api/matches/${encodeURIComponent(id)}` });

/** A table whose match is found at an address of the API; who only watches has no buttons. */
export async function tableAt(place, { url, path, watching = false }) {
  let match = await get(`${path}?wait=0`); // what takes a moment, such as the best reply, comes when it is there
  const { id } = match;
  const isNew = url.searchParams.has("new");
  if (isNew) note(`/play/${encodeURIComponent(id)}`);
  const told = (await allGames()).find((each) => each.name === match.game);
  const rival = match.opponent?.says ?? told?.people.find((each) => each.strategy === match.opponent?.name)?.says;
  const byName = Boolean(match.people) && match.people.you === null; // to both at one device, or to who watches
  let busy = false, gone = false, seen = false, hurry = null, covered = true;

  const names = Object.fromEntries(match.seats.map((seat) => [seat.who, capital(seat.name)]));
  const board = matchBoard({ onMove: (move) => move_(move), onPick: () => drawActions() });
  board.draw(match);
  const scores = match.layout.tray === "keep" || board.draws("mine") ? null : scoreboard(match, board.draws);
  const felt = tray(match, () => drawActions(), board.draws);
  const actions = h("div", { class: "actions-place", role: "group", "aria-label": t("Your moves") });
  const problem = h("div");
  const taken = h("div");
  const progress = progressPlace();
  const log = h("ol", { class: "log", tabindex: "0", "aria-label": t("What happened so far, newest first") });
  const coach = folding(coachPanel({
    onMode: async (mode) => {
      try { match = await post(`/api/matches/${id}/coach`, { coach: mode, warn_at: match.warn_at }); coach.draw(match); drawActions(); complete(); } catch (refused) { fail(refused); }
    },
    onSure: (move) => move_(move, true),
    onThink: () => { match = { ...match, warning: null }; coach.draw(match); drawActions(); focusMoves(); },
  }));

  coach.learn(told?.views ?? []);
  function fail(refused) {
    show(problem, failure(refused));
    alarm(refused.message);
  }

  function logged(events) {
    for (const event of events) {
      const who = event.effect === "coin" ? t("Coin") : event.who === "you" && !byName ? t("You") : event.who && (match.people || match.seats.length > 2) ? names[event.who] : event.who ? t("Other") : t("Dice");
      log.prepend(h("li", {}, h("span", { class: `who${event.who === "you" ? "" : " them"}` }, who), h("span", {}, event.text)));
    }
  }

  async function animate(events) {
    busy = seen = true;
    if (events.length) inSight();
    coach.node.classList.add("busy");
    let skipped = false, shown = false;
    const skip = new Promise((done) => { hurry = () => { skipped = true; done(); }; });
    const groups = grouped(events, match.kind === "at-once");
    for (const group of groups) {
      if (gone) return;
      const mover = group[0].who;
      const { roll, rest } = skipped ? { roll: 0, rest: 0 } : tempo(mover === "you");
      const thrown = group.reduce((sum, event) => sum + (event.dice?.length ?? 0), 0);
      if (thrown && !skipped) clatter(thrown, roll);
      const theirs = mover && mover !== "you";
      if (theirs && !shown) { shown = true; drawActions(); }
      if (theirs || group.length > 1) announce(group.map((event) => event.text).join(" "));
      if (scores && group[0].effect === "coin") scores.set({}, match.starter);
      await Promise.race([felt.play(group, roll), skip]);
      if (scores && group.at(-1).fields) scores.set(group.at(-1).fields, mover);
      logged(group);
      if (rest && !skipped && (theirs || group !== groups.at(-1))) await Promise.race([pause(mover === "you" && match.kind !== "at-once" ? rest * 0.4 : rest), skip]);
    }
    busy = false;
    coach.node.classList.remove("busy");
  }

  /** Ask again for what the match is worth against this opponent while that is being worked out. */
  async function complete() {
    const { ply } = match;
    while (!gone && match.ply === ply && !match.over && match.coach?.against?.pending) {
      await pause(300);
      const next = await get(`${path}?since=${ply}`).catch(() => null);
      if (!next || busy || match.ply !== ply || next.ply !== ply || !next.coach) return;
      match = { ...match, coach: next.coach };
      coach.draw(match);
    }
  }

  /** Tell the style sheet how high the moves are, which lie over the page where it is narrow. */
  const measured = () => place.style.setProperty("--bar", `${actions.offsetHeight}px`);
  const measuring = new ResizeObserver(measured);
  measuring.observe(actions);

  /** Bring the felt into sight, above the moves that lie over a narrow page; on a wide one nothing lies over it. */
  function inSight() {
    if (!matchMedia(NARROW).matches) return;
    measured();
    felt.node.scrollIntoView({ block: "nearest", behavior: reducedMotion() ? "auto" : "smooth" });
  }

  function settle(events) {
    if (gone) return;
    scores?.set(match.position.fields, match.over ? null : match.to_move);
    felt.settle(match, events);
    board.draw(match);
    if (board.dice) show(felt.node.querySelector(".dice-place"), board.dice);
    giveUp.hidden = match.over || watching;
    back.hidden = !match.can_take_back;
    show(taken, match.taken ? h("p", { class: "note", "data-taken": match.taken.move }, match.taken.sentence, " ", h("span", { class: "soft small" }, t("The dice fall anew. This game counts as practice."))) : null);
    if (match.over) finish(seen && tempo(true).roll > 0);
    covered = isCovered(match);
    friends.draw(match);
    coach.draw(match);
    coach.node.hidden = watching || covered || match.people?.you === 1 - match.people?.turn;
    drawActions();
    if (events.length) inSight();
    place.dataset.ply = match.ply;
    place.dataset.turn = match.people?.turn ?? "";
    place.dataset.state = match.over ? "over" : match.to_move;
    complete();
  }

  /** How it ended, over the last dice; who has just won is cheered a little. */
  function finish(cheered) {
    const { outcome, sentence } = match.result;
    const told = byName ? sentence.match(/^(.+?)\s?[,:] /) : outcome === "done" ? sentence.match(/^(.+?)\. /) : null; // "Ann won" of "Ann won, 22 to 10.", "77 points" of "77 points. You filled the card."
    const head = told?.[1] ?? (byName ? null : WORDS[outcome]) ?? t("Over"), rest = sentence.startsWith(head) ? sentence.slice(head.length).replace(/^[,:.\s]+/, "") : sentence;
    const dice = felt.node.querySelector(".dice-place"), last = match.layout.dice ? [...dice.children] : [];
    dice.replaceChildren(h("div", { class: "over", "data-outcome": outcome },
      cheered && outcome === "won" ? h("div", { class: "cheer", "aria-hidden": "true" }, Array.from({ length: PIPS }, (_, i) => h("i", { vars: { "--x": i / (PIPS - 1), "--late": Math.random(), "--far": Math.random() } }))) : null,
      h("b", {}, head), rest ? h("span", {}, capital(rest)) : null), ...last);
    felt.node.querySelector(".says").textContent = "";
    felt.node.querySelector(".pot").textContent = "";
  }

  async function move_(move, sure = false) {
    if (busy || match.over || covered || waitingFor(match)) return;
    busy = true;
    for (const each of actions.querySelectorAll("button")) each.setAttribute("aria-disabled", "true");
    const hadFocus = actions.contains(document.activeElement) || coach.node.contains(document.activeElement) || felt.node.contains(document.activeElement) || board.holds(document.activeElement);
    show(problem);
    const meant = match.moves.find((each) => each.move === move);
    if (tempo(true).roll && (meant?.dice || (meant?.keep && meant.keep.length < match.layout.dice))) felt.start(); // before the answer is here
    let next;
    try {
      next = await post(`/api/matches/${id}/moves`, { move, ply: match.ply, sure, ...(match.people ? { seat: match.people.you ?? match.people.turn } : {}) }, { onProgress: progress.onProgress });
    } catch (refused) {
      busy = false;
      progress.done();
      lieStill(felt.node);
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
      lieStill(felt.node);
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
    const next = wanted.find((button) => button.dataset.move === move) ?? wanted[0];
    if (next) next.focus({ preventScroll: true }); else board.focus();
  }

  function button(text, key, act, attributes = {}) {
    return h("button", { class: "button", type: "button", "aria-keyshortcuts": key ? key.toUpperCase() : undefined, ...attributes, on: { click: act } },
      text, key ? h("kbd", { "aria-hidden": "true" }, key.length === 1 ? key.toUpperCase() : key) : null);
  }

  function drawActions() {
    const keys = {};
    if (busy) {
      keys.s = () => hurry?.();
      show(actions, h("div", { class: "actions" }, button(t("Skip"), "s", () => hurry?.(), { "data-do": "skip" })));
    } else if (match.over) drawOver(keys);
    else if (watching || waitingFor(match)) show(actions, h("p", { class: "note", role: "status", "data-waiting": "yes" }, waitingFor(match)));
    else if (covered) {
      const [name, other] = [match.people.names[match.people.turn], match.people.names[1 - match.people.turn]];
      show(actions, h("p", { class: "note", "data-pass": match.people.turn }, t("Pass the device to {name}. {other} looks away.", { name, other })),
        h("div", { class: "actions" }, button(t("I am {name}", { name }), "", () => { covered = false; coach.node.hidden = false; drawActions(); focusMoves(); }, { "data-do": "uncover", class: "button primary" })));
    }
    else if (match.moves.some((each) => each.keep)) drawKeeping(keys);
    else if (match.layout.tray === "handfuls" && match.moves.length >= SMALL) drawNumbers(keys);
    else if (board.hasPicked) drawPicked(keys);
    else if (match.moves.every(board.onCard)) show(actions, h("p", { class: "actions-label" }, t("Choose a box of the card.")));
    else {
      const long = match.moves.some((each) => each.label.length > LONG);
      show(actions, h("div", { class: `actions${long ? " long" : ""}` }, match.moves.map((each) => {
        if (each.key) keys[each.key] = () => move_(each.move);
        return button(each.label, each.key, () => move_(each.move), { "data-move": each.move });
      })));
    }
    if (byName && !watching && !busy && !covered && !match.over) actions.prepend(h("p", { class: "actions-label", "data-to-move": match.people.turn }, t("{name} is to move.", { name: match.people.names[match.people.turn] })));
    useKeys(keys);
  }

  function drawOver(keys) {
    keys.v = () => go(`/review/${id}`);
    if (match.day) {
      show(actions, h("div", { class: "actions" }, h("a", { class: "button primary", href: "/daily", "data-do": "daily" }, t("Your result")),
        h("a", { class: "button", href: `/review/${id}`, "data-do": "review", "aria-keyshortcuts": "V" }, t("Review"), h("kbd", { "aria-hidden": "true" }, "V"))));
      return;
    }
    if (match.people) {
      show(actions, h("div", { class: "actions" }, reviewsOf(match), watching ? null : h("a", { class: "button", href: `/together?game=${encodeURIComponent(match.game)}` }, t("Play another"))));
      return;
    }
    keys.n = again;
    show(actions, h("div", { class: "actions" },
      h("a", { class: "button primary", href: `/review/${id}`, "data-do": "review", "aria-keyshortcuts": "V" }, t("Review"), h("kbd", { "aria-hidden": "true" }, "V")),
      button(t("Play again"), "n", again, { "data-do": "again" }),
      h("a", { class: "button", href: "/play" }, t("New game"))));
  }

  /** Something on the board is picked: the move about it, and those about more. */
  function drawPicked(keys) {
    const { exact, others } = board.meant;
    if (exact.length) keys.Enter = () => move_(exact[0].move);
    keys.Escape = board.clear;
    const one = (each, kind) => button(each.label, each === exact[0] ? "Enter" : "", () => move_(each.move), { class: kind, "data-move": each.move });
    show(actions, h("div", { class: "actions long" }, exact.map((each) => one(each, "button primary")), others.map((each) => one(each, "button")),
      button(t("Pick anew"), "", board.clear, { class: "button quiet", "data-do": "clear" })));
  }

  /** Moves are numbers of dice: small buttons and digits; where there are many, a number to step through. */
  function drawNumbers(keys) {
    const numbered = match.moves.filter((each) => each.number !== null), others = match.moves.filter((each) => each.number === null || !each.dice);
    if (numbered.length > MANY) {
      const steps = stepper(numbered, move_);
      Object.assign(keys, steps.keys);
      show(actions, steps.node, others.length ? h("div", { class: "actions beside" }, others.map((each) => button(each.label, "", () => move_(each.move), { "data-move": each.move }))) : null);
      return;
    }
    for (const each of match.moves) keys[each.key] ??= () => move_(each.move); // of 1 and 11 the first
    show(actions, h("div", { class: "actions many" }, match.moves.map((each) => h("button", {
      class: `button${each.dice ? "" : " wide"}`, type: "button", "data-move": each.move, "aria-label": each.label, on: { click: () => move_(each.move) },
    }, each.dice ? String(each.dice) : each.label))));
  }

  /** Where dice are kept, those picked decide the move. */
  function drawKeeping(keys) {
    const wanted = falling(felt.chosen());
    const chosen = match.moves.find((each) => each.keep && same(falling(each.keep), wanted));
    const others = match.moves.filter((each) => !each.keep && !board.onCard(each)); // such as boxes of a card, open before the last cast
    const act = () => chosen && move_(chosen.move);
    for (let i = 0; i < felt.loose; i++) keys[String(i + 1)] = () => felt.toggle(i);
    keys.Enter = act;
    keys.c = act;
    show(actions, h("div", { class: "actions" }, button(chosen?.label ?? (others.length ? t("Take one of these, or leave a die to cast") : t("You must go on: leave a die to cast")), "Enter", act,
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

  /** Take back the last choice: the table is laid anew, as it lay then. */
  async function takeBack() {
    if (busy || !match.can_take_back) return;
    busy = true;
    try {
      match = await post(`/api/matches/${id}/take-back`, { ply: match.ply }, { onProgress: progress.onProgress });
      announce(match.taken?.sentence ?? "");
      go(`/play/${encodeURIComponent(id)}`, { replace: true });
    } catch (refused) { busy = false; progress.done(); fail(refused); }
  }
  const back = h("button", { class: "button quiet small", type: "button", hidden: true, "data-do": "take-back", on: { click: takeBack } }, t("Take back"));

  /** Look again at what others have done: only by link, and not while nobody looks at the page. */
  async function follow() {
    while (!gone && !match.over) {
      await pause(EVERY);
      if (gone || busy || document.hidden) continue;
      await renew().catch(() => null);
    }
  }
  async function renew() {
    const { ply } = match, before = JSON.stringify([match.people, match.over, match.ply]);
    const next = await get(`${path}?since=${ply}`);
    if (gone || busy || match.ply !== ply || JSON.stringify([next.people, next.over, next.ply]) === before) return;
    if (String(next.people?.names) !== String(match.people?.names)) { go(location.pathname, { replace: true }); return; } // somebody sat down or left: the table has other names
    match = next;
    await animate(match.events);
    settle(match.events);
    if (!gone) coach.say(match);
  }
  const friends = company(() => renew().catch(fail), fail);

  let asked = null;
  const giveUp = h("button", {
    class: "button quiet small", type: "button", "data-do": "resign",
    on: {
      click: async () => {
        if (!asked) {
          giveUp.textContent = t("Really give up?");
          asked = setTimeout(() => { asked = null; giveUp.textContent = t("Give up"); }, 4000);
          return;
        }
        try { match = await post(`/api/matches/${id}/resign`, {}); settle(match.events ?? []); } catch (refused) { fail(refused); }
      },
    },
  }, t("Give up"));

  show(place,
    h("div", { class: "page-head" }, h("div", { class: "row" }, h("h1", {}, titled(match.title)), h("div", { class: "row tight" }, back, giveUp)),
      rival ? h("p", { class: "soft", "data-rival": "yes" }, h("b", {}, capital(match.opponent.label)), " · ", rival) : null,
      told?.about ? h("details", { class: "rules" }, h("summary", {}, t("Rules")), h("p", { "data-rules": match.game }, told.about)) : null),
    h("div", { class: "split" },
      h("div", { class: "stack" }, scores?.node, board.above, felt.node, taken, actions, progress.node, problem, board.below),
      h("div", { class: "stack" }, coach.node, friends.node, h("section", { class: "card" }, h("h2", {}, t("So far")), log))));

  (async () => {
    const events = match.events ?? [];
    if (isNew && events.length) {
      const nothing = { mine: 0, yours: 0, at_risk: 0, turns: 0, ...Object.fromEntries(match.seats.map((seat) => [seat.field, 0])) };
      scores?.set("mine" in match.position.fields ? nothing : {}, match.starter);
      await animate(events);
    } else logged(events);
    settle(events);
    if (!gone) coach.say(match);
    if (match.people && (watching || match.people.where === "link")) follow();
  })();

  return () => { gone = true; measuring.disconnect(); hurry?.(); };
}
