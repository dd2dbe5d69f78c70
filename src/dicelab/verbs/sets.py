"""solve for games in sets, for three players and more: stage by stage, what is inside made again.

A number for each player is kept at every opening, where a set begins, and nowhere else: the match
of 421 for three has 331 openings and 34 million positions. What happens inside a set follows from
them, in a tenth of a second, whenever a position there is asked about.

What is found is a profile, as `profile` finds it on a table: whoever throws keeps what is best for
himself. The proof is in `rounds.set_values`. Small games are solved on their table, where other
equilibria are looked for as well; the tests hold the two against each other.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from dicelab.core.arrays import Floats, Real
from dicelab.core.forecast import Forecast
from dicelab.core.jobs import bounded
from dicelab.core.lazy import lazy
from dicelab.errors import UnknownPosition
from dicelab.rounds.set_kernels import HAIR, Room
from dicelab.rounds.set_values import AGAIN, IN_WORK, Castings, SetValues, set_values
from dicelab.rounds.sets import InRound, InSets, OneSet, one_set
from dicelab.rules import ONGOING, Game, Moment, Position
from dicelab.solvers.settle import Progress
from dicelab.strategies.plan import Plan
from dicelab.table import Table, compile, memory_limit
from dicelab.verbs.match import in_short, ranked
from dicelab.verbs.profile import MOST_COMPARED, solve_profile
from dicelab.verbs.profile_solution import Profile
from dicelab.verbs.set_file import load, save
from dicelab.verbs.solution import BEST, MoveValue, Sheet, Solution

MOST_REMEMBERED = 8
"""Sets made again that a solution remembers: a player asks about one of them several times."""


@dataclass(frozen=True, eq=False)
class SetInside:
    """A set made again: what its rounds bring everybody, and how far off that may be."""

    one: OneSet
    worth: Floats  # [rounds, players]
    error: float
    rooms: dict[int, Room] = field(default_factory=dict)  # rounds that were asked about


@dataclass(frozen=True, eq=False, repr=False)
class SetsSolution(Profile):
    """What everybody gets at every position, from what openings bring."""

    rules: InSets
    known: SetValues
    seconds: float
    method: str = "certified float sets, stage by stage, each player for himself"
    exact: bool = False
    remembered: dict[Position, SetInside] = field(default_factory=dict)

    @property
    def game(self) -> Game:
        """The game that was solved."""
        return self.rules

    @property
    def positions(self) -> int:
        """How many openings were solved."""
        return len(self.known.openings)

    @property
    def extent(self) -> str:
        """How much was solved, in words."""
        return f"{self.positions:,} openings of sets"

    @property
    def sweeps(self) -> int:  # type: ignore[override]
        """How many openings were solved."""
        return self.positions

    @property
    def temptation(self) -> Real:  # type: ignore[override]
        """The most that anybody could gain, from any position, by changing his own strategy."""
        return float(np.nextafter(2 * self.known.errors.max(), np.inf))

    @property
    def largest(self) -> Real:
        """The largest worth of an end."""
        return float(np.abs(self.known.openings.worths).max())

    @lazy
    def castings(self) -> Castings:
        """The rounds of the game as they are played."""
        return Castings(self.rules)

    @lazy
    def table(self) -> Table:
        """The graph of positions, made when something asks for it."""
        return compile(self.rules)

    @lazy
    def plan(self) -> Plan:
        """A profile on the graph of positions."""
        return self.on(self.table).plan

    @lazy
    def ties(self) -> Sequence[Position]:
        """The positions of the graph where several moves are best, or cannot be told apart."""
        return self.on(self.table).ties

    def on(self, table: Table) -> Solution:
        """Return a solution on the graph of positions that somebody has made."""
        return solve_profile(table)

    @property
    def may_draw(self) -> bool:
        """Whether the game may end in a draw: not where one of several has always won."""
        return False

    def save(self, path: str | Path) -> None:
        """Write what every opening brings: as CSV if the name ends so, else compact."""
        save(self.known, path)

    def located(self, at: Position | str) -> Position:
        """Return a position, or a moment after a throw, read where it is in notation."""
        return self.rules.read(at) if isinstance(at, str) else at

    def notation(self, at: Position | str) -> str:
        """Return the notation of a position."""
        return self.rules.write(self.located(at))

    def inside(self, opening: Position) -> SetInside:
        """Return the set that begins at an opening, made again or remembered."""
        found = self.remembered.get(opening)
        if found is None:
            openings = self.known.openings
            number = openings.number(opening)  # refused where there is none
            one = one_set(self.rules, opening, openings.numbers, memory_limit())
            worth = self.castings.play(one, self.known.outside).worth
            found = SetInside(one, worth, float(self.known.errors[number]))
            if len(self.remembered) >= MOST_REMEMBERED:
                self.remembered.pop(next(iter(self.remembered)), None)
            self.remembered[opening] = found
        return found

    def _round(self, place: InRound) -> Room:
        """Return the round of a position, played again or remembered."""
        inside = self.inside(place.opening)
        number = inside.one.number(place.begins)
        if number < 0:
            raise UnknownPosition(
                f"no play of {self.rules} leads to {self.rules.notation(place.begins)}: "
                f"try the start, {self.rules.notation(self.rules.start())!r}"
            )
        if number not in inside.rooms:
            played = inside.one, number, inside.worth, self.known.outside
            inside.rooms[number] = self.castings.one_round(*played)
        return inside.rooms[number]

    def _values(self, at: Position) -> tuple[list[float], float]:
        """Return what everybody gets at a position, and how far off that may be."""
        openings = self.known.openings
        if int(self.rules.result(at)) != ONGOING:
            return openings.worths[openings.number(at) - len(openings)].tolist(), 0.0
        place = self.rules.in_round(at)
        if at == place.opening:
            number = openings.number(at)
            return self.known.values[number].tolist(), float(self.known.errors[number])
        room = self._round(place)
        self._refuse_strange(at, place, room)
        return room.worth[place.casts, place.kept].tolist(), self.inside(place.opening).error

    def _refuse_strange(self, at: Position, place: InRound, room: Room) -> None:
        """Refuse dice aside, or casts, that no round comes to."""
        casts, kept, _ = room.worth.shape
        if not (0 <= place.casts < casts and 0 <= place.kept < kept) or (
            place.kept and not place.casts
        ):
            raise UnknownPosition(f"no round of {self.rules} comes to {self.rules.notation(at)}")

    def by_seat(self, at: Position | str) -> list[Real]:
        """Return the values by seat, that of the player about to move first.

        After a throw that leaves a choice they are those of the way that the strategy takes.
        """
        place = self.located(at)
        if not isinstance(place, Moment):
            return list(self._values(place)[0])
        return list(self._taken(place)[1])

    def way_at(self, at: Moment) -> str:
        """Return the way that the strategy takes after a throw."""
        return self._taken(at)[0]

    def _taken(self, at: Moment) -> tuple[str, list[float]]:
        """Return the way that the strategy takes after a throw, and what it brings everybody."""
        ways = [(way.name, self._turned(way.at, way.mover)) for way in self.rules.open_ways(at)]
        best = ways[0]
        for other in ways[1:]:
            if other[1][0] > best[1][0] + HAIR:  # as the sets were played
                best = other
        return best

    def _turned(self, at: Position, mover: int) -> list[float]:
        """Return what a position brings, seen by who sits so many seats before its player."""
        values, _ = self._values(at)
        return [values[(seat - mover) % len(values)] for seat in range(len(values))]

    def bounds_by_seat(self, at: Position | str) -> list[tuple[Real, Real]]:
        """Return the certified bounds of the values by seat."""
        error = self._error(self.located(at))
        return [(value - error, value + error) for value in self.by_seat(at)]

    def _error(self, at: Position) -> float:
        if not isinstance(at, Moment):
            return self._values(at)[1]
        return max(self._values(way.at)[1] for way in self.rules.open_ways(at))

    def value_at(self, at: Position | str) -> Real:
        """Return what a position brings the player about to move."""
        return self.by_seat(at)[0]

    def bounds_at(self, at: Position | str) -> tuple[Real, Real]:
        """Return the certified bounds of that."""
        return self.bounds_by_seat(at)[0]

    def first_throws(self) -> list[tuple[str, str]]:
        """Return every first throw at the start and what the strategy then does."""
        start = self.rules.start()
        (move,) = self.rules.legal_moves(start)
        found = []
        for chance, outcome in self.rules.law(start, move):
            if chance and isinstance(outcome.at, Moment):
                found.append((outcome.at.shown, self.moves_at(outcome.at)[0].move))
        return found[::-1]

    def summary(self) -> list[str]:
        """Return what to do after a few first throws."""
        return in_short("After a first throw", self.first_throws())

    def sheet(self) -> Sheet | None:
        """Return what to do after every first throw, on one page."""
        told, rules = self.first_throws(), self.rules
        at = rules.notation(rules.start())
        return Sheet(f"{rules} at {at}: what to do after a first throw", told) if told else None

    def moves_at(self, at: Position | str) -> list[MoveValue]:
        """Return every legal move at a position with its value, best first."""
        place = self.located(at)
        if not isinstance(place, Moment):
            if int(self.rules.result(place)) != ONGOING:
                raise UnknownPosition(
                    f"the game is over at {self.rules.notation(place)}: there is no move to make"
                )
            value, error = float(self.value_at(place)), self._error(place)
            (move,) = self.rules.legal_moves(place)
            return [MoveValue(move, value, value - error, value + error, 0.0, BEST)]
        found = []
        for way in self.rules.open_ways(place):
            found.append((way.name, self._turned(way.at, way.mover)[0], self._values(way.at)[1]))
        return ranked(found)


def solve_sets(
    game: InSets,
    exact: bool = False,
    progress: Progress | None = None,
    began: float | None = None,
    memory: int | None = None,
    checkpoint: str | Path | None = None,
) -> Solution:
    """Return a profile of a game in sets for three and more, with the proof that it is stable.

    Small games, and exact mode, go by the table of all positions.
    """
    began = time.perf_counter() if began is None else began
    if exact or (is_small(game) and checkpoint is None):
        return solve_profile(compile(game, memory, exact=exact), exact, progress, began)
    limit = memory_limit() if memory is None else memory
    start = SetValues.unknown(game, limit)
    if checkpoint is not None and Path(checkpoint).exists():
        start = load(checkpoint, game, unfinished=True)
    keep: Any = None if checkpoint is None else partial(save, path=checkpoint)
    found = set_values(start, limit, progress, keep)
    return SetsSolution(game, found, time.perf_counter() - began)


def forecast_sets(game: InSets) -> Forecast:
    """Return how much work it is to solve a game in sets, by one set that is made and played.

    The sets of the last stage are played again and again; all others are taken to be as large as
    the first one.
    """
    if is_small(game):
        return Forecast(f"{game.size():,} positions", 0.0, 0.0)
    memory = memory_limit()
    start = SetValues.unknown(game, memory)
    openings, castings = start.openings, Castings(game)
    cores, seconds, held = bounded(-1, len(openings)) or 1, 0.0, 0.0
    last = openings.stages == openings.stages.max()
    for here, often in ((np.flatnonzero(~last), 1), (np.flatnonzero(last), AGAIN)):
        if not here.size:
            continue
        began = time.thread_time()  # what else the machine does now is no measure
        one = one_set(game, openings.position(int(here[0])), openings.numbers, memory)
        made = time.thread_time()
        castings.play(one, start.outside, follow=True)
        played = time.thread_time() - made
        seconds += len(here) * (made - began + often * played) / cores
        held = max(held, (IN_WORK + (len(here) if often > 1 else cores)) * one.nbytes)
    return Forecast(f"{len(openings):,} openings of sets", held, seconds)


def is_small(game: InSets) -> bool:
    """Return whether a game in sets is solved on its table, where equilibria are compared."""
    return game.players * (game.size() or MOST_COMPARED) < MOST_COMPARED


def load_sets(path: str | Path, game: InSets) -> SetsSolution:
    """Return a solution that `SetsSolution.save` wrote, refused unless it is for this game.

    Nothing is solved again: sets are made from the file's values.
    """
    began = time.perf_counter()
    known = load(path, game)
    return SetsSolution(game, known, time.perf_counter() - began, method="read from a file")
