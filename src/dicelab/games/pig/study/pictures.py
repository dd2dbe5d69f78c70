"""Pictures of people: totals by turn, both players of a game, and where a person holds.

They are the study's figures 7 to 14 for any set of tracker forms, in the house style.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from dicelab.games.pig.study.slopes import groups_of
from dicelab.games.pig.study.study import EVERYBODY, Study
from dicelab.games.pig.study.tracker import Form, Tracker
from dicelab.people.models import Model, log_chances
from dicelab.plots.style import BLUE, GREEN, GREY, ORANGE, PURPLE, blank, whole_numbers

GAPS = {-30: BLUE, 0: GREEN, 30: ORANGE}
COLOURS = {"averse": BLUE, "neutral": GREEN, "seeking": ORANGE, EVERYBODY: PURPLE}
MOST_GAMES = 60
"""Games beyond which a sheet of small pictures is no longer readable."""


def totals_picture(found: Study) -> Figure:
    """Return every player's totals by turn, with mean curve, interval and slope, by preference."""
    groups = groups_of(found.tracker) or {EVERYBODY: found.tracker.sheets}
    figure = blank(3.6 * len(groups) + 1.2, 4.0)
    every = figure.subplots(1, len(groups), sharex=True, sharey=True, squeeze=False)[0]
    for axes, (name, sheets) in zip(every, groups.items(), strict=True):
        for sheet in sheets:
            totals = [0, *sheet.totals]
            axes.plot(range(len(totals)), totals, color=GREY, linewidth=0.6, alpha=0.7)
        curve, slope, colour = found.curves[name], found.slopes[name], COLOURS[name]
        axes.fill_between(curve.turns, curve.low, curve.high, color=colour, alpha=0.2, lw=0)
        axes.plot(curve.turns, curve.mean, "o-", color=colour, markersize=3)
        if len(curve.turns) > 1:  # the study's own trend line, through the mean curve
            rise, start = np.polyfit(curve.turns, curve.mean, 1)
            trend = start + rise * np.asarray(curve.turns, float)
            told = f"trend {rise:.2f} a turn"
            axes.plot(curve.turns, trend, "--", color="black", linewidth=1.2, label=told)
            axes.legend(fontsize=8, loc="lower right")
        count = f"{slope.players} player{'s' * (slope.players > 1)}"
        axes.set_title(f"{name}: {count}\n{_slope(slope)}")
        axes.axhline(found.tracker.game.target, color=GREY, linewidth=0.8, linestyle=":")
        axes.set_xlabel("turn")
        whole_numbers(axes.xaxis)
    every[0].set_ylabel("total score")
    every[0].set_ylim(-0.05 * found.tracker.game.target, 1.2 * found.tracker.game.target)
    return figure


def _slope(slope: Any) -> str:
    if math.isnan(slope.low):
        return f"{slope.value:.2f} points a turn"
    return f"{slope.value:.2f} points a turn ({slope.low:.2f} to {slope.high:.2f})"


def games_picture(tracker: Tracker) -> Figure:
    """Return both players' totals by turn, a small picture for each game."""
    forms = tracker.forms[:MOST_GAMES]
    across = min(5, len(forms))
    down = -(-len(forms) // across)
    figure = blank(2.3 * across + 1, 2.0 * down + 0.8)
    every = figure.subplots(down, across, sharex=True, sharey=True, squeeze=False)
    for axes, form in zip(every.flat, forms, strict=False):
        _game(axes, form, tracker.game.target)
    for axes in list(every.flat)[len(forms) :]:
        axes.set_axis_off()
    for axes in list(every.flat)[max(0, len(forms) - across) : len(forms)]:
        axes.set_xlabel("turn", fontsize=8)
    figure.supylabel("total score", fontsize=10)
    return figure


def _game(axes: Axes, form: Form, target: int) -> None:
    axes.set_title(f"game {form.name}", fontsize=8)
    axes.axhline(target, color=GREY, linewidth=0.8, linestyle=":")
    whole_numbers(axes.xaxis)
    for sheet, colour in zip(form.sheets, (BLUE, ORANGE), strict=False):
        totals = [0, *sheet.totals]
        said = f" ({sheet.preference})" if sheet.preference else ""
        axes.plot(range(len(totals)), totals, color=colour, label=f"{sheet.player}{said}")
    axes.legend(fontsize=6, handlelength=1, borderpad=0, loc="lower right")


def holding_picture(model: Model, numbers: Sequence[float], target: int) -> Figure:
    """Return the chance to hold by what is at risk, for a person who is ahead, level or behind.

    A person who does not look at the other player has one line, said by two numbers.
    """
    risk = np.arange(1, min(target, 60))
    looks = len(numbers) > 2
    figure = blank(6.0, 4.0)
    axes = figure.subplots()
    for gap, colour in GAPS.items() if looks else [(-30, BLUE)]:
        holds = np.tile([True, False], risk.size)
        features = (holds, np.repeat(risk, 2).astype(float), np.full(2 * risk.size, float(gap)))
        utilities = model.utilities(features, numbers)
        chance = np.exp(log_chances(utilities, np.arange(0, 2 * risk.size, 2)))[::2]
        told = f"{abs(gap)} {'behind' if gap > 0 else 'ahead'}" if gap else "level"
        axes.plot(risk, 100 * chance, color=colour, label=told)
    axes.set_xlabel("points at risk")
    axes.set_ylabel("chance to hold, %")
    axes.set_title("where this person holds")
    if looks:
        axes.legend()
    return figure
