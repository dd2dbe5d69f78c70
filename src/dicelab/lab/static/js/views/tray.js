// The felt: where dice fall, what is at risk, and what just happened.

import { h, show } from "../dom.js";
import { die, handful, laidOut, shake, suitingThrow } from "../dice.js";
import { t, tn } from "../i18n.js";
import { capital } from "../words.js";

const SCORED = ["target", "max", "turns", "left", "stage"];

/** Mark the dice that lost the throw. */
function mark(thrown, event) {
  for (const place of event.marked ?? []) thrown.dice[place]?.bust();
}

function base() {
  const says = h("div", { class: "says" }), middle = h("div", { class: "dice-place" }), below = h("div", { class: "pot" });
  const node = h("section", { class: "tray", "aria-label": t("The table") }, says, middle, below);
  return { node, says, middle, below };
}

/** One player rolls at a time, and what is at risk piles up. */
function turnTray(match, sides, onChoose, draws) {
  const { node, says, middle, below } = base();
  const whose = (what, who) => (who === "you" || (match.people && match.people.you === null) ? what : t("{what}, theirs", { what }));
  const scored = new Set([...SCORED, "mine", "yours", ...match.seats.map((seat) => seat.field)]);
  // What is at risk; or, of a game whose fields have other names, whatever the two scores do not show.
  function pot(fields = {}, who, words = "") {
    const rest = "at_risk" in fields || !("mine" in fields) ? [] : Object.entries(fields).filter(([name, value]) => !scored.has(name) && !draws(name) && value);
    show(below, fields.at_risk ? [h("b", {}, String(fields.at_risk)), whose(t("at risk"), who)] : !rest.length ? words
      : rest.map(([name, value]) => [h("b", {}, Array.isArray(value) ? value.join(" ") : String(value)), whose(t(name.replaceAll("_", " ")), who)]));
  }
  let most = match.layout.dice; // that may be thrown next
  function blank(theirs) {
    const { size, across } = laidOut(most);
    const waiting = Array.from({ length: most }, () => die(sides, { theirs, size }));
    show(middle, h("div", { class: "dice", vars: { "--across": across, "--size": `${size}px` } }, waiting.map((each) => each.node)));
  }
  return {
    node,
    start() {
      if (!middle.querySelector(".die:not(.theirs)")) blank(false);
      shake(middle);
    },
    async play([event], ms) {
      if (ms && event.dice?.length) says.textContent = "\u00a0"; // the dice speak first
      if (event.dice?.length) {
        const thrown = handful(event.dice, sides, { theirs: event.who !== "you" });
        show(middle, thrown.node);
        await thrown.roll(ms);
        mark(thrown, event);
      }
      says.textContent = event.text;
      pot(event.fields, event.who);
    },
    settle(next, events) {
      const last = events.at(-1);
      most = Math.max(...next.moves.map((each) => each.dice), 0) || match.layout.dice;
      const open = next.position.threw ?? []; // thrown, and you choose what to do with it
      const thrown = open.length && !last?.dice?.length ? { dice: open, who: next.to_move } : events.findLast((event) => event.dice?.length);
      if (last) says.textContent = last.text;
      if (thrown) {
        const dice = handful(thrown.dice, thrown.dice === open ? suitingThrow(open, sides) : sides, { theirs: thrown.who !== "you" }).show();
        mark(dice, thrown);
        show(middle, dice.node);
      } else blank(next.to_move !== "you");
      if (!last) says.textContent = next.people ? next.position.words : next.to_move === "you" ? t("Your move.") : "";
      const untold = !next.position.board?.length && (open.length || !Object.keys(next.position.fields).length); // scores and dice do not say it all
      pot(next.position.fields, next.to_move, untold && !next.over ? next.position.words : "");
    },
  };
}

/** All throw handfuls, and what each threw lies side by side. */
function handfulTray(match, sides) {
  const { node, says, middle, below } = base();
  const names = Object.fromEntries(match.seats.map((seat) => [seat.who, capital(seat.name)]));
  const halves = Object.fromEntries(match.seats.map((seat) => [seat.who, h("div")]));
  show(middle, h("div", { class: match.seats.length > 2 ? "two several" : "two" }, Object.values(halves)));
  const name = (who) => names[who] ?? t("Other");
  function rest(who) {
    show(halves[who], h("span", { class: "who" }, name(who)), h("div", { class: "dice" }, die(sides, { theirs: who !== "you", size: innerWidth >= 760 ? 52 : 36 }).node));
  }
  function lay(event) {
    const thrown = handful(event.dice ?? [], sides, { theirs: event.who !== "you", room: innerWidth >= 760 ? 580 / match.seats.length : undefined, atMost: innerWidth >= 760 ? 64 : 42 });
    const what = event.dice?.length ? t("{name}: {points} from {dice}", { name: name(event.who), points: tn("{n} point", "{n} points", event.points), dice: tn("{n} die", "{n} dice", event.dice.length) }) : t("{name}: no dice", { name: name(event.who) });
    show(halves[event.who], h("span", { class: "who" }, what), thrown.node);
    return thrown;
  }
  Object.keys(halves).forEach(rest);
  return {
    node,
    start() { rest("you"); shake(middle); },
    async play(group, ms) {
      if (ms) says.textContent = "\u00a0";
      await Promise.all(group.filter((event) => event.who in halves && event.effect !== "coin").map(async (event) => {
        const thrown = lay(event);
        await thrown.roll(ms);
        mark(thrown, event);
      }));
      says.textContent = group.map((event) => event.text).join(" ");
      show(below);
    },
    settle(next, events) {
      for (const who of Object.keys(halves)) {
        const last = events.findLast((event) => event.who === who && event.effect !== "coin");
        if (!last) continue;
        const thrown = lay(last);
        thrown.show();
        mark(thrown, last);
      }
      says.textContent = events.length ? events.slice(match.kind === "at-once" ? -2 : -1).map((event) => event.text).join(" ") : next.to_move === "you" ? t("Choose how many dice to throw.") : "";
      show(below, next.position.fields.stage > 0 && !next.over ? t("This is the last turn.") : "");
    },
  };
}

