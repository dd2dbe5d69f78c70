"""density: where a game goes, how often, and how long it lasts, when A plays B.

The expected number of visits y to each position solves y = start + P' y, the forward twin of
`evaluate`. The chance to come there at all is y divided by the visits that a game starting there
would make. The law of the length counts turns: a turn ends where the rules pass the move to the
OTHER player, in a game played alone too. Moves and throws are counted on average.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field

import numpy as np

from dicelab.core.arrays import Bools, Floats, Ints, Numbers
from dicelab.core.lazy import lazy
from dicelab.errors import RulesError
from dicelab.rules import ONGOING, Game, Moment, Position
from dicelab.solvers import chain as kernels
from dicelab.solvers import visits as visiting
from dicelab.solvers.large_components import solve_affine
from dicelab.solvers.settle import MOST_COEFFICIENTS, MOST_UNKNOWNS
from dicelab.strategies.matchup import Pairing, by_steps
from dicelab.strategies.named import AnyStrategy, plan
from dicelab.strategies.plan import Plan
from dicelab.table import Table, compile, written_out
from dicelab.table.at_once import PairTable
from dicelab.table.races import RaceTable
from dicelab.table.unfolded import open_at
from dicelab.verbs.engines import own_verb
from dicelab.verbs.lengths import mean_turns, sums
from dicelab.verbs.points_law import PointsLaw, points_law
from dicelab.verbs.seats import Rest, plans_of

MOST_TURNS = 100_000
FEW_CUTS = 8  # served inside the kernel; more are left to linear algebra
UNCOUNTED = 1e-9
"""The law of the length is followed until less than this chance is left."""


@dataclass(frozen=True, eq=False)
class PointsDensity:
    """How likely each number of points is, for a game whose positions are too many to number."""

    game: Game
    a: str
    points: PointsLaw
    turns: int  # that are left to play
    seconds: float


@dataclass(frozen=True, eq=False)
class Density:
    """Chances and expected visits by seat and position, for a game that A starts."""

    table: Table
    a: str
    b: str | None
    ever: Floats  # [seats, positions] the chance that the game ever gets there; nan: not worked out
    visits: Floats  # [seats, positions] expected visits; infinite where play goes round for ever
    lengths: Floats  # [turns] the chance that the game ends in its 1st, 2nd, ... turn
    unfinished: float  # the chance that it lasts longer than that, or never ends
    never_ends: float
    seconds: float
    pairing: Pairing = field(repr=False)

    @property
    def game(self) -> Game:
        """The game that is played."""
        return self.table.game

    @property
    def visited(self) -> Bools:
        """Where the game can come at all. `[seats, positions]`"""
        return self.visits > 0

    @property
    def at_most(self) -> Floats:
        """The chance to come to each position; where not worked out, a bound. `[seats, positions]`

        Nobody comes to a position with a larger chance than they visit it on average.
        """
        return np.where(np.isnan(self.ever), np.minimum(1.0, self.visits), self.ever)

    def ever_at(self, at: Position | str, seat: int = 0) -> float:
        """Return the chance that a player (0 is A) is ever about to move at a position.

        In a component with very many cuts that is one linear system for each position: it is
        solved when it is asked for, and remembered. A moment after a throw takes one as well.
        """
        if (moment := self.table.moment(at)) is not None:
            return self._ever_at_moment(moment, seat)
        here = seat, self.table.number(at)
        if np.isnan(self.ever[here]):
            node = self._node(*here)
            own = np.zeros((self.pairing.alive.size, 1))
            own[node] = 1.0
            self.ever[here] = min(1.0, self.visits[here] / self.pairing.absorb(own)[node, 0])
        return float(self.ever[here])

    def _node(self, seat: int, number: int) -> int:
        """Return where in the chain a player is about to move at a position."""
        return int(self.pairing.node[seat, number])

    def likeliest(self, most: int) -> list[tuple[int, int]]:
        """Return (seat, position) of where play comes most surely, but for its start and ends."""
        bound = self.at_most
        bound[:, ~self.table.is_ongoing] = 0.0
        bound[0, self.table.start] = 0.0
        found: list[tuple[float, int, int]] = []
        for flat in np.argsort(-bound, axis=None, kind="stable"):
            seat, number = (int(index) for index in np.unravel_index(flat, bound.shape))
            if bound[seat, number] == 0 or (
                len(found) >= most and found[most - 1][0] <= -bound[seat, number]
            ):
                break
            found.append((-self.ever_at(self.table.position(number), seat), seat, number))
            found.sort()
        return [(seat, number) for _, seat, number in found[:most]]

    def visits_at(self, at: Position | str, seat: int = 0) -> float:
        """Return how often a player (0 is A) is about to move at a position, on average.

        At a moment after a throw: how often that player makes the throw and sees these dice.
        """
        if (moment := self.table.moment(at)) is not None:
            share = self._thrown(moment, seat)[0]
            visits = float(self.visits[seat, self.table.number(moment.at)])
            return visits * share if share else 0.0
        return float(self.visits[seat, self.table.number(at)])

    def _thrown(self, moment: Moment, seat: int) -> tuple[float, slice]:
        """Return how often who is about to move comes to a moment from there, and its ways."""
        table, plan = self.table, self.pairing.plans[seat]
        first, ways = open_at(table, moment)
        row = table.row_at(table.number(moment.at), moment.move)
        weight = float(plan.weights(exact=False)[row])
        return weight * float(table.chance_floats[table.kind[first]]), slice(
            first, first + len(ways)
        )

    def _ever_at_moment(self, moment: Moment, seat: int) -> float:
        """Return the chance that a game ever comes to a moment after a throw.

        That is its visits over those of a game that begins there: once, and then as often as play
        comes back by the ways that are taken.
        """
        table, pairing = self.table, self.pairing
        share, ways = self._thrown(moment, seat)
        here = seat, table.number(moment.at)
        if not share or not self.visits[here]:
            return 0.0
        if np.isinf(self.visits[here]):  # play goes round there for ever, and meets every throw
            return float(self.ever[here])
        own = np.zeros((pairing.alive.size, 1))
        own[pairing.node[here]] = share
        back = pairing.absorb(own)[:, 0]
        seats = (seat + table.turns[table.kind[ways]].astype(np.int64)) % len(pairing.plans)
        nodes = pairing.node[seats, table.target[ways]]
        taken = pairing.plans[seat].way_shares(exact=False)[ways]
        returns = 1 + float((taken * np.where(nodes >= 0, back[nodes], 0.0)).sum())
        return min(1.0, self.visits_at(moment, seat) / returns)

    @property
    def mean_length(self) -> float:
        """The average number of turns; infinite if the game may never end."""
        return float(mean_turns(self.pairing)[0])

    @property
    def mean_moves(self) -> float:
        """The average number of moves, forced ones included; infinite if a game may never end.

        What is chosen after a throw belongs to the move that threw.
        """
        return float(self.visits[:, self.table.is_ongoing].sum())

    @property
    def mean_throws(self) -> float:
        """The average number of moves that leave something to chance, such as a throw of dice."""
        if self.never_ends > 0:
            return float("inf")
        table = self.table
        first = np.append(0, np.cumsum(~table.another[table.kind]))  # ways of a throw are one
        throws = np.diff(first[table.outcome_first]) > 1
        plans = self.pairing.plans
        visits = sum(
            self.visits[seat][table.row_position] * plans[seat].weights(exact=False)
            for seat in range(len(plans))
        )
        return float((visits * throws).sum())

    @lazy
    def points(self) -> PointsLaw | None:
        """The law of A's points; None where the game is not for points."""
        if self.game.players > 2:  # what each gets is for `evaluate` to say
            return None
        return points_law(self.pairing) if self.table.is_for_points else None

    def quantile(self, share: float) -> int | None:
        """Return the turn by which this share of games has ended, or None if never."""
        done = np.cumsum(self.lengths)
        turn = int(np.searchsorted(done, share))
        return turn + 1 if turn < done.size else None


