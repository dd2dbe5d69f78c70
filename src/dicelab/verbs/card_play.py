"""evaluate and density for scorecards: exact means and the law of the score, card by card.

A strategy that is told by its hopes (`rounds.card_strategy`) is followed over all cards as solving
does, so a card of half a million standings takes seconds. Any other strategy is asked position by
position, on the table of a small card.
"""

from __future__ import annotations

import math
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dicelab.core.arrays import Floats
from dicelab.core.forecast import refuse_more
from dicelab.core.intervals import Estimate, mean
from dicelab.core.jobs import bounded
from dicelab.errors import RulesError, TooLarge
from dicelab.rounds.card_kernels import Cards, follow_cards, follow_law, push_law
from dicelab.rounds.card_strategy import CardStrategy, casting_of, desk_of, score_wish
from dicelab.rounds.lattice import lattice
from dicelab.rounds.scorecard import Card, Scorecard
from dicelab.rules import Gain, Game
from dicelab.solvers.settle import Progress
from dicelab.strategies.named import AnyStrategy, rule_of, spelled_out
from dicelab.table import memory_limit
from dicelab.table.expand import in_bytes
from dicelab.verbs.card_random import random_values
from dicelab.verbs.density import PointsDensity
from dicelab.verbs.evaluation import SoloEvaluation
from dicelab.verbs.points_law import PointsLaw
from dicelab.verbs.scorecards import (
    PIECES,
    CardValues,
    all_cards,
    bytes_of,
    card_values,
    refuse_beyond,
    shape_of,
)

RANDOM = "random"
FEW = 3_000
"""Positions up to which a card is asked about by the table of all of them."""
BYTES_PER_GAME = 100
"""What a game on its way takes: its card, its points, a draw, and their sorting."""
LEAST = 1e-19
"""Chances of a card that are left out of the law of the score, and counted as such."""


def takes(game: Game, strategy: AnyStrategy) -> bool:
    """Return whether a strategy can be followed card by card, without a table of positions."""
    if not isinstance(game, Scorecard) or type(game).leads is not Scorecard.leads:
        return False
    if game.size() <= FEW or (game.begins_at is not None and game.begins_at.thrown):
        return False  # a small card has a table, which tells more; so has the rest of a round
    if isinstance(strategy, CardStrategy) or strategy in ("optimal", RANDOM):
        return True
    strategy = spelled_out(game, strategy)
    named = isinstance(strategy, str) and strategy.partition(":")[0] in game.strategies
    return named and isinstance(rule_of(game, strategy), CardStrategy)


def strategy_of(game: Scorecard, strategy: AnyStrategy) -> CardStrategy:
    """Return a strategy that `takes` says can be followed."""
    if strategy == RANDOM:
        raise TooLarge(
            f"random moves on {game} have an exact mean, which `evaluate` tells: their law and "
            f"their games are for cards of up to {FEW:,} positions"
        )
    if strategy == "optimal":
        return optimal_card(game)
    found = strategy if isinstance(strategy, CardStrategy) else rule_of(game, strategy)
    assert isinstance(found, CardStrategy)
    return found


def optimal_card(game: Scorecard, known: CardValues | None = None) -> CardStrategy:
    """Return best play as a strategy."""
    refuse_beyond(game, memory_limit())
    known = known or card_values(game)
    return CardStrategy(game, score_wish(game), known.values)


def follow(game: Scorecard, strategy: CardStrategy, progress: Progress | None = None) -> CardValues:
    """Return what a strategy brings on average from every card on, with bounds."""
    rules, casting = game.arrays, casting_of(game)
    lanes, marks, _ = shape_of(game)
    hopes = (strategy.wish, strategy.guesses)

    def work(cards: Cards, known: Floats) -> None:
        part = (cards, lanes[cards], marks[cards])
        follow_cards(*part, known, *hopes, rules, casting, desk_of(game))

    return all_cards(game, work, progress)


