"""What the lab remembers: players, matches and every decision, in one SQLite file.

Nothing about a match lives in memory only. A decision is written, and the write has reached the
disk, before it is answered; so the server may be killed at any moment and goes on from the file.

Players are known by a token that cannot be guessed. The file holds its hash, not the token.
"""

from __future__ import annotations

import hashlib
import json
import secrets
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass, fields
from datetime import UTC, datetime
from fractions import Fraction
from pathlib import Path

from dicelab.core.json_object import JsonObject
from dicelab.core.language import tr
from dicelab.errors import DicelabError
from dicelab.lab import drill_store, seat_store
from dicelab.lab.shared_file import SharedFile, Step, written
from dicelab.rules import registry

FIRST = """
CREATE TABLE players (
    number INTEGER PRIMARY KEY,
    token TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    since TEXT NOT NULL,
    answers TEXT NOT NULL DEFAULT '{}'
);
CREATE TABLE matches (
    id TEXT PRIMARY KEY,
    player INTEGER NOT NULL REFERENCES players(number),
    number INTEGER NOT NULL,
    game TEXT NOT NULL,
    parameters TEXT NOT NULL,
    title TEXT NOT NULL,
    opponent TEXT NOT NULL,
    you_start INTEGER NOT NULL,
    coin INTEGER NOT NULL,
    seed TEXT NOT NULL,
    coach TEXT NOT NULL,
    warn_at REAL NOT NULL,
    started TEXT NOT NULL,
    ended TEXT,
    outcome TEXT,
    UNIQUE (player, number)
);
CREATE INDEX matches_by_title ON matches (title, ended);
CREATE TABLE decisions (
    match TEXT NOT NULL REFERENCES matches(id),
    ply INTEGER NOT NULL,
    who TEXT NOT NULL,
    position TEXT NOT NULL,
    move TEXT NOT NULL,
    after TEXT NOT NULL,
    mover INTEGER NOT NULL,
    faces TEXT NOT NULL,
    gain INTEGER NOT NULL DEFAULT 0,
    made TEXT NOT NULL,
    PRIMARY KEY (match, ply, who)
) WITHOUT ROWID;
CREATE TABLE reviews (match TEXT PRIMARY KEY REFERENCES matches(id), score TEXT NOT NULL);
CREATE TABLE records (
    number INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    added TEXT NOT NULL,
    text TEXT NOT NULL
);
"""
PAINTINGS = """
CREATE TABLE paintings (
    id TEXT PRIMARY KEY,
    player INTEGER NOT NULL REFERENCES players(number),
    game TEXT NOT NULL,
    parameters TEXT NOT NULL,
    title TEXT NOT NULL,
    painted TEXT NOT NULL,
    made TEXT NOT NULL
);
CREATE INDEX paintings_by_player ON paintings (player);
"""

DAILY = """
ALTER TABLE matches ADD COLUMN day TEXT;
CREATE UNIQUE INDEX one_try_a_day ON matches (player, day);
"""

TAKEN_BACK = """
CREATE TABLE taken_back (
    match TEXT NOT NULL REFERENCES matches(id),
    ply INTEGER NOT NULL,
    first INTEGER NOT NULL,
    made TEXT NOT NULL,
    PRIMARY KEY (match, ply)
) WITHOUT ROWID;
ALTER TABLE matches ADD COLUMN taken_back INTEGER;
"""

STANDS = """NOT EXISTS (
    SELECT 1 FROM taken_back AS back
    WHERE back.match = decisions.match AND decisions.ply BETWEEN back.first AND back.ply
)"""
"""Which decisions were not taken back: rows are never changed, and dice never thrown again."""

COUNTED = "start IS NULL AND taken_back IS NULL AND people IS NULL"
"""Which matches are no practice; see `Match.is_practice`."""


def now() -> str:
    """Return the time, as it is written down."""
    return written(datetime.now(UTC))


def hashed(token: str) -> str:
    """Return what the file keeps of a token."""
    return hashlib.sha256(token.encode()).hexdigest()


@dataclass(frozen=True)
class Player:
    """Someone who plays."""

    number: int
    name: str
    since: str
    answers: dict[str, str | None]


