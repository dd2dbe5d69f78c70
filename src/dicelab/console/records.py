"""What commands over records take: a file, the game it is of, a seed."""

from __future__ import annotations

from typing import Annotated

import typer

from dicelab.console.arguments import given
from dicelab.rules import Game

Record = Annotated[
    str, typer.Argument(metavar="FILE", help="Tracker forms or decisions, as CSV (docs/people.md).")
]
RecordGame = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="[GAME] [NAME=VALUE]...",
        help="What was played, where the first line of the file does not say so.",
    ),
]
Seed = Annotated[int, typer.Option("--seed", min=0, help="The seed of everything shuffled.")]


def game_given(arguments: list[str] | None) -> Game | None:
    """Return the game that was named, or None where that is left to the file.

    Parameters alone are those of the game that a file without a first line is of.
    """
    if not arguments:
        return None
    name, *rest = arguments
    if "=" in name:
        from dicelab.people.forms import all_forms

        name, rest = all_forms()[0].game().name, arguments
    found = given(name, rest)
    if found.others:
        raise typer.BadParameter(f"give one game: got {' '.join(map(repr, arguments))}")
    return found.game


def interval(low: float, high: float, digits: int) -> str:
    """Return an interval as people write it, or a dash where there is none."""
    return f"{low:.{digits}f} to {high:.{digits}f}" if low == low else "-"
