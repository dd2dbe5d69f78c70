"""How much of a game is skill: a ladder of strategies, and what spreads the results.

The ladder has play at random at its foot, then the named strategies, then best play; each rung says
what it gets from the best player, how many of its moves are mistakes and what one of them costs.

*The spread of results.* Let a player be drawn from the ladder, every rung as likely as the others,
and so the opponent; a coin says who starts. The variance of the result then falls apart exactly, by
the law of total variance:

    variance of the result = variance of the mean over who plays
                           + the mean over who plays of the variance of the mean over who starts
                           + the mean over both of the variance that chance alone makes.

The three shares are what play, the seat and chance explain. (Variances of games by their sources:
Cloud & Laber, "Variance decompositions for extensive-form games", 2020, arXiv 2009.04834; measures
of skill and chance: Dreef, Borm & van der Genugten, "Measuring skill in games: several approaches
discussed", Mathematical Methods of Operations Research 59, 2004; Duersch, Lambrecht & Oechssler,
"Measuring skill and chance in games", European Economic Review 127, 2020, who take the spread of
ratings of people.) The shares depend on who is drawn, so those are named.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import combinations_with_replacement

import numpy as np

from dicelab.core.arrays import Floats
from dicelab.core.json_object import JsonObject
from dicelab.errors import DicelabError
from dicelab.rules import DRAW, LOSS, WIN
from dicelab.strategies.named import plan
from dicelab.strategies.plan import Plan
from dicelab.verbs.best_play import BestPlay, ratio
from dicelab.verbs.course import course_of
from dicelab.verbs.density import PointsDensity, density
from dicelab.verbs.engines import needs_no_table
from dicelab.verbs.evaluate import evaluate
from dicelab.verbs.evaluation import Chances, Evaluation, SoloEvaluation
from dicelab.verbs.numbers import CHANCE, Number
from dicelab.verbs.seats import SeatedEvaluation

MOST_RUNGS = 24
"""Strategies on a ladder."""

MOST_DRAWN = 6
"""Strategies that players are drawn from: each meets each."""

OPTIMAL, RANDOM = "optimal", "random"


@dataclass(frozen=True, eq=False)
class Rung:
    """A strategy on the ladder, against best play; alone, what it brings."""

    name: str
    value: Number  # in the game's unit, seats taken in turn
    wins: Number | None  # the chance to win, where the game is for a win and not for points
    mistakes: Number | None  # moves in a game that are worse than the best
    each: Number | None  # what one of them costs on average

    def as_dict(self) -> JsonObject:
        """Return what a program wants to know."""
        told = {"strategy": self.name, "value": self.value.as_dict()}
        more = {"wins": self.wins, "mistakes": self.mistakes, "cost_of_a_mistake": self.each}
        return told | {name: each.as_dict() for name, each in more.items() if each is not None}


@dataclass(frozen=True)
class Spread:
    """What spreads the results of players who are drawn from some strategies."""

    drawn: tuple[str, ...]
    opponents: str  # who sits opposite: drawn as well, best play, or nobody
    by_play: Number  # variances, in the game's unit squared
    by_seat: Number
    by_chance: Number

    @property
    def total(self) -> float:
        """The variance of the result."""
        return sum(each.value or 0.0 for each in (self.by_play, self.by_seat, self.by_chance))

    def share(self, part: Number) -> Number:
        """Return the share of the whole that a part explains."""
        error = sum(each.error or 0.0 for each in (self.by_play, self.by_seat, self.by_chance))
        return ratio(part, Number(self.total, error, "squared"), CHANCE)

    def as_dict(self) -> JsonObject:
        """Return what a program wants to know."""
        parts = {"play": self.by_play, "seat": self.by_seat, "chance": self.by_chance}
        return {
            "drawn_from": list(self.drawn),
            "opponents": self.opponents,
            "variance": {name: part.as_dict() for name, part in parts.items()},
            "shares": {name: self.share(part).as_dict() for name, part in parts.items()},
        }


@dataclass(frozen=True, eq=False)
class Ladder:
    """Strategies from random to best, and those that could not be asked."""

    rungs: tuple[Rung, ...]  # the worst first
    left_out: tuple[tuple[str, str], ...]  # a strategy, and why


def ladder(best: BestPlay, progress: Callable[[float], None] | None = None) -> Ladder:
    """Return what each strategy gets from best play, the worst first."""
    names = (RANDOM, *list(best.game.strategies)[: MOST_RUNGS - 2], OPTIMAL)
    rungs, left_out = [], []
    for number, name in enumerate(names):
        try:
            rungs.append(_rung(best, name))
        except DicelabError as trouble:  # one that needs other rules, or a table that is too large
            left_out.append((name, str(trouble)))
        if progress:
            progress((number + 1) / len(names))
    sign = -1 if best.game.fewest else 1
    order = sorted(rungs, key=lambda rung: (sign * (rung.value.value or 0.0), rung.name == OPTIMAL))
    return Ladder(tuple(order), tuple(left_out))


def _rung(best: BestPlay, name: str) -> Rung:
    game = best.game
    if not best.has_table:
        if not needs_no_table(game, name):
            best.refuse_without_table()
        told = evaluate(game, name)
        assert isinstance(told, SoloEvaluation)
        return Rung(name, Number(float(told.value), told.error, told.unit), None, None, None)
    one = best.folded_plan if name == OPTIMAL else plan(best.folded, name)
    value, wins = fared(best, one)
    if name == OPTIMAL:
        return Rung(name, value, wins, Number(0.0, 0.0, "mistakes"), None)
    mistakes, cost = best.mistakes(one)
    unit = best.solution.unit
    return Rung(name, value, wins, mistakes, ratio(cost, mistakes, unit) if cost.value else None)


def fared(best: BestPlay, one: Plan) -> tuple[Number, Number | None]:
    """Return what a plan gets from best play, seats taken in turn, and its chance to win."""
    game, table = best.game, best.folded
    found = evaluate(table, one, best.others)
    if isinstance(found, SoloEvaluation):
        return Number(float(found.value), found.error, found.unit), None
    if isinstance(found, SeatedEvaluation):
        value = Number(float(found.overall[0]), found.value_error, found.unit)
        return value, Number(float(found.overall_wins[0]), found.error, CHANCE)
    value = Number(float(found.value), found.value_error, best.solution.unit)
    wins = Number(float(found.overall), found.error, CHANCE)
    return value, None if table.is_for_points and not game.pays_ends else wins


def spread(best: BestPlay, progress: Callable[[float], None] | None = None) -> Spread:
    """Return what spreads the results of players who are drawn from the ladder."""
    game = best.game
    drawn = tuple(_drawn(best))
    if game.players == 2:
        means, variances, error = _met(best, drawn, progress)
        opponents = "drawn as well"
    else:
        means, variances, error = _alone(best, drawn)
        opponents = "nobody" if game.players == 1 else "best play"
    by_seat = means.mean(axis=-1)
    largest = float(np.abs(means).max(initial=0.0)) + float(np.sqrt(variances.max(initial=0.0)))
    off = 8 * largest * (error + 2.0**-50 * largest)
    return Spread(
        drawn,
        opponents,
        Number(float(by_seat.var()), off, "squared"),
        Number(float(means.var(axis=-1).mean()), off, "squared"),
        Number(float(variances.mean()), off, "squared"),
    )


def _drawn(best: BestPlay) -> Iterator[str]:
    """Yield the strategies that players are drawn from: those that decide, and random play."""
    game, count = best.game, 2
    cards = not best.has_table
    if not cards:
        yield RANDOM
    yield OPTIMAL
    for name in game.strategies:
        if count >= MOST_DRAWN:
            return
        try:
            if cards and not needs_no_table(game, name):
                continue
            if not cards and plan(best.folded, name).is_mixed:
                continue
        except DicelabError:  # one that needs other rules
            continue
        count += 1
        yield name


def _met(
    best: BestPlay, drawn: tuple[str, ...], progress: Callable[[float], None] | None
) -> tuple[Floats, Floats, float]:
    """Return the means and variances of every pair, `[one, other, seat]`, and an error."""
    table, size = best.folded, len(drawn)
    plans = [best.folded_plan if name == OPTIMAL else plan(table, name) for name in drawn]
    means, variances = np.zeros((size, size, 2)), np.zeros((size, size, 2))
    error, pairs = 0.0, list(combinations_with_replacement(range(size), 2))
    for done, (one, two) in enumerate(pairs):
        found = evaluate(table, plans[one], plans[two])
        assert isinstance(found, Evaluation)
        error = max(error, found.value_error)
        total = float(table.game.total)
        values = [float(value) for value in found.values]  # to one: starting, and second
        means[one, two], means[two, one] = values, [total - values[1], total - values[0]]
        if table.is_for_points:
            courses = [course_of(table, (plans[one], plans[two])).variance()]
            courses.append(course_of(table, (plans[two], plans[one])).variance())
            both = [each.value or 0.0 for each in courses]
            error = max(error, *(each.error or 0.0 for each in courses))
        else:
            ends = (found.a_first, found.b_first)
            both = [_variance(found, seat, each) for seat, each in enumerate(ends)]
        variances[one, two], variances[two, one] = both, both[::-1]
        if progress:
            progress((done + 1) / len(pairs))
    return means, variances, error


def _variance(found: Evaluation, seat: int, chances: Chances) -> float:
    """Return the variance of what A gets from a seat, where nothing is gained on the way."""
    ends, never = found.stakes.ends[seat], found.stakes.never[seat]
    worths = [float(worth) for worth in (ends[WIN], ends[LOSS], ends[DRAW], never)]
    told = (chances.a_wins, chances.b_wins, chances.draws, chances.never_ends)
    weights = [float(chance) for chance in told]
    mean = float(np.dot(worths, weights))
    return float(np.dot([(worth - mean) ** 2 for worth in worths], weights))


def _alone(best: BestPlay, drawn: tuple[str, ...]) -> tuple[Floats, Floats, float]:
    """Return means and variances by strategy, `[one, seat]`, others playing best; and an error."""
    game, seats = best.game, best.game.players
    means, variances = np.zeros((len(drawn), seats)), np.zeros((len(drawn), seats))
    error = 0.0
    for place, name in enumerate(drawn):
        if not best.has_table:
            law = density(game, name)
            assert isinstance(law, PointsDensity)
            means[place], variances[place] = law.points.mean, law.points.deviation**2
            error = max(error, law.points.error)
            continue
        one = best.folded_plan if name == OPTIMAL else plan(best.folded, name)
        for seat in range(seats):
            others = [best.folded_plan] * seats
            others[seat] = one
            course = course_of(best.folded, tuple(others))
            means[place, seat] = course.worths[course.start, seat]
            found = course.variance_of(seat)
            variances[place, seat] = found.value or 0.0
            error = max(error, float(course.errors[course.start]), found.error or 0.0)
    return means, variances, error
