"""evaluate: exactly how one strategy fares against another.

With both players' moves fixed the game is a Markov chain, and the chance that A wins satisfies
P(s) = sum over outcomes of chance x P(next). Two busts in a row lead back to where they began, so
these equations hang together in circles; they are solved component by component.

Play may never end, when both wait for the other. So each start has four chances: A wins, B wins,
a draw, and never.
"""

from __future__ import annotations

import dataclasses
import math
import time
from fractions import Fraction

import numpy as np

from dicelab.core.arrays import Array, Bools, Floats, Ints, Numbers, Real
from dicelab.core.exact import at_least
from dicelab.core.jit import interpreted
from dicelab.errors import NotFinite, RulesError
from dicelab.rules import DRAW, LOSS, ONGOING, WIN, Game
from dicelab.solvers.sweep import eliminate
from dicelab.strategies.followed import table_of_play
from dicelab.strategies.matchup import Pairing, by_steps
from dicelab.strategies.named import AnyStrategy, plan
from dicelab.strategies.plan import Plan
from dicelab.strategies.turn_laws import Meeting, laws_of
from dicelab.table import Table, refuse_exact
from dicelab.table.at_once import PairTable
from dicelab.table.races import RaceTable
from dicelab.table.worths import counted, unit_of
from dicelab.verbs.chain_error import chain_error
from dicelab.verbs.engines import own_verb
from dicelab.verbs.evaluation import Chances, Evaluation, SoloEvaluation, stakes_of
from dicelab.verbs.races import evaluate_race
from dicelab.verbs.seats import Rest, SeatedEvaluation, evaluate_seats, plans_of, refuse_never

BYTES_PER_TERM = 24  # of an outcome while its rounding is counted


def evaluate(
    game: Game | Table,
    a: AnyStrategy,
    b: Rest = None,
    exact: bool = False,
    never: Fraction | None = None,
    for_: str | None = None,
    memory: int | None = None,
) -> Evaluation | SoloEvaluation | SeatedEvaluation:
    """Return how A fares against B; a solo game takes no B.

    With three players and more, `b` is a list of the others in order of their turns, or one
    strategy for all of them.

    `never` is what A gets from play without an end, where that is not what the rules say; `for_`
    is a purpose other than the game's own. `memory` is a limit in bytes.

    >>> from dicelab.games.pig import Pig
    >>> round(evaluate(Pig(), "hold-at:20", "hold-at:21").first, 6)
    0.542626
    """
    own = own_verb(game, "evaluate") if for_ is None and not exact else None
    if own and (found := own(game, a, b, memory)) is not None:
        answer: SoloEvaluation = found
        return answer
    table = table_of_play(game, a, b, memory=memory, exact=exact, for_=for_)
    began = time.perf_counter()
    if table.game.players == 1:
        if b is not None:
            raise RulesError(f"{table.game} is played alone: leave out the second strategy")
        return _alone(table, a, exact, never, began)
    if table.game.players > 2:
        refuse_never(table.game, never)
        return evaluate_seats(table, plans_of(table, a, b, exact), exact)
    if b is None:
        raise RulesError(f"{table.game} is played by two: say whom {a} plays against")
    if isinstance(table, RaceTable):
        return evaluate_race(table, a, b, exact, began)
    plans = (plan(table, a, exact), plan(table, b, exact))
    if isinstance(table, PairTable):
        table, plans = table.steps, (by_steps(plans[0]), by_steps(plans[1]))
    met = None if exact else turn_by_turn(table, plans)
    pairing = Pairing(table, plans, exact)
    a_first, b_first, error = met or move_by_move(pairing)
    stakes, gained, off = stakes_of(table, never), _gained(pairing), 0.0
    values = [stakes.worth(seat, each) for seat, each in enumerate((a_first, b_first))]
    if gained is not None:
        (one, two), off = gained
        values = [values[0] + one, values[1] + two]
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
        stakes,
        gained[0] if gained else (0, 0),
        off,
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


def move_by_move(pairing: Pairing) -> tuple[Chances, Chances, float]:
    """Return the same from the chain of all positions that play reaches."""
    table, exact = pairing.table, pairing.exact
    pairing.spare(outcome=BYTES_PER_TERM)
    own = ends_of(pairing)
    value = pairing.absorb(own)
    error = 0.0 if exact else chain_error(pairing, own, value)
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


