"""sweep: any number about a game, for every value of its parameters.

How does the advantage of going first fall as the target grows? At which die is the game longest?
A sweep asks one question of many games. All that is asked about one of them shares its table and
its solution; games are shared out over cores or a cluster, and a checkpoint remembers those done.

A point where the rules refuse their parameters, or where a number cannot be had, says so in its
place; the others stand.

>>> found = sweep("pig", {"target": [2, 3]}, ["value", "positions"])
>>> [round(row.numbers[0].value, 6) for row in found.rows]
[0.857143, 0.837209]
"""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path

from dicelab.core.csv_cells import csv_text, guarded_row
from dicelab.core.jobs import Report, finished, share_of
from dicelab.core.json_object import JsonObject
from dicelab.errors import RulesError
from dicelab.rules import Game
from dicelab.rules.ranges import combined
from dicelab.strategies.named import AnyStrategy, marked
from dicelab.table import memory_limit
from dicelab.verbs.numbers import Number, Numbers, numbers_named
from dicelab.verbs.variants import made_with, refuse_values

MOST_POINTS = 100_000
"""Points beyond which a sweep is taken for a slip of the hand."""

PLAYERS = ("A", "B")
"""What the axes of strategies are called."""

FEW_POSITIONS = 400_000
"""Positions of all games together for which other processes are not worth starting."""


@dataclass(frozen=True)
class Point:
    """One point of a sweep: its parameters, who plays, and what was found there."""

    settings: Mapping[str, str]  # by axis, as one would type it
    game: str  # the game in a line; empty where its rules refuse the parameters
    numbers: tuple[Number, ...]  # as many as were asked for; none where the rules refuse

    refused: str = ""  # why there is no such game

    @property
    def refusals(self) -> list[str]:
        """Why numbers are missing here, each sentence once."""
        told = [self.refused, *(number.refused for number in self.numbers)]
        return list(dict.fromkeys(sentence for sentence in told if sentence))


@dataclass(frozen=True)
class Sweep:
    """Numbers about a game for every value of some of its parameters, in the order asked for."""

    game: str  # its name
    fixed: Mapping[str, str]  # the parameters that stay as they are
    axes: Mapping[str, tuple[str, ...]]  # the values of those that change
    asked: tuple[str, ...]  # the names of the numbers
    players: Mapping[str, str]  # who plays, A and B, where that does not change
    rows: tuple[Point, ...]
    exact: bool
    seconds: float

    def column(self, name: str) -> list[float | None]:
        """Return one number at every point, None where there is none."""
        place = self.asked.index(name)
        return [row.numbers[place].value if row.numbers else None for row in self.rows]

    def unit(self, name: str) -> str:
        """Return what a number counts."""
        place = self.asked.index(name)
        return next((row.numbers[place].unit for row in self.rows if row.numbers), "")

    @property
    def refusals(self) -> list[str]:
        """Why numbers are missing, each sentence once."""
        return list(dict.fromkeys(told for row in self.rows for told in row.refusals))

    def as_dict(self) -> JsonObject:
        """Return what a program wants to know, as plain numbers and words."""
        rows = []
        for row in self.rows:
            found = {
                name: number.as_dict()
                for name, number in zip(self.asked, row.numbers, strict=False)
            }
            told: JsonObject = {"settings": dict(row.settings), "game": row.game, "numbers": found}
            rows.append(told | ({"refused": row.refused} if row.refused else {}))
        return {
            "game": self.game,
            "fixed": dict(self.fixed),
            "axes": {name: list(values) for name, values in self.axes.items()},
            "players": dict(self.players),
            "asked": list(self.asked),
            "rows": rows,
            "exact": self.exact,
            "seconds": self.seconds,
        }

    def as_csv(self) -> str:
        """Return a table: the axes, each number with its error, and why one is missing."""
        head = [*self.axes]
        for name in self.asked:
            head += [name, f"{name} error"]
        rows: list[list[object]] = [[*head, "refused"]]
        for row in self.rows:
            cells: list[object] = [row.settings[axis] for axis in self.axes]
            for place in range(len(self.asked)):
                number = row.numbers[place] if row.numbers else None
                cells += ["", ""] if number is None else number.cells()
            rows.append(guarded_row([*cells, "; ".join(row.refusals)]))
        return csv_text(rows)


@dataclass(frozen=True)
class _Job:
    """All that is asked about one game."""

    game: Game
    players: tuple[tuple[AnyStrategy, ...], ...]
    asked: tuple[str, ...]
    exact: bool
    memory: int


def _work(job: _Job) -> list[list[list[object]]]:
    """Return every number of one game, for every pair of players."""
    shared = Numbers(job.game, job.exact, job.memory)
    found = []
    for players in job.players:
        told = shared.asked(players, job.asked)
        found.append([list(dataclasses.astuple(number)) for number in told])
    return found


