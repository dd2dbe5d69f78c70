// The page: which view is shown, and what all of them share.

import { allGames, whoAmI } from "./api.js";
import { clearCharts } from "./charts.js";
import { h, show } from "./dom.js";
import { useKeys } from "./keys.js";
import { openHelp } from "./help.js";
import { go } from "./go.js";
import { languageSwitch, t, translatePage } from "./i18n.js";

// A view is a module whose default export draws itself into a node and may return what to do when it goes.
const VIEWS = {
  play: () => import("./views/play.js"),
  table: () => import("./views/table.js"),
  review: () => import("./views/review.js"),
  history: () => import("./views/history.js"),
  explore: () => import("./views/explore.js"),
  versus: () => import("./views/versus.js"),
  study: () => import("./views/study.js"),
  admin: () => import("./views/admin.js"),
};
const TITLES = {
  play: "Play", table: "At the table", review: "Review", history: "History", explore: "Explore", versus: "Versus", study: "Study", admin: "Administrator",
};

/** A part of an address as text; one that is no text stays as it is, and is found nowhere. */
function decoded(part) {
  try { return decodeURIComponent(part); } catch { return part; }
}

function route(url) {
  const [first = "play", second] = url.pathname.split("/").filter(Boolean);
  const id = second ? decoded(second) : null;
  if (first === "play" && id) return { view: "table", id, tab: "play" };
  if (Object.hasOwn(VIEWS, first) && first !== "table") return { view: first, id, tab: { review: "history", admin: "study" }[first] ?? first };
  return { view: null, id: null, tab: null };
}

/** A page for an address that leads nowhere. */
function nowhere(place, path) {
  show(place, h("div", { class: "page-head" }, h("h1", {}, "There is no such page"), h("p", { class: "lead" }, `Nothing is at ${path}.`)),
    h("p", {}, h("a", { class: "button primary", href: "/play" }, "To the games")));
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
  document.title = `${TITLES[view] ?? "No such page"} · dicelab`;
  const main = document.getElementById("view");
  const place = h("div", { class: "stack", "data-view": view ?? "nowhere" });
  show(main, place);
  if (!view) { nowhere(place, url.pathname); place.dataset.ready = "yes"; return; }
  if (focus) { scrollTo(0, 0); main.focus({ preventScroll: true }); }
  const waiting = setTimeout(() => { if (!place.firstChild) show(place, h("p", { class: "loading" }, "One moment")); }, 250);
  try {
    const [module] = await Promise.all([VIEWS[view](), whoAmI(), allGames()]);
    if (mine !== turn) return;
    const gone = await module.default(place, { id, url });
    if (mine === turn) { leave = gone ?? null; place.dataset.ready = "yes"; } else gone?.();
  } catch (problem) {
    if (mine !== turn) return;
    show(place, h("div", { class: "page-head" }, h("h1", {}, "That did not work")), h("p", { class: "error" }, problem.message),
      h("p", {}, h("a", { class: "button", href: "/play" }, "To the games")));
    if (!problem.status) console.error(problem);
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

translatePage();
draw({ focus: false });

