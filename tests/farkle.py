"""A game like Farkle, on arrays and in plain Python, that may say how large it is."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import comb
from typing import NamedTuple

import numpy as np

from dicelab import Game, HouseRules
from dicelab.rules import LOSS, ONGOING, OTHER, SAME, Chance, Outcome

ROLL, BANK = "roll", "bank"
WAYS = np.array(
    [
        [comb(n, s) * 2 ** (n - s) * 3 ** (6 - n) if s <= n else 0 for n in range(7)]
        for s in range(7)
    ]
)
"""Of 3**6: that so many of so many dice score, each with a chance of 1/3. `[scoring, thrown]`"""


class Throws(NamedTuple):
    """Both scores, the points of the turn, and the dice left to throw."""

    mine: int
    yours: int
    turn: int
    dice: int


@dataclass(frozen=True)
class Farkle(Game):
    """Throw what is left of six dice, and put aside those that score; none is a bust."""

    name = "farkle"
    moves = (ROLL, BANK)
    target: int = 30
    sized: bool = False

    def size(self):
        return int(1.1 * self.target**3) if self.sized else None

    def branching(self):
        return 6.0 if self.sized else None

    def start(self):
        return Throws(0, 0, 0, 6)

    def result(self, at):
        return np.where(at.yours >= self.target, LOSS, ONGOING)

    def legal(self, at, move):
        return at.turn > 0 if move == BANK else at.mine + at.turn < self.target

    def outcomes(self, at: Throws, move: str) -> Iterator[Outcome]:
        none = 0 * at.mine
        if move == BANK:
            yield Outcome(1, Throws(at.yours, at.mine + at.turn, none, none + 6), OTHER)
            return
        yield Outcome(
            Chance(WAYS[0][at.dice], 729), Throws(at.yours, at.mine, none, none + 6), OTHER
        )
        for scoring in range(1, 7):
            turn = np.minimum(at.turn + scoring, self.target - at.mine)
            left = np.where(at.dice > scoring, at.dice - scoring, 6)
            yield Outcome(
                Chance(WAYS[scoring][at.dice], 729), Throws(at.mine, at.yours, turn, left), SAME
            )


@dataclass(frozen=True)
class HouseFarkle(HouseRules):
    """The same in plain Python."""

    name = "house-farkle"
    target: int = 10

    def start(self):
        return Throws(0, 0, 0, 6)

    def result(self, at):
        return LOSS if at.yours >= self.target else ONGOING

    def choices(self, at):
        moves = [BANK] if at.turn else []
        return moves + ([ROLL] if at.mine + at.turn < self.target else [])

    def outcomes(self, at, move):
        if move == BANK:
            return [(1, Throws(at.yours, at.mine + at.turn, 0, 6), OTHER)]
        found = [(Fraction(int(WAYS[0][at.dice]), 729), Throws(at.yours, at.mine, 0, 6), OTHER)]
        for scoring in range(1, at.dice + 1):
            turn = min(at.turn + scoring, self.target - at.mine)
            left = at.dice - scoring or 6
            chance = Fraction(int(WAYS[scoring][at.dice]), 729)
            found.append((chance, Throws(at.mine, at.yours, turn, left), SAME))
        return found
