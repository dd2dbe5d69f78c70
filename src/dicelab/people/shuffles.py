"""Shuffling for permutation tests: as many shuffles as fit a budget, a block of them at a time."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from dicelab.core.arrays import Array, Ints

BLOCK = 2**20
"""Numbers that are shuffled at once, so that memory does not grow with the record."""
MOST_CELLS = 20_000_000
"""Numbers that are shuffled in all; a large record gets fewer shuffles than were asked for."""
FEWEST = 199
"""Shuffles that every test gets: the least p-value is then 1/200."""


def affordable(shuffles: int, size: int) -> int:
    """Return how many shuffles of so many numbers to make, at most those asked for."""
    return min(shuffles, max(FEWEST, MOST_CELLS // max(1, size)))


def shufflings(row: Array, shuffles: int, rng: np.random.Generator) -> Iterator[Array]:
    """Yield `shuffles` shufflings of a row, in blocks `[some, numbers]`."""
    row = np.asarray(row)
    at_once = max(1, BLOCK // max(1, row.size))
    for begin in range(0, shuffles, at_once):
        some = min(at_once, shuffles - begin)
        yield rng.permuted(np.tile(row, (some, 1)), axis=1)


def shufflings_within(
    groups: Ints, row: Array, shuffles: int, rng: np.random.Generator
) -> Iterator[Array]:
    """Yield shufflings of a row that keep every number in its group, in blocks.

    `groups` are numbers from 0 on, in rising order. A random number below 1 is added to each and
    all are put in order: groups keep their places, and what is in them is shuffled.
    """
    row, groups = np.asarray(row), np.asarray(groups, float)
    at_once = max(1, BLOCK // max(1, row.size))
    for begin in range(0, shuffles, at_once):
        some = min(at_once, shuffles - begin)
        yield row[np.argsort(groups + rng.random((some, row.size)), axis=1)]
