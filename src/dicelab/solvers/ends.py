"""Ends: whether play, as it is chosen or as it might be, ever leaves a component.

These look at the graph, not at the numbers, so that play without an end is found as such and never
shows up as a singular system.
"""

from __future__ import annotations

import numpy as np

from dicelab.core.arrays import Array, Floats
from dicelab.core.jit import inlined, jit
from dicelab.solvers.decisions import MIX, MOST, Graph, Play, next_seat

DEAD, ALIVE, IDLE = 0, 1, 2
"""Where play leads: round for ever, out of the component, or round for ever without any gain."""


@inlined
def is_made(play: Play, seat: int, here: int, row: int) -> bool:
    """Return whether a move is made, as it is chosen or by chance."""
    if play.role[seat] == MIX:
        return bool(play.weight[seat, row] != 0)
    return row == play.choice[seat, here]


@jit
def mark_idle(graph: Graph, play: Play, alive: Array, low: int, high: int) -> None:
    """Mark as idle where play goes round for ever and nothing is gained or lost by it."""
    seats = len(play.role)
    for i in range((high - low) * seats):
        alive[i] = IDLE
    changed = True
    while changed:
        changed = False
        for here in range(low, high):
            for seat in range(seats):
                mine = (here - low) * seats + seat
                for row in range(graph.move_first[here], graph.move_first[here + 1]):
                    if alive[mine] != IDLE or not is_made(play, seat, here, row):
                        continue
                    idle = play.reward[seat, row] == 0
                    for o in range(graph.first[row], graph.first[row + 1]):
                        to = graph.target[o]
                        then = next_seat(play, seat, graph.kind[o])
                        idle = idle and to >= low and alive[(to - low) * seats + then] == IDLE
                    if not idle:
                        alive[mine] = DEAD
                        changed = True


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
                    if not is_made(play, seat, here, row):
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
                        if not is_made(play, seat, here, row):
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

    With `tight`, only by moves as good as the best, that gain nothing, and only where the game is
    not worth `never` anyway: then leaving and staying look alike although they are not.
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
                    inside = value[0, here] - (worth + best) <= 1000 * tolerance
                    if play.reward.size:
                        inside = inside and play.reward[0, row] == 0
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
                            then = (seat + turns[kind[o]]) % seats
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
def ending_rows(
    graph: Graph,
    role: tuple[int, ...],
    turns: Array,
    length: Floats,
    played: Array,
    choice: Array,
    way: Array,
) -> int:
    """Choose, wherever it can be done, a move that may lead to the end; return how often not.

    `way` [seats, positions] is 0 at ends of the game and infinite elsewhere; `length` [kinds] is
    that of a step, the longer the less likely; `played` [seats, rows] are the moves that may be
    made. Play by the moves chosen ends almost surely: each begins the likeliest way out of its
    component. Any way would do on paper, but one that needs fifty throws of a coin floats cannot
    tell from none.
    """
    move_first, first, target = graph.move_first, graph.first, graph.target
    component_first, seats = graph.component_first, len(role)
    lost = 0
    for c in range(component_first.size - 1):
        low, high = component_first[c], component_first[c + 1]
        changed = True
        while changed:
            changed = False
            for here in range(low, high):
                for seat in range(seats):
                    for row in range(move_first[here], move_first[here + 1]):
                        if not played[seat, row]:
                            continue
                        for o in range(first[row], first[row + 1]):
                            to = target[o]
                            then = (seat + turns[graph.kind[o]]) % seats
                            on = length[graph.kind[o]] + (way[then, to] if to >= low else 0.0)
                            if on < way[seat, here] and way[then, to] < np.inf:
                                way[seat, here] = on
                                changed = True
                                if role[seat] == MOST:
                                    choice[seat, here] = row
        for here in range(low, high):
            for seat in range(seats):
                if way[seat, here] == np.inf:
                    lost += 1
    return lost
