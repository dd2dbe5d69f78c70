"""A game as arrays: all that a solver is told of it.

Every move of a position is a *row*; every outcome of a row is a target position and a kind: its
chance, whether the turn passes and what is gained. Kinds are small numbers that stand for exact
rationals; floats are made from them once, here. Positions are numbered in solving order.

Where the player chooses after the throw, the ways that are open stand side by side as outcomes,
each with the chance of the throw. All but the first are of a kind that says so (`another`): one of
these outcomes comes about, and the player says which. So a choice costs no array of its own.
"""

from __future__ import annotations

import dataclasses
import math
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from dicelab.core.arrays import Bools, Floats, Ints, Numbers
from dicelab.core.lazy import Remembers, lazy


class Kind(NamedTuple):
    """A kind of outcome: how likely it is, whether the turn passes, what is gained on the way."""

    chance: Fraction
    passes: int  # how many seats on the turn passes: 0 where the same player moves again
    gain: Fraction
    another: bool = False  # another way of the same throw as the outcome before it


@dataclasses.dataclass(frozen=True, eq=False)
class MarkovGame(Remembers):
    """Positions, their moves and where these lead, by number."""

    result: Ints  # [positions] how the game ended there, or that it goes on
    move_first: Ints  # [positions + 1] the first row of each position
    move: Ints  # [rows] which move
    outcome_first: Ints  # [rows + 1] the first outcome of each row
    target: Ints  # [outcomes] position number
    kind: Ints  # [outcomes] which of the `kinds`
    kinds: tuple[Kind, ...]  # chance, whether the turn passes, what is gained on the way
    component_first: Ints  # [components + 1]
    cut: Ints  # [positions] number among the component's cuts, or -1
    cuts: Ints  # [components] how many cuts
    # [positions] which end is there, where there is more to tell than the result
    end_kind: Ints | None = dataclasses.field(default=None, kw_only=True)

    def __len__(self) -> int:
        """Return the number of positions."""
        return len(self.result)

    @property
    def rows(self) -> int:
        """The number of moves over all positions."""
        return len(self.move)

    @lazy
    def row_position(self) -> Ints:
        """The position each row belongs to. `[rows]`"""
        counts = np.diff(self.move_first)
        return np.repeat(np.arange(len(self), dtype=np.int32), counts)

    @property
    def end(self) -> Ints:
        """Which end is at each position, by the numbers a problem's `ends` go by. `[positions]`"""
        return self.result if self.end_kind is None else self.end_kind

    @property
    def is_ongoing(self) -> Bools:
        """Where there is a move to make: the game is not over. `[positions]`"""
        return self.move_first[1:] > self.move_first[:-1]

    @lazy
    def chances(self) -> tuple[Fraction, ...]:
        """The chance of each kind of outcome."""
        return tuple(kind.chance for kind in self.kinds)

    @lazy
    def chance_floats(self) -> Floats:
        """The chance of each kind of outcome, as a float."""
        return np.array([float(chance) for chance in self.chances])

    @lazy
    def passing(self) -> Bools:
        """Whether the turn passes, for each kind of outcome."""
        return np.array([kind.passes for kind in self.kinds], np.bool_)

    @lazy
    def turns(self) -> Ints:
        """How many seats on the turn passes, for each kind of outcome."""
        return np.array([kind.passes for kind in self.kinds], np.uint8)

    @lazy
    def gains(self) -> tuple[Fraction, ...]:
        """What each kind of outcome gains on the way."""
        return tuple(kind.gain for kind in self.kinds)

    @lazy
    def another(self) -> Bools:
        """Whether an outcome is another way of the throw before it, for each kind."""
        return np.array([kind.another for kind in self.kinds], np.bool_)

    @property
    def has_choices(self) -> bool:
        """Whether somewhere a player chooses after a throw."""
        return any(kind.another for kind in self.kinds)

    @property
    def has_gains(self) -> bool:
        """Whether something is gained on the way."""
        return any(self.gains)

    def passes(self, outcomes: Ints | int | slice) -> Bools:
        """Return whether the turn passes with these outcomes."""
        return self.passing[self.kind[outcomes]]

    def rewards(self, exact: bool = False, unit: Fraction = Fraction(1)) -> Numbers:
        """Return what each row gains on the way, on average; empty where nothing is gained."""
        if not self.has_gains:
            return np.empty(0, object if exact else np.float64)
        mean = [kind.chance * kind.gain for kind in self.kinds]
        whole = math.lcm(*(part.denominator for part in mean))
        parts = np.array([int(part * whole) for part in mean], object)
        largest = whole * max(abs(gain) for gain in self.gains)  # of a sum, as chances sum to 1
        if largest < 2**62:
            parts = parts.astype(np.int64)
        sums = np.add.reduceat(parts[self.kind], self.outcome_first[:-1])
        different, which = np.unique(sums, return_inverse=True)  # few: many rows are alike
        rewards = np.array([Fraction(int(each), whole) / unit for each in different], object)
        return (rewards if exact else rewards.astype(np.float64))[which]

    @lazy
    def is_free(self) -> Bools:
        """Whether nothing is gained or lost by a move, whatever chance does. `[rows]`"""
        if not self.has_gains:
            return np.ones(self.rows, np.bool_)
        free = np.array([gain == 0 for gain in self.gains], np.bool_)
        return np.logical_and.reduceat(free[self.kind], self.outcome_first[:-1])
