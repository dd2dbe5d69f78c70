"""Two players with a scorecard each: best play box by box, and strategies that do not look.

Best play in sight of the other card is that of any match of rounds for two, for small cards. How
large that would be is known before; the whole card of a common game is far beyond it. Two players
who each play their own card, whatever the other does, meet by their laws of scores: that takes no
table, and no size is too large for it.
"""

from __future__ import annotations

import time
from fractions import Fraction
from typing import Any

import numpy as np

from dicelab.errors import RulesError, TooLarge
from dicelab.rounds.card_duel import CardDuel
from dicelab.rules import Game
from dicelab.solvers.settle import Progress
from dicelab.strategies.named import AnyStrategy
from dicelab.table import memory_limit
from dicelab.verbs.card_play import law_of_points, name_of, refuse_law, strategy_of
from dicelab.verbs.card_play import takes as takes_alone
from dicelab.verbs.evaluation import Chances, Evaluation, Stakes
from dicelab.verbs.match import solve_match
from dicelab.verbs.points_law import PointsLaw
from dicelab.verbs.solution import Solution

BYTES_PER_WAY = 40
"""What a match of rounds takes for each way on, with each result."""


def solve_duel(
    game: CardDuel,
    exact: bool = False,
    progress: Progress | None = None,
    began: float | None = None,
    memory: int | None = None,
) -> Solution:
    """Return best play of two who see both cards, refused before the work where that is large."""
    refuse_large(game, memory_limit() if memory is None else memory)
    return solve_match(game, exact, progress, began, memory)


def refuse_large(game: CardDuel, limit: int) -> None:
    """Refuse two cards that do not fit: each pair of them has a lead or more."""
    own, pairs = game.own, game.pairs()
    needed = BYTES_PER_WAY * pairs * len(own.results) * len(own.boxes)
    if needed <= limit:
        return
    raise TooLarge(
        f"{game} has about {game.standings():.0e} standings, both cards and every lead: best play "
        f"in sight of the other card is for small ones, such as dice=3 with three boxes; for this "
        f"one `evaluate` tells how two meet who do not look, and --for 'more than CARD' is best "
        f"play against who does not"
    )


def takes(game: Game, strategy: AnyStrategy) -> bool:
    """Return whether a strategy fills its own card whatever the other does, card by card."""
    return isinstance(game, CardDuel) and game.begins_at is None and takes_alone(game.own, strategy)


def evaluate(
    game: CardDuel, a: AnyStrategy, b: AnyStrategy | None = None, memory: int | None = None
) -> Evaluation | None:
    """Return how two fare who do not look at each other; None where it takes a table."""
    if b is None:
        raise RulesError(f"{game} is played by two: say whom {name_of(a)} plays against")
    if not (takes(game, a) and takes(game, b)):
        return None
    refuse_law(game.own, memory_limit() if memory is None else memory)
    began = time.perf_counter()
    mine = law_of_points(game.own, strategy_of(game.own, a), memory)
    theirs = mine if a == b else law_of_points(game.own, strategy_of(game.own, b), memory)
    wins, losses, draws = meeting(mine, theirs)
    error = mine.error + theirs.error + mine.unfinished + theirs.unfinished
    value = float(wins + draws / 2)
    stakes = Stakes((game.worth, game.worth), (Fraction(1, 2), Fraction(1, 2)))
    chances = Chances(wins, losses, draws, 0.0)
    seconds = time.perf_counter() - began
    names = (name_of(a), name_of(b))
    told: tuple[Any, ...] = (chances, chances, error, seconds, False, (value, value), stakes)
    return Evaluation(game, *names, *told)


def meeting(mine: PointsLaw, theirs: PointsLaw) -> tuple[float, float, float]:
    """Return the chances of more points, of fewer and of as many, of two that do not look."""
    most = int(max(mine.amounts[-1], theirs.amounts[-1])) + 1
    one, two = np.zeros(most), np.zeros(most)
    one[mine.amounts], two[theirs.amounts] = mine.chances, theirs.chances
    below = np.cumsum(two) - two
    wins, draws = float(one @ below), float(one @ two)
    losses = float(two @ (np.cumsum(one) - one))
    return wins, losses, draws
