"""Dice: the faces of a die and the exact chance of each.

A die has faces, and each face has a chance. ``Die(6)`` is the fair one; a loaded one is a table,
``Die({1: "1/2", 2: "1/4", 3: "1/4"})``. What several dice show
is in `dice_laws`.
"""

import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from numbers import Integral
from operator import index

from dicelab.core.exact import WRITTEN, Number, exactly
from dicelab.core.lazy import lazy
from dicelab.errors import RulesError, TooLarge

MOST_SIDES = 1_000_000

_FACE = re.compile(r"[+-]?[0-9]+")
_PAIR = re.compile(rf"({_FACE.pattern})\s*:\s*({WRITTEN.pattern})")
_SIDES = re.compile(r"[dD]?([0-9]+)|-[0-9]+")


@dataclass(frozen=True)
class _Law:
    faces: tuple[int, ...]
    chances: tuple[Fraction, ...]


class Die(_Law):
    """A die: its faces in rising order and the exact chance of each.

    ``Die(6)`` is fair, with faces 1 to 6. ``Die({face: chance})`` is loaded; a chance is an int,
    a Fraction, a string such as ``"1/3"`` or ``"0.25"``, or a float. Faces of chance zero are
    dropped, and the chances must sum to exactly 1.

    A float means what you wrote, not its binary digits: ``0.1`` is 1/10. Where a float has more
    than 15 digits it was computed, as ``1/3`` is; it is then the nearest fraction with a
    denominator up to a million if that lies within rounding, and else the decimal it prints.

    >>> Die({1: 1/3, 2: 1/3, 3: 1/3}) == Die(3)
    True
    >>> Die({1: Fraction(1, 2), 2: "1/4", 3: 0.25})
    Die({1: Fraction(1, 2), 2: Fraction(1, 4), 3: Fraction(1, 4)})
    >>> for face, chance in Die.parse("2,3,3,4"):
    ...     print(face, chance)
    2 1/4
    3 1/2
    4 1/4
    """

    def __init__(self, faces: int | Mapping[int, Number]) -> None:
        if isinstance(faces, Mapping):
            law = _read_table(faces)
        else:
            sides = whole_number(faces)
            if sides is None:
                raise RulesError(
                    f"a die is a number of sides or a table of faces and chances: got {faces!r}; "
                    f"Die.parse reads notation such as 'd6' or '1:1/2,2:1/2'"
                )
            check_sides(sides)
            law = dict.fromkeys(range(1, sides + 1), Fraction(1, sides))
        super().__init__(tuple(law), tuple(law.values()))

    @classmethod
    def parse(cls, text: str) -> "Die":
        """Return the die that a notation describes: ``6``, ``d6``, ``1:1/2,2:1/2`` or ``2,3,3,4``.

        A list without chances names equally likely faces; a face named twice is twice as likely.
        """
        pieces = [piece.strip() for piece in text.split(",")]
        try:
            if sides := _SIDES.fullmatch(text.strip()):
                return cls(int(sides[1] or sides[0]))
            if len(pieces) > 1 and all(_FACE.fullmatch(piece) for piece in pieces):
                times = Counter(int(piece) for piece in pieces)
                return cls({face: Fraction(times[face], len(pieces)) for face in times})
            pairs = [_PAIR.fullmatch(piece) for piece in pieces]
            table = {int(pair[1]): Fraction(pair[2]) for pair in pairs if pair}
        except RulesError:
            raise
        except (ValueError, ZeroDivisionError):  # a number of thousands of digits, or 1/0
            table, pairs = {}, [None]
        if None in pairs:
            raise RulesError(
                f"cannot read a die from {text[:60]!r}; write '6', 'd6', '1:1/2,2:1/2' "
                f"or a list of faces such as '2,3,3,4'"
            )
        if len(table) < len(pairs):
            raise RulesError(f"a loaded die gives each face one chance: got {text[:60]!r}")
        return cls(table)

    def __iter__(self) -> Iterator[tuple[int, Fraction]]:
        return zip(self.faces, self.chances, strict=True)

    def __str__(self) -> str:
        if self.is_fair:
            return str(self.sides)
        return ",".join(f"{face}:{chance}" for face, chance in self)

    def __repr__(self) -> str:
        return f"Die({self.sides})" if self.is_fair else f"Die({dict(self)!r})"

    @property
    def sides(self) -> int:
        """The number of different faces that can show."""
        return len(self.faces)

    @lazy
    def denominator(self) -> int:
        """The least common denominator of the chances."""
        return math.lcm(*(chance.denominator for chance in self.chances))

    @lazy
    def weights(self) -> tuple[int, ...]:
        """The chances as whole numbers over ``denominator``, in the order of ``faces``."""
        return tuple(int(chance * self.denominator) for chance in self.chances)

    @lazy
    def is_fair(self) -> bool:
        """Whether the faces are 1 to ``sides``, all equally likely."""
        return self.faces == tuple(range(1, self.sides + 1)) and len(set(self.chances)) == 1

    def mean(self) -> Fraction:
        """Return the mean of one throw."""
        return sum((face * chance for face, chance in self), Fraction(0))

    def variance(self) -> Fraction:
        """Return the variance of one throw."""
        mean = self.mean()
        return sum(((face - mean) ** 2 * chance for face, chance in self), Fraction(0))


def check_sides(sides: int) -> None:
    """Refuse a number of sides that no die has."""
    if sides < 1:
        raise RulesError(f"a die needs at least one side: got {sides}")
    if sides > MOST_SIDES:
        raise TooLarge(f"a die has at most {MOST_SIDES} sides: got {count(sides)}")


def _read_table(table: Mapping[int, Number]) -> dict[int, Fraction]:
    """Return the law a table describes, in rising order of the faces."""
    if not table:
        raise RulesError("a die needs at least one face: got {}")
    law = {}
    for key, chance in table.items():
        face = whole_number(key)
        if face is None:
            raise RulesError(f"the faces of a die are whole numbers: got {key!r}")
        exact = exactly(chance)
        if exact is None:
            raise RulesError(
                f"cannot read the chance of face {face}: got {chance!r}; "
                f"write a number or a string such as '1/3'"
            )
        if exact < 0:
            raise RulesError(f"a chance cannot be negative: got {exact} for face {face}")
        law[face] = exact
    total = sum(law.values(), Fraction(0))
    if total != 1:
        shown = ", ".join(f"{face}: {chance}" for face, chance in list(law.items())[:8])
        more = f", and {len(law) - 8} more" if len(law) > 8 else ""
        raise RulesError(
            f"the chances of a die must sum to 1: got {_ratio(total)} from {{{shown}{more}}}"
        )
    return {face: law[face] for face in sorted(law) if law[face]}


def whole_number(number: object) -> int | None:
    """Return a plain int, or None for what is not a whole number (True is not one)."""
    if isinstance(number, bool) or not isinstance(number, Integral):
        return None
    return index(number)


def count(number: int) -> str:
    """Return a number in digits; a very long one by its size."""
    if number < 10**15:
        return str(number)
    return f"{number:.1e}".replace("e+", "e") if number < 10**300 else "more than 1e300"


def _ratio(number: Fraction) -> str:
    # Python refuses to print integers of more than 4300 digits.
    return str(number) if number.denominator < 10**100 else f"about {float(number):.6g}"


d6 = Die(6)
coin = Die({0: 1 / 2, 1: 1 / 2})
