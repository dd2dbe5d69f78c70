"""Games and strategies by name.

A game registers itself with ``@register("pig")``; its named strategies with
``@strategy(Pig, "hold-at")``. Every module of `dicelab.games` is found by itself, so a new game
is one new file. A game of your own is written ``module:Class`` wherever a name is asked for.
"""

from __future__ import annotations

import dataclasses
import difflib
import inspect
import pkgutil
import re
import typing
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar

from dicelab.core.json_object import JsonObject
from dicelab.core.typed_modules import import_typed
from dicelab.errors import DicelabError, RulesError, UnknownGame, UnknownParameter
from dicelab.rules import Game, contract
from dicelab.rules.dice import Die
from dicelab.rules.purpose import aimed

HOME = Path(__file__).parent.parent / "games"
_GAMES: dict[str, type[Game]] = {}
Rows = list[JsonObject]
"""Decisions that were written down: position, move, after, faces, gain and the like, by name."""

CarryOver = Callable[[Mapping[str, object], Rows], tuple[Game, Rows] | None]
"""Makes a match of a former game one of a present game: its parameters and rows become others.

None where it is no match of the former game: a present one may have its name.
"""

FORMER: dict[str, CarryOver] = {}
"""How matches are carried over, by the name that their game had; asked after `all_games`."""

IN_WORDS: dict[Callable[..., object], tuple[str, Mapping[str, object]]] = {}
"""What players call a strategy, and its choices in their words, by what makes it."""

FROM = ("from", "from_")
"""Names under which every game takes the position to start from; Python reserves the first."""
FOR = ("for", "for_")
"""Names under which every game takes the purpose it is played for."""

GameClass = TypeVar("GameClass", bound=type[Game])
Maker = TypeVar("Maker", bound=Callable[..., object])


def register(name: str) -> Callable[[GameClass], GameClass]:
    """Return a decorator that makes a game known under a name."""

    def remember(kind: GameClass) -> GameClass:
        kind.name = name
        _GAMES[name] = kind
        return kind

    return remember


def formerly(name: str) -> Callable[[CarryOver], CarryOver]:
    """Return a decorator for what carries matches over from a game that had this name."""

    def remember(carry_over: CarryOver) -> CarryOver:
        FORMER[name] = carry_over
        return carry_over

    return remember


def strategy(
    kind: type[Game], name: str, label: str = "", choices: Mapping[str, object] | None = None
) -> Callable[[Maker], Maker]:
    """Return a decorator that makes a strategy known to a game and its descendants.

    `label` is what players call it, where its name would puzzle them; `choices` has the values
    that a parameter may have, each with its words.
    """

    def remember(maker: Maker) -> Maker:
        kind.strategies = {**kind.strategies, name: maker}
        if label or choices:
            IN_WORDS[maker] = (label, choices or {})
        return maker

    return remember


def all_games() -> dict[str, type[Game]]:
    """Return every registered game by name."""
    for module in _modules():
        import_module(f"dicelab.games.{module}")
    return dict(sorted(_GAMES.items()))


def _modules() -> list[str]:
    """Return the names of the modules and folders with games."""
    return [module.name for module in pkgutil.iter_modules([str(HOME)])]


def _registered(name: str) -> type[Game] | None:
    """Return a game by its name; the module of that name is asked first, then all of them."""
    module = name.replace("-", "_")
    if name not in _GAMES and module in _modules():
        import_module(f"dicelab.games.{module}")
    return _GAMES.get(name) or all_games().get(name)


@cache
def load_at_home(start: str) -> list[ModuleType]:
    """Import and return the modules in the games' folders whose names begin so.

    `figures` have what can be drawn of a game, `records` how people write it down, `utilities`
    what results are worth in it, `commands` what only that game can be asked at the command line,
    `warm` what its first answer would wait for. Most of them register something when imported.
    """
    found = []
    for folder in sorted(path for path in HOME.iterdir() if path.is_dir()):
        for module in pkgutil.iter_modules([str(folder)]):
            if module.name.startswith(start):
                found.append(import_module(f"dicelab.games.{folder.name}.{module.name}"))
    return found


def game(name: str, /, **parameters: object) -> Game:
    """Return the game of that name; parameters may be values or the text of them."""
    if ":" in name:
        return _game_of(_imported_game(name), name, parameters)
    return registered_game(name, **parameters)


def registered_game(name: str, /, **parameters: object) -> Game:
    """Return the registered game of that name; nothing else is ever looked for.

    This is for names that a stranger may have written: in a file, or on a web page.
    """
    kind = _registered(name)
    if kind is None:
        raise UnknownGame(f"no game called {name!r}{did_you_mean(name, all_games())}")
    return _game_of(kind, name, parameters)


def takes(name: str, parameter: str, text: str) -> bool:
    """Return whether a text by itself is a value of a game's parameter, by the type of that.

    Words take any text, and so do the position to start from and the purpose.
    """
    kind = _imported_game(name) if ":" in name else all_games().get(name)
    types = {} if kind is None else typing.get_type_hints(kind)
    wanted = types.get(parameter if kind is None else kind.aliases.get(parameter, parameter), str)
    try:
        read(wanted, text, parameter)
    except (DicelabError, ValueError, ArithmeticError):
        return False
    return True


def admit(name: str) -> str:
    """Make a game known that was named at the terminal, and return the name it is known by.

    ``module:Class`` is imported and registered; so only who may import it can name it.
    """
    if ":" not in name:
        registered_game(name)
        return name
    kind = _imported_game(name)
    taken = all_games().get(kind.name)
    if taken not in (None, kind):
        if "name" in vars(kind):
            raise RulesError(f"{name} calls itself {kind.name!r}, as another game does: rename it")
        kind.name = name  # it had the name of the game that it is made from
    wanted = [
        field.name
        for field in dataclasses.fields(kind)
        if field.default is field.default_factory is dataclasses.MISSING
    ]
    if wanted:
        raise RulesError(
            f"{name} cannot be listed without {', '.join(wanted)}: give every parameter a default"
        )
    _game_of(kind, name, {})
    return register(kind.name)(kind).name


