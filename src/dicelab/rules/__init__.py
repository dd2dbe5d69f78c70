"""What a game is: the contract, dice and their laws, games and strategies by name."""

from dicelab.core.results import BOTH, DRAW, LOSS, ONGOING, OTHER, SAME, WIN
from dicelab.rules.at_once import RaceAtOnce, SimultaneousGame
from dicelab.rules.chance import (
    THREW,
    Amount,
    Bools,
    Chance,
    Faces,
    Gain,
    Ints,
    Moment,
    Outcome,
    Throw,
    Way,
    before_throw,
    exact_amount,
    exact_chance,
    faces_of,
    shown_by,
)
from dicelab.rules.game import SEEN_BY_OTHER, Game, both, either, where, written
from dicelab.rules.house_rules import HouseRules
from dicelab.rules.speech import Position

__all__ = [
    "BOTH",
    "DRAW",
    "LOSS",
    "ONGOING",
    "OTHER",
    "SAME",
    "SEEN_BY_OTHER",
    "THREW",
    "WIN",
    "Amount",
    "Bools",
    "Chance",
    "Faces",
    "Gain",
    "Game",
    "HouseRules",
    "Ints",
    "Moment",
    "Outcome",
    "Position",
    "RaceAtOnce",
    "SimultaneousGame",
    "Throw",
    "Way",
    "before_throw",
    "both",
    "either",
    "exact_amount",
    "exact_chance",
    "faces_of",
    "shown_by",
    "where",
    "written",
]
