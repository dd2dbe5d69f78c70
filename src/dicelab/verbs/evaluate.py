"""evaluate: exactly how one strategy fares against another.

With both players' moves fixed the game is a Markov chain, and the chance that A wins satisfies
P(s) = sum over outcomes of chance x P(next). Two busts in a row lead back to where they began, so
these equations hang together in circles; they are solved component by component.

Play may never end, when both wait for the other. So each start has four chances: A wins, B wins,
a draw, and never.
"""

from __future__ import annotations

import math
import time
from fractions import Fraction

import numpy as np

from dicelab.core.arrays import Array, Floats, Numbers, Real
from dicelab.core.exact import at_least
from dicelab.core.jit import interpreted
from dicelab.errors import NotFinite, NotSolved, RulesError
from dicelab.rules import DRAW, LOSS, ONGOING, WIN, Game
from dicelab.solvers.sweep import eliminate
from dicelab.strategies.matchup import Pairing
from dicelab.strategies.named import AnyStrategy, plan
from dicelab.strategies.plan import Plan
from dicelab.strategies.turn_laws import Meeting, laws_of
from dicelab.table import Table, compile, refuse_exact
from dicelab.table.at_once import SimultaneousTable
from dicelab.table.worths import counted
from dicelab.verbs.at_once import evaluate_simultaneous
from dicelab.verbs.evaluation import Chances, Evaluation, SoloEvaluation, worth

MOST_TRIES = 12
"""How often a sum of errors that falls short is made again."""


BYTES_PER_TERM = 24  # of an outcome while its rounding is counted


def evaluate(
    game: Game | Table, a: AnyStrategy, b: AnyStrategy | None = None, exact: bool = False
) -> Evaluation | SoloEvaluation:
    """Return how A fares against B; a solo game takes no B.

    >>> from dicelab.games.pig import Pig
    >>> round(evaluate(Pig(), "hold-at:20", "hold-at:21").first, 6)
    0.542626
    """
    table = compile(game, exact=exact)
    began = time.perf_counter()
    if table.game.players == 1:
        if b is not None:
            raise RulesError(f"{table.game} is played alone: leave out the second strategy")
        return _alone(table, a, exact, began)
    if b is None:
        raise RulesError(f"{table.game} is played by two: say whom {a} plays against")
    if isinstance(table, SimultaneousTable):
        return evaluate_simultaneous(table, a, b, exact, began)
    plans = (plan(table, a, exact), plan(table, b, exact))
    met = None if exact else turn_by_turn(table, plans)
    a_first, b_first, error = met or move_by_move(table, plans, exact)
    values = tuple(worth(table.game, seat, each) for seat, each in enumerate((a_first, b_first)))
    return Evaluation(
        table.game,
        plans[0].name,
        plans[1].name,
        a_first,
        b_first,
        error,
        time.perf_counter() - began,
        exact,
        (values[0], values[1]),
    )


def turn_by_turn(table: Table, plans: tuple[Plan, Plan]) -> tuple[Chances, Chances, float] | None:
    """Return the chances when A starts, when B does, and their error; None where turns fail."""
    if any(each.derived(laws_of) is None for each in plans):
        return None
    chances, error = Meeting(table, plans).chances
    if not np.isfinite(error):
        return None
    a_first, b_first = (Chances(*(float(chance) for chance in row[:4])) for row in chances)
    return a_first, b_first, error


def move_by_move(
    table: Table, plans: tuple[Plan, Plan], exact: bool
) -> tuple[Chances, Chances, float]:
    """Return the same from the chain of all positions that play reaches."""
    pairing = Pairing(table, plans, exact)
    pairing.spare(outcome=BYTES_PER_TERM)
    own = ends_of(pairing)
    value = pairing.absorb(own)
    error = 0.0 if exact else _error(pairing, own, value)
    if not exact and (value.shape[1] == 1 or (pairing.rings >= 0).any()):
        # One chance is what the others leave of 1: it has their errors, and its own rounding.
        error = value.shape[1] * error + value.shape[1] * 2.0**-53
    starts = pairing.node[:, table.start]
    a_first, b_first = (_chances(pairing, value[start]) for start in starts)
    return a_first, b_first, error


