"""Models of a person: the chance of each move at every position, from a few numbers.

A model gives every legal move a utility; the person plays a move with a chance in proportion to
exp(utility). A forced move is then played for certain.

- `Quantal`: feels what the moves are truly worth and errs the more, the less it matters:
  log odds = `precision` x difference in value. (McKelvey & Palfrey, "Quantal response equilibria
  for normal form games", Games and Economic Behavior 10, 1995.) It works for every solved game.
- `Coin`: every legal move with the same chance. It has no numbers; a model should beat it.

A game may bring models of its own in a module `records` of its folder, with `own_models`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, Protocol

import numpy as np

from dicelab.core.arrays import Floats, Ints
from dicelab.core.exact import PARTS
from dicelab.errors import RulesError
from dicelab.rules import Game, Position
from dicelab.rules.registry import load_at_home
from dicelab.strategies.plan import Plan
from dicelab.strategies.ways import folded_plan
from dicelab.table import Table
from dicelab.table.unfolded import plain_table
from dicelab.verbs.solution import Solution
from dicelab.verbs.solve import on_table
from dicelab.verbs.table_solution import TableSolution


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


Features = Any  # arrays: what one model has to know about some moves, which no other reads


class Model(Protocol):
    """What a model of a person must offer."""

    @property
    def name(self) -> str:
        """What people call it."""

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """What describes a person."""

    def features(self, table: Table, rows: Ints) -> Features:
        """Return what the model has to know about some moves."""

    def utilities(self, features: Features, numbers: Sequence[float]) -> Floats:
        """Return what the moves are worth to a person with these numbers."""


@dataclass(frozen=True)
class Quantal:
    """Feels the true value of every move, with some precision."""

    solution: TableSolution

    name: ClassVar[str] = "quantal"
    #: How precisely it feels what moves are worth.
    parameters: ClassVar[tuple[Parameter, ...]] = (
        Parameter("precision", 50.0, 1e-3, 1e5, positive=True, spread=1.5),
    )

    def features(self, table: Table, rows: Ints) -> Floats:
        """Return what each move is worth beyond the best at its position."""
        solution = self.solution.on(table)
        if solution.table is not table and solution.table.game != table.game:
            raise RulesError(f"the values of {solution.game} do not tell about {table.game}")
        values = np.asarray(solution.row_values[rows], float)
        best = np.asarray(solution.values[table.row_position[rows]], float)
        return (best - values) if solution.game.fewest else (values - best)

    def utilities(self, features: Floats, numbers: Sequence[float]) -> Floats:
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

    name: ClassVar[str] = "coin"
    parameters: ClassVar[tuple[Parameter, ...]] = ()  # nothing describes it

    def features(self, table: Table, rows: Ints) -> Floats:
        """Return nothing in particular."""
        return np.zeros(len(rows))

    def utilities(self, features: Floats, numbers: Sequence[float]) -> Floats:
        """Return that all moves are worth the same."""
        return features


_OWN: list[tuple[Callable[[Game], bool], dict[str, Callable[[], Model]]]] = []


def own_models(suits: Callable[[Game], bool], **makers: Callable[[], Model]) -> None:
    """Make models known that are for some games only."""
    _OWN.append((suits, makers))


def models(game: Game | None = None) -> dict[str, Callable[[], Model]]:
    """Return the makers of models that games bring themselves, of one game or of all."""
    load_at_home("records")
    return {
        name: make
        for suits, makers in _OWN
        if game is None or suits(game)
        for name, make in makers.items()
    }


def usual_model(solution: Solution) -> Model:
    """Return the model of a person at a solved game: the game's own, where it brings one."""
    own = list(models(solution.game).values())
    return own[0]() if own else Quantal(on_table(solution))


def log_chances(utilities: Floats, first: Ints) -> Floats:
    """Return the logarithm of each move's chance; `first` begins each position's moves."""
    counts = np.diff(np.append(first, len(utilities)))
    top = np.repeat(np.maximum.reduceat(utilities, first), counts)
    total = np.add.reduceat(np.exp(utilities - top), first)
    return utilities - top - np.repeat(np.log(total), counts)


def plan_of(model: Model, numbers: Sequence[float], table: Table, name: str = "") -> Plan:
    """Return a person as a strategy, for any verb that takes one."""
    table = plain_table(table)
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
    return folded_plan(Plan(label, table, np.full(len(table), -1, np.int32), shares))
