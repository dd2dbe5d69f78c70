// A painting can be kept under a name: then it can be played against, taken up again, and shared by its link.

import { get, post, remove } from "../api.js";
import { announce, h, show } from "../dom.js";
import { go } from "../go.js";
import { t } from "../i18n.js";
import { failure, progressPlace } from "../waiting.js";

/** Return the place where what `inner` holds is kept, and where those kept before are taken up again. */
export function keeper(game, parameters, inner) {
  const list = h("ul", { class: "items kept", "aria-label": t("Kept paintings") });
  const progress = progressPlace(), problem = h("div");
  const name = h("input", { type: "text", maxlength: 40, value: t("My map"), "aria-label": t("Name of the painting") });

  async function act(what) {
    show(problem);
    try { await what(); } catch (refused) { show(problem, failure(refused)); }
    progress.done();
  }
  const keep = () => act(async () => {
    const told = await post("/api/paintings", { game: game.name, parameters, painted: { ...inner.value, name: name.value.trim() || t("My map") } }, progress);
    announce(t("{name} is kept.", { name: told.name }));
    await draw();
  });
  const play = (each) => act(async () => {
    const match = await post("/api/matches", { game: each.game, parameters: each.parameters, opponent: { kind: "painted", painting: each.id }, starts: "coin" }, progress);
    go(`/play/${match.id}?new`);
  });
  const load = (each) => act(async () => {
    inner.load((await get(`/api/paintings/${each.id}`)).painted);
    announce(t("{name} is on the map.", { name: each.name }));
  });
  const forget = (each) => act(async () => { await remove(`/api/paintings/${each.id}`); await draw(); });
  function share(each, button) {
    const link = new URL(each.link, location.href).href;
    navigator.clipboard.writeText(link).then(() => { button.textContent = t("Copied"); announce(t("The link is copied")); }, () => { button.textContent = link; });
  }
  const button = (text, what, each, act_) => h("button", { class: "button small", type: "button", "data-do": what, "aria-label": `${text}: ${each.name}`, on: { click: (event) => act_(each, event.currentTarget) } }, text);

  /** Those of the same game by the same rules: others would not fit on this map. */
  async function draw() {
    const [{ paintings }, { title }] = await Promise.all([get("/api/paintings"), post("/api/games/check", { game: game.name, parameters })]);
    const here = paintings.filter((each) => each.title === title);
    show(list, here.map((each) => h("li", { class: "row", "data-painting": each.id }, h("b", { class: "grow" }, each.name),
      button(t("Play against it"), "meet", each, play), button(t("Take it up"), "load", each, load),
      button(t("Copy its link"), "share", each, share), button(t("Forget it"), "forget", each, forget))));
    list.hidden = !here.length;
  }
  draw().catch(() => {});
  return {
    node: h("div", { class: "stack" }, h("div", { class: "row end" }, h("div", { class: "grow" }, name),
      h("button", { class: "button", type: "button", "data-do": "keep", on: { click: keep } }, t("Keep this painting"))), progress.node, problem, list),
  };
}
