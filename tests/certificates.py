"""Is the certificate one? Values are made wrong on purpose, and it must not be taken in.

Whatever values and moves a problem comes with, `certify` either refuses them or returns errors with
which the bounds hold the truth; and errors once found do not pass with values that are further off.
The truth is exact mode's, which is checked against brute force elsewhere.
"""

import sys
from fractions import Fraction
from typing import Any

import numpy as np

from agreement import agree
from brute import CostSketch, Sketch, SoloSketch
from dicelab import compile
from dicelab.errors import NotSolved
from dicelab.rules import SAME
from dicelab.solve import solve_graph
from dicelab.solvers.certificate import _refuse_rings, certify, shortfalls

KINDS: list[tuple[Any, dict[str, Any]]] = [
    (Sketch, {}),
    (SoloSketch, {"movers": (SAME,)}),
    (CostSketch, {"movers": (SAME,), "gains": (0, 1, 3)}),
]
SIZES = (1e-15, 1e-12, 1e-9, 1e-3, 0.4)
TRIES = 6


def settled(table: Any) -> tuple[Any, Any]:
    """Return the problem that solving a table settles, with its certified errors."""
    module, kept = sys.modules["dicelab.solve"], []

    def keep(problem: Any) -> Any:
        error = certify(problem)
        kept.append((problem, error))
        return error

    before, module.certify = module.certify, keep  # type: ignore[attr-defined]
    try:
        solve_graph(table)
    finally:
        module.certify = before  # type: ignore[attr-defined]
    return kept[0] if kept else (None, None)


def truth_of(table: Any) -> Any:
    """Return the exact values as a problem has them: centred, and as something to have most of."""
    values = solve_graph(table, exact=True).values
    shift = table.game.total / 2 if table.game.players == 2 else Fraction(0)
    return (-1 if table.game.fewest else 1) * (values - shift)


def passes(problem: Any, error: Any) -> bool:
    """Return whether the check lets values with these errors through."""
    if shortfalls(problem.graph, problem.play, error, np.zeros_like(error)):
        return False
    try:
        _refuse_rings(problem, error)
    except NotSolved:
        return False
    return True


def outside(problem: Any, error: Any, truth: Any) -> Any:
    """Return the positions whose true value is further off than the error says."""
    return [
        at
        for at, (value, e, true) in enumerate(zip(problem.value[0], error[0], truth, strict=True))
        if abs(Fraction(float(value)) - true) > Fraction(float(e))
    ]


def perturbed(game: Any, pick: Any) -> int:
    """Make values wrong in several ways and check what the certificate says of each.

    Returns how many were refused outright.
    """
    table = compile(game)
    try:
        problem, error = settled(table)
        truth = truth_of(table)
    except NotSolved:
        return 0
    if problem is None:  # floats could not be certified at all
        return 0
    agree(passes(problem, error), game, "the certificate does not pass its own check")
    agree(not outside(problem, error, truth), game, "the truth is not within the certificate")
    value, choice, refused = problem.value.copy(), problem.choice.copy(), 0
    playing = np.flatnonzero(table.is_ongoing).tolist()
    for _ in range(TRIES if playing else 0):
        size = pick(SIZES) * pick((1, -1))
        wrong = playing if pick((True, False)) else [at for at in playing if pick((True, False))]
        problem.value[0, wrong] += size
        if pick((True, False, False)):  # other moves as well
            at = pick(playing)
            problem.choice[0, at] = pick(range(table.move_first[at], table.move_first[at + 1]))
        told = f"{size} at {wrong} with moves {problem.choice[0].tolist()}"
        if outside(problem, error, truth):
            agree(not passes(problem, error), game, f"values off by {told} pass with old errors")
        try:
            fresh = certify(problem)
        except NotSolved:
            refused += 1
        else:
            off = outside(problem, fresh, truth)
            agree(not off, game, f"values off by {told} are certified within {fresh[0].tolist()}")
        problem.value[:], problem.choice[:] = value, choice
    return 0
