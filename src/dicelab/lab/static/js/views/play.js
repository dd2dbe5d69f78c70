// Before the game: which one, by which rules, against whom, who starts, and what the coach may say.

import { allGames, allMarks, get, post, whoAmI } from "../api.js";
import { h, reducedMotion, show } from "../dom.js";
import { handful } from "../dice.js";
import { parameters, segments, strategyPicker, dropdown } from "../fields.js";
import { go } from "../go.js";
import { t, tn, tp } from "../i18n.js";
import { todaysGame } from "./daily.js";
import { progressPlace, failure } from "../waiting.js";
import { capital, percentTick, titled, when } from "../words.js";

const LAST = "dicelab-last-game";

function remembered() {
  try { return JSON.parse(localStorage.getItem(LAST)) ?? {}; } catch { return {}; }
}

const COACH = [
  { value: "on", label: t("Beside me") }, { value: "warn", label: t("Only warn me") }, { value: "after", label: t("After the game") }, { value: "off", label: t("Off") },
];
const COACH_SAYS = {
  on: t("Shows, before you move, your chances against perfect play and against this opponent, and what each move is worth."),
  warn: t("Silent, until a move would cost you more than this:"),
  after: t("Silent during the game; the review tells all."),
  off: t("Silent. You can still open the review."),
};
const OPPONENTS = { optimal: t("Perfect play"), strategy: t("A strategy"), adaptive: t("One that adapts"), person: t("A person") };
const OPPONENT_SAYS = {
  optimal: t("Makes no mistakes. Only luck beats it."),
  adaptive: t("Watches how you play, and bends away from perfect play to use it."),
};
const STARTS = { coin: t("A coin decides"), me: t("I start"), opponent: t("The other starts") };
const MANY = { optimal: t("Equilibrium play") }; // of three and more nobody plays perfectly
const MANY_SAYS = { optimal: t("Plays the strategy found: while all others keep to it, nobody gains by playing otherwise.") };
const NEXT = t("The next starts"); // at a table of three and more

function opponentField(game, people, given, legend = t("Against"), many = false) {
  const among = many ? game.many : game.opponents;
  if (!game.opponents?.length) return { node: null, value: undefined };
  const place = h("div", { class: "stack" });
  let picker = null, person = null, tell = () => {}, strengths = {};
  const kinds = ["optimal", "strategy", "adaptive", "person"].filter((kind) => among.includes(kind));
  // You are there once, whatever rules you played by: those of the new game decide.
  const here = people.filter((each) => each.game === game.name);
  const own = [...here.filter((each) => each.record === "me").slice(0, 1), ...here.filter((each) => each.record !== "me")];
  const kind = segments({
    legend, name: "opponent", value: kinds.includes(given?.kind) ? given.kind : kinds[0],
    choices: kinds.map((value) => ({ value, label: (many && MANY[value]) || OPPONENTS[value] })), onChange: draw,
  });
  function draw() {
    picker = person = null;
    tell = () => {};
    if (kind.value === "strategy") {
      const first = game.rivals.find((each) => each !== "optimal");
      const known = given?.kind === "strategy" && game.strategies.some((each) => each.name === given.name.split(":")[0]);
      const named = many ? [] : game.people.filter((each) => each.strategy !== "optimal");
      const choose = named.length > 1 ? segments({
        legend: t("Opponents worth meeting"), name: "rival", hidden: true, value: known ? given.name : first,
        choices: named.map((each) => ({ value: each.strategy, label: capital(each.name) })), onChange: (name) => { picker.value = name; tell(); },
      }) : null;
      const says = h("p", { class: "hint" });
      tell = () => {
        const one = named.find((each) => each.strategy === picker.value), strength = strengths[picker.value];
        if (choose) choose.value = picker.value;
        show(says, one?.says ?? "", strength ? h("span", { "data-strength": picker.value }, ` ${capital(strength)}.`) : null);
      };
      picker = strategyPicker(game, { label: t("By its name"), name: "opponent-strategy", value: known ? given.name : first, onChange: () => tell() });
      show(place, choose?.node, says, picker.node);
      tell();
    } else if (kind.value === "person") {
      person = own.length ? dropdown({
        label: t("Who"), name: "person", choices: own.map((each, i) => ({ value: String(i), label: each.record === "me" ? t("You, as your games show you") : tn("{player} ({n} game)", "{player} ({n} games)", each.games, { player: each.player }) })),
      }) : null;
      show(place, person?.node ?? h("p", { class: "note" }, t("Nobody yet. Play a game to its end and you can meet yourself; records of others are read in on the administrator's page.")));
    } else show(place, h("p", { class: "hint" }, (many && MANY_SAYS[kind.value]) || OPPONENT_SAYS[kind.value]));
  }
  draw();
  return {
    node: h("div", { class: "stack" }, kind.node, place),
    /** Hear how strong each is by the rules that are set. */
    learn(found) { strengths = found; tell(); },
    get value() {
      if (kind.value === "strategy") return { kind: "strategy", name: picker.value };
      if (kind.value === "person") {
        const who = own[Number(person?.value ?? 0)];
        return !who || who.record === "me" ? { kind: "person" } : { kind: "person", record: who.record, player: who.player };
      }
      return { kind: kind.value };
    },
  };
}