def evaluate(
    game: Scorecard, a: AnyStrategy, b: AnyStrategy | None = None, memory: int | None = None
) -> SoloEvaluation | None:
    """Return what a strategy brings on average; None where it takes a table of positions."""
    if not takes(game, a):
        return None
    refuse_other(game, b)
    refuse_beyond(game, memory_limit() if memory is None else memory)
    began = time.perf_counter()
    found = random_values(game) if a == RANDOM else follow(game, strategy_of(game, a))
    value, error = found.at(game.start().standing)
    seconds = time.perf_counter() - began
    told = (float(value), float(error), seconds, False, game.unit, 0, game.never)
    return SoloEvaluation(game, name_of(a), *told)


def density(
    game: Scorecard, a: AnyStrategy, b: AnyStrategy | None = None, memory: int | None = None,
    progress: Progress | None = None,
) -> PointsDensity | None:  # fmt: skip
    """Return the law of the points of a strategy; None where it takes a table of positions."""
    if not takes(game, a):
        return None
    refuse_other(game, b)
    began = time.perf_counter()
    refuse_law(game, memory_limit() if memory is None else memory)
    law = law_of_points(game, strategy_of(game, a), memory, progress)
    left = len(game.boxes) - int(game.boxes_filled(game.start().standing.filled))
    return PointsDensity(game, name_of(a), law, left, time.perf_counter() - began)


@dataclass(frozen=True, eq=False)
class PointsSimulation:
    """Cards that were filled with random dice."""

    game: Scorecard
    a: str
    games: int
    seed: int
    scores: NDArray[np.int64]  # [games]
    seconds: float

    @property
    def value(self) -> Estimate:
        """The points on average, with an interval."""
        scores = self.scores.astype(np.float64)
        return mean(float(scores.sum()), float((scores**2).sum()), self.games)

    @property
    def standard_error(self) -> float:
        """How far off the mean is, as a deviation."""
        return float(self.scores.std(ddof=min(1, self.games - 1)) / math.sqrt(self.games))

    def quantile(self, part: float) -> int:
        """Return the points that this part of the games does not exceed."""
        return int(np.sort(self.scores)[max(0, math.ceil(part * self.games) - 1)])


def simulate(
    game: Scorecard,
    a: AnyStrategy,
    games: int = 100_000,
    seed: int = 0,
    progress: Progress | None = None,
    workers: int | None = -1,
    memory: int | None = None,
) -> PointsSimulation | None:
    """Return the scores of many games; None where a strategy takes a table of positions.

    A round is one draw: from the law of the results that the strategy scores on that card. So many
    `workers` share the cards of a round; the games are the same however many they are. `memory` is
    a limit in bytes.
    """
    if not takes(game, a):
        return None
    limit = memory_limit() if memory is None else memory
    needed = BYTES_PER_GAME * games + bytes_of(game)
    refuse_more(needed, limit, f"{games:,} games of {game} need")
    began, rng = time.perf_counter(), np.random.default_rng(seed)
    played = _Played(game, strategy_of(game, a), games)
    left = len(game.boxes) - int(game.boxes_filled(game.start().standing.filled))
    with ThreadPoolExecutor(bounded(workers, left * PIECES) or 1) as pool:
        for done in range(left):
            played.drawn = rng.random(games)
            for _ in pool.map(played.round, played.parts()):
                pass
            if progress:
                progress((done + 1) / left)
    return PointsSimulation(
        game, name_of(a), games, seed, played.scores, time.perf_counter() - began
    )


