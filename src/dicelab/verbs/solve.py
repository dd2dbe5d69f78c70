"""solve: the best way to play, with a proof of how close to best it is.

For two players, v(s) is what the game is worth to the player about to move at s when both play
their best:

    v(s) = max over moves m of  sum over outcomes of  chance x (v(next), or total - v(next)
                                                               where the turn passes).

Inside, values are centred so that `total - v` becomes `-v`. A game that never ends is a draw
between two players; alone, it is worth a loss, or takes for ever. Three players and more have no
one value between them: `profile` says what is found and proved for them.
"""

from __future__ import annotations

import dataclasses
import inspect
import math
import time
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

import numpy as np

from dicelab.core.arrays import Numbers, Real
from dicelab.errors import NotFinite, NotSolved, RulesError
from dicelab.rules import Game, contract
from dicelab.rules.registry import imported
from dicelab.solvers.certificate import certify
from dicelab.solvers.circles import refuse_circles
from dicelab.solvers.problem import MOST, NOTHING, Problem
from dicelab.solvers.settle import Progress, settle
from dicelab.strategies.named import general
from dicelab.strategies.plain_form import PlainForm, plain_form
from dicelab.strategies.plan import Plan
from dicelab.table import MOST_RESCUED, Table, compile, refuse_exact
from dicelab.table.aims import for_purpose
from dicelab.table.at_once import SimultaneousTable
from dicelab.table.worths import Counting, counted
from dicelab.verbs.at_once import solve_simultaneous
from dicelab.verbs.evaluate import evaluate
from dicelab.verbs.profile import solve_profile
from dicelab.verbs.seats import SeatedEvaluation
from dicelab.verbs.solution import Solution
from dicelab.verbs.table_solution import TableSolution

WIDE = 1e-6
"""Bounds further apart than this share of the largest value say little."""


def solve(
    game: Game | Table,
    exact: bool = False,
    memory: int | None = None,
    progress: Progress | None = None,
    for_: str | None = None,
    checkpoint: str | Path | None = None,
) -> Solution:
    """Return the value of every position under best play, with certified bounds.

    With `exact`, values are rationals. `memory` is a limit in bytes; `progress` is called with
    the share of the work that is done. `for_` is a purpose other than the game's own, such as
    "win", "points", "fewest turns" or "at least 300". A `checkpoint` is a file for games that are
    solved part by part, such as a scorecard for a chance or a game in sets for three and more: the
    same call goes on after a stop.

    >>> from dicelab.games.pig import Piglet
    >>> solve(Piglet(target=2), exact=True).value
    Fraction(4, 7)
    """
    began = time.perf_counter()
    game = for_purpose(game, for_)
    rules = game.game if isinstance(game, Table) else game
    contract.check(rules)
    if rules.solver and not (isinstance(game, Table) and rules.players > 2):
        found = own_solution(rules, exact, progress, began, memory, checkpoint)
        if isinstance(game, Table):
            return found.on(game)
        return found
    if checkpoint is not None:
        refuse_checkpoint(rules)
    counting, later = in_halves(progress, rules.size())
    table = compile(game, memory, counting, exact)
    if isinstance(table, SimultaneousTable):
        return solve_simultaneous(table, exact, later, began)
    if rules.players > 2:
        return solve_profile(table, exact, later, began)
    return solve_graph(table, exact, later, began)


def in_halves(
    progress: Progress | None, expected: int | None
) -> tuple[Callable[[int], None] | None, Progress | None]:
    """Return what to call with how much was found of what is expected, then with shares of work."""
    if progress is None:
        return None, None
    later: Progress = lambda share: progress(0.5 + 0.5 * share)  # noqa: E731
    if not expected:
        return None, later
    return lambda count: progress(min(0.5, 0.5 * count / expected)), later


def on_table(solution: Solution) -> TableSolution:
    """Return a solution with the values of a whole table, solved there if its engine made none."""
    return solution if isinstance(solution, TableSolution) else solve_graph(solution.table)


@general("optimal")
def _optimal(table: Table, exact: bool) -> Plan:
    """Play a best move at every position, as `solve` finds it."""
    return solve(table, exact).plan


def own_solution(
    game: Game,
    exact: bool,
    progress: Progress | None,
    began: float,
    memory: int | None = None,
    checkpoint: str | Path | None = None,
) -> Solution:
    """Return the solution that a game's own solver finds."""
    solver = imported(game.solver)
    found: Solution
    if checkpoint is None:
        found = solver(game, exact, progress, began, memory)
    elif exact or "checkpoint" not in inspect.signature(solver).parameters:
        refuse_checkpoint(game)
    else:
        found = solver(game, exact, progress, began, memory, checkpoint=checkpoint)
    return found


