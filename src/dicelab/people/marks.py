"""How good a decision was: one scale of marks, the same everywhere.

A decision is marked by what it cost, as a share of what is at stake in the game.

>>> mark_of(0.02), mark_of(0.0)
('mistake', 'best')

**Accuracy** is the share kept of what hung on the decisions: let c be what a decision cost and w
what the worst legal move there would have cost, then over all unforced decisions

    accuracy = 1 - sum(c) / sum(w).

So best play has 100%, always the worst move 0%, and a decision counts by what hung on it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from dicelab.core.language import mark as text
from dicelab.verbs.explain import stake
from dicelab.verbs.solution import Solution
from dicelab.verbs.solve import on_table

BEST, FINE, INACCURACY, MISTAKE, BLUNDER = "best", "fine", "inaccuracy", "mistake", "blunder"

COSTS = ((BEST, 0.0), (FINE, 0.0), (INACCURACY, 0.001), (MISTAKE, 0.01), (BLUNDER, 0.04))
"""Marks of decisions, and the share of what is at stake from which on each is given.

What is best costs nothing that can be told from nothing; what is fine costs less than anybody
would notice.
"""

ERRORS = (INACCURACY, MISTAKE, BLUNDER)
"""The marks of what counts as a mistake where mistakes are counted."""

WORDS = {
    BEST: text("Best"),
    FINE: text("Fine"),
    INACCURACY: text("Inaccuracy"),
    MISTAKE: text("Mistake"),
    BLUNDER: text("Blunder"),
}


def mark_of(share: float, is_mistake: bool = True) -> str:
    """Return the mark of a decision that cost such a share of what is at stake.

    `is_mistake`: it surely cost something, as far as the bounds of the solution can tell.
    """
    if not is_mistake or share <= 0:
        return BEST
    return next(mark for mark, least in reversed(COSTS) if share >= least)


def at_stake(solution: Solution) -> float:
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


def accuracy(costs: Sequence[float], worst: Sequence[float]) -> float | None:
    """Return the share kept of what hung on some decisions; None where nothing did.

    `worst` is what the worst move would have cost at each of them.
    """
    hung = math.fsum(worst)
    return None if hung <= 0 else min(1.0, max(0.0, 1 - math.fsum(costs) / hung))
