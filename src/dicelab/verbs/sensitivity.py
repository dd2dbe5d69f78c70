"""What one step in each parameter of a game would change: its value, its length, its advantage.

A step is the next whole number up and down that the rules take and that changes something (where
scores come in fifties, that is fifty), a die of one face more or less, yes instead of no, each of
the other choices where a parameter is one of some words, and a tenth where it is a fraction.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from dicelab.core.json_object import JsonObject
from dicelab.errors import DicelabError
from dicelab.rules import Game, registry
from dicelab.rules.dice import Die
from dicelab.rules.game import written
from dicelab.verbs.best_play import BestPlay, best_play
from dicelab.verbs.numbers import Number

STEPS = (1, 5, 10, 50, 100)
"""Steps of whole numbers, tried until the rules take one and it changes something."""

LARGER = 4
"""How many times as many positions a changed game may have to be solved as well."""

FEW_POSITIONS = 100_000
"""Positions that a changed game may always have."""


@dataclass(frozen=True, eq=False)
class Change:
    """One parameter changed by one step, and what the game is then."""

    parameter: str
    before: str
    after: str
    numbers: dict[str, Number]  # value, advantage between two, length
    refused: str = ""

    def as_dict(self) -> JsonObject:
        """Return what a program wants to know."""
        told: JsonObject = {"parameter": self.parameter, "from": self.before, "to": self.after}
        told |= {name: number.as_dict() for name, number in self.numbers.items()}
        return told | ({"refused": self.refused} if self.refused else {})


def headline_numbers(best: BestPlay) -> dict[str, Number]:
    """Return the numbers that changes are told in: value, advantage between two, length."""
    game, found = best.game, dict[str, Number]()
    (found["value"],) = best.numbers.asked((), ["value"])
    if game.players == 2 and not game.is_simultaneous:
        (found["advantage"],) = best.numbers.asked((), ["advantage"])
    if best.has_table:
        found["length"] = best.course.turns()
    return found


def changes(
    best: BestPlay, memory: int | None = None, progress: Callable[[float], None] | None = None
) -> Iterator[Change]:
    """Yield every change of one step, worked out."""
    game, now = best.game, headline_numbers(best)
    every = list(steps(game))
    for number, (parameter, values) in enumerate(every):
        tried: list[Change] = []
        for value in values:
            if tried and tried[-1].numbers and _is_far(game, parameter, value):
                break
            tried.append(_changed(game, parameter, value, memory))
            if tried[-1].numbers and not _is_same(tried[-1].numbers, now):
                break
        taken = [one for one in tried if one.numbers]
        yield taken[-1] if taken else tried[0]
        if progress:
            progress((number + 1) / len(every))


def _is_far(game: Game, parameter: str, value: object) -> bool:
    """Return whether a value is no step any more from what the parameter is."""
    here = game.unaimed.parameters[parameter]
    return isinstance(here, int) and isinstance(value, int) and 2 * abs(value - here) > abs(here)


def _is_same(numbers: dict[str, Number], now: dict[str, Number]) -> bool:
    """Return whether no number can be told from what it is now."""
    return all(
        name in now
        and abs((each.value or 0.0) - (now[name].value or 0.0))
        <= (each.error or 0.0) + (now[name].error or 0.0)
        for name, each in numbers.items()
    )


def _changed(game: Game, parameter: str, value: object, memory: int | None) -> Change:
    before, after = written(game.unaimed.parameters[parameter]), written(value)
    try:
        made = registry.altered(game, {parameter: value})
        size, limit = made.size(), max(FEW_POSITIONS, LARGER * (game.size() or 0))
        if size is not None and size > limit and not made.engine:
            told = f"it has about {size:,} positions, too many to be solved beside this one"
            return Change(parameter, before, after, {}, told)
        numbers = headline_numbers(best_play(made, memory))
    except DicelabError as trouble:
        return Change(parameter, before, after, {}, str(trouble))
    if refused := next((number.refused for number in numbers.values() if number.refused), ""):
        return Change(parameter, before, after, {}, refused)
    return Change(parameter, before, after, numbers)


def steps(game: Game) -> Iterator[tuple[str, Sequence[object]]]:
    """Yield every parameter with values one step away from its own, the smallest step first."""
    plain = game.unaimed
    for name, value in plain.parameters.items():
        words = {**plain.choices_in_words.get(name, {}), **plain.suggested.get(name, {})}
        if isinstance(value, bool):
            yield name, [not value]
        elif isinstance(value, int):
            yield from ((name, [value + sign * step for step in STEPS]) for sign in (-1, 1))
        elif isinstance(value, Fraction):
            yield from ((name, [value + Fraction(sign, 10)]) for sign in (-1, 1))
        elif isinstance(value, Die):
            faces = len(value.faces)
            if value == Die(faces):
                yield from ((name, [Die(faces + sign)]) for sign in (-1, 1) if faces + sign > 0)
        elif isinstance(value, str):
            yield from ((name, [word]) for word in words if word != value)