class DensityAtOnce(Density):
    """The same where both choose at once: they come to a position together, each to his view."""

    def _node(self, seat: int, number: int) -> int:
        """Return where in the chain a player looks at a position."""
        table = self.table
        assert isinstance(table, PairTable)
        looks = number if seat == 0 else table.mirror[number]
        return int(self.pairing.node[0, table.steps.place[looks]])

    @property
    def mean_length(self) -> float:
        """The average number of turns of both; infinite if the game may never end."""
        return super().mean_length / 2  # two moves, one after the other, are one turn of both

    @property
    def mean_throws(self) -> float:
        """The average number of turns of both that leave something to chance."""
        if self.never_ends > 0:
            return float("inf")
        table, (a, b) = self.table, (each.weights(exact=False) for each in self.pairing.plans)
        assert isinstance(table, PairTable)
        own = np.ones(table.steps.rows, np.bool_)
        own[table.steps.of_pair] = False
        played = a[own][table.of_looker] * b[table.steps.of_pair]
        throws = np.diff(table.pairs.outcome_first) > 1
        return float((self.visits[0][table.pairs.row_position] * played * throws).sum())


BYTES_PER_NODE = 50  # visits and chances, of the node and again by position


def density(
    game: Game | Table, a: AnyStrategy, b: Rest = None, for_: str | None = None
) -> Density | PointsDensity:
    """Return where a game between A and B goes when A starts; a solo game takes no B.

    With three players and more, `b` is a list of the others in order of their turns, or one
    strategy for all of them.

    `for_` is a purpose other than the game's own. A game for points that is too large for a table
    may have an engine that tells the law of its points, and no more.

    >>> from dicelab.games.pig import Pig
    >>> round(density(Pig(target=2), "roll-to-win", "roll-to-win").visits_at("0-0 +0"), 6)
    1.028571
    """
    own = own_verb(game, "density") if for_ is None else None
    if own and (found := own(game, a, b)) is not None:
        law: PointsDensity = found
        return law
    return density_on(compile(game, for_=for_), a, b)


