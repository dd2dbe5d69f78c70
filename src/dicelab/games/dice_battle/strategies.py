"""Strategies of Dice Battle that are found by solving another game than the one they play."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from dicelab.games.dice_battle.rules import DiceBattle
from dicelab.games.throwing import ScorePosition
from dicelab.rules.registry import strategy
from dicelab.verbs.solve import solve


@strategy(DiceBattle, "by-turns")
def by_turns(game: DiceBattle) -> Callable[[ScorePosition], object]:
    """Throw what is best when the players take turns, whether they do or not."""
    variant = "zero" if game.spoiled == 0 else "one"
    best = solve(replace(game, variant=variant)).plan
    table = best.table
    known = table.positions(np.arange(len(table)))
    dice = np.ones((game.target + 1, game.target + 1), np.int64)
    ongoing = table.is_ongoing
    played = table.move[best.choice[ongoing]]
    dice[known.mine[ongoing], known.yours[ongoing]] = played
    names = np.array(game.moves)
    return lambda at: names[dice[at.mine, at.yours]]
