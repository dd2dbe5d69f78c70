"""Maps over two scores: what positions are worth, and how many dice to throw."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from dicelab.boards import Board, boards
from dicelab.plots.style import blank
from dicelab.solution import Solution

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
    _map(figure, panels[0], values, solution.game.unit, "cividis")
    panels[0].set_title(solution.game.unit)
    if small:
        _number(panels[0], board, values)
        panels[0].set_title(f"colour: {solution.game.unit}; number: dice to throw")
    else:
        _map(figure, panels[1], np.asarray(board.dice, np.float64), "dice", "viridis")
        panels[1].set_title("dice to throw")
    return figure


def _map(figure: Figure, axes: Any, shown: Any, told: str, colours: str) -> None:
    image = axes.imshow(shown.T, origin="lower", cmap=colours, interpolation="nearest")
    figure.colorbar(image, ax=axes, shrink=0.85, pad=0.02).set_label(told)
    axes.set(xlabel="my score", ylabel="the other player's score")
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_locator(MaxNLocator(integer=True))


def _number(axes: Any, board: Board, values: Any) -> None:
    """Write the number of dice into each cell, dark on light or light on dark."""
    low, high = np.nanmin(values), np.nanmax(values)
    for (mine, yours), dice in np.ndenumerate(board.dice):
        if np.isfinite(float(dice)):
            light = values[mine, yours] > low + 0.55 * (high - low)
            axes.text(
                mine,
                yours,
                f"{float(dice):.0f}",
                ha="center",
                va="center",
                fontsize=7,
                color="black" if light else "white",
            )
