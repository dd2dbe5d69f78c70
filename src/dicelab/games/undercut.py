"""Undercut: name a number; one below the other's takes both.

Two players each choose a number from 1 to ``most`` at once. Each scores his own number, unless one
of them is exactly one below the other: then the lower one takes both. The first to reach
``target`` points wins; if both do in the same turn the larger score wins, and equal scores draw.

Both choose at once, so best play is a mixture of numbers. No chance is involved but what the
players bring, and scores only grow, so the game has no circles and rational mixtures throughout.

Source: D. R. Hofstadter, "Metamagical Themas", Scientific American, 1982; there numbers go from 1
to 5 and points are simply added up over many turns.

>>> from dicelab import solve
>>> solve(Undercut(most=3, target=1), exact=True).value       # both look alike
Fraction(1, 2)
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar

from dicelab.core.language import mark, tr
from dicelab.core.lazy import lazy
from dicelab.games.naming import ScoresAtOnce
from dicelab.games.throwing import ScorePosition
from dicelab.rules import BOTH, DRAW, LOSS, ONGOING, WIN, Ints, Outcome, Position, both, where
from dicelab.rules.registry import register


@register("undercut")
@dataclass(frozen=True)
class Undercut(ScoresAtOnce):
    """Undercut, to a target."""

    most: int = 5
    target: int = 40

    in_short: ClassVar[str] = (
        "Both name a number at once and score it. But who is exactly one below the other takes "
        "both. The first to reach the target wins."
    )
    rivals: ClassVar[tuple[str, ...]] = ("always", "random", "optimal")
    rivals_in_words: ClassVar[Mapping[str, tuple[str, str]]] = {
        "always": (mark("the stubborn one"), mark("Always names the same number.")),
    }

    def __post_init__(self) -> None:
        """Refuse parameters that make no game."""
        self.needs(2 <= self.most <= 20, f"numbers up to 2 to 20: got most={self.most}")
        self.needs(self.target >= 1, f"a target of at least 1: got target={self.target}")

    @lazy
    def moves(self) -> tuple[str, ...]:
        """The numbers that may be named."""
        return tuple(f"name {number}" for number in range(1, self.most + 1))

    def label(self, at: Position, move: str) -> str:
        """Return what stands on the button of a move."""
        return tr("Name {number}", number=named(move))

    def spoken(self, at: Position, move: str) -> str:
        """Return a move as one says it in a sentence."""
        return tr("name {number}", number=named(move))

    def outcomes(self, at: ScorePosition, mine: str, yours: str = "") -> Iterator[Outcome]:
        """Yield what two numbers score."""
        one, two = named(mine), named(yours)
        if one == two - 1:
            one, two = one + two, 0
        elif two == one - 1:
            one, two = 0, one + two
        yield Outcome(1, ScorePosition(at.mine + one, at.yours + two), BOTH)

    def size(self) -> int:
        """Return about how many positions there are, those beyond the target counted."""
        return (self.target + self.most) ** 2

    def result(self, at: ScorePosition) -> Ints:
        """Return who has won: whoever is at the target, the larger score if both are."""
        over = where(at.mine == at.yours, DRAW, where(at.mine > at.yours, WIN, LOSS))
        return where(both(at.mine < self.target, at.yours < self.target), ONGOING, over)


def named(move: str) -> int:
    """Return the number that a move names."""
    return int(move.removeprefix("name "))
