"""tournament: everybody meets everybody, and who is best?

Exactly, where the engine can: each pair is a short chain over turns (`turns`). By simulation on
request, with intervals. Strategies are ranked by what they get in the game's own unit: a draw
counts what the game says it does, and where points are played for, points count. From the matrix of
that come a ranking, Bradley-Terry strengths, and every cycle of three: A beats B beats C beats A.

A job is one row of the matrix: one strategy against itself and all that come after it.
"""

from __future__ import annotations

import csv
import re
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from dicelab.core import intervals
from dicelab.core.arrays import Bools, Floats, Numbers
from dicelab.core.atomic_write import written_whole
from dicelab.core.csv_cells import guarded_row
from dicelab.core.intervals import CONFIDENCE, Estimate
from dicelab.core.jobs import Report, finished, prepare
from dicelab.core.lazy import lazy
from dicelab.errors import RulesError
from dicelab.rules import LOSS, WIN, Game, contract
from dicelab.solvers.sampling_kernels import A_WINS, B_WINS, NEVER
from dicelab.strategies.turn_laws import laws_of
from dicelab.table import Table
from dicelab.verbs.entrants import Field, Met, Strategies, field_of, known, ranked
from dicelab.verbs.sampler import MOST_TURNS
from dicelab.verbs.seated_tournament import SeatedTournament, seated_tournament
from dicelab.verbs.simulate import check_numbers, got
from dicelab.verbs.solo_tournament import SoloTournament, solo_tournament

_RANGE = re.compile(r"(.+:)(\d{1,6})\.\.(\d{1,6})(?::(\d{1,9}))?")
MOST_STRATEGIES = 2000


def members(names: Sequence[str]) -> list[str]:
    """Return the strategies that a list stands for, ranges such as hold-at:1..100 written out.

    >>> members(["hold-at:19..21", "hold-at:30..40:10", "optimal"])
    ['hold-at:19', 'hold-at:20', 'hold-at:21', 'hold-at:30', 'hold-at:40', 'optimal']
    """
    found: list[str] = []
    for name in names:
        several = _RANGE.fullmatch(name)
        if several is None:
            found.append(name)
            continue
        low, high, step = int(several[2]), int(several[3]), int(several[4] or 1)
        if step == 0:
            raise RulesError(f"the range {name!r} never moves: give it a step other than 0")
        if low > high:
            raise RulesError(f"the range {name!r} is empty: write the smaller number first")
        if (high - low) // step >= MOST_STRATEGIES:
            raise RulesError(f"the range {name!r} is longer than {MOST_STRATEGIES} strategies")
        found += [f"{several[1]}{number}" for number in range(low, high + 1, step)]
    return found


class Cycle(NamedTuple):
    """Three strategies that beat each other in a circle."""

    members: tuple[str, str, str]  # each beats the next, the last beats the first
    margins: tuple[float, float, float]  # by how much, above an even share
    clear: bool  # the intervals, or error bounds, leave no doubt
    confirmed: bool | None = None  # by the exact matrix, for a cycle seen in a simulation

    @property
    def widest(self) -> float:
        """The largest margin around the circle."""
        return max(self.margins)

    @property
    def narrowest(self) -> float:
        """The smallest margin around the circle."""
        return min(self.margins)


