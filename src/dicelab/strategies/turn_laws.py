"""Turns: where one player's turn leads, whoever the other player is.

A player about to move sees only the position. So the law of a turn (from where it starts to where
the other player's begins, or to the end of the game) belongs to one strategy alone. Two strategies
that meet are then a short chain over turn starts instead of a long one over all positions, and a
hundred strategies that all meet need a hundred laws, not five thousand chains.

The chances are floats: sums of products of positive numbers, each off by a few roundings at most.
`Meeting.error` counts those in.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dicelab.core.arrays import Bools, Ints, Numbers
from dicelab.core.jit import jit, unsigned
from dicelab.core.lazy import lazy
from dicelab.rules import DRAW, LOSS, ONGOING, WIN
from dicelab.solvers import patterns as finding
from dicelab.solvers import turn_kernels
from dicelab.solvers.chain import Chain
from dicelab.solvers.order import cuts, distinct
from dicelab.solvers.patterns import Patterns
from dicelab.solvers.problem import graph_of
from dicelab.solvers.turn_kernels import Aliases, Laws
from dicelab.strategies.matchup import Pairing
from dicelab.strategies.observed_fields import Sight
from dicelab.strategies.plan import BYTES_PER_SHARE, ObservedPlan, Plan
from dicelab.strategies.ways import decided
from dicelab.table import Table

MOST_ENTRIES = 60_000_000
"""Entries of one law (12 bytes each) beyond which games are walked a move at a time."""

MOST_SHARED = 4
"""Turns to which a position may belong, on average, where turns are searched for patterns."""

ENDS = (WIN, LOSS, DRAW)
"""The first nodes of a meeting, as seen by A."""


@dataclass(frozen=True, eq=False)
class Turns:
    """The turn starts of a table."""

    table: Table

    @lazy
    def starts(self) -> Ints:
        """The positions where a turn may begin, in solving order. `[starts]`"""
        table = self.table
        begins = np.zeros(len(table), np.bool_)
        turn_kernels.mark_starts(table.target, table.kind, table.passing, begins)
        begins[table.start] = True
        return np.flatnonzero(begins & (table.result == ONGOING)).astype(np.int32)

    @lazy
    def rank(self) -> Ints:
        """The number of each position among the turn starts, or -1. `[positions]`"""
        rank = np.full(len(self.table), -1, np.int32)
        rank[self.starts] = np.arange(self.starts.size, dtype=np.int32)
        return rank

    @lazy
    def component_first(self) -> Ints:
        """Where the table's components begin among the turn starts. `[components + 1]`"""
        return distinct(np.searchsorted(self.starts, self.table.component_first))

    @property
    def have_laws(self) -> bool:
        """Whether turns may have laws: players take turns, and gain nothing on the way."""
        game = self.table.game
        points = self.table.has_gains or game.pays_ends
        return not (points or game.is_simultaneous) and self.starts.size > 0

    @lazy
    def widest(self) -> int:
        """The most outcomes that a move has."""
        return int(np.diff(self.table.outcome_first).max())

    def laws(self, plan: Plan) -> Laws | None:
        """Return the law of every turn under a plan, or None where there is none to be had.

        There is none where a turn may come back to a position, where something is gained on the
        way, or where it would not fit.
        """
        table = self.table
        if not self.have_laws:
            return None
        plain, (plan,), _ = decided(table, (plan,))
        graph = graph_of(plain, exact=False)
        weight = plan.weights(exact=False) if plan.is_mixed else np.empty(0)
        first = np.zeros(self.starts.size + 1, np.int64)
        target, chance = np.empty(0, np.int32), np.empty(0)
        room, begin, depth = 10 * self.starts.size + 100, 0, 0
        while begin < self.starts.size:
            if room > MOST_ENTRIES:
                return None
            target, chance = np.resize(target, room), np.resize(chance, room)
            moves = (plan.choice, weight, plan.is_mixed)
            places = (self.starts, self.rank, table.game.players == 2)
            begin, _, deeper = turn_kernels.turn_laws(
                graph, table.result, *moves, *places, first, target, chance, begin
            )
            if begin < 0:
                return None
            room, depth = 4 * room, max(depth, deeper)
        return Laws(first, target[: first[-1]].copy(), chance[: first[-1]].copy(), depth)

    def sighted_laws(self, sight: Sight, played: Ints) -> Laws | None:
        """Return the same for a strategy by what it sees, and the move it then plays.

        None where turns have no patterns: each has to be followed by itself.
        """
        patterns = self.patterns(sight)
        if patterns is None:
            return None
        exits = np.zeros(patterns.first.size - 1, np.int64)
        exits[patterns.of] = np.diff(patterns.exit_first)
        room, by_pattern = int((exits + len(ENDS)).sum()), np.zeros(exits.size + 1, np.int64)
        leads, chances = np.empty(room, np.int32), np.empty(room)
        depth = finding.follow(
            patterns, self.table.chance_floats, played, by_pattern, leads, chances
        )
        first = np.zeros(self.starts.size + 1, np.int64)
        np.cumsum(np.diff(by_pattern)[patterns.of], out=first[1:])
        target, chance = np.empty(first[-1], np.int32), np.empty(first[-1])
        finding.spread_out(patterns, by_pattern, leads, chances, first, target, chance)
        return Laws(first, target, chance, depth)

    def patterns(self, sight: Sight) -> Patterns | None:
        """Return the patterns of all turns as a strategy sees them, or None if there are none."""
        if sight not in self._patterns:
            self._patterns[sight] = self._find_patterns(sight)
        return self._patterns[sight]

    @lazy
    def _patterns(self) -> dict[Sight, Patterns | None]:
        return {}

    def _find_patterns(self, sight: Sight) -> Patterns | None:
        table, two = self.table, self.table.game.players == 2
        if not self.have_laws:
            return None
        graph, most = graph_of(table, exact=False), MOST_SHARED * len(table.target)
        places = (sight.which, unsigned(self.starts), unsigned(self.rank), two, most)
        return finding.find(graph, table.move, table.result, *places)


