"""solve for three players and more: a strategy for each, and what anyone could gain by changing.

With three and more there is no one value to be found. What a player gets depends on whom the others
help, and nothing says whom they should. What can be proved is that a *profile*, a strategy for each
seat, is an equilibrium: whoever sits where, from whatever position, nobody gains by changing his
own while the others keep theirs. The rules treat all seats alike, so one strategy may serve all.

It is found as best play between two is, component by component from the end: every player takes the
move that is best for himself, as the position stands, until no move changes. Between two that is
sure to settle; with three it mostly does. The proof does not care how a profile was found. For one
player against the others, who keep to theirs, the game is one player's: `certify` bounds from above
what he could get from any position, and from below what he gets by the profile. The most that the
two are apart is the *temptation*.

Ties matter here. Whoever has two moves that are worth the same to him decides what the others get.
So the game is solved from several starts, which break ties differently, and the profiles found are
compared.
"""

from __future__ import annotations

import dataclasses
import time
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from dicelab.core.arrays import Array, Ints, Real
from dicelab.core.exact import at_least, at_most
from dicelab.errors import NotSolved, RulesError, TooLarge
from dicelab.rules import Game, contract
from dicelab.solvers.arrays import MarkovGame
from dicelab.solvers.certificate import certify
from dicelab.solvers.problem import MIX, MOST, PLAY, Problem
from dicelab.solvers.profiles import mixed_profile
from dicelab.solvers.settle import Progress, settle
from dicelab.strategies.named import AnyStrategy, plan
from dicelab.strategies.plain_form import PlainForm, plain_form
from dicelab.strategies.plan import BYTES_PER_SHARE, Plan
from dicelab.table import MOST_RESCUED, Table, compile, refuse_exact
from dicelab.table.expand import BYTES_PER_SEAT
from dicelab.table.worths import Counting, counted_for_reply
from dicelab.verbs.best_response import reply_problem
from dicelab.verbs.profile_solution import Equilibrium, ProfileSolution
from dicelab.verbs.seats import Rest, rest_of

MOST_COMPARED = 2_000_000
"""Positions times players up to which a game is solved again, to see other equilibria."""
MOST_MIXED = 20_000
"""Positions times players up to which mixtures are looked for."""
MOST_REPLIES = 4
"""Replies from which moves are improved again, where improving alone found no equilibrium."""
MOST_REPLIED = 200_000
"""Positions up to which a profile that fails its certificate is compared with a best reply."""


@dataclass(frozen=True)
class Temptation:
    """What a player could gain by changing his strategy while the others keep theirs."""

    seats: tuple[Real, ...]  # for each strategy, the most from any position: an upper bound
    at: tuple[str, ...]  # a position where he could gain about that much
    least: tuple[Real, ...]  # what each surely gains somewhere by changing: a lower bound
    exact: bool
    seconds: float

    @property
    def most(self) -> Real:
        """The most that anybody could gain, from any position."""
        return max(self.seats)


class _Gain(NamedTuple):
    """What one player could gain by changing his strategy while the others keep theirs."""

    most: Real  # from any position: an upper bound
    at: int  # where that is
    least: Real  # what he surely gains there
    reply: Ints  # the rows of his best reply, as the solvers number them


def solve_profile(
    table: Table, exact: bool = False, progress: Progress | None = None, began: float | None = None
) -> ProfileSolution:
    """Return a profile of a game for three and more, with what anyone could gain by changing."""
    began = time.perf_counter() if began is None else began
    contract.check_one_pot(table.game, "be solved")
    if exact:
        refuse_exact(table)
    form = plain_form(table)
    arrays = form.arrays
    many = table.game.players * len(arrays) <= MOST_COMPARED
    found: list[ProfileSolution] = []
    starts = _starts(arrays) if many else [None]
    # Held, so that the room of a mixture counts on top of it.
    with table.holding(table.game.players * len(arrays) * BYTES_PER_SEAT):
        for number, start in enumerate(starts):
            later = (
                (lambda share, n=number: progress((n + share) / len(starts))) if progress else None
            )
            found += _solved_from(form, start, exact, later, began)
        if not found or not min(found, key=_temptation).is_stable:
            found += _mixed(form, exact, began)
    if not found:
        raise NotSolved(
            f"no profile of {table.game} was found: its players keep changing their moves, and "
            f"{len(table):,} positions are too many to look for mixtures"
        )
    best = min(found, key=_temptation)
    others: list[ProfileSolution] = []
    for each in found:
        if each.is_stable and not any(_gives_alike(each, other) for other in [best, *others]):
            others.append(each)
    told = tuple(_differs(each, best) for each in others)
    return best.beside(told, many, time.perf_counter() - began)


def _temptation(solution: ProfileSolution) -> Real:
    return solution.temptation


def _starts(arrays: MarkovGame) -> list[Ints | None]:
    """Return moves to improve from: the surest, the first of each position, and the last."""
    over = ~arrays.is_ongoing
    first, last = arrays.move_first[:-1].copy(), arrays.move_first[1:] - 1
    first[over] = last[over] = -1
    return [None, first, last]


