"""Rules in plain Python, one position at a time: the contract for who tries a rule of the house."""

from __future__ import annotations

import ast
import dataclasses
from abc import abstractmethod
from collections.abc import Iterable

from dicelab.rules.chance import Moment
from dicelab.rules.game import Game
from dicelab.rules.speech import Position


@dataclasses.dataclass(frozen=True)
class HouseRules(Game):
    """Rules in plain Python, one position at a time: branch with ``if`` as you like.

    A position is anything hashable; a NamedTuple of integers gets a notation for free.
    """

    @abstractmethod
    def choices(self, at: Position) -> Iterable[str]:
        """Return the moves allowed at a position."""

    def legal(self, at: Position, move: str) -> bool:
        """Return whether the move is allowed."""
        return move in self.choices(at)

    def legal_moves(self, at: Position) -> list[str]:
        """Return the moves allowed at one position, or the ways at a moment after a throw."""
        return super().legal_moves(at) if isinstance(at, Moment) else list(self.choices(at))

    def notation(self, at: Position) -> str:
        """Return the one-line notation of a position."""
        return super().notation(at) if hasattr(at, "_asdict") else repr(at)

    def parse(self, text: str) -> Position:
        """Return the position that a notation stands for, read as Python writes it."""
        if hasattr(self.start(), "_fields"):
            return super().parse(text)
        try:
            return _literal(text)
        except ValueError:
            raise self.unreadable(text) from None

    def _read_field(self, like: object, text: str) -> object:
        """Return the value of a field from its text: as Python writes it, or as a word."""
        return text if isinstance(like, str) else _literal(text)


def _literal(text: str) -> object:
    """Return the tuple, number or word that a text is in Python; spaces do not matter."""
    try:
        value = ast.literal_eval(text.strip())
        hash(value)
    except (SyntaxError, TypeError, MemoryError, RecursionError) as trouble:
        raise ValueError(text) from trouble
    return value
