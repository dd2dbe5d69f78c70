"""What a search for rules of thumb looks at: positions, fields, and what a wrong move costs there.

Every candidate is a few clauses over *features* of a position: a field, the sum, difference, larger
or smaller of two, or a field less a part of others. A candidate becomes a plan in a few array
operations, and its promise is read off histograms: how often play comes to a position, times what
the move costs there. That is only an order in which to try candidates; each is then worked out
exactly, by `evaluate`.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import numpy as np

from dicelab.core.arrays import Bools, Floats, Ints
from dicelab.errors import RulesError
from dicelab.rules import HouseRules
from dicelab.rules.parts import has_names, part_of, parts_of
from dicelab.solvers.rows import best_of_each
from dicelab.strategies.plan import Plan
from dicelab.strategies.rule_text import Clause, Rule
from dicelab.strategies.ways import first_ways
from dicelab.table import Table
from dicelab.verbs.table_solution import TableSolution

PARTS = (2, 3, 4, 5, 6, 8, 10)
"""Whole numbers that people divide by."""

TIMES = (1, 2, 3, 5, 10)
"""Whole numbers that people multiply by."""


@dataclass(frozen=True)
class Feature:
    """Something about a position that a rule compares with a number."""

    kind: str  # one, sum, difference, larger, smaller, part
    fields: tuple[str, ...]
    sign: int = 1  # of a part
    part: int = 1  # what a part is divided by

    @property
    def numbers(self) -> int:
        """How many numbers it has besides the one it is compared with."""
        return 1 if self.kind == "part" else 0

    def of(self, fields: dict[str, Ints]) -> Ints:
        """Return it at every position."""
        one, *others = (fields[name] for name in self.fields)
        if self.kind == "one":
            return one
        if self.kind == "part":
            what = others[0] if len(others) == 1 else others[0] - others[1]
            return one - self.sign * ((2 * what + self.part) // (2 * self.part))
        join = {"sum": np.add, "difference": np.subtract}
        join |= {"larger": np.maximum, "smaller": np.minimum}
        found: Ints = join[self.kind](one, others[0])
        return found

    def told(self, number: int, above: bool) -> str:
        """Return the condition that it is at least a number, or below it."""
        sign = ">=" if above else "<"
        one, *others = self.fields
        if self.kind == "one":
            return f"{one} {sign} {number}"
        if self.kind == "part":
            what = others[0] if len(others) == 1 else f"({others[0]} - {others[1]})"
            return f"{one} {sign} {number} {'+' if self.sign > 0 else '-'} {what}/{self.part}"
        if self.kind in ("larger", "smaller"):
            either = (self.kind == "larger") == above
            parts = [f"{name} {sign} {number}" for name in self.fields]
            return (" or " if either else " and ").join(parts)
        return f"{one} {'+' if self.kind == 'sum' else '-'} {others[0]} {sign} {number}"


@dataclass(frozen=True)
class Line:
    """One clause: a move where a feature is at least a number, or below it."""

    move: int
    feature: Feature
    number: int
    above: bool


@dataclass(frozen=True)
class Candidate:
    """A rule in the making."""

    lines: tuple[Line, ...]
    move: int  # what is done where no line fits
    #: the number of a numbered move: (start, feature, part), instead of `move`; below 0, the part
    #: is taken away
    slope: tuple[int, Feature, int] | None = None
    #: which way is taken after a throw: the largest sum of times x field; empty: the first
    take: tuple[tuple[int, str], ...] = ()

    def size(self, moves: Sequence[str]) -> int:
        """Return how many numbers one has to remember, without writing the rule."""
        lines = sum(1 + each.feature.numbers + digits(moves[each.move]) for each in self.lines)
        taken = sum(times != 1 for times, _ in self.take)
        if self.slope is None:
            return lines + taken + digits(moves[self.move])
        return lines + taken + 1 + (abs(self.slope[2]) > 1)

    def rule(self, moves: Sequence[str]) -> Rule:
        """Return it as a rule."""
        clauses = [
            Clause(moves[line.move], line.feature.told(line.number, line.above))
            for line in self.lines
        ]
        if self.slope is not None:
            start, feature, part = self.slope
            what = feature.fields[0]
            if feature.kind in ("difference", "sum"):
                join = "-" if feature.kind == "difference" else "+"
                what = f"({feature.fields[0]} {join} {feature.fields[1]})"
            before, _, after = _split(moves[self.move])
            part_told = f"{what}/{abs(part)}" if abs(part) > 1 else what
            sign = "+" if part > 0 else "-"
            clauses.append(Clause(f"{before}{{{start} {sign} {part_told}}}{after}"))
        else:
            clauses.append(Clause(moves[self.move]))
        if self.take:
            told = " + ".join(
                f"{times}*{name}" if times != 1 else name for times, name in self.take
            )
            clauses.append(Clause(f"take most {told}"))
        return Rule(tuple(clauses))


def first_rows(table: Table) -> Ints:
    """Return the first row of every position where the game goes on, else -1. `[positions]`"""
    return np.where(table.is_ongoing, table.move_first[:-1], np.int32(-1))


def digits(move: str) -> int:
    """Return how many numbers the name of a move has."""
    return len(re.findall(r"\d+", move))


def _split(move: str) -> tuple[str, int, str]:
    """Return a numbered move in three parts."""
    match = re.fullmatch(r"(\D*)(\d+)(\D*)", move)
    assert match is not None
    return match[1], int(match[2]), match[3]


@dataclass(frozen=True, eq=False)
class RuleBoard:
    """A solved game as the search sees it."""

    solution: TableSolution

    @property
    def table(self) -> Table:
        """The compiled game."""
        return self.solution.table

    @property
    def sign(self) -> float:
        """What makes the most wanted of what is counted: -1 where the fewest are."""
        return -1.0 if self.table.game.fewest else 1.0

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The fields that are numbers to a player: those that the game tells as such.

        Where positions are plain tuples the game has no names to tell, and every number counts.
        """
        start = self.table.position(self.table.start)
        parts = parts_of(start)
        told = self.table.game.counters(start) if has_names(start) else parts
        return tuple(name for name in parts if type(told.get(name)) is int)

    @cached_property
    def here(self) -> Ints:
        """The positions where there is a choice of moves."""
        return np.flatnonzero(np.diff(self.table.move_first) > 1)

    @cached_property
    def fields(self) -> dict[str, Ints]:
        """Each field at these positions; fields with one value only are left out."""
        return {
            name: values[self.here]
            for name, values in self.everywhere.items()
            if self.here.size and np.ptp(values[self.here]) > 0
        }

    @cached_property
    def everywhere(self) -> dict[str, Ints]:
        """Each field at all positions."""
        table = self.table
        if isinstance(table.game, HouseRules):
            each = list(table.each(np.arange(len(table))))
            return {
                name: np.array([int(part_of(at, name)) for at in each], np.int64)
                for name in self.names
            }
        return {name: table.numbering.field(name).astype(np.int64) for name in self.names}

    @cached_property
    def rows(self) -> Ints:
        """The row of each move at each of these positions, -1 where it is not allowed."""
        return np.stack([self.table.row_of(move)[self.here] for move in self.table.moves], axis=1)

    @cached_property
    def allowed(self) -> Bools:
        """Which moves are allowed at each of these positions. `[here, moves]`"""
        return np.asfortranarray(self.rows >= 0)

    @cached_property
    def first_allowed(self) -> Ints:
        """The place of the first move that is allowed. `[here]`"""
        return self.allowed.argmax(axis=1)

    @cached_property
    def costs(self) -> Floats:
        """What each move costs against the best one. `[here, moves]`; what is not allowed, 0."""
        values = self.sign * np.asarray(self.solution.row_values, np.float64)
        worth = np.where(self.rows >= 0, values[self.rows], np.nan)
        return np.nan_to_num(np.nanmax(worth, axis=1, keepdims=True) - worth, nan=0.0)

    @cached_property
    def most_costs(self) -> Floats:
        """What the worst move costs at each of these positions. `[here]`"""
        found: Floats = self.costs.max(axis=1, initial=0)
        return found

    @cached_property
    def numbered(self) -> dict[int, int]:
        """The number that each move names, by its place; empty where moves are no numbers."""
        found = {}
        for place, move in enumerate(self.table.moves):
            if not re.fullmatch(r"\D*\d+\D*", move):
                return {}
            found[place] = _split(move)[1]
        parts = {_split(move)[::2] for move in self.table.moves}
        return found if len(parts) == 1 and len(found) > 2 else {}

    @cached_property
    def rows_of_numbers(self) -> tuple[Ints, Ints, Ints] | None:
        """The least and the most number that is allowed `[here]`, and the move of each number.

        None where some number in between is not allowed at some position.
        """
        numbers = np.array([self.numbered[place] for place in range(len(self.numbered))])
        least = np.where(self.allowed, numbers, numbers.max()).min(axis=1)
        most = np.where(self.allowed, numbers, 0).max(axis=1)
        if np.any(self.allowed.sum(axis=1) != most - least + 1):
            return None
        place_of = np.zeros(int(numbers.max()) + 1, np.int64)
        place_of[numbers] = np.arange(numbers.size)
        return least, most, place_of

    def features(self) -> list[Feature]:
        """Return everything a rule may compare with a number."""
        found = [Feature("one", (name,)) for name in self.fields]
        # what is only 0, 1 or 2 is a mark rather than an amount: nobody adds it to one
        names = [name for name, values in self.fields.items() if np.ptp(values) > 2]
        for one, two in combinations(names, 2):
            found += [Feature(kind, (one, two)) for kind in ("sum", "larger", "smaller")]
            found.append(Feature("difference", (two, one)))
        for one in names:
            others = [name for name in names if name != one]
            whats: list[tuple[str, ...]] = [(name,) for name in others]
            whats += [(two, first) for first, two in combinations(others, 2)]
            for what in whats:
                found += [
                    Feature("part", (one, *what), sign, part) for sign in (1, -1) for part in PARTS
                ]
        return found

    def decisions(self, candidate: Candidate) -> Ints:
        """Return the move of a candidate at each position with a choice, by its place. `[here]`"""
        fits = self.allowed[:, candidate.move]
        place = np.where(fits, candidate.move, self.first_allowed)
        if candidate.slope is not None:
            place = self._sloped(candidate.slope)
        for line in reversed(candidate.lines):
            place = np.where(self._fits(line), line.move, place)
        return place

    def _fits(self, line: Line) -> Bools:
        """Return at which positions a line fits whose move is allowed. `[here]`"""
        value = line.feature.of(self.fields)
        fits = (value >= line.number) if line.above else (value < line.number)
        return np.asarray(fits & self.allowed[:, line.move])

    def captured(self, lines: Sequence[Line]) -> Bools:
        """Return at which positions one of some lines fits. `[here]`"""
        found = np.zeros(self.here.size, np.bool_)
        for line in lines:
            found |= self._fits(line)
        return found

    def _sloped(self, slope: tuple[int, Feature, int]) -> Ints:
        """Return the numbered move nearest to a number that changes with a feature."""
        start, feature, part = slope
        value = feature.of(self.fields)
        size = abs(part)
        wanted = start + np.sign(part) * ((2 * value + size) // (2 * size))
        if self.rows_of_numbers is not None:
            least, most, place_of = self.rows_of_numbers
            found: Ints = place_of[np.clip(wanted, least, most)]
            return found
        place = np.zeros(self.here.size, np.int64)
        distance = np.full(self.here.size, np.inf)
        for move, number in sorted(self.numbered.items(), key=lambda each: each[1]):
            off = np.where(self.rows[:, move] >= 0, np.abs(wanted - number), np.inf)
            place = np.where(off < distance, move, place)
            distance = np.minimum(off, distance)
        return place

    def plan(self, candidate: Candidate) -> Plan:
        """Return a candidate as a plan."""
        table = self.table
        choice = first_rows(table)
        places = self.decisions(candidate)
        choice[self.here] = self.rows[np.arange(self.here.size), places]
        ways = None if not table.has_choices else self.ways(candidate.take)
        return Plan(candidate.rule(table.moves).name, table, choice, ways=ways)

    @cached_property
    def heads(self) -> Ints:
        """The first outcome of every throw."""
        return np.flatnonzero(first_ways(self.table))

    def ways(self, take: tuple[tuple[int, str], ...]) -> Bools:
        """Return which ways are taken after throws. `[outcomes]`"""
        table = self.table
        if not take:
            return first_ways(table)
        score = np.zeros(len(table), np.int64)
        for times, name in take:
            score += times * self.everywhere[name]
        taken = np.zeros(table.target.size, np.bool_)
        best_of_each(score, table.target, self.heads, taken)
        return taken

    def takes(self) -> Iterator[tuple[tuple[int, str], ...]]:
        """Yield every way of taking ways that a rule may tell."""
        if not self.table.has_choices:
            yield ()
            return
        names = [name for name, values in self.everywhere.items() if np.ptp(values) > 0]
        for name in names:
            yield ((1, name),)
        for one in names:
            for two in names:
                if one != two:
                    yield from (
                        ((1, one), (times, two)) for times in TIMES if times > 1 or one < two
                    )

    @cached_property
    def way_losses(self) -> tuple[Floats, Ints]:
        """What each way gives away once its throw is made, and where it was thrown. `[outcomes]`"""
        table = self.table
        values = self.sign * np.asarray(self.solution.way_values, np.float64)
        counts = np.diff(np.append(self.heads, table.target.size))
        best = np.repeat(np.maximum.reduceat(values, self.heads), counts)
        chances = table.chance_floats[np.repeat(table.kind[self.heads], counts)]
        return (best - values) * chances, np.repeat(
            table.row_position, np.diff(table.outcome_first)
        )

    def way_cost(self, take: tuple[tuple[int, str], ...], visits: Floats) -> float:
        """Return what taking ways like that costs, by how often play comes to each throw."""
        losses, thrown = self.way_losses
        taken = np.flatnonzero(self.ways(take))
        return float((losses[taken] * visits[thrown[taken]]).sum())

    def refuse(self) -> None:
        """Refuse a game that no rule of this kind can play."""
        game = self.table.game
        if not self.names:
            raise RulesError(
                f"{game} has no fields that are numbers to a player: a rule of thumb compares some"
            )
        if self.solution.plan.is_mixed:
            raise RulesError(f"{game} is best played by chance: a rule of thumb is one move each")


def replaced(candidate: Candidate, place: int, step: int) -> Candidate | None:
    """Return a candidate with one of its numbers changed by a step; None where it has no such."""
    lines = list(candidate.lines)
    if place < len(lines):
        lines[place] = dataclasses.replace(lines[place], number=lines[place].number + step)
        return dataclasses.replace(candidate, lines=tuple(lines))
    place -= len(lines)
    parts = [at for at, line in enumerate(lines) if line.feature.kind == "part"]
    if place < len(parts):
        line = lines[parts[place]]
        if line.feature.part + step < 2:
            return None
        feature = dataclasses.replace(line.feature, part=line.feature.part + step)
        lines[parts[place]] = dataclasses.replace(line, feature=feature)
        return dataclasses.replace(candidate, lines=tuple(lines))
    place -= len(parts)
    if candidate.slope is not None and place < 2:
        start, feature, part = candidate.slope
        if place == 1 and (part + step) * part < 1:
            return None
        slope = (start + step, feature, part) if place == 0 else (start, feature, part + step)
        return dataclasses.replace(candidate, slope=slope)
    return None


def count_numbers(candidate: Candidate) -> int:
    """Return how many numbers of a candidate can be changed by steps."""
    parts = sum(line.feature.kind == "part" for line in candidate.lines)
    return len(candidate.lines) + parts + (2 if candidate.slope is not None else 0)
