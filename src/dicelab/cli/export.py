"""dicelab export: a game for other people's tools."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from dicelab.console.app import app
from dicelab.console.arguments import GameName, Memory, Parameters, given, only, table_of
from dicelab.console.files import a_file
from dicelab.console.output import check_place, progress, writing, wrote
from dicelab.console.progress import aside
from dicelab.core.atomic_write import written_whole
from dicelab.exchange.modules import module
from dicelab.exchange.prism import prism
from dicelab.exchange.seated import seated
from dicelab.exchange.storm import drn

FORMATS = ("prism", "storm", "openspiel", "gymnasium", "pettingzoo")


@app.command("export")
def export(
    game: GameName,
    arguments: Parameters = None,
    to: Annotated[
        str, typer.Option(metavar="FORMAT", help=f"One of {', '.join(FORMATS)}.")
    ] = "prism",
    against: Annotated[
        str | None,
        typer.Option(metavar="STRATEGY", help="Fix the other player's moves: one is left."),
    ] = None,
    seat: Annotated[
        str, typer.Option(metavar="SEAT", help="Who is left: the first player or the second.")
    ] = "first",
    explicit: Annotated[
        bool, typer.Option("--explicit", help="Write out every position (prism), even if rules do.")
    ] = False,
    out: Annotated[str | None, a_file("Where to write. [default: print it]")] = None,
    memory: Memory = None,
) -> None:
    """Write a game for PRISM, Storm, OpenSpiel, Gymnasium or PettingZoo.

    PRISM and Storm get a model in exact chances; its first lines say what to ask so that the
    answer is the value of the game. The others get a short Python module that registers the game
    with them.

    Examples:

        dicelab export pig target=20

        dicelab export pig target=20 --to storm --against hold-at:10 --out pig.drn

        dicelab export pig target=20 --to gymnasium --against optimal --out pig_env.py
    """
    asked = given(game, arguments)
    only("a game and its parameters", asked.others, 0, 0)
    if to not in FORMATS:
        raise typer.BadParameter(f"a format is one of {', '.join(FORMATS)}: got {to!r}")
    if explicit and to != "prism":
        raise typer.BadParameter(f"--explicit is for prism: got --to {to}")
    if seat not in ("first", "second"):
        raise typer.BadParameter(f"a seat is first or second: got {seat!r}")
    if out is not None:
        check_place(out)
    with progress(f"writing {asked.game}") as report:
        table = table_of(asked.game, memory, report)
        if to == "prism":
            text = prism(table, against, seat, explicit)
        elif to == "storm":
            text = drn(table, against, seat)
        else:
            text = iter([module(to, asked.game, asked.name, asked.parameters, against, seat)])
            seated(table, against, seat)  # an opponent who cannot play is refused here and now
        if out is None:
            with aside():
                for piece in text:
                    typer.echo(piece, nl=False)
            return
        with writing(out), written_whole(Path(out)) as file:
            file.writelines(text)
    wrote(out)
