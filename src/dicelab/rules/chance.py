"""What chance may do after a move, with its chance and its gain; throws that leave a choice.

Mostly a move leads to outcomes. Where a player throws and then chooses, the rules say what the
dice show (`Throw`), and which ways are open then (`Way`). What lies between the two, a `Moment`,
can be asked about and played like a position, but it has no number and no memory of its own.
"""

from __future__ import annotations

from collections.abc import Hashable
from fractions import Fraction
from numbers import Rational
from operator import index
from typing import Any, NamedTuple

import numpy as np

from dicelab.rules.speech import Position

Ints = Any  # an int, or an array of them: one entry per position
Bools = Any  # a bool, or an array of them
Faces = Any  # what the dice show: a whole number for each, or an array of them for each
Gain = Any  # an int, a Fraction, an Amount, or an array of ints


class Chance(NamedTuple):
    """A chance that depends on the position: exact integers over one denominator."""

    numerator: Ints
    denominator: int


class Amount(NamedTuple):
    """A gain or a worth that depends on the position: exact integers over one denominator."""

    numerator: Ints
    denominator: int


class Outcome(NamedTuple):
    """One thing chance may do after a move."""

    chance: int | Fraction | Chance
    at: Position
    mover: int
    # what the mover collects on the way; between two, the other pays it
    gain: Gain = 0


def exact_amount(told: Gain) -> Fraction:
    """Return a gain or a worth at one position as the rules told it, exactly."""
    return _exact(told)


def _exact(told: Any) -> Fraction:
    """Return a number as rules tell it, in whole numbers of Python: those of NumPy overflow."""
    if not isinstance(told, Chance | Amount | Rational):
        return Fraction(told)
    top, below = told if isinstance(told, tuple) else (told.numerator, told.denominator)
    return Fraction(whole(top), whole(below))


def whole(part: Any) -> int:
    """Return a whole number, refused where it is none: half a share is not to become none."""
    try:
        return index(part)
    except TypeError:
        raise ValueError(
            f"Chance and Amount are exact, whole numbers over a whole denominator: got {part}"
        ) from None


class Throw(NamedTuple):
    """The dice show something, and the player then chooses; see `Game.ways`."""

    chance: int | Fraction | Chance
    dice: Hashable  # what they show, such as (1, 5, 5); it does not depend on the position


class Way(NamedTuple):
    """One way on after a throw, which the player may take."""

    name: str
    at: Position
    mover: int
    gain: Gain = 0
    allowed: Bools = True  # where it is open


Bare = tuple[Any, ...]
"""An outcome or a way in its bare numbers, as rules may tell them."""

Happening = Outcome | Throw | Bare
"""What chance may do."""


class Moment(NamedTuple):
    """The moment after a throw, before the player has taken one of the ways."""

    at: Position
    move: str
    dice: Hashable

    @property
    def shown(self) -> str:
        """What the dice show, as people write it."""
        return shown_by(self.dice)


def shown_by(dice: Hashable) -> str:
    """Return what the dice show, as people write it: 1 5 5."""
    return " ".join(map(str, dice)) if isinstance(dice, tuple) else str(dice)


def faces_of(dice: Hashable) -> list[int]:
    """Return the faces to draw of what the dice show; none where that is no whole numbers."""
    parts = dice if isinstance(dice, tuple) else (dice,)
    whole = all(isinstance(part, int | np.integer) for part in parts)
    return [int(part) for part in parts] if whole else []


def before_throw(at: Position) -> Position:
    """Return a position as it is, and of a moment after a throw the position before it."""
    return at.at if isinstance(at, Moment) else at


THREW = " threw "
"""What stands between a position and what the dice show there."""


def exact_chance(chance: int | Fraction | Chance) -> Fraction:
    """Return a chance at one position as a fraction."""
    return _exact(chance)
