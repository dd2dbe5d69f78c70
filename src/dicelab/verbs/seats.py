"""Three players and more who have decided how to play: who wins, exactly or in games played.

Players sit in a circle, A before B before C, and the turn passes on around it. Any of them may
start, so every number is told for each starter. Once all have decided, the game is a Markov chain
as between two, with one more chance for each player.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np

from dicelab.core import intervals
from dicelab.core.arrays import Array, Ints, Numbers, Real
from dicelab.core.intervals import Estimate
from dicelab.core.jobs import Report
from dicelab.errors import RulesError
from dicelab.rules import DRAW, ONGOING, Game, answers
from dicelab.solvers import sampling_kernels
from dicelab.solvers.draws import seeded
from dicelab.strategies.matchup import Pairing
from dicelab.strategies.named import AnyStrategy, plan
from dicelab.strategies.plan import Plan
from dicelab.table import Table
from dicelab.verbs.chain_error import chain_error
from dicelab.verbs.playback import GameRecord
from dicelab.verbs.sampler import BLOCK, mean_length, players_of, stuck_at, trimmed

Rest = AnyStrategy | Sequence[AnyStrategy] | None
"""Who sits opposite: one strategy for all others, or a list with one for each in turn."""


def plans_of(table: Table, a: AnyStrategy, rest: Rest, exact: bool = False) -> tuple[Plan, ...]:
    """Return a plan for each player of three and more, refused where somebody has none."""
    return (plan(table, a, exact), *rest_of(table, rest, exact))


def rest_of(table: Table, rest: Rest, exact: bool = False) -> tuple[Plan, ...]:
    """Return the plans of all players but the first."""
    players = table.game.players
    given = [] if rest is None else rest if isinstance(rest, list | tuple) else [rest]
    if len(given) not in (1, players - 1):
        got = "none" if not given else str(len(given))
        raise RulesError(
            f"{table.game} is played by {players}: name the {players - 1} others in order of "
            f"their turns, or one strategy for all of them; got {got}"
        )
    plans = tuple(plan(table, each, exact) for each in given)
    return plans if len(plans) == players - 1 else plans * (players - 1)


def opposite(others: Sequence[AnyStrategy]) -> Rest:
    """Return who sits opposite as verbs take it: nobody, one strategy, or a list."""
    return others if len(others) > 1 else next(iter(others), None)


def refuse_never(game: Game, never: Fraction | None) -> None:
    """Refuse another worth of play without an end than the rules say."""
    if never is not None:
        raise RulesError(
            f"{game} is played by {game.players}, who share out what the rules say: leave out never"
        )


@dataclass(frozen=True, eq=False)
class SeatedEvaluation:
    """How each of three players and more fares, by who starts. Every chance is within `error`."""

    game: Game
    names: tuple[str, ...]  # in order of their turns
    wins: tuple[tuple[Real, ...], ...]  # [who starts][who wins]
    draws: tuple[Real, ...]  # [who starts]
    never_ends: tuple[Real, ...]  # [who starts]
    by_starter: tuple[tuple[Real, ...], ...]  # [who starts][who gets it], in the game's unit
    error: float  # 0 in exact mode
    value_error: float
    seconds: float
    exact: bool
    unit: str

    @property
    def values(self) -> tuple[Real, ...]:
        """What each player gets where the first of them starts, first player first."""
        return self.by_starter[0]

    @property
    def overall(self) -> tuple[Real, ...]:
        """What each player gets when they take turns in starting."""
        return _means(self.by_starter)

    @property
    def overall_wins(self) -> tuple[Real, ...]:
        """The chance that each player wins when they take turns in starting."""
        return _means(self.wins)


def _means(by_starter: Sequence[Sequence[Real]]) -> tuple[Real, ...]:
    """Return the mean of each column."""
    return tuple(sum(column) / len(column) for column in zip(*by_starter, strict=True))


def evaluate_seats(table: Table, plans: tuple[Plan, ...], exact: bool = False) -> SeatedEvaluation:
    """Return how each of three players and more fares, by who starts."""
    began = time.perf_counter()
    pairing = Pairing(table, plans, exact)
    pairing.spare(node=16 * len(plans), outcome=24)
    own = _ends(pairing)
    value = pairing.absorb(own)
    error = 0.0 if exact else chain_error(pairing, own, value)
    found = value[pairing.node[:, table.start]]
    players, endless = len(plans), bool((pairing.rings >= 0).any())
    if not exact:
        error = (found.shape[1] + 1) * (error + 2.0**-53)
    told = [[each if exact else float(each) for each in row] for row in found]
    wins, draws, never = [], [], []
    for row in told:
        wins.append(tuple(row[:players]))
        draws.append(row[players])
        left = 1 - row[players + 1] if endless else row[0] * 0
        never.append(left if exact else max(0.0, left))
    worths = [_worth(table, row, left, exact) for row, left in zip(told, never, strict=True)]
    ends = [abs(each) for worths in table.ends.values() for each in worths]
    largest = float(max(ends, default=0))
    return SeatedEvaluation(
        table.game,
        tuple(each.name for each in plans),
        tuple(wins),
        tuple(draws),
        tuple(never),
        tuple(worths),
        error,
        0.0 if exact else (players + 2) * largest * (error + 2.0**-50),
        time.perf_counter() - began,
        exact,
        table.unit,
    )


def _ends(pairing: Pairing) -> Numbers:
    """Return what each node brings: wins by player, draws, all ends, and what these pay each."""
    table, players = pairing.table, pairing.seats
    result, seat = pairing.result.astype(np.int64), pairing.chain.seat.astype(np.int64)
    paid = players if table.game.pays_ends else 0
    kind = object if pairing.exact else np.float64
    own = np.zeros((result.size, players + 2 + paid), kind)
    one: Real = Fraction(1) if pairing.exact else 1.0
    if pairing.exact:
        own[:] = Fraction(0)
    over = np.flatnonzero(result != ONGOING)
    for winners in answers.winners_of(table.game):
        mine = over[result[over] == table.game.won_by(*winners)]
        for winner in winners if mine.size else ():
            own[mine, (seat[mine] + winner) % players] = one
    own[result == DRAW, players] = one
    own[over, players + 1] = one
    if paid:
        even = table.even
        for end, worths in table.ends.items():
            mine = over[table.end[pairing.chain.position[over]] == end]
            for offset, worth in enumerate(worths):
                share = worth - even
                place = players + 2 + (seat[mine] + offset) % players
                own[mine, place] = share if pairing.exact else float(share)
    return own


def _worth(table: Table, chances: list[Real], never: Real, exact: bool) -> tuple[Real, ...]:
    """Return what each player gets, from the chances of ends or what these pay."""
    players = table.game.players
    endless = Fraction(table.never or 0)
    number = (lambda each: each) if exact else float
    if table.game.pays_ends:
        lost = number(endless - table.even) * never
        return tuple(number(table.even) + paid + lost for paid in chances[players + 2 :])
    won, lost_worth, draw = (number(table.worth[end]) for end in (1, 2, DRAW))
    rest = draw * chances[players] + number(endless) * never
    decided = chances[players + 1] - chances[players]
    return tuple(won * win + lost_worth * (decided - win) + rest for win in chances[:players])


@dataclass(frozen=True, eq=False)
class SeatedSimulation:
    """How many games each of three players and more won, by who started."""

    table: Table = field(repr=False)
    plans: tuple[Plan, ...] = field(repr=False)
    games: int
    seed: int
    # [who starts, who wins; then drawn, never ends, stopped]; several may win together
    ends: Ints = field(repr=False)
    started: Ints = field(repr=False)  # [who starts] games
    lengths: Ints = field(repr=False)  # [turns]
    paid: Array = field(repr=False)  # [players, 2] the sum of what each got, and of its squares
    confidence: float
    seconds: float
    #: The games, move by move, where they were asked for; see `simulate`.
    records: tuple[GameRecord, ...] = field(default=(), repr=False)

    @property
    def game(self) -> Game:
        """The game that was played."""
        return self.table.game

    @property
    def names(self) -> tuple[str, ...]:
        """The strategies in order of their turns."""
        return tuple(each.name for each in self.plans)

    def won(self, seat: int, starter: int | None = None) -> Estimate:
        """Return the share of games that a player won, of all or of those that one started."""
        rows = slice(None) if starter is None else slice(starter, starter + 1)
        won, games = int(self.ends[rows, seat].sum()), int(self.started[rows].sum())
        return intervals.share(won, games, self.confidence)

    def got(self, seat: int) -> Estimate:
        """Return what a player got on average, in the game's unit."""
        total, squares = self.paid[seat]
        return intervals.mean(float(total), float(squares), self.games, self.confidence)

    @property
    def draws(self) -> int:
        """Games that ended in a draw."""
        return int(self.ends[:, len(self.plans)].sum())

    @property
    def never_ended(self) -> int:
        """Games that never can end, and those stopped at the turn limit."""
        return int(self.ends[:, len(self.plans) + 1 :].sum())

    @property
    def mean_length(self) -> float:
        """The average number of turns of the games that ended; nan if none did."""
        return mean_length(self.lengths)


