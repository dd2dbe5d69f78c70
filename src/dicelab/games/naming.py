"""Games at once in which every move is open everywhere, so that one may always name the same."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from dicelab.errors import RulesError
from dicelab.games.throwing import ScorePosition, TwoScores
from dicelab.rules import Bools, Position, SimultaneousGame, where
from dicelab.rules.registry import strategy


class OpenGame(SimultaneousGame):
    """A game at once in which every move is allowed everywhere."""

    #: The move that `always` makes unless told another; the last one where nothing is said.
    usual: ClassVar[str] = ""

    def legal(self, at: Position, move: str) -> Bools:
        """Return whether the move is allowed: every one is, everywhere."""
        return at.mine >= 0


class ScoresAtOnce(TwoScores, OpenGame):
    """The same where a position is both scores."""

    def mirror(self, at: ScorePosition) -> ScorePosition:
        """Return a position as the other player sees it."""
        return ScorePosition(at.yours, at.mine)


@strategy(OpenGame, "always")  # type: ignore[type-abstract]
def always(game: OpenGame, move: str = "") -> Callable[[Position], object]:
    """Always make the same move: the usual one, or your own."""
    wanted = move or game.usual or game.moves[-1]
    found = [one for one in game.moves if wanted in (one, one.rpartition(" ")[2])]
    if not found:
        raise cannot_play(game, f"always:{move}")
    return lambda at: where(at.mine >= 0, found[0], "")


def cannot_play(game: OpenGame, name: str) -> RulesError:
    """Return the error for a strategy that would make a move which a game does not have."""
    few = len(game.moves) < 5
    told = ", ".join(game.moves) if few else f"{game.moves[0]} to {game.moves[-1]}"
    return RulesError(f"{name} cannot be played in {game}: its moves are {told}")
