"""How far numbers that were worked out on a chain may be from the truth."""

from __future__ import annotations

import numpy as np

from dicelab.core.arrays import Floats, Numbers
from dicelab.errors import NotSolved
from dicelab.strategies.matchup import Pairing

MOST_TRIES = 12
"""How often a sum of errors that falls short is made again."""


def chain_error(
    pairing: Pairing, own: Numbers, value: Numbers, given: Floats | float = 0.0
) -> float:
    """Return how far the values at the start may be from the truth, `own + P value = value`.

    `given` [nodes] is how far `own` may itself be from the truth.
    """
    errors = node_errors(pairing, own, value, given)
    return float(errors[pairing.node[:, pairing.table.start]].max())


def node_errors(
    pairing: Pairing, own: Numbers, value: Numbers, given: Floats | float = 0.0
) -> Floats:
    """Return how far the values at each node may be from the truth. `[nodes]`

    Each node's own rounding is counted (residual and arithmetic), and added up over the play to
    come: e = u + P e. That sum may be off as well, so it must pass a check of its own, e >= u + P e
    and e >= 0, which proves it; where it falls short, u grows and the sum is made again.
    """
    chain = pairing.chain
    outcomes = np.diff(chain.first)
    rows = np.flatnonzero(outcomes)
    least = np.zeros(outcomes.size)
    for channel in range(value.shape[1]):
        terms = chain.chance * value[chain.target, channel]
        sums = np.add.reduceat(terms, chain.first[rows]) + own[rows, channel]
        residual = np.abs(sums - value[rows, channel])
        sizes = np.add.reduceat(np.abs(terms), chain.first[rows]) + np.abs(own[rows, channel])
        rounding = (outcomes[rows] + 6) * 2.0**-52 * sizes
        least[rows] = np.maximum(least[rows], residual + rounding)
    least += given
    least[~pairing.alive] = 0.0  # there, nothing ever happens: exactly 0
    live = rows[pairing.alive[rows]]
    errors = 2 * least
    for _ in range(MOST_TRIES):
        total = np.maximum(pairing.absorb(errors[:, None])[:, 0], 0.0)
        then = np.zeros(outcomes.size)
        then[rows] = np.add.reduceat(chain.chance * total[chain.target], chain.first[rows])
        short = least + then + (outcomes + 6) * 2.0**-52 * then - total
        if not np.isfinite(total).all():
            break
        if (short[live] <= 0).all():
            return total
        fails = live[short[live] > 0]
        errors[fails] = 4 * errors[fails] + 2 * short[fails]
    who = "these two" if pairing.seats <= 2 else "these players"
    raise NotSolved(
        f"{pairing.table.game} goes round too often between {who} for floats to say how it "
        f"ends: ask for exact chances (exact=True)"
    )
