"""Dice in the hand: one throw at a time, every face with exactly its chance.

The solvers know laws of points. People want to see the dice. So a game says how many dice a move
throws and what follows when they show certain faces (`Game.dice_of`, or `Game.dice_at` where that
depends on the position, and `Game.after`), and here they are thrown. A test holds that against the
law of outcomes, for every game.

>>> import numpy as np
>>> from dicelab.games.pig import Pig
>>> faces, outcome = play(Pig(), Pig().parse("30-12 +9"), "roll", np.random.default_rng(1))
>>> faces, Pig().notation(outcome.at)
([4], '30-12 +13')
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate
from typing import Any, TypeVar

import numpy as np

from dicelab.rules import Game, Moment, Outcome, Position, RaceAtOnce, Throw, exact_chance, faces_of
from dicelab.rules.dice import Die

Drawn = TypeVar("Drawn")


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
    """Return the faces thrown by a move at one position, and what follows.

    Where the rules do not tell how many dice a move throws, an outcome is drawn with exactly its
    chance; there are no faces to see then, but those that a throw itself tells.
    """
    if isinstance(at, Moment):
        return [], game.law(at, move)[0][1]
    dice = game.dice_at(at, move)
    if dice:
        die: Any = getattr(game, "die", None)
        faces = throw(die, dice, rng)
        return faces, game.after(at, move, faces)
    law = [(exact_chance(each[0]), each) for each in game.outcomes(at, move)]
    each = drawn([one for one in law if one[0]], rng)
    return faces_of(each.dice) if isinstance(each, Throw) else [], game.followed(at, move, each)


def score(game: RaceAtOnce, move: str, rng: np.random.Generator) -> tuple[list[int], int]:
    """Return the faces thrown by a move where both throw at once, and the points it scores."""
    dice = game.dice_of(move)
    if dice:
        die: Any = getattr(game, "die", None)
        faces = throw(die, dice, rng)
        return faces, game.scored(move, faces)
    return [], drawn([(chance, points) for points, chance in game.points(move).items()], rng)


def drawn(law: Sequence[tuple[Fraction, Drawn]], rng: np.random.Generator) -> Drawn:
    """Return one of some things, each with exactly its chance."""
    if len(law) == 1:
        return law[0][1]
    whole = math.lcm(*(chance.denominator for chance, _ in law))
    left = below(whole, rng)
    for chance, thing in law[:-1]:
        left -= int(chance * whole)
        if left < 0:
            return thing
    return law[-1][1]
