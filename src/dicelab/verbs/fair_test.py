"""Fair tests: how many games show that one strategy is better than another?

The Exeter study of Pig asks it this way. A strategy against itself wins half its games, give or
take 1.96 x 0.5 / sqrt(n); for that to be within 0.025 takes n = 1537 games. The study plays 3000,
a hundred times over, and calls a strategy better when it wins at least 1575 of 3000 on average.

Where games may be drawn or never end, such a game is half a point for each, as in the game's own
worths both players then get the same.

`compare` asks it as statisticians do now: it looks at pairs of games with seats swapped as they
come in, and stops as soon as the answer is clear. For scores x of pairs (0, 1/4, 1/2, 3/4 or 1:
the five outcomes that give the pentanomial test its name) with mean m and variance s^2, the
generalised log-likelihood ratio of "A scores 1/2 + margin" against "A scores 1/2" after n pairs is

    n x margin x (m - 1/2 - margin/2) / s^2,

and likewise for B. A player is called better when that passes log(2/alpha), and not better by the
margin when it falls below log(beta). So two players of equal strength are told apart with a chance
of at most alpha, and one that is better by the margin is missed with a chance of at most beta, as
far as the normal law of many pairs goes; benchmarks/sprt.py measures both.

Sources: "Finding the optimal strategy for the dice game Pig", University of Exeter, sections 2.5
and 3.3; Wald, "Sequential Analysis", 1947; Van den Bergh, "The generalized sequential probability
ratio test", as used by the Stockfish testing framework.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np

from dicelab.core import intervals
from dicelab.core.arrays import Array, Ints
from dicelab.core.exact import exactly
from dicelab.core.intervals import CONFIDENCE, Estimate
from dicelab.errors import RulesError
from dicelab.rules import Game, contract
from dicelab.solvers.sampling_kernels import A_WINS, DRAWN
from dicelab.strategies.followed import table_of_play
from dicelab.strategies.named import AnyStrategy, plan
from dicelab.table import Table
from dicelab.verbs.sampler import MOST_TURNS, Tallied, Tally, Walker, nothing, walker
from dicelab.verbs.simulate import check_numbers

MARGIN = 0.025
REPEATS, GAMES = 100, 3000  # the study's protocol
LOOK = 25
"""Pairs of games between two looks of the sequential test."""
MOST_GAMES = 10_000_000

A_BETTER, B_BETTER, NEITHER, UNDECIDED = "A", "B", "neither", "undecided"
"""What a test may answer. NEITHER: nobody is better by the margin. UNDECIDED: games ran out."""


def games_needed(margin: float = MARGIN, confidence: float = CONFIDENCE) -> int:
    """Return how many games bring the share of an even contest within a margin of a half.

    >>> games_needed(0.025, 0.95)     # the study's section 3.3.1
    1537
    """
    _check_margin(margin)
    intervals.check_confidence(confidence)
    from scipy.stats import norm

    return math.ceil((float(norm.ppf((1 + confidence) / 2)) / (2 * margin)) ** 2)


def wins_needed(games: int = GAMES, margin: float = MARGIN) -> int:
    """Return how many wins of so many games make a strategy the better one.

    >>> wins_needed(3000, 0.025)      # the study's section 3.3.4
    1575
    """
    _check_margin(margin)
    share = Fraction(1, 2) + (exactly(margin) or Fraction(0))
    return math.ceil(games * share)


def _check_margin(margin: float) -> None:
    if not 0 < margin < 0.5:
        raise RulesError(f"a margin is between 0 and 0.5, such as 0.025: got {margin!r}")


@dataclass(frozen=True, eq=False)
class FairTest:
    """The study's protocol: so many games, so many times over."""

    a: str
    b: str
    games: int
    margin: float
    points: Array = field(repr=False)  # [repeats] games that A won, and half of those nobody won
    seed: int

    @property
    def shares(self) -> Array:
        """A's share of each result. `[repeats]`"""
        return self.points / self.games

    @property
    def mean(self) -> float:
        """A's share over all results."""
        return float(self.points.mean() / self.games)

    @property
    def better(self) -> str:
        """Who is better: has as many points as `wins_needed` says, on average."""
        least = wins_needed(self.games, self.margin)
        average = float(self.points.mean())
        if average >= least:
            return A_BETTER
        return B_BETTER if self.games - average >= least else NEITHER


