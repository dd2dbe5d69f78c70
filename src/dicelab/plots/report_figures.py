"""Figures of a report: narrow enough for a telephone, on paper of any colour."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
from matplotlib.figure import Figure

from dicelab.core.arrays import Floats
from dicelab.errors import DicelabError
from dicelab.plots.field_maps import AXES, map_figure, telling_fields
from dicelab.plots.kinds import Asked
from dicelab.plots.style import (
    BLUE,
    GREEN,
    GREY,
    ORANGE,
    PURPLE,
    RED,
    SKY,
    as_bytes,
    blank,
    length_bars,
    scaled,
    whole_numbers,
)
from dicelab.verbs.best_play import MoveUse, Turning
from dicelab.verbs.distil import Card
from dicelab.verbs.numbers import Number
from dicelab.verbs.playback import named
from dicelab.verbs.report import Report
from dicelab.verbs.report_sections import Endings, Lead, Length, Size, Worth
from dicelab.verbs.restricted import Restricted
from dicelab.verbs.sensitivity import Change
from dicelab.verbs.skill import Ladder, Spread

WIDE = 4.6
"""Inches: as wide as a telephone shows at the size of its letters."""

MOST_BARS = 16
MOST_LETTERS = 26


def inline(figure: Figure, number: int) -> str:
    """Return a figure as SVG for inside a page: no paper of its own, lines in the page's ink."""
    figure.set_facecolor("none")
    for axes in figure.axes:
        axes.set_facecolor("none")
    text = as_bytes(figure, "svg").decode()
    text = text[text.index("<svg") :]
    text = re.sub(r"<metadata>.*?</metadata>", "", text, flags=re.DOTALL)
    text = re.sub(r'\bid="', f'id="f{number}-', text)
    text = re.sub(r'(href="#|url\(#)', rf"\g<1>f{number}-", text)
    text = text.replace("#000000", "currentColor")
    width, height = (f"{size * 72:.0f}" for size in figure.get_size_inches())
    return re.sub(
        r'<svg [^>]*?viewBox="([^"]*)"[^>]*>',
        rf'<svg viewBox="\1" width="{width}" height="{height}" role="img" fill="currentColor" '
        r'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink">',
        text,
        count=1,
    )


def _bars(
    names: Sequence[str],
    values: Sequence[float],
    told: Sequence[str],
    colours: Sequence[str],
    xlabel: str,
) -> Figure:
    """Return bars that lie, the first on top, each with its number."""
    names = [name if len(name) <= MOST_LETTERS else f"{name[:11]}...{name[-12:]}" for name in names]
    figure = blank(WIDE, 0.9 + 0.3 * max(2, len(names)))
    axes = figure.subplots()
    places = np.arange(len(names))
    axes.barh(places, values, color=list(colours))
    axes.set_yticks(places, names, fontsize=9)
    axes.invert_yaxis()
    low, high = min(0.0, *values), max(0.0, *values)
    span = (high - low) or 1.0
    for place, value, text in zip(places.tolist(), values, told, strict=True):
        away = 0.01 * span if value >= 0 else -0.01 * span
        side = "left" if value >= 0 else "right"
        axes.text(value + away, place, text, va="center", ha=side, fontsize=9)
    axes.set_xlim(low - (0.2 * span if low < 0 else 0), high + 0.2 * span)
    if low == high:
        axes.set_xticks([0.0])  # thousandths of nothing would run into each other
    axes.set_xlabel(xlabel)
    return figure


def size_figure(size: Size) -> Figure | None:
    """Return how many positions have how many moves."""
    if not size.choices:
        return None
    figure = blank(WIDE, 2.6)
    axes = figure.subplots()
    counts = list(size.choices)
    axes.bar(counts, list(size.choices.values()), color=BLUE, width=0.8)
    axes.set(xlabel="moves to choose from", ylabel="positions")
    whole_numbers(axes.xaxis)
    if max(size.choices.values()) > 50 * min(size.choices.values()):
        axes.set_yscale("log")
    return figure


def seats_figure(worth: Worth, unit: str) -> Figure | None:
    """Return what each seat gets, beside an even share."""
    if not worth.seats:
        return None
    scale, label = scaled(unit)
    values = [scale * each.known for each in worth.seats]
    names = [f"{named(seat)}, seat {seat + 1}" for seat in range(len(values))]
    figure = _bars(names, values, [f"{value:.4g}" for value in values], [BLUE] * len(values), label)
    figure.axes[0].axvline(sum(values) / len(values), color=GREY, linestyle="--", linewidth=1)
    return figure


