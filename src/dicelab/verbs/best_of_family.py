"""Families: which of hold-at:1, hold-at:2, ... is the best?

Three questions. Who fares best against one given strategy, such as the optimal one? Who beats all
the others? And how does that change with the rules, say over targets from 10 to 200?

The one who beats all others is found by challenge: the holder meets the members in turn, and
whoever beats it takes its place. That needs a few rounds of meetings instead of all pairs; the last
round has met everybody, so the answer is proved, or it is proved that there is none.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dicelab.core.jobs import Report, finished, share_of
from dicelab.errors import RulesError
from dicelab.rules import Game, contract
from dicelab.strategies.named import AnyStrategy, marked
from dicelab.table import Table, memory_limit
from dicelab.table.expand import refuse_before
from dicelab.verbs.entrants import Field, field_of

MOST_CHALLENGES = 20
"""Changes of the holder after which nobody is taken to beat everybody."""


@dataclass(frozen=True)
class FamilyBest:
    """The best members of a family at one game."""

    game: str
    against: str | None  # the strategy they were tried against
    best_reply: str | None  # who fares best against it
    best_reply_value: float | None  # what it gets from it, in the game's unit
    best_reply_wins: float | None  # how often it wins against it
    champion: str | None  # who beats all the others; None if nobody does
    narrowest: float | None  # its smallest margin above an even share
    nearest: str | None  # the member that comes nearest to it
    unit: str  # what is counted


def best_member(
    game: Game | Table, family: Sequence[str], against: AnyStrategy | None = "optimal"
) -> FamilyBest:
    """Return the best of a family: against one strategy (None: leave that out) and among itself.

    >>> from dicelab.games.pig import Pig
    >>> family = [f"hold-at:{n}" for n in range(5, 21)]
    >>> best_member(Pig(target=20), family).champion     # to 20, it is best never to hold
    'hold-at:20'
    """
    rules = game.game if isinstance(game, Table) else game
    contract.refuse_many(rules, "be asked for the best of a family")
    if len(family) < 2:
        raise RulesError(f"a family has two members or more: got {len(family)}")
    family = _distinct(game, family)
    field = field_of(game, [*family, *([against] if against is not None else [])])
    reply = value = wins = None
    if against is not None:
        met = [field.meet(member, len(family)) for member in range(len(family))]
        best = max(range(len(family)), key=lambda member: met[member].value)
        reply, value, wins = family[best], met[best].value, met[best].wins
    holder, margins = _champion(field, len(family))
    champion = nearest = narrowest = None
    if holder is not None:
        champion = family[holder]
        if margins:  # else all members play alike
            narrowest = min(margins.values())
            nearest = family[min(margins, key=lambda other: margins[other])]
    name = None if against is None else field.plan(len(family)).name
    among, unit = (champion, narrowest, nearest), field.table.unit
    return FamilyBest(str(field.game), name, reply, value, wins, *among, unit)


def _distinct(game: Game | Table, family: Sequence[str]) -> list[str]:
    """Return the members less those that play like an earlier one: to 10, hold-at:10 and 11 do."""
    field = field_of(game, family)
    seen: dict[str, str] = {}
    for number, name in enumerate(family):
        seen.setdefault(field.plan(number).fingerprint, name)
    return list(seen.values())


def _margin(field: Field, one: int, two: int) -> tuple[float, float]:
    """Return by how much one beats two above an even share, and the error of that."""
    found = field.meet(one, two)
    return (found.value - found.value_of_two) / 2, found.error


def _champion(field: Field, count: int) -> tuple[int | None, dict[int, float]]:
    """Return who beats all the others, with the margins; or None."""
    holder = 0
    for _ in range(MOST_CHALLENGES):
        margins, worst, challenger = {}, 0.0, -1
        for other in range(count):
            if other == holder:
                continue
            margin, error = _margin(field, holder, other)
            margins[other] = margin
            if margin <= error and (challenger < 0 or margin < worst):
                worst, challenger = margin, other
        if challenger < 0:
            return holder, margins
        holder = challenger
    return None, {}


@dataclass(frozen=True)
class _One:
    """One game of a sweep."""

    game: Game
    family: tuple[str, ...]
    against: str | None


def _search(one: _One) -> list[Any]:
    found = best_member(one.game, one.family, one.against)
    return [getattr(found, name) for name in FamilyBest.__dataclass_fields__]


def sweep(
    games: Sequence[Game],
    families: Sequence[Sequence[str]],
    against: str | None = "optimal",
    *,
    workers: int | None = None,
    checkpoint: str | Path | None = None,
    progress: Report | None = None,
) -> list[FamilyBest]:
    """Return the best members of a family for each of several games, in their order.

    `families` has the members for each game, since a larger target allows more of them.
    """
    limit = share_of(memory_limit(), workers, len(games))
    for game in reversed(games):  # before any work
        refuse_before(game, limit)
    jobs = [
        _One(game, tuple(family), against) for game, family in zip(games, families, strict=True)
    ]
    label = {
        "work": "sweep",
        "games": [str(game) for game in games],
        "families": [list(family) for family in families],
        "against": None if against is None else marked(against),
    }
    found: list[Any] = [None] * len(jobs)

    def fits(number: int, row: Any) -> bool:
        """Return whether this may be the best of the family at that game."""
        return len(row) == len(FamilyBest.__dataclass_fields__) and row[0] == str(games[number])

    done = finished(_search, jobs, len(jobs), label, workers, checkpoint, progress, fits=fits)
    for number, row in done:
        found[number] = FamilyBest(*row)
    return found
