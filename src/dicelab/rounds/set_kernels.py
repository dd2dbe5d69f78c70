"""What the rounds of a set are worth to everybody, and where play of a set leads.

A round is played from its last cast to its first: whoever throws keeps what is best for himself,
and everybody gets what follows from it. `target` and `mover` say what each result leads to after
each cast with which the round may end: a round of the same set, by its number, or, below 0, a place
outside of it (-1 is the first). Numbers of players stand seat by seat from whoever is about to
throw, so that what follows a result is turned by the seats that the turn passes.

Where only one number is kept for all (one column), everybody wants the most of it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dicelab.core.arrays import Floats, Ints
from dicelab.core.jit import inlined, jit
from dicelab.rounds.rules import Player, Round

HAIR = 2.0**-49
"""By so much a way must be better to be taken before an earlier one."""


class Casting(NamedTuple):
    """A round as the kernels read it: the cast law, and what may be kept of each table."""

    casts: int
    may_stop: bool  # a first player may end the round after any cast
    row: Ints  # [kept + 1] the throws beside each combination that is kept
    table: Ints  # [throws]
    chance: Floats  # [throws]
    shows: Ints  # [tables] the result that lies there
    start: Ints  # [tables] what may be kept of it, all dice left out
    stop: Ints  # [tables]
    option: Ints
    kept: int  # combinations that leave dice to be cast


class Room(NamedTuple):
    """Where a round is worked out."""

    paid: Floats  # [slots, results, columns] what its ends bring
    worth: Floats  # [casts, kept, columns] what is kept, after so many casts
    table: Floats  # [tables, columns]
    best: Ints  # [casts, tables] what is kept of a table; -1: the round ends
    chance: Floats  # [casts, kept] how likely it is to be kept
    ended: Floats  # [slots, results] how likely it is to end so


class Rounds(NamedTuple):
    """Rounds of one kind in a set, and what each result leads to."""

    here: NDArray[np.int64]  # [rounds] their numbers in the set
    target: NDArray[np.int32]  # [rounds, slots, results]
    mover: NDArray[np.int8]  # the same shape: seats on


def casting_of(game: Round, player: Player) -> Casting:
    """Return a round as the kernels read it."""
    matrices, full = game.matrices, game.numbers.full
    return Casting(
        game.casts,
        player == "first",
        matrices.row,
        matrices.table,
        game.chances,
        matrices.shows - full.start,
        matrices.start[:-1],
        matrices.start[1:] - 1,
        matrices.option,
        full.start,
    )


def room_for(casting: Casting, results: int, columns: int) -> Room:
    """Return room to work a round out in."""
    slots = casting.casts if casting.may_stop else 1
    tables = len(casting.shows)
    return Room(
        np.zeros((slots, results, columns)),
        np.zeros((casting.casts, casting.kept, columns)),
        np.zeros((tables, columns)),
        np.zeros((casting.casts, tables), np.int64),
        np.zeros((casting.casts, casting.kept)),
        np.zeros((slots, results)),
    )


@inlined
def _pay(rounds: Rounds, one: int, known: Floats, outside: Floats, room: Room) -> None:
    """Look up what each end of a round brings everybody, whoever throws it first."""
    columns = room.paid.shape[2]
    for slot in range(room.paid.shape[0]):
        for result in range(room.paid.shape[1]):
            to, on = rounds.target[one, slot, result], rounds.mover[one, slot, result]
            for seat in range(columns):
                turned = seat - on if columns > 1 else seat
                turned = turned + columns if turned < 0 else turned
                if to >= 0:
                    room.paid[slot, result, seat] = known[to, turned]
                else:
                    room.paid[slot, result, seat] = outside[-1 - to, turned]


@jit
def _play(casting: Casting, room: Room) -> None:
    """Play a round from its last cast to its first, by what its ends bring."""
    columns = room.paid.shape[2]
    tables = len(casting.shows)
    first_tables = casting.row[1]
    for cast in range(casting.casts, 0, -1):
        is_last = cast == casting.casts
        slot = room.paid.shape[0] - 1 if is_last else cast - 1
        # Before the first cast nothing is kept, so that only its own tables matter.
        for place in range(tables if cast > 1 else first_tables):
            table = place if cast > 1 else casting.table[place]
            best = -1
            if not is_last:
                begin = casting.start[table]
                best = casting.option[begin]
                most = room.worth[cast, best, 0]
                for other in range(begin + 1, casting.stop[table]):
                    option = casting.option[other]
                    if room.worth[cast, option, 0] > most + HAIR:
                        best, most = option, room.worth[cast, option, 0]
                if casting.may_stop and room.paid[slot, casting.shows[table], 0] > most + HAIR:
                    best = -1
            room.best[cast - 1, table] = best
            for seat in range(columns):
                if best < 0:
                    room.table[table, seat] = room.paid[slot, casting.shows[table], seat]
                else:
                    room.table[table, seat] = room.worth[cast, best, seat]
        for kept in range(casting.kept if cast > 1 else 1):
            for seat in range(columns):
                total = 0.0
                for throw in range(casting.row[kept], casting.row[kept + 1]):
                    total += casting.chance[throw] * room.table[casting.table[throw], seat]
                room.worth[cast - 1, kept, seat] = total


@jit
def value_rounds(
    casting: Casting, rounds: Rounds, known: Floats, outside: Floats, room: Room
) -> None:
    """Fill in what rounds of one kind are worth, where all that follows them is known."""
    for one in range(len(rounds.here)):
        _pay(rounds, one, known, outside, room)
        _play(casting, room)
        for seat in range(known.shape[1]):
            known[rounds.here[one], seat] = room.worth[0, 0, seat]


@jit
def _follow(casting: Casting, room: Room) -> None:
    """Work out how likely a round that was played is to end after each cast with each result."""
    room.ended[:] = 0.0
    room.chance[:] = 0.0
    room.chance[0, 0] = 1.0
    for cast in range(1, casting.casts + 1):
        slot = room.paid.shape[0] - 1 if cast == casting.casts else cast - 1
        for kept in range(casting.kept):
            likely = room.chance[cast - 1, kept]
            if likely == 0.0:
                continue
            for throw in range(casting.row[kept], casting.row[kept + 1]):
                table = casting.table[throw]
                best = room.best[cast - 1, table]
                if best < 0:
                    room.ended[slot, casting.shows[table]] += likely * casting.chance[throw]
                else:
                    room.chance[cast, best] += likely * casting.chance[throw]


@jit
def follow_rounds(
    casting: Casting,
    rounds: Rounds,
    known: Floats,
    outside: Floats,
    room: Room,
    reached: Floats,
    law: Floats,
) -> None:
    """Add where rounds lead that are thrown with some chance.

    `reached` [rounds of the set, seats] and `law` [outside, seats] have the chance that play comes
    there, by how many seats on from who began the set the next player then sits.
    """
    seats = known.shape[1]
    for one in range(len(rounds.here)):
        here = rounds.here[one]
        likely = 0.0
        for seat in range(seats):
            likely += reached[here, seat]
        if likely == 0.0:
            continue
        _pay(rounds, one, known, outside, room)
        _play(casting, room)
        _follow(casting, room)
        for slot in range(room.ended.shape[0]):
            for result in range(room.ended.shape[1]):
                chance = room.ended[slot, result]
                if chance == 0.0:
                    continue
                to, on = rounds.target[one, slot, result], rounds.mover[one, slot, result]
                for seat in range(seats):
                    turned = (seat + on) % seats
                    if to >= 0:
                        reached[to, turned] += reached[here, seat] * chance
                    else:
                        law[-1 - to, turned] += reached[here, seat] * chance
