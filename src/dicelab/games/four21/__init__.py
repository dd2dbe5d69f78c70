"""421: rules and figures, of its rounds and of the match."""

from dicelab.games.four21 import former_rounds as former_rounds
from dicelab.games.four21 import match_strategies as match_strategies
from dicelab.games.four21.match import FourTwentyOne
from dicelab.games.four21.match_rules import MatchPosition
from dicelab.games.four21.rules import FourTwentyOneRound

__all__ = ["FourTwentyOne", "FourTwentyOneRound", "MatchPosition"]
