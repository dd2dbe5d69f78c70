"""tournament: everybody meets everybody, and who is best?

Exactly, where the engine can: each pair is a short chain over turns (`turns`). By simulation on
request, with intervals. From the matrix of wins come a ranking by share of wins, Bradley-Terry
strengths, and every cycle of three: A beats B beats C beats A.

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
from dicelab.core.intervals import CONFIDENCE
from dicelab.core.jobs import Report, finished, prepare
from dicelab.core.lazy import lazy
from dicelab.errors import RulesError
from dicelab.rules import Game
from dicelab.solvers.sampling_kernels import A_WINS, B_WINS, NEVER
from dicelab.strategies.file import written_whole
from dicelab.strategies.plan import AnyStrategy, Plan, plan
from dicelab.table import Table, compile
from dicelab.verbs.evaluate import Evaluation, evaluate
from dicelab.verbs.sampler import MOST_TURNS, nothing, walker
from dicelab.verbs.simulate import BLOCK, check_numbers

_RANGE = re.compile(r"(.+:)(\d{1,6})\.\.(\d{1,6})")
MOST_STRATEGIES = 2000


def members(names: Sequence[str]) -> list[str]:
    """Return the strategies that a list stands for, ranges such as hold-at:1..100 written out.

    >>> members(["hold-at:19..21", "optimal"])
    ['hold-at:19', 'hold-at:20', 'hold-at:21', 'optimal']
    """
    found: list[str] = []
    for name in names:
        several = _RANGE.fullmatch(name)
        if several is None:
            found.append(name)
            continue
        low, high = int(several[2]), int(several[3])
        if low > high:
            raise RulesError(f"the range {name!r} is empty: write the smaller number first")
        if high - low >= MOST_STRATEGIES:
            raise RulesError(f"the range {name!r} is longer than {MOST_STRATEGIES} strategies")
        found += [f"{several[1]}{number}" for number in range(low, high + 1)]
    return found


class Cycle(NamedTuple):
    """Three strategies that beat each other in a circle."""

    members: tuple[str, str, str]  # each beats the next, the last beats the first
    margins: tuple[float, float, float]  # by how much, above a half
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
    """The matrix of wins, and what follows from it."""

    game: Game
    names: tuple[str, ...]
    exact: bool
    first: Any = field(repr=False)  # [rows, columns] chance that the row wins when it starts
    second: Any = field(repr=False)  # [rows, columns] chance that the row wins when it does not
    never: Any = field(repr=False)  # [rows, columns] chance that nobody ever wins
    low: Any = field(repr=False)  # [rows, columns] the interval of `wins`
    high: Any = field(repr=False)
    games: int  # per pair; 0 if exact
    seed: int | None
    seconds: float
    truth: Tournament | None = field(default=None, repr=False)  # the exact twin of a simulation

    @property
    def wins(self) -> Any:
        """The chance that the row beats the column when they take turns in starting."""
        return (self.first + self.second) / 2

    @property
    def error(self) -> float:
        """How far an exact chance may be from the truth, or the widest half interval."""
        return float((self.high - self.low).max() / 2)

    @property
    def share(self) -> Any:
        """The share of games each wins against all others. `[strategies]`"""
        count = len(self.names)
        return (self.wins.sum(axis=1) - self.wins.diagonal()) / max(1, count - 1)

    @property
    def margins(self) -> Any:
        """By how much the row beats the column, above a half. `[rows, columns]`"""
        return (self.wins - self.wins.T) / 2

    @property
    def beats(self) -> Any:
        """Whether the row is shown to beat the column. `[rows, columns]`"""
        return self.low > self.high.T if self.exact else self.margins > 0

    @property
    def ranking(self) -> list[str]:
        """The names, the largest share of wins first."""
        return [self.names[i] for i in np.argsort(-self.share, kind="stable")]

    @property
    def champion(self) -> str | None:
        """The one that beats every other, if there is one."""
        beaten = self.beats.sum(axis=1)
        found = np.flatnonzero(beaten == len(self.names) - 1)
        return self.names[found[0]] if found.size else None

    @property
    def best(self) -> str:
        """The one that beats every other, or where there is none, that wins most."""
        return self.champion or self.ranking[0]

    @lazy
    def strengths(self) -> Any:
        """Bradley-Terry strengths on the log scale, with mean 0. `[strategies]`

        Strength s beats strength t with the chance 1 / (1 + exp(t - s)), as nearly as one number
        each can say it. Where some never lose to the rest the likelihood has no maximum; a little
        shrinkage towards 0 then keeps it finite.
        """
        import choix
        from scipy.sparse.csgraph import connected_components

        if len(self.names) == 1:
            return np.zeros(1)
        wins = self.wins.copy()
        np.fill_diagonal(wins, 0.0)
        pieces, _ = connected_components(wins > 1e-9, connection="strong")
        strengths = choix.ilsr_pairwise_dense(
            wins, alpha=0.0 if pieces == 1 else 0.01, max_iter=10_000
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
        """Write the matrix of wins as CSV: a row and a column per strategy."""
        with written_whole(path) as file:
            sheet = csv.writer(file, lineterminator="\n")
            sheet.writerow([f"{self.game}: chance that the row beats the column", *self.names])
            for name, row in zip(self.names, self.wins.tolist(), strict=True):
                sheet.writerow([name, *map(repr, row)])


@dataclass(frozen=True, eq=False)
class Field:
    """Those who take part: small enough to travel, and enough to start from anywhere."""

    game: Game
    strategies: tuple[Any, ...]  # names, functions, or (name, choice, chances) of a plan
    key: str

    @lazy
    def table(self) -> Table:
        """The compiled game."""
        return compile(self.game)

    @lazy
    def _plans(self) -> dict[int, Plan]:
        return {}

    def __getstate__(self) -> dict[str, Any]:
        """Return only what has to travel."""
        return {name: self.__dict__[name] for name in ("game", "strategies", "key")}

    def plan(self, number: int) -> Plan:
        """Return the plan of one strategy."""
        if number not in self._plans:
            given = self.strategies[number]
            if isinstance(given, tuple):
                given = Plan(given[0], self.table, *given[1:])
            self._plans[number] = plan(self.table, given)
        return self._plans[number]

    def meet(self, one: int, two: int) -> list[float]:
        """Return (one wins, two wins, never ends) when one starts, when two does, and the error."""
        found = evaluate(self.table, self.plan(one), self.plan(two))
        assert isinstance(found, Evaluation)
        starts = (found.a_first, found.b_first)
        return [*(c for s in starts for c in (s.a_wins, s.b_wins, s.never_ends)), found.error]

    def play(self, one: int, two: int, games: int, seed: int) -> list[list[int]]:
        """Return the tally of games between two of them."""
        ready = walker(self.table, (self.plan(one), self.plan(two)))
        tally = nothing()
        for block in range(-(-games // BLOCK)):
            tally += ready.play(min(BLOCK, games - block * BLOCK), seed, one, two, block)
        ends: list[list[int]] = tally.ends.tolist()
        return ends


_FIELDS: dict[str, Field] = {}


def _known(given: Field) -> Field:
    """Return the field as this process knows it already, compiled and all."""
    if given.key not in _FIELDS:
        _FIELDS.clear()  # one at a time: a field may hold a large table
        _FIELDS[given.key] = given
    return _FIELDS[given.key]


@dataclass(frozen=True)
class _Row:
    """One strategy against itself and all that come after it."""

    field: Field
    number: int
    games: int
    seed: int


def _play_row(row: _Row) -> list[Any]:
    field = _known(row.field)
    others = range(row.number, len(field.strategies))
    if row.games:
        return [field.play(row.number, other, row.games, row.seed) for other in others]
    return [field.meet(row.number, other) for other in others]


def field_of(game: Game, strategies: Sequence[AnyStrategy], workers: int | None = None) -> Field:
    """Return those who take part, refusing what cannot."""
    if game.players != 2:
        raise RulesError(f"{game} is played alone: a tournament needs two players")
    if not strategies:
        raise RulesError("a tournament needs a strategy or more: got none")
    small = tuple(
        (given.name, given.choice, given.chances) if isinstance(given, Plan) else given
        for given in strategies
    )
    field = Field(game, small, "")
    field.plan(0)  # which makes the table, for all
    prepare(field.plan, range(1, len(small)), workers)
    plans = [field.plan(number) for number in range(len(small))]
    names = [plan.name for plan in plans]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise RulesError(f"{twice} takes part twice: name each strategy once")
    key = " ".join(f"{plan.name} {plan.fingerprint}" for plan in plans)
    object.__setattr__(field, "key", f"{game} {key}")
    return field


def tournament(
    game: Game,
    strategies: Sequence[AnyStrategy],
    games: int = 0,
    seed: int = 0,
    *,
    confidence: float = CONFIDENCE,
    both: bool = False,
    workers: int | None = None,
    checkpoint: str | Path | None = None,
    progress: Report | None = None,
) -> Tournament:
    """Return the round robin of some strategies: exact, or of so many simulated `games` a pair.

    With `both`, a simulated tournament carries its exact twin as `truth`, which confirms its
    cycles or does not.

    >>> from dicelab.games.pig import Pig
    >>> tournament(Pig(target=20), ["hold-at:2", "hold-at:5", "hold-at:10"]).best
    'hold-at:10'
    """
    began = time.perf_counter()
    intervals.check_confidence(confidence)
    if games:
        check_numbers(games, seed, MOST_TURNS, None)
    field = field_of(game, strategies, workers)
    names = tuple(field.plan(number).name for number in range(len(strategies)))
    truth = None
    if both and games:
        truth = tournament(game, strategies, workers=workers)
    if not games:
        prepare(lambda number: field.plan(number).laws, range(len(names)), workers)
    label = {"work": "tournament", "field": field.key, "games": games, "seed": seed}
    jobs = [_Row(field, number, games, seed) for number in range(len(names))]
    size = (len(names), len(names))
    first, second, never, low, high = (np.zeros(size) for _ in range(5))
    rows = finished(_play_row, jobs, len(jobs), label, workers, checkpoint, progress, threads=True)
    for i, row in rows:
        for j, found in enumerate(row, start=i):
            enter = _enter_games if games else _enter_chances
            enter(found, i, j, (first, second, never, low, high), confidence)
    return Tournament(
        game,
        names,
        not games,
        first,
        second,
        never,
        low,
        high,
        games,
        seed if games else None,
        time.perf_counter() - began,
        truth,
    )


Matrices = tuple[Any, Any, Any, Any, Any]


def _enter_chances(found: list[float], i: int, j: int, into: Matrices, _: float) -> None:
    """Enter the chances of one pair, seen by both."""
    first, second, never, low, high = into
    one, two_lost, stuck, one_second, two, stuck_too, error = found
    first[i, j], second[i, j] = one, one_second
    first[j, i], second[j, i] = two, two_lost
    never[i, j] = never[j, i] = (stuck + stuck_too) / 2
    for a, b in ((i, j), (j, i)):
        wins = (first[a, b] + second[a, b]) / 2
        low[a, b], high[a, b] = wins - error, wins + error


def _enter_games(ends: list[list[int]], i: int, j: int, into: Matrices, confidence: float) -> None:
    """Enter the games of one pair, seen by both."""
    first, second, never, low, high = into
    starts = [max(1, sum(row)) for row in ends]
    first[i, j], second[i, j] = ends[0][A_WINS] / starts[0], ends[1][A_WINS] / starts[1]
    first[j, i], second[j, i] = ends[1][B_WINS] / starts[1], ends[0][B_WINS] / starts[0]
    never[i, j] = never[j, i] = sum(sum(row[NEVER:]) for row in ends) / sum(map(sum, ends))
    for a, b, won in ((i, j, A_WINS), (j, i, B_WINS)):
        found = intervals.share(ends[0][won] + ends[1][won], sum(map(sum, ends)), confidence)
        low[a, b], high[a, b] = found.interval
