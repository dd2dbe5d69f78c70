"""How much risk people take, beside what they say: measures that tell, tests, and their power.

Points a turn hardly tell a cautious player from a daring one: to hold at 14 or at 30 brings nearly
the same. What differs is seen in the turns themselves. Each player has

- *banked*: points per turn that was held and did not win,
- *rolls*: rolls per turn,
- *holds at*: the holding point that fits the turns. The player is taken to waver around it: log
  odds to hold = (at risk - holds at) / noise. Rolls that nobody wrote down are summed over, and
  every holding point and noise of a grid is equally likely beforehand. What comes out is the mean,
  and the interval with 95% of the weight,
- *points a turn*: the slope of the totals.

Whether groups of stated preferences differ in a measure is asked with Kruskal and Wallis's test on
the players (SciPy's), with Welch's, and with a permutation. The *power* of Kruskal and Wallis's is
the share of made-up records of the same shape (as many players in each group, as many turns each)
in which it finds p <= 0.05 if averse players hold at 0.7 of the neutral point and seeking ones at
1.5 of it (14, 20 and 30 at Pig). Its *size* is the same share if all hold at the neutral point.

The *neutral point* is where holding and rolling are worth the same in points: 20 at Pig. A player
whose interval lies below it played averse, above it seeking; others cannot be told from neutral.
The best player of Pig holds above 20 at many scores, so this says how much risk was taken and not
whether that was wise. Do more play seeking than say so? If not, then those whose play and word
differ do so either way alike: McNemar's exact test.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dicelab.core.arrays import Array, Floats, Ints
from dicelab.errors import RecordError
from dicelab.games.pig.people import threshold
from dicelab.games.pig.rules import Pig
from dicelab.games.pig.study.slopes import Differ, differ_in, slopes_by_player
from dicelab.games.pig.study.tracker import PREFERENCES, Columns, Sheet, columns_of
from dicelab.solvers.turn_likelihood import likelihood as kernel

NOISES = tuple(0.5 * 2 ** (step / 2) for step in range(9))
"""How much people may waver: from 0.5 to 8 points, each step a square root of 2 more."""
HIGHEST = 60
"""The highest holding point on the grid, or the target where that is lower."""
WEIGHT = 0.95
BLOCK = 4096
"""Players that are fitted together."""
RISKS = {"averse": 0.7, "neutral": 1.0, "seeking": 1.5}
"""Where made-up players hold, in parts of the neutral point."""
WAVER = 3.0
"""The noise of made-up players."""
RECORDS = 200
"""Made-up records for power, and as many for size."""
MOST_TURNS = 20_000
"""Turns of a record beyond which power and size are not worked out: that would take minutes."""
BATCH = 200_000
"""Made-up turns that are looked at together."""
LEVEL = 0.05
TOO_CLOSE = "cannot be told"

MEASURES = {
    "banked": "banked a held turn",
    "rolls": "rolls a turn",
    "holds_at": "holds at",
    "slope": "points a turn",
}


@dataclass(frozen=True, slots=True)
class Played:
    """How one player played."""

    player: str
    stated: str | None
    turns: int
    held: int  # turns that were held and did not win
    banked: float  # per turn that was held; nan where there is none
    rolls: float  # per turn
    holds_at: float
    low: float
    high: float
    slope: float  # points a turn
    played: str | None  # averse, seeking or TOO_CLOSE; None where there is no neutral point


@dataclass(frozen=True)
class Measure:
    """Whether stated preferences differ in one measure."""

    name: str
    means: dict[str, float]  # by stated preference
    differ: Differ
    power: float  # of Kruskal and Wallis's test, if preferences are as in `RISKS`; nan: unknown
    size: float  # of the same, if all are neutral
    records: int  # made-up records that power and size each rest on


@dataclass(frozen=True)
class MoreSeeking:
    """Whether more play seeking than say so, over those who said something."""

    said: int
    played: int
    played_only: int  # play seeking and did not say so
    said_only: int  # said so and do not play it
    p: float  # McNemar's exact test, one-sided


@dataclass(frozen=True, eq=False)
class PlayedRisk:
    """How people played, and whether that is what they said."""

    neutral: int | None  # the holding point of a player who is neutral
    players: tuple[Played, ...]
    measures: dict[str, Measure]  # empty where there are no two groups to compare
    table: dict[str, dict[str, int]]  # stated: played: how many
    more_seeking: MoreSeeking | None


def played_risk(
    game: Pig, sheets: Sequence[Sheet], rng: np.random.Generator, shuffles: int
) -> PlayedRisk:
    """Return how people played, beside what they said."""
    neutral = threshold(game, "neutral")
    people = played_by(game, sheets, neutral)
    table = _table(people) if neutral is not None else {}
    return PlayedRisk(
        neutral,
        tuple(people),
        _measures(game, people, neutral, rng, shuffles),
        table,
        _more_seeking(people) if table else None,
    )


def played_by(game: Pig, sheets: Sequence[Sheet], neutral: int | None) -> list[Played]:
    """Return how each player of some sheets played, in the order of their first sheets."""
    columns = columns_of(sheets)
    people = {player: number for number, player in enumerate(dict.fromkeys(columns.player))}
    of_sheet = np.array([people[player] for player in columns.player])
    stated = dict(zip(columns.player, columns.preference, strict=True))
    measured = _measured(game, columns, of_sheet, len(people))
    slopes = slopes_by_player(sheets)
    found = []
    for player, numbers in zip(people, zip(*measured, strict=True), strict=True):
        *_, low, high = numbers
        cells = [*numbers, slopes[player], _played(low, high, neutral)]
        found.append(Played(player, stated[player], *cells))
    return found


def _played(low: float, high: float, neutral: int | None) -> str | None:
    if neutral is None:
        return None
    return "averse" if high < neutral else "seeking" if low > neutral else TOO_CLOSE


def _measured(game: Pig, columns: Columns, of_sheet: Ints, count: int) -> list[list[Any]]:
    """Return turns, held, banked, rolls, holds_at, low and high of each player."""
    player = of_sheet[columns.sheet]
    held = (columns.banked > 0) & (columns.total < game.target)
    turns = np.bincount(player, minlength=count)
    helds = np.bincount(player, held, count).astype(int)
    with np.errstate(invalid="ignore"):
        banked = np.bincount(player, columns.banked * held, count) / helds
    rolls = np.bincount(player, columns.rolls, count) / turns
    fitted = fitted_points(game, player, columns.rolls, columns.banked, columns.before, count)
    return [column.tolist() for column in (turns, helds, banked, rolls, *fitted)]


def fitted_points(
    game: Pig, player: Ints, rolls: Ints, banked: Ints, bank: Ints, count: int
) -> tuple[Array, ...]:
    """Return the holding point that fits each player's turns, and its interval. `[players]` each

    The turns are given by player, rolls, points banked, and the bank when the turn began.
    """
    points, logs, kind = _log_likelihoods(game, rolls, banked, bank)
    order = np.argsort(player, kind="stable")
    first = np.searchsorted(player[order], np.arange(count + 1))
    mean, low, high = (np.empty(count) for _ in range(3))
    for begin in range(0, count, BLOCK):
        end = min(begin + BLOCK, count)
        here = order[first[begin] : first[end]]
        sums = np.zeros((end - begin, logs.shape[1]))
        np.add.at(sums, player[here] - begin, logs[kind[here]])
        weight = np.exp(sums - sums.max(axis=1, keepdims=True))
        weight = weight.reshape(len(weight), points.size, len(NOISES)).sum(axis=2)
        weight /= weight.sum(axis=1, keepdims=True)
        mean[begin:end] = weight @ points
        running = np.cumsum(weight, axis=1)
        tail = (1 - WEIGHT) / 2
        low[begin:end] = points[np.argmax(running >= tail, axis=1)]
        high[begin:end] = points[np.argmax(running >= 1 - tail - 1e-12, axis=1)]
    return mean, low, high


def _log_likelihoods(game: Pig, rolls: Ints, banked: Ints, bank: Ints) -> tuple[Array, ...]:
    """Return the grid of holding points, the log chance of each kind of turn, and the kinds.

    Turns of as many rolls and points are of one kind, unless some of them could have won. The
    chances are `[kinds, points x noises]`.
    """
    throws = game.throws()
    scored = [throw for throw in throws if not throw.busts]
    scores = np.array([throw.points for throw in scored])
    # What lies beyond the reach of a turn's rolls cannot have ended it.
    need = np.minimum(game.target - bank, rolls * scores.max() + 1)
    kinds, kind = np.unique(np.column_stack([rolls, banked, need]), axis=0, return_inverse=True)
    most = min(int(kinds[:, 0].max()) * int(scores.max()), game.target + int(scores.max()))
    width = max(most, int(kinds[:, 1].max())) + 1
    risk = np.arange(width)
    over = risk >= kinds[:, 2:]
    points = np.arange(1, min(HIGHEST, game.target) + 1)
    logs = np.empty((len(kinds), points.size * len(NOISES)))
    found, room = np.zeros(len(kinds)), np.zeros((2, width))
    numbers = (
        np.ascontiguousarray(kinds[:, 0]),
        np.ascontiguousarray(kinds[:, 1]),
        scores,
        np.array([float(throw.chance) for throw in scored]),
        float(sum(throw.chance for throw in throws if throw.busts)),
    )
    for place, (point, noise) in enumerate((p, n) for p in points for n in NOISES):
        hold = 1 / (1 + np.exp(-np.clip((risk - point) / noise, -700, 700)))
        if not game.passing:
            hold[0] = 0.0  # the first roll of a turn is not a choice
        kernel(np.where(over, 0.0, 1 - hold), np.where(over, 1.0, hold), *numbers, room, found)
        logs[:, place] = np.log(np.maximum(found, 1e-300))
    return points, logs, kind.ravel()


def _measures(
    game: Pig,
    people: Sequence[Played],
    neutral: int | None,
    rng: np.random.Generator,
    shuffles: int,
) -> dict[str, Measure]:
    """Return whether stated preferences differ, measure by measure."""
    told = {}
    design = [(one.stated, one.turns) for one in people if one.stated is not None]
    powers, sizes, records = _power(game, design, neutral, rng)
    for name in MEASURES:
        samples = _samples([(one.stated, getattr(one, name)) for one in people])
        try:
            apart = differ_in(samples, rng, shuffles)
        except RecordError:
            continue
        means = {group: float(np.mean(own)) for group, own in samples.items()}
        told[name] = Measure(name, means, apart, powers[name], sizes[name], records)
    return told


def _samples(numbers: Sequence[tuple[str | None, float]]) -> dict[str, list[float]]:
    """Return the numbers of each group that has two players or more."""
    groups = {
        group: [x for said, x in numbers if said == group and not math.isnan(x)]
        for group in PREFERENCES
    }
    return {group: own for group, own in groups.items() if len(own) > 1}


def _power(
    game: Pig,
    design: Sequence[tuple[str, int]],
    neutral: int | None,
    rng: np.random.Generator,
) -> tuple[dict[str, float], dict[str, float], int]:
    """Return how often the test finds groups to differ that do, and groups that do not."""
    nothing = dict.fromkeys(MEASURES, math.nan)
    groups = {said for said, _ in design}
    counts = np.array([turns for _, turns in design])
    if neutral is None or len(groups) < 2 or counts.sum() > MOST_TURNS:
        return nothing, nothing, 0
    label = np.array([PREFERENCES.index(said) for said, _ in design])
    holds = np.array([RISKS[said] for said, _ in design]) * neutral
    at_once = max(1, BATCH // int(counts.sum()))
    found = []
    for holding in (holds, np.full(len(design), float(neutral))):
        rejected = dict.fromkeys(MEASURES, 0)
        for begin in range(0, RECORDS, at_once):
            some = min(at_once, RECORDS - begin)
            for name, numbers in _made_up(game, holding, counts, some, rng).items():
                rejected[name] += sum(_kruskal(one, label) <= LEVEL for one in numbers)
        found.append({name: count / RECORDS for name, count in rejected.items()})
    return found[0], found[1], RECORDS


def _kruskal(numbers: Floats, label: Ints) -> float:
    from scipy.stats import kruskal

    known = ~np.isnan(numbers)
    samples = [numbers[known & (label == group)] for group in range(len(PREFERENCES))]
    samples = [own for own in samples if own.size > 1]
    if len(samples) < 2 or np.unique(np.concatenate(samples)).size < 2:
        return 1.0
    return float(kruskal(*samples).pvalue)


def _made_up(
    game: Pig, holding: Floats, counts: Ints, records: int, rng: np.random.Generator
) -> dict[str, Floats]:
    """Return the measures of made-up players, `[records, players]`.

    In each record a player holds around `holding` and has `counts` turns. Nobody ever wins.
    """
    size = records * counts.size
    counts = np.tile(counts, records)
    player = np.repeat(np.arange(size), counts)
    rolls, banked = _made_up_turns(game, np.tile(holding, records)[player], rng)
    with np.errstate(invalid="ignore"):
        mean = np.bincount(player, banked, size) / np.bincount(player, banked > 0, size)
    begun = np.full(rolls.size, -(10**6))  # a bank from which no turn wins
    first = np.repeat(np.cumsum(counts) - counts, counts)
    so_far = np.cumsum(banked)
    totals = so_far - (so_far - banked)[first]
    apart = np.arange(player.size) - first + 1 - counts[player] / 2
    measures = {
        "banked": mean,
        "rolls": np.bincount(player, rolls, size) / counts,
        "holds_at": fitted_points(game, player, rolls, banked, begun, size)[0],
        "slope": np.bincount(player, apart * totals)
        / (counts * (counts + 1.0) * (counts + 2) / 12),
    }
    return {name: numbers.reshape(records, -1) for name, numbers in measures.items()}


def _made_up_turns(game: Pig, holding: Array, rng: np.random.Generator) -> tuple[Ints, Ints]:
    """Return rolls and points banked of turns of players who waver around a holding point."""
    throws = game.throws()
    chances = np.array([float(throw.chance) for throw in throws])
    points = np.array([0 if throw.busts else throw.points for throw in throws])
    busts = np.array([throw.busts for throw in throws])
    rolls, risk = np.zeros(holding.size, np.int64), np.zeros(holding.size, np.int64)
    here = np.arange(holding.size)
    while here.size:
        thrown = rng.choice(len(throws), here.size, p=chances / chances.sum())
        rolls[here] += 1
        risk[here] = np.where(busts[thrown], 0, risk[here] + points[thrown])
        odds = np.clip((risk[here] - holding[here]) / WAVER, -700, 700)
        ends = busts[thrown]
        ends = ends | (rng.random(here.size) < 1 / (1 + np.exp(-odds)))
        here = here[~ends]
    return rolls, risk


def _table(people: Sequence[Played]) -> dict[str, dict[str, int]]:
    """Return how many said one thing and played another."""
    table = {said: {"averse": 0, TOO_CLOSE: 0, "seeking": 0} for said in (*PREFERENCES, "nothing")}
    for one in people:
        table[one.stated or "nothing"][str(one.played)] += 1
    return {said: row for said, row in table.items() if any(row.values())}


def _more_seeking(people: Sequence[Played]) -> MoreSeeking | None:
    from scipy.stats import binomtest

    asked = [(one.stated == "seeking", one.played == "seeking") for one in people if one.stated]
    if not asked:
        return None
    played_only = sum(played and not said for said, played in asked)
    said_only = sum(said and not played for said, played in asked)
    both = played_only + said_only
    p = float(binomtest(played_only, both, alternative="greater").pvalue) if both else 1.0
    said, played = (sum(answers) for answers in zip(*asked, strict=True))
    return MoreSeeking(said, played, played_only, said_only, p)
