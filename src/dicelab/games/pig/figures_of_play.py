"""Figures of Pig that come from playing many games: the study's boxplot and figures 15 to 18."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from matplotlib.figure import Figure

from dicelab.core.arrays import Array
from dicelab.errors import RulesError
from dicelab.games.pig.figures import STUDY
from dicelab.games.pig.rules import Pig
from dicelab.plots.kinds import Asked, Whole, kind
from dicelab.plots.play import (
    fair_tests_picture,
    heat_map,
    one_against_all_picture,
    scatter_picture,
)
from dicelab.plots.style import BLUE, GREY, ORANGE, RED, SKY, blank, headline
from dicelab.solvers.sampling_kernels import A_WINS, B_WINS
from dicelab.strategies.named import plan
from dicelab.table import compile
from dicelab.verbs.evaluate import evaluate
from dicelab.verbs.evaluation import Evaluation
from dicelab.verbs.fair_test import fair_tests, scatter
from dicelab.verbs.sampler import walker
from dicelab.verbs.tournament import Tournament, members, tournament

PAIRS = ("hold-at:20", "hold-at:21", "hold-at:15", "hold-at:20", "hold-at:1", "hold-at:80")


@kind(
    Pig,
    "boxplot",
    "simulated results beside the exact chance",
    f"{STUDY}, section 2.3.4",
    strategies=("hold-at:20", "hold-at:21"),
    games=1000,
    repeats=1000,
    seed=Whole(0, 0),
)
def boxplot(asked: Asked) -> Figure:
    """Return how often A wins when A starts, in many series of games, and the exact chance."""
    a, b = _two(asked)
    games, repeats = asked.numbers["games"], asked.numbers["repeats"]
    wins, exact = series(asked.game, a, b, games, repeats, asked.numbers["seed"])
    shares = 100 * wins / games
    figure = blank(8.4, 3.4)
    axes = figure.subplots()
    axes.boxplot(
        shares,
        orientation="horizontal",
        widths=0.5,
        patch_artist=True,
        boxprops={"facecolor": SKY, "edgecolor": BLUE},
        medianprops={"color": "black", "linewidth": 1.6},
        flierprops={"marker": ".", "markersize": 4, "markeredgecolor": BLUE},
    )
    axes.axvline(100 * exact, color=RED, linestyle="--", linewidth=1.4)
    axes.annotate(
        f"exact {100 * exact:.4f}%",
        (100 * exact, 1.33),
        xytext=(5, 0),
        textcoords="offset points",
        color=RED,
        fontsize=9,
    )
    axes.set_ylim(0.55, 1.5)
    axes.set_yticks([])
    axes.set_xlabel(f"games that {a} wins when it starts against {b} (%)")
    axes.set_title(f"{repeats:,} series of {games:,} games; median {np.median(shares):.2f}%")
    headline(figure, f"{asked.game}: simulated beside exact")
    return figure


def series(game: Pig, a: str, b: str, games: int, repeats: int, seed: int) -> tuple[Array, float]:
    """Return A's wins in series of games that A starts, and the exact chance. `[repeats]`"""
    table = compile(game)
    plans = (plan(table, a), plan(table, b))
    ready = walker(table, plans)
    # Games come in pairs with seats swapped; those that A starts are half of them.
    ends = (ready.play(2 * games, seed, run).ends[0, A_WINS] for run in range(repeats))
    wins = np.fromiter(ends, np.int64, repeats)
    exact = evaluate(table, *plans)
    assert isinstance(exact, Evaluation)
    return wins, float(exact.first)


def _two(asked: Asked) -> tuple[str, str]:
    if len(asked.strategies) != 2:
        raise RulesError(f"this figure needs two strategies: got {' '.join(asked.strategies)}")
    return asked.strategies[0], asked.strategies[1]


@kind(
    Pig,
    "scatter",
    "shares won against itself, by the number of games",
    f"{STUDY}, figure 15",
    strategies=("hold-at:20",),
    games=Whole(4000, 2),
    sizes=100,
    repeats=100,
    seed=Whole(1, 0),
)
def scatter_(asked: Asked) -> Figure:
    """Return figure 15."""
    numbers = asked.numbers
    count, step = numbers["sizes"], numbers["games"] // numbers["sizes"]
    if step < 2:
        raise RulesError(
            f"the figure 'scatter' needs two games or more for each of its sizes: "
            f"got games={numbers['games']} sizes={count}"
        )
    sizes = range(step, step * count + 1, step)
    shares = scatter(asked.game, asked.strategies[0], sizes, numbers["repeats"], numbers["seed"])
    figure = scatter_picture(sizes, shares)
    headline(figure, f"{asked.game}: {asked.strategies[0]} against itself")
    return figure


