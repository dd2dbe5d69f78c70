"""A game for the chance of so many points: what was gained so far is a part of its positions.

They are written ``30-12 +9 so far 120``. Where nothing is ever lost on the way, the game is over
once it has so much. Strategies of the game itself see its own positions.
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Iterable
from fractions import Fraction
from typing import Any

import numpy as np

from dicelab.core.json_object import JsonObject
from dicelab.core.made_classes import made_tuple
from dicelab.core.results import DRAW, LOSS, ONGOING, OTHER, WIN
from dicelab.rules.chance import (
    Amount,
    Bools,
    Faces,
    Gain,
    Happening,
    Ints,
    Moment,
    Outcome,
    Throw,
    Way,
)
from dicelab.rules.game import Game, Named, where
from dicelab.rules.house_rules import HouseRules
from dicelab.rules.parts import SO_FAR_FIELD, Tallied
from dicelab.rules.speech import Position

SO_FAR = " so far "


@functools.lru_cache(maxsize=256)
def _tallied(kind: Any) -> Any:
    """Return the positions of a game with one field more: the points so far, in whole parts."""
    return made_tuple(kind.__name__, (*kind._fields, "so_far"), _tallied, kind)


@dataclasses.dataclass(frozen=True)
class SoFar(Game):
    """A game for the chance of so many points, which it counts as it goes.

    Points are counted in whole parts of one; `parts` is 0 until the table of the game itself has
    told how many it takes, and whether points are ever lost (`only_grows`).
    """

    own: Game
    at_least: bool
    number: Fraction
    parts: int = 0
    only_grows: bool = False
    begun: tuple[Position, int] | None = None  # another start, and the points there

    def __str__(self) -> str:
        """Return the game and its aim."""
        started = "" if self.begun is None else f" from {self.notation(self.start())}"
        return f"{self.own} for {self.aim}{started}"

    @property
    def aim(self) -> str:  # type: ignore[override]
        """The purpose, as it was given."""
        return f"at {'least' if self.at_least else 'most'} {self.number}"

    @property
    def unaimed(self) -> Game:
        """The game itself."""
        return self.own

    @property
    def name(self) -> str:  # type: ignore[override]
        """The name of the game itself."""
        return self.own.name

    @property
    def players(self) -> int:  # type: ignore[override]
        """How many play it."""
        return self.own.players

    @property
    def moves(self) -> tuple[str, ...]:  # type: ignore[override]
        """The moves of the game itself."""
        return self.own.moves

    @property
    def strategies(self) -> dict[str, Named]:  # type: ignore[override]
        """The named strategies of the game itself, which see its own positions."""
        return {name: self._lent_maker(maker) for name, maker in self.own.strategies.items()}

    @property
    def throw_numbers(self) -> tuple[str, ...]:  # type: ignore[override]
        """What is read off the dice of the game itself."""
        return self.own.throw_numbers

    def throw_number(self, name: str, at: Position, dice: Faces) -> Ints:
        """Return one of these after a throw."""
        return self.own.throw_number(name, self.inner(at), dice)

    def _lent_maker(self, maker: Named) -> Named:
        @functools.wraps(maker)
        def made(game: SoFar, *given: Any) -> Any:
            return self.lent(maker(self.own, *given))

        return made

    def lent(self, rule: Named) -> Named:
        """Return a strategy of the game itself, asked with its positions."""

        @functools.wraps(rule)
        def asked(at: Position, *more: Any) -> Any:
            # What only shows some of its fields shows them by the same names.
            return rule(self.inner(at) if isinstance(at, tuple) else at, *more)

        return asked

    # Positions

    def inner(self, at: Position) -> Position:
        """Return a position as the game itself has it."""
        return type(self.own.start())(*at[:-1])

    def _with(self, at: Position, so_far: Ints) -> Position:
        kind: Any = type(at)
        return _tallied(kind)(*at, so_far)

    def start(self) -> Position:
        """Return the start, where nothing is gained yet."""
        at, points = (self.own.start(), 0) if self.begun is None else self.begun
        return self._with(at, points)

    def starting(self, at: Position | str) -> Game:
        """Return the same game, for the same aim, begun at another position."""
        place = self.going_on_at(at)
        return dataclasses.replace(self, begun=(self.inner(place), int(place.so_far)))

    def notation(self, at: Position) -> str:
        """Return the notation of the game itself, and the points so far."""
        points = Fraction(int(at.so_far), self.parts or 1)
        return f"{self.own.notation(self.inner(at))}{SO_FAR}{points}"

    def parse(self, text: str) -> Position:
        """Return the position of a notation; without points, none so far."""
        before, told, after = text.rpartition(SO_FAR)
        if not told:
            return self._with(self.own.parse(text), 0)
        try:
            points = Fraction(after.strip()) * (self.parts or 1)
        except (ValueError, ZeroDivisionError):
            raise self.unreadable(text) from None
        if points.denominator != 1:
            raise self.unreadable(text)
        return self._with(self.own.parse(before), int(points))

    # Rules

    def legal(self, at: Position, move: str) -> Bools:
        """Return whether the move is allowed."""
        return self.own.legal(self.inner(at), move)

    def outcomes(self, at: Position, move: str) -> Iterable[Happening]:
        """Yield what chance may do, the points so far counted on."""
        for each in self.own.outcomes(self.inner(at), move):
            if isinstance(each, Throw):
                yield each
                continue
            outcome = Outcome(*each)
            after = self._after(at, outcome.at, outcome.mover, outcome.gain)
            yield Outcome(outcome.chance, after, outcome.mover)

    def ways(self, at: Position, move: str, dice: Faces) -> Iterable[Way]:
        """Yield the ways after a throw, the points so far counted on."""
        for each in self.own.ways(self.inner(at), move, dice):
            way = Way(*each)
            after = self._after(at, way.at, way.mover, way.gain)
            yield Way(way.name, after, way.mover, 0, way.allowed)

    def _after(self, at: Position, after: Position, mover: int, gain: Gain) -> Position:
        points = at.so_far + self._in_parts(gain)
        if self.only_grows:  # beyond what is asked about, all is one
            most = self._number + (0 if self.at_least else 1)
            points = where(points < most, points, most)
        return self._with(after, -points if mover == OTHER and self.players == 2 else points)

    @property
    def _number(self) -> int:
        return int(self.number * (self.parts or 1))

    def _in_parts(self, amount: Gain) -> Ints:
        numerator, whole = amount if isinstance(amount, Amount) else (amount, 1)
        if isinstance(amount, Fraction):
            numerator, whole = amount.numerator, amount.denominator
        return numerator * (self.parts or 1) // whole

    def _ended(self, at: Position, result: Ints) -> Ints:
        """Return what the ends among some positions add, and 0 elsewhere."""
        over = np.asarray(result != ONGOING)
        if not over.any():
            return 0
        if over.all():
            return self._paid(at, result)
        found = np.zeros(over.shape, np.int64)
        ends = type(at)(*(np.broadcast_to(field, over.shape)[over] for field in at))
        found[over] = self._paid(ends, result[over])
        return found

    def _paid(self, at: Position, result: Ints) -> Ints:
        """Return what an end adds, beyond an even share between two, in parts."""
        own = self.own
        if own.pays_ends:
            even = Fraction(own.for_points().total) / 2 if own.players == 2 else 0
            return self._in_parts(own.payoff(at)) - self._in_parts(Fraction(even))
        if own.worth is Game.worth:
            return 0
        even = Fraction(own.total) / 2 if own.players == 2 else Fraction(0)
        won, lost, drawn = (
            self._in_parts(Fraction(own.worth[end]) - even) for end in (WIN, LOSS, DRAW)
        )
        return where(result == WIN, won, where(result == LOSS, lost, drawn))

    def result(self, at: Position) -> Ints:
        """Return WIN where there are so many points, LOSS where there are not.

        Between two it is a win with so many more than the other, a loss with so many fewer.
        """
        inner, number = self.inner(at), self._number
        own = self.own.result(inner)
        own = ONGOING if own is None else own
        points = at.so_far + self._ended(inner, own)
        if self.players == 2:
            ended = where(points >= number, WIN, where(points <= -number, LOSS, DRAW))
            return where(own == ONGOING, ONGOING, ended)
        if self.at_least:
            early = where((points >= number) & self.only_grows, WIN, ONGOING)
            return where(own == ONGOING, early, where(points >= number, WIN, LOSS))
        early = where((points > number) & self.only_grows, LOSS, ONGOING)
        return where(own == ONGOING, early, where(points <= number, WIN, LOSS))

    def dice_of(self, move: str) -> int:
        """Return how many dice a move throws."""
        return self.own.dice_of(move)

    def dice_at(self, at: Position, move: str) -> int:
        """Return how many dice a move throws at one position."""
        return self.own.dice_at(self.inner(at), move)

    def after(self, at: Position, move: str, faces: Faces) -> Outcome:
        """Return what follows a move when its dice show these faces."""
        outcome = self.own.after(self.inner(at), move, faces)
        if isinstance(outcome.at, Moment):  # a choice comes first
            return outcome._replace(at=outcome.at._replace(at=at))
        after = self._after(at, outcome.at, outcome.mover, outcome.gain)
        return Outcome(outcome.chance, after, outcome.mover)

    def branching(self) -> float | None:
        """Return about how many outcomes a position has."""
        return self.own.branching()


@dataclasses.dataclass(frozen=True)
class SoFarHouse(SoFar, HouseRules):
    """The same for house rules, whose positions may be anything."""

    def choices(self, at: Position) -> Iterable[str]:
        """Return the moves allowed at a position."""
        own = self.own
        assert isinstance(own, HouseRules)
        return own.choices(self.inner(at))

    def legal_moves(self, at: Position) -> list[str]:
        """Return the moves allowed at one position, or a moment's ways."""
        return Game.legal_moves(self, at) if isinstance(at, Moment) else list(self.choices(at))

    def inner(self, at: Position) -> Position:
        """Return a position as the game itself has it."""
        return at.at

    def counters(self, at: Position, mine: bool = True) -> JsonObject:
        """Return the fields of a position by name, and what was gained so far."""
        return {**self.own.counters(at.at, mine), SO_FAR_FIELD: at.so_far}

    def _with(self, at: Position, so_far: Ints) -> Position:
        return Tallied(at, so_far)
