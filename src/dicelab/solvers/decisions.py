"""Play: a table's arrays, who plays how on them, and what one move is worth.

Three sorts of problem share these. With one *seat* and sign -1, both players use one table, and
passing the turn turns a value around. With two seats, a value belongs to a position *and* the
player about to move there, so that the two may play differently. With one seat and sign +1, a
player is alone. With three seats and more, a value is what the player in seat 0 gets, by who is
about to move; the turn passes as many seats on as the kind of outcome says. There, moves may be
`shared`: all seats play what the first finds best. A seat's *role* says how it moves: it plays the
moves of `choice`, it mixes them by `weight`, or it looks for the most or the least.

Where a seat chooses after throws as well, the ways it takes now are marked in `taken`, outcome by
outcome, and a move is worth what it brings if the best way is taken after every throw.

Everything here runs compiled on floats and interpreted on `Fraction`, so a sum starts from the
problem's own `zero`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from dicelab.core.arrays import Bools, Ints, Numbers, Real
from dicelab.core.jit import inlined, jit

PLAY, MOST, MIX, LEAST = 0, 1, 2, -1
"""Roles of a seat."""


class Graph(NamedTuple):
    """A table's arrays, as the kernels read them."""

    component_first: Ints  # [components + 1]
    cut: Ints  # [positions]
    cuts: Ints  # [components]
    move_first: Ints  # [positions + 1]
    first: Ints  # [rows + 1]
    target: Ints  # [outcomes]
    kind: Ints  # [outcomes]
    chances: Numbers  # [kinds]
    turns: Ints  # [kinds] how many seats on the turn passes
    another: Bools  # [kinds] another way of the throw before


class Play(NamedTuple):
    """Who plays how, for what, and the values found so far."""

    sign: int
    parts: Numbers  # [kinds] chances; times the sign where the turn passes
    turns: Ints  # [kinds] how many seats on the next one sits
    # One for each seat, in a tuple: kernels are compiled for one seat and for two. More seats have
    # theirs in an array, so that one kernel serves them all.
    role: tuple[int, ...]
    weight: Numbers  # [seats, rows]; [seats, 0] where nobody mixes
    reward: Numbers  # [seats, rows]; [seats, 0] where nothing is gained on the way
    own: Numbers  # [seats, positions] what a position brings by itself; [seats, 1] the same for
    # all; [seats, 0] where nothing
    value: Numbers  # [seats, positions]
    choice: Ints  # [seats, positions] a row, or -1
    taken: Bools  # [seats, outcomes] the ways taken; [seats, 0] where nobody chooses after a throw
    never: Real
    least: Real  # no play brings less than this, none brings more than `most`
    most: Real
    tolerance: Real
    zero: Any  # a float or a Fraction, as all numbers here
    one: Real
    gaining: bool  # rewards are what is gained on the way, of which there may be no end
    ending: bool  # every step may end the game, so that no circle is for ever
    shared: bool  # all seats play what the first one finds best


@jit
def is_choosing(role: tuple[int, ...]) -> bool:
    """Return whether some seat looks for its best moves."""
    choosing = False
    for seat in range(len(role)):
        choosing |= role[seat] == MOST or role[seat] == LEAST
    return choosing


@inlined
def own_part(play: Play, seat: int, here: int) -> Real:
    """Return what a position brings by itself, whatever the move."""
    if play.own.shape[1] > 1:
        return play.own[seat, here]
    if play.own.size:
        return play.own[seat, 0]
    return play.zero


@inlined
def next_seat(play: Play, seat: int, kind: int) -> int:
    """Return who moves after an outcome of some kind."""
    if len(play.role) > 2:
        then = seat + play.turns[kind]
        return then - len(play.role) if then >= len(play.role) else then
    return seat ^ play.turns[kind] if len(play.role) > 1 else seat


@inlined
def share_row(play: Play, here: int, seat: int) -> None:
    """Let every seat play the row that the first has chosen, where they share their moves."""
    if len(play.role) > 2 and play.shared and seat == 0:
        for other in range(1, len(play.role)):
            play.choice[other, here] = play.choice[0, here]


@inlined
def signed(number: int) -> int:
    """Return a number that may be compared with -1: with a sign, in compiled code too."""
    return np.int64(number)  # type: ignore[return-value]


@jit
def best_ways(graph: Graph, play: Play, row: int, seat: int) -> Real:
    """Return what a move is worth if after every throw its seat takes the way that is best."""
    worth, best, role = play.zero, play.zero, play.role[seat]
    for o in range(graph.first[row], graph.first[row + 1]):
        kind = graph.kind[o]
        part = play.parts[kind] * play.value[next_seat(play, seat, kind), graph.target[o]]
        if not graph.another[kind]:
            worth, best = worth + best, part
        elif (part - best) * role > 0:
            best = part
    return worth + best


@jit
def taken_value(graph: Graph, play: Play, row: int, seat: int) -> Real:
    """Return what a move is worth by the ways that are taken now."""
    worth = play.zero
    for o in range(graph.first[row], graph.first[row + 1]):
        if play.taken[seat, o]:
            kind = graph.kind[o]
            worth += play.parts[kind] * play.value[next_seat(play, seat, kind), graph.target[o]]
    return worth


