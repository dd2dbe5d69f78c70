"""Verbs of a kind of game: what its own engine answers instead of the table of positions.

A game names the module of its engine (`Game.engine`). A function there with the name of a verb is
asked first; where it answers None, the table of all positions is made as for any game.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

from dicelab.rules import Game
from dicelab.strategies.named import AnyStrategy


def own_verb(game: object, verb: str) -> Callable[..., Any] | None:
    """Return what answers a verb for a game; None where its table does."""
    if not isinstance(game, Game) or not game.engine:
        return None
    found: Callable[..., Any] | None = getattr(import_module(game.engine), verb, None)
    return found


def needs_no_table(game: Game, *strategies: AnyStrategy | None) -> bool:
    """Return whether a game's own engine can follow these strategies."""
    takes = own_verb(game, "takes")
    return takes is not None and all(takes(game, each) for each in strategies if each is not None)
