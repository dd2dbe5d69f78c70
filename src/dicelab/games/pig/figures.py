"""Figures of Pig and its kin: the boundary between rolling and holding, and where play comes."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import matplotlib
import numpy as np
from matplotlib.figure import Figure

from dicelab.core.arrays import Array, Floats
from dicelab.errors import RulesError
from dicelab.games.pig.rules import Pig
from dicelab.plots.kinds import Asked, kind, solved
from dicelab.plots.style import (
    GREY,
    ORANGE,
    PALE,
    SKY,
    blank,
    headline,
    label,
    line_of,
    whole_numbers,
)
from dicelab.rules import Game, Position, contract
from dicelab.strategies.holding_points import holding_points
from dicelab.strategies.named import plan
from dicelab.verbs.best_response import Iteration, iterate
from dicelab.verbs.density import density_on
from dicelab.verbs.solution import Solution

STUDY = "the Exeter study of Pig"


def _two_banks(game: Game) -> None:
    contract.refuse_many(game, "be drawn over two banks")
    if game.players != 2:
        raise RulesError(f"{game} is played alone: this figure is over the banks of two players")


@kind(Pig, "boundary", "how much must be at risk before you hold, in 3-D", f"{STUDY}, figure 1")
def boundary(asked: Asked) -> Figure:
    """Return the surface between rolling and holding, for every pair of banks."""
    _two_banks(asked.game)
    solution = solved(asked.game)
    points = holding_points(solution.plan).points
    size = points.shape[0]
    rest = np.broadcast_to((size - np.arange(size))[:, None], points.shape)
    high = np.where(np.isfinite(points), np.minimum(points, rest), rest)  # inf: roll to win
    high = np.where(np.isnan(points), np.nan, high)
    figure = blank(8.2, 6.6)
    axes: Any = figure.add_subplot(projection="3d")
    mine, yours = np.meshgrid(np.arange(size), np.arange(points.shape[1]), indexing="ij")
    filled = _filled(high)
    holds = np.isfinite(_filled(np.where(np.isnan(points), np.nan, points)))
    shown = filled[holds] if holds.any() else filled
    norm = matplotlib.colors.Normalize(float(shown.min()), float(shown.max()))
    colours = matplotlib.colormaps["cividis"](norm(filled))
    colours[~holds] = matplotlib.colors.to_rgba(PALE)
    surface = axes.plot_surface(
        mine,
        yours,
        filled,
        facecolors=colours,
        rcount=min(size, 100),
        ccount=min(size, 100),
        shade=False,  # the colours tell the height; shadows only made them dark
        edgecolor=(0, 0, 0, 0.25),
        linewidth=0.15,
    )
    surface.set_rasterized(True)  # thousands of facets are a picture, not drawing
    _look_at(axes, elev=32, azim=-48, zoom=1.05)
    axes.set_zlim(0, size)
    scale = matplotlib.cm.ScalarMappable(norm, "cividis")
    bar = figure.colorbar(scale, ax=axes, shrink=0.55, pad=0.1)
    bar.set_label("hold at (points at risk); grey: roll until you win")
    headline(figure, f"{asked.game}: below the surface roll, on it hold")
    again, above = rolls_above(solution)
    said = "above it hold as well"
    if again:
        said = f"above it, rolling is right again at {again:,} of {above:,} positions"
    axes.set_title(said, fontsize=9)
    return figure


def _look_at(axes: Any, elev: float, azim: float, zoom: float) -> None:
    """Lay out the space of both banks and what is at risk, as it is seen from somewhere."""
    axes.view_init(elev=elev, azim=azim)
    axes.set_box_aspect((1, 1, 0.75), zoom=zoom)
    axes.set(xlabel=label("mine"), ylabel=label("yours"), zlabel=label("at_risk"))
    for axis in (axes.xaxis, axes.yaxis, axes.zaxis):
        axis.set_pane_color((0.97, 0.97, 0.97, 1.0))


def rolls_above(solution: Solution) -> tuple[int, int]:
    """Return at how many positions above the holding point best play rolls, and how many there are.

    Those who play their best hold on the surface and never come above it by their own choice, but a
    large throw may take them there.
    """
    rolls = _rolls(solution)
    points = holding_points(solution.plan).points
    above = np.arange(rolls.shape[2]) > points[:, :, None]
    there = above & ~np.isnan(rolls)
    return int((rolls[there] == 1).sum()), int(there.sum())


def _filled(high: Floats) -> Floats:
    """Return the surface with gaps filled from before: nobody can have a bank of 1."""
    filled = high.copy()
    for axis in (0, 1):
        lines = np.moveaxis(filled, axis, 0)
        for place in range(1, lines.shape[0]):
            gap = np.isnan(lines[place])
            lines[place][gap] = lines[place - 1][gap]
    return filled


@kind(Pig, "slices", "roll or hold, cut through at some banks of the other player")
def slices(asked: Asked) -> Figure:
    """Return where best play rolls and where it holds, one panel for each bank of the other."""
    _two_banks(asked.game)
    solution = solved(asked.game)
    rolls = _rolls(solution)
    size = rolls.shape[1]
    others = [round(part * size) for part in (0, 0.2, 0.4, 0.6, 0.8, 0.95)]
    figure = blank(10, 6.4)
    panels = figure.subplots(2, 3, sharex=True, sharey=True).ravel()
    colours = matplotlib.colors.ListedColormap([PALE, SKY])
    for axes, other in zip(panels, others, strict=True):
        there = _begun(rolls, other)
        extent = (-0.5, rolls.shape[0] - 0.5, -0.5, rolls.shape[2] - 0.5)
        axes.imshow(
            rolls[:, there].T,
            origin="lower",
            extent=extent,
            aspect="auto",
            cmap=colours,
            vmin=0,
            vmax=1,
            interpolation="nearest",
        )
        if size > 25:
            axes.axhline(20, color=ORANGE, linewidth=1.2, linestyle="--")
        axes.plot([0, size], [size, 0], color="black", linewidth=0.9, linestyle=":")
        axes.set_title(f"the other player has {there}")
    most = max(
        float(np.argwhere(rolls[:, b] == 1)[:, 1].max())
        for b in range(size)
        if (rolls[:, b] == 1).any()
    )
    for axes in panels:
        axes.set_ylim(-0.5, min(most + 3, size))
    for axes in panels[3:]:
        axes.set_xlabel(label("mine"))
    for axes in panels[::3]:
        axes.set_ylabel(label("at_risk"))
    marks = [
        matplotlib.patches.Patch(color=SKY, label="roll"),
        matplotlib.patches.Patch(color=PALE, label="hold"),
        matplotlib.lines.Line2D([], [], color="black", linestyle=":", label="that would win"),
    ]
    if size > 25:
        marks.append(
            matplotlib.lines.Line2D([], [], color=ORANGE, linestyle="--", label="hold at 20")
        )
    figure.legend(handles=marks, loc="outside upper right", ncols=len(marks), fontsize=9)
    headline(figure, f"{asked.game}: when to roll")
    return figure


def _begun(rolls: Array, bank: int) -> int:
    """Return the bank nearest to one at which the other player can have a turn."""
    banks = [b for b in range(rolls.shape[1]) if not np.isnan(rolls[:, b]).all()]
    return min(banks, key=lambda other: abs(other - bank))


def _rolls(solution: Solution) -> Array:
    """Return 1 where best play rolls and 0 where it holds. `[mine, yours, at_risk]`"""
    table = solution.table
    here = np.flatnonzero(table.is_ongoing)
    at = table.positions(here)
    size = [int(field.max()) + 1 for field in at]
    rolls = np.full(size, np.nan)
    played = table.move[solution.plan.choice[here]]
    rolls[at.mine, at.yours, at.at_risk] = played == table.moves.index("roll")
    return rolls


@kind(
    Pig,
    "reachable",
    "the positions that an optimal player can come to, whatever the other player does",
    f"{STUDY}, figure 2",
)
def reachable(asked: Asked) -> Figure:
    """Return the positions an optimal player can come to: in 3-D, and the pairs of banks."""
    _two_banks(asked.game)
    solution = solved(asked.game)
    at, share = reached(solution)
    size = int(solution.table.positions(np.flatnonzero(solution.table.is_ongoing)).mine.max()) + 1
    figure = blank(11, 5.4)
    left: Any = figure.add_subplot(1, 2, 1, projection="3d")
    shades = matplotlib.colormaps["cividis"](np.linspace(0, 1, 12))
    band = np.minimum(11, 12 * at.at_risk // (int(at.at_risk.max()) + 1))
    for number, shade in enumerate(shades):  # lines can be drawn as a picture, scatters cannot
        here = band == number
        left.plot(
            at.mine[here],
            at.yours[here],
            at.at_risk[here],
            linestyle="none",
            marker="o",
            markersize=1.1,
            markeredgewidth=0,
            color=shade,
            rasterized=True,
        )
    _look_at(left, elev=24, azim=-128, zoom=0.93)
    left.set_title(f"{at.mine.size:,} positions, {100 * share:.1f}% of all", loc="left")
    right = figure.add_subplot(1, 2, 2)
    most = np.full((size, size), np.nan)
    np.fmax.at(most, (at.mine, at.yours), at.at_risk)
    extent = (-0.5, size - 0.5, -0.5, size - 0.5)
    image = right.imshow(
        most.T, origin="lower", extent=extent, cmap="cividis", interpolation="nearest"
    )
    figure.colorbar(image, ax=right, shrink=0.8, pad=0.02).set_label(
        "the most that comes to be at risk"
    )
    right.set(xlabel=label("mine"), ylabel=label("yours"))
    right.set_title("seen from above; blank: no turn begins there", loc="left")
    headline(figure, f"{asked.game}: where an optimal player can come, against anybody")
    return figure


def reached(solution: Solution) -> tuple[Position, float]:
    """Return the positions an optimal player can come to, and their share of all."""
    table = solution.table
    # Somebody who rolls and holds at random may do anything at all.
    visited = density_on(table, solution.plan, "random").visited[0]
    here = np.flatnonzero(table.is_ongoing & visited)
    return table.positions(here), here.size / int(table.is_ongoing.sum())


@lru_cache(maxsize=16)
def climbed(game: Pig, start: str) -> Iteration:
    """Return best replies to best replies from a start, worked out once for figure and checks."""
    return iterate(solved(game).table, start)


@kind(
    Pig,
    "replies",
    "best replies to best replies, until nothing changes",
    f"{STUDY}, section 3.1.1",
    strategies=("hold-at:1", "hold-at:20", "hold-at:25", "hold-at:100"),
    most=7,
)
def replies(asked: Asked) -> Figure:
    """Return how much each order wins against the one before, and how far it is from optimal."""
    _two_banks(asked.game)
    solution = solved(asked.game)
    table, best = solution.table, solution.plan
    choice = np.diff(table.move_first) > 1
    figure = blank(10, 4.4)
    left, right = figure.subplots(1, 2)
    for place, name in enumerate(asked.strategies):
        climb = climbed(asked.game, name)
        plans = [plan(table, name), *(reply.plan for reply in climb.orders)]
        gains = [100 * (float(reply.evaluation.value) - 0.5) for reply in climb.orders]
        apart = [int((each.choice != best.choice)[choice].sum()) for each in plans]
        look = {**line_of(place), "markersize": 5, "label": name}
        kept = [(order, gain) for order, gain in enumerate(gains, 1) if gain > 1e-10]
        left.plot(*zip(*kept, strict=True), **look)
        right.plot(range(len(apart)), apart, **look)
    left.set_yscale("log")
    left.yaxis.set_major_formatter(matplotlib.ticker.FuncFormatter(lambda gain, _: f"{gain:g}"))
    left.set(xlabel="order of the reply", ylabel="wins above a half, in %")
    left.set_title("what the reply wins against the one before")
    right.set_yscale("symlog", linthresh=10)
    right.set_ylim(0)
    right.yaxis.set_major_formatter(matplotlib.ticker.FuncFormatter(lambda many, _: f"{many:,.0f}"))
    right.set(xlabel="order of the reply", ylabel="positions played otherwise")
    right.set_title(f"how far from optimal, of {int(choice.sum()):,} with a choice")
    right.legend(title="from", fontsize=9, title_fontsize=9)
    for axes in (left, right):
        axes.grid(color="#e5e5e5", linewidth=0.8)
        axes.set_axisbelow(True)
        whole_numbers(axes.xaxis)
    right.axhline(0, color=GREY, linewidth=0.8)
    headline(figure, f"{asked.game}: best replies to best replies")
    return figure
