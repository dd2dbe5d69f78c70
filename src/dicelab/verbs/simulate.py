"""simulate: play many games by chance and count.

Games come in pairs with seats swapped: A starts one, B the next. They are played in blocks of fixed
size, each with a seed of its own, so the same seed gives the same games whatever the number of
workers. Only counts are kept, so memory does not grow with the number of games.

A game that cannot end any more is found by the chain that `evaluate` solves and counted as never
ending. One that is merely long is stopped at the turn limit and counted apart.
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from dicelab.core import intervals
from dicelab.core.arrays import Ints
from dicelab.core.intervals import CONFIDENCE, Estimate
from dicelab.core.jobs import Report, finished
from dicelab.errors import RulesError
from dicelab.rules import DRAW, LOSS, WIN, Game
from dicelab.solvers.sampling_kernels import A_WINS, B_WINS, DRAWN, NEVER, STOPPED
from dicelab.strategies.followed import table_of_play
from dicelab.strategies.named import AnyStrategy, plan
from dicelab.strategies.plan import Plan
from dicelab.table import Table
from dicelab.table.races import RaceTable
from dicelab.verbs.evaluate import evaluate
from dicelab.verbs.evaluation import Chances, Evaluation, SoloEvaluation, stakes_of
from dicelab.verbs.playback import GameRecord, named, recorded
from dicelab.verbs.sampler import (
    BLOCK,
    MOST_TURNS,
    Tallied,
    Tally,
    Walker,
    mean_length,
    nothing,
    trimmed,
    walker,
    worth_parts,
)
from dicelab.verbs.seats import Rest, SeatedSimulation, evaluate_seats, plans_of, simulate_seats

MOST_GAMES = 10**13


@dataclass(frozen=True, eq=False)
class Simulation(Tallied):
    """How many games went, for each player going first."""

    table: Table = field(repr=False)
    plans: tuple[Plan, ...] = field(repr=False)
    games: int
    seed: int
    by: str  # "turns", "moves" or "rules"
    tally: Tally = field(repr=False)
    most_turns: int
    confidence: float
    seconds: float
    playing: float  # the part of it that was spent on the games themselves
    records: tuple[GameRecord, ...] = field(default=(), repr=False)

    @property
    def game(self) -> Game:
        """The game that was played."""
        return self.table.game

    @property
    def a(self) -> str:
        """The name of the first strategy."""
        return self.plans[0].name

    @property
    def b(self) -> str | None:
        """The name of the second strategy, if there is one."""
        return self.plans[1].name if len(self.plans) == 2 else None

    @property
    def starts(self) -> tuple[int, int]:
        """How many games A started, and B."""
        first, second = self.tally.ends.sum(axis=1).tolist()
        return first, second

    @property
    def first(self) -> Estimate:
        """The share of games that A won when A went first."""
        return intervals.share(self._ended(0, A_WINS), self.starts[0], self.confidence)

    @property
    def second(self) -> Estimate:
        """The share of games that B won when B went first."""
        return intervals.share(self._ended(1, B_WINS), self.starts[1], self.confidence)

    @property
    def overall(self) -> Estimate:
        """The share of games that A won.

        The interval is that of one sample; two halves of different luck vary less, not more.
        """
        wins = int(self.tally.ends[:, A_WINS].sum())
        return intervals.share(wins, self.games, self.confidence)

    @property
    def value(self) -> Estimate:
        """What the games were worth to A on average, in the game's unit.

        A game that never ends is worth what the rules say; where that is infinitely much, only
        games that ended count. Between two, one that was stopped counts as one that never ends.
        """
        table, ends = self.table, self.tally.ends
        if self.b is not None:
            return got(table, ends.tolist(), self.tally.brought, self.confidence)
        worth, never = table.worth, table.never
        points = table.has_gains or self.game.pays_ends
        if not points and [worth[WIN], worth[LOSS], worth[DRAW], never] == [1, 0, 0, 0]:
            return intervals.share(int(ends[0, A_WINS]), self.games, self.confidence)
        counted = ends[0, : NEVER if never is None else STOPPED]
        done = int(counted.sum())
        if points:
            return brought_on_average(table, self.tally.brought, done, self.confidence)
        told = [worth[WIN], worth[LOSS], worth[DRAW], never or 0]
        worths = np.array([float(end) for end in told])[: counted.size]
        total, squares = float(worths @ counted), float(worths**2 @ counted)
        return intervals.mean(total, squares, done, self.confidence)

    def _ended(self, starter: int, how: int) -> int:
        return int(self.tally.ends[starter, how])

    @property
    def lengths(self) -> Ints:
        """Games that ended in their 0th, 1st, 2nd, ... turn. `[turns]`"""
        return self.tally.lengths

    @property
    def mean_length(self) -> float:
        """The average number of turns of the games that ended; nan if none did."""
        return mean_length(self.lengths)

    def quantile(self, part: float) -> int | None:
        """Return the turn by which this part of the games that ended had done so."""
        done = np.cumsum(self.lengths)
        if not done[-1]:
            return None
        return int(np.searchsorted(done, part * done[-1]))


def simulate(
    game: Game | Table,
    a: AnyStrategy,
    b: Rest = None,
    games: int = 100_000,
    seed: int = 0,
    *,
    by: str | None = None,
    records: bool = False,
    most_turns: int = MOST_TURNS,
    confidence: float = CONFIDENCE,
    workers: int | None = None,
    checkpoint: str | Path | None = None,
    progress: Report | None = None,
    for_: str | None = None,
) -> Simulation | SeatedSimulation:
    """Return how games between A and B went; a solo game takes no B.

    With three players and more, `b` is a list of the others in order of their turns, or one
    strategy for all of them. Such games are played by moves.

    `by` is "turns" (one draw a turn, where the game allows it), "moves", or None for the faster
    of the two. With `records` every move is written down, and the games are those of "moves".
    `workers` counts processes or threads; None follows `joblib.parallel_config`. `for_` is a
    purpose other than the game's own.

    >>> from dicelab.games.pig import Pig
    >>> simulate(Pig(), "hold-at:20", "hold-at:25", games=1000, seed=1).first.games
    500
    """
    table = table_of_play(game, a, b, for_=for_)
    began = time.perf_counter()
    intervals.check_confidence(confidence)
    check_numbers(games, seed, most_turns, by)
    if table.game.players > 2:
        if by == "turns" or checkpoint:
            asked = "by='turns'" if by == "turns" else "a checkpoint"
            raise RulesError(
                f"{table.game} is played by {table.game.players}, move by move and in one go: "
                f"leave out {asked}"
            )
        seated = plans_of(table, a, b)
        kept = recorded(table, seated, games, seed, BLOCK, most_turns) if records else ()
        found = simulate_seats(table, seated, games, seed, most_turns, confidence, progress)
        return replace(found, records=kept)
    plans = both_plans(table, a, b)
    how = "rules"
    kept = ()
    playing = time.perf_counter()
    if records:
        if by == "turns":
            raise RulesError("records are made move by move: leave out by='turns'")
        kept = recorded(table, plans, games, seed, BLOCK, most_turns)
        tally = _tally_of(kept, table, plans)
    else:
        ready = walker(table, plans, most_turns, by)
        if by == "turns" and ready.by != "turns":
            raise RulesError(
                f"{table.game} cannot be played by turns here: a turn may come back to a position, "
                f"gains points on the way, or is taken by both at once; play it by moves"
            )
        how, playing = ready.by, time.perf_counter()
        tally = play_all(ready, plans, games, seed, workers, checkpoint, progress)
    now = time.perf_counter()
    times = (now - began, now - playing)
    return Simulation(table, plans, games, seed, how, tally, most_turns, confidence, *times, kept)


def brought_on_average(
    table: Table, brought: Sequence[float], games: int, confidence: float = CONFIDENCE
) -> Estimate:
    """Return what games for points brought A on average, from the sum and the sum of squares."""
    parts = worth_parts(table)
    return intervals.mean(brought[0] / parts, brought[1] / parts**2, games, confidence)


def got(
    table: Table,
    ends: Sequence[Sequence[int]],
    brought: Sequence[float] = (0, 0),
    confidence: float = CONFIDENCE,
) -> Estimate:
    """Return what A got per game between two players, from how many games ended how.

    `ends` is [who starts, how it ended], as `walk` numbers the ends; `brought` the sum of what
    games for points brought A, and the sum of squares.
    """
    games = sum(map(sum, ends))
    if table.has_gains or table.game.pays_ends:
        return brought_on_average(table, brought, games, confidence)
    counts = [Chances(row[A_WINS], row[B_WINS], row[DRAWN], sum(row[NEVER:])) for row in ends]
    stakes = stakes_of(table)
    played = [sum(row) for row in ends]
    points = sum(stakes.worth(seat, each, played[seat]) for seat, each in enumerate(counts))
    worths = [*stakes.never, *(end for seat in (0, 1) for end in stakes.ends[seat].values())]
    return intervals.score(float(points), games, float(min(worths)), float(max(worths)), confidence)


def both_plans(table: Table, a: AnyStrategy, b: Rest) -> tuple[Plan, ...]:
    """Return the plans of the players, refusing too few or too many."""
    if table.game.players == 1:
        if b is not None:
            raise RulesError(f"{table.game} is played alone: leave out the second strategy")
        return (plan(table, a),)
    if b is None:
        raise RulesError(f"{table.game} is played by two: say whom {a} plays against")
    return plan(table, a), plan(table, b)


def check_numbers(games: int, seed: int, most_turns: int, by: str | None) -> None:
    """Refuse numbers that make no simulation."""
    if not 1 <= games <= MOST_GAMES:
        raise RulesError(f"a simulation plays 1 to {MOST_GAMES:.0e} games: got games={games}")
    if seed < 0:
        raise RulesError(f"a seed is a whole number from 0 on: got seed={seed}")
    if not 1 <= most_turns <= 10**7:
        raise RulesError(f"the turn limit is from 1 to 1e7 turns: got {most_turns}")
    if by not in (None, "turns", "moves"):
        raise RulesError(f"games are played by 'turns' or by 'moves': got by={by!r}")


@dataclass(frozen=True)
class _Block:
    """One block of games to play."""

    walker: Walker
    seed: int
    number: int
    games: int


def _play(block: _Block) -> list[Any]:
    return block.walker.play(block.games, block.seed, block.number).as_lists()


def play_all(
    ready: Walker,
    plans: tuple[Plan, ...],
    games: int,
    seed: int,
    workers: int | None = None,
    checkpoint: str | Path | None = None,
    progress: Report | None = None,
) -> Tally:
    """Return the tally of all games, played in blocks."""
    count = -(-games // BLOCK)
    jobs = (
        _Block(ready, seed, number, min(BLOCK, games - number * BLOCK)) for number in range(count)
    )
    label = {
        "work": "simulate",
        "game": str(plans[0].table.game),
        "strategies": [f"{plan.name} {plan.fingerprint}" for plan in plans],
        "games": games,
        "seed": seed,
        "by": ready.by,
        "most_turns": ready.most_turns,
    }
    tally = nothing()

    def fits(number: int, lists: Any) -> bool:
        """Return whether a block of games may have given these counts."""
        return len(lists) == 4 and int(Tally.from_lists(lists).ends.sum()) == min(
            BLOCK, games - number * BLOCK
        )

    for _, lists in finished(
        _play, jobs, count, label, workers, checkpoint, progress, threads=True, fits=fits
    ):
        tally += Tally.from_lists(lists)
    return tally


def _tally_of(records: tuple[GameRecord, ...], table: Table, plans: tuple[Plan, ...]) -> Tally:
    """Return the counts of games that were written down."""
    tally = nothing()
    tally.lengths = np.zeros(max(record.turns for record in records) + 1, np.int64)
    halves = {"A": 2, "B": 0, "draw": 1, "nobody": 1}
    ends = {"A": A_WINS, "B": B_WINS, "draw": DRAWN, "nobody": NEVER}
    results = {"A": WIN, "B": LOSS, "draw": DRAW}
    total = squares = 0
    for number, record in enumerate(records):
        end = STOPPED if record.stopped else ends[record.winner]
        tally.ends[number % len(plans), end] += 1
        if end < NEVER:
            tally.lengths[record.turns] += 1
        seat = number % len(plans)
        over = end < NEVER
        worth = table.worth_to(seat)[results[record.winner]] if over else table.never_to(seat)
        counts = not isinstance(table, RaceTable) and (end != STOPPED or len(plans) == 2)
        if counts and worth is not None:
            brought = int((record.gained + worth) * worth_parts(table))
            total, squares = total + brought, squares + brought**2
        if len(plans) == 2 and number % 2:
            tally.pairs[halves[records[number - 1].winner] + halves[record.winner]] += 1
    tally.brought = (total, squares)
    tally.lengths = trimmed(tally.lengths)
    return tally


class Check(NamedTuple):
    """One number, simulated and exact, and how many standard errors lie between."""

    name: str
    simulated: float
    exact: float
    standard_errors: float


def check(simulation: Simulation | SeatedSimulation) -> list[Check]:
    """Return every number of a simulation beside its exact twin."""
    if isinstance(simulation, SeatedSimulation):
        return _check_seats(simulation)
    a, b = simulation.plans[0], (simulation.plans[1:] or (None,))[0]
    exact = evaluate(simulation.table, a, b)
    if isinstance(exact, SoloEvaluation):
        return [_check_value(simulation, exact)]
    assert isinstance(exact, Evaluation)
    return _check_chances(simulation, exact)


def _check_seats(simulation: SeatedSimulation) -> list[Check]:
    """Return how often each of three and more won, by who started, beside the exact chance."""
    exact, ends = evaluate_seats(simulation.table, simulation.plans), simulation.ends
    seats, checks = range(len(simulation.plans)), []
    for starter in seats:
        games = int(ends[starter].sum())
        for player in seats if games else ():
            chance, share = float(exact.wins[starter][player]), ends[starter, player] / games
            error = math.sqrt(max(0.0, chance * (1 - chance)) / games)
            name = f"{named(starter)} starts: {named(player)} wins"
            checks.append(_compared(name, share, chance, error))
    return checks


def _check_chances(simulation: Simulation, exact: Evaluation) -> list[Check]:
    ends, games = simulation.tally.ends, simulation.tally.ends.sum(axis=1)
    truth = np.array(
        [
            [chances.a_wins, chances.b_wins, chances.draws, chances.never_ends]
            for chances in (exact.a_first, exact.b_first)
        ]
    )
    found = np.column_stack([ends[:, :NEVER], ends[:, NEVER:].sum(axis=1)])
    names = ("A wins", "B wins", "draws", "never ends")
    checks = []
    with np.errstate(invalid="ignore"):
        shares = found / games[:, None]
    variance = truth * (1 - truth) / np.maximum(games, 1)[:, None]
    for starter, who in enumerate(("A starts", "B starts")):
        for how, name in enumerate(names):
            if games[starter] and (how < 2 or truth[starter, how] > 0 or found[starter, how]):
                error = math.sqrt(max(0.0, variance[starter, how]))
                checks.append(
                    _compared(f"{who}: {name}", shares[starter, how], truth[starter, how], error)
                )
    if games.all():
        error = math.sqrt(max(0.0, variance[:, 0].sum())) / 2
        both = shares[:, 0].mean(), truth[:, 0].mean()
        checks.append(_compared("overall: A wins", *both, error))
    if simulation.table.is_for_points and games[0] == games[1]:
        checks.append(_check_value(simulation, exact))
    return checks


def _check_value(simulation: Simulation, exact: Evaluation | SoloEvaluation) -> Check:
    found = simulation.value
    if simulation.game.unit == "chance to win":
        error = math.sqrt(max(0.0, exact.value * (1 - exact.value)) / simulation.games)
    else:
        from scipy.stats import t

        wide = t.ppf((1 + simulation.confidence) / 2, max(1, found.games - 1))
        error = (found.high - found.low) / (2 * float(wide))
    return _compared("value", found.value, float(exact.value), error)


def _compared(name: str, simulated: float, exact: float, error: float) -> Check:
    apart = float(simulated) - float(exact)
    if abs(apart) <= 1e-9 and error < 1e-9:
        return Check(name, float(simulated), float(exact), 0.0)
    away = abs(apart) / error if error > 0 else math.inf
    return Check(name, float(simulated), float(exact), away)
