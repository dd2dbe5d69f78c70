"""Records of decisions: every move of a game, and what chance did after it.

A record holds any game that has a table, for any number of players. As a file it is CSV; the first
line names the game, and each row is a decision:

    # {"format": "dicelab decisions 1", "game": "pig", "parameters": {"target": "100", ...}}
    game,seat,player,position,move,after,passes
    1,1,ann,0-0 +0,roll,0-0 +5,no
    1,1,ann,0-0 +5,hold,0-5 +0,yes

`position` is seen by the player who decides, `after` by the one who is about to move then;
`passes` says whether that is the other player. So `after` tells what the dice did, in any game.
Among three and more `passes` is yes where the next player has the turn, and a number where it goes
so many seats on.

What is chosen after a throw is a decision of its own: the throw leads to the moment after it,
`30-12 +9 threw 1 5 5`, and the next row has that for its position. Where only one way is open it is
taken at once. The table of such a record is the unfolded one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from dicelab.core.arrays import Array
from dicelab.core.atomic_write import written_whole
from dicelab.core.csv_cells import csv_text, guarded, unguarded
from dicelab.core.lazy import lazy
from dicelab.errors import DicelabError, RecordError
from dicelab.people.record_header import game_of, header_line, header_of, rows_of
from dicelab.rules import ONGOING, Game
from dicelab.rules.sentences import in_a_row
from dicelab.table import Table, compile
from dicelab.table.unfolded import plain_table

FORMAT = "dicelab decisions 1"
COLUMNS = ("game", "seat", "player", "position", "move", "after", "passes")


@dataclass(frozen=True, eq=False)
class Decisions:
    """Games on one table, decision after decision."""

    table: Table
    names: tuple[str, ...]  # of the games
    players: tuple[tuple[str, ...], ...]  # of each game, by seat
    game: Array  # [decisions] which game, in order
    seat: Array  # [decisions] 0 for who goes first
    row: Array  # [decisions] the move, as a row of the table
    outcome: Array  # [decisions] what chance did, as an outcome of the table

    def __len__(self) -> int:
        """Return the number of decisions."""
        return len(self.row)

    @lazy
    def number(self) -> Array:
        """The position each decision was made at. `[decisions]`"""
        return self.table.row_position[self.row]

    @lazy
    def after(self) -> Array:
        """The position that followed each decision. `[decisions]`"""
        return self.table.target[self.outcome]

    @lazy
    def passes(self) -> Array:
        """Whether the turn passed. `[decisions]`"""
        return self.table.passes(self.outcome)

    @lazy
    def seats_on(self) -> Array:
        """How many seats on the turn went. `[decisions]`"""
        return seats_on(self.table, self.outcome)

    @lazy
    def first(self) -> Array:
        """The first decision of each game, and one past the last. `[games + 1]`"""
        return np.searchsorted(self.game, np.arange(len(self.names) + 1))

    def of(self, player: str) -> Array:
        """Return which decisions were a player's. `[decisions]`"""
        most = max(2, self.table.game.players)
        names = np.array([[*some, ""][:most] for some in self.players], object)
        return names[self.game, self.seat] == player


def seats_on(table: Table, outcomes: Array | int) -> Array:
    """Return how many seats on each of some outcomes hands the turn; none where one is alone."""
    on: Array = table.turns[table.kind[outcomes]].astype(np.int64)
    return on if table.game.players > 1 else 0 * on


def said_to_pass(seats: int) -> str:
    """Return how a record says that the turn goes so many seats on."""
    return "no" if seats == 0 else "yes" if seats == 1 else str(seats)


def parse_decisions(text: str, game: Game | None = None, path: str = "the text") -> Decisions:
    """Return the games that a text stands for."""
    told, begins = header_of(text, path)
    if told is None:
        raise RecordError(f"{path!r} does not say which game it is a record of in its first line")
    if told["format"] != FORMAT:
        raise RecordError(f"{path!r} holds no decisions: its first line says {told['format']!r}")
    reader = _Reader(compile(game_of(told, game, path)))
    for number, cells in rows_of(text, begins, COLUMNS):
        reader.take(number, cells)
    if not reader.rows:
        raise RecordError(f"{path!r} has no decisions: write one row for each")
    return reader.decisions()


def decisions_of(table: Table, rows: Iterable[Sequence[str]]) -> Decisions:
    """Return games from rows of texts, as a file has them, on a table that is at hand."""
    reader = _Reader(table)
    for number, cells in enumerate(rows, start=1):
        reader.take(number, list(cells))
    if not reader.rows:
        raise RecordError("there are no decisions: give one row for each")
    return reader.decisions()


