"""dicelab strategies: how one may play."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Annotated

import typer

from dicelab.cli.games import about
from dicelab.console.app import app
from dicelab.console.arguments import Json
from dicelab.console.output import emit, say
from dicelab.core.json_object import JsonObject
from dicelab.rules import registry, written
from dicelab.strategies.named import GENERAL

FORMS = {
    "file:PATH": "A table saved with --out, or a rule in a file PATH.rule.",
    "rule:TEXT": "A rule of thumb, such as 'hold if at_risk >= 21 + (yours - mine)/8; roll'.",
    "module:function": "A function of yours: it gets a position and returns a move, "
    "or a dictionary of moves and their chances. Where one chooses after a throw, it gets "
    "what the dice show as well.",
}


@app.command("strategies")
def strategies(
    game: Annotated[
        str | None, typer.Argument(metavar="GAME", help="Only those of one game.")
    ] = None,
    json: Json = False,
) -> None:
    """List the named strategies, of one game or of all.

    JSON keys: games, general, forms.

    Examples:

        dicelab strategies pig

        dicelab strategies --json
    """
    kinds = registry.all_games() if game is None else {game: type(registry.game(game))}
    named = {
        name: [_describe(*item) for item in sorted(kind.strategies.items())]
        for name, kind in kinds.items()
    }
    general = [{"name": name, "about": text} for name, text in sorted(GENERAL.items())]
    forms = [{"name": name, "about": text} for name, text in FORMS.items()]
    if json:
        emit({"games": named, "general": general, "forms": forms})
        return
    for title, entries in [*named.items(), ("every game", general), ("your own", forms)]:
        say(title)
        for entry in entries:
            say(f"    {_written(entry)}", f"        {entry['about']}")


def _describe(name: str, maker: Callable[..., object]) -> JsonObject:
    parameters = list(inspect.signature(maker).parameters.values())[1:]
    return {
        "name": name,
        "about": about(maker),
        "parameters": [
            {"name": p.name, "default": None if p.default is p.empty else p.default}
            for p in parameters
        ],
    }


def _written(entry: JsonObject) -> str:
    """Return a strategy as one would write it, with its defaults."""
    defaults = [
        p["name"].upper() if p["default"] in (None, "") else written(p["default"])
        for p in entry.get("parameters", [])
    ]
    return f"{entry['name']}:{','.join(defaults)}" if defaults else str(entry["name"])
