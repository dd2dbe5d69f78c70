"""solve: the best way to play, with a proof of how close to best it is.

For two players, v(s) is what the game is worth to the player about to move at s when both play
their best:

    v(s) = max over moves m of  sum over outcomes of  chance x (v(next), or total - v(next)
                                                               where the turn passes).

Inside, values are centred so that `total - v` becomes `-v`. A game that never ends is a draw
between two players; alone, it is worth a loss, or takes for ever.
"""

from __future__ import annotations

import math
import time
from fractions import Fraction
from typing import Any

import numpy as np

from dicelab.errors import NotSolved
from dicelab.rules import DRAW, LOSS, WIN, Game, contract
from dicelab.rules.registry import imported
from dicelab.solvers.certificate import certify
from dicelab.solvers.ends import ending_rows
from dicelab.solvers.problem import MOST, Problem, Progress, graph_of
from dicelab.strategies.named import general
from dicelab.strategies.plan import Plan
from dicelab.table import MOST_RESCUED, Table, compile, refuse_exact
from dicelab.table.at_once import SimultaneousTable
from dicelab.verbs.at_once import solve_simultaneous
from dicelab.verbs.solution import Solution


def solve(
    game: Game | Table,
    exact: bool = False,
    memory: int | None = None,
    progress: Progress | None = None,
) -> Solution:
    """Return the value of every position under best play, with certified bounds.

    With `exact`, values are rationals. `memory` is a limit in bytes; `progress` is called with
    the share of the work that is done.

    >>> from dicelab.games.pig import Piglet
    >>> solve(Piglet(target=2), exact=True).value
    Fraction(4, 7)
    """
    began = time.perf_counter()
    rules = game.game if isinstance(game, Table) else game
    contract.check(rules)
    if rules.solver:
        found = own_solution(rules, exact, progress, began)
        if isinstance(game, Table):
            found.__dict__["table"] = game  # it would make one of its own
        return found
    expected = rules.size()
    counting = None
    if progress and expected:
        counting = lambda count: progress(min(0.5, 0.5 * count / expected))  # noqa: E731
    table = compile(game, memory, counting)
    later = (lambda share: progress(0.5 + 0.5 * share)) if progress else None
    if isinstance(table, SimultaneousTable):
        return solve_simultaneous(table, exact, later, began)
    return solve_graph(table, exact, later, began)


@general("optimal")
def _optimal(table: Table, exact: bool) -> Plan:
    """Play a best move at every position, as `solve` finds it."""
    return solve(table, exact).plan


def own_solution(game: Game, exact: bool, progress: Progress | None, began: float) -> Solution:
    """Return the solution that a game's own solver finds."""
    found: Solution = imported(game.solver)(game, exact, progress, began)
    return found


def solve_graph(
    table: Table, exact: bool = False, progress: Progress | None = None, began: float | None = None
) -> Solution:
    """Return the solution by the graph of positions, whatever other way there is."""
    began = time.perf_counter() if began is None else began
    contract.check_one_pot(table.game, "be solved for one value")
    if exact:
        refuse_exact(table)
    problem = Problem(
        table,
        seats=1,
        sign=-1 if table.game.players == 2 else 1,
        role=(MOST,),
        ends=_ends(table),
        exact=exact,
        never=-math.inf if table.game.fewest and not exact else 0,
        reward=_reward(table, exact),
        choice=_ending_moves(table) if table.game.fewest else None,
    )
    try:
        problem.settle(progress)
        error = None if exact else certify(problem)[0]
    except NotSolved:
        if exact or len(table) > MOST_RESCUED:
            raise
        return solve_graph(table, True, progress, began).rounded()
    values, lowers, uppers = in_game_units(table, problem.value[0], error)
    return Solution(
        table=table,
        values=values,
        lowers=lowers,
        uppers=uppers,
        plan=Plan("optimal", table, problem.choice[0]),
        method=("rational" if exact else "certified float") + " sweeps over components",
        sweeps=int(problem.counts[0]),
        seconds=time.perf_counter() - began,
        exact=exact,
    )


def _ending_moves(table: Table) -> Any:
    """Return moves that end the game, to improve from: never ending would cost without limit."""
    choice = table.move_first[:-1].astype(np.int32)
    lost = ending_rows(graph_of(table, False), choice, ~table.is_ongoing)
    if lost:
        raise NotSolved(
            f"{table.game} cannot end from {lost} of its positions: from there it takes for ever"
        )
    return choice.reshape(1, -1)


def _ends(table: Table) -> dict[int, tuple[Fraction, ...]]:
    worth = table.worth(centred=table.game.players == 2)
    sign = -1 if table.game.fewest else 1
    return {result: (sign * worth[result],) for result in (WIN, LOSS, DRAW)}


def _reward(table: Table, exact: bool) -> Any:
    """Return what each row gains, as something to have the most of."""
    rewards = table.rewards(exact)
    if not rewards.size:
        return None
    return (-rewards if table.game.fewest else rewards).reshape(1, -1)


def in_game_units(table: Table, value: Any, error: Any) -> tuple[Any, Any, Any]:
    """Return values, lower and upper bounds as the players count them; floats are used up."""
    shift = table.game.total / 2 if table.game.players == 2 else Fraction(0)
    if error is None:
        values = value + shift
        values = -values if table.game.fewest else values
        return values, values, values
    # New pages of memory cost more than the arithmetic, so the arrays that came in are used again.
    values, uppers = value, error
    values += float(shift)
    lowers = np.abs(values)
    np.maximum(lowers, 1.0, out=lowers)
    lowers *= 2.0**-52  # the shift itself may round
    error += lowers
    if table.game.fewest:
        np.negative(values, out=values)
    np.subtract(values, error, out=lowers)
    np.add(values, error, out=uppers)
    if table.game.fewest or table.has_gains:
        return values, lowers, uppers
    least, most = float(min(table.game.worth.values())), float(max(table.game.worth.values()))
    # Rounding may leave a value of 1.00002 in a game that hardly ever ends: it stays in its bounds.
    np.clip(values, least, most, out=values)
    np.maximum(lowers, least, out=lowers)
    np.minimum(uppers, most, out=uppers)
    return values, lowers, uppers
