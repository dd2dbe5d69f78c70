// Keys, pace and the rest of what one may want to know, in a dialog.

import { h } from "./dom.js";
import { t, tp } from "./i18n.js";
import { keysAreOn, switchKeys } from "./keys.js";
import { pace, setPace, PACES } from "./pace.js";
import { soundIsOn, switchSound } from "./sound.js";
import { segments } from "./fields.js";

export function openHelp() {
  const back = document.activeElement;
  const rules = document.querySelector("[data-rules]")?.textContent; // of the game that is being played
  const key = (text) => h("kbd", {}, text);
  const on = h("input", { type: "checkbox", checked: keysAreOn(), on: { change: () => switchKeys(on.checked) } });
  const speed = segments({
    legend: t("How fast the dice fall"), name: "pace", value: pace(),
    choices: Object.entries(PACES).map(([value, { label }]) => ({ value, label })), onChange: setPace,
  });
  const sound = h("input", { type: "checkbox", "data-field": "sound", checked: soundIsOn(), on: { change: () => switchSound(sound.checked) } });
  const dialog = h("dialog", { "aria-labelledby": "help-title" },
    rules ? [h("h2", {}, t("Rules")), h("p", { class: "rules" }, rules)] : null,
    h("h2", { id: "help-title" }, t("Keys and pace")),
    h("dl", { class: "keys" },
      h("dt", {}, key("R"), " ", key("H"), " ", key("P")), h("dd", {}, t("roll, hold, pass")),
      h("dt", {}, key("1"), " … ", key("9")), h("dd", {}, t("throw so many dice (from ten on: type the number, then Enter), or choose dice to keep")),
      h("dt", {}, key("Enter")), h("dd", {}, t("cast again, or stop, with the dice picked")),
      h("dt", {}, key("S")), h("dd", {}, t("skip the other player's dice")),
      h("dt", {}, key("V"), " ", key("N")), h("dd", {}, t("after a game: review it, play another")),
      h("dt", {}, key("←"), " ", key("→"), " ", key("↑"), " ", key("↓")), h("dd", {}, t("walk on a map that has the focus; with Shift five steps at once")),
      h("dt", {}, key("?")), h("dd", {}, t("this"))),
    h("div", { class: "stack" },
      h("label", { class: "check" }, on, t("Single keys play (switch off if you use speech input)")),
      speed.node,
      h("label", { class: "check" }, sound, t("The sound of dice")),
      h("p", { class: "soft small" }, t("Everything happens on this machine: the dice, the solver, the record."), " ",
        tp("{link} is documented too.", { link: h("a", { href: "/api/docs", "data-plain": "yes" }, t("The interface for programs")) })),
      h("button", { class: "button primary", type: "button", on: { click: () => dialog.close() } }, t("Close"))));
  dialog.addEventListener("close", () => { dialog.remove(); back?.focus?.(); });
  document.body.append(dialog);
  dialog.showModal();
}
