"""How long a game lasts, with a bound of the error: the mean, and the chance to be over by a turn.

The mean number of turns satisfies L = t + P L, where t is the chance that a move passes the turn on
while the game goes on. That is a chain like any other, so the same proof tells how far the
solution in floats may be from the truth; in rationals it is exact.

The law of the length is followed forward, turn by turn. All terms are chances, none negative, so
nothing cancels: the relative error is at most one rounding for each sum and product on the way.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from dicelab.core.arrays import Bools, Numbers, Real
from dicelab.rules import ONGOING
from dicelab.strategies.matchup import Pairing
from dicelab.verbs.chain_error import chain_error

Bounded = tuple[Real, float | None]
"""A number and how far it may be from the truth; None: no bound is known."""


def mean_turns(pairing: Pairing) -> Bounded:
    """Return the average number of turns, infinite where the game may never end."""
    chain = pairing.chain
    passing = chain.passes & (pairing.result == ONGOING)[chain.target]
    found, error = _mean(pairing, sums(pairing, np.where(passing, chain.chance, 0)))
    return found + 1, error


def mean_moves(pairing: Pairing) -> Bounded:
    """Return the average number of moves, infinite where the game may never end."""
    moving = (pairing.result == ONGOING) & pairing.alive
    return _mean(pairing, moving.astype(object if pairing.exact else np.float64))


def sums(pairing: Pairing, each: Numbers) -> Numbers:
    """Return the sum over the outcomes of each node. `[nodes]`"""
    first = pairing.chain.first
    some = np.flatnonzero(np.diff(first))
    total = np.zeros(pairing.result.size, object if pairing.exact else np.float64)
    total[some] = np.add.reduceat(each, first[some])
    return total


def _mean(pairing: Pairing, own: Numbers) -> Bounded:
    """Return what play brings on average from the start, where each node brings this much."""
    start = pairing.node[0, pairing.table.start]
    endless = (pairing.rings >= 0).astype(own.dtype)
    if endless.any() and pairing.absorb(endless[:, None])[start, 0] > 0:
        return float("inf"), None
    own = np.where(pairing.alive, own, 0 * own)[:, None]
    value = pairing.absorb(own)
    if pairing.exact:
        return Fraction(value[start, 0]), 0.0
    widest = int(np.diff(pairing.chain.first).max(initial=0))
    given = (widest + 2) * 2.0**-52 * own[:, 0]  # the sums and their chances were rounded
    return float(value[start, 0]), chain_error(pairing, own, value, given) + 2.0**-50


def turn_goes_round(pairing: Pairing) -> bool:
    """Return whether a turn may come back to a position of its own."""
    return bool(_circles(pairing).any())


def _circles(pairing: Pairing) -> Bools:
    chain = pairing.chain
    source = np.repeat(np.arange(pairing.result.size), np.diff(chain.first))
    found: Bools = ~chain.passes & (chain.target >= source)
    return found


def within_error(pairing: Pairing, chance: float, turns: int) -> float | None:
    """Return how far the chance to be over within so many turns may be from the truth.

    On its way a chance meets every sum at most once in a turn, and two products; where a turn may
    go round there is no such count.
    """
    if turn_goes_round(pairing):
        return None
    steps = turns * (pairing.chain.target.size + 3 * pairing.result.size + 1)
    return chance * steps * 2.0**-52


def exact_within(pairing: Pairing, turns: int) -> Fraction | None:
    """Return the chance to be over within so many turns; None where a turn may go round."""
    assert pairing.exact
    if turn_goes_round(pairing):
        return None
    chain, is_end, over = pairing.chain, pairing.result != ONGOING, Fraction(0)
    now = {int(pairing.node[0, pairing.table.start]): Fraction(1)}
    for _ in range(turns):
        later: dict[int, Fraction] = {}
        while now:
            here = max(now)  # a turn leads to smaller numbers
            mass = now.pop(here)
            for o in range(chain.first[here], chain.first[here + 1]):
                target, share = int(chain.target[o]), mass * chain.chance[o]
                if is_end[target]:
                    over += share
                else:
                    side = later if chain.passes[o] else now
                    side[target] = side.get(target, Fraction(0)) + share
        now = later
    return over
