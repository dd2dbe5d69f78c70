"""Pictures of solutions: the shape of a strategy, what positions are worth, where games go.

For Pig and its kin: how much must be at risk before you hold, for every pair of banks. For other
games: what the positions are worth.
"""

from __future__ import annotations

import math
from typing import Any

import matplotlib
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from dicelab.core.arrays import Array, Bools, Floats, Ints
from dicelab.errors import NotSolved
from dicelab.plots.maps import MAP, MOST_LABELLED, number_cells, score_map
from dicelab.plots.seated import is_seated, seated_figure
from dicelab.plots.style import (
    BLUE,
    GREEN,
    GREY,
    ORANGE,
    PALE,
    PURPLE,
    Look,
    blank,
    headline,
    label,
    length_bars,
    signed,
    whole_numbers,
)
from dicelab.rules import HouseRules
from dicelab.strategies.holding_points import HoldingPoints, has_holding_points, holding_points
from dicelab.table import Table
from dicelab.verbs.density import Density, PointsDensity, density_on
from dicelab.verbs.profile_solution import SeatedSolution
from dicelab.verbs.solution import Sheet, Solution
from dicelab.verbs.solve import on_table
from dicelab.verbs.table_solution import TableSolution

SMALL_MAP = 10_000
"""A map may always have so many places,"""
SPARSE = 64
"""or so many for each position on it."""


def picture(solution: Solution, command: str) -> Figure:
    """Return the picture that suits a solution, with the command that makes it."""
    return signed(command, solution_figure, solution)


def solution_figure(solution: Solution) -> Figure:
    """Return the figure that suits a solution."""
    if isinstance(solution, SeatedSolution):
        return seated_figure(solution) if is_seated(solution) else _values(solution)
    if solution.boards():
        return _boards(solution)
    if (sheet := solution.sheet()) is not None:
        return sheet_figure(sheet)
    if not has_holding_points(solution.table):
        return _values(on_table(solution))
    points = holding_points(solution.plan)
    if points.fields[1] == "yours":
        return _roll_or_hold(on_table(solution), points)
    return _alone(solution, points)


def density_picture(found: Density | PointsDensity, command: str) -> Figure:
    """Return where a game goes and how long it lasts, with the command that makes it."""
    return signed(command, density_figure, found)


