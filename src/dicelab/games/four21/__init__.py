"""421: rules and figures of its rounds."""

from dicelab.games.four21 import former_rounds as former_rounds
from dicelab.games.four21.rules import FourTwentyOneRound

__all__ = ["FourTwentyOneRound"]
