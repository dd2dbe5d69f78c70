"""Costs: how much arithmetic each policy takes before it can decide.

Here every policy thinks by hand, one table at a time and step by step, and each step is counted: a
**term** is one product added to a sum, a **comparison** is one look at which of two is larger. What
is learnt before the game is free: the chances of throws, the result probabilities, and their sums
over the casts where the utility does not depend on when the round ends.

A policy that revises its goal thinks afresh for each decision. One that never does, and
``optimal``, which would only confirm itself, think once and remember. Positions that can be reached
in several ways are worked out once for each thought.

The decisions made here are those of ``policy``, found by other means; the tests compare them.

>>> from dicelab.rounds import Round, effort
>>> print(effort("h0s0", Round(), "sum"))      # 56 goals, and the ratchet looks at 6 faces
56 terms and 61 comparisons for the first decision
"""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from dicelab.errors import RulesError
from dicelab.rounds.evaluation import presence
from dicelab.rounds.goals import NOTATION, Thinking
from dicelab.rounds.policies import policy
from dicelab.rounds.results import Play, laws_of
from dicelab.rounds.rules import Player, Round
from dicelab.rounds.strategies import Ties
from dicelab.rounds.utilities import AnyUtility, Utility, utility


@dataclass(frozen=True)
class Tally:
    """So many terms and so many comparisons, possibly on average."""

    terms: Fraction
    comparisons: Fraction

    @property
    def operations(self) -> Fraction:
        """Terms and comparisons together."""
        return self.terms + self.comparisons

    def __add__(self, other: "Tally") -> "Tally":
        return Tally(self.terms + other.terms, self.comparisons + other.comparisons)

    def times(self, chance: Fraction) -> "Tally":
        """Return the tally weighed by a chance."""
        return Tally(self.terms * chance, self.comparisons * chance)


DEEP = 100
"""Casts to look ahead in one go, well within what Python recurses."""
NOTHING = Tally(Fraction(0), Fraction(0))


@dataclass(frozen=True)
class Effort:
    """What a policy takes: on average for the first decision, per decision, and in a round."""

    name: str
    first: Tally
    per_decision: Tally
    per_round: Tally

    def __str__(self) -> str:
        terms, comparisons = (
            f"{float(number):.4g}" for number in (self.first.terms, self.first.comparisons)
        )
        return f"{terms} terms and {comparisons} comparisons for the first decision"