def sweep(
    game: str | Game,
    over: Mapping[str, Iterable[object]],
    numbers: Sequence[str] = ("value",),
    strategies: Sequence[AnyStrategy | Sequence[AnyStrategy]] = (),
    *,
    fixed: Mapping[str, object] | None = None,
    exact: bool = False,
    memory: int | None = None,
    workers: int | None = 1,
    checkpoint: str | Path | None = None,
    progress: Report | None = None,
) -> Sweep:
    """Return some numbers about a game at every combination of values of its parameters.

    `game` is a name, or a game whose other parameters stay as they are. `over` has the values of
    each parameter, `fixed` those of others. No strategies are best play by all; one is for a game
    played alone, two are A and B. Each may be a list, which is then gone through as well. `numbers`
    are named as `verbs.numbers` lists them.
    """
    began = time.perf_counter()
    wanted = numbers_named(numbers)
    over = {name: list(values) for name, values in over.items()}
    axes, players = _axes(over, strategies)
    if (count := combined([*axes.values()])) > MOST_POINTS:
        raise RulesError(
            f"the sweep has {count:,} points: at most {MOST_POINTS:,} are gone through, "
            f"so give fewer values"
        )
    names = list(over)
    made: list[Game | str] = [
        made_with(game, {**(fixed or {}), **dict(zip(names, values, strict=True))})
        for values in product(*over.values())
    ]
    games = [each for each in made if isinstance(each, Game)]
    if not games:
        raise RulesError(f"every point of the sweep is refused; the first: {made[0]}")
    workers = workers_for(games, workers)
    limit = share_of(memory_limit() if memory is None else memory, workers, len(games))
    jobs = [_Job(each, tuple(product(*players)), wanted, exact, limit) for each in games]
    label = {
        "work": "sweep",
        "games": [str(each) for each in games],
        "players": [[marked(one) for one in several] for several in players],
        "numbers": list(wanted),
        "exact": exact,
    }
    worked: dict[int, list[list[list[object]]]] = {}

    def fits(number: int, result: list[list[list[object]]]) -> bool:
        """Return whether this may have been found about that game."""
        count = len(Number.__dataclass_fields__)
        sizes = [len(row) for row in result], {len(one) for row in result for one in row}
        return sizes == ([len(wanted)] * len(jobs[number].players), {count})

    for number, result in finished(
        _work, jobs, len(jobs), label, workers, checkpoint, progress, fits=fits
    ):
        worked[number] = result
    rows = _rows(axes, made, players, worked)
    refusals = [number.refused for row in rows for number in row.numbers]
    if all(refusals):
        raise RulesError(f"the sweep finds no number at any point; at the first: {refusals[0]}")
    same = {} if isinstance(game, str) else game.own_parameters
    return Sweep(
        str(game if isinstance(game, str) else game.name),
        {key: str(value) for key, value in {**same, **(fixed or {})}.items() if key not in over},
        axes,
        wanted,
        {
            name: _called(several[0])
            for name, several in zip(PLAYERS, players, strict=False)
            if len(several) == 1
        },
        rows,
        exact,
        time.perf_counter() - began,
    )


def workers_for(games: Sequence[Game], workers: int | None) -> int | None:
    """Return how many processes are worth starting: one, where all games together are small."""
    sizes = [game.size() for game in games]
    known = [size for size in sizes if size is not None]
    small = len(known) == len(sizes) and sum(known) <= FEW_POSITIONS
    return 1 if workers is not None and small else workers


def _axes(
    over: Mapping[str, Iterable[object]],
    strategies: Sequence[AnyStrategy | Sequence[AnyStrategy]],
) -> tuple[dict[str, tuple[str, ...]], list[list[AnyStrategy]]]:
    """Return the values of each axis as text, and the strategies of each player."""
    axes = {name: tuple(str(value) for value in values) for name, values in over.items()}
    for name, values in axes.items():
        refuse_values(name, values)
    if len(strategies) > len(PLAYERS):
        raise RulesError(f"at most two strategies play: got {len(strategies)}")
    players = [list(one) if isinstance(one, list | tuple | range) else [one] for one in strategies]
    for name, several in zip(PLAYERS, players, strict=False):
        if len(several) > 1:
            axes[name] = tuple(map(_called, several))
    if not axes:
        raise RulesError("a sweep goes through values of a parameter: give one, as target=10..50")
    return axes, players


def _called(strategy: AnyStrategy) -> str:
    """Return what a strategy is called."""
    name = getattr(strategy, "name", None) or getattr(strategy, "__name__", None)
    return str(name or strategy)


def _rows(
    axes: Mapping[str, tuple[str, ...]],
    made: Sequence[Game | str],
    players: Sequence[Sequence[AnyStrategy]],
    worked: Mapping[int, list[list[list[object]]]],
) -> tuple[Point, ...]:
    """Return the points in the order of the axes."""
    rows, number = [], 0
    names = [name for name in axes if name not in PLAYERS]
    pairs = list(product(*(range(len(several)) for several in players)))
    points = product(*(axes[name] for name in names))
    for game, values in zip(made, points, strict=True):
        found = worked[number] if isinstance(game, Game) else [[]] * len(pairs)
        number += isinstance(game, Game)
        for pair, numbers in zip(pairs, found, strict=True):
            settings = dict(zip(names, values, strict=True))
            for player, place in zip(PLAYERS, pair, strict=False):
                if player in axes:
                    settings[player] = axes[player][place]
            told = tuple(Number(*number) for number in numbers)  # type: ignore[arg-type]
            refused = game if isinstance(game, str) else ""
            rows.append(Point(settings, "" if refused else str(game), told, refused))
    return tuple(rows)
