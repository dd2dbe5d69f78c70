"""The study of 421, worked out again: tables 1 to 10 and its theory.

Its claims in words, its theorem and its slips are in `four21_claims`.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cache

from dicelab.rounds import (
    Benchmark,
    Round,
    benchmark,
    charts,
    couple_classes,
    cut,
    duality,
    evaluate,
    galton_watson,
    policy,
    presence,
    random,
    ratchet,
    result_probability,
    solve,
    utility,
)
from dicelab.rounds.benchmark import PLAYERS, UTILITIES
from dicelab.rounds.charts import rounded
from dicelab.studies.checks import Check, Finding, Reason, counted, number, part, words
from dicelab.studies.figures import drawn
from dicelab.studies.printed import printed

PAPER = printed("421")
GAME = Round()
TABLES = {"111": "table 8", "112": "table 9", "123": "table 10"}
"""Where the non-diagonal chances of a goal stand; those of one and two dice are in table 7."""


@cache
def tables() -> dict[str, Benchmark]:
    """Return the benchmark of tables 1 to 4."""
    return dict(zip(UTILITIES, benchmark(GAME), strict=True))


def share(utility_: str, plan: str, player: str) -> Fraction:
    """Return the share of the first player's best that a policy earns."""
    cells = tables()[utility_].cells
    found = next(c.optimality for c in cells if (c.policy, c.player) == (plan, player))
    assert found is not None
    return found


@part("Tables 1 to 4: policies")
def policies(quick: bool) -> Iterator[Finding]:
    """Yield tables 1 to 4: the best value and the shares of each policy."""
    for place, (name, known) in enumerate(PAPER["tables_1_to_4"].items(), start=1):
        source = f"table {place}"
        best = tables()[name].best
        yield _cut(source, f"{name}: best value of a first player", known["best"], best)
        for plan, cells in known.items():
            if plan == "best":
                continue
            for player, paper in zip(("first", "next"), cells, strict=False):
                claim = f"{name}: {plan}, {player} player"
                yield _cut(source, claim, paper, share(name, plan, player))
    rules = ["dice=2", "utility=sum"] if quick else []
    yield drawn("421-round", "tables", "The shares that policies earn (tables 1 to 4).")
    yield drawn("421-round", "costs", "Optimality against operations per decision.", rules)
    yield "The study's decimals are cut, not rounded."


def _cut(source: str, claim: str, paper: str, ours: Fraction) -> Check:
    return Check(source, claim, paper, f"{float(ours):.8g}", cut(ours) == paper)


@part("Tables 5 to 10: tokens and result probabilities")
def charts_(quick: bool) -> Iterator[Finding]:
    """Yield table 5, and tables 6 to 10 with their decimals."""
    yield from _tokens()
    lines = charts(GAME)
    for player, goals in PAPER["table_6"].items():
        for goal, fractions in goals.items():
            line = next(each for each in lines if each.is_diagonal and each.goal == goal)
            ours = line.first if player == "first" else line.next
            yield from _fractions("table 6", f"{goal}, {player} player", fractions, ours)
    for couple, fractions in PAPER["tables_7_to_10"].items():
        goal, result = couple.split("->")
        line = next(each for each in lines if (each.goal, each.result) == (goal, result))
        yield from _fractions(
            TABLES.get(goal, "table 7"), f"goal {goal}, result {result}", fractions, line.first
        )
    known = PAPER["decimals"]
    wrong = [text for text, decimal in known.items() if rounded(Fraction(text)) != decimal]
    told = f"{len(known) - len(wrong)} of {len(known)} decimals are the fractions rounded"
    yield words("tables 6 to 10", "the decimals beside the fractions are right", told, not wrong)
    yield drawn("421-round", "charts", "Result probabilities (tables 6 to 10).")


def _tokens() -> Iterator[Check]:
    """Yield table 5; f stands for any face but 1."""
    ours = utility("transfer", GAME)
    shows: dict[str, list[str]] = {
        "421": ["421"],
        "111": ["111"],
        "f11": [f"{face}11" for face in range(2, 7)],
        "fff": [f"{face}" * 3 for face in range(2, 7)],
        "sequence": ["321", "432", "543", "654"],
        "other": ["221", "651", "663", "422"],
    }
    for line, tokens in PAPER["table_5"].items():
        worths = {shown: int(ours.of(shown)) for shown in shows[line]}
        want = {s: int(s[0]) if tokens == "f" else int(tokens) for s in worths}
        told = ", ".join(f"{shown}: {worth}" for shown, worth in worths.items())
        yield Check("table 5", f"tokens for {line}", str(tokens), told, worths == want)


def _fractions(
    source: str, claim: str, papers: list[str], ours: tuple[Fraction, ...]
) -> Iterator[Check]:
    for casts, (paper, chance) in enumerate(zip(papers, ours, strict=True), start=1):
        told = f"{claim}, {casts} cast{'s' * (casts > 1)}"
        yield number(source, told, paper, chance, digits=8)


