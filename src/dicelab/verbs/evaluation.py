"""What an evaluation tells: how the game may go, and what that is worth to each player."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from dicelab.core.arrays import Real
from dicelab.rules import DRAW, LOSS, WIN, Game
from dicelab.table import Table


@dataclass(frozen=True)
class Chances:
    """How the game may go from one start. The four sum to 1."""

    a_wins: Real
    b_wins: Real
    draws: Real
    never_ends: Real


@dataclass(frozen=True)
class Stakes:
    """What two players play for, by who goes first (0) and who second (1)."""

    ends: tuple[Mapping[int, Fraction], ...]  # what a win, a loss and a draw are worth
    never: tuple[Fraction, ...]  # what play without an end is worth

    def worth(self, seat: int, chances: Chances, games: int = 1) -> Real:
        """Return what A gets on average from a seat, but for what is gained on the way.

        It is counted from what a loss is worth: chances that floats leave a little beside 1
        together do not make larger what all ends share. For so many `games` the chances are counts.
        """
        ends, never = self.ends[seat], self.never[seat]
        lost = ends[LOSS]
        return (
            lost * games
            + (ends[WIN] - lost) * chances.a_wins
            + (ends[DRAW] - lost) * chances.draws
            + (never - lost) * chances.never_ends
        )


def stakes_of(table: Table, never: Fraction | None = None) -> Stakes:
    """Return what a game for two is played for; `never` stands in for what its rules say."""
    seats = (0, 1)
    told = [table.never_to(seat) if never is None else never for seat in seats]
    return Stakes(
        tuple(table.worth_to(seat) for seat in seats), tuple(Fraction(each or 0) for each in told)
    )


@dataclass(frozen=True)
class Evaluation:
    """How A fares against B, for each player going first. Every chance is within `error`."""

    game: Game
    a: str
    b: str
    a_first: Chances
    b_first: Chances
    error: float  # 0 in exact mode
    seconds: float
    exact: bool
    #: What the game is worth to A, in the game's unit, when A goes first and when B does.
    values: tuple[Real, Real]
    stakes: Stakes
    #: What of it A gains on the way and from ends that pay, less what B does; by who goes first.
    gained: tuple[Real, Real] = (0, 0)
    gained_error: float = 0.0

    @property
    def first(self) -> Real:
        """The chance that A wins when A goes first."""
        return self.a_first.a_wins

    @property
    def second(self) -> Real:
        """The chance that B wins when B goes first."""
        return self.b_first.b_wins

    @property
    def overall(self) -> Real:
        """The chance that A wins when they take turns in going first."""
        return (self.a_first.a_wins + self.b_first.a_wins) / 2

    @property
    def draws(self) -> Real:
        """The chance of a draw when they take turns in going first."""
        return (self.a_first.draws + self.b_first.draws) / 2

    @property
    def never_ends(self) -> Real:
        """The chance that the game never ends when they take turns in going first."""
        return (self.a_first.never_ends + self.b_first.never_ends) / 2

    @property
    def value(self) -> Real:
        """What A gets on average, in the game's unit, when they take turns in going first."""
        return (self.values[0] + self.values[1]) / 2

    @property
    def value_of_b(self) -> Real:
        """What B gets on average, in the game's unit, when they take turns in going first."""
        first = self.stakes.worth(0, _seen_by_b(self.b_first)) - self.gained[1]
        return (first + self.stakes.worth(1, _seen_by_b(self.a_first)) - self.gained[0]) / 2

    @property
    def value_error(self) -> float:
        """How far `value` may be from the truth, rounding included."""
        if self.exact:
            return 0.0
        # The chances sum to 1, so what counts is how far each end is from a loss.
        seats = zip(self.stakes.ends, self.stakes.never, strict=True)
        ends = [[*each.values(), never] for each, never in seats]
        losses = [each[LOSS] for each in self.stakes.ends]
        apart = max(
            sum(abs(end - lost) for end in each) for each, lost in zip(ends, losses, strict=True)
        )
        largest = float(max(abs(end) for each in ends for end in each))
        largest += max((abs(g) for g in map(float, self.gained) if math.isfinite(g)), default=0.0)
        return float(apart) * self.error + self.gained_error + 8 * 2.0**-53 * largest


@dataclass(frozen=True)
class SoloEvaluation:
    """What a strategy brings a player who is alone."""

    game: Game
    strategy: str
    value: Real
    error: float
    seconds: float
    exact: bool
    unit: str  # what the value counts
    #: The chance that the game never ends.
    never_ends: Real
    #: What that is worth; None: infinitely much.
    never: Fraction | None


def _seen_by_b(chances: Chances) -> Chances:
    return Chances(chances.b_wins, chances.a_wins, chances.draws, chances.never_ends)
