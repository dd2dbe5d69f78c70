"""Ends: whether play, as it is chosen or as it might be, ever leaves a component.

These look at the graph, not at the numbers, so that play without an end is found as such and never
shows up as a singular system.
"""

from __future__ import annotations

import numpy as np

from dicelab.core.arrays import Array, Bools, Floats, Ints
from dicelab.core.jit import jit
from dicelab.solvers.decisions import MIX, MOST, Graph, Play, next_seat

DEAD, ALIVE, IDLE = 0, 1, 2
"""Where play leads: round for ever, out of the component, or round for ever without any gain."""


@jit
def mark_idle(graph: Graph, play: Play, alive: Array, low: int, high: int) -> None:
    """Mark as idle where one player goes round for ever and nothing is gained or lost by it."""
    for here in range(low, high):
        alive[here - low] = IDLE if play.reward[0, play.choice[0, here]] == 0 else DEAD
    changed = True
    while changed:
        changed = False
        for here in range(low, high):
            if alive[here - low] != IDLE:
                continue
            row = play.choice[0, here]
            for o in range(graph.first[row], graph.first[row + 1]):
                to = graph.target[o]
                if to < low or alive[to - low] != IDLE:
                    alive[here - low] = DEAD
                    changed = True
                    break


@jit
def mark_alive(graph: Graph, play: Play, alive: Array, low: int, high: int) -> None:
    """Mark the positions of a component from which play, as it is chosen, may ever leave it.

    Where going round without gain has its own worth, play that may come to that is alive as well:
    positions that are `IDLE` when it comes in stay so, and all others are `DEAD`.
    """
    seats = len(play.role)
    changed = True
    while changed:
        changed = False
        for here in range(low, high):
            for seat in range(seats):
                mine = (here - low) * seats + seat
                if alive[mine] != DEAD:
                    continue
                for row in range(graph.move_first[here], graph.move_first[here + 1]):
                    if play.role[seat] == MIX:
                        if play.weight[seat, row] == 0:
                            continue
                    elif row != play.choice[seat, here]:
                        continue
                    for o in range(graph.first[row], graph.first[row + 1]):
                        if play.taken.size and not play.taken[seat, o]:
                            continue
                        to = graph.target[o]
                        then = next_seat(play, seat, graph.kind[o])
                        if to < low or alive[(to - low) * seats + then] != DEAD:
                            alive[mine] = ALIVE
                            changed = True
                            break


@jit
def mark_ending(graph: Graph, play: Play, ending: Array) -> None:
    """Mark, `[seats, positions]`, from where play by the moves chosen may reach an end."""
    for c in range(graph.cuts.size):
        low, high = graph.component_first[c], graph.component_first[c + 1]
        changed = True
        while changed:
            changed = False
            for here in range(low, high):
                begin, end = graph.move_first[here], graph.move_first[here + 1]
                for seat in range(len(play.role)):
                    found = begin == end
                    for row in range(begin, end):
                        if play.role[seat] == MIX:
                            if play.weight[seat, row] == 0:
                                continue
                        elif row != play.choice[seat, here]:
                            continue
                        for o in range(graph.first[row], graph.first[row + 1]):
                            if play.taken.size and not play.taken[seat, o]:
                                continue
                            then = next_seat(play, seat, graph.kind[o])
                            found |= ending[then, graph.target[o]]
                    if found and not ending[seat, here]:
                        ending[seat, here] = True
                        changed = graph.cuts[c] > 0 or len(play.role) > 1


@jit
def can_stay(graph: Graph, play: Play, leaves: Array, low: int, high: int, tight: bool) -> bool:
    """Return whether the two players together could stay in a component for ever.

    With `tight`, only by moves as good as the best, and only where the game is not worth `never`
    anyway: then leaving and staying look alike although they are not.
    """
    move_first, first, target, value = graph.move_first, graph.first, graph.target, play.value
    tolerance, never = play.tolerance, play.never
    left = 0
    for here in range(low, high):
        leaves[here - low] = tight and abs(value[0, here] - never) <= tolerance
        left += 1 if leaves[here - low] else 0  # an int, which a sum of bytes would not be
    changed = True
    while changed and left < high - low:
        changed = False
        for here in range(low, high):
            if leaves[here - low]:
                continue
            stays = False
            for row in range(move_first[here], move_first[here + 1]):
                worth, best = play.zero, play.zero
                stays_here = True  # after the present throw there is a way that stays
                for o in range(first[row], first[row + 1]):
                    kind = graph.kind[o]
                    if not graph.another[kind]:
                        if not stays_here:
                            break
                        worth, best, stays_here = worth + best, play.zero, False
                    if target[o] < low or leaves[target[o] - low]:
                        continue
                    if tight:
                        part = play.parts[kind] * value[0, target[o]]
                        best = max(best, part) if stays_here else part
                    stays_here = True
                inside = stays_here
                if inside and tight:
                    if play.reward.size:
                        worth = worth + play.reward[0, row]
                    inside = value[0, here] - (worth + best) <= 1000 * tolerance
                if inside:
                    stays = True
                    break
            if not stays:
                leaves[here - low] = True
                left += 1
                changed = True
    return left < high - low


