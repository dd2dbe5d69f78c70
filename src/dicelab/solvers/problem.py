"""A problem: the arrays of a game, who plays how on them, and the values to be found."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np

from dicelab.core.arrays import Bools, Ints, Numbers, Real
from dicelab.core.exact import at_least, at_most
from dicelab.core.jit import interpreted, unsigned
from dicelab.solvers.arrays import MarkovGame
from dicelab.solvers.decisions import LEAST, MIX, MOST, PLAY, Graph, Play
from dicelab.solvers.ends import ending_rows, mark_ending, staying_rows

TOLERANCE = 1e-13  # a move must be better by more than this to be changed
NOTHING = np.zeros((1, 0))
"""In place of weights, rewards or moves that are not given."""


def graph_of(arrays: MarkovGame, exact: bool) -> Graph:
    """Return a game's arrays as the kernels read them."""
    number: Callable[[Ints], Ints] = np.asarray if exact else unsigned
    return Graph(
        arrays.component_first,
        arrays.cut,
        arrays.cuts,
        number(arrays.move_first),
        number(arrays.outcome_first),
        number(arrays.target),
        arrays.kind,
        np.array(arrays.chances, object) if exact else arrays.chance_floats,
        arrays.turns,
        arrays.another,
    )


def roles(role: tuple[int, ...]) -> tuple[int, ...]:
    """Return the roles of the seats as the kernels read them: three and more in an array."""
    return np.array(role) if len(role) > 2 else role  # type: ignore[return-value]


