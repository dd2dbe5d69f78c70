"""Games in which both players choose at once, neither knowing what the other chooses.

A position is seen by one of the two, the player who looks; `mirror` tells how the other one sees
it. What follows depends on both moves: `outcomes(at, mine, yours)`. So the rules are written once,
for the player who looks, and the other's part is what they say at the mirrored position.

Where the two seats are not alike, positions have a field `seat`: 0 where the player who sits first
looks, 1 where the other does. Then `legal` is asked for either seat and everything else only where
the first one looks.
"""

from __future__ import annotations

import dataclasses
from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from dicelab.core.results import BOTH
from dicelab.errors import RulesError
from dicelab.rules.chance import Outcome, exact_amount, exact_chance
from dicelab.rules.game import Game
from dicelab.rules.speech import Position


@dataclasses.dataclass(frozen=True)
class SimultaneousGame(Game):
    """A game in which both choose at once; with `HouseRules` beside it, one position at a time."""

    @property
    def is_simultaneous(self) -> bool:
        """Whether both choose at once; where they do not, the game is played by turns."""
        return True

    @abstractmethod
    def outcomes(
        self, at: Position, mine: str, yours: str = ""
    ) -> Iterable[Outcome | tuple[Any, ...]]:
        """Yield (chance, next position, BOTH[, gain]) when one plays `mine` and the other `yours`.

        The next position is seen by the player who looks now, who collects the gain from the other.
        """

    def mirror(self, at: Position) -> Position:
        """Return a position as the other player sees it."""
        if not hasattr(at, "seat"):
            raise RulesError(
                f"{self} is played at once and does not say how the other player sees a position: "
                f"say it in mirror(), or give positions a field 'seat' where the seats differ"
            )
        return at._replace(seat=1 - at.seat)

    @property
    def seats_differ(self) -> bool:
        """Whether its positions tell who looks, since the two seats are not alike."""
        return type(self).mirror is SimultaneousGame.mirror

    def law_of_both(self, at: Position, mine: str, yours: str) -> list[tuple[Fraction, Outcome]]:
        """Return what may follow two moves at one position, each with its chance."""
        if self.seats_differ and at.seat:
            turned = self.law_of_both(self.mirror(at), yours, mine)
            return [
                (chance, Outcome(chance, self.mirror(after), BOTH, -exact_amount(gain)))
                for chance, (_, after, _, gain) in turned
            ]
        told = (Outcome(*each) for each in self.outcomes(at, mine, yours))
        return [(chance, each) for each in told if (chance := exact_chance(each.chance))]


@dataclasses.dataclass(frozen=True)
class RaceAtOnce(SimultaneousGame):
    """A race that two players run side by side, both choosing and throwing at once.

    A position has two fields, both scores: first that of the player who looks, then the other's.
    A throw adds its points to the thrower's own score, whatever the other player does. A throw
    that scores nothing leaves its score where it is; no other way leads back. Such a game is known
    by two tables, what each move scores and how each pair of scores ends, and is solved from these.
    """

    @abstractmethod
    def points(self, move: str) -> Mapping[int, Fraction]:
        """Return the chance of each number of points that a move may score."""

    def scored(self, move: str, faces: Sequence[int]) -> int:
        """Return what a move scores when its dice show these faces."""
        return sum(faces)

    @abstractmethod
    def highest(self) -> int:
        """Return the highest score that plays on; the game is over where either is above it."""

    def legal(self, at: Position, move: str) -> Any:
        """Return whether the move is allowed: every one is, everywhere."""
        return at[0] == at[0]

    def mirror(self, at: Position) -> Position:
        """Return a position as the other player sees it: the scores change places."""
        return type(at)(at[1], at[0])

    def outcomes(self, at: Position, mine: str, yours: str = "") -> Iterator[Outcome]:
        """Yield what both throws may add to the scores."""
        kind = type(at)
        for points, chance in self.points(mine).items():
            for others, other in self.points(yours).items():
                yield Outcome(chance * other, kind(at[0] + points, at[1] + others), BOTH)
