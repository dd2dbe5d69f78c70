"""Records: matches as rows of decisions or as tracker forms, and those brought in from a file."""

from __future__ import annotations

import dataclasses
import hashlib
from collections import Counter
from dataclasses import dataclass, field
from importlib import import_module
from types import ModuleType
from typing import Any

from dicelab.core.json_object import JsonObject
from dicelab.core.language import tr
from dicelab.errors import RecordError, UnknownGame
from dicelab.lab.arguments import UNBOUNDED, game_of, known_games
from dicelab.lab.http_errors import NotFound
from dicelab.lab.narration import OPPONENT, YOU, log, recorded, seat_of, starter
from dicelab.lab.store import Match, Store
from dicelab.people import decisions
from dicelab.people.decisions import Decisions, decisions_of, said_to_pass
from dicelab.people.forms import all_forms
from dicelab.people.read_record import parse_record
from dicelab.people.record_header import header_of
from dicelab.rules import Game
from dicelab.rules.registry import told
from dicelab.table import Table

Row = tuple[str, ...]


def studied_game() -> str:
    """Return the name of the game that the lab's study is about: that of the first forms."""
    return all_forms()[0].game().name


def study_forms() -> ModuleType:
    """Return the module with the numbers and the figures of that study."""
    return import_module(all_forms()[0].study)


def rows_of(store: Store, match: Match, name: str, game: Game, you: str, other: str) -> list[Row]:
    """Return the decisions of a match, as a record file has them."""
    rows: list[Row] = []
    first = starter(match) if game.players > 1 and not game.is_simultaneous else 0
    others = other.split(", ") if game.players > 2 else [other]
    for one in store.decisions(match.id):
        place = seat_of(one.who)
        seat = str((place - first) % max(2, game.players) + 1)
        who = you if place == 0 else others[(place - 1) % len(others)]
        passes = said_to_pass(0 if game.is_simultaneous else one.mover)
        rows.append((name, seat, who, one.position, one.move, one.after, passes))
    return rows


def own_rows(store: Store, player: int, title: str) -> list[Row]:
    """Return every decision of the matches of one game that a player has finished."""
    found: list[Row] = []
    for number, match in enumerate(store.matches(player, title, True, counted=True), start=1):
        game = game_of(match.game, match.parameters, UNBOUNDED)
        found += rows_of(store, match, str(number), game, YOU, OPPONENT)
    return found


@dataclass(frozen=True)
class Brought:
    """A record that was brought in, and what is in it."""

    id: str
    name: str
    added: str
    text: str = field(repr=False)
    game: Game
    players: tuple[str, ...]
    games: int

    def read(self) -> Any:
        """Return the record itself; one of decisions takes as long as its game to compile."""
        return read_record(self.text, self.name, UNBOUNDED)[1]

    @property
    def participants(self) -> dict[str, str]:
        """Everybody in it by the name that players may see: those who took part stay unnamed."""
        return {f"participant {number}": name for number, name in enumerate(self.players, start=1)}

    @property
    def told(self) -> JsonObject:
        """What is said about it to the administrator."""
        return {
            "id": self.id,
            "name": self.name,
            "title": str(self.game),
            "game": self.game.name,
            "parameters": told(self.game),
            "tracker": study_forms().has_form(self.game),
            "players": list(self.players),
            "games": self.games,
            "added": self.added,
        }


_KNOWN: dict[str, tuple[Game, tuple[str, ...], int]] = {}
"""What is in a record, by a hash of its text: every look at the page asks for all of them."""


def contents(text: str, name: str, memory: int) -> tuple[Game, tuple[str, ...], int]:
    """Return the game of a record, everybody in it, and how many games it has."""
    key = hashlib.sha256(text.encode()).hexdigest()
    if key not in _KNOWN:
        game, record = read_record(text, name, memory)
        if isinstance(record, Decisions):
            names = dict.fromkeys(name for pair in record.players for name in pair if name)
            _KNOWN[key] = game, tuple(names), len(record.names)
        else:
            _KNOWN[key] = game, tuple(record.players), len(record.forms)
    return _KNOWN[key]


