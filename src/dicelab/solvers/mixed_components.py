"""Components of three seats and more in which somebody must mix.

Where the players of a component keep changing their moves, each answering the last answer, mostly
one position is to blame, or two that hunt each other as in matching pennies. Whoever moves there
must be indifferent between his two moves, and the shares are what makes him so: as many equations
as unknown shares. So moves are improved one position after another; those that have changed their
move too often are left to chance, and their shares are solved for together, again after every
change elsewhere. A share that leaves 0 to 1 is no mixture: its position goes back to a plain move.

With all shares fixed, the values of the component are one sparse system of equations, a number for
each position and each seat. Nothing is proved here: what comes back is for the certificate to
judge.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass, field

import numpy as np

from dicelab.core.arrays import Array, Floats, Ints
from dicelab.solvers.problem import Problem

MOST_NUMBERS = 20_000
"""Positions times seats of a component up to which mixtures are looked for."""
MOST_CHANGES = 400
OFTEN = 3
"""Changes of its move after which a position is left to chance."""
PARTS = 2.0**40
"""Shares are whole numbers of such parts, so that the two shares of a position add up exactly."""
LEVEL = 1e-15
"""Beside the largest value, how far apart two moves may be that are mixed."""

Mixed = dict[int, tuple[int, int, float]]
"""Positions that are left to chance: two rows, and the share of the second."""


@dataclass
class _Component:
    """The rows of one component: what each is worth to every seat, as a linear form."""

    problem: Problem
    low: int
    high: int
    matrix: Array = field(init=False)  # [seats x rows, seats x positions] chances inside
    known: Floats = field(init=False)  # [seats x rows] what leads out of the component brings

    def __post_init__(self) -> None:
        """Lay out the forms."""
        from scipy.sparse import csr_matrix

        arrays, seats = self.problem.arrays, self.problem.seats
        size = self.high - self.low
        self.begins = np.asarray(arrays.move_first[self.low : self.high + 1], np.int64)
        first = np.asarray(arrays.outcome_first[self.begins[0] : self.begins[-1] + 1], np.int64)
        rows = np.repeat(np.arange(len(first) - 1), np.diff(first))
        some = slice(int(first[0]), int(first[-1]))
        kind, target = arrays.kind[some], arrays.target[some].astype(np.int64)
        chance, turns = arrays.chance_floats[kind], arrays.turns[kind].astype(np.int64)
        inside = target >= self.low
        tails, heads, parts = [], [], []
        self.rows = len(first) - 1
        known = np.zeros((seats, self.rows))
        for seat in range(seats):
            then = (seat + turns) % seats
            outside = ~inside
            brought = chance[outside] * self.problem.value[then[outside], target[outside]]
            np.add.at(known[seat], rows[outside], brought)
            tails.append(seat * self.rows + rows[inside])
            heads.append(then[inside] * size + target[inside] - self.low)
            parts.append(chance[inside])
        shape = (seats * self.rows, seats * size)
        where = (np.concatenate(tails), np.concatenate(heads))
        self.matrix = csr_matrix((np.concatenate(parts), where), shape)
        self.known = known.ravel()

    def values(self, weights: Floats) -> Floats:
        """Return what each position is worth where rows have these shares. `[seats x positions]`"""
        from scipy.sparse import csr_matrix, identity
        from scipy.sparse.linalg import splu

        seats, size = self.problem.seats, self.high - self.low
        played = np.flatnonzero(weights)
        owner = np.searchsorted(self.begins - self.begins[0], played, side="right") - 1
        tails = np.concatenate([seat * size + owner for seat in range(seats)])
        heads = np.concatenate([seat * self.rows + played for seat in range(seats)])
        shares = np.tile(weights[played], seats)
        takes = csr_matrix((shares, (tails, heads)), (seats * size, seats * self.rows))
        system = identity(seats * size, format="csc") - (takes @ self.matrix).tocsc()
        with warnings.catch_warnings():
            warnings.simplefilter("error")  # a singular system is a component without an end
            found: Floats = splu(system).solve(takes @ self.known)
        return found

    def worths(self, values: Floats) -> Floats:
        """Return what each row is worth to who makes it. `[rows]`"""
        own: Floats = self.matrix[: self.rows] @ values + self.known[: self.rows]
        return own


def mix(problem: Problem, low: int, high: int) -> bool:
    """Settle a component by moves and mixtures that leave everybody content; return if that did.

    Values and the likeliest moves are written where they belong, shares into `problem.mixed`.
    """
    seats = problem.seats
    if problem.exact or (high - low) * seats > MOST_NUMBERS or problem.own.size:
        return False
    try:
        found = _contented(_Component(problem, low, high))
    except (RuntimeError, RuntimeWarning, ValueError, np.linalg.LinAlgError):
        return False
    if found is None:
        return False
    weights, values, likeliest, begins = found
    problem.value[:, low:high] = values.reshape(seats, -1)
    problem.choice[:, low:high] = begins[0] + likeliest
    rows = np.flatnonzero((weights > 0) & (weights < 1))
    problem.mixed |= {int(begins[0] + row): float(weights[row]) for row in rows}
    return True


def _contented(part: _Component) -> tuple[Floats, Floats, Ints, Ints] | None:
    """Return shares of rows, values, and the likeliest row of each position; None if none do."""
    problem, begins = part.problem, part.begins - part.begins[0]
    present = problem.choice[0, part.low : part.high].astype(np.int64) - part.begins[0]
    level = LEVEL * max(1.0, float(np.abs(part.known).max(initial=0.0)))
    tolerance = max(float(problem.play.tolerance), 8 * level)
    changes = np.zeros(len(present), int)
    before = present.copy()  # the row that a position last gave up
    mixed: Mixed = {}
    for _ in range(MOST_CHANGES):
        mixed = _levelled(part, present, mixed, level)
        weights = _weights(part, present, mixed)
        values = part.values(weights)
        worth = part.worths(values)
        most = np.maximum.reduceat(worth, begins[:-1])
        gain = most - worth[present]
        for here, (one, two, _) in mixed.items():
            gain[here] = most[here] - min(worth[one], worth[two])
        if gain.max() <= tolerance:
            return weights, values, present, part.begins
        here = int(gain.argmax())
        better = int(begins[here] + worth[begins[here] : begins[here + 1]].argmax())
        changes[here] += 1
        mixed.pop(here, None)
        before[here], present[here] = present[here], better
        if changes[here] >= OFTEN:  # those that hunt each other are left to chance together
            restless = np.flatnonzero((changes >= OFTEN - 1) & (before != present)).tolist()
            mixed |= {
                each: (int(present[each]), int(before[each]), 0.5)
                for each in restless
                if each not in mixed
            }
            changes[restless] = 0
    return None


def _weights(part: _Component, present: Ints, mixed: Mixed) -> Floats:
    """Return the share of each row. `[rows]`"""
    weights = np.zeros(part.rows)
    weights[present] = 1.0
    for one, two, share in mixed.values():
        weights[one], weights[two] = 1.0 - share, share
    return weights


def _levelled(part: _Component, present: Ints, mixed: Mixed, level: float) -> Mixed:
    """Return mixtures whose shares make both rows of each position worth the same.

    A position whose share would leave 0 to 1 is given its better row, in `present`.
    """
    from scipy.optimize import brentq, root

    def apart(shares: Floats) -> Floats:
        tried = {
            here: (one, two, float(share))
            for (here, (one, two, _)), share in zip(mixed.items(), shares, strict=True)
        }
        worth = part.worths(part.values(_weights(part, present, tried)))
        return np.array([worth[two] - worth[one] for one, two, _ in mixed.values()])

    while mixed:
        begin = np.array([share for _, _, share in mixed.values()])
        if len(mixed) == 1:
            ends = [float(apart(np.array([end]))[0]) for end in (0.0, 1.0)]
            if ends[0] <= level or ends[1] >= -level:  # one of the rows is best whatever the share
                ((here, (one, two, _)),) = mixed.items()
                present[here] = one if ends[0] <= level else two
                return {}
            shares = np.array([brentq(lambda x: float(apart(np.array([x]))[0]), 0, 1, xtol=1e-15)])
        else:
            shares = np.asarray(root(apart, begin, tol=1e-14).x)
        outside = {
            here: two if share > 0.5 else one
            for (here, (one, two, _)), share in zip(mixed.items(), shares, strict=True)
            if not 0 < share < 1
        }
        if not outside:
            rounded = np.round(shares * PARTS) / PARTS
            return {
                here: (one, two, float(share))
                for (here, (one, two, _)), share in zip(mixed.items(), rounded, strict=True)
            }
        for here, row in outside.items():
            present[here] = row
            del mixed[here]
    return mixed