/** Everybody who sits opposite: one, or at a larger table each in order of the turns. */
function opponentsField(game, people, last) {
  const node = h("div", { class: "stack" });
  let sitting = [];
  return {
    node,
    get count() { return sitting.length; },
    learn(found) { if (sitting.length === 1) sitting[0].learn?.(found); },
    sit(players) {
      const count = Math.min(Math.max(1, players - 1), 9);
      if (sitting.length === count) return;
      const given = (i) => sitting[i]?.value ?? last.opponents?.[i] ?? last.opponent;
      sitting = count === 1 ? [opponentField(game, people, given(0))]
        : Array.from({ length: count }, (_, i) => opponentField(game, people, given(i), i ? t("Then") : t("Next after you"), true));
      show(node, sitting.map((each) => each.node));
    },
    get value() {
      if (!sitting[0].node) return {};
      return sitting.length > 1 ? { opponents: sitting.map((each) => each.value) } : { opponent: sitting[0].value };
    },
  };
}

function coachField(given, marks) {
  const says = h("p", { class: "hint" });
  const choices = marks.filter(({ mark }) => ["inaccuracy", "mistake", "blunder"].includes(mark)).map(({ from, words }) => ({ value: String(from), label: t("{mark}: {share} of what is at stake", { mark: words, share: percentTick(from) }) }));
  const wanted = String(given?.warn_at), usual = String(marks.find(({ mark }) => mark === "mistake").from);
  const large = dropdown({ label: t("Warn me from"), name: "warn_at", value: choices.some(({ value }) => value === wanted) ? wanted : usual, choices });
  const mode = segments({ legend: t("The coach"), name: "coach", choices: COACH, value: given?.coach ?? "on", onChange: draw });
  function draw() {
    says.textContent = COACH_SAYS[mode.value];
    large.node.hidden = mode.value !== "warn";
  }
  draw();
  return { node: h("div", { class: "stack" }, mode.node, says, large.node), get value() { return { coach: mode.value, warn_at: Number(large.value) }; } };
}

const SHORT = 3; // so many games under way are in front, the newest first
function unfinished(matches) {
  if (!matches.length) return null;
  const link = (match) => h("a", { class: "button small", href: `/play/${match.id}` }, titled(match.title),
    h("span", { class: "soft" }, [match.kind === "solo" ? null : match.opponent?.label, when(match.started)].filter(Boolean).join(" · ")));
  const rest = matches.slice(SHORT);
  return h("nav", { class: "stack", "aria-label": t("Games under way") },
    h("div", { class: "resume" }, h("span", { class: "legend" }, t("Go on with")), matches.slice(0, SHORT).map(link)),
    rest.length ? h("details", {}, h("summary", {}, tn("{n} older game under way", "{n} older games under way", rest.length)), h("div", { class: "resume" }, rest.map(link))) : null);
}

