// Dice that look and roll like dice. A die with faces up to 6 is a cube with pips; others get the outline
// of their solid and a numeral. The server says what a die shows; here it is only thrown about.

import { h, s, reducedMotion } from "./dom.js";
import { t, tn } from "./i18n.js";

const PIPS = {
  1: [[50, 50]],
  2: [[28, 28], [72, 72]],
  3: [[26, 26], [50, 50], [74, 74]],
  4: [[28, 28], [72, 28], [28, 72], [72, 72]],
  5: [[27, 27], [73, 27], [50, 50], [27, 73], [73, 73]],
  6: [[28, 24], [72, 24], [28, 50], [72, 50], [28, 76], [72, 76]],
};

// How to turn the cube so that a face looks at you, [about x, about y] in degrees.
const TURNED = { 1: [0, 0], 2: [-90, 0], 5: [90, 0], 3: [0, -90], 4: [0, 90], 6: [0, 180] };
const TILT = [-13, 15];

function face(n) {
  return s("svg", { viewBox: "0 0 100 100", class: `f${n}` },
    s("rect", { class: "rim", width: 100, height: 100, rx: 7 }), s("rect", { x: 1.5, y: 1.5, width: 97, height: 97, rx: 17 }),
    PIPS[n].map(([cx, cy]) => s("circle", { cx, cy, r: n === 1 ? 11 : 9.2 })));
}

// Outlines in a box of 100: what the solid looks like from above.
const OUTLINES = {
  4: { body: "50,6 96,88 4,88", y: 62 },
  8: { body: "50,2 94,30 94,70 50,98 6,70 6,30", edge: "50,2 90,72 10,72 50,2", y: 50 },
  10: { body: "50,3 97,40 97,58 50,97 3,58 3,40", edge: "50,3 78,56 50,70 22,56 50,3", y: 42 },
  12: { body: "50,2 80,11 98,36 98,64 80,89 50,98 20,89 2,64 2,36 20,11", edge: "50,20 78,41 67,75 33,75 22,41 50,20", y: 52 },
  20: { body: "50,2 92,26 92,74 50,98 8,74 8,26", edge: "50,20 78,68 22,68 50,20", y: 53 },
};

function outline(sides) {
  const shape = OUTLINES[sides] ?? (sides > 12 ? OUTLINES[20] : sides > 10 ? OUTLINES[12] : sides > 8 ? OUTLINES[10] : OUTLINES[8]);
  const text = s("text", { x: 50, y: shape.y });
  const node = s("svg", { viewBox: "0 0 100 100", class: "poly" },
    s("polygon", { class: "body", points: shape.body }),
    shape.edge ? s("polyline", { class: "edge", points: shape.edge }) : null, text);
  return { node, text };
}

/** A coin: 1 is heads, 0 is tails. */
function coin() {
  const text = s("text", { x: 50, y: 52 });
  const node = s("svg", { viewBox: "0 0 100 100", class: "poly coin" }, s("circle", { class: "body", cx: 50, cy: 50, r: 47 }), s("circle", { class: "edge", cx: 50, cy: 50, r: 39 }), text);
  return { node, text };
}

