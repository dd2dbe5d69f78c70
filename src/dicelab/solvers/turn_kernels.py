"""Where a turn leads under one strategy, and alias tables from which one draw plays it.

A turn begins at a *turn start*. Where it leads is a law over the turn starts of the player after it
and the ends of the game, which depends on nobody else. Where a turn can come back to the same
position there is none.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from dicelab.core.arrays import Bools, Ints, Numbers
from dicelab.core.jit import allocating, inlined, jit
from dicelab.core.results import DRAW, LOSS, ONGOING, WIN
from dicelab.solvers.decisions import Graph


class Laws(NamedTuple):
    """What a turn leads to under one strategy, by turn start."""

    first: Ints  # [starts + 1]
    target: Ints  # [entries] a turn start of the next player, or -result for whose turn it was
    chance: Numbers  # [entries]
    depth: int  # the most moves in one turn


class Aliases(NamedTuple):
    """Laws made ready for one draw a turn, as Walker's alias method has it."""

    first: Ints  # [starts + 1]
    cut: Ints  # [entries] below this, the entry's own target; else the other
    target: Ints  # [entries, 2]


@jit
def mark_starts(target: Ints, kind: Ints, passing: Bools, begins: Bools) -> None:
    """Mark every position that a turn passes to."""
    for o in range(target.size):
        if passing[kind[o]]:
            begins[target[o]] = True


@inlined
def _push(heap: Ints, size: int, item: int) -> int:
    i = size
    while i > 0:
        parent = (i - 1) // 2
        if heap[parent] >= item:
            break
        heap[i] = heap[parent]
        i = parent
    heap[i] = item
    return size + 1


@inlined
def _pop(heap: Ints, size: int) -> int:
    """Take the largest item off the top; the heap then holds one less."""
    last = heap[size - 1]
    i = 0
    while True:
        child = 2 * i + 1
        if child >= size - 1:
            break
        if child + 1 < size - 1 and heap[child + 1] > heap[child]:
            child += 1
        if heap[child] <= last:
            break
        heap[i] = heap[child]
        i = child
    heap[i] = last
    return size - 1


@allocating
def turn_laws(
    graph: Graph,
    result: Ints,
    choice: Ints,
    weight: Numbers,
    mixes: bool,
    starts: Ints,
    rank: Ints,
    two: bool,
    first: Ints,
    target: Ints,
    chance: Numbers,
    begin: int,
) -> tuple[int, int, int]:
    """Write the law of each turn from start number `begin` on; return where it stopped.

    The three numbers are the next start, the entries written and the most moves met in a turn. It
    stops where the entries no longer fit. Positions of a turn are taken from the highest number
    down, which is an order in which all that flows into a position is known before it flows on.
    Where a turn may lead up or stay there is no such order, and the next start is -1.
    """
    mass = np.zeros(result.size)
    steps = np.zeros(result.size, np.int32)
    landed = np.zeros(starts.size)
    heap = np.empty(result.size, np.int32)
    where = np.empty(starts.size, np.int32)
    ends = np.zeros(4)
    count, depth = first[begin], 0
    for s in range(begin, starts.size):
        size = _push(heap, 0, starts[s])
        mass[starts[s]], steps[starts[s]] = 1.0, 0
        touched = 0
        ends[:] = 0.0
        while size > 0:
            here = heap[0]
            size = _pop(heap, size)
            flow, mass[here] = mass[here], 0.0
            if result[here] != ONGOING:
                ends[result[here]] += flow
                continue
            depth = max(depth, steps[here] + 1)
            for row in range(graph.move_first[here], graph.move_first[here + 1]):
                share = flow
                if mixes:
                    share = flow * weight[row]
                    if share == 0.0:
                        continue
                elif row != choice[here]:
                    continue
                for o in range(graph.first[row], graph.first[row + 1]):
                    to, part = graph.target[o], share * graph.chances[graph.kind[o]]
                    if part == 0.0:
                        continue
                    if graph.turns[graph.kind[o]] == 0:
                        if to >= here:
                            return -1, count, depth
                        if mass[to] == 0.0:
                            size = _push(heap, size, to)
                            steps[to] = 0
                        steps[to] = max(steps[to], steps[here] + 1)
                        mass[to] += part
                    elif result[to] != ONGOING:
                        end = result[to]
                        if two and end != DRAW:
                            end = LOSS if end == WIN else WIN
                        ends[end] += part
                    else:
                        if landed[rank[to]] == 0.0:
                            where[touched] = rank[to]
                            touched += 1
                        landed[rank[to]] += part
        fits = count + touched + 3 <= target.size
        for t in range(touched):
            if fits:
                target[count], chance[count] = where[t], landed[where[t]]
                count += 1
            landed[where[t]] = 0.0
        if not fits:
            return s, count, depth
        for end in (WIN, LOSS, DRAW):
            if ends[end] > 0.0:
                target[count], chance[count] = -end, ends[end]
                count += 1
        first[s + 1] = count
    return starts.size, count, depth


@allocating
def aliases(laws: Laws, cut: Ints, pair: Ints) -> None:
    """Write the alias tables of the laws: Vose's method, one start after another."""
    most = 0
    for s in range(laws.first.size - 1):
        most = max(most, laws.first[s + 1] - laws.first[s])
    scaled, small, large = np.empty(most), np.empty(most, np.int32), np.empty(most, np.int32)
    full = 18446744073709551615.0  # 2^64
    for s in range(laws.first.size - 1):
        low, size = laws.first[s], laws.first[s + 1] - laws.first[s]
        total = 0.0
        for i in range(size):
            total += laws.chance[low + i]
        smalls, larges = 0, 0
        for i in range(size):
            scaled[i] = laws.chance[low + i] / total * size
            pair[low + i, 0] = pair[low + i, 1] = laws.target[low + i]
            cut[low + i] = np.uint64(0xFFFFFFFFFFFFFFFF)
            if scaled[i] < 1.0:
                small[smalls] = i
                smalls += 1
            else:
                large[larges] = i
                larges += 1
        while smalls > 0 and larges > 0:
            smalls -= 1
            i, j = small[smalls], large[larges - 1]
            bound = scaled[i] * full
            cut[low + i] = np.uint64(bound) if bound < full else np.uint64(0xFFFFFFFFFFFFFFFF)
            pair[low + i, 1] = laws.target[low + j]
            scaled[j] -= 1.0 - scaled[i]
            if scaled[j] < 1.0:
                larges -= 1
                small[smalls] = j
                smalls += 1
