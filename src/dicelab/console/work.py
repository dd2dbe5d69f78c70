"""What commands that take long share: how many games, which seed, where to run, where to resume."""

from __future__ import annotations

import re
from typing import Annotated

import typer

Cluster = Annotated[
    str | None,
    typer.Option("--cluster", metavar="ADDRESS", help="Run on a cluster: dask://HOST:PORT."),
]
Checkpoint = Annotated[
    str | None,
    typer.Option(
        "--checkpoint",
        metavar="FILE",
        help="Remember finished work there; the same command goes on after a stop.",
    ),
]

_WHOLE = re.compile(r"(\d{1,15})|(\d{1,3}(?:\.\d{1,6})?)e(\d{1,2})")


def whole(name: str, text: str) -> int:
    """Return a whole number written as 3000 or 1e6."""
    match = _WHOLE.fullmatch(text.replace("_", ""))
    number = float(text.replace("_", "")) if match else -1.0
    if text.isascii() and text.isdigit() and match is None:
        raise typer.BadParameter(f"{name} has at most 15 digits: got {text!r}")
    if match is None or number != int(number):
        raise typer.BadParameter(f"{name} is a whole number such as 3000 or 1e6: got {text!r}")
    return int(match[1]) if match[1] else int(number)


def taken(arguments: list[str], **defaults: int) -> tuple[list[str], dict[str, int]]:
    """Return the arguments without games=... and the like, and what these say."""
    found: dict[str, int] = {}
    left = []
    for argument in arguments:
        name, equals, text = argument.partition("=")
        if not equals or name not in defaults:
            left.append(argument)
            continue
        if name in found:
            raise typer.BadParameter(f"{name} is given twice: the second is {argument}")
        found[name] = whole(name, text)
    return left, {**defaults, **found}


def workers(jobs: int, cluster: str | None) -> int | None:
    """Return how many workers to ask for; a cluster has its own number."""
    return None if cluster else jobs
