"""How a game writes its positions in one line, and reads them back: 30-12 +9.

The same notation stands in errors, commands, records and addresses. Without one of its own a game
has the names of the fields and their values. A moment after a throw is the position before it and
what the dice show: 30-12 +9 threw 1 5 5.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, ClassVar

from dicelab.core.results import ONGOING
from dicelab.errors import UnreadablePosition
from dicelab.rules.chance import THREW, Moment, Throw, exact_chance, shown_by
from dicelab.rules.speech import Position


class Notation:
    """Positions as text; an answer for any game whose positions have fields that are numbers."""

    #: What is asked of the rules for that; see `Game`.
    name: ClassVar[str]
    start: Callable[..., Any]
    result: Callable[..., Any]
    legal_moves: Callable[..., list[str]]
    outcomes: Callable[..., Any]

    def notation(self, at: Position) -> str:
        """Return the one-line notation of a position."""
        return " ".join(f"{field}={value}" for field, value in at._asdict().items())

    def parse(self, text: str) -> Position:
        """Return the position that a notation stands for."""
        start = self.start()
        names = "|".join(start._fields)
        before, *parts = re.split(rf"(?:^|[\s,]+)({names})\s*=", text.strip())
        fields, values = parts[::2], parts[1::2]
        if before or sorted(fields) != sorted(start._fields):
            raise self.unreadable(text)
        try:
            return start._replace(
                **{
                    field: self._read_field(getattr(start, field), value.strip())
                    for field, value in zip(fields, values, strict=True)
                }
            )
        except ValueError:
            raise self.unreadable(text) from None

    def begins_position(self, word: str) -> bool:
        """Return whether a notation may begin with a word and an equals sign."""
        return word in getattr(type(self.start()), "_fields", ())

    def _read_field(self, like: object, text: str) -> object:
        """Return the value of a field from its text, of the kind that it has at the start."""
        return int(text)

    def write(self, at: Position) -> str:
        """Return the notation of a position, or of a moment after a throw: 30-12 +9 threw 1 5 5."""
        if not isinstance(at, Moment):
            return self.notation(at)
        by = "" if len(self._throws(at.at, at.shown)) == 1 else f" {at.move}"
        return f"{self.notation(at.at)}{by}{THREW}{at.shown}"

    def read(self, text: str) -> Position:
        """Return the position, or the moment after a throw, that a notation stands for."""
        before, threw, shown = text.rpartition(THREW)
        if not threw:
            return self.parse(text)
        words, shown = before.split(), " ".join(shown.split())
        for end in range(len(words), 0, -1):  # the move that threw may stand behind the position
            try:
                at = self.parse(" ".join(words[:end]))
            except UnreadablePosition:
                continue
            move = " ".join(words[end:])
            found = [each for each in self._throws(at, shown) if move in ("", each.move)]
            if found:
                return found[0]
            raise UnreadablePosition(f"no throw at {self.notation(at)} shows {shown!r}")
        return self.parse(text)  # a game may have the word in notations of its own

    def _throws(self, at: Position, shown: str) -> list[Moment]:
        """Return the moments after a throw at one position that show something."""
        found = []
        if (self.result(at) or ONGOING) == ONGOING:
            for move in self.legal_moves(at):
                for each in self.outcomes(at, move):
                    is_meant = isinstance(each, Throw) and shown_by(each.dice) == shown
                    if isinstance(each, Throw) and is_meant and exact_chance(each.chance):
                        found.append(Moment(at, move, each.dice))
        return found

    def unreadable(self, text: str) -> UnreadablePosition:
        """Return the error for a text that is not in this game's notation."""
        example = self.notation(self.start())
        return UnreadablePosition(
            f"cannot read {text!r} as a position of {self.name or self}: write it like {example!r}"
        )
