"""The study of 421, worked out again: tables 1 to 10, its theory, its theorem, its claims."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import pairwise
from math import prod

from dicelab.dice import Die
from dicelab.reproduce.checks import Check, Reason, Section, counted, number, several, words
from dicelab.reproduce.figures import drawn
from dicelab.reproduce.printed import printed
from dicelab.rounds import (
    Benchmark,
    Round,
    benchmark,
    charts,
    couple_classes,
    cut,
    duality,
    effort,
    evaluate,
    failures,
    galton_watson,
    mistakes,
    policy,
    presence,
    random,
    ratchet,
    solve,
    utility,
)
from dicelab.rounds.benchmark import UTILITIES
from dicelab.rounds.charts import rounded

PAPER = printed("421")
GAME = Round()
FUZZY = ("transfer", "sum")
"""The utilities that the study calls fuzzy."""


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


def policies(quick: bool) -> Section:
    """Return tables 1 to 4: the best value and the shares of each policy."""
    checks = []
    for place, (name, known) in enumerate(PAPER["tables_1_to_4"].items(), start=1):
        source = f"table {place}"
        best = tables()[name].best
        checks.append(_cut(source, f"{name}: best value of a first player", known["best"], best))
        for plan, cells in known.items():
            if plan == "best":
                continue
            for player, paper in zip(("first", "next"), cells, strict=False):
                claim = f"{name}: {plan}, {player} player"
                checks.append(_cut(source, claim, paper, share(name, plan, player)))
    rules = ["dice=2"] if quick else []
    figure = drawn("421", "costs", "Optimality against operations per decision.", rules)
    note = "The study's decimals are cut, not rounded."
    return several("Tables 1 to 4: policies", checks, figure, notes=[note])


def _cut(source: str, claim: str, paper: str, ours: Fraction) -> Check:
    return Check(source, claim, paper, f"{float(ours):.8g}", cut(ours) == paper)


def charts_(quick: bool) -> Section:
    """Return table 5, and tables 6 to 10 with their decimals."""
    checks = list(_tokens())
    lines = charts(GAME)
    for player, goals in PAPER["table_6"].items():
        for goal, fractions in goals.items():
            line = next(each for each in lines if each.is_diagonal and each.goal == goal)
            ours = line.first if player == "first" else line.next
            checks += _fractions("table 6", f"{goal}, {player} player", fractions, ours)
    for couple, fractions in PAPER["tables_7_to_10"].items():
        goal, result = couple.split("->")
        line = next(each for each in lines if (each.goal, each.result) == (goal, result))
        source = "tables 7, 8" if len(goal) < 3 else "tables 9, 10"
        checks += _fractions(source, f"goal {goal}, result {result}", fractions, line.first)
    known = PAPER["decimals"]
    wrong = [text for text, decimal in known.items() if rounded(Fraction(text)) != decimal]
    told = f"{len(known) - len(wrong)} of {len(known)} decimals are the fractions rounded"
    checks.append(
        words("tables 6 to 10", "the decimals beside the fractions are right", told, not wrong)
    )
    figure = drawn("421", "charts", "Result probabilities (tables 6 to 10).")
    return several("Tables 5 to 10: tokens and result probabilities", checks, figure)


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


def theory(quick: bool) -> Section:
    """Return the classes of couples, the conserved product and the law of live dice."""
    known = PAPER["classes"]
    classes = couple_classes(GAME)
    diagonal = sum(each.is_diagonal for each in classes)
    checks = [
        counted(
            "section 4.2",
            "classes of couples of three dice",
            known["couples_of_three_dice"],
            len(classes),
        ),
        counted("section 4.2", "of these on the diagonal", known["on_the_diagonal"], diagonal),
    ]
    plans = [random(GAME), ratchet(GAME, "421"), policy("h1s1", GAME, "transfer")]
    products = {plan.name: duality(plan, "transfer") for plan in plans}
    checks.append(
        words(
            "section 3.3, (40)",
            "expected utility is conserved from cast to cast",
            "; ".join(f"{name}: {len(set(row))} value" for name, row in products.items()),
            all(len(set(row)) == 1 for row in products.values()),
        )
    )
    brelan = presence(ratchet(GAME, "111"))
    laws = [(brelan.live_dice(cast), galton_watson(GAME, 1, cast)) for cast in (1, 2)]
    checks.append(
        words(
            "appendix B, (56)",
            "the dice left on the way to a brelan are binomial",
            f"after two casts {', '.join(map(str, laws[1][0]))}",
            all(ours == paper for ours, paper in laws),
        )
    )
    checks += [_early(), _far()]
    return several("Theory", checks)


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


def claims(quick: bool) -> Section:
    """Return what section 5.4 and the conclusions say in words, with the numbers."""
    handicap = {name: 1 - share(name, "optimal", "next") for name in UTILITIES}
    told = ", ".join(f"{name} {float(lost):.4f}" for name, lost in handicap.items())
    grows = [one for one, two in pairwise(handicap) if handicap[two] > handicap[one]]
    checks = [
        words(
            "section 5.4",
            "next players are handicapped",
            f"they lose {told}",
            min(handicap.values()) > 0,
        ),
        words(
            "section 5.4",
            "next players are less handicapped with a fuzzier utility",
            f"they lose {told}",
            not grows,
            Reason(
                "false from one goal to three, by the study's own tables 1 and 2 (0.57858 and "
                "0.49152 of the best are left); true from there on",
                grows == ["goal:123"],
            ),
        ),
        words(
            "section 5.4",
            "for a one-goal utility every policy is optimal",
            "all shares of table 1 are those of best play",
            all(share("goal:123", plan, "first") == 1 for plan in ("h0s0", "h0s1", "h1s0", "h1s1")),
        ),
    ]
    gains = {h: _serendipity(h) for h in (0, 1)}
    checks.append(
        words(
            "section 5.4",
            "serendipity never does harm",
            "gains " + "; ".join(f"h{h}: {_list(gain)}" for h, gain in gains.items()),
            min(min(gain) for gain in gains.values()) >= 0,
        )
    )
    checks.append(
        words(
            "section 5.4",
            "serendipity helps much more with the greater horizon",
            f"on average {_mean(gains[1]):.4f} against {_mean(gains[0]):.4f}",
            all(one >= zero for one, zero in zip(gains[1], gains[0], strict=True)),
        )
    )
    longer = [share(u, "h1s1", "first") - share(u, "h0s1", "first") for u in UTILITIES]
    checks.append(
        words(
            "section 5.4",
            "with serendipity, horizon and revision never do harm",
            f"gains {_list(longer)}",
            min(longer) >= 0,
        )
    )
    checks += list(_fuzziness())
    checks.append(
        words(
            "conclusions",
            "goal identification is not generally optimal",
            f"h1s1 earns {float(share('transfer', 'h1s1', 'first')):.5f} of the best on transfer",
            share("transfer", "h1s1", "first") < 1,
        )
    )
    return several("Claims in words", checks)


def _serendipity(horizon: int) -> list[Fraction]:
    """Return what serendipity adds at one horizon, for the first player."""
    return [
        share(u, f"h{horizon}s1", "first") - share(u, f"h{horizon}s0", "first") for u in UTILITIES
    ]


def _list(numbers: list[Fraction]) -> str:
    return ", ".join(f"{float(each):.4f}" for each in numbers)


def _mean(numbers: list[Fraction]) -> float:
    return float(sum(numbers, Fraction(0)) / len(numbers))


def _fuzziness() -> Iterator[Check]:
    harm = {
        (u, player): share(u, "h1s0", player) - share(u, "h0s0", player)
        for u in UTILITIES
        for player in ("first", "next")
    }
    peaked = [gain for (u, _), gain in harm.items() if u not in FUZZY]
    yield words(
        "section 5.4",
        "without serendipity, horizon and revision help with peaked utilities",
        f"gains {_list(peaked)}",
        min(peaked) >= 0,
    )
    fuzzy = {key: gain for key, gain in harm.items() if key[0] in FUZZY}
    wrong = [key for key, gain in fuzzy.items() if gain >= 0]
    yield words(
        "section 5.4",
        "without serendipity, horizon and revision do harm with fuzzy utilities (3, 4)",
        "; ".join(f"{u}, {player}: {float(gain):+.5f}" for (u, player), gain in fuzzy.items()),
        not wrong,
        Reason(
            "not for the next player with transfer, by the study's own table 3: fuzziness belongs "
            "to a utility and a player",
            wrong == [("transfer", "next")],
        ),
    )


def wrong_decisions(quick: bool) -> Section:
    """Return that the wrong decisions of each policy add up to what it loses."""
    checks = []
    for name in UTILITIES:
        best = solve(GAME, name).value
        for plan in ("h0s0", "h0s1", "h1s0", "h1s1"):
            found = mistakes(policy(plan, GAME, name), name)
            lost = best - tables()[name].cell(plan, "first").value
            worst = f"; worst {str(found[0]).partition(' (')[0]}" if found else ""
            checks.append(
                words(
                    "tables 1 to 4",
                    f"{name}: {plan} loses {float(lost):.5f} by its wrong decisions",
                    f"{len(found)} wrong decisions{worst}",
                    sum((each.loss for each in found), Fraction(0)) == lost,
                    paper="their costs add up",
                )
            )
    rules = ["dice=2"] if quick else []
    figure = drawn("421", "mistakes", "What the wrong decisions of each policy cost.", rules)
    return several("Wrong decisions", checks, figure)


def ratchet_theorem(quick: bool) -> Section:
    """Return where the ratchet stops being the best way to a goal."""
    most = 9 if quick else 20
    found = failures(4, 8, most)
    broken = {
        pair: failure
        for pair, failure in found.items()
        if failure is not None and pair[0] <= pair[1]
    }
    smallest = found[3, 3]
    three = Round(3, Die(3), 3)
    gap = solve(three, "goal:112").value - evaluate(ratchet(three, "112"), "goal:112").value
    checks = [
        words(
            "section 4.1",
            "the ratchet is optimal if and only if there are no more dice than faces",
            f"it fails for {len(broken)} pairs with no more dice than faces; first {smallest}",
            not broken,
            Reason(
                "the argument settles the last decision only; with more casts left a die put aside "
                "can serve for nothing else. By hand the gap is 7/27 x 5/243 = 35/6561",
                gap == Fraction(7, 27) * Fraction(5, 243),
            ),
        ),
        words(
            "section 4.1",
            "with two casts the theorem is right for no more dice than faces",
            "no failure with two casts",
            all(failure.casts > 2 for failure in broken.values()),
        ),
    ]
    six = found[3, 6]
    first = f"from {six.casts} casts on" if six else f"not up to {most} casts"
    checks.append(
        words(
            "section 4.1",
            "in 421 the ratchet is the best way to every goal",
            f"it fails {first}, and the game has three: the tables stand",
            six is None or six.casts > GAME.casts,
        )
    )
    figure = drawn(
        "421", "theorem", "The fewest casts with which the ratchet fails.", [f"most_casts={most}"]
    )
    return several("The ratchet theorem", checks, figure)


def errata(quick: bool) -> Section:
    """Return the small slips that numbers can show."""
    known = PAPER["strategies_of_a_next_player"]
    checks = []
    for goal, paper in known.items():
        ours = _best_strategies(GAME, goal)
        again = _best_strategies(Round(keep="any"), goal)
        checks.append(
            counted(
                "section 4.1",
                f"optimal strategies of a next player with goal {goal}",
                paper,
                ours,
                Reason(
                    "dice aside stay aside, so the second dilemma depends on what is aside; where "
                    f"all dice may be thrown again there are {again}",
                    again == paper,
                ),
            )
        )
    cell = PAPER["tables_1_to_4"]["transfer"]["h1s0"][0]
    plain = evaluate(policy("h1s0", GAME, "transfer", ties="dictionary"), "transfer").value
    plain /= tables()["transfer"].best
    checks.append(
        Check(
            "section 5.2",
            "table 3, h1s0, first, with ties in lexicographic order",
            cell,
            f"{float(plain):.8g}",
            cut(plain) == cell,
            Reason(
                "in a dictionary 12 comes before 2; with shorter lists first, as the study's tool "
                "sorts, the printed cell comes out",
                cut(share("transfer", "h1s0", "first")) == cell,
            ),
        )
    )
    operations = {
        casts: effort("h1s1", Round(casts=casts), "transfer").first.operations for casts in (3, 4)
    }
    best = {
        casts: effort("optimal", Round(casts=casts), "transfer").first.operations
        for casts in (3, 4)
    }
    checks.append(
        words(
            "conclusions",
            "goal identification takes a bounded number of operations, best play does not",
            f"h1s1 {int(operations[3])} with 3 and 4 casts; best play {float(best[3]):.0f}, then "
            f"{float(best[4]):.0f}",
            operations[3] == operations[4] and best[4] > best[3],
        )
    )
    return several("Errata", checks)


def _best_strategies(game: Round, goal: str) -> int:
    solution = solve(game, f"goal:{goal}", "next")
    return prod(
        len(best) for cast in range(1, game.casts) for best in solution.dilemmas(cast).values()
    )
