"""End components: sets of positions in which the player who chooses can stay as long as he likes.

Where only one player chooses, he may wander about in an *end component* (de Alfaro, Formal
Verification of Probabilistic Systems, 1997) before he leaves it by its best way out. So all of it
is worth the same, and nothing limits the number of steps in it. The certificate therefore gives all
positions of an end component one value and one error.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from dicelab.core.jit import inlined, jit
from dicelab.solvers.decisions import MIX, MOST, Graph, Play
from dicelab.solvers.problem import Problem


@inlined
def is_inside(graph: Graph, play: Play, row: int, seat: int, low: int) -> bool:
    """Return whether a move gains nothing on the way and cannot leave its component."""
    inside = not play.reward.size or play.reward[seat, row] == 0
    for o in range(graph.first[row], graph.first[row + 1]):
        inside &= graph.target[o] >= low
    return inside


@jit
def inner_rows(graph: Graph, play: Play, losses: Any, most_lost: float, inner: Any) -> int:
    """Mark the moves that may be made, lose next to nothing and stay; return how many.

    Where the moves are given, none is marked unless all that may be made stay.
    """
    count = 0
    for c in range(graph.cuts.size):
        if graph.cuts[c] == 0:
            continue
        low = graph.component_first[c]
        for here in range(low, graph.component_first[c + 1]):
            begin, end = graph.move_first[here], graph.move_first[here + 1]
            for seat in range(len(play.role)):
                leaves = False
                for row in range(begin, end):
                    if play.role[seat] == MOST:
                        inner[seat, row] = losses[seat, row] >= -most_lost
                    elif play.role[seat] == MIX:
                        inner[seat, row] = play.weight[seat, row] != 0
                    else:
                        inner[seat, row] = row == play.choice[seat, here]
                    if inner[seat, row] and not is_inside(graph, play, row, seat, low):
                        inner[seat, row] = False
                        leaves = True
                for row in range(begin, end):
                    inner[seat, row] &= play.role[seat] == MOST or not leaves
                    count += inner[seat, row]
    return count


def end_components(problem: Problem, losses: Any, most_lost: float) -> tuple[Any, Any]:
    """Return each position's end component, or -1, and the moves that stay inside.

    The numbers are `[seats, positions]`, the marks `[seats, rows]`. Moves of the player who chooses
    count if they lose at most so much by `losses`, `[seats, rows]`.
    """
    table, seats, size = problem.table, problem.seats, len(problem.table)
    label = np.full((seats, size), -1, np.int32)
    inner = np.zeros((seats, table.rows), np.bool_)
    if not inner_rows(problem.graph, problem.play, losses, most_lost, inner):
        return label, inner
    from scipy.sparse import csr_matrix
    from scipy.sparse.csgraph import connected_components

    chooses = np.array([role == MOST for role in problem.role])
    seat, row = np.nonzero(inner)
    while row.size:
        node = seat * size + table.row_position[row]
        move, to = outcomes_of(problem, seat, row)
        ways = csr_matrix((np.ones(to.size, np.bool_), (node[move], to)), (seats * size,) * 2)
        strong = connected_components(ways, connection="strong")[1]
        leaves = np.zeros(row.size, np.bool_)
        leaves[move[strong[node[move]] != strong[to]]] = True
        has_move = np.zeros(seats * size, np.bool_)
        has_move[node] = True
        leaves[move[~has_move[to]]] = True
        given_up = np.zeros(seats * size, np.bool_)
        given_up[node[leaves & ~chooses[seat]]] = True
        stays = ~leaves & ~given_up[node]
        if stays.all():
            label.reshape(-1)[node] = strong[node]
            break
        seat, row = seat[stays], row[stays]
    inner[:] = False
    inner[seat, row] = True
    return label, inner


def outcomes_of(problem: Problem, seat: Any, row: Any) -> tuple[Any, Any]:
    """Return the outcomes of some moves: which of the moves, and where to, as seat and position."""
    table = problem.table
    first = table.outcome_first[row].astype(np.int64)
    counts = table.outcome_first[row + 1] - first
    move = np.repeat(np.arange(row.size), counts)
    outcome = np.arange(move.size) + np.repeat(first - (np.cumsum(counts) - counts), counts)
    then = seat[move]
    if problem.seats == 2:
        then = np.where(table.passes(outcome), 1 - then, then)
    return move, then * len(table) + table.target[outcome]


def level(label: Any, numbers: Any) -> None:
    """Give all positions of an end component the largest of their numbers, in place."""
    inside = label >= 0
    if inside.any():
        most = np.full(int(label.max()) + 1, -np.inf)
        np.maximum.at(most, label[inside], numbers[inside])
        numbers[inside] = most[label[inside]]
