"""Pig and its family: rules, people who play them, holding points, figures."""

from dicelab.games.pig.family import BigPig, Piglet, TwoDicePig
from dicelab.games.pig.people import KINDS
from dicelab.games.pig.rules import (
    HOLD,
    ROLL,
    Choose,
    Pig,
    PigPosition,
    Throw,
    end_race_or_keep_pace,
    hold_at,
    roll_and_wait,
    roll_to_win,
    skip_when_level,
    turtle,
)
from dicelab.games.pig.solo import SoloPig

__all__ = [
    "HOLD",
    "KINDS",
    "ROLL",
    "BigPig",
    "Choose",
    "Pig",
    "PigPosition",
    "Piglet",
    "SoloPig",
    "Throw",
    "TwoDicePig",
    "end_race_or_keep_pace",
    "hold_at",
    "roll_and_wait",
    "roll_to_win",
    "skip_when_level",
    "turtle",
]
