"""Any record of play, told apart by its first line."""

from __future__ import annotations

from pathlib import Path

from dicelab.people import decisions, tracker_file
from dicelab.people.decisions import Decisions, parse_decisions
from dicelab.people.record_header import header_of, read_text
from dicelab.people.tracker import Tracker
from dicelab.people.tracker_file import parse_tracker
from dicelab.rules import Game

FORMATS = (tracker_file.FORMAT, decisions.FORMAT)


def read_record(path: str | Path, game: Game | None = None) -> Tracker | Decisions:
    """Return the tracker forms or the decisions in a file."""
    text = read_text(path)
    told, _ = header_of(text, str(path))
    if told is not None and told["format"] == decisions.FORMAT:
        return parse_decisions(text, game, str(path))
    return parse_tracker(text, game, str(path))
