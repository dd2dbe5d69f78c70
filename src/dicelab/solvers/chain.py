"""A chain: what is left of a game once all players have decided how to play.

Its nodes are the positions that play reaches, each with the player about to move there, in
solving order. There are no moves left, only chances. Two questions are answered here, both with
positive numbers only, so that nothing is lost to cancellation:

- `absorb`: how does it end? v = end + P v, backwards, as affine functions of the cuts;
- `by_turn`: how long does it last, and what happens when? one turn after another.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from dicelab.core.arrays import Array, Bools, Floats, Ints, Numbers, Real
from dicelab.core.jit import allocating, jit
from dicelab.solvers.decisions import Graph
from dicelab.solvers.sweep import eliminate

MOST_ROUNDS = 10_000
"""How often `by_turn` follows a turn that goes round in circles."""


class Chain(NamedTuple):
    """A Markov chain in solving order."""

    component_first: Ints  # [components + 1]
    cut: Ints  # [nodes]
    cuts: Ints  # [components]
    first: Ints  # [nodes + 1]
    target: Ints  # [outcomes]
    passes: Bools  # [outcomes]
    chance: Numbers  # [outcomes] numbers, not codes
    position: Ints  # [nodes]
    seat: Ints  # [nodes]


@jit
def reach(
    graph: Graph, seats: int, choice: Ints, weight: Numbers, mixes: Bools, reached: Ints
) -> None:
    """Mark every position that play leads to, seat by seat, from those marked already."""
    move_first, first, target = graph.move_first, graph.first, graph.target
    kind, turns, component_first = graph.kind, graph.turns, graph.component_first
    for c in range(component_first.size - 2, -1, -1):
        low, high = component_first[c], component_first[c + 1]
        again = True
        while again:
            again = False
            for here in range(high - 1, low - 1, -1):
                for seat in range(seats):
                    if reached[seat, here] != 1:
                        continue
                    reached[seat, here] = 2  # looked at
                    for row in range(move_first[here], move_first[here + 1]):
                        if mixes[seat]:
                            if weight[seat, row] == 0:
                                continue
                        elif row != choice[seat, here]:
                            continue
                        for o in range(first[row], first[row + 1]):
                            then = seat + turns[kind[o]]
                            if then >= seats:
                                then -= seats
                            if reached[then, target[o]] == 0:
                                reached[then, target[o]] = 1
                                if target[o] >= here:
                                    again = True


@jit
def lay_out(
    graph: Graph,
    seats: int,
    choice: Ints,
    weight: Numbers,
    mixes: Bools,
    node: Ints,
    first: Ints,
    target: Ints,
    passes: Bools,
    chance: Numbers,
    one: Real,
    writing: bool,
) -> int:
    """Count the outcomes of the nodes, or write them; return how many there are."""
    rows, outcomes, to, kind = graph.move_first, graph.first, graph.target, graph.kind
    chances, turns = graph.chances, graph.turns
    count = 0
    for here in range(node.shape[1]):
        for seat in range(seats):
            if node[seat, here] < 0:
                continue
            first[node[seat, here]] = count
            for row in range(rows[here], rows[here + 1]):
                share = one
                if mixes[seat]:
                    share = weight[seat, row]
                    if share == 0:
                        continue
                elif row != choice[seat, here]:
                    continue
                if writing:
                    for o in range(outcomes[row], outcomes[row + 1]):
                        then = seat + turns[kind[o]]
                        if then >= seats:
                            then -= seats
                        target[count] = node[then, to[o]]
                        passes[count] = turns[kind[o]] != 0
                        chance[count] = share * chances[kind[o]]
                        count += 1
                else:
                    count += outcomes[row + 1] - outcomes[row]
    return count


@jit
def alive_nodes(chain: Chain, is_end: Bools, alive: Bools) -> int:
    """Mark the nodes from which the game may end; return how many cannot."""
    component_first, first, target = chain.component_first, chain.first, chain.target
    dead = 0
    for c in range(component_first.size - 1):
        low, high = component_first[c], component_first[c + 1]
        changed = True
        while changed:
            changed = False
            for here in range(low, high):
                if alive[here]:
                    continue
                if is_end[here]:
                    alive[here] = True
                for o in range(first[here], first[here + 1]):
                    if alive[target[o]]:
                        alive[here] = True
                        changed = chain.cuts[c] > 0
                        break
        for here in range(low, high):
            if not alive[here]:
                dead += 1
    return dead


@jit
def form(
    chain: Chain,
    alive: Bools,
    value: Numbers,
    base: Numbers,
    coef: Numbers,
    low: int,
    high: int,
    unknowns: int,
    zero: Real,
) -> None:
    """Bring a component's values into affine form in its cuts; `value` is known below it."""
    cut, first, target, chance = chain.cut, chain.first, chain.target, chain.chance
    channels = value.shape[1]
    for here in range(low, high):
        i = here - low
        for k in range(channels):
            base[i, k] = value[here, k]  # what ending or staying here brings by itself
        for c in range(unknowns):
            coef[i, c] = zero
        if not alive[here]:
            continue
        for o in range(first[here], first[here + 1]):
            to, part = target[o], chance[o]
            if to < low:
                for k in range(channels):
                    base[i, k] += part * value[to, k]
            elif to < here:
                for k in range(channels):
                    base[i, k] += part * base[to - low, k]
                for c in range(unknowns):
                    coef[i, c] += part * coef[to - low, c]
            elif alive[to]:
                coef[i, cut[to]] += part


