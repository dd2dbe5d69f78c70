"""Rows for moves: which row a strategy plays at a position, or at what it sees there."""

from __future__ import annotations

import numpy as np

from dicelab.core.arrays import Bools, Ints
from dicelab.core.jit import jit


def runs(first: Ints, counts: Ints) -> Ints:
    """Return so many numbers in a row from each of some first ones, one run after another."""
    return np.arange(counts.sum()) + np.repeat(first - (np.cumsum(counts) - counts), counts)


@jit
def rows_of(move_first: Ints, move: Ints, here: Ints, played: Ints, choice: Ints) -> int:
    """Write the row of the move played at each position; return where there is none, or -1."""
    for i in range(here.size):
        for row in range(move_first[here[i]], move_first[here[i] + 1]):
            if move[row] == played[i]:
                choice[here[i]] = row
        if choice[here[i]] < 0:
            return i
    return -1


@jit
def rows_seen(move_first: Ints, move: Ints, which: Ints, played: Ints, choice: Ints) -> None:
    """Write the row of the move played at the thing seen at each position; it has to be legal."""
    for at in range(which.size):
        row = move_first[at]
        if row < move_first[at + 1]:
            while move[row] != played[which[at]]:
                row += 1
            choice[at] = row


@jit
def allowed_everywhere(move_first: Ints, move: Ints, which: Ints, allowed: Bools) -> None:
    """Take away from each thing seen the moves that are not legal at some position with it."""
    for at in range(which.size):
        row, last = move_first[at], move_first[at + 1]
        if row == last:
            continue  # the game is over
        for number in range(allowed.shape[1]):
            if row < last and move[row] == number:
                row += 1
            else:
                allowed[which[at], number] = False


@jit
def extent(values: Ints, counted: Bools) -> tuple[int, int]:
    """Return the least and the most of the values that are counted."""
    least, most, some = 0, -1, False
    for i in range(values.size):
        if counted[i]:
            least = min(least, values[i]) if some else values[i]
            most = max(most, values[i]) if some else values[i]
            some = True
    return least, most


@jit
def best_of_each(values: Ints, target: Ints, heads: Ints, taken: Bools) -> None:
    """Mark in each group of outcomes the first that leads to the largest value.

    Groups follow one another; `heads` has where each begins.
    """
    for group in range(heads.size):
        last = heads[group + 1] if group + 1 < heads.size else target.size
        best = heads[group]
        for o in range(best + 1, last):
            if values[target[o]] > values[target[best]]:
                best = o
        taken[best] = True
