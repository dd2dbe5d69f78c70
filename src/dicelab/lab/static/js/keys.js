// Keyboard play. A view says what its keys do; keys are dead while somebody writes, and may be switched off.

let keys = new Map();
const OFF = "dicelab-keys-off";

export const keysAreOn = () => localStorage.getItem(OFF) !== "yes";
export const switchKeys = (on) => on ? localStorage.removeItem(OFF) : localStorage.setItem(OFF, "yes");

/** Let keys do these things until the next view. */
export function useKeys(map) {
  keys = new Map(Object.entries(map));
}

const writes = (node) => node?.closest?.("input:not([type=radio]):not([type=checkbox]), textarea, select, [contenteditable], dialog, [data-walk]");

addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || !keysAreOn()) return;
  if (writes(event.target) || document.querySelector("dialog[open]")) return;
  // Enter and space belong to what has the focus.
  if ((event.key === "Enter" || event.key === " ") && event.target.closest?.("a, button, input, summary")) return;
  const act = keys.get(event.key.length === 1 ? event.key.toLowerCase() : event.key);
  if (!act) return;
  event.preventDefault();
  act();
});
