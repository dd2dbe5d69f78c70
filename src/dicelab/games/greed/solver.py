"""Greed solved: the best numbers of dice and the ratings they reach, last turns and ordinary ones.

Each player takes the number of dice that is best by its own count, whatever that leaves the other.
Where several are equally good it takes the fewest; by its own count that makes no difference, but
by the other's it may, unless all that one gets the other loses. Where that is not so, floats that
differ by less than 1e-11 count as equal: the bounds are then those of exactly this way to play.

The tables come from products of matrices and not from the game's graph of positions, which would
have hundreds of millions of outcomes at (500, 20). The rules are those of `games.greed`; tests hold
the two against each other.
"""

from __future__ import annotations

import dataclasses
import math
import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from dicelab.core.arrays import Array, Floats, Real
from dicelab.core.jobs import results
from dicelab.core.json_object import JsonObject
from dicelab.core.language import mark
from dicelab.core.lazy import lazy
from dicelab.errors import RulesError, TooLarge, UnknownPosition
from dicelab.games.greed import LAST, NORMAL, OVER, Greed, GreedPosition
from dicelab.games.throwing import throw
from dicelab.rules import Game
from dicelab.rules.dice import Die
from dicelab.solvers.settle import Progress
from dicelab.solvers.sums import (
    ROUNDING,
    Laws,
    Ratings,
    last_throws,
    laws_of_sums,
    rate_last,
    rate_normal,
)
from dicelab.strategies.plan import Plan, plan_on_arrays
from dicelab.table import Table, compile, memory_limit
from dicelab.table.expand import refuse_beyond
from dicelab.verbs.solution import BEST, TIED, WORSE, Board, MoveValue, Solution

MOST_EXACT = 60
MOST = 1_000
"""The largest maximum whose tables are made, in a minute: the work grows with its fourth power."""

BYTES_PER_WEIGHT, BYTES_PER_FRACTION = 44, 200
RATINGS = 16
"""Numbers for each pair of scores: bounds for both players in two stages, and those in work."""

FORFEIT, CERTAIN = "forfeit", "certain victory"
"""Last turns that need no thought: you are ahead already, or some throw cannot fail."""


