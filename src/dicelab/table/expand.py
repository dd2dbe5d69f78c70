"""From rules to edges: every position that play can reach, and what each move may lead to.

Array rules are expanded breadth-first, a whole layer of positions per call. House rules have a file
of their own (`expand_house`).
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Hashable, Iterator
from functools import partial
from itertools import takewhile
from typing import Any, NamedTuple

import numpy as np

from dicelab.core.arrays import Array, Bools, Ints
from dicelab.core.jit import unsigned
from dicelab.errors import DicelabError, TooLarge
from dicelab.rules import ONGOING, Chance, Game, Outcome, Position, RaceAtOnce, Throw, Way, answers
from dicelab.rules.failure import failure, failure_on_arrays, one_of
from dicelab.solvers import order as ordering
from dicelab.solvers.arrays import Kind
from dicelab.solvers.unfold import BYTES_PER_WAY
from dicelab.table import expand_kernels as kernels
from dicelab.table.numbering import AsMet, Growing
from dicelab.table.pair_rules import pair_rules
from dicelab.table.shapes import Kinds, Rows, Shapes, spread

BYTES_PER_OUTCOME = 8  # where it leads, before and after ordering
BYTES_PER_POSITION = 70  # numbers, rows, results, values and bounds
BYTES_PER_SEAT = 40  # of a position: value, error and move, and room to add errors up
BYTES_IN_WORK = 200  # of an outcome while it is followed: its fields, its kind, its look-up
AT_ONCE = 1 << 15
"""Positions for which the rules are asked at once, or fewer where they have many outcomes."""
SHARE_IN_WORK = 10
"""What is being followed may take one part in so many of the memory allowed."""
MOST_IN_WORK = 1 << 23
"""Outcomes that are followed at once, however much memory there is."""
FIRST_IS_LARGE = 4
"""The first position often has the most outcomes: the others are taken to have a quarter of it."""


@dataclasses.dataclass
class Edges:
    """The shape of every position, and where its outcomes lead, in the order met."""

    moves: tuple[str, ...]
    result: Ints  # [positions]
    shape: Ints  # [positions]
    rows: Rows  # of each shape
    kinds: tuple[Kind, ...]
    target: Ints  # [outcomes]

    @property
    def outcomes(self) -> Ints:
        """How many outcomes each shape has."""
        return np.diff(self.rows.outcome_first[self.rows.first])

    def reorder(self) -> tuple[Ints, Ints, Ints]:
        """Number the positions in solving order; return that, and where its components begin.

        The order comes as a list of the old numbers and as a list of the new ones.
        """
        first = np.zeros(self.shape.size + 1, np.uint32)
        np.take(self.outcomes, self.shape, out=first[1:], mode="clip")  # which needs no copy
        np.cumsum(first, out=first)
        edges = first, unsigned(self.target)
        order, place, component_first = ordering.solving_order(*edges)
        # One array after another, so that old and new ones are never all there together.
        target = np.empty_like(self.target)
        ordering.redirect(unsigned(order), unsigned(place), *edges, target)
        self.target, self.shape, self.result = target, self.shape[order], self.result[order]
        return order, place, component_first


class Growth:
    """An array that grows at its end."""

    def __init__(self, kind: Any, expected: int) -> None:
        # Room costs nothing until it is written; moving out of it does.
        self._room = np.empty(expected + 1024, kind)
        self.size = 0

    def more(self, count: int) -> Ints:
        """Return the next `count` entries, to be written."""
        begin, self.size = self.size, self.size + count
        if self.size > self._room.size:
            room = np.empty(2 * self.size, self._room.dtype)
            room[:begin] = self._room[:begin]
            self._room = room
        return self._room[begin : self.size]

    def finished(self) -> Ints:
        """Return the array; it grows no more."""
        return self._room[: self.size]


class Block(NamedTuple):
    """One outcome of one move at many positions, or one way after a throw."""

    move: int
    kind: Ints  # [outcomes], or [1] if it is the same for all
    source: Ints  # [outcomes] place in the layer
    after: Position
    dice: Hashable = None  # what they show, where a way is taken
    way: str = ""
    throw: int = -1  # the number of the throw among those of the move


def select(at: Position, mask: Array) -> Position:
    """Return the positions of an array where the mask holds."""
    return type(at)(*(field[mask] for field in at))


def explore(
    game: Game,
    memory: int,
    progress: Callable[[int], None] | None = None,
    most: int | None = None,
) -> tuple[Edges, AsMet]:
    """Return the edges of an array game, and its positions numbered in the order met.

    Memory is looked at as the arrays grow. Beyond `most` positions nothing more is explored: the
    caller is going to refuse the game.
    """
    numbering, kinds, shapes = Growing(game, memory), Kinds(game.players), Shapes(len(game.moves))
    expected = min(game.size() or 0, memory // BYTES_PER_POSITION)
    outcomes = min(int(expected * _outcomes_each(game)), memory // BYTES_PER_OUTCOME)
    result, shape = Growth(np.int8, expected), Growth(np.int32, expected)
    target = Growth(np.int32, outcomes)
    parts = _Parts(memory)
    begins = [(game.start(), 1)]
    if (others := game.everywhere()) is not None:
        begins.append((others, np.size(others[0])))
    _, layer = numbering.meet(begins)
    while layer[0].size:
        fresh: list[Position] = []
        for at in parts.of(layer):
            size, before = at[0].size, target.size
            over = result.more(size)
            try:
                over[:] = answers.check_results(game, game.result(at), at)
                here = np.flatnonzero(over == ONGOING).astype(np.uint32)
                blocks = list(blocks_of(game, select(at, here), here, kinds))
            except (DicelabError, MemoryError):
                raise
            except Exception as trouble:  # the rules are somebody's own code
                raise failure_on_arrays(game, trouble, at) from trouble
            found, new = numbering.meet([(block.after, block.source.size) for block in blocks])
            _weave(blocks, found, shapes, shape.more(size), target.more(found.size))
            fresh.append(new)
            parts.met(size, target.size - before)
            now = _bytes(layer) + 2 * sum(map(_bytes, fresh))
            later = numbering.count * BYTES_PER_POSITION
            needed = max(now, later) + target.size * BYTES_PER_OUTCOME
            needed += numbering.needed + shapes.needed
            refuse_beyond(game, memory, needed, f"more than {numbering.count:,}", target.size)
            if progress:
                progress(numbering.count)
            if most is not None and numbering.count > most:
                raise too_large_for_rationals(game, f"more than {most:,}", most)
        layer = type(layer)(*map(np.concatenate, zip(*fresh, strict=True)))
    met, rows = shapes.rows(shape.finished(), len(kinds.of))
    edges = Edges(game.moves, result.finished(), met, rows, tuple(kinds.of), target.finished())
    return edges, numbering.finished()


def _bytes(at: Position) -> int:
    """Return how many bytes an array of positions takes."""
    return sum(int(field.nbytes) for field in at)


class _Parts:
    """Cuts a layer into parts that are followed at once, by the most outcomes that one had."""

    def __init__(self, memory: int) -> None:
        self._outcomes = min(max(1, memory // (SHARE_IN_WORK * BYTES_IN_WORK)), MOST_IN_WORK)
        self._size, self._most = 1, 0.0

    def of(self, layer: Position) -> Iterator[Position]:
        """Yield the positions of a layer, so many at a time that what is made of them fits."""
        begin = 0
        while begin < layer[0].size:
            end = begin + self._size
            yield type(layer)(*(field[begin:end] for field in layer))
            begin = end

    def met(self, positions: int, outcomes: int) -> None:
        """Note how many outcomes some positions had; the next part grows slowly at most."""
        # Not by the last part alone: after many ends, which have none, come others that have many.
        self._most = max(self._most / 2, outcomes / positions)
        fitting = int(self._outcomes / max(1e-9, self._most))
        self._size = max(1, min(AT_ONCE, 16 * self._size, fitting))


def blocks_of(game: Game, at: Position, here: Ints, kinds: Kinds) -> Iterator[Block]:
    """Yield what every move may lead to from the positions `at`, which are `here` in the layer."""
    for number, move in enumerate(game.moves):
        allowed = np.broadcast_to(np.asarray(game.legal(at, move), bool), here.shape)
        if not allowed.any():
            continue
        source, playing = here, at
        if not allowed.all():
            source, playing = here[allowed], select(at, allowed)
        for place, each in enumerate(game.outcomes(playing, move)):
            if isinstance(each, Throw):
                for block in _ways(game, playing, number, each, source, kinds):
                    yield block._replace(throw=place)
                continue
            outcome = Outcome(*each)
            kind, after = kinds.codes(outcome, source.size), outcome.at
            answers.check_after(game, playing, move, after)
            happens = kind >= 0
            if happens.all():
                yield Block(number, kind, source, after)
            elif happens.any():
                fields = (np.broadcast_to(np.asarray(part), source.shape) for part in after)
                after = select(type(after)(*fields), happens)
                yield Block(number, kind[happens], source[happens], after)


def _ways(
    game: Game, at: Position, number: int, throw: Throw, source: Ints, kinds: Kinds
) -> Iterator[Block]:
    """Yield the ways that are open after a throw at the positions where it can happen.

    The first way that is open at a position is an outcome; the others are other ways of it.
    """
    move, chance = game.moves[number], throw.chance
    if isinstance(chance, Chance):
        numerators = np.broadcast_to(np.asarray(chance.numerator), source.shape)
        happens = numerators != 0
        if not happens.all():
            numerators, source, at = numerators[happens], source[happens], select(at, happens)
        chance = Chance(numerators, chance.denominator)
    if not source.size or not (isinstance(chance, Chance) or chance):
        return
    law = spread(chance, source.size)
    opened, called = np.zeros(source.shape, np.bool_), dict[str, Bools]()
    for each in game.ways(at, move, throw.dice):
        way = Way(*each)
        allowed = np.broadcast_to(np.asarray(way.allowed, bool), source.shape)
        if not allowed.any():
            continue
        twice = called.get(way.name)
        if twice is not None and (twice & allowed).any():
            here = one_of(at, int(np.argmax(twice & allowed)))
            answers.check_ways(game, here, move, throw.dice, [way, way])
        called[way.name] = allowed if twice is None else twice | allowed
        answers.check_after(game, at, move, way.at)
        kinds_of = partial(kinds.coded, law, way.mover, way.gain, size=source.size)
        later = opened & allowed  # where another way is open already
        kind = kinds_of(another=bool(later.any()))
        if later.any() and not later[allowed].all():
            kind = np.where(opened, kind, kinds_of())
        after = way.at
        taken = source
        if not allowed.all():
            fields = (np.broadcast_to(np.asarray(part), source.shape) for part in after)
            after, taken = select(type(after)(*fields), allowed), source[allowed]
            kind = kind if kind.size == 1 else kind[allowed]
        yield Block(number, kind, taken, after, throw.dice, way.name)
        opened = opened | allowed
    if not opened.all():
        raise answers.no_way(game, one_of(at, int(np.argmin(opened))), move, throw.dice)


def _weave(blocks: list[Block], found: Ints, shapes: Shapes, shape: Ints, target: Ints) -> None:
    """Write the shapes of a layer's positions, and where each of them may lead."""
    shape[:] = 0
    # The steps that the same positions all take first are taken once for all of them.
    alike = list(takewhile(lambda b: b.source is blocks[0].source and b.kind.size == 1, blocks))
    if alike:
        one = np.zeros(1, np.int32)
        for block in alike:
            shapes.follow(block.move, block.kind, np.zeros(1, np.uint32), one)
        shape[alike[0].source] = one
    for block in blocks[len(alike) :]:
        shapes.follow(block.move, block.kind, block.source, shape)
    outcomes = shapes.outcomes(shape)
    place = np.cumsum(outcomes, dtype=np.uint32) - outcomes.astype(np.uint32)
    begin = 0
    for block in blocks:
        end = begin + block.source.size
        kernels.weave(block.source, found[begin:end], place, target)
        begin = end