@jit
def staying_rows(
    graph: Graph, role: tuple[int, ...], turns: Array, played: Array, choice: Array, stays: Array
) -> None:
    """Choose, wherever it can be done, a move with which play goes round for ever.

    `played` [seats, rows] are the moves that a fixed player makes, and those that one who chooses
    may take; `stays` [seats, positions] comes to mark where play goes round.
    """
    move_first, first, target, kind = graph.move_first, graph.first, graph.target, graph.kind
    seats = len(role)
    for c in range(graph.cuts.size):
        if graph.cuts[c] == 0:
            continue
        low, high = graph.component_first[c], graph.component_first[c + 1]
        for seat in range(seats):
            for here in range(low, high):
                stays[seat, here] = True
        changed = True
        while changed:
            changed = False
            for here in range(low, high):
                for seat in range(seats):
                    if not stays[seat, here]:
                        continue
                    found, missed = -1, False
                    for row in range(move_first[here], move_first[here + 1]):
                        if not played[seat, row]:
                            continue
                        inside = True
                        for o in range(first[row], first[row + 1]):
                            then = seat ^ turns[kind[o]] if seats > 1 else seat
                            if target[o] < low or not stays[then, target[o]]:
                                inside = False
                                break
                        if inside and found < 0:
                            found = row
                        missed |= not inside
                    if found < 0 or (role[seat] != MOST and missed):
                        stays[seat, here] = False
                        changed = True
                    elif role[seat] == MOST:
                        choice[seat, here] = found


@jit
def ending_rows(graph: Graph, length: Floats, choice: Ints, way: Floats) -> int:
    """Choose, wherever it can be done, a move that may lead to the end; return how often not.

    `way` is 0 at ends of the game and infinite elsewhere; `length` [kinds] is that of a step, the
    longer the less likely. Play by these moves ends almost surely: each begins the likeliest way
    out of its component. Any way would do on paper, but one that needs fifty throws of a coin
    floats cannot tell from none.
    """
    move_first, first, target = graph.move_first, graph.first, graph.target
    component_first = graph.component_first
    lost = 0
    for c in range(component_first.size - 1):
        low, high = component_first[c], component_first[c + 1]
        changed = True
        while changed:
            changed = False
            for here in range(low, high):
                for row in range(move_first[here], move_first[here + 1]):
                    for o in range(first[row], first[row + 1]):
                        to = target[o]
                        on = length[graph.kind[o]] + (way[to] if to >= low else 0.0)
                        if on < way[here] and way[to] < np.inf:
                            choice[here], way[here] = row, on
                            changed = True
        for here in range(low, high):
            if way[here] == np.inf:
                lost += 1
    return lost


def circling(graph: Graph, rows: Bools) -> Bools:
    """Return which of some rows can be played again and again for ever. `[rows]`

    These are the rows of the maximal end components: sets of positions that play can go round in,
    each reaching every other, by rows that never leave the set.
    """
    from scipy.sparse import csr_matrix
    from scipy.sparse.csgraph import connected_components

    kept = rows.copy()
    size, counts = graph.move_first.size - 1, np.diff(graph.first).astype(np.int64)
    row = np.repeat(np.arange(counts.size), counts)
    source = np.repeat(np.arange(size), np.diff(graph.move_first).astype(np.int64))[row]
    target = graph.target.astype(np.int64)
    while kept.any():
        used = kept[row]
        edges = csr_matrix((np.ones(used.sum()), (source[used], target[used])), (size, size))
        edges.sum_duplicates()
        _, label = connected_components(edges, connection="strong")
        leaving = np.unique(row[used & (label[source] != label[target])])
        if not leaving.size:
            break
        kept[leaving] = False
    return kept
