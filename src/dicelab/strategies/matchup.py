"""Two players who have both decided how to play: the chain of what can then happen."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np

from dicelab.core.arrays import Array, Bools, Ints, Numbers
from dicelab.core.jit import interpreted, unsigned
from dicelab.core.lazy import lazy
from dicelab.errors import RulesError
from dicelab.rules import ONGOING
from dicelab.solvers import chain as kernels
from dicelab.solvers.chain import Chain
from dicelab.solvers.large_components import solve_affine
from dicelab.solvers.order import cuts, distinct
from dicelab.solvers.problem import graph_of
from dicelab.solvers.settle import MOST_COEFFICIENTS, MOST_UNKNOWNS
from dicelab.strategies.plan import BYTES_PER_SHARE, Plan
from dicelab.strategies.ways import Decided, decided
from dicelab.table import Table
from dicelab.table.at_once import PairTable, SimultaneousTable

BYTES_PER_NODE = 40  # its place, its seat, its result, and values to be found
BYTES_PER_OUTCOME = 13  # where it leads, whether the turn passes, and its chance


def refuse_at_once(table: Table) -> None:
    """Refuse a game in which both players throw at once, where turns are followed."""
    if isinstance(table, SimultaneousTable):
        raise RulesError(
            f"{table.game} is played by both at once, so that there are no turns to follow: take "
            f"its plans by steps, as evaluate, density and simulate do"
        )


def by_steps(fixed: Plan) -> Plan:
    """Return a plan on the same game by turns, where it plays as the first and as the second."""
    table = fixed.table
    assert isinstance(table, PairTable)
    steps = table.steps
    nowhere = np.full(len(steps), -1, np.int32)
    return Plan(fixed.name, steps, nowhere, fixed.weights(exact=True)[steps.weighed])


@dataclass(frozen=True, eq=False)
class Pairing:
    """A table and how each seat plays on it."""

    table: Table
    plans: tuple[Plan, ...]  # one for a solo game
    exact: bool = False

    def __post_init__(self) -> None:
        """Refuse a game that has no turns to follow."""
        refuse_at_once(self.table)

    @lazy
    def decided(self) -> Decided:
        """The table once nobody chooses after a throw any more, and the plans on it."""
        return decided(self.table, self.plans)

    @property
    def seats(self) -> int:
        """The number of players."""
        return len(self.plans)

    @lazy
    def node(self) -> Ints:
        """The number of each node, or -1 where play never comes. `[seats, positions]`"""
        table = self.table
        self._spare(self.seats * len(table) // 2, 0)  # those that play leads to are not known yet
        reached = np.zeros((self.seats, len(table)), np.int8)
        reached[:, table.start] = 1
        graph = graph_of(self.decided.table, False)
        kernels.reach(graph, self.seats, *self._moves(exact=False), reached)
        order = np.flatnonzero(reached.T.ravel())  # position by position, seats side by side
        flat = np.full(reached.size, -1, np.int32)
        flat[order] = np.arange(order.size, dtype=np.int32)
        return np.ascontiguousarray(flat.reshape(len(table), self.seats).T)

    def _moves(self, exact: bool) -> tuple[Ints, Numbers, Bools]:
        """Return choice, weight and who mixes, as the kernels read them."""
        table, plans, _ = self.decided
        choice = np.stack([plan.choice for plan in plans])
        mixes = np.array([plan.is_mixed for plan in plans])
        kind = object if exact else np.float64
        weight = np.zeros((self.seats, table.rows if mixes.any() else 0), kind)
        for seat, plan in enumerate(plans):
            if plan.is_mixed:
                weight[seat] = plan.weights(exact)
        return choice, weight, mixes

    @lazy
    def chain(self) -> Chain:
        """The chain of positions that play reaches, in solving order."""
        table, node = self.table, self.node
        graph = graph_of(self.decided.table, self.exact)
        moves = self._moves(self.exact)
        nodes = int(node.max()) + 1
        first = np.zeros(nodes + 1, np.int32)
        kind = object if self.exact else np.float64
        one = Fraction(1) if self.exact else 1.0
        lay_out = interpreted(kernels.lay_out) if self.exact else kernels.lay_out
        kinds = (np.int32, np.bool_, kind)
        target, passes, chance = (np.empty(0, k) for k in kinds)
        count = lay_out(graph, self.seats, *moves, node, first, target, passes, chance, one, False)
        self._spare(nodes, count)
        target, passes, chance = (np.empty(count, k) for k in kinds)
        lay_out(graph, self.seats, *moves, node, first, target, passes, chance, one, True)
        first[nodes] = count
        seat, position = np.nonzero(node >= 0)
        order = node[seat, position]
        positions, seats = np.empty(nodes, np.int32), np.empty(nodes, np.int8)
        positions[order], seats[order] = position, seat
        component_first = distinct(np.searchsorted(positions, table.component_first))
        component_first = component_first.astype(np.int32)
        cut, per_component = cuts(component_first, unsigned(first), unsigned(target))
        return Chain(
            component_first, cut, per_component, first, target, passes, chance, positions, seats
        )

    def spare(self, node: int = 0, outcome: int = 0) -> None:
        """Refuse work that needs so many bytes for each node and outcome, where there are none."""
        self._spare(len(self.chain.position), self.chain.target.size, node, outcome)

    def _spare(self, nodes: int, outcomes: int, node: int = 0, outcome: int = 0) -> None:
        mixed = sum(plan.is_mixed for plan in self.plans)
        self.table.spare(
            nodes * (BYTES_PER_NODE + node)
            + outcomes * (BYTES_PER_OUTCOME + outcome)
            + mixed * self.table.rows * BYTES_PER_SHARE
        )

    @lazy
    def result(self) -> Ints:
        """How the game stands at each node. `[nodes]`"""
        return self.table.result[self.chain.position]

    @lazy
    def rings(self) -> Ints:
        """The number of the never-ending class each node is in, or -1. `[nodes]`

        A class is a set of nodes that play, once there, goes round in for ever.
        """
        alive = np.zeros(self.result.size, np.bool_)
        inside = np.full(self.result.size, -1, np.int32)
        chain = self.chain
        numbers = chain._replace(chance=np.empty(0)) if self.exact else chain
        if not kernels.alive_nodes(numbers, self.result != ONGOING, alive):
            return inside
        from scipy.sparse import csr_matrix
        from scipy.sparse.csgraph import connected_components

        dead = np.flatnonzero(~alive)
        size = self.result.size
        edges = csr_matrix((np.ones(chain.target.size), chain.target, chain.first), (size, size))
        inner = edges[dead][:, dead]
        inner.sum_duplicates()  # SciPy's search for components hangs where an edge is listed twice
        count, label = connected_components(inner, connection="strong")
        source = np.repeat(np.arange(size), np.diff(chain.first))
        where = np.full(size, -1)
        where[dead] = label
        leaving = (where[source] >= 0) & (where[source] != where[chain.target])
        closed = np.setdiff1d(np.arange(count), where[source[leaving]])
        inside[dead] = np.where(np.isin(label, closed), label, -1)
        return inside

    @lazy
    def alive(self) -> Bools:
        """Where play still moves on: all nodes but those of never-ending classes. `[nodes]`"""
        return self.rings < 0

    def stopping(self, stops: Bools) -> Pairing:
        """Return the same play, followed no further than some nodes; these then bring nothing."""
        return StoppedPairing(self.table, self.plans, self.exact, whole=self, stops=stops)

    def room(self) -> tuple[Numbers, Numbers, int]:
        """Return an affine form's coefficients, a matrix, and the longest component served."""
        chain, kind = self.chain, object if self.exact else np.float64
        sizes, unknowns = np.diff(chain.component_first), chain.cuts.astype(np.int64)
        fits = unknowns > 0
        if not self.exact:
            fits &= (unknowns <= MOST_UNKNOWNS) & (sizes * unknowns <= MOST_COEFFICIENTS)
        size = int(sizes[fits].max(initial=0))
        most = int(unknowns[fits].max(initial=0))
        if size * most > 4 * MOST_COEFFICIENTS and not self.exact:
            most = max(1, 4 * MOST_COEFFICIENTS // size)
        return np.zeros((size, most), kind), np.zeros((most, most), kind), size

    def absorb(self, own: Numbers) -> Numbers:
        """Return what each node brings in all, from what it brings by itself.

        The answer v [nodes, channels] satisfies v = own + P v.
        """
        value = own.copy()
        chain, alive = self.chain, self.alive
        coef, matrix, size = self.room()
        kind = coef.dtype
        zero, one = (Fraction(0), Fraction(1)) if self.exact else (0.0, 1.0)
        base = np.zeros((size, own.shape[1]), kind)
        right = np.zeros(matrix.shape[0], kind)
        run = interpreted(kernels.absorb) if self.exact else kernels.absorb
        component = 0
        while component < chain.cuts.size:
            component = run(chain, alive, value, base, coef, matrix, right, component, zero, one)
            if component < chain.cuts.size:  # too many cuts for elimination
                self._absorb_large(value, component)
                component += 1
        return value

    def _absorb_large(self, value: Array, component: int) -> None:
        chain, alive = self.chain, self.alive
        low, high = chain.component_first[component], chain.component_first[component + 1]
        cuts_here = low + np.flatnonzero(chain.cut[low:high] >= 0)
        for channel in range(value.shape[1]):
            own, found = value[:, channel].copy(), value[:, channel].copy()

            def after_a_pass(unknown: Array, own: Array = own, found: Array = found) -> Array:
                found[cuts_here] = unknown
                kernels.absorb_pass(chain, alive, own, found, low, high)
                return found[cuts_here].copy()

            after_a_pass(solve_affine(after_a_pass, np.zeros(cuts_here.size)))
            value[low:high, channel] = found[low:high]


@dataclass(frozen=True, eq=False)
class StoppedPairing(Pairing):
    """The chain of another pairing, followed no further than some of its nodes."""

    whole: Pairing = field(kw_only=True, repr=False)
    stops: Bools = field(kw_only=True, repr=False)

    @lazy
    def node(self) -> Ints:
        """The number of each node, or -1 where play never comes. `[seats, positions]`"""
        return self.whole.node

    @lazy
    def chain(self) -> Chain:
        """The chain of positions that play reaches, in solving order."""
        return self.whole.chain

    @lazy
    def alive(self) -> Bools:
        """Where play is followed on. `[nodes]`"""
        return self.whole.alive & ~self.stops
