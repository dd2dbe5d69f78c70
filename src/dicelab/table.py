"""compile(game): numbered positions and flat arrays, ready for the solvers.

Positions are numbered in the order in which they are solved: the ends of the game first, the
start last. Every move of a position is a *row*; every outcome of a row is a target position, a
chance and whether the turn passes. Chances are small numbers that stand for exact rationals;
floats are made from them once, here.
"""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Callable
from fractions import Fraction
from functools import cached_property
from math import lcm
from typing import Any

import numpy as np

from dicelab.errors import DicelabError, RulesError, TooLarge, UnknownPosition
from dicelab.explore import Edges, Packing, explore, explore_house, refuse_before
from dicelab.rules import ONGOING, Game, HouseRules, Position, SimultaneousGame
from dicelab.solvers import order as ordering
from dicelab.solvers.numbering import counting_order

MOST_EXACT = 60_000
"""Positions beyond which exact mode is refused: its rationals grow longer with every position."""
MOST_RESCUED = 5_000
"""Positions up to which a game whose floats cannot be certified is solved in rationals instead."""


def memory_limit() -> int:
    """Return how many bytes a table may take by default: most of what this machine has."""
    return int(0.8 * os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"))


@dataclasses.dataclass(frozen=True, eq=False)
class Table:
    """A compiled game."""

    game: Game
    moves: tuple[str, ...]
    keys: Any  # [positions] packed positions; a list of positions for house rules
    result: Any  # [positions] WIN, LOSS, DRAW or ONGOING
    move_first: Any  # [positions + 1] the first row of each position
    move: Any  # [rows] which move
    outcome_first: Any  # [rows + 1] the first outcome of each row
    target: Any  # [outcomes] position number
    passes: Any  # [outcomes] whether the turn passes
    chance: Any  # [outcomes] codes into `chances`
    gain: Any  # [outcomes] codes into `gains`; empty where nothing is gained on the way
    chances: tuple[Fraction, ...]
    gains: tuple[Fraction, ...]
    component_first: Any  # [components + 1]
    cut: Any  # [positions] number among the component's cuts, or -1
    cuts: Any  # [components] how many cuts

    def __len__(self) -> int:
        """Return the number of positions."""
        return len(self.result)

    def __repr__(self) -> str:
        """Return what was compiled."""
        return f"compile({self.game!r})"

    @property
    def start(self) -> int:
        """The number of the position the game starts from."""
        return self.number(self.game.start())

    @property
    def rows(self) -> int:
        """The number of moves over all positions."""
        return len(self.move)

    @cached_property
    def _packing(self) -> Packing:
        return Packing(self.game)

    @cached_property
    def _sorted(self) -> Any:
        return np.argsort(self.keys, kind="stable")

    @cached_property
    def _number_of(self) -> dict[Position, int]:
        return {at: i for i, at in enumerate(self.keys)}

    @cached_property
    def row_position(self) -> Any:
        """The position each row belongs to. `[rows]`"""
        counts = np.diff(self.move_first)
        return np.repeat(np.arange(len(self), dtype=np.int32), counts)

    @property
    def is_ongoing(self) -> Any:
        """Where the game is not over. `[positions]`"""
        return self.result == ONGOING

    @cached_property
    def ongoing(self) -> tuple[Any, Position]:
        """The numbers of the positions where the game goes on, and these (array games only)."""
        numbers = np.flatnonzero(self.is_ongoing)
        return numbers, self.positions(numbers)

    def positions(self, numbers: Any) -> Position:
        """Return the positions with these numbers as arrays (array games only)."""
        return self._packing.positions(self.keys[numbers])

    def position(self, number: int) -> Position:
        """Return one position."""
        if isinstance(self.game, HouseRules):
            return self.keys[number]
        at = self._packing.positions(self.keys[number])
        return type(at)(*(int(field) for field in at))

    def notation(self, number: int) -> str:
        """Return the notation of one position."""
        return self.game.notation(self.position(number))

    def number(self, at: Position | str) -> int:
        """Return the number of a position, given as such or in notation."""
        house = isinstance(self.game, HouseRules)
        if isinstance(at, str) and not (house and at in self._number_of):
            at = self._parse(at)
        if house:
            found = self._number_of.get(at, -1)
        else:
            key = self._packing.keys(at, 1)[0]
            slot = int(np.searchsorted(self.keys, key, sorter=self._sorted))
            found = int(self._sorted[slot]) if slot < len(self) else -1
            found = found if self.keys[found] == key else -1
        if found < 0:
            raise UnknownPosition(
                f"no play of {self.game} leads to {self.game.notation(at)}: "
                f"try the start, {self.game.notation(self.game.start())!r}"
            )
        return found

    def numbers(self, at: Position) -> Any:
        """Return the numbers of an array of positions, -1 where play never comes (array games)."""
        size = max(np.size(field) for field in at)
        keys = self._packing.keys(at, size)
        slots = np.searchsorted(self.keys, keys, sorter=self._sorted)
        found = self._sorted[np.minimum(slots, len(self) - 1)]
        return np.where(self.keys[found] == keys, found, -1)

    def _parse(self, text: str) -> Position:
        if isinstance(self.game, HouseRules) and not hasattr(self.game.start(), "_fields"):
            for at in self.keys:
                if self.game.notation(at) == text:
                    return at
            raise self.game.unreadable(text)
        return self.game.parse(text)

    @cached_property
    def _row_of(self) -> dict[str, Any]:
        rows = {}
        for number, move in enumerate(self.moves):
            mine = np.flatnonzero(self.move == number).astype(np.int32)
            rows[move] = np.full(len(self), -1, np.int32)
            rows[move][self.row_position[mine]] = mine
        return rows

    def row_of(self, move: str) -> Any:
        """Return the row of a move at every position, or -1 where it is not allowed."""
        none = np.full(len(self), -1, np.int32) if move not in self.moves else None
        return self._row_of[move] if none is None else none

    def legal_moves(self, number: int) -> list[str]:
        """Return the moves allowed at a position."""
        rows = range(self.move_first[number], self.move_first[number + 1])
        return [self.moves[self.move[row]] for row in rows]

    @cached_property
    def chance_floats(self) -> Any:
        """The chances as floats, by code."""
        return np.array([float(chance) for chance in self.chances])

    def rewards(self, exact: bool = False) -> Any:
        """Return what each row gains on the way, on average; empty where nothing is gained."""
        if not self.gain.size:
            return np.empty(0, object if exact else np.float64)
        rewards = np.zeros(self.rows, object)
        row_of = np.repeat(np.arange(self.rows), np.diff(self.outcome_first))
        for row, chance, gain in zip(row_of, self.chance, self.gain, strict=True):
            rewards[row] += self.chances[chance] * self.gains[gain]
        return rewards if exact else rewards.astype(np.float64)

    def worth(self, centred: bool) -> dict[int, Fraction]:
        """Return what each end is worth to the player about to move.

        Centred, a draw between two players is worth 0 and passing the turn is a change of sign.
        """
        shift = self.game.total / 2 if centred else Fraction(0)
        return {result: worth - shift for result, worth in self.game.worth.items()}


def compile(
    game: Game, memory: int | None = None, progress: Callable[[int], None] | None = None
) -> Table:
    """Return the table of a game: every position that play can reach, in solving order."""
    limit = memory_limit() if memory is None else memory
    if isinstance(game, SimultaneousGame) and game.is_simultaneous:
        from dicelab.simultaneous_table import compile_simultaneous

        return compile_simultaneous(game, limit)
    try:
        if isinstance(game, HouseRules):
            edges, keys = explore_house(game, limit, progress)
        else:
            refuse_before(game, limit)
            edges, keys = explore(game, limit, progress)
    except (DicelabError, MemoryError):
        raise
    except Exception as trouble:  # the rules are somebody's own code
        raise RulesError(
            f"the rules of {game} failed: {type(trouble).__name__}: {trouble}"
        ) from trouble
    return _arrange(game, edges, keys)


def refuse_exact(table: Table) -> None:
    """Refuse exact mode for a game too large for it."""
    if len(table) > MOST_EXACT:
        raise TooLarge(
            f"{table.game} has {len(table):,} positions: exact mode goes up to {MOST_EXACT:,}; "
            f"without it the bounds are certified all the same"
        )


def _arrange(game: Game, edges: Edges, keys: Any) -> Table:
    """Return the table made of unsorted edges."""
    size = len(edges.result)
    # A position's moves were met one after another, so sorting by position keeps them together.
    sort = counting_order(edges.source, size)
    source, move, target = edges.source[sort], edges.move[sort], edges.target[sort]
    new_row = np.ones(sort.size, bool)
    new_row[1:] = (source[1:] != source[:-1]) | (move[1:] != move[:-1])
    rows = np.flatnonzero(new_row)
    outcome_first = np.append(rows, sort.size).astype(np.int32)
    move_first = np.zeros(size + 1, np.int32)
    np.cumsum(np.bincount(source[rows], minlength=size), out=move_first[1:])
    _check_moves(game, edges, move_first, keys)

    component, finished, count = ordering.components(outcome_first[move_first], target, 0)
    order = finished[counting_order(component[finished], count)]
    component_first = np.zeros(count + 1, np.int32)
    np.cumsum(np.bincount(component, minlength=count), out=component_first[1:])
    new_number = np.empty(size, np.int32)
    new_number[order] = np.arange(size, dtype=np.int32)

    small = np.uint16 if len(edges.chances) < 2**16 else np.int32
    gain = edges.gain[sort] if len(edges.gains) > 1 else np.empty(0, np.int16)
    old = (move[rows], target, edges.passes[sort], edges.chance[sort].astype(small), gain)
    new = tuple(np.empty_like(array) for array in old)
    firsts = np.empty_like(move_first), np.empty_like(outcome_first)
    ordering.rearrange(order, move_first, outcome_first, new_number, *old, *firsts, *new)
    cut, cuts = ordering.cuts(component_first, firsts[1][firsts[0]], new[1])
    table = Table(
        game=game,
        moves=edges.moves,
        keys=[keys[i] for i in order] if isinstance(keys, list) else keys[order],
        result=edges.result[order],
        move_first=firsts[0],
        move=new[0],
        outcome_first=firsts[1],
        target=new[1],
        passes=new[2],
        chance=new[3],
        gain=new[4],
        chances=edges.chances,
        gains=edges.gains,
        component_first=component_first,
        cut=cut,
        cuts=cuts,
    )
    _check_chances(table)
    return table


def _check_moves(game: Game, edges: Edges, move_first: Any, keys: Any) -> None:
    """Refuse a position where the game goes on but nobody may move."""
    stuck = np.flatnonzero((np.diff(move_first) == 0) & (edges.result == ONGOING))
    if stuck.size:
        at = keys[stuck[0]] if isinstance(keys, list) else Packing(game).positions(keys[stuck[0]])
        raise RulesError(
            f"{game} has no legal move at {game.notation(at)}: "
            f"allow one, or say in result() how the game ends there"
        )
    if len(edges.gains) > 1 and game.players != 1:
        raise RulesError(f"{game} gains points on the way: only solo games may")


def _check_chances(table: Table) -> None:
    """Refuse rules in which the chances of a move do not sum to exactly 1."""
    if not table.rows:
        return
    whole = lcm(*(chance.denominator for chance in table.chances))
    numerators = [int(chance * whole) for chance in table.chances]
    if whole < 2**53:
        row = ordering.wrong_row(
            table.outcome_first, table.chance, np.array(numerators, np.int64), whole
        )
    else:  # longer denominators need Python's integers
        parts = np.array(numerators, object)[table.chance]
        sums = np.add.reduceat(parts, table.outcome_first[:-1])
        row = next(iter(np.flatnonzero(sums != whole).tolist()), -1)
    if row >= 0:
        outcomes = slice(table.outcome_first[row], table.outcome_first[row + 1])
        total = sum((table.chances[code] for code in table.chance[outcomes]), Fraction(0))
        move = table.moves[table.move[row]]
        at = table.notation(int(table.row_position[row]))
        raise RulesError(f"the chances after {move} at {at} sum to {total}: they must sum to 1")
