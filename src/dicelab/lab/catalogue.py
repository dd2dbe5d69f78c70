"""What can be played: the games, their parameters with bounds, and their named strategies."""

from __future__ import annotations

import dataclasses
import inspect
import sys
import typing
from fractions import Fraction
from functools import lru_cache
from typing import Any

from dicelab.games.dice_battle import VARIANTS, DiceBattle
from dicelab.games.greed import Greed
from dicelab.games.pig import Pig
from dicelab.games.pig.people import KINDS
from dicelab.lab import arguments
from dicelab.rules import Game, registry, written
from dicelab.rules.dice import Die
from dicelab.strategies.named import GENERAL

HELP = {
    "target": "the score that wins",
    "die": "sides, or faces with chances: 6, 1:1/2,2:1/2 or 2,3,3,4",
    "bust": "the face that costs the turn",
    "dice": "how many dice",
    "passing": "whether you may pass with nothing at risk",
    "turns": "how many turns you have; 0: as many as it takes",
    "variant": "by turns or at once, and what a throw with a 1 scores",
    "max": "above it you are bust",
    "tie": "what a tie is worth",
    "second_tie": "what a tie is worth to the second player, where that differs",
    "casts": "how often you may throw",
    "keep": "dice put aside stay aside (421), or any may be thrown again (Yahtzee)",
    "utility": "what a result is worth: goal:421, goal:421+111, transfer, sum or rank",
    "player": "the first may stop after any cast, the next must use every cast",
}
BOUNDS = {
    "target": (1, 200),
    "bust": (0, arguments.MOST_FACES),
    "dice": (1, arguments.MOST_DICE),
    "turns": (0, 50),
    "max": (1, arguments.MOST_MAX),
}
"""What the page offers; beyond these the engine's estimate of size decides."""

CHOICES = {
    "variant": list(VARIANTS),
    "kind": list(KINDS),
    "keep": ["aside", "any"],
    "player": ["first", "next"],
    "utility": ["goal:421", "transfer", "sum", "rank", "goal:421*10+111*7", "goal:666"],
}
NAMES = {int: "int", bool: "bool", Die: "die", Fraction: "fraction", str: "text"}


@lru_cache(maxsize=1)
def games() -> list[dict[str, Any]]:
    """Return every game that can be played."""
    return [*(game(name) for name in registry.all_games()), _round()]


def game(name: str) -> dict[str, Any]:
    """Return one game of the registry."""
    kind = registry.all_games()[name]
    made = registry.registered_game(name)
    page = sys.modules[kind.__module__].__doc__ or ""
    about = inspect.getdoc(kind) or ""
    types = typing.get_type_hints(kind)
    is_alone = kind.__module__.endswith(name.replace("-", "_"))  # the file is about this game
    solo = kind.players == 1
    return {
        "name": name,
        "title": name.replace("-", " ").title(),
        "kind": arguments.kind_of(made),
        "players": kind.players,
        "rules": _first(page if is_alone else about),
        "unit": made.unit,
        "views": views(made),
        "parameters": [
            parameter(field.name, types[field.name], field.default)
            for field in dataclasses.fields(kind)
        ],
        "strategies": strategies(made),
        "opponents": [] if solo else ["strategy", "optimal", "person", "adaptive"],
        "starts": [] if solo else ["me", "opponent", "coin"],
        "painted": painted(made),
    }


def _first(text: str) -> str:
    """Return the first paragraph of a text, without the name that leads it."""
    line = " ".join(text.partition("\n\n")[0].split())
    head, colon, rest = line.partition(": ")
    return rest if colon and len(head) < 30 else line


def views(made: Game) -> list[str]:
    """Return which maps a game has."""
    if isinstance(made, Pig):
        return ["holding", "slice"]
    return ["boards"] if isinstance(made, DiceBattle | Greed) else []


def painted(made: Game) -> str | None:
    """Return how a strategy of this game is drawn."""
    if isinstance(made, Pig):
        return "holds" if made.players == 2 else "grid"
    return "dice" if isinstance(made, DiceBattle | Greed) else None


def parameter(name: str, kind: Any, default: Any) -> dict[str, Any]:
    """Return one parameter: its type, default and bounds."""
    optional = type(None) in typing.get_args(kind)
    kind = typing.get_args(kind)[0] if optional else kind
    told: dict[str, Any] = {
        "name": name,
        "type": NAMES[kind],
        "default": default if isinstance(default, int | None) else written(default),
        "label": name.replace("_", " ").capitalize(),
        "help": HELP.get(name, ""),
        "optional": optional,
    }
    if name in BOUNDS and kind is int:
        told["min"], told["max"] = BOUNDS[name]
    if name in CHOICES:
        told["type"], told["choices"] = "choice", CHOICES[name]
    return told


def strategies(made: Game) -> list[dict[str, Any]]:
    """Return the strategies a game knows by name."""
    general = [
        {"name": name, "help": text, "parameters": []} for name, text in sorted(GENERAL.items())
    ]
    own = []
    for name, maker in made.strategies.items():
        wanted = list(inspect.signature(maker, eval_str=True).parameters.values())[1:]
        own.append(
            {
                "name": name,
                "help": _first(inspect.getdoc(maker) or ""),
                "parameters": [parameter(one.name, one.annotation, one.default) for one in wanted],
            }
        )
    return [*general, *own]


def _round() -> dict[str, Any]:
    bounds = {
        "dice": (1, arguments.MOST_ROUND["dice"]),
        "casts": (1, arguments.MOST_ROUND["casts"]),
    }
    parameters = []
    for name, (kind, default) in arguments.ROUND_PARAMETERS.items():
        told = parameter(name, kind, default)
        if name in bounds:
            told["min"], told["max"] = bounds[name]
        if name == "utility":
            told["type"] = "utility"
        parameters.append(told)
    return {
        "name": arguments.ROUND,
        "title": arguments.ROUND,
        "kind": "round",
        "players": 1,
        "rules": "cast the dice, put some aside, cast the rest; so many casts and no more",
        "unit": "worth",
        "views": ["keep"],
        "parameters": parameters,
        "strategies": [],
        "opponents": [],
        "starts": [],
        "painted": None,
    }
