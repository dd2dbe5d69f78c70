"""Maps over two scores: what positions are worth, and how many dice to throw."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from dicelab.plots.score_maps import boards
from dicelab.plots.style import blank
from dicelab.verbs.solution import Solution

MOST_LABELLED = 25
"""Scores up to which every cell has its number of dice in it."""


def board_maps(solution: Solution, name: str | None = None) -> Figure:
    """Return the maps of one board of a solution; a small one is a single map with numbers."""
    board = next(each for each in boards(solution) if name in (None, each.name))
    values = np.asarray(board.values, np.float64)
    small = values.shape[0] <= MOST_LABELLED
    figure = blank(7.6, 6.6) if small else blank(11, 5.4)
    figure.set_layout_engine("compressed", h_pad=0.08)  # maps keep their shape
    panels = [figure.subplots()] if small else list(figure.subplots(1, 2))
    score_map(figure, panels[0], values, "cividis", solution.game.unit)
    panels[0].set_title(solution.game.unit)
    if small:
        number_cells(panels[0], board.dice, values, fontsize=7)
        panels[0].set_title(f"colour: {solution.game.unit}; number: dice to throw")
    else:
        score_map(figure, panels[1], np.asarray(board.dice, np.float64), "viridis", "dice")
        panels[1].set_title("dice to throw")
    return figure


def score_map(figure: Figure, axes: Any, shown: Any, colours: str, told: str = "") -> None:
    """Draw numbers over both scores, my own to the right. `shown` is [mine, yours]."""
    image = axes.imshow(shown.T, origin="lower", cmap=colours, interpolation="nearest")
    figure.colorbar(image, ax=axes, shrink=0.85, pad=0.02).set_label(told)
    axes.set(xlabel="my score", ylabel="the other player's score")
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_locator(MaxNLocator(integer=True))


def number_cells(axes: Any, dice: Any, shown: Any, fontsize: int) -> None:
    """Write the number of dice into each cell, dark on light or light on dark."""
    middle = np.nanmin(shown) + 0.55 * (np.nanmax(shown) - np.nanmin(shown))
    for (mine, yours), number in np.ndenumerate(np.asarray(dice, np.float64)):
        if np.isfinite(number):
            colour = "black" if shown[mine, yours] > middle else "white"
            look: dict[str, Any] = {"ha": "center", "va": "center", "fontsize": fontsize}
            axes.text(mine, yours, f"{number:.0f}", color=colour, **look)
