"""End components: sets of positions in which the player who chooses can stay as long as he likes.

Where only one player chooses, he may wander about in an *end component* (de Alfaro, Formal
Verification of Probabilistic Systems, 1997) before he leaves it by its best way out. So all of it
is worth the same, and nothing limits the number of steps in it. The certificate therefore gives all
positions of an end component one value and one error.
"""

from __future__ import annotations

import numpy as np

from dicelab.core.arrays import Array, Ints
from dicelab.core.jit import inlined, jit
from dicelab.solvers.arrays import MarkovGame
from dicelab.solvers.decisions import (
    LEAST,
    MIX,
    MOST,
    Graph,
    Play,
    next_seat,
    own_part,
    row_value,
    share_row,
)
from dicelab.solvers.problem import Problem
from dicelab.solvers.rows import runs


@inlined
def is_inside(graph: Graph, play: Play, row: int, seat: int, low: int) -> bool:
    """Return whether a move gains nothing on the way and cannot leave its component."""
    inside = not play.reward.size or play.reward[seat, row] == 0
    for o in range(graph.first[row], graph.first[row + 1]):
        inside &= graph.target[o] >= low
    return inside


@jit
def row_losses(graph: Graph, play: Play, losses: Array, low: int, high: int) -> None:
    """Write what each move is worse than its position's value, below zero."""
    for here in range(low, high):
        for seat in range(len(play.role)):
            for row in range(graph.move_first[here], graph.move_first[here + 1]):
                if play.role[seat] == MOST or play.role[seat] == LEAST:
                    gain = row_value(graph, play, row, seat) - play.value[seat, here]
                    losses[seat, row] = min(0.0, gain * play.role[seat])


@jit
def inner_rows(
    graph: Graph, play: Play, losses: Array, most_lost: float, inner: Array, begin: int, end: int
) -> int:
    """Mark the moves that may be made, lose next to nothing and stay; return how many.

    Where the moves are given, none is marked unless all that may be made stay. Components are those
    from `begin` up to `end`.
    """
    count = 0
    for c in range(begin, end):
        if graph.cuts[c] == 0:
            continue
        low = graph.component_first[c]
        for here in range(low, graph.component_first[c + 1]):
            rows = range(graph.move_first[here], graph.move_first[here + 1])
            for seat in range(len(play.role)):
                leaves = False
                for row in rows:
                    if play.role[seat] == MOST:
                        inner[seat, row] = losses[seat, row] >= -most_lost
                    elif play.role[seat] == MIX:
                        inner[seat, row] = play.weight[seat, row] != 0
                    else:
                        inner[seat, row] = row == play.choice[seat, here]
                    if inner[seat, row] and not is_inside(graph, play, row, seat, low):
                        inner[seat, row] = False
                        leaves = True
                for row in rows:
                    inner[seat, row] &= play.role[seat] == MOST or not leaves
                    count += inner[seat, row]
    return count


@jit
def prune(graph: Graph, play: Play, inner: Array, stays: Array, low: int, high: int) -> int:
    """Take back marks of moves that may lead where nobody can stay; return how many are left.

    `stays`, `[seats, positions]`, is true inside and false outside when it comes in.
    """
    changed, count = True, 1
    while changed and count:
        changed, count = False, 0
        for here in range(low, high):
            for seat in range(len(play.role)):
                if not stays[seat, here]:
                    continue
                left, taken = 0, 0
                for row in range(graph.move_first[here], graph.move_first[here + 1]):
                    if not inner[seat, row]:
                        continue
                    for o in range(graph.first[row], graph.first[row + 1]):
                        then = next_seat(play, seat, graph.kind[o])
                        inner[seat, row] &= stays[then, graph.target[o]]
                    left += inner[seat, row]
                    taken += not inner[seat, row]
                if taken and play.role[seat] != MOST:
                    left = 0
                    for row in range(graph.move_first[here], graph.move_first[here + 1]):
                        inner[seat, row] = False
                changed |= taken > 0
                count += left
                stays[seat, here] = left > 0
    return count