def density_on(table: Table, a: AnyStrategy, b: Rest = None) -> Density:
    """Return the same on a table that somebody has made."""
    began = time.perf_counter()
    if isinstance(table, RaceTable):
        table = written_out(table)
    plans: tuple[Plan, ...]
    if table.game.players > 2:
        plans = plans_of(table, a, b)
    else:
        if (b is None) != (table.game.players == 1):
            need = "one strategy" if table.game.players == 1 else "two strategies"
            raise RulesError(f"{table.game} needs {need}")
        plans = tuple(plan(table, s) for s in ((a,) if b is None else (a, b)))
    if isinstance(table, PairTable):
        return _at_once(table, plans, began)
    pairing = Pairing(table, plans)
    ever, visits = _visits(pairing)
    lengths, unfinished = _lengths(pairing)
    return Density(
        table,
        plans[0].name,
        " and ".join(each.name for each in plans[1:]) or None,
        _at_nodes(pairing.node, ever),
        _at_nodes(pairing.node, visits),
        lengths,
        unfinished,
        _never(pairing, ever),
        time.perf_counter() - began,
        pairing,
    )


def visits_on(table: Table, *plans: Plan) -> Floats:
    """Return how often play between plans comes to each position, by seat. `[seats, positions]`"""
    pairing = Pairing(table, plans)
    return _at_nodes(pairing.node, _visits(pairing)[1])


def _at_nodes(node: Ints, values: Floats) -> Floats:
    """Return the values of nodes where these are wanted; 0 where there is none."""
    found, here = np.zeros(node.shape), node >= 0
    found[here] = values[node[here]]
    return found


def _at_once(table: PairTable, plans: tuple[Plan, ...], began: float) -> Density:
    """Return where a game at once goes that A begins in the first seat."""
    steps = table.steps
    pairing = Pairing(steps, tuple(by_steps(each) for each in plans))
    ever, visits = _visits(pairing)
    lengths, unfinished = _lengths(pairing)
    mine = pairing.node[0, steps.place]
    both = np.stack([mine, mine[table.mirror]])
    return DensityAtOnce(
        table,
        plans[0].name,
        plans[1].name,
        _at_nodes(both, ever),
        _at_nodes(both, visits),
        lengths[1::2].copy(),  # two moves are one turn of both
        unfinished,
        _never(pairing, ever),
        time.perf_counter() - began,
        pairing,
    )


