"""A game played step by step for learners: legal moves, a throw of the dice, what it all gave.

Whatever was looked up once is remembered, since learners play the same positions over and over.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from dicelab.core.arrays import Floats, Ints
from dicelab.core.lazy import lazy
from dicelab.exchange.seated import Choice, Node, Seated
from dicelab.rules import DRAW, LOSS, ONGOING, WIN, before_throw
from dicelab.table.unfolded import UnfoldedTable

WORDS = {WIN: "won", LOSS: "lost", DRAW: "drawn"}
"""Results as a player calls them."""


@dataclass(frozen=True)
class Prepared:
    """A choice made ready to be thrown."""

    nodes: list[Node]
    gains: list[float]
    edges: Floats  # chances, summed up

    def __deepcopy__(self, memo: object) -> Prepared:
        return self  # nothing in it ever changes

    def throw(self, rng: np.random.Generator) -> tuple[Node, float]:
        """Return where chance leads, and what is gained on the way."""
        place = int(np.searchsorted(self.edges, rng.random(), side="right"))
        place = min(place, len(self.nodes) - 1)  # the sum may be a rounding below 1
        return self.nodes[place], self.gains[place]


def prepared(choice: Choice) -> Prepared:
    """Return a choice made ready to be thrown."""
    nodes = list(choice.outcomes)
    chances = np.array([float(chance) for chance in choice.outcomes.values()])
    gains = [float(choice.gains.get(node, 0)) for node in nodes]
    return Prepared(nodes, gains, np.cumsum(chances))


@dataclass
class Steps:
    """The moves of a game by number, and what each may do."""

    model: Seated
    _known: dict[Node, dict[int, Prepared]] = field(default_factory=dict)
    _met: dict[tuple[Node, int, int], Prepared] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.moves = self.model.table.moves
        self._number = {move: number for number, move in enumerate(self.moves)}

    def is_over(self, node: Node) -> bool:
        """Return whether the game is over."""
        return bool(self.model.table.result[node.position] != ONGOING)

    def moves_at(self, node: Node) -> dict[int, Prepared]:
        """Return the moves of the player about to move, by number; a fixed one has one."""
        if node not in self._known:
            choices = self.model.choices(node)
            self._known[node] = {
                self._number.get(choice.move, -1): prepared(choice) for choice in choices
            }
        return self._known[node]

    def met(self, node: Node, move: int, other: int) -> Prepared:
        """Return what two moves made at once may do."""
        key = (node, move, other)
        if key not in self._met:
            self._met[key] = prepared(self.model.met(node, self.moves[move], self.moves[other]))
        return self._met[key]

    def legal(self, node: Node) -> list[int]:
        """Return the numbers of the moves that the rules allow at a position."""
        table = self.model.table
        rows = slice(table.move_first[node.position], table.move_first[node.position + 1])
        return [int(move) for move in table.move[rows]]

    def mask(self, node: Node) -> NDArray[np.int8]:
        """Return 1 for each move that the rules allow, else 0; all 1 where the game is over."""
        mask = np.full(len(self.moves), 1 if self.is_over(node) else 0, np.int8)
        mask[self.legal(node)] = 1
        return mask

    @lazy
    def _fields(self) -> tuple[Ints, Ints, Ints]:
        """Which fields ever change, and their lowest and highest values."""
        table, start = self.model.table, self.model.game.start()
        whole = all(isinstance(value, int | np.integer) for value in start)
        if not hasattr(start, "_fields") or not whole:  # then a position is known by its number
            return np.array([-1]), np.array([0]), np.array([len(table) - 1])
        folded = table.folded if isinstance(table, UnfoldedTable) else table
        at = folded.positions(np.arange(len(folded)))
        if isinstance(at, list):  # house rules have them one by one
            at = [np.array(column) for column in zip(*at, strict=True)]
        low, high = np.array([np.min(f) for f in at]), np.array([np.max(f) for f in at])
        kept = np.flatnonzero(low < high)
        return kept, low[kept], high[kept]

    def bounds(self) -> tuple[Ints, Ints]:
        """Return the lowest and highest value of each field seen."""
        kept, low, high = self._fields
        table = self.model.table
        if kept[0] < 0 or not isinstance(table, UnfoldedTable):
            return low, high
        return np.append(low, 0), np.append(high, len(table.throws))

    def seen(self, node: Node) -> NDArray[np.int64]:
        """Return the fields of a position that ever change, or its number where it has none.

        Where one chooses after throws, the last number tells which throw it was; 0 before one.
        """
        kept, table = self._fields[0], self.model.table
        if kept[0] < 0:
            return np.array([node.position], np.int64)
        at = before_throw(table.position(node.position))
        threw = [table.throw_at(node.position)] if isinstance(table, UnfoldedTable) else []
        return np.array([*(int(at[place]) for place in kept), *threw], np.int64)
