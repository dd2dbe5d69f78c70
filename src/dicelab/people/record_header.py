"""What every record file begins with: a line that names the game and its parameters."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from dicelab.core.atomic_write import require_end
from dicelab.core.json_object import JsonObject
from dicelab.errors import DicelabError, RecordError
from dicelab.rules import Game, registry


def read_text(path: str | Path) -> str:
    """Return the text of a record file."""
    try:
        require_end(path)
        return Path(path).read_bytes().decode("utf-8-sig")
    except OSError as trouble:
        reason = (trouble.strerror or str(trouble)).lower()
        raise RecordError(f"cannot read {str(path)!r}: {reason}") from None
    except UnicodeDecodeError:
        raise RecordError(f"cannot read {str(path)!r}: save it as CSV in UTF-8") from None
    except ValueError as trouble:  # a name with a zero byte in it
        raise RecordError(f"cannot read {str(path)!r}: {trouble}") from None


def table_of(text: str, begins: int) -> tuple[Any, list[str]]:
    """Return the rows of a table in a text, to be read on from, and the names of its columns."""
    lines = csv.reader(_lines(text))
    try:
        for _ in range(begins):
            next(lines)
        return lines, [name.strip().lower() for name in next(lines, [])]
    except csv.Error as trouble:
        raise RecordError(f"row {lines.line_num} cannot be read as CSV: {trouble}") from None


def rows_of(text: str, begins: int, columns: Sequence[str]) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows of a table that have something in them, each with its number in the text."""
    lines, names = table_of(text, begins)
    if names != list(columns):
        raise RecordError(
            f"row {begins + 1} should begin the table with {','.join(columns)}: "
            f"got {','.join(names)}"
        )
    try:
        for number, line in enumerate(lines, start=begins + 2):
            cells = [cell.strip() for cell in line]
            if any(cells):
                yield number, cells
    except csv.Error as trouble:
        raise RecordError(f"row {lines.line_num} cannot be read as CSV: {trouble}") from None


def _lines(text: str) -> Iterator[str]:
    """Return the lines of a text, ends included, without a second copy of all of it."""
    if text.count("\r") != text.count("\r\n"):  # lines that end as on an old Macintosh
        return io.StringIO(text, newline="")
    return (line[0] for line in re.finditer(r"[^\n]*\n|[^\n]+", text))


def header_of(text: str, path: str) -> tuple[JsonObject | None, int]:
    """Return what the first line says about the game, and how many lines it takes."""
    first = text.partition("\n")[0].strip()
    if not first.startswith(("#", '"#')):
        return None, 0
    try:
        # A spreadsheet that saves the file again quotes parts of the line and adds empty cells.
        line = ",".join(next(csv.reader([first]))).rstrip(",").removeprefix("#")
        told = json.loads(line)
        if not (isinstance(told, dict) and isinstance(told["parameters"], dict)):
            raise ValueError
        return {**told, "format": str(told["format"]), "game": str(told["game"])}, 1
    except (ValueError, KeyError, RecursionError, csv.Error):
        raise RecordError(
            f"the first line of {path!r} is unreadable: write "
            '# {"format": ..., "game": ..., "parameters": {}}'
        ) from None


def game_of(
    told: JsonObject | None, asked: Game | None, path: str, default: Game | None = None
) -> Game:
    """Return the game of a record, refused where another was asked for."""
    if told is None:
        found = asked or default
        assert found is not None
        return found
    name, parameters = told["game"], told["parameters"]
    if asked is not None and ":" in name:  # a game of your own, which no file may import
        known = {field: str(value) for field, value in asked.parameters.items()}
        if name == asked.name and {k: str(v) for k, v in parameters.items()} == known:
            return asked
        raise RecordError(f"{path!r} is a record of {name}: it cannot be read as {asked}")
    if ":" in name:
        raise RecordError(f"{path!r} is a record of {name}, which is not registered: name the game")
    try:
        found = registry.registered_game(
            name, **{key: str(value) for key, value in parameters.items()}
        )
    except DicelabError as trouble:
        raise RecordError(f"the first line of {path!r} names no game: {trouble}") from None
    if asked is not None and found != asked:
        raise RecordError(f"{path!r} is a record of {found}: it cannot be read as {asked}")
    return found


def header_line(form: str, game: Game) -> str:
    """Return the first line of a record, which says what was played."""
    parameters = {name: str(value) for name, value in game.parameters.items()}
    told = {"format": form, "game": game.name, "parameters": parameters}
    return f"# {json.dumps(told)}\n"
