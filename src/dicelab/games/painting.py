"""Painted strategies: a map of roll and hold, or of numbers of dice, as a function of positions.

A painted strategy is a map and only that: numbers and letters, never code.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from dicelab.core.arrays import Array, Ints
from dicelab.errors import RulesError, StrategyError
from dicelab.rules import Game, Position

NEVER = 2**40
"""A holding point that nothing at risk ever reaches."""


def holding_points(game: Game, size: int, holds: object) -> Array:
    """Return from how many points a map holds, by both banks. `[size, size]`"""
    points = np.full((size, size), NEVER, np.int64)
    rows = holds if isinstance(holds, list) else [holds] * size
    if len(rows) != size:
        raise StrategyError(f"a map of {game} has {size} lines, one for each bank: got {len(rows)}")
    for mine, row in enumerate(rows):
        if isinstance(row, list) and len(row) != size:
            raise StrategyError(
                f"line {mine} of a map of {game} has {size} numbers: got {len(row)}"
            )
        cells = row if isinstance(row, list) else [row] * size
        points[mine] = [NEVER if one is None else one for one in cells]
    return points


def holding_grid(game: Game, size: int, width: int, grid: list[str]) -> Array:
    """Return whether a grid of r and h holds, by one's bank and what is at risk. `[size, width]`"""
    if not grid:
        raise StrategyError(f"a grid of {game} has a line of r and h for each bank: got none")
    holds = np.ones((size, width), bool)
    for mine in range(size):
        line = grid[min(mine, len(grid) - 1)].lower()
        if set(line) - {"r", "h"}:
            raise StrategyError(f"a grid has r for roll and h for hold: got {line[:20]!r}")
        letters = np.array(list(line[:width]) or ["h"])
        holds[mine, : len(letters)] = letters == "h"
    return holds


def dice_map(game: Game, rows: list[list[int | None]], size: int) -> Array:
    """Return how many dice a map throws, by both scores. `[size, size]`"""
    if len(rows) != size or any(len(row) != size for row in rows):
        shape = f"{len(rows)} x {len(rows[0]) if rows else 0}"
        raise RulesError(f"a map of {game} is {size} x {size}: got {shape}")
    return np.array([[1 if one is None else one for one in row] for row in rows], np.int64)


def throwing(
    game: Game, size: int, kind: str, wanted: Callable[[Position, Ints, Ints], Ints]
) -> Callable[[Position], object]:
    """Return the strategy that throws as many dice as `wanted(at, mine, yours)` says."""
    if kind != "dice":
        raise StrategyError(f"{game} is painted as numbers of dice: got {kind!r}")
    names, fewest = np.array(game.moves), game.dice_of(game.moves[0])

    def choose(at: Position) -> Array:
        mine, yours = np.minimum(at.mine, size - 1), np.minimum(at.yours, size - 1)
        return names[np.clip(wanted(at, mine, yours) - fewest, 0, len(names) - 1)]

    return choose
