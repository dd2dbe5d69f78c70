"""Shapes: the moves of a position and the kinds of their outcomes, wherever those lead.

In a dice game most positions are alike: the same moves, the same chances. Two positions of one
*shape* differ only in the positions they lead to. So while a game is explored, each position keeps
its targets and the number of its shape, and what a shape is stands in one place.

Shapes are found as a tree. The root is a position without moves; each *step* adds one outcome of
one move, and steps are taken in the order in which the rules tell the outcomes.
"""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

import numpy as np

from dicelab.core.arrays import Ints
from dicelab.rules import Amount, Chance, Outcome, exact_amount, exact_chance
from dicelab.rules.failure import check_mover
from dicelab.solvers import hash_index
from dicelab.solvers.arrays import Kind
from dicelab.table import expand_kernels as kernels

BYTES_PER_STEP = 80  # its place in the tree, and the slots to find it by


class Kinds:
    """Distinct kinds of outcomes, each with a small number that stands for it."""

    def __init__(self, players: int = 2) -> None:
        self.of: dict[Kind, int] = {}
        self.players = players

    def code(
        self, chance: int | Fraction, mover: int, gain: int | Fraction, another: bool = False
    ) -> int:
        """Return the number that stands for a kind of outcome."""
        check_mover(mover, self.players)
        kind = Kind(exact_chance(chance), int(mover), exact_amount(gain), another)
        return self.of.setdefault(kind, len(self.of))

    def codes(self, outcome: Outcome, size: int) -> Ints:
        """Return the codes of an outcome at `size` positions, one for all if they are the same.

        Where it cannot happen the code is -1.
        """
        return self.coded(spread(outcome.chance, size), outcome.mover, outcome.gain, size=size)

    def coded(
        self,
        law: Spread,
        mover: int,
        gain: Ints | Fraction | Amount,
        another: bool = False,
        size: int = 1,
    ) -> Ints:
        """Return the same for a chance that was spread; `another` way of a throw has its chance."""
        chances, which = law
        if isinstance(gain, np.ndarray | Amount):
            return self._by_gain(law, mover, gain, another, size)
        codes = [self.code(each, mover, gain, another) if each else -1 for each in chances]
        return np.array(codes) if which is None else np.array(codes)[which]

    def _by_gain(
        self, law: Spread, mover: int, told: Ints | Amount, another: bool, size: int
    ) -> Ints:
        """Return the codes of an outcome whose gain depends on the position. `[size]`"""
        numerator, whole = told if isinstance(told, Amount) else (told, 1)
        gains = np.broadcast_to(np.asarray(numerator), (size,))
        if gains.dtype.kind not in "iub":
            raise ValueError(
                f"a gain is exact, a whole number or Amount(numerator, denominator), not {gains[0]}"
            )
        codes = np.empty(size, np.int64)
        for each in np.unique(gains):
            here = gains == each
            some = Spread(law.chances, None if law.which is None else law.which[here])
            codes[here] = self.coded(some, mover, exact_amount(Amount(each, whole)), another)
        return codes


class Spread(NamedTuple):
    """The different chances of something at many positions, and which of them each position has."""

    chances: list[Fraction]
    which: Ints | None  # [positions]; None where all have the same


SMALL = 1 << 16
"""Numerators up to this are told apart by counting; sorting is slow."""


def spread(chance: int | Fraction | Chance, size: int) -> Spread:
    """Return a chance, which may depend on the position, as the different ones it takes."""
    if not isinstance(chance, Chance):
        return Spread([exact_chance(chance)], None)
    numerators = np.broadcast_to(np.asarray(chance.numerator), (size,))
    below = chance.denominator
    most = numerators.max()
    if (numerators == most).all():
        return Spread([exact_chance(Chance(most, below))], None)
    if numerators.dtype.kind in "iu" and numerators.min() >= 0 and most <= SMALL:
        there = np.bincount(numerators) > 0
        distinct, which = np.flatnonzero(there), (np.cumsum(there) - 1)[numerators]
    else:
        distinct, which = np.unique(numerators, return_inverse=True)
    return Spread([exact_chance(Chance(each, below)) for each in distinct], which)


class Rows(NamedTuple):
    """The moves of each shape, and the kinds of their outcomes."""

    first: Ints  # [shapes + 1] the first row of each shape
    move: Ints  # [rows]
    outcome_first: Ints  # [rows + 1] the first outcome of each row
    kind: Ints  # [outcomes]


class Shapes:
    """The tree of shapes met so far. A step is a move and a kind of outcome in one number."""

    def __init__(self, moves: int) -> None:
        self._moves = moves
        self._keys, self._numbers = np.full(64, hash_index.EMPTY), np.zeros(64, np.int32)
        self._tree = kernels.Tree(np.zeros(32, np.int32), np.zeros(32, np.int64), np.zeros(32, int))
        self._count = 1

    @property
    def needed(self) -> int:
        """About how many bytes the tree takes."""
        return self._count * BYTES_PER_STEP

    def follow(self, move: int | Ints, kind: Ints, source: Ints, shape: Ints) -> None:
        """Take a step for each outcome, from the `shape` of its source to one longer.

        The move and the kind may be one for all outcomes.
        """
        step, done = np.asarray(kind * self._moves + move, np.int64), 0
        while True:
            slots = self._keys, self._numbers
            done, self._count = kernels.follow(
                step, source, shape, *slots, self._tree, done, self._count
            )
            if done == source.size:
                return
            self._keys = np.full(4 * slots[0].size, hash_index.EMPTY)
            self._numbers = np.zeros(self._keys.size, np.int32)
            hash_index.rehash(*slots, self._keys, self._numbers)
            room = self._keys.size // 2
            self._tree = kernels.Tree(*(np.resize(each, room) for each in self._tree))

    def outcomes(self, shape: Ints) -> Ints:
        """Return how many outcomes positions of these shapes have."""
        return self._tree.depth[shape]

    def rows(self, shape: Ints, kinds: int) -> tuple[Ints, Rows]:
        """Return the shape of each position among those that occur, and what these are."""
        used = np.flatnonzero(np.bincount(shape, minlength=self._count))
        number = np.zeros(self._count, np.min_scalar_type(max(used.size - 1, 0)))
        number[used] = np.arange(used.size)
        outcomes = int(self._tree.depth[used].sum())
        rows = Rows(
            np.zeros(used.size + 1, np.uint32),
            np.empty(outcomes, np.min_scalar_type(self._moves)),  # no more rows than outcomes
            np.zeros(outcomes + 1, np.uint32),
            np.empty(outcomes, np.min_scalar_type(max(kinds - 1, 0))),
        )
        count = kernels.unfold(used, self._tree, self._moves, *rows)
        move, outcome_first = rows.move[:count], rows.outcome_first[: count + 1]
        return number[shape], rows._replace(move=move, outcome_first=outcome_first)
