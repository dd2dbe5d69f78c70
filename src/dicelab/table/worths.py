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

    worth: Mapping[int, tuple[Fraction, ...]]  # what each end is worth, seat by seat, to players
    zero: Fraction  # what the solvers call 0
    unit: Fraction = Fraction(1)  # what the solvers call 1
    sign: int = 1  # -1 where the value is a cost
    is_clipped: bool = True  # nothing is gained on the way, so no value is beyond its ends
    is_shared: bool = False  # between two: the other gets as much less than 0 as one gets more

    def inside(self, worth: Fraction) -> Fraction:
        """Return a worth as the solvers count."""
        return self.sign * (worth - self.zero) / self.unit

    @property
    def ends(self) -> dict[int, tuple[Fraction, ...]]:
        """What each end is worth to the one player whose values are looked for, seat by seat."""
        return {end: tuple(map(self.inside, worths)) for end, worths in self.worth.items()}

    @property
    def _worths(self) -> list[Fraction]:
        """Everything that play may be worth where nothing is gained on the way."""
        found = [self.zero, *(worth for worths in self.worth.values() for worth in worths)]
        return found + [2 * self.zero - worth for worth in found] if self.is_shared else found

    def exactly(self, values: Numbers) -> Numbers:
        """Return rationals of the solvers as the players count."""
        return values * (self.sign * self.unit) + self.zero

    def told(self, values: Numbers, errors: Floats | None) -> tuple[Numbers, Numbers, Numbers]:
        """Return values of the solvers as the players count, with lower and upper bounds.

        Without errors they are rationals, which bound themselves; else both arrays are used up.
        """
        return (self.exactly(values),) * 3 if errors is None else self.bounded(values, errors)

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
        np.maximum(lowers, float(max(self.unit, *map(abs, self._worths))), out=lowers)
        lowers *= self._rounding
        errors += lowers
        np.subtract(values, errors, out=lowers)
        uppers = np.add(values, errors, out=errors)
        if self.is_clipped:
            # Rounding may leave a value of 1.00002 in a game that hardly ever ends.
            least, most = at_most(min(self._worths)), at_least(max(self._worths))
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

    Between two players a game that never ends is an even share. Alone it is worth what the rules
    say, or takes for ever where the fewest are wanted.
    """
    two = table.game.players == 2
    zero = table.even if two else table.never or Fraction(0)
    return _counting(table, {end: worths[:1] for end, worths in table.ends.items()}, zero, two)


def counted_for_reply(table: Table, never: Fraction) -> Counting:
    """Return how the solvers count for who replies, who gets `never` from a game without an end.

    Worths go by who is about to move: the player who replies, the next in turn, and so on. The one
    before him in turn sees him as the next.
    """
    seen = {end: (worths[0], *worths[:0:-1]) for end, worths in table.ends.items()}
    return _counting(table, seen, never, False)


def _counting(
    table: Table, worth: Mapping[int, tuple[Fraction, ...]], zero: Fraction, shared: bool
) -> Counting:
    worths = [each - zero for worths in worth.values() for each in worths]
    unit, fewest = unit_of([*worths, *table.gains]), table.game.fewest
    clipped = not (table.has_gains or fewest)
    return Counting(worth, zero, unit, -1 if fewest else 1, clipped, shared)
