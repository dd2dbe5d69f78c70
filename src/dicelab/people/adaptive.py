"""An opponent that adapts: it learns how you play and answers that, within a margin of safety.

It keeps a model of the person, fitted to what the person has done so far, and plays the best reply
to the model. A model may be wrong, and a best reply to a wrong model can lose badly. So there is a
guard: against any opponent at all, it does at most `margin` worse than the optimum would.

Why the guard holds. Let v be the values of best play. For one play of the game, the result minus
v(start) is my luck - my costs - (your luck - your costs), and luck is 0 on average (see `review`).
Your costs are never negative. So whoever you are,

    my expected result  >=  v(start) - my expected costs.

So what a reply may cost against best play is charged to it: it is the best reply to the model when
every decision also pays `caution` times its cost. With no caution it is the plain best reply; with
more and more it becomes the optimum. How much such a reply can lose in all is not estimated but
computed: the worst that any opponent can do to it is its value against its own best response,
with certified bounds, in either seat. The caution is the least, found by halving, for which that
worst case stays within the margin; no reply is played that has not passed this check.

Where both choose at once, best play is a mixture and has no cost to charge. There the guarded reply
plays the optimum `caution` times for each time it plays the best reply, and passes the same check.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np

from dicelab.errors import RecordError, RulesError
from dicelab.people.decisions import Decisions
from dicelab.people.fit import Fit, evidence_of, fit
from dicelab.people.models import Model, usual_model
from dicelab.people.sampling import joined
from dicelab.rules import contract
from dicelab.solvers.problem import NOTHING
from dicelab.solvers.settle import Progress, settle
from dicelab.strategies.named import AnyStrategy, plan
from dicelab.strategies.plain_form import plain_form
from dicelab.strategies.plan import Plan
from dicelab.strategies.ways import folded_plan
from dicelab.table.unfolded import unfolded_table
from dicelab.verbs.best_response import best_response, reply_problem
from dicelab.verbs.evaluate import evaluate
from dicelab.verbs.evaluation import Evaluation
from dicelab.verbs.table_solution import TableSolution

MARGIN = 0.01
STEPS = 6
LEAST, MOST_CAUTION = 0.05, 50.0
PARTS = 2**10


@dataclass(frozen=True, eq=False)
class Guarded:
    """A reply to a model, and the most that anyone can make of it."""

    plan: Plan
    margin: float
    caution: float  # how often a decision pays what it costs against best play; inf: the optimum
    worst: tuple[float, float]  # what it loses at most against the optimum's value, by seat


def guarded_reply(
    solution: TableSolution,
    opponent: AnyStrategy,
    margin: float = MARGIN,
    steps: int = STEPS,
    progress: Progress | None = None,
) -> Guarded:
    """Return a reply to an opponent that loses at most `margin` to anybody else."""
    table = solution.table
    if table.has_choices:  # what is chosen after a throw has its cost as any move has
        there = unfolded_table(table)
        whole = guarded_reply(solution.on(there), plan(there, opponent), margin, steps, progress)
        return replace(whole, plan=folded_plan(whole.plan))
    if solution.game.players != 2:
        raise RulesError(f"{solution.game} is played alone: there is nobody to adapt to")
    if not (margin >= 0 and math.isfinite(margin)):
        raise RulesError(f"a margin is what may be lost at most, 0 or more: got {margin}")
    other = plan(table, opponent)
    optimum = Plan("guarded optimal", table, solution.plan.choice, solution.plan.chances)
    best = Guarded(optimum, margin, math.inf, (0.0, 0.0))
    if margin == 0:
        return best
    at_once = best_response(table, other).plan if solution.game.is_simultaneous else None

    def attempt(caution: float) -> Guarded | None:
        if at_once is not None:
            reply = _blended(solution.plan, at_once, caution, other.name)
        else:
            reply = _charged(solution, other, caution)
        worst = worst_losses(solution, reply)
        return Guarded(reply, margin, caution, worst) if max(worst) <= margin else None

    free = attempt(0.0)
    if free is not None:
        return free
    low, high = LEAST, MOST_CAUTION
    for step in range(steps):
        if progress:
            progress((step + 1) / (steps + 1))
        middle = math.sqrt(low * high)
        found = attempt(middle)
        if found is None:
            low = middle
        else:
            best, high = found, middle
    return best


def worst_losses(solution: TableSolution, played: Plan) -> tuple[float, float]:
    """Return the most that a strategy loses against the optimum's value, going first and second.

    Bounds are rounded up, so the true worst is no worse than this.
    """
    contract.check_one_pot(solution.game, "say what a strategy loses at worst")
    reply = best_response(solution.table, played)
    total, value = float(solution.game.total), float(solution.value)
    slack = float((reply.solution.uppers - reply.solution.lowers).max())
    slack += float(solution.upper - solution.lower) + reply.evaluation.value_error
    theirs_first, theirs_second = (float(v) for v in reply.evaluation.values)
    return value - (total - theirs_second) + slack, theirs_first - value + slack


def _blended(optimum: Plan, reply: Plan, caution: float, name: str) -> Plan:
    """Return the plan that plays the optimum `caution` times for each time it plays the reply."""
    share = Fraction(round(PARTS / (1 + caution)), PARTS)
    chances = (1 - share) * optimum.weights(exact=True) + share * reply.weights(exact=True)
    return Plan(f"guarded reply to {name}", optimum.table, np.full_like(reply.choice, -1), chances)


def _charged(solution: TableSolution, other: Plan, caution: float) -> Plan:
    """Return the best reply of a player who also pays for what its moves cost against best play."""
    table, reward = solution.table, NOTHING
    if caution:
        cost = np.asarray(solution.values[table.row_position] - solution.row_values, float)
        reward = np.stack([-caution * np.maximum(cost, 0.0), np.zeros(table.rows)])
    problem, _ = reply_problem(plain_form(table), other, solution.plan, reward=reward)
    with table.naming():
        settle(problem)
    return Plan(f"guarded reply to {other.name}", table, problem.choice[0].copy())


class Adaptive:
    """A player who watches a person and answers what it has seen."""

    def __init__(
        self, solution: TableSolution, margin: float = MARGIN, model: Model | None = None
    ) -> None:
        self.solution = solution
        self.margin = margin
        self.model: Model = usual_model(solution) if model is None else model
        self.fit: Fit | None = None
        self.guarded = guarded_reply(solution, solution.plan, 0.0)
        self._seen: list[Decisions] = []

    @property
    def plan(self) -> Plan:
        """How it plays now: the optimum until it has seen something."""
        return self.guarded.plan

    def watch(self, record: Decisions, player: str) -> Fit:
        """Learn from games that a person played, and return the model of the person."""
        if record.table.game != self.solution.game:
            raise RecordError(
                f"a record of {record.table.game} says nothing about {self.solution.game}"
            )
        mine = evidence_of(record, player).record
        assert isinstance(mine, Decisions)
        self._seen.append(mine)
        seen = evidence_of(joined(self._seen))
        self.fit = fit(self.model, seen, prior=True)
        self.guarded = guarded_reply(self.solution, self.fit.plan(self.solution.table), self.margin)
        return self.fit


@dataclass(frozen=True)
class Gain:
    """What adapting brings against one person: chances to win, taking turns in going first."""

    person: str
    optimal: float
    adapted: float
    most: float  # the best reply to the person as they truly are
    worst: float  # the most the adapted player loses to anybody

    @property
    def gain(self) -> float:
        """How much more often the adapted player wins than the optimum would."""
        return self.adapted - self.optimal


def gain(adaptive: Adaptive, person: AnyStrategy) -> Gain:
    """Return what an adaptive player, as it plays now, wins against a person; exactly."""
    solution = adaptive.solution
    table = solution.table
    true = plan(table, person)

    def share(mine: Plan) -> float:
        found: Any = evaluate(table, mine, true)
        assert isinstance(found, Evaluation)
        return float(sum(found.values)) / 2

    most = best_response(table, true)
    return Gain(
        true.name,
        share(solution.plan),
        share(adaptive.plan),
        float(sum(most.evaluation.values)) / 2,
        max(adaptive.guarded.worst),
    )
