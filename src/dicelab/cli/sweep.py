"""dicelab sweep: any number about a game, for every value of its parameters."""

from __future__ import annotations

import math
from typing import Annotated

import typer

from dicelab.console.app import app
from dicelab.console.arguments import Exact, GameName, Jobs, Json, Memory, Plot, only
from dicelab.console.files import a_file, check_csv, check_out, save_figure
from dicelab.console.output import emit, progress, say, show, within, write_text, wrote
from dicelab.console.ranges import Ranged, ranged
from dicelab.console.work import Checkpoint, Cluster, workers
from dicelab.core.jobs import cluster as on_cluster
from dicelab.rules import registry
from dicelab.verbs.numbers import ABOUT, Number, numbers_named
from dicelab.verbs.sweep import PLAYERS, Point, Sweep
from dicelab.verbs.sweep import sweep as gone_through


@app.command("sweep")
def sweep(
    game: GameName,
    arguments: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="NAME=RANGE|STRATEGY",
            help="Parameters, one value or several: target=10..100:10, die=4,6,8; and who plays, "
            "as hold-at:20 or hold-at:15..25. Nobody named: best play by all.",
        ),
    ] = None,
    number: Annotated[
        str,
        typer.Option(
            "--show",
            metavar="NUMBERS",
            help="What to work out, as value,advantage,length; `list` tells all there is.",
        ),
    ] = "",
    exact: Exact = False,
    out: Annotated[str | None, a_file("Write the table to FILE.csv.")] = None,
    plot: Plot = None,
    jobs: Jobs = -1,
    cluster: Cluster = None,
    checkpoint: Checkpoint = None,
    memory: Memory = None,
    json: Json = False,
) -> None:
    """Work out numbers about a game for every value of its parameters: a table, a figure.

    Several parameters make every combination. A value may have commas itself, as a loaded die has:
    a bar then stands between values, as in die="6|1:1/2,2:1/2". Where the rules refuse their
    parameters the table says so.

    JSON keys: game, fixed, axes (the values of each parameter), players, asked, rows, exact,
    seconds. A row has settings, game, numbers by name and refused where the rules refuse the
    parameters; a number has value, error (null: no bound known), unit, with --exact fraction, and
    refused where it cannot be had.

    Examples:

        dicelab sweep pig target=10..50:10 --show value,advantage,length

        dicelab sweep pig target=20,30 die=4,6,8 --show advantage --plot advantage.svg

        dicelab sweep pig hold-at:5..15 optimal target=30 --show overall --out holding.csv

        dicelab sweep piglet target=2..5 --exact --json
    """
    if number == "list":
        show(["number", "what it is"], [[name, about] for name, about in ABOUT.items()], left=2)
        return
    asked = ranged(game, arguments or [])
    names = [each.strip() for each in number.split(",")] if number else default_numbers(asked)
    found = worked_out(asked, names, exact, out, plot, jobs, cluster, checkpoint, memory)
    told(found, json, out, plot)


def short_way(
    asked: Ranged,
    alone: str,
    two: str,
    exact: bool = False,
    out: str | None = None,
    plot: str | None = None,
    memory: int | None = None,
    json: bool = False,
) -> None:
    """Answer a question that was asked of one game, and got several, with a table."""
    names = alone if registry.game(asked.name).players == 1 else two
    told(worked_out(asked, names.split(), exact, out, plot, memory=memory), json, out, plot)


def default_numbers(asked: Ranged) -> list[str]:
    """Return the numbers to show where none was named."""
    alone = registry.game(asked.name).players == 1
    if asked.strategies:
        return ["value"] if alone else ["overall"]
    return ["value"] if alone else ["value", "advantage"]


