"""Moments after throws as positions: for those who need a number, or a state, for each of them.

A table keeps what lies between a throw and the choice folded. Other people's tools, and records of
decisions, want a state there. An unfolded table is the same game with every such moment as a
position of its own, whose moves are the ways; it is a `Table` like any other, so whatever is asked
of tables may be asked of it. It takes more memory, and is only made where it is needed.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Hashable, Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from dicelab.core.arrays import Bools, Ints
from dicelab.core.lazy import lazy
from dicelab.errors import IllegalMove
from dicelab.rules import (
    THREW,
    HouseRules,
    Moment,
    Outcome,
    Position,
    Throw,
    Way,
    answers,
    exact_chance,
    shown_by,
)
from dicelab.solvers.arrays import MarkovGame
from dicelab.solvers.unfold import BYTES_PER_WAY, Unfolded, unfolded
from dicelab.table.expand import Block, blocks_of
from dicelab.table.numbering import Numbering
from dicelab.table.shapes import Kinds
from dicelab.table.table import Table

BYTES_NAMED = 8
"""Of an outcome: which way it is, and of which throw."""

Thrown = tuple[str, Hashable]  # the move, and what its dice show


@dataclasses.dataclass(frozen=True, eq=False)
class UnfoldedTable(Table):
    """A table on which every moment after a throw is a position; `moves` has the ways as well."""

    folded: Table
    whole: Unfolded
    throws: tuple[Thrown, ...]  # those that leave a choice somewhere
    throw: Ints  # [moments] which of them

    def __repr__(self) -> str:
        """Return what was unfolded."""
        return f"unfolded_table({self.folded!r})"

    def thrown(self, at: Moment) -> str:
        """Return what was thrown, with the move that threw where others show the same."""
        alone = len(self._moves_by_dice[at.shown]) == 1
        return at.shown if alone else f"{at.move} {at.shown}"

    @lazy
    def _moves_by_dice(self) -> dict[str, set[str]]:
        """The moves that may show some dice, as people write them."""
        found: dict[str, set[str]] = {}
        for move, dice in self.throws:
            found.setdefault(shown_by(dice), set()).add(move)
        return found

    def throw_at(self, number: int) -> int:
        """Return which of the throws a position comes right after, counted from 1; 0: none."""
        place = int(np.searchsorted(self.whole.moment, number))
        here = place < self.throw.size and int(self.whole.moment[place]) == number
        return int(self.throw[place]) + 1 if here else 0

    def notation(self, number: int) -> str:
        """Return the notation of a position, or of a moment after a throw."""
        return self.game.write(self.position(number))

    def number(self, at: Position | str) -> int:
        """Return the number of a position or a moment, given as such or in notation."""
        if isinstance(at, str) and THREW in at:
            at = self.game.read(at)
        if not isinstance(at, Moment):
            return int(self.whole.number[self.folded.number(at)])
        found = int(self.numbering.find(at))
        if found < 0:
            raise no_such_throw(self.folded, at)
        return found

    def moment(self, at: Position | str) -> None:
        """Return None: here a moment after a throw is a position like any other."""

    def each(self, numbers: Ints) -> Iterable[Position]:
        """Return the positions with these numbers, one after another."""
        return [self.position(int(number)) for number in numbers]


class WithMoments:
    """The numbering of an unfolded table, from that of the folded one."""

    def __init__(
        self, inner: Numbering, whole: Unfolded, throws: tuple[Thrown, ...], throw: Ints
    ) -> None:
        self._inner, self._whole, self._throws, self._throw = inner, whole, throws, throw

    @property
    def needed(self) -> int:
        """How many bytes the numbers take."""
        return int(self._inner.needed + self._throw.nbytes)

    def position(self, number: int) -> Position:
        """Return the position or the moment with this number."""
        whole = self._whole
        at = self._inner.position(int(np.searchsorted(whole.number, number)))
        place = int(np.searchsorted(whole.moment, number))
        if place < whole.moment.size and int(whole.moment[place]) == number:
            return Moment(at, *self._throws[self._throw[place]])
        return at

    def positions(self, numbers: Ints) -> Position:
        """Return the positions and moments with these numbers, in a list."""
        return [self.position(int(number)) for number in numbers]

    def field(self, name: str) -> Ints:
        """Return one field of all positions; a moment has that of its position."""
        owner = np.searchsorted(self._whole.number, np.arange(len(self._whole.arrays)))
        return self._inner.field(name)[owner]

    def find(self, at: Position) -> Ints | int:
        """Return the number of a position or a moment, or -1."""
        whole = self._whole
        owner = int(self._inner.find(at.at if isinstance(at, Moment) else at))
        if owner < 0 or not isinstance(at, Moment):
            return owner if owner < 0 else int(whole.number[owner])
        end = int(whole.number[owner])
        begin = int(whole.number[owner - 1]) + 1 if owner else 0
        first = int(np.searchsorted(whole.moment, begin))
        thrown = (at.move, at.dice)
        for number in range(begin, end):  # those between the position before and this one
            if self._throws[self._throw[first + number - begin]] == thrown:
                return number
        return -1


def plain_table(table: Table) -> Table:
    """Return a table without choices after throws: as it is where it has none, or unfolded."""
    return unfolded_table(table) if table.has_choices else table


def unfolded_table(table: Table) -> UnfoldedTable:
    """Return the unfolded table of a game, made once; refused where memory would not do."""
    return table.derived(_unfolded)


def unfolded_within(table: Table, more: int = 0) -> Unfolded:
    """Return a table's arrays unfolded, refused where memory would not do; `more` bytes beside."""
    table.spare(int(_are_ways(table).sum()) * BYTES_PER_WAY + more)
    return unfolded(table)


