"""What a game is: the contract, dice and their laws, games and strategies by name."""

from dicelab.core.results import DRAW, LOSS, ONGOING, OTHER, SAME, WIN
from dicelab.rules.game import (
    SEEN_BY_OTHER,
    Bools,
    Chance,
    Game,
    HouseRules,
    Ints,
    Outcome,
    SimultaneousGame,
    both,
    either,
    where,
    written,
)
from dicelab.rules.speech import Position

__all__ = [
    "DRAW",
    "LOSS",
    "ONGOING",
    "OTHER",
    "SAME",
    "SEEN_BY_OTHER",
    "WIN",
    "Bools",
    "Chance",
    "Game",
    "HouseRules",
    "Ints",
    "Outcome",
    "Position",
    "SimultaneousGame",
    "both",
    "either",
    "where",
    "written",
]
