"""Forms: records that a game brings itself, beside the decisions that every game has.

A game registers its forms in a module `records` of its folder. Everything else asks here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from dicelab.core.json_object import JsonObject
from dicelab.people.decisions import Decisions
from dicelab.people.fit import Evidence, evidence_of
from dicelab.people.review import review
from dicelab.rules import Game
from dicelab.rules.registry import load_at_home
from dicelab.table import Table, compile
from dicelab.verbs.solution import Solution
from dicelab.verbs.solve import on_table, solve

Record = Any
"""What a kind of forms makes of a file; only its own functions look inside."""


class Reviewed(Protocol):
    """What a review of any record tells."""

    @property
    def solution(self) -> Solution:
        """The game, solved."""

    @property
    def error(self) -> float:
        """Each number is within this."""

    def as_dict(self, worst: int) -> JsonObject:
        """Return the scores by game and by player, and the costliest decisions or turns."""

    def told(self, answer: JsonObject, most: int) -> tuple[list[str], list[list[str]]]:
        """Return the same as a table for people: its headings, and rows up to a number."""

    def remarks(self, answer: JsonObject) -> list[str]:
        """Return the sentences below the table."""

    def rows(self) -> Iterator[Sequence[object]]:
        """Yield every decision or turn as cells, the headings first."""


@dataclass(frozen=True)
class Forms:
    """One kind of forms: how they are read, and what can be asked of them."""

    format: str  # what the first line of a file says
    kind: type  # of a record, once it is read
    game: Callable[[], Game]  # what was played where a file does not say
    parse: Callable[[str, Game | None, str], Record]
    evidence: Callable[[Record, str | None, Table], Evidence]
    review: Callable[[Record], Reviewed]
    study: str  # module with the study of how people play: its numbers, its figures


_FORMS: list[Forms] = []


def register_forms(forms: Forms) -> None:
    """Make a kind of forms known."""
    _FORMS.append(forms)


def all_forms() -> list[Forms]:
    """Return every kind of forms; the first is that of files which do not say what they are."""
    load_at_home("records")
    return _FORMS


def _forms_for(record: Record) -> Forms:
    return next(forms for forms in all_forms() if isinstance(record, forms.kind))


def evidence_in(record: Record, player: str | None = None, table: Table | None = None) -> Evidence:
    """Return what one player of any record did, or all; the table of the game may be at hand."""
    if isinstance(record, Decisions):
        return evidence_of(record, player)
    return _forms_for(record).evidence(record, player, table or compile(record.game))


def reviewed(record: Record) -> Reviewed:
    """Return what was given away and what the dice gave in any record, from the solved game."""
    if isinstance(record, Decisions):
        return review(record, on_table(solve(record.table)))
    return _forms_for(record).review(record)
