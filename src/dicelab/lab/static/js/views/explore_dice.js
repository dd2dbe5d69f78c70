// A position shown with dice: press one for its next face, or put it aside.

import { die } from "../dice.js";
import { h, show } from "../dom.js";
import { segments } from "../fields.js";
import { t } from "../i18n.js";

const usual = (game, values, name) => Number(values()[name] ?? game.parameters.find((each) => each.name === name)?.default ?? 0);
const falling = (faces) => [...faces].sort((a, b) => b - a);

/** Dice to press; `onShow` hears the position they make, as the game writes it, and `show` lays a position out. */
export function pickedDice(game, values, onShow) {
  const node = h("div", { class: "stack" });
  let lying = "";

  function lay({ aside: put, thrown, left: remaining }) {
    const count = usual(game, values, "dice"), casts = usual(game, values, "casts"), sides = usual(game, values, "die");
    const first = [...put, ...thrown];
    const faces = Array.from({ length: count }, (_, i) => first[i] ?? Math.max(1, sides - i)), aside = faces.map((_, i) => i < put.length && put.length < count);
    const left = segments({ legend: t("Casts left"), name: "left", value: String(remaining), choices: Array.from({ length: Math.max(0, casts - 1) }, (_, i) => ({ value: String(i + 1), label: String(i + 1) })), onChange: tell });
    const written = (some) => falling(some).join(sides > 9 ? "," : "") + (sides > 9 && some.length === 1 ? "," : "");
    const shown = () => ({ aside: faces.filter((_, i) => aside[i]), thrown: faces.filter((_, i) => !aside[i]), left: Number(left.value ?? 1) });
    function tell() {
      const now = shown(), kept = written(now.aside);
      lying = key(now);
      onShow(`${kept ? `${kept}+` : ""}${written(now.thrown)}, ${now.left} left`);
    }
    const row = h("div", { class: "dice" }, faces.map((_, i) => {
      const each = die(sides, { size: 64 }), word = h("span", {});
      const turn = h("button", { class: "keep", type: "button", on: { click: () => { faces[i] = faces[i] % sides + 1; say(); tell(); } } }, each.node, word);
      const move = h("button", { class: "button small", type: "button", on: { click: () => {
        aside[i] = !aside[i] && aside.filter(Boolean).length < count - 1;
        say();
        tell();
      } } });
      function say() {
        each.show(faces[i]);
        word.textContent = faces[i];
        turn.setAttribute("aria-label", t("Die {n} shows {face}; press for the next face", { n: i + 1, face: faces[i] }));
        move.setAttribute("aria-pressed", String(aside[i]));
        move.textContent = aside[i] ? t("aside") : t("thrown");
      }
      say();
      return h("div", { class: "die-and-word" }, turn, move);
    }));
    show(node, casts > 1 && sides ? [h("div", { class: "tray low" }, h("span", { class: "says" }, t("Or show it: press a die for its next face")), row, h("span")), left.node] : []);
  }

  /** Dice in another order are the same position, and those somebody has just pressed stay where they are. */
  const key = ({ aside, thrown, left }) => JSON.stringify([falling(aside), falling(thrown), left, values()]);
  return {
    node,
    show(position) {
      if (key(position) === lying) return;
      lying = key(position);
      lay(position);
    },
  };
}
