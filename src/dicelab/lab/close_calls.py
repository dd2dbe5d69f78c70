"""Close calls: positions that play comes to, where the second best move costs a little.

People are let play, who feel what moves are worth but not precisely (`models.Quantal`), and what
they meet is looked through. So positions come up as often as play comes there, in any game that can
be solved and played, whatever engine solved it. The dice follow from the rules and the number of
the batch alone: everybody who drills the same rules meets the same positions, and what people miss
can be counted.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator

import numpy as np

from dicelab.core.results import ONGOING
from dicelab.lab.training import PRECISION
from dicelab.people import marks
from dicelab.rules import Game, Moment, Position, SimultaneousGame
from dicelab.rules.throw import drawn, play
from dicelab.verbs.solution import WORSE, MoveValue, Solution

CLOSE = (0.001, 0.05)
"""What the second best move costs in a close call, as shares of what is at stake."""

IN_A_BATCH = 20
"""How many positions are looked for at a time."""

MOST_MET = 1500
"""How many positions are looked at before a batch is what was found by then."""

LONGEST = 400
"""Decisions after which a game that is played here is left unfinished."""


def is_close(moves: list[MoveValue], stakes: float) -> bool:
    """Return whether the second best move costs something, though not much."""
    costs = [float(move.cost) / stakes for move in moves if move.status == WORSE]
    return bool(costs) and CLOSE[0] <= min(costs) <= CLOSE[1]


def close_calls(
    solution: Solution, batch: int, report: Callable[[float], None] = lambda share: None
) -> list[str]:
    """Return positions of a batch, in the notation of the game; the same at every call.

    There may be none, in a game whose choices are all clear.
    """
    title = zlib.crc32(str(solution.game).encode())
    rng = np.random.default_rng([title, batch])
    stakes = marks.at_stake(solution)
    found: dict[str, None] = {}
    met = 0
    while len(found) < IN_A_BATCH and met < MOST_MET:
        game = list(_game(solution, stakes, rng))
        close = [at for at, moves in game if is_close(moves, stakes)]
        if close:  # one of each game, so that they are of all its stages
            found[solution.game.write(close[int(rng.integers(len(close)))])] = None
        met += len(game)
        report(max(len(found) / IN_A_BATCH, met / MOST_MET))
    return list(found)


def _game(
    solution: Solution, stakes: float, rng: np.random.Generator
) -> Iterator[tuple[Position, list[MoveValue]]]:
    """Yield the positions that people meet in one game, each with its moves."""
    game, at = solution.game, solution.game.start()
    for _ in range(LONGEST):
        moves = solution.moves_at(at)
        yield at, moves
        at = _followed(solution, at, _felt(moves, stakes, rng), stakes, rng)
        if not isinstance(at, Moment) and int(game.result(at) or ONGOING):
            break


def _felt(moves: list[MoveValue], stakes: float, rng: np.random.Generator) -> str:
    """Return the move of somebody who feels what each is worth, but not precisely."""
    costs = np.array([float(move.cost) for move in moves]) / stakes
    weights = np.exp(-PRECISION * costs)
    return moves[int(rng.choice(len(moves), p=weights / weights.sum()))].move


def _followed(
    solution: Solution, at: Position, move: str, stakes: float, rng: np.random.Generator
) -> Position:
    """Return the next position, seen by who is about to move there."""
    game: Game = solution.game
    if isinstance(game, SimultaneousGame):
        theirs = _felt(solution.moves_at(game.mirror(at)), stakes, rng)
        return drawn(game.law_of_both(at, move, theirs), rng).at
    return play(game, at, move, rng)[1].at
