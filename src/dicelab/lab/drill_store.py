"""What drills are remembered by: cards, every answer to them, and a rating for each day.

An answer, what is remembered of its position and the rating after it are written together or not
at all. Tries of a card are numbered, so that an answer which is sent again counts once. The first
try alone is rated: who meets a position again has been told the answer.
"""

from __future__ import annotations

import json
import secrets
import sqlite3
from dataclasses import dataclass
from datetime import UTC, date, datetime

from dicelab.core.json_object import JsonObject
from dicelab.core.language import tr
from dicelab.errors import RulesError
from dicelab.lab import training
from dicelab.lab.shared_file import Readers, SharedFile, written
from dicelab.lab.training import Rating, Result, Strength

TABLES = """
CREATE TABLE cards (
    id TEXT PRIMARY KEY,
    player INTEGER NOT NULL REFERENCES players(number) ON DELETE CASCADE,
    game TEXT NOT NULL,
    parameters TEXT NOT NULL,
    title TEXT NOT NULL,
    position TEXT NOT NULL,
    source TEXT NOT NULL,
    memory TEXT,
    due TEXT NOT NULL,
    UNIQUE (player, title, position)
);
CREATE INDEX cards_by_position ON cards (title, position);
CREATE TABLE drill_answers (
    card TEXT NOT NULL REFERENCES cards(id) ON DELETE CASCADE,
    number INTEGER NOT NULL,
    player INTEGER NOT NULL REFERENCES players(number) ON DELETE CASCADE,
    move TEXT,
    allowed REAL,
    found INTEGER NOT NULL,
    rating REAL NOT NULL,
    deviation REAL NOT NULL,
    made TEXT NOT NULL,
    PRIMARY KEY (card, number)
) WITHOUT ROWID;
CREATE INDEX drill_answers_by_player ON drill_answers (player, made);
CREATE TABLE ratings (
    player INTEGER NOT NULL REFERENCES players(number) ON DELETE CASCADE,
    day TEXT NOT NULL,
    rating REAL NOT NULL,
    deviation REAL NOT NULL,
    volatility REAL NOT NULL,
    PRIMARY KEY (player, day)
) WITHOUT ROWID;
"""

UP_TO = "SELECT * FROM ratings WHERE player = ? AND day <= ? ORDER BY day DESC LIMIT 1"
BEFORE = UP_TO.replace("<=", "<")
DECKS = """
SELECT game, parameters, title, max(last), (
    SELECT count(*) FROM cards
    WHERE player = ? AND cards.title = known.title AND memory IS NOT NULL AND due <= ?
) AS due
FROM (
    SELECT game, parameters, title, started AS last FROM matches
    WHERE player = ? AND ended IS NOT NULL AND start IS NULL
    UNION ALL
    SELECT game, parameters, title, made AS last FROM cards JOIN drill_answers ON card = cards.id
    WHERE cards.player = ?
) AS known
GROUP BY title ORDER BY max(last) DESC
"""


@dataclass(frozen=True)
class Card:
    """A position that a player is asked about again and again."""

    id: str
    player: int
    game: str
    parameters: JsonObject
    title: str
    position: str
    source: str  # where it came from: a mistake of the player, or a close call
    memory: str | None  # what the scheduler knows, from the first answer on
    due: datetime


@dataclass(frozen=True)
class Deck:
    """A game that a player can drill, and how many of its positions come back now."""

    game: str
    parameters: JsonObject
    title: str
    due: int


@dataclass(frozen=True)
class Answer:
    """One answer to a card: a row that is never changed."""

    card: str
    number: int  # the first, second ... try of this card
    player: int
    move: str | None  # None where the time ran out
    allowed: float | None  # seconds to think; None where the clock was off
    found: bool
    rating: float  # that of the position, and its deviation, when it was answered
    deviation: float
    made: datetime

    @property
    def result(self) -> Result:
        """How the player did against the position."""
        return Result(Strength(self.rating, self.deviation), float(self.found))


