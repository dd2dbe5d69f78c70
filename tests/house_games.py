"""Two known games as a stranger would write them in an evening: Hog and the Royal Game of Ur.

Both are house rules, with no thought of speed: `benchmarks/house.py` times them.
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import product
from math import comb
from typing import NamedTuple

from dicelab import LOSS, ONGOING, OTHER, SAME, HouseRules


class Scores(NamedTuple):
    """My score and yours."""

    mine: int
    yours: int


@lru_cache
def ways_of(number: int) -> dict[int, int]:
    """Return in how many ways a throw scores its points: the sum, or 1 where a die shows 1."""
    sums = {0: 1}
    for _ in range(number):
        longer: dict[int, int] = {}
        for (total, ways), face in product(sums.items(), range(2, 7)):
            longer[total + face] = longer.get(total + face, 0) + ways
        sums = longer
    return {1: 6**number - 5**number, **sums}


def law_of(number: int) -> dict[int, Fraction]:
    """Return the chances of what a throw scores."""
    return {points: Fraction(ways, 6**number) for points, ways in ways_of(number).items()}


kept_law_of = lru_cache(law_of)


@dataclass(frozen=True)
class Hog(HouseRules):
    """Throw as many dice as you like; any 1 spoils them, and none at all takes the free bacon."""

    dice: int = 10
    target: int = 100
    once: bool = True  # the chances of a throw are worked out once, and not for every position

    name = "house-hog"

    def start(self):
        return Scores(0, 0)

    def choices(self, at):
        return [f"roll {number}" for number in range(self.dice + 1)]

    def outcomes(self, at, move):
        number = int(move.split()[1])
        if number == 0:
            bacon = 1 + max(at.yours // 10, at.yours % 10)
            yield 1, Scores(at.yours, min(at.mine + bacon, self.target)), OTHER
            return
        law = kept_law_of(number) if self.once else law_of(number)
        for points, chance in law.items():
            yield chance, Scores(at.yours, min(at.mine + points, self.target)), OTHER

    def result(self, at):
        return LOSS if at.yours >= self.target else ONGOING


class Board(NamedTuple):
    """Where my pieces are and where yours are, and what the four two-sided dice show."""

    mine: tuple[int, ...]
    yours: tuple[int, ...]
    shown: int | None  # None before the first throw


ROSETTES = (4, 8, 14)
SHARED = range(5, 13)
HOME = 15
SHOWN = [Fraction(comb(4, number), 16) for number in range(5)]


@dataclass(frozen=True)
class Ur(HouseRules):
    """The Royal Game of Ur: fourteen squares, eight of them shared, and a safe one among these."""

    pieces: int = 3

    name = "house-ur"

    def start(self):
        return Board((0,) * self.pieces, (0,) * self.pieces, None)

    def choices(self, at):
        if at.shown is None:
            return ["throw"]
        moves = []
        for place in sorted(set(at.mine) - {HOME}):
            to = place + at.shown
            taken = to in at.mine and to != HOME
            safe = to == 8 and 8 in at.yours
            if at.shown and to <= HOME and not taken and not safe:
                moves.append(f"move {place}")
        return moves or ["pass"]

    def outcomes(self, at, move):
        mine, yours, to = list(at.mine), list(at.yours), 0
        if move.startswith("move"):
            place = int(move.split()[1])
            to = place + at.shown
            mine[mine.index(place)] = to
            if to in SHARED and to in yours:
                yours[yours.index(to)] = 0
        mine, yours = tuple(sorted(mine)), tuple(sorted(yours))
        for shown, chance in enumerate(SHOWN):
            if to in ROSETTES or move == "throw":
                yield chance, Board(mine, yours, shown), SAME
            else:
                yield chance, Board(yours, mine, shown), OTHER

    def result(self, at):
        return LOSS if set(at.yours) == {HOME} else ONGOING
