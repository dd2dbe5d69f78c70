"""The law of the points: how likely each number of points is, once both have decided how to play.

Play is followed step by step. What is kept is how likely it is to be at each place with each number
of points so far; places and points that come again are put together. All chances are positive, so
nothing is lost to cancellation. What goes on when the rest is negligible, or goes round for ever,
is told as such, and belongs to no number of points.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from dicelab.core.arrays import Array, Floats, Ints
from dicelab.errors import NotFinite, TooLarge
from dicelab.rules import ONGOING
from dicelab.solvers.rows import runs
from dicelab.strategies.matchup import Pairing
from dicelab.table import Table

NEGLIGIBLE = 1e-12
"""Play is followed until less than this chance is left."""
MOST_STEPS = 100_000
MOST_PLACES = 20_000_000
"""Places with points so far that are followed at once."""
ROOMY = 16
"""How many places there may be for one that is taken, where each has its own."""


@dataclass(frozen=True, eq=False)
class PointsLaw:
    """How likely each number of points of A is; what one player alone gets, or B pays."""

    parts: int  # points are counted in whole parts of one
    amounts: Ints  # [amounts] in parts, the least first
    chances: Floats  # [amounts]
    unfinished: float  # the chance of play that was not followed to its end, or has none
    error: float  # how far every sum of chances may be off besides
    steps: int  # moves followed

    @property
    def points(self) -> list[Fraction]:
        """The numbers of points that there may be, the least first."""
        return [Fraction(int(amount), self.parts) for amount in self.amounts]

    @property
    def mean(self) -> float:
        """The mean of the games that ended; not a number where none does."""
        return (
            math.nan
            if not self.amounts.size
            else float(self._numbers @ self.chances / self.chances.sum())
        )

    @property
    def deviation(self) -> float:
        """The standard deviation of the games that ended; not a number where none does."""
        if not self.amounts.size:
            return math.nan
        away = (self._numbers - self.mean) ** 2
        return math.sqrt(float(away @ self.chances / self.chances.sum()))

    def at_least(self, points: Fraction | int) -> float:
        """Return the chance of so many points or more; `unfinished` may have to be added to it."""
        place = np.searchsorted(self.amounts, math.ceil(Fraction(points) * self.parts))
        return float(self.chances[place:].sum())

    def quantile(self, share: float) -> Fraction:
        """Return the points that this share of the games that ended do not exceed."""
        if not self.amounts.size:
            raise NotFinite("no game ends: its points have no quantiles")
        done = np.cumsum(self.chances)
        place = int(np.searchsorted(done, share * done[-1] * (1 - 2.0**-40)))
        return Fraction(int(self.amounts[min(place, done.size - 1)]), self.parts)

    @property
    def _numbers(self) -> Floats:
        return self.amounts / self.parts


def points_law(pairing: Pairing) -> PointsLaw:
    """Return the law of A's points when A starts; refused where it would take too much memory."""
    table, nodes = pairing.table, pairing.result.size
    parts = _parts(table)
    steps = _Steps(pairing, parts)
    at, points = pairing.node[0, [table.start]].astype(np.int64), np.zeros(1, np.int64)
    mass = np.ones(1)
    found: list[tuple[Ints, Floats]] = []
    taken, ends = 0, pairing.result != ONGOING
    while at.size and mass.sum() > NEGLIGIBLE and taken < MOST_STEPS:
        over, lost = ends[at], pairing.rings[at] >= 0
        found.append((points[over] + steps.ending[at[over]], mass[over]))
        going = ~(over | lost)
        at, points, mass = steps.taken(at[going], points[going], mass[going])
        key, mass = _together(points * nodes + at, mass)
        at, points = key % nodes, key // nodes
        taken += 1
    amounts, which = np.unique(np.concatenate([each for each, _ in found]), return_inverse=True)
    weights = np.concatenate([each for _, each in found])
    chances = np.bincount(which, weights=weights, minlength=amounts.size).astype(np.float64)
    error = 2.0**-52 * (steps.widest + 4) * (taken + 1)
    return PointsLaw(parts, amounts, chances, max(0.0, 1.0 - chances.sum()), error, taken)


