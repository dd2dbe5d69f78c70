// Numbers and names as people read them.

import { language, t, tn } from "./i18n.js";

const locale = navigator.languages.find((each) => each.startsWith(language)) ?? language; // dates are written as at home

/** 0.5306 -> "53.1%", or "53,1 %" where people write it so */
export function percent(x, digits = 1) {
  return x.toLocaleString(language, { style: "percent", minimumFractionDigits: digits, maximumFractionDigits: digits }).replace("-", "−");
}

/** Signed percent, with a real minus. */
export function signedPercent(x, digits = 1) {
  const none = Number((100 * x).toFixed(digits)) === 0;
  return `${x < 0 && !none ? "−" : "+"}${percent(Math.abs(x), digits)}`;
}

/** Return a number with about so many digits, without trailing noise. */
export function plain(x, digits = 3) {
  if (x === null || x === undefined) return "–";
  const rounded = Number.isInteger(x) ? x : Number(x.toPrecision(digits));
  return rounded.toLocaleString(language, { useGrouping: false, maximumSignificantDigits: 17 }).replace("-", "−");
}

/** Return a number with two decimals, as the coach's sentences have it. */
export function hundredths(x) {
  return x.toLocaleString(language, { useGrouping: false, minimumFractionDigits: 2, maximumFractionDigits: 2 }).replace("-", "−");
}

/** A share in per cent, with as many digits as it takes to see it. */
export function smallPercent(x) {
  const size = Math.abs(x);
  return size > 0 && size < 0.0000005 ? t("under {share}", { share: percent(0.000001, 4) }) : percent(x, size === 0 || size >= 0.001 ? 1 : size >= 0.0001 ? 2 : 4);
}

/**
 * How the numbers of a game are written: as percentages where the server says between what they lie (`scale`), else in
 * the game's own unit. `value` is for what a position is worth, `cost` for what is lost, `signed` for what luck gave.
 */
export function measure({ scale, unit }) {
  const part = (x) => (x - scale.low) / (scale.high - scale.low), size = (x) => x / (scale.high - scale.low);
  const missing = (x) => x === null || x === undefined;
  const cost = (x) => (missing(x) ? "–" : scale ? smallPercent(size(x)) : plain(x, 3));
  return {
    isPercent: Boolean(scale),
    means: scale?.means ?? unit,
    head: scale ? t("wins") : unit,
    part, size, cost,
    value: (x) => (missing(x) ? "–" : scale ? percent(part(x)) : hundredths(x)),
    signed: (x) => `${x < 0 ? "−" : "+"}${scale ? percent(Math.abs(size(x))) : plain(Math.abs(x), 3)}`,
    costOf: (x) => (scale ? t("{share} of the game", { share: cost(x) }) : `${cost(x)} ${unit}`),
  };
}

/** A share as it stands at an axis: "5%", "0.5%" */
export const percentTick = (x) => x.toLocaleString(language, { style: "percent", maximumFractionDigits: 2 });

export const capital = (text) => text ? text[0].toUpperCase() + text.slice(1) : text;

export const plural = (n, one, many = `${one}s`) => `${n} ${n === 1 ? one : many}`;

/** Return names in a row: a, b and c. */
export const listed = (names) => new Intl.ListFormat(language === "en" ? "en-GB" : language).format(names);

const titles = new Map(), parameters = new Map(), strategies = new Map();
/** Learn what games, their rules and their strategies are called, from the server. */
export function learnTitles(games) {
  for (const game of games) {
    titles.set(game.name, game.title);
    for (const each of game.parameters) parameters.set(`${game.name} ${each.name}`, each);
    for (const { name, label } of game.strategies) strategies.set(name, label);
  }
}
/** What a game is called by its players. */
export const title = (name) => titles.get(name) ?? capital(name.replaceAll("-", " "));

/** How rules that are numbers are said in a title; of the others one says the name and the value. */
const COUNTED = {
  target: (n) => t("to {n}", { n }),
  max: (n) => t("up to {n}", { n }),
  die: (n) => t("dice with {n} sides", { n }),
  players: (n) => tn("{n} player", "{n} players", n),
  dice: (n) => tn("{n} die", "{n} dice", n),
  casts: (n) => tn("{n} cast", "{n} casts", n),
  tokens: (n) => tn("{n} token", "{n} tokens", n),
  tiles: (n) => tn("{n} tile", "{n} tiles", n),
  pieces: (n) => tn("{n} piece", "{n} pieces", n),
  chequers: (n) => tn("{n} chequer", "{n} chequers", n),
  columns: (n) => tn("{n} column", "{n} columns", n),
  turns: (n) => tn("{n} turn", "{n} turns", n),
  fields: (n) => tn("{n} field", "{n} fields", n),
};

/** A rule as one says it: "tokens=5" of 421 is "5 tokens". */
function ruleSaid(name, rule) {
  const [key, value = ""] = rule.split(/=(.*)/s), { label = key.replaceAll("_", " "), choices, type } = parameters.get(`${name} ${key}`) ?? {};
  const called = `${label[0].toLowerCase()}${label.slice(1)}`;
  if (COUNTED[key] && /^[0-9]+$/.test(value)) return COUNTED[key](Number(value));
  if (type === "bool") return value === "no" ? t("without {rule}", { rule: called }) : called;
  const head = (each) => each.label.split(/\s?[:;]/)[0], chosen = choices?.find((each) => each.value === value);
  if (chosen) return t("{rule}: {value}", { rule: called, value: choices.find((each) => head(each) === head(chosen)) === chosen ? head(chosen) : chosen.label });
  return `${called} ${value}`;
}

/** "name target=50 die=8" -> "Its title to 50, dice with 8 sides" */
export function titled(text) {
  const [whole, ...from] = text.split(" from ");
  if (from.length) return t("{game}, from {position}", { game: titled(whole), position: from.join(" from ") });
  const [name, ...rules] = text.split(" ");
  return rules.reduce((said, rule) => `${said}${/^(target|max)=[0-9]/.test(rule) ? " " : ", "}${ruleSaid(name, rule)}`, title(name));
}

/** The name of a strategy as one says it: "hold-at:20" is "hold at 20". */
export function spoken(name) {
  const [stem, numbers = ""] = name.split(/:(.*)/s);
  return [strategies.get(stem) ?? stem.replaceAll("-", " "), numbers.replaceAll(",", ", ")].filter(Boolean).join(" ");
}

/** " against hold at 20", or nothing where one plays alone. */
export const against = (label) => (label === "nobody" ? "" : ` ${t("against {opponent}", { opponent: label })}`);

/** A day as people write it where they live: "2026-11-18" -> "18 November 2026" */
export const onDay = (text) => new Date(`${text}T00:00:00Z`).toLocaleDateString(locale, { dateStyle: "long", timeZone: "UTC" });

/** A moment as people write it where they live. */
export function when(text) {
  const moment = new Date(text);
  return Number.isNaN(moment.getTime()) ? text : moment.toLocaleString(locale, { dateStyle: "medium", timeStyle: "short" });
}
