"""Who sits opposite: a named strategy, the optimum, a person as fitted, or one that adapts.

An opponent is settled when the match begins and written down with it, numbers and all, so that it
plays on in the same way after the server was killed.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np

from dicelab.games.greed import Greed
from dicelab.games.throwing import throw
from dicelab.lab import adapting, narration
from dicelab.lab.solving import Solving
from dicelab.people.models import quantal_at
from dicelab.rules import Game, Position
from dicelab.rules.throw import below
from dicelab.verbs.solution import Solution

Chooser = Callable[[Position, np.random.Generator], str]


def chooser(solving: Solving, game: Game, opponent: dict[str, Any], wait: float) -> Chooser:
    """Return how an opponent moves: asked at a position it sees, it answers with a move."""
    kind = opponent["kind"]
    if kind == "strategy" and opponent["name"] != "optimal":
        return mixed(solving.named(game, opponent["name"], wait))
    if kind == "person" and opponent["model"] == "threshold":
        return mixed(solving.named(game, noisy(opponent["numbers"]), wait))
    solution = solving.solution(game, wait)
    if kind == "person":
        precision = float(opponent["numbers"][0])
        return mixed(lambda at: quantal_at(solution, at, precision))
    if kind == "adaptive" and opponent["numbers"] is not None:
        return mixed(adapting.reply(solving, game, opponent, wait).move_at)
    return mixed(best(solution))


def best(solution: Solution) -> Callable[[Position], Any]:
    """Return best play; the fewest dice where several are best in Greed."""
    if isinstance(solution.game, Greed):
        return lambda at: throw(solution.best_dice(at)[0])  # type: ignore[attr-defined]
    return solution.plan.move_at


def mixed(answers: Callable[[Position], Any]) -> Chooser:
    """Return a chooser that leaves mixtures to chance, each move with exactly its share."""

    def choose(at: Position, rng: np.random.Generator) -> str:
        answer = answers(at)
        if isinstance(answer, str):
            return answer
        shares = [(move, Fraction(share)) for move, share in answer.items()]
        whole = int(np.lcm.reduce([share.denominator for _, share in shares], dtype=object))
        left = below(whole, rng)
        for move, share in shares[:-1]:
            left -= int(share * whole)
            if left < 0:
                return str(move)
        return str(shares[-1][0])

    return choose


def noisy(numbers: list[float]) -> str:
    """Return the named strategy that plays like a person with these numbers."""
    return "noisy:" + ",".join(f"{number:.9f}" for number in numbers)


def shown(opponent: dict[str, Any]) -> dict[str, Any]:
    """Return an opponent as the page shows it, with what it takes to ask for it again."""
    return {
        "kind": opponent["kind"],
        "name": opponent.get("name"),
        "record": opponent.get("record"),
        "player": opponent.get("player"),
        "label": narration.called(opponent),
        "says": opponent.get("says"),
        "numbers": opponent.get("numbers"),
    }