class _Reader:
    """Takes the rows of a file one after another and checks each against the one before."""

    def __init__(self, table: Table) -> None:
        self.table = plain_table(table)
        self.games: dict[str, int] = {}
        self.players: list[dict[int, str]] = []
        self.rows: list[tuple[int, int, int, int]] = []
        self.last = 0  # the row of the file that came before

    def take(self, number: int, cells: list[str]) -> None:
        """Take one row."""
        if len(cells) != len(COLUMNS):
            raise RecordError(f"row {number} has {len(cells)} cells: it needs {len(COLUMNS)}")
        name, seat_text, player, position, move, after, passes_text = map(unguarded, cells)
        table, seats = self.table, range(1, self.table.game.players + 1)
        if seat_text not in map(str, seats):
            has = in_a_row([f"seat {seat}" for seat in seats])
            raise RecordError(f"row {number} has seat {seat_text!r}: {table.game} has {has}")
        further = [str(on) for on in range(2, table.game.players)]
        if passes_text not in ("yes", "no", *further):
            more = f", or how many seats on up to {further[-1]}" if further else ""
            raise RecordError(f"row {number} has passes={passes_text!r}: write yes or no{more}")
        seat, passes = int(seat_text) - 1, passes_text != "no"
        on = {"no": 0, "yes": 1}.get(passes_text) if not passes_text.isdigit() else int(passes_text)
        at, then = self._number(number, position), self._number(number, after)
        row = table.row_at(at, move)
        if row < 0:
            legal = " or ".join(table.legal_moves(at)) or "do nothing: the game is over"
            raise RecordError(f"row {number} cannot {move} at {position}: you can {legal} there")
        outcomes = np.arange(table.outcome_first[row], table.outcome_first[row + 1])
        match = (table.target[outcomes] == then) & (table.passes(outcomes) == passes)
        if further:
            match &= seats_on(table, outcomes) == on
        if not match.any():
            turn = "where the turn passes" if passes else "where the turn goes on"
            raise RecordError(
                f"row {number}: to {move} at {position} cannot lead to {after} {turn}"
            )
        self._follow(number, name, seat, player, at)
        self.rows.append((self.games[name], seat, row, int(outcomes[match][0])))
        self.last = number

    def _number(self, number: int, notation: str) -> int:
        try:
            return self.table.number(notation)
        except DicelabError as trouble:
            raise RecordError(f"row {number}: {trouble}") from None

    def _follow(self, number: int, name: str, seat: int, player: str, at: int) -> None:
        """Refuse a row that does not go on from where the row before it ended."""
        table = self.table
        if name not in self.games:
            self.games[name] = len(self.games)
            self.players.append({})
        elif self.rows[-1][0] != self.games[name]:
            raise RecordError(f"row {number} goes back to game {name!r}: keep its rows together")
        else:
            _, before, _, outcome = self.rows[-1]
            then = int(table.target[outcome])
            due = (before + int(seats_on(table, outcome))) % table.game.players
            if table.result[then] != ONGOING:
                raise RecordError(
                    f"row {number} comes after game {name!r} ended in row {self.last}"
                )
            if at != then or seat != due:
                raise RecordError(
                    f"row {number} has seat {seat + 1} at {table.notation(at)}: "
                    f"row {self.last} left seat {due + 1} at {table.notation(then)}"
                )
        known = self.players[-1].setdefault(seat, player)
        if known != player:
            raise RecordError(
                f"row {number} has the player {player!r} in seat {seat + 1} of game {name!r}: "
                f"it was {known!r} before"
            )

    def decisions(self) -> Decisions:
        """Return what was taken."""
        game, seat, row, outcome = (np.array(column) for column in zip(*self.rows, strict=True))
        seats = range(self.table.game.players)
        players = tuple(tuple(pair.get(s, "") for s in seats) for pair in self.players)
        return Decisions(self.table, tuple(self.games), players, game, seat, row, outcome)


def decisions_text(record: Decisions) -> str:
    """Return the file that holds these games."""
    table = record.table
    on = np.where(record.passes, np.maximum(record.seats_on, 1), 0)
    columns = (record.game, record.seat, record.row, record.number, record.after, on)
    rows = [
        (
            guarded(record.names[game]),
            seat + 1,
            guarded(record.players[game][seat]),
            table.notation(at),
            table.moves[table.move[row]],
            table.notation(then),
            said_to_pass(on),
        )
        for game, seat, row, at, then, on in zip(*(c.tolist() for c in columns), strict=True)
    ]
    return csv_text([COLUMNS, *rows], header_line(FORMAT, table.game))


def write_decisions(record: Decisions, path: str | Path) -> None:
    """Write games to a file, whole or not at all."""
    with written_whole(path) as file:
        file.write(decisions_text(record))