@kind(
    Pig,
    "fair-tests",
    "the means of fair tests of a strategy against itself",
    f"{STUDY}, figure 16",
    strategies=("hold-at:20",),
    tests=100,
    seed=Whole(1, 0),
)
def fair_tests_(asked: Asked) -> Figure:
    """Return figure 16."""
    tests = asked.numbers["tests"]
    means = fair_tests(asked.game, asked.strategies[0], tests, asked.numbers["seed"])
    figure = fair_tests_picture(means)
    headline(figure, f"{asked.game}: {asked.strategies[0]} in fair tests against itself")
    return figure


@kind(
    Pig,
    "pairs",
    "simulated chances of pairs of strategies less the exact ones",
    f"{STUDY}, figure 17",
    strategies=PAIRS,
    most=40,
    games=Whole(300_000, 2),
    seed=Whole(1, 0),
)
def pairs(asked: Asked) -> Figure:
    """Return figure 17 as dots: how far simulated chances of a player who starts lie from exact."""
    names = asked.strategies
    if len(names) % 2:
        raise RulesError(f"pairs are two strategies each: got {' '.join(names)}")
    table = compile(asked.game)
    games = asked.numbers["games"]
    couples = list(zip(names[::2], names[1::2], strict=True))
    figure = blank(8.4, 1.9 + 0.45 * len(couples))
    axes = figure.subplots()
    for row, (a, b) in enumerate(couples):
        plans = (plan(table, a), plan(table, b))
        exact = evaluate(table, *plans)
        assert isinstance(exact, Evaluation)
        ends = walker(table, plans).play(games, asked.numbers["seed"], row).ends
        for seat, chance, mark, colour in (
            (0, exact.first, "o", BLUE),
            (1, exact.second, "s", ORANGE),
        ):
            played = int(ends[seat].sum())
            won = ends[seat, A_WINS if seat == 0 else B_WINS]
            error = (chance * (1 - chance) / played) ** 0.5
            axes.errorbar(
                100 * (won / played - chance),
                row + 0.16 * (2 * seat - 1),
                xerr=196 * error,
                fmt=mark,
                color=colour,
                markersize=5,
                capsize=2,
                linewidth=1.2,
                label=None if row else ("A starts" if seat == 0 else "B starts"),
            )
    axes.axvline(0, color=GREY, linewidth=1)
    axes.set_yticks(range(len(couples)), [f"{a} v {b}" for a, b in couples])
    axes.invert_yaxis()
    axes.set_xlabel("simulated less exact chance of who starts (%), with its 95% interval")
    axes.legend(fontsize=9)
    headline(figure, f"{asked.game}: {games:,} games a pair beside the exact chances")
    return figure


@kind(
    Pig,
    "champion",
    "how one strategy fares against a family",
    f"{STUDY}, figure 18",
    strategies=("hold-at:25", "hold-at:1..100"),
    most=40,
)
def champion(asked: Asked) -> Figure:
    """Return figure 18: the first strategy against all the others."""
    names = members(asked.strategies[1:])
    one = asked.strategies[0]
    found = tournament_of(asked.game, tuple(names if one in names else [one, *names]))
    return one_against_all_picture(found, one)


@kind(
    Pig,
    "tournament",
    "who beats whom, exactly",
    f"{STUDY}, section 3.3.5",
    strategies=("hold-at:1..100",),
    most=200,
)
def tournament_(asked: Asked) -> Figure:
    """Return who gets what from whom."""
    found = tournament_of(asked.game, tuple(members(asked.strategies)))
    return heat_map(found)


@lru_cache(maxsize=4)
def tournament_of(game: Pig, names: tuple[str, ...]) -> Tournament:
    """Return the exact round robin of some strategies, worked out once for all its figures."""
    found = tournament(game, names, workers=1)
    assert isinstance(found, Tournament)
    return found
