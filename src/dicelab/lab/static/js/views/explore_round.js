// What to keep in a round: say what lies on the table, get the best dice to keep.

import { get, query } from "../api.js";
import { die } from "../dice.js";
import { h, show } from "../dom.js";
import { segments } from "../fields.js";
import { note } from "../go.js";
import { failure, progressPlace } from "../waiting.js";
import { measure } from "../words.js";

const small = (face, sides) => { const each = die(sides, { size: 34 }); each.show(face); return each.node; };

function answerCard(told, sides) {
  const says = measure(told);
  return h("section", { class: "card", "aria-label": "Advice" },
    h("p", { class: "coach" }, h("span", { class: "advice", "data-advice": "yes" }, told.sentence)),
    h("div", { class: "table-wrap" }, h("table", { class: "data" }, h("caption", { class: "unseen" }, "What may be kept"),
      h("thead", {}, h("tr", {}, ["keep", says.isPercent ? "chance" : "worth", "exactly", "costs"].map((text) => h("th", { scope: "col", class: text === "exactly" ? "wide-only" : "" }, text)))),
      h("tbody", {}, told.choices.map((choice) => h("tr", { "data-kept": choice.notation },
        h("td", {}, h("span", { class: "kept" }, choice.kept.length ? choice.kept.map((face) => small(face, sides)) : h("span", { class: "soft" }, "nothing"),
          h("span", { class: "unseen" }, choice.kept.join(" ")), choice.status !== "worse" ? h("span", { class: "tag" }, choice.status === "tied" ? "as good" : "best") : null)),
        h("td", {}, says.value(choice.value)), h("td", { class: "number wide-only" }, choice.exact ?? ""), h("td", {}, choice.status === "worse" ? says.cost(choice.cost) : "–")))))));
}

/** Return the page of the round. */
export async function roundAdvice(game, url) {
  const sides = 6;
  const answer = h("div", { class: "stack", "aria-live": "polite" });
  const progress = progressPlace();
  const ask = h("input", { type: "text", id: "ask-round", autocomplete: "off" });
  ask.value = url.searchParams.get("ask") ?? game.examples[0];

  async function advise(values) {
    try {
      const told = await get(`/api/explore/${game.name}/keep${query(values)}`, { onProgress: progress.onProgress });
      show(answer, answerCard(told, sides));
    } catch (refused) { show(answer, failure(refused)); }
    progress.done();
  }
  const byWords = () => { note(`/explore${query({ game: game.name, ask: ask.value })}`); return advise({ ask: ask.value }); };

  // The same with dice to click: each shows a face, and goes on to the next one.
  const faces = [6, 5, 1], aside = [false, false, false];
  const left = segments({ legend: "Casts left", name: "left", value: "2", choices: [{ value: "1", label: "1" }, { value: "2", label: "2" }], onChange: byDice });
  const utility = h("input", { type: "text", id: "utility-round", list: "utilities-round", autocomplete: "off", on: { change: byDice } });
  utility.value = game.parameters.find((spec) => spec.name === "utility").default;
  const suggested = game.parameters.find((spec) => spec.name === "utility")?.choices ?? [];
  function byDice() {
    const thrown = faces.filter((_, i) => !aside[i]).join(""), kept = faces.filter((_, i) => aside[i]).join("");
    return advise({ utility: utility.value, thrown, aside: kept, left: left.value });
  }
  const row = h("div", { class: "dice" }, faces.map((_, i) => {
    const each = die(sides, { size: 64 });
    each.show(faces[i]);
    const word = h("span", {}, String(faces[i]));
    const turn = h("button", { class: "keep", type: "button", "aria-label": `Die ${i + 1} shows ${faces[i]}; press for the next face`, on: { click: () => {
      faces[i] = faces[i] % sides + 1;
      each.show(faces[i]);
      word.textContent = faces[i];
      turn.setAttribute("aria-label", `Die ${i + 1} shows ${faces[i]}; press for the next face`);
      byDice();
    } } }, each.node, word);
    const put = h("button", { class: "button small", type: "button", "aria-pressed": "false", on: { click: () => {
      aside[i] = !aside[i];
      if (aside.every(Boolean)) aside[i] = false;
      put.setAttribute("aria-pressed", String(aside[i]));
      put.textContent = aside[i] ? "aside" : "thrown";
      byDice();
    } } }, "thrown");
    return h("div", { class: "die-and-word" }, turn, put);
  }));

  byWords();
  const whole = h("p", { class: "soft" });
  get(`/api/explore/${game.name}`).then((told) => show(whole, `From the first cast on, best play for ${told.utility} is worth ${measure(told).value(told.value)}, exactly ${told.exact}.`)).catch(() => {});
  return h("div", { class: "split even" },
    h("div", { class: "stack" },
      h("section", { class: "card" }, h("h2", {}, "Say it"),
        h("form", { class: "stack", on: { submit: (event) => { event.preventDefault(); byWords(); } } },
          h("div", { class: "field" }, h("label", { for: "ask-round" }, "What lies on the table"), ask),
          h("button", { class: "button primary", type: "submit" }, "What should I keep?"))),
      h("section", { class: "card" }, h("h2", {}, "Or show it"), h("div", { class: "tray low" }, h("span", { class: "says" }, "Press a die for its next face"), row, h("span")),
        left.node, h("div", { class: "field" }, h("label", { for: "utility-round" }, "Goal or utility"), utility, h("datalist", { id: "utilities-round" }, suggested.map(({ value, label }) => h("option", { value }, label)))), whole)),
    h("div", { class: "stack" }, progress.node, answer));
}