def fair_test(
    game: Game | Table,
    a: AnyStrategy,
    b: AnyStrategy,
    repeats: int = REPEATS,
    games: int = GAMES,
    margin: float = MARGIN,
    seed: int = 0,
) -> FairTest:
    """Return the study's fair test between two strategies.

    >>> from dicelab.games.pig import Pig
    >>> fair_test(Pig(target=20), "hold-at:10", "hold-at:2", repeats=10).better
    'A'
    """
    check_numbers(games, seed, MOST_TURNS, None)
    if repeats < 1:
        raise RulesError(f"a fair test needs a result or more: got repeats={repeats}")
    _check_margin(margin)
    table = table_of_play(game, a, b)
    ready, names = _ready(table, a, b)
    points = results(ready, games, repeats, seed)
    return FairTest(names[0], names[1], games, margin, points, seed)


def results(ready: Walker, games: int, repeats: int, *seed: int) -> Array:
    """Return A's points in each of several runs: 1 a win, 1/2 where nobody won. `[repeats]`"""
    ends = (ready.play(games, *seed, run).ends for run in range(repeats))
    return np.array([points_of(end) for end in ends])


def points_of(ends: Ints) -> float:
    """Return A's points: 1 for each win, 1/2 for each draw and each game that did not end."""
    return float(ends[:, A_WINS].sum() + ends[:, DRAWN:].sum() / 2)


def scatter(
    game: Game | Table,
    strategy: AnyStrategy,
    sizes: Sequence[int],
    repeats: int = REPEATS,
    seed: int = 0,
) -> Array:
    """Return the shares of points a strategy has against itself, for runs of several sizes.

    `[sizes, repeats]`: the points of the study's figure 15.
    """
    ready, _ = _ready(table_of_play(game, strategy), strategy, strategy)
    return np.array([results(ready, size, repeats, seed, size) / size for size in sizes])


def fair_tests(game: Game | Table, strategy: AnyStrategy, tests: int = 100, seed: int = 0) -> Array:
    """Return the means of several fair tests of a strategy against itself: figure 16. `[tests]`"""
    ready, _ = _ready(table_of_play(game, strategy), strategy, strategy)
    return np.array(
        [results(ready, GAMES, REPEATS, seed, test).mean() / GAMES for test in range(tests)]
    )


def _ready(table: Table, a: AnyStrategy, b: AnyStrategy) -> tuple[Walker, tuple[str, str]]:
    contract.refuse_many(table.game, "be compared in pairs of games")
    if table.game.players != 2:
        raise RulesError(f"{table.game} is played alone: there is nobody to compare with")
    if table.game.worth_to(0) != table.game.worth_to(1):
        raise RulesError(
            f"{table.game} has draws that are not worth the same to both seats, and pairs of games "
            f"count them as halves: evaluate and tournament tell what each player gets"
        )
    plans = plan(table, a), plan(table, b)
    return walker(table, plans), (plans[0].name, plans[1].name)


@dataclass(frozen=True)
class Rule:
    """When a sequential test stops."""

    margin: float = MARGIN
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        """Refuse numbers that make no test."""
        _check_margin(self.margin)
        for name in ("alpha", "beta"):
            chance = getattr(self, name)
            if not 0 < chance < 0.5:
                raise RulesError(f"{name} is a chance of error below 0.5: got {chance!r}")

    @property
    def upper(self) -> float:
        """The log-likelihood ratio that shows a player to be better; both may be wrong by alpha."""
        return math.log(2 / self.alpha)

    @property
    def lower(self) -> float:
        """The log-likelihood ratio that shows a player not to be better by the margin."""
        return math.log(self.beta)

    def ratios(self, pairs: Ints) -> tuple[float, float]:
        """Return the log-likelihood ratios for A and for B being better, from pair scores [5]."""
        scores, count = np.arange(5) / 4, int(pairs.sum())
        mean = float(pairs @ scores) / count
        # Half a pair won and half a pair lost are added, so that ten wins in a row are not
        # taken for a player without variance.
        variance = (float(pairs @ (scores - mean) ** 2) + 0.25) / (count + 1)
        scale = count * self.margin / variance
        return (
            scale * (mean - 0.5 - self.margin / 2),
            scale * (0.5 - mean - self.margin / 2),
        )


