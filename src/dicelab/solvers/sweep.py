"""Sweeps: the values of a component of positions, as affine functions of a few unknowns.

Let the component's positions be visited in solving order. A position read before it was visited
is a *cut*, with an unknown value x_c. Every other value is then known in the form

    v(s) = base(s) + sum over cuts c of coef(s, c) x_c,

because v(s) is an average of values already in that form. At the end the cuts' own equations
x_c = base(c) + sum of coef(c, d) x_d are a small linear system. Where a player chooses, the sweep
takes the move that is best at the present values; sweeps are repeated until no move changes.

A set of positions that play never leaves gets the value `never`; it is found by looking at the
graph, not at the numbers, and makes no singular system. Where something is gained on the way, only
a set that brings no gain has that value: gains that come again and again have no finite sum.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from dicelab.core.arrays import Ints, Numbers, Real
from dicelab.core.jit import jit
from dicelab.solvers.decisions import (
    MIX,
    MOST,
    PLAY,
    Graph,
    Play,
    add_row,
    best_row,
    choose,
    is_choosing,
    next_seat,
    own_part,
    present_row,
    resolved,
    row_value,
    share_row,
    taken_value,
)
from dicelab.solvers.ends import ALIVE, DEAD, can_stay, mark_alive, mark_idle

SOLVED, STUCK, LARGE, ENDLESS = 0, 1, 2, 3
"""How `settle` ended: all solved; a component did not settle; a component has too many cuts; play
that goes round for ever gains without end."""


class Work(NamedTuple):
    """Room for one component's affine forms and its linear system."""

    base: Numbers  # [positions x seats]
    coef: Numbers  # [positions x seats x unknowns]
    alive: Ints  # [positions x seats] DEAD, ALIVE or IDLE
    matrix: Numbers  # [unknowns, unknowns]
    unknown: Numbers  # [unknowns]
    counts: Ints  # positions visited; positions that never end; those that gain for ever


@jit
def pass_over(graph: Graph, play: Play, low: int, high: int, improving: bool) -> int:
    """Replace each value by what its moves are worth, in solving order; return moves changed."""
    changed = 0
    for here in range(low, high):
        for seat in range(len(play.role)):
            if play.role[seat] == MIX:
                worth = own_part(play, seat, here)
                for row in range(graph.move_first[here], graph.move_first[here + 1]):
                    if play.weight[seat, row] != 0:
                        worth += play.weight[seat, row] * row_value(graph, play, row, seat)
                play.value[seat, here] = worth
                continue
            if play.taken.size:
                if play.role[seat] != PLAY and improving and choose(graph, play, here, seat):
                    changed += 1
                worth = taken_value(graph, play, play.choice[seat, here], seat)
                play.value[seat, here] = own_part(play, seat, here) + worth
                continue
            row = play.choice[seat, here]
            if play.role[seat] != PLAY and improving:
                row = best_row(graph, play, here, seat)
                if row != play.choice[seat, here]:
                    play.choice[seat, here] = row
                    share_row(play, here, seat)
                    changed += 1
            play.value[seat, here] = own_part(play, seat, here) + row_value(graph, play, row, seat)
    return changed


@jit
def improve(graph: Graph, play: Play, low: int, high: int) -> int:
    """Let every seat that chooses take its best moves, values as they are; return the changes."""
    changed = 0
    for here in range(low, high):
        for seat in range(len(play.role)):
            if play.role[seat] == PLAY or play.role[seat] == MIX:
                continue
            row = best_row(graph, play, here, seat)
            if row != play.choice[seat, here]:
                play.choice[seat, here] = row
                changed += 1
    return changed


@jit
def sweep(
    graph: Graph, play: Play, work: Work, unknowns: int, low: int, high: int, improving: bool
) -> bool:
    """Bring every position of a component into affine form; return whether a move changed."""
    base, coef, seats = work.base, work.coef, len(play.role)
    choosing = improving and is_choosing(play.role)
    changed = False
    for here in range(low, high):
        for seat in range(seats):
            mine = (here - low) * seats + seat
            base[mine] = own_part(play, seat, here)
            for c in range(unknowns):
                coef[mine * unknowns + c] = play.zero
            if play.role[seat] == MIX:
                for row in range(graph.move_first[here], graph.move_first[here + 1]):
                    share = play.weight[seat, row]
                    if share != 0:
                        add_row(graph, play, base, coef, row, seat, share, here, low, unknowns)
                continue
            row = play.choice[seat, here]
            if play.role[seat] != PLAY and improving:
                if play.taken.size:
                    changed |= choose(graph, play, here, seat)
                    row = play.choice[seat, here]
                else:
                    row = best_row(graph, play, here, seat)
                if row != play.choice[seat, here]:
                    play.choice[seat, here] = row
                    share_row(play, here, seat)
                    changed = True
            add_row(graph, play, base, coef, row, seat, play.one, here, low, unknowns)
        if choosing:  # later positions of this sweep choose by these values
            for seat in range(seats):
                mine = (here - low) * seats + seat
                play.value[seat, here] = resolved(base, coef, work.unknown, mine, unknowns)
    work.counts[0] += high - low
    return changed