@dataclass(frozen=True, eq=False)
class Tournament:
    """Who gets how much from whom, and what follows from it."""

    game: Game
    names: tuple[str, ...]
    exact: bool
    first: Floats = field(repr=False)  # [rows, columns] chance that the row wins when it starts
    second: Floats = field(repr=False)  # [rows, columns] chance that the row wins when it does not
    never: Floats = field(repr=False)  # [rows, columns] chance that nobody ever wins
    values: Numbers = field(repr=False)  # [rows, columns] what the row gets, in the game's unit
    low: Floats = field(repr=False)  # [rows, columns] the interval of `values`
    high: Floats = field(repr=False)
    games: int  # per pair; 0 if exact
    seed: int | None
    seconds: float
    truth: Tournament | None = field(default=None, repr=False)  # the exact twin of a simulation

    @property
    def wins(self) -> Floats:
        """The chance that the row beats the column when they take turns in starting."""
        return (self.first + self.second) / 2

    @property
    def error(self) -> float:
        """How far an exact value may be from the truth, or the widest half interval."""
        return float((self.high - self.low).max() / 2)

    @property
    def share(self) -> Numbers:
        """What each gets on average against all others, in the game's unit. `[strategies]`"""
        count = len(self.names)
        return (self.values.sum(axis=1) - self.values.diagonal()) / max(1, count - 1)

    @property
    def margins(self) -> Floats:
        """By how much the row beats the column, above an even share. `[rows, columns]`"""
        return (self.values - self.values.T) / 2

    @property
    def only_wins_count(self) -> bool:
        """Whether what is got are games won: no draws, no games without end, no points."""
        nobody = np.abs(1 - self.wins - self.wins.T)
        np.fill_diagonal(nobody, 0.0)  # against oneself nothing is ranked
        return self.game.unit == "chance to win" and bool((nobody < 1e-9).all())

    @property
    def beats(self) -> Bools:
        """Whether the row is shown to beat the column. `[rows, columns]`"""
        return self.low > self.high.T if self.exact else self.margins > 0

    @property
    def ranking(self) -> list[str]:
        """The names, the one that gets most first; those that cannot be told apart as they came."""
        return ranked(self.names, self.share, 2 * self.error if self.exact else 0.0)

    @property
    def champion(self) -> str | None:
        """The one that beats every other, if there is one."""
        beaten = self.beats.sum(axis=1)
        found = np.flatnonzero(beaten == len(self.names) - 1)
        return self.names[found[0]] if found.size else None

    @property
    def best(self) -> str:
        """The one that beats every other, or where there is none, that gets most."""
        return self.champion or self.ranking[0]

    @lazy
    def strengths(self) -> Floats:
        """Bradley-Terry strengths on the log scale, with mean 0. `[strategies]`

        Strength s beats strength t with the chance 1 / (1 + exp(t - s)), as nearly as one number
        each can say it. Where some never lose to the rest the likelihood has no maximum; a little
        shrinkage towards 0 then keeps it finite.
        """
        import choix
        from scipy.sparse.csgraph import connected_components

        if len(self.names) == 1:
            return np.zeros(1)
        pot = float(self.game.worth[WIN] - self.game.worth[LOSS])
        margins = self.margins / pot if pot else (self.wins - self.wins.T) / 2  # points: by games
        shares = np.clip(0.5 + margins, 0.0, 1.0)
        np.fill_diagonal(shares, 0.0)
        pieces, _ = connected_components(shares > 1e-9, connection="strong")
        strengths = choix.ilsr_pairwise_dense(
            shares, alpha=0.0 if pieces == 1 else 0.01, max_iter=10_000
        )
        return strengths - strengths.mean()

    @lazy
    def cycles(self) -> list[Cycle]:
        """Every circle of three, the one with the widest narrowest margin first."""
        beats, margins, sure = self.beats, self.margins, self.low > self.high.T
        truth = self.truth.beats if self.truth else None
        found = []
        for i in range(len(self.names)):
            after = np.argwhere(beats[i][:, None] & beats & beats[:, i][None, :])
            for j, k in after[(after > i).all(axis=1)].tolist():
                edges = ((i, j), (j, k), (k, i))
                one, two, three = (float(margins[edge]) for edge in edges)
                confirmed = None if truth is None else all(bool(truth[edge]) for edge in edges)
                who = (self.names[i], self.names[j], self.names[k])
                clear = all(bool(sure[edge]) for edge in edges)
                found.append(Cycle(who, (one, two, three), clear, confirmed))
        return sorted(found, key=lambda cycle: -cycle.narrowest)

    @property
    def is_transitive(self) -> bool:
        """Whether there is no circle of three."""
        return not self.cycles

    def save(self, path: str | Path) -> None:
        """Write what each gets from each as CSV: a row and a column per strategy."""
        unit = "score, a draw counted" if self.game.unit == "chance to win" else self.game.unit
        what = (
            "chance that the row beats the column"
            if self.only_wins_count
            else f"{unit}, of the row"
        )
        with written_whole(path) as file:
            sheet = csv.writer(file, lineterminator="\n")
            sheet.writerow(guarded_row([f"{self.game}: {what}", *self.names]))
            for name, row in zip(self.names, self.values.tolist(), strict=True):
                sheet.writerow(guarded_row([name, *map(repr, row)]))


@dataclass(frozen=True)
class _Row:
    """One strategy against itself and all that come after it."""

    field: Field
    number: int
    games: int
    seed: int


def _play_row(row: _Row) -> list[Any]:
    field = known(row.field)
    others = range(row.number, len(field.strategies))
    if row.games:
        return [field.play(row.number, other, row.games, row.seed) for other in others]
    return [list(field.meet(row.number, other)) for other in others]