class Sequential:
    """A sequential test under way: shown pairs of games until it has an answer."""

    def __init__(self, rule: Rule) -> None:
        self.rule = rule
        self.ruled_out = {A_BETTER: False, B_BETTER: False}

    def look(self, pairs: Ints) -> str:
        """Return the answer that all pairs so far give; UNDECIDED: go on."""
        ratios = dict(zip((A_BETTER, B_BETTER), self.rule.ratios(pairs), strict=True))
        for player, ratio in ratios.items():
            if ratio >= self.rule.upper and not self.ruled_out[player]:
                return player
            self.ruled_out[player] |= ratio <= self.rule.lower
        return NEITHER if all(self.ruled_out.values()) else UNDECIDED


@dataclass(frozen=True, eq=False)
class Comparison(Tallied):
    """The answer of a sequential test, and what it rests on."""

    table: Table = field(repr=False)
    a: str
    b: str
    better: str  # A_BETTER, B_BETTER, NEITHER or UNDECIDED
    rule: Rule
    tally: Tally = field(repr=False)
    seed: int
    seconds: float

    @property
    def games(self) -> int:
        """How many games were played."""
        return int(self.tally.ends.sum())

    @property
    def pairs(self) -> list[int]:
        """Pairs of games by A's score: 0, 1/2, 1, 3/2 and 2 points."""
        return [int(count) for count in self.tally.pairs]

    @property
    def overall(self) -> Estimate:
        """A's share of wins. Having stopped when it was clear, it leans to the clear side."""
        return intervals.share(int(self.tally.ends[:, A_WINS].sum()), self.games)

    @property
    def score(self) -> Estimate:
        """A's share of points, which the test looks at: a game that nobody won counts a half."""
        return intervals.score(points_of(self.tally.ends), self.games, 0.0, 1.0)

    @property
    def ratios(self) -> tuple[float, float]:
        """The log-likelihood ratios at the end, for A and for B being better."""
        return self.rule.ratios(self.tally.pairs)


def compare(
    game: Game | Table,
    a: AnyStrategy,
    b: AnyStrategy,
    rule: Rule | None = None,
    seed: int = 0,
    most_games: int = MOST_GAMES,
    progress: Callable[[Tally], None] | None = None,
) -> Comparison:
    """Return whether A or B is better, from as few games as the answer needs.

    >>> from dicelab.games.pig import Pig
    >>> compare(Pig(target=20), "hold-at:10", "hold-at:2", seed=1).better
    'A'
    """
    table = table_of_play(game, a, b)
    began = time.perf_counter()
    check_numbers(most_games, seed, MOST_TURNS, None)
    if most_games < 2:
        raise RulesError(f"a comparison plays pairs of games, 2 or more: got games={most_games}")
    rule = rule or Rule()
    ready, names = _ready(table, a, b)
    better, tally = sequential(ready, rule, seed, most_games, progress)
    seconds = time.perf_counter() - began
    return Comparison(table, names[0], names[1], better, rule, tally, seed, seconds)


def sequential(
    ready: Walker,
    rule: Rule,
    seed: int,
    most_games: int = MOST_GAMES,
    progress: Callable[[Tally], None] | None = None,
) -> tuple[str, Tally]:
    """Return the answer of one sequential test, and the games it took."""
    test, tally, look = Sequential(rule), nothing(), 0
    answer = UNDECIDED
    left = most_games - most_games % 2
    while answer == UNDECIDED and left:
        games = min(2 * LOOK, left)
        tally += ready.play(games, seed, look)
        left -= games
        answer = test.look(tally.pairs)
        look += 1
        if progress:
            progress(tally)
    return answer, tally
