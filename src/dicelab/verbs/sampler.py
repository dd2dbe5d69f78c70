"""A walker: two plans on one table, made ready to play any number of games.

It plays *by turns* where the turns have a law of their own, one draw a turn, and *by moves*
otherwise. Games come in blocks; a block has its own seed, so the same games are played whatever
process plays which block. A walker holds only arrays, so it can be sent to another machine.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from dicelab.core.arrays import Array, Bools, Ints
from dicelab.rules import ONGOING, SEEN_BY_OTHER
from dicelab.solvers import sampling_kernels
from dicelab.solvers.draws import seeded
from dicelab.solvers.problem import graph_of
from dicelab.solvers.sampling_kernels import DRAWN, NEVER, STOPPED, Players
from dicelab.strategies.matchup import Pairing, by_steps
from dicelab.strategies.plan import Plan
from dicelab.strategies.turn_laws import Meeting, aliases, laws_of
from dicelab.table import Table
from dicelab.table.at_once import PairTable
from dicelab.table.races import RaceTable

BLOCK = 2**16
"""Games played with one seed. Changing it changes every simulation."""

MOST_TURNS = 10_000
"""Turns after which a game is stopped and counted as one that did not end."""

BYTES_PER_ROW = 90  # of a plan that mixes, once its turns can be drawn

FINEST = 2**62
"""Where chances have no smaller common denominator, they are rounded to this many parts."""


@dataclass
class Tally:
    """What a number of games came to. Tallies add up."""

    ends: Ints  # [who starts, how it ended] as `walk` numbers the ends
    lengths: Ints  # [turns] games that ended in their 0th, 1st, ... turn
    pairs: Ints  # [5] pairs of games with seats swapped, by A's score in half points
    brought: tuple[int, int] = (0, 0)  # what games brought in whole parts: sum, sum of squares

    def __add__(self, other: Tally) -> Tally:
        """Return both together."""
        short, long = sorted((self.lengths, other.lengths), key=len)
        lengths = long.copy()
        lengths[: len(short)] += short
        brought = (self.brought[0] + other.brought[0], self.brought[1] + other.brought[1])
        return Tally(self.ends + other.ends, lengths, self.pairs + other.pairs, brought)

    def as_lists(self) -> list[Any]:
        """Return plain lists of whole numbers, as a checkpoint keeps them."""
        return [self.ends.tolist(), self.lengths.tolist(), self.pairs.tolist(), list(self.brought)]

    @staticmethod
    def from_lists(lists: list[Any]) -> Tally:
        """Return the tally that plain lists stand for."""
        ends, lengths, pairs = (np.array(part, np.int64) for part in lists[:3])
        return Tally(ends.reshape(2, 5), lengths, pairs, (lists[3][0], lists[3][1]))


class Tallied:
    """Games that were played and counted, and those of them that nobody won."""

    tally: Tally

    @property
    def draws(self) -> int:
        """Games that ended in a draw."""
        return int(self.tally.ends[:, DRAWN].sum())

    @property
    def never_ended(self) -> int:
        """Games that did not end: those that never can, and those stopped at the turn limit."""
        return int(self.tally.ends[:, NEVER:].sum())

    @property
    def stopped(self) -> int:
        """Games that were stopped at the turn limit, though they might have ended."""
        return int(self.tally.ends[:, STOPPED].sum())


def nothing() -> Tally:
    """Return the tally of no games."""
    return Tally(np.zeros((2, 5), np.int64), np.zeros(1, np.int64), np.zeros(5, np.int64))


@dataclass(frozen=True, eq=False)
class Walker:
    """One plan or two, ready to play: a kernel by its name, and the arrays that it plays on."""

    by: str  # "turns": a draw is a turn; or "moves"
    kernel: str  # of `sampling_kernels`
    arrays: tuple[Any, ...]  # what it takes between the number of games and the turn limit
    most_turns: int
    stuck: Bools  # [seats, positions or turn starts] where play cannot end any more; or empty
    steps: int = 1  # moves that are counted as one turn: two, where both choose at once

    def play(self, games: int, seed: int, *block: int) -> Tally:
        """Return how one block of games went."""
        tally, brought = nothing(), np.zeros(2)
        most_turns = self.steps * self.most_turns
        lengths = np.zeros(most_turns + 1, np.int64)
        counts: list[Array] = [tally.ends, lengths, tally.pairs]
        if self.kernel == MOVES:  # the others are for games that bring nothing on the way
            counts.append(brought)
        play = getattr(sampling_kernels, self.kernel)
        play(seeded(seed, *block), games, *self.arrays, most_turns, *counts)
        total, squares = int(brought[0]), int(brought[1])
        turns = trimmed(lengths)[:: self.steps].copy()
        return Tally(tally.ends, turns, tally.pairs, (total, squares))


STEPS = 2
TURNS, MOVES, RACES = "play_turns", "play_moves", "play_races"
"""The kernels that play: a turn at a time, a move at a time, and where both throw at once."""


def trimmed(lengths: Ints) -> Ints:
    """Return how many games ended in each turn, up to the last one in which any did."""
    last = np.flatnonzero(lengths)
    return lengths[: last[-1] + 1 if last.size else 1].copy()


def mean_length(lengths: Ints) -> float:
    """Return the average number of turns of the games that ended; nan if none did."""
    ended = int(lengths.sum())
    return float(lengths @ np.arange(lengths.size)) / ended if ended else math.nan


def walker(
    table: Table, plans: Sequence[Plan], most_turns: int = MOST_TURNS, by: str | None = None
) -> Walker:
    """Return the plans ready to play: by turns where that can be, unless told otherwise."""
    if isinstance(table, RaceTable):
        return race_walker(table, plans, most_turns)
    if isinstance(table, PairTable):
        both = [by_steps(each) for each in plans]
        by_move = move_walker(table.steps, both, STEPS * most_turns)
        return dataclasses.replace(by_move, steps=STEPS, most_turns=most_turns)
    if by != "moves" and all(plan.derived(laws_of) is not None for plan in plans):
        table.spare(sum(plan.is_mixed for plan in plans) * table.rows * BYTES_PER_ROW)
        meeting = Meeting(table, tuple(plans))
        start = int(meeting.turns.rank[table.start])
        laws = [aliases(law) for law in meeting.laws]
        arrays = (laws[0], laws[-1], meeting.stuck, start, len(laws))
        return Walker("turns", TURNS, arrays, most_turns, meeting.stuck)
    return move_walker(table, plans, most_turns)


def stuck_at(pairing: Pairing) -> Bools:
    """Return where play can never end any more, `[seats, positions]`; empty where it always can."""
    dead = pairing.rings >= 0
    if not dead.any():
        return np.zeros((0, 0), np.bool_)
    return (pairing.node >= 0) & dead[pairing.node]


def move_walker(table: Table, plans: Sequence[Plan], most_turns: int = MOST_TURNS) -> Walker:
    """Return the plans ready to play move by move."""
    pairing = Pairing(table, tuple(plans))
    stuck = stuck_at(pairing)
    table = pairing.decided.table
    parts_of_one = worth_parts(table)
    arrays = (
        players_of(pairing),
        np.array([float(gain * parts_of_one) for gain in table.gains]),
        _worths_to_a(table, parts_of_one),
        table.end if table.game.pays_ends else np.empty(0, np.int32),
        np.array([float((worth - table.even) * parts_of_one) for worth, _ in table.ends.values()]),
        stuck,
        table.start,
        len(plans),
    )
    return Walker("moves", MOVES, arrays, most_turns, stuck)


def players_of(pairing: Pairing) -> Players:
    """Return a game between plans as the kernels play it, move by move."""
    table, plans, _ = pairing.decided
    numerators, whole = in_parts(table.chances)
    return Players(
        graph_of(table, exact=False),
        table.result,
        np.stack([plan.choice for plan in plans]),
        *mixtures(table, plans),
        np.array(numerators, np.uint64),
        np.uint64(whole),
    )


def _worths_to_a(table: Table, parts: int) -> Array:
    """Return what each result is worth to A. `[who starts, who would move, results]`

    It is counted in parts; that of a game that goes on is what never ending is worth.
    """
    found = np.zeros((table.game.players, table.game.players, 4))
    for starter in range(table.game.players):
        never, worth = table.never_to(starter), table.worth_to(starter)
        for mover in range(table.game.players):
            for result, seen in SEEN_BY_OTHER.items():
                told = seen if mover == 1 else result
                end = never if told == ONGOING else worth[told]
                found[starter, mover, result] = math.inf if end is None else float(end * parts)
    return found


def mixtures(table: Table, plans: Sequence[Plan]) -> tuple[Array, Array, Array]:
    """Return chances of rows in whole parts, who mixes, and how many parts make a whole."""
    mixes = np.array([plan.is_mixed for plan in plans])
    parts = np.zeros((len(plans), table.rows if mixes.any() else 0), np.uint64)
    wholes = np.ones(len(plans), np.uint64)
    for seat, plan in enumerate(plans):
        if plan.is_mixed:
            parts[seat], wholes[seat] = mixture_parts(plan)
    return parts, mixes, wholes


def race_walker(table: RaceTable, plans: Sequence[Plan], most_turns: int) -> Walker:
    """Return the plans of a game in which both throw at once, ready to play."""
    numerators, whole = in_parts(table.exact_law.ravel().tolist())
    throws = np.array(numerators, np.uint64).reshape(table.exact_law.shape)
    if whole == FINEST:  # rounded: give what is missing to the likeliest throw of each move
        for law in throws:
            law[law.argmax()] += np.uint64(whole - int(law.sum(dtype=object)))
    arrays = (
        table.results,
        table.number_at,
        table.move_first,
        np.stack([plan.choice for plan in plans]),
        *mixtures(table, plans),
        throws,
        np.uint64(whole),
        np.array(table.game.start(), np.int64),
    )
    return Walker("moves", RACES, arrays, most_turns, np.zeros((0, 0), np.bool_))


def worth_parts(table: Table) -> int:
    """Return into how many parts 1 is cut so that every gain and worth is a whole number."""
    seats = range(table.game.players)
    numbers = [*table.gains, *(end for seat in seats for end in table.worth_to(seat).values())]
    numbers += [worth - table.even for worth, _ in table.ends.values()]
    numbers += [each for seat in seats if (each := table.never_to(seat)) is not None]
    return math.lcm(*(number.denominator for number in numbers))


def in_parts(chances: Sequence[Fraction]) -> tuple[list[int], int]:
    """Return chances as whole numbers of parts, and how many parts make a whole.

    The parts are exact unless the common denominator is beyond 2^62; then each chance is rounded
    down to parts of 2^-62, and what is missing from a sum goes to its last outcome.
    """
    whole = math.lcm(*(chance.denominator for chance in chances)) if chances else 1
    whole = min(whole, FINEST)
    return [int(chance * whole) for chance in chances], whole


def mixture_parts(plan: Plan) -> tuple[Array, int]:
    """Return the chance of each row of a mixing plan in whole parts, and the whole. `[rows]`"""
    assert plan.chances is not None
    distinct = sorted(set(plan.chances))
    numerators, whole = in_parts(distinct)
    number = dict(zip(distinct, numerators, strict=True))
    parts = np.array([number[chance] for chance in plan.chances], np.uint64)
    if whole == FINEST:  # rounded: give what is missing to the likeliest move of each position
        first = plan.table.move_first
        for here in np.flatnonzero(np.diff(first) > 0):
            mine = parts[first[here] : first[here + 1]]
            mine[mine.argmax()] += np.uint64(whole - int(mine.sum(dtype=object)))
    return parts, whole