def tournament(
    game: Game | Table,
    strategies: Strategies,
    games: int = 0,
    seed: int = 0,
    *,
    confidence: float = CONFIDENCE,
    both: bool = False,
    workers: int | None = None,
    checkpoint: str | Path | None = None,
    progress: Report | None = None,
) -> Tournament | SeatedTournament | SoloTournament:
    """Return the round robin of some strategies: exact, or of so many simulated `games` a pair.

    A mapping from names to strategies says what each is called, two functions of one name included.
    With `both`, a simulated tournament carries its exact twin as `truth`, which confirms its
    cycles or does not. With three players and more, strategies meet at tables of that many. Alone
    they meet nobody, and are ranked by what each brings.

    >>> from dicelab.games.pig import Pig
    >>> tournament(Pig(target=20), ["hold-at:2", "hold-at:5", "hold-at:10"]).best
    'hold-at:10'
    """
    began = time.perf_counter()
    intervals.check_confidence(confidence)
    if games:
        check_numbers(games, seed, MOST_TURNS, None)
    rules = game.game if isinstance(game, Table) else game
    contract.check(rules)
    if rules.players == 1:
        if games or checkpoint:
            asked = "games" if games else "a checkpoint"
            raise RulesError(
                f"{rules} is played alone, and its tournament is worked out: leave out {asked}"
            )
        return solo_tournament(game, strategies, progress=progress)
    field = field_of(game, strategies, workers)
    if field.game.players > 2:
        if both or checkpoint:
            asked = "a checkpoint" if checkpoint else "both ways at once"
            raise RulesError(f"{field.game} is played at tables of many: leave out {asked}")
        plans = [field.plan(number) for number in range(len(strategies))]
        return seated_tournament(field.table, plans, games, seed, confidence, progress)
    if games and field.table.is_for_points:
        contract.check_one_pot(field.table.game, "be played for points in a tournament")
    names = tuple(field.plan(number).name for number in range(len(strategies)))
    truth = None
    if both and games:
        twin = tournament(game, strategies, workers=workers)
        assert isinstance(twin, Tournament)
        truth = twin
    if not games:
        prepare(lambda number: field.plan(number).derived(laws_of), range(len(names)), workers)
    label = {"work": "tournament", "field": field.key, "games": games, "seed": seed}
    jobs = [_Row(field, number, games, seed) for number in range(len(names))]
    size = (len(names), len(names))
    matrices = Matrices(*(np.zeros(size) for _ in Matrices._fields))

    def fits(number: int, row: Any) -> bool:
        """Return whether a row of the matrix may be this one."""
        shape = np.array(row, float).shape
        return shape == (len(names) - number, *((3, 5) if games else (len(Met._fields),)))

    rows = finished(
        _play_row, jobs, len(jobs), label, workers, checkpoint, progress, threads=True, fits=fits
    )
    for i, row in rows:
        for j, found in enumerate(row, start=i):
            if games:
                _enter_games(field.table, found, i, j, matrices, confidence)
            else:
                _enter_chances(Met(*found), i, j, matrices)
    return Tournament(
        field.table.game,
        names,
        not games,
        *matrices,
        games,
        seed if games else None,
        time.perf_counter() - began,
        truth,
    )


class Matrices(NamedTuple):
    """What a tournament is made of. Each is `[rows, columns]`."""

    first: Floats
    second: Floats
    never: Floats
    values: Numbers
    low: Floats
    high: Floats


def _enter_chances(found: Met, i: int, j: int, into: Matrices) -> None:
    """Enter the chances of one pair, seen by both."""
    into.first[i, j], into.second[i, j] = found.one_starting, found.one_second
    into.first[j, i], into.second[j, i] = found.two_starting, found.two_second
    into.never[i, j] = into.never[j, i] = (found.never_one_starting + found.never_two_starting) / 2
    for a, b, value in ((i, j, found.value), (j, i, found.value_of_two)):
        into.values[a, b] = value
        into.low[a, b], into.high[a, b] = value - found.error, value + found.error


def _enter_games(
    table: Table, games: list[list[int]], i: int, j: int, into: Matrices, confidence: float
) -> None:
    """Enter the games of one pair, seen by both."""
    *ends, brought = games
    starts = [max(1, sum(row)) for row in ends]
    into.first[i, j], into.second[i, j] = ends[0][A_WINS] / starts[0], ends[1][A_WINS] / starts[1]
    into.first[j, i], into.second[j, i] = ends[1][B_WINS] / starts[1], ends[0][B_WINS] / starts[0]
    into.never[i, j] = into.never[j, i] = sum(sum(row[NEVER:]) for row in ends) / sum(
        map(sum, ends)
    )
    mine = got(table, ends, brought, confidence)
    yours = got(table, [_other_way(row) for row in reversed(ends)], (0, 0), confidence)
    if table.is_for_points:  # one pot: what the other does not get
        total = float(table.game.total)
        yours = Estimate(total - mine.value, total - mine.high, total - mine.low, mine.games)
    for a, b, found in ((i, j, mine), (j, i, yours)):
        into.values[a, b], into.low[a, b], into.high[a, b] = found.value, *found.interval


def _other_way(row: list[int]) -> list[int]:
    """Return how games ended, as the other player counts them."""
    swapped = list(row)
    swapped[A_WINS], swapped[B_WINS] = row[B_WINS], row[A_WINS]
    return swapped
