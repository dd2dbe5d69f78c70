"""Games played with random dice, recorded decision by decision.

All games advance together, one decision at a time, on the table itself: the rows a plan weighs and
the outcomes the rules allow. This is for records of simulated people; it keeps every decision.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from dicelab.core.arrays import Array, Floats, Ints
from dicelab.errors import StrategyError
from dicelab.people.decisions import Decisions, seats_on
from dicelab.rules import ONGOING
from dicelab.strategies.named import AnyStrategy, plan
from dicelab.strategies.plan import Plan
from dicelab.table import Table
from dicelab.table.unfolded import plain_table
from dicelab.verbs.playback import named

MOST_MOVES = 100_000


class Sampler:
    """Players at a table, ready to play any number of games."""

    def __init__(self, table: Table, strategies: Sequence[AnyStrategy]) -> None:
        self.table = table = plain_table(table)
        self.plans = [plan(table, strategy) for strategy in strategies]
        if len(self.plans) != table.game.players:
            raise StrategyError(
                f"{table.game} takes {table.game.players} strategies: got {len(self.plans)}"
            )
        self._weight = [_running(p.weights(exact=False)) for p in self.plans]
        self._chance = _running(table.chance_floats[table.kind])

    def play(
        self,
        games: int,
        rng: np.random.Generator,
        players: Sequence[str] = (),
        most_moves: int = MOST_MOVES,
    ) -> Decisions:
        """Return that many recorded games; the first strategy has seat 1."""
        table = self.table
        at = np.full(games, table.start)
        seat = np.zeros(games, int)
        kept: list[tuple[Array, Array, Array, Array]] = []
        here = np.flatnonzero(table.result[at] == ONGOING)
        while here.size:
            if len(kept) == most_moves:
                raise StrategyError(
                    f"{here.size} of {games} games of {table.game} had not ended after "
                    f"{most_moves} moves: these strategies may wait for each other for ever"
                )
            row = np.empty(here.size, int)
            for number, played in enumerate(self.plans):
                mine = seat[here] == number
                row[mine] = self._choose(played, number, at[here[mine]], rng)
            outcome = _pick(self._chance, table.outcome_first, row, rng)
            kept.append((here, seat[here], row, outcome))
            at[here] = table.target[outcome]
            seat[here] = (seat[here] + seats_on(table, outcome)) % table.game.players
            here = here[table.result[at[here]] == ONGOING]
        columns = [np.concatenate(column) for column in zip(*kept, strict=True)]
        order = np.argsort(columns[0], kind="stable")
        game, seats, row, outcome = (column[order] for column in columns)
        names = tuple(str(number) for number in range(1, games + 1))
        everybody = range(table.game.players)
        seated = tuple(players or map(named, everybody))[: table.game.players]
        return Decisions(table, names, (seated,) * games, game, seats, row, outcome)

    def _choose(self, played: Plan, number: int, at: Ints, rng: np.random.Generator) -> Ints:
        if not played.is_mixed:
            return played.choice[at]
        return _pick(self._weight[number], self.table.move_first, at, rng)


def joined(records: Sequence[Decisions]) -> Decisions:
    """Return several records on one table as one, their games numbered anew."""
    first = records[0]
    counts = np.cumsum([0, *(len(record.names) for record in records)])
    return Decisions(
        first.table,
        tuple(str(number) for number in range(1, int(counts[-1]) + 1)),
        tuple(players for record in records for players in record.players),
        np.concatenate([r.game + c for r, c in zip(records, counts, strict=False)]),
        *(
            np.concatenate([getattr(record, field) for record in records])
            for field in ("seat", "row", "outcome")
        ),
    )


def _running(weights: Array) -> Floats:
    return np.concatenate([[0.0], np.cumsum(weights)])


def _pick(running: Floats, first: Ints, which: Ints, rng: np.random.Generator) -> Ints:
    """Return one member of each group `which`, by its share of the group's weight."""
    begin, end = first[which], first[which + 1]
    low, high = running[begin], running[end]
    found = np.searchsorted(running, low + rng.random(len(which)) * (high - low), side="right") - 1
    return np.clip(found, begin, end - 1)
