"""The honest bar: value iteration in Numba, written for Pig with one d6 and nothing else.

This is what a good programmer would write in an afternoon: a dense array over (mine, yours, at
risk), swept in place from the end of the game backwards, one pair of banks at a time, until the
largest change in the pair falls below a tolerance. A stopping rule is not an error bound: the
benchmark states the measured error beside the time.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit


@njit(cache=True)
def settle(value: Any, hold: Any, target: int, i: int, j: int, tolerance: float) -> int:
    """Iterate the pair of banks (i, j) and (j, i) until nothing moves by more than `tolerance`."""
    sweeps = 0
    while True:
        change = 0.0
        for turn in range(2):
            mine, yours = (i, j) if turn == 0 else (j, i)
            for risk in range(target - mine - 1, -1, -1):
                roll = 1.0 - value[yours, mine, 0]
                for face in range(2, 7):
                    after = risk + face
                    roll += 1.0 if mine + after >= target else value[mine, yours, after]
                roll /= 6.0
                best = roll
                if risk > 0:
                    held = 1.0 - value[yours, mine + risk, 0]
                    hold[mine, yours, risk] = held > roll
                    best = max(roll, held)
                change = max(change, abs(best - value[mine, yours, risk]))
                value[mine, yours, risk] = best
        sweeps += 1
        if change < tolerance:
            return sweeps


@njit(cache=True)
def solve(target: int, tolerance: float) -> tuple[Any, Any]:
    """Return values and holds for Pig to `target`."""
    value = np.zeros((target, target, target))
    hold = np.zeros((target, target, target), np.bool_)
    for total in range(2 * target - 2, -1, -1):
        for i in range(max(0, total - target + 1), min(target, total + 1)):
            if i <= total - i:
                settle(value, hold, target, i, total - i, tolerance)
    return value, hold
