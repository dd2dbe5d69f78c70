"""The search among variants of a game: all of them where they are few, else by SciPy.

Games are worked out with all their head starts, shared out over cores or a cluster; a checkpoint
remembers those done, by their number among all variants.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from dicelab.core.arrays import Floats, Real
from dicelab.core.jobs import Report, finished, share_of
from dicelab.core.json_object import JsonObject
from dicelab.errors import DicelabError, UnknownPosition
from dicelab.rules import Game
from dicelab.rules.game import written
from dicelab.rules.ranges import number_of
from dicelab.strategies.named import AnyStrategy, marked
from dicelab.verbs.goals import Goal, real
from dicelab.verbs.numbers import Number, Numbers, farthest, refused, told_as
from dicelab.verbs.orders import FIRST, PIE, SWAPPED, asked_in
from dicelab.verbs.sweep import workers_for
from dicelab.verbs.variants import Variants, begun

AT_ONCE = ("value", "advantage", "seat:1", "seat:2")
"""Numbers that one solution tells for every head start."""
SEATS = ("seat:1", "seat:2")
FAR = 1e9
"""How far from every goal a variant is that the rules refuse."""
PATIENCE = 20
"""Generations without a new variant after which a search ends."""


@dataclass(frozen=True)
class _Job:
    """One game and some of its head starts."""

    game: Game
    starts: tuple[tuple[tuple[str, str], ...], ...]  # fields and values of each
    players: tuple[AnyStrategy, ...]
    orders: tuple[str, ...]
    asked: tuple[str, ...]
    wanted: tuple[str, ...]  # those of them that goals are about
    exact: bool
    memory: int


def _work(job: _Job) -> list[list[list[list[object]]]]:
    """Return every number of one game, for every head start and order."""
    base = Numbers(job.game, job.exact, job.memory)
    found = []
    for start in job.starts:
        told = _numbers(job, base, dict(start))
        found.append([[list(dataclasses.astuple(one)) for one in each] for each in told])
    return found


def _numbers(job: _Job, base: Numbers, start: Mapping[str, str]) -> list[list[Number]]:
    """Return the numbers of one head start, in every order."""
    try:
        if not start:
            shared = base
        else:
            at = begun(job.game, start)
            game = job.game.starting(at)
            if _tells_all(job):
                return [_at(base, at, job.asked)]
            shared = Numbers(game, job.exact, job.memory)
        return [_in_order(job, order, shared) for order in job.orders]
    except DicelabError as trouble:
        return [[refused(trouble)] * len(job.asked) for _ in job.orders]


def _in_order(job: _Job, order: str, shared: Numbers) -> list[Number]:
    """Return the numbers that are wanted in one order; what each seat gets is asked of one game."""
    names = [name for name in job.asked if order == FIRST or name in job.wanted]
    told = dict(zip(names, asked_in(order, shared, job.players, names), strict=True))
    return [told.get(name, Number(None, None, "")) for name in job.asked]


def _tells_all(job: _Job) -> bool:
    """Return whether the solution of the game without head start answers for them all."""
    game = job.game
    return (
        set(job.asked) <= set(AT_ONCE)
        and job.orders == (FIRST,)
        and not (job.players or game.is_simultaneous or game.engine)
        and game.players == 2
        and game.is_one_pot
        and game.worth_to(0) == game.worth_to(1)
    )


def _at(base: Numbers, at: object, asked: Sequence[str]) -> list[Number]:
    """Return numbers of best play from a position of a game that is solved."""
    solution = base.solution
    try:
        value, (low, high) = solution.value_at(at), solution.bounds_at(at)
    except UnknownPosition:  # play from the usual start never comes there
        return Numbers(base.game.starting(at), base.exact, base.memory).asked((), asked)
    error = farthest(value, low, high)
    total = solution.game.total if base.exact else float(solution.game.total)
    told: dict[str, tuple[Real, float]] = {
        "value": (value, error),
        "advantage": (2 * value - total, 2 * error),
        "seat:1": (value, error),
        "seat:2": (total - value, error),
    }
    return [told_as(*told[name], solution.unit) for name in asked]


@dataclass
class Search:
    """What is being looked through, and what is known so far."""

    variants: Variants
    goals: tuple[Goal, ...]
    orders: tuple[str, ...]
    players: tuple[AnyStrategy, ...]
    exact: bool
    memory: int  # of all processes together
    workers: int | None
    checkpoint: str | Path | None
    progress: Report | None
    tries: int

    def __post_init__(self) -> None:
        self.known: dict[int, list[list[list[Number]]]] = {}  # [head start][order][number]
        self.refused: dict[int, str] = {}
        self.idle, self.before = 0, -1  # generations that brought nothing new
        self.wanted = tuple(goal.number for goal in self.goals)
        also = [*SEATS, *(SWAPPED[one] for one in self.wanted if one in SWAPPED)]
        self.asked = tuple(dict.fromkeys([*self.wanted, *(also if PIE in self.orders else ())]))
        self.worked = tuple(dict.fromkeys(FIRST if one == PIE else one for one in self.orders))
        fields = list(self.variants.starts)
        starts = [tuple(zip(fields, values, strict=True)) for values in self.variants.head_starts]
        probe = self._job(self.variants.usual, ())
        self.chunks = [tuple(starts)] if _tells_all(probe) else [(each,) for each in starts]

    def _job(self, game: Game, starts: tuple[tuple[tuple[str, str], ...], ...]) -> _Job:
        return _Job(
            game,
            starts,
            self.players,
            self.worked,
            self.asked,
            self.wanted,
            self.exact,
            share_of(self.memory, self.workers, self.variants.combinations * len(self.starts)),
        )

    @property
    def label(self) -> JsonObject:
        """What a checkpoint belongs to."""
        return {
            "work": "balance",
            "game": str(self.variants.usual),
            "axes": {name: list(values) for name, values in self.variants.axes.items()},
            "players": list(map(marked, self.players)),
            "orders": list(self.worked),
            "numbers": list(self.asked),
            "exact": self.exact,
        }

    def work(self, numbers: Iterable[int]) -> None:
        """Work out some of the games, with all their head starts."""
        wanted = [each for each in dict.fromkeys(numbers) if not self.is_known(each)]
        jobs, places, games = [], [], []
        for number in wanted:
            made = self.variants.made(number)
            if isinstance(made, str):
                self.refused[number] = made
                continue
            games.append(made)
            for place, starts in enumerate(self.chunks):
                jobs.append(self._job(made, starts))
                places.append(number * len(self.chunks) + place)
        if not jobs:
            return
        count = self.variants.combinations * len(self.chunks)
        pieces: dict[int, dict[int, list[list[list[Number]]]]] = {}
        before = len(self.known)
        every = finished(
            _work,
            jobs,
            count,
            self.label,
            workers_for([each.game for each in jobs], self.workers),
            self.checkpoint,
            fits=self._fits,
            numbers=places,
        )
        for done, (place, result) in enumerate(every, 1):
            number, chunk = divmod(place, len(self.chunks))
            pieces.setdefault(number, {})[chunk] = [
                [[Number(*one) for one in told] for told in each]  # type: ignore[arg-type]
                for each in result
            ]
            if self.progress:
                goal = min(self.tries, self.variants.combinations * len(self.starts))
                share = before * len(self.starts) + done * len(self.starts) / len(self.chunks)
                self.progress(min(1.0, share / goal))
        for number, found in pieces.items():
            if len(found) == len(self.chunks):
                self.known[number] = [each for chunk in sorted(found) for each in found[chunk]]

    def is_known(self, number: int) -> bool:
        """Return whether a game was worked out, or refused."""
        return number in self.known or number in self.refused

    @property
    def starts(self) -> list[tuple[str, ...]]:
        """Every head start."""
        return self.variants.head_starts

    def _fits(self, place: int, result: list[list[list[list[object]]]]) -> bool:
        chunk = self.chunks[place % len(self.chunks)]
        sizes = {(len(each), *(len(told) for told in each)) for each in result}
        shape = (len(self.worked), *([len(self.asked)] * len(self.worked)))
        return len(result) == len(chunk) and sizes == {shape}

    def look(self, seed: int) -> None:
        """Look for variants near the goals by differential evolution, each goal in turn ahead."""
        from scipy.optimize import differential_evolution

        bounds = [(0, size - 1) for size in self.variants.shape]
        limit = self.tries // len(self.starts)
        weights = np.ones((1, len(self.goals)))
        if len(self.goals) > 1:
            weights = np.vstack([weights, 1 + 4 * np.eye(len(self.goals))])
        for turn, weight in enumerate(weights):
            most = limit * (turn + 1) // len(weights)
            population = max(5, min(15 * len(bounds), most // 4))
            rng = np.random.default_rng([seed, turn])
            starts = rng.integers(0, self.variants.shape, (population, len(bounds)))
            starts[0] = self.usual_place()

            def worked(
                _: Callable[[Floats], float],
                places: Iterable[Floats],
                most: int = most,
                weight: Floats = weight,
            ) -> list[float]:
                numbers = [
                    self.variants.number(tuple(round(float(each)) for each in place))
                    for place in places
                ]
                fresh = [each for each in dict.fromkeys(numbers) if not self.is_known(each)]
                self.work(fresh[: max(0, most - len(self.known) - len(self.refused))])
                return [self._distance(each, weight) for each in numbers]

            differential_evolution(
                lambda _: 0.0,  # asked through `workers`, a generation at a time
                bounds,
                init=starts,
                integrality=np.ones(len(bounds), bool),
                maxiter=10 * most,
                rng=rng,
                polish=False,
                updating="deferred",
                workers=worked,
                tol=0,
                callback=lambda intermediate_result, most=most: self._is_done(most),
            )
        self._neighbours(limit)
        self._any(limit, np.random.default_rng([seed, len(weights)]))

    def _is_done(self, most: int) -> bool:
        """Return whether the tries are used up, or new variants have not come for a while."""
        self.idle = self.idle + 1 if self.count == self.before else 0
        self.before = self.count
        return self.count >= most or self.idle >= PATIENCE

    @property
    def count(self) -> int:
        """How many games were worked out or refused."""
        return len(self.known) + len(self.refused)

    @property
    def unfound(self) -> int:
        """How many games with their head starts were too large, or could not be solved."""
        return sum(
            any(number.unfound for numbers in told for number in numbers)
            for each in self.known.values()
            for told in each
        )

    def usual_place(self) -> tuple[int, ...]:
        """Return where the game as it stands is among the variants, or what is nearest to it."""
        usual = self.variants.usual.parameters
        found = []
        for name, values in self.variants.parameters.items():
            told = [written(value) for value in values]
            at = written(usual.get(name))
            numbers, here = [number_of(each) for each in told], number_of(at)
            apart = [
                math.inf if each is None or here is None else abs(each - here) for each in numbers
            ]
            found.append(told.index(at) if at in told else int(np.argmin(apart)))
        return tuple(found)

    def _neighbours(self, limit: int) -> None:
        """Work out what is one step in a parameter from the best found, while tries last."""
        equal = np.ones(len(self.goals))
        while self.count < limit:
            best = min(
                self.known, key=lambda each: (self._distance(each, equal), each), default=None
            )
            if best is None:
                return
            around, place = [], self.variants.place(best)
            for axis, size in enumerate(self.variants.shape):
                for step in (-1, 1):
                    beside = (*place[:axis], place[axis] + step, *place[axis + 1 :])
                    if 0 <= beside[axis] < size:
                        around.append(self.variants.number(beside))
            fresh = [each for each in around if not self.is_known(each)]
            if not fresh:
                return
            self.work(fresh[: limit - self.count])

    def _any(self, limit: int, rng: np.random.Generator) -> None:
        """Work out variants by chance with the tries that are left."""
        while self.count < limit:
            places = rng.integers(0, self.variants.shape, (limit, len(self.variants.shape)))
            numbers = dict.fromkeys(self.variants.number(tuple(row)) for row in places.tolist())
            fresh = [each for each in numbers if not self.is_known(each)]
            self.work(fresh[: limit - self.count])

    def _distance(self, number: int, weight: Floats) -> float:
        """Return how far the nearest head start and order of a game are from the goals."""
        if number not in self.known:
            return FAR
        near = FAR
        for told in self.known[number]:
            for numbers in told:
                misses = [
                    _scaled(goal, one) for goal, one in zip(self.goals, numbers, strict=False)
                ]
                near = min(near, float(weight @ np.array(misses)))
        return near


def _scaled(goal: Goal, number: Number) -> float:
    """Return how far a number is from its goal, beside the size of the goal."""
    value = real(number)
    if value is None:
        return FAR
    size = max([1.0, *(abs(float(each)) for each in (goal.low, goal.high) if each is not None)])
    return min(FAR, float(goal.miss(value)) / size)
