"""Marks: one word for what a decision cost, and the accuracy of many.

A cost is told as a share of all that can be won or lost, so that the same mark means the same in
every game. A decision that cannot be told from the best one is best. Any other is

- fine below 0.2%,
- an inaccuracy below 1%,
- a mistake below 3%,
- a blunder from there on.

The accuracy of a decision that cost the share s is 100 exp(-20 s) per cent: 100 for a best one, 98
where 0.1% was given away, 82 for 1%, 37 for 5%. That of a game is the average over the decisions
where there was a choice.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np

from dicelab.core.arrays import Real
from dicelab.core.language import mark as marked_text
from dicelab.verbs.explain import stake
from dicelab.verbs.solution import WORSE, MoveValue, Solution
from dicelab.verbs.solve import on_table

BEST, FINE, INACCURACY, MISTAKE, BLUNDER = MARKS = (
    marked_text("best"),
    marked_text("fine"),
    marked_text("inaccuracy"),
    marked_text("mistake"),
    marked_text("blunder"),
)
BELOW = {FINE: 0.002, INACCURACY: 0.01, MISTAKE: 0.03, BLUNDER: math.inf}
"""The cost, as a share of what is at stake, below which a decision has a mark."""

GOOD = (BEST, FINE)
"""Marks of decisions that give nothing away worth speaking of."""

STEEPNESS = 20.0
"""How fast accuracy falls with the share that a decision gave away."""


def stakes_of(solution: Solution) -> float:
    """Return how much can be won or lost; in turns, one; in points, how far values reach."""
    bounds = stake(solution.game)
    if bounds is not None:
        return bounds[1] - bounds[0]
    if solution.game.fewest:
        return 1.0
    spread = solution.spread()
    if spread is None:
        spread = float(np.ptp(on_table(solution).values.astype(float)))
    return spread or 1.0


def mark(cost: Real, is_best: bool, stakes: float) -> str:
    """Return the mark of a decision, by what it cost of what is at stake."""
    if is_best:
        return BEST
    share = float(cost) / stakes
    return next(name for name, below in BELOW.items() if share < below)


def mark_of(move: MoveValue, stakes: float) -> str:
    """Return the mark of a move, as the solution values it."""
    return mark(move.cost, move.status != WORSE, stakes)


def accuracy(costs: Iterable[Real], stakes: float) -> float | None:
    """Return the accuracy of decisions with these costs, from 0 to 1; None where there was none."""
    each = [math.exp(-STEEPNESS * float(cost) / stakes) for cost in costs]
    return sum(each) / len(each) if each else None
