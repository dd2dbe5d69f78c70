"""Who sits opposite: a named strategy, the optimum, a person as fitted, or one that adapts.

An opponent is settled when the match begins and written down with it, numbers and all, so that it
plays on in the same way after the server was killed.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import numpy as np

from dicelab.core.json_object import JsonObject
from dicelab.core.language import Later, number, tr
from dicelab.core.worker_process import Report
from dicelab.errors import RulesError, TooLarge
from dicelab.lab import adapting, narration
from dicelab.lab.solving import Choose, Solving
from dicelab.people.models import plan_of, quantal_at, usual_model
from dicelab.rules import Game, Position
from dicelab.rules.throw import drawn
from dicelab.strategies.plan import Plan
from dicelab.table import Table
from dicelab.verbs.best_response import best_response
from dicelab.verbs.solution import Solution

MOST_WRITTEN_OUT = 40_000
"""Positions of a game with a solver of its own whose table is made to find a reply."""

Chooser = Callable[[Position, np.random.Generator], str]


def chooser(solving: Solving, game: Game, opponent: JsonObject, wait: float) -> Chooser:
    """Return how an opponent moves: asked at a position it sees, it answers with a move."""
    kind = opponent["kind"]
    if kind == "strategy" and opponent["name"] != "optimal":
        return mixed(solving.named(game, opponent["name"], wait))
    if kind == "painted":
        return mixed(solving.painted(game, opponent["painted"], wait).move_at)
    if kind == "person" and opponent["model"] == "threshold":
        return mixed(solving.named(game, noisy(opponent["numbers"]), wait))
    solution = solving.solution(game, wait)
    if kind == "person":
        precision = float(opponent["numbers"][0])
        return mixed(lambda at: quantal_at(solution, at, precision))
    if kind == "adaptive" and opponent["numbers"] is not None:
        return mixed(adapting.reply(solving, game, opponent, wait).move_at)
    return mixed(best(solution))


def best(solution: Solution) -> Choose:
    """Return best play; of several best moves the first in the game's order, without a table."""
    if not solution.game.solver:
        return solution.plan.move_at
    allowed = solution.game.legal_moves  # after a throw these are the ways that are open
    return lambda at: min(solution.best_moves(at), key=allowed(at).index)


def is_perfect(opponent: JsonObject) -> bool:
    """Return whether an opponent plays its best whatever you do."""
    if opponent["kind"] == narration.SEVERAL:
        return all(map(is_perfect, opponent["others"]))
    return opponent["kind"] == "optimal" or (
        opponent["kind"] == "adaptive" and opponent["numbers"] is None
    )


def reply_to(solving: Solving, game: Game, opponent: JsonObject, wait: float) -> Solution:
    """Return what every position is worth to who knows how an opponent plays."""
    if game.solver and (game.size() or 0) > MOST_WRITTEN_OUT:
        raise TooLarge(
            tr(
                "{game} is too large to work out a reply to one opponent while you "
                "play: it goes up to {most} positions",
                game=game,
                most=number(MOST_WRITTEN_OUT, ","),
            )
        )
    table = solving.table(game, wait)
    plans = [as_plan(solving, game, table, each, wait) for each in narration.each_of(opponent)]
    names = ", ".join(plan.name for plan in plans)
    key = ("answer", str(table.game), names, str(opponent.get("numbers")), opponent.get("margin"))
    given = plans[0] if game.players == 2 else plans
    what = Later("the best reply to {opponent} at {game}", opponent=names, game=table.game)
    found: Solution = solving.shelf.get(
        key, what, lambda report: solving.apart(report, best_reply, table, given), wait
    )
    return found


def best_reply(table: Table, given: Plan | list[Plan], report: Report) -> Solution:
    """Return the best reply to how one opponent plays, or several."""
    return best_response(table, given, progress=report).solution


def as_plan(solving: Solving, game: Game, table: Table, opponent: JsonObject, wait: float) -> Plan:
    """Return how an opponent plays at every position, as `chooser` has it play."""
    if opponent["kind"] in ("strategy", "optimal"):
        return solving.plan(game, opponent.get("name") or "optimal", wait)
    if opponent["kind"] == "painted":
        return solving.painted(game, opponent["painted"], wait)
    if opponent["kind"] == "adaptive":
        return adapting.reply(solving, game, opponent, wait)
    if opponent["model"] == "threshold":
        return solving.plan(game, noisy(opponent["numbers"]), wait)
    if game.solver:
        raise RulesError(
            tr(
                "how a person plays {game} is known one position at a time only: there "
                "is no reply to all of it",
                game=game,
            )
        )
    solution = solving.solution(game, wait)
    numbers = opponent["numbers"]
    key = ("person", str(table.game), tuple(numbers))
    found: Plan = solving.shelf.get(
        key,
        Later("a person at {game}", game=table.game),
        lambda report: solving.apart(report, plan_of_person, solution, numbers, table),
        wait,
    )
    return found


def plan_of_person(solution: Solution, numbers: list[float], table: Table, report: Report) -> Plan:
    """Return how somebody plays everywhere whom these numbers describe."""
    return plan_of(usual_model(solution), numbers, table)


def mixed(answers: Choose) -> Chooser:
    """Return a chooser that leaves mixtures to chance, each move with exactly its share."""

    def choose(at: Position, rng: np.random.Generator) -> str:
        answer = answers(at)
        if isinstance(answer, str):
            return answer
        return str(drawn([(Fraction(share), move) for move, share in answer.items()], rng))

    return choose


def noisy(numbers: list[float]) -> str:
    """Return the named strategy that plays like a person with these numbers."""
    return "noisy:" + ",".join(f"{number:.9f}" for number in numbers)


def shown(opponent: JsonObject) -> JsonObject:
    """Return an opponent as the page shows it, with what it takes to ask for it again."""
    return {
        "kind": opponent["kind"],
        "name": opponent.get("name"),
        "record": opponent.get("record"),
        "painting": opponent.get("painting"),
        "player": narration.participant(opponent) if opponent.get("player") else None,
        "label": narration.called(opponent),
        "says": opponent.get("says"),
        "numbers": opponent.get("numbers"),
    }
