"""A game in sets: everybody throws a round in turn, then something changes hands.

At such a game play goes through *openings*, at which a set begins. There are few of them, and all
that happens within a set is made again from what its ends lead to; so only openings have numbers
that are kept. Openings have *stages*: a number that never falls while one plays, such as the tokens
that have left the pot. A stage is solved once all later ones are.

The rules stay those of the game. What it says besides is how they go in rounds (`InSets`): which
positions begin a set, which round is thrown at a position, and what a result leads to.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dicelab.core.arrays import Bools, Ints
from dicelab.core.forecast import refuse_more
from dicelab.errors import RulesError
from dicelab.rounds.match import Throws
from dicelab.rounds.set_kernels import Rounds
from dicelab.rounds.standings import casts_of
from dicelab.rules import ONGOING, Game, Position, Way

MOST_CELLS = 1 << 24
"""Up to how large numbers are told apart by marking them."""
MOST_ROUNDS = 1000
"""Rounds one after another beyond which a set does not end."""
END_BYTES = 100
"""What it takes to find where one end of a round leads, field by field."""


class InRound(NamedTuple):
    """Where a position lies in its set and in its round."""

    opening: Position  # at which the set began
    begins: Position  # the position before the first cast of the round
    kept: int  # the number of the combination that is kept
    casts: int  # how many were made


class InSets(Game):
    """What a game of rounds says that is played in sets; positions may be arrays, as in all rules.

    A round begins at a position with nothing kept and all casts to make.
    """

    @property
    @abstractmethod
    def throws(self) -> tuple[Throws, ...]:
        """The rounds that may be thrown, all with the same dice."""

    @property
    @abstractmethod
    def opening_count(self) -> int:
        """How many openings there are, known without making them."""

    @abstractmethod
    def openings(self) -> Position:
        """Return all positions at which a set may begin, as arrays; the usual start is one."""

    @abstractmethod
    def stage(self, at: Position) -> Ints:
        """Return the stage of an opening: a number that never falls while one plays."""

    @abstractmethod
    def begins_set(self, at: Position) -> Bools:
        """Return whether a set begins at a position where a round does."""

    @abstractmethod
    def round_at(self, at: Position) -> Ints:
        """Return which of `throws` is thrown at a position where a round begins."""

    @abstractmethod
    def round_ends(self, at: Position, cast: Ints, result: int) -> Iterable[Way]:
        """Yield the ways of which one follows where the round that begins there ends so.

        `result` counts from 0 among the combinations of all dice; `cast` is how many casts it took.
        """

    @abstractmethod
    def in_round(self, at: Position) -> InRound:
        """Return where one position lies in its set and in its round."""


class Level(NamedTuple):
    """Rounds of a set that are as many rounds from its beginning, by the kind that is thrown."""

    kinds: tuple[int, ...]
    rounds: tuple[Rounds, ...]


class OneSet(NamedTuple):
    """The rounds of a set, first ones first, and what each result leads to."""

    fields: NDArray[np.int32]  # [fields, rounds] the positions at which they begin
    levels: tuple[Level, ...]

    @property
    def size(self) -> int:
        """How many rounds it has."""
        return int(self.fields.shape[1])

    def number(self, at: Position) -> int:
        """Return the number of the round that begins at a position, or -1 if none does."""
        same = (self.fields == np.array(at, np.int32)[:, None]).all(axis=0)
        return int(same.argmax()) if same.any() else -1

    @property
    def nbytes(self) -> int:
        """How many bytes it takes."""
        every = (rounds for level in self.levels for rounds in level.rounds)
        return self.fields.nbytes + sum(each.nbytes for rounds in every for each in rounds)


Outside = Callable[[Ints], Ints]
"""What numbers positions, given by their fields `[positions, fields]`, that no set goes on at."""


def one_set(game: InSets, at: Position, outside: Outside, memory: float) -> OneSet:
    """Return the rounds of a set, or what is left of one, from a position where a round begins.

    Rounds that would not fit in memory are refused before they are made.
    """
    kind = type(at)
    fields = np.array([at], np.int32).T
    size, levels, met = 0, [], []
    for _ in range(MOST_ROUNDS):
        many = fields.shape[1]
        met.append(fields)
        numbers = np.arange(size, size + many)
        size += many
        which = np.broadcast_to(game.round_at(kind(*fields)), many)
        # All who must make every cast are asked about at once.
        groups: dict[int, Bools] = {}
        for one in np.unique(which).tolist():
            slots = len(casts_of(game.throws[one]))
            groups[slots] = groups.get(slots, np.zeros(many, bool)) | (which == one)
        results = len(game.throws[0].round.numbers.full)
        ways = sum(slots * int(here.sum()) for slots, here in groups.items()) * results
        told = f"a set of {game} comes to its round {len(met)} in {many:,} ways"
        refuse_more(END_BYTES * ways, memory, f"{told}, which need")
        ends = [_ends_of(game, kind(*fields[:, here]), which[here]) for here in groups.values()]
        flat = np.concatenate([meant.reshape(len(fields), -1) for meant, _ in ends], axis=1)
        code, fields = _numbered(game, kind, flat, size, outside)
        begin, rounds = 0, {}
        for here, (_, mover) in zip(groups.values(), ends, strict=True):
            target = code[begin : begin + mover.size].reshape(mover.shape)
            begin += mover.size
            for one in np.unique(which[here]).tolist():
                mine = which[here] == one
                rounds[one] = Rounds(
                    numbers[here][mine],
                    np.ascontiguousarray(np.moveaxis(target[..., mine], -1, 0)),
                    np.ascontiguousarray(np.moveaxis(mover[..., mine], -1, 0)),
                )
        levels.append(Level(tuple(rounds), tuple(rounds.values())))
        if not fields.size:
            return OneSet(np.concatenate(met, axis=1), tuple(levels))
    raise RulesError(f"{game} has a set of more than {MOST_ROUNDS} rounds: a set must end")


def _ends_of(game: InSets, at: Position, which: Ints) -> tuple[NDArray[np.int32], NDArray[np.int8]]:
    """Return the positions that follow some rounds, and how many seats on the turn passes.

    The first are `[fields, slots, results, rounds]`. The rounds may end equally often.
    """
    throws = [game.throws[one] for one in np.unique(which).tolist()]
    casts = np.zeros((len(casts_of(throws[0])), len(which)), np.int32)
    for one in np.unique(which).tolist():
        casts[:, which == one] = np.array(casts_of(game.throws[one]))[:, None]
    results = len(throws[0].round.numbers.full)
    shape = (len(casts), results, len(which))
    meant, mover = np.zeros((len(at), *shape), np.int32), np.zeros(shape, np.int8)
    for slot, cast in enumerate(casts):
        for result in range(results):
            ways = np.zeros(len(which), np.int8)
            for way in game.round_ends(at, cast, result):
                is_open = np.broadcast_to(way.allowed, len(which))
                if not is_open.any():
                    continue
                ways += is_open
                np.copyto(mover[slot, result], np.int8(way.mover), where=is_open)
                for field, value in zip(meant, way.at, strict=True):
                    np.copyto(field[slot, result], value, casting="same_kind", where=is_open)
            if (ways != 1).any():
                _refuse_ways(game, at, throws[0], result, ways)
    return meant, mover


def _refuse_ways(game: InSets, at: Position, throws: Throws, result: int, ways: Ints) -> None:
    """Refuse a set in which a result leads nowhere, or leaves a choice."""
    wrong = int(np.flatnonzero(ways != 1)[0])
    one = type(at)(*(int(field[wrong]) for field in at))
    shown = throws.round.numbers.write(throws.round.numbers.full[result])
    raise RulesError(
        f"{game} has {int(ways[wrong])} ways on from {game.notation(one)} with {shown}: "
        f"in a set there must be one"
    )


def _numbered(
    game: InSets, kind: type[Any], flat: NDArray[np.int32], size: int, outside: Outside
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Return the numbers of positions as targets, and the fields of those that go on with a set.

    Fields are `[fields, positions]`.
    """
    least = flat.min(axis=1)
    spans = (flat.max(axis=1) - least + 1).tolist()
    key = np.zeros(flat.shape[1], np.int64)
    for field, low, span in zip(flat, least, spans, strict=True):
        key *= span
        key += field - low
    found, place = _different(key, math.prod(spans))
    met = np.empty((len(flat), len(found)), np.int32)
    for field in range(len(flat) - 1, -1, -1):
        found, met[field] = np.divmod(found, spans[field])
    met += least[:, None]
    at = kind(*met)
    goes_on = ~np.broadcast_to(game.begins_set(at), met.shape[1]) & (game.result(at) == ONGOING)
    code = np.empty(met.shape[1], np.int32)
    code[goes_on] = size + np.arange(goes_on.sum())
    if not goes_on.all():
        code[~goes_on] = -1 - outside(met[:, ~goes_on])
    return code[place], met[:, goes_on]


def _different(key: NDArray[np.int64], span: int) -> tuple[Ints, Ints]:
    """Return the different ones of some numbers below `span`, rising, and which each is."""
    if span > MOST_CELLS:
        found, place = np.unique(key, return_inverse=True)
        return found, place.ravel()
    is_met = np.zeros(span, bool)  # which needs no sorting
    is_met[key] = True
    return np.flatnonzero(is_met), (np.cumsum(is_met, dtype=np.int32) - 1)[key]
