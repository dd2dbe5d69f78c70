"""Numbering: which number a position has, and which position a number.

Positions of array rules are numbered while they are met. Most games fill a good part of the *box*
of all combinations of their fields' values, so the number stands in an array with a cell for each
combination; looking it up is one read. A game that leaves its box nearly empty is numbered by a
hash table over packed keys instead. House rules may have any hashable thing for a position; a
dictionary numbers those.
"""

from __future__ import annotations

import sys
from collections.abc import Hashable, Sequence
from typing import Any, Protocol

import numpy as np

from dicelab.core.arrays import Ints
from dicelab.errors import RulesError
from dicelab.rules import Game, Position
from dicelab.solvers import hash_index

ROOM = 1 << 20
"""A box may always have this many cells."""
SPARSE = 64
"""And, if it is larger, this many for each position in it,"""
FULL = 8
"""or this many for each position that the game says it has."""
OF_MEMORY = 16
"""It never has more than one for so many bytes of the memory allowed, a quarter of it."""
GUESS = 4
"""It begins with this many for each such position, as many values for one field as for another."""


BYTES_PER_ENTRY = 140  # of a position: its place in the dictionary and in the list, and its number
SAMPLED = 64
"""One position in so many is measured."""


def size_of(thing: object) -> int:
    """Return how many bytes a position takes, its parts included."""
    size = sys.getsizeof(thing)
    if isinstance(thing, tuple | frozenset):
        size += sum(size_of(part) for part in thing)
    return size


class Numbering(Protocol):
    """The positions of a table and their numbers."""

    @property
    def needed(self) -> int:
        """How many bytes the numbers take."""

    def position(self, number: int) -> Position:
        """Return the position with this number."""

    def positions(self, numbers: Ints) -> Position:
        """Return the positions with these numbers, as arrays."""

    def field(self, name: str) -> Ints:
        """Return one field of all positions, in the order of their numbers (array rules only)."""

    def find(self, at: Position) -> Ints | int:
        """Return the numbers of positions, -1 where there is none."""


class AsMet(Numbering, Protocol):
    """Positions numbered in the order they were met, to be numbered once more for solving."""

    def renumber(self, order: Ints, new_number: Ints) -> Numbering:
        """Return the same positions, numbered as `order` lists them; this one is used up."""


class Listed:
    """The positions of house rules: a list and a dictionary."""

    def __init__(self, positions: Sequence[Hashable]) -> None:
        self.all = positions
        self._number = {at: i for i, at in enumerate(positions)}

    @property
    def needed(self) -> int:
        """How many bytes the positions and their numbers take, judging by some of them."""
        each = sum(map(size_of, self.all[::SAMPLED])) * SAMPLED
        return each + len(self.all) * BYTES_PER_ENTRY

    def position(self, number: int) -> Position:
        """Return the position with this number."""
        return self.all[number]

    def positions(self, numbers: Ints) -> Position:
        """Return the positions with these numbers, in a list."""
        return [self.all[number] for number in numbers]

    def field(self, name: str) -> Ints:
        """Return one field of all positions."""
        return np.array([getattr(at, name) for at in self.all])

    def find(self, at: Position) -> int:
        """Return the number of a position, or -1."""
        return self._number.get(at, -1)

    def renumber(self, order: Ints, new_number: Ints) -> Listed:
        """Return the same positions, numbered as `order` lists them."""
        return Listed([self.all[i] for i in order])


