"""How much memory things take: about the bytes of the arrays in them, each array counted once."""

from __future__ import annotations

from collections.abc import Hashable
from typing import NamedTuple

import numpy as np

from dicelab.core.arrays import Array

OVERHEAD = 2000  # bytes that anything takes


class Measured(NamedTuple):
    """What one thing consists of, as far as it takes memory."""

    arrays: dict[int, Array]  # by identity; kept, so that no other array gets the same identity
    rest: int  # bytes of everything else


def measure(thing: object) -> Measured:
    """Return the arrays in a thing, and about how many bytes the rest of it takes."""
    arrays: dict[int, Array] = {}
    seen: set[int] = set()
    rest, waiting = OVERHEAD, [thing]
    while waiting:
        one = waiting.pop()
        if id(one) in seen:
            continue
        seen.add(id(one))
        if isinstance(one, np.ndarray):
            base = one.base if isinstance(one.base, np.ndarray) else one
            arrays[id(base)] = base
        elif isinstance(one, dict):
            waiting += one.values()
        elif isinstance(one, list | tuple):
            if one and isinstance(one[0], int | float | str):
                rest += 32 * len(one)
            else:
                waiting += one
        elif hasattr(one, "__dict__") and not isinstance(one, type | type(measure)):
            waiting += vars(one).values()
    return Measured(arrays, rest)


class Ledger:
    """The sizes of things by name; what several share counts once.

    Adding and removing cost as much as the thing itself, however much else there is.
    """

    def __init__(self) -> None:
        self.bytes = 0
        self._entries: dict[Hashable, Measured] = {}
        self._uses: dict[int, int] = {}

    def enter(self, name: Hashable, thing: object) -> None:
        """Write down a thing, or write it down anew where it may have grown."""
        self.strike(name)
        entry = self._entries[name] = measure(thing)
        self.bytes += entry.rest
        for number, array in entry.arrays.items():
            uses = self._uses.get(number, 0)
            self._uses[number] = uses + 1
            if not uses:
                self.bytes += array.nbytes

    def strike(self, name: Hashable) -> None:
        """Forget a thing, if it was written down."""
        entry = self._entries.pop(name, None)
        if entry is None:
            return
        self.bytes -= entry.rest
        for number, array in entry.arrays.items():
            self._uses[number] -= 1
            if not self._uses[number]:
                del self._uses[number]
                self.bytes -= array.nbytes


def size_of(*things: object) -> int:
    """Return about how many bytes some things take together."""
    ledger = Ledger()
    for number, thing in enumerate(things):
        ledger.enter(number, thing)
    return ledger.bytes
