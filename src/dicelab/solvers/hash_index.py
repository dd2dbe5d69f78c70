"""Numbers for keys, in the order they are met: by an array of cells, or by a hash table."""

from __future__ import annotations

import numpy as np

from dicelab.core.arrays import Array, Ints
from dicelab.core.jit import jit

EMPTY = np.int64(-(2**63))
"""Marks a free slot; no packed position has this key."""
UNKNOWN, NEW = 0, -1
"""What a cell holds whose position was never met, or was met just now; else 1 and its number."""


@jit
def add_field(cells: Ints, field: Ints, low: int, size: int, stride: int) -> bool:
    """Add one field's share to the cells of positions; return whether all lie inside the box.

    A field may be one number for all positions.
    """
    inside, several = True, field.size > 1
    for i in range(cells.size):
        at = field[i if several else 0] - low
        inside &= 0 <= at < size
        cells[i] += at * stride
    return inside


@jit
def meet(cells: Ints, number: Ints, fresh: Ints) -> int:
    """Mark the cells met for the first time and list them in `fresh`; return how many."""
    new = 0
    for i in range(cells.size):
        if number[cells[i]] == UNKNOWN:
            number[cells[i]] = NEW
            fresh[new] = cells[i]
            new += 1
    return new


@jit
def give_numbers(fresh: Ints, count: int, cells: Ints, number: Ints, found: Ints) -> None:
    """Give new cells the next numbers in their order, then write the number of every cell."""
    for i in range(fresh.size):
        number[fresh[i]] = 1 + count + i
    for i in range(cells.size):
        found[i] = number[cells[i]] - 1


@jit
def cells_of(number: Ints, new_number: Ints, cells: Ints) -> None:
    """Renumber all cells, and write the cell of each number."""
    for cell in range(number.size):
        if number[cell] != UNKNOWN:
            new = new_number[number[cell] - 1]
            number[cell], cells[new] = 1 + new, cell


@jit
def split(cells: Ints, low: Ints, stride: Ints, fields: Ints) -> None:
    """Write the fields of the positions that cells stand for."""
    last = fields.shape[0] - 1
    for i in range(cells.size):
        left = cells[i]
        for f in range(last):
            at = left // stride[f]
            fields[f, i] = low[f] + at
            left -= at * stride[f]
        fields[last, i] = low[last] + left


@jit
def spread(key: int, mask: int) -> int:
    """Return the slot where the search for a key begins."""
    folded = (key ^ (key >> 31)) & 0x7FFFFFFF  # so that nothing overflows, compiled or not
    return (folded * 0x61C88647 >> 20) & mask


@jit
def rehash(old_keys: Ints, old_numbers: Ints, keys: Ints, numbers: Ints) -> None:
    """Move all entries into larger arrays."""
    mask = keys.size - 1
    for i in range(old_keys.size):
        if old_keys[i] != EMPTY:
            slot = spread(old_keys[i], mask)
            while keys[slot] != EMPTY:
                slot = (slot + 1) & mask
            keys[slot] = old_keys[i]
            numbers[slot] = old_numbers[i]


@jit
def look_up(
    keys: Array, numbers: Array, wanted: Array, found: Array, fresh: Array, count: int
) -> int:
    """Write the number of each wanted key into `found`; give new keys the next numbers.

    New keys are appended to `fresh`. Returns how many there are.
    """
    mask = keys.size - 1
    new = 0
    for i in range(wanted.size):
        key = wanted[i]
        slot = spread(key, mask)
        while keys[slot] != EMPTY and keys[slot] != key:
            slot = (slot + 1) & mask
        if keys[slot] == EMPTY:
            keys[slot] = key
            numbers[slot] = count + new
            fresh[new] = key
            new += 1
        found[i] = numbers[slot]
    return new


@jit
def search(keys: Array, numbers: Array, wanted: Array, found: Array) -> None:
    """Write the number of each wanted key into `found`, -1 where it has none."""
    mask = keys.size - 1
    for i in range(wanted.size):
        slot = spread(wanted[i], mask)
        while keys[slot] != EMPTY and keys[slot] != wanted[i]:
            slot = (slot + 1) & mask
        found[i] = numbers[slot] if keys[slot] == wanted[i] else -1
