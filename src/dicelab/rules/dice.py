"""Dice: what a throw may show, and how likely each thing is, exactly.

A die has faces, and each face has a chance. ``Die(6)`` is the fair one; a loaded one is a table,
``Die({1: "1/2", 2: "1/4", 3: "1/4"})``. Throw several and you may care about their sum (Pig,
Greed, Dice Battle) or about which faces lie on the table, in any order: their combination
(421, Yahtzee). Both laws come back as dictionaries of ``Fraction``; nothing here is rounded
until you ask ``as_floats``.

The machine works on integers: the chances of a die are weights over one common denominator, so
the law of n dice is a polynomial of weights raised to the power n. Its coefficients follow from
one another (J. C. P. Miller's recurrence), which costs far less than multiplying it out.

Source of the closed form: Addis, "A Guide to Optimal Play in Greed: Stochastic Optimization",
Reed College, 2023, Theorem 1.

>>> from dicelab.rules.dice import d6, sum_law, combinations_law
>>> sum_law(d6, 2)[7]
Fraction(1, 6)
>>> combinations_law(d6, 3)[4, 2, 1]
Fraction(1, 36)
"""

import math
import re
from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from heapq import heappop, heappush
from itertools import combinations_with_replacement
from numbers import Integral
from operator import index
from typing import Any, TypeVar

from dicelab.core.exact import WRITTEN, Number, exactly
from dicelab.core.lazy import lazy
from dicelab.errors import RulesError, TooLarge

MOST_SIDES = 1_000_000
MOST_COMBINATIONS = 5_000_000
MOST_DICE_WRITTEN = 100_000_000
MOST_BYTES_OF_SUMS = 10**9

LAWS_KEPT, MOST_KEPT = 256, 4096
"""How many laws are kept, and how many chances each of them has at most."""

_Key = TypeVar("_Key", bound=Hashable)
_LAWS: dict[Hashable, dict[Any, Fraction]] = {}

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
            sides = _whole(faces)
            if sides is None:
                raise RulesError(
                    f"a die is a number of sides or a table of faces and chances: got {faces!r}; "
                    f"Die.parse reads notation such as 'd6' or '1:1/2,2:1/2'"
                )
            _check_sides(sides)
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


def sum_law(die: Die, n: int, below: int | None = None) -> dict[int, Fraction]:
    """Return the chance of each sum of n dice, or each below some sum, in rising order.

    >>> sum_law(Die(2), 2)
    {2: Fraction(1, 4), 3: Fraction(1, 2), 4: Fraction(1, 4)}
    """
    return _law_of_sum(die, dict(zip(die.faces, die.weights, strict=True)), n, below)


def sum_law_without(die: Die, face: int, n: int, below: int | None = None) -> dict[int, Fraction]:
    """Return the chance of each sum of n dice, or each below some, with no die showing ``face``.

    The chances of all sums add up to (1 - p)**n, where p is the chance of the face.

    >>> sum_law_without(Die(3), 1, 2)        # two dice of three sides, and no 1
    {4: Fraction(1, 9), 5: Fraction(2, 9), 6: Fraction(1, 9)}
    """
    weights = dict(zip(die.faces, die.weights, strict=True))
    weights.pop(face, None)
    return _law_of_sum(die, weights, n, below)


