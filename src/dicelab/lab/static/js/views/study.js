// The study's questions, asked before play if you like; and your own records.

import { download, get, put, query } from "../api.js";
import { announce, h, show } from "../dom.js";
import { segments } from "../fields.js";
import { t } from "../i18n.js";
import { failure } from "../waiting.js";
import { titled } from "../words.js";

export default async function study(place) {
  const [{ questions }, { answers }, history] = await Promise.all([get("/api/study/questions"), get("/api/study/answers"), get("/api/matches?state=over&limit=50")]);
  const said = h("p", { class: "hint", role: "status" });
  const fields = questions.map((question) => [question.name, segments({
    legend: question.text, name: question.name, value: answers?.[question.name] ?? null, choices: question.choices,
  })]);
  const form = h("form", {
    class: "card",
    on: {
      submit: async (event) => {
        event.preventDefault();
        try {
          await put("/api/study/answers", Object.fromEntries(fields.map(([name, field]) => [name, field.value])));
          show(said, t("Thank you. Your answers are kept with your games."));
          announce(said.textContent);
        } catch (refused) { show(said, failure(refused)); }
      },
    },
  }, h("h2", {}, t("Three questions")), h("p", { class: "soft" }, t("Optional. They ask how you feel about risk, so that what people say can be set beside how they play.")),
  fields.map(([, field]) => field.node), h("div", { class: "row" }, h("button", { class: "button primary", type: "submit" }, t("Keep my answers")), h("a", { class: "button quiet", href: "/play" }, t("Play")), said));

  const kinds = [...new Map(history.matches.filter((match) => match.records.length).map((match) => [match.title, match])).values()];
  const problem = h("div");
  const record = (match, kind, label) => match.records.includes(kind) ? h("button", {
    class: "button small", type: "button", "data-record": kind,
    on: { click: () => download(`/api/me/${kind}.csv${query({ game: match.game, ...match.parameters })}`, `${kind}.csv`).catch((refused) => show(problem, failure(refused))) },
  }, label) : null;
  show(place,
    h("div", { class: "page-head" }, h("h1", {}, t("The study")), h("p", { class: "lead" }, t("How do people really play, and does it fit what they say about risk?"))),
    h("div", { class: "split" }, form, h("div", { class: "stack" },
      h("section", { class: "card" }, h("h2", {}, t("Your records")), kinds.length
        ? h("ul", { class: "items" }, kinds.map((match) => h("li", { class: "record" }, h("b", {}, titled(match.title)), h("span", { class: "row" },
          record(match, "decisions", t("Decisions")), record(match, "tracker", t("Tracker form"))))))
        : h("p", { class: "soft" }, t("Finish a game and its record can be had here, as CSV.")), problem),
      h("section", { class: "card" }, h("h2", {}, t("For the administrator")), h("p", { class: "soft" }, t("Tables, tests and plots over everyone's games; records in and out.")), h("a", { class: "button", href: "/admin" }, t("Open"))))));
}