@dataclass(frozen=True)
class Match:
    """A match, and how it was set up."""

    id: str
    player: int
    number: int  # the player's first, second ... match
    game: str
    parameters: JsonObject
    title: str
    opponent: JsonObject
    you_start: bool
    coin: bool
    seed: int
    coach: str
    warn_at: float
    started: str
    ended: str | None
    outcome: str | None
    start: str | None = None  # where it began, if not at the usual start; seen by who started
    brought: str | None = None  # what it was called where it was played, if it came in a file
    day: str | None = None  # whose game of the day it is
    taken_back: int | None = None  # the number that taking back a move used last, if it did
    people: str | None = None  # where two people play it: here or by link; None: against machines

    @property
    def is_practice(self) -> bool:
        """Whether it counts in no statistics, as where it began elsewhere or people play."""
        return any(each is not None for each in (self.start, self.taken_back, self.people))


@dataclass(frozen=True)
class Decision:
    """One decision of a match and what the dice did: a row that is never changed."""

    ply: int
    who: str  # you, opponent, or dice where nobody decided
    position: str  # in the game's notation, seen by who decides
    move: str
    after: str  # seen by who is about to move then
    mover: int
    faces: tuple[int, ...]
    gain: Fraction = Fraction(0)


class Overtaken(DicelabError):
    """The match went on before this could be written down."""


class Finished(Overtaken):
    """The match was over before this could be written down."""