class _Played:
    """Games on their way: the card of each, and its points so far."""

    def __init__(self, game: Scorecard, strategy: CardStrategy, games: int) -> None:
        self.game, self.wish, self.guesses = game, strategy.wish, strategy.guesses
        self.casting, self.lanes = casting_of(game), shape_of(game)[0]
        begins = game.start().standing
        self.card, self.counted, self.mark = (np.full(games, int(value)) for value in begins)
        self.scores, self.drawn = np.zeros(games, np.int64), np.zeros(games)

    def parts(self) -> list[NDArray[np.int64]]:
        """Return which games have the same card."""
        place = self.card * 2 + self.mark
        order = np.argsort(place, kind="stable")
        return np.split(order, np.flatnonzero(np.diff(place[order])) + 1)

    def round(self, part: NDArray[np.int64]) -> None:
        """Play a round of some games that have the same card."""
        game, desk = self.game, desk_of(self.game)
        here, has = int(self.card[part[0]]), int(self.mark[part[0]])
        lanes = int(self.lanes[here])
        hopes = (self.wish, self.guesses)
        follow_law(here, has, lanes, *hopes, game.arrays, self.casting, desk)
        up_to = np.cumsum(desk.law[:, :lanes], axis=0)
        before = self.counted[part]  # what counts then is filled in below
        for lane in np.unique(before).tolist():
            some = part[before == lane]
            shares = up_to[:, lane]
            result = np.searchsorted(shares, self.drawn[some] * shares[-1], side="right")
            box = desk.taken[result, lane].astype(np.int64)
            for each in np.unique(box).tolist():
                mine, shown = some[box == each], result[box == each]
                ways = list(game.leads(Card(here, lane, has), game.casts, shown))
                gain: Gain = ways[each].gain
                self.scores[mine] += gain
                self.card[mine], self.counted[mine], self.mark[mine] = ways[each].at


def law_of_points(
    game: Scorecard,
    a: CardStrategy,
    memory: int | None = None,
    progress: Progress | None = None,
) -> PointsLaw:
    """Return how likely each score is when a strategy fills the card.

    The chance of every card with every score so far is followed, box after box.
    """
    return _Law(game, a, memory_limit() if memory is None else memory).followed(progress)


def refuse_law(game: Scorecard, limit: int) -> None:
    """Refuse a law of points that cannot fit, before any work is done.

    Scores that are next to impossible are left out as the work goes on. That has not been seen to
    save half of the room, so what needs no more than twice the limit is tried.
    """
    rules, (lanes, marks, filled) = game.arrays, shape_of(game)
    most = np.where(rules.score >= 0, rules.score, 0).max(axis=(0, 2)) + rules.bonus * rules.counts
    cards = np.arange(len(lanes))
    points = np.ones(len(lanes), np.int64)  # how many there may be beyond what counts
    for box, more in enumerate(most.tolist()):
        points += np.where(cards >> box & 1, more, 0)
    rows = np.zeros(len(lanes), np.int64)
    for mark, again in enumerate(rules.extra.max(axis=(1, 2)).tolist()):
        rows += np.where(mark < marks, points + (filled - 1) * again, 0)
    sizes = np.bincount(filled, lanes * rows)
    needed = 8 * float((sizes[1:] + sizes[:-1]).max())
    if needed > 2 * limit:
        raise TooLarge(
            f"the law of the points of {game} needs up to {in_bytes(needed)} for all scores so "
            f"far; the limit is {in_bytes(limit)} (--memory)"
        )