def _gained(pairing: Pairing) -> tuple[tuple[Real, Real], float] | None:
    """Return what A gains on the way and from ends that pay, less what B does, and its error.

    It is one number when A starts, one when B does; None where nothing is gained beside the ends.
    """
    table = pairing.table
    if not (table.has_gains or table.game.pays_ends):
        return None
    endless = _endless(pairing)
    unit = unit_of([*table.gains, *_paid_by(table).values()])
    own, given = _points(pairing, unit)
    values = pairing.absorb(own)
    starts = pairing.node[:, table.start]
    brought = [value * unit if pairing.exact else float(value) for value in values[starts, 0]]
    error = 0.0
    if not pairing.exact:
        error = chain_error(pairing, own, values, given) * float(unit)
        brought = [value * float(unit) for value in brought]
        error += 2.0**-52 * max(map(abs, brought))
    gained = [value if to is None else to for value, to in zip(brought, endless, strict=True)]
    return (gained[0], gained[1]), error


def _points(pairing: Pairing, unit: Fraction) -> tuple[Numbers, Floats]:
    """Return what each node brings A by itself, and how far that may be from the truth. `[nodes]`

    That is what the mover gains on average, and what an end pays; B's count against A.
    """
    table, exact = pairing.table, pairing.exact
    nodes = pairing.result.size
    own = np.full((nodes, 1), Fraction(0), object) if exact else np.zeros((nodes, 1))
    given = np.zeros(nodes)
    mine = np.where(pairing.chain.seat == 0, 1, -1)
    if table.game.pays_ends:
        over = np.flatnonzero(pairing.result != ONGOING)
        paid = _paid_by(table)
        which = table.end[pairing.chain.position[over]]
        kinds = {end: worth / unit for end, worth in paid.items()}
        told = np.array([kinds[end] for end in which.tolist()], object)
        own[over, 0] = told * mine[over] if exact else (told * mine[over]).astype(np.float64)
        if not exact:
            given[over] = 2.0**-53 * np.abs(own[over, 0])
    _add_gains(pairing, unit, mine, own, given)
    return own, given


def _add_gains(pairing: Pairing, unit: Fraction, mine: Ints, own: Numbers, given: Floats) -> None:
    """Add what movers gain on average to what nodes bring, and how far that may be off."""
    plain, exact = pairing.decided.table, pairing.exact
    if not plain.has_gains:
        return
    rewards = plain.rewards(exact, unit)
    own[:, 0] += mine * _by_node(pairing, rewards)
    if not exact:
        parts = np.diff(pairing.chain.first) + 6
        given += parts * 2.0**-52 * _by_node(pairing, np.abs(rewards))


def _paid_by(table: Table) -> dict[int, Fraction]:
    """Return what each end pays beyond an even share, to the player about to move there."""
    if not table.game.pays_ends:
        return {}
    return {end: worths[0] - table.even for end, worths in table.ends.items()}


def _alone(
    table: Table, strategy: AnyStrategy, exact: bool, never: Fraction | None, began: float
) -> SoloEvaluation:
    """Return what a strategy brings."""
    played = plan(table, strategy, exact)
    pairing = Pairing(table, (played,), exact)
    worth = table.never if never is None else never
    (endless,) = _endless(pairing, worth is None)
    value, error = (endless, 0.0) if endless is not None else _brought(pairing, worth)
    seconds, never_ends = time.perf_counter() - began, _never_ends(pairing)
    return SoloEvaluation(
        table.game, played.name, value, error, seconds, exact, table.unit, never_ends, worth
    )


def _never_ends(pairing: Pairing) -> Real:
    """Return the chance that one alone never ends the game."""
    if not (pairing.rings >= 0).any():
        return Fraction(0) if pairing.exact else 0.0
    over = (pairing.result != ONGOING)[:, None]
    own = over.astype(object) * Fraction(1) if pairing.exact else over.astype(np.float64)
    ended = pairing.absorb(own)[pairing.node[0, pairing.table.start], 0]
    return 1 - ended if pairing.exact else max(0.0, 1.0 - float(ended))


