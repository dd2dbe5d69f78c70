"""What everybody gets from every opening of a game in sets, where all play for themselves.

    v(s) = the mean of v(next) over what best play of the set at s leads to,

seat by seat: whoever throws keeps what is best for himself, as the rest of the set is played. The
stages are solved from the last to the first. In a stage whose openings lead to each other, play of
all its sets gives the law of where they lead, a linear system gives what playing so is worth, and
that is improved until nothing changes.

**Bounds.** What a set is worth is a mean of what it leads to, so errors are carried, never grown;
each set adds its own rounding. In a circle let r be the largest difference that one more step makes
to the values, rounding and hairs (below) included, and w(s) at least the expected number of sets
before play leaves the stage, whatever anybody does. Then what playing so brings is off by at most
r x w(s), and what is carried. And nobody gets more than that by playing otherwise, while the others
keep to it: at each of his decisions the values say what is best for him.

Of what is equally good for the one who chooses, one way may be far better for the others. So that
rounding does not decide, a way is only taken before an earlier one if it is better by a hair.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

import numpy as np

from dicelab.core.arrays import Bools, Floats, Ints
from dicelab.core.forecast import refuse_more
from dicelab.core.jobs import bounded
from dicelab.errors import NotSolved, UnknownPosition
from dicelab.rounds.match_values import roundings
from dicelab.rounds.set_kernels import (
    HAIR,
    Casting,
    Room,
    Rounds,
    casting_of,
    follow_rounds,
    room_for,
    value_rounds,
)
from dicelab.rounds.sets import InSets, OneSet, one_set
from dicelab.rules import Position, answers

AGAIN = 24
"""How often the sets of a circle are about played, in all, beside once for making them."""
OPENING_BYTES = 500
"""What it takes to number an opening and to keep what everybody gets from it."""
IN_WORK = 20
"""What it takes to make a set, in sets: what its ends lead to, field by field."""
MOST_IMPROVED = 60
"""How often the values of a stage are improved before what is reached is taken, with its bound."""

Progress = Callable[[float], None]


class Openings:
    """The openings of a game, numbered, and behind them its different ends."""

    def __init__(self, game: InSets, memory: float) -> None:
        many = game.opening_count
        refuse_bytes(game, many * OPENING_BYTES, memory, many)
        at = game.openings()
        self.game, self.kind = game, type(at)
        self.fields = np.array(at, np.int64)  # [fields, openings]
        self.stages = np.broadcast_to(game.stage(at), self.fields.shape[1])
        self._number = {tuple(row): number for number, row in enumerate(self.fields.T.tolist())}
        self._ends: dict[int, int] = {}
        worths: list[list[float]] = []
        for result, each in answers.ends_of(game, game.worth_to(0)).items():
            self._ends[result] = len(self) + len(worths)
            worths.append([float(worth) for worth in each])
        self.worths = np.array(worths)  # [ends, players]

    def __len__(self) -> int:
        return int(self.fields.shape[1])

    def position(self, number: int) -> Position:
        """Return an opening by its number."""
        return self.kind(*self.fields[:, number].tolist())

    def number(self, at: Position) -> int:
        """Return the number of an opening, or of an end behind them."""
        found = self._number.get(tuple(map(int, at)))
        if found is None:
            found = self._ends.get(int(self.game.result(at)))
        if found is None:
            raise UnknownPosition(f"{self.game} never comes to {self.game.notation(at)}")
        return found

    def numbers(self, fields: Ints) -> Ints:
        """Return the numbers of openings and ends, given by their fields `[fields, positions]`."""
        return np.array([self.number(self.kind(*row)) for row in fields.T.tolist()], np.int64)


@dataclass(frozen=True, eq=False)
class SetValues:
    """What everybody gets from each opening, and how far off that may be."""

    openings: Openings
    values: Floats  # [openings, players] the player about to throw first
    errors: Floats  # [openings] at every position of the set that begins there
    is_done: Bools  # [openings]

    @classmethod
    def unknown(cls, game: InSets, memory: float) -> SetValues:
        """Return values of which none is known; even shares, to begin with."""
        openings = Openings(game, memory)
        even = openings.worths.mean(axis=1).mean()
        many = len(openings)
        return cls(
            openings, np.full((many, game.players), even), np.zeros(many), np.zeros(many, bool)
        )

    @property
    def outside(self) -> Floats:
        """What everybody gets from each opening and, behind them, at each end."""
        return np.concatenate([self.values, self.openings.worths])


class Played(NamedTuple):
    """A set that was played for some values."""

    worth: Floats  # [rounds, columns] what each of its rounds brings
    law: Floats  # [outside, columns] where it leads, by how many seats on the next player sits


class Castings:
    """The rounds of a game as the kernels read them."""

    def __init__(self, game: InSets) -> None:
        self.of: list[Casting] = [casting_of(each.round, each.player) for each in game.throws]
        self.results = len(game.throws[0].round.numbers.full)
        self.roundings = max(roundings(each.round) for each in game.throws)

    def play(self, one: OneSet, outside: Floats, follow: bool = False) -> Played:
        """Play a set for what it leads to; with `follow`, find where that leads too."""
        columns = outside.shape[1]
        rooms = [room_for(each, self.results, columns) for each in self.of]
        worth = np.zeros((one.size, columns))
        for level in reversed(one.levels):
            for kind, rounds in zip(level.kinds, level.rounds, strict=True):
                value_rounds(self.of[kind], rounds, worth, outside, rooms[kind])
        law, reached = np.zeros(outside.shape), np.zeros(worth.shape)
        reached[0, 0] = 1.0
        for level in one.levels if follow else ():
            for kind, rounds in zip(level.kinds, level.rounds, strict=True):
                found = worth, outside, rooms[kind], reached, law
                follow_rounds(self.of[kind], rounds, *found)
        return Played(worth, law)

    def one_round(self, one: OneSet, number: int, worth: Floats, outside: Floats) -> Room:
        """Return a round of a set played again, where what the others are worth is known."""
        for level in one.levels:
            for kind, rounds in zip(level.kinds, level.rounds, strict=True):
                place = np.flatnonzero(rounds.here == number)
                if place.size:
                    room = room_for(self.of[kind], self.results, outside.shape[1])
                    alone = Rounds(rounds.here[place], rounds.target[place], rounds.mover[place])
                    value_rounds(self.of[kind], alone, worth.copy(), outside, room)
                    return room
        raise AssertionError(f"a set of {one.size} rounds has no round {number}")

    def off_by(self, rounds: int, size: float) -> float:
        """Return how far off rounds one after another may be by rounding and hairs."""
        decisions = max(each.casts for each in self.of) - 1
        return rounds * (self.roundings * 2.0**-53 * size + decisions * HAIR)


class _Sets(NamedTuple):
    """The sets of a stage whose openings lead to each other."""

    here: Ints  # [sets] the numbers of their openings
    sets: list[OneSet]
    carried: float  # the largest error of an opening of a later stage
    off_by: float  # by how much a set adds to that


def set_values(
    start: SetValues,
    memory: int,
    progress: Progress | None = None,
    keep: Callable[[SetValues], None] | None = None,
) -> SetValues:
    """Return what everybody gets from each opening, from what is known of it already.

    `keep` is called with what is known so far, after every stage and after every step in a circle.
    """
    found, castings = start, Castings(start.openings.game)
    stages = start.openings.stages
    largest = refuse_beyond(start.openings, memory)
    bar = _Bar(found, largest, progress)
    with ThreadPoolExecutor(bounded(-1, len(stages)) or 1) as pool:
        for stage in sorted(set(stages.tolist()), reverse=True):
            here = np.flatnonzero((stages == stage) & ~found.is_done)
            circle = _first_pass(found, castings, pool, here, memory, bar)
            found.is_done[np.setdiff1d(here, circle.here)] = True
            if len(circle.here):
                _settle(found, castings, pool, circle, bar, keep)
                found.is_done[circle.here] = True
            if keep and len(here):
                keep(found)
    return found


class _Bar:
    """How much of the work is done: every set once, and those of a circle again and again."""

    def __init__(self, found: SetValues, again: Bools, progress: Progress | None) -> None:
        self.progress = progress
        self.whole = float(len(found.openings) + AGAIN * again.sum())
        self.done = float(found.is_done.sum() + AGAIN * (again & found.is_done).sum())

    def more(self, sets: float) -> None:
        """Say that so many sets more are done."""
        self.done += sets
        if self.progress:
            self.progress(min(1.0, self.done / self.whole))


def refuse_beyond(openings: Openings, memory: int) -> Bools:
    """Refuse what does not fit, before the work; return whose stage is a circle. `[openings]`

    One set of each stage is made for that: those of a stage are about as large.
    """
    game, is_again = openings.game, np.zeros(len(openings), bool)
    needed = 0
    for stage in np.unique(openings.stages).tolist():
        here = np.flatnonzero(openings.stages == stage)
        one = one_set(game, openings.position(int(here[-1])), openings.numbers, memory)
        is_again[here] = _leads_back(openings, one, stage)
        sets = len(here) if is_again[here[0]] else bounded(-1, len(here)) or 1
        needed = max(needed, sets * one.nbytes + IN_WORK * one.nbytes)
    refuse_bytes(game, needed, memory, len(openings))
    return is_again


def refuse_bytes(game: InSets, needed: float, memory: float, openings: int) -> None:
    """Refuse sets that do not fit."""
    refuse_more(needed, memory, f"{game} has {openings:,} openings of sets, which needs")


def _leads_back(openings: Openings, one: OneSet, stage: int) -> bool:
    """Return whether a set leads to openings of its own stage."""
    to = _outside_of(one)
    return bool((openings.stages[to[to < len(openings)]] == stage).any())


def _outside_of(one: OneSet) -> Ints:
    """Return the numbers of what a set leads to outside of it."""
    every = [np.unique(each.target) for level in one.levels for each in level.rounds]
    codes = np.unique(np.concatenate(every))
    return -1 - codes[codes < 0].astype(np.int64)


def _carried(found: SetValues, one: OneSet) -> float:
    """Return the largest error of an opening, known already, that a set may lead to."""
    to = _outside_of(one)
    later = to[to < len(found.openings)]
    return float(found.errors[later[found.is_done[later]]].max(initial=0.0))


def _first_pass(
    found: SetValues,
    castings: Castings,
    pool: ThreadPoolExecutor,
    here: Ints,
    memory: int,
    bar: _Bar,
) -> _Sets:
    """Fill in what sets are worth that lead to later stages only; return the others."""
    openings, outside = found.openings, found.outside
    size = float(np.abs(outside).max())

    def work(number: int) -> OneSet | None:
        one = one_set(openings.game, openings.position(number), openings.numbers, memory)
        to = _outside_of(one)
        carried[number] = _carried(found, one)
        off_by[number] = castings.off_by(len(one.levels), size)
        if not found.is_done[to[to < len(openings)]].all():
            return one
        found.values[number] = castings.play(one, outside).worth[0]
        found.errors[number] = carried[number] + off_by[number]
        return None

    carried, off_by = np.zeros(len(openings)), np.zeros(len(openings))
    sets: list[OneSet] = []
    numbers, held = [], 0
    for number, one in zip(here.tolist(), _mapped(pool, work, here), strict=True):
        bar.more(1)
        if one is not None:
            numbers.append(number)
            sets.append(one)
            held += one.nbytes
            refuse_bytes(openings.game, held, memory, len(openings))
    return _Sets(np.array(numbers, np.int64), sets, float(carried.max()), float(off_by.max()))


def _mapped(
    pool: ThreadPoolExecutor, work: Callable[[int], OneSet | None], here: Ints
) -> Iterator[OneSet | None]:
    """Yield what work on some openings gives, a few of them under way at a time."""
    pieces = 2 * pool._max_workers
    for begin in range(0, len(here), pieces):
        yield from pool.map(work, here[begin : begin + pieces].tolist())


def _settle(
    found: SetValues,
    castings: Castings,
    pool: ThreadPoolExecutor,
    circle: _Sets,
    bar: _Bar,
    keep: Callable[[SetValues], None] | None,
) -> None:
    """Fill in the values and errors of openings that lead to each other."""
    here, values = circle.here, found.values
    before, best, kept = np.inf, np.inf, values[here].copy()
    for _ in range(MOST_IMPROVED):
        outside = found.outside
        play = partial(castings.play, outside=outside, follow=True)
        played = list(pool.map(play, circle.sets))
        bar.more(len(here))
        now = np.array([each.worth[0] for each in played])
        residual = float(np.abs(now - values[here]).max())
        if residual < best:
            best, kept = residual, values[here].copy()
        if residual <= circle.off_by:
            break
        if residual >= before:  # improving all at once may go round: a step of each calms it
            values[here] = now
        else:
            values[here] = _solved(here, np.array([each.law for each in played]), outside)
        before = residual
        if keep:
            keep(found)
    values[here] = kept
    longest, least = _longest(found, castings, pool, circle, bar)
    off = (best + circle.off_by) * float(longest.max()) / least
    found.errors[here] = circle.carried + off + circle.off_by


def _solved(here: Ints, laws: Floats, outside: Floats, gain: float = 0.0) -> Floats:
    """Return what openings are worth where play goes on by their laws. `[openings, columns]`

    What a set leads to is turned by the seats on which the next player sits.
    """
    many, columns = len(here), outside.shape[1]
    elsewhere = outside.copy()
    elsewhere[here] = 0.0
    matrix, constant = np.zeros((many, columns, many, columns)), np.full((many, columns), gain)
    for seat in range(columns):
        for on in range(columns):
            turned = (seat - on) % columns
            matrix[:, seat, :, turned] += laws[:, here, on]
            constant[:, seat] += laws[:, :, on] @ elsewhere[:, turned]
    flat = np.eye(many * columns) - matrix.reshape(many * columns, many * columns)
    return np.linalg.solve(flat, constant.ravel()).reshape(many, columns)


def _longest(
    found: SetValues, castings: Castings, pool: ThreadPoolExecutor, circle: _Sets, bar: _Bar
) -> tuple[Floats, float]:
    """Return at least how many sets a circle lasts, and the least that w less one step of it is.

    All players together try to stay as long as they can.
    """
    here = circle.here
    outside = np.zeros((len(found.outside), 1))

    def step(follow: bool) -> list[Played]:
        played = pool.map(partial(castings.play, outside=outside, follow=follow), circle.sets)
        bar.more(len(here))
        return list(played)

    for _ in range(MOST_IMPROVED):
        laws = np.array([each.law for each in step(follow=True)])
        try:
            grown = _solved(here, laws, np.zeros_like(outside), 1.0)
        except np.linalg.LinAlgError:
            grown = np.full((len(here), 1), np.inf)
        if not (np.isfinite(grown).all() and grown.min() >= 1 - 1e-9):
            raise NotSolved(
                f"{found.openings.game} has a circle of {len(here)} openings that play may never "
                f"leave: a match of sets must end however it is played"
            )
        if (grown <= outside[here] * (1 + 1e-6)).all():
            break
        outside[here] = np.maximum(outside[here], grown)
    # rounded up, and then what one more step leaves of it is looked at, rounding included
    outside[here] *= 1 + 1e-3
    after = np.array([each.worth[0] for each in step(follow=False)]) * (1 + 1e-9)
    least = float((outside[here] - after).min())
    if least <= 0:
        raise NotSolved(f"{found.openings.game}: no bound was found for a circle of openings")
    return outside[here, 0], least
