"""Random games with very many ways back, for one player and for two.

A position is a place on a line. Each of its moves leads to three random places: some back, the
others on towards the end of the line, where the game is won or lost. Nearly all places then form
one component that no small set of cuts opens. Plain value iteration on the same arrays is the twin
that the solver is compared with, here and in `benchmarks/ways_back.py`.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Any, ClassVar, NamedTuple

import numpy as np

from dicelab.rules import LOSS, ONGOING, OTHER, SAME, WIN, Game, Outcome, where

LAW = (Fraction(1, 2), Fraction(1, 3), Fraction(1, 6))
MOVES = ("a", "b", "c")
NEAR = 50
"""How far outcomes lead in a game in which all ways are short."""

MOST_SWEEPS = 100_000


class Place(NamedTuple):
    """A place on the line."""

    place: Any


@cache
def ways(places: int, percent: int, seed: int) -> Any:
    """Return where each outcome of each move leads. `[moves, outcomes, places]`"""
    rng = np.random.default_rng(seed)
    shape = (len(MOVES), len(LAW), places)
    here = np.arange(places)
    share = rng.random(shape)
    behind = here - 1 - (share * here).astype(np.int64)
    on = here + 1 + (share * (1.1 * places - here)).astype(np.int64)
    to = np.where(rng.random(shape) < percent / 100, behind, on)
    return np.where(to < places, np.maximum(to, 0), places + rng.integers(0, 2, shape))


def by_iteration(game: "RandomGraph", change: float = 1e-12) -> tuple[Any, int]:
    """Return what each place is worth by plain value iteration, and the sweeps that took."""
    to = ways(game.places, game.percent, game.seed)
    two = game.players == 2
    law = np.array([float(chance) for chance in LAW])
    value = np.zeros(game.places + 2)
    value[game.places :] = (1.0, -1.0) if two else (1.0, 0.0)
    most, sweeps = 1.0, 0
    while most >= change and sweeps < MOST_SWEEPS:
        new = np.einsum("k,mkp->mp", -law if two else law, value[to]).max(axis=0)
        most = np.abs(new - value[: game.places]).max()
        value[: game.places] = new
        sweeps += 1
    return (value + 1) / 2 if two else value, sweeps


@dataclass(frozen=True)
class RandomGraph(Game):
    """A random game for two. Place `places` is a win for who comes there, the one after a loss."""

    places: int = 1000
    percent: int = 20  # of outcomes that lead back
    seed: int = 0
    name: ClassVar[str] = "random-graph"
    moves: ClassVar[tuple[str, ...]] = MOVES
    next_mover: ClassVar[int] = OTHER

    def start(self) -> Place:
        """Return the position the game starts from."""
        return Place(0)

    def legal(self, at: Place, move: str) -> Any:
        """Return whether the move is allowed: each is."""
        return at.place >= 0

    def outcomes(self, at: Place, move: str) -> Iterator[Outcome]:
        """Yield (chance, next position, who moves next)."""
        to = ways(self.places, self.percent, self.seed)[MOVES.index(move)]
        for chance, way in zip(LAW, to, strict=True):
            yield Outcome(chance, Place(way[at.place]), self.next_mover)

    def result(self, at: Place) -> Any:
        """Return WIN or LOSS at the end of the line."""
        over = where(at.place == self.places, WIN, LOSS)
        return where(at.place < self.places, ONGOING, over)

    def size(self) -> int:
        """Return about how many positions there are."""
        return self.places + 2


@dataclass(frozen=True)
class RandomSolo(RandomGraph):
    """The same for one player."""

    players: ClassVar[int] = 1
    next_mover: ClassVar[int] = SAME