class Growing:
    """Array positions that are met layer by layer. Small boxes grow into hash tables by need."""

    def __init__(self, game: Game, memory: int) -> None:
        self._game = game
        self._kind = type(game.start())
        expected = min(game.size() or 0, memory // OF_MEMORY)
        self._inner: Box | Hash = Box(self._kind, expected, memory // OF_MEMORY)

    @property
    def count(self) -> int:
        """How many positions were met so far."""
        return self._inner.count

    @property
    def needed(self) -> int:
        """How many bytes the numbers take."""
        return self._inner.needed

    def meet(self, layers: Sequence[tuple[Position, int]]) -> tuple[Ints, Position]:
        """Return the numbers of arrays of positions, one array after another, and the new ones.

        Each entry of `layers` is such an array and its size.
        """
        found = self._inner.meet(layers)
        if found is None:
            assert isinstance(self._inner, Box)
            self._inner = self._inner.hashed(self._game)
            found = self._inner.meet(layers)
        return found

    def finished(self) -> AsMet:
        """Return the numbering, complete."""
        return self._inner


class Box:
    """Numbers in an array with one cell for each combination of the fields' values."""

    def __init__(self, kind: Any, expected: int = 0, most: int = 2**31 - 1) -> None:
        self.kind, self.expected, self.most = kind, expected, most
        fields = len(kind._fields)
        self.low, self.size = [0] * fields, [0] * fields
        self._met: list[tuple[int, int] | None] = [None] * fields  # the values met, from and below
        self.count = 0
        self._number = np.empty(0, np.int32)  # [cells], see hash_index.UNKNOWN
        self._cells = np.empty(0, np.uint32)  # [positions] once finished

    @property
    def needed(self) -> int:
        """How many bytes the numbers take."""
        return int(self._number.nbytes + self._cells.nbytes)

    @classmethod
    def of(cls, at: Position) -> Box:
        """Return the numbering of an array of different positions, in its own order."""
        box, size = cls(type(at)), at[0].size
        met = box.meet([(at, size)])
        assert met is not None, "positions at once fill their box"
        found = met[0]
        numbers = np.empty(size, np.int32)
        numbers[found] = np.arange(size, dtype=np.int32)
        return box.renumber(found, numbers)

    @property
    def strides(self) -> list[int]:
        """How far apart the cells are whose positions differ by 1 in each field."""
        strides = [1]
        for size in reversed(self.size[1:]):
            strides.insert(0, strides[0] * size)
        return strides

    def _make_room(self, layers: Sequence[tuple[Position, int]]) -> bool:
        """Grow the box around some positions; return False where it would be too empty."""
        low, size = list(self.low), list(self.size)
        side = int(min(GUESS * self.expected, 2**30) ** (1 / len(size)))
        fields = zip(*(at for at, count in layers if count), strict=True)
        for f, values in enumerate(fields):
            least = min(int(np.min(each)) for each in values)
            most = max(int(np.max(each)) for each in values) + 1
            met = self._met[f]
            if met is None:
                low[f], size[f] = least, max(most - least, side)
                continue
            # A field that must grow grows by half, so that it does not have to each time; one for
            # which too much was guessed gives some of it back.
            begin, end, half = low[f], low[f] + size[f], size[f] // 2
            from_, below = 2 * met[0] - met[1], 2 * met[1] - met[0]
            low[f] = min(least, begin - half if least < begin else max(begin, from_))
            size[f] = max(most, end + half if most > end else min(end, below)) - low[f]
        cells = 1
        for length in size:
            cells *= length
        most_positions = self.count + sum(count for _, count in layers)
        room = max(ROOM, SPARSE * most_positions, FULL * self.expected)
        if cells > min(room, self.most) or cells >= 2**31:
            return False
        number = np.zeros(size, np.int32)  # hash_index.UNKNOWN; what stays so takes no memory
        if self._number.size:
            number[self._filled(low)] = self._number.reshape(self.size)[self._filled(self.low)]
        self.low, self.size, self._number = low, size, number.ravel()
        return True

    def _filled(self, low: list[int]) -> tuple[slice, ...]:
        """Return where the values met lie in a box that begins at `low`."""
        met = (each or (0, 0) for each in self._met)
        return tuple(slice(m[0] - begin, m[1] - begin) for m, begin in zip(met, low, strict=True))

    def _trim(self) -> None:
        """Cut the box down to the values met."""
        number = self._number.reshape(self.size)[self._filled(self.low)]
        self.low, self.size = [met[0] if met else 0 for met in self._met], list(number.shape)
        self._number = number.ravel()

    def _cells_of(self, layers: Sequence[tuple[Position, int]]) -> Ints | None:
        """Return the cells of arrays of positions, or None if one lies outside the box."""
        found = np.zeros(sum(count for _, count in layers), np.uint32)
        begin = 0
        for at, count in layers:
            cells = found[begin : begin + count]
            begin += count
            for values, *where in zip(at, self.low, self.size, self.strides, strict=True):
                field = np.ascontiguousarray(values, np.int64).reshape(-1)
                if not hash_index.add_field(cells, field, *where):
                    return None
        return found

    def at(self, cells: Ints) -> Position:
        """Return the positions of cells."""
        fields = np.empty((len(self.low), cells.size), np.int64)
        hash_index.split(cells, np.array(self.low), np.array(self.strides), fields)
        return self.kind(*fields)

    def meet(self, layers: Sequence[tuple[Position, int]]) -> tuple[Ints, Position] | None:
        """Return the numbers of arrays of positions, and the new ones among them, as they lie.

        Where a box around them would be too empty, there is no answer.
        """
        cells = self._cells_of(layers)
        if cells is None and self._make_room(layers):
            cells = self._cells_of(layers)
        if cells is None:
            return None
        fresh, found = np.empty_like(cells), np.empty_like(cells)
        # In order of their cells, so that neighbours stay together: what is met next lies near.
        # Each of the arrays is nearly in order by itself, which a stable sort makes use of.
        fresh = np.sort(fresh[: hash_index.meet(cells, self._number, fresh)], kind="stable")
        hash_index.give_numbers(fresh, self.count, cells, self._number, found)
        self.count += fresh.size
        new = self.at(fresh)
        for f, values in enumerate(new if fresh.size else ()):
            least, most = int(values.min()), int(values.max()) + 1
            before = self._met[f] or (least, most)
            self._met[f] = min(before[0], least), max(before[1], most)
        return found, new

    def hashed(self, game: Game) -> Hash:
        """Return a hash table with the same numbers."""
        filled = np.flatnonzero(self._number)
        cells = np.empty(self.count, np.uint32)
        cells[self._number[filled] - 1] = filled
        numbers = Hash(game)
        if self.count:
            numbers.meet([(self.at(cells), self.count)])
        return numbers

    def renumber(self, order: Ints, new_number: Ints) -> Box:
        """Return the same positions, numbered as `order` lists them; this one is used up."""
        self._trim()
        self._cells = np.empty(self.count, np.uint32)
        hash_index.cells_of(self._number, new_number, self._cells)
        return self

    def position(self, number: int) -> Position:
        """Return the position with this number."""
        return self.kind(*(int(field[0]) for field in self.at(self._cells[[number]])))

    def positions(self, numbers: Ints) -> Position:
        """Return the positions with these numbers, as arrays."""
        return self.at(self._cells[numbers])

    def field(self, name: str) -> Ints:
        """Return one field of all positions, in the order of their numbers."""
        f = self.kind._fields.index(name)
        return self.low[f] + (self._cells // self.strides[f] % self.size[f]).astype(np.int64)

    def find(self, at: Position) -> Ints:
        """Return the numbers of positions, -1 where there is none."""
        fields = np.broadcast_arrays(*(np.asarray(values) for values in at))
        inside = np.ones(fields[0].shape, bool)
        cells = np.zeros(fields[0].shape, np.int64)
        for field, low, size, stride in zip(fields, self.low, self.size, self.strides, strict=True):
            inside &= (field >= low) & (field < low + size)
            cells += (field - low) * stride
        return np.where(inside, self._number[np.where(inside, cells, 0)] - 1, -1)


BITS = 63
"""How many bits a key has, all its fields together."""


class Hash:
    """Numbers in a hash table over packed keys.

    Each field gets an equal share of the bits, until one needs more: then each keeps what it needs,
    the rest is shared out again, and what was met is packed anew.
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        self.kind = type(game.start())
        fields = len(self.kind._fields)
        self.bits = [BITS // fields] * fields
        self.count = 0
        self._layers: list[Ints] = []
        self._keys = np.full(1024, hash_index.EMPTY, np.int64)
        self._numbers = np.zeros(1024, np.int32)

    @property
    def needed(self) -> int:
        """How many bytes the numbers take."""
        return int(self._keys.nbytes + self._numbers.nbytes + 8 * self.count)

    def keys(self, at: Position, size: int) -> Ints:
        """Return the keys of an array of positions, each field of which has room in its bits."""
        keys = np.zeros(size, np.int64)
        for values, bits in zip(at, self.bits, strict=True):
            keys <<= bits
            keys |= np.broadcast_to(np.asarray(values), (size,)).astype(np.int64) + _bias(bits)
        return keys

    def at(self, keys: Ints) -> Position:
        """Return the positions of keys."""
        fields, shift = [], 0
        for bits in reversed(self.bits):
            fields.append(((keys >> shift) & ((1 << bits) - 1)) - _bias(bits))
            shift += bits
        return self.kind(*reversed(fields))

    def _make_room(self, layers: Sequence[tuple[Position, int]]) -> None:
        """Give every field as many bits as its values need; refused where there are too few."""
        fields = list(zip(*(at for at, count in layers if count), strict=True))
        needs = [max(map(_bits_for, values)) for values in fields]
        if all(need <= bits for need, bits in zip(needs, self.bits, strict=False)):
            return
        met = np.concatenate(self._layers) if self._layers else np.empty(0, np.int64)
        before = self.at(met)
        needs = [max(pair) for pair in zip(needs, map(_bits_for, before), strict=True)]
        spare = BITS - sum(needs)
        if spare < 0:
            self._refuse(fields, needs)
        self.bits = [need + spare // len(needs) for need in needs]
        sizes = np.cumsum([layer.size for layer in self._layers])[:-1]
        self._layers = np.split(self.keys(before, met.size), sizes) if self._layers else []
        self._keys, self._numbers = np.full_like(self._keys, hash_index.EMPTY), self._numbers * 0
        found, fresh, known = np.empty(met.size, np.int32), np.empty_like(met), 0
        for layer in self._layers:
            known += hash_index.look_up(self._keys, self._numbers, layer, found, fresh, known)

    def _refuse(self, fields: list[tuple[Ints, ...]], needs: list[int]) -> None:
        """Refuse a field that has no room beside the others."""
        widest = max(range(len(needs)), key=lambda f: needs[f])
        bits = BITS - sum(needs) + needs[widest]
        largest = max(int(np.max(values)) for values in fields[widest])
        raise RulesError(
            f"{self.game} reaches {self.kind._fields[widest]}={largest}, which does not fit in "
            f"{bits} bits: keep every field within {_bias(max(1, bits)) - 1}"
        )

    def meet(self, layers: Sequence[tuple[Position, int]]) -> tuple[Ints, Position]:
        """Return the numbers of arrays of positions, and the new ones among them, as met."""
        self._make_room(layers)
        wanted = np.concatenate([np.empty(0, np.int64), *(self.keys(*layer) for layer in layers)])
        while 2 * (self.count + wanted.size) > self._keys.size:
            keys = np.full(4 * self._keys.size, hash_index.EMPTY, np.int64)
            numbers = np.zeros(keys.size, np.int32)
            hash_index.rehash(self._keys, self._numbers, keys, numbers)
            self._keys, self._numbers = keys, numbers
        found, fresh = np.empty(wanted.size, np.int32), np.empty_like(wanted)
        new = hash_index.look_up(self._keys, self._numbers, wanted, found, fresh, self.count)
        self.count += new
        self._layers.append(fresh[:new].copy())
        return found, self.at(self._layers[-1])

    def renumber(self, order: Ints, new_number: Ints) -> Hash:
        """Return the same positions, numbered as `order` lists them; this one is used up."""
        self._layers = [np.concatenate(self._layers)[order]]
        used = self._keys != hash_index.EMPTY
        self._numbers[used] = new_number[self._numbers[used]]
        return self

    def position(self, number: int) -> Position:
        """Return the position with this number."""
        return self.kind(*(int(field[0]) for field in self.positions(np.array([number]))))

    def positions(self, numbers: Ints) -> Position:
        """Return the positions with these numbers, as arrays."""
        return self.at(self._layers[0][numbers])

    def field(self, name: str) -> Ints:
        """Return one field of all positions, in the order of their numbers."""
        return getattr(self.at(self._layers[0]), name)

    def find(self, at: Position) -> Ints:
        """Return the numbers of positions, -1 where there is none."""
        fields = np.broadcast_arrays(*(np.asarray(values) for values in at))
        inside = np.ones(fields[0].shape, bool)
        for field, bits in zip(fields, self.bits, strict=True):
            inside &= (field >= -_bias(bits)) & (field < _bias(bits))
        flat = self.kind(*(np.where(inside, field, 0).ravel() for field in fields))
        wanted = self.keys(flat, inside.size)
        found = np.empty(wanted.size, np.int32)
        hash_index.search(self._keys, self._numbers, wanted, found)
        return np.where(inside, found.reshape(inside.shape), -1)


def _bias(bits: int) -> int:
    """Return what is added to a field of so many bits, which may be negative."""
    return 1 << (bits - 1)


def _bits_for(values: Ints) -> int:
    """Return how many bits a field with such values takes."""
    array = np.asarray(values)
    least, most = (int(array.min()), int(array.max())) if array.size else (0, 0)
    return 1 + max(most.bit_length(), (-least - 1).bit_length() if least < 0 else 0)
