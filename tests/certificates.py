"""Is the certificate one? Values are made wrong on purpose, and it must not be taken in.

Whatever values and moves a problem comes with, `certify` either refuses them or returns errors with
which the bounds hold the truth; and errors once found do not pass with values that are further off.
The truth is exact mode's, which is checked against brute force elsewhere.
"""

import contextlib
import sys
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np

from agreement import agree, asked
from brute import CostSketch, PayingSketch, Sketch, SoloSketch
from dicelab import compile
from dicelab.errors import NotFinite, NotSolved
from dicelab.rules import SAME
from dicelab.solvers.certificate import certify, shortfalls
from dicelab.solvers.equalities import refuse_endless
from dicelab.solvers.problem import MIX, MOST
from dicelab.table.worths import counted, counted_for_reply
from dicelab.verbs.best_response import best_response
from dicelab.verbs.solve import solve_graph
from random_games import any_worths, one_pot

KINDS: list[tuple[Any, dict[str, Any]]] = [
    (Sketch, {}),
    (SoloSketch, {"movers": (SAME,)}),
    (CostSketch, {"movers": (SAME,), "gains": (0, 1, 3)}),
    (Sketch, {"worths": one_pot}),
    (SoloSketch, {"movers": (SAME,), "worths": any_worths}),
    (SoloSketch, {"movers": (SAME,), "worths": any_worths, "gains": (0, -1, -3)}),
    (CostSketch, {"movers": (SAME,), "worths": any_worths, "gains": (0, 1, 3)}),
    (SoloSketch, {"movers": (SAME,), "worths": any_worths, "never": Fraction(-2, 3)}),
    (Sketch, {"gains": (0, 0, 1)}),
    (Sketch, {"gains": (0, 1, -2, Fraction(1, 3)), "worths": one_pot}),
    (PayingSketch, {}),
    (PayingSketch, {"gains": (0, 0, 0, 1, -1)}),
]
SIZES = (1e-15, 1e-12, 1e-9, 1e-3, 0.4)
TRIES = 6


class Settled(Exception):
    """Enough is known."""


def settled(work: Callable[[], Any]) -> tuple[Any, Any]:
    """Return the problem that some work settles, with its certified errors; None if refused.

    The work is stopped there: what follows uses the arrays up.
    """
    modules = [sys.modules[f"dicelab.verbs.{name}"] for name in ("solve", "best_response")]
    kept = []

    def keep(problem: Any) -> Any:
        kept.append((problem, certify(problem)))
        raise Settled

    for module in modules:
        module.certify = keep  # type: ignore[attr-defined]
    try:
        with contextlib.suppress(Settled):
            work()
    finally:
        for module in modules:
            module.certify = certify  # type: ignore[attr-defined]
    return kept[0] if kept else (None, None)


def of_best_play(game: Any) -> tuple[Any, Any, Any, Any]:
    """Return table, problem, errors and the truth `[seats, positions]` of a game solved."""
    table = compile(game)
    values = solve_graph(table, exact=True).values
    truth = np.array([counted(table).inside(value) for value in values], object)
    return table, *settled(lambda: solve_graph(table)), truth.reshape(1, -1)


def of_reply(game: Any, opponent: Any) -> tuple[Any, Any, Any, Any]:
    """Return table, problem, errors and the truth `[seats, positions]` of a best reply."""
    table = compile(game)
    exact = best_response(table, asked(opponent), exact=True).solution
    assert exact.replies is not None
    found = settled(lambda: best_response(table, asked(opponent)))
    assert table.never is not None
    inside = counted_for_reply(table, table.never).inside
    truth = [[inside(value) for value in values] for values in (exact.values, exact.replies[0])]
    return table, *found, np.array(truth, object)


def passes(problem: Any, error: Any) -> bool:
    """Return whether the check lets values with these errors through."""
    if shortfalls(problem.graph, problem.play, error, np.zeros_like(error)):
        return False
    try:
        refuse_endless(problem, error)
    except NotSolved:
        return False
    return True


def outside(problem: Any, error: Any, truth: Any) -> list[tuple[int, ...]]:
    """Return where the true value is further off than the error says."""
    return [
        at
        for at in np.ndindex(truth.shape)
        if abs(Fraction(float(problem.value[at])) - truth[at]) > Fraction(float(error[at]))
    ]


def iterate_values(table: Any, problem: Any, steps: int = 400) -> None:
    """Improve values and moves from where they are by plain value iteration, in place.

    It stops where nothing changes by more than rounding. Where play may stay for ever that need not
    be the truth: from a wrong start it settles on a wrong fixed point, moves and all.
    """
    seats, chance = problem.seats, table.chance_floats[table.kind]
    for _ in range(steps):
        change = 0.0
        for at in np.flatnonzero(table.is_ongoing):
            rows = range(table.move_first[at], table.move_first[at + 1])
            for seat in range(seats):
                worth = []
                for row in rows:
                    outcomes = slice(table.outcome_first[row], table.outcome_first[row + 1])
                    target, over = table.target[outcomes], table.passes(outcomes)
                    then = np.where(
                        over,
                        problem.sign * problem.value[seats - 1 - seat, target],
                        problem.value[seat, target],
                    )
                    reward = problem.reward[seat, row] if problem.reward.size else 0.0
                    worth.append(reward + chance[outcomes] @ then)
                if problem.role[seat] == MIX:
                    new = worth @ problem.weight[seat, rows]
                elif problem.role[seat] == MOST:
                    best = int(np.argmax(worth))
                    new, problem.choice[seat, at] = worth[best], rows[best]
                else:
                    new = worth[problem.choice[seat, at] - rows[0]]
                change = max(change, abs(new - problem.value[seat, at]))
                problem.value[seat, at] = new
        if change <= 1e-15:
            return


def perturbed(game: Any, pick: Any, opponent: Any = None) -> bool:
    """Make values wrong in several ways, and check that the certificate is not taken in.

    Returns whether floats could not be certified in the first place.
    """
    try:
        table, problem, error, truth = (
            of_best_play(game) if opponent is None else of_reply(game, opponent)
        )
    except NotFinite:  # there are no values to make wrong
        return False
    if problem is None:
        return True
    agree(passes(problem, error), game, "the certificate does not pass its own check")
    agree(not outside(problem, error, truth), game, "the truth is not within the certificate")
    value, choice = problem.value.copy(), problem.choice.copy()
    playing = np.flatnonzero(table.is_ongoing).tolist()
    for _ in range(TRIES if playing else 0):
        wrong = playing if pick((True, False)) else [at for at in playing if pick((True, False))]
        problem.value[pick(range(problem.seats)), wrong] += pick(SIZES) * pick((1, -1))
        if pick((True, False, False)):  # other moves as well
            at = pick(playing)
            problem.choice[0, at] = pick(range(table.move_first[at], table.move_first[at + 1]))
        if pick((True, False)):
            iterate_values(table, problem)
        told = f"{problem.value.tolist()} with moves {problem.choice.tolist()}"
        if outside(problem, error, truth):
            agree(not passes(problem, error), game, f"{told} pass with old errors")
        try:
            fresh = certify(problem)
        except NotSolved:
            pass
        else:
            off = outside(problem, fresh, truth)
            agree(not off, game, f"{told} are certified within {fresh.tolist()}")
        problem.value[:], problem.choice[:] = value, choice
    return False
