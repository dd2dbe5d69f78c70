// Somebody has a link to a seat: whose game it is, and a name to sit down with.

import { get, post, whoAmI } from "../api.js";
import { h, freshId, show } from "../dom.js";
import { segments } from "../fields.js";
import { go } from "../go.js";
import { t } from "../i18n.js";
import { failure, progressPlace } from "../waiting.js";
import { titled } from "../words.js";

export default async function join(place, { id: token }) {
  const path = `/api/invitations/${encodeURIComponent(token ?? "")}`;
  const me = await whoAmI(), told = await get(path);
  const problem = h("div"), progress = progressPlace(), id = freshId("name");
  const head = h("div", { class: "page-head" }, h("h1", {}, t("{name} invites you to play", { name: told.host })), h("p", { class: "lead" }, titled(told.title)));
  if (told.match || !told.open) {
    show(place, head, h("p", { class: "note" }, told.match ? t("You sit at this table.") : t("Somebody sits there already, or the game is over.")),
      h("p", {}, h("a", { class: "button primary", href: told.match ? `/play/${told.match}` : "/play" }, told.match ? t("To the table") : t("To the games"))));
    return;
  }
  const input = h("input", { type: "text", id, maxlength: 40, autocomplete: "nickname", required: true, "data-field": "name" });
  input.value = me.player.name;
  const coach = segments({ legend: t("You play"), name: "coach", value: "off", choices: [{ value: "off", label: t("No coach") }, { value: "on", label: t("With the coach") }] });
  const button = h("button", { class: "button primary", type: "submit" }, t("Take the seat"));
  show(place, head, h("form", {
    class: "card", "aria-label": t("Take the seat"), on: {
      submit: async (event) => {
        event.preventDefault();
        button.disabled = true;
        try {
          const match = await post(path, { name: input.value.trim(), coach: coach.value }, { onProgress: progress.onProgress });
          go(`/play/${match.id}`);
        } catch (refused) { button.disabled = false; show(problem, failure(refused)); }
        progress.done();
      },
    },
  }, h("div", { class: "field" }, h("label", { for: id }, t("Your name at the table")), input), coach.node,
  h("p", { class: "soft small" }, t("The other player sees this name and your moves; both of you and whoever has the link of the review can open it.")), h("div", { class: "row" }, button), progress.node, problem));
}
