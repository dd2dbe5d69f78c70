"""Totals by turn, and their slopes: do people play as they say they do?

The study drew the total score after each turn, averaged over all players who had stated the same
preference, and compared the slopes of three trend lines by eye. Here are those curves and lines
with their uncertainty, and a test.

A curve's points are not independent: each total contains the one before, and the points of one
player belong together. So the player is the unit. Each player has a slope, least squares through
that player's own totals (a total of 0 before the first turn included); a group's slope is the mean
of its players', with a t interval. Do the groups differ? Three answers:

- Welch's analysis of variance on the players' slopes, which lets groups spread differently;
- Kruskal and Wallis's test on their ranks;
- a permutation of the stated preferences over the players, with Welch's F: exact whatever the
  slopes' law, and whatever the two players of a game have in common. This is the one to quote.

At late turns only games that are still going on count, which are the slow ones: the mean curve
bends down there even if nobody changes their play. Players' own slopes do not suffer from that.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dicelab.core.arrays import Array, Floats, Ints
from dicelab.core.language import mark
from dicelab.errors import RecordError
from dicelab.games.pig.study.tracker import GAMBLE, PREFERENCES, Sheet, Tracker, columns_of
from dicelab.people.shuffles import affordable, shufflings

CONFIDENCE = 0.95
SHUFFLES = 9_999
TOO_FEW = mark(
    "slopes are compared between preferences: there must be two with two players or more"
)


@dataclass(frozen=True, eq=False)
class Curve:
    """The mean total after each turn, over those who had not finished before it."""

    group: str
    turns: Array  # [turns] from 1
    mean: Array  # [turns]
    low: Array  # [turns] t interval; nan where one player is left
    high: Array  # [turns]
    players: Array  # [turns] how many sheets the mean is over


@dataclass(frozen=True)
class Slope:
    """Points per turn with an interval; nan where there is one player only."""

    group: str
    value: float
    error: float
    low: float
    high: float
    players: int
    trend: float  # slope of the line through the mean curve, as the study drew it


@dataclass(frozen=True)
class Differ:
    """Whether groups differ: three tests of the same question, as p-values."""

    groups: tuple[str, ...]
    f: float
    welch: float
    kruskal: float
    permutation: float
    shuffles: int


def groups_of(tracker: Tracker) -> dict[str, list[Sheet]]:
    """Return the sheets by stated preference; those of people who said nothing are left out."""
    found: dict[str, list[Sheet]] = {preference: [] for preference in PREFERENCES}
    for sheet in tracker.sheets:
        if sheet.preference is not None:
            found[sheet.preference].append(sheet)
    return {preference: sheets for preference, sheets in found.items() if sheets}


def curve(group: str, sheets: Sequence[Sheet], confidence: float = CONFIDENCE) -> Curve:
    """Return the mean total after each turn."""
    from scipy.stats import t

    columns = columns_of(sheets)
    place = columns.turn - 1
    players = np.bincount(place)
    mean = np.bincount(place, columns.total) / players
    squares = np.bincount(place, (columns.total - mean[place]) ** 2)
    with np.errstate(invalid="ignore", divide="ignore"):
        error = np.sqrt(squares / (players - 1) / players)  # nan where one player is left
        reach = np.where(players > 1, t.ppf((1 + confidence) / 2, players - 1) * error, np.nan)
    return Curve(group, np.arange(1, len(mean) + 1), mean, mean - reach, mean + reach, players)


def mean_interval(
    numbers: Sequence[float], confidence: float = CONFIDENCE
) -> tuple[float, float, float, float]:
    """Return the mean, its standard error and its t interval; nan where there is one number."""
    from scipy.stats import t

    mean = float(np.mean(numbers))
    if len(numbers) < 2:
        return mean, math.nan, math.nan, math.nan
    error = float(np.std(numbers, ddof=1)) / math.sqrt(len(numbers))
    reach = float(t.ppf((1 + confidence) / 2, len(numbers) - 1)) * error
    return mean, error, mean - reach, mean + reach


def line(across: Array | Sequence[float], up: Array | Sequence[float]) -> float:
    """Return the slope of the least-squares line."""
    x, y = np.asarray(across, float), np.asarray(up, float)
    apart = x - x.mean()
    return float((apart * y).sum() / (apart**2).sum())


def slopes_by_player(sheets: Sequence[Sheet]) -> dict[str, float]:
    """Return each player's slope; the mean of them where a player has several games.

    For totals y at turns x = 0 to T a sheet's slope is sum (x - T/2) y / (T (T+1) (T+2) / 12).
    """
    columns = columns_of(sheets)
    last = columns.turns.astype(float)
    apart = columns.turn - last[columns.sheet] / 2
    sums = np.bincount(columns.sheet, apart * columns.total)
    slopes = sums / (last * (last + 1) * (last + 2) / 12)
    players = {player: number for number, player in enumerate(dict.fromkeys(columns.player))}
    whose = np.array([players[player] for player in columns.player])
    means = np.bincount(whose, slopes) / np.bincount(whose)
    return dict(zip(players, means.tolist(), strict=True))


def slope(group: str, sheets: Sequence[Sheet], confidence: float = CONFIDENCE) -> Slope:
    """Return a group's slope: the mean of its players'."""
    own = list(slopes_by_player(sheets).values())
    value, error, low, high = mean_interval(own, confidence)
    drawn = curve(group, sheets)
    trend = line(drawn.turns, drawn.mean) if len(drawn.turns) > 1 else math.nan
    return Slope(group, value, error, low, high, len(own), trend)


def differ(
    groups: dict[str, list[Sheet]], rng: np.random.Generator, shuffles: int = SHUFFLES
) -> Differ:
    """Return whether the slopes of groups differ."""
    by_group = {name: list(slopes_by_player(sheets).values()) for name, sheets in groups.items()}
    return differ_in({n: own for n, own in by_group.items() if len(own) > 1}, rng, shuffles)


def differ_in(
    samples: dict[str, list[float]], rng: np.random.Generator, shuffles: int = SHUFFLES
) -> Differ:
    """Return whether groups of numbers differ, one number per player."""
    from scipy.stats import f as f_law
    from scipy.stats import kruskal

    if len(samples) < 2:
        raise RecordError(TOO_FEW)
    shuffles = affordable(shuffles, sum(map(len, samples.values())))
    numbers = np.concatenate([np.asarray(own, float) for own in samples.values()])
    label = np.repeat(np.arange(len(samples)), [len(own) for own in samples.values()])
    f, within = welch_f(numbers, label[None, :], len(samples))
    as_much = 0
    for shuffled in shufflings(label, shuffles, rng):
        others = welch_f(numbers, shuffled, len(samples))[0]
        as_much += int((others >= f[0] - 1e-9 * abs(f[0])).sum())
    p = (1 + as_much) / (1 + shuffles)  # the true labels are one of the shuffles
    ranks = kruskal(*samples.values()).pvalue if len(set(numbers)) > 1 else 1.0
    tail = float(f_law.sf(f[0], len(samples) - 1, within[0])) if math.isfinite(f[0]) else 0.0
    return Differ(tuple(samples), float(f[0]), tail, float(ranks), p, shuffles)


def welch_f(numbers: Floats, labels: Ints, groups: int) -> tuple[Array, Array]:
    """Return Welch's F and its second degrees of freedom for each labelling `[cases, players]`.

    F = sum w (m - M)^2 / (k - 1) / (1 + 2 (k - 2) L / (k^2 - 1)) with w = n / s^2, M the mean of
    the m weighted by w, L = sum (1 - w / W)^2 / (n - 1); the second degrees are (k^2 - 1) / 3 L.
    Welch, "On the comparison of several mean values", Biometrika 38, 1951.
    """
    masks = labels[None, :, :] == np.arange(groups)[:, None, None]
    n = masks.sum(axis=2).astype(float)
    means = (masks * numbers).sum(axis=2) / n
    spread = (masks * (numbers - means[:, :, None]) ** 2).sum(axis=2) / (n - 1)
    floor = 1e-12 * max(float(np.var(numbers)), 1e-30)  # a group of equal numbers has no spread
    w = n / np.maximum(spread, floor)
    middle = (w * means).sum(axis=0) / w.sum(axis=0)
    lost = ((1 - w / w.sum(axis=0)) ** 2 / (n - 1)).sum(axis=0)
    between = (w * (means - middle) ** 2).sum(axis=0) / (groups - 1)
    f = between / (1 + 2 * (groups - 2) / (groups**2 - 1) * lost)
    return f, (groups**2 - 1) / (3 * lost)


@dataclass(frozen=True)
class Lotteries:
    """Whether the two questions agree with the stated preference."""

    counts: dict[str, list[int]]  # preference: players who gambled 0, 1 and 2 times
    rho: float  # rank correlation of gambles with averse < neutral < seeking
    p: float
    shuffles: int


def lotteries(
    tracker: Tracker, rng: np.random.Generator, shuffles: int = SHUFFLES
) -> Lotteries | None:
    """Return whether players who say they seek risk take the gambles; None if nobody answered."""
    from scipy.stats import rankdata

    said: dict[str, tuple[int, int]] = {}
    for sheet in tracker.sheets:
        if sheet.preference and None not in sheet.lotteries:
            gambles = sum(answer == GAMBLE for answer in sheet.lotteries)
            said[sheet.player] = (PREFERENCES.index(sheet.preference), gambles)
    if not said:
        return None
    counts = {preference: [0, 0, 0] for preference in PREFERENCES}
    for preference, gambles in said.values():
        counts[PREFERENCES[preference]][gambles] += 1
    stated, taken = (rankdata(column) for column in zip(*said.values(), strict=True))
    stated, taken = stated - stated.mean(), taken - taken.mean()
    scale = math.sqrt(float((stated**2).sum() * (taken**2).sum()))
    if scale == 0:
        return Lotteries(counts, math.nan, 1.0, shuffles)
    true, as_much = float(stated @ taken), 0
    shuffles = affordable(shuffles, len(taken))
    for shuffled in shufflings(taken, shuffles, rng):
        as_much += int((np.abs(shuffled @ stated) >= abs(true) - 1e-9).sum())
    return Lotteries(counts, true / scale, (1 + as_much) / (1 + shuffles), shuffles)