@dataclass(frozen=True, eq=False, repr=False)
class GreedSolution(Solution):
    """Ratings, best numbers of dice and bounds for every position of Greed."""

    rules: Greed
    laws: Laws
    ratings: list[list[Ratings]]  # [stage][seat]
    exact: bool
    seconds: float
    known_table: Table | None = None  # the graph of positions, where somebody has made it

    @property
    def game(self) -> Game:
        """The game that was solved."""
        return self.rules

    @property
    def method(self) -> str:  # type: ignore[override]
        """How it was solved."""
        return ("rational" if self.exact else "certified float") + " tables of sums"

    @property
    def sweeps(self) -> int:  # type: ignore[override]
        """How many positions were visited: each once."""
        return 2 * (self.rules.max + 1) ** 2 * len(self.ratings[0])

    @property
    def positions(self) -> int:
        """How many positions were solved: those where someone is about to move."""
        return self.sweeps

    @property
    def opening(self) -> list[int]:
        """The numbers of dice that are best at the start, or cannot be told from the best."""
        return self.best_dice(self.game.start())

    @property
    def other(self) -> float:
        """The rating of the player who goes second."""
        low, high = self.other_at(self.game.start())
        return float((low + high) / 2)

    def on(self, table: Table) -> GreedSolution:
        """Return the same solution with the graph of positions that somebody has made."""
        return dataclasses.replace(self, known_table=table)

    def as_dict(self) -> JsonObject:
        """Return what a program wants to know, the rating of the second player among it."""
        return super().as_dict() | {"opening": self.opening, "other": self.other}

    def summary(self) -> list[str]:
        """Return how to open, and the advantage of going first."""
        dice = [str(number) for number in self.opening]
        said = f"throw {dice[0]}" if len(dice) == 1 else f"throw {' or '.join(dice)}, equally good"
        more = float(self.value) - self.other
        return [
            f"First move: {said}.",
            f"The other player gets {self.other:.6g}: going first is worth {abs(more):.6g} "
            f"{'more' if more >= 0 else 'less'} than going second.",
        ]

    def boards(self) -> list[Board]:
        """Return a map for ordinary turns and one for the last, for each seat that differs."""
        found = []
        seats = len(self.ratings[0])
        titles = {
            NORMAL: (
                mark("ordinary turns"),
                mark("ordinary turns of the first player"),
                mark("ordinary turns of the second player"),
            ),
            LAST: (
                mark("the last turn"),
                mark("the last turn of the first player"),
                mark("the last turn of the second player"),
            ),
        }
        for stage, title in titles.items():
            for seat, rated in enumerate(self.ratings[stage]):
                middle = rated.lower
                if not self.exact:
                    middle = np.clip((rated.lower + rated.upper) / 2, 0.0, 1.0)
                name = ("normal" if stage == NORMAL else "last") + ("-second" if seat else "")
                shown = f": {title[0 if seats == 1 else 1 + seat]}"
                found.append(
                    Board(name, shown, mark("dice to throw"), middle, rated.dice.astype(float))
                )
        return found

    def located(self, at: GreedPosition | str) -> GreedPosition:
        """Return a position of this game, refused where play cannot come or is over."""
        place: GreedPosition = self.rules.parse(at) if isinstance(at, str) else at
        inside = (
            min(place.mine, place.yours) >= 0 and max(place.mine, place.yours) <= self.rules.max
        )
        if not inside or place.stage == OVER or place.second >= len(self.ratings[0]):
            raise UnknownPosition(
                f"nobody is to move at {self.rules.notation(place)} in {self.rules}: scores are "
                f"0 to {self.rules.max}, in an ordinary or in the last turn"
            )
        return place

    def _ratings(self, at: GreedPosition) -> Ratings:
        return self.ratings[at.stage][at.second]

    def notation(self, at: GreedPosition | str) -> str:
        """Return the notation of a position."""
        return self.rules.notation(self.located(at))

    def bounds_at(self, at: GreedPosition | str) -> tuple[Real, Real]:
        """Return the certified bounds of the rating at a position."""
        place = self.located(at)
        found = self._ratings(place)
        here = int(place.mine), int(place.yours)
        low, high = found.lower[here], found.upper[here]
        return (low, high) if self.exact else (max(0.0, float(low)), min(1.0, float(high)))

    def value_at(self, at: GreedPosition | str) -> Real:
        """Return the rating of the player about to move at a position."""
        low, high = self.bounds_at(at)
        return low if self.exact else (low + high) / 2

    def other_at(self, at: GreedPosition | str) -> tuple[Real, Real]:
        """Return bounds of the rating of the player who is not about to move."""
        place = self.located(at)
        found = self._ratings(place)
        here = int(place.mine), int(place.yours)
        return found.other_lower[here], found.other_upper[here]

    def rated(self, at: GreedPosition | str) -> tuple[Array, Array]:
        """Return bounds of the rating of each number of dice, from none up. Each `[dice]`."""
        place = self.located(at)
        laws, seats = self.laws, len(self.ratings[0])
        dice = laws.fitting(place.mine) + 1
        if place.stage == LAST:
            win, tie = last_throws(laws, place.mine, np.array([place.yours]))
            worth = self.rules.ties[place.second]
            own = (win + (worth if self.exact else float(worth)) * tie)[:dice, 0]
            loss = 0 if self.exact else 8 * ROUNDING
            return own - loss, own + loss
        then = self.ratings[NORMAL][(place.second + 1) % seats]
        end = self.ratings[LAST][(place.second + 1) % seats]
        loss = 0 if self.exact else (laws.most + 8) * ROUNDING
        law = laws.chance[1:dice, 1 : laws.most - place.mine + 1]
        bounds = []
        for after, stop, sign in (
            (then.other_lower, end.other_lower, -1),
            (then.other_upper, end.other_upper, 1),
        ):
            thrown = law @ after[place.yours, place.mine + 1 :] + sign * loss
            bounds.append(np.append(stop[place.yours, place.mine], thrown))
        return bounds[0], bounds[1]

    def best_dice(self, at: GreedPosition | str) -> list[int]:
        """Return all the numbers of dice that are best, or cannot be told from the best."""
        low, high = self.rated(at)
        return [int(dice) for dice in np.flatnonzero(high >= low.max())]

    def moves_at(self, at: GreedPosition | str) -> list[MoveValue]:
        """Return every number of dice at a position with its rating, best first."""
        low, high = self.rated(at)
        tied = high >= low.max()
        middle = low if self.exact else (low + high) / 2
        order = sorted(range(len(low)), key=lambda n: (not tied[n], -middle[n], n))
        best = max(middle)
        one = tied.sum() == 1
        return [
            MoveValue(
                throw(n),
                self._number(middle[n]),
                self._number(low[n]),
                self._number(high[n]),
                self._number(best - middle[n]),
                WORSE if not tied[n] else BEST if one else TIED,
            )
            for n in order
        ]

    @lazy
    def _every_number(self) -> GreedSolution:
        """The same ratings, asked also about numbers of dice that are no better than fewer."""
        laws = laws_of(self.rules, self.exact, every_number=True)
        return dataclasses.replace(self, laws=laws)

    def value_of(self, at: GreedPosition | str, move: str) -> MoveValue:
        """Return the rating of one number of dice, also of more than are worth listing."""
        listed = next((one for one in self.moves_at(at) if one.move == move), None)
        if listed is not None:
            return listed
        return super(GreedSolution, self._every_number).value_of(at, move)

    def remark(self, at: GreedPosition | str) -> str | None:
        """Return whether a last turn is a forfeit or a certain victory, if it is either."""
        place = self.located(at)
        if place.stage != LAST:
            return None
        if place.mine > place.yours:
            return FORFEIT
        lowest, highest = self.rules.die.faces[0], self.rules.die.faces[-1]
        room, gap = self.rules.max - place.mine, place.yours - place.mine
        dice = gap // lowest + 1  # the fewest that are sure to pass the other score
        return CERTAIN if dice * highest <= room else None

    def advice_at(self, at: GreedPosition | str) -> str | None:
        """Return what to say about a last turn that needs no thought."""
        remark, best = self.remark(at), [throw(dice) for dice in self.best_dice(at)]
        if remark == FORFEIT:
            return (
                "You are ahead in the last turn: throw 0 and win. The other player has forfeited."
            )
        if remark == CERTAIN:
            return f"A certain victory: {' or '.join(best)} cannot fail."
        return None

    @lazy
    def ties(self) -> list[GreedPosition]:
        """The positions where several numbers of dice are best, or cannot be told apart."""
        scores = range(self.rules.max + 1)
        return [
            at
            for stage in (NORMAL, LAST)
            for seat in range(len(self.ratings[stage]))
            for mine in scores
            for yours in scores
            if len(self.best_dice(at := GreedPosition(mine, yours, stage, seat))) > 1
        ]

    @lazy
    def table(self) -> Table:
        """The graph of positions, made when something asks for it."""
        return self.known_table or compile(self.rules)

    @lazy
    def plan(self) -> Plan:
        """The fewest best dice at every position of the graph, as a strategy."""
        return plan_on_arrays(self.table, self.best_move, "optimal")

    def best_move(self, at: GreedPosition) -> Array:
        """Return the fewest best dice at one position or at those of an array, as moves."""
        return self._fewest[at.stage, at.second, at.mine, at.yours]

    @lazy
    def _fewest(self) -> Array:
        """The fewest best dice, as moves. `[stage, seat, mine, yours]`"""
        dice = [[rated.dice for rated in self.ratings[stage]] for stage in (NORMAL, LAST)]
        return np.array(self.rules.moves)[np.array(dice)]


