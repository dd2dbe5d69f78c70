"""Greed: throw any number of dice you like, but go above the maximum and you have lost.

Two players start from 0. On your turn you throw as many dice as you like, in one throw, and add
their sum to your score. Above ``max`` you are bust and lose at once. Throw no dice at all and the
last turn begins: the other player throws once more, any number, none included. Then the higher
score wins and equal scores tie.

A win is worth 1, a loss 0. A tie is worth ``tie``, 1/2 unless you say otherwise; with
``second_tie`` the player who went second values it differently. Unless the two values sum to 1 the
players no longer fight over one pot: each then wants the most by its own count.

More than two may play (``players``). Who is bust is out, and the others go on; the last one left
has won. Once somebody throws no dice, each of the others who is still in has one last turn, in
order. Then the highest score wins, and those who share it share the 1 that a win is worth.

Any number of dice is allowed. Once even the lowest faces go bust, more dice change nothing, so the
moves stop there. Scores only grow, so the game has no cycles.

Source: C. Addis, "A Guide to Optimal Play in Greed: Stochastic Optimization", Reed College, 2023.

>>> from dicelab import solve
>>> from dicelab.games.greed import Greed
>>> solve(Greed(max=10, die=Die(3)), exact=True).value
Fraction(14352595, 28697814)
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from typing import Any, ClassVar, NamedTuple

import numpy as np

from dicelab.core.lazy import lazy
from dicelab.games import seats
from dicelab.games.throwing import number_of_dice, throw
from dicelab.rules import (
    DRAW,
    LOSS,
    ONGOING,
    WIN,
    Amount,
    Bools,
    Chance,
    Gain,
    Game,
    Ints,
    Outcome,
    both,
    either,
    where,
)
from dicelab.rules.dice import Die, d6
from dicelab.rules.dice_laws import sum_law

NORMAL, LAST, OVER = 0, 1, 2
"""How far a game for two has come: ordinary turns, the last turn, after it.

