"""Figures of what a search for better rules found: all variants, the front, the proposal."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from dicelab.core.arrays import Floats
from dicelab.plots.style import (
    BLUE,
    GREEN,
    ORANGE,
    PALE,
    RED,
    blank,
    headline,
    label,
    whole_numbers,
)
from dicelab.verbs.fronts import Balance
from dicelab.verbs.goals import Goal

MOST_TICKS = 20
"""Values of what changes that are written below the figure."""


def front_figure(found: Balance) -> Figure:
    """Return the variants over the first two goals, or one beside the other for a single one."""
    figure = blank(7.6, 5.2)
    axes = figure.subplots()
    if len(found.goals) == 1:
        _one(axes, found)
    else:
        _two(axes, found)
    fixed = " ".join(f"{key}={value}" for key, value in found.fixed.items())
    goals = ", ".join(goal.text for goal in found.goals)
    headline(figure, f"{found.game} {fixed}".strip() + f": {goals}")
    return figure


def _numbers(found: Balance, place: int) -> tuple[Floats, float, str]:
    """Return one number of every variant, what it was multiplied by, and its name with the unit."""
    numbers = [way.numbers[place] for way in found.ways]
    scale = 100.0 if numbers[0].is_chance else 1.0
    values = scale * np.array([np.nan if each.value is None else each.value for each in numbers])
    values[~np.isfinite(values)] = np.nan
    unit = f"{numbers[0].unit} (%)" if scale != 1 else numbers[0].unit
    name = found.goals[place].number.replace("_", " ").replace(":", " ")
    return values, scale, f"{name}, {unit}"


def _wanted(axes: Axes, goal: Goal, scale: float, upright: bool) -> None:
    """Draw what is wanted: a line, or a band."""
    line, band = (axes.axvline, axes.axvspan) if upright else (axes.axhline, axes.axhspan)
    low, high = (None if each is None else scale * float(each) for each in (goal.low, goal.high))
    if low == high and low is not None:
        line(low, color=GREEN, lw=1, ls="--", zorder=0)
        return
    first, last = axes.get_xlim() if upright else axes.get_ylim()
    room = last - first  # what has no limit goes on beyond the figure
    band(
        first - room if low is None else low,
        last + room if high is None else high,
        color=GREEN,
        alpha=0.12,
        lw=0,
        zorder=0,
    )
    seen = [each for each in (low, high) if each is not None]
    (axes.set_xlim if upright else axes.set_ylim)(
        min(first, *(each - room / 20 for each in seen)),
        max(last, *(each + room / 20 for each in seen)),
    )


def _on_front(found: Balance) -> list[int]:
    """Return the places of the front among all variants, the proposed one first."""
    places = {id(way): place for place, way in enumerate(found.ways)}
    return [places[id(way)] for way in found.front]


def _told(found: Balance, place: int) -> str:
    """Return a variant in a few words."""
    settings = found.ways[place].settings
    changing = {name: value for name, value in settings.items() if len(found.axes[name]) > 1}
    return "\n".join(f"{label(name)} = {value}" for name, value in changing.items())


def _two(axes: Axes, found: Balance) -> None:
    """Draw every variant over two numbers, and the front as a line."""
    (across, x, one), (up, y, two) = _numbers(found, 0), _numbers(found, 1)
    axes.scatter(across, up, s=14, color=PALE, label="worked out")
    front = _on_front(found)
    order = sorted(front, key=lambda place: (across[place], up[place]))
    axes.plot(across[order], up[order], color=BLUE, lw=1, marker="o", ms=4, label="front")
    axes.scatter(across[front[:1]], up[front[:1]], s=90, marker="*", color=RED, label="proposed")
    for place in dict.fromkeys([front[0], order[0], order[-1]]):
        axes.annotate(
            _told(found, place),
            (across[place], up[place]),
            (8, -18) if place == front[0] else (6, 4),
            textcoords="offset points",
            fontsize=7,
        )
    axes.set(xlabel=one, ylabel=two)
    _wanted(axes, found.goals[0], x, upright=True)
    _wanted(axes, found.goals[1], y, upright=False)
    axes.legend(fontsize=8)


def _one(axes: Axes, found: Balance) -> None:
    """Draw the number of every variant over what changes, or in rising order; lotteries apart."""
    values, scale, name = _numbers(found, 0)
    changing = [axis for axis, each in found.axes.items() if len(each) > 1]
    if len(changing) == 1:
        place = _along(axes, found, changing[0])
    else:
        place = np.empty(values.size)
        place[np.argsort(values, kind="stable")] = np.arange(1, values.size + 1)
        axes.set_xlabel("variants, in order of the number")
        whole_numbers(axes.xaxis)
    lots = np.array([way.lottery is not None for way in found.ways])
    for which, colour, told in ((~lots, BLUE, "one variant"), (lots, ORANGE, "by lottery")):
        if which.any():
            axes.scatter(place[which], values[which], s=14, color=colour, label=told)
    best = _on_front(found)[0]
    axes.scatter(place[[best]], values[[best]], s=90, marker="*", color=RED, label="proposed")
    axes.annotate(
        _told(found, best),
        (place[best], values[best]),
        (8, 6),
        textcoords="offset points",
        fontsize=7,
    )
    axes.set_ylabel(name)
    _wanted(axes, found.goals[0], scale, upright=False)
    axes.legend(fontsize=8)


def _along(axes: Axes, found: Balance, axis: str) -> Floats:
    """Return where variants stand along the one thing that changes; a lottery between its two."""
    values = list(found.axes[axis])
    place = [
        values.index(way.settings[axis])
        if way.lottery is None
        else values.index(way.lottery.usual) + float(way.lottery.chance)
        for way in found.ways
    ]
    step = max(1, len(values) // MOST_TICKS)
    axes.set_xticks(range(0, len(values), step), values[::step])
    axes.set_xlabel(label(axis))
    return np.array(place, np.float64)
