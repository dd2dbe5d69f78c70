"""Games played by chance, many of them: a move at a time, or a whole turn at a time.

Where turns have laws (`turn_kernels`), one draw plays one turn. Where a turn can come back to the
same position, or gains something on the way, games are walked a move at a time.

Counts are kept in a `tally` [who starts, how it ended], the lengths of games in turns, and the
score of each pair of games with seats swapped, in half points.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from dicelab.core.arrays import Array, Bools, Ints
from dicelab.core.jit import allocating, inlined, jit
from dicelab.core.results import DRAW, LOSS, ONGOING, WIN
from dicelab.solvers.decisions import Graph
from dicelab.solvers.draws import below, draw, high_word
from dicelab.solvers.turn_kernels import Aliases

A_WINS, B_WINS, DRAWN, NEVER, STOPPED = 0, 1, 2, 3, 4
"""How a game ended: the columns of a tally. STOPPED games were cut off by the turn limit."""


@inlined
def _count(
    tally: Ints,
    lengths: Ints,
    pairs: Ints,
    starter: int,
    end: int,
    turns: int,
    before: int,
) -> int:
    """Enter one finished game; return its score in half points for A, for the pair."""
    tally[starter, end] += 1
    if end < NEVER:
        lengths[turns] += 1
    score = 2 if end == A_WINS else 0 if end == B_WINS else 1
    if before >= 0:
        pairs[before + score] += 1
    return score


@jit
def play_turns(
    state: Ints,
    games: int,
    a: Aliases,
    b: Aliases,
    stuck: Bools,
    start: int,
    seats: int,
    most_turns: int,
    tally: Ints,
    lengths: Ints,
    pairs: Ints,
) -> None:
    """Play games a turn at a time; A starts the first, then they take turns in starting.

    `stuck` [seats, starts] marks where play can never end; it may be empty. `lengths` has
    `most_turns` + 1 entries.
    """
    score = -1
    for g in range(games):
        starter = g & 1 if seats == 2 else 0
        seat, at, turns, end = starter, start, 0, -1
        while end < 0:
            if stuck.size > 0 and stuck[seat, at]:
                end = NEVER
                break
            if turns >= most_turns:
                end = STOPPED
                break
            turns += 1
            laws = a if seat == 0 else b
            low = laws.first[at]
            size = np.uint64(laws.first[at + 1] - low)
            bits = draw(state)
            entry = low + np.int64(high_word(bits, size))
            to = laws.target[entry, 0 if bits * size < laws.cut[entry] else 1]
            if to >= 0:
                at = to
                seat = (seats - 1) - seat
            elif to == -DRAW:
                end = DRAWN
            else:
                end = A_WINS if (to == -WIN) == (seat == 0) else B_WINS
        score = _count(tally, lengths, pairs, starter, end, turns, score if starter == 1 else -1)


class Players(NamedTuple):
    """A game whose players have decided, its chances in whole parts."""

    graph: Graph
    result: Array  # [positions]
    choice: Array  # [seats, positions] the row played
    parts: Array  # [seats, rows] the chances of rows, for those who mix,
    mixes: Array  # [seats] who these are,
    wholes: Array  # [seats] and how many parts make a whole
    numerators: Array  # [kinds] the chances of outcomes,
    whole: np.uint64  # out of so many parts


@inlined
def _outcome(state: Array, players: Players, seat: int, at: int) -> int:
    """Return what comes of a move at a position: one that the plan makes, by chance if it mixes."""
    graph = players.graph
    row = players.choice[seat, at]
    if players.mixes[seat]:
        row = graph.move_first[at]
        last = graph.move_first[at + 1] - 1
        if row < last:
            left = below(state, players.wholes[seat])
            while row < last and left >= players.parts[seat, row]:
                left -= players.parts[seat, row]
                row += 1
    o = graph.first[row]
    last = graph.first[row + 1] - 1
    if o < last:
        left = below(state, players.whole)
        while o < last and left >= players.numerators[graph.kind[o]]:
            left -= players.numerators[graph.kind[o]]
            o += 1
    return o


@jit
def play_moves(
    state: Array,
    games: int,
    players: Players,
    gains: Array,
    worths: Array,
    end_kind: Array,
    paid: Array,
    stuck: Array,
    start: int,
    seats: int,
    most_turns: int,
    tally: Array,
    lengths: Array,
    pairs: Array,
    sums: Array,
) -> None:
    """Play games a move at a time; A starts the first, then they take turns in starting.

    `sums` collects what games brought A, gains on the way and the worth of the end together: the
    sum and the sum of squares. What B gains, A pays. `worths` [who starts, who would move, results]
    is what ends are worth to A; `paid` [kinds of ends] is what the kind of end at each position
    pays beside that, where `end_kind` [positions] tells it. The worth of a game that goes on is
    that of never ending; where it is infinite, only those that ended count.
    """
    graph, result = players.graph, players.result
    score = -1
    for g in range(games):
        starter = g & 1 if seats == 2 else 0
        seat, at, turns, end, moves, gained = starter, start, 1, -1, 0, 0.0
        while end < 0:
            if result[at] != ONGOING:
                if result[at] == DRAW:
                    end = DRAWN
                else:
                    end = A_WINS if (result[at] == WIN) == (seat == 0) else B_WINS
                break
            if stuck.size > 0 and stuck[seat, at]:
                end = NEVER
                break
            if turns > most_turns or moves >= most_turns:
                end = STOPPED
                break
            o = _outcome(state, players, seat, at)
            gained += gains[graph.kind[o]] if seat == 0 else -gains[graph.kind[o]]
            at = graph.target[o]
            moves += 1
            if graph.turns[graph.kind[o]] > 0:
                seat = (seats - 1) - seat
                if result[at] == ONGOING:
                    turns += 1
                    moves = 0
        score = _count(
            tally,
            lengths,
            pairs,
            starter,
            end,
            min(turns, most_turns),
            score if starter == 1 else -1,
        )
        endless = worths[0, 0, ONGOING] == np.inf
        if end < NEVER or (end == NEVER and not endless) or seats == 2:
            brought = gained + worths[starter, seat, result[at]]
            if end < NEVER and end_kind.size > 0:
                brought += paid[end_kind[at]] if seat == 0 else -paid[end_kind[at]]
            sums[0] += brought
            sums[1] += brought * brought


@jit
def play_seats(
    state: Array,
    games: int,
    players: Players,
    won: Array,
    end_kind: Array,
    worths: Array,
    stuck: Array,
    start: int,
    first: int,
    most_turns: int,
    tally: Array,
    lengths: Array,
    paid: Array,
) -> None:
    """Play games of three seats and more, a move at a time; they take turns in starting.

    `won` [results, seats] says who has won at an end, so many seats on; `worths` [ends, seats] what
    an end brings who sits so far on, its last row what never ending does. `tally` [who starts,
    ends] counts wins by seat, draws, games that never end, and those stopped; `paid` [seats, 2]
    adds up what each gets and its square.
    """
    graph, result, seats = players.graph, players.result, players.choice.shape[0]
    drawn, endless, stopped = seats, seats + 1, seats + 2
    for g in range(games):
        starter = (first + g) % seats
        seat, at, turns, end, moves = starter, start, 1, -1, 0
        while end < 0:
            if result[at] != ONGOING:
                end = 0 if won[result[at]].any() else drawn
                break
            if stuck.size > 0 and stuck[seat, at]:
                end = endless
                break
            if turns > most_turns or moves >= most_turns:
                end = stopped
                break
            o = _outcome(state, players, seat, at)
            at = graph.target[o]
            moves += 1
            if graph.turns[graph.kind[o]] > 0:
                seat = (seat + graph.turns[graph.kind[o]]) % seats
                if result[at] == ONGOING:
                    turns += 1
                    moves = 0
        if end >= drawn:
            tally[starter, end] += 1
        if end <= drawn:
            lengths[min(turns, most_turns)] += 1
        for other in range(seats):
            brought = worths[worths.shape[0] - 1, 0]
            if end <= drawn:
                on = (other - seat) % seats
                brought = worths[end_kind[at], on]
                tally[starter, other] += won[result[at], on]
            paid[other, 0] += brought
            paid[other, 1] += brought * brought


@inlined
def _pick(state: Array, parts: Array, low: int, last: int, whole: np.uint64) -> int:
    """Return a place from `low` to `last`, each as likely as its parts of the whole say."""
    if low == last:
        return low
    left = below(state, whole)
    while low < last and left >= parts[low]:
        left -= parts[low]
        low += 1
    return low


@allocating
def play_races(
    state: Array,
    games: int,
    results: Array,
    number_at: Array,
    move_first: Array,
    choice: Array,
    parts: Array,
    mixes: Array,
    wholes: Array,
    throws: Array,
    whole: np.uint64,
    start: Array,
    most_turns: int,
    tally: Array,
    lengths: Array,
    pairs: Array,
) -> None:
    """Play races in which both throw at once; nobody starts, but games are counted in turns.

    `results` and `number_at` are by scores, `throws` [moves, points] in parts of `whole`. Both
    choose, A first, then both throw, A first.
    """
    score, most = -1, throws.shape[1] - 1
    moves = np.empty(2, np.int64)
    scores = np.empty(2, np.int64)
    for g in range(games):
        starter, turns, end = g & 1, 0, -1
        scores[0], scores[1] = start[0], start[1]
        while results[scores[0], scores[1]] == ONGOING:
            if turns >= most_turns:
                end = STOPPED
                break
            turns += 1
            for seat in range(2):
                at = number_at[scores[seat], scores[1 - seat]]
                low, last = move_first[at], move_first[at + 1] - 1
                row = choice[seat, at]
                if mixes[seat]:
                    row = _pick(state, parts[seat], low, last, wholes[seat])
                moves[seat] = row - low
            for seat in range(2):
                scores[seat] += _pick(state, throws[moves[seat]], 0, most, whole)
        if end < 0:
            result = results[scores[0], scores[1]]
            end = A_WINS if result == WIN else B_WINS if result == LOSS else DRAWN
        score = _count(tally, lengths, pairs, starter, end, turns, score if starter == 1 else -1)
