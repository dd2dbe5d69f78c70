"""From rules to edges: every position that play can reach, and what each move may lead to.

Array rules are expanded breadth-first, a whole layer of positions per call. House rules are
expanded one position at a time.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from dicelab.errors import TooLarge
from dicelab.numbering import Growing, Listed, Numbering
from dicelab.rules import ONGOING, OTHER, Chance, Game, HouseRules, Outcome, Position
from dicelab.solvers import weave as kernels

BYTES_PER_OUTCOME = 10  # as met and as arranged, at the moment both exist
BYTES_PER_POSITION = 80  # numbers, rows, results, values and bounds
BYTES_PER_HOUSE_POSITION = 1000  # Python objects, and a dictionary of them
BYTES_PER_HOUSE_OUTCOME = 200


class Kind(NamedTuple):
    """A kind of outcome: how likely it is, whether the turn passes, what is gained on the way."""

    chance: Fraction
    passes: bool
    gain: Fraction


class Kinds:
    """Distinct kinds of outcomes, each with a small number that stands for it."""

    def __init__(self) -> None:
        self.of: dict[Kind, int] = {}

    def code(self, chance: int | Fraction, mover: int, gain: int | Fraction) -> int:
        """Return the number that stands for a kind of outcome."""
        kind = Kind(Fraction(chance), mover == OTHER, Fraction(gain))
        return self.of.setdefault(kind, len(self.of))

    def codes(self, outcome: Outcome, size: int) -> Any:
        """Return the codes of an outcome at `size` positions; -1 where it cannot happen."""
        chance, _, mover, gain = outcome
        if not isinstance(chance, Chance):
            return np.full(size, self.code(chance, mover, gain) if chance else -1, np.int32)
        numerators = np.broadcast_to(np.asarray(chance.numerator), (size,))
        distinct, inverse = np.unique(numerators, return_inverse=True)
        whole = int(chance.denominator)
        coded = [self.code(Fraction(int(n), whole), mover, gain) if n else -1 for n in distinct]
        return np.array(coded, np.int32)[inverse]


@dataclasses.dataclass
class Edges:
    """Every row of every position and every outcome of every row, in the order met."""

    moves: tuple[str, ...]
    result: Any  # [positions]
    move_first: Any  # [positions + 1]
    move: Any  # [rows]
    outcome_first: Any  # [rows + 1]
    target: Any  # [outcomes]
    kind: Any  # [outcomes]
    kinds: tuple[Kind, ...]


class Growth:
    """An array that grows at its end."""

    def __init__(self, kind: Any, expected: int) -> None:
        # Room costs nothing until it is written; moving out of it does.
        self._room = np.empty(expected + 1024, kind)
        self.size = 0

    def more(self, count: int) -> Any:
        """Return the next `count` entries, to be written."""
        begin, self.size = self.size, self.size + count
        if self.size > self._room.size:
            room = np.empty(2 * self.size, self._room.dtype)
            room[:begin] = self._room[:begin]
            self._room = room
        return self._room[begin : self.size]

    def widen(self, numbers: int) -> None:
        """See to it that so many different numbers, from 0 on, have room in an entry."""
        wanted = np.min_scalar_type(max(numbers - 1, 0))
        if wanted.itemsize > self._room.dtype.itemsize:
            self._room = self._room.astype(wanted)

    def finished(self) -> Any:
        """Return the array; it grows no more."""
        return self._room[: self.size]


class Block(NamedTuple):
    """One outcome of one move at many positions."""

    move: int
    source: Any  # [outcomes] place in the layer
    kind: Any  # [outcomes]
    after: Position


def select(at: Position, mask: Any) -> Position:
    """Return the positions of an array where the mask holds."""
    return type(at)(*(field[mask] for field in at))


def explore(
    game: Game, memory: int, progress: Callable[[int], None] | None = None
) -> tuple[Edges, Numbering]:
    """Return the edges of an array game, and its positions numbered in the order met."""
    numbering, kinds = Growing(game), Kinds()
    expected = min(game.size() or 0, memory // BYTES_PER_POSITION)
    outcomes = expected * _most_outcomes(game)
    result, rows = Growth(np.int8, expected), Growth(np.int32, expected)
    move, row_outcomes = (Growth(each, 2 * expected) for each in (np.int16, np.int32))
    target, kind = Growth(np.int32, outcomes), Growth(np.uint8, outcomes)
    _, layer = numbering.meet([(game.start(), 1)])
    while layer[0].size:
        size = layer[0].size
        over = result.more(size)
        over[:] = game.result(layer)
        here = np.flatnonzero(over == ONGOING).astype(np.int32)
        blocks = list(_blocks(game, select(layer, here), here, kinds))
        kind.widen(len(kinds.of))
        found, layer = numbering.meet([(block.after, block.source.size) for block in blocks])
        _weave(blocks, found, size, rows, move, row_outcomes, target, kind)
        needed = numbering.count * BYTES_PER_POSITION + target.size * BYTES_PER_OUTCOME
        refuse_beyond(game, memory, needed, f"more than {numbering.count:,}", target.size)
        if progress:
            progress(numbering.count)
    edges = Edges(
        game.moves,
        result.finished(),
        _firsts(rows.finished()),
        move.finished(),
        _firsts(row_outcomes.finished()),
        target.finished(),
        kind.finished(),
        tuple(kinds.of),
    )
    return edges, numbering.finished()


def _blocks(game: Game, at: Position, here: Any, kinds: Kinds) -> Iterator[Block]:
    """Yield what every move may lead to from the positions `at`, which are `here` in the layer."""
    for number, move in enumerate(game.moves):
        allowed = np.broadcast_to(np.asarray(game.legal(at, move), bool), here.shape)
        if not allowed.any():
            continue
        source, playing = here, at
        if not allowed.all():
            source, playing = here[allowed], select(at, allowed)
        for each in game.outcomes(playing, move):
            outcome = Outcome(*each)
            coded, after = kinds.codes(outcome, source.size), outcome.at
            happens = coded >= 0
            if happens.all():
                yield Block(number, source, coded, after)
                continue
            fields = (np.broadcast_to(np.asarray(part), source.shape) for part in after)
            after = select(type(after)(*fields), happens)
            yield Block(number, source[happens], coded[happens], after)


def _weave(
    blocks: list[Block],
    found: Any,
    size: int,
    rows: Growth,
    move: Growth,
    row_outcomes: Growth,
    target: Growth,
    kind: Growth,
) -> None:
    """Add a layer's outcomes, met move by move, position by position."""
    nothing = np.empty(0, np.int32)
    first = np.cumsum([0, *(block.source.size for block in blocks)])
    moves = np.array([block.move for block in blocks], np.int32)
    source = np.concatenate([nothing, *(block.source for block in blocks)])
    coded = np.concatenate([nothing, *(block.kind for block in blocks)])
    layer_rows = rows.more(size)
    outcomes = kernels.count(first, moves, source, layer_rows)
    count = int(layer_rows.sum())
    kernels.weave(
        first,
        moves,
        source,
        found,
        coded,
        layer_rows,
        outcomes,
        move.more(count),
        row_outcomes.more(count),
        target.more(found.size),
        kind.more(found.size),
    )