@jit
def sweep_one_cut(
    graph: Graph, play: Play, work: Work, low: int, high: int, improving: bool
) -> tuple[bool, Real]:
    """Do what `sweep` does where one position is a cut, as in most of Pig and its kin.

    A form is then two or three numbers, which stay in the processor's registers; moves are
    compared by their forms, and nothing is looked up twice. Two forms that differ by some worth
    and some slope change places only once the unknowns have moved by the one over the other. The
    least such distance comes back too: within its reach, no move changes.
    """
    base, coef, seats = work.base, work.coef, len(play.role)
    x, y = work.unknown[0], work.unknown[seats - 1]
    changed, reach = False, np.inf
    for here in range(low, high):
        for seat in range(seats):
            begin, end = graph.move_first[here], graph.move_first[here + 1]
            present, role = play.choice[seat, here], play.role[seat]
            if role == PLAY or (role != MIX and not improving):
                begin, end = present, present + 1
            kept = present_row(graph, play, here, seat)
            best, most, now = begin, play.zero, play.zero
            b, p, q = play.zero, play.zero, play.zero  # the best move's form: b + p x + q y
            now_b, now_p, now_q = b, p, q
            for row in range(begin, end):
                row_b, row_p, row_q = play.zero, play.zero, play.zero
                if role == MIX and play.weight[seat, row] == 0:
                    continue
                if play.reward.size:
                    row_b = row_b + play.reward[seat, row]
                for o in range(graph.first[row], graph.first[row + 1]):
                    to, kind = graph.target[o], graph.kind[o]
                    part, then = play.parts[kind], next_seat(play, seat, kind)
                    if to < low:
                        row_b += part * play.value[then, to]
                    elif to < here:
                        theirs = (to - low) * seats + then
                        row_b += part * base[theirs]
                        row_p += part * coef[theirs * seats]
                        if seats == 2:
                            row_q += part * coef[theirs * seats + 1]
                    elif then == 0:
                        row_p += part
                    else:
                        row_q += part
                if role == MIX:
                    share = play.weight[seat, row]
                    b, p, q = b + share * row_b, p + share * row_p, q + share * row_q
                    continue
                worth = row_b
                if row_p != 0:  # an unknown may be infinite
                    worth += row_p * x
                if seats == 2 and row_q != 0:
                    worth += row_q * y
                if row == kept:
                    now, now_b, now_p, now_q = worth, row_b, row_p, row_q
                slope = abs(row_p - p) + abs(row_q - q)
                if row > begin and slope != 0:
                    reach = min(reach, abs(worth - most) / slope)
                if row == begin or (worth - most) * role > 0:
                    best, most, b, p, q = row, worth, row_b, row_p, row_q
            if role != MIX:
                if not (most - now) * role > play.tolerance:
                    slope = abs(now_p - p) + abs(now_q - q)
                    if slope != 0:
                        reach = min(reach, (play.tolerance - (most - now) * role) / slope)
                    best, b, p, q = kept, now_b, now_p, now_q
                if best != present:
                    play.choice[seat, here] = best
                    changed = True
            mine = (here - low) * seats + seat
            base[mine] = b + own_part(play, seat, here)
            if seats == 2:
                coef[mine * seats + 1] = q
            coef[mine * seats] = p
    work.counts[0] += high - low
    return changed, reach


@jit
def eliminate(matrix: Numbers, right: Numbers, size: int) -> bool:
    """Solve matrix x = right in place, into `right`; return False if the matrix is singular."""
    for k in range(size):
        pivot = k
        for i in range(k + 1, size):
            if abs(matrix[i, k]) > abs(matrix[pivot, k]):
                pivot = i
        if matrix[pivot, k] == 0:
            return False
        if pivot != k:
            for j in range(k, size):
                matrix[k, j], matrix[pivot, j] = matrix[pivot, j], matrix[k, j]
            right[k], right[pivot] = right[pivot], right[k]
        for i in range(k + 1, size):
            if matrix[i, k] != 0:
                factor = matrix[i, k] / matrix[k, k]
                for j in range(k + 1, size):
                    matrix[i, j] -= factor * matrix[k, j]
                right[i] -= factor * right[k]
    for k in range(size - 1, -1, -1):
        for j in range(k + 1, size):
            if matrix[k, j] != 0:
                right[k] -= matrix[k, j] * right[j]
        right[k] = right[k] / matrix[k, k]
    return True