@part("Theory")
def theory(quick: bool) -> Iterator[Finding]:
    """Yield the classes of couples, the conserved product and the law of live dice."""
    known = PAPER["classes"]
    classes = couple_classes(GAME)
    diagonal = sum(each.is_diagonal for each in classes)
    yield counted(
        "section 4.2",
        "classes of couples of three dice",
        known["couples_of_three_dice"],
        len(classes),
    )
    yield counted("section 4.2", "of these on the diagonal", known["on_the_diagonal"], diagonal)
    plans = [random(GAME), ratchet(GAME, "421"), policy("h1s1", GAME, "transfer")]
    products = {plan.name: duality(plan, "transfer") for plan in plans}
    yield words(
        "section 3.3, (40)",
        "expected utility is conserved from cast to cast",
        "; ".join(f"{name}: {len(set(row))} value" for name, row in products.items()),
        all(len(set(row)) == 1 for row in products.values()),
    )
    brelan = presence(ratchet(GAME, "111"))
    laws = [(brelan.live_dice(cast), galton_watson(GAME, 1, cast)) for cast in (1, 2)]
    yield words(
        "appendix B, (56)",
        "the dice left on the way to a brelan are binomial",
        f"after two casts {', '.join(map(str, laws[1][0]))}",
        all(ours == paper for ours, paper in laws),
    )
    yield from _properties()
    yield _early()
    yield _far()
    yield drawn("421-round", "live", "The dice left on the way to a goal, beside the law (56).")
    yield drawn(
        "421-round", "players", "What a next player has left of the first player's chances."
    )


def _properties() -> Iterator[Check]:
    """Yield the properties of p_i that section 4.2 lists, asked of every class of goals."""
    goals = ("111", "112", "123")
    every = [GAME.numbers.write(number) for number in GAME.numbers.full]
    chances = {
        (player, goal, cast): result_probability(GAME, goal, goal, cast, player=player)
        for player in PLAYERS
        for goal in goals
        for cast in (1, 2, 3)
    }
    early = {
        (goal, cast): result_probability(GAME, goal, goal, cast, casts=3)
        for goal in goals
        for cast in (1, 2)
    }
    for player in PLAYERS:
        number_ = PLAYERS.index(player) + 1
        wrong = {
            (goal, cast): (chance, chances[player, goal, cast])
            for (goal, cast), chance in early.items()
            if chance != chances[player, goal, cast]
        }
        reason, told = None, "for 111, 112 and 123 with one and two casts of three"
        if wrong:
            ours, theirs = wrong["123", 2]
            told = f"421, j = 2: {ours} and {theirs}"
            reason = Reason(
                "it holds for i = 1 only: a next player with the goal too early must break it, so "
                "the chances part from the second cast on, by the study's own table 6",
                player == "next"
                and {cast for _, cast in wrong} == {2}
                and all(
                    str(pair[place]) == PAPER["table_6"][seat][goal][cast - 1]
                    for (goal, cast), pair in wrong.items()
                    for place, seat in enumerate(PLAYERS)
                ),
            )
        claim = f"p1(J, d, j, d) = p_i(j, d, j, d) for j < J, i = {number_}"
        yield words("section 4.2", claim, told, not wrong, reason)
    sums = {
        goal: sum(
            result_probability(GAME, goal, result, cast, casts=3)
            for result in every
            for cast in (1, 2, 3)
        )
        for goal in goals
    }
    brelan = sum(result_probability(GAME, "111", result, 3, player="next") for result in every)
    yield words(
        "section 4.2, (49)",
        "the chances of all results sum to 1",
        "first player, goals 111, 112 and 123; next player, 111",
        set(sums.values()) == {1} and brelan == 1,
    )
    yield words(
        "section 4.2, (50)",
        "s1(J, d) > s2(J, d) = p2(J, d, J, d) > p1(J, d, J, d) for J > 1",
        "for 111, 112 and 123, with two and three casts",
        all(
            sum(chances["first", goal, cast] for cast in range(1, casts + 1))
            > chances["next", goal, casts]
            > chances["first", goal, casts]
            for goal in goals
            for casts in (2, 3)
        ),
    )


def _early() -> Check:
    """Return whether a goal reached too early is best broken by any one die."""
    holds = True
    for goal in ("112", "123"):
        solution = solve(GAME, f"goal:{goal}", "next")
        table = GAME.table_of("-", goal)
        best = solution.dilemmas(1).get(table) or []
        holds &= {len(GAME.numbers.faces_of(kept)) for kept in best} == {2}
        holds &= len(best) == len(set(goal))
    return words(
        "section 4.1",
        "a next player with the goal too early throws any one die again",
        "for 421 and for 112 all ways to keep two dice are best",
        holds,
    )


def _far() -> Check:
    """Return whether a horizon of J - 1 with serendipity is optimal."""
    values = [
        (evaluate(policy("h2s1", GAME, name), name).value, solve(GAME, name).value)
        for name in UTILITIES
    ]
    return words(
        "section 5.2",
        "horizon J - 1 with serendipity is optimal",
        f"h2s1 earns the best value on {sum(a == b for a, b in values)} of 4 utilities",
        all(ours == best for ours, best in values),
    )
