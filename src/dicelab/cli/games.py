"""dicelab games: what can be played."""

from __future__ import annotations

import dataclasses
import inspect
import typing
from typing import Any

from dicelab.console.app import app
from dicelab.console.arguments import Json
from dicelab.console.output import emit, say
from dicelab.core.json_object import JsonObject
from dicelab.rules import Game, registry, written
from dicelab.rules.game import parameter_fields


@app.command("games")
def games(json: Json = False) -> None:
    """List the games and their parameters.

    JSON keys: games.

    Examples:

        dicelab games

        dicelab games --json
    """
    known = [describe(name, kind) for name, kind in registry.all_games().items()]
    if json:
        emit({"games": known})
        return
    for game in known:
        parameters = " ".join(f"{p['name']}={p['default']}" for p in game["parameters"])
        say(game["name"], f"    {game['about']}", f"    {parameters}")


def describe(name: str, kind: type[Game]) -> JsonObject:
    """Return what there is to know about a game before it is played."""
    types = typing.get_type_hints(kind)
    return {
        "name": name,
        "about": about(kind),
        "players": kind.players,
        "moves": list(kind().moves),
        "parameters": [
            {
                "name": field.name,
                "kind": getattr(types[field.name], "__name__", str(types[field.name])),
                "default": _default(field),
            }
            for field in parameter_fields(kind)
        ],
    }


def _default(field: dataclasses.Field[Any]) -> object:
    default = None if field.default is dataclasses.MISSING else field.default
    return default if default is None or type(default) in (int, str) else written(default)


def about(thing: object) -> str:
    """Return the first line of a docstring."""
    return (inspect.getdoc(thing) or "").partition("\n")[0]
