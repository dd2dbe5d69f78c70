"""Games as a stranger would write them: over arrays, and as house rules with tuples.

At Ladder and Heap one chooses and then throws; at Perch and Barrel one throws and then chooses.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, NamedTuple

from dicelab import (
    DRAW,
    LOSS,
    ONGOING,
    OTHER,
    SAME,
    WIN,
    Die,
    Game,
    HouseRules,
    Throw,
    Way,
    both,
    strategy,
    where,
)

HALF = Fraction(1, 2)
FOUR_SIDED = Die(4)


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


@dataclass(frozen=True)
class Purse(HouseRules):
    """For coins: the first player takes what a die of three faces shows from the other."""

    throws: int = 1
    name = "purse"
    unit = "coins"

    def start(self):
        return self.throws

    def choices(self, at):
        return ["throw"]

    def outcomes(self, at, move):
        for face in (1, 2, 3):
            yield Fraction(1, 3), at - 1, OTHER, face

    def result(self, at):
        return None if at else DRAW


@dataclass(frozen=True)
class Standoff(HouseRules):
    """Who draws first loses: best play waits for ever."""

    name = "standoff"

    def start(self):
        return 0

    def choices(self, at):
        return ["wait", "draw"]

    def outcomes(self, at, move):
        yield 1, int(move == "draw"), OTHER

    def result(self, at):
        return WIN if at else None


@dataclass(frozen=True)
class Miles:
    """A position that is a dataclass."""

    mine: int
    yours: int


@dataclass(frozen=True)
class Coach(HouseRules):
    """Step one mile, or toss a coin for three; the first at five wins."""

    name = "coach"

    def start(self):
        return Miles(0, 0)

    def choices(self, at):
        return ["step", "toss"]

    def outcomes(self, at, move):
        for miles in (1,) if move == "step" else (0, 3):
            yield Fraction(1, 1 if move == "step" else 2), Miles(at.yours, at.mine + miles), OTHER

    def result(self, at):
        return LOSS if at.yours >= 5 else None


class Stake(NamedTuple):
    """What I have banked, what the other has, and what is at risk."""

    mine: int
    yours: int
    risk: int


@dataclass(frozen=True)
class Perch(Game):
    """Throw a die; a 1 costs the turn. Bank the throw and the risk, or risk the throw twice."""

    target: int = 10
    die: Die = FOUR_SIDED
    moves: ClassVar[tuple[str, ...]] = ("throw", "hold")

    def start(self):
        return Stake(0, 0, 0)

    def legal(self, at, move):
        return at.risk >= (0 if move == "throw" else 1)

    def outcomes(self, at, move):
        if move == "hold":
            yield 1, Stake(at.yours, at.mine + at.risk, 0 * at.risk), OTHER
            return
        for face, chance in self.die:
            yield Throw(chance, (face,))

    def ways(self, at, move, dice):
        (face,) = dice
        if face == 1:
            yield Way("pass", Stake(at.yours, at.mine, 0 * at.risk), OTHER)
            return
        yield Way("bank", Stake(at.yours, at.mine + at.risk + face, 0 * at.risk), OTHER)
        more = at.risk + 2 * face
        yield Way("press", at._replace(risk=more), SAME, 0, at.mine + more < self.target)

    def result(self, at):
        return where(at.yours >= self.target, LOSS, ONGOING)

    def dice_of(self, move):
        return 1 if move == "throw" else 0


@strategy(Perch, "press-below")
def _press_below(game, enough: int = 4):
    """Throw, and press while less than so much is at risk."""

    def choose(at, threw=None):
        if threw is None:
            return where(at.risk >= enough, "hold", "throw")
        could = at.mine + at.risk + 2 * threw[0] < game.target
        return where(both(at.risk < enough, could), "press", "bank")

    return choose


@dataclass(frozen=True)
class Barrel(HouseRules):
    """Toss a coin or roll a die, then take as many matches as it shows, or one; the last wins."""

    matches: int = 6

    def start(self):
        return (self.matches, "fresh")

    def choices(self, at):
        return ["toss", "roll"] if at[1] == "fresh" else ["roll"]

    def outcomes(self, at, move):
        faces = (1, 2) if move == "toss" else (1, 2, 3)
        return [Throw(Fraction(1, len(faces)), face) for face in faces]

    def ways(self, at, move, dice):
        used = "used" if move == "toss" else at[1]
        for taken in sorted({1, min(dice, at[0])}):
            yield f"take {taken}", (at[0] - taken, used), OTHER

    def result(self, at):
        return LOSS if at[0] == 0 else None
