"""A compiled game with its seats told apart, as tools want it that know no mirror.

In our tables a position is seen by the player about to move, and one table serves both players.
Elsewhere a state is a position and who is about to move. `Seated` numbers these pairs, the start
first, and lists what each choice may lead to, in exact chances.

With an opponent given, its moves are no choices any more: chance makes them.

Other tools know no choice after a throw: there every such moment is a state of its own, whose moves
are the ways (see `table.unfolded`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from dicelab.core.arrays import Bools, Ints, Numbers
from dicelab.core.lazy import lazy
from dicelab.errors import ExportError
from dicelab.rules import ONGOING, SEEN_BY_OTHER, Game, contract
from dicelab.strategies.named import AnyStrategy, plan
from dicelab.strategies.plan import Plan
from dicelab.strategies.ways import unfolded_plan
from dicelab.table import Table
from dicelab.table.at_once import PairTable, SimultaneousTable
from dicelab.table.races import RaceTable
from dicelab.table.unfolded import plain_table

FIRST, SECOND = 0, 1
SEATS = ("first", "second")


class Node(NamedTuple):
    """A position, and the seat of the player about to move there."""

    position: int
    seat: int


class Choice(NamedTuple):
    """A move, and what it may lead to with which chance and what gain (on average)."""

    move: str
    outcomes: dict[Node, Fraction]
    gains: dict[Node, Fraction]  # only those that are not nothing

    @property
    def gain(self) -> Fraction:
        """What the move gains on average."""
        gains = (self.outcomes[node] * gain for node, gain in self.gains.items())
        return sum(gains, Fraction(0))


def seat_of(name: str) -> int:
    """Return the seat that a word stands for."""
    if name not in SEATS:
        raise ExportError(f"a seat is first or second: got {name!r}")
    return SEATS.index(name)


Fractions = Iterable[Fraction]


@dataclass(frozen=True, eq=False)
class Seated:
    """A game by seats: for two players, for one, or for one against a fixed opponent."""

    table: Table
    against: Plan | None = None
    us: int = FIRST  # the seat that still chooses, where the other is fixed

    @property
    def game(self) -> Game:
        """The game."""
        return self.table.game

    @property
    def is_for_two(self) -> bool:
        """Whether two players still choose."""
        return self.game.players == 2 and self.against is None

    @lazy
    def start(self) -> Node:
        """Where the game starts."""
        # Where both throw at once, a position is always seen by the one who chooses.
        if isinstance(self.table, PairTable):
            start = self.table.start
            return Node(start if self.us == FIRST else int(self.table.mirror[start]), self.us)
        return Node(self.table.start, self.us if self.game.is_simultaneous else FIRST)

    @lazy
    def nodes(self) -> list[Node]:
        """Every node that play can reach, the start first."""
        last = len(self.table) - 1
        at_once = [(number, self.us) for number in range(last, -1, -1)]
        numbers = at_once if self.game.is_simultaneous else self._reached()
        order = [self.start]
        order += [node for node in map(Node._make, numbers) if node != self.start]
        return order

    @lazy
    def number(self) -> dict[Node, int]:
        """The number of each node."""
        return {node: number for number, node in enumerate(self.nodes)}

    def _reached(self) -> list[tuple[int, int]]:
        """Return every pair of position and seat that play can reach, the last numbers first."""
        table = self.table
        played = self._played_rows()
        reached = np.zeros((2, len(table)), bool)
        frontier = np.array([self.start.position]), np.array([self.start.seat])
        reached[frontier[1], frontier[0]] = True
        while frontier[0].size:
            position, seat = frontier
            source, rows = _ranges(table.move_first, position)
            taken = played[seat[source], rows]
            source, rows = source[taken], rows[taken]
            row, outcomes = _ranges(table.outcome_first, rows)
            passes = table.passes(outcomes).astype(np.int64) * (self.game.players == 2)
            after = seat[source[row]] ^ passes
            pairs = np.unique(2 * table.target[outcomes].astype(np.int64) + after)
            fresh = pairs[~reached[pairs % 2, pairs // 2]]
            reached[fresh % 2, fresh // 2] = True
            frontier = fresh // 2, fresh % 2
        seats, positions = np.nonzero(reached)
        order = np.lexsort((seats, -positions))
        return list(zip(positions[order].tolist(), seats[order].tolist(), strict=True))

    def _played_rows(self) -> Bools:
        """Return which rows each seat may play. `[2, rows]`"""
        played = np.ones((2, self.table.rows), bool)
        if self.against is not None:
            played[1 - self.us] = self.against.weights(exact=False) > 0
        return played

    def notation(self, node: Node) -> str:
        """Return a node as people write it."""
        at = self.table.notation(node.position)
        turns = self.game.players == 2 and not self.game.is_simultaneous
        return f"{at}, {SEATS[node.seat]} to move" if turns else at

    def result(self, node: Node, seat: int = FIRST) -> int:
        """Return WIN, LOSS, DRAW or ONGOING as a seat sees it."""
        result = int(self.table.result[node.position])
        return result if node.seat == seat else SEEN_BY_OTHER[result]

    def worth(self, node: Node, seat: int = FIRST) -> Fraction:
        """Return what the end of a game is worth to a seat."""
        if self.game.pays_ends:
            return self.table.ends[int(self.table.end[node.position])][node.seat != seat]
        return Fraction(self.table.worth_to(seat)[self.result(node, seat)])

    def choices(self, node: Node) -> list[Choice]:
        """Return what the player about to move may do, or what a fixed opponent does."""
        if isinstance(self.table, RaceTable):
            return list(self._choices_at_once(self.table, node))
        if isinstance(self.table, PairTable):
            return list(self._choices_of_pairs(self.table, node))
        rows = self._rows(node)
        if self.against is None or node.seat == self.us:
            return [self._choice(node, {row: Fraction(1)}) for row in rows]
        if not rows:
            return []
        if self.against.chances is None:
            return [self._choice(node, {int(self.against.choice[node.position]): Fraction(1)})]
        shares = {row: self.against.chances[row] for row in rows if self.against.chances[row]}
        return [self._choice(node, shares)]

    def _rows(self, node: Node) -> range:
        firsts = self._lists[0]
        return range(firsts[node.position], firsts[node.position + 1])

    def moves(self, node: Node) -> list[str]:
        """Return the moves that the rules allow at a node."""
        return [self.table.moves[self._lists[1][row]] for row in self._rows(node)]

    def count(self, node: Node) -> int:
        """Return how many choices there are at a node."""
        fixed = self.against is not None and node.seat != self.us
        return min(1, len(self._rows(node))) if fixed else len(self._rows(node))

    @lazy
    def _lists(self) -> tuple[list[int], ...]:
        """The table's arrays as lists, which are quicker to read one entry at a time."""
        table = self.table
        names = ("move_first", "move", "outcome_first", "target", "kind")
        return tuple(getattr(table, name).tolist() for name in names)

    def _choice(self, node: Node, shares: dict[int, Fraction]) -> Choice:
        """Return the choice that plays rows with these chances; what the other gains we pay."""
        table = self.table
        _, move, first, target, kinds = self._lists
        other = node.seat ^ (self.game.players == 2)
        outcomes, gained = dict[Node, Fraction](), dict[Node, Fraction]()
        for row, share in shares.items():
            for outcome in range(first[row], first[row + 1]):
                chance, passes, gain, _ = table.kinds[kinds[outcome]]
                if share != 1:
                    chance = share * chance
                after = Node(target[outcome], other if passes else node.seat)
                outcomes[after] = outcomes[after] + chance if after in outcomes else chance
                if gain:
                    ours = gain if node.seat == self.us else -gain
                    gained[after] = gained.get(after, Fraction(0)) + chance * ours
        gains = {after: gain / outcomes[after] for after, gain in gained.items()}
        moves = [table.moves[move[row]] for row in shares]
        return Choice(moves[0] if len(moves) == 1 else "mixed", outcomes, gains)

    @lazy
    def _spread(self) -> Numbers:
        assert isinstance(self.table, RaceTable)
        assert self.against is not None
        return self.table.spread(self.against.weights(exact=True))

    def _choices_at_once(self, table: RaceTable, node: Node) -> Iterator[Choice]:
        """Yield my moves where the other player's throw is as fixed as the dice."""
        if table.result[node.position] != ONGOING:
            return
        mine, yours = (int(score[node.position]) for score in table.scores)
        shares = self._spread[yours, mine]
        theirs = [sum(shares * law, Fraction(0)) for law in table.exact_law.T]
        for move, law in zip(table.moves, table.exact_law, strict=True):
            yield Choice(move, self._thrown(table, node, law, theirs), {})

    def _choices_of_pairs(self, table: PairTable, node: Node) -> Iterator[Choice]:
        """Yield my moves where the other player's mixture is as fixed as the dice."""
        assert self.against is not None
        weights = self.against.weights(exact=True)
        for row in self._rows(node):
            pairs = range(table.pair_first[row], table.pair_first[row + 1])
            shares = {pair: share for pair in pairs if (share := weights[table.of_other[pair]])}
            yield self._after_pairs(table, node, table.moves[table.move[row]], shares)

    def met(self, node: Node, move: str, other: str) -> Choice:
        """Return what may come of two moves made at once, `move` by the one who looks."""
        table = self.table
        if isinstance(table, PairTable):
            return self._met_pair(table, node, move, other)
        assert isinstance(table, RaceTable)
        mine, yours = (table.exact_law[table.moves.index(each)] for each in (move, other))
        return Choice(f"{move}, {other}", self._thrown(table, node, mine, yours), {})

    def _met_pair(self, table: PairTable, node: Node, move: str, other: str) -> Choice:
        row = table.row_at(node.position, move)
        there = int(table.mirror[node.position])
        pair = table.pair_first[row] + table.row_at(there, other) - table.move_first[there]
        return self._after_pairs(table, node, f"{move}, {other}", {int(pair): Fraction(1)})

    def _after_pairs(
        self, table: PairTable, node: Node, name: str, shares: dict[int, Fraction]
    ) -> Choice:
        """Return what may come of pairs of moves with these chances, and what is gained."""
        pairs = table.pairs
        outcomes, gained = dict[Node, Fraction](), dict[Node, Fraction]()
        for pair, share in shares.items():
            for o in range(pairs.outcome_first[pair], pairs.outcome_first[pair + 1]):
                kind = pairs.kinds[pairs.kind[o]]
                after, chance = Node(int(pairs.target[o]), node.seat), share * kind.chance
                outcomes[after] = outcomes.get(after, Fraction(0)) + chance
                gained[after] = gained.get(after, Fraction(0)) + chance * kind.gain
        gains = {after: gain / outcomes[after] for after, gain in gained.items() if gain}
        return Choice(name, outcomes, gains)

    def _thrown(
        self, table: RaceTable, node: Node, mine: Fractions, yours: Fractions
    ) -> dict[Node, Fraction]:
        """Return where two throws lead, given the chance of each number of points."""
        one, two = (int(score[node.position]) for score in table.scores)
        return {
            Node(int(table.number_at[one + a, two + b]), node.seat): here * there
            for a, here in enumerate(mine)
            if here
            for b, there in enumerate(yours)
            if there
        }

    def seen_by(self, node: Node, seat: int) -> Node:
        """Return where a player looks: at once the second sees a position from the other side."""
        table = self.table
        if seat == FIRST or not self.is_for_two or not isinstance(table, SimultaneousTable):
            return node
        return Node(int(table.mirror[node.position]), SECOND)


