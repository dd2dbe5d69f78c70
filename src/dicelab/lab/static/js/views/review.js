// After the game: how it went, what was given away and where, and what the dice did.

import { get, query } from "../api.js";
import { lines, range } from "../charts.js";
import { announce, h, show, stat } from "../dom.js";
import { progressPlace } from "../waiting.js";
import { against, capital, listed, measure, percent, percentTick, plain, titled, when } from "../words.js";
import { t, tn } from "../i18n.js";
import { drawnPosition } from "./positions.js";
import { walk } from "./walk.js";

const MOST = 12; // so many mistakes are shown; the others are folded away

function curveChart(review, says, who, { met = null, onPick, onReady }) {
  const { curve, others } = review;
  const other = (name) => (others.length > 1 ? capital(others[(Number(name.split(" ")[1]) || 1) - 1].name) : t("Other"));
  const shown = (x) => (says.isPercent ? 100 * says.part(x) : x);
  const y = curve.map((point) => shown(point.value));
  const tells = (i) => {
    const point = curve[i];
    const what = point.who ? t("{what}: {share}", { what: point.who === "you" ? who : other(point.who), share: [point.label ?? point.move, ...(point.dice ?? []).slice(0, 12)].join(" ") }) : t("Start");
    const cost = point.cost > 1e-9 && point.who === "you" ? `\n${t("cost {cost}", { cost: says.cost(point.cost) })}` : "";
    return `${what}\n${point.notation}\n${says.value(point.value)}${cost}`;
  };
  const marked = new Set(review.mistakes.filter((mistake) => !mistake.slip).map((mistake) => mistake.ply));
  const wrong = range(curve.length).filter((i) => curve[i].who === "you" && marked.has(curve[i].ply));
  const known = met ? range(curve.length).filter((i) => met.values[i] !== null && met.values[i] !== undefined) : [];
  const axis = says.isPercent ? says.means.split(",")[0] : t("{unit} expected", { unit: says.means });
  return lines({
    series: [{ x: range(curve.length), y, filled: true, says: tells, ...(known.length ? { name: t("against perfect play") } : {}) },
      ...(known.length ? [{ x: known, y: known.map((i) => shown(met.values[i])), dashed: true, token: "them", name: t("against {opponent}, with the best reply", { opponent: met.label }) }] : []),
      ...(wrong.length ? [{ x: wrong, y: wrong.map((i) => y[i]), dots: true, token: "bad", name: t("mistakes") }] : [])],
    xTitle: t("moves"), yTitle: axis, low: says.isPercent ? 0 : Math.min(0, ...y), high: says.isPercent ? 100 : null, yText: (x) => (says.isPercent ? percentTick(x / 100) : plain(x, 12)), guide: says.isPercent && review.seats > 1 ? 100 / review.seats : null,
    label: tn("{what} after every move, from {first} to {last}; {n} mistake marked.", "{what} after every move, from {first} to {last}; {n} mistakes marked.", review.you.mistakes, { what: capital(axis), first: says.value(curve[0].value), last: says.value(curve.at(-1).value) }),
    onPick, onReady,
  });
}

/** What the marks mean: shares of what is at stake, the same everywhere. */
function scale(review, says) {
  const least = Object.fromEntries(review.marks.map(({ mark, from }) => [mark, from]));
  const tells = {
    best: () => t("cost nothing that can be told from nothing"),
    fine: () => t("cost less than {share}", { share: percentTick(least.inaccuracy) }),
    lucky: () => t("a throw that gave {share} or more", { share: percentTick(least.lucky) }),
    unlucky: () => t("a throw that took {share} or more", { share: percentTick(least.unlucky) }),
  };
  const what = says.isPercent ? t("Shares are of what is at stake: the difference between a win and a loss.") : t("Shares are of what is at stake: {amount}.", { amount: `${plain(review.at_stake, 3)} ${says.means}` });
  return h("details", { class: "card", "data-marks": "yes" }, h("summary", {}, t("What the marks mean")),
    h("dl", { class: "marks" }, review.marks.map(({ mark, from, words }) => [h("dt", {}, words), h("dd", { "data-from": from }, (tells[mark] ?? (() => t("cost {share} or more", { share: percentTick(from) })))())])),
    h("p", { class: "soft small" }, what, " ", t("Where mistakes are counted, inaccuracies and blunders are among them.")),
    h("p", { class: "soft small", "data-formula": "accuracy" }, t("Accuracy is 1 - c/w: c is what the decisions cost in all, and w what the worst moves there would have cost.")),
    h("p", { class: "soft small", "data-bounds": review.bounds }, review.bounds > 0 ? tn("All values here are certain to {n} digit.", "All values here are certain to {n} digits.", Math.max(1, Math.floor(-Math.log10(review.bounds / review.at_stake)))) : t("All values here are exact.")));
}

