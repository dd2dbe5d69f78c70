"""Circles: play that goes round for ever, and gains on the way that then have no definite sum.

Write W for what a player has gained so far and the value of where he stands. Moves that are as good
as the best leave the mean of W as it is. So in a circle of such moves the gains cancel out on
average: what is gained in all goes up and down for ever, unless no move of the circle gains
anything. Values that hang on such a circle say nothing, and the game is refused.

In a circle with a worse move of the other player, W rises on average with every round: the gains
grow without end, which is more than any value promised. So nothing else has to be looked at, and
exact values that pass this check are those of the game: `refuse_circles` says when they do.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from dicelab.core.arrays import Array, Bools, Ints, Numbers
from dicelab.core.jit import interpreted
from dicelab.errors import NotFinite, NotSolved
from dicelab.solvers.decisions import MIX, MOST, row_value
from dicelab.solvers.end_components import outcomes_of
from dicelab.solvers.problem import Problem


class Options(NamedTuple):
    """What may be done at each node: a move, or all moves at once that are left to chance."""

    node: Ints  # [options]
    row: Ints  # [options] a row of it
    option: Ints  # [edges] which of the options an edge belongs to
    target: Ints  # [edges] a node


def refuse_circles(problem: Problem, free: Bools) -> None:
    """Refuse a settled problem whose value hangs on a circle with gains; `free` [rows] gain none.

    Certified floats show that there is no such circle, but for moves whose gains cancel within the
    move itself: each check is strict by the rounding of a gain. So this is about exact values.
    Between two, one keeps to the moves found, and the other makes any that are as good as the best.
    Then every move must be as good or worse, and where the two may go round for nothing, the value
    must be no more than that is worth.
    """
    arrays = problem.arrays
    if not problem.reward.size or free.all():
        return
    cyclic = np.repeat(arrays.cuts > 0, np.diff(arrays.component_first))[arrays.row_position]
    if not problem.exact:
        hidden = np.flatnonzero(cyclic & ~free & (problem.reward[0] == 0))
        if hidden.size:
            at = int(arrays.row_position[hidden[0]])
            raise NotSolved("{game} gains and loses the same at {at}: floats lose that", at)
        return
    options = _as_good(problem, cyclic)
    kept = circling(options, 2 * len(arrays))
    paid = kept & ~free[options.row]
    if paid.any():
        raise NotFinite(
            "{game} has no definite value: going round at {at}, what is gained and what "
            "is lost cancel out; limit how often that may be done",
            int(arrays.row_position[options.row[paid.argmax()]]),
        )
    if problem.sign < 0:
        place = options.node[kept] % len(arrays)
        value = problem.value[0, place]
        worth = np.where(options.node[kept] < len(arrays), value, -value)
        _refuse_unsettled(place[np.asarray(worth > problem.never, bool)])


def _as_good(problem: Problem, cyclic: Bools) -> Options:
    """Return the moves as good as the best, each a way to go on; those left to chance are one way.

    A node is a position and who is about to move there.
    """
    arrays = problem.arrays
    rows = np.flatnonzero(cyclic)
    seats: list[tuple[Ints, bool]] = []  # the rows of each seat, and whether chance takes them
    for seat, role in enumerate(problem.role):
        if role != MOST:
            seats.append((rows[problem.may_play(seat, rows)], role == MIX))
            continue
        lost = _lost(problem, seat, rows)
        _refuse_unsettled(arrays.row_position[rows[lost < 0]])
        seats.append((rows[lost == 0], False))
    if problem.sign < 0:  # who keeps to the moves found sits first
        at = arrays.row_position[rows]
        seats.insert(0, (rows[problem.choice[0, at] == rows], False))
    who = np.repeat(np.arange(len(seats)), [each.size for each, _ in seats])
    row = np.concatenate([each for each, _ in seats])
    move, then, to = outcomes_of(arrays, len(seats), who, row)
    node = who * len(arrays) + arrays.row_position[row]
    is_chance = np.array([mixes for _, mixes in seats])[who]
    own = np.where(is_chance, node, 2 * len(arrays) + np.arange(row.size))
    _, first, option = np.unique(own, return_index=True, return_inverse=True)
    return Options(node[first], row[first], option[move], then * len(arrays) + to)


def _lost(problem: Problem, seat: int, rows: Ints) -> Numbers:
    """Return what each of some moves is worth less than its position, exactly."""
    graph, play, at = problem.graph, problem.play, problem.arrays.row_position
    worth = interpreted(row_value)
    found = np.empty(rows.size, object)
    for number, row in enumerate(rows.tolist()):
        found[number] = play.value[seat, at[row]] - worth(graph, play, row, seat)
    return found


def _refuse_unsettled(positions: Array) -> None:
    if positions.size:
        raise NotSolved("{game} did not settle at {at}", int(positions[0]))


def circling(options: Options, size: int) -> Bools:
    """Return which options can be taken again and again for ever. `[options]`

    These are those of the maximal end components: sets of nodes that play can go round in, each
    reaching every other, by options that never leave the set.
    """
    from scipy.sparse import csr_matrix
    from scipy.sparse.csgraph import connected_components

    kept = np.ones(options.node.size, np.bool_)
    source = options.node[options.option]
    while kept.any():
        used = kept[options.option]
        edges = csr_matrix(
            (np.ones(used.sum()), (source[used], options.target[used])), (size, size)
        )
        edges.sum_duplicates()
        _, label = connected_components(edges, connection="strong")
        leaves = np.zeros_like(kept)
        leaves[options.option[used & (label[source] != label[options.target])]] = True
        if not leaves.any():
            break
        kept &= ~leaves
    return kept