def _solved_from(
    form: PlainForm,
    start: Ints | None,
    exact: bool,
    progress: Progress | None,
    began: float,
) -> list[ProfileSolution]:
    """Return the profiles found by improving moves from a start; none where they do not settle.

    Improving looks at what one move brings, and cannot see that going round for ever is better than
    an end worth less. A reply can. So where somebody gains by changing, his reply is a start too.
    """
    found: list[ProfileSolution] = []
    for _ in range(MOST_REPLIES):
        problem, counting = _shared_problem(form, start, exact)
        try:
            with form.naming():
                settle(problem, progress)
                if not exact:
                    try:
                        if problem.mixed:
                            with suppress(TooLarge):  # the likeliest moves then stand for the rest
                                shares = _certified_mixture(form, problem, counting, began)
                                return [*found, shares]
                        error = certify(problem)
                    except NotSolved:
                        if len(form.table) > MOST_REPLIED:
                            raise
                    else:
                        return [*found, _solution(form, problem, counting, error, began)]
                profile = form.plan("optimal", problem.choice[0].copy())
                each, start = _judged(form, profile, exact, began)
        except NotSolved:
            break
        found.append(each)
        if each.is_stable:
            break
    return found


def _certified_mixture(
    form: PlainForm, problem: Problem, counting: Counting, began: float
) -> ProfileSolution:
    """Return a settled profile that is left to chance at a few positions, with both its proofs.

    One certificate bounds what the best reply gets, the other what the profile itself does; the
    values of both are those found.
    """
    arrays, seats = problem.arrays, problem.seats
    room = arrays.rows * (8 * (seats + 2) + BYTES_PER_SHARE) + 24 * problem.value.nbytes // 8
    form.table.spare(room)
    weights, shares = np.zeros(arrays.rows), np.full(arrays.rows, Fraction(0), object)
    played = problem.choice[0][arrays.is_ongoing]
    weights[played], shares[played] = 1.0, Fraction(1)
    for row, share in problem.mixed.items():
        weights[row], shares[row] = share, Fraction(share)
    mixture = form.mixture("optimal", shares)
    errors = []
    for mine in (MIX, MOST):
        judged = Problem(
            arrays,
            seats=seats,
            sign=1,
            role=(mine, *(MIX,) * (seats - 1)),
            ends=counting.ends,
            choice=problem.choice,
            weight=np.tile(weights, (seats, 1)),
        )
        judged.value[:] = problem.value
        errors.append(certify(judged))
    kept, best = errors
    _, lowers, _ = counting.bounded(problem.value.copy(), kept.copy())
    _, _, uppers = counting.bounded(problem.value.copy(), best)
    gain = float(np.nextafter((uppers - lowers).max(), np.inf))
    found = _solution(form, problem, counting, kept, began, mixture)
    places = {int(arrays.row_position[row]) for row in problem.mixed}
    return dataclasses.replace(found, temptation=gain, mixing=len(places))


def _judged(
    form: PlainForm, profile: Plan, exact: bool, began: float
) -> tuple[ProfileSolution, Ints]:
    """Return a profile with what it brings and what changing could gain, and the best reply."""
    others = [profile] * (form.table.game.players - 1)
    gain = _gain(form, profile, others, exact)
    kept, counting = reply_problem(form, others, profile, exact, keeps=True)
    settle(kept)
    error = None if exact else certify(kept)
    found = _solution(form, kept, counting, error, began, profile)
    return dataclasses.replace(found, temptation=gain.most), gain.reply


def _mixed(form: PlainForm, exact: bool, began: float) -> list[ProfileSolution]:
    """Return a profile that mixes, for players who else would keep changing their moves.

    Its shares are rounded, so that somebody may gain a little; the certificate says how much. There
    is none where the game is too large for that, or floats cannot tell.
    """
    problem, _ = _shared_problem(form, None, False)
    arrays = problem.arrays
    if problem.seats * len(arrays) > MOST_MIXED:
        return []
    try:
        with form.naming():
            weights = mixed_profile(problem)
            chances = [Fraction(float(each)).limit_denominator(10**6) for each in weights]
            shares = np.array(chances, object)
            totals = np.full(len(arrays), Fraction(0), object)
            np.add.at(totals, arrays.row_position, shares)
            mixture = form.mixture("optimal", shares / totals[arrays.row_position])
            return [_judged(form, mixture, exact, began)[0]]
    except NotSolved:
        return []


def _shared_problem(form: PlainForm, start: Ints | None, exact: bool) -> tuple[Problem, Counting]:
    """Return the problem of all seats playing what each finds best for himself."""
    table, arrays = form.table, form.arrays
    players = table.game.players
    assert table.never is not None
    counting = counted_for_reply(table, table.never)
    choice = np.full((players, len(arrays)), -1, np.int32)
    if start is not None:
        choice[:] = start
    problem = Problem(
        arrays,
        seats=players,
        sign=1,
        role=(MOST, *(PLAY,) * (players - 1)),
        ends=counting.ends,
        exact=exact,
        choice=choice,
        shared=True,
    )
    return problem, counting