def _visits(pairing: Pairing) -> tuple[Floats, Floats]:
    """Return the chance to come to each node at all, and the expected visits. `[nodes]`"""
    pairing.spare(node=BYTES_PER_NODE)
    chain, alive = pairing.chain, pairing.alive
    visits, returns = np.zeros(alive.size), np.ones(alive.size)
    visits[pairing.node[0, pairing.table.start]] = 1.0
    small = (chain.cuts > 0) & (chain.cuts <= FEW_CUTS)
    size = int(np.diff(chain.component_first)[small].max(initial=0))
    forms = np.zeros((size, FEW_CUTS)), np.zeros(size), np.zeros((size, FEW_CUTS))
    system = np.zeros((FEW_CUTS, FEW_CUTS)), np.zeros(FEW_CUTS)
    c, known = chain.cuts.size - 1, False
    while c >= 0:
        c = visiting.visit(chain, alive, visits, returns, *forms, *system, 0.0, 1.0, c, known)
        if c >= 0:
            _visit_large(pairing, visits, returns, int(c))
            known = True
    ever = np.where(visits == 0, 0.0, np.minimum(1.0, visits / returns))
    ever[pairing.node[0, pairing.table.start]] = 1.0
    for ring in np.unique(pairing.rings[pairing.rings >= 0]):
        members = pairing.rings == ring
        ever[members] = visits[members].sum()
        visits[members] = np.where(ever[members] > 0, np.inf, 0.0)
    return ever, visits


def _visit_large(pairing: Pairing, visits: Floats, returns: Floats, c: int) -> None:
    """Work out the visits in a component of many cuts; see `solvers.visits` for the algebra."""
    chain, alive = pairing.chain, pairing.alive
    low, high = int(chain.component_first[c]), int(chain.component_first[c + 1])
    size, unknowns = high - low, int(chain.cuts[c])
    where = np.flatnonzero(chain.cut[low:high] >= 0)
    where = where[np.argsort(chain.cut[low:high][where])]
    if unknowns <= MOST_UNKNOWNS and size * unknowns <= MOST_COEFFICIENTS:
        inflow, shares, coef = (
            np.zeros(size),
            np.zeros((size, unknowns)),
            np.zeros((size, unknowns)),
        )
        visiting.spread(chain, alive, visits, inflow, shares, low, high, unknowns, 0.0)
        visiting.first_cuts(chain, alive, coef, low, high, unknowns, 0.0)
        cuts_visited = np.linalg.solve(np.eye(unknowns) - shares[where], inflow[where])
        visits[low:high] = inflow + shares @ cuts_visited
        among_cuts = np.linalg.inv(np.eye(unknowns) - coef[where])
        returns[low:high] = 1 + ((coef @ among_cuts) * shares).sum(axis=1)
        returns[low + where] = np.diag(among_cuts)
        return

    found = np.empty(size)

    def after_a_pass(unknown: Numbers) -> Floats:
        found[:] = visits[low:high]
        visiting.pass_on(chain, alive, found, low, high, unknown)
        return found[where].copy()

    after_a_pass(solve_affine(after_a_pass, np.zeros(unknowns)))
    visits[low:high] = found
    returns[low:high] = np.nan  # one linear system a node: too many to solve unasked


def _never(pairing: Pairing, ever: Floats) -> float:
    """Return the chance that the game ends up going round for ever."""
    rings = pairing.rings
    firsts = [np.flatnonzero(rings == ring)[0] for ring in np.unique(rings[rings >= 0])]
    return float(sum(ever[first] for first in firsts))


def _lengths(pairing: Pairing) -> tuple[Floats, float]:
    """Return the law of the number of turns, and the chance that is left over."""
    now = np.zeros(pairing.alive.size)
    now[pairing.node[0, pairing.table.start]] = 1.0
    chain, over = pairing.chain, pairing.result != ONGOING
    ends = sums(pairing, np.where(over[chain.target], chain.chance, 0.0))[:, None]
    met, nothing = np.zeros((MOST_TURNS, 1)), np.zeros((now.size, 0))
    turns, _ = kernels.by_turn(
        chain, pairing.alive, over, now, ends, nothing, met, np.zeros((MOST_TURNS, 0)), UNCOUNTED
    )
    law = met[:turns, 0].copy()
    return law, max(0.0, 1.0 - float(law.sum()))
