// The chance to win as a bar: yours from the left, the other's from the right.

import { h } from "./dom.js";
import { t } from "./i18n.js";
import { percent } from "./words.js";

/** Return a bar with `set(x)`, where x is your share; `them` is empty in a game for one. */
export function winBar({ you = t("You"), them = t("Opponent"), label = t("chance to win") } = {}) {
  const mine = h("span"), theirs = h("span"), fill = h("i");
  const node = h("div", { class: `bar${them ? "" : " one"}`, role: "img" },
    h("div", { class: "ends", "aria-hidden": "true" }, mine, theirs), h("div", { class: "line" }, fill));
  return {
    node,
    set(x, { text = percent(x), other = percent(1 - x), said = null } = {}) {
      fill.style.setProperty("--x", Math.min(1, Math.max(0, x)));
      node.dataset.value = x;
      mine.textContent = `${you} ${text}`.trim();
      theirs.textContent = them ? `${other} ${them}` : "";
      node.setAttribute("aria-label", said ?? t("{what}: {share}", { what: label, share: [`${you} ${text}`.trim(), them && `${them} ${other}`].filter(Boolean).join(", ") }));
      return this;
    },
  };
}