def _solution(
    form: PlainForm,
    problem: Problem,
    counting: Counting,
    error: Array | None,
    began: float,
    profile: Plan | None = None,
) -> ProfileSolution:
    """Return the profile that a settled problem has found, its bounds in the players' unit."""
    exact, found = problem.exact, problem.value[:, form.number]
    profile = profile or form.plan("optimal", problem.choice[0].copy())
    error = None if error is None else error[:, form.number]
    # The solvers go by who is about to move, seen from one player; we by who gets it, seen from
    # the player about to move: the order of the seats is turned around.
    turned = [0, *range(len(found) - 1, 0, -1)]
    values, lowers, uppers = (each[turned] for each in counting.told(found, error))
    wide = Fraction(0) if exact else float(np.nextafter((uppers - lowers).max(), np.inf))
    return ProfileSolution(
        table=form.table,
        values=values[0],
        lowers=lowers[0],
        uppers=uppers[0],
        plan=profile,
        method=("rational" if exact else "certified float") + " sweeps, each player for himself",
        sweeps=int(problem.counts[0]),
        seconds=time.perf_counter() - began,
        exact=exact,
        seats=(values, lowers, uppers),
        temptation=wide,
    )


def _gives_alike(one: ProfileSolution, other: ProfileSolution) -> bool:
    """Return whether two solutions give every player the same everywhere, as far as is known."""
    (_, low, high), (_, lower, higher) = one.seats, other.seats
    return bool(((low <= higher) & (lower <= high)).all())


def _differs(one: ProfileSolution, best: ProfileSolution) -> Equilibrium:
    """Return how another equilibrium differs from the one that is told."""
    (_, low, high), (_, lower, higher) = one.seats, best.seats
    apart = ((low > higher) | (lower > high)).any(axis=0)
    return Equilibrium(
        values=tuple(one.values_at(one.game.start())),
        temptation=one.temptation,
        apart=int(apart.sum()),
        example=one.table.notation(int(np.flatnonzero(apart)[-1])),
        plan=one.plan,
    )


def temptation(
    game: Game | Table, a: AnyStrategy, b: Rest = None, exact: bool = False
) -> Temptation:
    """Return what each player could gain, from any position, by changing his own strategy.

    `b` is the other's, or a list of those of the others in order of their turns; left out, all
    play as A does.
    """
    table = compile(game, exact=exact)
    began = time.perf_counter()
    if table.game.players == 1:
        raise RulesError(f"{table.game} is played alone: what changing gains, solve says")
    contract.check_one_pot(table.game, "be asked what changing gains")
    mine = plan(table, a, exact)
    plans = [mine, *rest_of(table, mine if b is None else b, exact)]
    form = plain_form(table)
    seats: list[_Gain] = []
    try:
        for seat in range(1 if len(set(plans)) == 1 else len(plans)):
            others = [*plans[seat + 1 :], *plans[:seat]]
            with form.naming():
                seats.append(_gain(form, plans[seat], others, exact))
    except NotSolved:
        if exact or len(table) > MOST_RESCUED:
            raise
        found = temptation(table, plans[0], plans[1:], exact=True)
        return dataclasses.replace(
            found,
            seats=tuple(map(at_least, found.seats)),
            least=tuple(map(at_most, found.least)),
            exact=False,
        )
    seats *= len(plans) // len(seats)
    return Temptation(
        tuple(each.most for each in seats),
        tuple(table.notation(each.at) for each in seats),
        tuple(each.least for each in seats),
        exact,
        time.perf_counter() - began,
    )


def _gain(form: PlainForm, mine: Plan, others: list[Plan], exact: bool) -> _Gain:
    """Return the most that a player gains by changing his strategy, and where."""
    best, counting = reply_problem(form, others, mine, exact)
    settle(best)
    kept, _ = reply_problem(form, others, mine, exact, keeps=True)
    settle(kept)
    here = form.number
    if exact:
        gains = (counting.exactly(best.value[:, here]) - counting.exactly(kept.value[:, here])).T
        most = gains.max(axis=1)
        at = max(range(len(most)), key=most.__getitem__)
        return _Gain(most[at], at, most[at], best.choice[0])
    bounds = []
    for problem in (best, kept):
        error = certify(problem)[:, here]
        bounds.append(counting.bounded(problem.value[:, here], error)[1:])
    (low, high), (lower, higher) = bounds
    gains = (high - lower).max(axis=0)
    at = int(gains.argmax())
    surely = float(max(0.0, np.nextafter((low - higher)[:, at].max(), -np.inf)))
    return _Gain(float(np.nextafter(gains[at], np.inf)), at, surely, best.choice[0])