def best_rule(game: Greed) -> Callable[[GreedPosition], Array]:
    """Return best play as a strategy, which needs no table."""
    return solve_greed(game).best_move


def solve_greed(
    game: Greed,
    exact: bool = False,
    progress: Progress | None = None,
    began: float | None = None,
    memory: int | None = None,
) -> GreedSolution:
    """Return the ratings of every position of Greed, with certified bounds or as rationals.

    `memory` is a limit in bytes, known to be kept before the work begins.

    >>> solution = solve_greed(Greed(max=20))
    >>> solution.opening, round(solution.value, 6)
    ([4], 0.512552)
    """
    began = time.perf_counter() if began is None else began
    most = MOST_EXACT if exact else MOST
    if game.max > most:
        kind = "exact mode goes" if exact else "its tables go"
        raise TooLarge(f"{game} is too large: {kind} up to max={most}")
    limit = memory_limit() if memory is None else memory
    positions = 2 * (game.max + 1) ** 2 * len(set(game.ties))
    refuse_beyond(game, limit, _bytes(game, exact), f"{positions:,}")
    laws = laws_of(game, exact)
    ties = game.ties if len(set(game.ties)) == 2 else game.ties[:1]
    last = [rate_last(laws, tie, ties[seat - 1], game.is_one_pot) for seat, tie in enumerate(ties)]
    normal = rate_normal(laws, last, game.is_one_pot, progress)
    return GreedSolution(game, laws, [normal, last], exact, time.perf_counter() - began)


