"""Chances and worths as people write them, read exactly.

A number is an int, a Fraction, a Decimal, a string such as ``"1/3"``, ``"0.25"`` or ``"1e-3"``, or
a float of any width. A float means what you wrote, not its binary digits: ``0.1`` is 1/10. One with
more than 15 digits was computed, as ``1/3`` is; it is then the nearest simple fraction, if there is
one within its rounding.

>>> exactly(0.1), exactly(1 / 3), exactly("2/7"), exactly("1e-3")
(Fraction(1, 10), Fraction(1, 3), Fraction(2, 7), Fraction(1, 1000))
"""

import math
import re
from collections.abc import Callable, Iterable
from decimal import Decimal
from fractions import Fraction
from numbers import Rational
from typing import TypeVar

import numpy as np

from dicelab.core.arrays import Real

Made = TypeVar("Made")
One = TypeVar("One")
Number = int | float | str | Fraction
"""How a chance may be written."""

PARTS = 10**6
"""Parts that chances which were computed are rounded to, so that they are exact numbers."""

# Short exponents: Fraction("1e999999999") would fill the memory with zeros.
WRITTEN = re.compile(r"[+-]?(?:[0-9]+/[0-9]+|(?:[0-9]+\.?|[0-9]*\.[0-9]+)(?:[eE][+-]?[0-9]{1,3})?)")


def exactly(number: object) -> Fraction | None:
    """Return a number as a Fraction, or None where it cannot be read."""
    if isinstance(number, float):
        return _typed(float(number)) if math.isfinite(number) else None
    if isinstance(number, Rational | np.bool_):
        number = int(number) if isinstance(number, np.bool_) else number
        return Fraction(int(number.numerator), int(number.denominator))
    if isinstance(number, Decimal | np.floating):
        number = str(number)  # the shortest digits that mean this number
    if isinstance(number, str) and WRITTEN.fullmatch(number.strip()):
        try:
            return Fraction(number.strip())
        except (ValueError, ZeroDivisionError):
            return None
    return None


LONGEST = 14_000
"""Bits of a denominator beyond which Python refuses to print a fraction."""
SIGNS = 60
"""Signs beyond which people are spared a fraction."""


def fraction(number: Fraction) -> str | None:
    """Return a fraction as text, or None where it is longer than Python prints."""
    return str(number) if number.denominator.bit_length() < LONGEST else None


def decimal(number: Fraction) -> str:
    """Return six digits of a number. Where they would pass for a round one, the rest is told too.

    >>> decimal(Fraction(1, 3)), decimal(Fraction(1, 2)), decimal(10 - Fraction(1, 10**35))
    ('0.333333', '0.5', '10 less 1e-35')
    """
    near = f"{float(number):.6g}"
    rest = number - Fraction(near)
    if not rest:
        return near
    if len(near.partition("e")[0].replace(".", "").strip("-0")) > 2:
        return f"{float(number):#.6g}".removesuffix(".")
    size = f"{Decimal(abs(rest).numerator) / Decimal(rest.denominator):.2e}"
    head, _, power = size.partition("e")
    size = f"{head.rstrip('0').rstrip('.')}e{int(power):+03d}"
    if near.strip("-") == "0":
        return f"-{size}" if rest < 0 else size
    return f"{near} {'less' if rest < 0 else 'plus'} {size}"


def told(number: Fraction) -> str:
    """Return a fraction with its decimal, for people."""
    text = fraction(number)
    if text is None or len(text) > SIGNS:
        return f"{decimal(number)} (exactly a fraction of more than {SIGNS} signs)"
    return text if number.denominator == 1 else f"{text} = {decimal(number)}"


def at_most(number: Real) -> float:
    """Return the largest float that is not above a number."""
    near = float(number)
    return near if near <= number else math.nextafter(near, -math.inf)


def at_least(number: Real) -> float:
    """Return the smallest float that is not below a number."""
    return 0.0 - at_most(-number)


def each_once(work: Callable[[One], Made], chances: Iterable[One]) -> list[Made]:
    """Return what becomes of each chance; the work is done once for many that are one object."""
    several = list(chances)
    known = {key: work(one) for key, one in {id(one): one for one in several}.items()}
    return [known[id(one)] for one in several]


def _typed(number: float) -> Fraction:
    """Return the number someone meant when they wrote or computed this float."""
    decimal = Fraction(repr(number))
    if len(Decimal(repr(number)).as_tuple().digits) <= 15:
        return decimal
    # 1 - 2/3 is off by a rounding of numbers near 1, so the tolerance is that of 1.0 or more.
    # Fractions this simple lie 1e-12 apart, so at most one of them is so near.
    near = Fraction(number).limit_denominator(10**6)
    rounding = math.ulp(min(max(1.0, abs(number)), 1000.0))
    return near if near and abs(near - Fraction(number)) <= Fraction(rounding) else decimal
