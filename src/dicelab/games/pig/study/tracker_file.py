"""Tracker forms on disk: CSV, one row per turn, refused with the number of the row that is wrong.

>>> parse_tracker("game,seat,player,turn,rolls,banked\\n14,1,ann,1,2,3")
Traceback (most recent call last):
    ...
dicelab.errors.RecordError: row 2 cannot be: 3 points in 2 rolls: they score 4 to 12, or bust
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from dicelab.core.atomic_write import written_whole
from dicelab.core.csv_cells import csv_text, guarded, unguarded
from dicelab.errors import RecordError
from dicelab.games.pig.rules import Pig
from dicelab.games.pig.study.tracker import (
    GAMBLE,
    PREFERENCES,
    SURE,
    Form,
    Sheet,
    Tracker,
    Turn,
    impossible,
    needs_form,
)
from dicelab.people.record_header import game_of, header_line, header_of, table_of
from dicelab.rules import Game, registry

FORMAT = "dicelab tracker 1"
COLUMNS = (
    "game",
    "seat",
    "player",
    "preference",
    "lottery_10",
    "lottery_million",
    "turn",
    "rolls",
    "banked",
    "total",
)
SAID = {"": None, **{word: word for word in PREFERENCES}, "loving": "seeking"}
"""How people write a preference; the study's form says loving and its text seeking."""

_NEEDED = set(COLUMNS) - {"total", "preference", "lottery_10", "lottery_million"}


class Row(NamedTuple):
    """A row of the file, read but not yet believed."""

    number: int
    game: str
    seat: int
    player: str
    preference: str | None
    lotteries: tuple[str | None, str | None]
    turn: int
    rolls: int
    banked: int
    total: int | None


def parse_tracker(text: str, game: Game | None = None, path: str = "the text") -> Tracker:
    """Return the forms that a text stands for."""
    told, begins = header_of(text, path)
    if told is not None and told.get("format") != FORMAT:
        raise RecordError(f"{path!r} is no tracker form: its first line says {told['format']!r}")
    pig = needs_form(game_of(told, game, path, Pig()))
    rows = list(_rows(text, begins))
    if not rows:
        raise RecordError(f"{path!r} has no turns: write one row for each turn")
    return Tracker(pig, tuple(_forms(pig, rows)))


def _rows(text: str, begins: int) -> Iterator[Row]:
    """Yield the rows of a file, each with its number in the file."""
    lines, names = table_of(text, begins)
    missing = [name for name in COLUMNS if name in _NEEDED and name not in names]
    if missing:
        raise RecordError(
            f"row {begins + 1} lacks the column {missing[0]!r}: it should begin the table with "
            f"{','.join(COLUMNS)}"
        )
    unknown = [name for name in names if name and name not in COLUMNS]
    if unknown:
        raise RecordError(
            f"row {begins + 1} has a column {unknown[0]!r}"
            f"{registry.did_you_mean(unknown[0], COLUMNS)}"
        )
    twice = [name for place, name in enumerate(names) if name and name in names[:place]]
    if twice:
        raise RecordError(f"row {begins + 1} has the column {twice[0]!r} twice")
    reader = _Reader(names)
    try:
        for number, line in enumerate(lines, start=begins + 2):
            if any(cell.strip() for cell in line):
                yield reader.row(number, line)
    except csv.Error as trouble:
        raise RecordError(f"row {lines.line_num} cannot be read as CSV: {trouble}") from None


