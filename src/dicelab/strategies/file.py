"""Strategies on disk: as CSV, for people and spreadsheets, or compact, for machines.

Both forms carry the game and its parameters, so that a table for another game is refused by name,
and say which dicelab wrote them and where the rules are. A CSV has a first line that says so, then
one line per position: its fields and the move, or one column of chances per move. A solution adds
what each position is worth: value, lower and upper bound, in exact mode the fraction (where Python
prints so long a one), and all best moves where several tie. The compact form (any other ending than
.csv) is NumPy's .npz with the same contents; there `best` marks the rows of all best moves, and
fractions are lines of text in bytes. Files of version 0.1, without these, are read as well.

Where players choose after throws, a moment after a throw has a line like a position: a column more,
`threw`, says what the dice show, and the move is the way that is taken.
"""

from __future__ import annotations

import csv
import hashlib
import io
import json
import math
from pathlib import Path
from typing import IO, Any

import numpy as np

from dicelab.core.arrays import Array, Bools, Ints
from dicelab.core.atomic_write import require_end, written_whole
from dicelab.core.exact import at_least, at_most, each_once, exactly, fraction
from dicelab.core.json_object import JsonObject
from dicelab.core.typed_modules import codes_so_far
from dicelab.core.version import __version__
from dicelab.errors import DicelabError, WrongTable
from dicelab.rules import Game, HouseRules, Moment, Position, written
from dicelab.rules.game import parameter_fields
from dicelab.strategies.plan import Plan, plan_of_function
from dicelab.strategies.ways import folded_plan, unfolded_plan
from dicelab.table import Table
from dicelab.table.unfolded import UnfoldedTable, plain_table, unfolded_table

Columns = dict[str, list[Any]]

FORMAT, WITH_VALUES = "dicelab strategy 1", "dicelab strategy 2"
MOST_BYTES = 1_000_000
"""What the first line of a compact file may take."""
MOST_IN_ALL, BYTES_EACH = 100_000_000, 400
"""What an array in it may take in all, or for each entry, whichever is more."""


def header_of(game: Game, form: str) -> JsonObject:
    """Return what a file of some form says about its game and itself."""
    return {
        "format": form,
        "dicelab": __version__,
        "game": game.name,
        "rules": f"{type(game).__module__}:{type(game).__qualname__}",
        "parameters": parameters_of(game),
    }


def parameters_of(game: Game) -> dict[str, str]:
    """Return the parameters of a game as a file has them."""
    return {name: written(value) for name, value in game.parameters.items()}


def mark_of_rules(game: Game) -> str:
    """Return a mark of rules of one's own, so that a file knows when they were changed; else "".

    It is of the module's code, if its name was typed, and of a card's dice and boxes.
    """
    rules = game.unaimed
    if type(rules).__module__.startswith("dicelab."):
        return ""
    dice = getattr(rules, "rounds", ())
    mark = hashlib.sha256(repr((codes_so_far(), dice)).encode())
    for each in getattr(rules, "arrays", ()):
        mark.update(np.ascontiguousarray(each).tobytes())
    return mark.hexdigest()[:12]


def header(plan: Plan) -> JsonObject:
    """Return what a file says about itself."""
    told = header_of(plan.table.game, FORMAT)
    return told | {"strategy": plan.name, "positions": len(plan.table)}


def save_strategy(strategy: Any, path: str | Path) -> None:
    """Write a plan, or a solution with its values: as CSV if the name ends so, else compact."""
    plan: Plan = getattr(strategy, "plan", strategy)
    if plan.table.has_choices:
        is_plan, there = plan is strategy, unfolded_table(plan.table)
        strategy = unfolded_plan(plan) if is_plan else strategy.on(there)
        plan = strategy if is_plan else strategy.plan
    told, best = header(plan), None
    columns: Columns = {}
    if plan is not strategy:
        values, lowers, uppers, best = strategy.measures()
        columns = {
            "value": list(map(float, values)),
            "lower": list(map(at_most, lowers)),
            "upper": list(map(at_least, uppers)),
        }
        columns |= {"fraction": [fraction(v) or "" for v in values]} if strategy.exact else {}
        told |= {"format": WITH_VALUES, "unit": strategy.unit, "columns": [*columns, "ties"]}
    if str(path).endswith(".csv"):
        with written_whole(path) as file:
            file.write(f"# {json.dumps(told)}\n")
            _write_csv(plan, columns, best, file)
    else:
        with written_whole(path, "wb") as file:
            _write_compact(plan, told, columns, best, file)


def load_strategy(path: str | Path, table: Table) -> Plan:
    """Return a saved strategy, refused unless it is for exactly this game."""
    return folded_plan(_loaded(path, plain_table(table)))


