"""What the user gave where parameters, or strategies, may have several values."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from dicelab.console.arguments import parted
from dicelab.rules import registry
from dicelab.rules.ranges import ranges_in
from dicelab.verbs.tournament import members


@dataclass(frozen=True)
class Ranged:
    """A game, its parameters of one value and of several, and who plays."""

    name: str
    fixed: dict[str, str]
    several: dict[str, list[str]]
    strategies: list[list[str]]  # of each player, one or more
    arguments: list[str]  # as they were typed

    @property
    def is_range(self) -> bool:
        """Whether anything has several values."""
        return bool(self.several) or any(len(each) > 1 for each in self.strategies)

    def command(self, numbers: Sequence[str]) -> str:
        """Return the command that works this out."""
        return " ".join(["dicelab sweep", self.name, *self.arguments, "--show", ",".join(numbers)])


def range_in(name: str, arguments: list[str] | None) -> Ranged | None:
    """Return what was asked for where a parameter or a strategy has several values, else None.

    What the game takes as one value is one, such as a die of the faces 2,3,3,4.
    """
    if not any(re.search(r"\.\.|,|\|", argument) for argument in arguments or []):
        return None
    asked = ranged(name, arguments or [], whole=True)
    return asked if asked.is_range else None


def ranged(name: str, arguments: list[str], whole: bool = False) -> Ranged:
    """Return what was asked for; with `whole`, what the game takes as one value is one."""
    parameters, others = parted(arguments)
    registry.game(name)  # an unknown game is refused before its ranges are
    fixed, several = ranges_in(name, parameters, whole)
    players = [members([one]) for one in others]
    return Ranged(name, fixed, several, players, arguments)
