"""One SQLite file that many threads share: connections are lent and given back.

Not one connection for each thread: threads come and go for as long as a server runs, and theirs
would stay open. Writes wait for each other, and have reached the disk when they return.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from dicelab.errors import DicelabError

Readers = dict[str, Callable[[sqlite3.Row], object]]


def written(moment: datetime) -> str:
    """Return a moment as it is written down: such texts are in the order of time."""
    told = moment.astimezone(UTC).isoformat(timespec="milliseconds")
    return told.replace("+00:00", "Z")


class Step(NamedTuple):
    """What a version of the file brought: tables and columns, and what became of the rows then."""

    tables: str
    carry_over: Callable[[sqlite3.Connection], None] = lambda file: None


class SharedFile:
    """A database with tables of one version, made where there is none."""

    def __init__(
        self,
        path: str | Path,
        steps: Sequence[Step],
        readers: Readers,
    ) -> None:
        self.path = str(path)
        self._free: list[sqlite3.Connection] = []
        self._lending = threading.Lock()
        self._writing = threading.Lock()
        self._closed = False
        try:
            if self.path in ("", ":memory:"):  # each connection would have a memory of its own
                raise sqlite3.DatabaseError("records are kept in a file")
            Path(path).parent.mkdir(parents=True, exist_ok=True)
            with self.writing() as file:
                _prepare(file, steps)
                _read_all(file, readers)
        except (sqlite3.Error, OSError, ValueError) as trouble:
            self.close()
            reason = (getattr(trouble, "strerror", None) or str(trouble)).lower()
            raise DicelabError(
                f"cannot use {self.path!r} for the lab: {reason}; name another file with --data"
            ) from None

    def _connect(self) -> sqlite3.Connection:
        made = sqlite3.connect(self.path, timeout=30, isolation_level=None, check_same_thread=False)
        try:
            made.row_factory = sqlite3.Row
            made.execute("PRAGMA journal_mode = WAL")
            made.execute("PRAGMA synchronous = FULL")  # written means on the disk
            made.execute("PRAGMA foreign_keys = ON")
            made.execute("PRAGMA secure_delete = ON")  # what is removed is overwritten
        except BaseException:
            made.close()
            raise
        return made

    @contextmanager
    def _lent(self) -> Iterator[sqlite3.Connection]:
        """Give a connection that nobody else has meanwhile."""
        with self._lending:
            file = self._free.pop() if self._free else None
        file = file or self._connect()
        try:
            yield file
        finally:
            with self._lending:
                if self._closed:
                    file.close()
                else:
                    self._free.append(file)

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """Give a connection whose changes are kept all together, or not at all."""
        with self._writing, self._lent() as file:
            file.execute("BEGIN IMMEDIATE")
            try:
                yield file
                file.execute("COMMIT")
            except BaseException:
                if file.in_transaction:  # a failed commit may have undone it already
                    file.execute("ROLLBACK")
                raise

    def tidy(self) -> None:
        """Empty the log beside the file, where what was removed may still stand.

        Where somebody reads at that moment, it is emptied at a later time, or when the lab ends.
        """
        with self._writing, self._lent() as file:
            file.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()

    def rows(self, question: str, *values: str | int | float | None) -> list[sqlite3.Row]:
        """Return what a question to the file finds."""
        with self._lent() as file:
            return file.execute(question, values).fetchall()

    def close(self) -> None:
        """Close every connection; one that is lent is closed when it comes back."""
        with self._lending:
            self._closed = True
            while self._free:
                self._free.pop().close()


def _prepare(file: sqlite3.Connection, steps: Sequence[Step]) -> None:
    """Make the tables, or check those there are and take the steps that they have yet to take.

    A file of version 3 has taken three steps. A new one takes them all, so that its tables are
    those of an old one that was carried over, to the letter.
    """
    version = len(steps)
    (found,) = file.execute("PRAGMA user_version").fetchone()
    if found == 0:
        (tables,) = file.execute("SELECT count(*) FROM sqlite_master").fetchone()
        if tables:
            raise sqlite3.DatabaseError("it is a database of something else")
    elif not 0 < found <= version:
        raise sqlite3.DatabaseError(f"it has version {found} and this lab reads {version}")
    else:
        _check(file, steps[:found])
    for step in steps[found:]:
        for statement in step.tables.split(";"):
            file.execute(statement)
        step.carry_over(file)
    file.execute(f"PRAGMA user_version = {version}")


def _check(file: sqlite3.Connection, steps: Sequence[Step]) -> None:
    """Refuse a file that is damaged now, and not when somebody asks for what is lost."""
    (told,) = file.execute("PRAGMA integrity_check(1)").fetchone()
    if told != "ok":
        raise sqlite3.DatabaseError(f"it is damaged ({' '.join(told.split())[:200]})")
    lost = file.execute("PRAGMA foreign_key_check").fetchone()
    if lost is not None:
        raise sqlite3.DatabaseError(f"it is damaged (a row of {lost[0]} belongs to nothing)")
    question = "SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY name"
    with closing(sqlite3.connect(":memory:")) as model:
        for step in steps:
            model.executescript(step.tables)
        wanted = model.execute(question).fetchall()
    if [tuple(row) for row in file.execute(question)] != wanted:
        raise sqlite3.DatabaseError("it is damaged (its tables are not those of a lab)")


def _read_all(file: sqlite3.Connection, readers: Readers) -> None:
    """Refuse a file of which some row cannot be read: SQLite does not look into texts."""
    for table, read in readers.items():
        try:
            for row in file.execute(f"SELECT * FROM {table}"):
                read(row)
        except (sqlite3.OperationalError, ValueError, TypeError, KeyError, ArithmeticError):
            raise sqlite3.DatabaseError(
                f"it is damaged (a row of {table} cannot be read)"
            ) from None
