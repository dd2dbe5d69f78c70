"""Figures of the match of 421: first throws early and late, where it turns, what utilities cost."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Patch, Rectangle

from dicelab.core.arrays import Floats
from dicelab.games.four21.first_throws import FirstThrow, first_throws
from dicelab.games.four21.match import FourTwentyOne
from dicelab.games.four21.match_costs import costs, match_of, opening_values
from dicelab.games.four21.match_rules import STOP
from dicelab.plots.kinds import Asked, kind
from dicelab.plots.style import COLOURS, GREY, SKY, blank, headline, whole_numbers
from dicelab.verbs.solve import solve
from dicelab.verbs.table_solution import TableSolution

COLUMNS = 4
KEPT = ("nothing", "1 die", "2 dice", "all: stop")
SHADES = ("#f2f2f2", SKY, COLOURS[1], COLOURS[2])


@kind(FourTwentyOne, "first-throws", "what to keep at each first throw, early and late")
def first_throws_(asked: Asked) -> Figure:
    """Return what is best at each first throw at the start and in the discharge."""
    solution = _solved(asked)
    game = match_of(solution)
    half = game.tokens // 2
    late = game.opening(half, game.tokens - half) if half else game.start()
    found = [first_throws(solution, at) for at in (game.start(), late)]
    rows = -(-len(found[0]) // COLUMNS)
    figure = blank(11.5, 1.6 + 0.3 * rows)
    panels = figure.subplots(1, COLUMNS)
    for number, axes in enumerate(panels):
        part = slice(number * rows, (number + 1) * rows)
        _throws(axes, found[0][part], found[1][part], rows)
    handles = [
        Patch(facecolor=shade, edgecolor=GREY, label=told)
        for shade, told in zip(SHADES, KEPT, strict=True)
    ]
    figure.legend(handles=handles, loc="outside lower center", ncols=len(KEPT), fontsize=9)
    told = f"left at {game.notation(game.start())}, right at {game.notation(late)}"
    headline(figure, f"{game}: what to keep at a first throw, {told}; bold: transfer keeps other")
    return figure


def _throws(axes: Axes, early: list[FirstThrow], late: list[FirstThrow], rows: int) -> None:
    """Draw a column of throws with what is kept early and late."""
    axes.set(xlim=(0, 3), ylim=(rows, 0))
    axes.set_axis_off()
    for row, pair in enumerate(zip(early, late, strict=True)):
        axes.text(0.9, row + 0.5, pair[0].throw, ha="right", va="center", fontsize=9)
        for place, each in enumerate(pair):
            kept = each.best[0].removeprefix("keep ")
            number = 3 if kept == STOP else 0 if kept == "nothing" else len(kept)
            box = Rectangle(
                (1 + place, row + 0.06), 0.94, 0.88, facecolor=SHADES[number], edgecolor="white"
            )
            axes.add_patch(box)
            weight = "bold" if each.cost else "normal"
            middle = 1.47 + place, row + 0.5
            axes.text(*middle, kept, ha="center", va="center", fontsize=8, fontweight=weight)


@kind(FourTwentyOne, "turns", "the chance to win by the tokens, and where the match turns")
def turns(asked: Asked) -> Figure:
    """Return the value of every set: a map of the charge, lines of the discharge."""
    solution = _solved(asked)
    game, values = match_of(solution), opening_values(solution)
    figure = blank(11.5, 5.2)
    charge, discharge = figure.subplots(1, 2)
    shown = values.copy()
    for mine in range(game.tokens + 1):
        shown[mine, game.tokens - mine] = np.nan
    _map(figure, charge, shown, "PuOr", (0.0, 1.0), "chance of who throws first")
    charge.set_title("the charge: all other tokens are in the pot")
    held = np.arange(game.tokens + 1)
    first = values[held, game.tokens - held]
    then = 1 - values[game.tokens - held, held]
    discharge.plot(held, first, marker="o", color=COLOURS[0], label="throwing first")
    discharge.plot(held, then, marker="s", color=COLOURS[1], label="throwing second")
    discharge.axhline(0.5, color=GREY, linewidth=0.8)
    discharge.set(xlabel="my tokens", ylabel="my chance to win", ylim=(0, 1))
    discharge.set_title("the discharge: the other player has the rest")
    whole_numbers(discharge.xaxis)
    discharge.legend()
    headline(figure, f"{game}: the chance to win when a set begins")
    return figure


@kind(
    FourTwentyOne,
    "given-away",
    "what strategies give away at all tokens",
    strategies=("transfer", "rank", "beat"),
    most=4,
)
def given_away(asked: Asked) -> Figure:
    """Return maps of what strategies cost in the match, and lines of the discharge."""
    solution = _solved(asked)
    game = match_of(solution)
    found = [costs(solution, name) for name in asked.strategies]
    figure = blank(4.2 * len(found), 8.2)
    panels = figure.subplots(2, len(found), squeeze=False)
    highest = max(row.match_first for each in found for row in each.rows)
    for each, above, below in zip(found, panels[0], panels[1], strict=True):
        shown = np.full((game.tokens + 1, game.tokens + 1), np.nan)
        for row in each.rows:
            shown[row.mine, row.yours] = row.match_first
        _map(figure, above, shown, "viridis", (0.0, highest), "given away in the match")
        above.set_title(each.strategy)
        last = [row for row in each.rows if not row.pot]
        held = [row.mine for row in last]
        for field, told, colour in (
            ("set_first", "this set, first", COLOURS[0]),
            ("set_next", "this set, next", COLOURS[1]),
            ("match_first", "the match, first", COLOURS[2]),
        ):
            below.plot(held, [getattr(row, field) for row in last], color=colour, label=told)
        below.set(xlabel="tokens of who throws first, discharge", ylabel="chance given away")
        below.set_ylim(0, 1.05 * highest)
        whole_numbers(below.xaxis)
    panels[1][0].legend(fontsize=8)
    headline(figure, f"{game}: what a player gives away who plays for a utility, throwing first")
    return figure


def _map(
    figure: Figure, axes: Axes, shown: Floats, colours: str, span: tuple[float, float], told: str
) -> None:
    """Draw numbers by the tokens of both players."""
    image = axes.imshow(shown.T, origin="lower", cmap=colours, vmin=span[0], vmax=span[1])
    figure.colorbar(image, ax=axes, shrink=0.8).set_label(told)
    axes.set(xlabel="tokens of who throws first", ylabel="tokens of the other player")
    whole_numbers(axes.xaxis, axes.yaxis)


def _solved(asked: Asked) -> TableSolution:
    found = solve(asked.game)
    assert isinstance(found, TableSolution)
    return found
