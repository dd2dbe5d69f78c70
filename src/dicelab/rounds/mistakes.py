"""Mistakes: the decisions of a strategy that are not best, and what each of them costs.

The cost of a decision is what it is worth less than the best one there, if all that follows is
played well. Weighed by how often the strategy makes them, the costs add up to exactly what it
earns less than the best strategy, so the list explains the whole difference.

>>> from dicelab.rounds import Round, mistakes, policy
>>> found = mistakes(policy("h1s1", Round(), "sum"), "sum")
>>> print(found[0])
after cast 1 at 654: keeps 654, best 65 (costs 1/4, chance 1/36)
"""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from dicelab.rounds.evaluation import presence
from dicelab.rounds.induction import best_of_tables, solve
from dicelab.rounds.rules import Round
from dicelab.rounds.strategies import RoundStrategy
from dicelab.rounds.utilities import AnyUtility


@dataclass(frozen=True)
class Mistake:
    """A decision that is not the best."""

    game: Round
    cast: int
    table: int
    kept: int
    best: tuple[int, ...]
    cost: Fraction
    """What it is worth less than the best decision there."""
    chance: Fraction
    """How likely the strategy is to come there and decide so."""

    @property
    def loss(self) -> Fraction:
        """Its part in what the strategy earns less than the best."""
        return self.cost * self.chance

    def __str__(self) -> str:
        write = self.game.numbers.write
        better = " or ".join(write(number) for number in self.best)
        return (
            f"after cast {self.cast} at {self.game.write_table(self.table)}: "
            f"keeps {write(self.kept)}, best {better} (costs {self.cost}, chance {self.chance})"
        )


def mistakes(strategy: RoundStrategy, worth: AnyUtility, *, every: bool = False) -> list[Mistake]:
    """Return the wrong decisions a strategy may come to, the most expensive on the whole first.

    With ``every``, also those at tables it never meets.
    """
    game = strategy.game
    solution = solve(game, worth, strategy.player)
    where = presence(strategy)
    matrices, found = game.matrices, []
    for cast in range(1, game.casts):
        row, scale = solution.numerators[cast], solution.scales[cast]
        best_worth = best_of_tables(game, strategy.player, cast, row)
        best = solution.best(cast)
        made = strategy.chances[cast - 1]
        wrong = (made != 0) & ~best
        if not every:
            wrong &= (where.tables[cast - 1] != 0)[matrices.of]
        for option in np.flatnonzero(wrong):
            table, kept = int(matrices.of[option]), int(matrices.option[option])
            part = slice(int(matrices.start[table]), int(matrices.start[table + 1]))
            found.append(
                Mistake(
                    game,
                    cast,
                    table,
                    kept,
                    tuple(matrices.option[part][best[part]].tolist()),
                    Fraction(int(best_worth[table] - row[kept]), scale),
                    Fraction(where.tables[cast - 1][table] * made[option]),
                )
            )
    return sorted(found, key=lambda mistake: (-mistake.loss, mistake.cast, mistake.table))
