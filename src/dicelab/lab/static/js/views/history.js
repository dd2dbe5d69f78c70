// Your games: progress, style, what the style costs, and the one change that would help most.

import { get, patch, whoAmI } from "../api.js";
import { lines, range } from "../charts.js";
import { announce, h, show } from "../dom.js";
import { t, tn } from "../i18n.js";
import { progressPlace, failure } from "../waiting.js";
import { yoursCard } from "./yours.js";
import { against, capital, measure, percentTick, plain, titled, when } from "../words.js";

function nameForm(player) {
  const input = h("input", { type: "text", id: "player-name", value: player.name, maxlength: 40, autocomplete: "nickname" });
  const said = h("span", { class: "hint" });
  return h("form", {
    class: "row",
    on: {
      submit: async (event) => {
        event.preventDefault();
        try {
          const me = await patch("/api/me", { name: input.value });
          await whoAmI(true);
          show(said, t("You are {name} now.", { name: me.player.name }));
          announce(said.textContent);
        } catch (refused) { show(said, failure(refused)); }
      },
    },
  }, h("label", { for: "player-name", class: "legend" }, t("Your name")), h("span", { class: "name-field" }, input), h("button", { class: "button", type: "submit" }, t("Save")), said);
}

function progressChart(series) {
  const { points, scale } = series, says = measure({ scale, unit: "" });
  const part = (x) => 100 * says.size(x), x = range(points.length).map((i) => i + 1);
  return lines({
    series: [
      { x, y: points.map((point) => part(point.error_per_decision)), dots: true, token: "edge", name: t("a game") },
      { x, y: points.map((point) => part(point.average)), name: t("average of the last five"), says: (i) => [t("game {n}: {cost}", { n: i + 1, cost: says.cost(points[i].error_per_decision) }), t("average {cost}", { cost: says.cost(points[i].average) })].join("\n") },
    ],
    xTitle: t("games"), yTitle: t("given away per decision"), low: 0, yText: (y) => percentTick(y / 100), size: "short",
    label: t("What you gave away per unforced decision, game by game: {first} at first, {now} on average now.", { first: says.cost(points[0].average), now: says.cost(points.at(-1).average) }),
  });
}

function styleCard(style) {
  const curve = style.curve?.length ? lines({
    series: [{ x: style.curve.map((point) => point.gap), y: style.curve.map((point) => point.holds_at),
      says: (i) => { const { gap, holds_at: at } = style.curve[i]; const points = plain(Number(at.toFixed(1)));
        return gap > 0 ? t("{gap} behind: hold at {points}", { gap, points }) : gap < 0 ? t("{gap} ahead: hold at {points}", { gap: -gap, points }) : t("level: hold at {points}", { points }); } }],
    xTitle: t("ahead  ←  points  →  behind"), yTitle: t("holds at"), low: 0, size: "short", label: t("Where you hold, by how far you are ahead or behind."),
  }) : null;
  return h("section", { class: "card", "data-style": style.title }, h("header", {}, h("h2", {}, t("Your style")), h("span", { class: "soft" }, titled(style.title))),
    h("p", { class: "coach" }, h("span", { class: "advice" }, style.sentence)),
    curve,
    style.costs ? h("p", {}, style.costs.sentence) : null,
    style.change ? h("p", { class: "note" }, h("b", {}, t("The one change that helps most.")), " ", style.change.sentence) : null,
    h("details", {}, h("summary", {}, t("The numbers, from {decisions} in {games}", { decisions: tn("{n} decision", "{n} decisions", style.decisions), games: tn("{n} game", "{n} games", style.games) })),
      h("table", { class: "data" }, h("caption", { class: "unseen" }, t("Fitted numbers")),
        h("thead", {}, h("tr", {}, h("th", { scope: "col" }, t("number")), h("th", { scope: "col" }, t("about")), h("th", { scope: "col" }, t("surely between")))),
        h("tbody", {}, style.numbers.map((each) => h("tr", {}, h("th", { scope: "row" }, each.name.replaceAll("_", " ")), h("td", {}, plain(each.value, 3)),
          h("td", {}, each.low === null || each.low === undefined ? "–" : t("{low} and {high}", { low: plain(each.low, 3), high: plain(each.high, 3) }))))))));
}

