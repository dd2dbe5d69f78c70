// How fast dice fall and the other player moves. One's own dice never keep one waiting for more than half a second.

import { reducedMotion } from "./dom.js";
import { t } from "./i18n.js";

export const PACES = {
  calm: { label: t("Calm"), roll: 850, own: 480, rest: 650 },
  brisk: { label: t("Brisk"), roll: 480, own: 320, rest: 260 },
  instant: { label: t("At once"), roll: 0, own: 0, rest: 0 },
};
const KEY = "dicelab-pace";

export const pace = () => (localStorage.getItem(KEY) in PACES ? localStorage.getItem(KEY) : "calm");
export const setPace = (name) => localStorage.setItem(KEY, name);

/** Milliseconds of a throw, one's own or another's, and of the breath after it. Without motion there is still time to read. */
export function tempo(mine = false) {
  const { roll, own, rest } = PACES[pace()];
  return reducedMotion() ? { roll: 0, rest: rest && rest + 150 } : { roll: mine ? own : roll, rest };
}
