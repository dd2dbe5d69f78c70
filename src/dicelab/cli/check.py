"""dicelab check: what is wrong with the rules of a game, before they are solved."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

import typer

from dicelab.console.app import app
from dicelab.console.arguments import GameName, Json, Parameters, only_a_game
from dicelab.console.output import emit, progress, say
from dicelab.verbs.check import MOST
from dicelab.verbs.check import check as check_rules


@app.command("check")
def check(
    game: GameName,
    parameters: Parameters = None,
    positions: Annotated[
        int, typer.Option(metavar="N", min=1, help="Look at so many positions at most.")
    ] = MOST,
    json: Json = False,
) -> None:
    """Try the rules of a game, and tell everything that is wrong with them.

    Each finding has the position, the move and the line of your file, where they are known. With
    one or more the exit code is 1.

    JSON keys: game, parameters, positions, whole, findings, each with sentence, position, move,
    line and others.

    Examples:

        dicelab check pig target=20

        dicelab check hog --positions 500 --json
    """
    given = only_a_game(game, parameters)
    with progress(f"checking {given.game}") as report:
        found = check_rules(given.game, positions, report)
    if json:
        told = [asdict(each) for each in found.findings]
        emit(
            {
                **given.header,
                "positions": found.positions,
                "whole": found.is_whole,
                "findings": told,
            }
        )
    else:
        say(*found.lines())
    if found.findings:
        raise typer.Exit(1)
