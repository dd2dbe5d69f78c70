"""Small Python modules that register a game with OpenSpiel, Gymnasium or PettingZoo.

Such a module needs dicelab and the package it is for. It holds the game by name, with its
parameters and the opponent as they were asked for, so it plays whatever these stand for.

>>> from dicelab import game
>>> print(module("openspiel", game("pig", target=20), "pig", {"target": "20"}))
\"\"\"pig target=20 for OpenSpiel, by dicelab: ``pyspiel.load_game(NAME)``.\"\"\"
<BLANKLINE>
import dicelab
from dicelab.exchange import openspiel
<BLANKLINE>
GAME = dicelab.game("pig", target="20")
NAME = openspiel.register(GAME)
<BLANKLINE>
"""

from __future__ import annotations

import json
from collections.abc import Mapping

from dicelab.errors import ExportError
from dicelab.rules import Game, contract

TITLES = {"openspiel": "OpenSpiel", "gymnasium": "Gymnasium", "pettingzoo": "PettingZoo"}


def module(
    kind: str,
    game: Game,
    name: str,
    parameters: Mapping[str, str],
    against: str | None = None,
    seat: str = "first",
) -> str:
    """Return a module that makes a game known to a package."""
    _check(kind, game, against)
    called = game.name.replace(":", "-")
    given = "".join(f", {key}={_text(value)}" for key, value in parameters.items())
    fixed = f", against={_text(against)}, seat={_text(seat)}" if against is not None else ""
    opponent = f" against {against}" if against is not None else ""
    use = {
        "openspiel": "``pyspiel.load_game(NAME)``",
        "gymnasium": "``gymnasium.make(ID)``",
        "pettingzoo": "``env()``",
    }[kind]
    about = f"{game}{opponent}".replace("\\", "/").replace('"', "'")  # a path may end a docstring
    known = {
        "openspiel": f"NAME = openspiel.register(GAME{fixed})\n",
        "gymnasium": f"ID = gymnasium.register({_text(f'dicelab/{called}-v0')}, GAME{fixed})\n",
        "pettingzoo": "\n\ndef env(render_mode=None):\n"
        '    """Return a new environment."""\n'
        "    return pettingzoo.environment(GAME, render_mode)\n",
    }[kind]
    return (
        f'"""{about} for {TITLES[kind]}, by dicelab: {use}."""\n\n'
        f"import dicelab\nfrom dicelab.exchange import {kind}\n\n"
        f"GAME = dicelab.game({_text(name)}{given})\n{known}"
    )


def _text(value: str) -> str:
    return json.dumps(value, ensure_ascii=False)


def _check(kind: str, game: Game, against: str | None) -> None:
    """Refuse what the package could not play."""
    contract.check(game)
    contract.refuse_many(game, "be exported")
    if against is not None and game.players != 2:
        raise ExportError(f"{game} is played alone: there is nobody to play against")
    if kind == "gymnasium" and game.players == 2 and against is None:
        raise ExportError(one_learner(game))
    if kind == "pettingzoo" and game.players == 1:
        raise ExportError(several_players(game))
    if kind == "pettingzoo" and against is not None:
        raise ExportError(
            "pettingzoo's environments are for two players who both choose: leave out --against, "
            "or export the game --to gymnasium"
        )


def one_learner(game: Game) -> str:
    """Return why Gymnasium cannot have a game for two."""
    return (
        f"gymnasium is for one learner, and {game} is for two: fix one with --against STRATEGY, "
        f"or export it --to pettingzoo"
    )


def several_players(game: Game) -> str:
    """Return why PettingZoo cannot have a game for one."""
    return (
        f"pettingzoo is for several players, and {game} is played alone: export it --to gymnasium"
    )
