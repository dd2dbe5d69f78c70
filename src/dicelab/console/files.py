"""Where strategies and figures go: one table, or a folder with everything."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from dicelab.console.output import (
    as_json,
    check_folder,
    check_place,
    make_folder,
    write_text,
    writing,
)
from dicelab.core.arrays import Array
from dicelab.core.csv_cells import csv_text
from dicelab.core.json_object import JsonObject
from dicelab.verbs.solution import Solution

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FIGURES = (".svg", ".png", ".pdf")


def a_file(told: str) -> Any:
    """Return the option of a file to write or to read, called like its parameter."""
    return typer.Option(metavar="FILE", help=told)


Out = Annotated[
    str | None,
    typer.Option(
        "--out",
        metavar="PATH",
        help="Write the strategy: a table FILE.csv or FILE.npz, or a folder for the table in "
        "both forms, the numbers and a figure.",
    ),
]


def is_folder(out: str) -> bool:
    """Return whether a path is meant as a folder."""
    return out.endswith("/") or Path(out).is_dir() or not Path(out).suffix


def check_out(out: str | None, plot: str | None = None) -> None:
    """Refuse, before the work, places that could not be written after it."""
    if plot is not None:
        if Path(plot).suffix not in FIGURES:
            raise typer.BadParameter(f"a figure ends in .svg, .png or .pdf: got {plot!r}")
        check_place(plot)
    if out is None:
        return
    if is_folder(out):
        check_folder(out)
        return
    if Path(out).suffix not in (".csv", ".npz"):
        raise typer.BadParameter(
            f"a strategy table ends in .csv or .npz, and a folder in /: got {out!r}"
        )
    check_place(out)


def check_csv(out: str | None, what: str) -> None:
    """Refuse, before the work, a table that is no CSV or could not be written after it."""
    if not out:
        return
    if not out.endswith(".csv"):
        raise typer.BadParameter(f"{what} a .csv file: got {out!r}")
    check_place(out)


def write_out(solution: Solution, numbers: JsonObject, out: str, command: str) -> list[str]:
    """Write the strategy, or a folder with all there is, and return the files."""
    if not is_folder(out):
        with writing(out):
            solution.save(out)
        return [out]
    folder, strategies = make_folder(out), ("strategy.csv", "strategy.npz")
    for name in strategies:
        with writing(folder / name):
            solution.save(folder / name)
    texts = {"solution.json": as_json(numbers) + "\n"}
    for board in solution.boards():
        texts[f"{board.name}-values.csv"] = as_csv(board.values)
        texts[f"{board.name}-dice.csv"] = as_csv(board.numbers)
    for name, text in texts.items():
        write_text(folder / name, text)
    written = [str(folder / name) for name in (*strategies, *texts)]
    if solution.game.players > 2:  # a map has two sides
        return written
    return written + draw(solution, command, folder / "figure.svg", folder / "figure.png")


def as_csv(table: Array) -> str:
    """Return a map as CSV: a row for each score of mine, a column for each of yours."""
    # What is not a number is a position that play never comes to.
    rows = [["" if cell != cell else str(cell) for cell in row] for row in table.tolist()]
    head = ["mine \\ yours", *range(table.shape[1])]
    return csv_text([head, *([mine, *row] for mine, row in enumerate(rows))])


def draw(solution: Solution, command: str, *paths: str | Path) -> list[str]:
    """Draw the picture of a solution into some files, and return their names."""
    from dicelab import plots

    return save_figure(plots.picture(solution, command), *paths)


def save_figure(figure: Figure, *paths: str | Path) -> list[str]:
    """Write a figure into some files, and return their names."""
    from dicelab import plots

    for path in paths:
        with writing(path):
            plots.save(figure, Path(path))
    return [str(path) for path in paths]
