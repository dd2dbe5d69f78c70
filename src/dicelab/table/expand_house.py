"""From house rules to edges: plain Python, asked about one position after another.

Most of the time goes into what every outcome costs, so that is kept small. Chances are compared by
what they are only once: after that the same `Fraction` object is known by its identity. Rules that
return the same tuple of outcomes again (a law worked out once) are followed only once.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import Any

import numpy as np

from dicelab.errors import DicelabError
from dicelab.rules import (
    ONGOING,
    Chance,
    HouseRules,
    Moment,
    Outcome,
    Position,
    Throw,
    contract,
    exact_chance,
)
from dicelab.rules.failure import failure
from dicelab.table.expand import (
    BYTES_PER_POSITION,
    Edges,
    refuse_before,
    refuse_beyond,
    too_large_for_rationals,
)
from dicelab.table.numbering import BYTES_PER_ENTRY, SAMPLED, Listed, Numbering, size_of
from dicelab.table.shapes import Kinds, Shapes

BYTES_PER_OUTCOME = 48  # kind and target as they are met, then the arrays that shapes are made from
MOST_KNOWN = 1 << 16
"""Chances and laws known by their identity; they are kept alive so that it stays theirs."""
CHECKED = 1 << 17
"""Outcomes after which memory is looked at again."""


def explore_house(
    game: HouseRules,
    memory: int,
    progress: Callable[[int], None] | None = None,
    most: int | None = None,
) -> tuple[Edges, Numbering]:
    """Return the edges of a game of house rules, and its positions numbered in the order met."""
    refuse_before(game, memory)
    met = _Met(game)
    unchecked = 0
    for source, at in enumerate(met.positions):  # grows while it is read
        before = len(met.targets)
        met.expand(at)
        unchecked += len(met.targets) - before + 1
        if source % 1024 == 0 or unchecked > CHECKED:
            unchecked = 0
            refuse_beyond(game, memory, met.needed, f"more than {len(met.positions):,}")
            if progress:
                progress(len(met.positions))
            if most is not None and len(met.positions) > most:
                raise too_large_for_rationals(game, f"more than {most:,}", most)
    return met.edges(), Listed(met.positions)


class _Met:
    """What was met so far: positions with their numbers, and the outcomes of their moves."""

    def __init__(self, game: HouseRules) -> None:
        self.game = game
        self.positions: list[Position] = []
        self.number: dict[Position, int] = {}
        self.results = array("b")
        self.moves: dict[str, int] = {}
        self.kinds = Kinds()
        # of every move that some position allows: whose, which, and how many outcomes it has
        self.sources, self.played, self.counts = array("i"), array("i"), array("i")
        # of every outcome: its kind, and where it leads
        self.coded, self.targets = array("i"), array("i")
        self.codes: dict[tuple[int, Any, Any], int] = {}
        self.laws: dict[int, tuple[int, int]] = {}
        self.alive: list[Position] = []
        self.measured = 0
        self.enter(game.start())

    @property
    def needed(self) -> int:
        """About how many bytes all this takes, and the table that is made of it."""
        count = len(self.positions)
        each = self.measured / (1 + (count - 1) // SAMPLED) + BYTES_PER_ENTRY + BYTES_PER_POSITION
        return int(count * each) + len(self.targets) * BYTES_PER_OUTCOME

    def enter(self, at: Position) -> int:
        """Return the number of a position that was not met before."""
        found = len(self.positions)
        self.number[at] = found
        self.positions.append(at)
        if found % SAMPLED == 0:
            self.measured += size_of(at)
        return found

    def expand(self, at: Position) -> None:
        """Note how a position stands, and every outcome of its moves."""
        game, source, move = self.game, len(self.results), None
        try:
            result = game.result(at) or ONGOING
            if result not in contract.RESULTS:
                raise contract.wrong_result(game, result, at)
            self.results.append(result)
            for move in () if result != ONGOING else game.choices(at):
                before = len(self.targets)
                self.follow(at, move, game.outcomes(at, move))
                if len(self.targets) > before:
                    self.sources.append(source)
                    self.played.append(self.moves.setdefault(move, len(self.moves)))
                    self.counts.append(len(self.targets) - before)
        except (DicelabError, MemoryError):
            raise
        except Exception as trouble:  # the rules are somebody's own code
            raise failure(game, trouble, at, move) from trouble

    def follow(
        self, at: Position, move: str, outcomes: Iterable[Outcome | Throw | tuple[Any, ...]]
    ) -> None:
        """Note what a move may lead to."""
        begin = len(self.targets)
        if type(outcomes) is tuple:
            known = self.laws.get(id(outcomes))
            if known is not None:
                self.coded.extend(self.coded[slice(*known)])
                self.targets.extend(self.targets[slice(*known)])
                return
        codes, number = self.codes, self.number
        same_anywhere = True
        for each in outcomes:
            if isinstance(each, Throw):
                self.choose(at, move, each)
                same_anywhere = False  # which ways are open depends on the position
                continue
            if len(each) == 3:
                chance, after, mover = each
                gain: Any = 0
            else:
                chance, after, mover, gain = Outcome(*each)
            code = codes.get((id(chance), mover, gain))
            if code is None:
                code = self.code(chance, mover, gain)
            if code < 0:
                continue
            target = number.get(after)
            self.coded.append(code)
            self.targets.append(self.enter(after) if target is None else target)
        if type(outcomes) is tuple and same_anywhere:
            self.remember(outcomes)
            self.laws[id(outcomes)] = (begin, len(self.targets))

    def choose(self, at: Position, move: str, throw: Throw) -> None:
        """Note the ways that are open after a throw: the first, then other ways of the same."""
        chance = exact_chance(throw.chance)
        if not chance:
            return
        ways = self.game.open_ways(Moment(at, move, throw.dice))
        contract.check_ways(self.game, at, move, throw.dice, ways)
        for place, way in enumerate(ways):
            target = self.number.get(way.at)
            self.coded.append(self.kinds.code(chance, way.mover, way.gain, place > 0))
            self.targets.append(self.enter(way.at) if target is None else target)

    def code(self, chance: Fraction | Chance, mover: int, gain: int) -> int:
        """Return the number of a kind of outcome, -1 for one that cannot happen."""
        exact = chance
        if isinstance(exact, Chance):
            exact = Fraction(int(exact.numerator), exact.denominator)
        found = self.kinds.code(exact, mover, gain) if exact else -1
        self.remember(chance)
        self.codes[id(chance), mover, gain] = found
        return found

    def remember(self, thing: Position) -> None:
        """Keep a thing that is known by its identity; forget all where there are too many."""
        if len(self.alive) >= MOST_KNOWN:
            self.alive.clear()
            self.codes.clear()
            self.laws.clear()
        self.alive.append(thing)

    def edges(self) -> Edges:
        """Return all edges, once every position was expanded."""
        counts = np.frombuffer(self.counts, np.int32) if self.counts else np.empty(0, np.int32)
        moves = np.repeat(np.array(self.played, np.int32), counts)
        sources = np.repeat(np.array(self.sources, np.uint32), counts)
        shapes, shape = Shapes(len(self.moves)), np.zeros(len(self.positions), np.int32)
        shapes.follow(moves, np.array(self.coded, np.int64), sources, shape)
        met, rows = shapes.rows(shape, len(self.kinds.of))
        result, target = np.array(self.results, np.int8), np.array(self.targets, np.int32)
        return Edges(tuple(self.moves), result, met, rows, tuple(self.kinds.of), target)
