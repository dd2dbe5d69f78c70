"""What can be played: the games, their parameters with bounds, and their named strategies."""

from __future__ import annotations

import dataclasses
import inspect
import re
import typing
from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from types import MappingProxyType
from typing import Any

from dicelab.lab import arguments, coach, narration
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

ROUND_CHOICES = {
    "keep": {
        "aside": "dice put aside stay aside (421)",
        "any": "any dice may be thrown again (Yahtzee)",
    },
    "player": {
        "first": "the first: may stop after any cast",
        "next": "the next: must use every cast",
    },
    "utility": {
        "goal:421": "the chance of 421",
        "goal:666": "the chance of 666",
        "goal:421*10+111*7": "10 for a 421, 7 for three 1s",
        "sum": "the sum of the faces",
        "transfer": "the tokens it moves at 421, as if each were worth the same",
        "rank": "its place among all results",
    },
}
NAMES = {int: "int", bool: "bool", Die: "die", Fraction: "fraction", str: "text"}


@lru_cache(maxsize=1)
def games() -> list[dict[str, Any]]:
    """Return every game that can be played."""
    kinds = registry.all_games()
    order = sorted(kinds, key=lambda name: (kinds[name].list_place, name))
    return [*(game(name) for name in order), _round()]


def game(name: str) -> dict[str, Any]:
    """Return one game of the registry."""
    kind = registry.all_games()[name]
    made = registry.registered_game(name)
    rules = made.in_short or _first(inspect.getdoc(kind) or "")
    types = typing.get_type_hints(kind)
    solo = kind.players == 1
    return {
        "name": name,
        "title": made.headline,
        "kind": arguments.kind_of(made),
        "players": kind.players,
        "rules": re.split(r"(?<=[.?!]) ", rules)[0],
        "about": rules,
        "unit": made.unit,
        "scale": coach.scale(made),
        "views": list(made.map_views),
        "parameters": [
            parameter(field.name, types[field.name], field.default, made.choices_in_words)
            for field in dataclasses.fields(kind)
        ],
        "shown": 3,
        "strategies": strategies(made),
        "opponents": [] if solo else ["strategy", "optimal", "person", "adaptive"],
        "starts": [] if solo else ["me", "opponent", "coin"],
        "rivals": list(made.rivals or _rivals(made)),
        "examples": made.example_positions(),
        "canvas": made.canvas,
    }


def _rivals(made: Game) -> list[str]:
    """Return strategies worth meeting, of a game that names none itself."""
    own = [name for name, maker in made.strategies.items() if _needs_nothing(maker)]
    return [*own, "random", "optimal"]


def _needs_nothing(maker: Any) -> bool:
    wanted = list(inspect.signature(maker).parameters.values())[1:]
    return all(one.default is not inspect.Parameter.empty for one in wanted)


def _first(text: str) -> str:
    """Return the first paragraph of a text, without the name that leads it."""
    line = " ".join(text.partition("\n\n")[0].split())
    head, colon, rest = line.partition(": ")
    return rest if colon and len(head) < 30 else line


def parameter(
    name: str, kind: Any, default: Any, choices: Mapping[str, Any] = MappingProxyType({})
) -> dict[str, Any]:
    """Return one parameter: its type, default and bounds; `choices` are values with their words."""
    optional = type(None) in typing.get_args(kind)
    kind = typing.get_args(kind)[0] if optional else kind
    told: dict[str, Any] = {
        "name": name,
        "type": NAMES.get(kind, "text"),
        "default": default if isinstance(default, int | None) else written(default),
        "label": name.replace("_", " ").capitalize(),
        "help": HELP.get(name, ""),
        "optional": optional,
    }
    if name in BOUNDS and kind is int:
        told["min"], told["max"] = BOUNDS[name]
    if name in choices:
        told["type"] = "choice"
        told["choices"] = [{"value": one, "label": text} for one, text in choices[name].items()]
    return told


def strategies(made: Game) -> list[dict[str, Any]]:
    """Return the strategies a game knows by name."""
    general = [
        {"name": name, "label": narration.spoken(name), "help": text, "parameters": []}
        for name, text in sorted(GENERAL.items())
    ]
    own = []
    for name, maker in made.strategies.items():
        label, choices = registry.IN_WORDS.get(maker, ("", {}))
        wanted = list(inspect.signature(maker, eval_str=True).parameters.values())[1:]
        own.append(
            {
                "name": name,
                "label": label or narration.spoken(name),
                "help": _first(inspect.getdoc(maker) or ""),
                "parameters": [
                    parameter(one.name, one.annotation, one.default, choices) for one in wanted
                ],
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
        told = parameter(name, kind, default, ROUND_CHOICES)
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
        "rules": "Cast the dice, put some aside, cast the rest; so many casts and no more.",
        "about": "Cast the dice, put some aside, cast the rest; so many casts and no more.",
        "unit": "worth",
        "views": ["keep"],
        "parameters": parameters,
        "shown": 5,
        "scale": None,
        "strategies": [],
        "opponents": [],
        "starts": [],
        "rivals": [],
        "examples": ["I threw 6 5 1, two casts left, goal 421"],
        "canvas": None,
    }
