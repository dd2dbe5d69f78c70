"""Play: a table's arrays, who plays how on them, and what one move is worth.

Three sorts of problem share these. With one *seat* and sign -1, both players use one table, and
passing the turn turns a value around. With two seats, a value belongs to a position *and* the
player about to move there, so that the two may play differently. With one seat and sign +1, a
player is alone. A seat's *role* says how it moves: it plays the moves of `choice`, it mixes them
by `weight`, or it looks for the most or the least.

Everything here runs compiled on floats and interpreted on `Fraction`, so a sum starts from the
problem's own `zero`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

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
    passing: Bools  # [kinds]


class Play(NamedTuple):
    """Who plays how, for what, and the values found so far."""

    sign: int
    parts: Numbers  # [kinds] chances; times the sign where the turn passes
    turns: Ints  # [kinds] 1 where the other seat is next, else 0
    role: tuple[
        int, ...
    ]  # one for each seat, in a tuple: kernels are compiled for one seat and for two
    weight: Numbers  # [seats, rows]; [seats, 0] where nobody mixes
    reward: Numbers  # [seats, rows]; [seats, 0] where nothing is gained on the way
    own: Numbers  # [seats, positions] what a position brings by itself; [seats, 1] the same for
    # all; [seats, 0] where nothing
    value: Numbers  # [seats, positions]
    choice: Ints  # [seats, positions] a row, or -1
    never: Real
    least: Real  # no play brings less than this, none brings more than `most`
    most: Real
    tolerance: Real
    zero: Any  # a float or a Fraction, as all numbers here
    one: Real
    gaining: bool  # rewards are what one alone gains, of which there may be no end


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
    return seat ^ play.turns[kind] if len(play.role) > 1 else seat


@inlined
def row_value(graph: Graph, play: Play, row: int, seat: int) -> Real:
    """Return what a move is worth at the present values."""
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