const HEADS = [t("played"), t("won"), t("lost"), t("drawn"), t("given away a game"), t("per decision"), t("luck in all")];
const SAID = { won: t("won"), lost: t("lost"), drawn: t("drawn"), stopped: t("stopped"), done: t("done") };

export default async function drawHistory(place, about, yours = yoursCard(() => drawHistory(place, about, yours))) { // drawn anew it keeps what that card said
  const progress = progressPlace();
  const me = await whoAmI(true);
  show(place, h("div", { class: "page-head" }, h("h1", {}, t("Your games"))), progress.node);
  const history = await get("/api/history?styles=no", { onProgress: progress.onProgress });
  progress.done();
  const head = h("div", { class: "page-head" }, h("h1", {}, t("Your games")), h("p", { class: "lead" }, t("What you gave away, what luck gave you, and what would help most.")));
  const styles = h("div", { class: "stack" });
  if (!history.games.length) {
    show(place, head, h("section", { class: "card" }, h("div", { class: "empty" }, h("h2", {}, t("Nothing here yet")),
      h("p", {}, history.note ? `${capital(history.note)}.` : t("Finish a game and it will be told here.")), h("a", { class: "button primary", href: "/play" }, t("Play a game")))), nameForm(me.player), yours);
    return;
  }
  show(place, head,
    history.totals.length ? h("div", { class: "table-wrap card" }, h("table", { class: "data totals fold" }, h("caption", {}, t("All in all")),
      h("thead", {}, h("tr", {}, [t("game"), ...HEADS].map((text) => h("th", { scope: "col" }, text)))),
      h("tbody", {}, history.totals.map((each) => {
        const says = measure(each);
        return h("tr", {}, h("th", { scope: "row" }, titled(each.title)), [each.played, each.won, each.lost, each.drawn, says.cost(each.cost_per_game), says.cost(each.error_per_decision), says.signed(each.luck)]
          .map((value, i) => h("td", { "data-label": HEADS[i] }, String(value))));
      })))) : null,
    h("div", { class: "split" },
      h("div", { class: "stack" },
        history.progress.filter((series) => series.points.length > 1 && series.scale).map((series) =>
          h("section", { class: "card" }, h("header", {}, h("h2", {}, t("Progress")), h("span", { class: "soft" }, titled(series.game))), progressChart(series))),
        h("section", { class: "card", "aria-labelledby": "list-title" }, h("h2", { id: "list-title" }, t("Game by game")),
          h("ul", { class: "items" }, [...history.games].reverse().slice(0, 40).map((each) => h("li", {}, h("a", { href: `/review/${each.id}` },
            h("span", {}, h("b", {}, titled(each.title)), against(each.opponent), h("br"), h("span", { class: "when" }, when(each.played))),
            h("span", { class: "row" }, h("span", { class: "tag plain" }, SAID[each.outcome] ?? each.outcome), each.practice ? h("span", { class: "tag plain" }, t("practice")) : null, each.grade ? h("span", { class: "tag" }, t("grade {letter}", { letter: each.grade })) : null))))),
          history.practice ? h("p", { class: "hint" }, history.practice) : null)),
      h("div", { class: "stack" }, progress.node, styles, history.note ? h("p", { class: "note" }, `${capital(history.note)}.`) : null, h("section", { class: "card" }, nameForm(me.player)), yours)));
  if (history.styles_to_come) follow(styles, progress);
}

/** A style takes a fit and an evaluation: it follows when it is worked out. */
async function follow(place, progress) {
  try {
    const told = await get("/api/history", { onProgress: progress.onProgress });
    show(place, told.style.map(styleCard));
  } catch (refused) { show(place, failure(refused)); }
  progress.done();
}
