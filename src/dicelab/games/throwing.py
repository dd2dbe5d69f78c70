"""Games in which a turn is one throw, and the choice is how many dice: moves and scores."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

import numpy as np

from dicelab.core.language import tr
from dicelab.games import seats
from dicelab.rules import Game, Ints, Position


def throw(dice: int) -> str:
    """Return the move that throws so many dice."""
    return f"throw {dice}"


def number_of_dice(move: str) -> int:
    """Return how many dice a move throws."""
    return int(move.removeprefix("throw "))


class ScorePosition(NamedTuple):
    """Both scores, written ``30-12``."""

    mine: Ints
    yours: Ints


class TwoScores(Game):
    """What games share in which scores race to a target, and a position is nothing else."""

    target: int

    @property
    def place(self) -> Any:
        """The kind of its positions, with a score for each player."""
        return seats.seated(ScorePosition, self.players)

    def start(self) -> ScorePosition:
        """Return the position the game starts from."""
        start: ScorePosition = self.place(*[0] * self.players)
        return start

    def everywhere(self) -> Position | None:
        """Return every pair of scores, a head start included: a map of best play has no holes."""
        if self.players > 2:
            return None
        pairs: Position = self.place(*np.indices((self.target, self.target)).reshape(2, -1))
        return pairs

    def size(self) -> int:
        """Return about how many positions there are."""
        return (self.target + 1) ** self.players

    def describe(self, at: Position, mine: bool = True) -> str:
        """Return a position in a sentence or two."""
        told = self.counters(at, mine)
        return tr("You have {mine}. The other player has {yours}.", **told)

    def example_positions(self) -> list[str]:
        """Return a position towards the end of a game."""
        parts = [6, 7, 5, 4, *[3] * self.players][: self.players]
        return [seats.between([self.target * part // 10 for part in parts])]

    def notation(self, at: Position) -> str:
        """Return ``mine-yours``, and what others have in order of their turns."""
        return seats.between(at)

    def parse(self, text: str) -> Position:
        """Return the position that ``30-12`` stands for."""
        match = re.fullmatch(seats.pattern(r"(\d{1,9})", self.players) + r"\s*", text)
        if match is None:
            raise self.unreadable(text)
        found: Position = self.place(*map(int, match.groups()))
        return found
