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
from dicelab.verbs.fronts import Lottery, Proposal
from dicelab.verbs.goals import AVERAGES, Goal, real
from dicelab.verbs.numbers import Number, told_as
from dicelab.verbs.orders import FIRST, PIE
from dicelab.verbs.variant_search import SEATS, Search
from dicelab.verbs.variants import START, Variants


def refusals_of(search: Search) -> Iterator[str]:
    for told in search.known.values():
        for each in told:
            for numbers in each:
                yield from (number.refused for number in numbers if number.refused)


def ways_of(search: Search) -> list[Proposal]:
    """Return every variant that has all numbers, and the lotteries between neighbours."""
    found: list[Proposal] = []
    variants, goals = search.variants, search.goals
    averages = all(goal.word in AVERAGES for goal in goals)
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
        for order in search.orders:
            extra = {"order": order} if search.orders != (FIRST,) else {}
            ways: dict[tuple[str, ...], Proposal] = {}
            for start, each in zip(variants.head_starts, told, strict=True):
                numbers = each[search.worked.index(FIRST if order == PIE else order)]
                names = dict(zip(search.asked, numbers, strict=True))
                if any(names[goal.number].value is None for goal in goals):
                    continue
                if order == PIE and any(names[seat].value is None for seat in SEATS):
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
                    tuple(names.get(seat) for seat in SEATS),
                )
            if order == PIE:
                found += _pie(ways, goals)
                continue
            found += ways.values()
            if averages:
                found += _lotteries(ways, variants, goals)
    return found


def _pie(ways: Mapping[tuple[str, ...], Proposal], goals: tuple[Goal, ...]) -> list[Proposal]:
    """Return what comes of one player proposing the head start and the other choosing the seat.

    The chooser takes the better seat, so the first proposes what makes the worse one best.
    """
    if not ways:
        return []

    def worse(way: Proposal) -> Real:
        return min(real(seat) or 0 for seat in way.seats if seat is not None)

    way = max(ways.values(), key=worse)
    one, other = (seat for seat in way.seats if seat is not None)
    low, high = sorted((real(one) or 0, real(other) or 0))
    error = 2 * max(one.error or 0.0, other.error or 0.0)
    numbers = []
    for goal, number in zip(goals, way.numbers, strict=True):
        if goal.number in ("value", "seat:1"):
            numbers.append(told_as(low, error, one.unit))
        elif goal.number == "seat:2":
            numbers.append(told_as(high, error, one.unit))
        elif goal.number == "advantage":  # of who proposes: never above 0
            numbers.append(told_as(low - high, 2 * error, one.unit))
        else:
            numbers.append(number)
    return [dataclasses.replace(way, numbers=tuple(numbers))]


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
                        seats=(),
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