def needed_before(game: Game) -> int | None:
    """Return how many bytes a table takes by the game's own estimate; None where it has none."""
    positions = game.size()
    if positions is None:
        return None
    needed = positions * BYTES_PER_POSITION
    if isinstance(game, RaceAtOnce) and game.is_simultaneous:
        return needed  # known by the laws of its throws: no outcome is written out
    outcomes = int(positions * _outcomes_each(pair_rules(game) if game.is_simultaneous else game))
    needed += outcomes * BYTES_PER_OUTCOME
    if game.players > 2 and game.branching() is not None:
        # Every verb keeps numbers for each seat, and makes choices after throws positions.
        needed += positions * game.players * BYTES_PER_SEAT
        needed += 0 if type(game).ways is Game.ways else outcomes * BYTES_PER_WAY
    return needed


def refuse_before(game: Game, memory: int) -> None:
    """Refuse a game whose own estimate of its size cannot fit, before anything is allocated."""
    positions = game.size()
    if positions is None:
        return
    told = f"about {positions:.2g}"
    if game.branching() is None:  # counting may take long where there are many moves
        refuse_beyond(game, memory, positions * BYTES_PER_POSITION, told)
    refuse_beyond(game, memory, needed_before(game) or 0, told)


def _outcomes_each(game: Game) -> float:
    """Return how many outcomes a position has, as the game says or judging by the first one.

    Moves that are not allowed there count for one each.
    """
    told = game.branching()
    if told is not None:
        return told
    at, first, move = game.start(), 0, None
    try:
        for move in game.moves:
            first += _branches(game, at, move) if game.legal(at, move) else 1
    except DicelabError:
        raise
    except Exception as trouble:  # the rules are somebody's own code
        raise failure(game, trouble, at, move) from trouble
    return first / FIRST_IS_LARGE


def _branches(game: Game, at: Position, move: str) -> int:
    """Return how many outcomes a move has at one position, each way after a throw counted."""
    return sum(
        sum(1 for _ in game.ways(at, move, each.dice)) if isinstance(each, Throw) else 1
        for each in game.outcomes(at, move)
    )


def too_large_for_rationals(game: Game, positions: str, most: int) -> TooLarge:
    """Return the error for a game with too many positions for exact mode."""
    return TooLarge(
        f"{game} has {positions} positions: exact mode goes up to {most:,}; "
        f"without it the bounds are certified all the same"
    )


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
