"""A table as solvers take it that know of no choice after a throw, and plans there and back.

Where a game has such choices, its arrays are unfolded: every moment after a throw is a position.
Others are taken as they are.
"""

from __future__ import annotations

from contextlib import AbstractContextManager
from dataclasses import dataclass

import numpy as np

from dicelab.core.arrays import Ints, Numbers
from dicelab.solvers.arrays import MarkovGame
from dicelab.solvers.unfold import Unfolded
from dicelab.strategies.plan import Plan, nowhere
from dicelab.table import Table
from dicelab.table.unfolded import unfolded_within


@dataclass(frozen=True, eq=False)
class PlainForm:
    """The arrays of a table without choices after throws, and what their numbers mean on it."""

    table: Table
    whole: Unfolded | None  # None: there are no such choices

    @property
    def arrays(self) -> MarkovGame:
        """The game as the solvers read it."""
        return self.table if self.whole is None else self.whole.arrays

    @property
    def number(self) -> Ints | slice:
        """Where the table's positions stand among those of the arrays."""
        return slice(None) if self.whole is None else self.whole.number

    def naming(self) -> AbstractContextManager[None]:
        """Let a solver that gives up name the game and a position."""
        return self.table.naming(None if self.whole is None else self.whole.owner)

    def moves(self, plan: Plan) -> Ints:
        """Return the rows that a plan plays, -1 where it mixes."""
        if self.whole is None or plan.ways is None:
            return plan.choice
        if plan.ways.dtype == object:
            return np.full(len(self.arrays), -1, np.int32)
        return self.whole.unfold(plan.choice, plan.ways)

    def weights(self, plan: Plan, exact: bool) -> Numbers:
        """Return the chances of the rows that a plan plays."""
        weights = plan.weights(exact)
        return (
            weights if self.whole is None else self.whole.weights(weights, plan.way_shares(exact))
        )

    def plan(self, name: str, choice: Ints) -> Plan:
        """Return the rows that a solver chose as a plan on the table."""
        if self.whole is None:
            return Plan(name, self.table, choice)
        choice, ways = self.whole.fold(choice)
        return Plan(name, self.table, choice, ways=ways)

    def mixture(self, name: str, shares: Numbers) -> Plan:
        """Return the chances of rows that a solver found as a plan on the table."""
        if self.whole is None:
            return Plan(name, self.table, nowhere(self.table), shares)
        shares, ways = self.whole.fold_weights(shares)
        return Plan(name, self.table, nowhere(self.table), shares, ways)


def plain_form(table: Table) -> PlainForm:
    """Return a table without choices after throws, refused where memory would not do."""
    return PlainForm(table, unfolded_within(table) if table.has_choices else None)
