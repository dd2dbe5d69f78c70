"""What solving gives for three players and more: a value for each seat, and a proof."""

from __future__ import annotations

import dataclasses
from abc import abstractmethod
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Self

import numpy as np

from dicelab.core.arrays import Array, Floats, Numbers, Real
from dicelab.core.exact import at_least, at_most
from dicelab.core.json_object import JsonObject
from dicelab.core.lazy import lazy
from dicelab.rules import Moment, Position
from dicelab.strategies.plan import Plan
from dicelab.strategies.ways import unfolded_plan
from dicelab.table import Table
from dicelab.table.unfolded import UnfoldedTable
from dicelab.verbs.solution import Solution
from dicelab.verbs.table_solution import TableSolution

STABLE = 1e-9
"""Beside the largest worth, how little changing may gain in what is called an equilibrium."""
Seats = tuple[Numbers, Numbers, Numbers]
"""Values, lower and upper bounds, each `[players, positions]`, the player about to move first."""


@dataclass(frozen=True, eq=False)
class Equilibrium:
    """Another profile that nobody gains by leaving, and how it differs from the one told."""

    values: tuple[Real, ...]  # at the start, first player first
    temptation: Real
    apart: int  # positions where somebody gets something else, for certain
    example: str  # one of them
    plan: Plan


@dataclass(frozen=True, eq=False, repr=False)
class SeatedSolution(TableSolution):
    """Values on a table for three and more, by who is about to move."""

    seats: Seats = field(kw_only=True)

    def bounds_by_seat(self, at: Position | str) -> list[tuple[Real, Real]]:
        """Return the certified bounds of the values by seat."""
        number, (_, lowers, uppers) = self.table.number(at), self.seats
        pairs = zip(lowers[:, number], uppers[:, number], strict=True)
        return [(self._number(low), self._number(high)) for low, high in pairs]

    def by_seat(self, at: Position | str) -> list[Real]:
        """Return the values by seat, that of the player about to move first.

        After a throw that leaves a choice they are those of the way that the strategy takes.
        """
        if (moment := self.table.moment(at)) is not None:
            return self._after_way(moment)
        return [self._number(value) for value in self.seats[0][:, self.table.number(at)]]

    def _after_way(self, moment: Moment) -> list[Real]:
        """Return the values by seat at a moment after a throw."""
        players, taken = self.game.players, self.plan.move_at(moment)
        shares = {taken: Fraction(1)} if isinstance(taken, str) else taken
        found: list[Real] = [Fraction(0) if self.exact else 0.0] * players
        for way in self.game.open_ways(moment):
            share = shares.get(way.name, 0)
            then = self.by_seat(way.at) if share else []
            for seat in range(players if share else 0):
                worth = then[(seat - way.mover) % players]
                found[seat] += share * worth if self.exact else float(share) * float(worth)
        return found

    @lazy
    def row_values(self) -> Array:
        """What each move of each position is worth to the player about to move. `[rows]`"""
        values = self.seats[0]
        return self._rows(slice(0, self.table.rows), values, values)

    @lazy
    def way_values(self) -> Array:
        """What each way after each throw is worth to who throws. `[outcomes]`"""
        values = self.seats[0]
        return self._after(slice(0, self.table.target.size), values, values)

    def _row_values(self, rows: slice) -> Seats:
        value, lower, upper = (self._rows(rows, each, each) for each in self.seats)
        rounding = 0 if self.exact else self._rounding(rows)
        return value, lower - rounding, upper + rounding

    def _way_values(self, outcomes: slice) -> Seats:
        value, lower, upper = (self._after(outcomes, each, each) for each in self.seats)
        return value, lower, upper  # a way only copies a value

    def _rounding(self, rows: slice) -> Floats | float:
        firsts = self.table.outcome_first[rows.start : rows.stop + 1]
        ends = [abs(worth) for worths in self.table.ends.values() for worth in worths]
        return 2 * (np.diff(firsts) + 6) * 2.0**-52 * float(max(ends, default=0))

    def _after(self, outcomes: slice, mine: Numbers, theirs: Numbers) -> Numbers:
        """Return what it is worth to the mover that some outcomes come about.

        Where the turn passes on, he sits as many seats before the player about to move.
        """
        table, players = self.table, self.game.players
        turns = table.turns[table.kind[outcomes]].astype(np.int64)
        found: Numbers = mine[-turns % players, table.target[outcomes]]
        return found

    def rounded(self) -> Self:
        """Return an exact solution as floats, each within one rounding of its value."""
        values = self.seats[0]
        below = np.vectorize(at_most, otypes=[float])(values)
        above = np.vectorize(at_least, otypes=[float])(values)
        seats = (values.astype(np.float64), below, above)
        return dataclasses.replace(
            self, values=seats[0][0], lowers=below[0], uppers=above[0], seats=seats, exact=False
        )

    def on(self, table: Table) -> Self:
        """Return the same solution on the unfolded table of its game, where that is asked for.

        A moment after a throw is worth what the way brings that the strategy takes there.
        """
        if not isinstance(table, UnfoldedTable) or not self.table.has_choices:
            return self
        plan, whole, players = unfolded_plan(self.plan), table.whole, self.game.players
        table = plan.table
        rows = np.flatnonzero(np.isin(table.row_position, whole.moment))
        ways = table.outcome_first[rows]  # a way leads to one position
        turns = table.turns[table.kind[ways]].astype(np.int64)
        weights = plan.weights(self.exact)[rows]
        columns = []
        for known in self.seats:
            column = np.zeros((players, len(table)), known.dtype)
            column[:, whole.number] = known
            for seat in range(players):
                then = weights * column[(seat - turns) % players, table.target[ways]]
                np.add.at(column[seat], table.row_position[rows], then)
            columns.append(column)
        values, lowers, uppers = columns
        return dataclasses.replace(
            self,
            table=table,
            values=values[0],
            lowers=lowers[0],
            uppers=uppers[0],
            plan=plan,
            seats=(values, lowers, uppers),
        )


