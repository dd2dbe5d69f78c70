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
from dicelab.core.language import Later, mark, number, tr
from dicelab.core.worker_process import Report
from dicelab.lab import narration
from dicelab.lab.arguments import strategy_name
from dicelab.lab.coach import share
from dicelab.lab.explore import board_maps, holding_map
from dicelab.lab.opponents import MOST_WRITTEN_OUT
from dicelab.lab.solution_cache import in_spare_time
from dicelab.lab.solving import Solving
from dicelab.rules import LOSS, WIN, Game, contract
from dicelab.strategies.plan import Plan
from dicelab.table import Table
from dicelab.verbs.best_response import BestResponse, best_response
from dicelab.verbs.evaluate import evaluate
from dicelab.verbs.evaluation import Evaluation, SoloEvaluation
from dicelab.verbs.explain import stake
from dicelab.verbs.tournament import Tournament, tournament

Given = str | JsonObject

WORK = {
    "meeting": mark("the meeting of two strategies at {game}"),
    "best reply": mark("the best reply at {game}"),
    "tournament": mark("the tournament at {game}"),
}
HARDLY = 0.005
"""A share of drawn games that a percentage without decimals does not show."""
MOST_FOR_STRENGTHS = 12_000_000
"""Outcomes of a game in which strategies meet while somebody chooses an opponent."""


class Versus:
    """Meetings of strategies."""

    def __init__(self, solving: Solving) -> None:
        self.solving = solving

    def _plan(self, game: Game, given: Given, wait: float) -> Plan:
        if isinstance(given, str):
            return self.solving.plan(game, strategy_name(game, given), wait)
        return self.solving.painted(game, given, wait)

    def _found(
        self,
        game: Game,
        verb: str,
        asked: object,
        wait: float,
        function: Callable[..., object],
        *arguments: object,
    ) -> Any:
        """Return what a function answers, through the shelf, known by what was asked."""
        text = json.dumps(asked, sort_keys=True)
        key = (verb, str(game), hashlib.sha256(text.encode()).hexdigest()[:24])

        def make(report: Report) -> object:
            return self.solving.apart(report, function, *arguments)

        return self.solving.shelf.get(key, Later(WORK[verb], game=game), make, wait)

    def meet(self, game: Game, a: Given, b: Given | None, wait: float) -> JsonObject:
        """Return exactly how A fares against B."""
        table = self.solving.table(game, wait)
        one = self._plan(game, a, wait)
        two = None if b is None else self._plan(game, b, wait)
        found = self._found(game, "meeting", [a, b], wait, meeting, table, one, two)
        if isinstance(found, SoloEvaluation):
            value = float(found.value)
            finite = value if np.isfinite(value) else None
            who = narration.spoken(found.strategy)
            if finite is None:
                text = tr("{who} never ends.", who=who)
            elif stake(game) is None:
                does = mark("{who} gets {value} {unit} on average.")
                if game.fewest:
                    does = mark("{who} takes {value} {unit} on average.")
                text = tr(does, who=who, value=number(value, ".4g"), unit=tr(game.unit))
            else:
                text = tr("{who} wins {share} of games.", who=who, share=number(value, ".1%"))
            return {
                "a": found.strategy,
                "value": finite,
                "unit": tr(game.unit),
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
            "unit": tr(game.unit),
            "error": found.error,
            "sentence": _met(found),
        }

    def strengths(self, game: Game, wait: float) -> list[JsonObject]:
        """Return how often those worth meeting win against perfect play, taking turns in starting.

        A game too large to find that while people wait has none, and neither has one alone.
        """
        size = game.size() or 0
        few = (
            size <= MOST_WRITTEN_OUT
            if game.solver
            else size * (game.branching() or 1) <= MOST_FOR_STRENGTHS
        )
        if game.players != 2 or not few:
            return []
        found = []
        for text in game.rivals or ("random",):
            if text == "optimal":
                continue
            with in_spare_time():
                met = self.meet(game, strategy_name(game, text), "optimal", wait)
            if met["share"] is not None:
                chance = number(met["share"], ".0%")
                said = tr("wins {chance} against perfect play", chance=chance)
                if abs(met["share"] - met["overall"]) > HARDLY:
                    said = tr(
                        "scores {chance} against perfect play, a draw counting half", chance=chance
                    )
                found.append({"strategy": text, "share": met["share"], "sentence": said})
        return found

    def reply(self, game: Game, to: Given, wait: float) -> JsonObject:
        """Return the best reply to a strategy, and what the strategy loses to it."""
        table = self.solving.table(game, wait)
        played = self._plan(game, to, wait)
        found: BestResponse = self._found(game, "best reply", to, wait, best_reply, table, played)
        value = float(found.evaluation.value)
        costs = value - float(game.total) / 2 if game.is_one_pot else None
        return {
            "to": played.name,
            "overall": float(found.overall),
            "first": float(found.first),
            "second": float(found.second),
            "value": value,
            "error": found.evaluation.error,
            "costs": costs,
            "unit": tr(game.unit),
            "sentence": tr(
                "The best reply wins {share} of games against {opponent}.",
                share=number(float(found.overall), ".1%"),
                opponent=narration.spoken(played.name),
            ),
            "holding": holding_map(found.plan) if "holding" in game.map_views else None,
            "boards": board_maps(found.solution) or None,
        }

    def tournament(self, game: Game, given: list[Given], wait: float) -> JsonObject:
        """Return everybody against everybody."""
        contract.refuse_alone(game, "nobody meets anybody; dicelab tournament ranks its strategies")
        plans = [self._plan(game, one, wait) for one in given]
        found: Tournament = self._found(
            game, "tournament", given, wait, all_against_all, game, plans
        )
        return {
            "names": list(found.names),
            "wins": found.wins.round(9).tolist(),
            "values": found.values.round(9).tolist(),
            "unit": tr(game.unit),
            "least": float(game.worth[LOSS]),
            "most": float(game.worth[WIN]),
            "never": found.never.round(9).tolist(),
            "share": found.share.round(9).tolist(),
            "ranking": found.ranking,
            "champion": found.champion,
            "cycles": [list(cycle.members) for cycle in found.cycles][:50],
            "error": found.error,
        }


