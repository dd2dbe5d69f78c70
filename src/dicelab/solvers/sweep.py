"""Sweeps: the values of a component of positions, as affine functions of a few unknowns.

Let the component's positions be visited in solving order. A position read before it was visited
is a *cut*, with an unknown value x_c. Every other value is then known in the form

    v(s) = base(s) + sum over cuts c of coef(s, c) x_c,

because v(s) is an average of values already in that form. At the end the cuts' own equations
x_c = base(c) + sum of coef(c, d) x_d are a small linear system. Where a player chooses, the sweep
takes the move that is best at the present values; sweeps are repeated until no move changes.

Three sorts of problem share this code. With one *seat* and sign -1, both players use one table,
and passing the turn turns a value around. With two seats, a value belongs to a position *and* the
player about to move there, so that the two may play differently. With one seat and sign +1, a
player is alone. A seat's *role* says how it moves: it plays the moves of `choice`, it mixes them
by `weight`, or it looks for the most or the least.

A set of positions that play never leaves gets the value `never`; it is found by looking at the
graph, not at the numbers, and makes no singular system.

Everything here runs compiled on floats and interpreted on `Fraction`, so a sum starts from the
problem's own `zero`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from dicelab.compiled import compiled, inlined

PLAY, MOST, MIX, LEAST = 0, 1, 2, -1
"""Roles of a seat."""

SOLVED, STUCK, LARGE = 0, 1, 2
"""How `settle` ended: all solved; a component did not settle; a component has too many cuts."""


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


class Work(NamedTuple):
    """Room for one component's affine forms and its linear system."""

    base: Any  # [positions x seats]
    coef: Any  # [positions x seats x unknowns]
    alive: Any  # [positions x seats]
    matrix: Any  # [unknowns, unknowns]
    unknown: Any  # [unknowns]
    counts: Any  # positions visited; positions that never end


@compiled
def is_choosing(role: Any) -> bool:
    """Return whether some seat looks for its best moves."""
    choosing = False
    for seat in range(role.size):
        choosing |= role[seat] == MOST or role[seat] == LEAST
    return choosing


# The three functions below are the hot ones. They take plain arrays: Numba counts references to
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


@compiled
def pass_over(graph: Graph, play: Play, low: int, high: int, improving: bool) -> int:
    """Replace each value by what its moves are worth, in solving order; return moves changed."""
    move_first, first, target, passes = graph.move_first, graph.first, graph.target, graph.passes
    chance, chances, reward, value = graph.chance, graph.chances, play.reward, play.value
    seats, sign, zero, tolerance = play.seats, play.sign, play.zero, play.tolerance
    role, weight, choice = play.role, play.weight, play.choice
    changed = 0
    for here in range(low, high):
        begin, end = move_first[here], move_first[here + 1]
        for seat in range(seats):
            if role[seat] == MIX:
                worth = zero
                for row in range(begin, end):
                    if weight[seat, row] != 0:
                        worth += weight[seat, row] * row_value(
                            row,
                            seat,
                            seats,
                            sign,
                            first,
                            target,
                            passes,
                            chance,
                            chances,
                            reward,
                            value,
                            zero,
                        )
                value[seat, here] = worth
                continue
            row = choice[seat, here]
            if role[seat] != PLAY and improving:
                row = best_row(
                    row,
                    begin,
                    end,
                    role[seat],
                    tolerance,
                    seat,
                    seats,
                    sign,
                    first,
                    target,
                    passes,
                    chance,
                    chances,
                    reward,
                    value,
                    zero,
                )
                if row != choice[seat, here]:
                    choice[seat, here] = row
                    changed += 1
            value[seat, here] = row_value(
                row, seat, seats, sign, first, target, passes, chance, chances, reward, value, zero
            )
    return changed


@compiled
def improve(graph: Graph, play: Play, low: int, high: int) -> int:
    """Let every seat that chooses take its best moves, values as they are; return the changes."""
    changed = 0
    for here in range(low, high):
        for seat in range(play.seats):
            if play.role[seat] == PLAY or play.role[seat] == MIX:
                continue
            row = best_row(
                play.choice[seat, here],
                graph.move_first[here],
                graph.move_first[here + 1],
                play.role[seat],
                play.tolerance,
                seat,
                play.seats,
                play.sign,
                graph.first,
                graph.target,
                graph.passes,
                graph.chance,
                graph.chances,
                play.reward,
                play.value,
                play.zero,
            )
            if row != play.choice[seat, here]:
                play.choice[seat, here] = row
                changed += 1
    return changed


