"""What the command line prints and writes: text for people, JSON for programs, files whole."""

from __future__ import annotations

import contextlib
import json
import math
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import numpy as np
import typer

from dicelab.console.progress import Report as Report
from dicelab.console.progress import aside, console
from dicelab.console.progress import progress as progress
from dicelab.core.arrays import Real
from dicelab.core.atomic_write import require_regular, written_whole
from dicelab.core.exact import at_least, at_most
from dicelab.core.intervals import Estimate
from dicelab.core.json_object import JsonObject
from dicelab.core.results import DRAW, LOSS
from dicelab.errors import DicelabError

if TYPE_CHECKING:
    from rich.console import JustifyMethod
    from rich.table import Table

    from dicelab.rules import Game
    from dicelab.verbs.explain import Explanation
    from dicelab.verbs.solution import MoveValue, Solution


class CannotWrite(DicelabError, OSError):
    """A file that was asked for could not be written."""


def say(*lines: str) -> None:
    """Print lines of plain text."""
    with aside():
        for line in lines:
            typer.echo(line)


def halves(report: Report) -> tuple[Report, Report]:
    """Return what reports the first half of some work, and what reports the second."""
    return lambda share: report(share / 2), lambda share: report((1 + share) / 2)


def note(line: str) -> None:
    """Print a line that is not part of the answer."""
    with aside(stderr=True):
        console(stderr=True).print(line, markup=False)


def complain(kind: str, sentence: str) -> None:
    """Print what went wrong, in one line."""
    from rich.text import Text

    said = " ".join(sentence.split())
    console(stderr=True).print(Text.assemble((f"{kind}: ", "bold red"), said) if kind else said)


def show(columns: Sequence[str], rows: Sequence[Sequence[str]], left: int = 1) -> None:
    """Print a small table; the first `left` columns are words, the others numbers.

    A number stays on one line, also where the table becomes wider than the screen.
    """
    from rich.cells import cell_len
    from rich.table import Table

    least = 0
    table = Table(box=None, pad_edge=False, padding=(0, 3, 0, 0), header_style="bold")
    for place, column in enumerate(columns):
        told = [column, *(row[place] for row in rows)]
        whole = not any(" " in cell for cell in told[1:])
        words = told if whole else [word for cell in told for word in cell.split()]
        least += 3 + max(map(cell_len, words), default=0)
        justify: JustifyMethod = "left" if place < left else "right"
        table.add_column(column, justify=justify, overflow="fold", no_wrap=whole)
    for row in rows:
        table.add_row(*(cell.replace("[", r"\[") for cell in row))
    show_table(table, least)


def show_ranking(
    found: Ranked, columns: Sequence[str], cells: Callable[[int], Sequence[str]], most: int
) -> None:
    """Print the first of a ranking; `cells` tells more of each, by its place among the names."""
    place = {name: number for number, name in enumerate(found.names)}
    rows = [
        [str(rank), name, *cells(place[name])]
        for rank, name in enumerate(found.ranking[:most], start=1)
    ]
    show(["", "strategy", *columns], rows, left=2)
    if len(found.names) > most:
        say(f"({len(found.names) - most} more)")


def show_table(table: Table, least: int = 0) -> None:
    """Print a table that is made already, at least so many letters wide."""
    screen = console()
    screen.width = max(screen.width, least)
    with aside():
        screen.print(table)


def emit(data: Mapping[str, object]) -> None:
    """Print JSON for programs."""
    say(as_json(data))


def as_json(data: Mapping[str, object]) -> str:
    """Return JSON; rationals and dice are text, and what is infinite is null."""
    return json.dumps(_plain(data), indent=2, ensure_ascii=False, allow_nan=False)


def picked(found: object, names: str) -> JsonObject:
    """Return fields of an answer by name, as `--json` says them: rationals as floats.

    >>> picked(Estimate(0.5, 0.25, 0.75, 10), "value interval games")
    {'value': 0.5, 'interval': (0.25, 0.75), 'games': 10}
    """
    return {name: _number(getattr(found, name)) for name in names.split()}


def _number(thing: object) -> object:
    if isinstance(thing, Estimate):
        return picked(thing, "value interval games")
    return float(thing) if isinstance(thing, Fraction) else thing


