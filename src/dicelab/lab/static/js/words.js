// Numbers and names as people read them.

/** 0.5306 -> "53.1%" */
export function percent(x, digits = 1) {
  return `${(100 * x).toFixed(digits)}%`;
}

/** Signed percent, with a real minus. */
export function signedPercent(x, digits = 1) {
  const text = (Math.abs(100 * x)).toFixed(digits);
  return `${x < 0 && Number(text) !== 0 ? "−" : "+"}${text}%`;
}

/** Return a number with about so many digits, without trailing noise. */
export function plain(x, digits = 3) {
  if (x === null || x === undefined) return "–";
  if (Number.isInteger(x)) return String(x).replace("-", "−");
  return String(Number(x.toPrecision(digits))).replace("-", "−");
}

/** A cost in the unit of the game: chances and ratings as per cent, turns and points as they are. */
export function amount(x, unit) {
  if (unit === "chance to win" || unit === "chance") {
    const size = Math.abs(x);
    const digits = size === 0 || size >= 0.001 ? 1 : size >= 0.0001 ? 2 : 4;
    return percent(x, digits);
  }
  return plain(x, 3);
}

export const capital = (text) => text ? text[0].toUpperCase() + text.slice(1) : text;

export const plural = (n, one, many = `${one}s`) => `${n} ${n === 1 ? one : many}`;

/** Return names in a row: a, b and c. */
export function listed(names) {
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}

/** "two-dice-pig" -> "Two-dice Pig" */
const TITLES = {
  "421": "421", "pig": "Pig", "piglet": "Piglet", "big-pig": "Big Pig", "two-dice-pig": "Two-dice Pig",
  "solo-pig": "Solo Pig", "dice-battle": "Dice Battle", "greed": "Greed",
};
export const title = (name) => TITLES[name] ?? capital(name.replaceAll("-", " "));

/** "pig target=50 die=8" -> "Pig, target 50, die 8" */
export function titled(text) {
  const [name, ...rules] = text.split(" ");
  return [title(name), ...rules.map((rule) => rule.replace("=", " ").replaceAll("_", " "))].join(", ");
}

/** " against hold-at:20", or nothing where one plays alone. */
export const against = (label) => (label === "nobody" ? "" : ` against ${label}`);

/** A moment as people write it where they live. */
export function when(text) {
  const moment = new Date(text);
  return Number.isNaN(moment.getTime()) ? text : moment.toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });
}
