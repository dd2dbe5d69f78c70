"""The exact laws of several dice: of their sum, and of which faces lie on the table.

Throw several dice and you may care about their sum (Pig, Greed, Dice Battle) or about which faces
show, in any order: their combination (421, Yahtzee). Both laws come back as dictionaries of
``Fraction``; nothing here is rounded.

The machine works on integers: the chances of a die are weights over one common denominator, so
the law of n dice is a polynomial of weights raised to the power n. Its coefficients follow from
one another (J. C. P. Miller's recurrence), which costs far less than multiplying it out.

>>> sum_law(Die(6), 2)[7]
Fraction(1, 6)
>>> combinations_law(Die(6), 3)[4, 2, 1]
Fraction(1, 36)
"""

import math
from collections import Counter
from collections.abc import Callable, Hashable, Mapping
from fractions import Fraction
from heapq import heappop, heappush
from itertools import combinations_with_replacement
from typing import Any, TypeVar

from dicelab.errors import RulesError, TooLarge
from dicelab.rules.dice import Die, count, whole_number

MOST_COMBINATIONS = 5_000_000
MOST_DICE_WRITTEN = 100_000_000
MOST_BYTES_OF_SUMS = 10**9

LAWS_KEPT, MOST_KEPT = 256, 4096
"""How many laws are kept, and how many chances each of them has at most."""

_Key = TypeVar("_Key", bound=Hashable)
_LAWS: dict[Hashable, dict[Any, Fraction]] = {}


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


def chance_of_any(die: Die, face: int, n: int) -> Fraction:
    """Return the chance that at least one of n dice shows ``face``.

    >>> chance_of_any(Die(6), 6, 4)
    Fraction(671, 1296)
    """
    return 1 - (1 - dict(die).get(face, Fraction(0))) ** _number_of_dice(n)


def number_of_combinations(n: int, faces: int) -> int:
    """Return how many combinations n dice of so many faces have: C(n + faces - 1, n).

    >>> number_of_combinations(5, 6)
    252
    """
    whole = whole_number(faces)
    if whole is None or whole < 1:
        raise RulesError(f"a die needs at least one face: got faces={faces!r}")
    return math.comb(_number_of_dice(n) + whole - 1, whole - 1)


def combinations_law(die: Die, n: int) -> dict[tuple[int, ...], Fraction]:
    """Return the chance of each combination of n dice, written from its highest face down.

    The combinations come highest first, so (6, 6, 6) opens the law of three dice.

    >>> for combination, chance in combinations_law(Die(2), 2).items():
    ...     print(combination, chance)
    (2, 2) 1/4
    (2, 1) 1/2
    (1, 1) 1/4
    """
    n = _number_of_dice(n)
    size = _combinations(n, die.sides)
    if size > MOST_COMBINATIONS:
        raise TooLarge(
            f"{n} dice with {die.sides} faces have {count(size)} combinations; "
            f"the limit is {MOST_COMBINATIONS}"
        )
    if size * n > MOST_DICE_WRITTEN:
        raise TooLarge(
            f"{n} dice with {die.sides} faces have {count(size)} combinations, "
            f"which take {count(size * n)} faces to write down; the limit is {MOST_DICE_WRITTEN}"
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
            f"{n} dice with {die.sides} faces have {count(sums)} sums, which need about "
            f"{count(sums * each // 10**9 + 1)} GB; the limit is {MOST_BYTES_OF_SUMS // 10**9} GB"
        )


def _number_of_dice(n: object) -> int:
    whole = whole_number(n)
    if whole is None or whole < 0:
        raise RulesError(f"the number of dice is a whole number from 0 up: got {n!r}")
    return whole


def _combinations(n: int, faces: int) -> int:
    """Return the number of combinations, or 10**300 for one so large that counting is slow."""
    return number_of_combinations(n, faces) if min(n, faces) <= 1000 else 10**300