def read_record(text: str, name: str, memory: int) -> tuple[Game, Any]:
    """Return the forms or decisions of a record; its game is bounded like any other."""
    head, _ = header_of(text, name)
    if head is None:
        record = parse_record(text, None, name)
        return record.game, record
    if ":" in head["game"] and head["game"] not in known_games():
        raise RecordError(
            tr(
                "{name} is a record of {game}, which is not registered",
                name=repr(name),
                game=head["game"],
            )
        )
    game = game_of(head["game"], head["parameters"], memory)
    if head["format"] not in (decisions.FORMAT, *(forms.format for forms in all_forms())):
        raise RecordError(
            tr(
                "{name} is no record: its first line says {format}",
                name=repr(name),
                format=repr(head["format"][:60]),
            )
        )
    return game, parse_record(text, game, name)


def number_of(id: str) -> int:
    """Return the number that the id of a record stands for; 0, which none has, if it is no id."""
    number = id.removeprefix("r")
    return int(number) if number.isascii() and number.isdigit() and len(number) < 10 else 0


def no_record(id: str) -> NotFound:
    """Return what is said where there is no record of that id."""
    return NotFound(tr("there is no record {id}", id=repr(id[:40])))


def no_game(game: Game) -> RecordError:
    """Return what is said where nobody has finished a game."""
    return RecordError(
        tr("there is no finished game of {game} yet: play one to its end", game=game)
    )


def record_of(store: Store, id: str) -> Brought:
    """Return a record that was brought in, by its id."""
    row = store.record(number_of(id))
    if row is None:
        raise no_record(id)
    name, text = row["name"], row["text"]
    return Brought(f"r{row['number']}", name, row["added"], text, *contents(text, name, UNBOUNDED))


def brought_in(store: Store) -> list[Brought]:
    """Return every record that was brought in and whose game is played here now."""
    found = []
    for number in store.record_numbers():
        try:
            found.append(record_of(store, f"r{number}"))
        except (RecordError, UnknownGame):
            log.exception("record r%s cannot be read", number)
    return found


def machine(opponent: JsonObject) -> str:
    """Return what an opponent is called in records."""
    return f"the lab ({recorded(opponent)})"


def is_machine(name: str) -> bool:
    """Return whether somebody in a record is an opponent of the lab, and no person."""
    return name.startswith("the lab (") and name.endswith(")")


def names_of(store: Store) -> dict[int, str]:
    """Return what each player is called in records: no two alike, and none like a machine."""
    players = store.players()
    often = Counter(player.name.lower() for player in players)
    names, taken = {}, set(often)
    for player in players:
        name = player.name
        if often[name.lower()] > 1 or is_machine(name):
            while name.lower() in taken:
                name = f"{name} {player.number}"
            taken.add(name.lower())
        names[player.number] = name
    return names


def records_of(game: Game) -> list[str]:
    """Return which records the matches of a game make."""
    if game.is_simultaneous:
        return []
    return ["decisions", "tracker"] if study_forms().has_form(game) else ["decisions"]


def decisions_record(store: Store, table: Table, player: int | None = None) -> Decisions:
    """Return the finished matches of a game as one record, everybody's or one player's."""
    game, names = table.game, names_of(store)
    rows: list[Row] = []
    finished = store.matches(player, str(game), over=True, counted=True)
    for number, match in enumerate(finished, start=1):
        if match.brought is not None:  # how lucky its dice were, nobody has checked
            continue
        other = machine(match.opponent)
        rows += rows_of(store, match, str(number), game, names[match.player], other)
    if not rows:
        raise no_game(game)
    if game.is_simultaneous:
        raise RecordError(
            tr("{game} is played at once: its games have no record by turns", game=game)
        )
    return decisions_of(table, rows)


def tracker_record(store: Store, table: Table, player: int | None = None) -> Any:
    """Return the finished matches of a game as tracker forms, with what players answered."""
    names = names_of(store)
    said = {names[one.number]: one.answers for one in store.players()}
    study = study_forms()
    made = study.as_tracker(decisions_record(store, table, player))

    def sheet(one: Any) -> Any:
        answers = said.get(one.player) or {}
        lotteries = (answers.get("lottery_10"), answers.get("lottery_million"))
        return dataclasses.replace(one, preference=answers.get("preference"), lotteries=lotteries)

    forms = tuple(
        study.Form(form.name, tuple(sheet(one) for one in form.sheets)) for form in made.forms
    )
    return study.Tracker(made.game, tuple(form for form in forms if form.sheets))