def sheet_figure(sheet: Sheet) -> Figure:
    """Return advice as a page of short lines, in columns."""
    down = -(-len(sheet.lines) // sheet.columns)
    figure = blank(1.7 * sheet.columns, 0.9 + 0.152 * down)
    axes = figure.subplots()
    axes.set_axis_off()
    axes.set(xlim=(0, sheet.columns), ylim=(down, 0))
    for number, (seen, advice) in enumerate(sheet.lines):
        column, row = divmod(number, down)
        at: Look = {"fontsize": 7.5, "family": "DejaVu Sans Mono", "va": "center"}
        axes.text(column + 0.36, row + 0.5, seen, ha="right", color=GREY, **at)
        axes.text(column + 0.42, row + 0.5, advice, ha="left", **at)
    headline(figure, sheet.title)
    return figure


def points_figure(found: PointsDensity) -> Figure:
    """Return the law of the points, its mean and its middle half."""
    law = found.points
    numbers = np.array([float(points) for points in law.points])
    figure = blank(8.4, 4.2)
    axes = figure.subplots()
    low, high = (float(law.quantile(share)) for share in (0.0005, 0.9995))
    axes.bar(numbers, 100 * law.chances, width=1.0, color=BLUE, linewidth=0)
    quarter = [float(law.quantile(share)) for share in (0.25, 0.75)]
    axes.axvspan(*quarter, color=PALE, alpha=0.5, zorder=0, label="half of all games")
    axes.axvline(law.mean, color=ORANGE, label=f"mean {law.mean:.2f}")
    middle = float(law.quantile(0.5))
    axes.axvline(middle, color="black", linewidth=1, linestyle="--", label=f"median {middle:g}")
    axes.set(xlim=(low, high), xlabel=found.game.unit, ylabel="chance, %")
    axes.legend(fontsize=9)
    headline(figure, f"{found.game}: {found.a}")
    return figure


def density_figure(found: Density | PointsDensity) -> Figure:
    """Return where a game goes and how long it lasts; of points alone, their law."""
    if isinstance(found, PointsDensity):
        return points_figure(found)
    figure = blank(9.5, 4.4)
    left, right = figure.subplots(1, 2)
    _lengths(left, found)
    _visits(right, found)
    who = f"{found.a} against {found.b}" if found.b else found.a
    headline(figure, f"{found.game}: {who}")
    return figure


def _fields(table: Table) -> tuple[str, ...]:
    """Return the fields of an array game's positions."""
    return () if isinstance(table.game, HouseRules) else type(table.game.start())._fields


def _roll_or_hold(solution: TableSolution, points: HoldingPoints) -> Figure:
    """Return the map of holding points, and some lines cut out of it."""
    figure = blank(10, 4.9)
    left, right = figure.subplots(1, 2, width_ratios=(1.12, 1))
    met: Any
    try:
        met = _turns_begin(solution, points)
    except NotSolved:  # the map is right all the same; only the outline is left out
        met = None
    _map(figure, left, points, met)
    _slices(right, points)
    value = f"{100 * float(solution.value):.2f}%"
    who = "best reply" if solution.against else "best play"
    headline(figure, f"{solution.game}: when to hold. With {who} the first player wins {value}")
    return figure


def _turns_begin(solution: TableSolution, points: HoldingPoints) -> Array:
    """Return whether a turn may begin with each pair of banks. `[mine, yours]`"""
    table = solution.table
    visited = density_on(table, solution.plan, solution.against or solution.plan).visited
    met: Bools = visited[0] if solution.against else np.any(visited, axis=0)
    at = table.positions(np.flatnonzero(table.is_ongoing & met))
    begins = at.at_risk == 0
    found = np.zeros(points.points.shape, bool)
    found[at.mine[begins], at.yours[begins]] = True
    return found


def _map(figure: Figure, axes: Axes, points: HoldingPoints, met: Array | None) -> None:
    """Draw the holding point of every pair of banks; the other player's bank goes up."""
    holds = np.where(np.isfinite(points.points), points.points, np.nan).T
    wins = np.where(np.isinf(points.points), 1.0, np.nan).T
    size = holds.shape
    extent = (-0.5, size[1] - 0.5, -0.5, size[0] - 0.5)
    common: Look = {"origin": "lower", "extent": extent, "interpolation": "nearest"}
    axes.imshow(wins, cmap=matplotlib.colors.ListedColormap([PALE]), **common)
    shown = holds[np.isfinite(holds)]
    if shown.size:
        image = axes.imshow(holds, cmap="cividis", vmin=shown.min(), vmax=shown.max(), **common)
        figure.colorbar(image, ax=axes, shrink=0.82, pad=0.02).set_label("hold at (points at risk)")
    axes.set(xlabel=label("mine"), ylabel=label("yours"))
    if met is None:
        met = np.ones(size, bool)
        axes.set_title("hold once this much is at risk")
    else:
        met = met.T
        _outline(axes, met)
        axes.set_title("hold once this much is at risk\n(outlined: banks that such play comes to)")
    if np.isfinite(wins).any():
        mine, yours = np.meshgrid(np.arange(size[1]), np.arange(size[0]))
        far = np.isfinite(wins) & (mine + yours > 1.25 * size[1])  # away from the outlines
        x, y = _middle(far if far.any() else np.isfinite(wins))
        axes.text(x, y, "roll until\nyou win", ha="center", va="center", fontsize=10)


def _outline(axes: Axes, inside: Bools) -> None:
    """Draw the edges between the cells that are inside and those that are not."""
    padded = np.pad(inside, 1)
    across = np.argwhere(padded[1:] != padded[:-1])[:, ::-1] - 0.5
    up = np.argwhere(padded[:, 1:] != padded[:, :-1])[:, ::-1] - 0.5
    corners = np.concatenate([across, up])
    ends = np.concatenate([across - (1, 0), up - (0, 1)])
    gaps = np.full_like(ends, np.nan)  # one line with gaps makes a smaller file than many lines
    line = np.stack([ends, corners, gaps], axis=1).reshape(-1, 2)
    axes.plot(*line.T, color="black", linewidth=0.7, solid_capstyle="round")


def _middle(where: Bools) -> tuple[float, float]:
    """Return a place well inside a region."""
    rows, columns = np.nonzero(where if where.any() else np.ones_like(where))
    return float(np.median(columns)), float(np.median(rows))


def _slices(axes: Axes, points: HoldingPoints) -> None:
    """Draw the holding point against my bank, for some banks of the other player."""
    size = points.points.shape[1]
    yours = [round(size * part / 10) for part in (0, 3, 6, 9)]
    banks = np.arange(points.points.shape[0])
    rest = points.points.shape[0] - banks
    for other, colour in zip(dict.fromkeys(yours), (BLUE, ORANGE, GREEN, PURPLE), strict=False):
        line = points.points[:, min(other, size - 1)]
        goal = np.where(np.isinf(line), rest, line)  # rolling to win is holding at what is missing
        known = ~np.isnan(goal)
        axes.plot(banks[known], goal[known], color=colour, label=f"{other}")
    axes.axhline(min(20, size), color=GREY, linestyle="--", linewidth=1.1, label="hold at 20")
    axes.plot(banks, rest, color="black", linestyle=":", linewidth=1.1, label="that would win")
    axes.set(xlabel=label("mine"), ylabel="hold at (points at risk)")
    axes.set_title("the same, cut through\nfor four banks of the other player")
    axes.set_xlim(0, banks[-1])
    top = 1.25 * np.nanmax(np.where(np.isfinite(points.points), points.points, np.nan), initial=20)
    axes.set_ylim(0, min(points.points.shape[0] + 1, max(top, 5)))
    axes.legend(loc="upper right", fontsize=9, title="the other player has", title_fontsize=9)


def _alone(solution: Solution, points: HoldingPoints) -> Figure:
    """Return the holding point for every bank of a player who is alone."""
    figure = blank(7, 4.4)
    axes = figure.subplots()
    last = points.points.shape[1] - 1
    banks = np.arange(points.points.shape[0])
    rest = points.points.shape[0] - banks
    later = max(last - 1, 1)  # with all turns left there is only one bank
    several = sorted({round(1 + (later - 1) * part / 3) for part in range(4)}) if last else [0]
    for left, colour in zip(several, (BLUE, ORANGE, GREEN, PURPLE), strict=False):
        line = points.points[:, left]
        goal = np.where(np.isinf(line), rest, line)
        known = ~np.isnan(goal)
        name = f"{left} turn{'s' * (left > 1)} left" if last else "best play"
        mark = "." if known.sum() < 4 else None
        axes.plot(banks[known], goal[known], color=colour, marker=mark, label=name)
    axes.plot(banks, rest, color=GREY, linestyle=":", linewidth=1.1, label="reaches the target")
    axes.set(xlabel=label("mine"), ylabel="hold at (points at risk)")
    axes.set_xlim(0, banks[-1])
    axes.set_ylim(0)
    game, value = solution.game, float(solution.value)
    told = f"{value:.4g} turns on average" if game.fewest else f"{100 * value:.2f}% to make it"
    headline(figure, f"{game}: when to hold. {told}")
    axes.legend(loc="upper right", fontsize=9)
    return figure


def _values(solution: TableSolution) -> Figure:
    """Return what the positions are worth: a map over two fields, or how many are worth what."""
    figure = blank(7, 4.8)
    axes = figure.subplots()
    table = solution.table
    here = np.flatnonzero(table.is_ongoing)
    values = solution.values[here].astype(float)
    names = _fields(table)
    headline(figure, f"{solution.game}: what the positions are worth")
    if len(names) < 2 or not _fill_a_map(table, here):
        finite = values[np.isfinite(values)]
        axes.hist(finite, bins=min(50, max(5, int(math.sqrt(finite.size)))), color=BLUE)
        axes.set(xlabel=f"value ({solution.game.unit})", ylabel="positions")
        return figure
    places, sums, extent = _map_of(table, here)
    counts = np.zeros_like(sums)
    np.add.at(sums, places, values)
    np.add.at(counts, places, 1)
    mean = np.divide(sums, counts, out=np.full_like(sums, np.nan), where=counts > 0)
    image = axes.imshow(mean.T, origin="lower", extent=extent, aspect="auto", cmap="cividis")
    axes.set(xlabel=label(names[0]), ylabel=label(names[1]))
    whole_numbers(axes.xaxis, axes.yaxis)
    more = ", on average over the rest" if len(names) > 2 else ""
    figure.colorbar(image, ax=axes).set_label(f"{solution.game.unit}{more}")
    return figure


def _fill_a_map(table: Table, here: Ints) -> bool:
    """Return whether positions lie close on a map over their first two fields.

    Scores do. A field that stands for a board, a bit for each of its places, does not.
    """
    cells = 1
    for field in table.positions(here)[:2] if here.size else ():
        cells *= int(np.ptp(field)) + 1
    return bool(here.size) and cells <= max(SMALL_MAP, SPARSE * here.size)


def _map_of(table: Table, here: Ints) -> tuple[Any, Floats, Any]:
    """Return where positions lie on a map over their first two fields, the map, and its edges."""
    one, two = (np.asarray(field) for field in table.positions(here)[:2])
    empty = np.zeros((int(np.ptp(one)) + 1, int(np.ptp(two)) + 1))
    extent = (one.min() - 0.5, one.max() + 0.5, two.min() - 0.5, two.max() + 0.5)
    return (one - one.min(), two - two.min()), empty, extent


def _boards(solution: Solution) -> Figure:
    """Return maps over two scores: what the positions are worth, and how many dice to throw."""
    maps = solution.boards()
    figure = blank(10, 4.4 * len(maps))
    rows = figure.subplots(len(maps), 2, squeeze=False)
    for board, (left, right) in zip(maps, rows, strict=True):
        even = float(solution.game.total) / 2
        shown = np.asarray(board.values, np.float64)
        score_map(figure, left, shown, MAP, even=even)
        left.set_title(f"{solution.game.unit}{board.title}")
        score_map(figure, right, np.asarray(board.dice, np.float64), "viridis")
        right.set_title(f"{board.shown}{board.title}")
        if shown.shape[0] <= MOST_LABELLED:
            number_cells(left, board, fontsize=6, even=even)
    who = "either player" if solution.game.is_simultaneous else "the first player"
    worth = f"{solution.game.unit} {float(solution.value):.6g}"
    headline(figure, f"{solution.game}: {worth} for {who}")
    return figure


def _lengths(axes: Axes, found: Density) -> None:
    """Draw the law of the length."""
    length_bars(axes, found.lengths, "turns", 4)
    never = f"; {100 * found.never_ends:.2f}% never end" if found.never_ends else ""
    mean = "" if found.never_ends else f": {found.mean_length:.1f} turns on average"
    axes.set_title(f"how long it lasts{mean}{never}")


def _visits(axes: Axes, found: Density) -> None:
    """Draw how surely play passes through positions, by their first two fields."""
    table = found.table
    names = _fields(table)
    ever, bounded = found.at_most.max(axis=0), np.isnan(found.ever).any()
    here = np.flatnonzero(ever > 0)
    if len(names) < 2 or not _fill_a_map(table, here):
        _likeliest(axes, found)
        return
    places, most, extent = _map_of(table, here)
    np.maximum.at(most, places, ever[here])
    norm = matplotlib.colors.LogNorm(max(1e-6, most[most > 0].min()), 1.0)
    shown = np.where(most > 0, most, np.nan).T
    image = axes.imshow(
        shown, origin="lower", extent=extent, aspect="auto", cmap="cividis", norm=norm
    )
    axes.set(xlabel=label(names[0]), ylabel=label(names[1]), title="where it goes")
    whole_numbers(axes.xaxis, axes.yaxis)
    told = "chance to come there, at most" if bounded else "chance to come there"
    axes.figure.colorbar(image, ax=axes).set_label(told)


def _likeliest(axes: Axes, found: Density) -> None:
    """Draw the positions that play comes to most surely, by their notation."""
    who = (found.a, found.b or found.a)
    places = found.likeliest(12)
    notations = [found.table.notation(number) for _, number in places]
    if len({seat for seat, _ in places}) > 1:
        notations = [f"{who[seat]}: {at}" for (seat, _), at in zip(places, notations, strict=True)]
    chances = [100 * found.ever[place] for place in places]
    axes.barh(range(len(places)), chances, color=BLUE, height=0.7)
    axes.set_yticks(range(len(places)), notations)
    axes.invert_yaxis()
    axes.set(xlabel="chance to come there (%)", title="where it goes most surely")