class Thinker:
    """One player's thoughts about one round and utility, counted."""

    def __init__(
        self,
        game: Round,
        worth: Utility,
        player: Player,
        serendipity: bool,
        ties: Ties = "fewest",
        play: Play = "ratchet",
    ) -> None:
        self.game, self.utility, self.player = game, worth, player
        self.serendipity = serendipity
        self.laws = laws_of(game, player, ties, play)
        self._worths: dict[tuple[int, int, int], Fraction] = {}
        self._own: dict[tuple[int, int, int], Tally] = {}
        self._next: dict[tuple[int, int, int], set[int]] = {}
        self._made: dict[int, list[int]] = {}
        self._chosen: dict[tuple[int, int], Tally] = {}

    def choices(self, cast: int, table: int) -> list[int]:
        """Return what may be kept at a table after a cast."""
        options = [int(kept) for kept in self.game.options_of(table)]
        if cast == self.game.casts:
            return options[-1:]
        return options[:-1] if self.player == "next" else options

    def worth(self, time: int, kept: int, end: int) -> Fraction:
        """Return what a position promises to a player who looks as far as cast ``end``."""
        key = (time, kept, end)
        if key not in self._worths:
            if self.game.numbers.sizes[kept] == self.game.dice:
                found, own, after = self._paid(time, kept), NOTHING, set()
            elif time == end:
                found, own, after = *self._estimate(time, kept), set[int]()
            else:
                found, own, after = self._mean(time, kept, end)
            self._worths[key], self._own[key], self._next[key] = found, own, after
        return self._worths[key]

    def _paid(self, time: int, result: int) -> Fraction:
        worth: Fraction = self.utility.at(time)[result - self.game.numbers.full.start]
        return worth

    def _mean(self, time: int, kept: int, end: int) -> tuple[Fraction, Tally, set[int]]:
        matrices = self.game.matrices
        total, terms, comparisons, after = Fraction(0), 0, 0, set()
        for throw in range(int(matrices.row[kept]), int(matrices.row[kept + 1])):
            choices = self.choices(time + 1, int(matrices.table[throw]))
            best = max(self.worth(time + 1, choice, end) for choice in choices)
            comparisons += len(choices) - 1
            total += self.game.chance(int(matrices.thrown[throw])) * best
            terms += 1
            after.update(choices)
        return total, Tally(Fraction(terms), Fraction(comparisons)), after

    def _estimate(self, time: int, kept: int) -> tuple[Fraction, Tally]:
        numbers = self.game.numbers
        live = self.game.dice - int(numbers.sizes[kept])
        casts = self.game.casts - time
        scores, terms = [], 0
        for goal in numbers.of_size(live):
            score, more = self._score(time, kept, goal, casts)
            scores.append(score)
            terms += more
        return max(scores), Tally(Fraction(terms), Fraction(len(scores) - 1))

    def _wholes(self, kept: int) -> list[int]:
        """Return the result that each combination of the live dice makes with what is kept."""
        if kept not in self._made:
            numbers = self.game.numbers
            live = numbers.of_size(self.game.dice - int(numbers.sizes[kept]))
            whole = numbers.counts[kept] + numbers.counts[live.start : live.stop]
            self._made[kept] = numbers.rank(whole).tolist()
        return self._made[kept]

    def _score(self, time: int, kept: int, goal: int, casts: int) -> tuple[Fraction, int]:
        numbers = self.game.numbers
        live = numbers.of_size(int(numbers.sizes[goal]))
        last, wholes = self.laws.last(goal, casts), self._wholes(kept)
        early = range(1, casts) if self.player == "first" else range(0)
        stationary = self.utility.is_stationary
        total, terms = Fraction(0), 0
        for result in live if self.serendipity else [goal]:
            whole = wholes[result - live.start]
            chance = last[result - live.start]
            if result == goal:
                hits = [self.laws.hit(goal, sooner) for sooner in early]
                if stationary:
                    chance += sum(hits)  # a sum learnt before the game
                else:
                    for sooner, hit in zip(early, hits, strict=True):
                        total += hit * self._paid(time + sooner, whole)
                        terms += 1
            total += chance * self._paid(self.game.casts, whole)
            terms += 1
        return total, terms

    def best(self, cast: int, table: int, end: int) -> list[int]:
        """Return the decisions that promise most to a player who looks as far as cast ``end``."""
        choices = self.choices(cast, table)
        last = min(end, self.game.casts - 1)
        for time in range(last, cast, -DEEP):  # long rounds from their end, in short stretches
            for kept in range(len(self.game.numbers)):
                self.worth(time, kept, end)
        worths = [self.worth(cast, choice, end) for choice in choices]
        return [
            choice for choice, worth in zip(choices, worths, strict=True) if worth == max(worths)
        ]

    def tally(self, cast: int, table: int, end: int) -> Tally:
        """Return what it takes to decide at a table, each position ahead worked out once."""
        choices = self.choices(cast, table)
        self.best(cast, table, end)
        total = Tally(Fraction(0), Fraction(len(choices) - 1))
        layer = set(choices)
        for time in range(cast, end + 1):
            later: set[int] = set()
            for kept in layer:
                total += self._own[time, kept, end]
                later |= self._next[time, kept, end]
            layer = later
        return total

    def goals(self, time: int, kept: int) -> Tally:
        """Return what it takes to choose a goal after so many casts."""
        if (time, kept) not in self._chosen:
            self._chosen[time, kept] = self._estimate(time, kept)[1]
        return self._chosen[time, kept]


def effort(
    name: str,
    game: Round,
    worth: AnyUtility,
    player: Player = "first",
    ties: Ties = "fewest",
    play: Play = "ratchet",
) -> Effort:
    """Return the operations a policy takes in a round, counted over the tables it meets."""
    if not isinstance(name, str):
        raise RulesError("operations are counted for policies by name, not for functions")
    ours = utility(worth, game)
    strategy = policy(name, game, ours, player, ties, play)
    where = presence(strategy)
    thinking = Thinking.parse(name) if NOTATION.fullmatch(name.strip()) else None
    thinker = Thinker(game, ours, player, thinking is not None and thinking.serendipity, ties, play)
    looks = Tally(
        Fraction(0), Fraction(game.die.sides)
    )  # the ratchet takes a minimum for each face
    first, per_round, decisions = NOTHING, NOTHING, Fraction(0)
    for cast in range(1, game.casts):
        tables = where.tables[cast - 1]
        total = NOTHING
        for table in np.flatnonzero(tables):
            here = _one(strategy.name, thinking, thinker, cast, int(table), looks)
            total += here.times(Fraction(tables[table]))
        decisions += sum(tables, Fraction(0))
        per_round += total
        if cast == 1:
            first = total
    per_decision = per_round.times(1 / decisions) if decisions else NOTHING
    return Effort(strategy.name, first, per_decision, per_round)


def _one(
    name: str, thinking: Thinking | None, thinker: Thinker, cast: int, table: int, looks: Tally
) -> Tally:
    """Return what one decision takes."""
    if name == "optimal":
        return thinker.tally(cast, table, thinker.game.casts) if cast == 1 else NOTHING
    if thinking is None:
        return NOTHING if name == "random" else looks
    revised = thinking.last_revision(cast)
    if cast - 1 < revised + thinking.horizon:
        fresh = cast - 1 == revised
        end = min(revised + thinking.horizon, thinker.game.casts)
        return thinker.tally(cast, table, end) if fresh else NOTHING
    if thinking.horizon or cast - 1 > revised:
        return looks
    aside = max(int(thinker.game.matrices.aside[table]), 0)
    return thinker.goals(cast - 1, aside) + looks
