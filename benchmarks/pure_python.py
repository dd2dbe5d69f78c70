"""What anybody would write first: value iteration for Pig in plain Python, no library at all.

The method is that of `specialist.py`, line by line: the end of the game first, one pair of banks at
a time, until the largest change in the pair falls below a tolerance.
"""

from __future__ import annotations


def solve(target: int, tolerance: float) -> list[list[list[float]]]:
    """Return the values of Pig to `target`, by my bank, yours and points at risk."""
    value = [[[0.0] * (target - mine) for _ in range(target)] for mine in range(target)]
    for total in range(2 * target - 2, -1, -1):
        for i in range(max(0, total - target + 1), total // 2 + 1):
            settle(value, target, i, total - i, tolerance)
    return value


def settle(value: list[list[list[float]]], target: int, i: int, j: int, tolerance: float) -> None:
    """Iterate the pair of banks (i, j) and (j, i) until nothing moves by more than `tolerance`."""
    change = 1.0
    while change >= tolerance:
        change = 0.0
        for mine, yours in ((i, j), (j, i)):
            here = value[mine][yours]
            busted = 1.0 - value[yours][mine][0]
            for risk in range(target - mine - 1, -1, -1):
                roll = busted
                for after in range(risk + 2, risk + 7):
                    roll += 1.0 if mine + after >= target else here[after]
                best = roll / 6.0
                if risk > 0:
                    best = max(best, 1.0 - value[yours][mine + risk][0])
                change = max(change, abs(best - here[risk]))
                here[risk] = best
