"""Variants of a game: other parameters, other rules, and a head start.

A head start is a position to start from: points that the second player has already (komi), or any
other field of the position. Variants are numbered, parameters first, so that a search can walk
among them without making them all.
"""

from __future__ import annotations

import dataclasses
import math
import typing
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from dicelab.core.lazy import lazy
from dicelab.errors import DicelabError, RulesError
from dicelab.rules import ONGOING, Game, HouseRules, Position, registry
from dicelab.rules.dice import Die
from dicelab.rules.game import written
from dicelab.rules.parts import parts_of, with_parts

SHARES = ((1, 2), (2, 3), (5, 6), (1, 1), (6, 5), (3, 2), (2, 1))
"""Parts and multiples of a whole number that are tried where nobody gave its range."""
SIDES = (4, 6, 8, 10, 12, 20)
"""Dice that are tried where nobody named any."""
MOST_FIRST = 100
"""Variants among which one is looked for that the rules take."""
STEPS = 20
"""How far a head start goes where nobody gave its range."""
MINE = "mine"
"""What the player about to move has, where a position has such a field."""
START = "start "
"""What stands before a field of the position that the game starts from."""


@dataclass(frozen=True)
class Variants:
    """All combinations of some values of parameters, each with all head starts."""

    game: str | Game
    fixed: Mapping[str, object]
    parameters: Mapping[str, tuple[object, ...]]
    starts: Mapping[str, tuple[str, ...]]  # by field

    @lazy
    def usual(self) -> Game:
        """The game as it stands, or the first variant where it needs a parameter that changes."""
        found = self._made({})
        for number in range(min(MOST_FIRST, self.combinations) if self.parameters else 0):
            if isinstance(found, Game):
                break
            found = self.made(number)
        if isinstance(found, str):
            raise RulesError(f"every variant is refused; the first: {found}")
        return found

    @property
    def axes(self) -> dict[str, tuple[str, ...]]:
        """What changes, and through which values, as one would type them."""
        told = {name: tuple(map(written, each)) for name, each in self.parameters.items()}
        return told | {START + name: values for name, values in self.starts.items()}

    @property
    def shape(self) -> tuple[int, ...]:
        """How many values each parameter has."""
        return tuple(len(values) for values in self.parameters.values())

    @property
    def combinations(self) -> int:
        """How many games there are, each with all head starts."""
        return math.prod(self.shape)

    @lazy
    def head_starts(self) -> list[tuple[str, ...]]:
        """Every combination of values of the fields to start from."""
        return list(product(*self.starts.values()))

    def place(self, number: int) -> tuple[int, ...]:
        """Return which value of each parameter a number stands for."""
        found = []
        for size in reversed(self.shape):
            number, place = divmod(number, size)
            found.append(place)
        return tuple(reversed(found))

    def number(self, place: tuple[int, ...]) -> int:
        """Return the number of a combination of values."""
        number = 0
        for size, each in zip(self.shape, place, strict=True):
            number = number * size + each
        return number

    def made(self, number: int) -> Game | str:
        """Return a game without its head start, or why there is none."""
        chosen = zip(self.parameters.items(), self.place(number), strict=True)
        return self._made({name: values[place] for (name, values), place in chosen})

    def _made(self, parameters: Mapping[str, object]) -> Game | str:
        return made_with(self.game, {**self.fixed, **parameters})


def made_with(game: str | Game, parameters: Mapping[str, object]) -> Game | str:
    """Return a game with some parameters, or why there is none."""
    try:
        if isinstance(game, str):
            return registry.game(game, **parameters)
        return registry.altered(game, parameters)
    except DicelabError as trouble:
        return str(trouble)


def refuse_values(name: str, values: Sequence[object], none: bool = False) -> None:
    """Refuse values to go through that come twice, or none at all, unless that may be (`none`)."""
    if not (values or none):
        raise RulesError(f"{name} has no value to go through: give one or more")
    if twice := next((each for each in values if values.count(each) > 1), None):
        raise RulesError(f"{name} goes through {twice} twice: give each value once")


def begun(game: Game, fields: Mapping[str, str]) -> Position:
    """Return where a game starts, some fields of that position having other values."""
    at = game.start()
    values = parts_of(at)
    for name, text in fields.items():
        if name not in values:
            near = registry.did_you_mean(name, list(values))
            raise RulesError(f"a position of {game} has no field {name!r}{near}")
        like = values[name]
        try:
            values[name] = type(like)(int(text)) if _is_whole(like) else _read(game, like, text)
        except ValueError:
            raise RulesError(
                f"{name} of a position of {game} is like {like!r}: got {text!r}"
            ) from None
    for name in fields:
        # It must go on where the player about to move has what another is given.
        ended = ONGOING
        if MINE in values:
            ended = game.result(with_parts(at, {**parts_of(at), MINE: values[name]}))
        if ended not in (ONGOING, None):
            raise RulesError(
                f"{game} is over with {name}={values[name]}: give less of a head start"
            )
    return with_parts(at, values)


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _read(game: Game, like: object, text: str) -> object:
    if isinstance(game, HouseRules):
        return game._read_field(like, text)
    raise ValueError(text)


def usual_range(game: Game, field: str) -> tuple[str, ...]:
    """Return the head starts to try where only a field was named: one step after the other."""
    values = parts_of(game.start())
    begun(game, {field: str(values.get(field, 0))})  # an unknown field is refused
    if not _is_whole(values[field]):
        raise RulesError(f"{field} is no whole number: give its values, as {field}=A,B")
    found = []
    for step in range(STEPS + 1):
        text = str(values[field] + step)
        try:
            game.starting(begun(game, {field: text}))
        except (DicelabError, ValueError, LookupError):
            break
        found.append(text)
    if not found:
        raise RulesError(
            f"{game} cannot start elsewhere by its {field}: give values, as {field}=1..5"
        )
    return tuple(found)


def usual_ranges(game: Game, given: Collection[str] = ()) -> dict[str, tuple[object, ...]]:
    """Return values to try of every parameter but those `given`, where nobody gave any range.

    A whole number goes from half to twice what it is, a rule is there or not, a plain die has other
    sides. How many play, words, and numbers that are 0 stay as they are.
    """
    plain = game.unaimed
    types = typing.get_type_hints(type(plain.at_usual_start))
    found: dict[str, tuple[object, ...]] = {}
    for field in dataclasses.fields(plain):
        value = getattr(plain, field.name)
        if types[field.name] is bool:
            found[field.name] = (False, True)
        elif types[field.name] is Die and str(value).isdigit():
            found[field.name] = tuple(Die(sides) for sides in sorted({*SIDES, int(str(value))}))
        elif types[field.name] is int and field.name != "players" and value > 0:
            several = sorted({max(1, round(value * up / down)) for up, down in SHARES})
            found[field.name] = tuple(several)
    allowed = {
        name: kept
        for name, values in found.items()
        if name not in given
        and len(kept := tuple(value for value in values if _is_allowed(game, name, value))) > 1
    }
    if not allowed:
        known = ", ".join(plain.parameters)
        told = f": it has {known}" if known else ", which has no parameters"
        raise RulesError(
            f"nothing to change was named of {game}{told}; give ranges or a head start"
        )
    return allowed


def _is_allowed(game: Game, name: str, value: object) -> bool:
    try:
        registry.altered(game, {name: value})
    except DicelabError:
        return False
    return True
