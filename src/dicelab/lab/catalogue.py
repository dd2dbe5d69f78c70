"""What can be played: the games, their parameters with bounds, and their named strategies."""

from __future__ import annotations

import inspect
import re
import typing
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import lru_cache
from types import MappingProxyType
from typing import Any

from dicelab.core.json_object import JsonObject
from dicelab.core.language import language, mark, tr
from dicelab.errors import DicelabError
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
    "players": "how many sit at the table; for three and more it must be a small game",
    "second_tie": "what a tie is worth to the second player, where that differs",
}
BOUNDS = {
    "target": (1, 200),
    "bust": (0, arguments.MOST_FACES),
    "dice": (1, arguments.MOST_DICE),
    "turns": (0, 50),
    "max": (1, arguments.MOST_MAX),
}
"""What the page offers; beyond these the engine's estimate of size decides."""

MOST_SEATS = 6
SHOWN = 3
"""Parameters in front; the others are folded away."""

NAMES = {int: "int", bool: "bool", Die: "die", Fraction: "fraction", str: "text"}


FRONT = 8
"""Games that a newcomer sees at once; the others are folded away."""


def games(first: tuple[str, ...] = ()) -> list[JsonObject]:
    """Return every game that can be played: those that were asked for first, then the others."""
    return _games(first, language())


@lru_cache
def _games(first: tuple[str, ...], _: str) -> list[JsonObject]:
    """Return the games, in the language that is spoken: the second argument tells them apart."""
    kinds = registry.all_games()

    def place(name: str) -> tuple[int, int, str]:
        asked = first.index(name) if name in first else len(first)
        return asked, kinds[name].list_place, name

    order = sorted(kinds, key=place)
    front = max(FRONT, len(first))
    return [{**game(name), "front": at < front} for at, name in enumerate(order)]


def game(name: str) -> JsonObject:
    """Return one game of the registry."""
    kind = registry.all_games()[name]
    made = registry.registered_game(name)
    rules = tr(made.in_short or _about(kind))
    types = typing.get_type_hints(kind)
    # Where the number of players is a parameter, an opponent is there for who asks for two.
    solo = made.players == 1 and "players" not in made.parameters
    most = _table_size(made)
    return {
        "name": name,
        "title": made.headline,
        "kind": arguments.kind_of(made),
        "players": made.players,
        "rules": re.split(r"(?<=[.?!]) ", rules)[0],
        "about": rules,
        "unit": tr(made.unit),
        "scale": coach.scale(made),
        "views": list(made.map_views),
        "tray": made.tray,
        "parameters": _with_table(
            [
                _spoken(made, parameter(name, types[name], value, made.choices_in_words))
                for name, value in made.parameters.items()
                if name != "players" or "players" in made.largest
            ],
            most,
        ),
        "shown": SHOWN + (most > 2),
        "strategies": strategies(made),
        "opponents": [] if solo else ["strategy", "optimal", "person", "adaptive"],
        "many": ["strategy", "optimal"],  # who may sit at a table of three and more
        "starts": [] if solo else ["me", "opponent", "coin"],
        "rivals": list(made.rivals or _rivals(made)),
        "people": [] if solo else people(made),
        "tile": _tile(made),
        "too_large": arguments.is_too_large(made),
        "examples": made.example_positions(),
        "canvas": made.canvas,
    }


def _table_size(made: Game) -> int:
    """Return how many may sit at the table of a game by turns, as far as the lab has chairs."""
    if "players" not in made.parameters or made.players != 2 or "players" in made.largest:
        return 2  # where the game itself says how many the lab can seat, that is among the others
    most = 2
    for players in range(3, MOST_SEATS + 1):
        try:
            registry.registered_game(made.name, players=str(players))
        except DicelabError:
            break
        most = players
    return most


def _with_table(parameters: list[JsonObject], most: int) -> list[JsonObject]:
    """Return parameters with how many sit at the table among the first, where that is open."""
    if most == 2:
        return parameters
    told = {**parameter("players", int, 2), "min": 2, "max": most}
    return [*parameters[:1], told, *parameters[1:]]


def _rivals(made: Game) -> list[str]:
    """Return strategies worth meeting, of a game that names none itself."""
    own = [name for name, maker in made.strategies.items() if _needs_nothing(maker)]
    return [*own, "random", "optimal"]


