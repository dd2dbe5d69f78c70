"""Greed: rules, its own solver, the searches and conjectures of its study, figures."""

from dicelab.games.greed.rules import HALF, LAST, NORMAL, OVER, GreedPosition
from dicelab.games.greed.speech import Greed, aim_at

__all__ = [
    "HALF",
    "LAST",
    "NORMAL",
    "OVER",
    "Greed",
    "GreedPosition",
    "aim_at",
]