def _firsts(counts: Any) -> Any:
    """Return where each part begins, and where the last one ends."""
    first = np.zeros(counts.size + 1, np.int32)
    np.cumsum(counts, out=first[1:])
    return first


def explore_house(
    game: HouseRules, memory: int, progress: Callable[[int], None] | None = None
) -> tuple[Edges, Numbering]:
    """Return the edges of a game of house rules, and its positions numbered in the order met."""
    kinds = Kinds()
    positions = [game.start()]
    number: dict[Position, int] = {positions[0]: 0}
    move_numbers: dict[str, int] = {}
    results: list[int] = []
    rows: list[int] = []
    moves: list[int] = []
    row_outcomes: list[int] = []
    targets: list[int] = []
    coded: list[int] = []
    for source, at in enumerate(positions):  # grows while it is read
        results.append(game.result(at) or ONGOING)
        rows.append(0)
        for move in [] if results[-1] != ONGOING else game.choices(at):
            before = len(targets)
            for each in game.outcomes(at, move):
                chance, after, mover, gain = Outcome(*each)
                if isinstance(chance, Chance):
                    chance = Fraction(int(chance.numerator), chance.denominator)
                if not chance:
                    continue
                if after not in number:
                    number[after] = len(positions)
                    positions.append(after)
                targets.append(number[after])
                coded.append(kinds.code(chance, mover, gain))
            if len(targets) > before:
                rows[-1] += 1
                moves.append(move_numbers.setdefault(move, len(move_numbers)))
                row_outcomes.append(len(targets) - before)
        if source % 1024 == 0:
            needed = (
                len(positions) * BYTES_PER_HOUSE_POSITION + len(targets) * BYTES_PER_HOUSE_OUTCOME
            )
            refuse_beyond(game, memory, needed, f"more than {len(positions):,}")
            if progress:
                progress(len(positions))
    edges = Edges(
        tuple(move_numbers),
        np.array(results, np.int8),
        _firsts(np.array(rows, np.int32)),
        np.array(moves, np.int16),
        _firsts(np.array(row_outcomes, np.int32)),
        np.array(targets, np.int32),
        np.array(coded, np.min_scalar_type(max(len(kinds.of) - 1, 0))),
        tuple(kinds.of),
    )
    return edges, Listed(positions)


def refuse_before(game: Game, memory: int) -> None:
    """Refuse a game whose own estimate of its size cannot fit, before anything is allocated."""
    positions = game.size()
    if positions is None:
        return
    outcomes = positions * _most_outcomes(game)
    needed = positions * BYTES_PER_POSITION + outcomes * BYTES_PER_OUTCOME
    refuse_beyond(game, memory, needed, f"about {positions:.2g}")


def _most_outcomes(game: Game) -> int:
    """Return how many outcomes a position has, judging by the first one."""
    at = game.start()
    legal = [move for move in game.moves if game.legal(at, move)]
    return max(1, sum(sum(1 for _ in game.outcomes(at, move)) for move in legal))


def refuse_beyond(game: Game, memory: int, needed: int, positions: str, outcomes: int = 0) -> None:
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
