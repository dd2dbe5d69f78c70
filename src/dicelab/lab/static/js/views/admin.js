// The administrator's page: the study over everyone's games, and records in and out.

import { adminToken, download, fetchFile, get, query, remove, sendFile, setAdminToken } from "../api.js";
import { lines } from "../charts.js";
import { announce, h, show, stat } from "../dom.js";
import { dropdown } from "../fields.js";
import { t, tn } from "../i18n.js";
import { failure, progressPlace } from "../waiting.js";
import { capital, listed, percent, plain, titled } from "../words.js";

const ORDER = ["averse", "neutral", "seeking", "everybody"];
const TOKENS = { averse: "you", neutral: "gold", seeking: "them", everybody: "soft" };
const MEASURES = {
  banked: t("Do they differ in points banked per held turn?"), rolls: t("Do they differ in rolls per turn?"), holds_at: t("Do they differ in where they hold?"), slope: t("Do they differ in points a turn?"),
};
const NAMES = { averse: t("averse"), neutral: t("neutral"), seeking: t("seeking"), everybody: t("everybody") };
const p = (x) => (x === null || x === undefined ? "–" : x < 0.001 ? `p < ${plain(0.001)}` : `p = ${plain(Number(x), 2)}`);

function askToken(place, draw, refused) {
  const input = h("input", { type: "password", id: "token", autocomplete: "off" });
  show(place, h("div", { class: "page-head" }, h("h1", {}, t("Administrator"))),
    h("form", { class: "card", on: { submit: (event) => { event.preventDefault(); setAdminToken(input.value.trim()); draw(); } } },
      h("div", { class: "field" }, h("label", { for: "token" }, t("The token the server printed when it started")), input),
      adminToken() ? failure(refused) : null,
      h("button", { class: "button primary", type: "submit" }, t("Open"))));
}

function groupsTable(groups) {
  const names = ORDER.filter((name) => groups[name]);
  const heads = [t("players"), t("points a turn"), percent(0.95, 0), t("trend"), t("rolls"), t("nothing"), t("banked")];
  return h("div", { class: "table-wrap", tabindex: "0", role: "region", "aria-label": t("Groups") }, h("table", { class: "data" }, h("caption", {}, t("By what people said about risk")),
    h("thead", {}, h("tr", {}, h("td"), heads.map((text) => h("th", { scope: "col" }, text)))),
    h("tbody", {}, names.map((name) => {
      const each = groups[name];
      return h("tr", {}, h("th", { scope: "row" }, NAMES[name]), h("td", {}, each.players), h("td", {}, plain(each.slope, 3)),
        h("td", {}, each.interval?.every((x) => x !== null) ? t("{low} to {high}", { low: plain(each.interval[0], 3), high: plain(each.interval[1], 3) }) : "–"), h("td", {}, plain(each.trend, 3)),
        h("td", {}, plain(each.rolls, 3)), h("td", {}, each.busts === null || each.busts === undefined ? "–" : percent(each.busts, 0)), h("td", {}, plain(each.banked, 3)));
    }))), h("p", { class: "chart-note" }, t("trend: the line through the mean curve; rolls, nothing, banked: by turn")));
}

function curves(groups) {
  const names = ORDER.filter((name) => groups[name]?.curve?.turn?.length);
  if (!names.length) return null;
  return lines({
    series: names.map((name) => ({ x: groups[name].curve.turn, y: groups[name].curve.mean, name: NAMES[name], token: TOKENS[name], dashed: name === "everybody" && names.length > 1,
      says: (i) => t("{name}, turn {turn}: {points}", { name: NAMES[name], turn: groups[name].curve.turn[i], points: plain(Number(groups[name].curve.mean[i].toFixed(1))) }) })),
    xTitle: t("turn"), yTitle: t("mean total"), low: 0, label: t("Mean total by turn, for each stated preference."),
  });
}

