"""best_response: the best reply to a given player; iterate: the reply to the reply, and so on.

Against a fixed opponent the game is a one-player problem. Its optimum is found by improving the
reply's moves, component by component, from any starting strategy. A game that never ends is worth
to the reply what the rules say, as everywhere; the study of Pig counts a stalemate as lost for the
reply, which `never` is for.
"""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from dicelab.core.arrays import Numbers, Real
from dicelab.errors import NotFinite, NotSolved, RulesError
from dicelab.rules import DRAW, LOSS, WIN, Game, contract
from dicelab.solvers.certificate import certify
from dicelab.solvers.circles import refuse_circles
from dicelab.solvers.problem import MIX, MOST, NOTHING, PLAY, Problem
from dicelab.solvers.settle import Progress, settle
from dicelab.strategies.named import AnyStrategy, plan
from dicelab.strategies.plain_form import PlainForm, plain_form
from dicelab.strategies.plan import Plan
from dicelab.table import MOST_RESCUED, Table, compile
from dicelab.table.at_once import SimultaneousTable
from dicelab.table.worths import Counting, counted_for_reply
from dicelab.verbs.at_once import begin_well, reply_simultaneous
from dicelab.verbs.evaluate import evaluate
from dicelab.verbs.evaluation import Chances, Evaluation, stakes_of
from dicelab.verbs.profile_solution import SeatedReply
from dicelab.verbs.seats import Rest, evaluate_seats, refuse_never, rest_of
from dicelab.verbs.table_solution import TableSolution

MOST_ORDERS = 100
BYTES_PER_POSITION = 65  # values, moves and bounds of both players
BYTES_PER_SHARE = 150  # of a row of an opponent who mixes: fractions, weights, laws of turns


@dataclass(frozen=True)
class BestResponse:
    """The best reply to an opponent: its values with bounds, and how it fares."""

    solution: TableSolution
    evaluation: Any  # an `Evaluation`, or a `SeatedEvaluation` of three players and more
    sweeps: int
    seconds: float

    @property
    def plan(self) -> Plan:
        """The reply, as a strategy."""
        return self.solution.plan

    @property
    def first(self) -> Real:
        """The chance that the reply wins when it goes first."""
        return self.evaluation.first

    @property
    def second(self) -> Real:
        """The chance that the opponent wins when that goes first."""
        return self.evaluation.second

    @property
    def overall(self) -> Real:
        """The chance that the reply wins when they take turns in going first."""
        return self.evaluation.overall


def best_response(
    game: Game | Table,
    opponent: Rest,
    start: AnyStrategy | None = None,
    exact: bool = False,
    progress: Progress | None = None,
    never: Fraction | None = None,
    for_: str | None = None,
) -> BestResponse:
    """Return the best reply to an opponent, found by improving `start` (any strategy).

    With three players and more, `opponent` is a list of the others in order of their turns, or one
    strategy for all of them.

    `never` is what the reply gets from play without an end, where that is not what the rules say;
    `for_` is a purpose other than the game's own.

    >>> from dicelab.games.pig import Pig
    >>> reply = best_response(Pig(), "hold-at:20")
    >>> round(reply.first, 4), round(reply.second, 4)
    (0.5874, 0.4776)
    """
    table = compile(game, exact=exact, for_=for_)
    began = time.perf_counter()
    if table.game.players == 1:
        raise RulesError(f"{table.game} is played alone: there is nobody to reply to")
    if table.game.players > 2:
        refuse_never(table.game, never)
        return _against_all(table, rest_of(table, opponent, exact), start, exact, progress, began)
    if table.game.worth_to(0) != table.game.worth_to(1):
        raise RulesError(
            f"{table.game} values its ends differently by seat: a best reply needs one worth of "
            f"each end"
        )
    if isinstance(table, SimultaneousTable):
        return _at_once(table, opponent, exact, progress, never, began)
    fixed = plan(table, opponent, exact)
    shares = table.rows * BYTES_PER_SHARE if fixed.is_mixed else 0
    with table.holding(len(table) * BYTES_PER_POSITION + shares):
        return _by_turns(table, fixed, start, exact, progress, never, began)


