"""Pictures of play: who beats whom, how shares scatter, and the study's figures 15, 16 and 18."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from dicelab.plots.style import BLUE, GREEN, GREY, ORANGE, blank, house_style, small_print
from dicelab.rules import LOSS, WIN
from dicelab.verbs.fair_test import MARGIN
from dicelab.verbs.tournament import Tournament

NAMED = 30
"""Up to so many strategies, each gets its name on the axes."""


def gets(found: Tournament) -> str:
    """Return what the numbers of a tournament are, in words that follow a name."""
    if found.game.unit != "chance to win":
        return f"gets, {found.game.unit}"
    return "wins, %" if found.only_wins_count else "scores, draws counted, %"


def heat_map(found: Tournament, command: str) -> Figure:
    """Return who gets what as colours: light where the row gets much, dark where little."""
    with house_style():
        figure = blank(7.4, 6.2)
        axes = figure.subplots()
        scale = 100 if found.game.unit == "chance to win" else 1
        low, high = (float(found.game.worth[end]) for end in (LOSS, WIN))
        image = axes.imshow(
            scale * found.values, cmap="cividis", vmin=scale * low, vmax=scale * high
        )
        figure.colorbar(image, ax=axes, shrink=0.85).set_label(f"the row {gets(found)}")
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
        axes.set(xlabel="games played", ylabel="share of points against itself")
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
        axes.set(xlabel="fair test", ylabel="share of points against itself")
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
        row = found.values[found.names.index(name)]
        axes.plot(np.arange(1, row.size + 1), row, ".", color=BLUE)
        axes.axhline(float(found.game.total) / 2, color=GREY, linewidth=1)
        said = gets(found).removesuffix(", %")
        axes.set(xlabel="opponent, in the order given", ylabel=f"{name} {said}")
        axes.set_title(f"The study's figure 18: {name} against each of {row.size}")
        small_print(figure, command)
    return figure
