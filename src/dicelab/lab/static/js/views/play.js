// Before the game: which one, by which rules, against whom, who starts, and what the coach may say.

import { allGames, get, post, whoAmI } from "../api.js";
import { h, show } from "../dom.js";
import { parameters, segments, strategyPicker, dropdown } from "../fields.js";
import { go } from "../go.js";
import { progressPlace, failure } from "../waiting.js";
import { capital, titled, plural } from "../words.js";

const LAST = "dicelab-last-game";

function remembered() {
  try { return JSON.parse(localStorage.getItem(LAST)) ?? {}; } catch { return {}; }
}

const COACH = [
  { value: "on", label: "Beside me" }, { value: "warn", label: "Only warn me" }, { value: "after", label: "After the game" }, { value: "off", label: "Off" },
];
const COACH_SAYS = {
  on: "Shows, before you move, your chances against perfect play and against this opponent, and what each move is worth.",
  warn: "Silent, until a move would cost you more than this:",
  after: "Silent during the game; the review tells all.",
  off: "Silent. You can still open the review.",
};
const OPPONENTS = { optimal: "Perfect play", strategy: "A strategy", adaptive: "One that adapts", person: "A person" };
const OPPONENT_SAYS = {
  optimal: "Makes no mistakes. Only luck beats it.",
  adaptive: "Watches how you play, and bends away from perfect play to use it.",
};
const STARTS = { coin: "A coin decides", me: "I start", opponent: "The other starts" };
const MANY = { optimal: "Equilibrium play" }; // of three and more nobody plays perfectly
const MANY_SAYS = { optimal: "Plays the strategy found: while all others keep to it, nobody gains by playing otherwise." };
const NEXT = "The next starts"; // at a table of three and more

function opponentField(game, people, given, legend = "Against", many = false) {
  const among = many ? game.many : game.opponents;
  if (!game.opponents?.length) return { node: null, value: undefined };
  const place = h("div", { class: "stack" });
  let picker = null, person = null;
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
    if (kind.value === "strategy") {
      const first = game.rivals.find((each) => each !== "optimal");
      const known = given?.kind === "strategy" && game.strategies.some((each) => each.name === given.name.split(":")[0]);
      picker = strategyPicker(game, { label: "Which one", name: "opponent-strategy", value: known ? given.name : first });
      show(place, picker.node);
    } else if (kind.value === "person") {
      person = own.length ? dropdown({
        label: "Who", name: "person", choices: own.map((each, i) => ({ value: String(i), label: each.record === "me" ? "You, as your games show you" : `${each.player} (${plural(each.games, "game")})` })),
      }) : null;
      show(place, person?.node ?? h("p", { class: "note" }, "Nobody yet. Play a game to its end and you can meet yourself; records of others are read in on the administrator's page."));
    } else show(place, h("p", { class: "hint" }, (many && MANY_SAYS[kind.value]) || OPPONENT_SAYS[kind.value]));
  }
  draw();
  return {
    node: h("div", { class: "stack" }, kind.node, place),
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
    sit(players) {
      const count = Math.min(Math.max(1, players - 1), 9);
      if (sitting.length === count) return;
      const given = (i) => sitting[i]?.value ?? last.opponents?.[i] ?? last.opponent;
      sitting = count === 1 ? [opponentField(game, people, given(0))]
        : Array.from({ length: count }, (_, i) => opponentField(game, people, given(i), i ? "Then" : "Next after you", true));
      show(node, sitting.map((each) => each.node));
    },
    get value() {
      if (!sitting[0].node) return {};
      return sitting.length > 1 ? { opponents: sitting.map((each) => each.value) } : { opponent: sitting[0].value };
    },
  };
}

function coachField(given) {
  const says = h("p", { class: "hint" });
  const large = dropdown({
    label: "A large mistake costs at least", name: "warn_at", value: String(given?.warn_at ?? 0.02),
    choices: [["0.005", "half a per cent of the game"], ["0.01", "1% of the game"], ["0.02", "2% of the game"], ["0.05", "5% of the game"], ["0.1", "10% of the game"]].map(([value, label]) => ({ value, label })),
  });
  const mode = segments({ legend: "The coach", name: "coach", choices: COACH, value: given?.coach ?? "on", onChange: draw });
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
    h("span", { class: "soft" }, [match.score, match.kind === "solo" ? null : match.opponent?.label].filter(Boolean).join(" · ")));
  const rest = matches.slice(SHORT);
  return h("nav", { class: "stack", "aria-label": "Games under way" },
    h("div", { class: "resume" }, h("span", { class: "legend" }, "Go on with"), matches.slice(0, SHORT).map(link)),
    rest.length ? h("details", {}, h("summary", {}, `${plural(rest.length, "older game")} under way`), h("div", { class: "resume" }, rest.map(link))) : null);
}

export default async function play(place, { url }) {
  const [games, me, { people }] = await Promise.all([allGames(), whoAmI(true), get("/api/people").catch(() => ({ people: [] }))]);
  const last = remembered();
  const wanted = url.searchParams.get("game") ?? last.game;
  let game = games.find((each) => each.name === wanted) ?? games[0];
  let rules, opponent, starts;
  const details = h("div", { class: "choices" });
  const problem = h("div");
  const progress = progressPlace();
  const coach = coachField(last);

  const tiles = h("fieldset", {}, h("legend", {}, "Game"), h("div", { class: "games" }, games.map((each) => h("label", {},
    h("input", { type: "radio", name: "game", value: each.name, checked: each === game, "data-game": each.name, on: { change: () => { game = each; draw(); } } }),
    h("span", { class: "tile" }, h("b", {}, each.title), h("small", {}, capital(each.rules)))))));

  function draw() {
    const same = last.game === game.name;
    show(problem);
    const sit = () => {
      opponent.sit(Number(rules.value.players ?? game.players));
      const next = starts?.node.querySelector("[data-choice=opponent] + span");
      if (next) next.textContent = opponent.count > 1 ? NEXT : STARTS.opponent;
    };
    rules = parameters(game, { given: same ? last.parameters : {}, shown: game.shown, onChange: sit });
    opponent = opponentsField(game, people, last);
    const who = game.starts ?? [];
    starts = who.length ? segments({
      legend: "Who starts", name: "starts", value: last.starts ?? "coin",
      choices: ["coin", "me", "opponent"].filter((value) => who.includes(value)).map((value) => ({ value, label: STARTS[value] })),
    }) : null;
    sit();
    show(details, h("div", { class: "stack" }, h("fieldset", {}, h("legend", {}, "Rules"), rules.node), starts?.node), h("div", { class: "stack" }, opponent.node, coach.node));
  }
  draw();

  const button = h("button", { class: "button primary start", type: "submit" }, "Throw the dice");
  const form = h("form", {
    class: "card", "aria-label": "A new game",
    on: {
      submit: async (event) => {
        event.preventDefault();
        const body = { game: game.name, parameters: rules.value, ...coach.value, ...opponent.value };
        if (starts) body.starts = starts.value;
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
      },
    },
  }, details, progress.node, problem, button);

  show(place,
    h("div", { class: "page-head" }, h("h1", {}, "Play against perfection"),
      h("p", { class: "lead" }, "Choose a game. The best move of every position is known here, and a coach beside you can tell what yours would cost.")),
    me.player.answers ? null : h("p", { class: "soft" }, "Taking part in the study? ", h("a", { href: "/study" }, "Three questions"), " come before the first game."),
    unfinished(me.player.unfinished ?? []),
    tiles, form);
}
