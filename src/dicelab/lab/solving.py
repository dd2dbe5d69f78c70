"""What the lab asks of the solvers, through the shelf: one answer for everybody who asks."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction

from dicelab.core.json_object import JsonObject
from dicelab.core.language import Later
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


@dataclass(frozen=True)
class Solving:
    """The shelf, and how much memory one table may take; `wait` is how long to wait for it."""

    shelf: Shelf
    memory: int

    def solution(self, game: Game, wait: float) -> Solution:
        """Return the solved game; begun elsewhere, the usual one if play there comes by."""
        if game.begins_at is not None and not self.is_ready(game):
            with suppress(TooLarge, UnknownPosition):
                usual = self.solution(game.at_usual_start, wait)
                usual.value_at(game.start())
                return usual

        def make(report: Callable[[float], None]) -> Solution:
            found = solve(game, exact=game.solved_exactly, memory=self.memory, progress=report)
            found.moves_at(game.start())  # sorts the positions once, not at somebody's first move
            return found

        found: Solution = self.shelf.get(
            ("solution", str(game)), Later("solving {game}", game=game), make, wait
        )
        return found

    def table(self, game: Game, wait: float) -> Table:
        """Return the compiled game, from its solution where that has one at hand."""
        if not game.solver:
            return self.solution(game, wait).table
        if game.begins_at is not None:
            game = self.solution(game, wait).game
        expected = game.size()

        def make(report: Callable[[float], None]) -> Table:
            counting = (lambda count: report(count / expected)) if expected else None
            return compile(game, self.memory, counting)

        found: Table = self.shelf.get(
            ("table", str(game)), Later("writing out {game}", game=game), make, wait
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
            lambda _: named_plan(table, name),
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

        def make(_: Callable[[float], None]) -> Plan:
            made = plan(table, on_arrays(game.painted(given["painted"], given)))
            return Plan(given["name"], table, made.choice, made.chances)

        key = ("painted", str(game), hashlib.sha256(text.encode()).hexdigest()[:24])
        found: Plan = self.shelf.get(key, Later("a painting of {game}", game=game), make, wait)
        return found

    def is_ready(self, game: Game) -> bool:
        """Return whether a game is solved already."""
        return self.shelf.holds(("solution", str(game)))