export default async function play(place, { url }) {
  const [games, marks, me, { people }, today] = await Promise.all([allGames(), allMarks(), whoAmI(true), get("/api/people").catch(() => ({ people: [] })), todaysGame()]);
  const last = remembered();
  const wanted = url.searchParams.get("game") ?? last.game;
  let game = games.find((each) => each.name === wanted) ?? games[0];
  let rules, opponent, starts;
  const heading = h("h2");
  const details = h("div", { class: "choices" });
  const problem = h("div");
  const progress = progressPlace();
  const coach = coachField(last, marks);

  /** Begin a game at once, by its usual rules, against the first worth meeting. */
  async function begin(body, button) {
    localStorage.setItem(LAST, JSON.stringify(body));
    button.disabled = true;
    show(problem);
    try {
      const match = await post("/api/matches", body, { onProgress: progress.onProgress });
      go(`/play/${match.id}?new`);
    } catch (refused) {
      button.disabled = false;
      progress.done();
      show(problem, failure(refused));
    }
  }
  const standard = ({ name, kind, people: [first], tile: { rules: parameters } }) => ({
    game: name, parameters, coach: "on",
    ...(first && kind !== "solo" ? { opponent: { kind: "strategy", name: first.strategy }, starts: "coin" } : {}),
  });
  /** A tap plays the standard game; "Change" opens its form. */
  function tile(each) {
    const play = h("button", { class: "tile", type: "button", "data-play": each.name, on: { click: () => (each.too_large ? change.click() : begin(standard(each), play)) } },
      h("span", { class: "on-felt", "aria-hidden": "true" }, handful(each.tile.faces, each.tile.sides, { room: 160, atMost: 34, rows: 1 }).show().node),
      h("b", {}, each.title), h("small", {}, each.too_large ? t("Too large by its usual rules to be solved while you wait: choose smaller ones.") : capital(each.rules)));
    const change = h("input", { type: "radio", name: "game", value: each.name, "data-game": each.name, on: { change: () => { game = each; form.hidden = false; draw(); form.scrollIntoView({ block: "start", behavior: reducedMotion() ? "auto" : "smooth" }); } } });
    return h("div", { class: "game" }, play, h("label", { class: "change" }, change, h("span", {}, t("Change"), h("span", { class: "unseen" }, ` ${each.title}`))));
  }
  const rest = games.filter((each) => !each.front);
  const tiles = h("div", { class: "stack", role: "group", "aria-label": t("Games") },
    h("div", { class: "games" }, games.filter((each) => each.front).map(tile)),
    rest.length ? h("details", { open: !(games.find((each) => each.name === wanted)?.front ?? true) }, h("summary", {}, t("More games")), h("div", { class: "games" }, rest.map(tile))) : null);

  let asking = null, asks = 0;
  /** Ask how strong the opponents are by the rules as they stand, which may take the server a while. */
  async function weigh() {
    if (game.kind === "solo" || opponent.count > 1) return;
    const mine = ++asks, given = new URLSearchParams(rules.value);
    const { strengths } = await get(`/api/versus/${encodeURIComponent(game.name)}/strengths?${given}`).catch(() => ({ strengths: [] }));
    if (mine === asks) opponent.learn(Object.fromEntries(strengths.map((each) => [each.strategy, each.sentence])));
  }

  function draw() {
    asks += 1;
    const same = last.game === game.name;
    show(problem);
    heading.textContent = game.title;
    const sit = () => {
      opponent.sit(Number(rules.value.players ?? game.players));
      const next = starts?.node.querySelector("[data-choice=opponent] + span");
      if (next) next.textContent = opponent.count > 1 ? NEXT : STARTS.opponent;
      opponent.learn({}); // of other rules
      clearTimeout(asking);
      if (!form.hidden) asking = setTimeout(weigh, 500);
    };
    rules = parameters(game, { given: same ? last.parameters : game.tile.rules, shown: game.shown, onChange: sit });
    opponent = opponentsField(game, people, last);
    const who = game.starts ?? [];
    starts = who.length ? segments({
      legend: t("Who starts"), name: "starts", value: last.starts ?? "coin",
      choices: ["coin", "me", "opponent"].filter((value) => who.includes(value)).map((value) => ({ value, label: STARTS[value] })),
    }) : null;
    sit();
    show(details, h("div", { class: "stack" }, h("fieldset", {}, h("legend", {}, t("Rules")), rules.node), starts?.node), h("div", { class: "stack" }, opponent.node, coach.node));
  }

  const button = h("button", { class: "button primary start", type: "submit" }, t("Throw the dice"));
  const form = h("form", {
    class: "card", "aria-label": t("A new game"), hidden: !url.searchParams.has("game"),
    on: {
      submit: async (event) => {
        event.preventDefault();
        const body = { game: game.name, parameters: rules.value, ...coach.value, ...opponent.value };
        if (starts) body.starts = starts.value;
        await begin(body, button);
      },
    },
  }, heading, details, button);
  draw();

  const known = games.find((each) => each.name === last.game);
  const again = known ? h("button", { class: "button primary start", type: "button", "data-do": "again", on: { click: () => begin(last, again) } }, t("Play again: {game}", { game: known.title })) : null;

  show(place,
    h("div", { class: "page-head" }, h("h1", {}, t("Play against perfection")),
      h("p", { class: "lead" }, t("Tap a game to play it. The best move of every position is known here, and a coach beside you can tell what yours would cost."))),
    again, today, unfinished(me.player.unfinished ?? []),
    h("p", {}, h("a", { class: "button", href: "/together", "data-do": "together" }, t("Play with a friend"))),
    progress.node, problem, tiles, form,
    me.player.answers ? null : h("p", { class: "soft" }, tp("Taking part in the study? {link} come before the first game.", { link: h("a", { href: "/study" }, t("Three questions")) })));
}