def _together(key: Array, mass: Floats) -> tuple[Array, Floats]:
    """Return the different keys in their order, each with the sum of its masses, none of them 0."""
    low = int(key.min(initial=0))
    span = int(key.max(initial=0)) - low + 1
    if span <= ROOMY * (key.size + 10_000):  # a place for each that may be takes no sorting
        held = np.bincount(key - low, weights=mass, minlength=span).astype(np.float64)
        there = np.flatnonzero(held)
        return there + low, held[there]
    found, which = np.unique(key, return_inverse=True)
    return found, np.bincount(which, weights=mass, minlength=found.size).astype(np.float64)


def _parts(table: Table) -> int:
    """Return into how many parts a point is cut so that all are whole."""
    numbers = [*table.gains, *(worth for pair in table.ends.values() for worth in pair)]
    return math.lcm(*(number.denominator for number in numbers))


class _Steps:
    """Where play may go from each node, and what that brings A, in whole parts."""

    def __init__(self, pairing: Pairing, parts: int) -> None:
        plain, plans, _ = pairing.decided
        tails, heads, chances, gains = [], [], [], []
        whole = np.array([int(gain * parts) for gain in plain.gains], np.int64)
        for seat, plan in enumerate(plans):
            weights = plan.weights(exact=False)
            rows = np.flatnonzero((weights > 0) & (pairing.node[seat, plain.row_position] >= 0))
            first = plain.outcome_first[rows].astype(np.int64)
            counts = plain.outcome_first[rows + 1] - first
            row = np.repeat(rows, counts)
            outcome = runs(first, counts)
            kind = plain.kind[outcome]
            passes = plain.passing[kind] & (pairing.seats == 2)
            tails.append(pairing.node[seat, plain.row_position[row]])
            heads.append(pairing.node[np.where(passes, 1 - seat, seat), plain.target[outcome]])
            chances.append(weights[row] * plain.chance_floats[kind])
            gains.append(whole[kind] if seat == 0 else -whole[kind])
        order = np.argsort(np.concatenate(tails), kind="stable")
        self.first = np.searchsorted(
            np.concatenate(tails)[order], np.arange(pairing.result.size + 1)
        )
        self.head = np.concatenate(heads)[order].astype(np.int64)
        self.chance = np.concatenate(chances)[order]
        self.gain = np.concatenate(gains)[order]
        self.ending = _ending(pairing, parts)
        self.widest = int(np.diff(self.first).max(initial=0))

    def taken(self, at: Ints, points: Ints, mass: Floats) -> tuple[Array, Array, Array]:
        """Return where play goes from some places, one step on."""
        first, counts = self.first[at], self.first[at + 1] - self.first[at]
        if int(counts.sum()) > MOST_PLACES:
            raise TooLarge(
                f"the law of the points has more than {MOST_PLACES:.0e} places to follow at once: "
                f"ask evaluate for the mean, or simulate"
            )
        place = np.repeat(np.arange(at.size), counts)
        edge = runs(first, counts)
        return self.head[edge], points[place] + self.gain[edge], mass[place] * self.chance[edge]


def _ending(pairing: Pairing, parts: int) -> Ints:
    """Return what the end at each node is worth to A, in parts; 0 where play goes on. `[nodes]`"""
    table, chain = pairing.table, pairing.chain
    worths = np.zeros((max(table.ends, default=0) + 1, 2), np.int64)
    for end, pair in table.ends.items():
        worths[end] = [int(worth * parts) for worth in pair]
    found: Ints = worths[table.end[chain.position], chain.seat]
    found[pairing.result == ONGOING] = 0
    return found