/** Return a die of so many sides. It can `show(face)` at once or `roll(face)`, which takes a moment. */
export function die(sides = 6, { theirs = false, size = 64 } = {}) {
  const cubic = sides <= 6 && sides > 1;
  const written = (n) => (sides <= 1 ? (n ? t("H") : t("T")) : n);
  const node = h("div", { class: `die${theirs ? " theirs" : ""} blank`, "aria-hidden": "true", vars: { "--size": `${size}px` } },
    h("div", { class: "shade" }));
  let body, text;
  if (cubic) body = h("div", { class: "cube" }, [1, 2, 3, 4, 5, 6].map(face));
  else ({ node: body, text } = sides <= 1 ? coin() : outline(sides));
  node.append(body);
  const tilt = size < 44 ? [0, 0] : TILT; // small ones lie flat, to be read
  let at = [0, 0];
  let value = null;

  function rest(n) {
    value = n;
    node.dataset.face = n;
    node.classList.remove("blank", "bust");
    if (cubic) {
      const [x, y] = TURNED[n] ?? [0, 0];
      at = [x, y];
      body.style.transform = turned(x, y);
    } else {
      text.textContent = written(n);
      body.style.transform = "none";
    }
  }
  const turned = (x, y) => `translateZ(${-size / 2}px) rotateX(${tilt[0]}deg) rotateY(${tilt[1]}deg) rotateX(${x}deg) rotateY(${y}deg)`;
  if (cubic) body.style.transform = turned(0, 0);

  async function roll(n, ms = 750) {
    const from = at;
    rest(n);
    if (reducedMotion() || ms < 60) return;
    const timing = { duration: ms * (0.75 + 0.25 * Math.random()), easing: "cubic-bezier(.15,.75,.25,1)" };
    const spins = () => 360 * (1 + Math.floor(2 * Math.random())) * (Math.random() < 0.5 ? -1 : 1);
    const hop = node.animate([
      { transform: `translate(${20 - 40 * Math.random()}px, -46px)`, easing: "cubic-bezier(.4,0,.9,.6)" },
      { transform: "translate(0, 0)", offset: 0.5, easing: "cubic-bezier(.1,.5,.5,1)" },
      { transform: "translate(0, -12px)", offset: 0.68, easing: "cubic-bezier(.5,0,.9,.5)" },
      { transform: "translate(0, 0)", offset: 0.84 },
      { transform: "translate(0, 0)" },
    ], { duration: timing.duration });
    const spin = cubic
      ? body.animate([{ transform: turned(from[0] + spins(), from[1] + spins()) }, { transform: turned(at[0], at[1]) }], timing)
      : body.animate([{ transform: sides <= 1 ? `rotateX(${spins()}deg) scale(1.1)` : `rotate(${spins()}deg) scale(.9)` }, { transform: "none" }], timing);
    await Promise.allSettled([hop.finished, spin.finished]);
  }

  return { node, show: rest, roll, bust: () => node.classList.add("bust"), get face() { return value; } };
}

/** Shake the dice that are about to be thrown: all of one's own in a place, but for those kept or put aside. */
export function shake(place) {
  for (const each of place.querySelectorAll(".die:not(.theirs)")) if (!each.closest("[aria-pressed=true], .aside-box")) each.classList.add("shaken");
}
export const lieStill = (place) => place.querySelectorAll(".shaken").forEach((each) => each.classList.remove("shaken"));

/** Return the sides to draw dice with that show these faces: a sum of two dice is no face of either. */
export const suiting = (faces, sides) => (faces.some((n) => (n < 1 && sides > 1) || n > sides) ? Math.max(8, ...faces) : sides);

/** The same for a throw that somebody decides about: a number alone counts coins, as there is little to decide about one. */
export const suitingThrow = (threw, sides) => (sides <= 1 && threw.length === 1 ? Math.max(8, ...threw) : suiting(threw, sides));

/** Return how so many dice lie well on a table of so many pixels: their size, and how many in a row. */
export function laidOut(count, room = Math.min(innerWidth - 76, 620), atMost = 96, inRows = undefined) {
  const wide = innerWidth >= 760;
  const rows = inRows ?? (count <= 4 ? 1 : count <= 10 ? 2 : Math.ceil(count / (wide ? 10 : 8)));
  const across = Math.max(1, Math.ceil(count / rows));
  const most = count <= 2 ? (wide ? 96 : 80) : count <= 4 ? (wide ? 80 : 64) : count <= 10 ? 52 : 36;
  return { size: Math.floor(Math.min(most, atMost, room / (1.3 * across))), across };
}

const MOST = 60; // more than these are told as a count; nobody reads a hundred dice one by one

/** Return a row of dice showing faces; `roll` throws them all. */
export function handful(faces, sides = 6, { theirs = false, room = undefined, atMost = undefined, rows = undefined } = {}) {
  const { size, across } = laidOut(Math.min(faces.length, MOST), room, atMost, rows);
  const seen = faces.slice(0, MOST);
  const dice = seen.map(() => die(suiting(seen, sides), { theirs, size }));
  const node = h("div", { class: "dice", vars: { "--gap": `${Math.round(size * 0.28)}px`, "--across": across, "--size": `${size}px` } }, dice.map((each) => each.node),
    faces.length > MOST ? h("span", {}, tn("and {n} more", "and {n} more", faces.length - MOST)) : null);
  node.setAttribute("role", "img");
  node.setAttribute("aria-label", faces.length ? t("dice showing {faces}", { faces: faces.join(", ") }) : t("no dice"));
  return {
    node, dice,
    show() { dice.forEach((each, i) => each.show(seen[i])); return this; },
    async roll(ms) { await Promise.all(dice.map((each, i) => each.roll(seen[i], ms))); },
  };
}
