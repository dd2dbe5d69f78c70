"""What a way to play costs: exactly, against the best player there is.

Any strategy has such a price; a risk preference is one.
"""

from __future__ import annotations

from dataclasses import dataclass

from dicelab.strategies.named import AnyStrategy, plan
from dicelab.verbs.evaluate import evaluate
from dicelab.verbs.evaluation import Evaluation
from dicelab.verbs.solution import Solution


@dataclass(frozen=True)
class Price:
    """What playing by a strategy costs against the best player there is."""

    strategy: str
    evaluation: Evaluation

    @property
    def overall(self) -> float:
        """The chance to win against the optimum when they take turns in going first."""
        return float(self.evaluation.overall)

    @property
    def cost(self) -> float:
        """How much less the strategy gets than an even share, in the game's unit."""
        found = self.evaluation
        return float(found.game.total / 2 - found.value)


def price(solution: Solution, played: AnyStrategy) -> Price:
    """Return what a strategy costs against the optimum, exactly."""
    table = solution.table
    mine = plan(table, played)
    found = evaluate(table, mine, solution.plan)
    assert isinstance(found, Evaluation)
    return Price(mine.name, found)
