"""The order to solve positions in: strongly connected components, last ones first.

Most games are nearly acyclic: the cycles are small islands. Inside an island the positions stand
in depth-first *finishing* order, so that only a few of them, the *cuts*, are read before they
are known. The method is Tarjan's, with an explicit stack.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from dicelab.compiled import compiled


@compiled
def components(first: Any, target: Any, root: int) -> tuple[Any, Any, int]:
    """Return each position's component, the depth-first finishing order, and how many components.

    `target[first[p]:first[p + 1]]` are the positions that p may lead to. Components are numbered
    so that every edge leads to the same or a lower number.
    """
    size = first.size - 1
    index = np.full(size, -1, np.int32)
    low = np.empty(size, np.int32)
    component = np.full(size, -1, np.int32)
    finished = np.empty(size, np.int32)
    stack = np.empty(size, np.int32)
    path = np.empty(size, np.int32)
    edge = np.empty(size, np.int64)
    depth, height, clock, done, count = 0, 0, 0, 0, 0
    path[0], depth = root, 1
    index[root], low[root], clock = 0, 0, 1
    stack[0], height = root, 1
    edge[root] = first[root]
    while depth > 0:
        here = path[depth - 1]
        if edge[here] < first[here + 1]:
            to = target[edge[here]]
            edge[here] += 1
            if index[to] < 0:
                index[to], low[to] = clock, clock
                clock += 1
                stack[height], path[depth] = to, to
                height += 1
                depth += 1
                edge[to] = first[to]
            elif component[to] < 0 and index[to] < low[here]:
                low[here] = index[to]
        else:
            depth -= 1
            finished[done] = here
            done += 1
            if depth > 0 and low[here] < low[path[depth - 1]]:
                low[path[depth - 1]] = low[here]
            if low[here] == index[here]:
                while True:
                    height -= 1
                    component[stack[height]] = count
                    if stack[height] == here:
                        break
                count += 1
    return component, finished[:done], count


@compiled
def cuts(component_first: Any, outcome_first: Any, target: Any) -> tuple[Any, Any]:
    """Return each position's number among its component's cuts (or -1), and cuts per component.

    Positions are already numbered in solving order; `outcome_first[p]` is p's first outcome.
    """
    size = outcome_first.size - 1
    cut = np.full(size, -1, np.int32)
    per_component = np.zeros(component_first.size - 1, np.int32)
    for c in range(component_first.size - 1):
        last = component_first[c + 1]
        for here in range(component_first[c], last):
            for o in range(outcome_first[here], outcome_first[here + 1]):
                to = target[o]
                if here <= to < last and cut[to] < 0:
                    cut[to] = per_component[c]
                    per_component[c] += 1
    return cut, per_component


@compiled
def rearrange(
    order: Any,
    move_first: Any,
    outcome_first: Any,
    new_number: Any,
    move: Any,
    target: Any,
    passes: Any,
    chance: Any,
    gain: Any,
    new_move_first: Any,
    new_outcome_first: Any,
    new_move: Any,
    new_target: Any,
    new_passes: Any,
    new_chance: Any,
    new_gain: Any,
) -> None:
    """Copy the moves and outcomes of each position to where its new number says."""
    row, out = 0, 0
    for here in range(order.size):
        old = order[here]
        new_move_first[here] = row
        for r in range(move_first[old], move_first[old + 1]):
            new_move[row] = move[r]
            new_outcome_first[row] = out
            for o in range(outcome_first[r], outcome_first[r + 1]):
                new_target[out] = new_number[target[o]]
                new_passes[out] = passes[o]
                new_chance[out] = chance[o]
                if gain.size:
                    new_gain[out] = gain[o]
                out += 1
            row += 1
    new_move_first[order.size] = row
    new_outcome_first[row] = out


@compiled
def wrong_row(first: Any, chance: Any, numerators: Any, whole: int) -> int:
    """Return the first row whose chances do not sum to the whole, or -1."""
    for row in range(first.size - 1):
        total = 0
        for o in range(first[row], first[row + 1]):
            total += numerators[chance[o]]
        if total != whole:
            return row
    return -1
