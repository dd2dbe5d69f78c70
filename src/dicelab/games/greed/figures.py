"""Figures of Greed: the law of a sum, ratings and dice in last and ordinary turns."""

from __future__ import annotations

import sys

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Patch

from dicelab.errors import RulesError
from dicelab.games.greed import Greed
from dicelab.games.greed.solver import Advantages, GreedSolution
from dicelab.games.throwing import throw
from dicelab.plots.kinds import Asked, Whole, kind, solved
from dicelab.plots.maps import board_maps
from dicelab.plots.style import (
    BLUE,
    GREEN,
    GREY,
    ORANGE,
    PALE,
    PURPLE,
    RED,
    blank,
    headline,
    line_of,
    whole_numbers,
)
from dicelab.rules.dice_laws import sum_law

STUDY = "the study of Greed"


@kind(
    Greed,
    "sums",
    "the law of the sum of some dice",
    f"{STUDY}, figure 2",
    least=Whole(2, 1, 100),
    most_dice=Whole(4, 1, 100),
)
def sums(asked: Asked) -> Figure:
    """Return the laws of sums of a few numbers of dice."""
    least, most = asked.numbers["least"], asked.numbers["most_dice"]
    if least > most:
        raise RulesError(
            f"the figure 'sums' goes from least to most_dice: got least={least} most_dice={most}"
        )
    figure = blank(7.4, 4.2)
    axes = figure.subplots()
    for place, dice in enumerate(range(least, most + 1)):
        law = sum_law(asked.game.die, dice)
        chances = [100 * float(chance) for chance in law.values()]
        axes.plot(list(law), chances, label=f"{dice} dice", markersize=5, **line_of(place))
    axes.set(xlabel="sum of the dice", ylabel="chance (%)")
    axes.set_ylim(0)
    axes.legend(fontsize=9)
    headline(figure, f"The sum of dice with {asked.game.die.sides} sides")
    return figure


