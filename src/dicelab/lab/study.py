"""The study in the lab: its questionnaire, and its tables, tests and plots over all games."""

from __future__ import annotations

import hashlib
import math
import threading
import time
from typing import Any
from warnings import catch_warnings, simplefilter

from dicelab.core.json_object import JsonObject
from dicelab.core.language import Later, mark, tr
from dicelab.core.worker_process import Report
from dicelab.errors import RecordError, UnknownGame
from dicelab.lab.http_errors import NotFound
from dicelab.lab.playing import Playing
from dicelab.lab.records import (
    brought_in,
    contents,
    decisions_record,
    is_machine,
    no_game,
    no_record,
    number_of,
    record_of,
    study_forms,
    tracker_record,
)
from dicelab.people.decisions import Decisions, decisions_text
from dicelab.rules import Game
from dicelab.rules.registry import did_you_mean, told

QUESTIONS = (
    (
        "preference",
        mark("How do you feel about risk?"),
        (
            ("averse", mark("I avoid it")),
            ("neutral", mark("I do not mind either way")),
            ("seeking", mark("I seek it")),
        ),
    ),
    (
        "lottery_10",
        mark("A sure 10 pounds, or an even chance of 20?"),
        (("a", mark("10 pounds for sure")), ("b", mark("an even chance of 20"))),
    ),
    (
        "lottery_million",
        mark("A sure million, or an even chance of two?"),
        (("a", mark("a million for sure")), ("b", mark("an even chance of two"))),
    ),
)
_drawing = threading.Lock()  # Matplotlib keeps its settings for the whole process


def questions() -> list[JsonObject]:
    """Return the questionnaire."""
    return [
        {
            "name": name,
            "text": tr(text),
            "choices": [{"value": value, "label": tr(label)} for value, label in choices],
        }
        for name, text, choices in QUESTIONS
    ]


class StudyRoom:
    """What the administrator sees."""

    def __init__(self, playing: Playing) -> None:
        self.playing = playing
        self.store = playing.store
        self.solving = playing.solving

    def overview(self, began: float) -> JsonObject:
        """Return what there is."""
        matches = self.store.matches(counted=True)
        titles: dict[str, list[Any]] = {}
        for match in matches:
            titles.setdefault(match.title, []).append(match)
        games = []
        for title, played in sorted(titles.items()):
            try:
                tracker = study_forms().has_form(self.playing.game_of(played[0]))
            except UnknownGame:
                tracker = False
            games.append(
                {
                    "title": title,
                    "game": played[0].game,
                    "parameters": played[0].parameters,
                    "matches": len(played),
                    "over": sum(match.ended is not None for match in played),
                    "players": len({match.player for match in played}),
                    "tracker": tracker,
                }
            )
        return {
            "players": len(self.store.players()),
            "matches": len(matches),
            "over": sum(match.ended is not None for match in matches),
            "decisions": self.store.count_decisions(),
            "games": games,
            "records": [one.told for one in brought_in(self.store)],
            "tables": self.solving.shelf.contents,
            "uptime": round(time.monotonic() - began, 1),
        }

    def tracker(self, game: Game, imported: bool, player: int | None, wait: float) -> Any:
        """Return everybody's forms for a game, and those brought in."""
        study_forms().needs_form(game)
        forms: list[Any] = []
        trouble: RecordError | None = None
        try:
            table = self.solving.table(game, wait)
            forms += tracker_record(self.store, table, player).forms
        except RecordError as nothing:
            trouble = nothing
        if imported:
            for record in brought_in(self.store):
                if record.game == game:
                    forms += _renamed(record.id, record.read())
        if not forms:
            raise trouble or no_game(game)
        return study_forms().Tracker(game, tuple(forms))

    def study(self, game: Game, imported: bool, seed: int, wait: float) -> JsonObject:
        """Return the study's tables and tests over everyone's games."""
        found = self._study(game, imported, seed, wait)
        answer = {"game": game.name, "title": str(game), "parameters": told(game)}
        plain: JsonObject = _without_nan({**answer, **study_forms().numbers(found)})
        return plain

    def _study(self, game: Game, imported: bool, seed: int, wait: float) -> Any:
        tracker = self.tracker(game, imported, None, wait)
        people = {player for player in tracker.players if not is_machine(player)}

        # Known by all it rests on: names and answers may change, records come and go.
        forms = hashlib.sha256(study_forms().tracker_text(tracker).encode()).hexdigest()
        key = ("study", str(game), seed, imported, forms)
        return self.solving.shelf.get(
            key,
            Later("the study of {game}", game=game),
            lambda report: self.solving.apart(report, studied, tracker, seed, people),
            wait,
        )

    def figure(self, name: str, game: Game, imported: bool, wait: float) -> bytes:
        """Return a figure of the study as SVG."""
        forms = study_forms()
        if name not in forms.FIGURES:
            known = did_you_mean(name[:40], forms.FIGURES)
            raise NotFound(tr("no figure called {name}{known}", name=repr(name[:40]), known=known))
        found = self._study(game, imported, 1, wait)
        import matplotlib

        from dicelab.plots.style import as_bytes

        # Names are people's own: no formula is read in them, and a letter that the font lacks is
        # a box and no trouble.
        with _drawing, matplotlib.rc_context({"text.parse_math": False}), catch_warnings():
            simplefilter("ignore", UserWarning)
            return as_bytes(forms.figure(name, found, "dicelab lab"), "svg")

    def tracker_csv(self, game: Game, player: int | None, wait: float) -> str:
        """Return forms as CSV: everybody's, or one player's own."""
        text: str = study_forms().tracker_text(self.tracker(game, player is None, player, wait))
        return text

    def decisions_csv(self, game: Game, player: int | None, wait: float) -> str:
        """Return every decision as CSV: everybody's, or one player's own."""
        table = self.solving.table(game, wait)
        return decisions_text(decisions_record(self.store, table, player))

    def bring(self, name: str, text: str) -> JsonObject:
        """Return a record that was brought in, refused with the row that is wrong."""
        contents(text, name, self.solving.memory)
        number = self.store.add_record(name, text)
        return record_of(self.store, f"r{number}").told

    def forget(self, id: str) -> None:
        """Remove a record that was brought in, whatever is in it."""
        if not self.store.remove_record(number_of(id)):
            raise no_record(id)


def studied(tracker: Any, seed: int, people: set[str], report: Report) -> Any:
    """Return the study over some forms."""
    return study_forms().study(tracker, seed, of=people)


def _renamed(id: str, record: Any) -> list[Any]:
    """Return forms that were brought in, under names of games that no other record has."""
    forms = study_forms()
    tracker = forms.as_tracker(record) if isinstance(record, Decisions) else record
    return [forms.Form(f"{id}-{form.name}", form.sheets) for form in tracker.forms]


def _without_nan(thing: object) -> Any:
    """Return plain data with null where there is no number."""
    if isinstance(thing, dict):
        return {key: _without_nan(value) for key, value in thing.items()}
    if isinstance(thing, list | tuple):
        return [_without_nan(value) for value in thing]
    if isinstance(thing, float) and not math.isfinite(thing):
        return None
    return thing
