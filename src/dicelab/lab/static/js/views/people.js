// Two people at one table: who sits there, the links, waiting for the other, and passing the device.

import { post, remove } from "../api.js";
import { announce, h, freshId, show } from "../dom.js";
import { t } from "../i18n.js";

export const EVERY = 1500; // ms between two looks at what the other has done
const kept = (id, kind) => `dicelab-link-${id}-${kind}`;
const LOOPBACK = /^(localhost|127\.0\.0\.1|\[::1\])$/;

/** Open a link to a match, which only this browser then knows in full. */
export async function openLink(id, kind) {
  const { link } = await post(`/api/matches/${encodeURIComponent(id)}/links`, { kind });
  sessionStorage.setItem(kept(id, kind), location.origin + link);
}

/** What to say where somebody else is to decide; nothing where it is one's own move. */
export function waitingFor(match) {
  const { people } = match;
  if (!people || match.over || match.moves.length) return null;
  if (people.names.includes(null)) return t("Nobody sits opposite yet. Give somebody the link to the seat.");
  if (people.you !== null && people.chosen[people.you]) return t("You have chosen. The dice fall when {name} has too.", { name: people.names[1 - people.you] });
  if (people.chosen.some(Boolean)) return t("One has chosen, unseen by the other.");
  return t("{name} is to move.", { name: people.names[people.turn ?? 0] });
}

/** Whether the moves wait under a cover until the one whose turn it is has the device. */
export const isCovered = (match) => Boolean(match.people) && match.people.where === "here" && match.kind === "at-once" && !match.over && !match.people.watching;

/** Where a link stands to be copied, with what ends it. */
function linkRow(match, kind, words, redraw, fail) {
  const known = sessionStorage.getItem(kept(match.id, kind)), id = freshId("link");
  const input = h("input", { type: "text", id, readonly: true, "data-link": kind, on: { focus: () => input.select() } });
  input.value = known ?? t("This link was made in another window. Make a new one to see it.");
  const copy = h("button", { class: "button small", type: "button", "data-copy": kind, disabled: !known, on: { click: async () => {
    try { await navigator.clipboard.writeText(known); copy.textContent = t("Copied"); announce(t("The link is copied")); } catch { input.focus(); }
  } } }, t("Copy"));
  const again = h("button", { class: "button small", type: "button", on: { click: () => openLink(match.id, kind).then(redraw, fail) } }, t("New link"));
  const end = h("button", { class: "button quiet small", type: "button", "data-end": kind, on: { click: () => remove(`/api/matches/${encodeURIComponent(match.id)}/links/${kind}`).then(redraw, fail) } }, t("End the link"));
  return h("div", { class: "stack" }, h("div", { class: "field" }, h("label", { for: id }, words), input), h("div", { class: "row" }, copy, again, end));
}

/** The card of who plays: to the host with the links, to a guest with the way out. `redraw` asks the lab anew. */
export function company(redraw, fail) {
  const place = h("div", { class: "stack" });
  const node = h("section", { class: "card", "aria-labelledby": "company-title", "data-company": "yes" }, h("h2", { id: "company-title" }, t("Two people")), place);
  let drawn = "";
  return {
    node,
    draw(match) {
      const { people } = match;
      node.hidden = !people;
      if (!people || drawn === JSON.stringify([people, match.over])) return;
      drawn = JSON.stringify([people, match.over]);
      const open = (kind) => openLink(match.id, kind).then(redraw, fail);
      const may = people.host && !match.over;
      const watch = h("input", { type: "checkbox", checked: people.links.includes("watch"), "data-let": "watch",
        on: { change: () => (watch.checked ? open("watch") : remove(`/api/matches/${encodeURIComponent(match.id)}/links/watch`).then(redraw, fail)) } });
      const seat = h("input", { type: "checkbox", checked: people.links.includes("seat"), "data-let": "seat",
        on: { change: () => (seat.checked ? open("seat") : remove(`/api/matches/${encodeURIComponent(match.id)}/links/seat`).then(redraw, fail)) } });
      show(place,
        h("p", { "data-names": people.names.map((name) => name ?? "").join(" ") }, t("{first} and {second}", { first: people.names[0], second: people.names[1] ?? t("a free seat") }), people.watching ? [" ", h("span", { class: "tag plain" }, t("you watch"))] : null),
        may && people.where === "link" ? [h("label", { class: "check" }, seat, t("Let somebody join by link")), people.links.includes("seat") ? linkRow(match, "seat", t("Link to the free seat"), redraw, fail) : null] : null,
        may ? [h("label", { class: "check" }, watch, t("Let others watch by link")), people.links.includes("watch") ? linkRow(match, "watch", t("Link to watch"), redraw, fail) : null] : null,
        may && people.links.length && LOOPBACK.test(location.hostname) ? h("p", { class: "hint", "data-reach": "no" }, t("This lab answers on this machine only: the links work here, in another browser or window. For others on your network, start it with --host and open it by the address of this machine.")) : null,
        people.you === 1 && !match.over ? h("div", { class: "row" }, h("button", { class: "button quiet small", type: "button", "data-do": "leave", on: { click: () => post(`/api/matches/${encodeURIComponent(match.id)}/leave`).then(() => { location.href = "/play"; }, fail) } }, t("Leave the seat"))) : null,
        h("p", { class: "soft small" }, t("Dice are thrown by the lab. A game between people counts in no statistics; each has a review.")));
    },
  };
}

/** Links to the reviews of both. */
export const reviewsOf = (match) => match.people.names.map((name, seat) => h("a", { class: "button", href: `/review/${match.id}?seat=${seat}`, "data-review": seat }, t("Review of {name}", { name: name ?? t("another person") })));
