"""The order to solve positions in: strongly connected components, last ones first.

Most games are nearly acyclic: the cycles are small islands. Inside an island the positions stand
in depth-first *finishing* order, so that only a few of them, the *cuts*, are read before they
are known. The method is Pearce's, a thrifty form of Tarjan's, with an explicit stack.
"""

from __future__ import annotations

import numpy as np

from dicelab.core.arrays import Ints
from dicelab.core.jit import allocating, jit


def solving_order(first: Ints, target: Ints) -> tuple[Ints, Ints, Ints]:
    """Return the positions in solving order, the place of each, and where components begin.

    `target[first[p]:first[p + 1]]` are the positions that p may lead to; position 0 is the start.
    Positions that it does not lead to come last.
    """
    size = first.size - 1
    order, place = np.empty(size, np.int32), np.zeros(size, np.int32)
    begins = np.empty(size + 1, np.int32)
    count = _put_in_order(first, target, order, place, begins)
    return order, place, begins[: count + 1].copy()


@allocating
def _put_in_order(first: Ints, target: Ints, order: Ints, low: Ints, begins: Ints) -> int:
    """Write the solving order, the place of each position and where components begin.

    Every edge leads into the same or an earlier component; how many of these there are is returned.
    `low` is 0 for a position that was never met; for one on the way it is the earliest position it
    is known to lead back to; for one that is done, its place, put above all those. Those finished
    but not done wait, in the order they finished in.
    """
    size = first.size - 1
    waiting = np.empty(size, np.int32)
    path = np.empty(size, np.int32)
    edge = np.empty(size, np.int32)
    is_root = np.empty(size, np.bool_)
    waits, done, count = 0, 0, 0
    clock = 1
    above = size + 1
    for begin in range(size):
        if low[begin] != 0:
            continue
        depth = 1
        path[0], edge[0], is_root[0], low[begin] = begin, first[begin], True, clock
        clock += 1
        while depth > 0:
            top = depth - 1
            here = path[top]
            mine, last, at = low[here], first[here + 1], edge[top]
            deeper = -1
            while at < last:
                to = target[at]
                if low[to] == 0:
                    deeper = to
                    break
                at += 1
                if low[to] < mine:
                    mine = low[to]
                    is_root[top] = False
            low[here], edge[top] = mine, at
            if deeper >= 0:  # its edge is looked at again once it is finished
                path[depth], edge[depth], is_root[depth] = deeper, first[deeper], True
                low[deeper] = clock
                clock += 1
                depth += 1
                continue
            depth -= 1
            if not is_root[top]:
                waiting[waits] = here
                waits += 1
                continue
            begins[count] = done
            count += 1
            kept = waits
            while kept > 0 and low[waiting[kept - 1]] >= mine:
                kept -= 1
            for w in range(kept, waits):
                order[done] = waiting[w]
                low[waiting[w]] = above + done
                done += 1
            order[done] = here
            low[here] = above + done
            done += 1
            waits = kept
    begins[count] = done
    for p in range(size):
        low[p] -= above
    return count


def cuts(component_first: Ints, outcome_first: Ints, target: Ints) -> tuple[Ints, Ints]:
    """Return each position's number among its component's cuts (or -1), and cuts per component.

    Positions are already numbered in solving order; `outcome_first[p]` is p's first outcome.
    """
    cut = np.full(outcome_first.size - 1, -1, np.int32)
    per_component = np.zeros(component_first.size - 1, np.int32)
    _find_cuts(component_first, outcome_first, target, cut, per_component)
    return cut, per_component


@jit
def _find_cuts(
    component_first: Ints, outcome_first: Ints, target: Ints, cut: Ints, per_component: Ints
) -> None:
    """Number the cuts of each component, and count them."""
    for c in range(component_first.size - 1):
        last = component_first[c + 1]
        for here in range(component_first[c], last):
            for o in range(outcome_first[here], outcome_first[here + 1]):
                to = target[o]
                if here <= to < last and cut[to] < 0:
                    cut[to] = per_component[c]
                    per_component[c] += 1


@jit
def redirect(order: Ints, new_number: Ints, first: Ints, target: Ints, new_target: Ints) -> None:
    """Write where positions lead, in their new order and by their new numbers."""
    out = 0
    for here in range(order.size):
        begin, outcomes = first[order[here]], first[order[here] + 1] - first[order[here]]
        for o in range(outcomes):
            new_target[out + o] = new_number[target[begin + o]]
        out += outcomes


@jit
def write_rows(
    shape: Ints,
    row_first: Ints,
    row_move: Ints,
    row_outcomes: Ints,
    row_kind: Ints,
    move_first: Ints,
    move: Ints,
    outcome_first: Ints,
    kind: Ints,
) -> None:
    """Write out the moves of each position and the kinds of their outcomes, by its shape."""
    row, out = 0, 0
    for here in range(shape.size):
        for r in range(row_first[shape[here]], row_first[shape[here] + 1]):
            move[row] = row_move[r]
            for k in range(row_outcomes[r], row_outcomes[r + 1]):
                kind[out] = row_kind[k]
                out += 1
            row += 1
            outcome_first[row] = out
        move_first[here + 1] = row


def distinct(ordered: Ints) -> Ints:
    """Return the different entries of an array that is in order."""
    new = np.ones(ordered.size, np.bool_)
    new[1:] = ordered[1:] != ordered[:-1]
    return ordered[new]