def _unfolded(table: Table) -> UnfoldedTable:
    whole = unfolded_within(table, table.target.size * BYTES_NAMED)
    names, named, throws, thrown = _named(table)
    arrays = {
        field.name: getattr(whole.arrays, field.name) for field in dataclasses.fields(MarkovGame)
    }
    arrays["move"] = whole.weights(table.move.astype(np.int32), named)
    throw = thrown[whole.head]
    return UnfoldedTable(
        **arrays,
        game=table.game,
        moves=names,
        numbering=WithMoments(table.numbering, whole, throws, throw),
        memory=table.memory,
        payoffs=table.payoffs,
        folded=table,
        whole=whole,
        throws=throws,
        throw=throw,
    )


def _are_ways(table: Table) -> Bools:
    """Return which outcomes are one of several ways after a throw. `[outcomes]`"""
    more = table.another[table.kind]
    return np.asarray(more | np.append(more[1:], False), np.bool_)


def _named(table: Table) -> tuple[tuple[str, ...], Ints, tuple[Thrown, ...], Ints]:
    """Return all names of moves and ways, which way each outcome is, all throws, and which.

    Outcomes that leave nothing to choose have a 0. Each array is `[outcomes]`.
    """
    names = {name: number for number, name in enumerate(table.moves)}
    throws: dict[Thrown, int] = {}
    named = np.zeros(table.target.size, np.int32)
    thrown = np.zeros(table.target.size, np.int32)
    each = _one_by_one(table) if isinstance(table.game, HouseRules) else _in_arrays(table)
    are_ways = _are_ways(table)
    for outcomes, way, move, dice in each:
        here = outcomes[are_ways[outcomes]]
        if here.size:
            named[here] = names.setdefault(way, len(names))
            thrown[here] = throws.setdefault((move, dice), len(throws))
    return tuple(names), named, tuple(throws), thrown


def _in_arrays(table: Table) -> Iterator[tuple[Ints, str, str, Hashable]]:
    """Yield each way at many positions: its outcomes, its name, and the throw."""
    for _, _, place, blocks in asked_at_once(table):
        for block in blocks:
            if block.way:
                yield place[block.source], block.way, table.moves[block.move], block.dice
            place[block.source] += 1


def asked_at_once(table: Table) -> Iterator[tuple[Ints, Any, Ints, Iterator[Block]]]:
    """Yield positions where the game goes on, so many at once, and the blocks that follow there.

    The first three are their numbers, they themselves as arrays, and their first outcomes.
    """
    numbers, everywhere = table.ongoing
    for begin in range(0, numbers.size, MOST_ASKED):
        part = slice(begin, begin + MOST_ASKED)
        here = numbers[part]
        at = type(everywhere)(*(field[part] for field in everywhere))
        place = table.outcome_first[table.move_first[here]].astype(np.int64)
        everyone = np.arange(here.size, dtype=np.uint32)
        yield here, at, place, blocks_of(table.game, at, everyone, Kinds(table.game.players))