def aliases(laws: Laws) -> Aliases:
    """Return laws made ready for one draw a turn."""
    cut = np.empty(laws.target.size, np.uint64)
    pair = np.empty((laws.target.size, 2), np.int32)
    turn_kernels.aliases(laws, cut, pair)
    return Aliases(laws.first, cut, pair)


def turns_of(table: Table) -> Turns:
    """Return the turn starts of a table, found once."""
    return table.derived(Turns)


BYTES_PER_ROW = 55  # of a plan that mixes, while its turns are followed


def laws_of(plan: Plan) -> Laws | None:
    """Return where each turn leads; None if a turn may revisit a position, or gains on the way.

    A plan that looks at few fields is followed once for all the turns that look alike to it.
    """
    if plan.is_mixed:
        plan.table.spare(plan.table.rows * (BYTES_PER_SHARE + BYTES_PER_ROW))
    turns, laws = turns_of(plan.table), None
    if isinstance(plan, ObservedPlan):
        laws = turns.sighted_laws(plan.sight, plan.moves)
    return laws or turns.laws(plan)


@jit
def _reach(a: Laws, b: Laws, seats: int, start: int, begin: Ints, node: Ints) -> int:
    """Number the turn starts that play comes to, seat by seat; return how many outcomes they have.

    `node` [seats, starts] comes out as their numbers among each other, or -1; `begin` is where the
    components begin, in which play may go round and so has to be followed again.
    """
    for seat in range(seats):
        node[seat, start] = 0
    outcomes = 0
    for c in range(begin.size - 2, -1, -1):
        again = True
        while again:
            again = False
            for s in range(begin[c + 1] - 1, begin[c] - 1, -1):
                for seat in range(seats):
                    if node[seat, s] != 0:
                        continue
                    node[seat, s] = 1  # looked at
                    laws = a if seat == 0 else b
                    outcomes += laws.first[s + 1] - laws.first[s]
                    then = (seats - 1) - seat
                    for e in range(laws.first[s], laws.first[s + 1]):
                        to = laws.target[e]
                        if to >= 0 and node[then, to] < 0:
                            node[then, to] = 0
                            if to >= s:
                                again = True
    count = 0
    for s in range(node.shape[1]):
        for seat in range(seats):
            if node[seat, s] == 1:
                node[seat, s] = count
                count += 1
    return outcomes


@jit
def _lay_out(
    a: Laws, b: Laws, ends: int, seats: int, node: Ints, first: Ints, target: Ints, chance: Numbers
) -> None:
    """Write the outcomes of the nodes: the ends of the game, then the turn starts met."""
    count = 0
    for end in range(ends + 1):
        first[end] = 0
    for s in range(node.shape[1]):
        for seat in range(seats):
            if node[seat, s] < 0:
                continue
            laws = a if seat == 0 else b
            for e in range(laws.first[s], laws.first[s + 1]):
                to = laws.target[e]
                if to >= 0:
                    target[count] = ends + node[(seats - 1) - seat, to]
                elif to == -DRAW:
                    target[count] = 2
                else:
                    target[count] = 0 if (to == -WIN) == (seat == 0) else 1
                chance[count] = laws.chance[e]
                count += 1
            first[ends + node[seat, s] + 1] = count