@dataclass
class Problem:
    """Values to be found: by exact rationals or floats, for one seat or for several."""

    arrays: MarkovGame
    seats: int
    sign: int
    role: tuple[int, ...]
    ends: dict[int, tuple[Fraction, ...]]  # what each end is worth, seat by seat
    exact: bool = False
    never: Real = 0  # what play without an end is worth; -inf where it is the worst of all
    choice: Ints = field(
        default_factory=lambda: NOTHING.astype(np.int32)
    )  # [seats, positions] rows
    # [seats, outcomes] the ways taken after throws, to improve from
    taken: Bools = field(default_factory=lambda: NOTHING.astype(np.bool_))
    weight: Numbers = field(default_factory=lambda: NOTHING)  # [seats, rows] for seats that mix
    reward: Numbers = field(default_factory=lambda: NOTHING)  # [seats, rows]
    own: Numbers = field(default_factory=lambda: NOTHING)  # [seats, positions], or [seats, 1]
    counts: Ints = field(default_factory=lambda: np.zeros(3, np.int64))
    gaining: bool = False  # rewards are what is gained on the way, of which there may be no end
    accuracy: float = 2.0**-50  # beside the largest value, for components that are iterated
    hard: int = 0  # components that elimination could not settle
    shared: bool = False  # three and more: all seats play what the first one finds best
    mixed: dict[int, float] = field(default_factory=dict)  # shares of rows that are left to chance

    def __post_init__(self) -> None:
        """Lay out the arrays."""
        arrays, kind = self.arrays, object if self.exact else np.float64
        self.graph = graph_of(arrays, self.exact)
        self.value = np.zeros((self.seats, len(arrays)), kind)
        if self.exact:
            self.value[:] = Fraction(0)
        for seat, worths in enumerate(self.end_worths(lambda worth: worth)):
            over = ~arrays.is_ongoing
            self.value[seat, over] = worths.astype(kind)[arrays.end[over]]
        if not self.choice.size:
            self.choice = np.full((self.seats, len(arrays)), -1, np.int32)
        nothing = np.zeros((self.seats, 0), kind)
        # Rows after rows in memory, all of them: for another layout the kernels are compiled anew.
        self.weight, self.reward, self.own = (
            np.ascontiguousarray(each) if each.size else nothing
            for each in (self.weight, self.reward, self.own)
        )
        self.play = Play(
            self.sign,
            np.where(arrays.passing, self.sign, 1) * self.graph.chances,
            self._turns(),
            roles(self.role),
            self.weight,
            self.reward,
            self.own,
            self.value,
            self.choice,
            self.taken,
            Fraction(self.never) if self.exact and math.isfinite(self.never) else float(self.never),
            *self._range(),
            Fraction(0) if self.exact else TOLERANCE,
            Fraction(0) if self.exact else 0.0,
            Fraction(1) if self.exact else 1.0,
            self.gaining,
            ending=False,
            shared=self.shared,
        )

    def _turns(self) -> Ints:
        """Return how many seats on the turn passes with each kind of outcome. `[kinds]`"""
        if self.seats > 2:
            return self.arrays.turns
        return np.where(self.arrays.passing, self.seats - 1, 0).astype(np.uint8)

    def end_worths(self, tell: Callable[[Fraction], Real]) -> list[Numbers]:
        """Return something about what each end is worth, by its number; seat by seat."""
        told = [np.full(max(self.ends, default=-1) + 1, Fraction(0), object) for _ in self.role]
        for end, worths in self.ends.items():
            for seat, worth in enumerate(worths):
                told[seat][end] = tell(worth)
        return told if self.ends else []

    def _range(self) -> tuple[float, float]:
        """Return the least and the most that play can bring, infinite where it gains on the way."""
        if self.reward.size or self.own.size or not self.ends:
            return -math.inf, math.inf
        worths = [worth for each in self.ends.values() for worth in each] + [self.never]
        if self.sign < 0:
            worths += [-worth for worth in worths]
        return at_most(min(worths)), at_least(max(worths))

    @property
    def is_choosing(self) -> bool:
        """Whether some seat still looks for its best moves."""
        return any(role in (MOST, LEAST) for role in self.role)

    @property
    def ends_surely(self) -> bool:
        """Whether play by the moves found was seen to end, from everywhere."""
        return not self.hard and not self.counts[1]

    @property
    def ends_everywhere(self) -> bool:
        """Whether play by the moves found ends, from everywhere; the graph is asked if need be."""
        if self.ends_surely:
            return True
        ending = np.zeros(self.value.shape, np.bool_)
        run = interpreted(mark_ending) if self.exact else mark_ending
        run(self.graph, self.play, ending)
        return bool(ending.all())

    def begin_well(self, free: Bools) -> int:
        """Choose moves to improve from; return from how many positions there are none.

        Improving looks at what a move brings, so it never finds that staying for ever is better
        than an end worth less, nor the way out of a circle that costs without end. So it begins
        with moves that stay for ever, where that is free, and elsewhere with moves that lead to
        an end or there. `free` [rows] are the moves that gain and cost nothing. Against a player
        whose moves are given, a position counts once for each who may be about to move there.
        """
        arrays, graph = self.arrays, graph_of(self.arrays, False)
        rows = np.arange(arrays.rows)
        played = np.stack([self.may_play(seat, rows) for seat in range(self.seats)])
        played[np.array(self.role) == MOST] &= free
        stays = np.zeros((self.seats, len(arrays)), np.bool_)
        given = self.choice[0].copy()
        if math.isfinite(self.never):
            staying_rows(graph, self.role, self.play.turns, played, self.choice, stays)
        kept = self.choice[0].copy()
        if self.seats == 1 or self.gaining:
            played = np.stack([self.may_play(seat, rows) for seat in range(self.seats)])
            self.choice[0] = arrays.move_first[:-1]
            moving = np.add.reduceat(played, arrays.move_first[:-1][arrays.is_ongoing], axis=1) > 0
            over = np.ones((self.seats, len(arrays)), np.bool_)
            over[:, arrays.is_ongoing] = ~moving  # nobody moves where the game is over
            way = np.where(over | stays, 0.0, np.inf)
            length = -np.log(np.maximum(graph.chances, 1e-300))
            turns = self.play.turns
            lost = int(ending_rows(graph, self.role, turns, length, played, self.choice, way))
            self.choice[0, stays[0]] = kept[stays[0]]
            return lost
        # Elsewhere the moves stay as they were given; a component needs all of its moves, or none.
        self.choice[0] = np.where(stays[0], kept, given)
        begins = arrays.component_first[:-1]
        some = np.repeat(np.maximum.reduceat(stays[0], begins), np.diff(arrays.component_first))
        missing = some & (self.choice[0] < 0)
        self.choice[0, missing] = arrays.move_first[:-1][missing]
        return 0

    def may_play(self, seat: int, rows: Ints) -> Bools:
        """Return which of some rows a seat may play: any to choose from, or as it is fixed."""
        if self.role[seat] in (MOST, LEAST):
            return np.ones(rows.size, np.bool_)
        if self.role[seat] == MIX:
            return np.asarray(self.weight[seat, rows] != 0, np.bool_)
        return self.choice[seat, self.arrays.row_position[rows]] == rows


__all__ = ["LEAST", "MIX", "MOST", "PLAY", "Problem", "graph_of"]