@compiled
def sweep(graph: Graph, play: Play, work: Work, unknowns: int, low: int, high: int) -> bool:
    """Bring every position of a component into affine form; return whether a move changed."""
    move_first, first, target, passes = graph.move_first, graph.first, graph.target, graph.passes
    chance, chances, reward, value = graph.chance, graph.chances, play.reward, play.value
    seats, sign, zero, tolerance = play.seats, play.sign, play.zero, play.tolerance
    role, weight, choice, cut = play.role, play.weight, play.choice, graph.cut
    base, coef, unknown = work.base, work.coef, work.unknown
    choosing = is_choosing(role)
    changed = False
    for here in range(low, high):
        begin, end = move_first[here], move_first[here + 1]
        for seat in range(seats):
            mine = (here - low) * seats + seat
            base[mine] = zero
            for c in range(unknowns):
                coef[mine * unknowns + c] = zero
            if role[seat] == MIX:
                for row in range(begin, end):
                    if weight[seat, row] != 0:
                        add_row(
                            row,
                            weight[seat, row],
                            here,
                            low,
                            unknowns,
                            cut,
                            base,
                            coef,
                            seat,
                            seats,
                            sign,
                            first,
                            target,
                            passes,
                            chance,
                            chances,
                            reward,
                            value,
                        )
                continue
            row = choice[seat, here]
            if role[seat] != PLAY:
                row = best_row(
                    row,
                    begin,
                    end,
                    role[seat],
                    tolerance,
                    seat,
                    seats,
                    sign,
                    first,
                    target,
                    passes,
                    chance,
                    chances,
                    reward,
                    value,
                    zero,
                )
                if row != choice[seat, here]:
                    choice[seat, here] = row
                    changed = True
            add_row(
                row,
                play.one,
                here,
                low,
                unknowns,
                cut,
                base,
                coef,
                seat,
                seats,
                sign,
                first,
                target,
                passes,
                chance,
                chances,
                reward,
                value,
            )
        if choosing:  # later positions of this sweep choose by these values
            for seat in range(seats):
                value[seat, here] = resolved(here - low, seat, seats, unknowns, base, coef, unknown)
    work.counts[0] += high - low
    return changed


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


@compiled
def mark_alive(graph: Graph, play: Play, alive: Any, low: int, high: int) -> None:
    """Mark the positions of a component from which play, as it is chosen, may ever leave it."""
    for i in range((high - low) * play.seats):
        alive[i] = False
    changed = True
    while changed:
        changed = False
        for here in range(low, high):
            for seat in range(play.seats):
                mine = (here - low) * play.seats + seat
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
                        then = (play.seats - 1) - seat if graph.passes[o] else seat
                        if to < low or alive[(to - low) * play.seats + then]:
                            alive[mine] = True
                            changed = True
                            break


@compiled
def can_stay(graph: Graph, play: Play, leaves: Any, low: int, high: int, tight: bool) -> bool:
    """Return whether the two players together could stay in a component for ever.

    With `tight`, only by moves as good as the best, and only where the game is not worth `never`
    anyway: then leaving and staying look alike although they are not.
    """
    move_first, first, target, passes = graph.move_first, graph.first, graph.target, graph.passes
    chance, chances, reward, value = graph.chance, graph.chances, play.reward, play.value
    sign, zero, tolerance, never = play.sign, play.zero, play.tolerance, play.never
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
                    lost = value[0, here] - row_value(
                        row, 0, 1, sign, first, target, passes, chance, chances, reward, value, zero
                    )
                    inside = lost <= 1000 * tolerance
                if inside:
                    stays = True
                    break
            if not stays:
                leaves[here - low] = True
                left += 1
                changed = True
    return left < high - low


@compiled
def eliminate(matrix: Any, right: Any, size: int) -> bool:
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


@compiled
def close(graph: Graph, play: Play, work: Work, unknowns: int, low: int, high: int) -> bool:
    """Solve for a component's unknowns and set all its values; return False if that failed."""
    base, coef, unknown, matrix, alive = work.base, work.coef, work.unknown, work.matrix, work.alive
    seats, value, cut = play.seats, play.value, graph.cut
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
    if risky:
        mark_alive(graph, play, alive, low, high)
        for here in range(low, high):
            for seat in range(seats):
                if cut[here] >= 0 and not alive[(here - low) * seats + seat]:
                    i = cut[here] * seats + seat
                    for c in range(unknowns):
                        matrix[i, c] = play.zero
                    matrix[i, i] = play.one
                    unknown[i] = play.never
    if not eliminate(matrix, unknown, unknowns):
        return False
    for here in range(low, high):
        for seat in range(seats):
            value[seat, here] = resolved(here - low, seat, seats, unknowns, base, coef, unknown)
            if risky and not alive[(here - low) * seats + seat]:
                value[seat, here] = play.never
                work.counts[1] += 1
    return True


@compiled
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
    choosing = is_choosing(play.role)
    while component < last:
        low, high = graph.component_first[component], graph.component_first[component + 1]
        unknowns = graph.cuts[component] * play.seats
        size = (high - low) * play.seats
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
                for seat in range(play.seats):
                    play.value[seat, here] = work.unknown[graph.cut[here] * play.seats + seat]
        sweeps = 0
        while True:
            changed = sweep(graph, play, work, unknowns, low, high)
            sweeps += 1
            if not close(graph, play, work, unknowns, low, high):
                return component, STUCK
            # The first sweep chose by a guess: that it changed nothing proves nothing.
            if not changed and (sweeps > 1 or not choosing):
                break
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