/** The result without luck, and between what it lies on average for two who play like this. */
function adjusted({ luck_adjusted: value, interval }, says, seats) {
  const limits = interval ? { low: says.value(interval[0]), high: says.value(interval[1]) } : null;
  const between = limits && seats === 1 ? t("Who plays like this gets {low} to {high} on average, as far as one game tells (95%).", limits)
    : limits ? t("Two who play like this get {low} to {high} on average, as far as one game tells (95%).", limits)
    : seats === 2 ? t("Too few mistakes in one game to say what two who play like this get on average.") : "";
  const node = stat(says.value(value), t("luck-adjusted result: what the decisions alone deserved"));
  if (between) node.append(h("span", { "data-interval": interval ? interval.join(" ") : "" }, between));
  return node;
}

function mistakeItem(mistake, review, says) {
  return h("li", { class: "mistake" },
    h("header", {}, h("h3", {}, t("Move {n}: {move}", { n: mistake.ply, move: mistake.label ?? mistake.move })), h("span", { class: "cost", "data-cost": mistake.cost }, `−${says.cost(mistake.cost)}`)),
    h("div", { class: "where" }, drawnPosition(mistake.position, review.sides, review.yours ? null : review.player),
      h("div", {}, h("p", {}, mistake.sentence),
        mistake.dice_then?.length ? h("p", { class: "soft small" }, t("The dice then showed {dice}.", { dice: mistake.dice_then.join(", ") })) : null)));
}

/** What was taken back: practice, which the numbers beside do not count. */
function takenBack(review, says) {
  if (!review.taken_back.length) return null;
  return h("section", { class: "stack", "aria-labelledby": "taken-title" }, h("h2", { id: "taken-title" }, t("Taken back")),
    h("p", { class: "soft" }, t("Practice: these moves count in none of the numbers.")),
    h("ol", { class: "mistakes" }, review.taken_back.map((each) => h("li", { class: "mistake", "data-taken": each.move },
      h("header", {}, h("h3", {}, each.label), h("span", { class: "cost", "data-cost": each.cost }, each.cost ? `−${says.cost(each.cost)}` : "–")),
      h("div", { class: "where" }, drawnPosition(each.position, review.sides, review.yours ? null : review.player), h("p", {}, each.sentence))))));
}

function copyButton() {
  const button = h("button", {
    class: "button small", type: "button", "data-do": "link",
    on: {
      click: async () => {
        try { await navigator.clipboard.writeText(location.href); button.textContent = t("Copied"); announce(t("The link is copied")); }
        catch { button.textContent = location.href; }
      },
    },
  }, t("Copy the link to this review"));
  return button;
}

