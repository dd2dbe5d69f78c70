"""421: one round of it, three dice and up to three casts; what is put aside stays aside.

You cast three dice. Put aside any of them, cast the rest, and so once more; or stop when you like
what lies there. 421 is the highest combination, then 111, then pairs of ones and three of a kind.
What a result is worth is a parameter: the tokens it hands over (``transfer``), its rank, the sum of
the faces, or 1 for a goal and nothing else (``goal:421``).

Source: Albarède, "Fate stochastic management and policy benchmark in 421".

>>> from dicelab import solve
>>> solve(FourTwentyOneRound(utility="goal:421"), exact=True).value
Fraction(42571, 186624)
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from dicelab.core.language import mark
from dicelab.games.keep_and_reroll import RoundGame
from dicelab.rules.registry import register


@register("421-round")
@dataclass(frozen=True)
class FourTwentyOneRound(RoundGame):
    """A round of 421."""

    utility: str = "transfer"

    called: ClassVar[str] = "421, a round"
    list_place: ClassVar[int] = 50
    suggested: ClassVar[Mapping[str, Mapping[str, str]]] = {
        "utility": {
            "transfer": "the tokens it moves, as if each were worth the same",
            "goal:421": "the chance of 421",
            "goal:421*10+111*7": "10 for a 421, 7 for three 1s",
            **RoundGame.suggested["utility"],
        },
    }

    @property
    def unit(self) -> str:  # type: ignore[override]
        """What the value counts."""
        return mark("tokens") if self.utility == "transfer" else super().unit
