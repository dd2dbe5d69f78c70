"""Kinds of figures: every figure by the name of its game and of what it shows.

A kind belongs to a class of games and to all that derive from it. It may take strategies and whole
numbers, such as how many games to play; what is not given has a default, which may depend on the
game (a score in the middle of it). A figure shows what was asked for: a number that it cannot draw
is refused.

>>> sorted(kinds_of("pig"))[:3]
['best', 'boundary', 'boxplot']
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, NamedTuple

from matplotlib.figure import Figure

from dicelab.errors import RulesError, UnknownPlot
from dicelab.plots.style import house_style, small_print
from dicelab.rules import Game, contract, registry
from dicelab.rules.parts import parts_of
from dicelab.rules.ranges import ranges_in
from dicelab.table import compile
from dicelab.verbs.solution import Solution
from dicelab.verbs.solve import solve

OwnGame = Any
"""A game of the class that a kind of figure belongs to."""


@dataclass(frozen=True)
class Asked:
    """What a figure is to show."""

    game: OwnGame  # of the class that the kind belongs to
    strategies: tuple[str, ...]
    numbers: Mapping[str, int]
    given: frozenset[str] = frozenset()  # the parameters and numbers that were written out
    fields: Mapping[str, str] = field(default_factory=dict)  # words of the kind, and fields' values
    several: Mapping[str, list[str]] = field(default_factory=dict)  # parameters with their values


Default = int | Callable[[OwnGame], int]
"""A number, or what gives it for a game."""

Fields = tuple[str, ...] | Callable[[OwnGame], tuple[str, ...]]
"""Words that a figure takes, or what gives them for a game."""


class Whole(NamedTuple):
    """A whole number that a figure takes: what it is if not given, and what it may be."""

    default: Default
    least: int = 1
    most: int = 10**9


@dataclass(frozen=True)
class Kind:
    """One kind of figure."""

    name: str
    about: str
    source: str | Callable[[OwnGame], str]  # the figure of a study that it is after, if any
    draw: Callable[[Asked], Figure]
    strategies: tuple[str, ...]  # those it takes where none are given
    most: int  # how many strategies it may take
    numbers: Mapping[str, Whole] = field(default_factory=dict)
    fields: Fields = ()  # words that name fields of a position; these then have values too
    many: bool = False  # also of three players and more
    ranges: bool = False  # parameters may have several values, as target=10..50:10
    often: Callable[[Asked], int] = lambda _: 0  # how often a game's own solver goes through all

    def defaults(self, game: OwnGame) -> dict[str, int]:
        """Return the numbers it takes for a game where none are given."""
        usual = {name: number.default for name, number in self.numbers.items()}
        return {name: n if isinstance(n, int) else n(game) for name, n in usual.items()}


_DIGITS = re.compile(r"\d{1,9}", re.ASCII)

_KINDS: dict[type, dict[str, Kind]] = {}


def kind(
    game: type,
    name: str,
    about: str,
    source: str | Callable[[OwnGame], str] = "",
    strategies: Sequence[str] = (),
    most: int | None = None,
    fields: Fields = (),
    many: bool = False,
    ranges: bool = False,
    often: Callable[[Asked], int] = lambda _: 0,
    **numbers: Default | Whole,
) -> Callable[[Callable[[Asked], Figure]], Callable[[Asked], Figure]]:
    """Register a kind of figure for a class of games, for three players too where it is `many`."""

    def enter(draw: Callable[[Asked], Figure]) -> Callable[[OwnGame], Figure]:
        limit = len(strategies) if most is None else most
        whole = {key: n if isinstance(n, Whole) else Whole(n) for key, n in numbers.items()}
        told = (tuple(strategies), limit, whole, fields, many, ranges, often)
        made = Kind(name, about, source, draw, *told)
        _KINDS.setdefault(game, {})[name] = made
        return draw

    return enter


def kinds_of(name: str) -> dict[str, Kind]:
    """Return the kinds of figures of a game, by name."""
    _load()
    return _kinds(type(registry.game(name)))


def takes(name: str, kind_name: str) -> list[str]:
    """Return what a kind takes where nothing is said, as it would be written in a command."""
    wanted = kinds_of(name)[kind_name]
    numbers = wanted.defaults(registry.game(name))
    return [*wanted.strategies, *(f"{key}={value}" for key, value in numbers.items())]


def draw(
    name: str,
    kind_name: str,
    arguments: Sequence[str] = (),
    before: Callable[[Game, int], None] = lambda game, often: None,
) -> Figure:
    """Return a figure of a game; the arguments are strategies and name=value.

    `before` is told the game before the work, and how often its own solver goes through it all.
    """
    known = kinds_of(name)
    if kind_name not in known:
        hint = registry.did_you_mean(kind_name, known)
        raise UnknownPlot(f"{name} has no figure called {kind_name!r}{hint}")
    wanted = known[kind_name]
    parameters: dict[str, str] = {}
    numbers: dict[str, int] = {}
    words: dict[str, str] = {}
    of_position = _words(name, wanted, arguments)
    strategies, given = [], set()
    for argument in arguments:
        key, equals, value = argument.partition("=")
        if not equals or not key.isidentifier():
            strategies.append(argument)
            continue
        if key in given:
            raise RulesError(f"{key} is given twice: the second is {argument}")
        given.add(key)
        if key in wanted.numbers:
            numbers[key] = _whole(key, value, wanted.numbers[key])
        elif key in of_position:
            words[key] = value
        else:
            parameters[key] = value
    if len(strategies) > wanted.most:
        limit = "no strategy" if not wanted.most else f"at most {wanted.most}"
        raise RulesError(
            f"the figure {kind_name!r} of {name} takes {limit}: got {' '.join(strategies)}"
        )
    several: Mapping[str, list[str]] = {}
    if wanted.ranges:
        parameters, several = ranges_in(name, parameters)
    game = registry.game(name, **parameters)
    if not wanted.many:
        contract.refuse_many(game, f"be drawn as {kind_name!r}")
    numbers = wanted.defaults(game) | numbers
    asked = Asked(
        game, tuple(strategies) or wanted.strategies, numbers, frozenset(given), words, several
    )
    before(game, wanted.often(asked))
    with house_style():
        figure = wanted.draw(asked)
        source = wanted.source if isinstance(wanted.source, str) else wanted.source(game)
        small_print(figure, command_of(name, kind_name, arguments), source)
    return figure


def _words(name: str, wanted: Kind, arguments: Sequence[str]) -> set[str]:
    """Return the words that a kind takes besides parameters and numbers, fields among them.

    How many sit at the table decides which fields there are.
    """
    if not wanted.fields:
        return set()
    table = dict(each.split("=", 1) for each in arguments if each.startswith("players="))
    game = registry.game(name, **table)
    words = wanted.fields if isinstance(wanted.fields, tuple) else wanted.fields(game)
    return {*words, *parts_of(game.start())} - set(game.parameters)


def command_of(name: str, kind_name: str, arguments: Sequence[str] = ()) -> str:
    """Return the command that makes a figure."""
    return " ".join(["dicelab plot", name, kind_name, *arguments])


@lru_cache(maxsize=4)
def solved(game: Game) -> Solution:
    """Return a game's solution, worked out once for all its figures."""
    return solve(game)


@lru_cache(maxsize=4)
def solved_on_table(game: Game) -> Solution:
    """Return a solution on the table of positions; one that does not fit is refused at once."""
    return solve(compile(game))


def _whole(name: str, text: str, may: Whole) -> int:
    """Return the number that a text stands for, refusing one that cannot be drawn."""
    number = int(text) if _DIGITS.fullmatch(text) else may.least - 1
    if not may.least <= number <= may.most:
        raise RulesError(f"{name} is a whole number from {may.least} to {may.most}: got {text!r}")
    return number


def _kinds(game: type) -> dict[str, Kind]:
    found: dict[str, Kind] = {}
    for cls in reversed(game.__mro__):
        found |= _KINDS.get(cls, {})
    return found


@lru_cache(maxsize=1)
def _load() -> None:
    """Import the figures of any game and of each, which registers their kinds."""
    importlib.import_module("dicelab.plots.any_game")
    importlib.import_module("dicelab.plots.field_maps")
    importlib.import_module("dicelab.plots.card_maps")
    importlib.import_module("dicelab.plots.sweeps")
    registry.load_at_home("figures")