def meeting(table: Table, a: Plan, b: Plan | None, report: Report) -> object:
    """Return how A fares against B, or alone."""
    return evaluate(table, a, b)


def best_reply(table: Table, to: Plan, report: Report) -> BestResponse:
    """Return the best reply to a strategy, with how it fares."""
    return best_response(table, to, progress=report)


def all_against_all(game: Game, plans: list[Plan], report: Report) -> Tournament:
    """Return how everybody fares against everybody."""
    found = tournament(game, plans, workers=1, progress=report)
    assert isinstance(found, Tournament)
    return found


def _met(found: Evaluation) -> str:
    """Return how A fares in a sentence, and what it gets where winning is not all that counts."""
    text = mark("{a} wins {share} of games against {b} when they take turns in starting.")
    value = number(float(found.value), ".4g")
    if found.game.unit != "chance to win":
        text = mark(
            "{a} wins {share} of games against {b} when they take turns in starting, and gets a "
            "{unit} of {value}."
        )
    elif found.draws + found.never_ends:
        text = mark(
            "{a} wins {share} of games against {b} when they take turns in starting, and scores "
            "{value} with the games that nobody wins counted."
        )
        value = number(float(found.value), ".1%")
    return tr(
        text,
        a=narration.spoken(found.a),
        b=narration.spoken(found.b),
        share=number(float(found.overall), ".1%"),
        unit=tr(found.game.unit),
        value=value,
    )


def _chances(found: Any) -> dict[str, float]:
    names = ("a_wins", "b_wins", "draws", "never_ends")
    return {name: float(getattr(found, name)) for name in names}