def sum_law_closed_form(sides: int, n: int) -> dict[int, Fraction]:
    """Return the chance of each sum of n fair dice by inclusion and exclusion.

    P(t) = s**-n * sum over k from 0 to (t - n) // s of (-1)**k C(n, k) C(t - s k - 1, n - 1).

    >>> sum_law_closed_form(6, 3)[10]
    Fraction(1, 8)
    """
    whole = _whole(sides)
    if whole is None:
        raise RulesError(f"a fair die has a whole number of sides: got {sides!r}")
    _check_sides(whole)
    n = _number_of_dice(n)
    _check_sums(n, Die(whole))
    if n == 0:
        return {0: Fraction(1)}  # C(t - 1, -1) has no meaning, yet no dice sum to 0
    signed = [(-1) ** k * math.comb(n, k) for k in range(n + 1)]
    choose = [math.comb(m, n - 1) for m in range(whole * n)]
    every = whole**n
    return {
        total: Fraction(
            sum(signed[k] * choose[total - whole * k - 1] for k in range((total - n) // whole + 1)),
            every,
        )
        for total in range(n, whole * n + 1)
    }


def chance_of_any(die: Die, face: int, n: int) -> Fraction:
    """Return the chance that at least one of n dice shows ``face``.

    >>> chance_of_any(d6, 6, 4)
    Fraction(671, 1296)
    """
    return 1 - (1 - dict(die).get(face, Fraction(0))) ** _number_of_dice(n)


def number_of_combinations(n: int, faces: int) -> int:
    """Return how many combinations n dice of so many faces have: C(n + faces - 1, n).

    >>> number_of_combinations(5, 6)
    252
    """
    whole = _whole(faces)
    if whole is None or whole < 1:
        raise RulesError(f"a die needs at least one face: got faces={faces!r}")
    return math.comb(_number_of_dice(n) + whole - 1, whole - 1)


def combinations_law(die: Die, n: int) -> dict[tuple[int, ...], Fraction]:
    """Return the chance of each combination of n dice, written from its highest face down.

    The combinations come highest first, so (6, 6, 6) opens the law of three dice.

    >>> for combination, chance in combinations_law(coin, 2).items():
    ...     print(combination, chance)
    (1, 1) 1/4
    (1, 0) 1/2
    (0, 0) 1/4
    """
    n = _number_of_dice(n)
    size = _combinations(n, die.sides)
    if size > MOST_COMBINATIONS:
        raise TooLarge(
            f"{n} dice with {die.sides} faces have {_count(size)} combinations; "
            f"the limit is {MOST_COMBINATIONS}"
        )
    if size * n > MOST_DICE_WRITTEN:
        raise TooLarge(
            f"{n} dice with {die.sides} faces have {_count(size)} combinations, "
            f"which take {_count(size * n)} faces to write down; the limit is {MOST_DICE_WRITTEN}"
        )
    return _kept((die.faces, die.weights, n), lambda: _combined(die, n))


def _combined(die: Die, n: int) -> dict[tuple[int, ...], Fraction]:
    """Return the law of the combinations of n dice."""
    weights = dict(zip(die.faces, die.weights, strict=True))
    every = die.denominator**n
    law = {}
    for combination in combinations_with_replacement(die.faces[::-1], n):
        numerator, left = 1, n
        for face, times in Counter(combination).items():
            numerator *= math.comb(left, times) * weights[face] ** times
            left -= times
        law[combination] = Fraction(numerator, every)
    return law


def _kept(key: Hashable, work: Callable[[], dict[_Key, Fraction]]) -> dict[_Key, Fraction]:
    """Return a law, worked out once where it is short: rules ask for the same ones over and over.

    The caller gets a dictionary of its own.
    """
    law = _LAWS.get(key)
    if law is None:
        law = work()
        if len(law) <= MOST_KEPT:
            if len(_LAWS) >= LAWS_KEPT:
                _LAWS.clear()
            _LAWS[key] = law
    return dict(law)


def counts(combination: Sequence[int], die: Die) -> tuple[int, ...]:
    """Return how many dice show each face, in the order of ``die.faces``.

    >>> counts((4, 2, 1), d6)
    (1, 1, 0, 1, 0, 0)
    """
    shown = Counter(combination)
    for face in shown:
        if face not in die.faces:
            raise RulesError(
                f"{tuple(combination)} is no combination of the die {die}: it has no face {face}"
            )
    return tuple(shown[face] for face in die.faces)


def from_counts(numbers: Sequence[int], die: Die) -> tuple[int, ...]:
    """Return the combination that has so many dice of each face of ``die.faces``.

    >>> from_counts((1, 1, 0, 1, 0, 0), d6)
    (4, 2, 1)
    """
    whole = [_whole(number) for number in numbers]
    times = [number for number in whole if number is not None and number >= 0]
    if len(times) != len(numbers) or len(times) != die.sides:
        raise RulesError(
            f"the counts of the die {die} are {die.sides} whole numbers from 0 up, "
            f"one for each face: got {tuple(numbers)}"
        )
    pairs = zip(die.faces[::-1], times[::-1], strict=True)
    return tuple(face for face, number in pairs for _ in range(number))


def as_floats(law: Mapping[_Key, Fraction]) -> dict[_Key, float]:
    """Return the same law with each chance rounded to the nearest float.

    >>> as_floats(sum_law(coin, 1))
    {0: 0.5, 1: 0.5}
    """
    return {key: float(chance) for key, chance in law.items()}


def _law_of_sum(
    die: Die, weights: Mapping[int, int], n: int, below: int | None = None
) -> dict[int, Fraction]:
    """Return the sums of n throws of integer weights as chances over die.denominator**n."""
    n = _number_of_dice(n)
    if n == 0:
        return {0: Fraction(1)} if below is None or below > 0 else {}
    if not weights:
        return {}
    low = min(weights)
    most = math.inf if below is None else below - 1 - n * low  # the highest step that counts
    if most < 0:
        return {}
    if below is None:
        _check_sums(n, die)
    return _kept(
        (die.denominator, *weights.items(), n, below), lambda: _sums(die, weights, n, most)
    )


def _sums(die: Die, weights: Mapping[int, int], n: int, most: float) -> dict[int, Fraction]:
    """Return the law of the sums, up to so many steps above the lowest."""
    low, every = min(weights), die.denominator**n
    steps = {face - low: w for face, w in weights.items() if low < face <= low + most}
    powers = _power(weights[low], steps, n, most)
    return {n * low + step: Fraction(power, every) for step, power in powers.items()}


def _power(first: int, steps: Mapping[int, int], n: int, most: float) -> dict[int, int]:
    """Return the coefficients of (first + sum of w x**i)**n over the steps i: w, by exponent.

    Exponents above `most` are left out.

    With Q = P**n we have P Q' = n P' Q; comparing coefficients of x**(k - 1) gives

        k * first * q[k] = sum over i of (i (n + 1) - k) * w[i] * q[k - i],

    an exact division, and only exponents that some throw reaches are ever visited.
    """
    found = {0: first**n}
    waiting = sorted(steps)
    seen = set(waiting)
    while waiting:
        k = heappop(waiting)
        total = sum(
            (i * (n + 1) - k) * weight * found[k - i]
            for i, weight in steps.items()
            if k - i in found
        )
        # A sum that needs n + 1 dice is reached by a step but has the coefficient 0.
        if total:
            found[k] = total // (k * first)
            for i in steps:
                if k + i <= most and k + i not in seen:
                    seen.add(k + i)
                    heappush(waiting, k + i)
    return found


def _check_sums(n: int, die: Die) -> None:
    """Refuse a law of sums that would not fit in memory, before any work on it."""
    span = die.faces[-1] - die.faces[0]
    stride = math.gcd(*(face - die.faces[0] for face in die.faces)) or 1
    each = n * die.denominator.bit_length() // 4 + 200  # two numbers of n * bits / 8, and a dict
    sums = span * n // stride + 1
    if sums * each > MOST_BYTES_OF_SUMS:
        sums = min(sums, _combinations(n, die.sides))
    if sums * each > MOST_BYTES_OF_SUMS:
        raise TooLarge(
            f"{n} dice with {die.sides} faces have {_count(sums)} sums, which need about "
            f"{_count(sums * each // 10**9 + 1)} GB; the limit is {MOST_BYTES_OF_SUMS // 10**9} GB"
        )


def _check_sides(sides: int) -> None:
    if sides < 1:
        raise RulesError(f"a die needs at least one side: got {sides}")
    if sides > MOST_SIDES:
        raise TooLarge(f"a die has at most {MOST_SIDES} sides: got {_count(sides)}")


def _number_of_dice(n: object) -> int:
    whole = _whole(n)
    if whole is None or whole < 0:
        raise RulesError(f"the number of dice is a whole number from 0 up: got {n!r}")
    return whole


def _read_table(table: Mapping[int, Number]) -> dict[int, Fraction]:
    """Return the law a table describes, in rising order of the faces."""
    if not table:
        raise RulesError("a die needs at least one face: got {}")
    law = {}
    for key, chance in table.items():
        face = _whole(key)
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


def _whole(number: object) -> int | None:
    """Return a plain int, or None for what is not a whole number (True is not one)."""
    if isinstance(number, bool) or not isinstance(number, Integral):
        return None
    return index(number)


def _combinations(n: int, faces: int) -> int:
    """Return the number of combinations, or 10**300 for one so large that counting is slow."""
    return number_of_combinations(n, faces) if min(n, faces) <= 1000 else 10**300


def _count(number: int) -> str:
    if number < 10**15:
        return str(number)
    return f"{number:.1e}".replace("e+", "e") if number < 10**300 else "more than 1e300"


def _ratio(number: Fraction) -> str:
    # Python refuses to print integers of more than 4300 digits.
    return str(number) if number.denominator < 10**100 else f"about {float(number):.6g}"


d6 = Die(6)
coin = Die({0: 1 / 2, 1: 1 / 2})
