"""What the page asked for, believed only as far as it can be checked.

A game is one of those registered, with parameters of their kinds. Dice stay small enough to throw
by hand; for the rest the engine's own estimate of size decides, with the engine's own sentence. A
strategy is a name that the game knows. No file is opened and no code is imported for anybody.
"""

from __future__ import annotations

import math
import re
from dataclasses import fields
from functools import lru_cache

from dicelab.core.json_object import JsonObject
from dicelab.core.language import number, tr
from dicelab.errors import (
    RulesError,
    TooLarge,
    UnknownParameter,
    UnknownStrategy,
)
from dicelab.rules import Game, RaceAtOnce, registry
from dicelab.rules.dice import Die
from dicelab.rules.registry import did_you_mean
from dicelab.strategies.named import GENERAL
from dicelab.table.expand import refuse_before
from dicelab.table.races import refuse_race

MOST_FACES = 100
MOST_DICE = 30
MOST_SUMS = 100_000  # of the dice of one throw, times the faces: found within half a second
LONGEST = 200  # characters of a parameter or a strategy
MOST_MAX = 300  # what a game with a solver of its own is quick to solve up to
MOST_TARGET = 1000
MOST_TURNS = 200
UNBOUNDED = 10**18
"""The memory for what is in the file already: it was bounded when it came in, and is only shown."""


def kind_of(game: Game) -> str:
    """Return how a game is played: by turns, at once or solo."""
    if game.is_simultaneous:
        return "at-once"
    return "solo" if game.players == 1 else "turns"


def game_of(name: str, parameters: JsonObject, memory: int) -> Game:
    """Return the game that was asked for, refused where it makes no game or is too large."""
    texts = {key: _text(key, value) for key, value in parameters.items() if value is not None}
    return _made(name, tuple(sorted(texts.items())), memory)


@lru_cache(maxsize=1024)  # every move of a match asks for its game
def _made(name: str, parameters: tuple[tuple[str, str], ...], memory: int) -> Game:
    texts = dict(parameters)
    known = known_games()
    if name not in known:
        shown = name if len(name) <= 60 else f"{name[:57]}..."
        registry.registered_game(shown)  # which refuses it in a sentence
    kinds = {field.name: field for field in fields(known[name])}
    for key, text in texts.items():
        parameter = known[name].aliases.get(key, key)
        if parameter not in kinds:
            raise UnknownParameter(
                tr(
                    "{game} has no parameter {name}{meant}",
                    game=name,
                    name=repr(key[:60]),
                    meant=did_you_mean(key, kinds),
                )
            )
        if parameter == "die":
            _small_die(text)
        if key == "dice" and registry.read(int, text, key) > MOST_DICE:
            raise TooLarge(
                tr(
                    "the lab throws up to {most} dice: got dice={text}",
                    most=MOST_DICE,
                    text=text[:60],
                )
            )
        if memory != UNBOUNDED and parameter in known[name].largest:
            _small_enough(known[name], parameter, text)
    game = registry.registered_game(name, **texts)
    _few_sums(game)
    if game.size() is not None:
        _refuse(game, memory)
    return game


@lru_cache(maxsize=1)
def known_games() -> dict[str, type[Game]]:
    """Return every registered game by name, looked for once."""
    return registry.all_games()


def is_too_large(game: Game) -> bool:
    """Return whether a game has more positions than it says are solved while people wait."""
    return 0 < game.most_positions < (game.size() or 0)


def _refuse(game: Game, memory: int) -> None:
    """Refuse a game that is too large by the engine's estimate."""
    bounds = {"target": MOST_TARGET, "max": MOST_MAX, "turns": MOST_TURNS}
    if isinstance(game, RaceAtOnce) and game.is_simultaneous:
        refuse_race(game, memory)
    elif not game.solver:  # which is solved without its graph of positions
        refuse_before(game, memory)
    if memory != UNBOUNDED and is_too_large(game):
        most, size = game.most_positions, game.size() or 0
        raise TooLarge(
            tr(
                "{game} is too large for the lab: about {size} positions, and up to {most} are "
                "solved while people wait; choose smaller numbers, or ask dicelab solve",
                game=game,
                size=number(size, ","),
                most=number(most, ","),
            )
        )
    for name, most in bounds.items():
        value = 0 if name in game.largest else game.parameters.get(name, 0)
        if value > most:
            raise TooLarge(
                tr(
                    "{game} is too large for the lab: {name} goes up to {most}",
                    game=game,
                    name=name,
                    most=most,
                )
            )


def _text(name: str, value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    text = str(value)
    if len(text) > LONGEST:
        raise RulesError(
            tr(
                "{name} is longer than {most} characters: got {text}...",
                name=name[:60],
                most=LONGEST,
                text=repr(text[:60]),
            )
        )
    return text


def _small_enough(kind: type[Game], parameter: str, text: str) -> None:
    """Refuse a parameter beyond what its game says is solved while people wait."""
    most = kind.largest[parameter]
    if parameter == "die" and Die.parse(text).sides > most:
        raise TooLarge(
            tr(
                "the lab plays {name} with dice of up to {most} faces: got {text}",
                name=kind.name,
                most=most,
                text=text,
            )
        )
    if parameter != "die" and registry.read(int, text, parameter) > most:
        raise TooLarge(
            tr(
                "the lab plays {name} with up to {most} {parameter}: got {text}",
                name=kind.name,
                most=most,
                parameter=parameter,
                text=text,
            )
        )


def _small_die(text: str) -> None:
    """Refuse a die with too many faces before it is made."""
    sides = re.fullmatch(r"\s*[dD]?(\d+)\s*", text)
    if sides and (len(sides[1]) > 6 or int(sides[1]) > MOST_FACES):
        raise TooLarge(
            tr(
                "the lab throws dice of up to {most} faces: got die={text}",
                most=MOST_FACES,
                text=text[:60],
            )
        )
    if re.search(r"\d{10}", text):
        raise TooLarge(
            tr("the lab reads faces and chances of up to 9 digits: got die={text}", text=text[:60])
        )


def _few_sums(game: Game) -> None:
    """Refuse dice with so many different sums that counting them would keep everybody waiting."""
    die, dice = game.parameters.get("die"), game.parameters.get("dice", 1)
    if not isinstance(die, Die):
        return
    apart = die.faces[-1] - die.faces[0]
    sums = min(math.comb(dice + die.sides - 1, dice), dice * apart + 1)
    if sums * die.sides > MOST_SUMS:
        raise TooLarge(
            tr(
                "the lab throws dice with up to {most} different sums where they have "
                "{sides} faces: got dice={dice}, which has up to {sums}",
                most=MOST_SUMS // die.sides,
                sides=die.sides,
                dice=dice,
                sums=sums,
            )
        )


def strategy_name(game: Game, text: str) -> str:
    """Return the name of a strategy the game knows; nothing else is ever looked for."""
    known_games()  # a strategy may live in another file than its game
    name = text.partition(":")[0]
    if len(text) > LONGEST:
        raise UnknownStrategy(
            tr(
                "a strategy is a name of up to {most} characters: got {text}",
                most=LONGEST,
                text=repr(text[:60]),
            )
        )
    if name in GENERAL and text != name:
        raise UnknownStrategy(
            tr("{name} takes no parameters: got {text}", name=name, text=repr(text))
        )
    if name not in game.strategies and name not in GENERAL:
        known = [*game.strategies, *GENERAL]
        raise UnknownStrategy(
            tr(
                "{game} has no strategy {name}{meant}",
                game=game.name,
                name=repr(name[:60]),
                meant=did_you_mean(name[:60], known),
            )
        )
    return text