def _one_by_one(table: Table) -> Iterator[tuple[Ints, str, str, Hashable]]:
    """Yield each way at one position after another."""
    for row in range(table.rows):
        at, move = table.position(int(table.row_position[row])), table.moves[table.move[row]]
        for first, each, ways in outcomes_of(table, row, at, move):
            for outcome, way in enumerate(ways, start=first):
                yield np.array([outcome]), way.name, move, each.dice


def outcomes_of(
    table: Table, row: int, at: Position, move: str
) -> Iterator[tuple[int, Any, list[Way]]]:
    """Yield what may follow a move at one position, and after a throw the ways that are open.

    Each comes with the number of its first outcome on the table. The rules on arrays were asked
    when the table was made, and they are asked about one position here: should they tell the
    outcomes in another order, names would come to stand beside others' values. So that is refused.
    """
    for outcome, each, told in _throws_of(table, row, at, move):
        if not _are_told(table, row, outcome, told):
            raise answers.other_order(table.game, at, move)
        yield outcome, each, told if isinstance(each, Throw) else []


def _throws_of(
    table: Table, row: int, at: Position, move: str
) -> Iterator[tuple[int, Any, list[Any]]]:
    """Yield what may follow a move, with its first outcome: the ways of a throw, or one place."""
    outcome = int(table.outcome_first[row])
    for each in table.game.outcomes(at, move):
        if not exact_chance(each[0]):
            continue
        if isinstance(each, Throw):
            told: list[Any] = table.game.open_ways(Moment(at, move, each.dice))
        else:
            told = [Outcome(*each)]
        yield outcome, each, told
        outcome += len(told)


def _are_told(table: Table, row: int, first: int, told: Sequence[Way | Outcome]) -> bool:
    """Return whether some outcomes of the table lead where the rules say of one position."""
    outcomes = slice(first, first + len(told))
    if outcomes.stop > table.outcome_first[row + 1]:
        return False
    movers = np.asarray(table.turns)[table.kind[outcomes]].tolist()
    places = table.each(table.target[outcomes])
    each = zip(places, movers, told, strict=True)
    return all(at == one.at and mover == one.mover for at, mover, one in each)


MOST_ASKED = 1 << 17
"""Positions asked about in one call: there is a call for each throw, however few they are."""

MOST_ROWS = 60
"""Moves whose throws are remembered: who asks about one mostly asks about it again."""


@dataclasses.dataclass
class OpenAfter:
    """What is open after one throw: its first outcome on the table, and the ways."""

    first: int
    ways: list[Way]
    is_told: bool = False  # the table has been seen to lead where the rules say


def open_at(table: Table, moment: Moment) -> tuple[int, list[Way]]:
    """Return the first outcome of a throw at one position, and the ways that are open there."""
    number = table.number(moment.at)
    row = table.row_at(number, moment.move)
    if row < 0:
        raise no_such_throw(table, moment)
    remembered = table.derived(_remembered_throws)
    throws = remembered.get(row)
    if throws is None:
        throws = {}
        for first, each, ways in _throws_of(table, row, moment.at, moment.move):
            if isinstance(each, Throw):
                throws.setdefault(each.dice, OpenAfter(first, ways))
        if len(remembered) >= MOST_ROWS:
            remembered.clear()
        remembered[row] = throws
    found = throws.get(moment.dice)
    if found is None or not found.ways:
        raise no_such_throw(table, moment)
    if not found.is_told:
        if not _are_told(table, row, found.first, found.ways):
            raise answers.other_order(table.game, moment.at, moment.move)
        found.is_told = True
    return found.first, found.ways


def _remembered_throws(_: MarkovGame) -> dict[int, dict[Hashable, OpenAfter]]:
    """Return where the throws of moves are remembered: by row, then by what the dice show."""
    return {}


def no_such_throw(table: Table, moment: Moment) -> IllegalMove:
    """Return the error for a moment that no throw at its position leads to."""
    return IllegalMove(f"no throw at {table.game.write(moment.at)} shows {moment.shown}")
