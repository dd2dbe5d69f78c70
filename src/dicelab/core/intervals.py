"""Estimates: a share or a mean, with the interval that says how far to trust it.

Shares get Wilson's interval, which stays inside 0 and 1 and keeps its promise near both.

>>> found = share(7, 10)
>>> round(found.low, 4), round(found.high, 4)
(0.3968, 0.8922)
"""

from __future__ import annotations

import math
from typing import NamedTuple

from dicelab.errors import RulesError

CONFIDENCE = 0.95


class Estimate(NamedTuple):
    """A number found by playing, and the interval around it."""

    value: float  # nan where nothing was played
    low: float
    high: float
    games: int  # what it rests on

    @property
    def interval(self) -> tuple[float, float]:
        """The interval."""
        return self.low, self.high


def share(wins: int, games: int, confidence: float = CONFIDENCE) -> Estimate:
    """Return the share of games won, with Wilson's interval."""
    check_confidence(confidence)
    if games == 0:
        return Estimate(math.nan, 0.0, 1.0, 0)
    from scipy.stats import binomtest

    low, high = binomtest(wins, games).proportion_ci(confidence, method="wilson")
    return Estimate(wins / games, float(low), float(high), games)


def mean(total: float, squares: float, games: int, confidence: float = CONFIDENCE) -> Estimate:
    """Return the mean of what games brought, with Student's interval, from the two sums."""
    check_confidence(confidence)
    if games == 0:
        return Estimate(math.nan, -math.inf, math.inf, 0)
    average = total / games
    if games == 1:
        return Estimate(average, -math.inf, math.inf, 1)
    from scipy.stats import t

    variance = max(0.0, (squares - total * average) / (games - 1))
    half = float(t.ppf((1 + confidence) / 2, games - 1)) * math.sqrt(variance / games)
    return Estimate(average, average - half, average + half, games)


def check_confidence(confidence: float) -> None:
    """Refuse a confidence that is not between 0 and 1."""
    if not 0 < confidence < 1:
        raise RulesError(f"a confidence is between 0 and 1, such as 0.95: got {confidence!r}")
