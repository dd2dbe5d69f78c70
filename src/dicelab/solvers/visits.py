"""Visits: how often a chain comes to each of its nodes.

y = start + P' y is the forward twin of `absorb`: from the start towards the ends, each node's
visits are affine functions of the visits of the cuts.
"""

from __future__ import annotations

from dicelab.core.arrays import Array, Bools, Floats, Numbers
from dicelab.core.jit import jit
from dicelab.solvers.chain import Chain
from dicelab.solvers.sweep import eliminate


@jit
def spread(
    chain: Chain,
    alive: Bools,
    visits: Floats,
    inflow: Floats,
    shares: Numbers,
    low: int,
    high: int,
    unknowns: int,
    zero: float,
) -> None:
    """Bring a component's visits into affine form in the visits of its cuts, forwards.

    `inflow` [nodes of the component] and `shares` [nodes of the component, unknowns] come out as
    the two parts of what flows into each node from outside and from the cuts.
    """
    cut, first, target, chance = chain.cut, chain.first, chain.target, chain.chance
    for here in range(low, high):
        inflow[here - low] = visits[here]
        for c in range(unknowns):
            shares[here - low, c] = zero
    for here in range(high - 1, low - 1, -1):
        if not alive[here]:
            continue
        i = here - low
        for o in range(first[here], first[here + 1]):
            to = target[o]
            if to < low:
                continue
            if cut[here] >= 0:
                shares[to - low, cut[here]] += chance[o]
            else:
                inflow[to - low] += chance[o] * inflow[i]
                for c in range(unknowns):
                    shares[to - low, c] += chance[o] * shares[i, c]


@jit
def visit(
    chain: Chain,
    alive: Bools,
    visits: Floats,
    returns: Floats,
    coef: Numbers,
    inflow: Floats,
    shares: Numbers,
    matrix: Numbers,
    right: Numbers,
    zero: float,
    one: float,
    c: int,
    known: bool,
) -> int:
    """Turn the chance to start at each node into expected visits; return where it stopped.

    Goes down from component `c`; stops at one with more cuts than `matrix` has room for, and goes
    on from there once its visits are `known`. Returns -1 at the end. `returns` comes out as the
    expected visits to a node by a game that starts there, from which the chance to visit it at
    all follows. A node that is not `alive`, where play goes round for ever, keeps only what flows
    in from the others: its chance to be where that begins.
    """
    cut, first, target, chance = chain.cut, chain.first, chain.target, chain.chance
    while c >= 0:
        low, high = chain.component_first[c], chain.component_first[c + 1]
        unknowns = chain.cuts[c]
        if unknowns > 0 and not known:
            if unknowns > matrix.shape[0]:
                return c
            spread(chain, alive, visits, inflow, shares, low, high, unknowns, zero)
            for here in range(low, high):
                if cut[here] >= 0:
                    for d in range(unknowns):
                        matrix[cut[here], d] = -shares[here - low, d]
                    matrix[cut[here], cut[here]] += one
                    right[cut[here]] = inflow[here - low]
            eliminate(matrix, right, unknowns)
            for here in range(low, high):
                total = inflow[here - low]
                for d in range(unknowns):
                    total += shares[here - low, d] * right[d]
                visits[here] = total
            _return_visits(
                chain,
                alive,
                returns,
                coef,
                shares,
                matrix,
                right,
                low,
                high,
                unknowns,
                zero,
                one,
            )
        for here in range(high - 1, low - 1, -1):
            if not alive[here]:
                continue
            for o in range(first[here], first[here + 1]):
                if target[o] < low or unknowns == 0:  # without cuts every way leads down
                    visits[target[o]] += chance[o] * visits[here]
        known = False
        c -= 1
    return c


@jit
def first_cuts(
    chain: Chain, alive: Bools, coef: Numbers, low: int, high: int, unknowns: int, zero: float
) -> None:
    """Work out the chance that each cut is the first to be met after each node of a component."""
    cut, first, target, chance = chain.cut, chain.first, chain.target, chain.chance
    for here in range(low, high):
        i = here - low
        for c in range(unknowns):
            coef[i, c] = zero
        if not alive[here]:
            continue
        for o in range(first[here], first[here + 1]):
            to = target[o]
            if to < low or not alive[to]:
                continue
            if cut[to] >= 0:
                coef[i, cut[to]] += chance[o]
            else:
                for c in range(unknowns):
                    coef[i, c] += chance[o] * coef[to - low, c]


@jit
def _return_visits(
    chain: Chain,
    alive: Bools,
    returns: Floats,
    coef: Numbers,
    shares: Numbers,
    matrix: Numbers,
    right: Numbers,
    low: int,
    high: int,
    unknowns: int,
    zero: float,
    one: float,
) -> None:
    """Work out the expected visits to each node of a component by a game that starts there.

    From s, the cuts are first met with the chances coef(s, c). From a cut c, the cuts are visited
    M(c, d) times, M = (I - C)^-1, and each visit to d brings shares(s, d) visits to s. So s is
    visited 1 + sum of coef(s, c) M(c, d) shares(s, d) times; for a cut itself that is M(s, s).
    """
    cut = chain.cut
    first_cuts(chain, alive, coef, low, high, unknowns, zero)
    for here in range(low, high):
        returns[here] = one
    for d in range(unknowns):
        for here in range(low, high):
            if cut[here] >= 0:
                for c in range(unknowns):
                    matrix[cut[here], c] = -coef[here - low, c]
                matrix[cut[here], cut[here]] += one
                right[cut[here]] = one if cut[here] == d else zero
        eliminate(matrix, right, unknowns)  # column d of M
        for here in range(low, high):
            if cut[here] == d:
                returns[here] = right[d]
            elif cut[here] < 0:
                for c in range(unknowns):
                    returns[here] += coef[here - low, c] * right[c] * shares[here - low, d]


@jit
def pass_on(chain: Chain, alive: Array, inflow: Array, low: int, high: int, unknown: Array) -> None:
    """Let every node of a component pass its visits on; cuts are visited `unknown` times."""
    cut, first, target, chance = chain.cut, chain.first, chain.target, chain.chance
    for here in range(high - 1, low - 1, -1):
        if not alive[here]:
            continue
        visits = unknown[cut[here]] if cut[here] >= 0 else inflow[here - low]
        for o in range(first[here], first[here + 1]):
            if target[o] >= low:
                inflow[target[o] - low] += chance[o] * visits
