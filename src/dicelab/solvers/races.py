"""Races in which both players throw at once: a matrix game at every pair of scores.

With scores i and j, where both play on, let A[d, e] be what the first player gets on average when
they throw by the moves d and e. A throw adds k points with the chance P(d, k), so

    A[d, e] = sum over k, l of P(d, k) P(e, l) V(i + k, j + l),         V(i, j) = val A.

Rows of scores are settled from the highest down, and W(i, j, e) = sum over l of P(e, l) V(i, j + l)
is kept, so that each A costs one product. Where both may score nothing, with chances q(d) and q(e),
the matrix depends on the value sought:

    v = val(B + v q q'),

an equation with one solution, because the right side grows by less than v does. Newton's method
finds it: mixtures x, y of the matrix at v give the next v = x B y / (1 - (x q)(y q)). A bracket,
narrowed at every step, takes over where that jumps out of it.

Bounds are carried along: L is what the mixture x is sure of when every later value is L, and U the
most that y lets go. Where play may stay, x is sure of the least of (x B)(e) / (1 - (x q) q(e)).
What arithmetic may have lost is subtracted from L and added to U at each step.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from dicelab.core.arrays import Array, Bools, Floats, Numbers, Real
from dicelab.core.jit import allocating
from dicelab.solvers.matrix_game import guaranteed, mix

EPSILON = 2.0**-52
MOST_STEPS = 60


class Race(NamedTuple):
    """Two scores that only grow, as the kernels read them."""

    law: Array  # [moves, points] the chance of each number of points
    playing: int  # scores below it play on
    ends: Array  # [scores, scores] what the end is worth to the first player; 0 where none is
    loss: float  # what one position's arithmetic may lose


class Found(NamedTuple):
    """What is found for every pair of scores."""

    lower: Array  # [scores, scores]
    upper: Array  # [scores, scores]
    x: Array  # [playing, playing, moves] the first player's mixtures
    y: Array  # [playing, playing, moves] the second player's
    ahead_lower: Array  # [scores, playing, moves] W with the lower bounds
    ahead_upper: Array  # [scores, playing, moves]


@allocating
def look_ahead(
    race: Race, bound: Floats, ahead: Floats, i: int, j: int, e: int, first: int
) -> None:
    """Write W(i, j, e), leaving out throws of less than `first` points."""
    total = 0.0
    for points in range(first, race.law.shape[1]):
        chance = race.law[e, points]
        if chance != 0.0:
            total += chance * bound[i, j + points]
    ahead[i, j, e] = total


@allocating
def prepare(race: Race, found: Found) -> None:
    """Look ahead from every score of the first player that ends the game."""
    for i in range(race.playing, race.ends.shape[0]):
        for j in range(race.playing):
            for e in range(race.law.shape[0]):
                look_ahead(race, found.lower, found.ahead_lower, i, j, e, 0)
                look_ahead(race, found.upper, found.ahead_upper, i, j, e, 0)


@allocating
def payoffs(race: Race, found: Found, i: int, j: int, low: Floats, high: Floats) -> None:
    """Write the matrices of both bounds at a position, without the chance to stay there."""
    moves, points = race.law.shape
    low[:] = 0.0
    high[:] = 0.0
    for d in range(moves):
        for k in range(points):
            chance = race.law[d, k]
            if chance != 0.0:
                for e in range(moves):
                    low[d, e] += chance * found.ahead_lower[i + k, j, e]
                    high[d, e] += chance * found.ahead_upper[i + k, j, e]


@allocating
def stay(
    B: Array, q: Array, x: Array, y: Array, x2: Array, y2: Array, A: Array, low: float, high: float
) -> bool:
    """Write mixtures that solve v = val(B + v q q'); return whether they were found."""
    moves = q.size
    v = 0.5 * (low + high)
    for _ in range(MOST_STEPS):
        for d in range(moves):
            for e in range(moves):
                A[d, e] = B[d, e] + v * q[d] * q[e]
        if mix(A, x, y, x2, y2, 0.0, 1.0, 1e-11) == 2:
            return False
        sure, most = guaranteed(A, x, y)
        worth, both, mine, yours = 0.0, 0.0, 0.0, 0.0
        for d in range(moves):
            mine += x[d] * q[d]
            yours += y[d] * q[d]
            for e in range(moves):
                worth += x[d] * y[e] * B[d, e]
        both = mine * yours
        if sure > v:  # val(v) > v, so the solution lies above
            low = max(low, v)
        if most < v:
            high = min(high, v)
        if sure <= v <= most or high - low < 4 * EPSILON:
            return True
        then = worth / (1.0 - both)
        if abs(then - v) <= 2 * EPSILON * max(1.0, abs(v)):
            return True
        v = then if low < then < high else 0.5 * (sure + most)
        v = min(max(v, low), high)
    return False


@allocating
def row(
    race: Race, found: Found, i: int, from_j: int, tight: float, trusted: bool, least: float
) -> int:
    """Settle the positions (i, j) for j from `from_j` down; return the j that failed, or -1.

    With `trusted`, the mixtures at `from_j` are already written and only its bounds are made.
    Every value lies between `least` and -`least`.
    """
    moves = race.law.shape[0]
    low, high = np.empty((moves, moves)), np.empty((moves, moves))
    B, A = np.empty((moves, moves)), np.empty((moves, moves))
    x2, y2 = np.empty(moves), np.empty(moves)
    q = np.ascontiguousarray(race.law[:, 0])
    cyclic = q.max() > 0.0
    for j in range(from_j, -1, -1):
        if cyclic:
            for e in range(moves):
                look_ahead(race, found.lower, found.ahead_lower, i, j, e, 1)
                look_ahead(race, found.upper, found.ahead_upper, i, j, e, 1)
        payoffs(race, found, i, j, low, high)
        x, y = found.x[i, j], found.y[i, j]
        if not (trusted and j == from_j):
            for d in range(moves):
                for e in range(moves):
                    B[d, e] = 0.5 * (low[d, e] + high[d, e])
            if cyclic:
                if not stay(B, q, x, y, x2, y2, A, least, -least):
                    return j
            elif mix(B, x, y, x2, y2, 0.0, 1.0, 1e-11) == 2:
                return j
        bounds(low, high, q, x, y, race.loss, found, i, j)
        widest = 0.0  # how far apart the bounds already were, one step ahead
        for d in range(moves):
            for e in range(moves):
                widest = max(widest, high[d, e] - low[d, e])
        if not trusted or j != from_j:
            away = 1.0 - q.max() * q.max()
            if not found.upper[i, j] - found.lower[i, j] <= (widest + tight) / away:
                return j
        for e in range(moves):
            if cyclic:
                found.ahead_lower[i, j, e] += q[e] * found.lower[i, j]
                found.ahead_upper[i, j, e] += q[e] * found.upper[i, j]
            else:
                look_ahead(race, found.lower, found.ahead_lower, i, j, e, 0)
                look_ahead(race, found.upper, found.ahead_upper, i, j, e, 0)
    return -1


@allocating
def bounds(
    low: Floats,
    high: Floats,
    q: Floats,
    x: Numbers,
    y: Numbers,
    loss: float,
    found: Found,
    i: int,
    j: int,
) -> None:
    """Write what x is sure of and the most that y lets go at a position, rounding counted."""
    moves = q.size
    mine, yours = 0.0, 0.0
    for d in range(moves):
        mine += x[d] * q[d]
        yours += y[d] * q[d]
    sure, most = np.inf, -np.inf
    for e in range(moves):
        worth = 0.0
        for d in range(moves):
            worth += x[d] * low[d, e]
        sure = min(sure, (worth - loss) / (1.0 - mine * q[e]) - loss)
    for d in range(moves):
        worth = 0.0
        for e in range(moves):
            worth += y[e] * high[d, e]
        most = max(most, (worth + loss) / (1.0 - yours * q[d]) + loss)
    found.lower[i, j] = sure
    found.upper[i, j] = most


@allocating
def against(
    law: Array,
    of_other: Array,
    playing: int,
    i: int,
    loss: Real,
    value: Array,
    error: Array,
    choice: Array,
) -> None:
    """Settle the positions (i, j), all j, for a first player who replies to a known mixture.

    `of_other` [playing, points] is what the other player scores at (i, j). `value` and `error`
    [scores, scores] come out with the best reply's worth and how far off that may be, `choice`
    [playing] with its move. Where play may stay, a move that is kept to is worth a / (1 - c).
    """
    moves, points = law.shape
    after, off = np.empty(points, value.dtype), np.empty(points, value.dtype)
    for j in range(playing - 1, -1, -1):
        for k in range(points):
            after[k], off[k] = 0 * loss, 0 * loss
            for p in range(points):
                if of_other[j, p] != 0 and not (k == 0 and p == 0):
                    after[k] += of_other[j, p] * value[i + k, j + p]
                    off[k] += of_other[j, p] * error[i + k, j + p]
        top, best, furthest = 0, 0 * loss, 0 * loss
        for d in range(moves):
            worth, wrong = 0 * loss, loss
            for k in range(points):
                worth += law[d, k] * after[k]
                wrong += law[d, k] * off[k]
            leaving = 1 - law[d, 0] * of_other[j, 0]
            worth = worth / leaving
            furthest = max(furthest, wrong / leaving + loss)
            if d == 0 or worth > best:
                top, best = d, worth
        choice[j] = top
        value[i, j] = best
        error[i, j] = furthest


@allocating
def meet(mine: Array, yours: Array, playing: int, own: Array, value: Array) -> None:
    """Work out how the game ends, on average, between two known mixtures.

    `mine` and `yours` [playing, playing, points] are what each scores at (i, j); `value` [scores,
    scores, channels] holds the ends and comes out complete. `own` [channels] is added wherever
    the game goes on.
    """
    points, channels = mine.shape[2], value.shape[2]
    for i in range(playing - 1, -1, -1):
        for j in range(playing - 1, -1, -1):
            for c in range(channels):
                value[i, j, c] = own[c]
            for k in range(points):
                if mine[i, j, k] == 0:
                    continue
                for p in range(points):
                    if yours[i, j, p] == 0 or (k == 0 and p == 0):
                        continue
                    chance = mine[i, j, k] * yours[i, j, p]
                    for c in range(channels):
                        value[i, j, c] += chance * value[i + k, j + p, c]
            leaving = 1 - mine[i, j, 0] * yours[i, j, 0]
            for c in range(channels):
                value[i, j, c] = value[i, j, c] / leaving


@allocating
def reach(law: Numbers, start: int, other: int, playing: Bools, reached: Bools) -> None:
    """Mark every pair of scores that play can come to."""
    used = np.zeros(law.shape[1], np.bool_)
    for points in range(law.shape[1]):
        used[points] = law[:, points].max() > 0.0
    reached[start, other] = True
    for i in range(start, playing.shape[0]):
        for j in range(other, playing.shape[1]):
            if reached[i, j] and playing[i, j]:
                for k in range(used.size):
                    if used[k]:
                        for p in range(used.size):
                            if used[p]:
                                reached[i + k, j + p] = True
