"""The certificate: bounds that prove themselves in one pass.

Write every value as its player A sees it, and let L and U be bounds with L <= U. One pass checks,
at each position, that

    L < what A's move is worth where every later value is L,     where A is to move,
    L < what any of B's moves leaves A, every later value L,     where B is to move,

and the mirror image for U. Then along any play in which A keeps to these moves, L rises on average
by a fixed amount at each step. It is bounded, so the game ends, whatever B does; and when it
ends A has got at least L on average. So L is a true lower bound, and U likewise an upper one, also
where careless play could go on for ever. Where L is no more than what never ending is worth,
equality is enough. Moves with a certain outcome, such as passing, lose nothing to rounding and may
be equalities too; a second check shows that no play can go round by such moves alone.

Where points are gained on the way, "worth" above includes what a move gains, counted for A where A
moves and against A where B does. Let W be what A has gained so far, and L where play stands. Then W
rises on average by a fixed amount d at each strict step, stays as it is at each equality, and never
moves by more than a fixed amount at once. So it is no longer L that is bounded. But such a W, over
infinitely many strict steps, grows without end, almost surely, and has never been far below where
it began: the chance of a fall by k dies out exponentially in k (Azuma). So play that makes
infinitely many strict steps gains A more than any bound; play that makes finitely many ends, or
goes round by equalities, which gain nothing and have L no more than `never`. Stop W when it first
exceeds k: up to there it is bounded above, so its mean is at least the L it began with; afterwards
it falls, on average, by no more than a constant; and the chance to get there and end all the same
vanishes as k grows. So A gets at least L on average, whatever B does, and U likewise. It follows
that play by the moves found on both sides ends, or goes round for nothing. A circle whose gains
cancel out cannot pass, since L would rise around it: `circles` says more.

Where only one player chooses, alone or against a player whose moves are given, equality is enough
everywhere: U holds whatever he does, as long as going round for ever is worth no more than U; and L
holds if play by his moves ends, which the graph shows. A move all of whose outcomes have the bounds
of its own position is such an equality, free of rounding. That serves end components, where he may
go round as he likes at no cost: they get one value and one error.

The bounds are found by following the rounding errors: e = u + P e, where u is what a position's own
arithmetic may have lost and P is play by the moves found. One guess at u for all positions, or
twice as much, does for most games; where it makes for wide bounds, u is measured position by
position. If other moves are nearly as good and lead to larger errors, that is not enough; then e is
the worst that any move can bring, less what the move itself loses: a problem of best moves again.
Each check counts its own rounding in.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from dicelab.core.arrays import Array, Floats, Ints, Numbers
from dicelab.core.exact import at_least
from dicelab.core.jit import inlined, jit
from dicelab.errors import NotSolved
from dicelab.solvers.decisions import Graph, Play, next_seat
from dicelab.solvers.end_components import end_components, level, row_losses
from dicelab.solvers.equalities import is_level, refuse_endless
from dicelab.solvers.problem import LEAST, MIX, MOST, PLAY, Problem
from dicelab.solvers.settle import settle

EPSILON = 2.0**-52
ROUNDING = 2.0**-53
"""The share of a number that rounding can cost."""
UNIT = 2.0**-42
"""Errors are added up in this unit: large beside what counts as a better move, small beside 1."""
MODEST = 2.0**-36
"""Beside the largest value, how large an error may be that was only guessed."""
SMALL = 2.0**-20
"""Beside the range of all values, how large an error may be next to an end of that range."""
LOST = 2.0**-50
"""Beside the largest value, what a move may lose and still be one of an end component."""
MOST_TRIES = 12
NOWHERE = np.empty((0, 0))
"""Where to write numbers that nobody reads."""


@inlined
def row_interval(
    graph: Graph, play: Play, error: Floats, row: int, seat: int
) -> tuple[float, float, float]:
    """Return a move's worth, how far later errors can shift it, and its own rounding."""
    worth, shift, size = 0.0, 0.0, 0.0
    if play.reward.size:
        worth = play.reward[seat, row]
        size = abs(worth)
    begin, end = graph.first[row], graph.first[row + 1]
    for o in range(begin, end):
        kind, to = graph.kind[o], graph.target[o]
        then = next_seat(play, seat, kind)
        term = play.parts[kind] * play.value[then, to]
        worth += term
        shift += abs(play.parts[kind]) * error[then, to]
        size += abs(term)
    # A chance, its product and a sum of n of them are each off by a part in 2^53: n + 1 such parts.
    # One more is for the reward, and six for what is done with the sums: the check is strict.
    rounding = (end - begin + 8) * ROUNDING * (size + shift)
    free = not play.reward.size or play.reward[seat, row] == 0.0
    if free and end - begin == 1 and abs(play.parts[graph.kind[begin]]) == 1.0:
        rounding = 0.0  # a certain move only copies a value
    return worth, shift, rounding


