"""Chances as people write them, read exactly.

A chance is an int, a Fraction, a string such as ``"1/3"`` or ``"0.25"``, or a float. A float means
what you wrote, not its binary digits: ``0.1`` is 1/10. One with more than 15 digits was computed,
as ``1/3`` is; it is then the nearest simple fraction, if there is one within its rounding.

>>> exactly(0.1), exactly(1 / 3), exactly("2/7")
(Fraction(1, 10), Fraction(1, 3), Fraction(2, 7))
"""

import math
import re
from collections.abc import Callable, Iterable
from decimal import Decimal
from fractions import Fraction
from numbers import Rational
from typing import Any, TypeVar

Made = TypeVar("Made")
Number = int | float | str | Fraction
"""How a chance may be written."""

PARTS = 10**6
"""Parts that chances which were computed are rounded to, so that they are exact numbers."""

# No exponents: Fraction("1e999999999") would fill the memory with zeros.
WRITTEN = re.compile(r"[+-]?(?:[0-9]+(?:/[0-9]+)?|[0-9]*\.[0-9]+)")


def exactly(chance: Any) -> Fraction | None:
    """Return a chance as a Fraction, or None where it cannot be read."""
    if isinstance(chance, float):
        return _typed(float(chance)) if math.isfinite(chance) else None
    if isinstance(chance, Rational):
        return Fraction(int(chance.numerator), int(chance.denominator))
    if isinstance(chance, str) and WRITTEN.fullmatch(chance.strip()):
        try:
            return Fraction(chance.strip())
        except (ValueError, ZeroDivisionError):
            return None
    return None


def at_most(number: Any) -> float:
    """Return the largest float that is not above a number."""
    near = float(number)
    return near if near <= number else math.nextafter(near, -math.inf)


def at_least(number: Any) -> float:
    """Return the smallest float that is not below a number."""
    return 0.0 - at_most(-number)


def each_once(work: Callable[[Any], Made], chances: Iterable[Any]) -> list[Made]:
    """Return what becomes of each chance; the work is done once for many that are one object."""
    several = list(chances)
    known = {key: work(one) for key, one in {id(one): one for one in several}.items()}
    return [known[id(one)] for one in several]


def _typed(number: float) -> Fraction:
    """Return the number someone meant when they wrote or computed this float."""
    decimal = Fraction(repr(number))
    if len(Decimal(repr(number)).as_tuple().digits) <= 15:
        return decimal
    # 1 - 2/3 is off by a rounding of numbers near 1, so the tolerance is that of 1.0. Fractions
    # this simple lie 1e-12 apart, so at most one of them is so near.
    near = Fraction(number).limit_denominator(10**6)
    return near if near and abs(near - Fraction(number)) <= Fraction(math.ulp(1.0)) else decimal
