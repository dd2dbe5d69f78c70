"""Positions at a table of two and more: what each player has, in order of their turns.

A game for two has one field for what is mine and one for what is yours. With more players, others
follow: the third, the fourth, and so on around the table. Where the turn passes, everybody moves up
by one seat, and who was about to move sits last.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, ClassVar

from dicelab.core.made_classes import made_tuple
from dicelab.rules import Game, Ints, Position, where
from dicelab.rules.speech import WORDS, seat_fields

MOST = 2 + len(WORDS)
"""The most who sit at a table of our games."""


def needs_seats(game: Game) -> None:
    """Refuse a table of fewer than two, or of more than have fields for what they have."""
    game.needs(2 <= game.players <= MOST, f"2 to {MOST} players: got players={game.players}")


@lru_cache(maxsize=64)
def seated(two: Any, players: int) -> Any:
    """Return the positions of a game for two as they are for so many: a field more for each."""
    if players == 2:
        return two
    names: list[str] = []
    for name in two._fields:
        more = seat_fields("", name, players)[2:] if name in ("yours", "others") else []
        names += [name, *more]
    made = made_tuple(two.__name__, names, seated, two, players)
    made.__doc__ = two.__doc__
    return made


class AloneOrForTwo(Game):
    """What games share that one plays for few turns, and two against each other."""

    #: What little is wanted of by who plays alone.
    counted: ClassVar[str] = "turns"

    @property
    def fewest(self) -> bool:  # type: ignore[override]
        """Whether the value is a cost: it is one alone."""
        return self.players == 1

    @property
    def unit(self) -> str:  # type: ignore[override]
        """What the value counts."""
        return self.counted if self.fewest else "chance to win"


def others(at: Position, players: int) -> list[Ints]:
    """Return what the others have, in order of their turns."""
    return [at.yours, *(getattr(at, word) for word in WORDS[: players - 2])]


def most_of(numbers: Sequence[Ints]) -> Ints:
    """Return the largest of some numbers, for one position or an array."""
    most = numbers[0]
    for number in numbers[1:]:
        most = where(number > most, number, most)
    return most


def between(numbers: Sequence[object]) -> str:
    """Return what each player has as people write it: 30-12-40."""
    return "-".join(map(str, numbers))


def pattern(number: str, players: int) -> str:
    """Return the pattern of what each player has, a group for each."""
    return r"\s*" + r"\s*-\s*".join([number] * players)
