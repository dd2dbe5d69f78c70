// On a narrow page the coach is one line that opens; on a wide one it stands there whole.

import { h, show } from "../dom.js";
import { t } from "../i18n.js";
import { measure, percent } from "../words.js";

const KEY = "dicelab-coach-open";

/** What stands in the line: the worth against perfect play, as advice has it, and the first that the coach says. */
function inShort(match, node) {
  const { coach } = match;
  const worth = match.over || match.warning || !coach ? null : measure(match).isPercent && coach.share !== null ? percent(coach.share) : coach.said;
  const said = node.querySelector(".warning, [data-advice]") ?? node.querySelector(".stack p");
  return { worth, said: said?.textContent ?? "" };
}

/** Return a coach's panel that has such a line. */
export function folding(coach) {
  const { node } = coach, line = h("span", { class: "fold-line" });
  const button = h("button", { class: "fold", type: "button", on: { click: () => { turn(!node.classList.contains("open")); node.scrollIntoView({ block: "nearest" }); } } }, h("span", { class: "unseen" }, t("What the coach says")), line);
  node.querySelector("header").append(button);
  function turn(open) {
    localStorage.setItem(KEY, open ? "yes" : "no");
    node.classList.toggle("open", open);
    button.setAttribute("aria-expanded", String(open));
  }
  turn(localStorage.getItem(KEY) === "yes");
  return {
    ...coach,
    draw(match) {
      coach.draw(match);
      const { worth, said } = inShort(match, node);
      node.classList.toggle("warned", Boolean(match.warning));
      show(line, worth ? h("b", {}, worth) : null, h("span", {}, said));
    },
  };
}
