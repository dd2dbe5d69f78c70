"""The solution of a graph of positions: arrays of values with bounds, and what moves are worth."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dicelab.core.arrays import Array, Bools, Floats, Ints, Numbers, Real
from dicelab.core.exact import at_least, at_most
from dicelab.core.json_object import JsonObject
from dicelab.core.language import mark
from dicelab.core.lazy import lazy
from dicelab.errors import UnknownPosition
from dicelab.rules import Game, Moment, Position
from dicelab.strategies.plan import Plan
from dicelab.strategies.ways import unfolded_plan
from dicelab.table import Table
from dicelab.table.unfolded import UnfoldedTable, open_at
from dicelab.verbs.solution import BEST, TIED, WORSE, Board, Column, MoveValue, Solution


@dataclass(frozen=True, eq=False, repr=False)
class TableSolution(Solution):
    """Values, bounds and best moves on a table, for one player or for two who play their best."""

    table: Table
    values: Numbers  # [positions]
    lowers: Numbers  # [positions]
    uppers: Numbers  # [positions]
    plan: Plan
    method: str
    sweeps: int  # positions visited, over all sweeps
    seconds: float
    exact: bool
    #: The other player's plan where that is fixed (a best response); None where both choose.
    against: Plan | None = None
    #: Values, lower and upper bounds where the fixed player is about to move. Each `[positions]`.
    replies: tuple[Numbers, Numbers, Numbers] | None = None
    #: The chance that a game played by the plan, by both where there are two, never ends.
    never_ends: Real = 0

    @property
    def game(self) -> Game:
        """The game that was solved."""
        return self.table.game

    @property
    def unit(self) -> str:
        """What the value counts, in the players' words."""
        return self.game.unit if self.game.unit != Game.unit else self.table.unit

    @property
    def positions(self) -> int:
        """How many positions the game has, finished ones included."""
        return len(self.table)

    def rounded(self) -> TableSolution:
        """Return an exact solution as floats, each within one rounding of its value."""

        def bounds(values: Array) -> tuple[Numbers, Numbers, Numbers]:
            below = np.array([at_most(value) for value in values])
            above = np.array([at_least(value) for value in values])
            return values.astype(np.float64), below, above

        values, lowers, uppers = bounds(self.values)
        replies = bounds(self.replies[0]) if self.replies else None
        return dataclasses.replace(
            self, values=values, lowers=lowers, uppers=uppers, replies=replies, exact=False
        )

    def on(self, table: Table) -> TableSolution:
        """Return the same solution on the unfolded table of its game, where that is asked for.

        A moment after a throw is worth what the best of its ways is.
        """
        if not isinstance(table, UnfoldedTable) or not self.table.has_choices:
            return self
        assert self.replies is None, "of a reply only the folded table is asked"
        folded, whole = self.table, table.whole
        heads = np.flatnonzero(~folded.another[folded.kind])
        chosen = np.isin(heads, whole.head)
        better = np.minimum if folded.game.fewest else np.maximum
        ways = self._way_values(slice(0, folded.target.size))
        columns = []
        for known, after in zip((self.values, self.lowers, self.uppers), ways, strict=True):
            column = np.empty(len(table), known.dtype)
            column[whole.number] = known
            column[whole.moment] = better.reduceat(after, heads)[chosen]
            columns.append(column)
        values, lowers, uppers = columns
        plan = unfolded_plan(self.plan)
        return dataclasses.replace(
            self, table=plan.table, values=values, lowers=lowers, uppers=uppers, plan=plan
        )

    def value_at(self, at: Position | str) -> Real:
        """Return what the game is worth at a position, given as such or in notation."""
        if (moment := self.table.moment(at)) is not None:
            first, ways = open_at(self.table, moment)
            theirs = self.values if self.replies is None else self.replies[0]
            worth = self._after(slice(first, first + len(ways)), self.values, theirs)
            return self._number(worth.min() if self.game.fewest else worth.max())
        return self._number(self.values[self.table.number(at)])

    def bounds_at(self, at: Position | str) -> tuple[Real, Real]:
        """Return the certified bounds at a position, or at a moment after a throw."""
        if (moment := self.table.moment(at)) is not None:
            ways, better = self._at_moment(moment), min if self.game.fewest else max
            return better(way.lower for way in ways), better(way.upper for way in ways)
        number = self.table.number(at)
        return self._number(self.lowers[number]), self._number(self.uppers[number])

    def notation(self, at: Position | str) -> str:
        """Return the notation of a position."""
        if (moment := self.table.moment(at)) is not None:
            return self.game.write(moment)
        return self.table.notation(self.table.number(at))

    def _at_moment(self, moment: Moment) -> list[MoveValue]:
        """Return the ways that are open at a moment after a throw, best first."""
        begin, ways = open_at(self.table, moment)
        values = self._way_values(slice(begin, begin + len(ways)))
        return self._ranked([way.name for way in ways], *values)

    def _way_values(self, outcomes: slice) -> tuple[Numbers, Numbers, Numbers]:
        """Return value, lower and upper bound of ways after throws. Each is `[outcomes]`."""
        mine = (self.values, self.lowers, self.uppers)
        theirs = self.replies or (self.values, self.uppers, self.lowers)
        after = (self._after(outcomes, *pair) for pair in zip(mine, theirs, strict=True))
        value, lower, upper = after
        # A way only copies a value: to take it from the total, or to add a gain, is one rounding.
        size = 0 if self.exact else 2.0**-51 * (np.abs(value) + abs(float(self.game.total)))
        return value, lower - size, upper + size

    def moves_at(self, at: Position | str) -> list[MoveValue]:
        """Return every legal move at a position with its value, best first.

        Moves that cannot be told apart stand in the order of the rules, whatever rounding says.
        """
        if (moment := self.table.moment(at)) is not None:
            return self._at_moment(moment)
        number = self.table.number(at)
        begin, end = int(self.table.move_first[number]), int(self.table.move_first[number + 1])
        if begin == end:
            raise UnknownPosition(
                f"the game is over at {self.table.notation(number)}: there is no move to make"
            )
        names = [self.table.moves[move] for move in self.table.move[begin:end]]
        return self._ranked(names, *self._row_values(slice(begin, end)))

    def _ranked(
        self, names: list[str], values: Numbers, lowers: Numbers, uppers: Numbers
    ) -> list[MoveValue]:
        """Return some moves with their values and bounds, best first."""
        tied = self._is_tied(values, lowers, uppers, np.zeros(1, int))
        sign = -1 if self.game.fewest else 1
        order = sorted(
            range(len(names)), key=lambda i: (not tied[i], 0 if tied[i] else -sign * values[i], i)
        )
        best = max(values, key=lambda value: sign * value)
        return [
            MoveValue(
                names[i],
                self._number(values[i]),
                self._number(lowers[i]),
                self._number(uppers[i]),
                self._number(abs(best - values[i])),
                WORSE if not tied[i] else BEST if tied.sum() == 1 else TIED,
            )
            for i in order
        ]

    @lazy
    def row_values(self) -> Array:
        """What each move of each position is worth. `[rows]`"""
        return self._rows(slice(0, self.table.rows), self.values, self.values)

    def worth_of_rows(self, values: Numbers) -> Array:
        """Return what each move would be worth if positions were worth this. `[rows]`"""
        return self._rows(slice(0, self.table.rows), values, values)

    @lazy
    def way_values(self) -> Array:
        """What each way after each throw is worth to who throws. `[outcomes]`"""
        return self._after(slice(0, self.table.target.size), self.values, self.values)

    @lazy
    def ties(self) -> Sequence[Position]:
        """The positions where several moves are best, or cannot be told apart."""
        return list(self.table.each(self.tied))

    @lazy
    def tied(self) -> Ints:
        """The numbers of these positions."""
        here = np.flatnonzero(self.table.is_ongoing)
        return here[np.add.reduceat(self._best.astype(int), self.table.move_first[here]) > 1]

    @lazy
    def _best(self) -> Array:
        """Which moves are best, or cannot be told from the best. `[rows]`"""
        firsts = self.table.move_first[:-1][self.table.is_ongoing]
        return self._is_tied(*self._row_values(slice(0, self.table.rows)), firsts)

    def measures(self) -> tuple[Column, Column, Column, Bools]:
        """Return values and bounds, each `[ongoing]`, and which moves are best `[rows]`."""
        here = self.table.is_ongoing
        return self.values[here], self.lowers[here], self.uppers[here], self._best

    def _is_tied(self, values: Numbers, lowers: Numbers, uppers: Numbers, firsts: Ints) -> Bools:
        """Return which rows are best, or cannot be told from the best, within each position."""
        if self.game.fewest:
            values, lowers, uppers = -values, -uppers, -lowers
        surely = np.maximum.reduceat(lowers, firsts)
        counts = np.diff(np.append(firsts, len(values)))
        return np.asarray(uppers >= np.repeat(surely, counts), bool)

    def _row_values(self, rows: slice) -> tuple[Numbers, Numbers, Numbers]:
        """Return value, lower and upper bound of some rows. Each is `[rows]`."""
        mine = (self.values, self.lowers, self.uppers)
        theirs = self.replies or (self.values, self.uppers, self.lowers)
        value, lower, upper = (self._rows(rows, *pair) for pair in zip(mine, theirs, strict=True))
        rounding = 0 if self.exact else self._rounding(rows)
        return value, lower - rounding, upper + rounding

    def _rounding(self, rows: slice) -> Floats | float:
        """Return what adding up some rows in floats may cost their bounds. `[rows]`"""
        table = self.table
        firsts = table.outcome_first[rows.start : rows.stop + 1]
        outcomes = slice(int(firsts[0]), int(firsts[-1]))
        target, kind = table.target[outcomes], table.kind[outcomes]
        size = np.array(abs(float(self.game.total)) if self.game.players == 2 else 0.0)
        for bounds in (self.lowers, self.uppers, *(self.replies or ())[1:]):
            size = np.maximum(size, np.abs(bounds[target]))
        if table.has_gains:
            size = size + np.abs(np.array(table.gains, np.float64))[kind]
        sizes = np.add.reduceat(table.chance_floats[kind] * size, firsts[:-1] - firsts[0])
        return 2 * (np.diff(firsts) + 6) * 2.0**-52 * sizes

    def _rows(self, rows: slice, mine: Numbers, theirs: Numbers) -> Numbers:
        """Return what rows are worth if I am about to move at `mine`, the other at `theirs`."""
        table = self.table
        firsts = table.outcome_first[rows.start : rows.stop + 1]
        outcomes = slice(int(firsts[0]), int(firsts[-1]))
        after, firsts = self._after(outcomes, mine, theirs), firsts - firsts[0]
        chances = np.array(table.chances, object) if self.exact else table.chance_floats
        kind = table.kind[outcomes]
        if table.has_choices:  # of the ways after a throw the best is taken
            heads = np.flatnonzero(~table.another[kind])
            better = np.minimum if self.game.fewest else np.maximum
            after, kind = better.reduceat(after, heads), kind[heads]
            firsts = np.searchsorted(heads, firsts)
        return np.add.reduceat(chances[kind] * after, firsts[:-1])

    def _after(self, outcomes: slice, mine: Numbers, theirs: Numbers) -> Numbers:
        """Return what it is worth to me that some outcomes come about, gains counted in."""
        table, exact = self.table, self.exact
        target, passes = table.target[outcomes], table.passes(outcomes)
        total = np.array(self.game.total, object if exact else np.float64)
        after = mine[target]
        if self.replies is not None:  # the other player's moves are fixed
            after = np.where(passes, theirs[target], after)
        elif self.game.players == 2:
            after = np.where(passes, total - theirs[target], after)
        if table.has_gains:
            gains = np.array(table.gains, object if exact else np.float64)
            after = after + gains[table.kind[outcomes]]
        return after

    def boards(self) -> list[Board]:
        """Return the map over two scores, where moves are numbers of dice; else none."""
        table = self.table
        fields = getattr(type(table.game.start()), "_fields", ())
        if isinstance(table, UnfoldedTable):  # a way is no number of dice
            return []
        throws = [table.game.dice_of(move) for move in table.moves]
        told = [move.rpartition(" ")[2] for move in table.moves]
        if fields != ("mine", "yours") or told != list(map(str, throws)):
            return []
        here = np.flatnonzero(table.is_ongoing)
        at = type(table.game.start())(*np.array(list(table.each(here))).T)
        size = int(max(at.mine.max(), at.yours.max())) + 1
        kind = object if self.exact else np.float64
        values, dice = np.full((size, size), np.nan, kind), np.full((size, size), np.nan)
        values[at.mine, at.yours] = self.values[here]
        numbers, mixes, what = np.array(throws), None, mark("dice to throw")
        if self.plan.is_mixed:
            weights = self.plan.weights(exact=False).reshape(here.size, len(table.moves))
            shown, what = weights.argmax(axis=1), mark("the likeliest number of dice")
            mixes = np.zeros((size, size), bool)
            mixes[at.mine, at.yours] = (weights > 0).sum(axis=1) > 1
        else:
            shown = table.move[self.plan.choice[here]]
        dice[at.mine, at.yours] = numbers[shown]
        return [Board("board", "", what, values, dice, mixes)]

    def as_dict(self) -> JsonObject:
        """Return what a program wants to know; numbers of dice also have the best first ones."""
        answer = super().as_dict()
        if self.boards():
            best = self.best_moves(self.game.start())
            answer["opening"] = [self.game.dice_of(move) for move in best]
        return answer
