"""Games in which both players choose at once: solved, evaluated and replied to.

At every position stands a matrix game; best play is a mixture of moves, and the value is what that
mixture is sure of. A solver proposes mixtures. What proves them is the best reply: no opponent gets
more from them than that, so each player is sure of the rest. Against a known mixture the game is
one player's alone, with chance in the other's place, and its bounds are those of every best reply.

Where both are alike, what one player is worth at a position the other is worth at its mirror image,
and a position that looks the same from both sides is worth exactly half of what there is.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from dicelab.core.arrays import Array, Numbers
from dicelab.core.exact import at_least, at_most
from dicelab.errors import NotFinite, NotSolved
from dicelab.solvers.at_once import Mixtures, mixtures, pairs_of
from dicelab.solvers.at_once_careful import settle_carefully
from dicelab.solvers.at_once_exact import RationalGame, settle_exactly, simplest_between
from dicelab.solvers.certificate import certify
from dicelab.solvers.circles import refuse_circles
from dicelab.solvers.problem import MIX, MOST, Problem
from dicelab.solvers.settle import Progress, settle
from dicelab.strategies.named import AnyStrategy, plan
from dicelab.strategies.plan import Plan, nowhere
from dicelab.table import Table
from dicelab.table.at_once import PairTable, SimultaneousTable
from dicelab.table.races import RaceTable
from dicelab.table.worths import Counting, counted, counted_for_reply
from dicelab.verbs.mixtures import SimultaneousSolution
from dicelab.verbs.races import refuse_exact, reply_to_racer, solve_race

MOST_RESCUED = 1000
"""Positions up to which a reply that floats cannot certify is worked out in rationals instead."""
WIDE = 1e-10
"""Bounds further apart than this share of the largest value are tried again."""
MOST_REFINED = 100
"""Positions still in play up to which wide bounds are brought closer in rationals."""
ENDINGS = (1e-2, 1e-3, 1e-4, 1e-6)
"""Chances to end at every step for which mixtures are tried."""
NARROW = Fraction(1, 2**96)
"""Bounds in rationals that are no further apart than this are not tried again."""


@dataclass(frozen=True, eq=False, repr=False)
class PairSolution(SimultaneousSolution):
    """Values and mixtures of any game in which both choose at once."""

    # `opposed` is the chance of each of the other player's moves, where he looks: [rows]

    def _rounding(self, rows: slice) -> Array:
        """Return what adding up some rows in floats may cost their bounds."""
        table = self._pairs()
        pairs = table.pairs
        largest = np.maximum(np.abs(self.lowers), np.abs(self.uppers)).max()
        largest += max(map(abs, map(float, pairs.gains)), default=0.0)
        terms = np.diff(pairs.outcome_first).max() + np.diff(table.move_first).max() + 8
        return np.full(rows.stop - rows.start, terms * 2.0**-51 * largest)

    def _pairs(self) -> PairTable:
        assert isinstance(self.table, PairTable)
        return self.table

    def _rows(self, rows: slice, mine: Numbers, theirs: Numbers) -> Numbers:
        """Return what rows are worth against what the other player mixes."""
        table = self._pairs()
        pairs, first = table.pairs, table.pair_first
        begin, end = int(first[rows.start]), int(first[rows.stop])
        firsts = pairs.outcome_first[begin : end + 1]
        outcomes = slice(int(firsts[0]), int(firsts[-1]))
        kind, after = pairs.kind[outcomes], mine[pairs.target[outcomes]]
        if pairs.has_gains:
            gains = np.array(pairs.gains, object if self.exact else np.float64)
            after = after + gains[kind]
        chances = np.array(pairs.chances, object) if self.exact else pairs.chance_floats
        worth = np.add.reduceat(chances[kind] * after, firsts[:-1] - firsts[0])
        weighed = worth * self.opposed[table.of_other[begin:end]]
        found: Numbers = np.add.reduceat(weighed, first[rows.start : rows.stop] - begin)
        return found


def solve_simultaneous(
    table: SimultaneousTable, exact: bool, progress: Progress | None, began: float
) -> SimultaneousSolution:
    """Return the value of every position and the mixtures that reach it, with certified bounds."""
    if isinstance(table, RaceTable):
        return solve_race(table, exact, progress, began)
    assert isinstance(table, PairTable)
    if exact:
        refuse_exact(table)
    counting = counted(table)
    found = _found(table, counting, progress)
    method = "matrix games, back from the end"
    if found.steps:
        method += f", {found.steps} steps where positions lead back"
    if found.by_highs:
        method += f"; {found.by_highs} by HiGHS"
    if exact:
        optimal, values, lowers, uppers = _exactly(table, counting, found)
    else:
        optimal, values, lowers, uppers = _best_bounded(table, counting, found)
    return PairSolution(
        table=table,
        values=values,
        lowers=lowers,
        uppers=uppers,
        plan=optimal,
        method=("rational " if exact else "certified float ") + method,
        sweeps=int(table.is_ongoing.sum()),
        seconds=time.perf_counter() - began,
        exact=exact,
        opposed=optimal.weights(exact),
    )


def _mixed(table: PairTable, shares: Numbers) -> Plan:
    """Return mixtures as a plan; floats are multiples of 2**-50 and still sum to exactly 1."""
    chances = np.array([Fraction(share) for share in shares.tolist()], object)
    return Plan("optimal", table, nowhere(table), chances)


def _found(
    table: PairTable, counting: Counting, progress: Progress | None, ending: float = 0.0
) -> Mixtures:
    """Return mixtures that floats find, for play that may end at every step with a small chance."""
    pairs = table.pairs
    reward = pairs.rewards(False, counting.unit)
    game = pairs_of(pairs, table.move_first, table.mirror, reward, ending)
    value = np.zeros(len(table))
    for end, (worth,) in counting.ends.items():
        value[(table.end == end) & ~table.is_ongoing] = float(worth)
    return mixtures(game, pairs, value, progress)


def _best_bounded(
    table: PairTable, counting: Counting, found: Mixtures
) -> tuple[Plan, Numbers, Numbers, Numbers]:
    """Return the mixtures that prove most, values, and the closest bounds of all that were tried.

    Where play may go round for ever there need not be a best mixture, only ever better ones
    (Everett): those for a game that ends at every step with a small chance are among them. In a
    small game rationals find them, so that its bounds close.
    """
    optimal, values, lowers, uppers = _bounded(table, _mixed(table, found.share), counting, found)
    size = max(1.0, float(np.abs(values).max()))
    width = float((uppers - lowers).max())
    if width > WIDE * size and table.is_ongoing.sum() <= MOST_REFINED:
        optimal, close, low, high = _exactly(table, counting, found)
        lowers = np.maximum(lowers, [at_most(each) for each in low])
        uppers = np.minimum(uppers, [at_least(each) for each in high])
        return optimal, np.clip(close.astype(np.float64), lowers, uppers), lowers, uppers
    for ending in ENDINGS if width > WIDE * size else ():
        other = _found(table, counting, None, ending)
        try:
            plan_then, _, low, high = _bounded(table, _mixed(table, other.share), counting, other)
        except NotSolved:
            continue
        lowers, uppers = np.maximum(lowers, low), np.minimum(uppers, high)
        if (closer := float((high - low).max())) < width:
            optimal, width = plan_then, closer
    return optimal, np.clip(values, lowers, uppers), lowers, uppers


def _bounded(
    table: PairTable, optimal: Plan, counting: Counting, found: Mixtures
) -> tuple[Plan, Numbers, Numbers, Numbers]:
    """Return values with the bounds that the best reply to the mixtures proves."""
    try:
        reply = rescued(table, optimal)
    except NotFinite:
        raise NotFinite(
            f"no value of {table.game} could be proved: positions lead back, and against the "
            f"mixtures that were found points are won and lost without end; limit how often that "
            f"may be done"
        ) from None
    total = Fraction(table.game.total)
    size = 2.0**-52 * (np.abs(reply.uppers).max() + abs(float(total)))
    uppers = reply.uppers
    lowers = float(total) - uppers[table.mirror] - (size if total else 0.0)
    level = table.mirror == np.arange(len(table))
    level &= table.is_ongoing
    lowers[level], uppers[level] = at_most(table.even), at_least(table.even)
    values = found.value * float(counting.unit) + float(counting.zero)
    return optimal, np.clip(values, lowers, uppers), lowers, uppers


def rescued(
    table: PairTable,
    fixed: Plan,
    progress: Progress | None = None,
    never: Fraction | None = None,
) -> PairSolution:
    """Return the best reply by floats; by rationals where these fail and the game is small."""
    try:
        return reply_to(table, fixed, False, progress, never)
    except NotFinite:
        raise
    except NotSolved:
        if len(table) > MOST_RESCUED:
            raise
        found = reply_to(table, fixed, True, progress, never).rounded()
        assert isinstance(found, PairSolution)
        return found


def reply_to(
    table: PairTable,
    fixed: Plan,
    exact: bool = False,
    progress: Progress | None = None,
    never: Fraction | None = None,
) -> PairSolution:
    """Return the best reply to a plan at every position, with its values and bounds."""
    began = time.perf_counter()
    problem, counting = _reply_problem(table, fixed, exact, never)
    steps = table.steps
    with table.naming(steps.owner):
        settle(problem, progress)
        refuse_circles(problem, steps.is_free)
        error = None if exact else certify(problem)[0, steps.place]
    values, lowers, uppers = counting.told(problem.value[0, steps.place], error)
    choice = nowhere(table)
    here = table.is_ongoing
    choice[here] = steps.weighed[problem.choice[0, steps.place[here]]]
    return PairSolution(
        table=table,
        values=values,
        lowers=lowers,
        uppers=uppers,
        plan=Plan(f"best reply to {fixed.name}", table, choice),
        method=("rational" if exact else "certified float") + " policy iteration",
        sweeps=int(problem.counts[0]),
        seconds=time.perf_counter() - began,
        exact=exact,
        against=fixed,
        opposed=fixed.weights(exact),
    )


def _reply_problem(
    table: PairTable, fixed: Plan, exact: bool, never: Fraction | None
) -> tuple[Problem, Counting]:
    """Return the problem of replying to a plan: who looks chooses, then the plan, unseeing.

    Where the plan would choose first it is given no move at all: nothing is asked about a reply
    that has seen it.
    """
    steps = table.steps
    endless = table.never if never is None else never
    assert endless is not None  # between two nothing takes for ever
    counting = counted_for_reply(table, endless)
    weight = np.zeros((2, steps.rows), object if exact else np.float64)
    weight[1, steps.of_pair] = fixed.weights(exact)[table.of_other]
    reward = np.zeros((2, 0))
    if table.has_gains:
        gains = steps.rewards(exact, counting.unit)
        reward = np.stack([gains, -gains])
    problem = Problem(
        steps,
        seats=2,
        sign=1,
        role=(MOST, MIX),
        ends=counting.ends,
        exact=exact,
        weight=weight,
        reward=reward,
        gaining=table.has_gains,
    )
    begin_well(problem, table, fixed.name)
    return problem, counting


def begin_well(problem: Problem, table: Table, opponent: str) -> None:
    """Choose moves for a reply to improve from, where any others could lead it astray.

    That is where some end is worse than none, or going round may cost without end.
    """
    arrays = problem.arrays
    if not (table.has_gains or (problem.value[:, ~arrays.is_ongoing] < 0).any()):
        return
    lost = problem.begin_well(arrays.is_free)
    if lost:
        raise NotFinite(
            f"{table.game} has no finite value against {opponent}: from {lost} of its "
            f"positions it can only go on for ever, and points are won and lost without end"
        )


def reply_simultaneous(
    table: SimultaneousTable,
    opponent: AnyStrategy,
    exact: bool,
    progress: Progress | None,
    never: Fraction | None,
    began: float,
) -> SimultaneousSolution:
    """Return the best reply to a strategy, with its values and bounds."""
    if isinstance(table, RaceTable):
        return reply_to_racer(table, opponent, exact, progress, began)
    assert isinstance(table, PairTable)
    fixed = plan(table, opponent, exact)
    if exact:
        return reply_to(table, fixed, True, progress, never)
    return rescued(table, fixed, progress, never)


# Rationals


def _exactly(
    table: PairTable, counting: Counting, found: Mixtures
) -> tuple[Plan, Numbers, Numbers, Numbers]:
    """Return mixtures, values and bounds in rationals, as close as they get.

    First what floats found is made exact. Where the best reply does not prove that, mixtures are
    careful instead: then play may be worth more than any of them is sure of, by very little.
    """
    pairs = table.pairs
    game = RationalGame(pairs, table.move_first, table.mirror, pairs.rewards(True, counting.unit))
    ends = np.full(len(table), Fraction(0), object)
    for end, (worth,) in counting.ends.items():
        ends[(table.end == end) & ~table.is_ongoing] = worth
    tried: list[tuple[Plan, Numbers, Numbers]] = []

    def prove(shares: Numbers) -> Fraction:
        optimal = _mixed(table, shares)
        tried.append((optimal, *_proved(table, optimal)))
        return _width(tried[-1])

    if prove(settle_exactly(game, ends, found.value, found.share).share) > NARROW:
        prove(settle_carefully(game, ends).share)
        # Each player may be better off with the mixtures of another try.
        (one, low, _), (two, high, _) = tried
        better = (high > low)[table.row_position]
        prove(np.where(better, two.weights(True), one.weights(True)))
    for ending in ENDINGS if min(map(_width, tried)) > WIDE else ():
        prove(_found(table, counting, None, ending).share)
    optimal = min(tried, key=_width)[0]
    lowers = np.maximum.reduce([low for _, low, _ in tried])
    uppers = np.minimum.reduce([high for _, _, high in tried])
    between = map(simplest_between, lowers, uppers)
    return optimal, np.array(list(between), object), lowers, uppers


def _width(tried: tuple[Plan, Numbers, Numbers]) -> Fraction:
    """Return how far apart the bounds are that a plan proves."""
    return Fraction(max(tried[2] - tried[1]))


def _proved(table: PairTable, optimal: Plan) -> tuple[Numbers, Numbers]:
    """Return what mixtures are sure of and all that they let go, by the best reply to them."""
    uppers = reply_to(table, optimal, exact=True).values
    lowers = Fraction(table.game.total) - uppers[table.mirror]
    level = (table.mirror == np.arange(len(table))) & table.is_ongoing
    lowers[level] = uppers[level] = table.even
    return lowers, uppers


__all__ = ["PairSolution", "reply_simultaneous", "reply_to", "solve_simultaneous"]
