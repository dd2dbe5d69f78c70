"""Models of a person: the chance of each move at every position, from a few numbers.

A model gives every legal move a utility; the person plays a move with a chance in proportion to
exp(utility). A forced move is then played for certain.

- `Threshold`: wants to hold at `holds_at` points, plus `behind` for every point behind the other
  player, and wavers by `noise` around that:  log odds to hold = (at risk - wanted) / noise.
- `Steady`: the same without looking at the other player.
- `Quantal`: feels what the moves are truly worth and errs the more, the less it matters:
  log odds = `precision` x difference in value. (McKelvey & Palfrey, "Quantal response equilibria
  for normal form games", Games and Economic Behavior 10, 1995.) It works for every solved game.
- `Coin`: every legal move with the same chance. It has no numbers; a model should beat it.

For Pig, ``noisy:20,0.1,3`` names a `Threshold` player wherever a strategy is asked for.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Protocol

import numpy as np

from dicelab.errors import RulesError
from dicelab.games.pig.people import PARTS
from dicelab.games.pig.rules import HOLD
from dicelab.people.tracker import is_pig_for_two
from dicelab.rules import Position
from dicelab.strategies.plan import Plan
from dicelab.table import Table
from dicelab.verbs.solution import Solution, TableSolution


@dataclass(frozen=True)
class Parameter:
    """A number that describes a person: where a fit begins, and how far it may go."""

    name: str
    start: float
    low: float
    high: float
    positive: bool = False  # searched for, and given its interval, by its logarithm
    scale: float = 1.0  # how far a small step goes
    spread: float = 1.0  # how much people differ in it, for a prior


class Model(Protocol):
    """What a model of a person must offer."""

    @property
    def name(self) -> str:
        """What people call it."""

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """What describes a person."""

    def features(self, table: Table, rows: Any) -> Any:
        """Return what the model has to know about some moves."""

    def utilities(self, features: Any, numbers: Sequence[float]) -> Any:
        """Return what the moves are worth to a person with these numbers."""


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

    def features(self, table: Table, rows: Any) -> Any:
        """Return whether each move holds, what is at risk, and the gap to the other player."""
        game = table.game
        if not is_pig_for_two(game):
            raise RulesError(f"a threshold is for Pig and its kin between two players: got {game}")
        at = table.positions(table.row_position[rows])
        holds = table.move[rows] == table.moves.index(HOLD)
        return holds, at.at_risk.astype(float), (at.yours - at.mine).astype(float)

    def utilities(self, features: Any, numbers: Sequence[float]) -> Any:
        """Return what the moves are worth: rolling 0, holding what is at risk beyond the wish."""
        holds, at_risk, gap = features
        wanted = numbers[0] + (numbers[1] * gap if self.gap else 0.0)
        return np.where(holds, (at_risk - wanted) / numbers[-1], 0.0)


def Steady() -> Threshold:  # noqa: N802  reads like the other models
    """Return the model of a person who does not look at the other player."""
    return Threshold(gap=False)


@dataclass(frozen=True)
class Quantal:
    """Feels the true value of every move, with some precision."""

    solution: TableSolution

    @property
    def name(self) -> str:
        """What people call it."""
        return "quantal"

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """How precisely it feels what moves are worth."""
        return (Parameter("precision", 50.0, 1e-3, 1e5, positive=True, spread=1.5),)

    def features(self, table: Table, rows: Any) -> Any:
        """Return what each move is worth beyond the best at its position."""
        solution = self.solution
        if solution.table is not table and solution.table.game != table.game:
            raise RulesError(f"the values of {solution.game} do not tell about {table.game}")
        values = np.asarray(solution.row_values[rows], float)
        best = np.asarray(solution.values[table.row_position[rows]], float)
        return (best - values) if solution.game.fewest else (values - best)

    def utilities(self, features: Any, numbers: Sequence[float]) -> Any:
        """Return what the moves are worth to someone of this precision."""
        return numbers[0] * features


def quantal_at(solution: Solution, at: Position, precision: float) -> dict[str, Fraction]:
    """Return the chance of each move that a `Quantal` person gives it at one position.

    It asks the solution there and nowhere else, so that it serves games without a table too.
    """
    moves = solution.moves_at(at)
    weights = np.exp(-precision * np.array([float(move.cost) for move in moves]))
    parts = np.rint(PARTS * weights / weights.sum()).astype(int)
    parts[0] += PARTS - parts.sum()  # the best move takes what rounding left
    return {
        move.move: Fraction(int(part), PARTS)
        for move, part in zip(moves, parts, strict=True)
        if part
    }


@dataclass(frozen=True)
class Coin:
    """Plays every legal move with the same chance."""

    @property
    def name(self) -> str:
        """What people call it."""
        return "coin"

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """Nothing describes it."""
        return ()

    def features(self, table: Table, rows: Any) -> Any:
        """Return nothing in particular."""
        return np.zeros(len(rows))

    def utilities(self, features: Any, numbers: Sequence[float]) -> Any:
        """Return that all moves are worth the same."""
        return features


def log_chances(utilities: Any, first: Any) -> Any:
    """Return the logarithm of each move's chance; `first` begins each position's moves."""
    counts = np.diff(np.append(first, len(utilities)))
    top = np.repeat(np.maximum.reduceat(utilities, first), counts)
    total = np.add.reduceat(np.exp(utilities - top), first)
    return utilities - top - np.repeat(np.log(total), counts)


def plan_of(model: Model, numbers: Sequence[float], table: Table, name: str = "") -> Plan:
    """Return a person as a strategy, for any verb that takes one."""
    features = model.features(table, np.arange(table.rows))
    here = np.flatnonzero(np.diff(table.move_first) > 0)
    first = table.move_first[here]
    chance = np.exp(log_chances(model.utilities(features, numbers), first))
    parts = np.rint(PARTS * chance).astype(np.int64)
    # rounding may leave a part too many or too few: the likeliest move takes it
    counts = np.diff(np.append(first, table.rows))
    excess = PARTS - np.add.reduceat(parts, first)
    top = np.flatnonzero(chance == np.repeat(np.maximum.reduceat(chance, first), counts))
    place = np.searchsorted(top, first)
    parts[top[place]] += excess
    known, which = np.unique(parts, return_inverse=True)
    shares = np.array([Fraction(int(part), PARTS) for part in known], object)[which]
    label = name or f"{model.name}:{','.join(f'{number:.4g}' for number in numbers)}"
    return Plan(label, table, np.full(len(table), -1, np.int32), shares)