export default async function drawReview(place, { id, url }) {
  const progress = progressPlace();
  show(place, progress.node);
  const review = await get(`/api/reviews/${encodeURIComponent(id)}${query({ seat: url.searchParams.get("seat") })}`, { onProgress: progress.onProgress });
  const { you, grade, result, mistakes } = review;
  const says = measure(review);
  const stages = h("div"); // the chart
  let follow = () => {};
  const steps = walk(review, says, (at) => follow(at));
  const who = review.yours ? t("You") : review.player, { player, yours } = review;
  const large = mistakes.filter((each) => !each.slip), slips = mistakes.filter((each) => each.slip);
  const listing = (some) => h("ol", { class: "mistakes" }, some.map((mistake) => mistakeItem(mistake, review, says)));
  const rest = [...large.slice(MOST), ...slips];
  show(place,
    h("div", { class: "page-head" },
      h("p", { class: "soft" }, `${yours ? titled(review.title) : t("{player} at {game}", { player: capital(player), game: titled(review.title) })}${against(review.opponent.label)}, ${when(review.played)}`),
      h("h1", {}, capital(result.sentence)),
      review.people.length ? h("nav", { class: "resume", "aria-label": t("Reviews of both") }, review.people.map((each) => h("a", { class: `button small${each.shown ? " primary" : ""}`, href: each.link, "aria-current": each.shown ? "page" : undefined, "data-review": each.name }, each.name))) : null),
    h("div", { class: "split" },
      h("div", { class: "stack" },
        h("section", { class: "card", "aria-labelledby": "curve-title" }, h("h2", { id: "curve-title" }, t("How it went")), stages,
          h("p", { class: "chart-note" }, t("{means} where {assumes} from then on.", { means: capital(says.means), assumes: review.assumes }), " ", t("Click a point to go there."))),
        steps.node, scale(review, says),
        h("section", { class: "stack", "aria-labelledby": "mistakes-title" }, h("h2", { id: "mistakes-title" }, large.length ? (yours ? t("Your mistakes, dearest first") : t("{player}'s mistakes, dearest first", { player })) : slips.length ? tn("No mistakes, only {n} slip", "No mistakes, only {n} slips", slips.length) : t("No mistakes")),
          large.length ? listing(large.slice(0, MOST)) : h("p", { class: "note" }, slips.length ? t("What was not best cost next to nothing. The rest was dice.") : you.unforced ? t("Every decision was a best one. The rest was dice.") : t("There was nothing to decide: it was all dice.")),
          rest.length ? h("details", { class: "smaller" }, h("summary", {}, large.length > MOST ? tn("{n} smaller one", "{n} smaller ones", rest.length) : tn("{n} slip", "{n} slips", slips.length)), listing(rest)) : null),
        takenBack(review, says)),
      h("div", { class: "stack" },
        h("section", { class: "card", "aria-label": t("Grade") }, h("div", { class: "grade" }, grade.letter ? h("div", { class: "seal", "data-grade": grade.letter, "aria-hidden": "true" }, grade.letter) : null,
          h("div", {}, h("h2", {}, grade.letter ? h("span", { class: "unseen" }, t("Grade {letter}: ", { letter: grade.letter })) : null, capital(grade.words)), h("p", {}, grade.sentence)))),
        h("div", { class: "stats" },
          stat(says.cost(you.cost), t("{unit} given away, in {mistakes}", { unit: says.isPercent ? t("of the game") : says.means, mistakes: listed([tn("{n} mistake", "{n} mistakes", you.mistakes), ...(you.slips ? [tn("{n} slip", "{n} slips", you.slips)] : [])]) })),
          stat(says.cost(you.error_per_decision), t("per unforced decision ({n} of {all})", { n: you.unforced, all: you.decisions })),
          you.accuracy === null ? null : stat(percent(you.accuracy), t("accuracy: the share kept of what hung on the decisions")),
          stat(says.signed(you.luck), yours ? t("your luck: what the dice gave") : t("{player}'s luck: what the dice gave", { player })),
          review.others.map(({ name, score }) => stat(says.signed(score.luck), review.seats > 2 ? t("the luck of {name}", { name }) : t("the other player's luck"))),
          adjusted(you, says, review.seats),
          review.others.map(({ name, score }) => stat(says.cost(score.cost), review.seats > 2 ? t("given away by {name}", { name }) : t("given away by the other player")))),
        h("div", { class: "row" }, review.yours ? copyButton() : null, h("a", { class: "button small", href: "/play" }, yours ? t("Play another") : t("Play a game yourself"))))));
  let now = 1;
  const chart = (met) => show(stages, curveChart(review, says, who, { met, onPick: (i) => steps.go(i), onReady: (mark) => { follow = (at) => { now = at; mark(at); }; mark(now); } }));
  chart(null);
  if (review.seats === 2) meet(); // it may have to be worked out, and nobody waits for it

  /** Tell what the game was worth against who sat there, beside perfect play. */
  async function meet() {
    const met = await get(`/api/reviews/${encodeURIComponent(id)}/against`).catch(() => null);
    if (!met?.values.length || !place.contains(stages)) return;
    chart(met);
    steps.tell(met);
  }
}