def _brought(pairing: Pairing, never: Fraction | None) -> tuple[Real, float]:
    """Return what a strategy brings from the start, and how far that may be from the truth."""
    table, exact = pairing.table, pairing.exact
    counting = counted(table)
    if never is not None:
        counting = dataclasses.replace(counting, zero=never)
    start = pairing.node[0, table.start]
    own = np.zeros((pairing.result.size, 1), object if exact else np.float64)
    given = np.zeros(pairing.result.size)  # what is lost where a worth is no float
    ended = np.where(pairing.result == ONGOING, -1, table.end[pairing.chain.position])
    for end, (worth,) in counting.ends.items():
        over = ended == end
        own[over, 0] = worth if exact else float(worth)
        given[over] = 0.0 if exact else at_least(abs(worth - Fraction(float(worth))))
    _add_gains(pairing, counting.sign * counting.unit, np.ones_like(ended), own, given)
    values = pairing.absorb(own)
    if exact:
        return counting.exactly(values[[start], 0])[0], 0.0
    error = chain_error(pairing, own, values, given)
    value, lower, upper = counting.bounded(values[[start], 0], np.array([error]))
    return float(value[0]), float(max(value[0] - lower[0], upper[0] - value[0]))


def _by_node(pairing: Pairing, rows: Numbers) -> Numbers:
    """Return the mean over the moves made at each node of what the rows bring. `[nodes]`"""
    table, plans, _ = pairing.decided
    seat = pairing.chain.seat
    totals = np.zeros((pairing.seats, len(table)), rows.dtype)
    for number, each in enumerate(plans):
        np.add.at(totals[number], table.row_position, rows * each.weights(pairing.exact))
    found: Numbers = totals[seat, pairing.chain.position]
    return found


def _endless(pairing: Pairing, forever: bool = False) -> list[float | None]:
    """Return, for who starts, the infinity that A gets from play without an end, or None.

    None is where such play gains nothing, or cannot come about. With `forever` it is infinitely
    much all the same.
    """
    (table, plans, _), rings = pairing.decided, pairing.rings
    starts = pairing.node[:, pairing.table.start]
    found: list[float | None] = [None] * pairing.seats
    if not (rings >= 0).any():
        return found
    if forever:
        return [math.inf for _ in starts]
    if not table.has_gains:
        return found
    gaining = np.zeros((pairing.seats, len(table)), np.bool_)
    for seat, each in enumerate(plans):
        paid = (each.weights(exact=False) > 0) & ~table.is_free
        gaining[seat, table.row_position[paid]] = True
    chain = pairing.chain
    paying = np.unique(rings[(rings >= 0) & gaining[chain.seat, chain.position]])
    if not paying.size:
        return found
    if not pairing.exact:
        refuse_exact(table)
        return _endless(Pairing(pairing.table, pairing.plans, exact=True))
    mine = np.where(chain.seat == 0, 1, -1)
    gains = mine * _by_node(pairing, table.rewards(exact=True))
    signs = {ring: _sign(_mean(pairing, np.flatnonzero(rings == ring), gains)) for ring in paying}
    for seat, start in enumerate(starts):
        after = _reachable(pairing, int(start))
        met = {sign for ring, sign in signs.items() if after[rings == ring].any()}
        if met and (len(met) > 1 or 0 in met):
            raise NotFinite(
                f"{table.game} has no definite value for {' and '.join(_names(pairing))}: "
                f"{'they go' if pairing.seats == 2 else 'it goes'} round for ever, and what is "
                f"gained and what is lost cancel out"
            )
        found[seat] = math.inf * met.pop() if met else None
    return found


def _names(pairing: Pairing) -> list[str]:
    return [each.name for each in pairing.plans]


def _reachable(pairing: Pairing, start: int) -> Bools:
    """Return which nodes play may come to from one of them. `[nodes]`"""
    from scipy.sparse import csr_matrix
    from scipy.sparse.csgraph import breadth_first_order

    chain, size = pairing.chain, pairing.result.size
    ways = csr_matrix((np.ones(chain.target.size), chain.target, chain.first), (size, size))
    found = np.zeros(size, np.bool_)
    found[breadth_first_order(ways, start, return_predecessors=False)] = True
    return found


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
