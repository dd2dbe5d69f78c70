// Your games: progress, style, what the style costs, and the one change that would help most.

import { get, patch, whoAmI } from "../api.js";
import { chart, colour } from "../charts.js";
import { announce, h, show } from "../dom.js";
import { progressPlace, failure } from "../waiting.js";
import { against, capital, percent, plain, plural, signedPercent, titled, when } from "../words.js";

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
          show(said, `You are ${me.player.name} now.`);
          announce(said.textContent);
        } catch (refused) { show(said, failure(refused)); }
      },
    },
  }, h("label", { for: "player-name", class: "legend" }, "Your name"), h("span", { class: "name-field" }, input), h("button", { class: "button", type: "submit" }, "Save"), said);
}

function progressChart(series) {
  const points = series.points;
  return chart(() => ({
    data: [
      { x: points.map((_, i) => i + 1), y: points.map((point) => 100 * point.error_per_decision), mode: "markers", name: "a game", marker: { color: colour("edge"), size: 8 },
        hovertemplate: "game %{x}<br>%{y:.2f}% per decision<extra></extra>" },
      { x: points.map((_, i) => i + 1), y: points.map((point) => 100 * point.average), mode: "lines", name: "average", line: { color: colour("you"), width: 3 },
        hovertemplate: "average %{y:.2f}%<extra></extra>" },
    ],
    layout: { xaxis: { title: { text: "games" }, zeroline: false, showgrid: false, dtick: points.length <= 12 ? 1 : undefined },
      yaxis: { title: { text: "given away per decision" }, ticksuffix: "%", rangemode: "tozero", nticks: 5 } },
  }), { size: "short", label: `What you gave away per unforced decision, game by game: ${percent(points[0].average, 2)} at first, ${percent(points.at(-1).average, 2)} on average now.` });
}

function styleCard(style) {
  const curve = style.curve?.length ? chart(() => ({
    data: [{ x: style.curve.map((point) => point.gap), y: style.curve.map((point) => point.holds_at), mode: "lines", line: { color: colour("you"), width: 3 },
      text: style.curve.map(({ gap }) => (gap > 0 ? `${gap} behind` : gap < 0 ? `${-gap} ahead` : "level")), hovertemplate: "%{text}: hold at %{y:.1f}<extra></extra>" }],
    layout: { xaxis: { title: { text: "ahead  ←  points  →  behind" }, zeroline: true }, yaxis: { title: { text: "holds at" }, rangemode: "tozero" } },
  }), { size: "short", label: "Where you hold, by how far you are ahead or behind." }) : null;
  return h("section", { class: "card", "data-style": style.title }, h("header", {}, h("h2", {}, "Your style"), h("span", { class: "soft" }, titled(style.title))),
    h("p", { class: "coach" }, h("span", { class: "advice" }, style.sentence)),
    curve?.node,
    style.costs ? h("p", {}, style.costs.sentence) : null,
    style.change ? h("p", { class: "note" }, h("b", {}, "The one change that helps most. "), style.change.sentence) : null,
    h("details", {}, h("summary", {}, `The numbers, from ${plural(style.decisions, "decision")} in ${plural(style.games, "game")}`),
      h("table", { class: "data" }, h("caption", { class: "unseen" }, "Fitted numbers"),
        h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "number"), h("th", { scope: "col" }, "about"), h("th", { scope: "col" }, "surely between"))),
        h("tbody", {}, style.numbers.map((each) => h("tr", {}, h("th", { scope: "row" }, each.name.replaceAll("_", " ")), h("td", {}, plain(each.value, 3)),
          h("td", {}, each.low === null || each.low === undefined ? "–" : `${plain(each.low, 3)} and ${plain(each.high, 3)}`)))))));
}

const HEADS = ["played", "won", "lost", "given away a game", "per decision", "luck in all"];
const SAID = { won: "won", lost: "lost", drawn: "drawn", stopped: "stopped", done: "done" };

export default async function drawHistory(place) {
  const progress = progressPlace();
  const me = await whoAmI(true);
  show(place, h("div", { class: "page-head" }, h("h1", {}, "Your games")), progress.node);
  const history = await get("/api/history", { onProgress: progress.onProgress });
  const head = h("div", { class: "page-head" }, h("h1", {}, "Your games"), h("p", { class: "lead" }, "What you gave away, what luck gave you, and what would help most."));
  if (!history.games.length) {
    show(place, head, h("section", { class: "card" }, h("div", { class: "empty" }, h("h2", {}, "Nothing here yet"),
      h("p", {}, history.note ? `${capital(history.note)}.` : "Finish a game and it will be told here."), h("a", { class: "button primary", href: "/play" }, "Play a game"))), nameForm(me.player));
    return;
  }
  const chance = (title) => !/^(solo-pig|421)/.test(title);
  show(place, head,
    h("div", { class: "table-wrap card" }, h("table", { class: "data totals fold" }, h("caption", {}, "All in all"),
      h("thead", {}, h("tr", {}, ["game", ...HEADS].map((text) => h("th", { scope: "col" }, text)))),
      h("tbody", {}, history.totals.map((each) => {
        const as = chance(each.title) ? (x, digits) => percent(x, digits) : (x) => plain(x, 3);
        return h("tr", {}, h("th", { scope: "row" }, titled(each.title)), [each.played, each.won, each.lost, as(each.cost_per_game, 1), as(each.error_per_decision, 2), chance(each.title) ? signedPercent(each.luck) : plain(each.luck, 3)]
          .map((value, i) => h("td", { "data-label": HEADS[i] }, String(value))));
      })))),
    h("div", { class: "split" },
      h("div", { class: "stack" },
        history.progress.filter((series) => series.points.length > 1 && chance(series.game)).map((series) =>
          h("section", { class: "card" }, h("header", {}, h("h2", {}, "Progress"), h("span", { class: "soft" }, titled(series.game))), progressChart(series).node)),
        h("section", { class: "card", "aria-labelledby": "list-title" }, h("h2", { id: "list-title" }, "Game by game"),
          h("ul", { class: "items" }, [...history.games].reverse().slice(0, 40).map((each) => h("li", {}, h("a", { href: `/review/${each.id}` },
            h("span", {}, h("b", {}, titled(each.title)), against(each.opponent), h("br"), h("span", { class: "when" }, when(each.played))),
            h("span", { class: "row" }, h("span", { class: "tag plain" }, SAID[each.outcome] ?? each.outcome), each.grade ? h("span", { class: "tag" }, `grade ${each.grade}`) : null))))))),
      h("div", { class: "stack" }, history.style.map(styleCard), history.note ? h("p", { class: "note" }, `${capital(history.note)}.`) : null, h("section", { class: "card" }, nameForm(me.player)))));
}
