"""Profiles that mix: for three seats and more whose players keep changing their moves.

Where every player takes the move that is best for himself, as the others play now, moves may go on
changing for ever: each answers the last answer. Then no pure profile that all seats share is an
equilibrium near by, and players must mix. Two steps find such a profile in a small game:

- every round adds the best moves to the shares played so far, each round counting less (fictitious
  play), which comes near an equilibrium but creeps;
- where moves are still mixed, they must be worth the same to who mixes them: as many equations as
  unknown shares, solved by Powell's method (SciPy's `root`).

Nothing is proved here: what comes back is for the certificate to judge.
"""

from __future__ import annotations

import numpy as np

from dicelab.core.arrays import Floats, Ints
from dicelab.errors import NotSolved
from dicelab.solvers.problem import MIX, Problem
from dicelab.solvers.settle import settle

ROUNDS = 300
RARE = 0.02
"""A share below this counts as never, once shares have come near those of an equilibrium."""
MOST_UNKNOWN = 60
"""Shares that are solved for together."""


def mixed_profile(problem: Problem) -> Floats:
    """Return the share of each move in a profile of shared moves that is about stable. `[rows]`"""
    arrays = problem.arrays
    firsts = arrays.move_first[:-1][arrays.is_ongoing]
    owner = np.repeat(np.arange(firsts.size), np.diff(np.append(firsts, arrays.rows)))
    weights = 1.0 / np.diff(np.append(firsts, arrays.rows))[owner]
    best, least = weights, np.inf
    for number in range(1, ROUNDS + 1):
        worth = _row_worths(problem, weights)
        most = np.maximum.reduceat(worth, firsts)
        lost = float((most - np.add.reduceat(weights * worth, firsts)).max())
        if lost < least:
            best, least = weights, lost
        answers = (worth >= most[owner] - 1e-12).astype(np.float64)
        answers /= np.add.reduceat(answers, firsts)[owner]
        weights = weights + (answers - weights) * 2 / (number + 2)
    return _levelled(problem, best, firsts, owner)


def _row_worths(problem: Problem, weights: Floats) -> Floats:
    """Return what each move is worth to who makes it, where all play by these shares. `[rows]`"""
    arrays, seats = problem.arrays, problem.seats
    shared = Problem(
        arrays,
        seats,
        1,
        (MIX,) * seats,
        problem.ends,
        never=float(problem.never),
        weight=np.tile(weights, (seats, 1)),
    )
    settle(shared)
    terms = arrays.chance_floats[arrays.kind]
    terms = terms * shared.value[arrays.turns[arrays.kind], arrays.target]
    return np.add.reduceat(terms, arrays.outcome_first[:-1])


def _levelled(problem: Problem, weights: Floats, firsts: Ints, owner: Ints) -> Floats:
    """Return shares near those given that make all moves that are mixed worth the same."""
    from scipy.optimize import root

    played = weights >= RARE
    near = np.where(played, weights, 0.0)
    near /= np.add.reduceat(near, firsts)[owner]
    leading = np.zeros(weights.size, np.bool_)  # of each position one share is what others leave
    for begin, end in zip(firsts, np.append(firsts[1:], weights.size), strict=True):
        leading[begin + int(near[begin:end].argmax())] = True
    unknown = np.flatnonzero(played & ~leading)
    if not 0 < unknown.size <= MOST_UNKNOWN:
        return near
    lead = np.flatnonzero(leading)[owner[unknown]]

    def shares(free: Floats) -> Floats:
        found = near.copy()
        found[unknown] = free
        found[leading] = 0.0
        found[leading] = 1.0 - np.add.reduceat(found, firsts)
        return found

    def apart(free: Floats) -> Floats:
        worth = _row_worths(problem, np.clip(shares(free), 0.0, 1.0))
        return np.asarray(worth[unknown] - worth[lead])

    try:
        found = root(apart, near[unknown], tol=1e-14)
    except NotSolved:
        return near
    level = shares(found.x)
    is_good = np.isfinite(level).all() and level.min() >= 0 and np.abs(apart(found.x)).max() < 1e-9
    return level if is_good else near