def end_components(
    problem: Problem, losses: Array, most_lost: float, begin: int = 0, end: int | None = None
) -> tuple[Array, Array]:
    """Return each position's end component, or -1, and the moves that stay inside.

    The numbers are `[seats, positions]`, the marks `[seats, rows]`. Moves of the player who chooses
    count if they lose at most so much by `losses`, `[seats, rows]`. Only the components from
    `begin` up to `end` are looked at.
    """
    arrays, seats = problem.arrays, problem.seats
    end = len(arrays.cuts) if end is None else end
    low, high = int(arrays.component_first[begin]), int(arrays.component_first[end])
    label = np.full((seats, len(arrays)), -1, np.int32)
    inner = np.zeros((seats, arrays.rows), np.bool_)
    stays = np.zeros((seats, len(arrays)), np.bool_)
    stays[:, low:high] = True
    graph, play = problem.graph, problem.play
    if not inner_rows(graph, play, losses, most_lost, inner, begin, end) or not prune(
        graph, play, inner, stays, low, high
    ):
        return label, inner
    from scipy.sparse import csr_matrix
    from scipy.sparse.csgraph import connected_components

    chooses = np.array([role == MOST for role in problem.role])
    seat, row = np.nonzero(inner)
    nodes = seats * (high - low)
    while row.size:
        at = arrays.row_position[row]
        node = seat * (high - low) + at - low
        move, then, target = outcomes_of(arrays, seats, seat, row)
        to = then * (high - low) + target - low
        ways = csr_matrix((np.ones(to.size, np.bool_), (node[move], to)), (nodes, nodes))
        strong = connected_components(ways, connection="strong")[1]
        has_move = np.zeros(nodes, np.bool_)
        has_move[node] = True
        leaves = np.zeros(row.size, np.bool_)
        leaves[move[(strong[node[move]] != strong[to]) | ~has_move[to]]] = True
        given_up = np.zeros(nodes, np.bool_)
        given_up[node[leaves & ~chooses[seat]]] = True
        stays = ~leaves & ~given_up[node]
        if stays.all():
            label[seat, at] = np.unique(strong[node], return_inverse=True)[1]
            break
        seat, row = seat[stays], row[stays]
    inner[:] = False
    inner[seat, row] = True
    return label, inner


def outcomes_of(
    arrays: MarkovGame, seats: int, seat: Ints, row: Array
) -> tuple[Array, Array, Array]:
    """Return the outcomes of some moves: which of the moves, who is next, and the position."""
    first = arrays.outcome_first[row].astype(np.int64)
    counts = arrays.outcome_first[row + 1] - first
    move = np.repeat(np.arange(row.size), counts)
    outcome = runs(first, counts)
    then = seat[move]
    if seats > 1:
        then = (then + arrays.turns[arrays.kind[outcome]]) % seats
    return move, then, arrays.target[outcome]


def level(label: Ints, numbers: Array) -> None:
    """Give all positions of an end component the largest of their numbers, in place."""
    inside = label >= 0
    if inside.any():
        most = np.full(int(label.max()) + 1, -np.inf)
        np.maximum.at(most, label[inside], numbers[inside])
        numbers[inside] = most[label[inside]]


@jit
def best_ways_out(
    graph: Graph, play: Play, label: Array, inner: Array, best: Array, low: int, high: int
) -> None:
    """Write what the best move out of each end component is worth, if that is more."""
    for here in range(low, high):
        for seat in range(len(play.role)):
            c = label[seat, here]
            if c < 0 or play.role[seat] != MOST:
                continue
            for row in range(graph.move_first[here], graph.move_first[here + 1]):
                if not inner[seat, row]:
                    worth = own_part(play, seat, here) + row_value(graph, play, row, seat)
                    best[c] = max(best[c], worth)


@jit
def choose_ways_out(
    graph: Graph,
    play: Play,
    label: Array,
    inner: Array,
    leaving: Array,
    most_lost: float,
    low: int,
    high: int,
) -> None:
    """Choose the best moves out of end components, and inside moves that may lead to them."""
    changed = True
    while changed:
        changed = False
        for here in range(low, high):
            for seat in range(len(play.role)):
                if leaving[seat, here] or label[seat, here] < 0:
                    continue
                for row in range(graph.move_first[here], graph.move_first[here + 1]):
                    if inner[seat, row]:
                        found = False
                        for o in range(graph.first[row], graph.first[row + 1]):
                            found |= leaving[next_seat(play, seat, graph.kind[o]), graph.target[o]]
                    elif play.role[seat] == MOST:
                        lost = play.value[seat, here] - row_value(graph, play, row, seat)
                        found = lost - own_part(play, seat, here) <= most_lost
                    else:
                        continue
                    if found:
                        if play.role[seat] == MOST:
                            play.choice[seat, here] = row
                            share_row(play, here, seat)
                        leaving[seat, here] = True
                        changed = True
                        break


def leave_end_components(problem: Problem, component: int, most_lost: float) -> bool:
    """Value the end components of a component by their best ways out, and choose these.

    Returns whether a value was too high by more than that. Iteration cannot see that: inside an end
    component any number that is high enough keeps itself up.
    """
    arrays, play = problem.arrays, problem.play
    low, high = (int(arrays.component_first[c]) for c in (component, component + 1))
    losses = np.zeros((problem.seats, arrays.rows))
    row_losses(problem.graph, play, losses, low, high)
    label, inner = end_components(problem, losses, most_lost, component, component + 1)
    inside = label >= 0
    if not inside.any():
        return False
    best = np.full(int(label.max()) + 1, float(problem.never))
    best_ways_out(problem.graph, play, label, inner, best, low, high)
    too_high = bool((play.value[inside] > best[label[inside]] + most_lost).any())
    play.value[inside] = best[label[inside]]
    leaving = np.zeros_like(inside)
    choose_ways_out(problem.graph, play, label, inner, leaving, most_lost, low, high)
    return too_high
