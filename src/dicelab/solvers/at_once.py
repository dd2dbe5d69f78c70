"""Both choose at once: a matrix game at every position, settled from the end.

At a position s let A[d, e] be what the player who looks gets on average from the moves d and e, by
what is gained and by the values of the positions they lead to. Then

    V(s) = val A(s),      V(mirror of s) = -V(s),

with values counted from an even share. A position that never comes back to itself takes one matrix
game. Where positions lead back, T V = val A(V) has to be solved for all of them together. Given
mixtures x and y that are best for some V, both players are decided and the chain that is left has
values of its own: a next V (Newton's method, after Pollatschek and Avi-Itzhak). It mostly settles
in a few steps but may jump; a step that does not come closer is replaced by T V, which never leads
away (value iteration, after Shapley). Play that cannot end is worth an even share, which is 0.

Nothing here has to be trusted: mixtures prove themselves by the best reply to them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from dicelab.core.arrays import Bools, Floats, Ints, Numbers, Real
from dicelab.core.jit import allocating, jit, unsigned
from dicelab.solvers.arrays import MarkovGame
from dicelab.solvers.matrix_game import TIGHT, by_highs, guaranteed, mix

MOST_STEPS = 400
MOST_IN_A_ROW = 60
"""Steps without coming closer after which a component is left as it is."""
CLOSE = 2.0**-50
"""Beside the largest value, how far T V may be from V."""


class Pairs(NamedTuple):
    """A game at once, as the kernels read it."""

    move_first: Ints  # [positions + 1] the first move of who looks
    mirror: Ints  # [positions]
    pair_first: Ints  # [positions + 1] the first pair of moves
    first: Ints  # [pairs + 1] the first outcome of each pair
    target: Ints  # [outcomes]
    kind: Ints  # [outcomes]
    chances: Floats  # [kinds]
    reward: Floats  # [pairs]; [0] where nothing is gained
    keeps: bool  # mixtures are changed only where that gains


def pairs_of(
    arrays: MarkovGame, move_first: Ints, mirror: Ints, reward: Numbers, ending: float = 0.0
) -> Pairs:
    """Return a game at once as the kernels read it; `arrays` has a row for each pair of moves.

    Every step may end the game, at an even share, with the chance `ending`.
    """
    return Pairs(
        move_first,
        mirror,
        arrays.move_first,
        arrays.outcome_first,
        unsigned(arrays.target),
        arrays.kind,
        arrays.chance_floats * (1 - ending),
        reward,
        ending == 0,
    )


@jit
def payoffs(game: Pairs, value: Floats, here: int, A: Floats) -> None:
    """Write what each pair of moves at a position brings the player who looks."""
    pair = game.pair_first[here]
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            worth = game.reward[pair] if game.reward.size else 0.0
            for o in range(game.first[pair], game.first[pair + 1]):
                worth += game.chances[game.kind[o]] * value[game.target[o]]
            A[i, j] = worth
            pair += 1


@jit
def sizes(game: Pairs, here: int) -> tuple[int, int]:
    """Return how many moves either player has at a position."""
    other = game.mirror[here]
    mine = game.move_first[here + 1] - game.move_first[here]
    return mine, game.move_first[other + 1] - game.move_first[other]


@jit
def write(game: Pairs, here: int, x: Floats, y: Floats, share: Floats) -> None:
    """Write the mixtures of both players at a position, each where that player looks."""
    begin, other = game.move_first[here], game.mirror[here]
    for i in range(x.size):
        share[begin + i] = x[i]
    if other != here:
        begin = game.move_first[other]
        for j in range(y.size):
            share[begin + j] = y[j]


@jit
def keep(
    game: Pairs,
    A: Floats,
    here: int,
    x: Floats,
    y: Floats,
    share: Floats,
    lower: Real,
    upper: Real,
    slack: float,
) -> None:
    """Replace mixtures just found by those from before, where these are as good.

    To stay where one is looks as good as to go on, once its value is known; only who keeps to what
    brought the value gets there (Hoffman and Karp change a mixture only where that gains).
    """
    mine, yours = game.move_first[here], game.move_first[game.mirror[here]]
    total = 0.0
    for i in range(x.size):
        total += share[mine + i]
    if total == 0.0:
        return
    sure, most = np.inf, -np.inf
    for j in range(y.size):
        worth = 0.0
        for i in range(x.size):
            worth += share[mine + i] * A[i, j]
        sure = min(sure, worth)
    for i in range(x.size):
        worth = 0.0
        for j in range(y.size):
            worth += share[yours + j] * A[i, j]
        most = max(most, worth)
    if sure >= lower - slack:
        for i in range(x.size):
            x[i] = share[mine + i]
    if most <= upper + slack:
        for j in range(y.size):
            y[j] = share[yours + j]


@allocating
def settle_one(game: Pairs, value: Floats, found: Floats, share: Floats, here: int) -> bool:
    """Solve the matrix game at a position; return whether its mixtures were found."""
    m, n = sizes(game, here)
    A, x, y, x2, y2 = np.empty((m, n)), np.empty(m), np.empty(n), np.empty(m), np.empty(n)
    payoffs(game, value, here, A)
    kind = mix(A, x, y, x2, y2, 0.0, 1.0, 1e-11)
    if kind == 2:
        return False
    lower, upper = guaranteed(A, x, y)
    largest = 0.0
    for i in range(m):
        for j in range(n):
            largest = max(largest, abs(A[i, j]))
    if not upper - lower <= TIGHT * largest:
        return False
    if game.keeps:
        keep(game, A, here, x, y, share, lower, upper, TIGHT * largest)
    write(game, here, x, y, share)
    worth = 0.5 * (lower + upper) if game.mirror[here] != here else 0.0
    found[here] = worth
    found[game.mirror[here]] = -worth
    return True


@allocating
def settle(
    game: Pairs,
    component_first: Ints,
    cuts: Ints,
    value: Floats,
    share: Floats,
    done: Bools,
    component: int,
) -> int:
    """Settle components from the end on; return the first that is left, if any is.

    Left to the caller are those where positions lead back, and those whose matrix game failed.
    """
    for c in range(component, cuts.size):
        if cuts[c] > 0:
            if not done[component_first[c]]:
                return c
            continue
        for here in range(component_first[c], component_first[c + 1]):
            if done[here]:
                continue
            if not settle_one(game, value, value, share, here):
                return c
            done[here] = True
            done[game.mirror[here]] = True
    return cuts.size


@allocating
def look(
    game: Pairs, value: Floats, found: Floats, share: Floats, low: int, high: int, begin: int
) -> int:
    """Write T V and its mixtures for a component from position `begin` on; return what failed."""
    for here in range(begin, high):
        other = game.mirror[here]
        if low <= other < here:
            continue
        if not settle_one(game, value, found, share, here):
            return here
    return high


@jit
def chain(
    game: Pairs,
    value: Floats,
    share: Floats,
    low: int,
    high: int,
    source: Ints,
    target: Ints,
    chance: Floats,
    base: Floats,
) -> int:
    """Write the chain that two mixtures leave in a component; return how many entries it has.

    `base` [positions] is what is gained and what positions beyond the component bring; `leaves`
    is where there is a chance of leaving it.
    """
    count = 0
    for here in range(low, high):
        base[here - low] = 0.0
        m, n = sizes(game, here)
        mine, yours = game.move_first[here], game.move_first[game.mirror[here]]
        for i in range(m):
            for j in range(n):
                weight = share[mine + i] * share[yours + j]
                if weight == 0.0:
                    continue
                pair = game.pair_first[here] + i * n + j
                if game.reward.size:
                    base[here - low] += weight * game.reward[pair]
                for o in range(game.first[pair], game.first[pair + 1]):
                    part, to = weight * game.chances[game.kind[o]], game.target[o]
                    if low <= to < high:
                        source[count], target[count] = here - low, to - low
                        chance[count] = part
                        count += 1
                    else:
                        base[here - low] += part * value[to]
                        source[count], target[count], chance[count] = here - low, high - low, part
                        count += 1
    return count


class Mixtures(NamedTuple):
    """What was found, and how."""

    value: Floats  # [positions]
    share: Floats  # [moves] the chance of each move of who looks
    steps: int  # over all components where positions lead back
    by_highs: int  # matrix games that our own simplex did not settle


def mixtures(
    game: Pairs,
    arrays: MarkovGame,
    value: Floats,
    progress: Callable[[float], None] | None = None,
) -> Mixtures:
    """Return mixtures for every position; `value` [positions] has what the ends are worth."""
    first, cuts = arrays.component_first, arrays.cuts
    share = np.zeros(int(game.move_first[-1]))
    done = ~arrays.is_ongoing
    component, steps, asked = 0, 0, 0
    while component < cuts.size:
        component = settle(game, first, cuts, value, share, done, component)
        if component == cuts.size:
            break
        low, high = int(first[component]), int(first[component + 1])
        if cuts[component]:
            taken, highs = _lead_back(game, value, share, low, high)
            steps, asked = steps + taken, asked + highs
            done[low:high] = True
            done[game.mirror[low:high]] = True
        else:
            for here in range(low, high):
                if not done[here]:
                    _ask_highs(game, value, value, share, here)
                    done[here] = done[game.mirror[here]] = True
                    asked += 1
        component += 1
        if progress:
            progress(high / len(arrays))
    return Mixtures(value, share, steps, asked)


def _ask_highs(game: Pairs, value: Floats, found: Floats, share: Floats, here: int) -> None:
    """Settle one position by mixtures that HiGHS finds."""
    A = np.empty(sizes(game, here))
    payoffs(game, value, here, A)
    x, y = by_highs(A)
    lower, upper = guaranteed(A, x, y)
    write(game, here, x, y, share)
    worth = 0.5 * (lower + upper) if game.mirror[here] != here else 0.0
    found[here], found[game.mirror[here]] = worth, -worth


def _looked(
    game: Pairs, value: Floats, found: Floats, share: Floats, low: int, high: int
) -> tuple[float, int]:
    """Write T V for a component; return how far it is from V, and how often HiGHS was asked."""
    begin, asked = low, 0
    while (begin := look(game, value, found, share, low, high, begin)) < high:
        _ask_highs(game, value, found, share, begin)
        begin, asked = begin + 1, asked + 1
    return float(np.abs(found[low:high] - value[low:high]).max()), asked


def _lead_back(game: Pairs, value: Floats, share: Floats, low: int, high: int) -> tuple[int, int]:
    """Settle a component whose positions lead back; return how many steps it took."""
    found, trial, kept = value.copy(), value.copy(), share.copy()
    away, asked = _looked(game, value, found, share, low, high)
    since, steps = 0, 0
    best = away, share.copy(), value.copy()
    while steps < MOST_STEPS:
        steps += 1
        size = max(1.0, float(np.abs(found).max()))
        if away <= CLOSE * size or since > MOST_IN_A_ROW:
            break
        trial[:] = value
        _decide(game, trial, share, low, high)
        kept[:] = share
        then = found.copy()
        closer, more = _looked(game, trial, then, share, low, high)
        asked += more
        if closer < away:
            value[:], found[:], away = trial, then, closer
        else:  # back to value iteration
            value[:] = found
            away, more = _looked(game, value, found, share, low, high)
            asked += more
        since = since + 1 if away >= best[0] else 0
        if away < best[0]:
            best = away, share.copy(), value.copy()
    share[:], value[:] = best[1], best[2]
    return steps, asked


def _decide(game: Pairs, value: Floats, share: Floats, low: int, high: int) -> None:
    """Replace the values of a component by those of the chain that the mixtures leave there."""
    from scipy.sparse import csc_matrix, csr_matrix, identity
    from scipy.sparse.csgraph import breadth_first_order
    from scipy.sparse.linalg import spsolve

    size = high - low
    room = int(game.first[game.pair_first[high]] - game.first[game.pair_first[low]])
    source, target, chance = np.empty(room, np.int32), np.empty(room, np.int32), np.empty(room)
    base = np.empty(size)
    count = chain(game, value, share, low, high, source, target, chance, base)
    edges = source[:count], target[:count]
    whole = csr_matrix((chance[:count], edges), (size + 1, size + 1))
    leaving = breadth_first_order(whole.T, size, return_predecessors=False)
    here = np.sort(leaving[leaving < size])  # elsewhere play cannot end, which is worth 0
    inner = csc_matrix(whole[here][:, here])
    solved = np.zeros(size)
    if here.size:
        solved[here] = spsolve(identity(here.size, format="csc") - inner, base[here])
    if not np.isfinite(solved).all():
        return
    value[low:high] = solved
    value[game.mirror[low:high]] = -solved
