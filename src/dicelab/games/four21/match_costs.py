"""What a way to play gives away in the match of 421, at all tokens: in a set, and in the match.

A set at given tokens is a round played for the chance of the match. To the first player a result
after so many casts is worth what is left to him when the next player then plays his best; to the
next player it is worth what the tokens then are. Both come from the solved match (`worths_at`), so
whatever can be asked of a round and a utility can be asked of a set.

- **In a set** a strategy costs its player what it loses against these worths, when it plays this
  one set and both play their best otherwise.
- **In the match** it costs what a player who knows it takes beyond the value: the best reply.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dicelab.core.arrays import Floats
from dicelab.errors import RulesError
from dicelab.games.four21.match import FourTwentyOne
from dicelab.games.four21.match_casts import DICE
from dicelab.games.four21.match_rules import MatchPosition
from dicelab.games.four21.match_strategies import Played
from dicelab.rounds.evaluation import presence
from dicelab.rounds.induction import solve as solve_round
from dicelab.rounds.rules import Round
from dicelab.rounds.strategies import RoundStrategy, optimal_of
from dicelab.rounds.utilities import AnyUtility
from dicelab.strategies.named import rule_of
from dicelab.verbs.best_response import best_response
from dicelab.verbs.table_solution import TableSolution

MOST_TERMS = 1_000
"""More terms than a mean over the results of a round has; each is rounded like a number up to 1."""


@dataclass(frozen=True)
class Given:
    """What a strategy gives away at the tokens that a set begins with, in chance of the match."""

    mine: int  # of the player who throws first
    yours: int
    pot: int
    value: float  # the first player's chance, with best play
    set_first: float  # in this set, as its first player
    set_next: float  # in this set, as its next player
    match_first: float  # in the match from here on, as the first player of this set
    match_next: float


def openings(game: FourTwentyOne) -> list[tuple[int, int]]:
    """Return the tokens of both players with which a set may begin, the pot full first."""
    held = [(mine, all_ - mine) for all_ in range(game.tokens + 1) for mine in range(all_ + 1)]
    return [pair for pair in held if sum(pair) < game.tokens or 0 not in pair]


def worths_at(solution: TableSolution, mine: int, yours: int) -> Floats:
    """Return what each result is worth to the first player of a set: ``[casts, results]``.

    Results are in the order of the round's combinations.
    """
    game = match_of(solution)
    places = np.array(game.dice.places)
    found = []
    for casts in range(1, game.casts + 1):
        bound = np.full(places.shape, casts)
        at = MatchPosition(0 * places + yours, 0 * places + mine, places, bound, 0 * places, bound)
        found.append(1 - solution.values[solution.table.numbers(at)])
    return np.array(found, float)


def next_worths_at(solution: TableSolution, mine: int, yours: int) -> Floats:
    """Return what results are worth to the next player of a set: ``[first's, next's]``.

    `mine` are the first player's tokens here too. Both are in the order of the combinations.
    """
    game = match_of(solution)
    first = np.array(game.dice.places)
    at = MatchPosition(0 * first + yours, 0 * first + mine, first, first, 0 * first, first)
    values = opening_values(solution)
    columns = []
    for place in game.dice.places:
        (own, other), begins = game.settled(at, place)
        columns.append(np.where(begins == 0, values[own, other], 1 - values[other, own]))
    return np.array(columns, float).T


def opening_values(solution: TableSolution) -> Floats:
    """Return the chance of who throws first, by tokens, the end of the match among them."""
    game = match_of(solution)
    values = np.full((game.tokens + 1, game.tokens + 1), np.nan)
    for mine, yours in openings(game):
        values[mine, yours] = solution.value_at(game.opening(mine, yours))
    values[0, game.tokens], values[game.tokens, 0] = 1.0, 0.0
    return values


def match_of(solution: TableSolution) -> FourTwentyOne:
    """Return the match that was solved."""
    game = solution.game
    assert isinstance(game, FourTwentyOne)
    return game


def best_round(solution: TableSolution, mine: int, yours: int) -> RoundStrategy:
    """Return how the first player of a set plays his round, ties broken by fewest dice."""
    game = match_of(solution)
    whole = Round(DICE, game.die, game.casts)
    return optimal_of(
        solve_round(whole, utility_of(whole, worths_at(solution, mine, yours)), exact=False)
    )


def utility_of(game: Round, worths: Floats) -> AnyUtility:
    """Return worths ``[casts, results]`` as a utility of the round."""
    by_faces = {
        (game.numbers.faces_of(full), cast + 1): float(worths[cast, place])
        for place, full in enumerate(game.numbers.full)
        for cast in range(game.casts)
    }

    def worth(faces: tuple[int, ...], cast: int) -> float:
        return by_faces[tuple(sorted(faces)), cast]

    return worth


@dataclass(frozen=True)
class Costs:
    """What a strategy gives away wherever a set may begin, and how far that may be off."""

    strategy: str
    rows: list[Given]
    error: float

    def at(self, mine: int, yours: int) -> Given:
        """Return what it gives away at some tokens."""
        return next(row for row in self.rows if (row.mine, row.yours) == (mine, yours))


def costs(solution: TableSolution, strategy: str) -> Costs:
    """Return what a strategy gives away, wherever a set may begin."""
    game, table = match_of(solution), solution.table
    rule = rule_of(game, strategy)
    if not isinstance(rule, Played):
        raise RulesError(
            f"what {strategy} gives away in a set cannot be told: name a strategy that plays its "
            f"rounds whatever the tokens, such as transfer, rank:h1s1 or beat"
        )
    first = law_of(rule.first)
    after = [np.array([law_of(plan)[-1] for plan in plans]) for plans in rule.after]
    reply = best_response(table, strategy).solution
    assert reply.replies is not None
    found = []
    for mine, yours in openings(game):
        number = table.number(game.opening(mine, yours))
        value = float(solution.values[number])
        worths = worths_at(solution, mine, yours)
        met = law_of(best_round(solution, mine, yours))
        then = next_worths_at(solution, mine, yours)
        lost = [1 - worths[cast] - _mean(after[cast], then, game) for cast in range(game.casts)]
        given = (
            value - float((first * worths).sum()),
            float((met * np.array(lost)).sum()),
            float(reply.replies[0][number]) - (1 - value),
            float(reply.values[number]) - value,
        )
        least_nothing = (max(0.0, each) for each in given)
        found.append(Given(mine, yours, game.tokens - mine - yours, value, *least_nothing))
    return Costs(strategy, found, _error(solution) + _error(reply))


def _error(solution: TableSolution) -> float:
    """Return how far means of a solution's values may be from the truth, rounding included."""
    bounds = [(solution.lowers, solution.uppers)]
    bounds += [solution.replies[1:]] if solution.replies is not None else []
    widest = max(float(np.max(upper - lower)) for lower, upper in bounds)
    return widest + MOST_TERMS * 2.0**-52


def law_of(plan: RoundStrategy) -> Floats:
    """Return the chance of each result with each cast: ``[casts, results]``."""
    return np.array(presence(plan).ended[1:], float)


def _mean(laws: Floats, then: Floats, game: FourTwentyOne) -> Floats:
    """Return what the next player gets against each result of the first: ``[results]``."""
    if len(laws) == 1:
        return np.asarray(then @ laws[0])
    places = np.array(game.dice.places) - 1
    return np.einsum("ij,ij->i", then, laws[places])
