"""Weaving: one layer's outcomes, met move by move, put together position by position.

A block holds one outcome of one move at many positions, each a `source`, a place in the layer. A
position's blocks come in the order of its moves.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from dicelab.core.arrays import Ints
from dicelab.core.jit import jit
from dicelab.solvers.hash_index import EMPTY, spread


class Tree(NamedTuple):
    """Shapes of positions: each is another one and a step more."""

    parent: Ints  # [shapes]
    step: Ints  # [shapes]
    depth: Ints  # [shapes] how many steps


@jit
def follow(
    step: Ints,
    source: Ints,
    shape: Ints,
    keys: Ints,
    numbers: Ints,
    tree: Tree,
    begin: int,
    count: int,
) -> tuple[int, int]:
    """Take a step in the tree of shapes for each outcome, from outcome `begin` on.

    Return the outcome for which the tree had no room, and how many shapes it has. `keys` and
    `numbers` are a hash table: a key is a shape and a step.
    """
    mask, several = keys.size - 1, step.size > 1
    last, found = EMPTY, 0  # outcomes in a row mostly take the same step from the same shape
    for o in range(begin, source.size):
        before, taken = shape[source[o]], step[o if several else 0]
        key = (np.int64(before) << 32) + taken
        if key != last:
            slot = spread(key, mask)
            while keys[slot] != EMPTY and keys[slot] != key:
                slot = (slot + 1) & mask
            if keys[slot] == EMPTY:
                if count == tree.parent.size:
                    return o, count
                keys[slot], numbers[slot] = key, count
                tree.parent[count], tree.step[count] = before, taken
                tree.depth[count] = tree.depth[before] + 1
                count += 1
            last, found = key, numbers[slot]
        shape[source[o]] = found
    return source.size, count


@jit
def unfold(
    shapes: Ints,
    tree: Tree,
    moves: int,
    first: Ints,
    move: Ints,
    outcome_first: Ints,
    kind: Ints,
) -> int:
    """Write the rows of some shapes and the kinds of their outcomes; return how many rows."""
    row, out = 0, 0
    for s in range(shapes.size):
        node, end = shapes[s], out + tree.depth[shapes[s]]
        for o in range(end - 1, out - 1, -1):  # a shape knows its last step, and so on
            kind[o] = tree.step[node] // moves
            outcome_first[o] = tree.step[node] % moves  # the move, for now
            node = tree.parent[node]
        for o in range(out, end):
            taken = outcome_first[o]
            if o == out or taken != move[row - 1]:
                move[row] = taken
                outcome_first[row] = o
                row += 1
        out = end
        first[s + 1] = row
        outcome_first[row] = out
    return row


@jit
def weave(source: Ints, target: Ints, place: Ints, woven: Ints) -> None:
    """Write a block's targets, each at the next place of its source."""
    for o in range(source.size):
        here = source[o]
        woven[place[here]] = target[o]
        place[here] += 1
