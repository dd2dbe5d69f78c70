"""Sights: what a strategy looks at.

Most strategies do not look at all of a position: hold-at sees only the points at risk. Then it is
enough to ask it once for each thing it may see, and turns that look alike to it are played alike
(`turns`). Which fields it reads is found by showing it one position. When it is asked about all
that it may see it is shown those fields and no others, so its answers cannot depend on more.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np

from dicelab.core.arrays import Bools, Ints
from dicelab.core.lazy import lazy
from dicelab.solvers import rows
from dicelab.table import Table

FEWER = 8
"""A sight is worth having where it tells apart at most one thing for so many positions."""


class Shown:
    """Some fields of a position, or of an array of them; to read any other is an error."""

    def __init__(self, fields: dict[str, Ints]) -> None:
        self.__fields = fields
        self.__read: set[str] = set()

    def __getattr__(self, name: str) -> Ints:
        """Return a field, and remember that it was read."""
        if name not in self.__fields:
            raise AttributeError(f"no field {name!r} is shown")
        self.__read.add(name)
        return self.__fields[name]

    def fields_read(self) -> set[str]:
        """Return the names of the fields that were read so far."""
        return self.__read


@dataclass(frozen=True, eq=False)
class Sight:
    """Some fields of a table's positions, where the game goes on."""

    table: Table
    fields: tuple[str, ...]

    @lazy
    def _values(self) -> list[Ints]:
        """Each of the fields. `[positions]`"""
        return [self.table.numbering.field(name) for name in self.fields]

    @lazy
    def _ranges(self) -> list[tuple[int, int]]:
        """The least value of each field, and how many there may be from there on."""
        ongoing = self.table.is_ongoing
        extents = [rows.extent(values, ongoing) for values in self._values]
        return [(least, most - least + 1) for least, most in extents]

    @property
    def is_narrow(self) -> bool:
        """Whether it tells few things apart."""
        most = prod(count for _, count in self._ranges)
        return FEWER * most <= len(self.table)

    @lazy
    def _things(self) -> tuple[Ints, Ints]:
        """The places of the things seen among all combinations; which thing each position is."""
        ongoing = self.table.is_ongoing
        code = np.zeros(len(self.table), np.int64)
        for values, (least, count) in zip(self._values, self._ranges, strict=True):
            code *= count
            code += values
            code -= least
        code[~ongoing] = 0
        there = np.zeros(prod(count for _, count in self._ranges), np.bool_)
        there[code[ongoing]] = True
        which = (np.cumsum(there, dtype=np.int32) - 1)[code]
        which[~ongoing] = 0
        return np.flatnonzero(there), which

    @property
    def which(self) -> Ints:
        """Which thing is seen at each position, 0 where the game is over. `[positions]`"""
        return self._things[1]

    def shown(self) -> Shown:
        """Return the things seen, as arrays of their fields."""
        left, values = self._things[0], {}
        for name, (least, count) in zip(self.fields[::-1], self._ranges[::-1], strict=True):
            left, values[name] = left // count, least + left % count
        return Shown(values)

    @lazy
    def allowed(self) -> Bools:
        """Whether a move is legal wherever a thing is seen. `[things, moves]`"""
        table, (codes, which) = self.table, self._things
        allowed = np.ones((codes.size, len(table.moves)), np.bool_)
        rows.allowed_everywhere(table.move_first, table.move, which, allowed)
        return allowed


def look(table: Table, choose: Callable[..., object]) -> tuple[Sight, Any] | None:
    """Return what a strategy looks at, and what it answers there; None if at nearly everything."""
    at = table.position(int(np.argmax(table.is_ongoing)))
    one = Shown({name: np.array([value]) for name, value in zip(at._fields, at, strict=True)})
    if _answer(choose, one) is None:
        return None
    fields = tuple(name for name in at._fields if name in one.fields_read())
    sight = sight_of(table, fields)
    answer = _answer(choose, sight.shown()) if sight.is_narrow else None
    return None if answer is None else (sight, answer)


def _answer(choose: Callable[..., object], shown: Shown) -> Any:
    """Return a strategy's answer, or None if it fails: asked elsewhere it then fails in words."""
    try:
        return choose(shown)
    except Exception:
        return None


def sight_of(table: Table, fields: tuple[str, ...]) -> Sight:
    """Return the sight of some fields; a table has one of each."""
    return table.derived(_sights).setdefault(fields, Sight(table, fields))


def _sights(table: Table) -> dict[tuple[str, ...], Sight]:
    """Return where the sights of a table are kept, by their fields."""
    return {}
