"""The study of 421, worked out again: its claims in words, wrong decisions, theorem and slips."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from itertools import pairwise
from math import prod

from dicelab.rounds import Round, cut, effort, evaluate, failures, mistakes, policy, ratchet, solve
from dicelab.rounds.benchmark import UTILITIES
from dicelab.rules.dice import Die
from dicelab.studies.checks import Check, Finding, Reason, besides, counted, part, words
from dicelab.studies.figures import drawn
from dicelab.studies.four21 import GAME, PAPER, share, tables

FUZZY = ("transfer", "sum")
"""The utilities that the study calls fuzzy."""


@part("Claims in words")
def claims(quick: bool) -> Iterator[Finding]:
    """Yield what section 5.4 and the conclusions say in words, with the numbers."""
    handicap = {name: 1 - share(name, "optimal", "next") for name in UTILITIES}
    told = ", ".join(f"{name} {float(lost):.4f}" for name, lost in handicap.items())
    said = partial(words, "section 5.4")
    grows = [one for one, two in pairwise(handicap) if handicap[two] > handicap[one]]
    yield said("next players are handicapped", f"they lose {told}", min(handicap.values()) > 0)
    yield said(
        "next players are less handicapped with a fuzzier utility",
        f"they lose {told}",
        not grows,
        Reason(
            "false from one goal to three, by the study's own tables 1 and 2 (0.57858 and "
            "0.49152 of the best are left); true from there on",
            grows == ["goal:123"],
        ),
    )
    yield said(
        "for a one-goal utility every policy is optimal",
        "all shares of table 1 are those of best play",
        all(share("goal:123", plan, "first") == 1 for plan in ("h0s0", "h0s1", "h1s0", "h1s1")),
    )
    gains = {
        h: [share(u, f"h{h}s1", "first") - share(u, f"h{h}s0", "first") for u in UTILITIES]
        for h in (0, 1)
    }
    yield said(
        "serendipity never does harm",
        "gains " + "; ".join(f"h{h}: {_list(gain)}" for h, gain in gains.items()),
        min(min(gain) for gain in gains.values()) >= 0,
    )
    yield said(
        "serendipity helps much more with the greater horizon",
        f"on average {_mean(gains[1]):.4f} against {_mean(gains[0]):.4f}",
        all(one >= zero for one, zero in zip(gains[1], gains[0], strict=True)),
    )
    longer = [share(u, "h1s1", "first") - share(u, "h0s1", "first") for u in UTILITIES]
    yield said(
        "with serendipity, horizon and revision never do harm",
        f"gains {_list(longer)}",
        min(longer) >= 0,
    )
    yield from _fuzziness()
    yield words(
        "conclusions",
        "goal identification is not generally optimal",
        f"h1s1 earns {float(share('transfer', 'h1s1', 'first')):.5f} of the best on transfer",
        share("transfer", "h1s1", "first") < 1,
    )


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


@part("Besides: wrong decisions")
def wrong_decisions(quick: bool) -> Iterator[Finding]:
    """Yield whether the wrong decisions of each policy add up to what it loses."""
    for name in UTILITIES:
        best = solve(GAME, name).value
        for plan in ("h0s0", "h0s1", "h1s0", "h1s1"):
            found = mistakes(policy(plan, GAME, name), name)
            lost = best - tables()[name].cell(plan, "first").value
            worst = f"; worst {str(found[0]).partition(' (')[0]}" if found else ""
            yield besides(
                "appendix C",
                f"{name}: the wrong decisions of {plan} cost {float(lost):.5f} in all, which "
                "is what it loses",
                f"{len(found)} wrong decisions{worst}",
                sum((each.loss for each in found), Fraction(0)) == lost,
            )
    rules = ["dice=2", "utility=sum"] if quick else []
    yield drawn("421-round", "mistakes", "What the wrong decisions of each policy cost.", rules)
    yield (
        "The study points out the wrong decisions of its policies (appendix C) and prints none. "
        "Here they are counted, and their costs added up."
    )


@part("The ratchet theorem")
def ratchet_theorem(quick: bool) -> Iterator[Finding]:
    """Yield where the ratchet stops being the best way to a goal."""
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
    yield words(
        "section 4.1",
        "the ratchet is optimal if and only if there are no more dice than faces",
        f"it fails for {len(broken)} pairs with no more dice than faces; first {smallest}",
        not broken,
        Reason(
            "the argument settles the last decision only; with more casts left a die put aside "
            "can serve for nothing else. By hand the gap is 7/27 x 5/243 = 35/6561",
            gap == Fraction(7, 27) * Fraction(5, 243),
        ),
    )
    yield besides(
        "section 4.1",
        "with two casts the theorem is right for no more dice than faces",
        "no failure with two casts",
        all(failure.casts > 2 for failure in broken.values()),
    )
    six = found[3, 6]
    first = f"from {six.casts} casts on" if six else f"not up to {most} casts"
    yield words(
        "section 4.1",
        "in 421 the ratchet is the best way to every goal",
        f"it fails {first}, and the game has three: the tables stand",
        six is None or six.casts > GAME.casts,
    )
    yield drawn(
        "421-round",
        "theorem",
        "The fewest casts with which the ratchet fails.",
        [f"most_casts={most}"],
    )


@part("Errata")
def errata(quick: bool) -> Iterator[Finding]:
    """Yield the small slips that numbers can show."""
    known = PAPER["strategies_of_a_next_player"]
    for goal, paper in known.items():
        ours = _best_strategies(GAME, goal)
        again = _best_strategies(Round(keep="any"), goal)
        yield counted(
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
    cell = PAPER["tables_1_to_4"]["transfer"]["h1s0"][0]
    plain = evaluate(policy("h1s0", GAME, "transfer", ties="dictionary"), "transfer").value
    plain /= tables()["transfer"].best
    yield Check(
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
    operations = {
        casts: effort("h1s1", Round(casts=casts), "transfer").first.operations for casts in (3, 4)
    }
    best = {
        casts: effort("optimal", Round(casts=casts), "transfer").first.operations
        for casts in (3, 4)
    }
    yield words(
        "conclusions",
        "goal identification takes a bounded number of operations, best play does not",
        f"h1s1 {int(operations[3])} with 3 and 4 casts; best play {float(best[3]):.0f}, then "
        f"{float(best[4]):.0f}",
        operations[3] == operations[4] and best[4] > best[3],
    )


def _best_strategies(game: Round, goal: str) -> int:
    solution = solve(game, f"goal:{goal}", "next")
    return prod(
        len(best) for cast in range(1, game.casts) for best in solution.dilemmas(cast).values()
    )