def _by_turns(
    table: Table,
    fixed: Plan,
    start: AnyStrategy | None,
    exact: bool,
    progress: Progress | None,
    never: Fraction | None,
    began: float,
) -> BestResponse:
    begin = None if start is None else plan(table, start)
    form = plain_form(table)
    problem, counting = reply_problem(form, fixed, begin, exact, never=never)
    try:
        with form.naming():
            settle(problem, progress)
            refuse_circles(problem, problem.arrays.is_free)
        reply = form.plan(f"best reply to {fixed.name}", problem.choice[0].copy())
        solution = _solution(form, problem, counting, reply, fixed, began)
        evaluation = _read_off(solution, problem) or evaluate(table, reply, fixed, exact, never)
    except NotFinite:
        raise
    except NotSolved:
        if exact or len(table) > MOST_RESCUED:
            raise
        rescued = best_response(table, fixed, start, exact=True, never=never)
        return dataclasses.replace(rescued, solution=rescued.solution.rounded())
    assert isinstance(evaluation, Evaluation)
    seconds = time.perf_counter() - began
    return BestResponse(solution, evaluation, int(problem.counts[0]), seconds)


def _against_all(
    table: Table,
    rest: tuple[Plan, ...],
    start: AnyStrategy | None,
    exact: bool,
    progress: Progress | None,
    began: float,
) -> BestResponse:
    """Return the best reply of one player to all others."""
    begin = None if start is None else plan(table, start)
    form = plain_form(table)
    with table.holding(len(rest) * len(table) * BYTES_PER_POSITION):
        problem, counting = reply_problem(form, rest, begin, exact)
        try:
            with form.naming():
                settle(problem, progress)
                error = None if exact else certify(problem)[:, form.number]
        except NotSolved:
            if exact or len(table) > MOST_RESCUED:
                raise
            rescued = _against_all(table, rest, start, True, progress, began)
            return dataclasses.replace(rescued, solution=rescued.solution.rounded())
        names = " and ".join(dict.fromkeys(each.name for each in rest))
        reply = form.plan(f"best reply to {names}", problem.choice[0].copy())
        turned = [0, *range(len(rest), 0, -1)]  # by where he sits, not by who is about to move
        values, lowers, uppers = counting.told(problem.value[:, form.number], error)
        seats = values[turned], lowers[turned], uppers[turned]
        solution = SeatedReply(
            table=table,
            values=seats[0][0],
            lowers=seats[1][0],
            uppers=seats[2][0],
            plan=reply,
            method=("rational" if exact else "certified float") + " policy iteration",
            sweeps=int(problem.counts[0]),
            seconds=time.perf_counter() - began,
            exact=exact,
            seats=seats,
            rest=rest,
        )
        evaluation = evaluate_seats(table, (reply, *rest), exact)
    seconds = time.perf_counter() - began
    return BestResponse(solution, evaluation, int(problem.counts[0]), seconds)


def _at_once(
    table: SimultaneousTable,
    opponent: Any,
    exact: bool,
    progress: Progress | None,
    never: Fraction | None,
    began: float,
) -> BestResponse:
    solution = reply_simultaneous(table, opponent, exact, progress, never, began)
    assert solution.against is not None
    evaluation = evaluate(table, solution.plan, solution.against, exact, never)
    assert isinstance(evaluation, Evaluation)
    seconds = time.perf_counter() - began
    return BestResponse(solution, evaluation, solution.sweeps, seconds)


def reply_problem(
    form: PlainForm,
    fixed: Plan | Sequence[Plan],
    begin: Plan | None = None,
    exact: bool = False,
    reward: Numbers = NOTHING,
    never: Fraction | None = None,
    keeps: bool = False,
) -> tuple[Problem, Counting]:
    """Return the problem of replying to a plan, to be improved from another one, and its unit.

    With three players and more, `fixed` has a plan for each of the others, in order of their turns.
    Where that mixes, its moves are -1 and improvement begins anywhere. `reward` [seats, rows] is
    paid to who replies beside what the rules say. With `keeps`, who replies keeps to what he begins
    with.
    """
    table, arrays = form.table, form.arrays
    others = [fixed] if isinstance(fixed, Plan) else list(fixed)
    choice = np.full((1 + len(others), len(arrays)), -1, np.int32)
    if begin is not None:
        choice[0] = form.moves(begin)
    plans = [begin if keeps else None, *others]
    mixes = [each is not None and mixes_somewhere(each) for each in plans]
    weight = NOTHING
    if any(mixes):
        weight = np.zeros((len(plans), arrays.rows), object if exact else float)
    for seat, (each, mixed) in enumerate(zip(plans, mixes, strict=True)):
        if each is None:
            continue
        if mixed:
            weight[seat] = form.weights(each, exact)
        else:
            choice[seat] = form.moves(each)
    endless = table.never if never is None else never
    assert endless is not None  # between two nothing takes for ever
    counting = counted_for_reply(table, endless)
    if table.has_gains:
        gains = arrays.rewards(exact, counting.unit)
        gains = np.stack([gains, -gains])
        reward = gains + reward if reward.size else gains
    problem = Problem(
        arrays,
        seats=1 + len(others),
        sign=1,
        role=tuple(
            MOST if each is None else MIX if mixed else PLAY
            for each, mixed in zip(plans, mixes, strict=True)
        ),
        ends=counting.ends,
        exact=exact,
        choice=choice,
        weight=weight,
        reward=reward,
        gaining=table.has_gains,
    )
    if not keeps:
        begin_well(problem, table, others[0].name)
    return problem, counting