def _loaded(path: str | Path, table: Table) -> Plan:
    """Return a saved strategy on a table without choices after throws."""
    try:
        require_end(path)
        content = Path(path).read_bytes()
    except (OSError, ValueError) as trouble:  # a name with a zero byte in it is a ValueError
        reason = getattr(trouble, "strerror", None) or str(trouble)
        raise WrongTable(f"cannot read the strategy file {str(path)!r}: {reason}") from None
    try:
        if content.startswith(b"PK"):
            return _read_compact(content, table, str(path))
        return _read_csv(content.decode("utf-8"), table, str(path))
    except Exception as trouble:  # damaged bytes trip zlib, zipfile, csv and NumPy in many ways
        if isinstance(trouble, WrongTable):
            raise
        if isinstance(trouble, DicelabError):
            raise WrongTable(f"{str(path)!r} cannot be played: {trouble}") from None
        raise WrongTable(
            f"{str(path)!r} is not a complete strategy file: {type(trouble).__name__}: {trouble}"
        ) from None


def carried_over(plan: Plan, table: Table) -> Plan:
    """Return a plan made on one table as a plan on another table of the same game."""
    _same_game(header(plan), table.game, plan.name, len(table))
    # numbering is the game's alone
    return Plan(plan.name, table, plan.choice, plan.chances, plan.ways)


def _same_game(told: JsonObject, game: Game, what: str, positions: int) -> None:
    if told.get("format") not in (FORMAT, WITH_VALUES):
        raise WrongTable(f"{what!r} is not a strategy file: its first line is not {FORMAT!r}")
    wanted = parameters_of(game)
    if told["game"] != game.name:
        raise WrongTable(f"{what!r} is a strategy for {told['game']}: it cannot play {game.name}")
    # What a game has learnt to be asked since the file was written is as it was then: its default.
    usual = {field.name: written(field.default) for field in parameter_fields(game)}
    found = {name: usual[name] for name in wanted} | told["parameters"]
    if found != wanted:
        other, mine = (
            " ".join(
                f"{name}={value}" for name, value in sorted(one.items()) if two.get(name) != value
            )
            for one, two in ((found, wanted), (wanted, found))
        )
        raise WrongTable(
            f"{what!r} is a strategy for {game.name} {other}: it cannot play {game.name} {mine}"
        )
    if told["positions"] != positions:
        raise WrongTable(
            f"{what!r} has {told['positions']} positions and {game} has {positions}: "
            f"it was made with other rules of the same name; solve the game again"
        )


def _write_csv(plan: Plan, measures: Columns, best: Bools | None, file: IO[str]) -> None:
    table = plan.table
    writer = csv.writer(file, lineterminator="\n")
    here = np.flatnonzero(table.is_ongoing)
    moves = np.array(table.moves, object)
    columns = position_columns(table, here)
    if best is not None:
        rows = [np.arange(*table.move_first[number : number + 2]) for number in here]
        tied = [moves[table.move[some[best[some]]]].tolist() for some in rows]
        measures = measures | {"ties": ["|".join(some) if len(some) > 1 else "" for some in tied]}
    played = {"move": moves[table.move[plan.choice[here]]].tolist()}
    if plan.chances is not None:
        played = {move: [""] * here.size for move in table.moves}
        place = np.full(len(table), -1)
        place[here] = np.arange(here.size)
        for row, chance in enumerate(plan.chances):
            played[table.moves[table.move[row]]][place[table.row_position[row]]] = str(chance)
    writer.writerow([*columns, *played, *measures])
    parts = (*columns.values(), *played.values(), *measures.values())
    writer.writerows(zip(*parts, strict=True))


def position_columns(table: Table, here: Ints) -> Columns:
    """Return the fields of some positions as columns; house rules have one, the notation."""
    if isinstance(table.game, HouseRules):
        return {"position": [table.notation(int(number)) for number in here]}
    if not isinstance(table, UnfoldedTable):
        at = table.positions(here)
        return {name: field.tolist() for name, field in zip(at._fields, at, strict=True)}
    fields = (*table.game.start()._fields, "threw")
    lines = [_fields(table, at) for at in table.each(here)]
    return dict(zip(fields, map(list, zip(*lines, strict=True)), strict=True))


def _fields(table: Table, at: Position) -> tuple[Any, ...]:
    """Return the fields of a position, and what was thrown there where that belongs to it."""
    if not isinstance(table, UnfoldedTable):
        return tuple(at)
    return (*at.at, table.thrown(at)) if isinstance(at, Moment) else (*at, "")


