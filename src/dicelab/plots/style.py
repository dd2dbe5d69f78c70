"""The house style of figures: fonts, colours, small print, and how they are saved.

Colours are cividis for maps and the palette of Okabe and Ito for lines, so that people with any
colour vision can tell them apart. Axes speak the words of the players. The small print says after
which source a figure is drawn and which command made it.
"""

from __future__ import annotations

import contextlib
import io
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import matplotlib
import numpy as np
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from dicelab.core.arrays import Floats
from dicelab.core.atomic_write import written_whole

BLUE, ORANGE, GREEN, PURPLE, GREY = "#0072B2", "#E69F00", "#009E73", "#CC79A7", "#999999"
RED, SKY = "#D55E00", "#56B4E9"
COLOURS = (BLUE, ORANGE, GREEN, PURPLE, RED, SKY, "black")
MARKS = ("o", "s", "^", "D", "v", "P", "X")
PALE = "#D8D8D8"

Look = dict[str, Any]
"""How something is drawn: options of Matplotlib by their names."""

STYLE: dict[Any, Any] = {
    "font.family": "DejaVu Sans",
    "font.size": 10,
    "axes.titlesize": 11,
    "axes.titlelocation": "left",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": False,
    "legend.frameon": False,
    "lines.linewidth": 1.6,
    "savefig.dpi": 110,
    "text.usetex": False,  # whatever a matplotlibrc says, one in the current folder too
    "svg.hashsalt": "dicelab",  # the same picture gives the same file
}

LABELS = {
    "mine": "my bank",
    "yours": "the other player's bank",
    "third": "the third player's bank",
    "at_risk": "points at risk",
    "left": "turns left",
}


def label(name: str) -> str:
    """Return what a field counts, in the players' words."""
    return LABELS.get(name, name.replace("_", " "))


def scaled(unit: str) -> tuple[float, str]:
    """Return by what numbers of a unit are multiplied, and how the axis is called."""
    return (100.0, "chance to win (%)") if unit == "chance to win" else (1.0, unit)


def whole_numbers(*axes: Axis) -> None:
    """Mark whole numbers only."""
    for axis in axes:
        axis.set_major_locator(MaxNLocator(integer=True, min_n_ticks=1))


def line_of(place: int) -> Look:
    """Return the colour and the mark of one of several lines, by its place among them."""
    return {"color": COLOURS[place % len(COLOURS)], "marker": MARKS[place % len(MARKS)]}


def length_bars(axes: Axes, law: Floats, xlabel: str, least: int) -> None:
    """Draw in which turn games end, all but the last of a thousand; at least so many turns."""
    done = np.cumsum(law)
    last = int(np.searchsorted(done, 0.999 * done[-1])) + 1 if done.size else 1
    axes.bar(np.arange(1, last + 1), 100 * law[:last], color=BLUE, width=0.9)
    axes.set(xlabel=xlabel, ylabel="games that end then (%)", xlim=(0, max(last, least) + 1))
    whole_numbers(axes.xaxis)


@contextlib.contextmanager
def house_style() -> Iterator[None]:
    """Draw in the house style."""
    with matplotlib.rc_context(STYLE):
        yield


def blank(width: float, height: float) -> Figure:
    """Return an empty figure of so many inches."""
    return Figure(figsize=(width, height), layout="constrained")


def headline(figure: Figure, text: str) -> None:
    """Write what a figure shows above it."""
    lines = _in_lines(text, figure, 9.5)
    figure.suptitle(lines, x=0.01, ha="left", fontsize=12, fontweight="bold")


def small_print(figure: Figure, command: str, source: str = "") -> None:
    """Write below a figure what it is after, and which command made it."""
    told = f"made by: {command}"
    if source:
        told = f"after: {source}. {told}"
    lines = _in_lines(told, figure, 17)
    figure.supxlabel(lines, x=0.995, ha="right", fontsize=7, color="#666666")


def _in_lines(text: str, figure: Figure, letters: float) -> str:
    """Return a text in lines that fit a figure, of so many letters an inch."""
    width = int(letters * figure.get_figwidth())
    return "\n".join(textwrap.wrap(text, width, break_on_hyphens=False))


def signed(command: str, draw: Callable[..., Figure], *shown: Any) -> Figure:
    """Return a figure drawn in the house style, with the command that makes it below."""
    with house_style():
        figure = draw(*shown)
        small_print(figure, command)
    return figure


def save(figure: Figure, path: str | Path) -> None:
    """Write a figure, whole or not at all, in the form its name ends in."""
    kind = Path(path).suffix.removeprefix(".")
    with written_whole(path, "wb") as file:
        file.write(as_bytes(figure, kind))


def as_bytes(figure: Figure, kind: str) -> bytes:
    """Return a figure as a file of one kind: svg, png or pdf."""
    about = {"Date": None} if kind == "svg" else {"CreationDate": None} if kind == "pdf" else {}
    held = io.BytesIO()
    with house_style():
        figure.savefig(held, format=kind, metadata=about)
    return held.getvalue()
