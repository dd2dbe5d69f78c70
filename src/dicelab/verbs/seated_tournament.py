"""A tournament over tables of three and more: everybody sits with everybody, seats rotated.

Every choice of as many strategies as there are seats makes a table. They sit around it in every
order that is different, and each of them starts. So nobody gains by where he sits, and what a
strategy gets is its mean over all of that.
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, field
from itertools import combinations, permutations

import numpy as np

from dicelab.core.arrays import Floats
from dicelab.core.intervals import CONFIDENCE
from dicelab.core.jobs import Report
from dicelab.errors import RulesError
from dicelab.rules import Game
from dicelab.strategies.plan import Plan
from dicelab.table import Table
from dicelab.verbs.entrants import ranked
from dicelab.verbs.sampler import MOST_TURNS
from dicelab.verbs.seats import evaluate_seats, simulate_seats

MOST_TABLES = 20_000
"""Tables, each order counted, beyond which a tournament is refused."""


@dataclass(frozen=True, eq=False)
class SeatedTournament:
    """What each strategy gets at tables of three and more."""

    game: Game
    names: tuple[str, ...]
    exact: bool
    share: Floats = field(repr=False)  # [strategies] what each gets on average, in the game's unit
    low: Floats = field(repr=False)  # [strategies] with bounds, or a 95% interval
    high: Floats = field(repr=False)
    wins: Floats = field(repr=False)  # [strategies] how often each wins
    beside: Floats = field(repr=False)  # [rows, columns] what the row gets where the column sits
    tables: int  # choices of strategies, times the orders they sit in
    games: int  # per table; 0 if exact
    seed: int | None
    seconds: float

    @property
    def ranking(self) -> list[str]:
        """The names, the one that gets most first; those that cannot be told apart as they came."""
        gap = 2 * float((self.high - self.low).max()) if self.exact else 0.0
        return ranked(self.names, self.share, gap)

    @property
    def best(self) -> str:
        """The one that gets most."""
        return self.ranking[0]


def tables_of(count: int, seats: int) -> list[tuple[int, ...]]:
    """Return every way in which some of `count` strategies may sit around a table, in order."""
    return [
        (first, *rest)
        for first, *others in combinations(range(count), seats)
        for rest in permutations(others)
    ]


def seated_tournament(
    table: Table,
    plans: list[Plan],
    games: int = 0,
    seed: int = 0,
    confidence: float = CONFIDENCE,
    progress: Report | None = None,
) -> SeatedTournament:
    """Return what each of some strategies gets at tables of three and more."""
    began = time.perf_counter()
    seats, count = table.game.players, len(plans)
    if count < seats:
        raise RulesError(
            f"{table.game} is played by {seats}: a tournament needs as many strategies or more, "
            f"got {count}"
        )
    number = math.comb(count, seats) * math.factorial(seats - 1)
    if number > MOST_TABLES:
        raise RulesError(
            f"{count} strategies make {number:,} tables of {seats}: a tournament has at most "
            f"{MOST_TABLES:,}; name fewer"
        )
    got, won, errors = np.zeros(count), np.zeros(count), np.zeros(count)
    sat = np.zeros(count, np.int64)
    beside, together = np.zeros((count, count)), np.zeros((count, count))
    for place, members in enumerate(tables_of(count, seats)):
        values, wins, wide = _met(
            table, [plans[m] for m in members], games, seed + place, confidence
        )
        for seat, member in enumerate(members):
            got[member] += values[seat]
            won[member] += wins[seat]
            errors[member] = errors[member] + wide[seat] ** (2 if games else 1)
            sat[member] += 1
            for other in members:
                beside[member, other] += values[seat]
                together[member, other] += 1
        if progress:
            progress((place + 1) / number)
    share, error = got / sat, (np.sqrt(errors) if games else errors) / sat
    error = error if games else error + sat * 2.0**-52 * np.abs(share)
    return SeatedTournament(
        table.game,
        tuple(plan.name for plan in plans),
        not games,
        share,
        share - error,
        share + error,
        won / sat,
        beside / np.maximum(together, 1),
        number,
        games,
        seed if games else None,
        time.perf_counter() - began,
    )


def _met(
    table: Table, plans: list[Plan], games: int, seed: int, confidence: float
) -> tuple[list[float], list[float], list[float]]:
    """Return what each gets at one table, how often each wins, and how sure that is."""
    seats = range(len(plans))
    if not games:
        found = evaluate_seats(table, tuple(plans))
        values = [float(value) for value in found.overall]
        wins = [float(chance) for chance in found.overall_wins]
        return values, wins, [found.value_error] * len(plans)
    played = simulate_seats(table, tuple(plans), games, seed, MOST_TURNS, confidence)
    got = [played.got(seat) for seat in seats]
    wide = [(each.high - each.low) / 2 for each in got]
    return [each.value for each in got], [played.won(seat).value for seat in seats], wide
