"""Models of a person who rolls until enough is at risk.

- `Threshold`: wants to hold at `holds_at` points, plus `behind` for every point behind the other
  player, and wavers by `noise` around that:  log odds to hold = (at risk - wanted) / noise.
- `Steady`: the same without looking at the other player.

``noisy:20,0.1,3`` names a `Threshold` player wherever a strategy is asked for.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from dicelab.core.arrays import Floats, Ints
from dicelab.errors import RulesError
from dicelab.games.pig.rules import HOLD, Pig
from dicelab.games.pig.study.tracker import is_pig_for_two
from dicelab.people.models import Features, Parameter
from dicelab.table import Table

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True)
class Threshold:
    """Wants to hold at some points, more or fewer by the gap, and wavers."""

    gap: bool = True

    @property
    def name(self) -> str:
        """What people call it."""
        return "threshold" if self.gap else "steady"

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """Where it holds, what a point behind adds to that, and how much it wavers."""
        holds = Parameter("holds_at", 20.0, 0.0, 200.0, scale=10.0, spread=10.0)
        behind = Parameter("behind", 0.0, -5.0, 5.0, scale=0.2, spread=0.3)
        noise = Parameter("noise", 4.0, 0.05, 100.0, positive=True)
        return (holds, behind, noise) if self.gap else (holds, noise)

    def features(self, table: Table, rows: Ints) -> Features:
        """Return whether each move holds, what is at risk, and the gap to the other player."""
        game = table.game
        if not is_pig_for_two(game):
            raise RulesError(f"a threshold is for Pig and its kin between two players: got {game}")
        at = table.positions(table.row_position[rows])
        holds = table.move[rows] == table.moves.index(HOLD)
        return holds, at.at_risk.astype(float), (at.yours - at.mine).astype(float)

    def utilities(self, features: Features, numbers: Sequence[float]) -> Floats:
        """Return what the moves are worth: rolling 0, holding what is at risk beyond the wish."""
        holds, at_risk, gap = features
        wanted = numbers[0] + (numbers[1] * gap if self.gap else 0.0)
        return np.where(holds, (at_risk - wanted) / numbers[-1], 0.0)

    def picture(self, numbers: Sequence[float], game: Pig, command: str) -> Figure:
        """Return where this person holds, drawn."""
        from dicelab.games.pig.study.pictures import holding_picture
        from dicelab.plots.style import signed

        return signed(command, holding_picture, self, numbers, game.target)


def Steady() -> Threshold:  # noqa: N802  reads like the other models
    """Return the model of a person who does not look at the other player."""
    return Threshold(gap=False)
