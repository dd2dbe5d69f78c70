"""Exploring: the strategy of a game as maps to walk through, and what any position is worth."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from dicelab.core.arrays import Array, Bools
from dicelab.core.json_object import JsonObject
from dicelab.core.language import tr
from dicelab.errors import RulesError
from dicelab.lab import coach, narration
from dicelab.lab.arguments import strategy_name
from dicelab.lab.solving import Solving
from dicelab.rules import ONGOING, Game
from dicelab.rules.registry import told
from dicelab.strategies.holding_points import has_holding_points, holding_points
from dicelab.strategies.plan import Plan
from dicelab.verbs.solution import Solution
from dicelab.verbs.solve import on_table
from dicelab.verbs.table_solution import TableSolution

DIGITS = 7


def numbers(array: Array) -> list[Any]:
    """Return an array as lists, with null where there is no number."""
    rounded = np.round(np.asarray(array, float), DIGITS)
    plain = rounded.astype(object)
    plain[~np.isfinite(rounded)] = None
    listed: list[Any] = plain.tolist()
    return listed


class Explore:
    """Maps and positions of solved games."""

    def __init__(self, solving: Solving) -> None:
        self.solving = solving

    def about(self, game: Game, wait: float) -> JsonObject:
        """Return what is known of a game as a whole."""
        solution = self.solving.solution(game, wait)
        return {
            **named(game),
            **coach.valued(game, solution.value, solution.lower, solution.upper),
            "exact": coach.exact(solution.value),
            "said": coach.said(game, float(solution.value)),
            "positions": int(solution.positions),
            "seconds": round(solution.seconds, 3),
            "method": solution.method,
            "opening": solution.best_moves(game.start()),
            "views": list(game.map_views),
            "examples": game.example_positions(),
            "players": game.players,
        }

    def holding(self, game: Game, strategy: str, wait: float) -> JsonObject:
        """Return from how many points a strategy holds, for every pair of banks."""
        name = strategy_name(game, strategy)
        _needs(game, "holding", tr("holding points"))
        plan = self.solving.plan(game, name, wait)
        return {"title": str(game), "strategy": name, **holding_map(plan)}

    def slice(self, game: Game, at: int | None, wait: float) -> JsonObject:
        """Return what rolling and holding are worth where the other's bank is fixed."""
        _needs(game, "slice", tr("slice"))
        solution = on_table(self.solving.solution(game, wait))
        rules: Any = game  # one that has slices
        table = solution.table
        name, limit, usual = rules.slices
        size = int(rules.target)
        width = size + rules.most_points
        fixed = usual if at is None else at
        if not 0 <= fixed <= limit:
            what = tr("the other bank is") if name == "yours" else tr("the turns left are")
            raise RulesError(
                tr("{what} 0 to {limit}: got {fixed}", what=what, limit=limit, fixed=fixed)
            )
        mine, risk = (grid.ravel() for grid in np.indices((size, width)))
        position = rules.slice_of(mine, risk, np.full_like(mine, fixed))
        found = table.numbers(position)
        ongoing = (found >= 0) & (table.result[found] == ONGOING)
        here = np.where(ongoing, found, 0)
        values = np.where(ongoing, np.asarray(solution.values, float)[here], np.nan)
        by_move = {}
        roll, hold = game.moves
        for move in (roll, hold):
            rows = np.where(ongoing, table.row_of(move)[here], -1)
            worth = np.asarray(solution.row_values, float)[rows]
            by_move[move] = np.where(rows >= 0, worth, np.nan)
        shape = (size, width)
        return {
            "title": str(game),
            "axes": ["mine", "at_risk"],
            name: int(fixed),
            "most": int(limit),
            "moves": _letters(solution, by_move, ongoing, shape),
            "values": numbers(values.reshape(shape)),
            "roll": numbers(by_move[roll].reshape(shape)),
            "hold": numbers(by_move[hold].reshape(shape)),
        }

    def boards(self, game: Game, wait: float) -> JsonObject:
        """Return what positions are worth and how many dice to throw, by both scores."""
        solution = self.solving.solution(game, wait)
        if not solution.boards():
            others = tr(" or ").join(map(tr, game.map_views)) or tr("a position")
            raise RulesError(
                tr("{game} has no board of two scores: ask for {others}", game=game, others=others)
            )
        return {"title": str(game), "boards": board_maps(solution)}

    def position(self, game: Game, at: str, wait: float) -> JsonObject:
        """Return what one position is worth, and each move there."""
        solution = self.solving.solution(game, wait)
        position = game.read(at)
        advice = coach.advice(solution, position)
        return {
            "position": narration.where(game, position, 0),
            "scale": coach.scale(game),
            **advice,
        }


def named(game: Game) -> JsonObject:
    """Return what a game is, as the page asks for it again."""
    return {
        "game": game.name,
        "title": str(game),
        "parameters": told(game),
        "unit": tr(game.unit),
        "scale": coach.scale(game),
    }


def holding_map(plan: Plan) -> JsonObject:
    """Return holding points as the page draws them: null never holds, -1 no turn begins there."""
    if plan.is_mixed or not has_holding_points(plan.table):
        raise RulesError(
            tr("{name} leaves moves to chance: it has no holding points", name=plan.name)
        )
    found = holding_points(plan)
    points = [
        [-1 if math.isnan(one) else None if math.isinf(one) else int(one) for one in row]
        for row in found.points.tolist()
    ]
    return {"axes": list(found.fields), "points": points}


def board_maps(solution: Solution) -> list[JsonObject]:
    """Return the boards of a solution as the page draws them."""
    return [
        {
            "name": board.name,
            "title": tr(board.title.removeprefix(": ")),
            "shown": tr(board.shown),
            "values": numbers(board.values),
            "dice": [
                [None if one != one else int(one) for one in row] for row in board.dice.tolist()
            ],
        }
        for board in solution.boards()
    ]


Shape = tuple[int, ...]


def _letters(solution: TableSolution, worth: JsonObject, ongoing: Bools, shape: Shape) -> list[str]:
    """Return the best move at each place: r, h, b for both, a dot where play never comes."""
    error = float((solution.uppers - solution.lowers).max())
    roll, hold = worth.values()
    sign = -1 if solution.game.fewest else 1
    apart = sign * (np.nan_to_num(roll, nan=0.0) - np.nan_to_num(hold, nan=0.0))
    letters = np.where(np.abs(apart) <= 2 * error, "b", np.where(apart > 0, "r", "h"))
    letters = np.where(np.isnan(hold), "r", letters)
    letters = np.where(ongoing, letters, ".").reshape(shape)
    return ["".join(line) for line in letters.tolist()]


def _needs(game: Game, view: str, what: str) -> None:
    if view not in game.map_views:
        others = tr(" or ").join(map(tr, game.map_views)) or tr("a position")
        raise RulesError(
            tr("{game} has no {what}: ask for {others}", game=game, what=what, others=others)
        )
