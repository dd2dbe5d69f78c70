"""What to keep at each first throw of a set of 421, by the tokens, and what `transfer` keeps."""

from __future__ import annotations

from dataclasses import dataclass

from dicelab.games.four21.match import FourTwentyOne
from dicelab.games.four21.match_casts import CAST
from dicelab.games.four21.match_rules import MatchPosition
from dicelab.games.four21.match_strategies import transfer_
from dicelab.rules import Moment
from dicelab.verbs.solution import WORSE, Solution


@dataclass(frozen=True)
class FirstThrow:
    """A first throw: what is best, what is as good, and what a player for tokens keeps."""

    throw: str
    chance: float
    best: tuple[str, ...]
    value: float  # the chance of the match with the best of them
    transfer: str  # what the study's utility keeps
    cost: float  # of that, in chance of the match


def first_throws(solution: Solution, at: MatchPosition) -> list[FirstThrow]:
    """Return every throw of all dice at a position, the lowest faces first."""
    game = solution.game
    assert isinstance(game, FourTwentyOne)
    plays = transfer_(game)
    found = []
    for fall in game.dice.falls[0]:
        moves = solution.moves_at(Moment(at, CAST, fall.dice))
        kept = str(plays(at, fall.dice))
        told = next(move for move in moves if move.move == kept)
        found.append(
            FirstThrow(
                game.dice.written[fall.result],
                float(fall.chance),
                tuple(move.move for move in moves if move.status != WORSE),
                float(moves[0].value),
                kept,
                float(told.cost) if told.status == WORSE else 0.0,
            )
        )
    return found