/** The tests in sentences; what could not be tested is left out. */
function tests(study) {
  const { differ, lotteries, influence, mirroring } = study;
  const lines = [];
  for (const each of Object.values(study.risk?.measures ?? {})) {
    const found = [t("{p} by Kruskal and Wallis.", { p: p(each.differ.kruskal) })];
    if (each.power !== null) found.push(t("It would find cautious and daring players in {power} of such records, and equal ones in {size}.", { power: percent(each.power, 0), size: percent(each.size, 0) }));
    lines.push([MEASURES[each.name], found.join(" ")]);
  }
  const more = study.risk?.more_seeking;
  if (more) lines.push([t("Do more play seeking than say so?"), t("{played} play it and {said} say it, {p} by McNemar's test.", { played: more.played, said: more.said, p: p(more.p) })]);
  if (differ) lines.push([t("Do {groups} differ?", { groups: listed(differ.groups.map((name) => NAMES[name] ?? name)) }), t("{permutation} by permutation, {welch} by Welch's test, {kruskal} by Kruskal and Wallis.", { permutation: p(differ.permutation), welch: p(differ.welch), kruskal: p(differ.kruskal) })]);
  if (lotteries) lines.push([t("Do the lotteries fit what people say?"), t("The rank correlation is {rho}, {p}.", { rho: plain(lotteries.rho, 2), p: p(lotteries.p) })]);
  if (influence) {
    lines.push([t("Does the other player's lead matter?"),
      tn("For every 10 points the other is ahead of pace, the log odds to roll on change by {change} (standard error {error}), {p}, from {n} decision.",
        "For every 10 points the other is ahead of pace, the log odds to roll on change by {change} (standard error {error}), {p}, from {n} decisions.",
        influence.decisions, { change: plain(influence.per_ten_points, 3), error: plain(influence.error, 2), p: p(influence.p) })]);
  }
  if (mirroring) {
    lines.push([t("Do two players roll alike?"),
      t("Turn by turn r = {by_turn}, {p_by_turn}; game by game r = {by_game}, {p_by_game}.", { by_turn: plain(mirroring.by_turn, 2), p_by_turn: p(mirroring.p_by_turn), by_game: plain(mirroring.by_game, 2), p_by_game: p(mirroring.p_by_game) })]);
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
  return Promise.all([one("totals", t("Every player's totals by turn with the mean curve of each preference")), one("games", t("Both players of each game, side by side"))]);
}

/** The figures take the server a moment, so they are drawn when somebody comes to them. */
function figures(values) {
  const node = h("div", { class: "halves plots" }, h("p", { class: "loading" }, t("Drawing the figures")));
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
  const pick = kinds.length ? dropdown({ label: t("Game"), name: "study-game", value: String(Math.max(0, kinds.findIndex((each) => each.title === wanted))), choices: kinds.map((each, i) => ({ value: String(i), label: titled(each.title) })), onChange: analyse }) : null;

  async function analyse() {
    show(result);
    try {
      const study = await get(`/api/admin/study${query({ ...values(), imported: true, seed: 1 })}`, { admin: true, onProgress: progress.onProgress });
      progress.done();
      show(result, h("p", { class: "coach" }, h("span", { class: "advice", "data-study": "yes" }, t("{games}, {players}.", { games: tn("{n} game", "{n} games", study.games), players: tn("{n} player", "{n} players", study.players) }))),
        groupsTable(study.groups), curves(study.groups), tests(study), (study.notes ?? []).map((text) => h("p", { class: "note" }, capital(text))),
        figures({ ...values(), imported: true, seed: 1 }));
    } catch (refused) { progress.done(); show(result, failure(refused)); }
  }

  const file = h("input", { type: "file", id: "csv", accept: ".csv,text/csv", on: { change: async () => {
    const chosen = file.files[0];
    if (!chosen) return;
    try {
      const told = await sendFile(`/api/admin/records${query({ name: chosen.name })}`, await chosen.text());
      announce(t("{name} is read in", { name: chosen.name }));
      await admin(place, null, told.record.title);
      place.querySelector("[data-said]")?.replaceChildren(tn("{name} is read in: {n} game.", "{name} is read in: {n} games.", told.record.games, { name: told.record.name }));
    } catch (refused) { show(said, failure(refused)); file.value = ""; }
  } } });

  const mb = (bytes) => t("{n} MB", { n: (bytes / 2 ** 20).toFixed(0) });
  show(place,
    h("div", { class: "page-head" }, h("h1", {}, t("Administrator")), h("p", { class: "lead" }, t("Everyone's games, as the study would see them."))),
    h("div", { class: "stats" }, stat(overview.players, t("players")), stat(overview.matches, t("games begun")), stat(overview.over, t("finished")), stat(overview.decisions, t("decisions")),
      overview.tables ? stat(mb(overview.tables.bytes), tn("of {all} for {n} solved table", "of {all} for {n} solved tables", overview.tables.held.length, { all: mb(overview.tables.budget) })) : null),
    h("div", { class: "split" },
      h("section", { class: "card", "aria-labelledby": "study-title" }, h("h2", { id: "study-title" }, t("The study")),
        pick ? [pick.node, progress.node, result] : h("div", { class: "empty" }, h("h3", {}, t("No games yet")), h("p", {}, t("Play a game to its end that a tracker form can hold, or read one in.")))),
      h("div", { class: "stack" },
        h("section", { class: "card" }, h("h2", {}, t("Records out")), pick ? h("div", { class: "row" },
          h("button", { class: "button", type: "button", on: { click: () => download(`/api/admin/tracker.csv${query(values())}`, "tracker.csv").catch((refused) => show(said, failure(refused))) } }, t("Tracker form")),
          h("button", { class: "button", type: "button", on: { click: () => download(`/api/admin/decisions.csv${query(values())}`, "decisions.csv").catch((refused) => show(said, failure(refused))) } }, t("Decisions")))
          : h("p", { class: "soft" }, t("Nothing to write yet."))),
        h("section", { class: "card" }, h("h2", {}, t("Records in")), h("div", { class: "field" }, h("label", { for: "csv" }, t("A tracker form or decisions, as CSV")), file), said, h("p", { class: "hint", "data-said": "yes" }),
          overview.records.length ? h("ul", { class: "items" }, overview.records.map((record) => h("li", { class: "record" },
            h("span", {}, h("b", {}, record.name), h("br"), h("span", { class: "when" }, t("{game}: {games}, {players}", { game: titled(record.title), games: tn("{n} game", "{n} games", record.games), players: tn("{n} player", "{n} players", record.players.length) }))),
            h("button", { class: "button small", type: "button", on: { click: async () => { try { await remove(`/api/admin/records/${record.id}`); await admin(place); } catch (refused) { show(said, failure(refused)); } } } }, t("Remove"))))) : null))));
  if (pick) await analyse();
}
