// The game of the day: the same dice for everybody, one try, and a line to paste.

import { allGames, get, post } from "../api.js";
import { announce, h, show, stat } from "../dom.js";
import { go } from "../go.js";
import { t, tn } from "../i18n.js";
import { failure, progressPlace } from "../waiting.js";
import { onDay, when } from "../words.js";

/** What can be done with today's game: begin, go on, or look at how it went. */
function action(day, begin) {
  if (day.over) return h("a", { class: "button", href: "/daily", "data-do": "daily" }, t("Your result"));
  if (day.match) return h("a", { class: "button primary", href: `/play/${day.match}`, "data-do": "daily" }, t("Go on"));
  return begin ?? h("a", { class: "button primary", href: "/daily", "data-do": "daily" }, t("Have a look"));
}

/** What leads here from another page, asked for before that is drawn, so that nothing moves under a finger. */
export async function todaysGame() {
  const day = await get("/api/daily").catch(() => null);
  return day && h("section", { class: "card daily", "aria-labelledby": "daily-title" },
    h("div", {}, h("h2", { id: "daily-title" }, t("The game of the day: {game}", { game: day.headline })), h("p", { class: "soft" }, day.over ? `${day.streak} ${tn("day in a row", "days in a row", day.streak)}` : t("The same dice for everybody, and one try."))),
    action(day));
}

/** The line, and a button that copies it. */
function pasted({ line, review }) {
  const said = h("span", { class: "hint", role: "status" });
  const copy = h("button", { class: "button primary", type: "button", "data-do": "copy", on: { click: async () => {
    try { await navigator.clipboard.writeText(line); said.textContent = t("Copied."); } catch { said.textContent = t("Mark the text above and copy it."); }
  } } }, t("Copy this"));
  return [
    h("pre", { class: "to-paste", "data-line": "yes", tabindex: "0", "aria-label": t("Your result as a text") }, line),
    h("p", { class: "soft small" }, t("A sign for each of your turns, by its dearest decision: · best or fine, ?! inaccuracy, ? mistake, ?? blunder.")),
    h("div", { class: "row" }, copy, h("a", { class: "button", href: review }, t("Review")), said),
  ];
}

export default async function daily(place) {
  const [day, games] = await Promise.all([get("/api/daily"), allGames()]);
  const progress = progressPlace(), problem = h("div"), body = h("div", { class: "stack" });
  const begin = h("button", { class: "button primary start", type: "button", "data-do": "begin", on: { click: async () => {
    begin.disabled = true;
    show(problem);
    try {
      const match = await post("/api/daily", {}, { onProgress: progress.onProgress });
      go(`/play/${match.id}?new`);
    } catch (refused) {
      begin.disabled = false;
      progress.done();
      show(problem, failure(refused));
    }
  } } }, t("Throw the dice"));
  show(place,
    h("div", { class: "page-head" }, h("p", { class: "soft" }, onDay(day.day)), h("h1", {}, t("The game of the day: {game}", { game: day.headline })),
      h("p", { class: "lead" }, t("Whoever plays today gets the same dice, against perfect play. One try, no coach, and nothing is taken back.")),
      h("p", {}, games.find((each) => each.name === day.game)?.about)),
    h("section", { class: "card", "data-daily": day.over ? "over" : day.match ? "open" : "new", "aria-label": t("Your try") }, body), progress.node, problem,
    h("div", { class: "stats" }, stat(String(day.streak), tn("day in a row", "days in a row", day.streak)), stat(when(day.next), t("the next game begins"))));
  if (!day.over) { show(body, h("div", { class: "row" }, action(day, begin))); return; }
  try {
    const told = await get(`/api/daily/${day.day}/line`, { onProgress: progress.onProgress });
    show(body, h("h2", {}, t("Your result")), pasted(told));
    announce(told.line);
  } catch (refused) { show(problem, failure(refused)); }
  progress.done();
}
