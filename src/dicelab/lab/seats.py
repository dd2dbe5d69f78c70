"""A match between two people as each of them sees it.

Rows are written as who began the match sees them. Every position in them is seen by who decides, so
for the other seat only the names change: what was the opponent's is yours.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from dicelab.core.language import tr
from dicelab.lab.narration import GUEST, OPPONENT, YOU
from dicelab.lab.seat_store import Seat
from dicelab.lab.store import Decision, Match
from dicelab.rules.sentences import OTHER_PLAYER, upper_first
from dicelab.rules.speech import NAMES

TURNED = {"won": "lost", "lost": "won"}
SWAPPED = {YOU: OPPONENT, OPPONENT: YOU}


def name_at(seats: Mapping[int, Seat], seat: int) -> str:
    """Return what is called who sits, or will sit, at a seat."""
    return seats[seat].name if seat in seats else tr("another person")


def seen_from(
    match: Match, rows: Sequence[Decision], seats: Mapping[int, Seat], seat: int
) -> tuple[Match, list[Decision]]:
    """Return a match and its decisions as one of the two sees them."""
    opponent = {**match.opponent, "kind": GUEST, "called": name_at(seats, 1 - seat)}
    coach = seats[seat].coach if seat in seats else "off"
    mine = replace(match, opponent=opponent, coach=coach)
    if seat == 0:
        return mine, list(rows)
    told = [replace(row, who=SWAPPED[row.who]) for row in rows]
    told.sort(key=lambda row: (row.ply, row.who == OPPONENT))
    ended = None if match.outcome is None else TURNED.get(match.outcome, match.outcome)
    return replace(mine, you_start=not match.you_start, outcome=ended), told


def named(text: str, name: str) -> str:
    """Return a sentence in which the other player has a name."""
    told = text.replace(tr(OTHER_PLAYER), upper_first(name))
    return told.replace(tr(NAMES["yours"]), name)
