"""dicelab form: a tracker form to print, or the empty table to type it into."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from dicelab.console.app import app
from dicelab.console.output import check_place, write_text, wrote
from dicelab.console.records import RecordGame, game_given
from dicelab.games.pig import Pig
from dicelab.games.pig.study.blank_form import empty_csv, printable
from dicelab.games.pig.study.tracker import needs_form


@app.command("form")
def form(
    file: Annotated[
        str,
        typer.Argument(metavar="FILE", help="form.html to print, or forms.csv to fill in."),
    ],
    game: RecordGame = None,
    turns: Annotated[int, typer.Option(min=1, max=200, help="Rows of the printed form.")] = 24,
) -> None:
    """Write a tracker form: a page to print (.html), or an empty table (.csv) for `study`.

    The form is that of the Pig study: what each player says about risk, and for each turn the
    number of rolls and the points banked.

    Examples:

        dicelab form form.html

        dicelab form forms.csv pig target=50
    """
    place = Path(file)
    if place.suffix not in (".html", ".csv"):
        raise typer.BadParameter(f"a form is a .html file to print or a .csv table: got {file!r}")
    check_place(place)
    played = needs_form(game_given(game) or Pig())
    write_text(place, printable(played, turns) if place.suffix == ".html" else empty_csv(played))
    wrote(file)