def _read_csv(text: str, table: Table, path: str) -> Plan:
    first, _, rest = text.partition("\n")
    try:
        told = json.loads(first.removeprefix("# "))
    except json.JSONDecodeError:
        told = {}
    _same_game(told if isinstance(told, dict) else {}, table.game, path, len(table))
    lines = csv.reader(io.StringIO(rest))
    names = next(lines)
    every, measured = len(names), len(told.get("columns", ()))
    names = names[: every - measured]
    answers: dict[tuple[str, ...], Any] = {}
    pure = names[-1] == "move"
    fields = len(names) - (1 if pure else len(table.moves))
    for number, line in enumerate(lines, start=3):
        if len(line) != every:
            raise WrongTable(f"{path!r} line {number} has {len(line)} columns, not {every}")
        line = line[: len(names)]
        key = tuple(line[:fields])
        answers[key] = line[-1] if pure else dict(zip(names[fields:], line[fields:], strict=True))

    def told_move(at: Position) -> str | dict[str, str]:
        if isinstance(table.game, HouseRules):
            key: tuple[str, ...] = (table.game.write(at),)
        else:
            key = tuple(str(field) for field in _fields(table, at))
        if key not in answers:
            raise WrongTable(f"{path!r} has no line for {table.game.write(at)}: it is not complete")
        answer = answers[key]
        return answer if pure else {move: share for move, share in answer.items() if share}

    return plan_of_function(table, told_move, str(told["strategy"]))


def _write_compact(
    plan: Plan,
    told: JsonObject,
    measures: Columns,
    best: Bools | None,
    file: IO[bytes],
) -> None:
    arrays: dict[str, Any] = {"header": np.array(json.dumps(told))}
    for name, column in measures.items():
        lines = name == "fraction"  # texts of one width would take much room
        arrays[name] = np.frombuffer("\n".join(column).encode(), np.uint8) if lines else column
    arrays |= {} if best is None else {"best": best}
    if plan.chances is not None:
        arrays["chances"] = np.array(each_once(str, plan.chances))
    else:
        here = plan.choice >= 0
        move = np.full(len(plan.table), 255, np.uint8 if len(plan.table.moves) < 255 else np.int32)
        move[here] = plan.table.move[plan.choice[here]]
        arrays["move"] = move
    np.savez_compressed(file, **arrays)


def _read_compact(content: bytes, table: Table, path: str) -> Plan:
    with np.load(io.BytesIO(content), allow_pickle=False) as arrays:
        told = json.loads(str(_entry(arrays, "header", ())))
        _same_game(told, table.game, path, len(table))
        name = str(told["strategy"])
        if "chances" in arrays:
            return _mixed(name, table, _entry(arrays, "chances", (table.rows,)), path)
        move = _entry(arrays, "move", (len(table),))
    mine = table.move == move[table.row_position]
    choice = np.full(len(table), -1, np.int32)
    choice[table.row_position[mine]] = np.flatnonzero(mine)
    if (choice[table.is_ongoing] < 0).any():
        bad = int(np.flatnonzero(table.is_ongoing & (choice < 0))[0])
        raise WrongTable(f"{path!r} has no legal move at {table.notation(bad)}")
    return Plan(name, table, choice)


def _entry(arrays: Any, name: str, shape: tuple[int, ...]) -> Array:
    """Return an array of a compact file, refused before it is unpacked if it cannot be it."""
    with arrays.zip.open(f"{name}.npy") as file:
        version = np.lib.format.read_magic(file)
        if version != (1, 0):
            raise ValueError(f"{name} is of an unknown version, {version}")
        found, _, kind = np.lib.format.read_array_header_1_0(file)
    # A few kilobytes can unpack into all the memory there is.
    count = math.prod(shape)
    most = max(MOST_IN_ALL, BYTES_EACH * count) if shape else MOST_BYTES
    if found != shape or kind.kind not in "Uiu" or kind.itemsize * count > most:
        raise ValueError(f"{name} has the shape {found} of {kind.str}, not {shape}")
    return arrays[name]


def _mixed(name: str, table: Table, texts: Array, path: str) -> Plan:
    """Return the plan of chances given as texts, refused where they are none."""
    lines = texts.tolist()
    # A million rows share a few thousand fractions.
    known: dict[str, Any] = {text: exactly(text) for text in set(lines)}
    wrong = {text for text, chance in known.items() if chance is None or chance < 0}
    if wrong:
        row = next(row for row, text in enumerate(lines) if text in wrong)
        bad = [int(table.row_position[row])]
    else:
        first = table.move_first.tolist()
        here = np.flatnonzero(table.is_ongoing).tolist()
        together = [tuple(lines[first[number] : first[number + 1]]) for number in here]
        whole = {part for part in set(together) if sum(known[text] for text in part) == 1}
        bad = [number for number, part in zip(here, together, strict=True) if part not in whole]
    if bad:
        raise WrongTable(
            f"{path!r} has no chances of moves that sum to 1 at {table.notation(bad[0])}"
        )
    chances = np.array([known[text] for text in lines], object)
    return Plan(name, table, np.full(len(table), -1, np.int32), chances)
