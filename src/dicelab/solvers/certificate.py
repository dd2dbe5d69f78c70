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

The bounds are found by following the rounding errors: e = u + P e, where u is what a position's own
arithmetic may have lost and P is play by the moves found. One guess at u for all positions does for
most games; where it makes for wide bounds, u is measured position by position. If other moves are
nearly as good and lead to larger errors, that is not enough; then e is the worst that any move can
bring, less what the move itself loses: a problem of best moves again. Each check counts its own
rounding in.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from dicelab.compiled import compiled, inlined
from dicelab.errors import NotSolved
from dicelab.solvers.play import Graph, Play, next_seat, row_value
from dicelab.solvers.problem import LEAST, MIX, MOST, PLAY, Problem

EPSILON = 2.0**-52
ROUNDING = 2.0**-53
"""The share of a number that rounding can cost."""
UNIT = 2.0**-42
"""Errors are added up in this unit: large beside what counts as a better move, small beside 1."""
MODEST = 2.0**-36
"""Beside the largest value, how large an error may be that was only guessed."""
MOST_TRIES = 12
NOWHERE = np.empty((0, 0))
"""Where to write numbers that nobody reads."""


@inlined
def row_interval(
    graph: Graph, play: Play, error: Any, row: int, seat: int
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


@compiled
def shortfalls(graph: Graph, play: Play, error: Any, short: Any) -> int:
    """Write by how much each position's bounds fail its check, if asked; return how many do."""
    value, role, weight, choice = play.value, play.role, play.weight, play.choice
    failed = 0
    for here in range(value.shape[1]):
        begin, end = graph.move_first[here], graph.move_first[here + 1]
        for seat in range(len(play.role)):
            worst = 0.0
            mixed, mixed_shift, mixed_rounding = 0.0, 0.0, 0.0
            for row in range(begin, end):
                if role[seat] == MIX and weight[seat, row] == 0:
                    continue
                if role[seat] == PLAY and row != choice[seat, here]:
                    continue
                worth, shift, rounding = row_interval(graph, play, error, row, seat)
                if role[seat] == MIX:
                    mixed += weight[seat, row] * worth
                    mixed_shift += weight[seat, row] * shift
                    mixed_rounding += weight[seat, row] * (rounding + 4 * EPSILON * abs(worth))
                    continue
                above = worth - value[seat, here] + shift + rounding
                below = value[seat, here] - worth + shift + rounding
                if role[seat] == MOST or role[seat] == PLAY:
                    worst = max(worst, above)
                if role[seat] == LEAST or role[seat] == PLAY:
                    worst = max(worst, below)
                if row == choice[seat, here]:
                    worst = max(worst, below if role[seat] == MOST else above)
            if role[seat] == MIX and end > begin:
                worst = abs(mixed - value[seat, here]) + mixed_shift + mixed_rounding
            if short.size:
                short[seat, here] = max(0.0, worst - error[seat, here])
            if worst > error[seat, here]:
                failed += 1
    return failed


@compiled
def row_losses(graph: Graph, play: Play, losses: Any) -> None:
    """Write what each move is worse than its position's value, below zero."""
    for here in range(play.value.shape[1]):
        for seat in range(len(play.role)):
            for row in range(graph.move_first[here], graph.move_first[here + 1]):
                if play.role[seat] == MOST or play.role[seat] == LEAST:
                    gain = row_value(graph, play, row, seat) - play.value[seat, here]
                    losses[seat, row] = min(0.0, gain * play.role[seat])


@compiled
def grow(own: Any, short: Any) -> None:
    """Make the own errors larger where the bounds fall short."""
    for seat in range(own.shape[0]):
        for here in range(own.shape[1]):
            if short[seat, here] > 0:
                own[seat, here] = 4 * own[seat, here] + 2 * short[seat, here]


@compiled
def sure_rows(graph: Graph, rows: Any) -> int:
    """List the moves whose one certain outcome stays in the component; return how many."""
    count = 0
    for c in range(graph.cuts.size):
        low, high = graph.component_first[c], graph.component_first[c + 1]
        if graph.cuts[c] == 0:
            continue
        for row in range(graph.move_first[low], graph.move_first[high]):
            o = graph.first[row]
            stays = graph.first[row + 1] - o == 1 and graph.target[o] >= low
            if stays and graph.chances[graph.kind[o]] == 1.0:
                if rows.size:
                    rows[count] = row
                count += 1
    return count


def certify(problem: Problem) -> Any:
    """Return, for each value of a settled problem, how far it may be from the truth."""
    _refuse_infinite(problem, problem.value)
    error = _guessed(problem)
    if error is None or shortfalls(problem.graph, problem.play, error, NOWHERE):
        error = _measured(problem)
    _refuse_rings(problem, error)
    return error


def _guessed(problem: Problem) -> Any:
    """Return the errors if every position loses the most that one can; None if they grow large."""
    widest = int(np.diff(problem.table.outcome_first).max(initial=0))
    given = [each for each in (problem.value, problem.reward) if each.size]
    size = max(float(max(-each.min(), each.max())) for each in given)
    own = np.full((problem.seats, 1), (widest + 12) * ROUNDING * size)
    try:
        error = _accumulated(problem, own)
    except NotSolved:
        return None
    return error if error.max() < MODEST * size else None


def _measured(problem: Problem) -> Any:
    """Return errors that pass, from what each position was seen to lose."""
    table = problem.table
    error, own, short = (np.zeros_like(problem.value) for _ in range(3))
    for tries in range(MOST_TRIES):
        if not shortfalls(problem.graph, problem.play, error, short):
            return error
        # Adding alone can creep up on what a tied move that leads back needs: grow as well.
        grow(own, short)
        try:
            error = _accumulated(problem, own, at_worst=tries > 0)
        except NotSolved:  # moves as good as the best may go round nearly for ever
            break
        _refuse_infinite(problem, error)
    worst = table.notation(int(short.max(axis=0).argmax()))
    raise NotSolved(
        f"{table.game} could not be certified: the bounds at {worst} still fail "
        f"by {short.max():.1e} after {tries + 1} tries"
    )


def _refuse_infinite(problem: Problem, numbers: Any) -> None:
    """Refuse values or errors that are no numbers: every comparison with one is idle."""
    wrong = ~np.isfinite(numbers).all(axis=0)
    if wrong.any():
        at = problem.table.notation(int(wrong.argmax()))
        raise NotSolved(
            f"{problem.table.game} could not be certified: floats lose what {at} is worth"
        )


def _accumulated(problem: Problem, own: Any, at_worst: bool = False) -> Any:
    """Return the errors that each position's own error adds up to over the play to come.

    The play is that of the moves found or, at worst, of any moves: those lose what they are worse.
    """
    role, choice, losses = {MIX: MIX}, problem.choice, None
    if at_worst:
        role |= {MOST: MOST, LEAST: MOST}
        choice, losses = choice.copy(), np.zeros((problem.seats, problem.table.rows))
        row_losses(problem.graph, problem.play, losses)
        losses /= UNIT
    own /= UNIT
    errors = Problem(
        problem.table,
        problem.seats,
        1,
        tuple(role.get(each, PLAY) for each in problem.role),
        {},
        choice=choice,
        weight=problem.weight,
        reward=losses,
        own=own,
    )
    errors.settle()
    own *= UNIT
    errors.value *= UNIT * (1 + 1e-9)
    return errors.value


def _refuse_rings(problem: Problem, error: Any) -> None:
    """Refuse bounds above `never` where play may go round by certain moves alone.

    The certified player keeps to the moves found; the other may make any certain move. Moves that
    bring or cost something on the way are no equalities: rounding makes them strict.
    """
    table, size = problem.table, len(problem.table)
    if problem.seats == 2:  # one who replies may always go round, and get `never`
        below = (problem.value + error < problem.never).any(axis=0)
        if below.any():
            at = table.notation(int(below.argmax()))
            raise NotSolved(
                f"{table.game} could not be certified: {at} is worth less than not to end"
            )
    sure = np.empty(sure_rows(problem.graph, np.empty(0, np.int32)), np.int32)
    sure_rows(problem.graph, sure)
    if problem.reward.size:
        sure = sure[(problem.reward[:, sure] == 0).all(axis=0)]
    if not sure.size:
        return
    from scipy.sparse import csr_matrix
    from scipy.sparse.csgraph import connected_components

    source, outcome = table.row_position[sure], table.outcome_first[sure]
    target, passes = table.target[outcome], table.passes(outcome)
    if problem.seats == 1 and problem.sign > 0:
        passes = np.zeros_like(passes)  # alone, the next turn is one's own
    edges = []
    for seat in (0, 1):
        mine = problem.choice[min(seat, problem.seats - 1)]
        kept = mine[source] == sure
        free = seat == 1 and (problem.seats == 1 or problem.role[1] != PLAY)
        used = np.ones_like(kept) if free else kept
        then = np.where(passes, 1 - seat, seat)
        edges.append((source[used] + seat * size, target[used] + then[used] * size))
    tails, heads = (np.concatenate(part) for part in zip(*edges, strict=True))
    graph = csr_matrix((np.ones(tails.size), (tails, heads)), (2 * size, 2 * size))
    _, label = connected_components(graph, connection="strong")
    ring = np.unique(tails[label[tails] == label[heads]])
    own, other = ring[ring < size], ring[ring >= size] - size
    views = problem.value if problem.seats == 2 else np.stack([problem.value[0], -problem.value[0]])
    errors = error if problem.seats == 2 else np.stack([error[0], error[0]])
    never = float(problem.never)
    mirrored = never if problem.seats == 2 else -never
    for seat, members, least in ((0, own, never), (1, other, mirrored)):
        above = views[seat, members] - errors[seat, members] > least
        if above.any():
            at = table.notation(int(members[above][0]))
            raise NotSolved(
                f"{table.game} could not be certified: play may go round for ever at {at}"
            )
