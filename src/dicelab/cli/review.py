"""dicelab review: what each decision cost, and what the dice gave."""

from __future__ import annotations

from typing import Annotated

import typer

from dicelab.console.app import app
from dicelab.console.arguments import Json
from dicelab.console.files import a_file, check_csv
from dicelab.console.output import emit, say, show, within, write_text, wrote
from dicelab.console.records import Record, RecordGame, game_given
from dicelab.core.csv_cells import csv_text
from dicelab.people.forms import reviewed
from dicelab.people.read_record import read_record
from dicelab.rules.registry import told

LISTED = 60
"""Lines of games, and of players, that are printed for people."""


@app.command("review")
def review(
    file: Record,
    game: RecordGame = None,
    worst: Annotated[
        int, typer.Option(min=0, help="How many of the costliest decisions to show.")
    ] = 5,
    out: Annotated[str | None, a_file("Write every decision or turn to FILE.csv.")] = None,
    json: Json = False,
) -> None:
    """Tell the mistakes and the luck in a record, exactly from the solved game.

    Of decisions, each has its cost and its luck. Of tracker forms, whose rolls are unknown, each
    turn has a least and a most, over all rolls that fit.

    JSON keys: game, parameters, file, unit, error, value, bounds, scores, players, worst,
    left_out.

    Examples:

        dicelab review games.csv

        dicelab review forms.csv --worst 10 --out costs.csv

        dicelab review games.csv --json
    """
    check_csv(out, "the table of costs is")
    found = reviewed(read_record(file, game_given(game)))
    answer = found.as_dict(worst)
    rules = found.solution.game
    if out:
        write_text(out, csv_text(found.rows()))
    if json:
        head = {"game": rules.name, "parameters": told(rules), "file": file, "unit": rules.unit}
        emit({**head, "error": found.error, "value": float(found.solution.value), **answer})
        return
    say(f"{rules}: {file}, in {rules.unit} (certified {within(found.error)})")
    show(*found.told(answer, LISTED), left=2)
    more = len(answer["scores"]) - LISTED
    if more > 0:
        say(f"and {more:,} more lines; --json lists them all")
    say(*found.remarks(answer))
    wrote(out)
