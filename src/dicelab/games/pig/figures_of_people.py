"""Figures of Pig about people: how much points are worth to them, and a made-up study."""

from __future__ import annotations

import numpy as np
from matplotlib.figure import Figure

from dicelab.errors import RulesError
from dicelab.games.pig import Pig
from dicelab.games.pig.figures import STUDY
from dicelab.games.pig.people import amount_of, threshold, utility_of
from dicelab.games.pig.study.example import forms
from dicelab.games.pig.study.pictures import totals_picture
from dicelab.games.pig.study.study import study
from dicelab.games.pig.study.tracker import needs_form
from dicelab.plots.kinds import Asked, kind
from dicelab.plots.style import COLOURS, MARKS, blank, headline
from dicelab.table import compile


@kind(
    Pig,
    "utility",
    "what points are worth to players who like risk or do not",
    f"{STUDY}, figure 4",
    strategies=("risk:crra,0.5", "risk:neutral", "risk:crra,-0.5"),
    most=7,
    points=40,
)
def utility(asked: Asked) -> Figure:
    """Return u(x) of some preferences, scaled to meet at both ends, and where each holds."""
    most = asked.numbers["points"]
    if most < 2:
        raise RulesError(f"a curve needs 2 points or more: got points={most}")
    points = np.arange(most + 1)
    figure = blank(7.4, 4.8)
    axes = figure.subplots()
    for place, name in enumerate(asked.strategies):
        kind_, amount = amount_of(name)
        worth = utility_of(kind_, amount, points)
        worth = most * (worth - worth[0]) / (worth[-1] - worth[0])
        holds = threshold(asked.game, kind_, amount)
        colour = COLOURS[place % 7]
        told = f"{name}: holds at {holds}" if holds is not None else f"{name}: never holds"
        axes.plot(points, worth, color=colour, label=told)
        if holds is not None and holds <= most:
            axes.plot(holds, worth[holds], MARKS[place % 7], color=colour, markersize=7)
    axes.set(xlabel="points banked in a turn", ylabel="utility, the same at both ends")
    axes.legend(fontsize=9)
    headline(figure, f"{asked.game}: what points are worth")
    return figure


@kind(
    Pig,
    "people",
    "totals by turn of a made-up study of 15 games, with trend lines",
    f"{STUDY}, figures 7 to 12",
)
def people(asked: Asked) -> Figure:
    """Return the totals of made-up people by their stated preference. Nobody played these games."""
    game = needs_form(asked.game)
    figure = totals_picture(study(forms(compile(game))))
    headline(figure, f"{game}: made-up people, as many as in the study. Nobody played these games")
    return figure