def _game_of(kind: type[Game], name: str, parameters: dict[str, object]) -> Game:
    """Return a game of a class with its parameters, those given as text read by their types."""
    known = {field.name: field for field in dataclasses.fields(kind)}
    types = typing.get_type_hints(kind)
    values: dict[str, object] = {}
    begins, purpose = (
        next((parameters[key] for key in keys if key in parameters and key not in known), None)
        for keys in (FROM, FOR)
    )
    for given, value in parameters.items():
        if given in (*FROM, *FOR) and given not in known:
            continue
        parameter = kind.aliases.get(given, given)
        if parameter not in known:
            raise UnknownParameter(
                f"{name} has no parameter {parameter!r}{did_you_mean(parameter, known)}"
            )
        if parameter in values:
            raise RulesError(f"{parameter} is given twice, also as {given}: give it once")
        if isinstance(value, str):
            values[parameter] = read(types[parameter], value, parameter)
        elif types[parameter] is Die and isinstance(value, int):
            values[parameter] = Die(value)
        else:
            values[parameter] = value
    if inspect.isabstract(kind):
        missing = ", ".join(sorted(kind.__abstractmethods__))
        raise RulesError(f"{name} is not a whole game: it does not say {missing}")
    made: Game = kind(**values)
    contract.check(made)
    begun = made if begins is None else made.starting(begins)
    return begun if purpose is None else aimed(begun, str(purpose))


def altered(game: Game, parameters: Mapping[str, object]) -> Game:
    """Return a game with some parameters changed; where it begins and its purpose stay."""
    plain = game.unaimed
    begins = plain.begins_at
    kind = type(plain.at_usual_start)
    kept = {**plain.parameters, FROM[0]: begins, FOR[0]: game.aim or None}
    given = {kind.aliases.get(name, name): value for name, value in parameters.items()}
    return _game_of(kind, kind.name or kind.__name__, {**kept, **given})


def told(game: Game) -> JsonObject:
    """Return the parameters of a game or a round, numbers as numbers and dice as text."""
    return {
        name: value if value is None or isinstance(value, int | str) else str(value)
        for name, value in game.parameters.items()
    }


def read(kind: Any, text: str, parameter: str) -> Any:
    """Return the value of a parameter from its text."""
    readers: dict[Any, tuple[Callable[[str], Any], str]] = {
        int: (_whole, "a whole number"),
        bool: (_yes_or_no, "yes or no"),
        Fraction: (_fraction, "a fraction such as 1/2"),
        str: (str, "a word"),
    }
    if type(None) in typing.get_args(kind):  # may be left out
        if text.lower() == "none":
            return None
        kind = typing.get_args(kind)[0]
    if kind is Die:
        return Die.parse(text)
    if kind not in readers:
        raise UnknownParameter(f"{parameter} cannot be given as text: pass it from Python")
    reader, wanted = readers[kind]
    try:
        return reader(text)
    except (ValueError, ZeroDivisionError, KeyError):
        if kind is int and re.fullmatch(r"[+-]?\d{19,}", text.replace("_", ""), re.ASCII):
            wanted = "a whole number of at most 18 digits"
        raise RulesError(f"{parameter} must be {wanted}: got {text!r}") from None


def _whole(text: str) -> int:
    if not re.fullmatch(r"[+-]?\d{1,18}|\d{1,3}e\d{1,2}", text.replace("_", "")):
        raise ValueError(text)
    return int(Fraction(text.replace("_", "")))


def _fraction(text: str) -> Fraction:
    if not re.fullmatch(r"[+-]?\d{1,18}(/\d{1,18}|\.\d{1,18})?", text):
        raise ValueError(text)
    return Fraction(text)


def _yes_or_no(text: str) -> bool:
    answers = {"yes": True, "true": True, "on": True, "1": True}
    answers |= {"no": False, "false": False, "off": False, "0": False}
    return answers[text.lower()]


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Return the end of a sentence that offers the nearest known name, or the whole list."""
    names = sorted(known)
    close = difflib.get_close_matches(name, names, n=1, cutoff=0.5)
    if close:
        return f"; did you mean {close[0]!r}?"
    return f"; there is {', '.join(names)}" if names else "; it has none"


def imported(path: str) -> Any:
    """Return the thing that ``module:name`` stands for."""
    module_name, _, attribute = path.partition(":")
    module_name = module_name.removesuffix(".py")
    try:
        module = import_typed(module_name)
    except Exception as trouble:
        raise DicelabError(
            f"cannot import {module_name!r} for {path!r}: {type(trouble).__name__}: {trouble}"
        ) from trouble
    if not hasattr(module, attribute):
        names = [name for name in vars(module) if not name.startswith("_")]
        raise DicelabError(f"{module_name!r} has no {attribute!r}{did_you_mean(attribute, names)}")
    return getattr(module, attribute)


def _imported_game(path: str) -> type[Game]:
    found = imported(path)
    if not (inspect.isclass(found) and issubclass(found, Game)):
        raise UnknownGame(f"{path!r} is not a game: got {found!r}")
    if not found.name and found.__module__.partition(".")[0] != __package__.partition(".")[0]:
        for other in found.__subclasses__():  # which go on under their own names
            other.name = other.name
        found.name = path  # not of the contract's own classes, which all games inherit
    return found
