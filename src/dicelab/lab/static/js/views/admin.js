// The administrator's page: the study over everyone's games, and records in and out.

import { adminToken, download, fetchFile, get, query, remove, sendFile, setAdminToken } from "../api.js";
import { lines } from "../charts.js";
import { announce, h, show, stat } from "../dom.js";
import { dropdown } from "../fields.js";
import { failure, progressPlace } from "../waiting.js";
import { capital, listed, percent, plain, plural, titled } from "../words.js";

const ORDER = ["averse", "neutral", "seeking", "everybody"];
const TOKENS = { averse: "you", neutral: "gold", seeking: "them", everybody: "soft" };
const MEASURES = { banked: "points banked per held turn", rolls: "rolls per turn", holds_at: "where they hold", slope: "points a turn" };
const p = (x) => (x === null || x === undefined ? "–" : x < 0.001 ? "p < 0.001" : `p = ${Number(x).toPrecision(2)}`);

function askToken(place, draw, refused) {
  const input = h("input", { type: "password", id: "token", autocomplete: "off" });
  show(place, h("div", { class: "page-head" }, h("h1", {}, "Administrator")),
    h("form", { class: "card", on: { submit: (event) => { event.preventDefault(); setAdminToken(input.value.trim()); draw(); } } },
      h("div", { class: "field" }, h("label", { for: "token" }, "The token the server printed when it started"), input),
      adminToken() ? failure(refused) : null,
      h("button", { class: "button primary", type: "submit" }, "Open")));
}

function groupsTable(groups) {
  const names = ORDER.filter((name) => groups[name]);
  const heads = ["players", "points a turn", "95%", "trend", "rolls", "nothing", "banked"];
  return h("div", { class: "table-wrap", tabindex: "0", role: "region", "aria-label": "Groups" }, h("table", { class: "data" }, h("caption", {}, "By what people said about risk"),
    h("thead", {}, h("tr", {}, h("td"), heads.map((text) => h("th", { scope: "col" }, text)))),
    h("tbody", {}, names.map((name) => {
      const each = groups[name];
      return h("tr", {}, h("th", { scope: "row" }, name), h("td", {}, each.players), h("td", {}, plain(each.slope, 3)),
        h("td", {}, each.interval?.every((x) => x !== null) ? `${plain(each.interval[0], 3)} to ${plain(each.interval[1], 3)}` : "–"), h("td", {}, plain(each.trend, 3)),
        h("td", {}, plain(each.rolls, 3)), h("td", {}, each.busts === null || each.busts === undefined ? "–" : percent(each.busts, 0)), h("td", {}, plain(each.banked, 3)));
    }))), h("p", { class: "chart-note" }, "trend: the line through the mean curve; rolls, nothing, banked: by turn"));
}

function curves(groups) {
  const names = ORDER.filter((name) => groups[name]?.curve?.turn?.length);
  if (!names.length) return null;
  return lines({
    series: names.map((name) => ({ x: groups[name].curve.turn, y: groups[name].curve.mean, name, token: TOKENS[name], dashed: name === "everybody" && names.length > 1,
      says: (i) => `${name}, turn ${groups[name].curve.turn[i]}: ${groups[name].curve.mean[i].toFixed(1)}` })),
    xTitle: "turn", yTitle: "mean total", low: 0, label: "Mean total by turn, for each stated preference.",
  });
}

/** The tests in sentences; what could not be tested is left out. */
function tests(study) {
  const { differ, lotteries, influence, mirroring } = study;
  const lines = [];
  for (const each of Object.values(study.risk?.measures ?? {})) {
    const power = each.power === null ? "" : ` It would find cautious and daring players in ${percent(each.power, 0)} of such records, and equal ones in ${percent(each.size, 0)}.`;
    lines.push([`Do they differ in ${MEASURES[each.name]}?`, `${p(each.differ.kruskal)} by Kruskal and Wallis.${power}`]);
  }
  const more = study.risk?.more_seeking;
  if (more) lines.push(["Do more play seeking than say so?", `${more.played} play it and ${more.said} say it, ${p(more.p)} by McNemar's test.`]);
  if (differ) lines.push([`Do ${listed(differ.groups)} differ?`, `${p(differ.permutation)} by permutation, ${p(differ.welch)} by Welch's test, ${p(differ.kruskal)} by Kruskal and Wallis.`]);
  if (lotteries) lines.push(["Do the lotteries fit what people say?", `The rank correlation is ${plain(lotteries.rho, 2)}, ${p(lotteries.p)}.`]);
  if (influence) {
    lines.push(["Does the other player's lead matter?",
      `For every 10 points the other is ahead of pace, the log odds to roll on change by ${plain(influence.per_ten_points, 3)} (standard error ${plain(influence.error, 2)}), ${p(influence.p)}, from ${plural(influence.decisions, "decision")}.`]);
  }
  if (mirroring) {
    lines.push(["Do two players roll alike?",
      `Turn by turn r = ${plain(mirroring.by_turn, 2)}, ${p(mirroring.p_by_turn)}; game by game r = ${plain(mirroring.by_game, 2)}, ${p(mirroring.p_by_game)}.`]);
  }
  if (!lines.length) return null;
  return h("dl", { class: "told" }, lines.map(([term, text]) => [h("dt", {}, term), h("dd", {}, text)]));
}

