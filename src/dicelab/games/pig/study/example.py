"""Made-up people, to try everything on: nobody played these games.

``python -m dicelab.games.pig.study.example FOLDER`` writes three records there:

- `forms.csv`: tracker forms of 15 games between 30 people who waver around a holding point, lower
  for those who say they are averse to risk and higher for those who seek it;
- `games.csv`: every decision of 8 games between two of them, `ann` and `ben`;
- `figure6.csv`: the one player whose turns the Pig study prints (figure 6). This one is real.

The dice and the answers come from a seeded generator, so the files are always the same.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

from dicelab.games.pig.rules import Pig
from dicelab.games.pig.study.threshold import Threshold
from dicelab.games.pig.study.tracker import (
    GAMBLE,
    PREFERENCES,
    SURE,
    Form,
    Sheet,
    Tracker,
    Turn,
    as_tracker,
)
from dicelab.games.pig.study.tracker_file import write_tracker
from dicelab.people.decisions import Decisions, write_decisions
from dicelab.people.models import plan_of
from dicelab.people.sampling import Sampler, joined
from dicelab.strategies.plan import Plan
from dicelab.table import Table, compile

SEED = 2024
GAMES = 15
PEOPLE = {"averse": (15.0, 0.1, 3.0), "neutral": (20.0, 0.1, 3.0), "seeking": (26.0, 0.1, 4.0)}
"""Where each kind of made-up person holds, what a point behind adds to it, how much they waver."""

GAMBLES = {"averse": 0.2, "neutral": 0.5, "seeking": 0.8}
"""How often each kind takes the gamble."""

FIGURE_6 = [
    (4, 16),
    (2, 8),
    (3, 8),
    (3, 16),
    (1, 0),
    (3, 0),
    (3, 13),
    (2, 9),
    (1, 0),
    (4, 16),
    (1, 0),
    (4, 15),
]
"""Rolls and points banked, turn by turn: "Finding the optimal strategy for the dice game Pig",
University of Exeter, ECM3735 group 8, figure 6. The player sat second and stated to be loving risk;
the other player's turns are not printed."""


def figure_6() -> Tracker:
    """Return the form of the one player the study prints."""
    turns = tuple(Turn(rolls, banked) for rolls, banked in FIGURE_6)
    return Tracker(Pig(), (Form("figure 6", (Sheet("player 2", 2, turns, "seeking"),)),))


def people(table: Table) -> dict[str, Plan]:
    """Return a strategy for each kind of made-up person."""
    return {kind: plan_of(Threshold(), numbers, table) for kind, numbers in PEOPLE.items()}


def forms(table: Table, seed: int = SEED) -> Tracker:
    """Return the tracker forms of made-up games."""
    rng = np.random.default_rng(seed)
    kinds = people(table)
    said = {f"p{number:02}": str(rng.choice(PREFERENCES)) for number in range(1, 2 * GAMES + 1)}
    names = list(said)
    played = []
    for one, two in zip(names[::2], names[1::2], strict=True):
        sampler = Sampler(table, [kinds[said[one]], kinds[said[two]]])
        played.append(sampler.play(1, rng, (one, two)))
    tracker = as_tracker(joined(played), said)
    answers = {
        player: tuple(GAMBLE if rng.random() < GAMBLES[kind] else SURE for _ in range(2))
        for player, kind in said.items()
    }
    filled = tuple(
        Form(form.name, tuple(_answered(sheet, answers[sheet.player]) for sheet in form.sheets))
        for form in tracker.forms
    )
    return Tracker(tracker.game, filled)


def _answered(sheet: Sheet, answers: tuple[str, ...]) -> Sheet:
    said = (answers[0], answers[1])
    return Sheet(sheet.player, sheet.seat, sheet.turns, sheet.preference, said)


def games(table: Table, seed: int = SEED) -> Decisions:
    """Return every decision of made-up games between two people, who take turns in starting."""
    rng = np.random.default_rng(seed)
    kinds = people(table)
    ann, ben = kinds["averse"], kinds["seeking"]
    seats = (
        Sampler(table, [ann, ben]).play(4, rng, ("ann", "ben")),
        Sampler(table, [ben, ann]).play(4, rng, ("ben", "ann")),
    )
    return joined(seats)


def write_example(folder: str | Path = ".") -> list[str]:
    """Write the three records and return their names."""
    place, table = Path(folder), compile(Pig())
    write_tracker(forms(table), place / "forms.csv")
    write_decisions(games(table), place / "games.csv")
    write_tracker(figure_6(), place / "figure6.csv")
    return ["forms.csv", "games.csv", "figure6.csv"]


if __name__ == "__main__":
    print("wrote " + ", ".join(write_example(sys.argv[1] if len(sys.argv) > 1 else ".")))