/**
 * Dice that may be put aside. `chosen()` gives the faces kept, those aside among them, and `onChoose`
 * hears of a change.
 */
function keepTray(match, sides, onChoose) {
  const { node, says, middle, below } = base();
  let picked = new Set(), loose = [], fixed = [];
  /** Lay out the dice: where any die may be cast again, those that were kept come first and stay picked. */
  function lay({ aside: put, thrown, left }, dead, cast = thrown) {
    const kept = [...thrown];
    for (const face of cast) kept.splice(kept.indexOf(face), 1);
    fixed = [...put];
    loose = [...kept, ...cast];
    picked = new Set(kept.keys());
    const { size } = laidOut(match.layout.dice);
    if (!loose.length && !fixed.length) {
      show(middle, h("div", { class: "dice" }, Array.from({ length: match.layout.dice }, () => die(sides, { size }).node)));
      show(below, tn("{n} cast left", "{n} casts left", left));
      return [];
    }
    const dice = loose.map(() => die(sides, { size }));
    const buttons = dice.map((each, i) => h("button", {
      class: "keep", type: "button", "aria-pressed": String(picked.has(i)), disabled: dead, "data-die": i + 1, on: { click: () => toggle(i) },
    }, each.node, h("span", {}, h("span", { class: "unseen" }, t("die {n} shows {face}: ", { n: i + 1, face: loose[i] })), h("span", { class: "kept-word" }, dead ? "\u00a0" : picked.has(i) ? t("keep") : t("cast")))));
    const aside = fixed.map((face) => { const each = die(sides, { size: size * 0.7 }); each.show(face); return each.node; });
    show(middle, h("div", { class: "stack" }, h("div", { class: "dice" }, buttons),
      aside.length ? h("div", { class: "aside-box" }, t("put aside"), aside, h("span", { class: "unseen" }, fixed.join(", "))) : null));
    show(below, tn("{n} cast left", "{n} casts left", left));
    return dice;
  }
  function toggle(i) {
    const button = middle.querySelectorAll(".keep")[i];
    if (!button || button.disabled) return;
    if (picked.has(i)) picked.delete(i); else picked.add(i);
    button.setAttribute("aria-pressed", String(picked.has(i)));
    button.querySelector(".kept-word").textContent = picked.has(i) ? t("keep") : t("cast");
    onChoose();
  }
  return {
    node, toggle,
    start: () => shake(middle),
    chosen: () => [...fixed, ...[...picked].map((i) => loose[i])],
    get loose() { return loose.length; },
    async play([event], ms) {
      if (ms && event.dice?.length) says.textContent = "\u00a0";
      if (event.fields?.thrown) {
        const laid = lay(event.fields, true, castIn(event));
        await Promise.all(laid.map((each, i) => (picked.has(i) ? each.show(loose[i]) : each.roll(loose[i], ms))));
      }
      says.textContent = event.text;
    },
    settle(next, events) {
      const picking = next.moves.some((each) => each.keep);
      lay(next.position.fields, !picking, castIn({ ...events.at(-1), fields: next.position.fields })).forEach((each, i) => each.show(loose[i]));
      says.textContent = next.over ? next.result.sentence : picking ? t("Pick the dice to keep; the others are cast again.") : next.position.words;
    },
  };
}

/** The dice of a throw that lie on the table: all of them, or those that were cast again. */
function castIn({ dice, fields }) {
  return dice?.length && dice.every((face) => count(dice, face) <= count(fields.thrown, face)) ? [...dice].sort((a, b) => b - a) : fields.thrown;
}
const count = (faces, face) => faces.filter((each) => each === face).length;

/** A game that shows no dice: the position in words. */
function plainTray(match) {
  const { node, says, middle } = base();
  node.classList.add("low");
  const tell = (text) => show(middle, h("p", { class: "told" }, text));
  return {
    node,
    start() {},
    async play(group) { tell(group.map((event) => event.text).join(" ")); },
    settle(next, events) {
      says.textContent = events.findLast((event) => event.who && event.who !== "you")?.text ?? "";
      tell(next.position.words);
    },
  };
}

const TRAYS = { turn: turnTray, handfuls: handfulTray, keep: keepTray };
/** Return the table a match is played on, as its game lays it; `draws` tells which fields the board shows already. */
export function tray(match, onChoose, draws = () => false) {
  return (match.layout.dice ? TRAYS[match.layout.tray] : plainTray)(match, match.layout.sides, onChoose, draws);
}