class Store(SharedFile):
    """The file of the lab, in the words of the lab."""

    def __init__(self, path: str | Path) -> None:
        readers = {
            "players": _player,
            "matches": lambda row: _match(row).opponent["kind"],
            "decisions": _decision,
            "reviews": lambda row: dict(json.loads(row["score"])),
            "records": tuple,
            "paintings": lambda row: json.loads(row["painted"])["name"],
            **drill_store.READERS,
            **seat_store.READERS,
        }
        super().__init__(path, STEPS, readers)

    # Players.

    def new_player(self) -> tuple[Player, str]:
        """Return a new player and the token that lets them in."""
        token = secrets.token_urlsafe(32)
        with self.writing() as file:
            made = file.execute(
                "INSERT INTO players (token, name, since) VALUES (?, '', ?)", (hashed(token), now())
            )
            number = made.lastrowid
            file.execute(
                "UPDATE players SET name = ? WHERE number = ?",
                (tr("player {number}", number=number), number),
            )
        found = self.player(token)
        assert found is not None
        return found, token

    def player(self, token: str) -> Player | None:
        """Return the player whose token this is."""
        rows = self.rows("SELECT * FROM players WHERE token = ?", hashed(token))
        return _player(rows[0]) if rows else None

    def players(self) -> list[Player]:
        """Return everybody."""
        return [_player(row) for row in self.rows("SELECT * FROM players ORDER BY number")]

    def name_of(self, player: int) -> str:
        """Return what a player is called."""
        return str(self.rows("SELECT name FROM players WHERE number = ?", player)[0]["name"])

    def rename(self, player: int, name: str) -> None:
        """Give a player another name."""
        with self.writing() as file:
            file.execute("UPDATE players SET name = ? WHERE number = ?", (name, player))

    def answer(self, player: int, answers: dict[str, str | None]) -> None:
        """Keep what a player answered to the questionnaire."""
        with self.writing() as file:
            file.execute(
                "UPDATE players SET answers = ? WHERE number = ?", (json.dumps(answers), player)
            )

    def forget(self, player: int) -> None:
        """Remove a player and every row that belongs to them, in whatever table."""
        with self.writing() as file:
            _forget(file, "players", f"number = {int(player)}")
        self.tidy()

    # Matches.

    def next_number(self, player: int) -> int:
        """Return which match of a player comes next."""
        ((last,),) = self.rows("SELECT max(number) FROM matches WHERE player = ?", player)
        return int(last or 0) + 1

    def origins(self, player: int) -> set[str]:
        """Return what the matches of a player are called in files: where they came from."""
        question = "SELECT coalesce(brought, id) AS origin FROM matches WHERE player = ?"
        return {row["origin"] for row in self.rows(question, player)}

    def add_match(
        self, match: Match, decisions: Sequence[Decision], seats: Sequence[seat_store.Seat] = ()
    ) -> None:
        """Keep a new match, what happened at its start, and between people who sits there."""
        with self.writing() as file:
            told = vars(match) | {
                "parameters": json.dumps(match.parameters),
                "opponent": json.dumps(match.opponent),
                "seed": str(match.seed),
            }
            _insert(file, "matches", told)
            _write(file, match.id, decisions)
            seat_store.add(file, match.id, seats)

    def add_decisions(
        self, match: str, decisions: Sequence[Decision], outcome: str | None = None
    ) -> None:
        """Keep decisions and, where the match is over, how it ended: on the disk at return.

        A match that has ended meanwhile stays as it is, and `Finished` is raised.
        """
        with self.writing() as file:
            used = _used(file, match, decided=False)
            if decisions and decisions[0].ply <= used:
                raise Overtaken(f"a move of match {match!r} was taken back meanwhile")
            _write(file, match, decisions)
            if outcome is not None:
                file.execute(
                    "UPDATE matches SET ended = ?, outcome = ? WHERE id = ?",
                    (now(), outcome, match),
                )

    def take_back(self, match: str, first: int, ply: int) -> None:
        """Take back every decision from the first on, which uses up the number `ply`."""
        with self.writing() as file:
            if _used(file, match) != ply - 1:
                raise Overtaken(f"match {match!r} went on meanwhile")
            row = {"match": match, "ply": ply, "first": first, "made": now()}
            _insert(file, "taken_back", row)
            file.execute("UPDATE matches SET taken_back = ? WHERE id = ?", (ply, match))

    def taken_back(self, match: str) -> list[tuple[int, Decision]]:
        """Return every choice of yours that was taken back, with the number that this used."""
        question = """
            SELECT decisions.*, back.ply AS at FROM taken_back AS back JOIN decisions
            ON decisions.match = back.match AND decisions.ply = back.first AND who = 'you'
            WHERE back.match = ? ORDER BY back.ply
        """
        return [(row["at"], _decision(row)) for row in self.rows(question, match)]

    def set_coach(self, match: str, coach: str, warn_at: float) -> None:
        """Change what the coach says during a match."""
        with self.writing() as file:
            file.execute(
                "UPDATE matches SET coach = ?, warn_at = ? WHERE id = ?", (coach, warn_at, match)
            )

    def match(self, id: str) -> Match | None:
        """Return a match by its id."""
        rows = self.rows("SELECT * FROM matches WHERE id = ?", id)
        return _match(rows[0]) if rows else None

    def matches(
        self,
        player: int | None = None,
        title: str | None = None,
        over: bool | None = None,
        counted: bool = False,
    ) -> list[Match]:
        """Return matches, the oldest first: everybody's or a player's, of all games or of one.

        `counted`: those alone that count in statistics, which practice games do not.
        """
        asked = {"player = ?": player, "title = ?": title}
        given = {text: value for text, value in asked.items() if value is not None}
        where = [*given, *([] if over is None else [f"ended IS {'NOT ' * over}NULL"])]
        where += [COUNTED] * counted
        question = f"SELECT * FROM matches WHERE {' AND '.join(where) or '1'}"
        rows = self.rows(f"{question} ORDER BY started, rowid", *given.values())
        return [_match(row) for row in rows]

    def daily(self, player: int) -> list[Match]:
        """Return a player's games of the day: one a day, which the file itself sees to."""
        rows = self.rows("SELECT * FROM matches WHERE player = ? AND day IS NOT NULL", player)
        return [_match(row) for row in rows]

    def decisions(self, match: str) -> list[Decision]:
        """Return every decision of a match that stands, in order; at once, yours first."""
        question = f"SELECT * FROM decisions WHERE match = ? AND {STANDS} ORDER BY ply, who DESC"
        rows = self.rows(question, match)
        return [_decision(row) for row in rows]

    def count_decisions(self) -> int:
        """Return how many decisions there are in all."""
        ((count,),) = self.rows("SELECT count(*) FROM decisions")
        return int(count)

    # Reviews that were worked out, and records that were brought in.

    def score(self, match: str) -> JsonObject | None:
        """Return the score of a match, if its review was made before."""
        rows = self.rows("SELECT score FROM reviews WHERE match = ?", match)
        return dict(json.loads(rows[0]["score"])) if rows else None

    def scores(self, player: int) -> dict[str, JsonObject]:
        """Return the scores of a player's matches whose reviews were made before, by match."""
        question = "SELECT match, score FROM reviews JOIN matches ON id = match WHERE player = ?"
        return {row["match"]: json.loads(row["score"]) for row in self.rows(question, player)}

    def keep_score(self, match: str, score: JsonObject) -> None:
        """Keep the score of a match that is over."""
        with self.writing() as file:
            file.execute("INSERT OR REPLACE INTO reviews VALUES (?, ?)", (match, json.dumps(score)))

    def add_record(self, name: str, text: str) -> int:
        """Keep a record that was brought in, and return its number."""
        with self.writing() as file:
            made = file.execute(
                "INSERT INTO records (name, added, text) VALUES (?, ?, ?)", (name, now(), text)
            )
            return int(made.lastrowid or 0)

    def record(self, number: int) -> sqlite3.Row | None:
        """Return a record that was brought in: its number, name, text and when it was added."""
        rows = self.rows("SELECT * FROM records WHERE number = ?", number)
        return rows[0] if rows else None

    def record_numbers(self) -> list[int]:
        """Return the numbers of all records, the oldest first."""
        return [row["number"] for row in self.rows("SELECT number FROM records ORDER BY number")]

    def remove_record(self, number: int) -> bool:
        """Forget a record, and return whether it was there."""
        with self.writing() as file:
            return file.execute("DELETE FROM records WHERE number = ?", (number,)).rowcount > 0


