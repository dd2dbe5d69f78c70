"""dicelab advantage: how much better it is to go first in Greed."""

from __future__ import annotations

from typing import Annotated

import typer

from dicelab.console.app import app
from dicelab.console.arguments import Jobs, Json, Plot
from dicelab.console.files import a_file, check_csv, check_out, save_figure
from dicelab.console.output import emit, progress, say, show, within, write_text, wrote
from dicelab.core.csv_cells import csv_text
from dicelab.errors import RulesError
from dicelab.games.greed.commands_conjectures import between
from dicelab.games.greed.conjectures import MOST
from dicelab.games.greed.solver import Advantages, advantages

MOST_ROWS, MOST_COLUMNS = 12, 8


@app.command("advantage")
def advantage(
    most: Annotated[
        str, typer.Option("--max", metavar="FROM..TO", help="Every maximum in this range.")
    ] = "1..60",
    sides: Annotated[
        str, typer.Option(metavar="FROM..TO", help="Dice with so many sides.")
    ] = "2..12",
    out: Annotated[str | None, a_file("Write the table to FILE.csv.")] = None,
    plot: Plot = None,
    jobs: Jobs = -1,
    json: Json = False,
) -> None:
    """Tell how much better it is to go first in Greed, for many maxima and dice.

    The advantage is the first player's rating less the second's, with best play.

    JSON keys: max, sides, advantage (by maximum, then by sides), error.

    Examples:

        dicelab advantage --max 10..20 --sides 3..6

        dicelab advantage --max 1..30 --sides 2..8 --out first.csv --plot first.svg
    """
    check_out(None, plot)
    check_csv(out, "the table of advantages is")
    (low, high), (few, many) = between(most, "max"), between(sides, "sides")
    if max(high, many) > MOST:  # a list of them all would fill the memory first
        raise RulesError(f"maxima and sides go up to {MOST}: got max={most}, sides={sides}")
    with progress("solving many games of greed") as report:
        maxima, faces = list(range(low, high + 1)), list(range(few, many + 1))
        found = advantages(maxima, faces, jobs, report)
    if out:  # a row for each maximum, a column for each die
        rows = zip(found.maxima, found.more.tolist(), strict=True)
        head = ["max \\ sides", *found.sides]
        write_text(out, csv_text([head, *([row, *cells] for row, cells in rows)]))
    if plot:
        from dicelab.games.greed.figures import advantage_picture
        from dicelab.plots.style import signed

        command = f"dicelab advantage --max {most} --sides {sides}"
        save_figure(signed(command, advantage_picture, found), plot)
    if json:
        answer = {"max": found.maxima, "sides": found.sides, "advantage": found.more}
        emit({**answer, "error": found.error})
        return
    tell(found)
    wrote(out, plot)


def tell(found: Advantages) -> None:
    """Print the table, or some of its rows and columns."""
    say(f"greed: the first player's rating less the second's (certified {within(found.error)})")
    rows = _some(len(found.maxima), MOST_ROWS)
    columns = _some(len(found.sides), MOST_COLUMNS)
    show(
        ["max", *(f"d{found.sides[column]}" for column in columns)],
        [
            [str(found.maxima[row]), *(f"{found.more[row, column]:.6f}" for column in columns)]
            for row in rows
        ],
    )
    worst = divmod(int(found.more.argmin()), len(found.sides))
    best = divmod(int(found.more.argmax()), len(found.sides))
    for what, (row, column) in (("least", worst), ("most", best)):
        say(
            f"{what}: {found.more[row, column]:.6f} "
            f"at max={found.maxima[row]} sides={found.sides[column]}"
        )
    against = int((found.more < -found.error).sum())
    say(f"going first is a disadvantage in {against} of {found.more.size:,} games")


def _some(size: int, most: int) -> list[int]:
    """Return up to so many places, evenly spread, the last one among them."""
    if size <= most:
        return list(range(size))
    return sorted({round(place * (size - 1) / (most - 1)) for place in range(most)})
