"""Rounds where any die may be cast again, a batch at a time: one die after another.

What is kept and what lies on the table are combinations of 0 to D dice, and adding a die leads from
one to the next. So a cast is D steps, each the mean over the faces of one more die,

    v(k) = sum over faces f of  chance(f) x v(k + f),

and the best of what may be kept is D steps back, each a maximum over one die less,

    m(k) = max(v(k), m(k - f) for each face f in k).

Five dice take 210 sums of six terms and 462 maxima, where the cast law and the keep relation have
4,368 chances and 4,368 options. Every step is done for a batch of worths side by side.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby, repeat
from operator import itemgetter

import numpy as np
from numpy.typing import NDArray

from dicelab.core.arrays import Floats
from dicelab.core.jit import inlined
from dicelab.rounds.combinations import combinations
from dicelab.rules.dice import Die


@dataclass(frozen=True, eq=False)
class Lattice:
    """Combinations of 0 to D dice, and what they become with a die more or less."""

    up: NDArray[np.int32]  # [combinations below D dice, faces] with one more die
    down: NDArray[np.int32]  # [steps, 3] a combination and two with a die less; see `_parts`
    chance: Floats  # [faces]
    dice: int

    @property
    def roundings(self) -> int:
        """How many roundings of 2**-53 a mean over a cast of all dice has at most.

        Each die is a sum of as many terms as there are faces, with the chance's own rounding.
        """
        return self.dice * (len(self.chance) + 1)


@lru_cache(maxsize=32)
def lattice(dice: int, die: Die) -> Lattice:
    """Return the lattice of so many dice of one kind."""
    numbers = combinations(dice, die.faces)
    full, faces = int(numbers.starts[dice]), len(die.faces)
    one = np.eye(faces, dtype=np.int16)
    up = numbers.rank(numbers.counts[:full, None, :] + one[None])
    below, face = np.nonzero(np.ones_like(up))
    pairs = np.unique(np.stack([up[below, face], below], axis=1), axis=0)
    chance = np.array([float(chance) for _, chance in die])
    return Lattice(np.ascontiguousarray(up, np.int32), _parts(pairs), chance, dice)


def _parts(pairs: NDArray[np.int64]) -> NDArray[np.int32]:
    """Return combinations with two that have a die less, in the order of the combinations.

    Together these are all parts of a combination; where their number is odd, one comes twice.
    """
    steps: list[tuple[int, int, int]] = []
    for kept, parts in groupby(pairs.tolist(), key=itemgetter(0)):
        less = [part for _, part in parts]
        steps += zip(repeat(kept), less[::2], [*less[1::2], less[-1]], strict=False)
    return np.array(steps, np.int32).reshape(-1, 3)


@inlined
def mean_of_cast(values: Floats, up: NDArray[np.int32], chance: Floats, lanes: int) -> None:
    """Fill the rows of fewer dice, in some lanes, from those of all dice.

    A fair die with six faces is added up at once, which rounds less and takes half the time.
    """
    is_six = chance.size == 6
    for face in range(1, chance.size):
        is_six = is_six and chance[face] == chance[0]
    for kept in range(up.shape[0] - 1, -1, -1):
        if is_six:
            a, b, c = up[kept, 0], up[kept, 1], up[kept, 2]
            d, e, f = up[kept, 3], up[kept, 4], up[kept, 5]
            for lane in range(lanes):
                values[kept, lane] = chance[0] * (
                    ((values[a, lane] + values[b, lane]) + (values[c, lane] + values[d, lane]))
                    + (values[e, lane] + values[f, lane])
                )
            continue
        more, share = up[kept, 0], chance[0]
        for lane in range(lanes):
            values[kept, lane] = share * values[more, lane]
        for face in range(1, chance.size):
            more, share = up[kept, face], chance[face]
            for lane in range(lanes):
                values[kept, lane] += share * values[more, lane]


@inlined
def best_of_kept(values: Floats, down: NDArray[np.int32], lanes: int) -> None:
    """Replace the row of each combination by the best of its parts, itself among them.

    Steps stand in the order of the combinations, so that the parts of each are known before.
    """
    for step in range(down.shape[0]):
        kept, one, two = down[step, 0], down[step, 1], down[step, 2]
        for lane in range(lanes):
            best, other = values[one, lane], values[two, lane]
            best = best if best > other else other
            values[kept, lane] = best if best > values[kept, lane] else values[kept, lane]


@inlined
def take_best_of_kept(
    values: Floats, which: NDArray[np.int16], down: NDArray[np.int32], lanes: int
) -> None:
    """Do the same and fill ``which`` with the part that is best; of equals, the one found first."""
    for row in range(values.shape[0]):
        for lane in range(lanes):
            which[row, lane] = row
    for step in range(down.shape[0]):
        kept = down[step, 0]
        for part in range(1, 3):
            less = down[step, part]
            for lane in range(lanes):
                is_more = values[less, lane] > values[kept, lane]
                values[kept, lane] = values[less, lane] if is_more else values[kept, lane]
                which[kept, lane] = which[less, lane] if is_more else which[kept, lane]


@inlined
def spread_by_cast(reach: Floats, up: NDArray[np.int32], chance: Floats, lanes: int) -> None:
    """Move the chance of having kept something to what a cast of the other dice makes of it."""
    for kept in range(up.shape[0]):
        for face in range(chance.size):
            more, share = up[kept, face], chance[face]
            for lane in range(lanes):
                reach[more, lane] += share * reach[kept, lane]
        for lane in range(lanes):
            reach[kept, lane] = 0.0
