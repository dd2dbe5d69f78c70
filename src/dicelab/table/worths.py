"""Worths: how the players count, and how the solvers count for them.

The solvers count from what a game that never ends is worth, which is 0 to them, in a unit that
makes the largest worth about 1, and always want the most. Values come back in the players' own
unit with bounds that are rounded outward, also where a worth such as 11/6 is no float.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from dicelab.core.arrays import Floats, Numbers
from dicelab.core.exact import at_least, at_most
from dicelab.rules import LOSS, WIN
from dicelab.table.table import Table

EASY = 2**10
"""Worths up to this, and down to one over it, are counted in the unit that they come in."""


def unit_of(numbers: Iterable[Fraction]) -> Fraction:
    """Return a power of two that measures numbers: 1, unless they are very large or very small."""
    largest = max(map(abs, numbers), default=Fraction(0))
    if largest == 0 or Fraction(1, EASY) <= largest <= EASY:
        return Fraction(1)
    power = largest.numerator.bit_length() - largest.denominator.bit_length()
    return Fraction(2) ** power


@dataclass(frozen=True)
class Counting:
    """How worths become the solvers' numbers, and their values worths again."""

    worth: Mapping[int, Fraction]  # what each end is worth, as the players count
    zero: Fraction  # what the solvers call 0
    unit: Fraction = Fraction(1)  # what the solvers call 1
    sign: int = 1  # -1 where the value is a cost
    is_clipped: bool = True  # nothing is gained on the way, so no value is beyond its ends

    def inside(self, worth: Fraction) -> Fraction:
        """Return a worth as the solvers count."""
        return self.sign * (worth - self.zero) / self.unit

    @property
    def ends(self) -> dict[int, tuple[Fraction, ...]]:
        """What each end is worth to the one player whose values are looked for."""
        return {result: (self.inside(worth),) for result, worth in self.worth.items()}

    def exactly(self, values: Numbers) -> Numbers:
        """Return rationals of the solvers as the players count."""
        return values * (self.sign * self.unit) + self.zero

    def bounded(self, values: Numbers, errors: Floats) -> tuple[Floats, Floats, Floats]:
        """Return floats of the solvers as the players count, with lower and upper bounds.

        The arrays that come in are used up: new pages of memory cost more than the arithmetic.
        """
        if self.unit != 1:
            values *= float(self.unit)
            errors *= float(self.unit)
        if self.sign < 0:
            np.negative(values, out=values)
        values += float(self.zero)
        lowers = np.abs(values)
        lowers += errors
        np.maximum(lowers, float(max(self.unit, *map(abs, self.worth.values()))), out=lowers)
        lowers *= self._rounding
        errors += lowers
        np.subtract(values, errors, out=lowers)
        uppers = np.add(values, errors, out=errors)
        if self.is_clipped:
            # Rounding may leave a value of 1.00002 in a game that hardly ever ends.
            least, most = at_most(min(self.worth.values())), at_least(max(self.worth.values()))
            np.clip(values, least, most, out=values)
            np.maximum(lowers, least, out=lowers)
            np.minimum(uppers, most, out=uppers)
        return values, lowers, uppers

    @property
    def _rounding(self) -> float:
        """The share of a value that is lost on the way back.

        Adding the zero and making the bounds cost a part in 2^53 each, and so does a zero that is
        no float. What is lost where the worth of an end is no float, the certificate counts.
        """
        return 2.0**-52 if float(self.zero) == self.zero else 2.0**-51


def counted(table: Table) -> Counting:
    """Return how the solvers count for a game that is played as well as can be.

    Between two players a game that never ends is a draw. Alone it is worth a loss, or takes for
    ever where the fewest are wanted.
    """
    game, worth = table.game, table.worth
    alone = Fraction(0) if game.fewest else worth[LOSS]
    zero = (worth[WIN] + worth[LOSS]) / 2 if game.players == 2 else alone
    unit = unit_of([*(each - zero for each in worth.values()), *table.gains])
    return Counting(worth, zero, unit, -1 if game.fewest else 1, not table.is_for_points)


def counted_for_reply(table: Table) -> Counting:
    """Return how the solvers count for who replies: a game that never ends is worth a loss."""
    worth, lost = table.worth, table.worth[LOSS]
    return Counting(worth, lost, unit_of(each - lost for each in worth.values()))
