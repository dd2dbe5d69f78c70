"""Rules on arrays asked about positions alone and about many together: do both answers agree?

Solving asks a game about many positions in one call, and a person asks about one. Rules that mix up
the positions of a call, or that take one for a special case, answer differently.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from dicelab.errors import DicelabError
from dicelab.rules import (
    Amount,
    Chance,
    Game,
    Outcome,
    Position,
    Throw,
    Way,
    answers,
    contract,
    shown_by,
)
from dicelab.rules.failure import failure_on_arrays, line_of, noted

Law = dict[tuple[Any, ...], Fraction]
"""The chance of each thing that may follow a move: where it leads, who moves then, what is gained,
and after a throw what the dice show and the way taken."""


class Difference(NamedTuple):
    """Where positions together get another answer than one alone, or none at all."""

    method: str
    sentence: str
    at: Position | None = None
    move: str | None = None
    line: str | None = None  # that raised, where one did


def differences(
    game: Game,
    results: dict[Position, int],
    paid: dict[Position, Fraction | tuple[Fraction, ...]],
    laws: dict[Position, dict[str, Law]],
) -> Iterator[Difference]:
    """Yield where rules differ from what they said alone: how positions stand, and what follows.

    `paid` has what ends pay, where that is told one by one; `laws` has the moves allowed at some
    ongoing positions, and what each may lead to.
    """
    places = list(results)
    if not places:
        return

    def ask(method: str, some: list[Position], question: Callable[[Position], Any]) -> Any:
        """Return what rules say about some positions, or the difference that they raise."""
        together = type(some[0])(*map(np.array, zip(*some, strict=True)))
        try:
            return question(together)
        except DicelabError as trouble:
            return Difference(method, str(trouble))
        except Exception as trouble:
            said = str(failure_on_arrays(game, trouble, together))
            return Difference(method, said, line=line_of(trouble) or None)

    def apart(one: str, at: Position, other: str, some: list[Position]) -> str:
        return (
            f"{game} {one} at {noted(game, at)} where that position is asked about alone, and "
            f"{other} where it is one of {len(some):,}: rules on arrays answer for every position "
            f"by itself"
        )

    told = ask("result", places, lambda at: answers.check_results(game, game.result(at), at))
    if isinstance(told, Difference):
        yield told
    else:
        for at, result in zip(places, _each(told, len(places)), strict=True):
            if result != results[at]:
                one, other = (f"says {contract.RESULTS[each]}" for each in (results[at], result))
                yield Difference("result", apart(one, at, other, places), at)
    ends = list(paid)
    if ends:
        told = ask("payoff", ends, lambda at: _paid(game, at, len(ends)))
        if isinstance(told, Difference):
            yield told
        else:
            for at, amount in zip(ends, told, strict=True):
                if amount != paid[at]:
                    said = apart(f"pays {paid[at]}", at, f"pays {amount}", ends)
                    yield Difference("payoff", said, at)
    going = list(laws)
    for move in game.moves if going else ():
        told = ask("legal", going, lambda at: game.legal(at, move))  # noqa: B023 -- asked at once
        if isinstance(told, Difference):
            yield told
            continue
        playing = []
        for at, allowed in zip(going, _each(told, len(going)), strict=True):
            if bool(allowed) != (move in laws[at]):
                one, other = ("forbids", "allows") if allowed else ("allows", "forbids")
                said = apart(f"{one} {move}", at, f"{other} it", going)
                yield Difference("legal", said, at, move)
            elif allowed:
                playing.append(at)
        if not playing:
            continue
        told = ask("outcomes", playing, lambda at: _laws(game, at, move, len(playing)))  # noqa: B023
        if isinstance(told, Difference):
            yield told._replace(move=move)
            continue
        for at, law in zip(playing, told, strict=True):
            alone = laws[at][move]
            for key in (key for key in {**alone, **law} if alone.get(key) != law.get(key)):
                one = f"leads to {_named(game, key)} with chance {alone.get(key, 0)} after {move}"
                said = apart(one, at, f"with chance {law.get(key, 0)}", playing)
                yield Difference("ways" if key[3:] else "outcomes", said, at, move)
                break


def _named(game: Game, key: tuple[Any, ...]) -> str:
    """Return what may follow a move, as people write it."""
    to, mover, _, *way = key
    who = ("the same player", "the other player")[mover]
    taken = f" by {way[1]!r} when the dice show {shown_by(way[0])}" if way else ""
    return f"{noted(game, to)}{taken}, {who} to move,"


def _each(answer: Any, size: int) -> list[Any]:
    """Return an answer for many positions as one for each."""
    told: list[Any] = np.broadcast_to(np.asarray(answer), (size,)).tolist()
    return told


def _numbers(told: Any, size: int) -> list[Fraction]:
    """Return a chance or a gain as one number for each of many positions."""
    if isinstance(told, Chance | Amount):
        return [Fraction(int(part), told.denominator) for part in _each(told.numerator, size)]
    if isinstance(told, np.ndarray):
        return [Fraction(part) for part in _each(told, size)]
    return [Fraction(told)] * size


def _paid(game: Game, at: Position, size: int) -> list[Fraction | tuple[Fraction, ...]]:
    """Return what each of many ends pays."""
    which, amounts = answers.shares(game, game.payoff(at), at)
    return [amounts[place] for place in _each(which.ravel(), size)]


def _laws(game: Game, at: Position, move: str, size: int) -> list[Law]:
    """Return what may follow a move at each of many positions, asked about together."""
    laws: list[Law] = [{} for _ in range(size)]
    for told in game.outcomes(at, move):
        if isinstance(told, Throw):
            ways = [Way(*way) for way in game.ways(at, move, told.dice)]
        else:
            outcome = Outcome(*told)
            ways = [Way("", outcome.at, outcome.mover, outcome.gain)]
        chances = _numbers(told[0], size)
        for way in ways:
            taken = (told.dice, way.name) if isinstance(told, Throw) else ()
            fields = zip(*(_each(field, size) for field in way.at), strict=True)
            told_each = zip(fields, _numbers(way.gain, size), _each(way.allowed, size), strict=True)
            for law, chance, (place, gain, is_open) in zip(laws, chances, told_each, strict=True):
                if chance and is_open:
                    key = (type(at)(*place), way.mover, gain, *taken)
                    law[key] = law.get(key, Fraction(0)) + chance
    return laws
