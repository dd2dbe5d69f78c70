"""What the lab asks of the solvers, through the shelf: one answer for everybody who asks.

What takes long is done apart: in a process that works for this one, so that moves are answered
meanwhile. Without such a process, as in most tests, it is done in a thread of the shelf.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeVar

from dicelab.core.json_object import JsonObject
from dicelab.core.language import Later
from dicelab.core.worker_process import Report, Unsendable, WorkerProcess
from dicelab.errors import TooLarge, UnknownPosition
from dicelab.lab.solution_cache import Shelf
from dicelab.rules import Game, Position
from dicelab.strategies.named import named_plan, plan
from dicelab.strategies.named import player as named_player
from dicelab.strategies.plan import Plan, on_arrays
from dicelab.table import Table, compile
from dicelab.verbs.solution import Solution
from dicelab.verbs.solve import solve

Choose = Callable[[Position], str | dict[str, Fraction]]
Result = TypeVar("Result")


@dataclass(frozen=True)
class Solving:
    """The shelf, and how much memory one table may take; `wait` is how long to wait for it."""

    shelf: Shelf
    memory: int
    worker: WorkerProcess | None = None

    def apart(self, report: Report, function: Callable[..., Result], *arguments: object) -> Result:
        """Return what a function makes of its arguments and of `report`, worked out apart."""
        if self.worker is not None:
            with suppress(Unsendable):  # such as rules that keep a function of somebody's own
                found: Result = self.worker.call(function, *arguments, report=report)
                return found
        return function(*arguments, report=report)

    def close(self) -> None:
        """Work no more, and tell everybody who waits."""
        self.shelf.close()
        if self.worker is not None:
            self.worker.end()

    def solution(self, game: Game, wait: float) -> Solution:
        """Return the solved game; begun elsewhere, the usual one if play there comes by."""
        if game.begins_at is not None and not self.is_ready(game):
            with suppress(TooLarge, UnknownPosition):
                usual = self.solution(game.at_usual_start, wait)
                usual.value_at(game.start())
                return usual

        found: Solution = self.shelf.get(
            ("solution", str(game)),
            Later("solving {game}", game=game),
            lambda report: self.apart(report, solved, game, self.memory),
            wait,
        )
        return found

    def table(self, game: Game, wait: float) -> Table:
        """Return the compiled game, from its solution where that has one at hand."""
        if not game.solver:
            return self.solution(game, wait).table
        if game.begins_at is not None:
            game = self.solution(game, wait).game
        found: Table = self.shelf.get(
            ("table", str(game)),
            Later("writing out {game}", game=game),
            lambda report: self.apart(report, written_out, game, self.memory),
            wait,
        )
        return found

    def plan(self, game: Game, name: str, wait: float) -> Plan:
        """Return a strategy, by a name that was checked before, on the game's table."""
        table = self.table(game, wait)
        if name == "optimal" and not game.solver:
            return self.solution(game, wait).plan
        found: Plan = self.shelf.get(
            ("plan", str(table.game), name),
            Later("{strategy} for {game}", strategy=name, game=table.game),
            lambda report: self.apart(report, planned, table, name),
            wait,
        )
        return found

    def named(self, game: Game, name: str, wait: float) -> Choose:
        """Return a strategy by name, as someone to play with; it needs no table."""
        found: Choose = self.shelf.get(
            ("player", str(game), name),
            Later("{strategy} for {game}", strategy=name, game=game),
            lambda _: named_player(game, name),
            wait,
        )
        return found

    def painted(self, game: Game, given: JsonObject, wait: float) -> Plan:
        """Return a painted map as a strategy on the game's table."""
        table = self.table(game, wait)
        text = json.dumps(given, sort_keys=True)
        key = ("painted", str(game), hashlib.sha256(text.encode()).hexdigest()[:24])
        found: Plan = self.shelf.get(
            key,
            Later("a painting of {game}", game=game),
            lambda report: self.apart(report, painted, table, given),
            wait,
        )
        return found

    def is_ready(self, game: Game) -> bool:
        """Return whether a game is solved already."""
        return self.shelf.holds(("solution", str(game)))


def solved(game: Game, memory: int, report: Report) -> Solution:
    """Return the solved game, ready to be asked."""
    found = solve(game, exact=game.solved_exactly, memory=memory, progress=report)
    found.moves_at(game.start())  # sorts the positions once, not at somebody's first move
    return found


def written_out(game: Game, memory: int, report: Report) -> Table:
    """Return the compiled game."""
    expected = game.size()
    return compile(game, memory, (lambda count: report(count / expected)) if expected else None)


def planned(table: Table, name: str, report: Report) -> Plan:
    """Return a strategy by name on a table."""
    return named_plan(table, name)


def painted(table: Table, given: JsonObject, report: Report) -> Plan:
    """Return a painted map as a strategy on a table."""
    made = plan(table, on_arrays(table.game.painted(given["painted"], given)))
    return Plan(given["name"], table, made.choice, made.chances)