def points_figure(worth: Worth, unit: str) -> Figure | None:
    """Return how likely each number of points is."""
    if worth.points is None or worth.points.amounts.size < 2:
        return None
    law = worth.points
    points = np.array([float(each) for each in law.points])
    figure = blank(WIDE, 2.8)
    axes = figure.subplots()
    low, high = (float(law.quantile(share)) for share in (0.0005, 0.9995))
    width = max(float(np.min(np.diff(points))), (high - low) / 400)
    axes.bar(points, 100 * law.chances, width=width, color=BLUE, linewidth=0)
    mean = Number(law.mean, law.error, unit).known
    axes.axvline(mean, color=ORANGE, label=f"mean {mean:.4g}")
    middle = float(law.quantile(0.5))
    axes.axvline(middle, color=GREY, linestyle="--", linewidth=1, label=f"median {middle:.4g}")
    axes.set(xlabel=unit, ylabel="games (%)", xlim=(low - width, high + width))
    axes.legend(fontsize=9)
    return figure


def value_map(report: Report) -> Figure | None:
    """Return what positions are worth and the best moves, where that can be mapped."""
    if not report.best.has_table:
        return None
    game, solution = report.game, report.best.numbers.solution
    if game.engine:  # its own solution knows no table
        solution = report.best.solution
    try:
        axes = telling_fields(solution)
        asked = Asked(game, (), {}, fields=dict(zip(AXES, axes, strict=False)))
        figure = map_figure(solution, asked, upright=True)
    except DicelabError:
        return None
    figure.suptitle("")
    return figure


def length_figure(length: Length) -> Figure | None:
    """Return in which turn games end; nothing where none does."""
    if not length.law.any():
        return None
    figure = blank(WIDE, 2.6)
    length_bars(figure.subplots(), length.law, "turn", 3)
    return figure


def endings_figure(endings: Endings) -> Figure | None:
    """Return how games end, as parts of one bar."""
    names = [f"{named(seat)} wins" for seat in range(len(endings.wins))]
    if len(names) == 1:
        names = ["makes it"]
    parts = [*endings.wins, endings.draws, endings.never_ends]
    colours = [*(BLUE, ORANGE, GREEN, PURPLE, RED, SKY)[: len(names)], GREY, "#555555"]
    values = [100 * (part.value or 0.0) for part in parts]
    told = [*names, "draw", "never ends"]
    if len(names) == 1:
        values.append(max(0.0, 100 - sum(values)))
        told.append("does not")
        colours.append(ORANGE)
    shown = [each for each in zip(told, values, colours, strict=False) if each[1] > 0]
    return _parts(shown) if shown else None


def _parts(shown: Sequence[tuple[str, float, str]]) -> Figure:
    """Return parts of a hundred in one bar."""
    figure = blank(WIDE, 1.3)
    axes = figure.subplots()
    left = 0.0
    for name, value, colour in shown:
        axes.barh([0], [value], left=left, color=colour, label=f"{name} {value:.4g}%")
        left += value
    axes.set(xlim=(0, max(left, 100)), yticks=[])
    axes.spines["left"].set_visible(False)
    axes.legend(fontsize=9, ncols=min(3, len(shown)), loc="lower center", bbox_to_anchor=(0.5, 1.0))
    return figure


def ladder_figure(ladder: Ladder, unit: str) -> Figure:
    """Return what each strategy gets, from random to the optimum."""
    scale, label = scaled(unit)
    rungs = [rung for rung in ladder.rungs if np.isfinite(rung.value.value or 0.0)][::-1]
    values = [scale * rung.value.known for rung in rungs]
    colours = [
        GREEN if rung.name == "optimal" else GREY if rung.name == "random" else BLUE
        for rung in rungs
    ]
    names = [rung.name for rung in rungs]
    return _bars(names, values, [f"{value:.4g}" for value in values], colours, label)


def spread_figure(spread: Spread) -> Figure:
    """Return what spreads the results."""
    parts = (
        ("play", spread.by_play, BLUE),
        ("who starts", spread.by_seat, GREEN),
        ("chance", spread.by_chance, ORANGE),
    )
    shown = [
        (name, 100 * (spread.share(each).value or 0.0), colour) for name, each, colour in parts
    ]
    return _parts([each for each in shown if each[1] > 0.005])


def restricted_figure(players: Sequence[Restricted], unit: str) -> Figure | None:
    """Return what each restriction costs."""
    shown = [one for one in players if one.cost is not None]
    if not shown:
        return None
    scale, label = scaled(unit)
    values = [scale * one.cost.known if one.cost else 0.0 for one in shown]
    label = "cost, % of the game" if scale == 100 else f"cost, {label}"
    told = [f"{value:.3g}" for value in values]
    return _bars([one.name for one in shown], values, told, [RED] * len(shown), label)


