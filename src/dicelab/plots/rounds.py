"""Figures of rounds of keep-and-reroll: the charts, and what a policy earns for its arithmetic."""

import math
from collections.abc import Sequence

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

from dicelab.plots.style import COLOURS, MARKS, blank, headline
from dicelab.rounds.benchmark import Benchmark
from dicelab.rounds.charts import ChartLine, rounded

NEXT = 0.3
"""How far below the first player's marks those of a next player stand."""


def chart_figure(lines: Sequence[ChartLine], title: str) -> Figure:
    """Return the charts as a figure: a panel for each goal, a row for each result."""
    goals = list(dict.fromkeys((line.dice, line.goal) for line in lines))
    panels = [[line for line in lines if (line.dice, line.goal) == goal] for goal in goals]
    columns = min(3, len(panels))
    rows = [panels[start : start + columns] for start in range(0, len(panels), columns)]
    tall = [max(len(panel) for panel in row) + 2 for row in rows]
    size = (6.2 * columns, 0.42 * sum(tall) + 0.6 * len(rows) + 1.0)
    figure = blank(*size)
    axes = figure.subplots(len(rows), columns, squeeze=False, height_ratios=tall)
    span = _decades(lines)
    for place in range(len(rows) * columns):
        axis = axes[place // columns][place % columns]
        if place < len(panels):
            _panel(axis, panels[place], span)
        else:
            axis.set_visible(False)
    longest = max(range(len(panels)), key=lambda place: len(panels[place][0].first))
    handles, labels = axes[longest // columns][longest % columns].get_legend_handles_labels()
    handles.append(
        Line2D([], [], linestyle="none", marker="o", markerfacecolor="none", color="#333333")
    )
    labels.append("hollow: the next player, where the result is the goal")
    figure.legend(
        handles, labels, loc="outside lower center", ncols=min(len(labels), 6), fontsize=12
    )
    headline(figure, title)
    return figure


def _decades(lines: Sequence[ChartLine]) -> tuple[float, float]:
    """Return the powers of ten around all chances, so that every panel has the same scale."""
    chances = [float(chance) for line in lines for chance in line.first if chance]
    return 10.0 ** math.floor(math.log10(min(chances) * 0.7)), 1.0


def _panel(axis: Axes, lines: Sequence[ChartLine], span: tuple[float, float]) -> None:
    for cast in range(max(len(line.first) for line in lines)):
        axis.plot(
            [float(line.first[cast]) for line in lines],
            range(len(lines)),
            linestyle="none",
            marker=MARKS[cast % len(MARKS)],
            color=COLOURS[cast % len(COLOURS)],
            markersize=8,
            label=f"{cast + 1} cast" if cast == 0 else f"{cast + 1} casts",
        )
    for row, line in enumerate(lines):
        if line.is_diagonal:  # off it, a next player's chances depend on how dilemmas are settled
            for cast, chance in enumerate(line.next):
                axis.plot(
                    float(chance),
                    row + NEXT,
                    marker=MARKS[cast % len(MARKS)],
                    markerfacecolor="none",
                    color=COLOURS[cast % len(COLOURS)],
                    markersize=7,
                )
        axis.annotate(
            rounded(line.first[-1])
            + (f"   next: {rounded(line.next[-1])}" if line.is_diagonal else ""),
            (1.0, row),
            xycoords=("axes fraction", "data"),
            xytext=(5, 0),
            textcoords="offset points",
            ha="left",
            va="center",
            fontsize=9,
            color="#333333",
        )
    axis.set_yticks(range(len(lines)), [line.result for line in lines], fontsize=11)
    axis.set_ylim(len(lines) - 0.4, -0.6)
    axis.set_xscale("log")
    axis.set_xlim(span)
    axis.xaxis.set_major_locator(LogLocator(numticks=5))
    axis.xaxis.set_major_formatter(FuncFormatter(lambda chance, _: f"{100 * chance:g}%"))
    axis.xaxis.set_minor_formatter(NullFormatter())
    axis.tick_params(axis="x", labelsize=10)
    axis.set_xlabel("chance of the result", fontsize=11)
    axis.set_ylabel("result", fontsize=11)
    casts = len(lines[0].first)
    axis.set_title(f"goal {lines[0].goal}", fontsize=13)
    axis.set_title(f"{casts} {'cast' if casts == 1 else 'casts'}:", fontsize=9, loc="right")
    axis.grid(axis="x", color="#dddddd")
    axis.set_axisbelow(True)


def cost_figure(tables: Sequence[Benchmark], title: str) -> Figure:
    """Return optimality against operations per decision, a panel for each utility."""
    columns = min(2, len(tables))
    rows = -(-len(tables) // columns)
    figure = blank(6.4 * columns, 4.6 * rows + 0.9)
    axes = figure.subplots(rows, columns, squeeze=False).ravel()
    for axis in axes[len(tables) :]:
        axis.set_visible(False)
    for axis, table in zip(axes, tables, strict=False):
        _cost_panel(axis, table)
    handles, labels = axes[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=2, fontsize=12)
    headline(figure, title)
    return figure


def _cost_panel(axis: Axes, table: Benchmark) -> None:
    for place, player in enumerate(("first", "next")):
        cells = [
            cell
            for cell in table.cells
            if cell.player == player and cell.effort is not None and cell.optimality is not None
        ]
        across = [float(cell.effort.per_decision.operations) + 1 for cell in cells if cell.effort]
        up = [float(cell.optimality) for cell in cells if cell.optimality is not None]
        axis.plot(
            across,
            up,
            linestyle="none",
            marker=MARKS[place],
            color=COLOURS[place],
            markersize=9,
            label=f"{player} player",
        )
        for cell, x, y in zip(cells, across, up, strict=True):
            # first above its mark and next below, since the marks may lie close together
            axis.annotate(
                cell.policy,
                (x, y),
                xytext=(0, -16 if place else 8),
                textcoords="offset points",
                ha="center",
                fontsize=10,
            )
    axis.set_xscale("log")
    axis.margins(x=0.2, y=0.18)
    axis.tick_params(labelsize=10)
    axis.set_xlabel("operations per decision, plus one", fontsize=11)
    axis.set_ylabel("share of the first player's best", fontsize=11)
    axis.set_title(table.utility.name, fontsize=13)
    axis.grid(color="#dddddd")
    axis.set_axisbelow(True)
