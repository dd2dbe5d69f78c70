"""Strategy against strategy: named or painted, exactly evaluated, replied to, all against all.

A painted strategy is a map, and only that: numbers and letters from the page, never code.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from typing import Any

import numpy as np

from dicelab.core.json_object import JsonObject
from dicelab.lab import narration
from dicelab.lab.arguments import strategy_name
from dicelab.lab.coach import share
from dicelab.lab.explore import board_maps, holding_map
from dicelab.lab.solving import Solving
from dicelab.rules import LOSS, WIN, Game, contract
from dicelab.strategies.plan import Plan
from dicelab.verbs.best_response import BestResponse, best_response
from dicelab.verbs.evaluate import evaluate
from dicelab.verbs.evaluation import Evaluation, SoloEvaluation
from dicelab.verbs.explain import stake
from dicelab.verbs.tournament import Tournament, tournament

Given = str | JsonObject


class Versus:
    """Meetings of strategies."""

    def __init__(self, solving: Solving) -> None:
        self.solving = solving

    def _plan(self, game: Game, given: Given, wait: float) -> Plan:
        if isinstance(given, str):
            return self.solving.plan(game, strategy_name(game, given), wait)
        return self.solving.painted(game, given, wait)

    def _found(
        self, game: Game, verb: str, asked: object, make: Callable[..., object], wait: float
    ) -> Any:
        """Return an answer through the shelf, known by what was asked."""
        text = json.dumps(asked, sort_keys=True)
        key = (verb, str(game), hashlib.sha256(text.encode()).hexdigest()[:24])
        return self.solving.shelf.get(key, f"{verb} of {game}", make, wait)

    def meet(self, game: Game, a: Given, b: Given | None, wait: float) -> JsonObject:
        """Return exactly how A fares against B."""
        table = self.solving.table(game, wait)
        one = self._plan(game, a, wait)
        two = None if b is None else self._plan(game, b, wait)
        found = self._found(game, "meeting", [a, b], lambda _: evaluate(table, one, two), wait)
        if isinstance(found, SoloEvaluation):
            value = float(found.value)
            finite = value if np.isfinite(value) else None
            who = narration.spoken(found.strategy)
            if finite is None:
                text = f"{who} never ends."
            elif stake(game) is None:
                does = "takes" if game.fewest else "gets"
                text = f"{who} {does} {value:.4g} {game.unit} on average."
            else:
                text = f"{who} wins {100 * value:.1f}% of games."
            return {
                "a": found.strategy,
                "value": finite,
                "unit": game.unit,
                "error": found.error,
                "sentence": text,
            }
        assert isinstance(found, Evaluation)
        overall = float(found.overall)
        return {
            "a": found.a,
            "b": found.b,
            "at_once": game.is_simultaneous,  # then nobody starts, and both seats are the same
            "a_first": _chances(found.a_first),
            "b_first": _chances(found.b_first),
            "overall": overall,
            "values": [float(value) for value in found.values],
            "value": float(found.value),
            "share": share(game, float(found.value)),
            "unit": game.unit,
            "error": found.error,
            "sentence": f"{narration.spoken(found.a)} wins {100 * overall:.1f}% of games against "
            f"{narration.spoken(found.b)} when "
            f"they take turns in starting{_nobody(found)}.",
        }

    def reply(self, game: Game, to: Given, wait: float) -> JsonObject:
        """Return the best reply to a strategy, and what the strategy loses to it."""
        table = self.solving.table(game, wait)
        played = self._plan(game, to, wait)
        found: BestResponse = self._found(
            game,
            "best reply",
            to,
            lambda report: best_response(table, played, progress=report),
            wait,
        )
        value = float(found.evaluation.value)
        costs = value - float(game.total) / 2 if game.is_one_pot else None
        said = f"{100 * float(found.overall):.1f}%"
        return {
            "to": played.name,
            "overall": float(found.overall),
            "first": float(found.first),
            "second": float(found.second),
            "value": value,
            "error": found.evaluation.error,
            "costs": costs,
            "unit": game.unit,
            "sentence": f"The best reply wins {said} of games against "
            f"{narration.spoken(played.name)}.",
            "holding": holding_map(found.plan) if "holding" in game.map_views else None,
            "boards": board_maps(found.solution) or None,
        }

    def tournament(self, game: Game, given: list[Given], wait: float) -> JsonObject:
        """Return everybody against everybody."""
        contract.refuse_alone(game, "nobody meets anybody; dicelab tournament ranks its strategies")
        plans = [self._plan(game, one, wait) for one in given]

        def make(report: Callable[[float], None]) -> Tournament:
            found = tournament(game, plans, workers=1, progress=report)
            assert isinstance(found, Tournament)
            return found

        found: Tournament = self._found(game, "tournament", given, make, wait)
        return {
            "names": list(found.names),
            "wins": found.wins.round(9).tolist(),
            "values": found.values.round(9).tolist(),
            "unit": game.unit,
            "least": float(game.worth[LOSS]),
            "most": float(game.worth[WIN]),
            "never": found.never.round(9).tolist(),
            "share": found.share.round(9).tolist(),
            "ranking": found.ranking,
            "champion": found.champion,
            "cycles": [list(cycle.members) for cycle in found.cycles][:50],
            "error": found.error,
        }


def _nobody(found: Evaluation) -> str:
    """Return what A gets in all, in words, where winning is not all that counts."""
    if found.game.unit != "chance to win":
        return f", and gets a {found.game.unit} of {float(found.value):.4g}"
    if not found.draws + found.never_ends:
        return ""
    return f", and scores {100 * float(found.value):.1f}% with the games that nobody wins counted"


def _chances(found: Any) -> dict[str, float]:
    names = ("a_wins", "b_wins", "draws", "never_ends")
    return {name: float(getattr(found, name)) for name in names}