With more players the stage is how many seats after the one who stopped the player about to move
sits; where the turn has come back to who stopped, that is as many as there are players.
"""

HALF = Fraction(1, 2)
BUST = "bust"


class GreedPosition(NamedTuple):
    """Both scores and the stage, written ``10-14`` or ``10-14 last``; others follow in turn."""

    mine: Ints
    yours: Ints
    stage: Ints
    second: Ints  # 1 where the player about to move went second, if that makes a difference


@lru_cache(maxsize=1024)
def _throws(die: Die, dice: int, most: int) -> tuple[tuple[tuple[int, int], ...], Ints, int]:
    """Return (sum, weight) up to `most`, the weight of going bust by room left, and all weights."""
    every = die.denominator**dice
    law = sum_law(die, dice, below=most + 1)
    weights = {total: int(chance * every) for total, chance in law.items()}
    fitting = tuple(weights.items())
    bust, seen = [], 0
    for room in range(most + 1):
        seen += weights.get(room, 0)
        bust.append(every - seen)
    return fitting, np.array(bust, np.int64 if every < 2**62 else object), every


@dataclass(frozen=True)
class GreedRules(Game):
    """What is thrown, who is bust, and what an end is worth."""

    max: int = 100
    die: Die = d6
    tie: Fraction = HALF
    second_tie: Fraction | None = None
    players: int = field(default=2, kw_only=True)  # type: ignore[misc]  # a parameter here

    aliases: ClassVar[Mapping[str, str]] = {"sides": "die"}
    unit: ClassVar[str] = "rating"

    def __post_init__(self) -> None:
        """Refuse parameters that make no game."""
        seats.needs_seats(self)
        self.needs(self.max >= 1, f"a maximum of at least 1: got max={self.max}")
        self.needs(self.die.faces[0] >= 1, f"faces of 1 or more: got die={self.die}")
        for name, tie in (("tie", self.tie), ("second_tie", self.second_tie)):
            self.needs(
                tie is None or 0 <= tie <= 1,
                f"a tie to be worth 0 to 1, no more than a win: got {name}={tie}",
            )
            self.needs(
                self.players == 2 or tie in (None, HALF),
                f"two players for a tie with a worth of its own: of {self.players}, those who tie "
                f"share a win evenly; got {name}={tie}",
            )

    best_rule: ClassVar[str] = "dicelab.games.greed.solver:best_rule"

    @property
    def solver(self) -> str:  # type: ignore[override]
        """What solves it faster than its table: tables of sums, which are for two."""
        return "dicelab.games.greed.solver:solve_greed" if self.players == 2 else ""

    @property
    def pays_ends(self) -> bool:
        """Whether each end says what it pays: of three and more, some may share a win."""
        return self.players > 2

    @property
    def ties(self) -> tuple[Fraction, Fraction]:
        """What a tie is worth to the player who starts, and to the other."""
        return self.tie, self.tie if self.second_tie is None else self.second_tie

    @property
    def worth(self) -> Mapping[int, Fraction]:  # type: ignore[override]
        """What each end is worth to the player who starts."""
        return {WIN: Fraction(1), LOSS: Fraction(0), DRAW: Fraction(self.tie)}

    def worth_to(self, seat: int) -> Mapping[int, Fraction]:
        """Return what each end is worth to the player who goes first (0) or second (1)."""
        if self.players > 2:
            return {**self.worth, DRAW: Fraction(1, self.players)}
        return {**self.worth, DRAW: Fraction(self.ties[seat])}

    @lazy
    def moves(self) -> tuple[str, ...]:
        """The numbers of dice that may help anyone."""
        return tuple(throw(dice) for dice in range(self.max // self.die.faces[0] + 1))

    @property
    def place(self) -> Any:
        """The kind of its positions, with a score for each player."""
        return seats.seated(GreedPosition, self.players)

    def scores(self, at: GreedPosition) -> list[Ints]:
        """Return what each player has, the one about to move first."""
        return [at.mine, *seats.others(at, self.players)]

    def start(self) -> GreedPosition:
        """Return the position the game starts from."""
        start: GreedPosition = self.place(*[0] * self.players, NORMAL, 0)
        return start

    def legal(self, at: GreedPosition, move: str) -> Bools:
        """Return whether the move is allowed: dice that are sure to go bust are left out."""
        return number_of_dice(move) * self.die.faces[0] + at.mine <= where(
            number_of_dice(move) == 0, at.mine, self.max
        )

    def outcomes(self, at: GreedPosition, move: str) -> Iterator[Outcome]:
        """Yield (chance, next position, who moves next)."""
        dice = number_of_dice(move)
        for goes, on in self._onward(at):
            if dice == 0:
                yield Outcome(_only(goes, 1, 1), self._passed(at, at.mine, on, dice), on)
                continue
            fitting, bust, every = _throws(self.die, dice, self.max)
            for total, weight in fitting:
                fits = at.mine + total <= self.max
                after = self._passed(at, where(fits, at.mine + total, 0), on, dice)
                may = fits if goes is True else both(fits, goes)
                yield Outcome(_only(may, weight, every), after, on)
            # However far above the maximum, bust is bust.
            lost = self._passed(at, 0 * at.mine + self.max + 1, on, dice)
            yield Outcome(_only(goes, bust[self.max - at.mine], every), lost, on)

    def _onward(self, at: GreedPosition) -> Iterator[tuple[Bools, int]]:
        """Yield whether the turn passes so many seats on: to the next player who is not bust."""
        *between, _ = seats.others(at, self.players)
        left: Bools = True
        for on, score in enumerate(between, start=1):
            yield both(score <= self.max, left), on
            left = both(score > self.max, left)
        yield left, self.players - 1

    def _passed(self, at: GreedPosition, score: Ints, on: int, dice: int) -> GreedPosition:
        """Return where a turn ends: my new score is so many seats before whose turn it is then."""
        scores = [score, *self.scores(at)[1:]]
        stage = at.stage + on if dice == 0 else where(at.stage == NORMAL, NORMAL, at.stage + on)
        second = 1 - at.second if len(set(self.ties)) == 2 else at.second
        passed: GreedPosition = self.place(*scores[on:], *scores[:on], stage, second)
        return passed

    def dice_of(self, move: str) -> int:
        """Return how many dice a move throws."""
        return number_of_dice(move)

    def after(self, at: GreedPosition, move: str, faces: Sequence[int]) -> Outcome:
        """Return what follows a move when its dice show these faces."""
        if number_of_dice(move) == 0:
            return super().after(at, move, faces)
        score = min(at.mine + sum(faces), self.max + 1)  # however far above, bust is bust
        on = next(on for goes, on in self._onward(at) if goes)
        return Outcome(1, self._passed(at, score, on, len(faces)), on)

    def result(self, at: GreedPosition) -> Ints:
        """Return who has won, seen by the player about to move."""
        best, sharing, left = self._standing(at)
        found: Ints = DRAW
        for seat, score in enumerate(self.scores(at)):
            found = where(both(score == best, sharing == 1), self.won_by(seat), found)
        return where(either(at.stage == self.players, left == 1), found, ONGOING)

    def _standing(self, at: GreedPosition) -> tuple[Ints, Ints, Ints]:
        """Return the highest score that is not bust, how many have it, and how many are in."""
        scores = self.scores(at)
        best = seats.most_of([where(score > self.max, -1, score) for score in scores])
        sharing = sum((where(score == best, 1, 0) for score in scores[1:]), 0 * at.mine)
        left = sum((where(score > self.max, 0, 1) for score in scores[1:]), 0 * at.mine)
        return best, sharing + where(at.mine == best, 1, 0), left + where(at.mine > self.max, 0, 1)

    def payoff(self, at: GreedPosition) -> Gain:
        """Return what each of three and more gets: those with the highest score share a win."""
        if self.players == 2:
            return super().payoff(at)
        best, sharing, _ = self._standing(at)
        whole = math.lcm(*range(1, self.players + 1))
        part = whole // where(sharing == 0, 1, sharing)
        return tuple(Amount(where(score == best, part, 0), whole) for score in self.scores(at))

    def size(self) -> int:
        """Return about how many positions there are."""
        return (self.players + 1) * (self.max + 2) ** self.players * len(set(self.ties))

    def branching(self) -> float:
        """Return about how many outcomes a position has.

        With all the room there is, n dice have a sum for each number from their lowest to their
        highest, or to the maximum; with half the room there are a quarter as many. So the mean over
        all scores is a third of the first, and in the last of the stages nobody moves.
        """
        low, high = self.die.faces[0], self.die.faces[-1]
        every, free = self.max // low, self.max // high  # dice that may fit, that surely do
        sums = (high - low) * free * (free + 1) // 2
        sums += (every - free) * self.max - low * (every * (every + 1) - free * (free + 1)) // 2
        return self.players / (3 * self.players + 3) * (sums + 2 * every)

    def notation(self, at: GreedPosition) -> str:
        """Return ``mine-yours``, and the stage where it is not an ordinary turn.

        With three and more ``last 2`` says how many seats on the player sits who has stopped.
        """
        scores = [str(score) for score in self.scores(at)]
        if self.players > 2:  # between two the game is over then
            scores = [BUST if int(score) > self.max else score for score in scores]
        on = self.players - int(at.stage)
        stage = "" if at.stage == NORMAL else " last" if on else " over"
        seat = f" {on}" if stage == " last" and self.players > 2 else ""
        return f"{seats.between(scores)}{stage}{seat}{' second' if at.second else ''}"

    def parse(self, text: str) -> GreedPosition:
        """Return the position that ``10-14`` or ``10-14 last`` stands for."""
        scores = seats.pattern(rf"(\d{{1,9}}|{BUST})", self.players)
        match = re.fullmatch(rf"{scores}(\s+last(?:\s+(\d{{1,2}}))?|\s+over)?(\s+second)?\s*", text)
        if match is None:
            raise self.unreadable(text)
        *told, stage, seat, second = match.groups()
        on = int(seat or 1) if stage and "last" in stage else 0
        if on and (not on < self.players or (self.players > 2) != bool(seat)):
            raise self.unreadable(text)
        past = 0 if stage is None else self.players - on
        numbers = [self.max + 1 if each == BUST else int(each) for each in told]
        found: GreedPosition = self.place(*numbers, past, 1 if second else 0)
        return found


def _only(goes: Bools, weight: Ints, every: int) -> int | Chance:
    """Return the chance of an outcome where it may happen, and none elsewhere.

    With many dice a weight is too long for NumPy's integers.
    """
    if goes is True:
        return 1 if every == 1 else Chance(weight, every)
    if isinstance(goes, bool | np.bool_) or every < 2**62:
        return Chance(where(goes, weight, 0), every)
    return Chance(goes.astype(object) * weight, every)
