"""Small matches of rounds, written by the tests: points alone, and circles for two."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, NamedTuple

import numpy as np

from dicelab.rounds.match import Match, Throws
from dicelab.rounds.rules import Round
from dicelab.rules import DRAW, LOSS, ONGOING, OTHER, SAME, WIN, Way, where
from dicelab.rules.dice import Die


class Tokens(NamedTuple):
    mine: int
    yours: int
    beat: int  # 0: I throw first; else one more than the other's sum


@dataclass(frozen=True)
class ToAndFro(Match):
    """Two throw a round each; the lower sum takes a token from the other; a tie gives nothing.

    Who has none left has won. Tokens may come back, so standings lie in circles.
    """

    tokens: int = 2
    casts: int = 2
    name: ClassVar[str] = "to-and-fro"

    @property
    def _sums(self):
        numbers = self.rounds[0].round.numbers
        return np.array([sum(numbers.faces_of(each)) for each in numbers.full])

    @property
    def rounds(self) -> tuple[Throws, ...]:
        die = Die(3)
        return (
            Throws(Round(2, die, self.casts, "aside"), "first"),
            Throws(Round(2, die, self.casts, "aside"), "next"),
        )

    def opening(self) -> Tokens:
        return Tokens(self.tokens, self.tokens, 0)

    def ended(self, standing):
        return where(standing.mine == 0, WIN, where(standing.yours == 0, LOSS, ONGOING))

    def round_at(self, standing):
        return where(standing.beat > 0, 1, 0)

    def leads(self, standing, cast, result) -> Iterable[Way]:
        mine, yours, beat = standing
        made = self._sums[result]
        lower = where(made + 1 < beat, 1, 0)
        higher = where(made + 1 > beat, 1, 0)
        settled = (beat > 0) * (lower - higher)  # tokens that I take
        after = Tokens(yours - settled, mine + settled, where(beat > 0, 0, made + 1))
        yield Way("stop", after, OTHER)


class Card(NamedTuple):
    filled: int
    upper: int


@dataclass(frozen=True)
class SmallCard(Match):
    """Three dice with four faces and four boxes; 5 points for 6 in the first two boxes."""

    players: ClassVar[int] = 1
    casts: int = 2
    worth: ClassVar = dict.fromkeys((WIN, LOSS, DRAW), Fraction(0))
    unit: ClassVar[str] = "points"
    name: ClassVar[str] = "small-card"

    @property
    def rounds(self) -> tuple[Throws, ...]:
        return (Throws(Round(3, Die(4), self.casts, "any")),)

    def opening(self) -> Card:
        return Card(0, 0)

    def ended(self, standing):
        return where(standing.filled == 15, DRAW, ONGOING)

    def leads(self, standing, cast, result) -> Iterable[Way]:
        numbers = self.rounds[0].round.numbers
        dice = [numbers.faces_of(each) for each in numbers.full]
        boxes = (
            lambda one: 3 * one.count(3),
            lambda one: 4 * one.count(4),
            lambda one: 10 if len(set(one)) == 1 else 0,
            sum,
        )
        for box, score in enumerate(boxes):
            points = np.array([score(one) for one in dice])[result]
            upper = standing.upper + (points if box < 2 else 0 * points)
            bonus = where((upper >= 12) & (standing.upper < 12), 5, 0)
            at = Card(standing.filled | 1 << box, where(upper < 12, upper, 12))
            yield Way(f"box {box}", at, SAME, points + bonus, (standing.filled >> box & 1) == 0)
