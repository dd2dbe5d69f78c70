"""Dice in the hand: one throw at a time, every face with exactly its chance.

The solvers know laws of points. People want to see the dice. So a game says how many dice a move
throws and what follows when they show certain faces (`Game.dice_of`, `Game.after`), and here they
are thrown. A test holds that against the law of outcomes, for every game.

>>> import numpy as np
>>> from dicelab.games.pig import Pig
>>> faces, outcome = play(Pig(), Pig().parse("30-12 +9"), "roll", np.random.default_rng(1))
>>> faces, Pig().notation(outcome.at)
([4], '30-12 +13')
"""

from __future__ import annotations

from bisect import bisect_right
from functools import lru_cache
from itertools import accumulate
from typing import Any

import numpy as np

from dicelab.rules import Game, Outcome, Position
from dicelab.rules.dice import Die


def below(whole: int, rng: np.random.Generator) -> int:
    """Return a whole number from 0 to `whole` - 1, each with exactly the same chance."""
    bits = (whole - 1).bit_length()
    if not bits:
        return 0
    while True:
        found = int.from_bytes(rng.bytes((bits + 7) // 8), "little") >> (-bits % 8)
        if found < whole:
            return found


@lru_cache(maxsize=256)
def _stairs(die: Die) -> tuple[int, ...]:
    return tuple(accumulate(die.weights))


def throw(die: Die, dice: int, rng: np.random.Generator) -> list[int]:
    """Return the faces that so many dice show, in the order they were thrown."""
    stairs = _stairs(die)
    return [die.faces[bisect_right(stairs, below(stairs[-1], rng))] for _ in range(dice)]


def play(
    game: Game, at: Position, move: str, rng: np.random.Generator
) -> tuple[list[int], Outcome]:
    """Return the faces thrown by a move at one position, and what follows."""
    dice = game.dice_of(move)
    die: Any = getattr(game, "die", None)
    faces = throw(die, dice, rng) if dice else []
    return faces, game.after(at, move, faces)
