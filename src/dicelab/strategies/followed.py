"""Tables for following play: of the moves that strategies make, where all moves would take much.

A table holds every move of every position. Where a move is a number of dice up to a hundred, and
everybody's strategy is known, nearly all of it would never be looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from copy import copy
from functools import reduce
from operator import or_
from typing import Any

import numpy as np

from dicelab.errors import IllegalMove, RulesError, StrategyError
from dicelab.rules import Game, HouseRules, Position, both, contract
from dicelab.rules.chance import Bools
from dicelab.rules.registry import imported
from dicelab.strategies.named import AnyStrategy, plan, rule_of
from dicelab.strategies.plan import Plan
from dicelab.table import Table, compile, memory_limit
from dicelab.table.expand import BYTES_PER_POSITION, needed_before

LARGE = 1 << 28
"""Bytes of a table of all moves, as estimated, up to which it is made."""


def table_of_play(
    game: Game | Table,
    *strategies: AnyStrategy | Sequence[AnyStrategy] | None,
    memory: int | None = None,
    progress: Callable[[int], None] | None = None,
    exact: bool = False,
    for_: str | None = None,
) -> Table:
    """Return a table on which these strategies can be followed, as `compile` returns one.

    Only for what follows play: best moves of such a table would be those of another game. Whatever
    else is asked of it, `compile` makes the whole table first.
    """
    if isinstance(game, Table) and game.game.whole is not None and not (exact or for_):
        own = [one for one in strategies if isinstance(one, Plan) and one.table is game]
        if all(each is None or each in game.game.follows or each in own for each in strategies):
            return game
    limit = memory_limit() if memory is None else memory
    played = None if isinstance(game, Table) or for_ else _only_played(game, strategies, limit)
    if played is not None:
        # A strategy that fails, or makes a move that is not legal, is told of with all moves there.
        with suppress(RulesError, IllegalMove, StrategyError):
            table = compile(played, memory, progress, exact)
            for each in set(strategies) - {None, "optimal"}:
                plan(table, each)
            return table
    return compile(game, memory, progress, exact, for_)


def _only_played(game: Game, strategies: Sequence[object], memory: int) -> Game | None:
    """Return a large game with only the moves that some strategies make.

    None where it is not large, where not even its positions fit into the memory, or where a
    strategy cannot be asked before there is a table.
    """
    contract.check(game)
    kind = type(game)
    if isinstance(game, HouseRules) or game.is_simultaneous or game.aim or game.players > 2:
        return None
    least = (game.size() or 0) * BYTES_PER_POSITION
    if least > memory or (least < LARGE and (needed_before(game) or 0) < LARGE):
        return None
    rules = [_rule(game, each) for each in strategies if isinstance(each, str)]
    if not rules or None in rules or len(rules) < len(strategies) - strategies.count(None):
        return None

    def legal(self: Any, at: Position, move: str) -> Bools:
        made = [_makes(rule(at), move) for rule in rules if rule is not None]
        return both(kind.legal(self, at, move), reduce(or_, made))

    told = {
        "__module__": kind.__module__,
        "__doc__": kind.__doc__,
        "__reduce__": lambda _: (copy, (game,)),  # sent to another process it is whole again
        "whole": game,
        "follows": [each for each in strategies if each is not None],
        "legal": legal,
        "branching": lambda _: None,  # the game's own is that of all moves
    }
    made: Game = type(kind.__name__, (kind,), told)(**game.parameters)
    return made


def _rule(game: Game, strategy: str) -> Callable[..., object] | None:
    """Return the function that a strategy asks at a position, or None where it takes a table."""
    if strategy == "optimal" and game.best_rule:
        found: Callable[..., object] = imported(game.best_rule)(game)
        return found
    return rule_of(game, strategy)


def _makes(answer: object, move: str) -> Bools:
    """Return where a strategy that gave this answer may make a move."""
    if isinstance(answer, Mapping):
        return np.bool_(move in answer)
    return np.asarray(answer) == move