def worked_out(
    asked: Ranged,
    names: list[str],
    exact: bool,
    out: str | None,
    plot: str | None,
    jobs: int = -1,
    cluster: str | None = None,
    checkpoint: str | None = None,
    memory: int | None = None,
) -> Sweep:
    """Return a sweep, its files written."""
    check_out(None, plot)
    check_csv(out, "the table of a sweep is")
    if not asked.several and all(len(each) == 1 for each in asked.strategies):
        only("a parameter with several values, such as target=10..100:10", [], 1, 1)
    changing = [*asked.several]
    changing += [
        name for name, each in zip(PLAYERS, asked.strategies, strict=False) if len(each) > 1
    ]
    if plot:
        from dicelab.plots.sweeps import refuse_many_axes

        refuse_many_axes(changing)
    given = [", ".join(each[:2]) for each in asked.strategies]
    only("at most two strategies, as `dicelab strategies` lists them", given, 0, 2)
    wanted = numbers_named(names)
    with progress(f"sweeping {asked.name}") as report, on_cluster(cluster):
        found = gone_through(
            asked.name,
            asked.several,
            wanted,
            asked.strategies,
            fixed=asked.fixed,
            exact=exact,
            memory=memory,
            workers=workers(jobs, cluster),
            checkpoint=checkpoint,
            progress=report,
        )
    if out:
        write_text(out, found.as_csv())
    if plot:
        from dicelab.plots.style import signed
        from dicelab.plots.sweeps import sweep_figure

        save_figure(signed(asked.command(wanted), sweep_figure, found), plot)
    return found


def told(found: Sweep, json: bool, out: str | None, plot: str | None) -> None:
    """Print a sweep, for people or for programs."""
    if json:
        emit(found.as_dict())
        return
    fixed = [f"{key}={value}" for key, value in found.fixed.items()]
    who = ", ".join(f"{seat} is {name}" for seat, name in found.players.items())
    who = who or ("" if any(axis in PLAYERS for axis in found.axes) else "best play")
    say(": ".join(filter(None, [" ".join([found.game, *fixed]), who])))
    refusals = [_refusals(found, row) for row in found.rows]
    notes = list(dict.fromkeys(sentence for each in refusals for sentence in each))
    rows = []
    for row, why in zip(found.rows, refusals, strict=True):
        cells = [row.settings[axis] for axis in found.axes]
        numbers = row.numbers or [None] * len(found.asked)
        cells += [cell(number) for number in numbers]
        marks = " ".join(f"({1 + notes.index(sentence)})" for sentence in why)
        rows.append([*cells, *([marks] if notes else [])])
    names = [name.replace("_", " ").replace(":", " ") for name in found.asked]
    show([*found.axes, *names, *([""] if notes else [])], rows, left=0)
    say(*(f"({place}) {sentence}" for place, sentence in enumerate(notes, 1)))
    if error := max(
        (number.error or 0.0 for row in found.rows for number in row.numbers), default=0.0
    ):
        each = enumerate(found.asked)
        unsure = [name for place, name in each if any(_is_unsure(row, place) for row in found.rows)]
        without = f"; {' and '.join(unsure)} in floats, without a bound" if unsure else ""
        say(f"({within(error)}{without})")
    wrote(out, plot)


def _refusals(found: Sweep, row: Point) -> list[str]:
    """Return why numbers are missing at a point, of its game by name: what all share is one."""
    if not row.game:
        return row.refusals
    return [sentence.replace(row.game, found.game) for sentence in row.refusals]


def _is_unsure(row: Point, place: int) -> bool:
    """Return whether a number is there, and no bound of its error."""
    number = row.numbers[place] if row.numbers else None
    return number is not None and number.value is not None and number.error is None


def cell(number: Number | None) -> str:
    """Return a number as people say it."""
    if number is None or number.value is None:
        return "-"
    if number.fraction and len(number.fraction) <= 20:
        return number.fraction
    if math.isinf(number.value):
        return "for ever" if number.unit in ("turns", "moves", "throws") else "infinite"
    return f"{number.value:,.0f}" if number.unit == "positions" else number.in_digits