async function plots(values) {
  const one = async (name, alt) => {
    try {
      const blob = await fetchFile(`/api/admin/plots/${name}.svg${query(values)}`);
      const source = URL.createObjectURL(new Blob([blob], { type: "image/svg+xml" }));
      return h("img", { src: source, alt, class: "plot" });
    } catch (refused) { return failure(refused); }
  };
  return Promise.all([one("totals", "Every player's totals by turn with the mean curve of each preference"), one("games", "Both players of each game, side by side")]);
}

/** The figures take the server a moment, so they are drawn when somebody comes to them. */
function figures(values) {
  const node = h("div", { class: "halves plots" }, h("p", { class: "loading" }, "Drawing the figures"));
  const watch = new IntersectionObserver(async ([seen]) => {
    if (!seen.isIntersecting) return;
    watch.disconnect();
    show(node, await plots(values));
  }, { rootMargin: "200px" });
  watch.observe(node);
  return node;
}

export default async function admin(place, _route, wanted = "") {
  const draw = () => admin(place);
  let overview;
  try {
    overview = await get("/api/admin/overview", { admin: true });
  } catch (refused) {
    if (refused.status === 403 || refused.status === 401) { askToken(place, draw, refused); return; }
    throw refused;
  }
  const result = h("div", { class: "stack" }), progress = progressPlace(), said = h("div", { class: "stack", role: "status" });
  const kinds = overview.games.filter((each) => each.tracker);
  for (const record of overview.records) {
    if (record.tracker && !kinds.some((each) => each.title === record.title)) kinds.push(record);
  }
  const values = () => { const each = kinds[Number(pick?.value ?? 0)]; return { game: each.game, ...each.parameters }; };
  const pick = kinds.length ? dropdown({ label: "Game", name: "study-game", value: String(Math.max(0, kinds.findIndex((each) => each.title === wanted))), choices: kinds.map((each, i) => ({ value: String(i), label: titled(each.title) })), onChange: analyse }) : null;

  async function analyse() {
    show(result);
    try {
      const study = await get(`/api/admin/study${query({ ...values(), imported: true, seed: 1 })}`, { admin: true, onProgress: progress.onProgress });
      progress.done();
      show(result, h("p", { class: "coach" }, h("span", { class: "advice", "data-study": "yes" }, `${plural(study.games, "game")}, ${plural(study.players, "player")}.`)),
        groupsTable(study.groups), curves(study.groups), tests(study), (study.notes ?? []).map((text) => h("p", { class: "note" }, capital(text))),
        figures({ ...values(), imported: true, seed: 1 }));
    } catch (refused) { progress.done(); show(result, failure(refused)); }
  }

  const file = h("input", { type: "file", id: "csv", accept: ".csv,text/csv", on: { change: async () => {
    const chosen = file.files[0];
    if (!chosen) return;
    try {
      const told = await sendFile(`/api/admin/records${query({ name: chosen.name })}`, await chosen.text());
      announce(`${chosen.name} is read in`);
      await admin(place, null, told.record.title);
      place.querySelector("[data-said]")?.replaceChildren(`${told.record.name} is read in: ${plural(told.record.games, "game")}.`);
    } catch (refused) { show(said, failure(refused)); file.value = ""; }
  } } });

  const mb = (bytes) => `${(bytes / 2 ** 20).toFixed(0)} MB`;
  show(place,
    h("div", { class: "page-head" }, h("h1", {}, "Administrator"), h("p", { class: "lead" }, "Everyone's games, as the study would see them.")),
    h("div", { class: "stats" }, stat(overview.players, "players"), stat(overview.matches, "games begun"), stat(overview.over, "finished"), stat(overview.decisions, "decisions"),
      overview.tables ? stat(mb(overview.tables.bytes), `of ${mb(overview.tables.budget)} for ${plural(overview.tables.held.length, "solved table")}`) : null),
    h("div", { class: "split" },
      h("section", { class: "card", "aria-labelledby": "study-title" }, h("h2", { id: "study-title" }, "The study"),
        pick ? [pick.node, progress.node, result] : h("div", { class: "empty" }, h("h3", {}, "No games yet"), h("p", {}, "Play a game to its end that a tracker form can hold, or read one in."))),
      h("div", { class: "stack" },
        h("section", { class: "card" }, h("h2", {}, "Records out"), pick ? h("div", { class: "row" },
          h("button", { class: "button", type: "button", on: { click: () => download(`/api/admin/tracker.csv${query(values())}`, "tracker.csv").catch((refused) => show(said, failure(refused))) } }, "Tracker form"),
          h("button", { class: "button", type: "button", on: { click: () => download(`/api/admin/decisions.csv${query(values())}`, "decisions.csv").catch((refused) => show(said, failure(refused))) } }, "Decisions"))
          : h("p", { class: "soft" }, "Nothing to write yet.")),
        h("section", { class: "card" }, h("h2", {}, "Records in"), h("div", { class: "field" }, h("label", { for: "csv" }, "A tracker form or decisions, as CSV"), file), said, h("p", { class: "hint", "data-said": "yes" }),
          overview.records.length ? h("ul", { class: "items" }, overview.records.map((record) => h("li", { class: "record" },
            h("span", {}, h("b", {}, record.name), h("br"), h("span", { class: "when" }, `${titled(record.title)}: ${plural(record.games, "game")}, ${plural(record.players.length, "player")}`)),
            h("button", { class: "button small", type: "button", on: { click: async () => { try { await remove(`/api/admin/records/${record.id}`); await admin(place); } catch (refused) { show(said, failure(refused)); } } } }, "Remove")))) : null))));
  if (pick) await analyse();
}
