"""Simulation: rounds played with random dice, as at the table.

Dice are thrown one by one as faces; nothing here uses the laws of combinations. So an estimate that
agrees with an exact value is evidence for both.

>>> import numpy as np
>>> from dicelab.rounds import Round, ratchet, simulate
>>> seen = simulate(ratchet(Round(), "421"), "goal:421", 1000, np.random.default_rng(1))
>>> seen.rounds, seen.mean
(1000, 0.22...)
"""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from dicelab.errors import RulesError
from dicelab.rounds.rules import Round
from dicelab.rounds.strategies import RoundStrategy
from dicelab.rounds.utilities import AnyUtility, utility


@dataclass(frozen=True)
class RoundEstimate:
    """The mean worth of rounds played, with the standard error of that mean."""

    mean: float
    error: float
    rounds: int

    def agrees(self, value: Fraction | float, errors: float = 4.0) -> bool:
        """Whether a value lies within so many standard errors of the mean."""
        return abs(self.mean - float(value)) <= errors * self.error + 1e-12


def simulate(
    strategy: RoundStrategy, worth: AnyUtility, rounds: int, rng: np.random.Generator
) -> RoundEstimate:
    """Return what a strategy earned in so many rounds; the caller owns the random generator."""
    if rounds < 2:
        raise RulesError(f"an estimate needs at least 2 rounds: got {rounds}")
    game = strategy.game
    ours = utility(worth, game)
    paid = np.array(ours.values, dtype=float)
    numbers, full = game.numbers, game.numbers.full.start
    kept = np.zeros((rounds, game.die.sides), dtype=np.int64)
    earned = np.zeros(rounds)
    playing = np.arange(rounds)
    for cast in range(1, game.casts + 1):
        here = kept[playing]
        thrown = _throw(game, game.dice - here.sum(axis=1), rng)
        after = _decide(strategy, cast, here, thrown, rng)
        kept[playing] = numbers.counts[after]
        ended = numbers.sizes[after] == game.dice
        row = paid[0 if ours.is_stationary else cast - 1]
        earned[playing[ended]] = row[after[ended] - full]
        playing = playing[~ended]
    error = float(earned.std(ddof=1)) / rounds**0.5
    return RoundEstimate(float(earned.mean()), error, rounds)


def _throw(game: Round, live: NDArray[np.int64], rng: np.random.Generator) -> NDArray[np.int64]:
    """Return how many of the live dice of each round show each face: ``[rounds, faces]``."""
    edges = np.cumsum([float(chance) for chance in game.die.chances])[:-1]
    shown = np.searchsorted(edges, rng.random((len(live), game.dice)), side="right")
    thrown = np.zeros((len(live), game.die.sides), dtype=np.int64)
    for die in range(game.dice):
        thrown[np.arange(len(live)), shown[:, die]] += die < live
    return thrown


def _decide(
    strategy: RoundStrategy,
    cast: int,
    aside: NDArray[np.int64],
    thrown: NDArray[np.int64],
    rng: np.random.Generator,
) -> NDArray[np.int64]:
    """Return what is kept in each round: ``[rounds]``."""
    game = strategy.game
    numbers, matrices = game.numbers, game.matrices
    before, cast_as = numbers.rank(aside), numbers.rank(thrown)
    throw = matrices.row[before] + cast_as - numbers.starts[numbers.sizes[cast_as]]
    table = matrices.table[throw]
    chances = np.array(strategy.chances[cast - 1], dtype=float)
    until = np.cumsum(chances)
    start = matrices.start[table]
    base = until[start] - chances[start]
    drawn = base + rng.random(len(table)) * (until[matrices.start[table + 1] - 1] - base)
    option = np.searchsorted(until, drawn, side="right")
    return np.asarray(matrices.option[np.clip(option, start, matrices.start[table + 1] - 1)])
