"""Any record of play, told apart by its first line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from dicelab.people import decisions
from dicelab.people.forms import all_forms
from dicelab.people.record_header import header_of, read_text
from dicelab.rules import Game


def read_record(path: str | Path, game: Game | None = None) -> Any:
    """Return the decisions in a file, or the forms that a game brings."""
    return parse_record(read_text(path), game, str(path))


def parse_record(text: str, game: Game | None, name: str) -> Any:
    """Return the decisions or the forms in a text; errors name it by `name`."""
    told, _ = header_of(text, name)
    if told is not None and told["format"] == decisions.FORMAT:
        return decisions.parse_decisions(text, game, name)
    known = all_forms()
    found = next((f for f in known if told is not None and f.format == told["format"]), known[0])
    return found.parse(text, game, name)
