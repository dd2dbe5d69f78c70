"""report: everything a designer asks about a game, each answer exact or with a bound.

What makes no sense for a kind of game, or what it is too large for, is told in one sentence in its
place; so every game has a report, also one that was written an hour ago.

>>> from dicelab.games.pig import Piglet
>>> found = report(Piglet(target=3))
>>> round(found.worth.value.value, 9), round(found.lead.changes.value, 9)
(0.545454545, 2.090909091)
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, TypeVar

import numpy as np

from dicelab.core.json_object import JsonObject
from dicelab.core.version import __version__
from dicelab.errors import DicelabError, RulesError
from dicelab.rules import Game
from dicelab.table import memory_limit
from dicelab.table.at_once import PairTable
from dicelab.verbs.best_play import BestPlay, MoveUse, Turning, best_play
from dicelab.verbs.density import Density, PointsDensity, density, density_on
from dicelab.verbs.distil import Card, distil
from dicelab.verbs.evaluate import evaluate
from dicelab.verbs.evaluation import Evaluation, SoloEvaluation
from dicelab.verbs.numbers import CHANCE, Number
from dicelab.verbs.points_law import PointsLaw
from dicelab.verbs.profile_solution import Profile
from dicelab.verbs.report_sections import Endings, Lead, Length, Refused, Size, Skill, Worth
from dicelab.verbs.restricted import Restricted, restricted
from dicelab.verbs.seats import SeatedEvaluation
from dicelab.verbs.sensitivity import Change, changes, headline_numbers
from dicelab.verbs.skill import fared, ladder, spread

Progress = Callable[[float], None]

DECIDED = (0.6, 0.7, 0.8, 0.9, 0.95, 0.99)
"""Shares that a player can expect when a game is as good as decided."""

BYTES_PER_OUTCOME = 180
"""What a report of a game for two takes: best play, its course, and what each move costs."""

MANY_OUTCOMES = 500_000
"""Outcomes of a table beyond which fewer rules of thumb are tried."""


@dataclass(frozen=True, eq=False)
class Report:
    """All of it. A section that cannot be had is `Refused`."""

    best: BestPlay
    unit: str
    size: Size | Refused
    worth: Any  # each of these may be Refused
    length: Any
    endings: Any
    skill: Any
    restricted: tuple[Restricted, ...] | Refused
    lead: Any
    moves: tuple[MoveUse, ...] | Refused
    turning: tuple[Turning, ...] | Refused
    card: Card | Refused
    now: dict[str, Number]  # what changes are told in
    changes: tuple[Change, ...] | Refused
    seconds: float

    @property
    def game(self) -> Game:
        """The game."""
        return self.best.game

    def as_dict(self) -> JsonObject:
        """Return what a program wants to know, as plain numbers and words."""
        return {
            "unit": self.unit,
            "size": self.size.as_dict(),
            "value": self.worth.as_dict(),
            "length": self.length.as_dict(),
            "endings": self.endings.as_dict(),
            "skill": self.skill.as_dict(),
            "restricted": _listed(self.restricted, _restricted),
            "lead": self.lead.as_dict(),
            "moves": _listed(self.moves, _use),
            "turning_points": _listed(self.turning, _turning),
            "rules_of_thumb": self.card.as_dict(),
            "changes": _listed(self.changes, Change.as_dict),
            "version": __version__,
            "seconds": self.seconds,
        }


def _listed(section: Any, told: Callable[[Any], JsonObject]) -> object:
    return section.as_dict() if isinstance(section, Refused) else [told(one) for one in section]


def _restricted(one: Restricted) -> JsonObject:
    told: JsonObject = {"player": one.name, "about": one.about}
    if one.value is None or one.cost is None:
        return told | {"refused": one.refused}
    return told | {"value": one.value.as_dict(), "cost": one.cost.as_dict()}


def _use(one: MoveUse) -> JsonObject:
    counts = {"allowed": one.allowed, "best": one.best, "only_best": one.only}
    return {"move": one.move, **counts, "played": one.played, "never_best": one.is_never_best}


def _turning(one: Turning) -> JsonObject:
    return {
        "position": one.position,
        "visits": one.visits,
        "best": one.best,
        "next_best": one.next_best,
        "cost": one.cost,
        "error": one.error,
        "per_game": one.per_game,
    }


Part = TypeVar("Part")


def report(
    game: Game,
    memory: int | None = None,
    progress: Progress | None = None,
    tries: int | None = None,
) -> Report:
    """Return everything a designer asks about a game.

    `memory` is a limit in bytes; `progress` is called with the share of the work that is done;
    `tries` is how many rules of thumb are worked out.
    """
    began = time.perf_counter()
    best = best_play(game, memory)
    shares = _Shares(progress)
    limit = memory_limit() if memory is None else memory
    left = limit - _room(best) if best.has_table else limit
    _ = best.numbers.solution  # what cannot be solved has no report
    size = _or_refused(lambda: _size(best))
    worth = _or_refused(lambda: _worth(best))
    length = _or_refused(lambda: _length(best))
    endings = _or_refused(lambda: _endings(best))
    shares.done(0.1)
    skill = _or_refused(lambda: _skill(best, shares))
    shares.done(0.4)
    players = _or_refused(lambda: tuple(_players(best)))
    shares.done(0.55)
    lead = _or_refused(lambda: _lead(best))
    shares.done(0.6)
    moves = _or_refused(lambda: tuple(_with_table(best).moves()))
    turning = _or_refused(lambda: tuple(_with_table(best).turning_points()))
    card = _or_refused(lambda: _card(best, tries, shares.part(0.6, 0.8)))
    shares.done(0.8)
    now = headline_numbers(best)
    changed = _or_refused(lambda: tuple(changes(best, left, shares.part(0.8, 1.0))))
    unit = best.numbers.solution.unit
    seconds = time.perf_counter() - began
    return Report(
        best,
        unit,
        size,
        worth,
        length,
        endings,
        skill,
        players,
        lead,
        moves,
        turning,
        card,
        now,
        changed,
        seconds,
    )


def _room(best: BestPlay) -> int:
    """Return how many bytes a report takes; one that would not fit is refused before the work."""
    room = 0
    for table in (best.folded, best.table):
        outcomes = table.pairs.target.size if isinstance(table, PairTable) else table.target.size
        room = int(outcomes) * BYTES_PER_OUTCOME * max(2, best.game.players) // 2
        table.spare(room)
    return room


@dataclass(frozen=True)
class _Shares:
    """Shares of the whole work, told as parts of it are done."""

    progress: Progress | None

    def done(self, share: float) -> None:
        if self.progress:
            self.progress(share)

    def part(self, begin: float, end: float) -> Progress:
        return lambda share: self.done(begin + share * (end - begin))


def _or_refused(work: Callable[[], Part]) -> Part | Refused:
    """Return a section, or why it cannot be had."""
    try:
        return work()
    except DicelabError as trouble:
        return Refused(str(trouble))


def _with_table(best: BestPlay) -> BestPlay:
    """Return best play; a game that is too large for a table of positions is refused."""
    best.refuse_without_table()
    return best


def _size(best: BestPlay) -> Size:
    if not best.has_table:
        return Size(best.game.size() or 0, False, None, None, None, {}, None)
    table = best.folded
    counts = np.diff(table.move_first)[table.is_ongoing]
    several = {int(count): int((counts == count).sum()) for count in np.unique(counts)}
    outcomes = table.pairs.target.size if hasattr(table, "pairs") else table.target.size
    visited = int((best.visits.sum(axis=0) > 0).sum()) if best.table is table else None
    largest = int(np.diff(table.component_first).max(initial=0))
    return Size(len(table), True, table.rows, int(outcomes), largest, several, visited)


def _worth(best: BestPlay) -> Worth:
    game, numbers = best.game, best.numbers
    (value,) = numbers.asked((), ["value"])
    points = _points(best)
    names = [f"seat:{seat}" for seat in range(1, game.players + 1)]
    seats = tuple(numbers.asked((), names)) if game.players > 1 else ()
    shares = [each.value for each in seats if each.value is not None]
    if not shares:
        return Worth(value, None, (), None, None, points)
    error = 2 * max(each.error or 0.0 for each in seats)
    apart = Number(max(shares) - min(shares), error, seats[0].unit)
    if isinstance(numbers.solution, Profile):
        return Worth(value, None, seats, apart, float(numbers.solution.temptation))
    if game.is_simultaneous:
        return Worth(value, None, seats, apart, None, points)
    (advantage,) = numbers.asked((), ["advantage"])
    return Worth(value, advantage, seats, apart, None, points)


def _points(best: BestPlay) -> PointsLaw | None:
    """Return how likely each number of points is; None where that cannot be had."""
    if not best.has_table:
        return _points_density(best.game).points
    if best.game.players > 2 or not best.folded.is_for_points:
        return None
    law = _or_refused(lambda: _density(best).points)
    return None if isinstance(law, Refused) else law


@lru_cache(maxsize=1)
def _points_density(game: Game) -> PointsDensity:
    """Return the law of the points of best play on a card, worked out once for all sections."""
    found = density(game, "optimal")
    assert isinstance(found, PointsDensity)
    return found


def _length(best: BestPlay) -> Length:
    if not best.has_table:
        found = _points_density(best.game)
        law = np.zeros(found.turns)
        law[-1] = 1.0
        return Length(Number(float(found.turns), 0.0, "turns"), None, None, law, {50: found.turns})
    course = best.course
    met = _density(best)
    quantiles = {share: met.quantile(share / 100) for share in (5, 25, 50, 75, 95)}
    return Length(course.turns(), course.moves(), course.throws(), met.lengths, quantiles)


def _density(best: BestPlay) -> Density:
    return density_on(best.folded, best.folded_plan, best.others)


def _endings(best: BestPlay) -> Endings:
    if not best.has_table:
        return Endings((), Number(0.0, 0.0, CHANCE), Number(0.0, 0.0, CHANCE))
    found = evaluate(best.folded, best.folded_plan, best.others)
    if isinstance(found, SoloEvaluation):
        never = Number(float(found.never_ends), found.error, CHANCE)
        made = (Number(float(found.value), found.error, found.unit),)
        chance = found.unit == "chance to win"
        return Endings(made if chance else (), Number(0.0, 0.0, CHANCE), never)
    if isinstance(found, SeatedEvaluation):
        wins = tuple(Number(float(each), found.error, CHANCE) for each in found.wins[0])
        told = (found.draws[0], found.never_ends[0])
    else:
        assert isinstance(found, Evaluation)
        first = found.a_first
        both = (first.a_wins, first.b_wins)
        wins = tuple(Number(float(each), found.error, CHANCE) for each in both)
        told = (first.draws, first.never_ends)
    draws, never = (Number(float(each), found.error, CHANCE) for each in told)
    return Endings(wins, draws, never)


def _skill(best: BestPlay, shares: _Shares) -> Skill:
    found = ladder(best, shares.part(0.1, 0.3))
    apart = _or_refused(lambda: spread(best, shares.part(0.3, 0.4)))
    often = mistake = None
    if best.has_table:
        often, mistake = best.average_mistake()
    return Skill(found, apart, often, mistake)


def _players(best: BestPlay) -> Iterator[Restricted]:
    optimum, _ = fared(_with_table(best), best.folded_plan)
    yield from restricted(best, optimum)


def _lead(best: BestPlay) -> Lead:
    course = _with_table(best).course
    if not math.isfinite(course.turns().value or 0.0):
        raise RulesError(
            f"{best.game} may never end when all play best: it has no course to follow"
        )
    changed = course.lead_changes() if best.game.players > 1 else None
    decided = {}
    if not best.folded.is_for_points and best.folded.unit == "chance to win":
        decided = {share: (course.decided_after(share), course.upsets(share)) for share in DECIDED}
    by_move = best.game.players == 1 and (course.turns().value or 0.0) < 1.5
    curves = course.by_turn(by_move=by_move)
    return Lead(changed, decided, course.variance(), curves, "move" if by_move else "turn")


def _card(best: BestPlay, tries: int | None, progress: Progress) -> Card:
    if best.game.distiller and not best.has_table:
        raise RulesError(
            f"rules of thumb for {best.game} take minutes to find: ask `dicelab distil {best.game}`"
        )
    table = _with_table(best).folded
    large = table.target.size > MANY_OUTCOMES
    if tries is None:
        tries = (24 if large else 60) if table.has_choices else 60 if large else 150
    return distil(table, 2, tries=tries, prove=not large, progress=progress)