def people(made: Game) -> list[JsonObject]:
    """Return the strategies worth meeting as one speaks of players: a name, and how each plays."""
    known = {one["name"]: one for one in strategies(made)}
    return [
        {
            "strategy": text,
            "name": narration.translated(narration.name_of(made, text)),
            "says": _plays(made, text, known),
        }
        for text in made.rivals or _rivals(made)
    ]


def _plays(made: Game, text: str, known: Mapping[str, JsonObject]) -> str:
    """Return how a strategy plays, in a sentence: the game's own, or the first of its docstring."""
    if text in made.rivals_in_words:
        return tr(made.rivals_in_words[text][1])
    if text == "optimal":
        return tr("Makes no mistakes. Only luck beats it.")
    if text == "random":
        return tr("Makes any move that is allowed, each with the same chance.")
    told = str(known.get(text.partition(":")[0], {}).get("help", ""))
    return re.split(r"(?<=[.?!]) ", told)[0].replace("`", "")


def _tile(made: Game) -> JsonObject:
    sides, faces = made.tile()
    return {"sides": sides, "faces": list(faces), "rules": dict(made.tile_rules)}


def _needs_nothing(maker: Callable[..., object]) -> bool:
    wanted = list(inspect.signature(maker).parameters.values())[1:]
    return all(one.default is not inspect.Parameter.empty for one in wanted)


def _about(kind: type[Game]) -> str:
    """Return what the docstring of a game says; a dataclass without one gets its fields as text."""
    told = vars(kind).get("__doc__") or ""
    if told.startswith(f"{kind.__name__}("):
        told = inspect.getdoc(inspect.getmodule(kind)) or ""
    alone = mark("A game for one player.") if kind.players == 1 else mark("A game for two players.")
    return _first(inspect.cleandoc(told)) or alone


def _first(text: str) -> str:
    """Return the first paragraph of a text, without the name that leads it."""
    line = " ".join(text.partition("\n\n")[0].split())
    head, colon, rest = line.partition(": ")
    return rest if colon and len(head) < 30 else line


def parameter(
    name: str, kind: Any, default: object, choices: Mapping[str, Any] = MappingProxyType({})
) -> JsonObject:
    """Return one parameter: its type, default and bounds; `choices` are values with their words."""
    optional = type(None) in typing.get_args(kind)
    kind = typing.get_args(kind)[0] if optional else kind
    words, about = name.replace("_", " "), HELP.get(name, "")
    told: JsonObject = {
        "name": name,
        "type": NAMES.get(kind, "text"),
        "default": default if isinstance(default, int | None) else written(default),
        "label": tr(words.capitalize()),
        "help": tr(about),
        "optional": optional,
    }
    if name in BOUNDS and kind is int:
        told["min"], told["max"] = BOUNDS[name]
    if name in choices:
        told["type"] = "choice"
        given = choices[name].items()
        told["choices"] = [{"value": one, "label": tr(text)} for one, text in given]
    return told


def _spoken(made: Game, told: JsonObject) -> JsonObject:
    """Return a parameter with what its game says of it, and with the largest that is played."""
    name = told["name"]
    told["help"] = tr(made.help_in_words[name]) if name in made.help_in_words else told["help"]
    if name in made.suggested:
        suggested = made.suggested[name].items()
        told["choices"] = [{"value": value, "label": tr(text)} for value, text in suggested]
    if name in made.largest and told["type"] == "int":
        told["min"], told["max"] = 1, made.largest[name]
    return told


def strategies(made: Game) -> list[JsonObject]:
    """Return the strategies a game knows by name."""
    general = [
        {"name": name, "label": narration.spoken(name), "help": tr(text), "parameters": []}
        for name, text in sorted(GENERAL.items())
    ]
    own = []
    for name, maker in made.strategies.items():
        label, choices = registry.IN_WORDS.get(maker, ("", {}))
        wanted = list(inspect.signature(maker, eval_str=True).parameters.values())[1:]
        own.append(
            {
                "name": name,
                "label": tr(label) or narration.spoken(name),
                "help": tr(_first(inspect.getdoc(maker) or "")),
                "parameters": [
                    parameter(one.name, one.annotation, one.default, choices) for one in wanted
                ],
            }
        )
    return [*general, *own]
