"""What the lab asks of the study: forms of matches, its numbers and its figures."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dicelab.games.pig.study.study import Study, numbers, study
from dicelab.games.pig.study.tracker import Form, Tracker, as_tracker, has_form, needs_form
from dicelab.games.pig.study.tracker_file import tracker_text

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = [
    "FIGURES",
    "Form",
    "Study",
    "Tracker",
    "as_tracker",
    "figure",
    "has_form",
    "needs_form",
    "numbers",
    "study",
    "tracker_text",
]

FIGURES = ("totals", "games")


def figure(name: str, found: Study, command: str) -> Figure:
    """Return a figure of the study; Matplotlib is loaded only now."""
    from dicelab.games.pig.study import pictures
    from dicelab.plots.style import signed

    if name == "totals":
        return signed(command, pictures.totals_picture, found)
    return signed(command, pictures.games_picture, found.tracker)