class _Reader:
    """Reads rows. A form may have millions of them whose cells repeat: each is read once."""

    def __init__(self, names: list[str]) -> None:
        self.names = names
        self.places = {name: place for place, name in enumerate(names)}
        self.known: dict[str, dict[str, Any]] = {name: {} for name in COLUMNS}

    def row(self, number: int, line: list[str]) -> Row:
        """Return a row, refused where it cannot be one."""
        if len(line) != len(self.names):
            raise RecordError(f"row {number} has {len(line)} cells: it needs {len(self.names)}")
        told = []
        for name, known in self.known.items():
            cell = line[self.places[name]] if name in self.places else ""
            if cell not in known:
                try:
                    known[cell] = _READ[name](unguarded(cell.strip()))
                except RecordError as trouble:
                    raise RecordError(f"row {number} has {trouble}") from None
            told.append(known[cell])
        game, seat, player, preference, ten, million, turn, rolls, banked, total = told
        return Row(
            number, game, seat, player, preference, (ten, million), turn, rolls, banked, total
        )


def _named(what: str) -> Callable[[str], str]:
    def read(cell: str) -> str:
        if not cell:
            raise RecordError(f"no {what}: name it, by a word or a number")
        return cell

    return read


def _preference(cell: str) -> str | None:
    said = cell.lower().removeprefix("risk").strip(" -")
    if said not in SAID:
        raise RecordError(
            f"the preference {cell!r}: write averse, neutral or seeking, or leave it empty"
        )
    return SAID[said]


def _answer(name: str) -> Callable[[str], str | None]:
    def read(cell: str) -> str | None:
        if cell.lower() not in ("", SURE, GAMBLE):
            raise RecordError(
                f"{name}={cell!r}: write a for the sure thing, b for the gamble, or leave it empty"
            )
        return cell.lower() or None

    return read


def _seat(cell: str) -> int:
    seat = _count("seat")(cell)
    if seat not in (1, 2):
        raise RecordError(f"seat {seat}: it is 1 for who goes first, else 2")
    return seat


def _count(name: str) -> Callable[[str], int]:
    def read(cell: str) -> int:
        digits = cell.isascii() and cell.isdigit()
        if not digits or len(cell) > 9:
            said = "have at most 9 digits" if digits else "be a whole number"
            raise RecordError(f"{name}={cell!r}: it must {said}")
        return int(cell)

    return read


_READ: dict[str, Callable[[str], Any]] = {
    "game": _named("game"),
    "seat": _seat,
    "player": _named("player"),
    "preference": _preference,
    "lottery_10": _answer("lottery_10"),
    "lottery_million": _answer("lottery_million"),
    "turn": _count("turn"),
    "rolls": _count("rolls"),
    "banked": _count("banked"),
    "total": lambda cell: _count("total")(cell) if cell else None,
}
"""How the cells of each column are read."""


def _forms(game: Pig, rows: list[Row]) -> Iterator[Form]:
    """Yield the forms that rows make up, in the order of their first rows."""
    said: dict[str, Row] = {}
    by_game: dict[str, dict[int, list[Row]]] = {}
    for row in rows:
        before = said.setdefault(row.player, row)
        if row.preference != before.preference or row.lotteries != before.lotteries:
            what = "preference" if row.preference != before.preference else "lotteries"
            now, then = _shown(getattr(row, what)), _shown(getattr(before, what))
            raise RecordError(
                f"row {row.number} has the {what} {now} for player {row.player!r}: "
                f"row {before.number} has {then}"
            )
        by_game.setdefault(row.game, {}).setdefault(row.seat, []).append(row)
    possible = _Possible(game)
    for name, seats in by_game.items():
        sheets = [
            _sheet(possible, sorted(rows, key=lambda row: row.turn)) for rows in seats.values()
        ]
        sheets.sort(key=lambda sheet: sheet.seat)
        _check_order(game, name, sheets, seats)
        yield Form(name, tuple(sheets))


def _shown(said: str | tuple[str | None, ...] | None) -> str:
    words = said if isinstance(said, tuple) else (said,)
    return "/".join(word or "none" for word in words)


