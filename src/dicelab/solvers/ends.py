"""Ends: whether play, as it is chosen or as it might be, ever leaves a component.

These look at the graph, not at the numbers, so that play without an end is found as such and never
shows up as a singular system.
"""

from __future__ import annotations

from typing import Any

from dicelab.core.jit import jit
from dicelab.solvers.decisions import MIX, Graph, Play, next_seat, row_value


@jit
def mark_alive(graph: Graph, play: Play, alive: Any, low: int, high: int) -> None:
    """Mark the positions of a component from which play, as it is chosen, may ever leave it."""
    seats = len(play.role)
    for i in range((high - low) * seats):
        alive[i] = False
    changed = True
    while changed:
        changed = False
        for here in range(low, high):
            for seat in range(seats):
                mine = (here - low) * seats + seat
                if alive[mine]:
                    continue
                for row in range(graph.move_first[here], graph.move_first[here + 1]):
                    if play.role[seat] == MIX:
                        if play.weight[seat, row] == 0:
                            continue
                    elif row != play.choice[seat, here]:
                        continue
                    for o in range(graph.first[row], graph.first[row + 1]):
                        to = graph.target[o]
                        then = next_seat(play, seat, graph.kind[o])
                        if to < low or alive[(to - low) * seats + then]:
                            alive[mine] = True
                            changed = True
                            break


@jit
def mark_ending(graph: Graph, play: Play, ending: Any) -> None:
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
                            then = next_seat(play, seat, graph.kind[o])
                            found |= ending[then, graph.target[o]]
                    if found and not ending[seat, here]:
                        ending[seat, here] = True
                        changed = graph.cuts[c] > 0 or len(play.role) > 1


@jit
def can_stay(graph: Graph, play: Play, leaves: Any, low: int, high: int, tight: bool) -> bool:
    """Return whether the two players together could stay in a component for ever.

    With `tight`, only by moves as good as the best, and only where the game is not worth `never`
    anyway: then leaving and staying look alike although they are not.
    """
    move_first, first, target, value = graph.move_first, graph.first, graph.target, play.value
    tolerance, never = play.tolerance, play.never
    left = 0
    for here in range(low, high):
        leaves[here - low] = tight and abs(value[0, here] - never) <= tolerance
        left += leaves[here - low]
    changed = True
    while changed and left < high - low:
        changed = False
        for here in range(low, high):
            if leaves[here - low]:
                continue
            stays = False
            for row in range(move_first[here], move_first[here + 1]):
                inside = True
                for o in range(first[row], first[row + 1]):
                    if target[o] < low or leaves[target[o] - low]:
                        inside = False
                        break
                if inside and tight:
                    lost = value[0, here] - row_value(graph, play, row, 0)
                    inside = lost <= 1000 * tolerance
                if inside:
                    stays = True
                    break
            if not stays:
                leaves[here - low] = True
                left += 1
                changed = True
    return left < high - low


@jit
def ending_rows(graph: Graph, choice: Any, alive: Any) -> int:
    """Choose, wherever it can be done, a move that may lead to the end; return how often not.

    Ends of the game are `alive` when it comes in. Play by these moves ends almost surely.
    """
    move_first, first, target = graph.move_first, graph.first, graph.target
    component_first = graph.component_first
    lost = 0
    for c in range(component_first.size - 1):
        changed = True
        while changed:
            changed = False
            for here in range(component_first[c], component_first[c + 1]):
                if alive[here]:
                    continue
                for o in range(first[move_first[here]], first[move_first[here + 1]]):
                    if alive[target[o]]:
                        row = move_first[here]
                        while first[row + 1] <= o:
                            row += 1
                        choice[here] = row
                        alive[here] = True
                        changed = True
                        break
        for here in range(component_first[c], component_first[c + 1]):
            if not alive[here]:
                lost += 1
    return lost
