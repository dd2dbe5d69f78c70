"""settle: the run over all components of a problem, last ones first.

Small systems of cuts are solved by elimination inside the sweep. A component with too many cuts
for that (in Two-dice Pig nearly the whole game is one component) is solved by policy iteration:
with the moves held fixed the cuts obey x = C x + a, where one pass over the component applies C,
so GMRES finds x from a few dozen passes without ever writing C down.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from dicelab.core.jit import interpreted
from dicelab.errors import NotFinite, NotSolved
from dicelab.solvers import large_components, mixed_components
from dicelab.solvers import sweep as kernels
from dicelab.solvers.ends import DEAD
from dicelab.solvers.problem import Problem
from dicelab.solvers.sweep import ENDLESS, LARGE, SOLVED, Work

Progress = Callable[[float], None]

MOST_UNKNOWNS = 512
MOST_COEFFICIENTS = 20_000_000
MOST_SWEEPS = 60
CHUNK = 2_000_000  # positions between two reports of progress


def settle(problem: Problem, progress: Progress | None = None) -> None:
    """Settle every component, last ones first."""
    first = problem.arrays.component_first
    last, component = len(first) - 1, 0
    work = _work(problem)
    most = 2**31 - 1 if problem.exact else MOST_UNKNOWNS
    run = interpreted(kernels.settle) if problem.exact else kernels.settle
    while component < last:
        goal = min(last, int(np.searchsorted(first, first[component] + CHUNK)) + 1)
        component, ended = run(
            problem.graph, problem.play, work, component, goal, most, MOST_SWEEPS
        )
        if ended == ENDLESS:
            low, high = int(first[component]), int(first[component + 1])
            dead = work.alive[: (high - low) * problem.seats] == DEAD
            _refuse_endless(problem, low + int(dead.argmax()) // problem.seats)
        if ended != SOLVED:
            low, high = int(first[component]), int(first[component + 1])
            _settle_hard(problem, low, high, large=ended == LARGE)
            component += 1
        if progress and component < last:
            progress(first[component] / len(problem.arrays))
    if progress:
        progress(1.0)


def _work(problem: Problem) -> Work:
    """Return room for the largest component that elimination will meet."""
    arrays, kind = problem.arrays, object if problem.exact else np.float64
    sizes = np.diff(arrays.component_first).astype(np.int64) * problem.seats
    unknowns = arrays.cuts.astype(np.int64) * problem.seats
    if not problem.exact:
        unknowns[(unknowns > MOST_UNKNOWNS) | (sizes * unknowns > MOST_COEFFICIENTS)] = 0
    sizes[unknowns == 0] = 0
    most = int(unknowns.max(initial=0))
    return Work(
        np.zeros(int(sizes.max(initial=0)), kind),
        np.zeros(int((sizes * unknowns).max(initial=0)), kind),
        np.zeros(int(sizes.max(initial=0)), np.int8),
        np.zeros((most, most), kind),
        np.zeros(most, kind),
        problem.counts,
    )


def _refuse_endless(problem: Problem, here: int) -> None:
    """Refuse a game in which play that goes round, at some position, gains without end."""
    if problem.exact or problem.reward.min() >= 0:
        gains = "gains more and more" if math.isfinite(problem.never) else "costs less and less"
        raise NotFinite(
            f"{{game}} has no finite value: going round at {{at}} {gains}, without end; limit "
            f"how often that may be done",
            here,
        )
    raise NotSolved(
        "{game} could not be solved in floats: going round at {at} seems to gain without end", here
    )


def _settle_hard(problem: Problem, low: int, high: int, large: bool) -> None:
    """Settle a component that is too large for elimination, or whose moves kept changing."""
    problem.hard += 1
    if problem.shared and not large:
        settled = large_components.by_halves(problem, low, high)
        if not settled:
            mixed_components.mix(problem, low, high)
    elif large and not problem.exact:
        large_components.by_iteration(problem, low, high)
    else:
        large_components.by_turns(problem, low, high)
    if (
        not problem.exact
        and not np.isfinite(problem.value[:, low:high]).all()
        and problem.never == 0
    ):
        raise NotSolved(f"{{game}} has a component of {high - low} positions that did not settle")