def simulate_seats(
    table: Table,
    plans: tuple[Plan, ...],
    games: int,
    seed: int,
    most_turns: int,
    confidence: float,
    progress: Report | None = None,
) -> SeatedSimulation:
    """Return how games between three players and more went; they take turns in starting."""
    began = time.perf_counter()
    players = len(plans)
    pairing = Pairing(table, plans)
    stuck, decided = stuck_at(pairing), players_of(pairing)
    every = answers.winners_of(table.game)
    won = np.zeros((1 + max(DRAW, *(table.game.won_by(*seats) for seats in every)), players), bool)
    for seats in every:
        won[table.game.won_by(*seats), list(seats)] = True
    ends = np.zeros((players, players + 3), np.int64)
    lengths = np.zeros(most_turns + 1, np.int64)
    paid = np.zeros((players, 2))
    worths = _worths_by_end(table)
    blocks = -(-games // BLOCK)
    for block in range(blocks):
        sampling_kernels.play_seats(
            seeded(seed, block),
            min(BLOCK, games - block * BLOCK),
            decided,
            won,
            table.end,
            worths,
            stuck,
            table.start,
            (block * BLOCK) % players,
            most_turns,
            ends,
            lengths,
            paid,
        )
        if progress:
            progress((block + 1) / blocks)
    seconds = time.perf_counter() - began
    started = games // players + (np.arange(players) < games % players)
    return SeatedSimulation(
        table, plans, games, seed, ends, started, trimmed(lengths), paid, confidence, seconds
    )


def _worths_by_end(table: Table) -> Array:
    """Return what each end is worth to who sits so far on; the last is never ending. `[ends, n]`"""
    players = table.game.players
    found = np.zeros((max(table.ends, default=-1) + 2, players))
    for end, worths in table.ends.items():
        found[end] = [float(worth) for worth in worths]
    found[-1] = float(table.never or 0)
    return found
