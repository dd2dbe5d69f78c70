"""From rules to edges: every position that play can reach, and what each move may lead to.

Array rules are expanded breadth-first, a whole layer of positions per call. A position is packed
into one 64-bit key, which is looked up in a hash table. House rules are expanded one position at
a time, with a dictionary.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import Any

import numpy as np

from dicelab.errors import RulesError, TooLarge
from dicelab.rules import ONGOING, Chance, Game, HouseRules, Outcome, Position
from dicelab.solvers.numbering import Numbering

BYTES_PER_OUTCOME = 26  # an edge list and its sorted copy, at the moment both exist
BYTES_PER_POSITION = 80  # keys, results, values and bounds
BYTES_PER_HOUSE_POSITION = 1000  # Python objects, and a dictionary of them
BYTES_PER_HOUSE_OUTCOME = 200


@dataclasses.dataclass
class Codes:
    """Distinct rationals, each with a small number that stands for it."""

    of: dict[Fraction, int] = dataclasses.field(default_factory=dict)

    def code(self, number: int | Fraction) -> int:
        """Return the number that stands for a rational."""
        return self.of.setdefault(Fraction(number), len(self.of))

    def codes(self, chance: int | Fraction | Chance, size: int) -> Any:
        """Return the codes of a chance at `size` positions; -1 where it is zero."""
        if not isinstance(chance, Chance):
            return np.full(size, self.code(chance) if chance else -1, np.int32)
        numerators = np.broadcast_to(np.asarray(chance.numerator), (size,))
        distinct, inverse = np.unique(numerators, return_inverse=True)
        coded = [
            self.code(Fraction(int(n), int(chance.denominator))) if n else -1 for n in distinct
        ]
        return np.array(coded, np.int32)[inverse]

    @property
    def numbers(self) -> tuple[Fraction, ...]:
        """The rationals in the order of their codes."""
        return tuple(self.of)


@dataclasses.dataclass
class Edges:
    """Every outcome of every move, unsorted. `[outcomes]` unless said otherwise."""

    source: Any
    move: Any
    target: Any
    passes: Any
    chance: Any  # codes
    gain: Any  # codes
    result: Any  # [positions]
    chances: tuple[Fraction, ...]
    gains: tuple[Fraction, ...]
    moves: tuple[str, ...]


class Packing:
    """Positions as 64-bit keys: each field gets an equal share of the bits."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.kind = type(game.start())
        self.bits = 63 // len(self.kind._fields)
        self.bias = 1 << (self.bits - 1)

    def keys(self, at: Position, size: int) -> Any:
        """Return the keys of an array of positions."""
        keys = np.zeros(size, np.int64)
        for name, values in zip(self.kind._fields, at, strict=True):
            array = np.asarray(values)
            if array.size and not -self.bias <= array.min() <= array.max() < self.bias:
                raise RulesError(
                    f"{self.game} reaches {name}={array.max()}, which does not fit in "
                    f"{self.bits} bits: keep every field within {self.bias - 1}"
                )
            keys <<= self.bits
            keys |= np.broadcast_to(array, (size,)).astype(np.int64) + self.bias
        return keys

    def positions(self, keys: Any) -> Position:
        """Return the array of positions that keys stand for."""
        mask = (1 << self.bits) - 1
        shifts = range(self.bits * (len(self.kind._fields) - 1), -1, -self.bits)
        return self.kind(*(((keys >> shift) & mask) - self.bias for shift in shifts))


def select(at: Position, mask: Any) -> Position:
    """Return the positions of an array where the mask holds."""
    return type(at)(*(field[mask] for field in at))


def explore(
    game: Game, memory: int, progress: Callable[[int], None] | None = None
) -> tuple[Edges, Any]:
    """Return the edges of an array game, and the key of each position in the order met."""
    packing, numbering, codes, gains = Packing(game), Numbering(), Codes(), Codes()
    gains.code(0)
    _, frontier = numbering.number(packing.keys(game.start(), 1))
    keys, results, layers, outcomes = [frontier], [], [], 0
    first = 0
    while frontier.size:
        at = packing.positions(frontier)
        result = np.broadcast_to(np.asarray(game.result(at), np.int8), frontier.shape)
        results.append(result)
        here = np.flatnonzero(result == ONGOING)
        ongoing = select(at, here)
        here = (here + first).astype(np.int32)
        layer: list[tuple[Any, int, int, int, Any]] = []
        wanted = [np.empty(0, np.int64)]
        for number, move in enumerate(game.moves):
            allowed = np.broadcast_to(np.asarray(game.legal(ongoing, move), bool), here.shape)
            if not allowed.any():
                continue
            source, playing = here[allowed], select(ongoing, allowed)
            for outcome in game.outcomes(playing, move):
                chance, after, mover, gain = Outcome(*outcome)
                coded = codes.codes(chance, source.size)
                happens = coded >= 0
                target, playing_here = packing.keys(after, source.size), source
                if not happens.all():
                    coded, target, playing_here = coded[happens], target[happens], source[happens]
                layer.append((playing_here, number, mover, gains.code(gain), coded))
                wanted.append(target)
        targets, fresh = numbering.number(np.concatenate(wanted))
        layers.append(_layer(layer, targets))
        outcomes += targets.size
        needed = numbering.count * BYTES_PER_POSITION + outcomes * BYTES_PER_OUTCOME
        _refuse_beyond(game, memory, needed, f"more than {numbering.count:,}", outcomes)
        if progress:
            progress(numbering.count)
        first += frontier.size
        keys.append(fresh)
        frontier = fresh
    columns = [np.concatenate(column) for column in zip(*layers, strict=True)]
    edges = _edges(columns, np.concatenate(results), codes, gains, game.moves)
    return edges, np.concatenate(keys)


