"""Figures of Dice Battle: what throws score, the maps of best play, blind play, equilibria."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from dicelab.core.arrays import Array
from dicelab.errors import TooLarge
from dicelab.games.dice_battle import DiceBattle, expected_points
from dicelab.games.throwing import number_of_dice
from dicelab.plots.kinds import Asked, Whole, kind, solved
from dicelab.plots.maps import board_maps
from dicelab.plots.style import BLUE, GREY, ORANGE, SKY, blank, headline, whole_numbers
from dicelab.verbs.evaluate import evaluate
from dicelab.verbs.evaluation import Evaluation
from dicelab.verbs.mixtures import SimultaneousSolution
from dicelab.verbs.solve import solve

STUDY = "the study of Dice Battle"
MOST_MIXED = 60
"""The most dice whose mixtures are drawn, a quarter of a minute; 100 dice take a whole one."""


def _after(questions: str) -> Callable[[DiceBattle], str]:
    """Return what a figure is after: question 6 asks about no points; at once nobody asked."""

    def of(game: DiceBattle) -> str:
        asked = {"one": questions, "zero": "question 6"}.get(game.variant)
        return f"{STUDY}, {asked}" if asked else ""

    return of


@kind(
    DiceBattle,
    "points",
    "the points a throw scores on average",
    f"{STUDY}, question 2",
    most_dice=Whole(14, 1, 100),
)
def points(asked: Asked) -> Figure:
    """Return EP(d), for one point and for none when a 1 falls."""
    dice = np.arange(1, asked.numbers["most_dice"] + 1)
    figure = blank(7.4, 4.2)
    axes = figure.subplots()
    for spoiled, colour, mark, told in ((1, BLUE, "o", "one point"), (0, ORANGE, "s", "nothing")):
        means = [float(expected_points(int(d), asked.game.die, spoiled)) for d in dice]
        axes.plot(dice, means, color=colour, marker=mark, markersize=5, label=f"a 1 scores {told}")
        best = int(np.argmax(np.round(means, 12)))
        axes.annotate(
            f"{means[best]:.3f}",
            (dice[best], means[best]),
            xytext=(0, 8 if spoiled else -16),
            textcoords="offset points",
            ha="center",
            color=colour,
            fontsize=9,
        )
    whole_numbers(axes.xaxis)
    axes.set(xlabel="dice thrown", ylabel="points scored on average")
    axes.set_ylim(0)
    axes.legend(fontsize=9, loc="lower right")
    headline(figure, "Dice Battle: what a throw scores on average, EP(d)")
    return figure


@kind(
    DiceBattle,
    "maps",
    "what positions are worth and how many dice to throw",
    _after("questions 4, 5"),
)
def maps(asked: Asked) -> Figure:
    """Return EG and OPT over both scores."""
    solution = solved(asked.game)
    figure = board_maps(solution)
    who = "who starts"
    if asked.game.is_simultaneous:
        who = "either player"
    headline(figure, f"{asked.game}: {float(solution.value):+.6f} for {who}")
    return figure


@kind(
    DiceBattle, "blind", "always the same number of dice, against best play", _after("question 3")
)
def blind(asked: Asked) -> Figure:
    """Return what each number of dice, always thrown, gains against best play."""
    game = asked.game
    solution = solved(game)
    dice = list(range(1, game.dice + 1))
    gains = []
    for number in dice:
        found = evaluate(solution.table, f"blind:{number}", solution.plan)
        assert isinstance(found, Evaluation)
        gains.append((float(found.values[0]), float(found.values[1])))
    first, second = np.array(gains).T
    figure = blank(7.4, 4.2)
    axes = figure.subplots()
    if game.is_simultaneous:  # nobody starts
        axes.bar(np.array(dice), first, width=0.6, color=BLUE, label="both throw at once")
        told = "best play against itself"
    else:
        axes.bar(np.array(dice) - 0.2, first, width=0.4, color=BLUE, label="blind starts")
        axes.bar(np.array(dice) + 0.2, second, width=0.4, color=SKY, label="best play starts")
        told = "best play starting"
    axes.axhline(float(solution.value), color=ORANGE, linestyle="--", linewidth=1.2)
    axes.annotate(
        f"{told}: {float(solution.value):+.4f}",
        (dice[0] - 0.5, float(solution.value)),
        xytext=(2, 4),
        textcoords="offset points",
        color=ORANGE,
        fontsize=9,
    )
    axes.axhline(0, color=GREY, linewidth=0.8)
    whole_numbers(axes.xaxis)
    axes.set(xlabel="dice that blind play always throws", ylabel="gain of blind play, per game")
    axes.legend(fontsize=9, loc="lower right")
    headline(figure, f"{game}: blind against best play")
    return figure


@kind(
    DiceBattle,
    "equilibria",
    "how to mix numbers of dice when both throw at once",
    "",
)
def equilibria(asked: Asked) -> Figure:
    """Return the mixtures of the game of one throw each, and those at level scores of the race.

    A variant by turns is drawn as its twin at once, and the headline says so.
    """
    game: DiceBattle = asked.game
    if game.dice > MOST_MIXED:
        raise TooLarge(
            f"{game} has a matrix game for each number of dice and for each pair of scores, "
            f"{game.dice + game.target**2:,} of up to {game.dice} x {game.dice} throws: "
            f"equilibria are drawn up to dice={MOST_MIXED}"
        )
    if not game.is_simultaneous:
        game = replace(
            game, variant="simultaneous" if game.variant == "one" else "simultaneous-zero"
        )
    figure = blank(10.4, 4.4)
    left, right = figure.subplots(1, 2)
    once = np.full((game.dice, game.dice), np.nan)
    for most in range(1, game.dice + 1):
        for number, share in mixture(replace(game, dice=most, target=1), "0-0").items():
            once[number - 1, most - 1] = 100 * share
    _mixtures(figure, left, once, 1)
    left.set(
        xlabel="dice there are", ylabel="dice thrown", title="one throw each: the larger sum wins"
    )
    solution = solved(game)
    race = np.full((game.dice, game.target), np.nan)
    for score in _level_scores(solution):
        for move, share in _mixed(solution, f"{score}-{score}").items():
            race[number_of_dice(move) - 1, score] = 100 * float(share)
    _mixtures(figure, right, race, 0)
    right.set(
        xlabel="both players have",
        ylabel="dice thrown",
        title=f"the race to {game.target}, level",
    )
    twin = "" if asked.game.is_simultaneous else ", both throwing at once"
    headline(figure, f"{game}: how to mix{twin}")
    return figure


def _level_scores(solution: Any) -> list[int]:
    """Return the scores that both players can have at the same time while they play on."""
    table = solution.table
    mine, yours = (scores[table.is_ongoing] for scores in table.scores)
    return sorted({int(score) for score in mine[mine == yours]})


def mixture(game: DiceBattle, at: str) -> dict[int, float]:
    """Return how often best play throws each number of dice where both throw at once."""
    found = _mixed(solve(game), at)
    return {number_of_dice(move): float(share) for move, share in found.items()}


def _mixed(solution: Any, at: str) -> dict[str, Any]:
    assert isinstance(solution, SimultaneousSolution)
    return solution.mixture_at(at)


def _mixtures(figure: Figure, axes: Axes, shares: Array, first: int) -> None:
    """Draw a mixture in each column, numbers of dice going up."""
    extent = (first - 0.5, first + shares.shape[1] - 0.5, 0.5, shares.shape[0] + 0.5)
    image = axes.imshow(
        shares, origin="lower", aspect="auto", cmap="cividis_r", vmin=0, vmax=100, extent=extent
    )
    figure.colorbar(image, ax=axes, pad=0.02).set_label("of throws (%)")
    whole_numbers(axes.xaxis, axes.yaxis)