@jit
def close(graph: Graph, play: Play, work: Work, unknowns: int, low: int, high: int) -> bool:
    """Solve for a component's unknowns and set all its values; return False if that failed."""
    base, coef, unknown, matrix, alive = work.base, work.coef, work.unknown, work.matrix, work.alive
    seats, value, cut = len(play.role), play.value, graph.cut
    risky = False
    for here in range(low, high):
        if cut[here] < 0:
            continue
        for seat in range(seats):
            mine = (here - low) * seats + seat
            i = cut[here] * seats + seat
            total = play.zero
            for c in range(unknowns):
                matrix[i, c] = -coef[mine * unknowns + c]
                total += abs(coef[mine * unknowns + c])
            matrix[i, i] += play.one
            unknown[i] = base[mine]
            if total > 1 - 1e-6:  # only then can a part of the component be without an end
                risky = True
    risky = risky and not play.ending
    if risky:
        for i in range((high - low) * seats):
            alive[i] = DEAD
        if play.gaining and play.never > -np.inf:
            mark_idle(graph, play, alive, low, high)
        mark_alive(graph, play, alive, low, high)
        for here in range(low, high):
            for seat in range(seats):
                if cut[here] >= 0 and alive[(here - low) * seats + seat] != ALIVE:
                    i = cut[here] * seats + seat
                    for c in range(unknowns):
                        matrix[i, c] = play.zero
                    matrix[i, i] = play.one
                    unknown[i] = play.never
    if not eliminate(matrix, unknown, unknowns):
        return False
    for here in range(low, high):
        for seat in range(seats):
            mine = (here - low) * seats + seat
            value[seat, here] = resolved(base, coef, unknown, mine, unknowns)
            if risky and alive[mine] != ALIVE:
                value[seat, here] = play.never
                work.counts[1] += 1
                if play.gaining and alive[mine] == DEAD:
                    work.counts[2] += 1
    return True


@jit
def settle(
    graph: Graph,
    play: Play,
    work: Work,
    component: int,
    last: int,
    most_unknowns: int,
    most_sweeps: int,
) -> tuple[int, int]:
    """Settle components one after another; return the one reached, and how it ended there.

    `play.value` holds the ends of the game when it comes in, all values when it goes out.
    """
    choosing, seats = is_choosing(play.role), len(play.role)
    while component < last:
        low, high = graph.component_first[component], graph.component_first[component + 1]
        unknowns = graph.cuts[component] * seats
        size = (high - low) * seats
        if unknowns > most_unknowns or size * unknowns > work.coef.size:
            return component, LARGE
        if unknowns == 0:
            if graph.move_first[low] < graph.move_first[low + 1]:
                work.counts[0] += 1
                pass_over(graph, play, low, high, True)
            component += 1
            continue
        # A guess to begin with: what the last component's cuts were worth. Neighbours are alike.
        for here in range(low, high):
            if graph.cut[here] >= 0:
                for seat in range(seats):
                    play.value[seat, here] = work.unknown[graph.cut[here] * seats + seat]
        # Moves given to start from are valued before they are improved: a guess must not make
        # a player who would end the game stay in it.
        sweeps = 0
        improving = not (choosing and play.choice[0, low] >= 0)
        while True:
            x, y = work.unknown[0], work.unknown[seats - 1]
            reach: Real = np.inf - np.inf
            if graph.cuts[component] == 1 and seats <= 2 and not play.taken.size:
                changed, reach = sweep_one_cut(graph, play, work, low, high, improving)
            else:
                changed = sweep(graph, play, work, unknowns, low, high, improving)
            sweeps += 1
            if not close(graph, play, work, unknowns, low, high):
                return component, STUCK
            if work.counts[2] > 0 and play.sign < 0:  # the two may yet choose otherwise
                work.counts[2] = 0
                return component, STUCK
            if work.counts[2] > 0 and (play.never > -np.inf or play.tolerance == 0):
                return component, ENDLESS
            if not changed and improving:
                break
            moved = max(abs(work.unknown[0] - x), abs(work.unknown[seats - 1] - y))
            if improving and moved < reach:
                break
            improving = True
            if sweeps >= most_sweeps:
                return component, STUCK
        # Two players who may stay for ever can make leaving at a loss look best.
        if (
            play.sign < 0
            and play.role[0] == MOST
            and can_stay(graph, play, work.alive, low, high, False)
            and can_stay(graph, play, work.alive, low, high, True)
        ):
            return component, STUCK
        component += 1
    return component, SOLVED
