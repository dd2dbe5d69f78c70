// Keys, pace and the rest of what one may want to know, in a dialog.

import { h } from "./dom.js";
import { keysAreOn, switchKeys } from "./keys.js";
import { pace, setPace, PACES } from "./pace.js";
import { segments } from "./fields.js";

export function openHelp() {
  const back = document.activeElement;
  const key = (text) => h("kbd", {}, text);
  const on = h("input", { type: "checkbox", checked: keysAreOn(), on: { change: () => switchKeys(on.checked) } });
  const speed = segments({
    legend: "How fast the dice fall", name: "pace", value: pace(),
    choices: Object.entries(PACES).map(([value, { label }]) => ({ value, label })), onChange: setPace,
  });
  const dialog = h("dialog", { "aria-labelledby": "help-title" },
    h("h2", { id: "help-title" }, "Keys and pace"),
    h("dl", { class: "keys" },
      h("dt", {}, key("R"), " ", key("H"), " ", key("P")), h("dd", {}, "roll, hold, pass"),
      h("dt", {}, key("1"), " … ", key("9")), h("dd", {}, "throw so many dice (from ten on: type the number, then Enter), or choose dice to keep"),
      h("dt", {}, key("Enter")), h("dd", {}, "cast again, or stop, with the dice picked"),
      h("dt", {}, key("S")), h("dd", {}, "skip the other player's dice"),
      h("dt", {}, key("V"), " ", key("N")), h("dd", {}, "after a game: review it, play another"),
      h("dt", {}, key("←"), " ", key("→"), " ", key("↑"), " ", key("↓")), h("dd", {}, "walk on a map that has the focus; with Shift five steps at once"),
      h("dt", {}, key("?")), h("dd", {}, "this")),
    h("div", { class: "stack" },
      h("label", { class: "check" }, on, "Single keys play (switch off if you use speech input)"),
      speed.node,
      h("p", { class: "soft small" }, "Everything happens on this machine: the dice, the solver, the record. ",
        h("a", { href: "/api/docs", "data-plain": "yes" }, "The interface for programs"), " is documented too."),
      h("button", { class: "button primary", type: "button", on: { click: () => dialog.close() } }, "Close")));
  dialog.addEventListener("close", () => { dialog.remove(); back?.focus?.(); });
  document.body.append(dialog);
  dialog.showModal();
}