def ends_of(pairing: Pairing) -> Numbers:
    """Return what each node brings by itself: [nodes, (A wins, B wins, draw)], as far as needed."""
    result, seat = pairing.result, pairing.chain.seat
    ends = (
        ((result == WIN) & (seat == 0)) | ((result == LOSS) & (seat == 1)),
        ((result == WIN) & (seat == 1)) | ((result == LOSS) & (seat == 0)),
        result == DRAW,
    )
    # Who does not win loses, unless some games are drawn or never end.
    channels = 3 if ends[2].any() else 2 if (pairing.rings >= 0).any() else 1
    own = np.stack(ends[:channels], axis=1)
    if not pairing.exact:
        return own.astype(np.float64)
    exact = np.full(own.shape, Fraction(0), object)
    exact[own] = Fraction(1)
    return exact


def _chances(pairing: Pairing, value: Numbers) -> Chances:
    exact = pairing.exact
    parts = [part if exact else float(part) for part in value]
    parts += [1 - parts[0]] if len(parts) == 1 else []
    nothing = Fraction(0) if exact else 0.0
    never = nothing
    if (pairing.rings >= 0).any():
        never = 1 - sum(parts) if exact else max(0.0, 1.0 - float(sum(parts)))
    return Chances(parts[0], parts[1], parts[2] if len(parts) > 2 else nothing, never)


def _error(pairing: Pairing, own: Numbers, value: Numbers, given: Floats | float = 0.0) -> float:
    """Return how far the values at the start may be from the truth, `own + P value = value`.

    `given` [nodes] is how far `own` may itself be from the truth.

    Each node's own rounding is counted (residual and arithmetic), and added up over the play to
    come: e = u + P e. That sum may be off as well, so it must pass a check of its own, e >= u + P e
    and e >= 0, which proves it; where it falls short, u grows and the sum is made again.
    """
    chain = pairing.chain
    outcomes = np.diff(chain.first)
    rows = np.flatnonzero(outcomes)
    least = np.zeros(outcomes.size)
    for channel in range(value.shape[1]):
        terms = chain.chance * value[chain.target, channel]
        sums = np.add.reduceat(terms, chain.first[rows]) + own[rows, channel]
        residual = np.abs(sums - value[rows, channel])
        sizes = np.add.reduceat(np.abs(terms), chain.first[rows]) + np.abs(own[rows, channel])
        rounding = (outcomes[rows] + 6) * 2.0**-52 * sizes
        least[rows] = np.maximum(least[rows], residual + rounding)
    least += given
    least[~pairing.alive] = 0.0  # there, nothing ever happens: exactly 0
    live = rows[pairing.alive[rows]]
    errors = 2 * least
    for _ in range(MOST_TRIES):
        total = np.maximum(pairing.absorb(errors[:, None])[:, 0], 0.0)
        then = np.zeros(outcomes.size)
        then[rows] = np.add.reduceat(chain.chance * total[chain.target], chain.first[rows])
        short = least + then + (outcomes + 6) * 2.0**-52 * then - total
        if not np.isfinite(total).all():
            break
        if (short[live] <= 0).all():
            return float(total[pairing.node[:, pairing.table.start]].max())
        fails = live[short[live] > 0]
        errors[fails] = 4 * errors[fails] + 2 * short[fails]
    raise NotSolved(
        f"{pairing.table.game} goes round too often between these two for floats to say how it "
        f"ends: ask for exact chances (exact=True)"
    )


def _alone(table: Table, strategy: AnyStrategy, exact: bool, began: float) -> SoloEvaluation:
    """Return what a strategy brings; a game that never ends is worth a loss, or takes for ever."""
    played = plan(table, strategy, exact)
    pairing = Pairing(table, (played,), exact)
    endless = _endless(pairing)
    value, error = (endless, 0.0) if endless else _brought(pairing)
    never = _never_ends(pairing)
    seconds = time.perf_counter() - began
    return SoloEvaluation(table.game, played.name, value, error, seconds, exact, table.unit, never)