def refuse_checkpoint(game: Game) -> NoReturn:
    """Refuse a checkpoint where a game is solved in one go."""
    raise RulesError(
        f"{game} is solved in one go: a checkpoint is for scorecards that are played for a chance, "
        f"such as --for 'at least 300', and for games in sets that three and more play"
    )


def solve_graph(
    table: Table,
    exact: bool = False,
    progress: Progress | None = None,
    began: float | None = None,
    folded: bool = True,
) -> TableSolution:
    """Return the solution by the graph of positions, whatever other way there is.

    Choices after throws stay folded where the solver can settle them so (`folded`).
    """
    began = time.perf_counter() if began is None else began
    contract.check_one_pot(table.game, "be solved for one value")
    if exact:
        refuse_exact(table)
    counting = counted(table)
    folded = folded and _stays_folded(table, counting, exact)
    form = PlainForm(table, None) if folded else plain_form(table)
    arrays = form.arrays
    problem = Problem(
        arrays,
        seats=1,
        sign=-1 if table.game.players == 2 else 1,
        role=(MOST,),
        ends=counting.ends,
        exact=exact,
        never=-math.inf if table.never is None else 0,
        reward=arrays.rewards(exact, counting.sign * counting.unit).reshape(1, -1),
        gaining=table.has_gains,
        taken=(~table.another[table.kind] if folded else NOTHING.astype(np.bool_)).reshape(1, -1),
    )
    try:
        if table.game.players == 1:
            _begin_alone(table, problem)
        with form.naming():
            settle(problem, progress)
            refuse_circles(problem, arrays.is_free)
            error = None if exact else certify(problem)[0][form.number]
    except NotFinite:
        raise
    except NotSolved:
        if folded:
            return solve_graph(table, exact, progress, began, folded=False)
        if exact or len(table) > MOST_RESCUED:
            raise
        return solve_graph(table, True, progress, began).rounded()
    plan = form.plan("optimal", problem.choice[0])
    if folded:
        plan = dataclasses.replace(plan, ways=problem.taken[0])
    values, lowers, uppers = counting.told(problem.value[0, form.number], error)
    if not exact and len(table) <= MOST_RESCUED and _are_wide(values, uppers - lowers):
        return solve_graph(table, True, progress, began).rounded()
    return TableSolution(
        table=table,
        values=values,
        lowers=lowers,
        uppers=uppers,
        plan=plan,
        method=("rational" if exact else "certified float") + " sweeps over components",
        sweeps=int(problem.counts[0]),
        seconds=time.perf_counter() - began,
        exact=exact,
        never_ends=0 if problem.ends_everywhere else _never_ends(plan, exact),
    )


def _stays_folded(table: Table, counting: Counting, exact: bool) -> bool:
    """Return whether a game with choices after throws is first tried with these folded.

    Gains, and moves that must be begun well, are seen to only where every moment is a position.
    """
    if not table.has_choices or exact or table.has_gains or table.game.fewest:
        return False
    return table.game.players == 2 or all(end >= 0 for (end,) in counting.ends.values())


def _are_wide(values: Numbers, widths: Numbers) -> bool:
    """Return whether bounds, though right, say little: a small game is worth rationals then."""
    finite = np.isfinite(values)
    most = max(1.0, float(np.abs(values[finite]).max(initial=0.0)))
    return bool(widths[finite].max(initial=0.0) > WIDE * most)


def _never_ends(plan: Plan, exact: bool) -> Real:
    """Return the chance that a game played by a plan never ends; nan where floats cannot tell."""
    other = plan if plan.table.game.players == 2 else None
    try:
        found = evaluate(plan.table, plan, other, exact)
        assert not isinstance(found, SeatedEvaluation)
        return found.never_ends
    except NotSolved:
        return math.nan


def _begin_alone(table: Table, problem: Problem) -> None:
    """Choose moves to improve from, where one alone could be led astray by any others."""
    arrays, endless = problem.arrays, table.never is None
    ends = problem.value[0, ~arrays.is_ongoing]
    if not (endless or (problem.reward < 0).any() or (ends < 0).any()):
        return
    lost = problem.begin_well(arrays.is_free)
    if lost and endless:
        raise NotFinite(
            f"{table.game} cannot end from {lost} of its positions: from there it takes for ever"
        )
    if lost:
        raise NotFinite(
            f"{table.game} has no finite value: from {lost} of its positions it can only go on, "
            f"and loses more and more, without end"
        )