@jit
def ways_interval(
    graph: Graph, play: Play, error: Floats, row: int, seat: int
) -> tuple[float, float, float, float]:
    """Return the same for a move with choices after its throws, by the ways that are taken.

    The last number is the most that the move can be worth, errors counted in, whichever ways are
    taken. Its rounding is never 0, so that such moves are always strict.
    """
    worth, shift, size, most = 0.0, 0.0, 0.0, 0.0
    best, widest, throws = 0.0, 0.0, 0
    begin, end = graph.first[row], graph.first[row + 1]
    for o in range(begin, end):
        kind, to = graph.kind[o], graph.target[o]
        then = next_seat(play, seat, kind)
        term, more = (
            play.parts[kind] * play.value[then, to],
            abs(play.parts[kind]) * error[then, to],
        )
        if play.taken[seat, o]:
            worth, shift = worth + term, shift + more
        if not graph.another[kind]:
            throws += 1
            most, size, best, widest = most + best, size + widest, term + more, abs(term) + more
        else:
            best, widest = max(best, term + more), max(widest, abs(term) + more)
    # Of the ways after a throw one goes into each sum, so that these have as many terms as throws.
    rounding = (throws + 8) * ROUNDING * (size + widest)
    return worth, shift, rounding, most + best


@jit
def shortfalls(graph: Graph, play: Play, error: Floats, short: Floats) -> int:
    """Write by how much each position's bounds fail its check, if asked; return how many do."""
    value, role, weight, choice = play.value, play.role, play.weight, play.choice
    failed = 0
    for here in range(value.shape[1]):
        begin, end = graph.move_first[here], graph.move_first[here + 1]
        for seat in range(len(play.role)):
            worst, all_level = 0.0, True
            mixed, mixed_shift, mixed_rounding = 0.0, 0.0, 0.0
            for row in range(begin, end):
                if role[seat] == MIX and weight[seat, row] == 0:
                    continue
                if role[seat] == PLAY and row != choice[seat, here]:
                    continue
                if play.taken.size:
                    worth, shift, rounding, most = ways_interval(graph, play, error, row, seat)
                    above = most - value[seat, here] + rounding
                    below = value[seat, here] - worth + shift + rounding
                    if row != choice[seat, here]:
                        below = 0.0
                    if error[seat, here] <= SMALL * (play.most - play.least):
                        if value[seat, here] + error[seat, here] >= play.most:
                            above = 0.0
                        if value[seat, here] - error[seat, here] <= play.least:
                            below = 0.0
                    worst = max(worst, above, below)
                    continue
                worth, shift, rounding = row_interval(graph, play, error, row, seat)
                if role[seat] == MIX:
                    all_level = all_level and is_level(graph, play, error, row, seat, here)
                    mixed += weight[seat, row] * worth
                    mixed_shift += weight[seat, row] * shift
                    mixed_rounding += weight[seat, row] * (rounding + 4 * EPSILON * abs(worth))
                    continue
                above = worth - value[seat, here] + shift + rounding
                below = value[seat, here] - worth + shift + rounding
                if role[seat] != PLAY and row != choice[seat, here]:  # may be worse, not better
                    above, below = (above, 0.0) if role[seat] == MOST else (0.0, below)
                if max(above, below) > error[seat, here]:
                    if is_level(graph, play, error, row, seat, here):
                        continue
                    # No play brings more than the most there is: a bound up there needs no proof,
                    # as long as it is a bound and not just the range of all values.
                    if error[seat, here] <= SMALL * (play.most - play.least):
                        if value[seat, here] + error[seat, here] >= play.most:
                            above = 0.0
                        if value[seat, here] - error[seat, here] <= play.least:
                            below = 0.0
                worst = max(worst, above, below)
            if role[seat] == MIX and end > begin and not all_level:
                worst = abs(mixed - value[seat, here]) + mixed_shift + mixed_rounding
            if short.size:
                short[seat, here] = max(0.0, worst - error[seat, here])
            if worst > error[seat, here]:
                failed += 1
    return failed


@jit
def grow(own: Array, short: Array) -> None:
    """Make the own errors larger where the bounds fall short."""
    for seat in range(own.shape[0]):
        for here in range(own.shape[1]):
            if short[seat, here] > 0:
                own[seat, here] = 4 * own[seat, here] + 2 * short[seat, here]


def certify(problem: Problem) -> Floats:
    """Return, for each value of a settled problem, how far it may be from the truth."""
    _refuse_infinite(problem.value)
    for times in (1, 2):
        error = _guessed(problem, times)
        if error is None or not shortfalls(problem.graph, problem.play, error, NOWHERE):
            break
    else:
        error = None
    if error is None:
        error = _measured(problem)
    refuse_endless(problem, error)
    return error


