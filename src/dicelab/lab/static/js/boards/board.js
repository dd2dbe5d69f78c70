// The board of a match: what lies on the table, and playing by pointing at it.
// Items that are picked narrow the moves down; one that leaves a single move about it alone plays that move.

import { h, show } from "../dom.js";
import { drawnPart } from "./parts.js";

/** Whether all of these keys are among those, each as often as it stands there. */
function within(some, all) {
  const left = [...all];
  return some.every((key) => { const place = left.indexOf(key); if (place < 0) return false; left.splice(place, 1); return true; });
}

/** Return the board; `onMove` plays a move, `onPick` hears that something else is picked. */
export function matchBoard({ onMove, onPick }) {
  const above = h("div", { class: "boards" }), below = h("div", { class: "boards" });
  let moves = [], picked = [], dice = null, parts = [], sides = 6, shown = new Map();

  const about = (keys) => moves.filter((each) => each.touches?.length && within(keys, each.touches));
  const keysOf = (items) => items.map((item) => item.key);
  const exactly = (keys) => about(keys).filter((each) => each.touches.length === keys.length);

  function toggle(item) {
    const without = picked.filter((each) => each !== item);
    let next = without.length < picked.length ? without : [...picked, item];
    if (!about(keysOf(next)).length) next = [item]; // what does not go together begins anew
    const [only, ...others] = about(keysOf(next));
    if (next.length === 1 && !others.length && only.touches.length === 1) { onMove(only.move); return; }
    picked = next;
    for (const [each, node] of shown) node.setAttribute("aria-pressed", String(picked.includes(each)));
    onPick();
  }

  function pick(item, content, attributes) {
    const can = item.key && moves.filter((each) => each.touches?.includes(item.key));
    if (!can?.length) return h("div", attributes, content);
    const alone = can.length === 1 && can[0].touches.length === 1;
    const node = h("button", { ...attributes, class: `${attributes.class} can`, type: "button", "data-move": alone ? can[0].move : undefined, "aria-pressed": alone ? undefined : "false", on: { click: () => toggle(item) } }, content);
    if (!alone) shown.set(item, node);
    return node;
  }

  return {
    above, below,
    /** The dice, where they can be picked. */
    get dice() { return dice; },
    get hasPicked() { return picked.length > 0; },
    /** The moves that are still meant, those about exactly what is picked first. */
    get meant() { return { exact: picked.length ? exactly(keysOf(picked)) : [], others: picked.length ? about(keysOf(picked)).filter((each) => each.touches.length > picked.length) : [] }; },
    /** Whether a move is on a card, to be played there. */
    onCard: (move) => parts.some((part) => part.part === "card" && part.items.some((item) => move.touches?.length === 1 && move.touches[0] === item.key)),
    /** Whether a field of the position is drawn already. */
    draws: (field) => parts.some((part) => part.fields.includes(field)),
    holds: (node) => above.contains(node) || below.contains(node) || Boolean(dice?.contains(node)),
    focus: () => (below.querySelector("button") ?? above.querySelector("button"))?.focus({ preventScroll: true }),
    clear() { picked = []; for (const node of shown.values()) node.setAttribute("aria-pressed", "false"); onPick(); },
    draw(match) {
      ({ moves } = match);
      parts = match.position.board ?? [];
      sides = match.layout.sides;
      picked = [];
      shown = new Map();
      const made = parts.map((part) => [part.part, drawnPart(part, pick, { sides })]).filter(([, node]) => node);
      dice = match.over ? null : made.find(([kind]) => kind === "dice")?.[1] ?? null;
      show(above, made.filter(([kind]) => kind !== "dice" && kind !== "card").map(([, node]) => node));
      show(below, made.filter(([kind]) => kind === "card").map(([, node]) => node));
    },
  };
}
