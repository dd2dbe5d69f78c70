"""distil for scorecards: the best pars a person can remember, and what they cost.

Best play knows what every card is worth. A person keeps a par for each box: the points that it
should bring (`rounds.card_pars`). What a box is worth to best play, on average over the cards it
comes to, is where the search begins. These pars are moved by small steps, then given up one after
another. What a change promises is read off some of the cards that best play comes to: what the pars
give away there in one round. The most promising are followed over all cards, which is exact. No
chance is in it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction

import numpy as np

from dicelab.core.arrays import Floats
from dicelab.core.forecast import refuse_more
from dicelab.errors import DicelabError, RulesError
from dicelab.rounds.card_kernels import Cards, follow_cards
from dicelab.rounds.card_pars import PARS, Pars
from dicelab.rounds.card_strategy import casting_of, desk_of
from dicelab.rounds.scorecard import Scorecard
from dicelab.table import memory_limit
from dicelab.verbs.card_play import follow, optimal_card
from dicelab.verbs.card_visits import card_visits
from dicelab.verbs.distil import Card
from dicelab.verbs.evaluate import evaluate
from dicelab.verbs.evaluation import SoloEvaluation
from dicelab.verbs.rule_search import FOUND, Distilled, refuse_budget
from dicelab.verbs.scorecards import bounded_threads, bytes_of, card_values, shape_of

TRIES = 40
"""How many ways to play are followed over all cards, unless told otherwise."""

OFTEN = (Fraction(5, 4), Fraction(3, 2), Fraction(2), Fraction(5, 2))
"""How often points may count that count towards the bonus."""

STEPS = (1, -1, 3, -3)
"""By how much a par is moved."""

ARRAYS = 4
"""Arrays of all cards that are in memory at once: values, chances, hopes, and what pars bring."""

CARDS = 24
"""Cards with as many filled boxes at which the promise of pars is worked out, at most."""


class Promise:
    """What pars give away in a round, on some of the cards that best play comes to."""

    def __init__(self, game: Scorecard) -> None:
        self.game, self.known = game, card_values(game)
        self.lanes, self.marks, self.filled = shape_of(game)
        self.weights = np.zeros_like(self.known.values)
        self.fair = self._weighed()
        self.halves = [self._met(even) for even in (0, 1)]
        self.seen: dict[Pars, float] = {}

    def _weighed(self) -> Floats:
        """Fill in how likely each card is, and return what each box is worth while it is open."""
        values, boxes = self.known.values, len(self.game.boxes)
        sums, chances = np.zeros(boxes), np.zeros(boxes)
        for visit in card_visits(self.game, optimal_card(self.game, self.known)):
            many = len(visit.chance)
            self.weights[visit.card, visit.mark, :many] = visit.chance
            for box in range(boxes):
                if not visit.card >> box & 1:
                    here = values[visit.card, visit.mark, :many]
                    after = values[visit.card | 1 << box, visit.mark, :many]
                    sums[box] += float((visit.boxes[box] * (here - after)).sum())
                    chances[box] += float(visit.boxes[box].sum())
        return sums / np.maximum(chances, 1e-12)

    def _met(self, even: int) -> Cards:
        """Return cards of every second number of filled boxes, as best play comes to them.

        Of all cards with as many boxes they stand at equal steps of the chance; so those that are
        met stand for as much each, and their weights become those of what counts there.
        """
        mass = self.weights.sum(axis=(1, 2))
        found = []
        for boxes in range(even, len(self.game.boxes), 2):
            cards = np.flatnonzero((self.filled == boxes) & (mass > 0))
            if cards.size:
                steps = (np.arange(CARDS) + 0.5) / CARDS
                places = np.searchsorted(np.cumsum(mass[cards]) / mass[cards].sum(), steps)
                some, times = np.unique(cards[places], return_counts=True)
                share = times / (CARDS * mass[some])
                self.weights[some] *= share[:, None, None]
                found.append(some)
        return np.concatenate(found) if found else np.zeros(0, np.int64)

    def of(self, pars: Pars) -> float:
        """Return about how much pars give away."""
        if pars not in self.seen:
            self.seen[pars] = self._lost(pars)
        return self.seen[pars]

    def _lost(self, pars: Pars) -> float:
        """Follow pars for one round on some cards, with best play after it.

        Cards of every second number of boxes do not lead to each other: they are written over.
        """
        game, values = self.game, self.known.values
        played = pars.strategy(game)
        hopes, rules, casting = (played.wish, played.guesses), game.arrays, casting_of(game)
        lost = 0.0
        with ThreadPoolExecutor(bounded_threads()) as pool:
            for cards in self.halves:
                before, weights = values[cards], self.weights[cards]

                def work(some: Cards) -> None:
                    part = (some, self.lanes[some], self.marks[some])
                    follow_cards(*part, values, *hopes, rules, casting, desk_of(game))

                try:
                    list(pool.map(work, np.array_split(cards, bounded_threads())))
                    lost += float((weights * (before - values[cards])).sum())
                finally:
                    values[cards] = before
        return lost


class _Search:
    """Pars that grow number by number, the most promising followed over all cards."""

    def __init__(self, promise: Promise, tries: int, report: Callable[[float], None]) -> None:
        self.promise, self.game, self.tries, self.report = promise, promise.game, tries, report
        self.known: dict[Pars, tuple[float, float]] = {}
        self.fair = [max(1, round(float(points))) for points in promise.fair]

    def exact(self, pars: Pars) -> float:
        """Return what pars bring on average; minus infinity where no more may be tried."""
        if pars not in self.known:
            if len(self.known) >= self.tries:
                return -np.inf
            found = follow(self.game, pars.strategy(self.game))
            value, error = found.at(self.game.start().standing)
            self.known[pars] = float(value), float(error)
            self.report(len(self.known) / self.tries)
        return self.known[pars][0]

    def whole(self) -> Pars:
        """Return pars of all boxes: what each is worth to best play, moved while that helps.

        Every round fills one box, so only differences matter: the lowest par becomes 0.
        """
        pars = Pars(tuple(zip(self.game.names, self.fair, strict=True)))
        if self.game.bonus and self.game.arrays.enough:
            pars = self.best(pars, (Pars(pars.points, often) for often in OFTEN))
        pars = self.moved(pars, 2)
        least = min(points for _, points in pars.points)
        lowered = ((name, points - least) for name, points in pars.points)
        return Pars(tuple(each for each in lowered if each[1]), pars.times)

    def shorter(self, pars: Pars) -> Iterator[Pars]:
        """Yield the same with one number less: a low par given up, and the others lowered too."""
        if pars.times != 1:
            yield Pars(pars.points)
        for name, points in sorted(pars.points, key=lambda each: each[1])[:4]:
            for lower in {0, points // 2, points}:
                rest = [(other, par - lower) for other, par in pars.points if other != name]
                found = Pars(tuple((other, par) for other, par in rest if par > 0), pars.times)
                if found.size == pars.size - 1:
                    yield found

    def near(self, pars: Pars) -> Iterator[Pars]:
        """Yield the same with one number changed a little."""
        for name, points in pars.points:
            for step in STEPS:
                if points + step > 0:
                    yield pars.changed(self.game, name, points + step)
        if pars.times != 1:
            yield from (Pars(pars.points, often) for often in OFTEN if often != pars.times)

    def moved(self, pars: Pars, passes: int) -> Pars:
        """Return where pars come to when each number is moved while that promises more."""
        for _ in range(passes):
            before = pars
            for name, _points in before.points:
                pars = self.best(
                    pars,
                    (
                        pars.changed(self.game, name, max(1, dict(pars.points)[name] + step))
                        for step in STEPS
                    ),
                )
            if pars.times != 1:
                pars = self.best(pars, (Pars(pars.points, often) for often in OFTEN))
            if pars == before:
                break
        return pars

    def best(self, pars: Pars, others: Iterable[Pars]) -> Pars:
        """Return which of some promises most."""
        return min([pars, *others], key=self.promise.of)

    def run(self, size: int) -> list[Distilled]:
        """Return the best pars of each size, those that are no better than smaller left out."""
        by_size = self._by_size(size)
        largest = max(by_size)
        by_size[largest] = self._climbed(by_size[largest])
        optimum = float(self.promise.known.at(self.game.start().standing)[0])
        found: list[Distilled] = []
        for numbers, pars in sorted(by_size.items()):
            if pars not in self.known:
                continue
            value, error = self.known[pars]
            if not found or value > found[-1].value:
                proof = FOUND if numbers else "proved: all tried"
                found.append(Distilled(pars, value, error, optimum - value, proof))
        return found

    def _by_size(self, size: int) -> dict[int, Pars]:
        """Return the most promising pars of each size up to one, all followed over all cards."""
        pars, found = self.whole(), {0: Pars()}
        while pars.size:
            if pars.size <= size:
                found[pars.size] = pars
            pars = min(self.shorter(pars), key=self.promise.of, default=Pars())
        for numbers in sorted(found, key=lambda each: (each != 0, -each)):
            self.exact(found[numbers])
        return found

    def _climbed(self, pars: Pars) -> Pars:
        """Return where small changes lead that are followed over all cards, while tries last."""
        better = True
        while better and len(self.known) < self.tries:
            better = False
            for other in sorted(self.near(pars), key=self.promise.of):
                if self.exact(other) > self.exact(pars):
                    pars, better = other, True
                    break
        return pars


def distil_card(
    game: Scorecard,
    size: int | None = None,
    tries: int | None = None,
    compare: bool = True,
    progress: Callable[[float], None] | None = None,
    memory: int | None = None,
) -> Card:
    """Return the best pars of up to `size` numbers; without it, of as many as help."""
    began = time.perf_counter()
    begins = game.begins_at
    if type(game).leads is not Scorecard.leads or (begins is not None and begins.thrown):
        raise RulesError(
            f"{game} has rules of its own for what a result leads to, or begins within a round: "
            f"pars are for whole cards, filled box by box"
        )
    most = len(game.boxes) - 1 + bool(game.bonus and game.arrays.enough)
    size, tries = most if size is None else size, TRIES if tries is None else tries
    refuse_budget(size, tries)
    if size > most:
        raise RulesError(f"pars of {game} are at most {most} numbers: got {size}")
    limit = memory_limit() if memory is None else memory
    refuse_more(ARRAYS * bytes_of(game), limit, f"finding pars of {game} needs")
    promise = Promise(game)
    search = _Search(promise, tries, progress or (lambda share: None))
    rules = search.run(size)
    optimum = float(promise.known.at(game.start().standing)[0])
    named = tuple(_named(game, optimum)) if compare else ()
    told = (tuple(sorted(named, key=lambda each: each[1])), size, len(search.known))
    return Card(game, (), game.unit, optimum, tuple(rules), *told, time.perf_counter() - began)


def _named(game: Scorecard, optimum: float) -> Iterator[tuple[str, float]]:
    """Yield what the game's named strategies cost."""
    for name in game.strategies:
        if name != PARS:
            try:
                found = evaluate(game, name)
            except DicelabError:  # one that needs other rules
                continue
            assert isinstance(found, SoloEvaluation)
            yield name, optimum - float(found.value)
