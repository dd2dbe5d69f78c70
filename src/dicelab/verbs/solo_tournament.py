"""A tournament of a game that is played alone: what each strategy brings, the best first.

Nobody meets anybody, so there is no matrix: the ranking is by exact means, each with its bound. A
game with an engine of its own, such as a scorecard, needs no table of positions for that.
"""

from __future__ import annotations

import csv
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from dicelab.core.arrays import Floats
from dicelab.core.atomic_write import written_whole
from dicelab.core.csv_cells import guarded
from dicelab.core.jobs import Report
from dicelab.core.json_object import JsonObject
from dicelab.errors import RulesError
from dicelab.rules import Game
from dicelab.table import Table, compile
from dicelab.verbs.engines import needs_no_table
from dicelab.verbs.entrants import Strategies, ranked
from dicelab.verbs.evaluate import evaluate
from dicelab.verbs.evaluation import SoloEvaluation


@dataclass(frozen=True, eq=False)
class SoloTournament:
    """What each strategy brings a player who is alone."""

    game: Game
    names: tuple[str, ...]
    value: Floats = field(repr=False)  # [strategies] the mean, in the game's unit
    error: Floats = field(repr=False)  # [strategies] how far off that may be
    seconds: float

    @property
    def ranking(self) -> list[str]:
        """The names, the best first; those that cannot be told apart as they came."""
        got = -self.value if self.game.fewest else self.value
        return ranked(self.names, got, 2 * float(self.error.max()))

    @property
    def best(self) -> str:
        """The strategy that brings most, or costs least."""
        return self.ranking[0]

    def as_dict(self) -> JsonObject:
        """Return the ranking, and what each strategy brings."""
        return {
            "names": list(self.names),
            "best": self.best,
            "ranking": self.ranking,
            "value": self.value.tolist(),
            "error": self.error.tolist(),
            "unit": self.game.unit,
            "exact": True,
            "seconds": self.seconds,
        }

    def save(self, path: str | Path) -> None:
        """Write a row for each strategy, the best first."""
        place = {name: number for number, name in enumerate(self.names)}
        with written_whole(path) as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(["strategy", "value", "error"])
            for name in self.ranking:
                at = place[name]
                writer.writerow([guarded(name), float(self.value[at]), float(self.error[at])])


def solo_tournament(
    game: Game | Table,
    strategies: Strategies,
    memory: int | None = None,
    progress: Report | None = None,
) -> SoloTournament:
    """Return what each strategy brings alone, worked out; `memory` is a limit for a table."""
    began = time.perf_counter()
    if not strategies:
        raise RulesError("a tournament needs a strategy or more: got none")
    entrants = dict(strategies) if isinstance(strategies, Mapping) else {}
    entrants = entrants or {str(each): each for each in strategies}
    table = game if isinstance(game, Table) else None
    rules = game.game if isinstance(game, Table) else game
    found = []
    for done, strategy in enumerate(entrants.values(), start=1):
        if table is None and not needs_no_table(rules, strategy):
            table = compile(rules, memory)
        asked = rules if needs_no_table(rules, strategy) else table
        assert asked is not None
        each = evaluate(asked, strategy)
        assert isinstance(each, SoloEvaluation)
        found.append((float(each.value), each.error))
        if progress:
            progress(done / len(entrants))
    value, error = np.array(found).T
    return SoloTournament(rules, tuple(entrants), value, error, time.perf_counter() - began)