def lead_figure(lead: Lead, players: int, chances: bool) -> Figure:
    """Return how a game is decided turn by turn."""
    figure = blank(WIDE, 3.2)
    axes = figure.subplots()
    curves = lead.by_turn
    last = int(np.searchsorted(curves.settled, 0.995)) + 1
    turns = np.arange(1, curves.luck.size + 1)[:last]

    def line(values: Floats, colour: str, name: str, mark: str, before: float | None) -> None:
        x, y = turns, 100 * values[:last]
        if before is not None:
            x, y = np.append(0, x), np.append(before, y)
        axes.plot(x, y, color=colour, label=name, marker=mark if last < 40 else None, markersize=4)

    line(curves.settled, ORANGE, "spread of results settled", "o", 0.0)
    if chances:
        who = "the leader can expect" if players > 1 else "the likelier end is"
        line(np.append(curves.leader[1:], curves.leader[-1:]), BLUE, f"{who} (mean)", "s", None)
        after = np.append(curves.decided[1:], curves.decided[-1:])
        line(after, GREEN, "games that are 90% decided", "^", None)
    axes.set(xlabel=f"after {lead.step}", ylabel="%", ylim=(0, 103), xlim=(0, last + 0.5))
    whole_numbers(axes.xaxis)
    axes.legend(fontsize=9, loc="lower right")
    return figure


def moves_figure(moves: Sequence[MoveUse]) -> Figure | None:
    """Return how often each move is best where it is allowed and there is a choice."""
    if not moves:
        return None
    never = [one for one in moves if one.is_never_best]
    shown = [one for one in moves if not one.is_never_best][: MOST_BARS - min(4, len(never))]
    shown += never[: MOST_BARS - len(shown)]
    values = [100 * one.best / one.allowed for one in shown]
    told = [
        "never best" if one.is_never_best else f"{value:.3g}"
        for one, value in zip(shown, values, strict=True)
    ]
    colours = [BLUE] * len(shown)
    return _bars(
        [one.move for one in shown], values, told, colours, "best, % of where it is allowed"
    )


def turning_figure(points: Sequence[Turning], unit: str) -> Figure | None:
    """Return what the next best move would cost in a game, position by position."""
    if not points:
        return None
    scale, _ = scaled(unit)
    values = [scale * one.per_game for one in points]
    label = "cost in a game, %" if scale == 100 else f"cost in a game, {unit}"
    told = [f"{value:.3g}" for value in values]
    return _bars([one.position for one in points], values, told, [PURPLE] * len(points), label)


def rules_figure(card: Card) -> Figure:
    """Return what one more number to remember buys."""
    figure = blank(WIDE, 2.6)
    axes = figure.subplots()
    scale, _ = scaled(card.unit)
    costs = [scale * one.cost for one in card.rules]
    sizes = [one.size for one in card.rules]
    axes.plot([*sizes, card.size], [*costs, costs[-1]], color=BLUE, drawstyle="steps-post")
    axes.plot(sizes, costs, "o", color=BLUE)
    unit = "% of the game" if scale == 100 else card.unit
    axes.set(xlabel="numbers to remember", ylabel=f"cost ({unit})", ylim=(0, None))
    whole_numbers(axes.xaxis)
    return figure


def changes_figure(
    changes: Sequence[Change], now: dict[str, Number], name: str, unit: str
) -> Figure | None:
    """Return by how much one step in each parameter changes a number."""
    shown = [one for one in changes if name in one.numbers]
    if not shown or name not in now:
        return None
    scale = 100.0 if now[name].is_chance else 1.0
    values = [scale * _apart(one.numbers[name], now[name]) for one in shown]
    shown = [one for one, value in zip(shown, values, strict=True) if np.isfinite(value)]
    values = [value for value in values if np.isfinite(value)]
    if not shown:
        return None
    order = np.argsort([-abs(value) for value in values], kind="stable")[:MOST_BARS]
    names = [
        f"{shown[place].parameter} {shown[place].before} to {shown[place].after}" for place in order
    ]
    told = [f"{values[place]:+.3g}" for place in order]
    colours = [BLUE if values[place] >= 0 else RED for place in order]
    axis = f"change of {name}" + (", percentage points" if scale == 100 else f", {unit}")
    return _bars(names, [values[place] for place in order], told, colours, axis)


def _apart(one: Number, other: Number) -> float:
    """Return how far apart two numbers are; 0 where that cannot be told."""
    error = (one.error or 0.0) + (other.error or 0.0)
    return Number((one.value or 0.0) - (other.value or 0.0), error, one.unit).known