def carry_over(file: sqlite3.Connection) -> None:
    """Make matches of games that are called otherwise now matches of the present ones."""
    registry.all_games()
    for match in file.execute("SELECT id, game, parameters FROM matches").fetchall():
        if match["game"] not in registry.FORMER:
            continue
        question = "SELECT * FROM decisions WHERE match = ? ORDER BY ply"
        rows = [dict(row) for row in file.execute(question, (match["id"],))]
        carried = registry.FORMER[match["game"]](json.loads(match["parameters"]), rows)
        if carried is None:  # the name is that of a present game too, and this is a match of it
            continue
        game, rows = carried
        file.execute(
            "UPDATE matches SET game = ?, parameters = ?, title = ? WHERE id = ?",
            (game.name, json.dumps(registry.told(game)), str(game), match["id"]),
        )
        for table in ("decisions", "reviews"):  # a review is worked out again
            file.execute(f"DELETE FROM {table} WHERE match = ?", (match["id"],))
        for row in rows:
            _insert(file, "decisions", row)


STEPS = (
    Step(FIRST),
    Step("", carry_over),  # some games had other names before
    Step(PAINTINGS),
    Step("ALTER TABLE matches ADD COLUMN start TEXT"),
    Step("ALTER TABLE matches ADD COLUMN brought TEXT"),
    Step(drill_store.TABLES),
    Step(DAILY),
    Step(TAKEN_BACK),
    Step(seat_store.TABLES),
)
"""What each version of the file brought, the oldest first. A step is never changed: add one."""


def _forget(file: sqlite3.Connection, table: str, which: str) -> None:
    """Remove rows of a table, and before them every row of another table that refers to them."""
    names = [
        row["name"] for row in file.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
    ]
    for name in names:
        for key in file.execute(f"PRAGMA foreign_key_list({name})").fetchall():
            if key["table"] == table:
                those = f"SELECT {key['to']} FROM {table} WHERE {which}"
                _forget(file, name, f"{key['from']} IN ({those})")
    file.execute(f"DELETE FROM {table} WHERE {which}")


def _used(file: sqlite3.Connection, match: str, decided: bool = True) -> int:
    """Return the last number that taking back, or deciding, has used in a match under way."""
    question = "SELECT ended, taken_back FROM matches WHERE id = ?"
    found = file.execute(question, (match,)).fetchone()
    if found["ended"] is not None:
        raise Finished(tr("match {match} is over: nothing can be added to it", match=repr(match)))
    last = "SELECT coalesce(max(ply), 0) FROM decisions WHERE match = ?"
    made = file.execute(last, (match,)).fetchone()[0] if decided else 0
    return max(int(found["taken_back"] or 0), int(made))


def _write(file: sqlite3.Connection, match: str, decisions: Sequence[Decision]) -> None:
    made = now()
    for one in decisions:
        told = vars(one) | {"faces": json.dumps(one.faces), "gain": str(one.gain)}
        _insert(file, "decisions", {"match": match, **told, "made": made})


def _insert(file: sqlite3.Connection, table: str, row: JsonObject) -> None:
    """Add a row, whose columns are told by name."""
    places = ", ".join(f":{column}" for column in row)
    file.execute(f"INSERT INTO {table} ({', '.join(row)}) VALUES ({places})", row)


def _player(row: sqlite3.Row) -> Player:
    return Player(row["number"], row["name"], row["since"], json.loads(row["answers"]))


def _match(row: sqlite3.Row) -> Match:
    told = dict(row)
    for name in ("parameters", "opponent"):
        told[name] = json.loads(told[name])
    for flag in ("you_start", "coin"):
        told[flag] = bool(told[flag])
    return Match(**{**told, "seed": int(told["seed"])})


def _decision(row: sqlite3.Row) -> Decision:
    told = {each.name: row[each.name] for each in fields(Decision)}
    read = {"faces": tuple(json.loads(told["faces"])), "gain": Fraction(told["gain"])}
    return Decision(**told | read)
