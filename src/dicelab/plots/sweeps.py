"""Figures of sweeps: a line over one parameter, lines or a heat map over two."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from dicelab.core.arrays import Floats
from dicelab.errors import DicelabError, RulesError
from dicelab.plots.kinds import Asked, kind
from dicelab.plots.style import COLOURS, MARKS, blank, headline, label
from dicelab.rules import Game
from dicelab.rules.dice import Die
from dicelab.rules.ranges import number_of
from dicelab.rules.registry import altered
from dicelab.verbs.sweep import Sweep, sweep

MOST_LINES = len(COLOURS)
"""Values of a second parameter up to which each has a line of its own; more make a heat map."""

MOST_MARKED = 40
"""Points of a line up to which each has a mark."""

MOST_NUMBERED = 12
"""Values of a parameter up to which the cells of a heat map have their numbers in them."""

MOST_NAMED = 30
"""Values that are no numbers up to which each is named on its axis."""


@kind(
    Game,
    "sweep",
    "its value over a parameter or two, as target=10..50:10",
    most=2,
    many=True,
    ranges=True,
)
def sweep_of(asked: Asked) -> Figure:
    """Return what a game is worth over the parameters that have several values."""
    refuse_many_axes(list(asked.several))
    game, strategies = asked.game, asked.strategies
    over = asked.several or usual_values(game)
    if not over and not strategies:  # nothing in its rules can be changed: its strategies can
        return sweep_figure(sweep(game, {}, ["value"], [["optimal", *game.strategies, "random"]]))
    numbers = ["value"]
    if game.players == 2 and not game.is_simultaneous:
        numbers = ["overall"] if strategies else ["value", "advantage"]
    return sweep_figure(sweep(game, over, numbers, strategies))


def usual_values(game: Game) -> dict[str, list[str]]:
    """Return the first parameter that can be made smaller, with values up to what it is."""
    for name, value in game.parameters.items():
        if type(value) is int and value > 1:
            values = sorted({max(1, value * part // 5) for part in range(1, 6)})
        elif isinstance(value, Die) and len(value.faces) > 2:
            values = list(range(len(value.faces) - 2, len(value.faces) + 3))
        else:
            continue
        fitting = [str(each) for each in values if _fits(game, name, str(each))]
        if len(fitting) > 1:
            return {name: fitting}
    return {}


def _fits(game: Game, name: str, value: str) -> bool:
    """Return whether the rules accept a value of a parameter."""
    try:
        altered(game, {name: value})
    except DicelabError:
        return False
    return True


def refuse_many_axes(found: list[str]) -> None:
    """Refuse a figure of more parameters than a page has directions."""
    if len(found) > 2:
        raise RulesError(
            f"a figure shows one parameter or two: got {', '.join(found)}; fix the others"
        )


def sweep_figure(found: Sweep) -> Figure:
    """Return a panel for each number: a line, some lines, or a heat map."""
    refuse_many_axes(list(found.axes))
    panels, lines = len(found.asked), min(map(len, found.axes.values()), default=0)
    figure = blank(max(6.4, 4.6 * panels), 4.8)
    several = figure.subplots(1, panels, squeeze=False)[0]
    for axes, name in zip(several, found.asked, strict=True):
        shown, unit = _shown(found, name)
        if len(found.axes) == 2 and lines > MOST_LINES:
            _heat_map(figure, axes, found, shown, unit)
        else:
            _lines(axes, found, shown)
            axes.set_ylabel(unit)
        if np.isnan(shown).all():
            axes.text(0.5, 0.5, "no finite number", ha="center", transform=axes.transAxes)
        axes.set_title(name.replace("_", " ").replace(":", " "))
    players = " against ".join(found.players.values())
    fixed = " ".join(f"{key}={value}" for key, value in found.fixed.items())
    headline(figure, ", ".join(filter(None, [f"{found.game} {fixed}".strip(), players])))
    return figure


def _shown(found: Sweep, name: str) -> tuple[Floats, str]:
    """Return a number over the axes, chances in percent, nan where there is none; and its unit."""
    numbers = [np.nan if value is None else value for value in found.column(name)]
    shape = [len(values) for values in found.axes.values()]
    grid = np.array(numbers, np.float64).reshape(shape)
    grid[~np.isfinite(grid)] = np.nan
    unit = found.unit(name)
    chance = unit.startswith("chance")
    return (100 * grid, f"{unit} (%)") if chance else (grid, unit)


def _ticks(values: tuple[str, ...]) -> tuple[list[float], bool]:
    """Return where values stand on an axis, and whether they are numbers themselves."""
    numbers = [number_of(value) for value in values]
    known = [number for number in numbers if number is not None]
    if len(known) == len(values):
        return known, True
    return [float(place) for place in range(len(values))], False


def _name_ticks(axes: Axes, which: str, values: tuple[str, ...], places: list[float]) -> None:
    """Write values that are no numbers on an axis."""
    step = max(1, len(values) // MOST_NAMED)
    if which == "x":
        axes.set_xticks(places[::step], list(values[::step]), rotation=30, ha="right")
    else:
        axes.set_yticks(places[::step], list(values[::step]))


def _lines(axes: Axes, found: Sweep, shown: Floats) -> None:
    """Draw a line over the axis with most values, one for each value of the other."""
    names = list(found.axes)
    along = max(names, key=lambda name: len(found.axes[name]))
    if len(names) == 2 and along == names[0]:
        shown = shown.T
    others = [name for name in names if name != along]
    rows = shown.reshape(-1, len(found.axes[along]))
    places, numeric = _ticks(found.axes[along])
    order = np.argsort(places, kind="stable")
    told = found.axes[others[0]] if others else ("",)
    for number, (row, value) in enumerate(zip(rows, told, strict=True)):
        if np.isnan(row).all():
            continue
        mark = MARKS[number] if len(places) <= MOST_MARKED else ""
        line = f"{label(others[0])} = {value}" if others else None
        axes.plot(
            np.array(places)[order],
            row[order],
            color=COLOURS[number],
            marker=mark,
            markersize=4,
            label=line,
        )
    axes.set_xlabel(label(along))
    if numeric:
        axes.xaxis.set_major_locator(
            MaxNLocator(integer=all(place == int(place) for place in places))
        )
    else:
        _name_ticks(axes, "x", found.axes[along], places)
    if others:
        axes.legend(fontsize=8)


def _heat_map(figure: Figure, axes: Axes, found: Sweep, shown: Floats, unit: str) -> None:
    """Draw a number over two parameters, the first to the right."""
    (one, across), (two, up) = found.axes.items()
    image = axes.imshow(shown.T, origin="lower", cmap="cividis", aspect="auto")
    figure.colorbar(image, ax=axes, pad=0.02).set_label(unit)
    for which, values in (("x", across), ("y", up)):
        _name_ticks(axes, which, values, [float(place) for place in range(len(values))])
    axes.set(xlabel=label(one), ylabel=label(two))
    if max(len(across), len(up)) <= MOST_NUMBERED:
        middle = np.nanmean(shown)
        for (x, y), number in np.ndenumerate(shown):
            if np.isfinite(number):
                colour = "black" if number > middle else "white"
                look = {"ha": "center", "va": "center", "fontsize": 7}
                axes.text(x, y, f"{number:.4g}", color=colour, **look)  # type: ignore[arg-type]
