// Play with a friend: which game, at one device or by link, who is called what, and whom the coach helps.

import { allGames, post, query, whoAmI } from "../api.js";
import { h, freshId, show } from "../dom.js";
import { dropdown, parameters, segments } from "../fields.js";
import { go } from "../go.js";
import { t } from "../i18n.js";
import { failure, progressPlace } from "../waiting.js";
import { openLink } from "./people.js";

const COACH = [{ value: "off", label: t("No coach") }, { value: "on", label: t("With the coach") }];

function nameField(label, name, value) {
  const id = freshId(name);
  const input = h("input", { type: "text", id, maxlength: 40, autocomplete: "off", "data-field": name, required: true });
  input.value = value;
  return { node: h("div", { class: "field" }, h("label", { for: id }, label), input), get value() { return input.value.trim(); } };
}

export default async function together(place, { url }) {
  const [games, me] = await Promise.all([allGames(), whoAmI()]);
  const two = games.filter((each) => each.opponents.length);
  const game = two.find((each) => each.name === url.searchParams.get("game")) ?? two[0];
  const problem = h("div"), progress = progressPlace();
  const which = dropdown({ label: t("Game"), name: "together-game", value: game.name, choices: two.map((each) => ({ value: each.name, label: each.title })), onChange: (name) => go(`/together${query({ game: name })}`, { replace: true }) });
  const seats = game.players === 2 ? {} : { players: 2 }; // a game that one plays alone unless it is told
  const rules = parameters({ ...game, parameters: game.parameters.filter((each) => each.name !== "players") }, { shown: 2 });
  const mine = nameField(t("Your name"), "me", me.player.name), theirs = nameField(t("The other's name"), "friend", t("Guest"));
  const coach = segments({ legend: t("You play"), name: "my-coach", choices: COACH, value: "off" });
  const friend = segments({ legend: t("The other plays"), name: "friend-coach", choices: COACH, value: "off" });
  const starts = game.kind !== "at-once" ? segments({ legend: t("Who starts"), name: "starts", value: "coin", choices: [{ value: "coin", label: t("A coin decides") }, { value: "me", label: t("I start") }, { value: "opponent", label: t("The other starts") }] }) : null;
  const consent = h("input", { type: "checkbox", "data-field": "consent" });
  const agreed = h("label", { class: "check" }, consent, t("Let somebody join by link: whoever has it and can reach this lab may take the seat."));
  const where = segments({ legend: t("Where the other is"), name: "where", value: "here", choices: [{ value: "here", label: t("Here, at this device") }, { value: "link", label: t("At another, by link") }], onChange: draw });
  const button = h("button", { class: "button primary start", type: "submit" }, t("Throw the dice"));
  function draw() {
    const here = where.value === "here";
    theirs.node.hidden = friend.node.hidden = !here;
    theirs.node.querySelector("input").required = here;
    agreed.hidden = here;
    consent.required = !here;
  }
  draw();
  show(place,
    h("div", { class: "page-head" }, h("h1", {}, t("Play with a friend")), h("p", { class: "lead" }, t("Two people, dice from the lab, and a review for each."))),
    h("form", {
      class: "card", "aria-label": t("A game for two people"), on: {
        submit: async (event) => {
          event.preventDefault();
          button.disabled = true;
          show(problem);
          const here = where.value === "here";
          const people = { where: where.value, me: mine.value, ...(here ? { name: theirs.value, coach: friend.value } : {}) };
          try {
            const match = await post("/api/matches", { game: game.name, parameters: { ...rules.value, ...seats }, coach: coach.value, people, ...(starts ? { starts: starts.value } : {}) }, { onProgress: progress.onProgress });
            if (!here) await openLink(match.id, "seat");
            go(`/play/${match.id}`);
          } catch (refused) { show(problem, failure(refused)); button.disabled = false; }
          progress.done();
        },
      },
    }, h("div", { class: "choices" },
      h("div", { class: "stack" }, which.node, h("fieldset", {}, h("legend", {}, t("Rules")), rules.node), starts?.node),
      h("div", { class: "stack" }, where.node, agreed, h("div", { class: "fields" }, mine.node, theirs.node), coach.node, friend.node)), button, progress.node, problem));
}
