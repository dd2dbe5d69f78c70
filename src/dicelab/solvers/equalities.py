"""Moves that the certificate lets pass as equalities, and play that goes round by them for ever.

A move all of whose outcomes have the bounds of its own position loses nothing to rounding, and
neither does a move with one certain outcome. Bounds that hold with equality are bounds only if play
ends: what `certificate` says of them is proved here.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from dicelab.core.arrays import Array, Bools, Floats, Ints
from dicelab.core.jit import inlined, jit
from dicelab.errors import NotSolved
from dicelab.solvers.circles import Options, circling
from dicelab.solvers.decisions import Graph, Play, next_seat
from dicelab.solvers.end_components import outcomes_of
from dicelab.solvers.ends import mark_ending
from dicelab.solvers.problem import MIX, Problem


@inlined
def is_level(graph: Graph, play: Play, error: Floats, row: int, seat: int, here: int) -> bool:
    """Return whether one player alone chooses, and a move leads to the same bounds for certain."""
    if play.sign < 0 or (play.reward.size and play.reward[seat, row] != 0.0):
        return False
    for o in range(graph.first[row], graph.first[row + 1]):
        if graph.another[graph.kind[o]]:
            return False  # who chooses after a throw may go round by some of its ways
        to, then = graph.target[o], next_seat(play, seat, graph.kind[o])
        if play.value[then, to] != play.value[seat, here]:
            return False
        if error[then, to] != error[seat, here]:
            return False
    return True


@jit
def level_rows(
    graph: Graph, play: Play, error: Floats, rows: Ints, owner: Ints, seat: int, found: Bools
) -> None:
    """Write which of some rows lead to the bounds of their own position for certain."""
    for number in range(rows.size):
        row = rows[number]
        found[number] = is_level(graph, play, error, row, seat, owner[row])


@jit
def sure_rows(graph: Graph, play: Play, error: Floats, rows: Ints) -> int:
    """List the moves that may be equalities and stay in the component; return how many.

    Those are moves with one certain outcome, and moves to the bounds of their own position.
    """
    count = 0
    for c in range(graph.cuts.size):
        low = graph.component_first[c]
        if graph.cuts[c] == 0:
            continue
        for here in range(low, graph.component_first[c + 1]):
            for row in range(graph.move_first[here], graph.move_first[here + 1]):
                o = graph.first[row]
                sure = graph.first[row + 1] - o == 1 and graph.target[o] >= low
                sure = sure and graph.chances[graph.kind[o]] == 1.0
                for seat in range(len(play.role)):
                    sure = sure or is_level(graph, play, error, row, seat, here)
                if sure:
                    if rows.size:
                        rows[count] = row
                    count += 1
    return count


def refuse_endless(problem: Problem, error: Floats) -> None:
    """Refuse bounds that hold only if play ends, where it may go round by equalities for ever.

    Moves that bring or cost something on the way are no equalities: rounding makes them strict.
    """
    count = sure_rows(problem.graph, problem.play, error, np.empty(0, np.int32))
    sure = np.empty(count, np.int32)
    sure_rows(problem.graph, problem.play, error, sure)
    if problem.reward.size:
        sure = sure[(problem.reward[:, sure] == 0).all(axis=0)]
    if not sure.size:
        return
    lasting = _endless_alone if problem.sign > 0 else _endless_between_two
    at = lasting(problem, error, sure)
    if at.size:
        raise NotSolved(
            "{game} could not be certified: play may go round for ever at {at}", int(at[0])
        )


def _endless_alone(problem: Problem, error: Array, sure: Array) -> Ints:
    """Return positions with a lower bound above `never` where play by the moves found cannot end.

    Play ends, for this, where the lower bound is no more than `never`. Then also positions that may
    be kept to by equalities, with an upper bound below `never`.
    """
    size = len(problem.arrays)
    never: Any = problem.never  # a float or a Fraction, as the values are
    ending: Bools = problem.value - error <= never
    mark_ending(problem.graph, problem.play, ending)
    wrong = np.asarray(~ending.all(axis=0))
    if not wrong.any():
        kept = _equalities(problem, error, sure)
        node = kept.node[circling(kept, problem.seats * size)]
        wrong[node[(problem.value + error < never).ravel()[node]] % size] = True
    return np.flatnonzero(wrong)


def _equalities(problem: Problem, error: Floats, sure: Ints) -> Options:
    """Return what may be done at each node so that its check is an equality.

    Where chance takes the moves they are one thing to do, and all of them must lead to the same
    bounds: if any does not, what the mean loses to rounding makes the check strict.
    """
    arrays, size = problem.arrays, len(problem.arrays)
    nodes, rows, chosen = [], [], []
    for seat in range(problem.seats):
        made = sure[problem.may_play(seat, sure)]
        if problem.role[seat] == MIX:
            made = np.flatnonzero(problem.weight[seat] != 0)
            level_at = np.zeros(made.size, np.bool_)
            args = problem.graph, problem.play, error, made, arrays.row_position, seat
            level_rows(*args, level_at)
            strict = np.zeros(size, np.bool_)
            strict[arrays.row_position[made[~level_at]]] = True
            made = made[~strict[arrays.row_position[made]]]
        nodes.append(seat * size + arrays.row_position[made])
        rows.append(made)
        chosen.append(np.full(made.size, problem.role[seat] == MIX))
    node, row, is_chance = (np.concatenate(each) for each in (nodes, rows, chosen))
    move, then, to = outcomes_of(arrays, problem.seats, node // size, row)
    own = np.where(is_chance, node, problem.seats * size + np.arange(row.size))
    _, first, option = np.unique(own, return_index=True, return_inverse=True)
    return Options(node[first], row[first], option[move], then * size + to)


def _endless_between_two(problem: Problem, error: Floats, sure: Ints) -> Ints:
    """Return positions on a ring of certain moves with bounds beyond what `never` is worth.

    The certified player keeps to the moves found; the other may make any certain move.
    """
    arrays, size = problem.arrays, len(problem.arrays)
    source, outcome = arrays.row_position[sure], arrays.outcome_first[sure]
    target, passes = arrays.target[outcome], arrays.passes(outcome)
    kept = problem.choice[0][source] == sure
    tails, heads = [], []
    for seat, used in ((0, kept), (1, np.ones_like(kept))):
        then = np.where(passes, 1 - seat, seat)[used]
        tails.append(source[used] + seat * size)
        heads.append(target[used] + then * size)
    ring = _on_rings(np.concatenate(tails), np.concatenate(heads), 2 * size)
    own, other = ring[ring < size], ring[ring >= size] - size
    value, error, never = problem.value[0], error[0], float(problem.never)
    above = own[value[own] - error[own] > never]
    below = other[-value[other] - error[other] > -never]
    return np.concatenate([above, below])


def _on_rings(tails: Ints, heads: Ints, size: int) -> Ints:
    """Return the nodes of a graph that lead back to themselves."""
    from scipy.sparse import csr_matrix
    from scipy.sparse.csgraph import connected_components

    graph = csr_matrix((np.ones(tails.size), (tails, heads)), (size, size))
    label = connected_components(graph, connection="strong")[1]
    ring = np.zeros(size, np.bool_)
    ring[tails[label[tails] == label[heads]]] = True
    return np.flatnonzero(ring)