class DrillStore:
    """The tables of drills in the file of the lab."""

    def __init__(self, file: SharedFile) -> None:
        self.file = file

    def card(self, id: str) -> Card | None:
        """Return a card by its id."""
        rows = self.file.rows("SELECT * FROM cards WHERE id = ?", id)
        return _card(rows[0]) if rows else None

    def answered(self, player: int, title: str) -> list[Card]:
        """Return the cards of a game that a player has answered, those due first in front."""
        question = "SELECT * FROM cards WHERE player = ? AND title = ? AND memory IS NOT NULL"
        return [_card(row) for row in self.file.rows(f"{question} ORDER BY due", player, title)]

    def new_card(self, card: Card) -> Card:
        """Return the card of a player for a position, made where there is none."""
        told = vars(card) | {"parameters": json.dumps(card.parameters), "due": written(card.due)}
        places = ", ".join(f":{name}" for name in told)
        with self.file.writing() as file:
            file.execute(f"INSERT OR IGNORE INTO cards ({', '.join(told)}) VALUES ({places})", told)
            row = file.execute(
                "SELECT * FROM cards WHERE player = ? AND title = ? AND position = ?",
                (card.player, card.title, card.position),
            ).fetchone()
        return _card(row)

    def answers(self, card: str) -> list[Answer]:
        """Return every answer to a card, in order."""
        question = "SELECT * FROM drill_answers WHERE card = ? ORDER BY number"
        return [_answer(row) for row in self.file.rows(question, card)]

    def met_by_others(self, card: Card) -> tuple[int, int]:
        """Return how many others met the position of a card, and how many missed it at first."""
        ((tries, misses),) = self.file.rows(
            "SELECT count(*), coalesce(sum(NOT found), 0) FROM drill_answers JOIN cards "
            "ON cards.id = card WHERE number = 1 AND title = ? AND position = ? "
            "AND cards.player != ?",
            card.title,
            card.position,
            card.player,
        )
        return int(tries), int(misses)

    def keep(self, answer: Answer) -> Answer:
        """Return an answer that is kept, with all that follows from it; one sent again as it was.

        It is on the disk at return.
        """
        with self.file.writing() as file:
            question = "SELECT * FROM drill_answers WHERE card = ? ORDER BY number"
            known = [_answer(row) for row in file.execute(question, (answer.card,))]
            if answer.number <= len(known):
                return known[answer.number - 1]
            if answer.number > len(known) + 1:
                raise RulesError(
                    tr(
                        "try {next} of this card comes next: got {number}",
                        next=len(known) + 1,
                        number=answer.number,
                    )
                )
            told = vars(answer) | {"made": written(answer.made)}
            places = ", ".join(f":{name}" for name in told)
            file.execute(f"INSERT INTO drill_answers ({', '.join(told)}) VALUES ({places})", told)
            _remember(file, answer)
            if answer.number == 1:
                _rate(file, answer.player, training.day_of(answer.made))
        return answer

    def rating(self, player: int, today: date) -> Rating:
        """Return the rating of a player as it is today."""
        return _rested(self.file.rows(UP_TO, player, today.isoformat()), today)

    def days(self, player: int) -> list[date]:
        """Return the days on which a player drilled."""
        question = "SELECT DISTINCT substr(made, 1, 10) FROM drill_answers WHERE player = ?"
        return [date.fromisoformat(day) for (day,) in self.file.rows(question, player)]

    def rated(self, player: int) -> tuple[int, int]:
        """Return how many positions a rating rests on, and for how many there was more time."""
        ((count, slower),) = self.file.rows(
            "SELECT count(*), coalesce(sum(allowed IS NULL OR allowed > ?), 0) FROM drill_answers "
            "WHERE player = ? AND number = 1",
            training.SECONDS,
            player,
        )
        return int(count), int(slower)

    def decks(self, player: int, at: datetime) -> list[Deck]:
        """Return the games that a player has played or drilled, the latest first."""
        rows = self.file.rows(DECKS, player, written(at), player, player)
        return [
            Deck(row["game"], dict(json.loads(row["parameters"])), row["title"], row["due"])
            for row in rows
        ]


def new_id() -> str:
    """Return an id for a card that nobody guesses."""
    return f"c{secrets.token_hex(8)}"


def _remember(file: sqlite3.Connection, answer: Answer) -> None:
    """Write down what is known of a position after an answer, and when it comes back."""
    (memory,) = file.execute("SELECT memory FROM cards WHERE id = ?", (answer.card,)).fetchone()
    memory, due = training.reviewed(memory, answer.found, answer.made)
    file.execute(
        "UPDATE cards SET memory = ?, due = ? WHERE id = ?", (memory, written(due), answer.card)
    )


def _rate(file: sqlite3.Connection, player: int, today: date) -> None:
    """Write down the rating after all that a player met for the first time on a day."""
    question = "SELECT * FROM drill_answers WHERE player = ? AND made >= ? AND number = 1"
    met = file.execute(question, (player, today.isoformat())).fetchall()
    before = file.execute(BEFORE, (player, today.isoformat())).fetchall()
    new = _rested(before, today).after([_answer(row).result for row in met])
    file.execute(
        "INSERT OR REPLACE INTO ratings VALUES (?, ?, ?, ?, ?)",
        (player, today.isoformat(), new.rating, new.deviation, new.volatility),
    )


def _rested(rows: list[sqlite3.Row], today: date) -> Rating:
    """Return the rating of a row, if there is one, as it is today before any answer."""
    if not rows:
        return Rating()
    rested = (today - date.fromisoformat(rows[0]["day"])).days - 1  # today is for its own answers
    return _read_rating(rows[0]).rested(max(0, rested))


def _card(row: sqlite3.Row) -> Card:
    told = dict(row)
    if told["memory"] is not None:
        json.loads(told["memory"])
    read = {"parameters": dict(json.loads(told["parameters"])), "due": _moment(told["due"])}
    return Card(**told | read)


def _answer(row: sqlite3.Row) -> Answer:
    return Answer(**dict(row) | {"made": _moment(row["made"]), "found": bool(row["found"])})


def _read_rating(row: sqlite3.Row) -> Rating:
    date.fromisoformat(row["day"])
    return Rating(float(row["rating"]), float(row["deviation"]), float(row["volatility"]))


def _moment(text: str) -> datetime:
    return datetime.fromisoformat(text).astimezone(UTC)


READERS: Readers = {"cards": _card, "drill_answers": _answer, "ratings": _read_rating}
