"""What solving returns: a value for every position, with bounds, and the moves that reach it."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from dicelab.errors import UnknownPosition
from dicelab.rules import Game, Position
from dicelab.strategy import Plan
from dicelab.table import Table

BEST, TIED, WORSE = "best", "tied", "worse"
"""What a move is, given the bounds: the only best one, as good as another, or worse."""


@dataclass(frozen=True)
class MoveValue:
    """What one legal move is worth, and what it costs against the best one."""

    move: str
    value: Any  # float, or Fraction in exact mode
    lower: Any
    upper: Any
    cost: Any
    status: str


@dataclass(frozen=True, eq=False)
class Solution:
    """Values, bounds and best moves for one player, or for two who both play their best.

    Values are in the game's own unit, seen by the player about to move. In exact mode they are
    `Fraction` and the bounds are the values themselves.
    """

    table: Table
    values: Any  # [positions]
    lowers: Any  # [positions]
    uppers: Any  # [positions]
    plan: Plan
    method: str
    sweeps: int  # positions visited, over all sweeps
    seconds: float
    exact: bool
    #: The other player's plan where that is fixed (a best response); None where both choose.
    against: Plan | None = None
    replies: Any = None  # [positions] values where the fixed player is about to move

    @property
    def game(self) -> Game:
        """The game that was solved."""
        return self.table.game

    @property
    def value(self) -> Any:
        """What the game is worth to the player who starts."""
        return self._number(self.values[self.table.start])

    @property
    def lower(self) -> Any:
        """A certified lower bound of the value."""
        return self._number(self.lowers[self.table.start])

    @property
    def upper(self) -> Any:
        """A certified upper bound of the value."""
        return self._number(self.uppers[self.table.start])

    @property
    def positions(self) -> int:
        """How many positions the game has, finished ones included."""
        return len(self.table)

    def __repr__(self) -> str:
        """Return the game and its value with bounds."""
        shown = str(self.value) if self.exact else f"{self.value:.12g}"
        return f"<Solution of {self.game}: {shown}, {self.positions} positions>"

    def _number(self, entry: Any) -> Any:
        return entry if self.exact else float(entry)

    def value_at(self, at: Position | str) -> Any:
        """Return what the game is worth at a position, given as such or in notation."""
        return self._number(self.values[self.table.number(at)])

    def bounds_at(self, at: Position | str) -> tuple[Any, Any]:
        """Return the certified bounds at a position."""
        number = self.table.number(at)
        return self._number(self.lowers[number]), self._number(self.uppers[number])

    def moves_at(self, at: Position | str) -> list[MoveValue]:
        """Return every legal move at a position with its value, best first."""
        number = self.table.number(at)
        rows = range(self.table.move_first[number], self.table.move_first[number + 1])
        if not rows:
            raise UnknownPosition(
                f"the game is over at {self.table.notation(number)}: there is no move to make"
            )
        values, lowers, uppers = (
            {row: self._row(row, array, other) for row in rows}
            for array, other in (
                (self.values, self.values),
                (self.lowers, self.uppers),
                (self.uppers, self.lowers),
            )
        )
        sign = -1 if self.game.fewest else 1
        played = self.plan.choice[number]
        chosen = played if played in rows else rows[0]
        best = max(rows, key=lambda row: (sign * values[row], row == chosen))
        worst_of_best, best_of = (lowers, uppers) if sign > 0 else (uppers, lowers)
        tied = [row for row in rows if sign * best_of[row] >= sign * worst_of_best[best]]
        answer = []
        for row in sorted(rows, key=lambda row: (-sign * values[row], row != best)):
            status = WORSE if row not in tied else BEST if len(tied) == 1 else TIED
            cost = abs(values[best] - values[row])
            name = self.table.moves[self.table.move[row]]
            answer.append(
                MoveValue(
                    name,
                    self._number(values[row]),
                    self._number(lowers[row]),
                    self._number(uppers[row]),
                    self._number(cost),
                    status,
                )
            )
        return answer

    def best_moves(self, at: Position | str) -> list[str]:
        """Return all the moves at a position that are best, or cannot be told from the best."""
        return [move.move for move in self.moves_at(at) if move.status != WORSE]

    def _row(self, row: int, values: Any, passed: Any) -> Any:
        """Return what a row is worth with these values; `passed` serves where the turn passes."""
        table, game = self.table, self.game
        worth: Any = Fraction(0)
        passed = passed if self.replies is None else self.replies
        for o in range(table.outcome_first[row], table.outcome_first[row + 1]):
            chance = table.chances[table.chance[o]]
            if table.passes[o] and game.players == 2:
                after = (
                    (game.total - passed[table.target[o]])
                    if self.exact
                    else (float(game.total) - passed[table.target[o]])
                )
                if self.replies is not None:
                    after = passed[table.target[o]]
            else:
                after = values[table.target[o]]
            if table.gain.size:
                after = after + table.gains[table.gain[o]]
            worth = worth + (chance if self.exact else float(chance)) * after
        return worth

    @cached_property
    def ties(self) -> list[int]:
        """The numbers of the positions where several moves are best, or cannot be told apart.

        In exact mode these are true ties. In floats they are those within the bounds.
        """
        table = self.table
        several = np.flatnonzero(np.diff(table.move_first) > 1)
        margin = self._margins(several)
        return [int(number) for number in several[margin]]

    def _margins(self, numbers: Any) -> Any:
        """Return where the two best moves cannot be told apart."""
        return np.array(
            [len(self.best_moves(self.table.position(int(n)))) > 1 for n in numbers], bool
        )
