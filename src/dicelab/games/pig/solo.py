"""Solo Pig: alone with the dice, how fast can you reach the target?

The rules of a turn are those of Pig. With ``turns=0`` you want the fewest turns on average. With
``turns=N`` you want the best chance to reach the target within N turns.

A bust leads back to where the turn began, so the first form has cycles; the second counts down and
has none.

Source: the solo form of Neller & Presser, "Optimal Play of the Dice Game Pig", The UMAP Journal
25(1), 2004.

>>> from dicelab import solve
>>> solve(SoloPig(target=2), exact=True).value       # v = 1 + v/6, so v = 6/5 turns
Fraction(6, 5)
>>> solve(SoloPig(target=2, turns=2), exact=True).value     # 1 - (1/6)^2
Fraction(35, 36)
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, NamedTuple

from dicelab.core.json_object import JsonObject
from dicelab.core.language import mark, tr, trn
from dicelab.games.pig.rules import HOLD, ROLL, Pig, PigPosition
from dicelab.rules import DRAW, LOSS, ONGOING, OTHER, SAME, WIN, Ints, Outcome, Position, where
from dicelab.rules.registry import register, strategy
from dicelab.rules.sentences import YOU, said_by


class SoloPosition(NamedTuple):
    """The bank, the points at risk and the turns left, written ``30 +9`` or ``30 +9 (4 left)``."""

    mine: Ints
    at_risk: Ints
    left: Ints


@register("solo-pig")
@dataclass(frozen=True)
class SoloPig(Pig):
    """Pig alone: the fewest turns on average, or the best chance within so many."""

    turns: int = 0
    players: ClassVar[int] = 1  # type: ignore[misc]
    may_play: ClassVar[range] = range(1, 2)
    in_short: ClassVar[str] = (
        "Alone with the dice, how fast can you reach the target? The rules of a turn are those of "
        "Pig. With a number of turns, reach the target within them."
    )
    list_place: ClassVar[int] = 20
    is_daily: ClassVar[bool] = False  # for one
    rivals: ClassVar[tuple[str, ...]] = ("hold-at:20", "roll-to-win", "optimal")

    def __post_init__(self) -> None:
        """Refuse parameters that make no game."""
        super().__post_init__()
        self.needs(self.turns >= 0, f"0 turns (no limit) or more: got turns={self.turns}")

    @property
    def fewest(self) -> bool:  # type: ignore[override]
        """Whether the value is a number of turns."""
        return self.turns == 0

    @property
    def unit(self) -> str:  # type: ignore[override]
        """What the value counts."""
        return "turns" if self.fewest else "chance to win"

    @property
    def worth(self) -> Mapping[int, Fraction]:  # type: ignore[override]
        """What each end is worth: the chance to win, or the turn in which it comes."""
        return {WIN: Fraction(1), LOSS: Fraction(0), DRAW: Fraction(0)}

    def start(self) -> Position:
        """Return the position the game starts from."""
        return SoloPosition(0, 0, self.turns)

    def outcomes(self, at: Position, move: str) -> Iterator[Outcome]:
        """Yield (chance, next position, who moves next, turns taken): Pig's turn, played alone."""
        for outcome in super().outcomes(_among_two(at), move):
            yield self._alone(at, outcome)

    def after(self, at: Position, move: str, faces: Sequence[int]) -> Outcome:
        """Return what follows a move when its dice show these faces."""
        if move == HOLD:
            (held,) = self.outcomes(at, move)
            return held
        return self._alone(at, super().after(_among_two(at), move, faces))

    def _alone(self, at: Position, outcome: Outcome) -> Outcome:
        """Return an outcome of Pig's turn as the player alone sees it."""
        chance, after, mover, _ = outcome
        if mover == OTHER:  # my bank is now what the other player would see as yours
            left = at.left if self.fewest else at.left - 1
            turn = SoloPosition(after.yours, 0 * at.mine, left)
            return Outcome(chance, turn, OTHER, 1 if self.fewest else 0)
        return Outcome(chance, SoloPosition(after.mine, after.at_risk, at.left), SAME)

    def result(self, at: Position) -> Ints:
        """Return WIN at the target, LOSS when the turns are used up."""
        reached = at.mine + at.at_risk >= self.target
        if self.fewest:
            return where(reached, WIN, ONGOING)
        return where(reached, WIN, where(at.left <= 0, LOSS, ONGOING))

    def size(self) -> int:
        """Return about how many positions there are."""
        most = max(throw.points for throw in self.throws())
        return self.target * (self.target + 2 * most) // 2 * max(1, self.turns)

    def describe(self, at: Position, mine: bool = True) -> str:
        """Return a position in a sentence or two."""
        risking = mark("You have {mine} and {risk} at risk of {target}.")
        text = tr(
            risking if at.at_risk else mark("You have {mine} of {target}."),
            mine=at.mine,
            risk=at.at_risk,
            target=self.target,
        )
        if self.fewest:
            return text
        left = trn("{n} turn left.", "{n} turns left.", int(at.left))
        return f"{text} {left}"

    def counters(self, at: Position, mine: bool = True) -> JsonObject:
        """Return the fields worth drawing; the turns left where they are counted."""
        told = super().counters(at, mine)
        if self.fewest:
            del told["left"]
        return told

    def ending(self, at: Position, mine: bool, ended: str, turns: int, who: str = YOU) -> str:
        """Return how a game ended, in a sentence."""
        score = int(at.mine + at.at_risk)
        you = who == YOU
        if ended == "won":
            used = trn("{n} turn", "{n} turns", turns)
            return said_by(
                you,
                "You reached {score} in {turns}.",
                "{who} reached {score} in {turns}.",
                who=who,
                score=score,
                turns=used,
            )
        return said_by(
            you,
            "You ran out of turns at {score}.",
            "{who} ran out of turns at {score}.",
            who=who,
            score=score,
        )

    def slice_of(self, mine: Ints, at_risk: Ints, across: Ints) -> Position:
        """Return positions by one's bank and what is at risk; `across` are the turns left."""
        return SoloPosition(mine, at_risk, across)

    @property
    def slices(self) -> tuple[str, int, int]:
        """What a slice holds fixed, the most that may be, and where one begins to look."""
        return "left", self.turns, self.turns

    def example_positions(self) -> list[str]:
        """Return a position somewhere in the middle of a game."""
        at = SoloPosition(self.target * 30 // 100, max(2, self.target * 9 // 100), self.turns)
        return [self.notation(at)]

    def notation(self, at: Position) -> str:
        """Return ``mine +at_risk``, and the turns left where they are counted."""
        limit = "" if self.fewest else f" ({at.left} left)"
        return f"{at.mine} +{at.at_risk}{limit}"

    def parse(self, text: str) -> Position:
        """Return the position that ``30 +9`` or ``30 +9 (4 left)`` stands for."""
        match = re.fullmatch(
            r"\s*(\d{1,9})\s*(?:\+\s*(\d{1,9}))?\s*(?:\(\s*(\d{1,9})\s*left\s*\))?\s*", text
        )
        if match is None or (self.fewest and match[3]):
            raise self.unreadable(text)
        return SoloPosition(int(match[1]), int(match[2] or 0), int(match[3] or self.turns))


def _among_two(at: Position) -> PigPosition:
    """Return the turn of Pig that a player alone is in."""
    return PigPosition(at.mine, 0 * at.mine, at.at_risk)


SoloPig.strategies = {}  # Pig's own may look at the other player; only these do not


@strategy(SoloPig, "hold-at")
def hold_at(game: SoloPig, points: int = 20) -> Callable[[SoloPosition], object]:
    """Hold once this many points are at risk."""
    return lambda at: where(at.at_risk >= points, HOLD, ROLL)


@strategy(SoloPig, "roll-to-win")
def roll_to_win(game: SoloPig) -> Callable[[SoloPosition], object]:
    """Never hold: reach the target in this turn or bust."""
    return lambda at: where(at.at_risk >= 0, ROLL, HOLD)
