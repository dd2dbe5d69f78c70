"""Yahtzee: one round of it, five dice and up to three casts; every die may be cast again.

You cast five dice and keep any of them, cast the others, and so once more. Unlike in 421 a die that
was kept may be cast again. What a result is worth is a parameter: the sum of the faces, or 1 for a
goal and nothing else (``goal:66666``; ``goal:11111+22222`` for one of several).

>>> from dicelab import solve
>>> round(float(solve(YahtzeeRound(utility="goal:66666"), exact=True).value), 6)
0.013272
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from dicelab.games.keep_and_reroll import RoundGame
from dicelab.rounds.rules import Keep
from dicelab.rules.registry import point, register

point("yahtzee", "the whole game is not here yet; one round of it is 'yahtzee-round'")


@register("yahtzee-round")
@dataclass(frozen=True)
class YahtzeeRound(RoundGame):
    """A round of Yahtzee."""

    dice: int = 5
    keep: ClassVar[Keep] = "any"
    called: ClassVar[str] = "Yahtzee, a round"
    largest: ClassVar[Mapping[str, int]] = {"dice": 5, "casts": 10, "die": 8}
    suggested: ClassVar[Mapping[str, Mapping[str, str]]] = {
        "utility": {"sum": "the sum of the faces", "goal:66666": "the chance of 66666"},
    }
