"""Maps over two scores: what positions are worth, and how many dice to throw."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from dicelab.core.arrays import Array
from dicelab.plots.style import Look, blank, whole_numbers
from dicelab.verbs.solution import Board, Solution

MAP = "PuOr"
"""Colours of values that are better or worse than an even share."""

MOST_LABELLED = 25
"""Scores up to which every cell has its number of dice in it."""


def board_maps(solution: Solution, name: str | None = None) -> Figure:
    """Return the maps of one board of a solution; a small one is a single map with numbers."""
    board = next(each for each in solution.boards() if name in (None, each.name))
    values = np.asarray(board.values, np.float64)
    small = values.shape[0] <= MOST_LABELLED
    figure = blank(7.6, 6.6) if small else blank(11, 5.4)
    figure.set_layout_engine("compressed", h_pad=0.08)  # maps keep their shape
    panels = [figure.subplots()] if small else list(figure.subplots(1, 2))
    even = float(solution.game.total) / 2
    score_map(figure, panels[0], values, MAP, solution.game.unit, even)
    panels[0].set_title(solution.game.unit)
    if small:
        number_cells(panels[0], board, fontsize=7, even=even)
        panels[0].set_title(f"colour: {solution.game.unit}; number: {_told(board)}")
    else:
        score_map(figure, panels[1], np.asarray(board.dice, np.float64), "viridis", "dice")
        panels[1].set_title(board.shown)
    return figure


def _told(board: Board) -> str:
    if board.mixes is None:
        return board.shown
    return f"{board.shown},\nwith a dot where play mixes several"


def span_around(shown: Array, even: float) -> float:
    """Return how far from an even share most values lie: the few beyond share the last colour."""
    apart = np.abs(shown[np.isfinite(shown)] - even)
    return float(np.quantile(apart, 0.95)) or float(apart.max(initial=0)) or 1.0


def score_map(
    figure: Figure,
    axes: Axes,
    shown: Array,
    colours: str,
    told: str = "",
    even: float | None = None,
) -> None:
    """Draw numbers over both scores, my own to the right. `shown` is [mine, yours].

    With `even`, what an even share is worth, colours part there: better one way, worse the other.
    """
    low = high = span = None
    if even is not None:
        span = span_around(shown, even)
        low, high = even - span, even + span
    image = axes.imshow(
        shown.T, origin="lower", cmap=colours, interpolation="nearest", vmin=low, vmax=high
    )
    beyond = "both" if even is not None and (np.abs(shown - even) > span).any() else "neither"
    figure.colorbar(image, ax=axes, shrink=0.85, pad=0.02, extend=beyond).set_label(told)
    axes.set(xlabel="my score", ylabel="the other player's score")
    whole_numbers(axes.xaxis, axes.yaxis)


def number_cells(axes: Axes, board: Board, fontsize: int, even: float) -> None:
    """Write the number of dice into each cell, white where the colour is dark."""
    shown = np.asarray(board.values, np.float64)
    dark = 0.7 * span_around(shown, even)
    for (mine, yours), number in np.ndenumerate(np.asarray(board.dice, np.float64)):
        if np.isfinite(number):
            colour = "white" if abs(shown[mine, yours] - even) > dark else "black"
            mixed = board.mixes is not None and board.mixes[mine, yours]
            look: Look = {"ha": "center", "va": "center", "fontsize": fontsize}
            text = f"{number:.0f}\N{MIDDLE DOT}" if mixed else f"{number:.0f}"
            axes.text(mine, yours, text, color=colour, **look)
