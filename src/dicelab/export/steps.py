"""A game played step by step for learners: legal moves, a throw of the dice, what it all gave.

Whatever was looked up once is remembered, since learners play the same positions over and over.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from dicelab.export.seated import Choice, Node, Seated
from dicelab.rules import ONGOING

WORDS = {1: "won", 2: "lost", 3: "drawn"}
"""Results as a player calls them."""


@dataclass(frozen=True)
class Prepared:
    """A choice made ready to be thrown."""

    nodes: list[Node]
    gains: list[float]
    edges: Any  # chances, summed up

    def __deepcopy__(self, memo: Any) -> Prepared:
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
        self.names = getattr(type(self.model.game.start()), "_fields", ())

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

    def mask(self, node: Node) -> Any:
        """Return 1 for each move that the rules allow, else 0; all 1 where the game is over."""
        mask = np.full(len(self.moves), 1 if self.is_over(node) else 0, np.int8)
        mask[self.legal(node)] = 1
        return mask

    def bounds(self) -> tuple[Any, Any]:
        """Return the lowest and highest value of each field, or of the position's number."""
        table = self.model.table
        if not self._has_fields:
            return np.array([0]), np.array([len(table) - 1])
        if isinstance(table.keys, list):
            at = [np.array(column) for column in zip(*table.keys, strict=True)]
        else:
            at = table.positions(np.arange(len(table)))
        return np.array([np.min(f) for f in at]), np.array([np.max(f) for f in at])

    @property
    def _has_fields(self) -> bool:
        start = self.model.game.start()
        return bool(self.names) and all(isinstance(value, int | np.integer) for value in start)

    def seen(self, node: Node) -> Any:
        """Return the fields of a position as numbers, or its number where it has none."""
        if not self._has_fields:
            return np.array([node.position], np.int64)
        return np.array(
            [int(value) for value in self.model.table.position(node.position)], np.int64
        )
