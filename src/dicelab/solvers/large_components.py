"""Hard components: those with too many cuts, and those where play may go on for ever.

`by_iteration` is value iteration in solving order. Where play leaves the component soon, that
settles in a few dozen passes, however many ways lead back. Where it would take long, the moves are
held fixed and all cuts solved for at once with GMRES, one pass over the component for each product;
then iteration goes on. Where one player alone chooses, iteration cannot tell what he may wait for
from what he can get: end components are valued by their best ways out.

`by_turns` serves two players who may keep a component going for ever. Improving both at once can
then stop too early (leaving at a loss looks as good as staying) or not at all. So every step is
given a small chance to end the game as a draw, which makes the game end; the two players then
improve in turn, each fully against the other, which must terminate; and the moves found are
valued without that chance.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np

from dicelab.core.arrays import Array, Numbers, Real
from dicelab.core.jit import interpreted
from dicelab.errors import NotFinite, NotSolved
from dicelab.solvers import sweep as kernels
from dicelab.solvers.decisions import LEAST, MIX, MOST, PLAY, Play
from dicelab.solvers.end_components import leave_end_components
from dicelab.solvers.ends import DEAD, can_stay
from dicelab.solvers.problem import Problem, roles
from dicelab.solvers.sweep import ENDLESS, SOLVED, Work

MOST_ROUNDS = 200
MOST_PASSES = 2_000
PATIENCE = 8
"""Improvements by value iteration before, if many more were needed, a system is solved instead."""
EVALUATIONS = 4
"""Passes with the moves held fixed after each that improves them."""
FEW = 20
"""Cuts are few where there is one for so many positions, or fewer."""
TIED = 2.0**-40
"""Beside the largest value, how little a move may lose to count as one of the best."""
MOST_BASIS = 30_000_000
"""Numbers that GMRES may keep."""
DRAW_CHANCE = Fraction(1, 2**30)
MOST_SMALLER = 5
MOST_HALVES = 400
"""How often half of the better moves are taken."""


def by_iteration(problem: Problem, low: int, high: int) -> None:
    """Settle a component with many cuts, in place."""
    graph, play = problem.graph, problem.play
    cuts = low + np.flatnonzero(graph.cut[low:high] >= 0)
    component = int(np.searchsorted(problem.arrays.component_first, low))
    alone = problem.is_choosing and play.sign > 0
    if alone and problem.taken.size:
        raise NotSolved(f"{{game}}: {high - low} positions with choices after throws are folded")
    if math.isfinite(problem.never):  # moves that go round for ever keep what they begin with
        play.value[:, low:high] = problem.never
    if problem.is_choosing and play.choice[0, low] >= 0:  # moves to start from: value them first
        fixed = tuple(MIX if role == MIX else PLAY for role in play.role)
        _iterate(problem, play._replace(role=roles(fixed)), low, high, cuts)
    for _ in range(MOST_ROUNDS):
        size = _iterate(problem, play, low, high, cuts)
        if not alone or not leave_end_components(problem, component, TIED * size):
            break
    if problem.is_choosing and play.sign < 0:
        leaves = np.zeros(high - low, np.bool_)
        if can_stay(graph, play, leaves, low, high, True):
            raise NotSolved(
                f"{{game}}: both players may stay among {high - low} positions for "
                f"ever, which is too many to tell leaving from staying"
            )


def _iterate(problem: Problem, play: Play, low: int, high: int, cuts: Array) -> float:
    """Iterate values until they stay; return the largest. Where that would take long, solve."""
    value = play.value[:, low:high]

    def improved() -> float:
        """Pass over the component once; return the most that a value changed."""
        before = value.copy()
        kernels.pass_over(problem.graph, play, low, high, True)
        problem.counts[0] += high - low
        return float(np.abs(value - before).max())

    # With few cuts a product with their system costs a pass, with many the rest of GMRES more.
    patience = 2 if FEW * cuts.size < high - low else PATIENCE
    seen: list[float] = []
    wait = patience
    for _ in range(MOST_PASSES):
        most, size = improved(), float(np.abs(value).max())
        seen.append(most)
        if most <= problem.accuracy * size or not np.isfinite(most):
            return size
        if most <= TIED * size and min(seen[-PATIENCE:]) > min(seen[:-PATIENCE], default=most):
            return size  # rounding keeps it from settling
        wait -= 1
        if wait > 0 or _left(seen, problem.accuracy * size) <= patience:
            for _ in range(EVALUATIONS):
                kernels.pass_over(problem.graph, play, low, high, False)
            problem.counts[0] += EVALUATIONS * (high - low)
            continue
        before = value.copy()
        _solve_cuts(problem, play, low, high, cuts, max(1e-3 * most, 1e-15))
        seen.append(improved())
        wait = 2
        if not seen[-1] < most:  # the moves held fixed were not yet the right ones
            value[:] = before
            wait = 2 * PATIENCE
    raise NotSolved(
        f"{{game}}: the values of a component of {high - low} positions "
        f"still changed after {MOST_PASSES} improvements"
    )


def _left(seen: list[float], goal: float) -> float:
    """Return how many improvements more it would take at the present rate."""
    span = min(len(seen) - 1, PATIENCE)
    if span < 1:
        return math.inf
    rate = (seen[-1] / seen[-1 - span]) ** (1 / span)
    return math.log(goal / seen[-1]) / math.log(rate) if rate < 1 else math.inf


def _solve_cuts(
    problem: Problem, play: Play, low: int, high: int, cuts: Array, accuracy: float
) -> None:
    """Set the values of a component under its present moves."""

    def after_a_pass(unknown: Numbers) -> Numbers:
        play.value[:, cuts] = unknown.reshape(problem.seats, cuts.size)
        kernels.pass_over(problem.graph, play, low, high, False)
        problem.counts[0] += high - low
        return play.value[:, cuts].ravel().copy()

    after_a_pass(solve_affine(after_a_pass, play.value[:, cuts].ravel().copy(), accuracy))


def solve_affine(
    after_a_pass: Callable[[Numbers], Numbers], guess: Array, accuracy: float = 1e-15
) -> Numbers:
    """Return the x that an affine map leaves where it is, by GMRES on that map."""
    from scipy.sparse.linalg import LinearOperator, gmres  # slow to import, seldom needed

    size = guess.size
    constant = after_a_pass(np.zeros(size))
    product = LinearOperator(
        (size, size), matvec=lambda x: x - (after_a_pass(x.ravel()) - constant), dtype=float
    )
    restart = min(100, max(10, MOST_BASIS // size))
    for _ in range(6):  # restarted from its own answer, GMRES polishes off its rounding
        wanted = constant - product.matvec(guess)
        if np.abs(wanted).max() <= accuracy:
            break
        goal = max(accuracy / np.abs(wanted).max(), 1e-10)
        step, _ = gmres(product, wanted, rtol=goal, atol=0.0, restart=restart, maxiter=4)
        guess = guess + step
    return guess


def by_turns(problem: Problem, low: int, high: int) -> None:
    """Settle a component that two players may never leave, in place."""
    if problem.seats != 1 or problem.sign != -1 or problem.taken.size:
        raise NotSolved(f"{{game}}: a component of {high - low} positions did not settle")
    both = _both_seats(problem, low)
    component = int(np.searchsorted(problem.arrays.component_first, low))
    work = _room(problem, low, high)
    settle = interpreted(kernels.settle) if problem.exact else kernels.settle
    improve = interpreted(kernels.improve) if problem.exact else kernels.improve

    def respond(play: Any, roles: tuple[int, int]) -> bool:
        """Settle the play of two, one of whom may choose; return whether gains have no end."""
        play = play._replace(role=roles)
        work.counts[2] = 0
        ended = settle(both.graph, play, work, component, component + 1, 2**31 - 1, MOST_ROUNDS)[1]
        if ended not in (SOLVED, ENDLESS):
            raise NotSolved(f"{{game}}: no reply settled in {high - low} positions")
        return bool(ended == ENDLESS)

    def with_draws(chance: Fraction) -> Any:
        """Return the values of the moves found with a small chance of a draw at each step.

        There are none where play by these moves goes round for ever and gains on the way.
        """
        shaved = both.play._replace(
            parts=both.play.parts * _number(problem, 1 - chance), ending=problem.gaining
        )
        for _ in range(MOST_ROUNDS):
            respond(shaved, (MOST, PLAY))
            if not improve(both.graph, shaved._replace(role=(PLAY, LEAST)), low, high):
                break
        else:
            raise NotSolved(f"{{game}}: two players kept changing {high - low} positions")
        if respond(both.play, (PLAY, PLAY)):
            return None
        return both.value[0, low:high].copy()

    both.choice[:, low:high] = problem.arrays.move_first[low:high]
    chance = DRAW_CHANCE
    values = with_draws(chance)
    # The chance must be small beside those of the game. Exact values are taken once a far smaller
    # chance leaves them as they are; floats have their certificate to tell.
    for _ in range(MOST_SMALLER if problem.exact else 0):
        chance = chance**2 * min(problem.arrays.chances)
        before, values = values, with_draws(chance)
        if before is not None and values is not None and (before == values).all():
            break
    if values is None:
        raise (NotFinite if problem.exact else NotSolved)(
            "{game} has no definite value: going round at {at}, points are won and lost without "
            "end; limit how often that may be done",
            low + int((work.alive[: 2 * (high - low)] == DEAD).argmax()) // 2,
        )
    problem.value[0, low:high] = values
    problem.choice[0, low:high] = both.choice[0, low:high]
    problem.counts += both.counts


def by_halves(problem: Problem, low: int, high: int) -> bool:
    """Settle a component of three seats and more whose players kept changing their moves, in place.

    Return whether they are content.

    Each then answered the last answer of the others. So of the positions where a better move is
    known only half take it, by chance (always the same), which breaks most circles. If it does not
    settle, the moves are taken at which least could be gained; the certificate says how much.
    """
    seats, graph, arrays = problem.seats, problem.graph, problem.arrays
    component = int(np.searchsorted(arrays.component_first, low))
    kept = problem.play._replace(role=roles((PLAY,) * seats))
    work = _room(problem, low, high)
    settle = interpreted(kernels.settle) if problem.exact else kernels.settle
    begins, ends = arrays.move_first[low:high], arrays.move_first[low + 1 : high + 1]
    first = arrays.outcome_first[begins[0] : ends[-1] + 1]
    kind = arrays.kind[first[0] : first[-1]]
    target, turns = arrays.target[first[0] : first[-1]], arrays.turns[kind]
    chances, chooses = graph.chances[kind], np.random.default_rng(low)
    present = problem.choice[0, low:high]
    missing = present < 0
    present[missing] = begins[missing]
    best, least = present.copy(), None
    for tries in range(MOST_HALVES):
        problem.choice[:, low:high] = present if tries < MOST_HALVES - 1 else best
        settle(graph, kept, work, component, component + 1, 2**31 - 1, MOST_ROUNDS)
        if tries == MOST_HALVES - 1:
            break
        terms = chances * problem.value[turns, target]
        worth = np.add.reduceat(terms, first[:-1] - first[0])
        gain = np.maximum.reduceat(worth, begins - begins[0]) - worth[present - begins[0]]
        most = gain.max()
        if least is None or most < least:
            best, least = present.copy(), most
        better = np.flatnonzero(gain > problem.play.tolerance)
        if not better.size:
            return True
        taken = better[chooses.random(better.size) < 0.5]
        for here in taken if taken.size else better[:1]:
            rows = slice(begins[here] - begins[0], ends[here] - begins[0])
            present[here] = begins[here] + int(np.argmax(worth[rows]))
    return False


def _both_seats(problem: Problem, low: int) -> Problem:
    """Return the same problem with a seat for each player, known outside the component."""
    reward = np.concatenate([problem.reward, -problem.reward])
    both = type(problem)(
        problem.arrays,
        2,
        1,
        (MOST, PLAY),
        {},
        exact=problem.exact,
        never=problem.never,
        reward=reward,
        gaining=problem.gaining,
    )
    both.value[0, :low] = problem.value[0, :low]
    both.value[1, :low] = -problem.value[0, :low]
    return both


def _number(problem: Problem, number: Fraction) -> Real:
    return number if problem.exact else float(number)


def _room(problem: Problem, low: int, high: int) -> Work:
    kind = object if problem.exact else np.float64
    seats = max(2, problem.seats)
    size = seats * (high - low)
    unknowns = seats * int((problem.arrays.cut[low:high] >= 0).sum())
    return Work(
        np.zeros(size, kind),
        np.zeros(size * unknowns, kind),
        np.zeros(size, np.int8),
        np.zeros((unknowns, unknowns), kind),
        np.zeros(unknowns, kind),
        np.zeros(3, np.int64),
    )
