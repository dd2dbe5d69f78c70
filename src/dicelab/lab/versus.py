"""Strategy against strategy: named or painted, exactly evaluated, replied to, all against all.

A painted strategy is a map, and only that: numbers and letters from the page, never code.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from typing import Any

import numpy as np

from dicelab.errors import RulesError, StrategyError
from dicelab.games.dice_battle import DiceBattle
from dicelab.games.greed import LAST, Greed
from dicelab.games.pig import HOLD, ROLL, Pig
from dicelab.lab.arguments import strategy_name
from dicelab.lab.coach import share
from dicelab.lab.explore import board_maps, holding_map
from dicelab.lab.solving import Solving
from dicelab.rules import LOSS, WIN, Game, Position
from dicelab.strategies.named import plan
from dicelab.strategies.plan import Plan, on_arrays
from dicelab.table import Table
from dicelab.verbs.best_response import BestResponse, best_response
from dicelab.verbs.evaluate import evaluate
from dicelab.verbs.evaluation import Evaluation, SoloEvaluation
from dicelab.verbs.tournament import Tournament, tournament

NEVER = 2**40
"""A holding point that nothing at risk ever reaches."""

Given = str | dict[str, Any]


class Versus:
    """Meetings of strategies."""

    def __init__(self, solving: Solving) -> None:
        self.solving = solving

    def _plan(self, game: Game, table: Table, given: Given, wait: float) -> Plan:
        if isinstance(given, str):
            return self.solving.plan(game, strategy_name(game, given), wait)
        return painted(game, table, given)

    def _found(
        self, game: Game, verb: str, asked: Any, make: Callable[..., Any], wait: float
    ) -> Any:
        """Return an answer through the shelf, known by what was asked."""
        text = json.dumps(asked, sort_keys=True)
        key = (verb, str(game), hashlib.sha256(text.encode()).hexdigest()[:24])
        return self.solving.shelf.get(key, f"{verb} of {game}", make, wait)

    def meet(self, game: Game, a: Given, b: Given | None, wait: float) -> dict[str, Any]:
        """Return exactly how A fares against B."""
        table = self.solving.table(game, wait)
        one = self._plan(game, table, a, wait)
        two = None if b is None else self._plan(game, table, b, wait)
        found = self._found(game, "meeting", [a, b], lambda _: evaluate(table, one, two), wait)
        if isinstance(found, SoloEvaluation):
            value = float(found.value)
            finite = value if np.isfinite(value) else None
            said = f"{value:.4g} {game.unit}" if finite is not None else "for ever"
            return {
                "a": found.strategy,
                "value": finite,
                "unit": game.unit,
                "error": found.error,
                "sentence": f"{found.strategy} takes {said} on average."
                if game.fewest
                else f"{found.strategy} gets there in time in {100 * value:.1f}% of games.",
            }
        assert isinstance(found, Evaluation)
        overall = float(found.overall)
        return {
            "a": found.a,
            "b": found.b,
            "a_first": _chances(found.a_first),
            "b_first": _chances(found.b_first),
            "overall": overall,
            "values": [float(value) for value in found.values],
            "value": float(found.value),
            "share": share(game, float(found.value)),
            "unit": game.unit,
            "error": found.error,
            "sentence": f"{found.a} wins {100 * overall:.1f}% of games against {found.b} when "
            f"they take turns in starting{_nobody(found)}.",
        }

    def reply(self, game: Game, to: Given, wait: float) -> dict[str, Any]:
        """Return the best reply to a strategy, and what the strategy loses to it."""
        table = self.solving.table(game, wait)
        played = self._plan(game, table, to, wait)
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
            "sentence": f"The best reply wins {said} of games against {played.name}.",
            "holding": holding_map(found.plan) if isinstance(game, Pig) else None,
            "boards": board_maps(found.solution) if isinstance(game, DiceBattle) else None,
        }

    def tournament(self, game: Game, given: list[Given], wait: float) -> dict[str, Any]:
        """Return everybody against everybody."""
        table = self.solving.table(game, wait)
        plans = [self._plan(game, table, one, wait) for one in given]

        def make(report: Callable[[float], None]) -> Tournament:
            return tournament(game, plans, workers=1, progress=report)

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


def painted(game: Game, table: Table, given: dict[str, Any]) -> Plan:
    """Return a painted map as a strategy."""
    kind = given["painted"]
    if isinstance(game, Pig):
        if kind == "grid":
            choose = _grid(game, given["grid"])
        elif kind == "holds" and game.players == 2:
            choose = _holds(game, given["holds"])
        else:
            raise StrategyError(f"{game} is painted as a grid of r and h: got {kind!r}")
    elif isinstance(game, DiceBattle | Greed):
        if kind != "dice":
            raise StrategyError(f"{game} is painted as numbers of dice: got {kind!r}")
        choose = _dice(game, given["dice"], given["last"])
    else:
        raise StrategyError(f"{game} cannot be painted")
    made = plan(table, on_arrays(choose))
    return Plan(given["name"], table, made.choice, made.chances)


def _holds(game: Pig, holds: Any) -> Callable[[Position], Any]:
    """Return the strategy that holds from a number of points on, by both banks."""
    size = game.target
    points = np.full((size, size), NEVER, np.int64)
    rows = holds if isinstance(holds, list) else [holds] * size
    if len(rows) != size:
        raise StrategyError(f"a map of {game} has {size} lines, one for each bank: got {len(rows)}")
    for mine, row in enumerate(rows):
        if isinstance(row, list) and len(row) != size:
            raise StrategyError(
                f"line {mine} of a map of {game} has {size} numbers: got {len(row)}"
            )
        cells = row if isinstance(row, list) else [row] * size
        points[mine] = [NEVER if one is None else one for one in cells]

    def choose(at: Any) -> Any:
        wants = at.at_risk >= points[at.mine, at.yours]
        return np.where(wants & game.legal(at, HOLD), HOLD, ROLL)

    return choose


def _grid(game: Pig, grid: list[str]) -> Callable[[Position], Any]:
    """Return the strategy that a grid of r and h tells, by one's own bank and what is at risk."""
    if not grid:
        raise StrategyError(f"a grid of {game} has a line of r and h for each bank: got none")
    width = game.target + max(throw.points for throw in game.throws())
    holds = np.ones((game.target, width), bool)
    for mine in range(game.target):
        line = grid[min(mine, len(grid) - 1)].lower()
        if set(line) - {"r", "h"}:
            raise StrategyError(f"a grid has r for roll and h for hold: got {line[:20]!r}")
        letters = np.array(list(line[:width]) or ["h"])
        holds[mine, : len(letters)] = letters == "h"

    def choose(at: Any) -> Any:
        return np.where(holds[at.mine, at.at_risk] & game.legal(at, HOLD), HOLD, ROLL)

    return choose


def _dice(game: DiceBattle | Greed, dice: list[Any], last: list[Any]) -> Callable[[Position], Any]:
    """Return the strategy that throws so many dice, by both scores."""
    size = game.target if isinstance(game, DiceBattle) else game.max + 1
    maps = [_numbers(game, part, size) for part in (dice, last or dice)]
    names = np.array(game.moves)
    fewest = game.dice_of(game.moves[0])

    def choose(at: Any) -> Any:
        mine, yours = np.minimum(at.mine, size - 1), np.minimum(at.yours, size - 1)
        wanted = maps[0][mine, yours]
        if isinstance(game, Greed):
            wanted = np.where(at.stage == LAST, maps[1][mine, yours], wanted)
            wanted = np.minimum(wanted, (game.max - at.mine) // game.die.faces[0])
        return names[np.clip(wanted - fewest, 0, len(names) - 1)]

    return choose


def _numbers(game: Game, rows: list[Any], size: int) -> Any:
    if len(rows) != size or any(len(row) != size for row in rows):
        shape = f"{len(rows)} x {len(rows[0]) if rows else 0}"
        raise RulesError(f"a map of {game} is {size} x {size}: got {shape}")
    return np.array([[1 if one is None else one for one in row] for row in rows], np.int64)
