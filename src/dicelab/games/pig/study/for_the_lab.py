"""What the lab asks of the study: forms of matches, their file, its numbers and its figures."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dicelab.games.pig.study.study import Study, numbers, study
from dicelab.games.pig.study.tracker import Form, Sheet, Tracker, as_tracker, has_form, needs_form
from dicelab.games.pig.study.tracker_file import FORMAT, parse_tracker, tracker_text

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = [
    "FIGURES",
    "FORMAT",
    "Form",
    "Sheet",
    "Study",
    "Tracker",
    "as_tracker",
    "figure",
    "has_form",
    "needs_form",
    "numbers",
    "parse_tracker",
    "study",
    "tracker_text",
]

FIGURES = ("totals", "games")


def figure(name: str, found: Study, command: str) -> Figure:
    """Return a figure of the study; Matplotlib is loaded only now."""
    from dicelab.games.pig.study import pictures

    if name == "totals":
        return pictures.totals_picture(found, command)
    return pictures.games_picture(found.tracker, command)