class _Possible:
    """Which turns can have happened; each kind of turn is asked about once."""

    def __init__(self, game: Pig) -> None:
        self.game = game
        self.turns: dict[tuple[int, int], Turn] = {}  # equal turns are one object
        self.troubles: dict[tuple[int, int, int], str | None] = {}

    def turn(self, rolls: int, banked: int) -> Turn:
        """Return a turn."""
        return self.turns.setdefault((rolls, banked), Turn(rolls, banked))

    def trouble(self, bank: int, turn: Turn) -> str | None:
        """Return why a turn that began with this bank cannot have happened, or None."""
        key = (bank, turn.rolls, turn.banked)
        if key not in self.troubles:
            self.troubles[key] = impossible(self.game, bank, turn)
        return self.troubles[key]


def _sheet(possible: _Possible, rows: list[Row]) -> Sheet:
    """Return a sheet, refusing turns that cannot have happened."""
    first, bank, target, turns = rows[0], 0, possible.game.target, []
    for place, row in enumerate(rows, start=1):
        if row.player != first.player:
            raise RecordError(
                f"row {row.number} has the player {row.player!r} in {_where(row)}: "
                f"row {first.number} has {first.player!r}"
            )
        if row.turn != place:
            problem = "again" if row.turn == place - 1 else f"where turn {place} should be"
            raise RecordError(f"row {row.number} has turn {row.turn} {problem} in {_where(row)}")
        if bank >= target:
            raise RecordError(
                f"row {row.number} comes after the game was won: {_where(row)} had {bank} points"
            )
        turn = possible.turn(row.rolls, row.banked)
        trouble = possible.trouble(bank, turn)
        if trouble:
            raise RecordError(f"row {row.number} cannot be: {trouble}")
        if row.total is not None and row.total != bank + row.banked:
            raise RecordError(
                f"row {row.number} has a total that does not add up: "
                f"{bank} + {row.banked} = {bank + row.banked}, not {row.total}"
            )
        bank += row.banked
        turns.append(turn)
    return Sheet(first.player, first.seat, tuple(turns), first.preference, first.lotteries)


def _where(row: Row) -> str:
    return f"game {row.game!r}, seat {row.seat}"


def _check_order(game: Pig, name: str, sheets: list[Sheet], seats: dict[int, list[Row]]) -> None:
    """Refuse two sheets whose turns cannot have been taken in turn."""
    if len(sheets) < 2:
        return
    one, two = sheets
    if one.player == two.player:
        raise RecordError(f"game {name!r} has the player {one.player!r} in both seats")
    for sheet, other, most in ((one, two, len(two.turns) + 1), (two, one, len(one.turns))):
        if len(sheet.turns) > most:
            row = max(seats[sheet.seat], key=lambda row: row.turn)
            raise RecordError(
                f"row {row.number} is turn {row.turn} of seat {sheet.seat} in game {name!r}: the "
                f"other seat has only {len(other.turns)}"
            )
    level = len(one.turns) == len(two.turns)  # then the second player has moved last
    winner, last = (one, two) if level else (two, one)
    if winner.totals[-1] >= game.target:
        row = max(seats[last.seat], key=lambda row: row.turn)
        raise RecordError(
            f"row {row.number} comes after the game was won: game {name!r}, seat {winner.seat} had "
            f"{winner.totals[-1]} points"
        )


def tracker_text(tracker: Tracker) -> str:
    """Return the file that holds these forms."""
    return csv_text([COLUMNS, *_cells(tracker.forms)], header_line(FORMAT, tracker.game))


def _cells(forms: Iterable[Form]) -> Iterator[tuple[str | int, ...]]:
    for form in forms:
        for sheet in form.sheets:
            said = (sheet.preference or "", *(answer or "" for answer in sheet.lotteries))
            turns = zip(sheet.turns, sheet.totals, strict=True)
            for number, (turn, total) in enumerate(turns, start=1):
                yield (
                    guarded(form.name),
                    sheet.seat,
                    guarded(sheet.player),
                    *said,
                    number,
                    turn.rolls,
                    turn.banked,
                    total,
                )


def write_tracker(tracker: Tracker, path: str | Path) -> None:
    """Write forms to a file, whole or not at all."""
    with written_whole(path) as file:
        file.write(tracker_text(tracker))
