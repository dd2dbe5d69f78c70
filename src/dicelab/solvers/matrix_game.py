"""Matrix games: two players choose at once; the first gets A[row, column], the second loses it.

The value is what the first player can be sure of on average by mixing rows, and all that the
second must let go by mixing columns:

    v  =  max over x of min over columns of (x A)  =  min over y of max over rows of (A y).

First we look for a saddle point, where neither needs to mix. Then rows and columns that another
one dominates are left out. What remains is a linear program, solved by a small simplex in
condensed form; the mixtures are then worked out afresh from the rows and columns that it found
in use, which takes its rounding away. Any two mixtures prove bounds, min (x A) <= v <= max (A y),
so an answer never has to be trusted; where the bounds are not tight enough, HiGHS is asked.

The same lines run on floats (compiled) and on rationals (interpreted). Mixtures of floats are
multiples of 2**-50, so that they sum to exactly 1.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from dicelab.core.arrays import Array, Bools, Floats, Ints, Numbers, Real
from dicelab.core.jit import allocating, interpreted, jit
from dicelab.errors import NotSolved, RulesError

SADDLE, SIMPLEX, HIGHS = "saddle point", "simplex", "HiGHS"
TIGHT = 1e-12
"""How far apart the bounds of a game may be, in parts of its largest payoff."""
GRAIN = 2.0**50
PATIENCE = 40  # pivots by steepest descent for each row and column, before Bland's rule


@jit
def saddle(A: Numbers) -> tuple[int, int]:
    """Return a row and a column where neither player needs to mix, or (-1, -1)."""
    rows, columns = A.shape
    best_row, row_floor = 0, A[0, 0]
    for i in range(rows):
        floor = A[i, 0]
        for j in range(columns):
            if A[i, j] < floor:
                floor = A[i, j]
        if i == 0 or floor > row_floor:
            best_row, row_floor = i, floor
    best_column, column_roof = 0, A[0, 0]
    for j in range(columns):
        roof = A[0, j]
        for i in range(rows):
            if A[i, j] > roof:
                roof = A[i, j]
        if j == 0 or roof < column_roof:
            best_column, column_roof = j, roof
    if row_floor == column_roof:
        return best_row, best_column
    return -1, -1


@jit
def undominated(A: Numbers, keep_row: Bools, keep_column: Bools) -> None:
    """Mark the rows and columns that no other one dominates; of equal ones the first stays."""
    rows, columns = A.shape
    keep_row[:] = True
    keep_column[:] = True
    changed = True
    while changed:
        changed = False
        for i in range(rows):
            for other in range(rows):
                if other == i or not keep_row[i] or not keep_row[other]:
                    continue
                dominated, equal = True, True
                for j in range(columns):
                    if keep_column[j]:
                        if A[i, j] > A[other, j]:
                            dominated = False
                            break
                        if A[i, j] < A[other, j]:
                            equal = False
                if dominated and (not equal or other < i):
                    keep_row[i] = False
                    changed = True
        for j in range(columns):
            for other in range(columns):
                if other == j or not keep_column[j] or not keep_column[other]:
                    continue
                dominated, equal = True, True
                for i in range(rows):
                    if keep_row[i]:
                        if A[i, j] < A[i, other]:
                            dominated = False
                            break
                        if A[i, j] > A[i, other]:
                            equal = False
                if dominated and (not equal or other < j):
                    keep_column[j] = False
                    changed = True


@jit
def pivot(T: Numbers, r: int, c: int) -> None:
    """Exchange a basic and a non-basic variable in a condensed tableau."""
    inverse = 1 / T[r, c]
    for j in range(T.shape[1]):
        if j != c:
            T[r, j] = T[r, j] * inverse
    for i in range(T.shape[0]):
        if i != r:
            factor = T[i, c]
            if factor != 0:
                for j in range(T.shape[1]):
                    if j != c:
                        T[i, j] = T[i, j] - factor * T[r, j]
                T[i, c] = -factor * inverse
    T[r, c] = inverse


@jit
def simplex(T: Numbers, row_label: Ints, column_label: Ints, tiny: Real, most: int) -> bool:
    """Solve max sum(y) with A y <= 1, y >= 0 in place; return whether it came to an end.

    T holds [A 1; -1 0]. Labels below the number of columns are y's, the others are slacks. The
    steepest column enters; after `most` pivots the first one does (Bland), which cannot cycle.
    """
    m, n = T.shape[0] - 1, T.shape[1] - 1
    for i in range(m):
        row_label[i] = n + i
    for j in range(n):
        column_label[j] = j
    for step in range(50 * most):
        entering = -1
        for j in range(n):
            if T[m, j] < -tiny and (
                entering < 0
                or (step < most and T[m, j] < T[m, entering])
                or (step >= most and column_label[j] < column_label[entering])
            ):
                entering = j
        if entering < 0:
            return True
        leaving = -1
        for i in range(m):
            if T[i, entering] > tiny:
                if leaving < 0:
                    leaving = i
                    continue
                mine = T[i, n] * T[leaving, entering]
                best = T[leaving, n] * T[i, entering]
                if mine < best or (mine == best and row_label[i] < row_label[leaving]):
                    leaving = i
        if leaving < 0:
            return False  # unbounded: cannot be, but for rounding
        pivot(T, leaving, entering)
        label = row_label[leaving]
        row_label[leaving] = column_label[entering]
        column_label[entering] = label
    return False


@jit
def equalise(
    A: Numbers, rows: Ints, columns: Ints, size: int, M: Numbers, one: Real, zero: Real
) -> bool:
    """Write into M[:size, -1] the mixture of `columns` that makes all `rows` worth the same.

    Gaussian elimination on [A -1; 1 0] (y, v) = (0, 1); returns whether that has an answer.
    """
    last = size + 1
    for i in range(size):
        for j in range(size):
            M[i, j] = A[rows[i], columns[j]]
        M[i, size] = -one
        M[i, last] = zero
    for j in range(size):
        M[size, j] = one
    M[size, size] = zero
    M[size, last] = one
    for c in range(size + 1):
        best = c
        for i in range(c + 1, size + 1):
            if abs(M[i, c]) > abs(M[best, c]):
                best = i
        if M[best, c] == 0:
            return False
        if best != c:
            for j in range(c, last + 1):
                keep = M[c, j]
                M[c, j] = M[best, j]
                M[best, j] = keep
        for i in range(size + 1):
            if i != c and M[i, c] != 0:
                factor = M[i, c] / M[c, c]
                for j in range(c, last + 1):
                    M[i, j] = M[i, j] - factor * M[c, j]
    for i in range(size + 1):
        M[i, last] = M[i, last] / M[i, i]
    return True


@jit
def whole(mixture: Floats) -> None:
    """Round a mixture of floats to multiples of 2**-50 that sum to exactly 1."""
    total = 0.0
    for i in range(mixture.size):
        if not mixture[i] > 0.0:
            mixture[i] = 0.0
        total += mixture[i]
    left, largest = GRAIN, 0
    for i in range(mixture.size):
        mixture[i] = np.floor(mixture[i] / total * GRAIN + 0.5)
        left -= mixture[i]
        if mixture[i] > mixture[largest]:
            largest = i
    mixture[largest] += left
    for i in range(mixture.size):
        mixture[i] /= GRAIN


@jit
def guaranteed(A: Numbers, x: Numbers, y: Numbers) -> tuple[Real, Real]:
    """Return what x is sure of and the most that y lets go: bounds of the value."""
    rows, columns = A.shape
    lower, upper = A[0, 0], A[0, 0]
    for j in range(columns):
        worth = A[0, j] * x[0]
        for i in range(1, rows):
            worth = worth + A[i, j] * x[i]
        if j == 0 or worth < lower:
            lower = worth
    for i in range(rows):
        worth = A[i, 0] * y[0]
        for j in range(1, columns):
            worth = worth + A[i, j] * y[j]
        if i == 0 or worth > upper:
            upper = worth
    return lower, upper


@allocating
def mix(
    A: Numbers,
    x: Numbers,
    y: Numbers,
    x2: Numbers,
    y2: Numbers,
    zero: Real,
    one: Real,
    tiny: Real,
) -> int:
    """Write optimal mixtures into x and y; return 0 for a saddle point, 1 for mixtures, 2 for none.

    x2 and y2 are room for a second pair. In floats both pairs are kept to multiples of 2**-50.
    """
    m, n = A.shape
    x[:] = zero
    y[:] = zero
    row, column = saddle(A)
    if row >= 0:
        x[row], y[column] = one, one
        return 0
    keep_row, keep_column = np.empty(m, np.bool_), np.empty(n, np.bool_)
    undominated(A, keep_row, keep_column)
    rows: Ints = np.flatnonzero(keep_row)
    columns: Ints = np.flatnonzero(keep_column)
    k, c = rows.size, columns.size
    low, high = A[rows[0], columns[0]], A[rows[0], columns[0]]
    for i in rows:
        for j in columns:
            if A[i, j] < low:
                low = A[i, j]
            if A[i, j] > high:
                high = A[i, j]
    T = np.empty((k + 1, c + 1), A.dtype)
    for i in range(k):
        for j in range(c):
            # Payoffs between 1 and 2: then the value is positive and nothing is badly scaled.
            T[i, j] = one if high == low else one + (A[rows[i], columns[j]] - low) / (high - low)
        T[i, c] = one
    for j in range(c):
        T[k, j] = -one
    T[k, c] = zero
    row_label, column_label = np.empty(k, np.int64), np.empty(c, np.int64)
    if not simplex(T, row_label, column_label, tiny, PATIENCE * (k + c)):
        return 2
    used_rows, used_columns, size = np.empty(k, np.int64), np.empty(c, np.int64), 0
    for i in range(k):
        if row_label[i] < c:
            y[columns[row_label[i]]] = T[i, c] / T[k, c]
            used_columns[size] = columns[row_label[i]]
            size += 1
    size = 0
    for j in range(c):
        if column_label[j] >= c:
            x[rows[column_label[j] - c]] = T[k, j] / T[k, c]
            used_rows[size] = rows[column_label[j] - c]
            size += 1
    if tiny == 0:
        return 1
    whole(x)
    whole(y)
    x2[:] = zero
    y2[:] = zero
    M = np.empty((size + 1, size + 2), A.dtype)
    if not equalise(A, used_rows, used_columns, size, M, one, zero):
        return 1
    for j in range(size):
        y2[used_columns[j]] = M[j, size + 1]
    if not equalise(A.T, used_columns, used_rows, size, M, one, zero):
        return 1
    for i in range(size):
        x2[used_rows[i]] = M[i, size + 1]
    whole(x2)
    whole(y2)
    lower, upper = guaranteed(A, x, y)
    lower2, upper2 = guaranteed(A, x2, y2)
    if upper2 - lower2 < upper - lower:
        x[:] = x2
        y[:] = y2
    return 1


def by_highs(A: Array) -> tuple[Floats, Floats]:
    """Return optimal mixtures of a matrix of floats as HiGHS finds them."""
    from scipy.optimize import linprog  # takes long to import, and is hardly ever asked

    rows, columns = A.shape
    answers = []
    for matrix, size in ((-A.T, rows), (A, columns)):
        # The last variable is the value: the least that x gets (negated), or the most y lets go.
        found = linprog(
            np.append(np.zeros(size), 1.0),
            A_ub=np.hstack([matrix, -np.ones((matrix.shape[0], 1))]),
            b_ub=np.zeros(matrix.shape[0]),
            A_eq=np.append(np.ones(size), 0.0).reshape(1, -1),
            b_eq=[1.0],
            bounds=[(0, None)] * size + [(None, None)],
            method="highs",
        )
        if found.x is None:
            raise NotSolved(f"no mixture was found for a {rows} x {columns} game: {found.message}")
        mixture = np.array(found.x[:size])
        whole(mixture)
        answers.append(mixture)
    return answers[0], answers[1]


@dataclass(frozen=True, eq=False)
class MatrixGame:
    """The value of a matrix game, its bounds, and a mixture for each player that proves them."""

    value: Real
    lower: Real
    upper: Real
    rows: Array  # [rows] the first player's chances
    columns: Array  # [columns] the second player's chances
    method: str


def matrix_game(payoffs: Any, exact: bool = False) -> MatrixGame:
    """Return the value and optimal mixtures of a matrix of payoffs to the player of the rows.

    With `exact`, payoffs are rationals and so is the answer.

    >>> matrix_game([[0, -1, 1], [1, 0, -1], [-1, 1, 0]], exact=True).rows.tolist()
    [Fraction(1, 3), Fraction(1, 3), Fraction(1, 3)]
    """
    A = _matrix(payoffs, exact)
    x, y = np.empty(A.shape[0], A.dtype), np.empty(A.shape[1], A.dtype)
    if exact:
        zero, one = Fraction(0), Fraction(1)
        kind = interpreted(mix)(A, x, y, x.copy(), y.copy(), zero, one, zero)
        lower, upper = interpreted(guaranteed)(A, x, y)
        assert lower == upper
        return MatrixGame(lower, lower, upper, x, y, SADDLE if kind == 0 else SIMPLEX)
    kind = mix(A, x, y, x.copy(), y.copy(), 0.0, 1.0, 1e-11)
    method = SADDLE if kind == 0 else SIMPLEX
    scale = float(np.abs(A).max())
    lower, upper = guaranteed(A, x, y) if kind != 2 else (-np.inf, np.inf)
    if not upper - lower <= TIGHT * scale:
        x, y, method = *by_highs(A), HIGHS
        lower, upper = guaranteed(A, x, y)
    # The sums that made the bounds were themselves rounded.
    rounding = (max(A.shape) + 2) * 2.0**-52 * scale if kind else 0.0
    lower, upper = float(lower - rounding), float(upper + rounding)
    return MatrixGame((lower + upper) / 2, lower, upper, x, y, method)


def _matrix(payoffs: Any, exact: bool) -> Numbers:
    """Return the payoffs as a matrix of floats or rationals, refused where they are none."""
    try:
        entries = [[Fraction(entry) for entry in row] for row in np.asarray(payoffs, object)]
        A = np.array(entries if exact else np.asarray(payoffs, float), object if exact else float)
    except (TypeError, ValueError, OverflowError):
        A = np.empty(0)
    if A.ndim != 2 or not A.size:
        raise RulesError(f"a matrix game is a table of finite payoffs: got {payoffs!r}")
    return A
