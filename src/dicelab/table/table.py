"""A compiled game: the solvers' arrays, and what their numbers mean in its rules."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from fractions import Fraction
from typing import Any

import numpy as np

from dicelab.core.arrays import Ints
from dicelab.core.language import tr
from dicelab.core.lazy import lazy
from dicelab.errors import NotSolved, UnknownPosition, UnreadablePosition
from dicelab.rules import (
    DRAW,
    LOSS,
    SEEN_BY_OTHER,
    THREW,
    WIN,
    Game,
    HouseRules,
    Moment,
    Position,
    answers,
    exact_amount,
)
from dicelab.rules.game import NOTHING
from dicelab.solvers.arrays import MarkovGame
from dicelab.table.expand import refuse_beyond
from dicelab.table.numbering import Numbering


@dataclasses.dataclass(frozen=True, eq=False)
class Table(MarkovGame):
    """A compiled game."""

    game: Game
    moves: tuple[str, ...]
    numbering: Numbering  # which position has which number
    # bytes that this and what is made of it may take
    memory: int | None = dataclasses.field(default=None, kw_only=True)
    # what the different ends pay the player about to move, where the rules say so of each end;
    # with three players and more, what they pay each of them
    payoffs: tuple[Any, ...] = dataclasses.field(default=(), kw_only=True)

    def __repr__(self) -> str:
        """Return what was compiled."""
        return f"compile({self.game!r})"

    def spare(self, more: int) -> None:
        """Refuse work that needs so many bytes more than there are, where there is a limit."""
        if self.memory is not None:
            arrays = sum(a.nbytes for a in vars(self).values() if isinstance(a, np.ndarray))
            needed = arrays + self.numbering.needed + self._remembered.get("held", 0) + more
            refuse_beyond(self.game, self.memory, needed, f"{len(self):,}")

    @contextmanager
    def holding(self, more: int) -> Iterator[None]:
        """Do work that holds so many bytes more until it ends, refused as in `spare`."""
        self.spare(more)
        self._remembered["held"] = self._remembered.get("held", 0) + more
        try:
            yield
        finally:
            self._remembered["held"] -= more

    @lazy
    def start(self) -> int:
        """The number of the position the game starts from."""
        return self.number(self.game.start())

    @lazy
    def ongoing(self) -> tuple[Ints, Position]:
        """The numbers of the positions where the game goes on, and these (array games only)."""
        numbers = np.flatnonzero(self.is_ongoing)
        return numbers, self.positions(numbers)

    def positions(self, numbers: Ints) -> Position:
        """Return the positions with these numbers as arrays (array games only)."""
        return self.numbering.positions(numbers)

    def each(self, numbers: Ints) -> Iterable[Position]:
        """Return the positions with these numbers, one after another, their fields plain ints."""
        at = self.positions(numbers)
        return at if self._is_house else map(type(at), *(field.tolist() for field in at))

    def position(self, number: int) -> Position:
        """Return one position."""
        return self.numbering.position(number)

    def notation(self, number: int) -> str:
        """Return the notation of one position."""
        return self.game.notation(self.position(number))

    @contextmanager
    def naming(self, owner: Ints | None = None) -> Iterator[None]:
        """Let a solver that gives up name the game, and a position as the game writes it.

        `owner` tells whose the solver's positions are, where it has more of them than the table.
        """
        try:
            yield
        except NotSolved as trouble:
            here = trouble.at if trouble.at is None or owner is None else int(owner[trouble.at])
            at = "" if here is None else self.notation(here)
            raise type(trouble)(trouble.told(str(self.game), at)) from None

    def number(self, at: Position | str) -> int:
        """Return the number of a position, given as such or in notation."""
        found = self._written(at) if isinstance(at, str) else int(self.numbering.find(at))
        if found < 0:
            shown = self._shown(at)
            raise UnknownPosition(
                tr(
                    "no play of {game} leads to {position}: try the start, {start}",
                    game=self.game,
                    position=shown,
                    start=repr(self.game.notation(self.game.start())),
                )
            )
        return found

    def moment(self, at: Position | str) -> Moment | None:
        """Return the moment after a throw that is meant, or None where a position is."""
        if isinstance(at, str) and self.has_choices and THREW in at:
            at = self.game.read(at)
        return at if isinstance(at, Moment) else None

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
    def _row_of(self) -> dict[str, Ints]:
        rows: dict[str, Ints] = {}
        for number, move in enumerate(self.moves):
            mine = np.flatnonzero(self.move == number).astype(np.int32)
            rows[move] = np.full(len(self), -1, np.int32)
            rows[move][self.row_position[mine]] = mine
        return rows

    def row_of(self, move: str) -> Ints:
        """Return the row of a move at every position, or -1 where it is not allowed."""
        none = np.full(len(self), -1, np.int32) if move not in self.moves else None
        return self._row_of[move] if none is None else none

    def row_at(self, number: int, move: str) -> int:
        """Return the row of a move at one position, or -1 where it is not allowed."""
        rows = range(self.move_first[number], self.move_first[number + 1])
        return next((row for row in rows if self.moves[self.move[row]] == move), -1)

    def legal_moves(self, number: int) -> list[str]:
        """Return the moves allowed at a position."""
        rows = range(self.move_first[number], self.move_first[number + 1])
        return [self.moves[self.move[row]] for row in rows]

    @property
    def is_for_points(self) -> bool:
        """Whether the value is what is gained on the way and at the end, and no chance to win."""
        return self.has_gains or self.game.fewest or self.game.pays_ends

    @property
    def unit(self) -> str:
        """What the value counts: as the rules say, or points where it is no chance to win."""
        is_chance = not self.is_for_points and self.worth[WIN] == 1 and self.worth[LOSS] == 0
        return self.game.unit if is_chance or self.game.unit != Game.unit else "points"

    def worth_to(self, seat: int) -> Mapping[int, Fraction]:
        """Return what each end is worth to the player who goes first (0) or second (1).

        In a game for points an end is worth nothing, unless the rules say so. Where they say what
        each single end pays, this is an even share, and `ends` has what they pay.
        """
        if self.game.pays_ends:
            return dict.fromkeys(self.game.worth, self.even)
        return self._said(seat)

    def _said(self, seat: int) -> Mapping[int, Fraction]:
        """Return what the rules say that a win, a loss and a draw are worth."""
        if self.is_for_points and self.game.worth is Game.worth:
            return NOTHING
        worths = self.game.worth_to(seat)
        return {result: exact_amount(worth) for result, worth in worths.items()}

    @lazy
    def worth(self) -> Mapping[int, Fraction]:
        """What each end is worth to the player who goes first; between two, mostly to either."""
        return self.worth_to(0)

    @property
    def even(self) -> Fraction:
        """An even share of what there is: half of it between two; alone, nothing."""
        players = self.game.players
        if players > 2 and self.payoffs:
            return Fraction(sum(self.payoffs[0])) / players
        return Fraction(self.game.total) / players if players > 1 else Fraction(0)

    def never_to(self, seat: int) -> Fraction | None:
        """Return what play without an end is worth to a player; None: infinitely much."""
        if self.game.never is not None:
            return exact_amount(self.game.never)
        if self.game.players > 1:
            return self.worth_to(seat)[DRAW]
        return None if self.game.fewest else self._said(seat)[LOSS]

    @property
    def never(self) -> Fraction | None:
        """What play without an end is worth to who goes first; None: infinitely much."""
        return self.never_to(0)

    @lazy
    def ends(self) -> dict[int, tuple[Fraction, ...]]:
        """What each end is worth to the player about to move there, and to the next in turn."""
        if self.game.players > 2:
            paid = dict(enumerate(self.payoffs))
            return paid if self.game.pays_ends else answers.ends_of(self.game, self.worth)
        if self.game.pays_ends:
            return {end: (paid, 2 * self.even - paid) for end, paid in enumerate(self.payoffs)}
        worth = self.worth
        return {result: (worth[result], worth[SEEN_BY_OTHER[result]]) for result in worth}