def _layer(layer: list[tuple[Any, int, int, int, Any]], targets: Any) -> tuple[Any, ...]:
    """Return one layer's outcomes as columns, in the order of the fields of `Edges`."""
    sizes = [part[0].size for part in layer]

    def column(values: Iterable[int], kind: Any) -> Any:
        return np.repeat(np.array(list(values), kind), sizes)

    empty = [np.empty(0, np.int32)]
    return (
        np.concatenate([part[0] for part in layer] or empty),
        column((part[1] for part in layer), np.int16),
        targets,
        column((part[2] for part in layer), np.bool_),
        np.concatenate([part[4] for part in layer] or empty),
        column((part[3] for part in layer), np.int16),
    )


def explore_house(
    game: HouseRules, memory: int, progress: Callable[[int], None] | None = None
) -> tuple[Edges, list[Position]]:
    """Return the edges of a game of house rules, and its positions in the order met."""
    codes, gains = Codes(), Codes()
    gains.code(0)
    positions = [game.start()]
    number: dict[Position, int] = {positions[0]: 0}
    move_numbers: dict[str, int] = {}
    rows: list[tuple[int, int, int, int, int, int]] = []
    results: list[int] = []
    for source, at in enumerate(positions):  # grows while it is read
        results.append(game.result(at) or ONGOING)
        if results[-1] != ONGOING:
            continue
        for move in game.choices(at):
            move_number = move_numbers.setdefault(move, len(move_numbers))
            for outcome in game.outcomes(at, move):
                chance, after, mover, gain = Outcome(*outcome)
                if isinstance(chance, Chance):
                    chance = Fraction(int(chance.numerator), chance.denominator)
                if not chance:
                    continue
                if after not in number:
                    number[after] = len(positions)
                    positions.append(after)
                rows.append(
                    (
                        source,
                        move_number,
                        number[after],
                        mover,
                        codes.code(chance),
                        gains.code(gain),
                    )
                )
        if source % 1024 == 0:
            needed = len(positions) * BYTES_PER_HOUSE_POSITION + len(rows) * BYTES_PER_HOUSE_OUTCOME
            _refuse_beyond(game, memory, needed, f"more than {len(positions):,}")
            if progress:
                progress(len(positions))
    kinds = (np.int32, np.int16, np.int32, np.bool_, np.int32, np.int16)
    columns = list(zip(*rows, strict=True)) or [()] * len(kinds)
    arrays: list[Any] = [
        np.array(column, kind) for column, kind in zip(columns, kinds, strict=True)
    ]
    edges = _edges(arrays, np.array(results, np.int8), codes, gains, tuple(move_numbers))
    return edges, positions


def _edges(
    columns: list[Any], result: Any, codes: Codes, gains: Codes, moves: tuple[str, ...]
) -> Edges:
    source, move, target, passes, chance, gain = columns
    return Edges(
        source, move, target, passes, chance, gain, result, codes.numbers, gains.numbers, moves
    )


def refuse_before(game: Game, memory: int) -> None:
    """Refuse a game whose own estimate of its size cannot fit, before anything is allocated."""
    positions = game.size()
    if positions is None:
        return
    at = game.start()
    faces = sum(
        sum(1 for _ in game.outcomes(at, move)) for move in game.moves if game.legal(at, move)
    )
    needed = positions * BYTES_PER_POSITION + positions * max(faces, 1) * BYTES_PER_OUTCOME
    _refuse_beyond(game, memory, needed, f"about {positions:.2g}")


def _refuse_beyond(game: Game, memory: int, needed: int, positions: str, outcomes: int = 0) -> None:
    """Refuse a game that needs more memory than it may have, or more outcomes than have numbers."""
    if needed > memory or outcomes >= 2**31:
        raise TooLarge(
            f"{game} has {positions} positions, which needs about {in_bytes(needed)}; "
            f"the limit is {in_bytes(memory)} (--memory)"
        )


def in_bytes(size: float) -> str:
    """Return a size in the unit a person would use."""
    units = ["bytes", "kB", "MB", "GB", "TB", "PB", "EB"]
    while size >= 1000 and len(units) > 1:
        size /= 1000
        units.pop(0)
    return f"{size:.3g} {units[0]}"
