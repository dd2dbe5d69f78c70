"""Can't Stop: rules, how it speaks at the table, named strategies."""

from dicelab.games.cant_stop import strategies as strategies
from dicelab.games.cant_stop.rules import CantStopPosition
from dicelab.games.cant_stop.speech import CantStop

__all__ = ["CantStop", "CantStopPosition"]
