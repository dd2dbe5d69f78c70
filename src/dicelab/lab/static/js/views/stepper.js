// Many moves that are numbers: one number to step through, which starts near a sensible one.

import { h } from "../dom.js";
import { t } from "../i18n.js";

export const MANY = 12; // more numbers than these are stepped through; fewer have a button each

/**
 * Return a stepper for numbered moves, with the keys it listens to. It starts at the sensible move, or in the middle;
 * a digit begins a new number, and `play` gets the move.
 */
export function stepper(moves, play) {
  const byNumber = new Map(moves.map((each) => [each.number, each]));
  const all = [...byNumber.keys()].sort((a, b) => a - b), least = all[0], most = all.at(-1);
  const usual = Math.max(...moves.filter((each) => each.front).map((each) => each.number));
  let at = moves.find((each) => each.sensible)?.number ?? all[Math.floor(all.length / 2)], typed = "";

  const input = h("input", { type: "number", inputmode: "numeric", min: least, max: most, "aria-label": t("Your number"), "data-field": "number" });
  const less = h("button", { class: "button", type: "button", "aria-label": t("One less"), "data-step": "-1", on: { click: () => step(-1) } }, "−");
  const more = h("button", { class: "button", type: "button", "aria-label": t("One more"), "data-step": "1", on: { click: () => step(1) } }, "+");
  const act = h("button", { class: "button primary", type: "button", "aria-keyshortcuts": "Enter", on: { click: throwIt } });
  const note = h("p", { class: "soft small", role: "status" });

  function tell(written = true) {
    const move = byNumber.get(at);
    if (written) input.value = at;
    act.textContent = move?.label ?? t("From {least} to {most}", { least, most });
    act.disabled = !move;
    if (move) act.dataset.move = move.move; else delete act.dataset.move;
    less.setAttribute("aria-disabled", String(at <= least));
    more.setAttribute("aria-disabled", String(at >= most));
    note.textContent = at > usual ? t("More than {n} is never better.", { n: usual }) : "";
  }
  function set(n, written = true) {
    at = n;
    tell(written);
  }
  function step(by) {
    typed = "";
    set(Math.min(most, Math.max(least, (Number.isFinite(at) ? at : least) + by)));
  }
  function throwIt() {
    typed = "";
    if (byNumber.has(at)) play(byNumber.get(at).move);
  }
  input.addEventListener("input", () => set(input.value === "" ? NaN : Number(input.value), false));
  input.addEventListener("keydown", (event) => { if (event.key === "Enter") throwIt(); });
  tell();

  const keys = { Enter: throwIt, ArrowUp: () => step(1), ArrowDown: () => step(-1), "+": () => step(1), "-": () => step(-1) };
  for (const digit of "0123456789") {
    keys[digit] = () => {
      typed = `${typed}${digit}`.slice(-String(most).length);
      set(Number(typed));
    };
  }
  return { node: h("div", { class: "stepper" }, h("div", { class: "steps" }, less, input, more), act, note), keys };
}
