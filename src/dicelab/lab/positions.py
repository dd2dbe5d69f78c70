"""Any position of a game: set by its fields or in its notation, asked about, and played from there.

Which fields can be set is found out by asking the game: those that it draws as the number they are.
A position that is packed into numbers, such as a board, is set in the game's notation alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

import numpy as np

from dicelab.core.json_object import JsonObject
from dicelab.core.language import tr
from dicelab.errors import DicelabError, RulesError, TooLarge, UnknownPosition
from dicelab.lab import coach, narration, starts
from dicelab.lab.arguments import kind_of
from dicelab.lab.matches import layout_of
from dicelab.lab.solving import Solving
from dicelab.rules import Game, HouseRules, Position, before_throw
from dicelab.rules.registry import told
from dicelab.rules.sentences import OTHER_PLAYER, upper_first
from dicelab.rules.speech import FIELDS

Limits = Mapping[str, tuple[int, int]]
SCORES = ("mine", "yours")  # fields that run up to the limit of a game


def asked(
    solving: Solving, game: Game, text: str, changes: Sequence[str], wait: float
) -> JsonObject:
    """Return a position with what can be set there, what it is worth and each move.

    `changes` are fields and numbers, such as mine=40, to be set in the position that `text` names.
    """
    base = game.read(text) if text else game.start() if changes else _first(game)
    if changes:
        base = changed(game, base, dict(map(_pair, changes)))
    begun, at = starts.begun_at(game, game.write(base))
    solution = solving.solution(begun, wait)
    place = begun.read(at)
    return {
        "game": game.name,
        "title": str(game),
        "kind": kind_of(game),
        "parameters": told(game),
        "unit": tr(game.unit),
        "scale": coach.scale(game),
        "sides": layout_of(game)["sides"],
        "players": game.players,
        "at": at,
        "examples": game.example_positions(),
        "fields": list(_fields(game, place, _limits(solving, game, wait))),
        "position": {
            **narration.where(game, place, 0),
            "board": narration.board(game, place, 0, [], [tr(OTHER_PLAYER)] * (game.players - 1)),
        },
        "coach": coach.advice(solution, place),
    }


def _first(game: Game) -> Position:
    """Return a position worth asking about: the first that the game names, or its start."""
    examples = game.example_positions()
    return game.read(examples[0]) if examples else game.start()


def _pair(text: str) -> tuple[str, int]:
    name, _, value = text.partition("=")
    if not value.removeprefix("-").isdecimal() or not value.isascii() or len(value) > 12:
        raise RulesError(
            tr("a field is set to a whole number, such as mine=40: got {text!r}", text=text[:60])
        )
    return name, int(value)


def changed(game: Game, at: Position, numbers: Mapping[str, int]) -> Position:
    """Return a position with other numbers in some fields; what was thrown there is put away."""
    before = before_throw(at)
    plain = plain_fields(game, before)
    for name in numbers:
        if name not in plain:
            raise RulesError(
                tr(
                    "{field!r} is nothing that can be set in {game}: {known}",
                    field=name[:40],
                    game=game,
                    known=", ".join(plain) or tr("write the position in its notation"),
                )
            )
    values = {}
    for name, number in numbers.items():
        step = game.points_of_one(name)
        if number % step:
            raise RulesError(
                tr(
                    "{field} counts in steps of {step}: got {number}",
                    field=name,
                    step=step,
                    number=number,
                )
            )
        values[name] = number // step
    try:
        return game.parse(game.notation(before._replace(**values)))
    except DicelabError:
        raise
    except Exception:  # rules of somebody's own, with numbers that they never meant
        said = ", ".join(f"{name}={number}" for name, number in numbers.items())
        raise UnknownPosition(
            tr("{game} has no position with {numbers}", game=game, numbers=said)
        ) from None


def plain_fields(game: Game, at: Position) -> list[str]:
    """Return the fields that the game draws as the numbers they are, wherever one looks."""
    if game.tray == "keep":  # there the dice themselves are picked
        return []
    seen = [at, game.start()]
    for text in game.example_positions():
        with suppress(DicelabError):
            seen.append(before_throw(game.read(text)))
    names = getattr(at, "_fields", ())
    return [name for name in names if all(_is_plain(game, one, name) for one in seen)]


def _is_plain(game: Game, at: Position, name: str) -> bool:
    value, drawn = getattr(at, name), game.counters(at).get(name)
    if isinstance(value, bool) or not isinstance(value, int | np.integer):
        return False
    return isinstance(drawn, int) and drawn == int(value) * game.points_of_one(name)


def _fields(game: Game, at: Position, limits: Limits) -> Iterator[JsonObject]:
    """Return what can be set in a position: each field, its number now, and its limits."""
    before = before_throw(at)
    known = {**FIELDS, **game.fields_in_words}
    for name in plain_fields(game, before):
        step = game.points_of_one(name)
        value = int(getattr(before, name)) * step
        low, high = limits.get(name, (None, None))
        yield {
            "name": name,
            "label": upper_first(tr(known.get(name, name.replace("_", " ")))),
            "value": value,
            "min": 0 if low is None else min(low * step, value),
            "max": None if high is None else max(high * step, value),
            "step": step,
        }


def _limits(solving: Solving, game: Game, wait: float) -> Limits:
    """Return between what numbers each field lies where play comes, where that is known."""
    scores = {} if game.score_limit is None else dict.fromkeys(SCORES, (0, game.score_limit[1]))
    if game.solver or isinstance(game, HouseRules):
        return scores
    try:
        _, at = solving.solution(game, wait).table.ongoing
    except TooLarge:  # it is solved from the position that was set alone
        return scores
    told: Any = at._asdict() if hasattr(at, "_asdict") else {}
    return {
        name: (int(np.min(values)), int(np.max(values)))
        for name, values in told.items()
        if np.issubdtype(np.asarray(values).dtype, np.integer) and np.size(values)
    }
