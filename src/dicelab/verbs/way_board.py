"""What a search for lists of ways looks at: throws, the ways open there, and what each costs.

In some games all choices are made after throws, and the ways have names that come again and again:
at 421 one keeps 42, or 1, or stops. A list of such names, the first that is open being taken, is a
rule that a person can say. A line of it may have a condition: what a field, or a number that is
read off the dice, is compared with.

Where one line more would help is read off sums over all throws that matter: how often play comes to
each, times what a way costs there. One pass tells it for every line at every place of a list.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np

from dicelab.core.arrays import Array, Bools, Floats, Ints
from dicelab.core.jit import inlined, jit
from dicelab.solvers.rows import runs
from dicelab.strategies.plan import Plan
from dicelab.strategies.rule_text import TAKE_FIRST, Clause, Rule
from dicelab.strategies.ways import named_ways
from dicelab.table import Table
from dicelab.verbs.rule_board import RuleBoard, digits, first_rows

NEGLIGIBLE = 0.003
"""The part of what is at stake whose throws may be left out of the promise of a list."""

NOISE = 1e-12
"""What a line must promise at least, so that none is put in that changes nothing."""

MOST_VALUES = 128
"""Numbers that one thing is compared with, at most; of more, so many at equal steps."""

MOST_NAMES = 200
"""Names of ways beyond which no list of them is short."""


class WayLine(NamedTuple):
    """One line of a list: a way, and when it is taken."""

    way: int  # the number of its name
    figure: int = -1  # which number is compared; -1: taken whenever it is open
    number: int = 0
    above: bool = True


@dataclass(frozen=True)
class WayList:
    """Ways of which the first that is open and whose condition holds is taken."""

    lines: tuple[WayLine, ...] = ()

    def without(self, at: int) -> WayList:
        """Return it with a line less."""
        return replace(self, lines=(*self.lines[:at], *self.lines[at + 1 :]))

    @property
    def columns(self) -> tuple[Ints, Ints, Ints, Bools]:
        """The lines for a kernel."""
        rows = np.array([tuple(map(int, line)) for line in self.lines], np.int64).reshape(-1, 4)
        way, figure, number = (np.ascontiguousarray(rows[:, at]) for at in range(3))
        return way, figure, number, rows[:, 3] > 0


class Stakes(NamedTuple):
    """The throws that matter, and what each way costs there."""

    first: Ints  # of each throw, and one more: its first entry in the next two
    way: Ints
    cost: Floats
    places: Ints  # [figures, throws] where a number stands among those it may be compared with


@dataclass(frozen=True, eq=False)
class WayBoard:
    """The throws of a solved game as the search sees them."""

    board: RuleBoard

    @property
    def table(self) -> Table:
        """The compiled game."""
        return self.board.table

    @cached_property
    def tells_all(self) -> bool:
        """Whether a list of ways is a rule for this game: there is no other choice."""
        table = self.table
        return table.has_choices and not self.board.here.size and len(self.names) <= MOST_NAMES

    @cached_property
    def _named(self) -> tuple[tuple[str, ...], Ints, dict[str, Ints]]:
        """The names of the ways, which one each outcome is, and what is seen at each throw."""
        names, way, numbers = named_ways(self.table, self.board.heads)
        thrown = self.board.way_losses[1][self.board.heads]
        fields = {name: field[thrown] for name, field in self.board.everywhere.items()}
        every = {**fields, **numbers}
        return names, way, {name: seen for name, seen in every.items() if np.ptp(seen) > 0}

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the ways."""
        return self._named[0]

    @property
    def figures(self) -> tuple[str, ...]:
        """What a condition may compare."""
        return tuple(self._named[2])

    @cached_property
    def seen(self) -> Array:
        """Each of the figures at each throw. `[figures, throws]`"""
        throws = self.board.heads.size
        return np.array([*self._named[2].values()], np.int32).reshape(-1, throws)

    @cached_property
    def numbers(self) -> tuple[Ints, ...]:
        """What each figure may be compared with: all that it can be, but for the least."""
        found = []
        for each in self.seen:
            values = np.unique(each)
            steps = np.linspace(0, values.size - 1, min(values.size, MOST_VALUES)).round()
            found.append(values[steps.astype(np.int64)])
        return tuple(found)

    @property
    def lines(self) -> float:
        """How many lines there are for a list."""
        return len(self.names) * (1.0 + 2 * sum(each.size - 1 for each in self.numbers))

    def size_of(self, ways: WayList) -> int:
        """Return how many numbers one has to remember."""
        return sum(self.size_of_line(line) for line in ways.lines)

    def size_of_line(self, line: WayLine) -> int:
        """Return how many numbers a line has."""
        return digits(self.names[line.way]) + (line.figure >= 0)

    def rule(self, ways: WayList) -> Rule:
        """Return a list as a rule; what no line fits takes the first way."""
        clauses = []
        for way, figure, number, above in ways.lines:
            when = f"{self.figures[figure]} {'>=' if above else '<'} {number}"
            clauses.append(Clause(self.names[way], when if figure >= 0 else ""))
        return Rule((*clauses, Clause(TAKE_FIRST)))

    def plan(self, ways: WayList) -> Plan:
        """Return a list as a plan."""
        table = self.table
        taken = np.zeros(table.target.size, np.bool_)
        last = np.append(self.board.heads, table.target.size)
        _take(last, self._named[1], self.seen, *ways.columns, taken)
        return Plan(self.rule(ways).name, table, first_rows(table), ways=taken)

    def stakes(self, visits: Floats) -> Stakes:
        """Return the throws that matter to who comes to positions so often."""
        losses, thrown = self.board.way_losses
        heads, outcomes = self.board.heads, self.table.target.size
        weights = losses * visits[thrown]
        most = np.maximum.reduceat(weights, heads)
        order = np.argsort(most)
        kept = np.sort(order[np.cumsum(most[order]) > NEGLIGIBLE * most.sum()])
        counts = np.diff(np.append(heads, outcomes))[kept]
        first = np.append(0, np.cumsum(counts))
        at = runs(heads[kept], counts)
        places = np.array(
            [
                np.searchsorted(numbers, each[kept], "right") - 1
                for numbers, each in zip(self.numbers, self.seen, strict=True)
            ],
            np.int64,
        ).reshape(-1, kept.size)
        return Stakes(first, self._named[1][at].astype(np.int64), weights[at], places)

    def promise(self, stakes: Stakes, ways: WayList) -> float:
        """Return about what a list costs."""
        return self._gains(stakes, ways)[0]

    def _gains(self, stakes: Stakes, ways: WayList) -> tuple[float, Floats]:
        """Return about what a list costs, and the changes by line, way, figure and its value."""
        widest = max((each.size for each in self.numbers), default=1)
        shape = len(ways.lines) + 1, len(self.names), max(len(self.figures), 1), widest
        sums = np.zeros(shape)
        return float(_gains(*stakes, *self._columns(ways), sums)), sums

    def longer(self, stakes: Stakes, ways: WayList, most: int = 3) -> list[tuple[float, WayList]]:
        """Return lists with one line more, and about what each costs.

        Of every size of a line those that promise most come back.
        """
        base, sums = self._gains(stakes, ways)
        after = np.cumsum(sums[::-1], axis=0)[::-1]  # a line at a place is before all that follow
        every = base + after[:, :, 0].sum(axis=2)
        found = [
            (float(every[at, way]), WayLine(int(way)), int(at)) for at, way in _least(every, 40)
        ]
        below = np.cumsum(after, axis=3)[..., :-1]
        above = after.sum(axis=3, keepdims=True) - below
        for told, is_above in ((above, True), (below, False)):
            for at, way, figure, place in _least(base + told, 120):
                if place + 1 < self.numbers[figure].size:
                    number = int(self.numbers[figure][place + 1])
                    line = WayLine(int(way), int(figure), number, is_above)
                    found.append((float(base + told[at, way, figure, place]), line, int(at)))
        return self._best_of_each_size(base, found, ways, most)

    def _best_of_each_size(
        self, base: float, found: list[tuple[float, WayLine, int]], ways: WayList, most: int
    ) -> list[tuple[float, WayList]]:
        best: dict[int, list[tuple[float, WayList]]] = {}
        for promise, line, at in sorted(found, key=lambda each: (each[0], each[1].figure)):
            some = best.setdefault(self.size_of_line(line), [])
            if promise < base - NOISE and len(some) < most:
                longer = (*ways.lines[:at], line, *ways.lines[at:])
                some.append((promise, replace(ways, lines=longer)))
        return [each for some in best.values() for each in some]

    def _columns(self, ways: WayList) -> tuple[Ints, Ints, Ints, Bools]:
        """Return the lines of a list, their numbers as places among those of their figure."""
        way, figure, number, above = ways.columns
        for at in np.flatnonzero(figure >= 0):
            number[at] = np.searchsorted(self.numbers[figure[at]], number[at])
        return way, figure, number, above