def _ranges(first: Ints, which: Ints) -> tuple[Ints, Ints]:
    """Return all members of some ranges, and the place in `which` that each belongs to."""
    begin = first[which].astype(np.int64)
    counts = first[which + 1].astype(np.int64) - begin
    place = np.repeat(np.arange(which.size), counts)
    within = np.arange(place.size) - np.repeat(np.cumsum(counts) - counts, counts)
    return place, begin[place] + within


def check_one_pot(model: Seated) -> None:
    """Refuse two players of whom one may gain what the other does not lose."""
    game = model.game
    first, second = (model.table.worth_to(seat) for seat in (FIRST, SECOND))
    pots = {
        first[result] + second[SEEN_BY_OTHER[result]]
        for result in set(np.unique(model.table.result).tolist()) - {ONGOING}
    }
    if model.is_for_two and len(pots | {game.total}) > 1:
        raise ExportError(
            f"{game} is no game over one pot, where one player gets what the other loses: fix one "
            f"player with --against STRATEGY"
        )


def seated(table: Table, against: AnyStrategy | None = None, seat: str = "first") -> Seated:
    """Return a compiled game by seats, against a fixed opponent if one is given."""
    game = table.game
    contract.refuse_many(game, "be exported")
    if against is None:
        return Seated(plain_table(table))
    if game.players != 2:
        raise ExportError(f"{game} is played alone: there is nobody to play against")
    fixed = unfolded_plan(plan(table, against))
    return Seated(fixed.table, fixed, seat_of(seat))
