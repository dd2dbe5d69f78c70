"""Pig and its family: rules, people who play them, holding points, figures."""

from dicelab.games.pig.rules import (
    HOLD,
    ROLL,
    BigPig,
    Choose,
    Pig,
    Piglet,
    PigPosition,
    Throw,
    TwoDicePig,
    end_race_or_keep_pace,
    hold_at,
    roll_and_wait,
    roll_to_win,
    skip_when_level,
    turtle,
)

__all__ = [
    "HOLD",
    "ROLL",
    "BigPig",
    "Choose",
    "Pig",
    "PigPosition",
    "Piglet",
    "Throw",
    "TwoDicePig",
    "end_race_or_keep_pace",
    "hold_at",
    "roll_and_wait",
    "roll_to_win",
    "skip_when_level",
    "turtle",
]
