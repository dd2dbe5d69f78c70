// A position shown with dice: press one for its next face, or put it aside.

import { die } from "../dice.js";
import { h, show } from "../dom.js";
import { segments } from "../fields.js";

const usual = (game, values, name) => Number(values()[name] ?? game.parameters.find((each) => each.name === name)?.default ?? 0);

/** Dice to press; `onShow` hears the position they make, as the game writes it. */
export function pickedDice(game, values, onShow) {
  const node = h("div", { class: "stack" });
  let drawn = "";

  function draw() {
    const count = usual(game, values, "dice"), casts = usual(game, values, "casts"), sides = usual(game, values, "die");
    const key = `${count} ${casts} ${sides}`;
    if (key === drawn) return;
    drawn = key;
    const faces = Array.from({ length: count }, (_, i) => Math.max(1, sides - i)), aside = faces.map(() => false);
    const left = segments({ legend: "Casts left", name: "left", value: String(casts - 1), choices: Array.from({ length: Math.max(0, casts - 1) }, (_, i) => ({ value: String(i + 1), label: String(i + 1) })), onChange: tell });
    const written = (some) => some.sort((a, b) => b - a).join(sides > 9 ? "," : "") + (sides > 9 && some.length === 1 ? "," : "");
    function tell() {
      const kept = written(faces.filter((_, i) => aside[i])), thrown = written(faces.filter((_, i) => !aside[i]));
      onShow(`${kept ? `${kept}+` : ""}${thrown}, ${left.value} left`);
    }
    const row = h("div", { class: "dice" }, faces.map((_, i) => {
      const each = die(sides, { size: 64 }), word = h("span", {});
      const turn = h("button", { class: "keep", type: "button", on: { click: () => { faces[i] = faces[i] % sides + 1; say(); tell(); } } }, each.node, word);
      const put = h("button", { class: "button small", type: "button", "aria-pressed": "false", on: { click: () => {
        aside[i] = !aside[i] && aside.filter(Boolean).length < count - 1;
        put.setAttribute("aria-pressed", String(aside[i]));
        put.textContent = aside[i] ? "aside" : "thrown";
        tell();
      } } }, "thrown");
      function say() {
        each.show(faces[i]);
        word.textContent = faces[i];
        turn.setAttribute("aria-label", `Die ${i + 1} shows ${faces[i]}; press for the next face`);
      }
      say();
      return h("div", { class: "die-and-word" }, turn, put);
    }));
    show(node, casts > 1 && sides ? [h("div", { class: "tray low" }, h("span", { class: "says" }, "Or show it: press a die for its next face"), row, h("span")), left.node] : []);
  }

  return { node, renew: draw };
}