def bounded(found: Solution | Explanation | MoveValue) -> dict[str, float]:
    """Return a value with its bounds, rounded outward."""
    lower, upper = at_most(found.lower), at_least(found.upper)
    return {"value": float(found.value), "lower": lower, "upper": upper}


def wrote(*paths: str | Path | None) -> None:
    """Say which files were written."""
    say(*(f"wrote {path}" for path in paths if path))


def _plain(thing: object) -> object:
    """Return a thing as JSON knows it."""
    if isinstance(thing, Mapping):
        return {str(key): _plain(value) for key, value in thing.items()}
    if isinstance(thing, list | tuple):
        return [_plain(value) for value in thing]
    if isinstance(thing, np.generic | np.ndarray):
        return _plain(thing.tolist())
    if isinstance(thing, float):
        return thing if math.isfinite(thing) else None
    if thing is None or isinstance(thing, str | int):
        return thing
    return str(thing)


def percent(chance: Real) -> str:
    """Return a chance as people say it."""
    return f"{100 * float(chance):.4f}%"


class Counted(Protocol):
    """A game, or what was found about one, which says what its values count."""

    @property
    def unit(self) -> str:
        """What is counted."""


class Ranked(Protocol):
    """A tournament: who took part, and who comes before whom."""

    @property
    def names(self) -> Sequence[str]:
        """Those who took part."""

    @property
    def ranking(self) -> Sequence[str]:
        """The same, the best first."""


def never_counts(game: Game, never: Fraction | None, unit: str) -> str:
    """Return in words what play without an end counts."""
    if never is None:
        return "takes for ever"
    if game.players == 2 and never == game.worth[DRAW]:
        return "counts as a draw"
    if never == game.worth[LOSS]:
        return "counts as a loss"
    return f"counts {never}" if unit == "chance to win" else f"counts {never} {unit}"


def in_unit(game: Counted, value: Real, digits: int = 4) -> str:
    """Return a value of a game as people say it: a chance in percent, anything else as it is."""
    if game.unit == "chance to win":
        return f"{100 * float(value):.{digits}f}%"
    return f"{float(value):.{digits + 2}f}"


def within(error: float) -> str:
    """Return an error rounded up to one digit, or that there is none."""
    if error <= 0:
        return "exactly"
    power = math.floor(math.log10(error))
    digit = math.ceil(error / 10.0**power * (1 - 1e-12))
    return f"within {digit if digit < 10 else 1}e{power if digit < 10 else power + 1:03d}"


@contextlib.contextmanager
def writing(path: str | Path) -> Iterator[None]:
    """Turn a failure to write into a sentence that names the file asked for."""
    try:
        yield
    except CannotWrite:
        raise
    except OSError as trouble:
        reason = (trouble.strerror or str(trouble)).lower()
        raise CannotWrite(f"cannot write {str(path)!r}: {reason}") from None


def write_text(path: str | Path, text: str) -> None:
    """Write a text file, whole or not at all."""
    with writing(path), written_whole(path) as file:
        file.write(text)


def check_place(path: str | Path, keeps: bool = False) -> None:
    """Refuse a file that could not be written, before the work and not after it.

    Its folder must be there. `keeps` is for a file that is read and added to, as no device can be.
    """
    place = Path(path)
    with writing(path):
        if place.is_dir():
            raise IsADirectoryError(21, "is a directory")
        if not place.parent.exists():
            raise FileNotFoundError(
                2, f"there is no folder {str(place.parent)!r}; make it first, or name another place"
            )
        if not place.parent.is_dir():
            raise NotADirectoryError(20, f"{str(place.parent)!r} is not a folder")
        if keeps:
            require_regular(path)
        there = place if place.exists() else place.parent
        if not os.access(there, os.W_OK):
            raise PermissionError(13, f"{str(there)!r} may not be written to")


def check_folder(path: str | Path) -> None:
    """Refuse a folder that could not be made or written to, before the work."""
    folder = Path(path)
    with writing(path):
        while not folder.exists():
            folder = folder.parent
        if not folder.is_dir():
            raise NotADirectoryError(20, f"{str(folder)!r} is not a folder")
        if not os.access(folder, os.W_OK):
            raise PermissionError(13, f"{str(folder)!r} may not be written to")


def make_folder(path: str | Path) -> Path:
    """Return a folder that was asked for, made if it is not there."""
    with writing(path):
        Path(path).mkdir(parents=True, exist_ok=True)
    return Path(path)