def _never_ends(pairing: Pairing) -> Real:
    """Return the chance that one alone never ends the game."""
    if not (pairing.rings >= 0).any():
        return Fraction(0) if pairing.exact else 0.0
    over = (pairing.result != ONGOING)[:, None]
    own = over.astype(object) * Fraction(1) if pairing.exact else over.astype(np.float64)
    ended = pairing.absorb(own)[pairing.node[0, pairing.table.start], 0]
    return 1 - ended if pairing.exact else max(0.0, 1.0 - float(ended))


def _brought(pairing: Pairing) -> tuple[Real, float]:
    """Return what a strategy brings from the start, and how far that may be from the truth."""
    table, exact, counting = pairing.table, pairing.exact, counted(pairing.table)
    start = pairing.node[0, table.start]
    own = np.zeros((pairing.result.size, 1), object if exact else np.float64)
    given = np.zeros(pairing.result.size)  # what is lost where a worth is no float
    for result, (end,) in counting.ends.items():
        over = pairing.result == result
        own[over, 0] = end if exact else float(end)
        given[over] = 0.0 if exact else at_least(abs(end - Fraction(float(end))))
    plain = pairing.decided.table
    if plain.has_gains:
        rewards = plain.rewards(exact, counting.sign * counting.unit)
        own[:, 0] += _by_node(pairing, rewards)
        if not exact:
            parts = np.diff(pairing.chain.first) + 6
            given += parts * 2.0**-52 * _by_node(pairing, np.abs(rewards))
    values = pairing.absorb(own)
    if exact:
        return counting.exactly(values[[start], 0])[0], 0.0
    error = _error(pairing, own, values, given)
    value, lower, upper = counting.bounded(values[[start], 0], np.array([error]))
    return float(value[0]), float(max(value[0] - lower[0], upper[0] - value[0]))


def _by_node(pairing: Pairing, rows: Numbers) -> Numbers:
    """Return the mean over the moves made at each node of what the rows bring. `[nodes]`"""
    table, plans, _ = pairing.decided
    totals = np.zeros(len(table), rows.dtype)
    np.add.at(totals, table.row_position, rows * plans[0].weights(pairing.exact))
    return totals[pairing.chain.position]


def _endless(pairing: Pairing) -> float:
    """Return the infinity that play without an end brings or costs; 0 where it brings nothing."""
    (table, plans, _), rings = pairing.decided, pairing.rings
    if not (rings >= 0).any():
        return 0.0
    if table.game.fewest:
        return math.inf
    paid = (plans[0].weights(exact=False) > 0) & ~table.is_free
    gaining = np.zeros(len(table), np.bool_)
    gaining[table.row_position[paid]] = True
    found = np.unique(rings[(rings >= 0) & gaining[pairing.chain.position]])
    if not found.size:
        return 0.0
    if not pairing.exact:
        refuse_exact(table)
        return _endless(Pairing(pairing.table, pairing.plans, exact=True))
    gains = _by_node(pairing, table.rewards(exact=True))
    signs = {_sign(_mean(pairing, np.flatnonzero(rings == ring), gains)) for ring in found}
    if len(signs) > 1 or 0 in signs:
        raise NotFinite(
            f"{table.game} has no definite value for {pairing.plans[0].name}: it goes round for "
            f"ever, and what is gained and what is lost cancel out"
        )
    return math.inf * signs.pop()


def _mean(pairing: Pairing, ring: Array, gains: Array) -> Fraction:
    """Return what a class of nodes that play goes round in gains in a step, on average."""
    mine = gains[ring]
    if (mine >= 0).all() or (mine <= 0).all():
        return Fraction(sum(mine))  # only its sign matters
    chain, place = pairing.chain, {int(node): number for number, node in enumerate(ring)}
    matrix = np.full((ring.size, ring.size), Fraction(0), object)  # how often each is visited
    for node, number in place.items():
        matrix[number, number] -= 1
        for o in range(chain.first[node], chain.first[node + 1]):
            matrix[place[int(chain.target[o])], number] += chain.chance[o]
    matrix[-1] = Fraction(1)
    shares = np.full(ring.size, Fraction(0), object)
    shares[-1] = Fraction(1)
    interpreted(eliminate)(matrix, shares, ring.size)
    return Fraction(np.dot(shares, mine))


def _sign(number: Fraction) -> int:
    return (number > 0) - (number < 0)
