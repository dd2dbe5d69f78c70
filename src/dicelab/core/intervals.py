"""Estimates: a share or a mean, with the interval that says how far to trust it.

Shares get Wilson's interval, which stays inside 0 and 1 and keeps its promise near both. What lies
between two ends, as a draw does between a loss and a win, varies less than a share of wins with
the same mean, so the same interval is safe for it too.

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
    return score(wins, games, 0.0, 1.0, confidence)


def score(
    points: float, games: int, least: float, most: float, confidence: float = CONFIDENCE
) -> Estimate:
    """Return what a game brought on average, each from `least` to `most` points.

    Wilson's interval for the share p of the way from least to most, with z of the normal law:
    (p + z^2/2n +- z sqrt(p(1-p)/n + z^2/4n^2)) / (1 + z^2/n). Its p(1-p) is the largest variance
    that games with this mean can have.
    """
    check_confidence(confidence)
    if games == 0:
        return Estimate(math.nan, least, most, 0)
    if most <= least:
        return Estimate(points / games, least, most, games)
    from scipy.special import ndtri

    z2 = float(ndtri((1 + confidence) / 2)) ** 2
    share = min(1.0, max(0.0, (points / games - least) / (most - least)))
    middle = (share + z2 / (2 * games)) / (1 + z2 / games)
    half = math.sqrt(z2 * (share * (1 - share) + z2 / (4 * games)) / games) / (1 + z2 / games)
    # At both ends the exact interval reaches the end itself, and rounding must not take it away.
    low = 0.0 if share == 0 else max(0.0, middle - half)
    high = 1.0 if share == 1 else min(1.0, middle + half)
    span = most - least
    return Estimate(points / games, least + span * low, least + span * high, games)


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
