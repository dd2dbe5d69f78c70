"""Head starts by lottery, and the pie rule: what makes an uneven game even.

A lottery before the game gives the larger of two neighbouring head starts with a chance, so that an
average lies exactly where it is wanted. By the pie rule one player proposes the head start and the
other chooses the seat, as one cuts a pie and the other takes the first piece.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator, Mapping
from fractions import Fraction

from dicelab.core.arrays import Real
from dicelab.rules import Game
from dicelab.verbs.fronts import Lottery, Proposal
from dicelab.verbs.goals import AVERAGES, Goal, real
from dicelab.verbs.numbers import Number, told_as
from dicelab.verbs.orders import FIRST, PIE, SWAPPED
from dicelab.verbs.variant_search import SEATS, Search
from dicelab.verbs.variants import START, Variants


def refusals_of(search: Search) -> Iterator[str]:
    """Yield why numbers of what was worked out are missing."""
    for number, told in search.known.items():
        if PIE in search.orders and (refused := _no_pie(search.variants, number)):
            yield refused
        for each in told:
            for numbers in each:
                yield from (number.refused for number in numbers if number.refused)


def _no_pie(variants: Variants, number: int) -> str:
    """Return why a game cannot be begun by the pie rule; nothing where it can."""
    game = variants.made(number)
    if isinstance(game, str) or game.players <= 2:
        return ""  # one who plays alone has no seats: that is told of these
    return f"{game} is played by {game.players}: the pie rule is for two"


def ways_of(search: Search) -> list[Proposal]:
    """Return every variant that has all numbers, and the lotteries between neighbours."""
    found: list[Proposal] = []
    variants, goals = search.variants, search.goals
    averages = all(goal.word in AVERAGES for goal in goals)
    of_seats = any(goal.word == "advantage" for goal in goals)
    usual = search.usual_place()
    for number in sorted(search.known):
        place = variants.place(number)
        parameters = {
            name: values[at]
            for (name, values), at in zip(variants.axes.items(), place, strict=False)
        }
        changed = sum(one != two for one, two in zip(place, usual, strict=True))
        steps = sum(abs(one - two) for one, two in zip(place, usual, strict=True))
        told = search.known[number]
        game = variants.made(number)
        assert isinstance(game, Game)
        for order in search.orders:
            if order == PIE and _no_pie(variants, number):
                continue
            extra = {"order": order} if search.orders != (FIRST,) else {}
            ways: dict[tuple[str, ...], Proposal] = {}
            for start, each in zip(variants.head_starts, told, strict=True):
                numbers = each[search.worked.index(FIRST if order == PIE else order)]
                names = dict(zip(search.asked, numbers, strict=True))
                if order == PIE:
                    if any(names[seat].value is None for seat in SEATS):
                        continue
                    names |= _proposed(names)
                if any(names[goal.number].value is None for goal in goals):
                    continue
                fields = {
                    START + name: value for name, value in zip(variants.starts, start, strict=True)
                }
                ways[start] = Proposal(
                    {**parameters, **fields, **extra},
                    tuple(names[goal.number] for goal in goals),
                    goals,
                    None,
                    (order != FIRST) + 0,
                    changed + bool(fields),
                    steps,
                    real(names[SEATS[0]]) if order == PIE else None,
                )
            if order == PIE:  # the first of those that leave most to who proposes
                found += sorted(ways.values(), key=lambda way: -(way.left or 0))[:1]
                continue
            found += ways.values()
            # Of three, who is best off is another one in the other game: no average.
            if averages and not (of_seats and game.players > 2):
                found += _lotteries(ways, variants, goals)
    return found


def _proposed(names: Mapping[str, Number]) -> dict[str, Number]:
    """Return the numbers that change where A proposes a head start and B chooses the seat.

    B takes the better one.
    """
    one, other = (names[seat] for seat in SEATS)
    first, second = real(one) or 0, real(other) or 0
    low, high = sorted((first, second))
    error = 2 * max(one.error or 0.0, other.error or 0.0)
    left, taken = (told_as(each, error, one.unit) for each in (low, high))
    apart = told_as(low - high, 2 * error, one.unit)  # never above 0
    one_seat, other_seat = SEATS
    told = {"value": left, "points": left, "advantage": apart, one_seat: left, other_seat: taken}
    if first > second:
        told |= {name: names[as_b] for name, as_b in SWAPPED.items() if as_b in names}
    return {name: each for name, each in told.items() if names.get(name, each).value is not None}


def _lotteries(
    ways: Mapping[tuple[str, ...], Proposal], variants: Variants, goals: tuple[Goal, ...]
) -> list[Proposal]:
    """Return lotteries between neighbouring head starts that hit a goal between them exactly."""
    found = []
    for axis, (name, values) in enumerate(variants.starts.items()):
        for start, way in ways.items():
            at = values.index(start[axis])
            if at + 1 == len(values):
                continue
            beside = ways.get((*start[:axis], values[at + 1], *start[axis + 1 :]))
            for place, goal in enumerate(goals):
                if beside is None:
                    break
                chance = _chance(goal, way.numbers[place], beside.numbers[place])
                if chance is None:
                    continue
                wrong = max(way.numbers[place].error or 0.0, beside.numbers[place].error or 0.0)
                apart = abs((way.numbers[place].value or 0) - (beside.numbers[place].value or 0))
                lottery = Lottery(START + name, values[at], values[at + 1], chance, wrong / apart)
                numbers = tuple(
                    _mixed(chance, *pair) for pair in zip(way.numbers, beside.numbers, strict=True)
                )
                settings = {**way.settings, START + name: str(lottery)}
                found.append(
                    dataclasses.replace(
                        way,
                        settings=settings,
                        numbers=numbers,
                        lottery=lottery,
                        extras=way.extras + 1,
                    )
                )
    return found


def _chance(goal: Goal, one: Number, other: Number) -> Real | None:
    """Return with which chance to take the other for the goal, or None where it is not between."""
    x, y = real(one), real(other)
    if x is None or y is None or not (math.isfinite(x) and math.isfinite(y)):
        return None
    for target in dict.fromkeys([goal.low, goal.high]):
        if target is None:
            continue
        wanted = target if isinstance(x, Fraction) and isinstance(y, Fraction) else float(target)
        if min(x, y) < wanted < max(x, y) and not (goal.miss(x) == 0 or goal.miss(y) == 0):
            return (x - wanted) / (x - y)
    return None


def _mixed(chance: Real, one: Number, other: Number) -> Number:
    """Return a number that is an average, where the other is taken with this chance."""
    x, y = real(one), real(other)
    assert x is not None
    assert y is not None
    if math.isinf(x) or math.isinf(y):
        return Number(math.inf, None, one.unit)
    value = x + chance * (y - x)
    errors = one.error, other.error
    error = (
        None
        if None in errors
        else max(each or 0.0 for each in errors) + 2.0**-50 * abs(float(value))
    )
    return told_as(value, error, one.unit)
