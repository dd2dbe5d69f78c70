"""Figures of three players and more: maps over two scores, for some scores of the third."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from dicelab.core.arrays import Array, Floats, Ints
from dicelab.plots.field_maps import fields_of, grid_of, likeliest_moves, move_colours, move_legend
from dicelab.plots.style import blank, headline, label, scaled
from dicelab.rules.sentences import in_a_row
from dicelab.rules.speech import seat_fields
from dicelab.verbs.profile_solution import SeatedSolution

PARTS = (0.1, 0.6, 1)
"""How far up the scores of the third player are for which maps are drawn."""


def is_seated(solution: object) -> bool:
    """Return whether a solution is of three and more whose scores can be laid out on a map."""
    if not isinstance(solution, SeatedSolution):
        return False
    names = getattr(solution.game.start(), "_fields", ())
    return set(seat_fields("mine", "yours", 3)) <= set(names)


def seated_figure(solution: SeatedSolution) -> Figure:
    """Return what positions are worth to who moves, and how to play there, over two scores.

    Others than the first three have what they begin with, and so have all other fields.
    """
    table = solution.table
    fields = fields_of(table)
    here = np.flatnonzero(table.is_ongoing)
    third = fields["third"]
    scores = sorted({int(x) for x in np.quantile(np.unique(third), PARTS, method="nearest")})
    figure = blank(3.6 * len(scores) + 1.2, 7.2)
    panels = figure.subplots(2, len(scores), squeeze=False, sharex=True, sharey=True)
    usual = _as_at_the_start(solution, fields)
    scale, unit = scaled(solution.unit)
    shown = scale * solution.values[here].astype(float)
    limits = float(shown.min()), float(shown.max())
    lines, told = _play(solution, fields, here)
    known = lines[usual & np.isfinite(lines)]
    span = (float(known.min()), float(known.max())) if known.size else None
    for place, score in enumerate(scores):
        above, below = panels[:, place]
        chosen = usual & (third == score)
        at = fields["mine"][chosen], fields["yours"][chosen]
        image = grid_of(above, *at, shown[chosen], "cividis", limits=limits)
        one = table.position(int(here[np.flatnonzero(third == score)[0]]))
        said = solution.game.score_in_words(solution.game.counters(one)["third"])
        above.set_title(f"the third player has {said}", fontsize=10)
        drawn = _how_to_play(below, at, lines[chosen], table.moves, told, span)
        below.set_xlabel(label("mine"))
        if place == len(scores) - 1:
            figure.colorbar(image, ax=panels[0].tolist(), pad=0.02).set_label(unit)
            if told and span:
                figure.colorbar(drawn, ax=panels[1].tolist(), pad=0.02).set_label(told)
            elif not told:
                move_legend(below, lines[usual].astype(int), table)
    for row in panels:
        row[0].set_ylabel("the next player's bank" if told else "the next player's score")
    headline(figure, f"{solution.game}: {_shares(solution)}")
    return figure


def _shares(solution: SeatedSolution) -> str:
    start = solution.by_seat(solution.game.start())
    percent = solution.unit == "chance to win"
    each = [f"{100 * float(x):.2f}%" if percent else f"{float(x):.4g}" for x in start]
    return f"the players in turn get {in_a_row(each)}"


def _as_at_the_start(solution: SeatedSolution, fields: dict[str, Ints]) -> Array:
    """Return where all but the scores of the first three are as at the start. `[ongoing]`"""
    start: Any = solution.table.position(solution.table.start)
    found = np.ones(len(fields["mine"]), bool)
    for name, values in fields.items():
        if name not in seat_fields("mine", "yours", 3):
            found &= values == int(getattr(start, name))
    return found


def _play(solution: SeatedSolution, fields: dict[str, Ints], here: Ints) -> tuple[Floats, str]:
    """Return how to play at each position, and what that counts; nothing where it is a move.

    Where one holds what is at risk, it is the least at which one holds in that turn.
    """
    table, moves = solution.table, likeliest_moves(solution.plan, here)
    if "at_risk" not in fields or "hold" not in table.moves:
        return moves.astype(float), ""
    seats = [name for name in fields if name != "at_risk"]
    _, turn = np.unique(np.stack([fields[name] for name in seats]), axis=1, return_inverse=True)
    turn = turn.ravel()
    least = np.full(int(turn.max()) + 1, np.inf)
    holds = moves == table.moves.index("hold")
    np.minimum.at(least, turn[holds], fields["at_risk"][holds].astype(float))
    return least[turn], "hold at (points at risk; white: roll until you win)"


def _how_to_play(
    axes: Axes,
    at: tuple[Ints, Ints],
    lines: Floats,
    moves: tuple[str, ...],
    told: str,
    span: tuple[float, float] | None,
) -> Any:
    """Draw holding points, or the moves themselves."""
    if told:
        if not np.isfinite(lines).any():
            x, y = (float(np.median(each)) for each in at)
            axes.text(x, y, "roll until\nyou win", ha="center", va="center", fontsize=10)
        shown = np.where(np.isfinite(lines), lines, np.nan)
        return grid_of(axes, *at, shown, "viridis", limits=span)
    colours, norm = move_colours(lines.astype(int), len(moves))
    return grid_of(axes, *at, lines, colours, norm)
