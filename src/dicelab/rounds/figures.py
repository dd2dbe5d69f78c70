"""Figures of the rounds: the charts, and what a policy earns against what it costs.

Colours are those of Okabe and Ito, which people with any colour vision can tell apart; marks
differ in shape as well.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from dicelab.rounds.benchmark import Benchmark
from dicelab.rounds.charts import ChartLine, rounded

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
MARKS = ("o", "s", "^", "D", "v", "P", "X")


def chart_figure(lines: Sequence[ChartLine], title: str) -> Figure:
    """Return the charts as a figure: a panel for each goal, a row for each result."""
    goals = list(dict.fromkeys((line.dice, line.goal) for line in lines))
    panels = [[line for line in lines if (line.dice, line.goal) == goal] for goal in goals]
    heights = [len(panel) + 1 for panel in panels]
    columns = min(3, len(panels))
    rows = [panels[start : start + columns] for start in range(0, len(panels), columns)]
    tall = [max(len(panel) for panel in row) + 2 for row in rows]
    figure = Figure(figsize=(5.2 * columns, max(0.42 * sum(tall), 3.0) + 0.8), layout="constrained")
    axes = figure.subplots(len(rows), columns, squeeze=False, height_ratios=tall)
    casts = max(len(line.first) for line in lines)
    for place in range(len(rows) * columns):
        axis = axes[place // columns][place % columns]
        if place < len(panels):
            _panel(axis, panels[place], casts)
        else:
            axis.set_visible(False)
    handles, labels = axes[0][0].get_legend_handles_labels()
    widest = max(range(len(panels)), key=lambda place: heights[place])
    handles, labels = axes[widest // columns][widest % columns].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=min(casts, 5), fontsize=11)
    figure.suptitle(title, fontsize=14)
    return figure


def _panel(axis: Axes, lines: Sequence[ChartLine], casts: int) -> None:
    for cast in range(casts):
        shown = [(row, line) for row, line in enumerate(lines) if cast < len(line.first)]
        if not shown:
            continue
        axis.plot(
            [float(line.first[cast]) for _, line in shown],
            [row for row, _ in shown],
            linestyle="none",
            marker=MARKS[cast % len(MARKS)],
            color=COLOURS[cast % len(COLOURS)],
            markersize=7,
            label=f"{cast + 1} cast" if cast == 0 else f"{cast + 1} casts",
        )
    for row, line in enumerate(lines):
        last = line.first[-1]
        axis.annotate(
            f"{last} = {rounded(last)}" if len(str(last)) < 16 else rounded(last),
            (1.0, row),
            xycoords=("axes fraction", "data"),
            xytext=(-4, 7),
            textcoords="offset points",
            ha="right",
            va="center",
            fontsize=8,
            color="#444444",
        )
    axis.set_yticks(range(len(lines)), [line.result for line in lines], fontsize=10)
    axis.set_ylim(len(lines) - 0.4, -0.8)
    axis.set_xscale("log")
    axis.set_xlabel("chance of the result, first player", fontsize=10)
    axis.set_ylabel("result", fontsize=10)
    axis.set_title(f"goal {lines[0].goal}", fontsize=12)
    axis.grid(axis="x", color="#dddddd")
    axis.set_axisbelow(True)


def cost_figure(tables: Sequence[Benchmark]) -> Figure:
    """Return optimality against operations per decision, a panel for each utility."""
    figure = Figure(figsize=(5.0 * len(tables), 4.6), layout="constrained")
    axes = figure.subplots(1, len(tables), squeeze=False)[0]
    for axis, table in zip(axes, tables, strict=True):
        _cost_panel(axis, table)
    figure.suptitle("What a policy earns, and the arithmetic it takes", fontsize=14)
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
            markersize=8,
            label=f"{player} player",
        )
        for cell, x, y in zip(cells, across, up, strict=True):
            axis.annotate(
                cell.policy, (x, y), xytext=(6, 4), textcoords="offset points", fontsize=9
            )
    axis.set_xscale("log")
    axis.margins(x=0.25, y=0.1)
    axis.set_xlabel("operations per decision, plus one", fontsize=10)
    axis.set_ylabel("share of the first player's best", fontsize=10)
    axis.set_title(table.utility.name, fontsize=12)
    axis.grid(color="#dddddd")
    axis.set_axisbelow(True)
    axis.legend(fontsize=10, loc="lower right")


def save(figure: Figure, path: str | Path, **options: Any) -> Path:
    """Write a figure and return where it lies; the ending of the path says the format."""
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=150, **options)
    return path
