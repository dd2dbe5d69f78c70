"""A problem: a table's arrays, who plays how, and the run that settles every component.

Small systems of cuts are solved by elimination inside the sweep. A component with too many cuts
for that (in Two-dice Pig nearly the whole game is one component) is solved by policy iteration:
with the moves held fixed the cuts obey x = C x + a, where one pass over the component applies C,
so GMRES finds x from a few dozen passes without ever writing C down.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np

from dicelab.core.jit import interpreted, unsigned
from dicelab.errors import NotSolved
from dicelab.solvers import sweep as kernels
from dicelab.solvers.decisions import LEAST, MIX, MOST, PLAY, Graph, Play
from dicelab.solvers.sweep import LARGE, SOLVED, Work
from dicelab.table import Table

Progress = Callable[[float], None]

MOST_UNKNOWNS = 512
MOST_COEFFICIENTS = 20_000_000
MOST_SWEEPS = 60
TOLERANCE = 1e-13  # a move must be better by more than this to be changed
CHUNK = 2_000_000  # positions between two reports of progress


def graph_of(table: Table, exact: bool) -> Graph:
    """Return a table's arrays as the kernels read them."""
    number: Callable[[Any], Any] = np.asarray if exact else unsigned
    return Graph(
        table.component_first,
        table.cut,
        table.cuts,
        number(table.move_first),
        number(table.outcome_first),
        number(table.target),
        table.kind,
        np.array(table.chances, object) if exact else table.chance_floats,
        table.passing,
    )


@dataclass
class Problem:
    """Values to be found on a table: by exact rationals or floats, for one seat or two."""

    table: Table
    seats: int
    sign: int
    role: tuple[int, ...]
    ends: dict[int, tuple[Fraction, ...]]  # what each result is worth, seat by seat
    exact: bool = False
    never: Any = 0
    choice: Any = None  # [seats, positions] rows
    weight: Any = None  # [seats, rows] for seats that mix
    reward: Any = None  # [seats, rows]
    own: Any = None  # [seats, positions], or [seats, 1] if the same for all
    counts: Any = field(default_factory=lambda: np.zeros(2, np.int64))
    hard: int = 0  # components that elimination could not settle

    def __post_init__(self) -> None:
        """Lay out the arrays."""
        table, kind = self.table, object if self.exact else np.float64
        self.graph = graph_of(table, self.exact)
        self.value = np.zeros((self.seats, len(table)), kind)
        if self.exact:
            self.value[:] = Fraction(0)
        for result, worths in self.ends.items():
            over = table.result == result
            for seat, worth in enumerate(worths):
                self.value[seat, over] = worth if self.exact else float(worth)
        if self.choice is None:
            self.choice = np.full((self.seats, len(table)), -1, np.int32)
        if self.weight is None:
            self.weight = np.zeros((self.seats, 0), kind)
        if self.reward is None:
            self.reward = np.zeros((self.seats, 0), kind)
        if self.own is None:
            self.own = np.zeros((self.seats, 0), kind)
        self.play = Play(
            self.sign,
            np.where(table.passing, self.sign, 1) * self.graph.chances,
            np.where(table.passing, self.seats - 1, 0).astype(np.uint8),
            self.role,
            self.weight,
            self.reward,
            self.own,
            self.value,
            self.choice,
            Fraction(self.never) if self.exact else float(self.never),
            Fraction(0) if self.exact else TOLERANCE,
            Fraction(0) if self.exact else 0.0,
            Fraction(1) if self.exact else 1.0,
        )

    @property
    def is_choosing(self) -> bool:
        """Whether some seat still looks for its best moves."""
        return any(role in (MOST, LEAST) for role in self.role)

    @property
    def ends_surely(self) -> bool:
        """Whether play by the moves found was seen to end, from everywhere."""
        return not self.hard and not self.counts[1]

    def settle(self, progress: Progress | None = None) -> None:
        """Settle every component, last ones first."""
        first = self.table.component_first
        last, component = len(first) - 1, 0
        work = self._work()
        most = 2**31 - 1 if self.exact else MOST_UNKNOWNS
        run = interpreted(kernels.settle) if self.exact else kernels.settle
        while component < last:
            goal = min(last, int(np.searchsorted(first, first[component] + CHUNK)) + 1)
            component, ended = run(self.graph, self.play, work, component, goal, most, MOST_SWEEPS)
            if ended != SOLVED:
                low, high = int(first[component]), int(first[component + 1])
                self._settle_hard(low, high, large=ended == LARGE)
                component += 1
            if progress and component < last:
                progress(first[component] / len(self.table))
        if progress:
            progress(1.0)

    def _work(self) -> Work:
        """Return room for the largest component that elimination will meet."""
        table, kind = self.table, object if self.exact else np.float64
        sizes = np.diff(table.component_first).astype(np.int64) * self.seats
        unknowns = table.cuts.astype(np.int64) * self.seats
        if not self.exact:
            unknowns[(unknowns > MOST_UNKNOWNS) | (sizes * unknowns > MOST_COEFFICIENTS)] = 0
        sizes[unknowns == 0] = 0
        most = int(unknowns.max(initial=0))
        return Work(
            np.zeros(int(sizes.max(initial=0)), kind),
            np.zeros(int((sizes * unknowns).max(initial=0)), kind),
            np.zeros(int(sizes.max(initial=0)), np.bool_),
            np.zeros((most, most), kind),
            np.zeros(most, kind),
            self.counts,
        )

    def _settle_hard(self, low: int, high: int, large: bool) -> None:
        """Settle a component that is too large for elimination, or whose moves kept changing."""
        from dicelab.solvers import large_components

        self.hard += 1
        if large and not self.exact:
            large_components.by_krylov(self, low, high)
        else:
            large_components.by_turns(self, low, high)
        if not self.exact and not np.isfinite(self.value[:, low:high]).all() and self.never == 0:
            raise NotSolved(
                f"{self.table.game} has a component of {high - low} positions that did not settle"
            )


__all__ = ["LEAST", "MIX", "MOST", "PLAY", "Problem", "Progress", "graph_of"]
