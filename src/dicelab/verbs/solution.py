"""What solving returns: a value for every position, with bounds, and the moves that reach it.

`Solution` is what every engine gives back and all that a face may ask for. That of the graph of
positions is in `table_solution`; a game with a solver of its own has a class of its own.
"""

from __future__ import annotations

import dataclasses
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from dicelab.core.arrays import Array, Bools, Numbers, Real
from dicelab.core.exact import at_least, at_most
from dicelab.core.json_object import JsonObject
from dicelab.errors import IllegalMove
from dicelab.rules import DRAW, Game, Position
from dicelab.strategies.file import save_strategy
from dicelab.strategies.plan import Plan
from dicelab.table import Table

Column = Numbers | tuple[Real, ...]

BEST, TIED, WORSE = "best", "tied", "worse"
"""What a move is, given the bounds: the only best one, as good as another, or worse."""


@dataclass(frozen=True)
class MoveValue:
    """What one legal move is worth, and what it costs against the best one."""

    move: str
    value: Real  # float, or Fraction in exact mode
    lower: Real
    upper: Real
    cost: Real
    status: str


@dataclass(frozen=True, eq=False)
class Board:
    """A map of a solution over two scores: values and dice to throw; nan where play never comes."""

    name: str  # how its files are called
    title: str  # which turns it is about; empty where it is about all
    shown: str  # what the dice are: those to throw, or the likeliest of a mixture
    values: Array  # [mine, yours] floats, or rationals in exact mode
    dice: Array  # [mine, yours]
    mixes: Array | None = (
        None  # [mine, yours] whether play mixes several numbers of dice; None: nowhere
    )

    @property
    def numbers(self) -> Array:
        """The dice as whole numbers, for a file."""
        return np.array([[d if d != d else int(d) for d in row] for row in self.dice], object)


@dataclass(frozen=True)
class Sheet:
    """Advice on one page: what one sees and what to do then, in short lines."""

    title: str
    lines: list[tuple[str, str]]
    columns: int = 6


class Solution(ABC):
    """Values, bounds and best moves of a game, whichever engine found them.

    Values are in the game's own unit, seen by the player about to move. In exact mode they are
    `Fraction` and the bounds are the values themselves, but where both choose at once and no value
    was found among the fractions: then these are bounds of it. A position is given as such or in
    notation.
    """

    method: str
    sweeps: int  # positions visited, over all sweeps
    seconds: float
    exact: bool
    table: Table
    plan: Plan
    #: The chance that a game played by the plan, by both where there are two, never ends.
    never_ends: Real = 0

    @property
    @abstractmethod
    def game(self) -> Game:
        """The game that was solved."""

    @property
    def unit(self) -> str:
        """What the value counts, in the players' words."""
        return self.game.unit

    @property
    @abstractmethod
    def positions(self) -> int:
        """How many positions were solved."""

    @property
    @abstractmethod
    def ties(self) -> Sequence[Position]:
        """The positions where several moves are best, or cannot be told apart.

        In exact mode these are true ties. In floats they are those within the bounds.
        """

    @abstractmethod
    def value_at(self, at: Position | str) -> Real:
        """Return what the game is worth at a position."""

    @abstractmethod
    def bounds_at(self, at: Position | str) -> tuple[Real, Real]:
        """Return the certified bounds at a position."""

    @abstractmethod
    def moves_at(self, at: Position | str) -> list[MoveValue]:
        """Return every legal move at a position with its value, best first."""

    @abstractmethod
    def notation(self, at: Position | str) -> str:
        """Return the notation of a position."""

    def measures(self) -> tuple[Column, Column, Column, Bools]:
        """Return value, lower and upper bound, each `[ongoing]`, and which moves are best `[rows]`.

        These stand in the order of the table's positions and rows; ties are all best.
        """
        table, every = self.table, []
        best = np.zeros(table.rows, bool)
        for number in np.flatnonzero(table.is_ongoing).tolist():
            at = table.position(number)
            every.append((self.value_at(at), *self.bounds_at(at)))
            moves = self.best_moves(at)
            for row in range(table.move_first[number], table.move_first[number + 1]):
                best[row] = table.moves[table.move[row]] in moves
        values, lowers, uppers = zip(*every, strict=True)
        return values, lowers, uppers, best

    @property
    def value(self) -> Real:
        """What the game is worth to the player who starts."""
        return self.value_at(self.game.start())

    @property
    def lower(self) -> Real:
        """A certified lower bound of the value."""
        return self.bounds_at(self.game.start())[0]

    @property
    def upper(self) -> Real:
        """A certified upper bound of the value."""
        return self.bounds_at(self.game.start())[1]

    def __repr__(self) -> str:
        """Return the game and its value with bounds."""
        shown = str(self.value) if self.exact else f"{self.value:.12g}"
        return f"<Solution of {self.game}: {shown}, {self.positions} positions>"

    def _number(self, entry: Real) -> Real:
        return entry if self.exact else float(entry)

    def value_of(self, at: Position | str, move: str) -> MoveValue:
        """Return what one legal move at a position is worth."""
        found = next((one for one in self.moves_at(at) if one.move == move), None)
        if found is None:
            raise IllegalMove(f"cannot {move} at {self.notation(at)}: no rule allows that")
        return found

    def best_moves(self, at: Position | str) -> list[str]:
        """Return all the moves at a position that are best, or cannot be told from the best."""
        return [move.move for move in self.moves_at(at) if move.status != WORSE]

    def advice_at(self, at: Position | str) -> str | None:
        """Return what to say about a position where comparing its moves says too little."""
        return None

    def taking(self, seconds: float) -> Solution:
        """Return the same solution, said to have taken so long."""
        return dataclasses.replace(self, seconds=seconds)  # type: ignore[type-var]

    def on(self, table: Table) -> Solution:
        """Return the same solution on a table of its game that somebody has made already."""
        return self

    def summary(self) -> list[str]:
        """Return a few lines on the strategy, where there is more to say than its moves."""
        return []

    def boards(self) -> list[Board]:
        """Return the solution as maps over two scores, where it is that; else none."""
        return []

    def worth_of_end(self, result: int) -> Real:
        """Return what an end is worth to who plays alone, besides what was gained."""
        return self.table.worth[result]

    @property
    def may_draw(self) -> bool:
        """Whether the game may end in a draw."""
        return bool((self.table.result == DRAW).any())

    def spread(self) -> float | None:
        """Return how far the values lie apart, where that is known without a table; else None."""
        return None

    def sheet(self) -> Sheet | None:
        """Return the advice that fits on one page, where there is such; else None."""
        return None

    def save(self, path: str | Path) -> None:
        """Write the strategy with its values: as CSV if the name ends so, else compact."""
        save_strategy(self, path)

    def as_dict(self) -> JsonObject:
        """Return what a program wants to know, as plain numbers and words."""
        answer = {
            "value": float(self.value),
            "lower": at_most(self.lower),
            "upper": at_least(self.upper),
            "unit": self.unit,
            "never_ends": float(self.never_ends),
            "positions": self.positions,
            "method": self.method,
            "sweeps": self.sweeps,
            "exact": self.exact,
            "seconds": self.seconds,
        }
        if not self.exact:
            return answer
        if self.lower < self.upper:  # the value may be no fraction where both choose at once
            return answer | {"fractions": [str(self.lower), str(self.upper)]}
        return answer | {"fraction": str(self.value)}
