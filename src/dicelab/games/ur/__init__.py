"""The Royal Game of Ur: rules, how it speaks at the table, named strategies."""

from dicelab.games.ur import strategies as strategies
from dicelab.games.ur.rules import RULES, UrPosition
from dicelab.games.ur.speech import Ur

__all__ = ["RULES", "Ur", "UrPosition"]
