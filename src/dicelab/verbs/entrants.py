"""Those who take part in a tournament, and how two of them fare against each other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import NamedTuple

import numpy as np

from dicelab.core.arrays import Numbers
from dicelab.core.jobs import prepare
from dicelab.core.lazy import lazy
from dicelab.errors import RulesError
from dicelab.rules import Game, contract
from dicelab.strategies.followed import table_of_play
from dicelab.strategies.named import AnyStrategy, plan
from dicelab.strategies.plan import Plan
from dicelab.table import Table
from dicelab.verbs.evaluate import evaluate
from dicelab.verbs.evaluation import Evaluation
from dicelab.verbs.sampler import BLOCK, nothing, walker

Strategies = Sequence[AnyStrategy] | Mapping[str, AnyStrategy]
"""Who takes part: strategies, or strategies by a name of one's own."""


def ranked(names: Sequence[str], got: Numbers, gap: float = 0.0) -> list[str]:
    """Return the names, the one that gets most first; those within a gap stand as they came."""
    order = np.argsort(-got, kind="stable")
    falls = -np.diff(got[order].astype(np.float64)) > gap
    order = order[np.lexsort((order, np.append(0, np.cumsum(falls))))]
    return [names[i] for i in order]


class Met(NamedTuple):
    """Exactly how two strategies fare against each other."""

    one_starting: float  # the chance that one wins when it starts
    two_second: float  # the chance that two wins then
    never_one_starting: float
    one_second: float
    two_starting: float
    never_two_starting: float
    value: float  # what one gets when they take turns in starting, in the game's unit
    value_of_two: float
    error: float  # of both values

    @property
    def wins(self) -> float:
        """The chance that one wins when they take turns in starting."""
        return (self.one_starting + self.one_second) / 2


@dataclass(eq=False)
class Field:
    """Those who take part: small enough to travel, and enough to start from anywhere."""

    game: Game
    strategies: tuple[AnyStrategy, ...]  # names, functions, or (name, choice, chances) of a plan
    key: str
    names: tuple[str, ...] = ()  # what to call them; empty: as they call themselves
    compiled: Table | None = None  # the game's table, if it was given; it does not travel
    memory: int | None = None  # bytes that a table may take

    @lazy
    def table(self) -> Table:
        """The compiled game."""
        given = self.game if self.compiled is None else self.compiled
        return table_of_play(given, *self.strategies, memory=self.memory)

    @lazy
    def _plans(self) -> dict[int, Plan]:
        return {}

    def __getstate__(self) -> dict[str, object]:
        """Return only what has to travel."""
        return {
            **{field.name: getattr(self, field.name) for field in fields(self)},
            "compiled": None,
        }

    def plan(self, number: int) -> Plan:
        """Return the plan of one strategy."""
        if number not in self._plans:
            given = self.strategies[number]
            if isinstance(given, tuple):
                given = Plan(given[0], self.table, *given[1:])
            made = plan(self.table, given)
            if self.names:
                made = Plan(self.names[number], self.table, made.choice, made.chances)
            self._plans[number] = made
        return self._plans[number]

    def meet(self, one: int, two: int) -> Met:
        """Return exactly how two of them fare against each other."""
        found = evaluate(self.table, self.plan(one), self.plan(two))
        assert isinstance(found, Evaluation)
        return Met(
            one_starting=float(found.a_first.a_wins),
            two_second=float(found.a_first.b_wins),
            never_one_starting=float(found.a_first.never_ends),
            one_second=float(found.b_first.a_wins),
            two_starting=float(found.b_first.b_wins),
            never_two_starting=float(found.b_first.never_ends),
            value=float(found.value),
            value_of_two=float(found.value_of_b),
            error=found.value_error,
        )

    def play(self, one: int, two: int, games: int, seed: int) -> list[list[int]]:
        """Return how games between two of them ended, and what they brought the first."""
        ready = walker(self.table, (self.plan(one), self.plan(two)))
        tally = nothing()
        for block in range(-(-games // BLOCK)):
            tally += ready.play(min(BLOCK, games - block * BLOCK), seed, one, two, block)
        ends: list[list[int]] = tally.ends.tolist()
        return [*ends, [*tally.brought, 0, 0, 0]]


_FIELDS: dict[str, Field] = {}


def known(given: Field) -> Field:
    """Return the field as this process knows it already, compiled and all."""
    if given.key not in _FIELDS:
        _FIELDS.clear()  # one at a time: a field may hold a large table
        _FIELDS[given.key] = given
    return _FIELDS[given.key]


def field_of(given: Game | Table, strategies: Strategies, workers: int | None = None) -> Field:
    """Return those who take part, refusing what cannot; a mapping says what to call each."""
    table = given if isinstance(given, Table) else None
    game = given.game if isinstance(given, Table) else given
    contract.check(game)
    if game.players == 1:
        raise RulesError(f"{game} is played alone: nobody meets anybody")
    if not strategies:
        raise RulesError("a tournament needs a strategy or more: got none")
    names = tuple(strategies) if isinstance(strategies, Mapping) else ()
    strategies = list(strategies.values()) if isinstance(strategies, Mapping) else strategies
    small = tuple(
        (each.name, each.choice, each.chances) if isinstance(each, Plan) else each
        for each in strategies
    )
    field = Field(game, small, "", names, table, table.memory if table else None)
    field.plan(0)  # which makes the table, for all
    prepare(field.plan, range(1, len(small)), workers)
    plans = [field.plan(number) for number in range(len(small))]
    told = [plan.name for plan in plans]
    twice = next((name for name in told if told.count(name) > 1), None)
    if twice is not None:
        raise RulesError(
            f"{twice} takes part twice: name each strategy once, or give a mapping from names of "
            f"your own to strategies"
        )
    key = " ".join(f"{plan.name} {plan.fingerprint}" for plan in plans)
    field.key = f"{game} {key}"
    return field