def _least(values: Floats, most: int) -> Ints:
    """Return where the least of some values stand, at most so many."""
    flat = values.ravel()
    some = np.argsort(flat, kind="stable")[:most]
    return np.stack(np.unravel_index(some, values.shape), axis=1)


@inlined
def _first_fit(
    begin: int,
    end: int,
    throw: int,
    way: Ints,
    seen: Ints,
    line_way: Ints,
    line_figure: Ints,
    line_number: Ints,
    line_above: Bools,
) -> tuple[int, int]:
    """Return the first line that fits a throw and the way it takes; with no line, the first way."""
    for line in range(line_way.size):
        figure = line_figure[line]
        if figure >= 0 and (seen[figure, throw] >= line_number[line]) != line_above[line]:
            continue
        for at in range(begin, end):
            if way[at] == line_way[line]:
                return line, at
    return line_way.size, begin


@jit
def _take(
    first: Ints,
    way: Ints,
    seen: Ints,
    line_way: Ints,
    line_figure: Ints,
    line_number: Ints,
    line_above: Bools,
    taken: Bools,
) -> None:
    """Mark at each throw the way that a list takes, or the first one."""
    for throw in range(first.size - 1):
        begin, end = first[throw], first[throw + 1]
        found = begin
        if end - begin > 1:
            _, found = _first_fit(
                begin, end, throw, way, seen, line_way, line_figure, line_number, line_above
            )
        taken[found] = True


@jit
def _gains(
    first: Ints,
    way: Ints,
    cost: Floats,
    seen: Ints,
    line_way: Ints,
    line_figure: Ints,
    line_number: Ints,
    line_above: Bools,
    sums: Floats,
) -> float:
    """Return what a list costs, and add up how that changes where another way is taken.

    The changes are summed by the line that fits now, the way, the figure and its value.
    """
    figures = seen.shape[0]
    total = 0.0
    for throw in range(first.size - 1):
        begin, end = first[throw], first[throw + 1]
        fits, found = _first_fit(
            begin, end, throw, way, seen, line_way, line_figure, line_number, line_above
        )
        total += cost[found]
        for at in range(begin, end):
            change = cost[at] - cost[found]
            if figures == 0:
                sums[fits, way[at], 0, 0] += change
            for figure in range(figures):
                sums[fits, way[at], figure, seen[figure, throw]] += change
    return total
