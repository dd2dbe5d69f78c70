"""The study of Dice Battle, worked out again: what throws score, its example, best play."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace
from fractions import Fraction

from dicelab.games.dice_battle import (
    DiceBattle,
    blind_dice,
    chance_of_points,
    chance_without_one,
    expected_points,
)
from dicelab.games.dice_battle.figures import mixture
from dicelab.plots.kinds import solved
from dicelab.studies.checks import Check, Section, number, several, words
from dicelab.studies.figures import drawn
from dicelab.studies.printed import printed
from dicelab.verbs.evaluate import evaluate
from dicelab.verbs.evaluation import Evaluation
from dicelab.verbs.exploitability import exploitability
from dicelab.verbs.solve import solve

PAPER = printed("dice-battle")
SMALL = DiceBattle(dice=3, target=2)


def throws(quick: bool) -> Section:
    """Return the law of a throw, and how many dice score most on average."""
    known = PAPER["expected_points"]
    laws = all(
        chance_without_one(d, k) == sum(chance_without_one(d - 1, k - j) for j in range(2, 7)) / 5
        and chance_of_points(d, k) == Fraction(5, 6) ** d * chance_without_one(d, k)
        for d in range(2, 7)
        for k in range(2 * d, 6 * d + 1)
    )
    closed = all(
        expected_points(d) == 4 * d * Fraction(5, 6) ** d + 1 - Fraction(5, 6) ** d
        for d in range(1, 15)
    )
    peak = (math.log(6 / 5) + 4) / (4 * math.log(6 / 5))
    means = [expected_points(d) for d in range(1, 21)]
    rises = [after > before for before, after in itertools.pairwise(means)]
    checks = [
        words(
            "question 1", "Q(d, k) and P(d, k) follow their recurrences", "for 2 to 6 dice", laws
        ),
        words("question 2", "EP(d) = 4d(5/6)^d + 1 - (5/6)^d", "for 1 to 14 dice", closed),
        number("question 2", "EP(5)", known["5"], expected_points(5)),
        number("question 2", "EP(6)", known["6"], expected_points(6)),
        number("question 2", "where EP is largest over the reals", known["maximiser"], peak),
        words(
            "question 2",
            "EP rises up to five dice and falls from six on",
            f"largest at {means.index(max(means)) + 1}",
            all(rises[:4]) and not any(rises[5:]),
        ),
        words(
            "question 2",
            "d*(D) = min(D, 6)",
            "for D from 1 to 20",
            all(blind_dice(most) == min(most, known["best"]) for most in range(1, 21)),
        ),
    ]
    figure = drawn("dice-battle", "points", "The points a throw scores on average.")
    return several("What a throw scores", checks, figure)


def example(quick: bool) -> Section:
    """Return the example with three dice and a target of two, in fractions."""
    checks: list[Check] = []
    for name, a, told in (
        ("three_v_one", "blind", "three dice"),
        ("one_v_one", "blind:1", "one die"),
    ):
        found = evaluate(SMALL, a, "blind:1", exact=True)
        assert isinstance(found, Evaluation)
        ours = (found.a_first.a_wins, found.a_first.b_wins, found.values[0])
        titles = ("P(G = 1)", "P(G = -1)", "E(G)")
        for title, paper, chance in zip(titles, PAPER["example"][name], ours, strict=True):
            checks.append(number("question 3", f"{told} against one: {title}", paper, chance))
    best = solve(SMALL, exact=True)
    one = evaluate(SMALL, "blind:1", "blind:1", exact=True)
    assert isinstance(one, Evaluation)
    checks.append(
        words(
            "question 3",
            "the dice that score most on average need not win most",
            f"one die gains {one.values[0]} and is optimal: {best.best_moves('0-0')[0]}",
            best.value == one.values[0],
        )
    )
    far = solve(DiceBattle(dice=3, target=10), exact=True).value_at("8-8")
    checks.append(
        words(
            "question 3",
            "two points short of any target is the same game",
            f"8-8 to 10: {far}",
            far == best.value,
        )
    )
    return several("The example", checks)


def by_turns(quick: bool) -> Section:
    """Return the maps of best play, and blind against best."""
    game = DiceBattle(target=20) if quick else DiceBattle()
    rules = ["target=20"] if quick else []
    solution = solved(game)
    zero = solve(replace(game, variant="zero"))
    blind = float(exploitability(game, "blind").value)
    checks = [
        words(
            "questions 4, 5",
            "the recurrence for EG solves the game by turns",
            f"EG(0, 0) = {solution.value:.9f}, bounds apart by "
            f"{solution.upper - solution.lower:.0e}",
            solution.upper - solution.lower < 1e-9,
        ),
        words(
            "question 6",
            "with no point for a 1 the relation is implicit, and a method for it is needed",
            f"solved component by component: {zero.value:.9f}, bounds apart by "
            f"{zero.upper - zero.lower:.0e}",
            zero.upper - zero.lower < 1e-9,
        ),
        words(
            "question 3",
            "blind play is not optimal",
            f"a perfect opponent takes {blind:.4f} a game from it",
            blind > 0,
        ),
    ]
    figures = [
        drawn("dice-battle", "maps", "EG and OPT: what positions are worth, how many dice.", rules),
        drawn("dice-battle", "blind", "Always the same number of dice, against best play.", rules),
    ]
    return several("Best play by turns", checks, *figures)


def at_once(quick: bool) -> Section:
    """Return the equilibria where both throw at once."""
    target = 10 if quick else 40
    once = mixture(DiceBattle(target=1, variant="simultaneous"), "0-0")
    value = float(solved(DiceBattle(target=target, variant="simultaneous")).value)
    told = ", ".join(f"{dice} dice {100 * share:.1f}%" for dice, share in once.items())
    check = words(
        "the simultaneous game",
        "both throwing at once, neither is ahead at the start",
        f"value {value:.1e}; one throw each: {told}",
        abs(value) < 1e-9 and abs(sum(once.values()) - 1) < 1e-9,
        paper="by symmetry",
    )
    figure = drawn("dice-battle", "equilibria", "How to mix numbers of dice.", [f"target={target}"])
    return several("Both at once", [check], figure)
