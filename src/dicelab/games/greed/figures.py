"""Figures of Greed: the law of a sum, ratings and dice in last and ordinary turns."""

from __future__ import annotations

from typing import Any

from matplotlib.figure import Figure

from dicelab.games.greed import Greed
from dicelab.plots.kinds import Asked, kind, solved
from dicelab.plots.maps import board_maps
from dicelab.plots.style import COLOURS, MARKS, blank, headline
from dicelab.rules.dice import sum_law

STUDY = "the study of Greed"


@kind(Greed, "sums", "the law of the sum of some dice", f"{STUDY}, figure 2", least=2, most_dice=4)
def sums(asked: Asked) -> Figure:
    """Return the laws of sums of a few numbers of dice."""
    least = max(1, asked.numbers["least"])
    figure = blank(7.4, 4.2)
    axes = figure.subplots()
    for place, dice in enumerate(range(least, max(least, asked.numbers["most_dice"]) + 1)):
        law = sum_law(asked.game.die, dice)
        look: dict[str, Any] = {
            "color": COLOURS[place % 7],
            "marker": MARKS[place % 7],
            "markersize": 5,
        }
        axes.plot(
            list(law),
            [100 * float(chance) for chance in law.values()],
            label=f"{dice} dice",
            **look,
        )
    axes.set(xlabel="sum of the dice", ylabel="chance (%)")
    axes.set_ylim(0)
    axes.legend(fontsize=9)
    headline(figure, f"The sum of dice with {asked.game.die.sides} sides")
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
