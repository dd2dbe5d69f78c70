"""dicelab equations: the linear system around one position, shown and written."""

from __future__ import annotations

from typing import Annotated

import typer

from dicelab.console.app import app
from dicelab.console.arguments import Exact, GameName, Json, Memory, compiled, only
from dicelab.console.arguments import given as read_given
from dicelab.console.files import a_file, check_csv
from dicelab.console.output import emit, picked, say, write_text, wrote
from dicelab.verbs.equations import decimal, equations

SHOWN = 40
"""Equations that are shown to people; --out and --json have them all."""


@app.command("equations")
def equations_(
    game: GameName,
    asked: Annotated[
        list[str],
        typer.Argument(
            metavar="A B POSITION [NAME=VALUE]...",
            help="Two strategies, a position with A to move, and parameters of the game.",
        ),
    ],
    exact: Exact = False,
    out: Annotated[str | None, a_file("Write the system there, as CSV.")] = None,
    memory: Memory = None,
    json: Json = False,
) -> None:
    """Show the equations whose solution is the chance to win around one position.

    P is the chance of A with A to move, Q that of B with B to move. The unknowns are the positions
    that depend on each other; what play moves on to is known and stands on the right.

    JSON keys: game, parameters, a, b, position, unknowns, matrix, right, solution.

    Examples:

        dicelab equations pig roll-to-win roll-to-win "0-0 +0" target=7

        dicelab equations pig hold-at:5 hold-at:4 "0-0 +0" target=12 --out system.csv --json
    """
    given = read_given(game, asked, positions=True)
    only("two strategies and a position, in quotes", given.others, 3, 3)
    check_csv(out, "a system is")
    a, b, at = given.others
    found = equations(compiled(given.game, memory), a, b, at, exact)
    if out:
        write_text(out, found.as_csv())
    if json:
        head = {**given.header, "a": a, "b": b, "position": at, "unknowns": found.names}
        emit(head | picked(found, "matrix right solution"))
        return
    count = len(found.names)
    say(f"{given.game}: {count} unknown{'s' * (count != 1)}, A is {a}, B is {b}")
    say(*found.lines()[:SHOWN])
    if count > SHOWN:
        say(f"and {count - SHOWN} more; --out writes them all")
    say("solved by:")
    pairs = zip(found.names, found.solution, strict=True)
    say(*(f"{name} = {decimal(value)}" for name, value in list(pairs)[:SHOWN]))
    wrote(out)
