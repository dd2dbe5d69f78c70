"""compile(game): numbered positions and flat arrays, ready for the solvers.

Positions are numbered in the order in which they are solved: the ends of the game first, the
start last. Every move of a position is a *row*; every outcome of a row is a target position, a
kind: its chance, whether the turn passes and what is gained. Kinds are small numbers that stand
for exact rationals; floats are made from them once, here.
"""

from __future__ import annotations

import dataclasses
import math
import os
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from typing import Any

import numpy as np

from dicelab.core.jit import unsigned
from dicelab.core.lazy import Remembers, lazy
from dicelab.errors import DicelabError, UnknownPosition, UnreadablePosition
from dicelab.rules import LOSS, ONGOING, WIN, Game, HouseRules, Position, SimultaneousGame, contract
from dicelab.rules.failure import failure
from dicelab.solvers import order as ordering
from dicelab.table.expand import Edges, explore, refuse_before, too_large_for_rationals
from dicelab.table.expand_house import explore_house
from dicelab.table.numbering import Numbering
from dicelab.table.shapes import Kind

MOST_EXACT = 60_000
"""Positions beyond which exact mode is refused: its rationals grow longer with every position."""
MOST_RESCUED = 5_000
"""Positions up to which a game whose floats cannot be certified is solved in rationals instead."""