class _Law:
    """The chances of all cards with as many filled boxes, by what counts and the score so far.

    A card has a row for each number that may count, and in it a place for each number of points
    beyond: from the other boxes, the bonus, and what is gained again.
    """

    def __init__(self, game: Scorecard, strategy: CardStrategy, limit: int) -> None:
        self.game, self.rules, self.limit = game, game.arrays, limit
        self.wish, self.ahead, self.casting = strategy.wish, strategy.guesses, casting_of(game)
        self.lanes, self.marks, self.filled = shape_of(game)
        shape = (len(self.lanes), self.rules.extra.shape[0])
        self.widths, self.used = np.zeros(shape, np.int64), np.zeros(shape, np.int64)
        self.first, self.lost = np.zeros(shape, np.int64), 0.0
        self.begins = game.start().standing
        card, counted, mark = map(int, self.begins)
        self.mass = np.zeros(int(self.lanes[card]))
        self.mass[counted] = 1.0
        self.widths[card, mark] = self.used[card, mark] = 1

    def followed(self, progress: Progress | None) -> PointsLaw:
        """Return the law at the end, all boxes filled one after another."""
        game, done = self.game, 0
        desk = desk_of(game)
        together = np.zeros((len(game.boxes), int(self.rules.score.max()) + 1, 2))
        for boxes in range(int(game.boxes_filled(self.begins.filled)), len(game.boxes)):
            first, then = self._next(boxes + 1)
            for card in np.flatnonzero(self.filled == boxes).tolist():
                for mark in np.flatnonzero(self.used[card]).tolist():
                    place = (card, mark, int(self.lanes[card]))
                    follow_law(*place, self.wish, self.ahead, self.rules, self.casting, desk)
                    self.lost += push_law(
                        *place,
                        self.rules,
                        desk,
                        together,
                        self.mass,
                        int(self.first[card, mark]),
                        int(self.widths[card, mark]),
                        int(self.used[card, mark]),
                        first.ravel(),
                        self.widths.ravel(),
                        then,
                        LEAST,
                    )
                done += 1
                if progress:
                    progress(done / len(self.filled))
            self.first, self.mass = first, then
            self._trim(boxes + 1)
        return self._put_together()

    def _next(self, boxes: int) -> tuple[NDArray[np.int64], Floats]:
        """Return where the chances of the next cards begin, and room for them, all 0."""
        rules, cards = self.rules, np.flatnonzero(self.filled == boxes)
        most = np.where(rules.score >= 0, rules.score, 0).max(axis=(0, 2))
        again = rules.extra.max(axis=(1, 2))
        for box in range(len(self.game.boxes)):
            here = cards[(cards >> box & 1) == 1]
            more = most[box] + (rules.bonus if rules.counts[box] else 0)
            before = self.used[here ^ (1 << box)]
            wide = np.where(before > 0, before + more + again, 0)
            if rules.marks[box].any():  # this box may set the mark
                wide[:, 1] = np.maximum(wide[:, 1], wide[:, 0])
            self.widths[here] = np.maximum(self.widths[here], wide)
        sizes = np.where(self.filled[:, None] == boxes, self.widths * self.lanes[:, None], 0)
        needed = 8 * (int(sizes.sum()) + len(self.mass))
        if needed > self.limit:
            raise TooLarge(
                f"the law of the points of {self.game} needs about {needed / 10**9:.2g} GB for all "
                f"scores so far; the limit is {self.limit / 10**9:g} GB (--memory)"
            )
        flat = sizes.ravel()
        return (np.cumsum(flat) - flat).reshape(sizes.shape), np.zeros(int(flat.sum()))

    def _trim(self, boxes: int) -> None:
        """Find how far the scores of each card reach; what is next to impossible is left out."""
        for card in np.flatnonzero(self.filled == boxes).tolist():
            for mark in range(self.widths.shape[1]):
                rows = self.rows(card, mark)
                points = rows.sum(axis=0)
                beyond = np.cumsum(points[::-1])[::-1]
                used = int((beyond >= LEAST).sum())
                self.used[card, mark] = used
                self.lost += float(beyond[used]) if used < len(beyond) else 0.0

    def rows(self, card: int, mark: int) -> Floats:
        """Return the chances of a card. `[counted, points beyond]`"""
        first, wide = int(self.first[card, mark]), int(self.widths[card, mark])
        lanes = int(self.lanes[card])
        return self.mass[first : first + lanes * wide].reshape(lanes, wide)

    def _put_together(self) -> PointsLaw:
        """Return the chances of all scores on the full card."""
        card = len(self.lanes) - 1
        law = np.zeros(int(self.lanes[card] + self.widths[card].max()))
        for mark in range(self.widths.shape[1]):
            for lane, row in enumerate(self.rows(card, mark)):
                law[lane : lane + len(row)] += row
        places, game = np.flatnonzero(law), self.game
        amounts = places - int(self.begins.counted)
        dice = lattice(game.dice, game.die)
        steps = len(game.boxes) * (2 * game.casts * dice.roundings + len(game.results) + 8)
        chances = (law[places], max(self.lost, 0.0), steps * 2.0**-53)
        return PointsLaw(1, amounts, *chances, len(game.boxes))


def name_of(strategy: AnyStrategy) -> str:
    """Return what a strategy is called."""
    return strategy if isinstance(strategy, str) else type(strategy).__name__


def refuse_other(game: Scorecard, b: AnyStrategy | None) -> None:
    """Refuse a second strategy: a card is filled alone."""
    if b is not None:
        raise RulesError(f"{game} is played alone: leave out the second strategy")
