"""Holding points: a roll-or-hold strategy as people remember it.

A strategy for Pig and its kin says roll or hold at every position. At the table one remembers it
as one number for each pair of banks: how much must be at risk before I hold?
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dicelab.core.arrays import Floats
from dicelab.rules import HouseRules
from dicelab.strategies.plan import Plan
from dicelab.table import Table


@dataclass(frozen=True, eq=False)
class HoldingPoints:
    """The least amount at risk at which a strategy holds, by the other fields of a position."""

    fields: tuple[str, str]  # what the two axes of `points` count
    points: Floats  # [first field, second field] inf: never holds; nan: no turn begins there

    def at(self, first: int, second: int) -> float:
        """Return the holding point of the turn that begins there."""
        if first >= self.points.shape[0] or second >= self.points.shape[1]:
            return float("nan")
        return float(self.points[first, second])


def has_holding_points(table: Table) -> bool:
    """Return whether a game's positions are what is at risk and one or two other things."""
    if isinstance(table.game, HouseRules) or "hold" not in table.moves:
        return False
    names = type(table.game.start())._fields
    return "at_risk" in names and len(names) == 3


def holding_points(plan: Plan) -> HoldingPoints:
    """Return the holding points of a strategy that does not mix."""
    table = plan.table
    here = np.flatnonzero(table.is_ongoing)
    at = table.positions(here)
    first, second = (name for name in at._fields if name != "at_risk")
    one, two = getattr(at, first), getattr(at, second)
    points = np.full((int(one.max()) + 1, int(two.max()) + 1), np.nan)
    begins = at.at_risk == 0
    points[one[begins], two[begins]] = np.inf
    holds = table.move[plan.choice[here]] == table.moves.index("hold")
    np.minimum.at(points, (one[holds], two[holds]), at.at_risk[holds].astype(float))
    return HoldingPoints((first, second), points)
