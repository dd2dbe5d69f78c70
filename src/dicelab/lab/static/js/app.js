// The page: which view is shown, and what all of them share.

import { allGames, whoAmI } from "./api.js";
import { clearCharts } from "./charts.js";
import { alarm, h, show } from "./dom.js";
import { useKeys } from "./keys.js";
import { openHelp } from "./help.js";
import { go } from "./go.js";
import { languageSwitch, t, translatePage } from "./i18n.js";

// A view is a module whose default export draws itself into a node and may return what to do when it goes.
const VIEWS = {
  play: () => import("./views/play.js"),
  table: () => import("./views/table.js"),
  together: () => import("./views/together.js"),
  join: () => import("./views/join.js"),
  watch: () => import("./views/watch.js"),
  review: () => import("./views/review.js"),
  history: () => import("./views/history.js"),
  train: () => import("./views/train.js"),
  daily: () => import("./views/daily.js"),
  explore: () => import("./views/explore.js"),
  position: () => import("./views/position.js"),
  versus: () => import("./views/versus.js"),
  study: () => import("./views/study.js"),
  admin: () => import("./views/admin.js"),
};
const TITLES = {
  play: t("Play"), table: t("At the table"), review: t("Review"), history: t("History"), train: t("Train"), daily: t("The game of the day"), explore: t("Explore"), position: t("Set a position"), together: t("Play with a friend"), join: t("An invitation"), watch: t("Watching"), versus: t("Versus"), study: t("Study"), admin: t("Administrator"),
};

/** A part of an address as text; one that is no text stays as it is, and is found nowhere. */
function decoded(part) {
  try { return decodeURIComponent(part); } catch { return part; }
}

function route(url) {
  const [first = "play", second] = url.pathname.split("/").filter(Boolean);
  const id = second ? decoded(second) : null;
  if (first === "play" && id) return { view: "table", id, tab: "play" };
  if (Object.hasOwn(VIEWS, first) && first !== "table") return { view: first, id, tab: { review: "history", admin: "study", daily: "play", together: "play", join: "play", watch: "play", position: "explore" }[first] ?? first };
  return { view: null, id: null, tab: null };
}

/** A page for when the lab is out of reach: the files of the page were kept, all else is there. It comes back by itself. */
function away(place, problem) {
  show(place, h("div", { class: "page-head", "data-away": "yes" }, h("h1", {}, t("The lab is out of reach")), h("p", { class: "lead" }, t("This page was kept here, so it opens; games, dice and records are where the lab runs. Start it there, or go back to its network: nothing is lost."))),
    h("p", {}, h("button", { class: "button primary", type: "button", "data-do": "again", on: { click: () => draw() } }, t("Try again"))));
  alarm(problem.message);
}

/** A page for an address that leads nowhere. */
function nowhere(place, path) {
  show(place, h("div", { class: "page-head" }, h("h1", {}, t("There is no such page")), h("p", { class: "lead" }, t("Nothing is at {path}.", { path }))),
    h("p", {}, h("a", { class: "button primary", href: "/play" }, t("To the games"))));
}

let leave = null;
let turn = 0;

async function draw({ focus = true } = {}) {
  const mine = ++turn;
  const url = new URL(location.href);
  const { view, id, tab } = route(url);
  leave?.();
  leave = null;
  clearCharts();
  useKeys({});
  for (const link of document.querySelectorAll(".tabs a")) {
    if (link.dataset.tab === tab) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  document.title = `${TITLES[view] ?? t("No such page")} · dicelab`;
  const main = document.getElementById("view");
  const place = h("div", { class: "stack", "data-view": view ?? "nowhere" });
  show(main, place);
  if (!view) { nowhere(place, url.pathname); place.dataset.ready = "yes"; return; }
  if (focus) { scrollTo(0, 0); main.focus({ preventScroll: true }); }
  const waiting = setTimeout(() => { if (!place.firstChild) show(place, h("p", { class: "loading" }, t("One moment"))); }, 250);
  try {
    const [module] = await Promise.all([VIEWS[view](), whoAmI(), allGames()]);
    if (mine !== turn) return;
    const gone = await module.default(place, { id, url });
    if (mine === turn) { leave = gone ?? null; place.dataset.ready = "yes"; } else gone?.();
    for (const here of place.querySelectorAll(".subnav.long [aria-current]")) here.parentNode.scrollLeft = here.offsetLeft - here.parentNode.clientWidth / 2; // a phone shows one line of it
  } catch (problem) {
    if (mine !== turn) return;
    if (problem.kind === "Away") away(place, problem);
    else show(place, h("div", { class: "page-head" }, h("h1", {}, t("That did not work"))), h("p", { class: "error" }, problem.message),
      h("p", {}, h("a", { class: "button", href: "/play" }, t("To the games"))));
    if (!problem.status && !problem.kind) console.error(problem);
    place.dataset.ready = "yes";
  } finally {
    clearTimeout(waiting);
  }
}

addEventListener("click", (event) => {
  const link = event.target.closest?.("a[href]");
  if (!link || event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  if (link.origin !== location.origin || link.target || link.hasAttribute("download") || link.dataset.plain) return;
  if (link.getAttribute("href").startsWith("#") || /^\/(api|static|openapi)/.test(link.pathname)) return;
  event.preventDefault();
  go(link.pathname + link.search + link.hash);
});
addEventListener("popstate", () => draw());
languageSwitch(document.getElementById("language-button"));
document.getElementById("help-button").addEventListener("click", openHelp);
addEventListener("keydown", (event) => {
  if (event.key === "?" && !event.target.closest?.("input, textarea, select, dialog")) { event.preventDefault(); openHelp(); }
});

addEventListener("online", () => { if (document.querySelector("[data-away]")) draw(); });
// Browsers have this on the machine itself and over https; without it all is the same, but for opening offline.
const keepPage = () => navigator.serviceWorker?.register("/sw.js", { updateViaCache: "none" }).catch(() => {});
if (document.readyState === "complete") keepPage(); else addEventListener("load", keepPage); // after what the page needs now

translatePage();
draw({ focus: false });

