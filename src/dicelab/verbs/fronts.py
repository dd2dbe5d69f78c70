"""What a search for better rules found: variants, how far each misses the goals, and the front."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np

from dicelab.core.arrays import Bools, Floats, Real
from dicelab.core.csv_cells import csv_text, guarded_row
from dicelab.core.exact import fraction
from dicelab.core.json_object import JsonObject
from dicelab.core.lazy import lazy
from dicelab.verbs.goals import Goal, real
from dicelab.verbs.numbers import Number

ENDLESS = 1e100
"""How far from a goal what is infinite counts as."""


@dataclass(frozen=True)
class Lottery:
    """One of two neighbouring head starts by chance, before the game begins."""

    axis: str
    usual: str
    other: str
    chance: Real  # to take the other
    error: float  # how far that chance may be from the one that hits the goal

    def __str__(self) -> str:
        """Return the two and the chance of the second."""
        exact = isinstance(self.chance, Fraction)
        told = fraction(Fraction(self.chance)) if exact else None
        short = told if told and len(told) <= 20 else f"{100 * float(self.chance):.4f}%"
        return f"{self.usual}, or {self.other} with {short}"

    def as_dict(self) -> JsonObject:
        """Return what a program wants to know."""
        told: JsonObject = {
            "axis": self.axis,
            "usual": self.usual,
            "other": self.other,
            "chance": float(self.chance),
            "error": 0.0 if isinstance(self.chance, Fraction) else self.error,
        }
        exact = isinstance(self.chance, Fraction)
        return told | ({"fraction": str(self.chance)} if exact else {})


@dataclass(frozen=True)
class Proposal:
    """One variant: what it is, its numbers, and how far they are from the goals."""

    settings: Mapping[str, str]
    numbers: tuple[Number, ...]  # one for each goal
    goals: tuple[Goal, ...] = field(repr=False)
    lottery: Lottery | None
    extras: int  # what has to be done besides playing: a lottery, an order of starting
    changed: int  # how many parameters differ from the game as it stands
    steps: int  # by how many values
    left: Real | None = field(default=None, repr=False, compare=False)  # to who proposes a pie

    @lazy
    def misses(self) -> tuple[float, ...]:
        """How far each number is from its goal; nothing where its error may hide the miss."""
        found = []
        for goal, number in zip(self.goals, self.numbers, strict=True):
            value = real(number)
            assert value is not None
            found.append(0.0 if goal.may_be_met(number) else float(goal.miss(value)))
        return tuple(found)

    @property
    def is_met(self) -> bool:
        """Whether every goal is met."""
        pairs = zip(self.goals, self.numbers, strict=True)
        return all(goal.is_met(number) for goal, number in pairs)

    @property
    def may_be_met(self) -> bool:
        """Whether every goal is met, or errors may hide that it is."""
        return not any(self.misses)

    def as_dict(self) -> JsonObject:
        """Return what a program wants to know."""
        pairs = list(zip(self.goals, self.numbers, strict=True))
        told: JsonObject = {
            "settings": dict(self.settings),
            "numbers": {goal.number: number.as_dict() for goal, number in pairs},
            "misses": {goal.text: miss for (goal, _), miss in zip(pairs, self.misses, strict=True)},
            "met": self.is_met,
        }
        return told | ({"lottery": self.lottery.as_dict()} if self.lottery else {})


@dataclass(frozen=True)
class Balance:
    """The variants of a game that come nearest to some goals, and what was tried."""

    game: str
    fixed: Mapping[str, str]
    goals: tuple[Goal, ...]
    axes: Mapping[str, tuple[str, ...]]  # what may change, and through which values
    players: tuple[str, ...]
    front: tuple[Proposal, ...]  # the proposed one first
    ways: tuple[Proposal, ...] = field(repr=False)  # all that were worked out
    tried: int  # games with their head starts
    variants: int  # how many there are
    orders: int  # in how many orders each was played
    refusals: tuple[str, ...]
    seed: int
    exact: bool
    seconds: float

    @property
    def best(self) -> Proposal:
        """What is proposed: nearest to all goals together, with the fewest changes."""
        return self.front[0]

    @property
    def is_proved(self) -> bool:
        """Whether all variants were worked out."""
        return self.tried >= self.variants

    @property
    def is_met(self) -> bool:
        """Whether what is proposed meets every goal."""
        return self.best.is_met

    @property
    def missed(self) -> list[tuple[Goal, Number, Number]]:
        """The goals that no variant can meet, with the least and the most of that number."""
        found = []
        for place, goal in enumerate(self.goals):
            numbers = [way.numbers[place] for way in self.ways]
            if not any(goal.may_be_met(number) for number in numbers):
                order = sorted(numbers, key=lambda number: number.value or 0.0)
                found.append((goal, order[0], order[-1]))
        return found

    @property
    def proof(self) -> str:
        """What was tried, and so what is known of the others."""
        if self.variants == 1:
            return "there is one variant"
        if self.is_proved:
            return f"proved: all {self.variants:,} variants were worked out"
        return (
            f"the best found: {self.tried:,} of {self.variants:,} variants were worked out "
            f"(seed {self.seed})"
        )

    def as_dict(self) -> JsonObject:
        """Return what a program wants to know, as plain numbers and words."""
        return {
            "game": self.game,
            "fixed": dict(self.fixed),
            "goals": [goal.text for goal in self.goals],
            "axes": {name: list(values) for name, values in self.axes.items()},
            "players": list(self.players),
            "met": self.is_met,
            "proposed": self.best.as_dict(),
            "front": [each.as_dict() for each in self.front],
            "tried": self.tried,
            "variants": self.variants,
            "proved": self.is_proved,
            "refused": list(self.refusals),
            "seed": self.seed,
            "exact": self.exact,
            "seconds": self.seconds,
        }

    def as_csv(self) -> str:
        """Return a table of all that was worked out, with what is on the front."""
        head = [*self.axes]
        for goal in self.goals:
            head += [goal.number, f"{goal.number} error", f"misses {goal.text}"]
        rows: list[list[object]] = [[*head, "lottery", "front"]]
        on_front = {id(each): place for place, each in enumerate(self.front, 1)}
        for way in self.ways:
            cells: list[object] = [way.settings[axis] for axis in self.axes]
            for number, miss in zip(way.numbers, way.misses, strict=True):
                cells += [*number.cells(), miss]
            chance = str(way.lottery.chance) if way.lottery else ""
            rows.append(guarded_row([*cells, chance, on_front.get(id(way), "")]))
        return csv_text(rows)


def front_of(ways: Sequence[Proposal], goals: Sequence[Goal]) -> tuple[Proposal, ...]:
    """Return the variants that no other beats, the one to propose first.

    Another beats it that is nowhere farther from a goal, needs no more to be done besides playing,
    and is better in one of these. One that meets every goal comes first. Else it is the one whose
    largest miss is least, each counted from the least to the most of all (compromise programming:
    Yu, "A Class of Solutions for Group Decision Problems", Management Science 19(8), 1973); of
    several the one that changes least.
    """
    misses = np.array([each.misses for each in ways], np.float64).reshape(len(ways), len(goals))
    misses = np.minimum(misses, ENDLESS)
    costs = np.column_stack([misses, [each.extras for each in ways]])
    kept = np.flatnonzero(not_beaten(costs))
    least = misses.min(axis=0)
    most = np.where(misses < ENDLESS, misses, least).max(axis=0)
    scaled = (misses - least) / np.where(most > least, most - least, 1.0)

    def rank(number: int) -> tuple[float | int, ...]:
        way, apart = ways[number], scaled[number]
        nearest = (not way.is_met, float(apart.max()), float(apart.sum()))
        return *nearest, way.extras, way.changed, way.steps, number

    return tuple(ways[number] for number in sorted(kept.tolist(), key=rank))


def not_beaten(costs: Floats) -> Bools:
    """Return which rows no other row beats: nowhere larger, and somewhere smaller. `[rows]`"""
    unique, where = np.unique(costs, axis=0, return_inverse=True)
    keep = np.ones(len(unique), np.bool_)
    front = np.empty((0, costs.shape[1]))
    for number, row in enumerate(unique):  # in rising order: a row is beaten by earlier ones only
        if (front <= row).all(axis=1).any():
            keep[number] = False
        else:
            front = np.vstack([front, row])
    found: Bools = keep[where.ravel()]
    return found