@jit
def take_best(graph: Graph, play: Play, row: int, seat: int) -> None:
    """Take the best way after each throw of a move, another than now only if it is better."""
    most, now, role = play.zero, play.zero, play.role[seat]
    begin, end = signed(graph.first[row]), signed(graph.first[row + 1])
    best = begin
    for o in range(begin, end + 1):
        is_end = o == end
        if is_end or not graph.another[graph.kind[o]]:
            if (most - now) * role > 0:  # the throw before this one has a better way
                for other in range(begin, o):
                    play.taken[seat, other] = other == best
            begin = o
            if is_end:
                break
        kind = graph.kind[o]
        part = play.parts[kind] * play.value[next_seat(play, seat, kind), graph.target[o]]
        if o == begin or (part - most) * role > 0:
            best, most = o, part
        if o == begin or play.taken[seat, o]:
            now = part


@jit
def choose(graph: Graph, play: Play, here: int, seat: int) -> bool:
    """Take a better move, or better ways after its throws, if there are; return whether so."""
    role, present = play.role[seat], signed(present_row(graph, play, here, seat))
    now = taken_value(graph, play, present, seat)
    best, most = present, best_ways(graph, play, present, seat)
    for row in range(signed(graph.move_first[here]), signed(graph.move_first[here + 1])):
        if row != present:
            worth = best_ways(graph, play, row, seat)
            if (worth - most) * role > 0:
                best, most = row, worth
    better = (most - now) * role > play.tolerance
    if better:
        take_best(graph, play, best, seat)
    else:
        best = present
    changed = better or play.choice[seat, here] != best
    play.choice[seat, here] = best
    return changed


@inlined
def row_value(graph: Graph, play: Play, row: int, seat: int) -> Real:
    """Return what a move is worth at the present values, by the best way after each throw."""
    if play.taken.size:
        return best_ways(graph, play, row, seat)
    worth = play.zero
    if play.reward.size:
        worth = worth + play.reward[seat, row]
    for o in range(graph.first[row], graph.first[row + 1]):
        kind = graph.kind[o]
        worth += play.parts[kind] * play.value[next_seat(play, seat, kind), graph.target[o]]
    return worth


@inlined
def present_row(graph: Graph, play: Play, here: int, seat: int) -> int:
    """Return the row played so far; to begin with the surest, the one with the fewest outcomes.

    Far behind, moves may be equal to the last digit, and the surest is the one that ends the game.
    """
    row = play.choice[seat, here]
    if row < 0:
        row = graph.move_first[here]
        for other in range(row + 1, graph.move_first[here + 1]):
            outcomes = graph.first[other + 1] - graph.first[other]
            if outcomes < graph.first[row + 1] - graph.first[row]:
                row = other
    return row


@inlined
def best_row(graph: Graph, play: Play, here: int, seat: int) -> int:
    """Return the row to play; another than the present one only if it is truly better.

    Rows are valued in their order, whichever is the present one: a processor foresees that.
    """
    begin, end = graph.move_first[here], graph.move_first[here + 1]
    role = play.role[seat]
    present = present_row(graph, play, here, seat)
    best, most = begin, row_value(graph, play, begin, seat)
    now = most
    for row in range(begin + 1, end):
        worth = row_value(graph, play, row, seat)
        if row == present:
            now = worth
        if (worth - most) * role > 0:
            best, most = row, worth
    return best if (most - now) * role > play.tolerance else present


@inlined
def add_row(
    graph: Graph,
    play: Play,
    base: Numbers,
    coef: Numbers,
    row: int,
    seat: int,
    share: Real,
    here: int,
    low: int,
    unknowns: int,
) -> None:
    """Add a move's affine form, times its share, to the form of the position `here`."""
    seats = len(play.role)
    mine = (here - low) * seats + seat
    if play.reward.size:
        base[mine] += share * play.reward[seat, row]
    for o in range(graph.first[row], graph.first[row + 1]):
        if play.taken.size and not play.taken[seat, o]:
            continue
        to, kind = graph.target[o], graph.kind[o]
        part = share * play.parts[kind]
        then = next_seat(play, seat, kind)
        if to < low:
            base[mine] += part * play.value[then, to]
        elif to < here:
            theirs = (to - low) * seats + then
            base[mine] += part * base[theirs]
            for c in range(unknowns):
                coef[mine * unknowns + c] += part * coef[theirs * unknowns + c]
        else:
            coef[mine * unknowns + graph.cut[to] * seats + then] += part


@inlined
def resolved(base: Numbers, coef: Numbers, unknown: Numbers, mine: int, unknowns: int) -> Real:
    """Return the value that an affine form has at the unknowns as they stand."""
    worth = base[mine]
    for c in range(unknowns):
        if coef[mine * unknowns + c] != 0:  # an unknown may be infinite
            worth += coef[mine * unknowns + c] * unknown[c]
    return worth
