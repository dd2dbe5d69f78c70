"""Races in which both players throw at once: solved, evaluated and replied to by their scores.

With ten dice to 100 such a race has 10,000 positions with 100 pairs of moves each, and hundreds of
outcomes a pair: written out, a thousand million. But a throw adds to one score only, so that the
law of each move is enough, and one product after another gives every matrix.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from dicelab.core.arrays import Numbers
from dicelab.core.jit import interpreted
from dicelab.errors import NotSolved, RulesError, TooLarge
from dicelab.rules import DRAW, LOSS, ONGOING, WIN
from dicelab.solvers import races as kernels
from dicelab.solvers.at_once_exact import settle_staying, simplest_between
from dicelab.solvers.matrix_game import by_highs
from dicelab.solvers.races import Found, Race
from dicelab.solvers.settle import Progress
from dicelab.strategies.named import AnyStrategy, plan
from dicelab.strategies.plan import Plan, nowhere
from dicelab.table.at_once import SimultaneousTable
from dicelab.table.races import RaceTable
from dicelab.verbs.evaluation import Chances, Evaluation, stakes_of
from dicelab.verbs.mixtures import SimultaneousSolution

MOST_EXACT = 400
"""Positions still in play up to which rationals are tried: they grow with every throw."""
TIGHT = 1e-11
MOST_TRIES = 40


@dataclass(frozen=True, eq=False, repr=False)
class RaceSolution(SimultaneousSolution):
    """Values and mixtures of a race in which both throw at once."""

    # `opposed` is by scores: [playing, playing, moves]

    def _rounding(self, rows: slice) -> float:
        """Return what adding up some rows in floats may cost their bounds."""
        assert isinstance(self.table, RaceTable)
        # The mixture played against is itself rounded, to 2**-50.
        return 2 * _loss(self.table, self.values) + len(self.table.moves) * 2.0**-49

    def _rows(self, rows: slice, mine: Numbers, theirs: Numbers) -> Numbers:
        """Return what rows are worth against what the other player mixes."""
        table = self.table
        assert isinstance(table, RaceTable)
        law = table.exact_law if self.exact else table.law
        after = _by_scores(table, mine)
        points = law.shape[1]
        worth = np.empty(rows.stop - rows.start, law.dtype)
        for number in np.unique(table.row_position[rows]):
            i, j = (int(score[number]) for score in table.scores)
            other = self.opposed[i, j] @ law
            here = law @ after[i : i + points, j : j + points] @ other
            first = table.move_first[number]
            worth[first - rows.start : first - rows.start + len(law)] = here
        return worth


def solve_race(
    table: RaceTable, exact: bool, progress: Progress | None, began: float
) -> RaceSolution:
    """Return the value of every position and the mixtures that reach it, with certified bounds."""
    lower, upper, x, y, method = (_exactly if exact else _certified)(table, progress)
    lower, upper = np.maximum(lower, -upper.T), np.minimum(upper, -lower.T)
    half = table.game.total / 2
    mine, yours = table.scores
    shift, lost = (half, 0) if exact else (float(half), _lost_outside(table))
    lowers, uppers = lower[mine, yours] + shift - lost, upper[mine, yours] + shift + lost
    chances = x[mine[table.row_position], yours[table.row_position], table.move]
    if not exact:
        # Mixtures are multiples of 2**-50: as rationals they still sum to exactly 1.
        chances = np.array([Fraction(chance) for chance in chances.tolist()], object)
    between = (lowers + uppers) / 2
    if exact:
        between = np.array(list(map(simplest_between, lowers, uppers)), object)
    return RaceSolution(
        table=table,
        values=between,
        lowers=lowers,
        uppers=uppers,
        plan=Plan("optimal", table, nowhere(table), chances),
        method=method,
        sweeps=int(table.is_ongoing.sum()),
        seconds=time.perf_counter() - began,
        exact=exact,
        opposed=y,
    )


def _worths(table: RaceTable, exact: bool) -> Numbers:
    """Return what each end is worth to the first score, 0 where play goes on. `[scores, scores]`"""
    worth = {result: w - table.game.total / 2 for result, w in table.worth.items()}
    ends = np.full(table.results.shape, Fraction(0), object)
    for result in (WIN, LOSS, DRAW):
        ends[table.results == result] = worth[result]
    return ends if exact else ends.astype(np.float64)


def _lost_outside(table: RaceTable) -> float:
    """Return what a bound loses where a worth is no float, or where the middle is added to it."""
    worths = table.worth.values()
    if not table.game.total and all(float(worth) == worth for worth in worths):
        return 0.0
    return 2.0**-50 * float(max(map(abs, worths)))


def _loss(table: RaceTable, ends: Numbers) -> float:
    """Return what the arithmetic at one position may lose: two sums of products, then a third."""
    terms = 2 * int((table.law > 0).sum(axis=1).max()) + len(table.moves) + 16
    return float(terms * 2.0**-53 * np.abs(ends).max())


def _certified(table: RaceTable, progress: Progress | None) -> tuple[Any, ...]:
    """Return bounds and mixtures by floats, row of scores after row."""
    ends, playing, moves = _worths(table, exact=False), table.playing, len(table.moves)
    race = Race(table.law, playing, ends, _loss(table, ends))
    ahead = (ends.shape[0], playing, moves)
    mixtures = (playing, playing, moves)
    found = Found(
        ends.copy(), ends.copy(), *(np.zeros(size) for size in (mixtures, mixtures, ahead, ahead))
    )
    largest, asked = float(np.abs(ends).max()), 0
    kernels.prepare(race, found)
    for i in range(playing - 1, -1, -1):
        j, trusted = playing - 1, False
        while j >= 0:
            failed = kernels.row(race, found, i, j, TIGHT * largest, trusted, -largest)
            if failed < 0:
                break
            _ask_highs(race, found, i, failed, largest)
            j, trusted, asked = failed, True, asked + 1
        if progress:
            progress(1 - (i / playing) ** 2)
    method = "certified float matrix games, back from the end"
    return found.lower, found.upper, found.x, found.y, _counted(method, asked)


def _counted(method: str, asked: int) -> str:
    return f"{method}; {asked} by HiGHS" if asked else method


def _ask_highs(race: Race, found: Found, i: int, j: int, largest: float) -> None:
    """Write the mixtures that HiGHS finds at a position where our own did not prove themselves."""
    size, q = race.law.shape[0], race.law[:, 0]
    low, high = np.empty((size, size)), np.empty((size, size))
    if q.any():  # then what lies ahead of this very position is part of its matrix
        for e in range(size):
            kernels.look_ahead(race, found.lower, found.ahead_lower, i, j, e, 1)
            kernels.look_ahead(race, found.upper, found.ahead_upper, i, j, e, 1)
    kernels.payoffs(race, found, i, j, low, high)
    B, v = (low + high) / 2, 0.0
    for _ in range(MOST_TRIES):
        x, y = by_highs(B + v * np.outer(q, q))
        then = float(x @ B @ y / (1 - (x @ q) * (y @ q)))
        if abs(then - v) <= 1e-14 * largest:
            break
        v = then
    found.x[i, j], found.y[i, j] = x, y


def refuse_exact(table: SimultaneousTable) -> None:
    """Refuse exact mode for a game at once that is too large for it."""
    ongoing = int(table.is_ongoing.sum())
    if ongoing > MOST_EXACT:
        raise TooLarge(
            f"{table.game} has {ongoing:,} positions in play: exact mode of simultaneous games "
            f"goes up to {MOST_EXACT:,}; without it the bounds are certified all the same"
        )


def _exactly(table: RaceTable, progress: Progress | None) -> tuple[Any, ...]:
    """Return bounds and mixtures as rationals; the bounds are the values where these are found."""
    refuse_exact(table)
    law, lower, playing = table.exact_law, _worths(table, exact=True), table.playing
    moves, points = law.shape
    x = np.full((playing, playing, moves), Fraction(0), object)
    y, upper = x.copy(), lower.copy()
    for i in range(playing - 1, -1, -1):
        for j in range(playing - 1, -1, -1):
            place = np.s_[i : i + points, j : j + points]
            low, high = (law @ bound[place] @ law.T for bound in (lower, upper))
            here = settle_staying(low, high, law[:, 0], level=i == j)
            lower[i, j], upper[i, j], x[i, j], y[i, j] = here
        if progress:
            progress(1 - (i / playing) ** 2)
    return lower, upper, x, y, "rational matrix games, back from the end"


def _by_scores(table: RaceTable, values: Numbers) -> Numbers:
    """Return values of positions by their scores, ends included. `[scores, scores]`"""
    exact = values.dtype == object
    dense = np.zeros(table.results.shape, values.dtype)
    known = table.number_at >= 0
    dense[known] = values[table.number_at[known]]
    return dense + (Fraction(0) if exact else 0.0)


def evaluate_race(
    table: RaceTable, a: AnyStrategy, b: AnyStrategy, exact: bool, began: float
) -> Evaluation:
    """Return how A fares against B; both throw at once, so it does not matter who starts."""
    plans = plan(table, a, exact), plan(table, b, exact)
    law = table.exact_law if exact else table.law
    mine = table.spread(plans[0].weights(exact)) @ law
    yours = table.spread(plans[1].weights(exact)).transpose(1, 0, 2) @ law
    zero, one = (Fraction(0), Fraction(1)) if exact else (0.0, 1.0)
    value = np.full((*table.results.shape, 3 if exact else 4), zero, law.dtype)
    for channel, result in enumerate((WIN, LOSS, DRAW)):
        value[table.results == result, channel] = one
    own = np.full(value.shape[2], zero, law.dtype)
    if not exact:
        own[3] = (2 * (law > 0).any(axis=0).sum() + 16) * 2.0**-52
    run = interpreted(kernels.meet) if exact else kernels.meet
    run(np.ascontiguousarray(mine), np.ascontiguousarray(yours), table.playing, own, value)
    start = value[tuple(table.game.start())]
    if table.results[tuple(table.game.start())] != ONGOING:
        raise RulesError(f"{table.game} is over before it starts")
    wins, losses, draws = (part if exact else float(part) for part in start[:3])
    chances = Chances(wins, losses, draws, zero)
    stakes = stakes_of(table)
    gain = stakes.worth(0, chances)
    error = 0.0 if exact else 2 * float(start[3])
    seconds = time.perf_counter() - began
    return Evaluation(
        table.game,
        plans[0].name,
        plans[1].name,
        chances,
        chances,
        error,
        seconds,
        exact,
        (gain, gain),
        stakes,
    )


def reply_to_racer(
    table: RaceTable,
    opponent: AnyStrategy,
    exact: bool,
    progress: Progress | None,
    began: float,
) -> RaceSolution:
    """Return the best reply to a strategy, with its values and bounds."""
    fixed = plan(table, opponent, exact)
    law, playing = table.exact_law if exact else table.law, table.playing
    other = table.spread(fixed.weights(exact)).transpose(1, 0, 2)
    scored = other @ law
    value = _worths(table, exact)
    error = 0 * value
    choice = np.zeros((playing, playing), np.int64)
    loss = Fraction(0) if exact else 2 * _loss(table, value) + 2.0**-52
    run = interpreted(kernels.against) if exact else kernels.against
    for i in range(playing - 1, -1, -1):
        of_other = np.ascontiguousarray(scored[i])
        run(law, of_other, playing, i, loss, value, error, choice[i])
        if progress:
            progress(1 - (i / playing) ** 2)
    mine, yours = table.scores
    half = table.game.total / 2 if exact else float(table.game.total / 2)
    values, errors = value[mine, yours] + half, error[mine, yours]
    errors = errors if exact else errors + _lost_outside(table)
    if not np.isfinite(values.astype(float)).all():
        raise NotSolved(f"the best reply to {fixed.name} in {table.game} could not be worked out")
    rows = nowhere(table)
    here = np.flatnonzero(table.is_ongoing)
    rows[here] = table.move_first[here] + choice[mine[here], yours[here]]
    return RaceSolution(
        table=table,
        values=values,
        lowers=values - errors,
        uppers=values + errors,
        plan=Plan(f"best reply to {fixed.name}", table, rows),
        method=("rational" if exact else "certified float") + " best reply, back from the end",
        sweeps=int(table.is_ongoing.sum()),
        seconds=time.perf_counter() - began,
        exact=exact,
        against=fixed,
        opposed=other,
    )
