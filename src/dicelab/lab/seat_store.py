"""What is remembered of matches between two people: who sits where, links, and hidden choices.

A link is a token that cannot be guessed; the file holds its hash, not the token. A choice of a game
at once is kept hidden until both have chosen, so that it is there after the server was killed.
"""

from __future__ import annotations

import secrets
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass

from dicelab.core.language import tr
from dicelab.errors import RulesError
from dicelab.lab.shared_file import Readers, SharedFile

TABLES = """
ALTER TABLE matches ADD COLUMN people TEXT;
CREATE TABLE seats (
    match TEXT NOT NULL REFERENCES matches(id),
    seat INTEGER NOT NULL,
    player INTEGER REFERENCES players(number),
    name TEXT NOT NULL,
    coach TEXT NOT NULL,
    PRIMARY KEY (match, seat)
) WITHOUT ROWID;
CREATE INDEX seats_by_player ON seats (player);
CREATE TABLE hidden_choices (
    match TEXT NOT NULL REFERENCES matches(id),
    ply INTEGER NOT NULL,
    seat INTEGER NOT NULL,
    move TEXT NOT NULL,
    PRIMARY KEY (match, ply, seat)
) WITHOUT ROWID;
CREATE TABLE links (
    token TEXT PRIMARY KEY,
    match TEXT NOT NULL REFERENCES matches(id),
    kind TEXT NOT NULL,
    UNIQUE (match, kind)
);
"""

HERE, LINK = "here", "link"  # where two people are: at one device, or each at their own
SEAT, WATCH = "seat", "watch"  # what a link is for


@dataclass(frozen=True)
class Seat:
    """Somebody at a table of two people; who sits beside a player at one device is no player."""

    seat: int  # 0 is who began the match
    player: int | None
    name: str
    coach: str


def _seat(row: sqlite3.Row) -> Seat:
    return Seat(row["seat"], row["player"], row["name"], row["coach"])


READERS: Readers = {"seats": _seat, "hidden_choices": tuple, "links": tuple}


def fit_name(text: str) -> str:
    """Return a name without what surrounds it, refused where it is none or begins a formula."""
    name = text.strip()
    if not name or not name.isprintable() or name[0] in "=+-@":
        raise RulesError(
            tr(
                "a name has 1 to 40 characters and does not begin with = + - or @: got {name}",
                name=repr(text),
            )
        )
    return name


def add(file: sqlite3.Connection, match: str, seats: Sequence[Seat]) -> None:
    """Write down who sits at a new match."""
    rows = [(match, one.seat, one.player, one.name, one.coach) for one in seats]
    file.executemany("INSERT INTO seats VALUES (?, ?, ?, ?, ?)", rows)


class SeatStore:
    """Seats, links and hidden choices, in the file of the lab."""

    def __init__(self, file: SharedFile) -> None:
        self.file = file

    def seats(self, match: str) -> dict[int, Seat]:
        """Return everybody who sits at a match between people."""
        rows = self.file.rows("SELECT * FROM seats WHERE match = ?", match)
        return {row["seat"]: _seat(row) for row in rows}

    def joined(self, player: int) -> list[str]:
        """Return the matches of others at which a player sits, the newest first."""
        question = "SELECT match FROM seats JOIN matches ON id = match WHERE seats.player = ? AND "
        rows = self.file.rows(f"{question} seat > 0 ORDER BY started DESC", player)
        return [row["match"] for row in rows]

    def sit(self, match: str, one: Seat) -> None:
        """Let somebody take a seat, refused where it is taken."""
        try:
            with self.file.writing() as file:
                add(file, match, [one])
        except sqlite3.IntegrityError:
            raise RulesError(tr("somebody sits there already: only two play")) from None

    def leave(self, match: str, seat: int) -> None:
        """Let a seat be free."""
        with self.file.writing() as file:
            file.execute("DELETE FROM seats WHERE match = ? AND seat = ?", (match, seat))

    def set_coach(self, match: str, seat: int, coach: str) -> None:
        """Change what the coach says to one seat."""
        with self.file.writing() as file:
            file.execute(
                "UPDATE seats SET coach = ? WHERE match = ? AND seat = ?", (coach, match, seat)
            )

    # Links.

    def new_link(self, match: str, kind: str, hashed: str) -> None:
        """Keep the hash of a new link, in the place of an older one."""
        with self.file.writing() as file:
            file.execute("DELETE FROM links WHERE match = ? AND kind = ?", (match, kind))
            file.execute("INSERT INTO links VALUES (?, ?, ?)", (hashed, match, kind))

    def end_link(self, match: str, kind: str) -> None:
        """Let a link lead nowhere."""
        with self.file.writing() as file:
            file.execute("DELETE FROM links WHERE match = ? AND kind = ?", (match, kind))

    def linked(self, hashed: str, kind: str) -> str | None:
        """Return the match that a link leads to, by its hash."""
        question = "SELECT match FROM links WHERE token = ? AND kind = ?"
        rows = self.file.rows(question, hashed, kind)
        return str(rows[0]["match"]) if rows else None

    def links(self, match: str) -> list[str]:
        """Return what the links to a match are for."""
        rows = self.file.rows("SELECT kind FROM links WHERE match = ? ORDER BY kind", match)
        return [row["kind"] for row in rows]

    # Choices that nobody sees yet.

    def hide(self, match: str, ply: int, seat: int, move: str) -> None:
        """Keep a choice hidden; the first one that a seat makes stands."""
        with self.file.writing() as file:
            file.execute("INSERT INTO hidden_choices VALUES (?, ?, ?, ?)", (match, ply, seat, move))

    def hidden(self, match: str, ply: int) -> dict[int, str]:
        """Return who has chosen, and what, for one throw at once."""
        question = "SELECT seat, move FROM hidden_choices WHERE match = ? AND ply = ?"
        return {row["seat"]: row["move"] for row in self.file.rows(question, match, ply)}


def new_token() -> str:
    """Return a token that nobody can guess."""
    return secrets.token_urlsafe(24)
