"""The Exeter study of Pig, worked out again: how many there are of everything, and the people.

Its chances and strategies are in `pig`, its fair tests in `pig_play`.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from functools import cache

import numpy as np

from dicelab.games.pig import Pig, Piglet
from dicelab.studies.checks import Check, Finding, Reason, counted, part, words
from dicelab.studies.figures import drawn
from dicelab.studies.pig import EXETER, meet, table
from dicelab.table import compile


@part("Sizes")
def sizes(quick: bool) -> Iterator[Finding]:
    """Yield how many positions, sets of equations and strategies there are."""
    known, there = EXETER["sizes"], table()
    ongoing = np.flatnonzero(there.is_ongoing)
    at = there.positions(ongoing)
    banks = int((at.at_risk == 0).sum())
    choices = int((np.diff(there.move_first) > 1).sum())
    stuck = {hold: _stuck(hold) for hold in (20, 25)}
    lowest = min(face for face in Pig().die.faces if face != Pig().bust)
    yield words(
        "section 1.2.1",
        "there are fewer than a million positions",
        f"{ongoing.size:,} with the game still on",
        ongoing.size < 10**6,
    )
    yield Check(
        "section 2.3.3",
        "sets of equations to solve",
        f"{known['sets']:,}",
        f"{100 * 100:,}, of which {banks:,} can be reached",
        known["sets"] == 100 * 100,
        Reason(
            "one set for each pair of banks is 100 x 100; the third factor is the points at "
            "risk, which are inside a set",
            known["sets"] == 100 * 100 * 100,
        ),
    )
    yield counted(
        "section 2.2.4",
        "sets of equations for Piglet to 10",
        known["sets_for_piglet_to_10"],
        _pairs_of_banks(Piglet(target=10)),
    )
    yield Check(
        "section 3.1.1",
        "strategies there are",
        known["strategies"],
        f"2^{choices:,}",
        choices <= 100 * 100 + math.log2(100),
        Reason(
            "the last factor belongs in the exponent, one bit for each position: at most "
            "2^1,000,000",
            choices <= 100 * 100 * 100,
        ),
    )
    yield counted(
        "section 2.2.3", "fewest rolls to reach 100", known["fewest_rolls"], _fewest_rolls()
    )
    yield words(
        "section 1.2.1",
        "nobody can have a turn score of 1",
        f"the least is {int(at.at_risk[at.at_risk > 0].min())}",
        int(at.at_risk[at.at_risk > 0].min()) == lowest,
    )
    yield words(
        "section 2.3.4",
        "of two players who skip when level, about a quarter of games never end",
        f"{stuck[20]:.4f} if they hold at 20 otherwise, {stuck[25]:.4f} if at 25",
        abs(stuck[20] - known["stalemates"]) < 0.05,
    )


def _pairs_of_banks(game: Pig) -> int:
    """Count the pairs of banks with which a turn may begin, one set of equations for each."""
    there = compile(game)
    at = there.positions(np.flatnonzero(there.is_ongoing))
    return int((at.at_risk == 0).sum())


def _fewest_rolls() -> int:
    """Return the fewest rolls after which the points at risk may win from nothing."""
    game, reached, rolls = Pig(), {0}, 0
    while max(reached) < game.target:
        reached = {old + face for old in reached for face in game.die.faces if face != game.bust}
        rolls += 1
    return rolls


def _stuck(points: int) -> float:
    name = f"skip-when-level:{points}"
    return float(meet(name, name, passing=True).never_ends)


@part("People")
def people(quick: bool) -> Iterator[Finding]:
    """Yield what can be said of the people who played."""
    known = EXETER["people"]
    turns, slopes = known["figure_6"], known["slopes"]
    total, adds_up = 0, True
    for _, scored, after in turns:
        total += scored
        adds_up &= total == after
    spread = max(slopes.values()) / min(slopes.values()) - 1
    rates = {hold: _points_per_turn(hold) for hold in (5, 20)}
    yield words(
        "figure 6",
        "the totals of the player shown add up",
        f"{total} points in {len(turns)} turns, {total / len(turns):.1f} a turn",
        adds_up,
    )
    yield words(
        "section 3.2.1",
        "the steepest and the flattest trend differ by only 2%",
        f"{100 * spread:.1f}%",
        round(100 * spread) == 2,
    )
    yield words(
        "section 3.2.1",
        "the trend of the risk neutral players is the flattest",
        ", ".join(f"{slope} {who}" for who, slope in slopes.items()),
        min(slopes, key=lambda who: slopes[who]) == "neutral",
    )
    yield (
        f"For comparison: whoever holds at 20 earns {float(rates[20]):.2f} points a turn, and even "
        f"holding at 5 earns {float(rates[5]):.2f}."
    )
    yield drawn("pig", "utility", "What points are worth to three kinds of players (figure 4).")
    yield drawn("pig", "people", "A made-up study of the same size, drawn like figures 7 to 12.")


def _points_per_turn(hold: int) -> Fraction:
    """Return what a turn earns on average for somebody who holds at a number."""

    @cache
    def points(at_risk: int) -> Fraction:
        if at_risk >= hold:
            return Fraction(at_risk)
        return sum((points(at_risk + face) for face in range(2, 7)), Fraction(0)) / 6

    return points(0)
