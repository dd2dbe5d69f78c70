"""Figures that every game has, also one that was written an hour ago."""

from __future__ import annotations

from matplotlib.figure import Figure

from dicelab.errors import RulesError
from dicelab.plots.kinds import Asked, kind, solved
from dicelab.plots.solutions import density_figure, solution_figure
from dicelab.rules import Game
from dicelab.rules.contract import MOST_PLAYERS
from dicelab.verbs.density import density


@kind(
    Game,
    "best",
    "the best way to play, or what the positions are worth",
    many=True,
    often=lambda _: 1,
)
def best(asked: Asked) -> Figure:
    """Return the picture that suits the game's solution."""
    return solution_figure(solved(asked.game))


@kind(
    Game,
    "length",
    "how long it lasts, and where it goes",
    strategies=("optimal",),
    most=MOST_PLAYERS,
    many=True,
    often=lambda asked: 2 if asked.game.engine else 0,
)
def length(asked: Asked) -> Figure:
    """Return the law of the length and the positions met; one strategy plays all seats."""
    one, *other = asked.strategies
    if len(asked.strategies) > max(2, asked.game.players):
        raise RulesError(
            f"{asked.game} is played by {asked.game.players}: name as many strategies or fewer; "
            f"got {' '.join(asked.strategies)}"
        )
    if asked.game.players > 2:
        return density_figure(density(asked.game, one, other or [one]))
    if asked.game.players == 1:
        return density_figure(density(asked.game, *asked.strategies))
    return density_figure(density(asked.game, one, *(other or [one])))