@jit
def absorb(
    chain: Chain,
    alive: Bools,
    value: Numbers,
    base: Numbers,
    coef: Numbers,
    matrix: Numbers,
    right: Numbers,
    component: int,
    zero: Real,
    one: Real,
) -> int:
    """Turn what each node brings by itself into what it brings in all; return where it stopped.

    `value` [nodes, channels] is both. It stops at a component with more cuts than fit.
    """
    cut, first, target, chance = chain.cut, chain.first, chain.target, chain.chance
    channels = value.shape[1]
    while component < chain.cuts.size:
        low, high = chain.component_first[component], chain.component_first[component + 1]
        unknowns = chain.cuts[component]
        if unknowns == 0:
            for here in range(low, high):  # one position, but maybe both players at it
                if alive[here]:
                    for o in range(first[here], first[here + 1]):
                        for k in range(channels):
                            value[here, k] += chance[o] * value[target[o], k]
            component += 1
            continue
        if unknowns > matrix.shape[0] or high - low > coef.shape[0]:
            return component
        form(chain, alive, value, base, coef, low, high, unknowns, zero)
        for k in range(channels):
            for here in range(low, high):
                if cut[here] >= 0:
                    for c in range(unknowns):
                        matrix[cut[here], c] = -coef[here - low, c]
                    matrix[cut[here], cut[here]] += one
                    right[cut[here]] = base[here - low, k]
            eliminate(matrix, right, unknowns)
            for here in range(low, high):
                worth = base[here - low, k]
                for c in range(unknowns):
                    worth += coef[here - low, c] * right[c]
                value[here, k] = worth
        component += 1
    return component


@jit
def absorb_pass(chain: Chain, alive: Array, own: Array, value: Array, low: int, high: int) -> None:
    """Replace each value by its own part and the average of what follows, once, in order."""
    first, target, chance = chain.first, chain.target, chain.chance
    for here in range(low, high):
        if not alive[here]:
            continue
        worth = own[here]
        for o in range(first[here], first[here + 1]):
            worth += chance[o] * value[target[o]]
        value[here] = worth


@allocating
def by_turn(
    chain: Chain,
    alive: Bools,
    is_end: Bools,
    now: Floats,
    within: Floats,
    begins: Floats,
    met: Floats,
    standing: Floats,
    tiny: float,
) -> tuple[int, float]:
    """Add up what nodes bring turn by turn; return turns followed and the chance that is left.

    `met` [turns, k] gets what `within` [nodes, k] says of every node that play comes to in a turn,
    `standing` [turns, j] what `begins` [nodes, j] says of the node where the turn begins.
    """
    first, target, chance, passes = chain.first, chain.target, chain.chance, chain.passes
    later = np.zeros_like(now)
    turn, left = 0, 1.0
    while turn < met.shape[0] and left > tiny:
        for here in range(now.size):
            if now[here] > 0.0:
                for k in range(begins.shape[1]):
                    standing[turn, k] += now[here] * begins[here, k]
        moving, rounds = True, 0
        while moving and rounds < MOST_ROUNDS:  # once, unless a turn itself goes round in circles
            moving = False
            rounds += 1
            for here in range(now.size - 1, -1, -1):
                mass = now[here]
                if mass == 0.0:
                    continue
                now[here] = 0.0
                if is_end[here] or not alive[here]:
                    continue
                for k in range(within.shape[1]):
                    met[turn, k] += mass * within[here, k]
                for o in range(first[here], first[here + 1]):
                    if is_end[target[o]]:
                        continue
                    if passes[o]:
                        later[target[o]] += mass * chance[o]
                    else:
                        now[target[o]] += mass * chance[o]
                        if target[o] >= here and mass * chance[o] > 1e-18:
                            moving = True
        left = 0.0
        for here in range(now.size):  # what still goes round in its turn is left unfinished
            now[here], later[here] = later[here], 0.0
            if alive[here]:
                left += now[here]
        turn += 1
    return turn, left
