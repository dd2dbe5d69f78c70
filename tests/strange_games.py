"""Two games as a stranger would write them: one over arrays, one as house rules with tuples."""

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, NamedTuple

from dicelab import LOSS, ONGOING, OTHER, SAME, WIN, Game, HouseRules, where

HALF = Fraction(1, 2)


class Steps(NamedTuple):
    """How far I am, how far the other is, and what lies in the pot."""

    here: int
    there: int
    pot: int


@dataclass(frozen=True)
class Ladder(Game):
    """Put a step into the pot, or take the pot and let the other climb."""

    top: int = 5
    moves: ClassVar[tuple[str, ...]] = ("climb", "take")

    def start(self):
        return Steps(0, 0, 0)

    def legal(self, at, move):
        return at.pot >= (0 if move == "climb" else 1)

    def outcomes(self, at, move):
        if move == "take":
            yield 1, Steps(at.there, at.here + at.pot, 0 * at.pot), OTHER
        else:
            yield HALF, Steps(at.here, at.there, at.pot + 1), SAME
            yield HALF, Steps(at.there, at.here, 0 * at.pot), OTHER

    def result(self, at):
        over = where(at.here + at.pot >= self.top, WIN, ONGOING)
        return where(at.there >= self.top, LOSS, over)


@dataclass(frozen=True)
class Heap(HouseRules):
    """Take one or two matches from a heap; a coin may take one more. Who takes the last wins."""

    matches: int = 7

    def start(self):
        return (self.matches, 0)

    def choices(self, at):
        return ["1", "2"] if at[0] > 1 else ["1"]

    def outcomes(self, at, move):
        left = at[0] - int(move)
        yield HALF, (left, at[1] + 1), OTHER
        yield HALF, (max(0, left - 1), at[1] + 1), OTHER

    def result(self, at):
        return LOSS if at[0] == 0 else None