class Profile(Solution):
    """A strategy that all players share, what each gets by it, and what changing it could gain.

    Values and bounds are those of this profile. They are not *the* value of the game: another
    profile may be as stable and share the pot out differently; those that were met are in `others`.
    """

    #: The most that any player could gain, from any position, by changing his own strategy while
    #: the others keep theirs; an upper bound, 0 in exact mode where the profile is an equilibrium.
    temptation: Real
    #: Other equilibria that were met.
    others: tuple[Equilibrium, ...] = ()
    #: At how many positions a move is left to chance; 0 where nobody mixes.
    mixing: int = 0
    #: Whether other equilibria were looked for, which a large game is too large for.
    compared: bool = False

    @abstractmethod
    def by_seat(self, at: Position | str) -> list[Real]:
        """Return the values by seat, that of the player about to move first."""

    @abstractmethod
    def bounds_by_seat(self, at: Position | str) -> list[tuple[Real, Real]]:
        """Return the certified bounds of the values by seat."""

    @property
    @abstractmethod
    def largest(self) -> Real:
        """The largest worth of an end, whatever its sign."""

    @property
    def extent(self) -> str:
        """How much was solved, in words."""
        return f"{self.positions:,} positions"

    def values_at(self, at: Position | str) -> list[Real]:
        """Return what each player gets, the one about to move first, the others in turn."""
        return self.by_seat(at)

    @property
    def is_stable(self) -> bool:
        """Whether nobody gains more by changing than rounding may hide: an equilibrium, as near."""
        return self.temptation <= STABLE * self.largest

    @property
    def shares(self) -> list[Real]:
        """What each player gets from the start, first player first."""
        return self.values_at(self.game.start())

    def as_dict(self) -> JsonObject:
        """Return what a program wants to know, with what each player gets."""
        answer = super().as_dict()
        bounds = self.bounds_by_seat(self.game.start())
        answer |= {
            "players": self.game.players,
            "values": [float(value) for value in self.shares],
            "lowers": [at_most(low) for low, _ in bounds],
            "uppers": [at_least(high) for _, high in bounds],
            "temptation": at_least(self.temptation),
            "equilibria": [
                {
                    "values": [float(value) for value in other.values],
                    "temptation": at_least(other.temptation),
                    "apart": other.apart,
                    "example": other.example,
                }
                for other in self.others
            ],
            "compared": self.compared,
            "settled": self.is_stable,
            "mixing": self.mixing,
        }
        return answer | ({"fractions": list(map(str, self.shares))} if self.exact else {})


@dataclass(frozen=True, eq=False, repr=False)
class ProfileSolution(SeatedSolution, Profile):
    """A profile on a table."""

    temptation: Real = field(kw_only=True)
    others: tuple[Equilibrium, ...] = field(kw_only=True, default=())
    mixing: int = field(kw_only=True, default=0)
    compared: bool = field(kw_only=True, default=False)

    @property
    def largest(self) -> Real:
        """The largest worth of an end, whatever its sign."""
        ends = [abs(worth) for worths in self.table.ends.values() for worth in worths]
        return max(ends, default=Fraction(0))

    def beside(
        self, others: tuple[Equilibrium, ...], compared: bool, seconds: float
    ) -> ProfileSolution:
        """Return the same solution, with other equilibria that were met."""
        return dataclasses.replace(self, others=others, compared=compared, seconds=seconds)

    def rounded(self) -> ProfileSolution:
        """Return an exact solution as floats, each within one rounding of its value."""
        return dataclasses.replace(super().rounded(), temptation=at_least(self.temptation))


@dataclass(frozen=True, eq=False, repr=False)
class SeatedReply(SeatedSolution):
    """The best reply of one player to all others: what he gets, by who is about to move.

    The first of `seats` is where he is about to move himself; then where he sits one seat after the
    player about to move, two, and so on.
    """

    rest: tuple[Plan, ...] = field(kw_only=True)  # the others, in order of their turns
