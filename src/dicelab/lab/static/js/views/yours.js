// What is yours: all your games as a file, that file read again, and everything about you forgotten.

import { download, post, remove } from "../api.js";
import { announce, h, show } from "../dom.js";
import { t, tn } from "../i18n.js";
import { failure } from "../waiting.js";

const PART = 350_000; // letters of one request: the server takes a little more

/** Return the games of a file in parts that are small enough to be sent. */
function parts(games) {
  const found = [[]];
  let size = 0;
  for (const game of games) {
    const length = JSON.stringify(game).length;
    if (found.at(-1).length && (size + length > PART || found.at(-1).length >= 200)) { found.push([]); size = 0; }
    found.at(-1).push(game);
    size += length;
  }
  return found;
}

/** Return the card that keeps, brings in and forgets; `again` draws the history anew. */
export function yoursCard(again) {
  const said = h("div", { role: "status" });
  const tell = (text) => { show(said, h("p", { class: "note" }, text)); announce(text); };
  const attempt = async (what) => { try { await what(); } catch (problem) { show(said, failure(problem)); } };

  async function bringIn(file) {
    let read = null;
    tell(t("One moment."));
    try { read = JSON.parse(await file.text()); } catch { read = null; }
    if (read?.format !== "dicelab games" || !Array.isArray(read.games)) throw new Error(t("{name} is no file of games from a lab", { name: file.name }));
    let added = 0, known = 0, refused = [];
    for (const [i, games] of parts(read.games).entries()) {
      const told = await post("/api/me/games", { games, paintings: i ? [] : read.paintings ?? [] });
      added += told.added; known += told.known; refused = [...refused, ...told.refused];
    }
    await again();
    tell([tn("{n} game was added.", "{n} games were added.", added), known ? tn("{n} was here already.", "{n} were here already.", known) : "", refused.length ? t("Refused: {why}", { why: refused.join("; ") }) : ""].filter(Boolean).join(" "));
  }
  const choose = h("input", { type: "file", accept: ".json,application/json", hidden: true, on: { change: () => { const [file] = choose.files; choose.value = ""; if (file) attempt(() => bringIn(file)); } } }); // emptied, so that the same file can be chosen again

  async function forget() {
    const dialog = h("dialog", { "aria-labelledby": "forget-title" }, h("form", { method: "dialog", class: "stack" },
      h("h2", { id: "forget-title" }, t("Forget everything about you?")),
      h("p", {}, t("Your name, games, reviews and paintings are removed from this lab for good. A file of your games brings back those that are over, here or elsewhere.")),
      h("div", { class: "row" }, h("button", { class: "button", value: "no" }, t("Keep everything")), h("button", { class: "button primary", value: "yes", "data-do": "forget" }, t("Forget it all")))));
    document.body.append(dialog);
    dialog.addEventListener("close", () => {
      dialog.remove();
      if (dialog.returnValue === "yes") attempt(async () => { await remove("/api/me"); localStorage.clear(); location.assign("/play"); });
    });
    dialog.showModal();
  }
  return h("section", { class: "card", "aria-labelledby": "yours-title" }, h("h2", { id: "yours-title" }, t("Yours")),
    h("p", { class: "soft" }, t("Your games belong to you: take them with you, bring them in elsewhere, or have them forgotten.")),
    h("div", { class: "row" },
      h("button", { class: "button", type: "button", "data-do": "export", on: { click: () => attempt(() => download("/api/me/games", "dicelab-games.json")) } }, t("Export my games")),
      h("button", { class: "button", type: "button", "data-do": "import", on: { click: () => choose.click() } }, t("Bring in games")), choose,
      h("button", { class: "button", type: "button", "data-do": "leave", on: { click: forget } }, t("Forget everything about me"))), said);
}
