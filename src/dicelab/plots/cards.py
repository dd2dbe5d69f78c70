"""Cards: the rules one would pin to the wall, and what one more number to remember buys."""

from __future__ import annotations

import textwrap

from matplotlib.figure import Figure

from dicelab.plots.style import BLUE, GREY, blank, headline, whole_numbers
from dicelab.rounds.card_pars import Pars
from dicelab.strategies.rule_words import rule_in_words
from dicelab.verbs.distil import Card

LETTERS = 46
"""Letters of a rule that stand in a line."""

LINE = 0.37
"""How high a line is, in inches."""


def card_figure(found: Card) -> Figure:
    """Return the best rule in large letters, beside the cost of rules by their size."""
    rule = found.best.rule
    is_pars = isinstance(rule, Pars)
    told = list(rule.in_words()) if isinstance(rule, Pars) else rule_in_words(rule, found.game)
    lines: list[str] = []
    for number, words in enumerate(told, 1):
        line = words if is_pars or len(told) == 1 else f"{number}.  {words}"
        lines += textwrap.wrap(line, LETTERS, subsequent_indent="      ")
    figure = blank(10.5, max(5.2, 1.4 + LINE * len(lines)))
    left, right = figure.subplots(1, 2, width_ratios=[1.25, 1])
    left.axis("off")
    left.text(0.02, 0.97, "\n".join(lines), fontsize=14, va="top", linespacing=1.7)
    whom = f"against {', '.join(found.against)}" if found.against else "alone"
    order = "" if is_pars else "The first line that fits is played. "
    note = f"{order}Costs {_told(found, found.best.cost)} a game, {whom}."
    left.text(0.02, 0.02, textwrap.fill(note, 62), fontsize=9, color="#555555", va="bottom")
    scale = 100 if found.unit == "chance to win" else 1
    sizes = [one.size for one in found.rules]
    costs = [scale * one.cost for one in found.rules]
    right.plot(sizes, costs, color=BLUE, marker="o", drawstyle="steps-post")
    levels: dict[str, list[str]] = {}
    for name, named in found.named:
        if scale * named <= max(costs):
            levels.setdefault(f"{scale * named:.6g}", []).append(name)
    for level, names in list(levels.items())[:3]:
        right.axhline(float(level), color=GREY, linewidth=0.8, linestyle=":")
        right.text(max(sizes), float(level), ", ".join(names), fontsize=7, ha="right", va="bottom")
    unit = "% of the game" if scale == 100 else found.unit
    right.set(xlabel="numbers to remember", ylabel=f"cost against best play ({unit})")
    right.set_title("what one more number buys")
    whole_numbers(right.xaxis)
    if min(costs) > 0 and max(costs) > 10 * min(costs):
        right.set_yscale("log")  # else the last numbers, which buy little, cannot be seen
    else:
        right.set_ylim(bottom=0)
    headline(figure, str(found.game))
    return figure


def _told(found: Card, cost: float) -> str:
    if found.unit == "chance to win":
        return f"{100 * cost:.2f}%"
    return f"{cost:.4g} {found.unit}"
