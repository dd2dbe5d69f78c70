"""The bear-off of backgammon: rules, and how a throw can be played."""

from dicelab.games.bear_off.rules import BearOff, BearOffPosition

__all__ = ["BearOff", "BearOffPosition"]
