"""The course of a game between players who have decided: how long, how much luck, who leads, when.

Once everybody has decided, a game is a Markov chain, and what each player can still expect is a
number at each of its nodes. From the two follows, exactly:

- what happens on average in a game (turns, moves, throws, changes of the lead): v = own + P v;
- *luck*: a throw is lucky by the value after it, less the value before. These differences have mean
  0 and do not depend on those before them, so the variance of the result is the sum of theirs, and
  it can be told in which turn it comes about (Zare, "Hedging Toward Skill", GammonVillage 2000,
  for backgammon: final - initial = net luck + net skill);
- the *leader*, who can expect the most, and when a game is as good as decided.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dicelab.core.arrays import Bools, Floats, Ints
from dicelab.core.lazy import lazy
from dicelab.errors import NotFinite
from dicelab.rules import ONGOING
from dicelab.solvers import chain as kernels
from dicelab.solvers.rows import runs
from dicelab.strategies.matchup import Pairing, by_steps
from dicelab.strategies.plan import Plan
from dicelab.table import Table
from dicelab.table.at_once import PairTable, StepTable
from dicelab.verbs.chain_error import chain_error, node_errors
from dicelab.verbs.numbers import CHANCE, Number

NOBODY = -1
"""The leader where several can expect the same."""

MOST_TURNS = 100_000
NEGLIGIBLE = 1e-9
"""Turns are followed until less than this chance is left."""

BYTES_PER_NODE = 100  # values by seat, luck, leaders, and sums over play


@dataclass(frozen=True, eq=False)
class ByTurn:
    """What is known at the beginning of each turn, and how much luck falls in it."""

    leader: Floats  # [turns] what the leader can expect on average, games that are over included
    decided: Floats  # [turns] the chance that somebody can expect so much that it is decided
    luck: Floats  # [turns] the variance of A's result that comes about in the turn
    lead_changes: Floats  # [turns] how often the lead changes in it
    unfinished: float  # the chance of games that last longer than the turns told
    error: float  # how far chances may be off besides

    @property
    def settled(self) -> Floats:
        """The share of the spread of results that has come about by the end of each turn."""
        total = self.luck.sum()
        return np.cumsum(self.luck) / total if total > 0 else np.ones_like(self.luck)


@dataclass(frozen=True, eq=False)
class Course:
    """A game between players who have decided, A in the first seat."""

    pairing: Pairing

    def __post_init__(self) -> None:
        """Refuse what does not fit in memory."""
        self.pairing.spare(node=BYTES_PER_NODE)

    @property
    def table(self) -> Table:
        """The game by turns."""
        return self.pairing.table

    @property
    def seats(self) -> int:
        """The number of players."""
        return self.pairing.seats

    @lazy
    def start(self) -> int:
        """The node where A begins."""
        return int(self.pairing.node[0, self.table.start])

    @lazy
    def over(self) -> Bools:
        """Where the game is over. `[nodes]`"""
        return np.asarray(self.pairing.result != ONGOING)

    @lazy
    def gains(self) -> Floats:
        """What the mover gains with each outcome of the chain. `[outcomes]`"""
        plain, plans, _ = self.pairing.decided
        if not plain.has_gains:
            return np.zeros(self.pairing.chain.target.size)
        gains = np.array([float(gain) for gain in plain.gains])
        tails, told = [], []
        for seat, plan in enumerate(plans):
            node = self.pairing.node[seat, plain.row_position]
            rows = np.flatnonzero((plan.weights(exact=False) > 0) & (node >= 0))
            first = plain.outcome_first[rows].astype(np.int64)
            counts = plain.outcome_first[rows + 1] - first
            tails.append(np.repeat(node[rows], counts))
            told.append(gains[plain.kind[runs(first, counts)]])
        order = np.argsort(np.concatenate(tails), kind="stable")  # as the chain is laid out
        return np.concatenate(told)[order]

    @lazy
    def _worths(self) -> tuple[Floats, Floats]:
        """What each node is worth to each player, and how far off that may be. `[nodes]`"""
        pairing, table, seats = self.pairing, self.table, self.seats
        chain = pairing.chain
        endless = bool((pairing.rings >= 0).any())
        if endless and (table.has_gains or table.never is None):
            raise NotFinite(
                f"{table.game} may go on for ever between these players, and what it is worth then "
                f"has no bound"
            )
        never = np.array([float(table.never_to(seat % 2) or 0) for seat in range(seats)])
        own = np.zeros((chain.position.size, seats))
        ended = np.flatnonzero(self.over)
        which, seat = table.end[chain.position[ended]], chain.seat[ended].astype(np.int64)
        for end, worths in table.ends.items():
            here = which == end
            for on, worth in enumerate(worths[:seats]):
                player = (seat[here] + on) % seats
                own[ended[here], player] = float(worth) - never[player]
        if pairing.decided.table.has_gains:
            mean = self._mean(self.gains)
            for player in range(min(seats, 2)):
                own[:, player] += np.where(chain.seat == player, mean, -mean)
        found = pairing.absorb(own)
        largest = float(np.abs(own).max(initial=0.0) + np.abs(never).max(initial=0.0))
        off = 2.0**-51 * (np.abs(own).max(axis=1) + largest)
        return found + never, node_errors(pairing, own, found, off) + 2.0**-50 * largest

    @property
    def worths(self) -> Floats:
        """What each node is worth to each player. `[nodes, seats]`"""
        return self._worths[0]

    @property
    def errors(self) -> Floats:
        """How far these may be from the truth. `[nodes]`"""
        return self._worths[1]

    def _mean(self, per_outcome: Floats) -> Floats:
        """Return the mean over what may follow each node. `[nodes]`"""
        chain = self.pairing.chain
        found = np.zeros(chain.position.size)
        rows = np.flatnonzero(np.diff(chain.first))
        if rows.size:
            found[rows] = np.add.reduceat(chain.chance * per_outcome, chain.first[rows])
        found[~self.pairing.alive] = 0.0
        return found

    def sums(
        self, own: Floats, unit: str, given: Floats | float = 0.0, overall: bool = False
    ) -> Number:
        """Return what nodes bring in all in a game that A begins, with a bound.

        `own` [nodes] is what coming to a node brings, `given` how far each of these may be off.
        With `overall` the players take turns in starting.
        """
        return self._sums(self.pairing, own, unit, given, overall)

    def _sums(
        self,
        pairing: Pairing,
        own: Floats,
        unit: str,
        given: Floats | float = 0.0,
        overall: bool = False,
    ) -> Number:
        if (self.pairing.rings >= 0).any() and own[self.pairing.rings >= 0].any():
            return Number(float("inf"), None, unit)
        column = own[:, None].copy()
        column[~pairing.alive] = 0.0
        found = pairing.absorb(column)
        off = np.where(pairing.alive, given, 0.0)
        error = chain_error(pairing, column, found, off)
        starts = pairing.node[:, self.table.start] if overall else self.start
        return Number(float(found[starts, 0].mean()), error, unit)

    # How long

    @lazy
    def turns_ended(self) -> Floats:
        """How many turns end with the move at each node, on average. `[nodes]`"""
        chain = self.pairing.chain
        share = 0.5 if isinstance(self.table, StepTable) else 1.0  # both together take a turn
        return share * self._mean((chain.passes | self.over[chain.target]).astype(float))

    def turns(self) -> Number:
        """Return the average number of turns."""
        return self._or_for_ever(self.turns_ended, "turns")

    def moves(self) -> Number:
        """Return the average number of moves, forced ones included."""
        return self._or_for_ever((~self.over).astype(float), "moves")

    def throws(self) -> Number:
        """Return the average number of moves that leave something to chance."""
        table = self.table
        first = np.append(0, np.cumsum(~table.another[table.kind]))  # ways of a throw are one
        several = np.diff(first[table.outcome_first]) > 1
        chain = self.pairing.chain
        own = np.zeros((self.seats, len(table)))
        for seat, plan in enumerate(self.pairing.plans):
            np.add.at(own[seat], table.row_position, several * plan.weights(exact=False))
        return self._or_for_ever(own[chain.seat, chain.position], "throws")

    def _or_for_ever(self, own: Floats, unit: str) -> Number:
        if (self.pairing.rings >= 0).any():
            return Number(float("inf"), None, unit)
        return self.sums(own, unit)

    # Luck

    @lazy
    def luck(self) -> Floats:
        """The variance of A's expectation that comes about at each node. `[nodes]`"""
        return self.luck_of(0)

    def luck_of(self, player: int) -> Floats:
        """Return the variance of a player's expectation that comes about at each node. `[nodes]`"""
        chain = self.pairing.chain
        after = self.worths[chain.target, player]
        if self.pairing.decided.table.has_gains:
            mine = np.where(chain.seat == player, 1.0, -1.0)
            after = after + np.repeat(mine, np.diff(chain.first)) * self.gains
        mean = self._mean(after)
        away = after - np.repeat(mean, np.diff(chain.first))
        return self._mean(away**2)

    def variance(self) -> Number:
        """Return the variance of A's result, which is all luck once the players have decided."""
        return self.variance_of(0)

    def variance_of(self, player: int) -> Number:
        """Return the variance of a player's result."""
        worths = np.abs(self.worths[:, player])
        largest = float(worths.max() + np.abs(self.gains).max(initial=0.0))
        off = self._mean(self.errors[self.pairing.chain.target]) + 2.0**-50 * largest
        return self.sums(self.luck_of(player), "squared", 8 * largest * off)

    # The lead

    @lazy
    def leader(self) -> Ints:
        """Who can expect the most at each node; nobody where that cannot be told. `[nodes]`"""
        worths = self.worths
        order = np.sort(worths, axis=1)
        found = worths.argmax(axis=1)
        found[order[:, -1] - order[:, -2] <= 2 * self.errors] = NOBODY
        return found

    def lead_changes(self) -> Number:
        """Return how often on average somebody takes the lead from another.

        The first lead is no change; what stands between two leads does not matter.
        """
        own, error = self._changes
        return self.sums(own, "changes", error)

    @lazy
    def _changes(self) -> tuple[Floats, float]:
        """How often the lead is about to change at each node, and how far that may be off."""
        pairing, chain, leader = self.pairing, self.pairing.chain, self.leader
        even = (leader == NOBODY) & ~self.over & pairing.alive
        before = np.repeat(leader, np.diff(chain.first))
        after = leader[chain.target]
        both = (before != NOBODY) & (after != NOBODY)
        counted = (both & (before != after)).astype(float)
        error = 2.0**-50
        if even.any():
            inside = pairing.stopping(~even)
            leaves = (before != NOBODY) & even[chain.target]
            for player in range(self.seats):
                own = np.where(even, self._mean((after == player).astype(float)), 0.0)
                then = inside.absorb(own[:, None])
                error += chain_error(inside, own[:, None], then, 2.0**-50)
                # chances that the next lead is this player's: a change for all others
                counted += (leaves & (before != player)) * then[chain.target, 0]
        return self._mean(counted), error

    def held(self, seat: int = 0) -> Number:
        """Return the average number of moves that are made while a player leads."""
        return self.sums(((self.leader == seat) & ~self.over).astype(float), "moves")

    def decided_after(self, share: float) -> Number:
        """Return the average number of turns until somebody can expect so much, or it is over."""
        stops = self.is_decided(share)
        own = np.where(stops, 0.0, self.turns_ended)
        return self._sums(self.pairing.stopping(stops), own, "turns")

    def is_decided(self, share: float) -> Bools:
        """Return where somebody can expect this share; alone, this or what is missing of it."""
        found = self.worths.max(axis=1) >= share
        if self.seats == 1:
            found |= self.worths[:, 0] <= 1 - share
        return np.asarray(found)

    def upsets(self, share: float) -> Number:
        """Return the chance that who could expect this share first does not get it in the end.

        That is what was missing of the whole where it was decided, on average.
        """
        stops = self.is_decided(share)
        worth = self.worths.max(axis=1)
        if self.seats == 1:
            worth = np.maximum(worth, 1 - worth)
        missing = np.where(stops, np.clip(1 - worth, 0.0, 1.0), 0.0)
        if stops[self.start]:
            return Number(float(missing[self.start]), float(self.errors[self.start]), CHANCE)
        chain = self.pairing.chain
        own = np.where(stops, 0.0, self._mean(missing[chain.target]))
        off = self._mean(self.errors[chain.target])
        return self._sums(self.pairing.stopping(stops), own, CHANCE, off)

    def by_turn(self, share: float = 0.9, by_move: bool = False) -> ByTurn:
        """Return what is known at the beginning of each turn, and how much luck falls in it.

        With `by_move` each move counts for a turn, which suits a game of one turn.
        """
        chain, pairing = self.pairing.chain, self.pairing
        if by_move:
            chain = chain._replace(passes=np.ones_like(chain.passes))
        changes = self._changes[0] if self.seats > 1 else np.zeros(chain.position.size)
        worth = self.worths.max(axis=1)
        if self.seats == 1:
            worth = np.maximum(worth, 1 - worth)
        got = self._mean(np.where(self.over, worth, 0.0)[chain.target])
        within = np.stack([self.luck, changes, got], axis=1)
        begins = np.stack([worth, self.is_decided(share), np.ones(worth.size)], axis=1)
        now = np.zeros(worth.size)
        now[self.start] = 1.0
        met, standing = np.zeros((MOST_TURNS, 3)), np.zeros((MOST_TURNS, 3))
        turns, left = kernels.by_turn(
            chain,
            pairing.alive,
            self.over,
            now,
            np.ascontiguousarray(within),
            np.ascontiguousarray(begins, np.float64),
            met,
            standing,
            NEGLIGIBLE,
        )
        met, standing = met[:turns], standing[:turns]
        if isinstance(self.table, StepTable):  # both together take a turn
            met = met[0::2] + np.append(met[1::2], np.zeros((turns % 2, 3)), axis=0)
            standing = standing[0::2]
        ended = np.append(0.0, np.cumsum(met[:-1, 2]))
        widest = int(np.diff(chain.first).max(initial=0))
        return ByTurn(
            standing[:, 0] + ended,
            standing[:, 1] + (1 - standing[:, 2]),
            met[:, 0].copy(),
            met[:, 1].copy(),
            left,
            float(self.errors.max()) + 2.0**-52 * (widest + 4) * (turns + 1),
        )


def course_of(table: Table, plans: tuple[Plan, ...]) -> Course:
    """Return the course of a game between plans of its table, one for each seat."""
    if isinstance(table, PairTable):
        return Course(Pairing(table.steps, tuple(by_steps(each) for each in plans)))
    return Course(Pairing(table, plans))
