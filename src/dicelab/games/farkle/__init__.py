"""Farkle: rules, scores, how it speaks at the table, named strategies."""

from dicelab.games.farkle import strategies as strategies
from dicelab.games.farkle.rules import FarklePosition
from dicelab.games.farkle.speech import Farkle

__all__ = ["Farkle", "FarklePosition"]
