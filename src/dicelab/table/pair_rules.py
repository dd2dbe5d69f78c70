"""Rules for both at once, asked as if one player made both moves.

A pair of moves is one move of a player alone, so that what finds the positions of any game finds
those of a game at once, with all that is checked on the way. The pair is called after both moves,
which is how refusals name it: "the chances after roll against hold at 0-0 sum to 5/6".
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from dicelab.core.lazy import Remembers, lazy
from dicelab.rules import (
    OTHER,
    SEEN_BY_OTHER,
    Amount,
    Bools,
    Gain,
    Game,
    HouseRules,
    Ints,
    Outcome,
    Position,
    answers,
    contract_at_once,
    where,
)


class Pair(NamedTuple):
    """What both play: who looks, or sits first where the seats differ, and the other."""

    mine: str
    yours: str

    def __str__(self) -> str:
        """Return the name of the pair as one move."""
        return f"{self.mine} against {self.yours}"


@dataclasses.dataclass(frozen=True)
class PairRules(Remembers, Game):
    """The pairs of moves of a game at once as the moves of one player, on arrays."""

    rules: Any  # a SimultaneousGame

    @property
    def worth(self) -> Mapping[int, Fraction]:  # type: ignore[override]
        """What each end is worth to who looks."""
        return self.rules.worth

    @lazy
    def pairs(self) -> dict[str, Pair]:
        """The pairs of moves by the name of the pair."""
        every = (Pair(mine, yours) for mine in self.rules.moves for yours in self.rules.moves)
        return {str(pair): pair for pair in every}

    @lazy
    def moves(self) -> tuple[str, ...]:
        """The names of all pairs of moves."""
        return tuple(self.pairs)

    @property
    def pays_ends(self) -> bool:
        """Whether the rules say what each single end is worth."""
        return self.rules.pays_ends

    def for_points(self) -> Game:
        """Return the same of a game that says of itself that it is for points."""
        return type(self)(self.rules.for_points())

    def start(self) -> Position:
        """Return where the game starts, as who sits first sees it."""
        return self.rules.start()

    def everywhere(self) -> Position:
        """Return the start as the other player sees it, and what the rules want to be held."""
        own, turned = self.rules.everywhere(), self.rules.mirror(self.rules.start())
        if own is None:
            return turned
        fields = zip(own, self.rules.mirror(own), turned, strict=True)
        return type(turned)(*(np.concatenate([np.ravel(part) for part in each]) for each in fields))

    def size(self) -> int | None:
        """Return about how many positions there are."""
        return self.rules.size()

    def branching(self) -> float | None:
        """Return about how many outcomes a position has."""
        return self.rules.branching()

    def notation(self, at: Position) -> str:
        """Return the notation of a position."""
        return self.rules.notation(at)

    def __str__(self) -> str:
        """Return the game."""
        return str(self.rules)

    def _first(self, at: Position) -> Position:
        """Return positions as who sits first sees them, where the seats differ."""
        return at._replace(seat=0 * at.seat) if self.rules.seats_differ else at

    def _turned(self, at: Position) -> Bools:
        """Return where who looks sits second, in a game whose seats differ."""
        return at.seat != 0 if self.rules.seats_differ else False

    def legal(self, at: Position, move: str) -> Bools:
        """Return whether both moves of a pair are allowed."""
        first, pair = self._first(at), self.pairs[move]
        mine = np.asarray(self.rules.legal(first, pair.mine), bool)
        return mine & np.asarray(self.rules.legal(self.rules.mirror(first), pair.yours), bool)

    def outcomes(self, at: Position, move: str) -> Iterator[Outcome]:
        """Yield what may follow a pair of moves, seen by who looks."""
        first, turned, pair = self._first(at), self._turned(at), self.pairs[move]
        for each in self.rules.outcomes(first, *pair):
            chance, after, gain = contract_at_once.outcome_at_once(self.rules, at, move, each)
            if self.rules.seats_differ:
                contract_at_once.check_seat(self.rules, after, move)
                after = after._replace(seat=at.seat)
                gain = _seen(turned, gain)
            yield Outcome(chance, after, OTHER, gain)

    def result(self, at: Position) -> Ints:
        """Return how the game stands for who looks."""
        told = self.rules.result(self._first(at))
        if not self.rules.seats_differ:
            return told
        told = answers.check_results(self.rules, told, at)
        return np.where(self._turned(at), np.array(list(SEEN_BY_OTHER.values()))[told], told)

    def payoff(self, at: Position) -> Gain:
        """Return what the end at a position is worth to who looks."""
        told = self.rules.payoff(self._first(at))
        if not self.rules.seats_differ:
            return told
        total, (top, whole) = Fraction(self.rules.total), _amount(told)
        top, rest = top * total.denominator, total.numerator * whole - top * total.denominator
        return Amount(where(self._turned(at), rest, top), whole * total.denominator)


def _amount(told: Any) -> Amount:
    """Return a gain or a worth as whole numbers over one denominator."""
    if isinstance(told, Amount):
        return told
    whole = told.denominator if isinstance(told, Fraction) else 1
    return Amount(told.numerator if isinstance(told, Fraction) else told, whole)


def _seen(turned: Bools, gain: Gain) -> Gain:
    """Return what who looks gains, where the first player's gain is told."""
    if isinstance(gain, int | Fraction) and not gain:
        return gain
    top, whole = _amount(gain)
    return Amount(where(turned, -1, 1) * top, whole)


@dataclasses.dataclass(frozen=True)
class PairHouseRules(PairRules, HouseRules):
    """The same for house rules, one position at a time."""

    @lazy
    def pairs(self) -> dict[str, Pair]:
        """The pairs of moves that were met, by the name of the pair."""
        return {}

    @lazy
    def moves(self) -> tuple[str, ...]:
        """Nothing: house rules name their moves as they go."""
        return ()

    def everywhere(self) -> list[Position]:
        """Return the start as the other player sees it, in a list."""
        return [self.rules.mirror(self.rules.start())]

    def choices(self, at: Position) -> list[str]:
        """Return the pairs of moves allowed at a position."""
        rules, first = self.rules, self._first(at)
        sides = [
            answers.check_choices(rules, each, rules.choices(each))
            for each in (first, rules.mirror(first))
        ]
        pairs = [Pair(mine, yours) for mine in sides[0] for yours in sides[1]]
        self.pairs.update((str(pair), pair) for pair in pairs)
        return [str(pair) for pair in pairs]

    def legal(self, at: Position, move: str) -> bool:
        """Return whether a pair of moves is allowed."""
        return move in self.choices(at)

    def result(self, at: Position) -> Ints:
        """Return how the game stands for who looks."""
        told = self.rules.result(self._first(at))
        return SEEN_BY_OTHER.get(told, told) if self._turned(at) else told


def pair_rules(game: Game) -> PairRules:
    """Return the pairs of moves of a game at once as the moves of one player."""
    return PairHouseRules(game) if isinstance(game, HouseRules) else PairRules(game)
