"""Pictures of play: who beats whom, how shares scatter, and the study's figures 15, 16 and 18."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from dicelab.plots.style import BLUE, GREEN, GREY, ORANGE, blank, house_style, small_print
from dicelab.verbs.fair_test import MARGIN
from dicelab.verbs.tournament import Tournament

NAMED = 30
"""Up to so many strategies, each gets its name on the axes."""


def heat_map(found: Tournament, command: str) -> Figure:
    """Return the matrix of wins as colours: light where the row wins, dark where it loses."""
    with house_style():
        figure = blank(7.4, 6.2)
        axes = figure.subplots()
        image = axes.imshow(100 * found.wins, cmap="cividis", vmin=0, vmax=100)
        figure.colorbar(image, ax=axes, shrink=0.85).set_label("the row wins, %")
        count = len(found.names)
        ticks = np.arange(count) if count <= NAMED else np.linspace(0, count - 1, 11).astype(int)
        labels = [found.names[i] for i in ticks]
        axes.set_xticks(ticks, labels, rotation=90, fontsize=7)
        axes.set_yticks(ticks, labels, fontsize=7)
        axes.set(xlabel="column", ylabel="row")
        axes.set_title(f"{found.game}: who beats whom. Best: {found.best}")
        small_print(figure, command)
    return figure


def scatter_picture(sizes: Sequence[int], shares: Any, command: str) -> Figure:
    """Return the shares of a strategy against itself by number of games: figure 15.

    `shares` is [sizes, repeats]. The curve is where 95 of 100 points should lie.
    """
    with house_style():
        figure = blank(8.4, 4.6)
        axes = figure.subplots()
        across = np.repeat(np.asarray(sizes), shares.shape[1])
        look: dict[str, Any] = {
            "color": BLUE,
            "alpha": 0.12,
            "markersize": 3,
            "mew": 0,
            "rasterized": True,
        }
        axes.plot(across, shares.ravel(), ".", **look)
        wide = np.linspace(max(1, min(sizes)), max(sizes), 400)
        for sign in (-1, 1):
            axes.plot(wide, 0.5 + sign * 0.98 / np.sqrt(wide), color=ORANGE)
            axes.axhline(0.5 + sign * MARGIN, color=GREY, linewidth=1)
        inside = (np.abs(shares - 0.5) <= MARGIN).mean(axis=1)
        axes.set_ylim(0.3, 0.7)
        axes.set(xlabel="games played", ylabel="share won against itself")
        axes.set_title(
            f"The study's figure 15: at {sizes[-1]} games "
            f"{100 * inside[-1]:.0f}% of results are within {MARGIN} of a half"
        )
        small_print(figure, command)
    return figure


def fair_tests_picture(means: Any, command: str) -> Figure:
    """Return the means of fair tests of a strategy against itself: figure 16. `means` [tests]"""
    with house_style():
        figure = blank(8.4, 3.6)
        axes = figure.subplots()
        axes.plot(np.arange(1, len(means) + 1), means, "o", color=BLUE, markersize=3)
        axes.axhline(0.5, color=GREY, linewidth=1)
        axes.axhline(float(np.mean(means)), color=GREEN, linewidth=1)
        axes.set(xlabel="fair test", ylabel="share won against itself")
        axes.set_title(
            f"The study's figure 16: {len(means)} fair tests, "
            f"from {np.min(means):.4f} to {np.max(means):.4f}, mean {np.mean(means):.4f}"
        )
        small_print(figure, command)
    return figure


def one_against_all_picture(found: Tournament, name: str, command: str) -> Figure:
    """Return how one strategy fares against each of a family: figure 18."""
    with house_style():
        figure = blank(8.4, 3.8)
        axes = figure.subplots()
        row = found.wins[found.names.index(name)]
        axes.plot(np.arange(1, row.size + 1), row, ".", color=BLUE)
        axes.axhline(0.5, color=GREY, linewidth=1)
        axes.set(xlabel="opponent, in the order given", ylabel=f"{name} wins")
        axes.set_title(f"The study's figure 18: {name} against each of {row.size}")
        small_print(figure, command)
    return figure