def _guessed(problem: Problem, times: int) -> Floats | None:
    """Return the errors if every position loses the most that one can; None if they grow large.

    The most is what checking a position loses, some number of times.
    """
    widest = _most_terms(problem)
    given = [each for each in (problem.value, problem.reward) if each.size]
    size = max(float(max(-each.min(), each.max())) for each in given)
    own = np.full((problem.seats, 1), times * (widest + 12) * ROUNDING * size)
    try:
        error = _accumulated(problem, own)
    except NotSolved:
        return None
    return error if error.max() < MODEST * size else None


def _most_terms(problem: Problem) -> int:
    """Return how many terms the mean of a move has at most; of the ways after a throw, one."""
    arrays = problem.arrays
    if not problem.taken.size or not arrays.rows:
        return int(np.diff(arrays.outcome_first).max(initial=0))
    heads = np.append(0, np.cumsum(~arrays.another[arrays.kind]))
    return int(np.diff(heads[arrays.outcome_first]).max())


def _measured(problem: Problem) -> Array:
    """Return errors that pass, from what each position was seen to lose."""
    own, short = (np.zeros_like(problem.value) for _ in range(2))
    error = _of_ends(problem)
    for tries in range(MOST_TRIES):
        if not shortfalls(problem.graph, problem.play, error, short):
            return error
        # Adding alone can creep up on what a tied move that leads back needs: grow as well.
        grow(own, short)
        try:
            error = _at_worst(problem, own, tries) if tries else _accumulated(problem, own)
        except NotSolved:  # moves as good as the best may go round nearly for ever
            break
        _refuse_infinite(error)
    raise NotSolved(
        f"{{game}} could not be certified: the bounds at {{at}} still fail "
        f"by {short.max():.1e} after {tries + 1} tries",
        int(short.max(axis=0).argmax()),
    )


def _refuse_infinite(numbers: Floats) -> None:
    """Refuse values or errors that are no numbers: every comparison with one is idle."""
    wrong = ~np.isfinite(numbers).all(axis=0)
    if wrong.any():
        at = int(wrong.argmax())
        raise NotSolved("{game} could not be certified: floats lose what {at} is worth", at)


def _accumulated(problem: Problem, own: Numbers) -> Floats:
    """Return the errors that each position's own error adds up to in play by the moves found."""
    role = tuple(MIX if each == MIX else PLAY for each in problem.role)
    return _settled_errors(problem, role, problem.choice, own=own / UNIT)


def _at_worst(problem: Problem, own: Floats, tries: int) -> Floats:
    """Return the errors at worst: any moves may be made, which then lose what they are worse.

    Where one player alone chooses, his end components are first made level: in them he moves free
    of errors. More and more moves count as those of an end component with every try.
    """
    if problem.taken.size:
        raise NotSolved("{game} could not be certified with its choices after throws folded")
    role = tuple(MOST if each in (MOST, LEAST) else each for each in problem.role)
    losses = np.zeros((problem.seats, problem.arrays.rows))
    row_losses(problem.graph, problem.play, losses, 0, len(problem.arrays))
    rewards = np.take(own, problem.arrays.row_position, axis=1)
    rewards += losses
    label = None
    if problem.sign > 0:
        size = float(np.abs(problem.value).max(initial=0.0))
        label, inner = end_components(problem, losses, 4.0**tries * LOST * size)
        level(label, problem.value)
        rewards[inner] = 0.0
    rewards /= UNIT
    error = _settled_errors(problem, role, problem.choice.copy(), reward=rewards)
    if label is not None:
        level(label, error)
    return error


def _of_ends(problem: Problem) -> Floats:
    """Return the errors of ends whose worth is no float, 0 elsewhere. `[seats, positions]`"""
    error, over = np.zeros_like(problem.value), ~problem.arrays.is_ongoing
    lost = problem.end_worths(lambda worth: at_least(abs(Fraction(float(worth)) - worth)))
    for seat, each in enumerate(lost):
        if each.any():
            error[seat, over] = each.astype(np.float64)[problem.arrays.end[over]]
    return error


def _settled_errors(problem: Problem, role: tuple[int, ...], choice: Ints, **given: Any) -> Floats:
    """Return errors that were added up in their unit, and a little more."""
    arrays, seats = problem.arrays, problem.seats
    given |= {"choice": choice, "weight": problem.weight, "taken": problem.taken}
    given |= {"accuracy": 1e-6}
    errors = Problem(arrays, seats, 1, role, {}, **given)
    errors.value += _of_ends(problem) / UNIT
    settle(errors)
    errors.value *= UNIT * (1 + 1e-9)
    return errors.value