@jit
def _residual(chain: Chain, alive: Bools, value: Numbers, turns: int, rounding: float) -> float:
    """Return the most by which the equations fail at a node, roundings counted in.

    Columns before `turns` are chances; column `turns` counts turns. Twice that count has to be
    enough for one turn and twice what is left after it. If it is not, the answer is infinite.
    """
    worst = 0.0
    for here in range(chain.first.size - 1):
        low, high = chain.first[here], chain.first[here + 1]
        if low == high or not alive[here]:
            continue
        slack = rounding + (high - low) * 2.0**-52
        for k in range(turns + 1):
            total = 0.0
            for o in range(low, high):
                total += chain.chance[o] * value[chain.target[o], k]
            if k < turns:
                worst = max(worst, abs(total - value[here, k]) + slack * total)
            elif not 2.0 * value[here, k] >= 1.0 + 2.0 * total * (1.0 + slack):
                return np.inf
    return worst


@dataclass(frozen=True, eq=False)
class Meeting(Pairing):
    """Two plans that meet, as a chain over turn starts; node 0, 1, 2: A wins, B wins, a draw."""

    @property
    def turns(self) -> Turns:
        """The turn starts of the table."""
        return turns_of(self.table)

    @property
    def laws(self) -> tuple[Laws, ...]:
        """Where each seat's turns lead."""
        laws = [plan.derived(laws_of) for plan in self.plans]
        return tuple(law for law in laws if law is not None)  # whoever asks has seen to it

    @lazy
    def met(self) -> tuple[Ints, int]:
        """The number of each turn start among those met, or -1 [seats, starts]; their outcomes."""
        seats, turns = len(self.laws), self.turns
        node = np.full((seats, turns.starts.size), -1, np.int32)
        start = int(turns.rank[self.table.start])
        a, b = self.laws[0], self.laws[-1]
        return node, _reach(a, b, seats, start, turns.component_first, node)

    @lazy
    def chain(self) -> Chain:
        """The chain over turn starts, in solving order."""
        seats, ends = len(self.laws), len(ENDS)
        node, count = self.met
        place, seat = np.nonzero(node.T >= 0)
        first = np.empty(ends + place.size + 1, np.int32)
        target, chance = np.empty(count, np.int32), np.empty(count)
        _lay_out(self.laws[0], self.laws[-1], ends, seats, node, first, target, chance)
        inner = ends + distinct(np.searchsorted(place, self.turns.component_first))
        component_first = np.concatenate([np.arange(ends), inner]).astype(np.int32)
        cut, per_component = cuts(component_first, unsigned(first), unsigned(target))
        position = np.concatenate([np.full(ends, -1), self.turns.starts[place]])
        seat = np.concatenate([np.zeros(ends, np.int8), seat.astype(np.int8)])
        passes = np.ones(count, np.bool_)
        return Chain(
            component_first, cut, per_component, first, target, passes, chance, position, seat
        )

    @lazy
    def result(self) -> Ints:
        """How the game stands at each node. `[nodes]`"""
        result = np.full(self.chain.first.size - 1, ONGOING, np.int8)
        result[: len(ENDS)] = ENDS
        return result

    @lazy
    def stuck(self) -> Bools:
        """Where play can never end, by seat and turn start; empty if nowhere. `[seats, starts]`"""
        dead = (self.rings >= 0)[len(ENDS) :]
        if not dead.any():
            return np.zeros((0, 0), np.bool_)
        node = self.met[0]
        return (node >= 0) & dead[node]

    @lazy
    def chances(self) -> tuple[Numbers, float]:
        """The chances [who starts, (A wins, B wins, draw, never ends, turns)], and their error.

        The last column is the expected number of turns, infinite if the game may never end. The
        error adds up over the turns to come, e = u + P e, with u at most the worst residual; twice
        the turns times that is enough, which is checked turn start by turn start. Where the check
        fails, or turns come out below 0, the error is infinite.
        """
        # Who does not win loses, unless some games are drawn or never end.
        ends = 1 if self.alive.all() and not (self.chain.target == 2).any() else 3
        own = np.zeros((self.result.size, ends + 1))
        own[range(ends), range(ends)] = 1.0
        own[len(ENDS) :, ends] = self.alive[len(ENDS) :]
        value = self.absorb(own)
        depth = max(law.depth for law in self.laws)
        # each position of a turn adds a product of three and a sum of all that flows into it
        rounding = 2.0**-52 * (6 + depth * (5 + self.turns.widest))
        worst = _residual(self.chain, self.alive, value, ends, rounding)
        found = value[len(ENDS) + self.met[0][:, self.turns.rank[self.table.start]]]
        wins, turns = found[:, :ends], found[:, ends]
        # What is left of 1 has the errors of the others, and its own rounding.
        error = ends * (2 * float(turns.max()) * worst + 2.0**-53)
        if not (value[:, ends] >= 0).all():  # a sum of errors below 0 proves nothing
            error = np.inf
        left = np.maximum(0.0, 1.0 - wins.sum(axis=1))
        if ends == 1:
            nothing = np.zeros(len(found))
            return np.column_stack([wins[:, 0], left, nothing, nothing, turns]), error
        if self.alive.all():
            left[:] = 0.0
        return np.column_stack([wins, left, np.where(left > 0, np.inf, turns)]), error
