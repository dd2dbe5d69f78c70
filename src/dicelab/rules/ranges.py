"""Ranges: the values that a parameter runs through, read from what a person types.

``target=10..100:10`` is 10, 20, ... up to 100; ``die=4,6,8`` three dice; ``target=10..30:10,100``
both. A value may itself have a comma, as a loaded die has. So a text is cut at commas only where
every piece is a value by itself, and ``1:1/2,2:1/2`` stays the one die it is. Where a bar stands
between the values nothing else cuts: ``die=6|1:1/2,2:1/2`` are two dice, ``die=2,3,3,4|`` is one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from fractions import Fraction

from dicelab.errors import DicelabError, RulesError
from dicelab.rules import registry

MOST_VALUES = 100_000
"""Values beyond which a range is taken for a slip of the hand."""

_NUMBER = r"[+-]?\d{1,18}(?:/\d{1,18}|\.\d{1,18})?"
_RANGE = re.compile(rf"({_NUMBER})\.\.({_NUMBER})(?::({_NUMBER}))?")


def values_of(
    name: str, text: str, is_value: Callable[[str], bool], whole: bool = False
) -> list[str]:
    """Return the values that a text stands for; one, the text itself, where it is no range.

    `is_value` says whether a piece is a value by itself; with `whole`, what is a value as it
    stands is never cut.

    >>> values_of("target", "10..30:10,50", str.isdigit)
    ['10', '20', '30', '50']
    """
    if whole and is_value(text):
        return [text]
    if "|" in text:
        return [piece.strip() for piece in text.split("|") if piece.strip()] or [text]
    pieces = [piece.strip() for piece in text.split(",")]
    if not all(_RANGE.fullmatch(piece) or is_value(piece) for piece in pieces):
        return [text]
    return [value for piece in pieces for value in _spread(name, piece)]


def _spread(name: str, piece: str) -> list[str]:
    """Return the numbers of one range, or a single value as it stands."""
    match = _RANGE.fullmatch(piece)
    if match is None:
        return [piece]
    try:
        first, last, step = (Fraction(part) for part in (match[1], match[2], match[3] or "1"))
    except ZeroDivisionError:
        raise RulesError(f"the range {name}={piece} divides by 0") from None
    if step == 0:
        raise RulesError(f"the range {name}={piece} never moves: give it a step other than 0")
    count = (last - first) // step + 1
    if count < 1:
        raise RulesError(
            f"the range {name}={piece} is empty: write the smaller number first, or a step below 0"
        )
    if count > MOST_VALUES:
        raise RulesError(
            f"the range {name}={piece} has {count:,} values: at most {MOST_VALUES:,} are gone "
            f"through, so give a larger step, as in {name}=0..1000:100"
        )
    return [str(first + number * step) for number in range(count)]


def ranges_in(
    name: str, parameters: dict[str, str], whole: bool = False
) -> tuple[dict[str, str], dict[str, list[str]]]:
    """Return the parameters of a game that have one value, and those that run through several.

    With `whole`, a text that the game takes as one value is one, whatever it looks like.
    """
    fixed: dict[str, str] = {}
    several: dict[str, list[str]] = {}
    for parameter, text in parameters.items():
        accepted = _accepted(name, parameter, parameters)
        # Words are not cut by a comma or dots of their own.
        words = whole or ("|" not in text and registry.takes(name, parameter, "any words at all"))
        values = values_of(parameter, text, accepted, words)
        if len(values) > 1 or "|" in text:
            several[parameter] = values
        else:
            fixed[parameter] = values[0]
    return fixed, several


def _accepted(name: str, parameter: str, given: dict[str, str]) -> Callable[[str], bool]:
    """Return what tells whether the game takes a text as one value of a parameter."""
    text = given[parameter]
    others = {other: told for other, told in given.items() if not re.search(r",|\||\.\.", told)}

    def is_value(piece: str) -> bool:
        if not registry.takes(name, parameter, piece):
            return False
        if piece != text:
            return True
        try:  # words are any text: whether these are meant, only the game can say
            registry.game(name, **{**others, parameter: piece})
        except DicelabError:
            return False
        return True

    return is_value


def number_of(value: str) -> float | None:
    """Return the number that a value is, or None where it is none: for an axis of a figure."""
    return float(Fraction(value)) if re.fullmatch(_NUMBER, value) else None


def combined(several: Sequence[Sequence[str]]) -> int:
    """Return in how many ways one value of each can be taken."""
    count = 1
    for values in several:
        count *= len(values)
    return count