@kind(
    Greed,
    "window",
    "which sums win a last turn, and how likely they are",
    f"{STUDY}, figure 1",
    mine=Whole(lambda game: 4 * game.max // 5, 0),
    yours=Whole(lambda game: 9 * game.max // 10, 0),
)
def window(asked: Asked) -> Figure:
    """Return the law of the score after a last throw, for the best number of dice and its sides."""
    game, mine, yours = asked.game, *_scores(asked)
    solution = _solved(game)
    best = solution.best_dice(f"{mine}-{yours} last")[0]
    asked_dice = range(max(0, best - 1), best + 2)
    figure = blank(8.4, 1.2 + 1.9 * len(asked_dice))
    panels = figure.subplots(len(asked_dice), 1, sharex=True, sharey=True, squeeze=False).ravel()
    for axes, dice in zip(panels, asked_dice, strict=True):
        _after_throw(axes, game, (mine, yours), dice)
        rating = float(solution.value_of(f"{mine}-{yours} last", throw(dice)).value)
        told = ", the best" if dice == best else ""
        axes.set_title(f"{throw(dice)}: rating {rating:.4f}{told}", fontsize=10)
    panels[-1].set_xlabel("score after the throw")
    marks = [Patch(color=colour, label=told) for told, colour, _ in _endings(game, yours)]
    figure.legend(handles=marks, loc="outside upper right", ncols=4, fontsize=9)
    headline(figure, f"{game}: the last turn with {mine} against {yours}")
    return figure


def _solved(game: Greed) -> GreedSolution:
    found = solved(game)
    assert isinstance(found, GreedSolution)
    return found


def _scores(asked: Asked) -> tuple[int, int]:
    """Return the two scores a figure is about, refused where they are beyond the maximum."""
    mine, yours, most = asked.numbers["mine"], asked.numbers["yours"], asked.game.max
    if max(mine, yours) > most:
        raise RulesError(f"scores of {asked.game} are 0 to {most}: got mine={mine}, yours={yours}")
    return mine, yours


def _after_throw(axes: Axes, game: Greed, scores: tuple[int, int], dice: int) -> None:
    """Draw the law of the score after one throw, coloured by how the game then ends."""
    mine, yours = scores
    law = {mine + total: 100 * float(p) for total, p in sum_law(game.die, dice).items()}
    for _, colour, ends in _endings(game, yours):
        here = [score for score in law if score in ends]
        axes.bar(here, [law[score] for score in here], color=colour, width=0.85)
    axes.axvspan(yours + 0.5, game.max + 0.5, color=PALE, alpha=0.5, zorder=0)
    axes.set_ylabel("chance (%)")
    whole_numbers(axes.xaxis)


def _endings(game: Greed, yours: int) -> list[tuple[str, str, range]]:
    """Return how a last turn ends, its colour, and the scores that end it so."""
    return [
        ("loses", GREY, range(yours)),
        ("ties", ORANGE, range(yours, yours + 1)),
        ("wins", BLUE, range(yours + 1, game.max + 1)),
        ("bust", RED, range(game.max + 1, sys.maxsize)),
    ]


@kind(
    Greed,
    "dice",
    "the rating of each number of dice, in a last and in an ordinary turn",
    f"{STUDY}, conjectures 1 and 2",
    mine=Whole(lambda game: 3 * game.max // 5, 0),
    yours=Whole(lambda game: 4 * game.max // 5, 0),
)
def dice_(asked: Asked) -> Figure:
    """Return the rating against the number of dice at one pair of scores."""
    game, mine, yours = asked.game, *_scores(asked)
    solution = _solved(game)
    room, gap = game.max - mine, yours - mine
    dice = np.arange(room // game.die.faces[0] + 1)
    mean = float(game.die.mean())
    figure = blank(9, 4.2)
    panels = figure.subplots(1, 2, sharey=True)
    for axes, stage, limit, told in (
        (panels[0], " last", (gap + room) / (2 * mean), "the mean passes the middle"),
        (panels[1], "", room / mean, "the mean passes the maximum"),
    ):
        at = f"{mine}-{yours}{stage}"
        rated = [float(solution.value_of(at, throw(int(n))).value) for n in dice]
        axes.plot(dice, rated, color=BLUE, marker="o", markersize=3.5)
        axes.axvline(limit, color=ORANGE, linestyle="--", linewidth=1.2, label=told)
        best = solution.best_dice(at)
        axes.plot(best, [rated[n] for n in best], "o", color=GREEN, markersize=8, label="best")
        axes.set_title(f"{at}: {' or '.join(throw(n) for n in best)}")
        axes.set_xlabel("dice thrown")
        whole_numbers(axes.xaxis)
        axes.legend(fontsize=9)
    panels[0].set_ylabel("rating")
    panels[0].set_ylim(0)
    headline(figure, f"{game}: what each number of dice is worth")
    return figure


@kind(Greed, "last", "ratings and best dice in last turns", f"{STUDY}, figure 3")
def last(asked: Asked) -> Figure:
    """Return the map of last turns."""
    figure = board_maps(solved(asked.game), "last")
    headline(figure, f"{asked.game}: the last turn")
    return figure


@kind(Greed, "ordinary", "ratings and best dice in ordinary turns", f"{STUDY}, figure 4")
def ordinary(asked: Asked) -> Figure:
    """Return the map of ordinary turns."""
    solution = solved(asked.game)
    figure = board_maps(solution, "normal")
    headline(figure, f"{asked.game}: ordinary turns; {float(solution.value):.6f} for who starts")
    return figure


def advantage_picture(found: Advantages) -> Figure:
    """Return how much better it is to go first in Greed, by the maximum and by the die."""
    figure = blank(10, 4.6)
    left, right = figure.subplots(1, 2)
    size = float(np.abs(found.more).max()) or 1.0
    extent = (
        found.maxima[0] - 0.5,
        found.maxima[-1] + 0.5,
        found.sides[0] - 0.5,
        found.sides[-1] + 0.5,
    )
    image = left.imshow(
        found.more.T,
        origin="lower",
        extent=extent,
        aspect="auto",
        cmap="PuOr",
        vmin=-size,
        vmax=size,
        interpolation="nearest",
    )
    figure.colorbar(image, ax=left).set_label("first player's rating less the second's")
    left.set(xlabel="maximum", ylabel="sides of the die", title="going first in greed")
    places = sorted({round(part * (len(found.sides) - 1) / 3) for part in range(4)})
    for place, colour in zip(places, (BLUE, ORANGE, GREEN, PURPLE), strict=False):
        name = f"{found.sides[place]} sides"
        right.plot(found.maxima, found.more[:, place], color=colour, label=name)
    right.axhline(0, color=GREY, linewidth=0.8)
    right.set(xlabel="maximum", ylabel="advantage", title="the same, for some dice")
    right.legend(fontsize=9)
    return figure
