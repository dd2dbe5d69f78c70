// How fast dice fall and the other player moves.

import { reducedMotion } from "./dom.js";

export const PACES = {
  calm: { label: "Calm", roll: 850, rest: 650 },
  brisk: { label: "Brisk", roll: 480, rest: 260 },
  instant: { label: "At once", roll: 0, rest: 0 },
};
const KEY = "dicelab-pace";

export const pace = () => (localStorage.getItem(KEY) in PACES ? localStorage.getItem(KEY) : "calm");
export const setPace = (name) => localStorage.setItem(KEY, name);

/** Milliseconds of a throw and of the breath after it. Without motion there is still time to read. */
export function tempo() {
  const { roll, rest } = PACES[pace()];
  return reducedMotion() ? { roll: 0, rest: rest && rest + 150 } : { roll, rest };
}
