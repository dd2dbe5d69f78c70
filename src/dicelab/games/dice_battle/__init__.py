"""Dice Battle: rules and figures."""

from dicelab.games.dice_battle.rules import (
    MOST_DICE,
    VARIANTS,
    DiceBattle,
    blind,
    blind_dice,
    chance_of_points,
    chance_without_one,
    expected_points,
    points_law,
)
from dicelab.games.dice_battle.strategies import by_turns

__all__ = [
    "MOST_DICE",
    "VARIANTS",
    "DiceBattle",
    "blind",
    "blind_dice",
    "by_turns",
    "chance_of_points",
    "chance_without_one",
    "expected_points",
    "points_law",
]