def _bytes(game: Greed, exact: bool) -> int:
    """Return about how many bytes the laws of the sums and the ratings take."""
    scores, seats = game.max + 1, len(set(game.ties))
    dice = game.max // game.die.faces[0] + 1
    if game.die.is_fair:
        dice = min(dice, int(game.max / game.die.mean()) + 2)
    digits = dice * math.log2(game.die.denominator) / 8  # bytes of the longest weight of a sum
    number = BYTES_PER_FRACTION + digits if exact else 8
    laws = dice * scores * (BYTES_PER_WEIGHT + digits / 2 + 2 * number)
    return int(laws + RATINGS * scores**2 * seats * number)


def laws_of(game: Greed, exact: bool, every_number: bool = False) -> Laws:
    """Return the laws of sums that a game needs; `every_number` of dice, or while they may help."""
    weights = dict(zip(game.die.faces, game.die.weights, strict=True))
    mean = game.die.mean() if game.die.is_fair and not every_number else None
    return laws_of_sums(weights, game.die.denominator, game.max, exact, mean)


@dataclass(frozen=True, eq=False)
class Advantages:
    """How much better it is to go first, for many maxima and dice. `[maxima, sides]`"""

    maxima: list[int]
    sides: list[int]
    more: Floats  # the first player's rating less the second's
    error: float


def advantages(
    maxima: list[int], sides: list[int], jobs: int = -1, progress: Progress | None = None
) -> Advantages:
    """Return by how much the first player's rating exceeds the second's.

    >>> advantages([10], [3], jobs=1).more.round(6).tolist()
    [[0.000257]]
    """
    pairs = [(most, faces) for most in maxima for faces in sides]
    if not pairs or min(min(maxima), min(sides)) < 1:
        raise RulesError(f"maxima and sides start at 1: got max={maxima[:3]}, sides={sides[:3]}")
    found: dict[tuple[int, int], tuple[float, float]] = {}
    for pair, low, high in results(_rating, pairs, jobs):
        found[pair] = low, high
        if progress:
            progress(len(found) / len(pairs))
    bounds = np.array([found[pair] for pair in pairs]).reshape(len(maxima), len(sides), 2)
    error = float((bounds[:, :, 1] - bounds[:, :, 0]).max())
    return Advantages(maxima, sides, bounds.sum(axis=2) - 1.0, error)


def _rating(pair: tuple[int, int]) -> tuple[tuple[int, int], float, float]:
    solution = solve_greed(Greed(max=pair[0], die=Die(pair[1])))
    return pair, float(solution.lower), float(solution.upper)
