"""dicelab fair-test: the study's protocol, so many games so many times over."""

from __future__ import annotations

from typing import Annotated

import typer

from dicelab.console.app import app
from dicelab.console.arguments import GameName, Json, Memory, Players, compiled, two_strategies
from dicelab.console.arguments import given as read_given
from dicelab.console.output import emit, picked, say
from dicelab.console.work import taken
from dicelab.verbs.fair_test import (
    A_BETTER,
    B_BETTER,
    GAMES,
    MARGIN,
    REPEATS,
    FairTest,
    fair_test,
    wins_needed,
)


@app.command("fair-test")
def fair_test_(
    game: GameName,
    players: Players,
    margin: Annotated[
        float, typer.Option(help="What counts as better: so much above a half.")
    ] = MARGIN,
    memory: Memory = None,
    json: Json = False,
) -> None:
    """Play a fixed number of games many times over, as the Pig study does, and say who is better.

    Half of the games are started by each player. A game that nobody wins is half a point for each.
    games=3000 says how many games make a result, repeats=100 how many results, seed=1 which dice.
    `dicelab compare` answers the same question from far fewer games.

    JSON keys: game, parameters, a, b, better (A, B or neither), mean (A's share of points), lowest,
    highest, shares, games, repeats, needed (points that make a strategy better), margin, seed.

    Examples:

        dicelab fair-test pig hold-at:25 hold-at:20 target=50 games=300 repeats=10

        dicelab fair-test pig hold-at:20 hold-at:20 target=30 games=100 repeats=5 --json
    """
    arguments, asked = taken(players, games=GAMES, repeats=REPEATS, seed=0)
    given = read_given(game, arguments)
    a, b = two_strategies(given)
    table = compiled(given.game, memory, a, b)
    found = fair_test(table, a, b, asked["repeats"], asked["games"], margin, asked["seed"])
    if not json:
        tell(found, str(given.game))
        return
    answer = picked(found, "a b better mean")
    answer |= {"lowest": found.shares.min(), "highest": found.shares.max()}
    answer |= {**picked(found, "shares games"), "repeats": found.points.size}
    answer |= {"needed": wins_needed(found.games, margin), **picked(found, "margin seed")}
    emit(given.header | answer)


def tell(found: FairTest, game: str) -> None:
    """Print a fair test for people."""
    answers = {
        A_BETTER: f"{found.a} is better than {found.b}",
        B_BETTER: f"{found.b} is better than {found.a}",
    }
    said = answers.get(found.better, f"neither is better by {found.margin:g}")
    say(
        f"{game}: {said}",
        f"{found.points.size} results of {found.games:,} games: {found.a} has "
        f"{found.mean:.4f} of the points on average, {found.shares.min():.4f} to "
        f"{found.shares.max():.4f}",
        f"a strategy is better with {wins_needed(found.games, found.margin):,} of {found.games:,} "
        f"points on average; seed {found.seed}",
    )
