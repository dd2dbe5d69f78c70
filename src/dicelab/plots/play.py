"""Pictures of play: who beats whom, how shares scatter, and the study's figures 15, 16 and 18."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.figure import Figure

from dicelab.core.arrays import Array, Floats
from dicelab.plots.style import BLUE, GREY, RED, Look, blank, headline, whole_numbers
from dicelab.verbs.fair_test import MARGIN
from dicelab.verbs.tournament import Tournament

NAMED = 30
"""Up to so many strategies, each gets its name on the axes."""

NUMBERED = 12
"""Up to so many strategies, each cell has its number in it."""


def gets(found: Tournament) -> str:
    """Return what the numbers of a tournament are, in words that follow a name."""
    if found.game.unit != "chance to win":
        return f"gets, {found.game.unit}"
    return "wins, %" if found.only_wins_count else "scores, draws counted, %"


def heat_map(found: Tournament) -> Figure:
    """Return who gets what as colours that part at an even share, with numbers where they fit."""
    figure = blank(7.4, 6.2)
    axes = figure.subplots()
    scale = 100 if found.game.unit == "chance to win" else 1
    shown, even = scale * found.values, scale * float(found.game.total) / 2
    apart = float(np.nanmax(np.abs(shown - even))) or scale
    image = axes.imshow(shown, cmap="PuOr", vmin=even - apart, vmax=even + apart)
    figure.colorbar(image, ax=axes, shrink=0.85).set_label(f"the one at the left {gets(found)}")
    count = len(found.names)
    ticks = np.arange(count) if count <= NAMED else np.linspace(0, count - 1, 11).astype(int)
    labels = [found.names[i] for i in ticks]
    axes.set_xticks(ticks, labels, rotation=90, fontsize=7)
    axes.set_yticks(ticks, labels, fontsize=7)
    axes.set(xlabel="against", ylabel="strategy")
    if count <= NUMBERED:
        for (row, column), value in np.ndenumerate(shown):
            dark = abs(value - even) > 0.7 * apart
            axes.text(
                column,
                row,
                f"{value:.4g}",
                ha="center",
                va="center",
                fontsize=8,
                color="white" if dark else "black",
            )
    headline(figure, f"{found.game}: who beats whom. Best: {found.best}")
    return figure


def scatter_picture(sizes: Sequence[int], shares: Array) -> Figure:
    """Return the shares of a strategy against itself by number of games: figure 15.

    `shares` is [sizes, repeats]. The curve is where 95 of 100 points should lie.
    """
    figure = blank(8.4, 4.6)
    axes = figure.subplots()
    across = np.repeat(np.asarray(sizes), shares.shape[1])
    look: Look = {
        "color": BLUE,
        "alpha": 0.4,
        "markersize": 4,
        "mew": 0,
        "rasterized": True,
    }
    axes.plot(across, shares.ravel(), ".", label="one series of games", **look)
    wide = np.linspace(max(1, min(sizes)), max(sizes), 400)
    for sign in (-1, 1):
        named = (
            {"curve": "95 of 100 should lie between", "line": f"within {MARGIN} of a half"}
            if sign > 0
            else {}
        )
        curve = 0.5 + sign * 0.98 / np.sqrt(wide)
        axes.plot(wide, curve, color=RED, label=named.get("curve"))
        edge = 0.5 + sign * MARGIN
        axes.axhline(edge, color="black", linestyle="--", linewidth=1, label=named.get("line"))
    inside = (np.abs(shares - 0.5) <= MARGIN).mean(axis=1)
    axes.set_ylim(0.3, 0.7)
    axes.set(xlabel="games played", ylabel="share of points against itself")
    axes.set_title(
        f"at {sizes[-1]} games {100 * inside[-1]:.0f}% of results are within {MARGIN} of a half"
    )
    axes.legend(fontsize=9, loc="upper right", markerscale=2.5)
    return figure


def fair_tests_picture(means: Floats) -> Figure:
    """Return the means of fair tests of a strategy against itself: figure 16. `means` [tests]"""
    figure = blank(8.4, 3.6)
    axes = figure.subplots()
    axes.plot(np.arange(1, len(means) + 1), means, "o", color=BLUE, markersize=3)
    axes.axhline(0.5, color=GREY, linewidth=1, label="a half")
    mean = float(np.mean(means))
    axes.axhline(mean, color=RED, linewidth=1, linestyle="--", label="mean of these tests")
    whole_numbers(axes.xaxis)
    axes.legend(fontsize=9, loc="upper left", bbox_to_anchor=(1, 1))
    axes.set(xlabel="fair test", ylabel="share of points against itself")
    axes.set_title(
        f"{len(means)} fair tests, "
        f"from {np.min(means):.4f} to {np.max(means):.4f}, mean {np.mean(means):.4f}"
    )
    return figure


def one_against_all_picture(found: Tournament, name: str) -> Figure:
    """Return how one strategy fares against each of a family: figure 18."""
    figure = blank(8.4, 3.8)
    axes = figure.subplots()
    row = found.values[found.names.index(name)]
    across, told = _places(found.names)
    axes.plot(across, row, ".", color=BLUE)
    here = found.names.index(name)
    axes.plot(across[here], row[here], "o", color=RED, markersize=6, label="itself")
    axes.axhline(float(found.game.total) / 2, color=GREY, linewidth=1, label="an even share")
    axes.legend(fontsize=9)
    said = gets(found).removesuffix(", %")
    axes.set(xlabel=told, ylabel=f"{name} {said}")
    if told == OPPONENT and row.size <= NAMED:
        axes.set_xticks(across, found.names, rotation=90, fontsize=7)
    headline(figure, f"{found.game}: {name} against each of {row.size}")
    return figure


OPPONENT = "opponent"


def _places(names: Sequence[str]) -> tuple[list[int], str]:
    """Return where strategies stand: at their own number if that is all that tells them apart."""
    kinds, numbers = zip(*(name.rpartition(":")[::2] for name in names), strict=True)
    if len(set(kinds)) == 1 and kinds[0] and all(number.isdecimal() for number in numbers):
        return [int(number) for number in numbers], f"opponent: {kinds[0]}"
    return list(range(1, len(names) + 1)), OPPONENT
