"""Numbers for keys: a hash table over 64-bit integers, and stable counting sorts."""

from __future__ import annotations

from typing import Any

import numpy as np

from dicelab.compiled import compiled

EMPTY = np.int64(-(2**63))
"""Marks a free slot; no packed position has this key."""


@compiled
def spread(key: int, mask: int) -> Any:
    """Return the slot where the search for a key begins."""
    mixed = np.uint64(key) * np.uint64(0x9E3779B97F4A7C15)
    return np.int64((mixed >> np.uint64(20)) & np.uint64(mask))


@compiled
def rehash(old_keys: Any, old_numbers: Any, keys: Any, numbers: Any) -> None:
    """Move all entries into larger arrays."""
    mask = keys.size - 1
    for i in range(old_keys.size):
        if old_keys[i] != EMPTY:
            slot = spread(old_keys[i], mask)
            while keys[slot] != EMPTY:
                slot = (slot + 1) & mask
            keys[slot] = old_keys[i]
            numbers[slot] = old_numbers[i]


@compiled
def look_up(keys: Any, numbers: Any, wanted: Any, found: Any, fresh: Any, count: int) -> int:
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


class Numbering:
    """Keys in the order they were first met."""

    def __init__(self) -> None:
        self.count = 0
        self._keys = np.full(1024, EMPTY, np.int64)
        self._numbers = np.zeros(1024, np.int32)

    def number(self, wanted: Any) -> tuple[Any, Any]:
        """Return the number of each key, and the keys that were new, in order."""
        while 2 * (self.count + wanted.size) > self._keys.size:
            keys = np.full(4 * self._keys.size, EMPTY, np.int64)
            numbers = np.zeros(keys.size, np.int32)
            rehash(self._keys, self._numbers, keys, numbers)
            self._keys, self._numbers = keys, numbers
        found = np.empty(wanted.size, np.int32)
        fresh = np.empty(wanted.size, np.int64)
        new = look_up(self._keys, self._numbers, wanted, found, fresh, self.count)
        self.count += new
        return found, fresh[:new].copy()


@compiled
def counting_order(labels: Any, size: int) -> Any:
    """Return the stable order that sorts labels in range(size)."""
    place = np.zeros(size + 1, np.int64)
    for label in labels:
        place[label + 1] += 1
    for i in range(size):
        place[i + 1] += place[i]
    order = np.empty(labels.size, np.int64)
    for i in range(labels.size):
        order[place[labels[i]]] = i
        place[labels[i]] += 1
    return order
