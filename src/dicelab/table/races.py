"""The table of a race in which both players throw at once.

A position is a pair of scores. Its rows are the moves of the player who looks; what they lead to
depends on the other player's move as well, so the table holds the law of each throw and a map of
the scores in place of outcomes. Everything that only needs positions and moves (strategies, files,
notation) works on it as on any other table.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from dicelab.core.arrays import Array, Bools, Ints, Numbers
from dicelab.core.lazy import lazy
from dicelab.errors import DicelabError
from dicelab.rules import ONGOING, RaceAtOnce, answers, contract, contract_at_once
from dicelab.rules.failure import failure_on_arrays
from dicelab.solvers.races import reach
from dicelab.table.at_once import SimultaneousTable
from dicelab.table.expand import refuse_before, refuse_beyond
from dicelab.table.numbering import Box

BYTES_PER_PAIR = 40  # of scores, also of those where the game is over: results, numbers, bounds
BYTES_PER_CHANCE = 32


@dataclass(frozen=True, eq=False, repr=False)
class RaceTable(SimultaneousTable):
    """A compiled race; positions are numbered with the highest scores first."""

    exact_law: Numbers  # [moves, points] Fractions: the chance of each number of points
    results: Ints  # [scores, scores] WIN, LOSS, DRAW or ONGOING for the player of the first score
    number_at: Ints  # [scores, scores] the position's number, or -1 where play never comes

    @lazy
    def law(self) -> Numbers:
        """The chance of each number of points as floats. `[moves, points]`"""
        return self.exact_law.astype(np.float64)

    @property
    def playing(self) -> int:
        """How many scores play on: those below it."""
        return int(self.results.shape[0] - self.exact_law.shape[1] + 1)

    @lazy
    def scores(self) -> tuple[Ints, Ints]:
        """Both scores of each position. `[positions]`"""
        at = self.positions(np.arange(len(self)))
        return at[0], at[1]

    def spread(self, weights: Array) -> Array:
        """Return a plan's chances of moves by scores. `[playing, playing, moves]`"""
        one = Fraction(1) if weights.dtype == object else 1.0
        dense = np.zeros((self.playing, self.playing, len(self.moves)), weights.dtype)
        dense[:, :, 0] = one  # where play never comes, anything will do
        mine, yours = (score[self.row_position] for score in self.scores)
        dense[mine, yours, self.move] = weights
        return dense


def refuse_race(game: RaceAtOnce, memory: int) -> None:
    """Refuse a game too large to be played at once: it has a map of all scores, ends included."""
    refuse_before(game, memory)
    most = max(max(game.points(move)) for move in game.moves)
    square = (game.highest() + most + 1) ** 2
    needed = square * BYTES_PER_PAIR + len(game.moves) * most * BYTES_PER_CHANCE
    refuse_beyond(game, memory, needed, f"about {square:.2g}")


def compile_race(game: RaceAtOnce, memory: int) -> RaceTable:
    """Return the table of a game in which both throw at once."""
    contract.check_moves(game)
    laws = contract_at_once.check_laws(game)
    contract_at_once.check_scores(game)
    refuse_race(game, memory)
    most = max(max(law) for law in laws)
    exact_law = np.full((len(laws), most + 1), Fraction(0), object)
    for number, law in enumerate(laws):
        for points, chance in law.items():
            exact_law[number, points] = chance
    start = game.start()
    scores = np.arange(game.highest() + most + 1)
    kind = type(start)
    everywhere = kind(scores[:, None], scores[None, :])
    results = np.empty((scores.size, scores.size), np.int8)
    try:
        results[:] = answers.check_results(game, game.result(everywhere), everywhere)
    except DicelabError:
        raise
    except Exception as trouble:  # the rules are somebody's own code
        raise failure_on_arrays(game, trouble, everywhere) from trouble
    reached = np.zeros(results.shape, np.bool_)

    def reach_all() -> Bools:
        reach(exact_law.astype(np.float64), start[0], start[1], results == ONGOING, reached)
        return reached

    contract_at_once.check_race(game, results, reach_all)
    mine, yours = (part[::-1] for part in np.nonzero(reached))
    number_at = np.full(results.shape, -1, np.int32)
    number_at[mine, yours] = np.arange(mine.size, dtype=np.int32)
    result = results[mine, yours]
    moves = np.where(result == ONGOING, len(laws), 0)
    rows = int(moves.sum())
    nothing = np.empty(0, np.int32)
    return RaceTable(
        game=game,
        memory=memory,
        moves=game.moves,
        numbering=Box.of(kind(mine, yours)),
        result=result,
        move_first=np.append(0, np.cumsum(moves)).astype(np.int32),
        move=np.tile(np.arange(len(laws), dtype=np.int16), rows // len(laws)),
        outcome_first=np.zeros(rows + 1, np.int32),
        target=nothing,
        kind=nothing,
        kinds=(),
        component_first=np.arange(mine.size + 1, dtype=np.int32),
        cut=np.full(mine.size, -1, np.int32),
        cuts=np.zeros(mine.size, np.int32),
        mirror=number_at[yours, mine],
        exact_law=exact_law,
        results=results,
        number_at=number_at,
    )
