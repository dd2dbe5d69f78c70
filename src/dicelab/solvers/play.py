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

from dicelab.compiled import compiled, inlined

PLAY, MOST, MIX, LEAST = 0, 1, 2, -1
"""Roles of a seat."""


class Graph(NamedTuple):
    """A table's arrays, as the kernels read them."""

    component_first: Any  # [components + 1]
    cut: Any  # [positions]
    cuts: Any  # [components]
    move_first: Any  # [positions + 1]
    first: Any  # [rows + 1]
    target: Any  # [outcomes]
    passes: Any  # [outcomes]
    chance: Any  # [outcomes]
    chances: Any  # [codes]


class Play(NamedTuple):
    """Who plays how, for what, and the values found so far."""

    seats: int
    sign: int
    role: Any  # [seats]
    weight: Any  # [seats, rows]; [seats, 0] where nobody mixes
    reward: Any  # [seats, rows]; [seats, 0] where nothing is gained on the way
    value: Any  # [seats, positions]
    choice: Any  # [seats, positions] a row, or -1
    never: Any
    tolerance: Any
    zero: Any
    one: Any


@compiled
def is_choosing(role: Any) -> bool:
    """Return whether some seat looks for its best moves."""
    choosing = False
    for seat in range(role.size):
        choosing |= role[seat] == MOST or role[seat] == LEAST
    return choosing


# The functions below are the hot ones. They take plain arrays: Numba counts references to
# the members of a tuple at every use, which costs more than the arithmetic.


@inlined
def row_value(
    row: int,
    seat: int,
    seats: int,
    sign: int,
    first: Any,
    target: Any,
    passes: Any,
    chance: Any,
    chances: Any,
    reward: Any,
    value: Any,
    zero: Any,
) -> Any:
    """Return what a move is worth at the present values."""
    worth = zero
    if reward.size:
        worth = worth + reward[seat, row]
    for o in range(first[row], first[row + 1]):
        if passes[o]:
            worth += sign * chances[chance[o]] * value[(seats - 1) - seat, target[o]]
        else:
            worth += chances[chance[o]] * value[seat, target[o]]
    return worth


@inlined
def best_row(
    present: int,
    begin: int,
    end: int,
    role: int,
    tolerance: Any,
    seat: int,
    seats: int,
    sign: int,
    first: Any,
    target: Any,
    passes: Any,
    chance: Any,
    chances: Any,
    reward: Any,
    value: Any,
    zero: Any,
) -> int:
    """Return the row to play; another than the present one only if it is truly better."""
    best = present if present >= 0 else begin
    if end - begin == 1:
        return best
    most = row_value(
        best, seat, seats, sign, first, target, passes, chance, chances, reward, value, zero
    )
    for row in range(begin, end):
        if row != best:
            worth = row_value(
                row, seat, seats, sign, first, target, passes, chance, chances, reward, value, zero
            )
            if (worth - most) * role > tolerance:
                best, most = row, worth
    return best


@inlined
def add_row(
    row: int,
    share: Any,
    here: int,
    low: int,
    unknowns: int,
    cut: Any,
    base: Any,
    coef: Any,
    seat: int,
    seats: int,
    sign: int,
    first: Any,
    target: Any,
    passes: Any,
    chance: Any,
    chances: Any,
    reward: Any,
    value: Any,
) -> None:
    """Add a move's affine form, times its share, to the form of the position `here`."""
    mine = (here - low) * seats + seat
    if reward.size:
        base[mine] += share * reward[seat, row]
    for o in range(first[row], first[row + 1]):
        to = target[o]
        part = share * chances[chance[o]]
        then = seat
        if passes[o]:
            part = part * sign
            then = (seats - 1) - seat
        if to < low:
            base[mine] += part * value[then, to]
        elif to < here:
            theirs = (to - low) * seats + then
            base[mine] += part * base[theirs]
            for c in range(unknowns):
                coef[mine * unknowns + c] += part * coef[theirs * unknowns + c]
        else:
            coef[mine * unknowns + cut[to] * seats + then] += part


@inlined
def resolved(
    i: int, seat: int, seats: int, unknowns: int, base: Any, coef: Any, unknown: Any
) -> Any:
    """Return the value that an affine form has at the unknowns as they stand."""
    mine = i * seats + seat
    worth = base[mine]
    for c in range(unknowns):
        if coef[mine * unknowns + c] != 0:  # an unknown may be infinite
            worth += coef[mine * unknowns + c] * unknown[c]
    return worth