def mixes_somewhere(plan: Plan) -> bool:
    """Return whether a plan leaves a move, or a way after a throw, to chance."""
    return plan.is_mixed or (plan.ways is not None and plan.ways.dtype == object)


def _solution(
    form: PlainForm,
    problem: Problem,
    counting: Counting,
    reply: Plan,
    fixed: Plan,
    began: float,
) -> TableSolution:
    exact = problem.exact
    with form.naming():
        error = None if exact else certify(problem)[:, form.number]
    values, lowers, uppers = counting.told(problem.value[:, form.number], error)
    return TableSolution(
        table=form.table,
        values=values[0],
        lowers=lowers[0],
        uppers=uppers[0],
        plan=reply,
        method=("rational" if exact else "certified float") + " policy iteration",
        sweeps=int(problem.counts[0]),
        seconds=time.perf_counter() - began,
        exact=exact,
        against=fixed,
        replies=(values[1], lowers[1], uppers[1]),
    )


def _read_off(solution: TableSolution, problem: Problem) -> Evaluation | None:
    """Return how the reply fares by what it is worth; None where there is more than win or lose."""
    table, exact = solution.table, problem.exact
    start, lost, pot = table.start, table.worth[LOSS], table.worth[WIN] - table.worth[LOSS]
    if not problem.ends_surely or (table.result == DRAW).any() or not pot or table.is_for_points:
        return None
    assert solution.against is not None
    assert solution.replies is not None
    found = (solution.values, solution.lowers, solution.uppers), solution.replies
    at_start = [[each[start] if exact else float(each[start]) for each in three] for three in found]
    error = max(max(value - low, high - value) for value, low, high in at_start)
    values = at_start[0][0], at_start[1][0]
    wins = [
        (value - lost) / pot if exact else float((Fraction(value) - lost) / pot) for value in values
    ]
    a_first, b_first = (Chances(win, 1 - win, 0 * win, 0 * win) for win in wins)
    rounding = 0.0 if exact else 2.0**-52
    return Evaluation(
        table.game,
        solution.plan.name,
        solution.against.name,
        a_first,
        b_first,
        float(error / abs(pot)) + rounding,
        solution.seconds,
        exact,
        values,
        stakes_of(table),
    )


@dataclass(frozen=True)
class Iteration:
    """Best replies to best replies: every order, until one changes nothing."""

    start: Plan
    orders: list[BestResponse]  # if it settled, the last one is the reply to itself
    settled: bool

    @property
    def taken(self) -> int:
        """How many orders changed something."""
        return len(self.orders) - (1 if self.settled else 0)

    @property
    def plan(self) -> Plan:
        """The last reply: the optimum, if it settled."""
        return self.orders[-1].plan


def iterate(
    game: Game | Table,
    start: AnyStrategy,
    most_orders: int = MOST_ORDERS,
    progress: Callable[[int, BestResponse], None] | None = None,
) -> Iteration:
    """Return the best reply to a strategy, the best reply to that, and so on.

    A strategy that is its own best reply at every position is optimal; the last order shows it by
    changing nothing.
    """
    table = compile(game)
    contract.refuse_many(table.game, "be climbed by replies to replies")
    first = now = plan(table, start)
    orders: list[BestResponse] = []
    for order in range(1, most_orders + 1):
        reply = best_response(table, now, now)
        orders.append(reply)
        if progress:
            progress(order, reply)
        if reply.plan.plays_like(now):
            return Iteration(first, orders, settled=True)
        now = reply.plan
    if not orders:
        raise NotSolved(f"no order was asked for: got most_orders={most_orders}")
    return Iteration(first, orders, settled=False)
