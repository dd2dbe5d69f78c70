"""Named strategies of the Royal Game of Ur."""

from __future__ import annotations

from collections.abc import Callable

from dicelab.games.ur.rules import PASS, THROW, Step
from dicelab.games.ur.speech import Ur
from dicelab.rules import Bools, Faces, Position, both, where
from dicelab.rules.registry import strategy

Choose = Callable[..., object]


def _preferring(game: Ur, wanted: Callable[[Step], Bools], backwards: bool = False) -> Choose:
    """Return the strategy that takes a wanted step, or else any; of several the first listed."""

    def choose(at: Position, threw: Faces = None) -> object:
        if threw is None:
            return where(at.mine >= 0, THROW, "")
        steps = list(game.steps(at, threw))[:: -1 if backwards else 1]
        found = where(at.mine >= 0, PASS, "")
        for step in reversed(steps):
            found = where(step.allowed, step.name, found)
        for step in reversed(steps):
            found = where(both(step.allowed, wanted(step)), step.name, found)
        return found

    return choose


@strategy(Ur, "first-piece")
def first_piece(game: Ur) -> Choose:
    """Move the piece that is farthest ahead."""
    return _preferring(game, lambda step: step.allowed)


@strategy(Ur, "last-piece")
def last_piece(game: Ur) -> Choose:
    """Move the piece that is farthest behind: enter one wherever that is possible."""
    return _preferring(game, lambda step: step.allowed, backwards=True)


@strategy(Ur, "capture-first")
def capture_first(game: Ur) -> Choose:
    """Capture where you can, else move the piece that is farthest ahead."""
    return _preferring(game, lambda step: step.captures)


@strategy(Ur, "rosette-first")
def rosette_first(game: Ur) -> Choose:
    """Land on a rosette where you can, else move the piece that is farthest ahead."""
    return _preferring(game, lambda step: step.target in game.board.rosettes)
