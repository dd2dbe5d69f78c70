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
from dicelab.core.jit import interpreted
from dicelab.errors import NotFinite, NotSolved, RulesError, TooLarge
from dicelab.solvers.at_once import Mixtures, mixtures, pairs_of
from dicelab.solvers.certificate import certify
from dicelab.solvers.circles import refuse_circles
from dicelab.solvers.matrix_game import matrix_game
from dicelab.solvers.problem import MIX, MOST, Problem
from dicelab.solvers.settle import Progress, settle
from dicelab.solvers.sweep import eliminate
from dicelab.strategies.named import AnyStrategy, plan
from dicelab.strategies.plan import Plan
from dicelab.table.at_once import PairTable, SimultaneousTable
from dicelab.table.races import RaceTable
from dicelab.table.worths import Counting, counted, counted_for_reply
from dicelab.verbs.mixtures import SimultaneousSolution
from dicelab.verbs.races import reply_to_racer, solve_race

MOST_EXACT = 400
"""Positions still in play up to which rationals are tried: they grow with every throw."""
MOST_RESCUED = 1000
"""Positions up to which a reply that floats cannot certify is worked out in rationals instead."""
WIDE = 1e-7
"""Bounds further apart than this share of the largest value are tried again."""
ENDINGS = (1e-2, 1e-3, 1e-4, 1e-6)
"""Chances to end at every step for which mixtures are tried."""
SIMPLE = 10**6
"""Mixtures are taken to be fractions with denominators up to this, where positions lead back."""


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
        _refuse_exact(table)
    counting = counted(table)
    found = _found(table, counting, progress)
    method = "matrix games, back from the end"
    if found.steps:
        method += f", {found.steps} steps where positions lead back"
    if found.by_highs:
        method += f"; {found.by_highs} by HiGHS"
    if exact:
        values, chances = _exactly(table, counting, found)
        optimal = _mixed(table, chances)
        _prove(table, optimal, values)
        lowers = uppers = values
    else:
        optimal, values, lowers, uppers = _best_bounded(table, counting, found)
        chances = optimal.weights(exact=False)
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
        opposed=chances,
    )


def _mixed(table: PairTable, shares: Numbers) -> Plan:
    """Return mixtures as a plan; floats are multiples of 2**-50 and still sum to exactly 1."""
    chances = np.array([Fraction(share) for share in shares.tolist()], object)
    return Plan("optimal", table, np.full(len(table), -1, np.int32), chances)


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
    (Everett): those for a game that ends at every step with a small chance are among them.
    """
    optimal, values, lowers, uppers = _bounded(table, _mixed(table, found.share), counting, found)
    size = max(1.0, float(np.abs(values).max()))
    width = float((uppers - lowers).max())
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
        error = None if exact else certify(problem)
    if error is None:
        values = lowers = uppers = counting.exactly(problem.value[0, steps.place])
    else:
        values, lowers, uppers = counting.bounded(
            problem.value[0, steps.place], error[0, steps.place]
        )
    choice = np.full(len(table), -1, np.int32)
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
    if table.has_gains or (problem.value[:, ~steps.is_ongoing] < 0).any():
        lost = problem.begin_well(steps.is_free)
        if lost:
            raise NotFinite(
                f"{table.game} has no finite value against {fixed.name}: from {lost} of its "
                f"positions it can only go on for ever, and points are won and lost without end"
            )
    return problem, counting


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


def _refuse_exact(table: PairTable) -> None:
    ongoing = int(table.is_ongoing.sum())
    if ongoing > MOST_EXACT:
        raise TooLarge(
            f"{table.game} has {ongoing:,} positions in play: exact mode of simultaneous games "
            f"goes up to {MOST_EXACT:,}; without it the bounds are certified all the same"
        )


def _exactly(table: PairTable, counting: Counting, found: Mixtures) -> tuple[Numbers, Numbers]:
    """Return values and mixtures as rationals, where these can be."""
    pairs = table.pairs
    value = np.full(len(table), Fraction(0), object)
    for end, (worth,) in counting.ends.items():
        value[(table.end == end) & ~table.is_ongoing] = worth
    reward = pairs.rewards(True, counting.unit)
    share = np.full(table.rows, Fraction(0), object)
    first = table.component_first
    for c in range(table.cuts.size):
        low, high = int(first[c]), int(first[c + 1])
        if not table.is_ongoing[low:high].any():
            continue
        if table.cuts[c]:
            _guess(table, value, reward, found.share, low, high)
        settled = [_matrix(table, value, reward, here) for here in range(low, high)]
        games = [matrix_game(matrix, exact=True) for matrix in settled]
        if table.cuts[c] and [each.value for each in games] != value[low:high].tolist():
            raise RulesError(
                f"{table.game} has no exact mode: where positions lead back, as from "
                f"{table.notation(high - 1)}, the value need not be rational, and no rational one "
                f"was found; without it the bounds are certified all the same"
            )
        for here, each in zip(range(low, high), games, strict=True):
            value[here] = each.value
            share[table.move_first[here] : table.move_first[here + 1]] = each.rows
    return counting.exactly(value), share


def _matrix(table: PairTable, value: Array, reward: Array, here: int) -> Array:
    """Return what each pair of moves at a position brings who looks, exactly."""
    pairs = table.pairs
    begin, end = int(pairs.move_first[here]), int(pairs.move_first[here + 1])
    firsts = pairs.outcome_first[begin : end + 1]
    outcomes = slice(int(firsts[0]), int(firsts[-1]))
    chances = np.array(pairs.chances, object)[pairs.kind[outcomes]]
    worth = np.add.reduceat(chances * value[pairs.target[outcomes]], firsts[:-1] - firsts[0])
    if reward.size:
        worth = worth + reward[begin:end]
    return worth.reshape(int(np.diff(table.move_first)[here]), -1)


def _guess(
    table: PairTable, value: Array, reward: Array, share: Array, low: int, high: int
) -> None:
    """Write the values that play by simple fractions near some mixtures has in a component."""
    pairs, size = table.pairs, high - low
    near = np.array([Fraction(s).limit_denominator(SIMPLE) for s in share.tolist()], object)
    system = np.full((size, size), Fraction(0), object)
    right = np.full(size, Fraction(0), object)
    for here in range(low, high):
        row = here - low
        system[row, row] -= 1
        for pair in range(pairs.move_first[here], pairs.move_first[here + 1]):
            mine = int(table.of_looker[pair])
            weight = near[mine] * near[table.of_other[pair]]
            if not weight:
                continue
            if reward.size:
                right[row] -= weight * reward[pair]
            for o in range(pairs.outcome_first[pair], pairs.outcome_first[pair + 1]):
                part, to = weight * pairs.chances[pairs.kind[o]], int(pairs.target[o])
                if low <= to < high:
                    system[row, to - low] += part
                else:
                    right[row] -= part * value[to]
    for row in range(size):
        if not system[row].any():  # play stays here for ever, which is worth 0
            system[row, row], right[row] = Fraction(-1), Fraction(0)
    if interpreted(eliminate)(system, right, size):
        value[low:high] = right


def _prove(table: PairTable, optimal: Plan, values: Numbers) -> None:
    """Refuse rationals that the best reply to the mixtures does not prove."""
    reply = reply_to(table, optimal, exact=True)
    wrong = np.flatnonzero(np.asarray(reply.values != values, bool))
    if wrong.size:
        raise NotSolved(
            f"{table.game} could not be solved in rationals: at {table.notation(int(wrong[0]))} "
            f"no mixture was found that is sure of the value"
        )


__all__ = ["PairSolution", "reply_simultaneous", "reply_to", "solve_simultaneous"]
