"""The family of Pig: Piglet with a coin, Two-dice Pig, Big Pig."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from dicelab.core.language import mark
from dicelab.games.pig.rules import Pig, Throw
from dicelab.rules.dice import Die, coin
from dicelab.rules.registry import register


@register("piglet")
@dataclass(frozen=True)
class Piglet(Pig):
    """Pig with a coin: heads adds 1, tails costs the turn."""

    target: int = 10
    in_short: ClassVar[str] = (
        "Pig with a coin: heads adds 1, tails costs the turn. Hold to bank what the turn has "
        "earned. The first to reach the target wins."
    )
    list_place: ClassVar[int] = 21
    is_daily: ClassVar[bool] = False  # over in a minute
    rivals: ClassVar[tuple[str, ...]] = (
        "hold-at:2",
        "hold-at:1",
        "roll-to-win",
        "random",
        "optimal",
    )
    rivals_in_words: ClassVar[Mapping[str, tuple[str, str]]] = {
        "hold-at:2": (mark("the classic"), mark("Holds once 2 points are at risk.")),
        "hold-at:1": (mark("the cautious one"), mark("Holds after every head.")),
        "roll-to-win": Pig.rivals_in_words["roll-to-win"],
    }
    die: Die = coin
    bust: int = 0


@register("two-dice-pig")
@dataclass(frozen=True)
class TwoDicePig(Pig):
    """Pig with two dice: one 1 costs the turn, two cost the whole bank."""

    dice: int = 2
    in_short: ClassVar[str] = (
        "Pig with two dice: one 1 costs the turn, two cost the whole bank. Hold to bank what the "
        "turn has earned. The first to reach the target wins."
    )
    list_place: ClassVar[int] = 22
    called: ClassVar[str] = "Two-dice Pig"

    def throws(self) -> list[Throw]:
        """Return what one roll may do."""
        ruin = dict(self.die).get(self.bust, Fraction(0)) ** self.dice
        return [
            throw._replace(chance=throw.chance - ruin) if throw.busts else throw
            for throw in super().throws()
        ] + ([Throw(ruin, 0, busts=True, ruins=True)] if ruin else [])

    def landed(self, faces: Sequence[int]) -> Throw:
        """Return what the dice do when they show these faces."""
        ruins = all(face == self.bust for face in faces)
        return super().landed(faces)._replace(ruins=ruins)


@register("big-pig")
@dataclass(frozen=True)
class BigPig(Pig):
    """Pig with two dice: two 1s score 25, other doubles score twice their sum."""

    dice: int = 2
    in_short: ClassVar[str] = (
        "Pig with two dice: doubles count twice, and two 1s score 25. A single 1 costs you the "
        "turn. The first to reach the target wins."
    )
    list_place: ClassVar[int] = 23

    def __post_init__(self) -> None:
        """Refuse parameters that make no game."""
        super().__post_init__()
        self.needs(self.dice == 2, f"exactly 2 dice: got dice={self.dice}")

    def throws(self) -> list[Throw]:
        """Return what one roll may do."""
        points: dict[int, Fraction] = {}
        bust = Fraction(0)
        for one, chance in self.die:
            for two, other in self.die:
                throw = self.landed((one, two))
                if throw.busts:
                    bust += chance * other
                else:
                    scored = min(throw.points, self.target)
                    points[scored] = points.get(scored, Fraction(0)) + chance * other
        throws = [Throw(chance, score) for score, chance in sorted(points.items())]
        return [Throw(bust, 0, busts=True), *throws] if bust else throws

    def landed(self, faces: Sequence[int]) -> Throw:
        """Return what the dice do when they show these faces."""
        one, two = faces
        if one == two:
            return Throw(Fraction(1), 25 if one == self.bust else 2 * (one + two))
        return super().landed(faces)