def memory_limit() -> int:
    """Return how many bytes a table may take by default: most of what this machine has."""
    return int(0.8 * os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"))


@dataclasses.dataclass(frozen=True, eq=False)
class Table(Remembers):
    """A compiled game."""

    game: Game
    moves: tuple[str, ...]
    numbering: Numbering  # which position has which number
    result: Any  # [positions] WIN, LOSS, DRAW or ONGOING
    move_first: Any  # [positions + 1] the first row of each position
    move: Any  # [rows] which move
    outcome_first: Any  # [rows + 1] the first outcome of each row
    target: Any  # [outcomes] position number
    kind: Any  # [outcomes] which of the `kinds`
    kinds: tuple[Kind, ...]  # chance, whether the turn passes, what is gained on the way
    component_first: Any  # [components + 1]
    cut: Any  # [positions] number among the component's cuts, or -1
    cuts: Any  # [components] how many cuts

    def __len__(self) -> int:
        """Return the number of positions."""
        return len(self.result)

    def __repr__(self) -> str:
        """Return what was compiled."""
        return f"compile({self.game!r})"

    @lazy
    def start(self) -> int:
        """The number of the position the game starts from."""
        return self.number(self.game.start())

    @property
    def rows(self) -> int:
        """The number of moves over all positions."""
        return len(self.move)

    @lazy
    def row_position(self) -> Any:
        """The position each row belongs to. `[rows]`"""
        counts = np.diff(self.move_first)
        return np.repeat(np.arange(len(self), dtype=np.int32), counts)

    @property
    def is_ongoing(self) -> Any:
        """Where the game is not over. `[positions]`"""
        return self.result == ONGOING

    @lazy
    def ongoing(self) -> tuple[Any, Position]:
        """The numbers of the positions where the game goes on, and these (array games only)."""
        numbers = np.flatnonzero(self.is_ongoing)
        return numbers, self.positions(numbers)

    def positions(self, numbers: Any) -> Position:
        """Return the positions with these numbers as arrays (array games only)."""
        return self.numbering.positions(numbers)

    def each(self, numbers: Any) -> Iterable[Position]:
        """Return the positions with these numbers, one after another, their fields plain ints."""
        at = self.positions(numbers)
        return at if self._is_house else map(type(at), *(field.tolist() for field in at))

    def position(self, number: int) -> Position:
        """Return one position."""
        return self.numbering.position(number)

    def notation(self, number: int) -> str:
        """Return the notation of one position."""
        return self.game.notation(self.position(number))

    def number(self, at: Position | str) -> int:
        """Return the number of a position, given as such or in notation."""
        found = self._written(at) if isinstance(at, str) else int(self.numbering.find(at))
        if found < 0:
            shown = self._shown(at)
            raise UnknownPosition(
                f"no play of {self.game} leads to {shown}: "
                f"try the start, {self.game.notation(self.game.start())!r}"
            )
        return found

    def _shown(self, at: Position | str) -> str:
        """Return a position as its game writes it, or as it was asked for."""
        try:
            return self.game.notation(self.game.parse(at) if isinstance(at, str) else at)
        except UnreadablePosition:
            return str(at)

    def numbers(self, at: Position) -> Any:
        """Return the numbers of an array of positions, -1 where play never comes (array games)."""
        return self.numbering.find(at)

    @property
    def _is_house(self) -> bool:
        return isinstance(self.game, HouseRules)

    def _written(self, text: str) -> int:
        """Return the number of the position that a text stands for, -1 where play never comes."""
        game = self.game
        if not isinstance(game, HouseRules):
            return int(self.numbering.find(game.parse(text)))
        found = int(self.numbering.find(text))  # a position may be a word
        try:
            found = int(self.numbering.find(game.parse(text))) if found < 0 else found
        except UnreadablePosition:
            # It may be written in a way that only the game knows, or hold what cannot be read back.
            found = self._noted.get("".join(text.split()), -1)
            if found < 0 and not self._own_notation:
                raise
        return found if found >= 0 else self._noted.get("".join(text.split()), -1)

    @property
    def _own_notation(self) -> bool:
        """Whether the game writes its positions its own way, and reads them only as all do."""
        kind = type(self.game)
        return kind.notation is not HouseRules.notation and kind.parse is HouseRules.parse

    @lazy
    def _noted(self) -> dict[str, int]:
        """The numbers of all positions by their notation, without its spaces (house rules)."""
        numbers: dict[str, int] = {}
        for number in range(len(self)):
            numbers.setdefault("".join(self.notation(number).split()), number)
        return numbers

    @lazy
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

    @lazy
    def chances(self) -> tuple[Fraction, ...]:
        """The chance of each kind of outcome."""
        return tuple(kind.chance for kind in self.kinds)

    @lazy
    def chance_floats(self) -> Any:
        """The chance of each kind of outcome, as a float."""
        return np.array([float(chance) for chance in self.chances])

    @lazy
    def passing(self) -> Any:
        """Whether the turn passes, for each kind of outcome."""
        return np.array([kind.passes for kind in self.kinds], np.bool_)

    @lazy
    def gains(self) -> tuple[Fraction, ...]:
        """What each kind of outcome gains on the way."""
        return tuple(kind.gain for kind in self.kinds)

    @property
    def has_gains(self) -> bool:
        """Whether something is gained on the way."""
        return any(self.gains)

    def passes(self, outcomes: Any) -> Any:
        """Return whether the turn passes with these outcomes."""
        return self.passing[self.kind[outcomes]]

    def rewards(self, exact: bool = False, unit: Fraction = Fraction(1)) -> Any:
        """Return what each row gains on the way, on average; empty where nothing is gained."""
        if not self.has_gains:
            return np.empty(0, object if exact else np.float64)
        mean = [kind.chance * kind.gain for kind in self.kinds]
        whole = math.lcm(*(part.denominator for part in mean))
        parts = np.array([int(part * whole) for part in mean], object)
        largest = whole * max(abs(gain) for gain in self.gains)  # of a sum, as chances sum to 1
        if largest < 2**62:
            parts = parts.astype(np.int64)
        sums = np.add.reduceat(parts[self.kind], self.outcome_first[:-1])
        different, which = np.unique(sums, return_inverse=True)  # few: many rows are alike
        rewards = np.array([Fraction(int(each), whole) / unit for each in different], object)
        return (rewards if exact else rewards.astype(np.float64))[which]

    @lazy
    def is_free(self) -> Any:
        """Whether nothing is gained or lost by a move, whatever chance does. `[rows]`"""
        if not self.has_gains:
            return np.ones(self.rows, np.bool_)
        free = np.array([gain == 0 for gain in self.gains], np.bool_)
        return np.logical_and.reduceat(free[self.kind], self.outcome_first[:-1])

    @property
    def is_for_points(self) -> bool:
        """Whether the value is a sum of what is gained on the way, and no chance to win."""
        return self.has_gains or self.game.fewest

    @property
    def unit(self) -> str:
        """What the value counts: as the rules say, or points where it is no chance to win."""
        is_chance = not self.is_for_points and self.worth[WIN] == 1 and self.worth[LOSS] == 0
        return self.game.unit if is_chance or self.game.unit != Game.unit else "points"

    def worth_to(self, seat: int) -> Mapping[int, Fraction]:
        """Return what each end is worth to the player who goes first (0) or second (1).

        In a game for points an end is worth nothing, unless the rules say so.
        """
        if self.is_for_points and self.game.worth is Game.worth:
            return dict.fromkeys(self.game.worth, Fraction(0))
        worths = self.game.worth_to(seat)
        return {result: Fraction(worth) for result, worth in worths.items()}

    @lazy
    def worth(self) -> Mapping[int, Fraction]:
        """What each end is worth to the player who goes first; between two, mostly to either."""
        return self.worth_to(0)


def compile(
    game: Game | Table,
    memory: int | None = None,
    progress: Callable[[int], None] | None = None,
    exact: bool = False,
) -> Table:
    """Return the table of a game: every position that play can reach, in solving order.

    A table is returned as it is, so every verb takes either. With `exact`, a game with too many
    positions for rationals is refused as soon as that is seen.
    """
    if isinstance(game, Table):
        if exact:
            refuse_exact(game)
        return game
    contract.check(game)
    limit = memory_limit() if memory is None else memory
    try:
        if isinstance(game, SimultaneousGame) and game.is_simultaneous:
            from dicelab.table.at_once import compile_simultaneous

            return compile_simultaneous(game, limit)
        if isinstance(game, HouseRules):
            edges, numbering = explore_house(game, limit, progress, MOST_EXACT if exact else None)
        else:
            refuse_before(game, limit)
            contract.check_moves(game)
            edges, numbering = explore(game, limit, progress, MOST_EXACT if exact else None)
    except (DicelabError, MemoryError):
        raise
    except Exception as trouble:  # the rules are somebody's own code
        raise failure(game, trouble) from trouble
    return _arrange(game, edges, numbering)


def refuse_exact(table: Table) -> None:
    """Refuse exact mode for a game too large for it."""
    if len(table) > MOST_EXACT:
        raise too_large_for_rationals(table.game, f"{len(table):,}", MOST_EXACT)


def _arrange(game: Game, edges: Edges, numbering: Numbering) -> Table:
    """Return the table of a game, its positions in solving order."""

    def met(number: int) -> Position:
        """Return a position by its number in the order met; after this, nothing is arranged."""
        as_met = np.arange(edges.result.size, dtype=np.int32)
        return numbering.renumber(as_met, as_met).position(number)

    contract.check_edges(game, edges, met)
    size, rows = edges.result.size, edges.rows
    order, place, component_first = edges.reorder()
    row_count = int(np.diff(rows.first) @ np.bincount(edges.shape, minlength=rows.first.size - 1))
    move_first, outcome_first = np.zeros(size + 1, np.int32), np.zeros(row_count + 1, np.int32)
    move, kind = np.empty(row_count, rows.move.dtype), np.empty(edges.target.size, rows.kind.dtype)
    ordering.write_rows(edges.shape, *rows, move_first, move, outcome_first, kind)
    first = unsigned(outcome_first[move_first])
    cut, cuts = ordering.cuts(component_first, first, unsigned(edges.target))
    return Table(
        game=game,
        moves=edges.moves,
        numbering=numbering.renumber(order, place),
        result=edges.result,
        move_first=move_first,
        move=move,
        outcome_first=outcome_first,
        target=edges.target,
        kind=kind,
        kinds=edges.kinds,
        component_first=component_first,
        cut=cut,
        cuts=cuts,
    )
