"""The study of Dice Battle, worked out again: what throws score, its example, best play."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping
from fractions import Fraction

import numpy as np

from dicelab.core.arrays import Real
from dicelab.games.dice_battle import (
    DiceBattle,
    blind_dice,
    chance_of_points,
    chance_without_one,
    expected_points,
    points_law,
)
from dicelab.games.dice_battle.figures import mixture
from dicelab.games.throwing import number_of_dice
from dicelab.plots.kinds import solved
from dicelab.studies.checks import Check, Finding, besides, number, part, words
from dicelab.studies.figures import drawn
from dicelab.studies.printed import printed
from dicelab.verbs.evaluate import evaluate
from dicelab.verbs.evaluation import Evaluation
from dicelab.verbs.solution import Solution
from dicelab.verbs.solve import solve

PAPER = printed("dice-battle")
SMALL = DiceBattle(dice=3, target=2)
NEAR = 1e-11
"""How far a recurrence evaluated in floats may lie from certified bounds."""

Scores = tuple[int, int]


@part("What a throw scores")
def throws(quick: bool) -> Iterator[Finding]:
    """Yield the law of a throw, and how many dice score most on average."""
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
    yield words(
        "question 1", "Q(d, k) and P(d, k) follow their recurrences", "for 2 to 6 dice", laws
    )
    yield words("question 2", "EP(d) = 4d(5/6)^d + 1 - (5/6)^d", "for 1 to 14 dice", closed)
    yield number("question 2", "EP(5)", known["5"], expected_points(5))
    yield number("question 2", "EP(6)", known["6"], expected_points(6))
    yield number("question 2", "where EP is largest over the reals", known["maximiser"], peak)
    yield words(
        "question 2",
        "EP rises up to five dice and falls from six on",
        f"largest at {means.index(max(means)) + 1}",
        all(rises[:4]) and not any(rises[5:]),
    )
    yield words(
        "question 2",
        "d*(D) = min(D, 6)",
        "for D from 1 to 20",
        all(blind_dice(most) == min(most, known["best"]) for most in range(1, 21)),
    )
    yield drawn("dice-battle", "points", "The points a throw scores on average.")


@part("The example")
def example(quick: bool) -> Iterator[Finding]:
    """Yield the example with three dice and a target of two, in fractions."""
    for name, a, told in (
        ("three_v_one", "blind", "three dice"),
        ("one_v_one", "blind:1", "one die"),
    ):
        found = evaluate(SMALL, a, "blind:1", exact=True)
        assert isinstance(found, Evaluation)
        ours = (found.a_first.a_wins, found.a_first.b_wins, found.values[0])
        titles = ("P(G = 1)", "P(G = -1)", "E(G)")
        for title, paper, chance in zip(titles, PAPER["example"][name], ours, strict=True):
            yield number("question 3", f"{told} against one: {title}", paper, chance)
    best = solve(SMALL, exact=True)
    one = evaluate(SMALL, "blind:1", "blind:1", exact=True)
    assert isinstance(one, Evaluation)
    yield words(
        "question 3",
        "the dice that score most on average need not win most",
        f"one die gains {one.values[0]} and is optimal: {best.best_moves('0-0')[0]}",
        best.value == one.values[0],
    )
    far = solve(DiceBattle(dice=3, target=10), exact=True).value_at("8-8")
    yield words(
        "question 3",
        "two points short of any target is the same game",
        f"8-8 to 10: {far}",
        far == best.value,
    )


def recurrence(game: DiceBattle, exact: bool) -> tuple[dict[Scores, Real], dict[Scores, set[int]]]:
    """Return EG and OPT by equation (4), evaluated as printed, at every pair of scores.

    EG(i, j) is 1 once i has reached the target, and -1 once j has. A throw scores at least one
    point, so what a pair of scores needs has a larger sum, and the largest sums come first.
    """
    laws: dict[int, dict[int, Real]] = {
        dice: {
            points: chance if exact else float(chance)
            for points, chance in points_law(dice, game.die, game.spoiled).items()
        }
        for dice in range(1, game.dice + 1)
    }
    gain: dict[Scores, Real] = {}
    best: dict[Scores, set[int]] = {}
    near: Real = 0 if exact else NEAR
    for total in range(2 * game.target - 2, -1, -1):
        for mine in range(max(0, total - game.target + 1), min(total, game.target - 1) + 1):
            here = (mine, total - mine)
            rated = {dice: -_mean(gain, game.target, here, law) for dice, law in laws.items()}
            gain[here] = max(rated.values())
            best[here] = {dice for dice, worth in rated.items() if worth >= gain[here] - near}
    return gain, best


def _mean(gain: Mapping[Scores, Real], target: int, at: Scores, law: Mapping[int, Real]) -> Real:
    """Return the mean of EG(j, i + k) over the points k that a throw may score at (i, j)."""
    mine, yours = at
    return sum(
        (-1 if mine + points >= target else gain[yours, mine + points]) * chance
        for points, chance in law.items()
    )


def _by_recurrence(game: DiceBattle, exact: bool) -> Check:
    """Return whether equation (4) and the solver agree at every position that play can reach."""
    gain, best = recurrence(game, exact)
    solution = solve(game, exact=True) if exact else solved(game)
    positions = _positions(solution)
    more = [gain[at] - solution.value_at(f"{at[0]}-{at[1]}") for at in positions]
    apart = max(max(more), -min(more))
    told = "is 0" if apart == 0 else f"is at most {float(apart):.0e}"
    moves = all(
        best[at] & {number_of_dice(move) for move in solution.best_moves(f"{at[0]}-{at[1]}")}
        for at in positions
    )
    return words(
        "questions 4, 5",
        f"EG by the recurrence (4), and OPT with it, solve the game by turns ({game})",
        f"EG(0, 0) = {float(gain[0, 0]):.9f}; the difference to our solver {told} at "
        f"{len(positions):,} positions",
        apart <= (0 if exact else NEAR) and moves,
    )


def _positions(solution: Solution) -> list[Scores]:
    table = solution.table
    at = table.positions(np.flatnonzero(table.is_ongoing))
    return [(int(mine), int(yours)) for mine, yours in zip(at.mine, at.yours, strict=True)]


def _implicit() -> Check:
    """Return whether EG(i, j) needs EG(j, i) and back, and our values meet that relation."""
    game = DiceBattle(dice=3, target=6, variant="zero")
    solution = solve(game, exact=True)
    gain = {at: solution.value_at(f"{at[0]}-{at[1]}") for at in _positions(solution)}
    laws = {dice: dict(points_law(dice, game.die, 0)) for dice in range(1, game.dice + 1)}
    met = all(
        value == max(-_mean(gain, game.target, at, law) for law in laws.values())
        for at, value in gain.items()
    )
    circular = all(law.get(0) for law in laws.values())
    return words(
        "question 6",
        "with no point for a 1 the relation is implicit, and a method for it is needed",
        "every throw may score 0, so EG(i, j) needs EG(j, i), which needs EG(i, j); our values "
        f"meet the relation exactly at all {len(gain)} positions of {game}",
        met and circular,
    )


@part("Best play by turns")
def by_turns(quick: bool) -> Iterator[Finding]:
    """Yield the recurrence evaluated, the maps of best play, and blind against best."""
    game = DiceBattle(target=20) if quick else DiceBattle()
    rules = ["target=20"] if quick else []
    yield _by_recurrence(DiceBattle(dice=4, target=8), exact=True)
    yield _by_recurrence(game, exact=False)
    yield _implicit()
    yield drawn(
        "dice-battle", "maps", "EG and OPT: what positions are worth, how many dice.", rules
    )
    yield drawn("dice-battle", "blind", "Always the same number of dice, against best play.", rules)


@part("Besides: both at once")
def at_once(quick: bool) -> Iterator[Finding]:
    """Yield the equilibria where both throw at once, which the study does not treat."""
    target = 10 if quick else 40
    once = mixture(DiceBattle(target=1, variant="simultaneous"), "0-0")
    value = float(solved(DiceBattle(target=target, variant="simultaneous")).value)
    told = ", ".join(f"{dice} dice {100 * share:.1f}%" for dice, share in once.items())
    yield besides(
        "both at once",
        "neither player is ahead at the start",
        f"value {value:.1e}; one throw each: {told}",
        abs(value) < NEAR,
    )
    yield drawn("dice-battle", "equilibria", "How to mix numbers of dice.", [f"target={target}"])
    yield "The study treats the game by turns only. This part is ours."
