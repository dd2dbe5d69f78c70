"""The figure of a sweep that every game has."""

import pytest

from dicelab import game, solve, sweep
from dicelab.plots.kinds import draw
from dicelab.plots.sweeps import sweep_figure, usual_values


def test_a_sweep_is_drawn_over_the_values_asked_for():
    figure = draw("pig", "sweep", ["target=4..8:2", "die=4"])
    line = figure.axes[0].lines[0]
    assert line.get_xdata().tolist() == [4, 6, 8]
    for target, shown in zip((4, 6, 8), line.get_ydata(), strict=True):
        assert shown == pytest.approx(100 * float(solve(game("pig", target=target, die=4)).value))


def test_a_sweep_names_the_parameters_that_stay_as_they_are():
    figure = draw("pig", "sweep", ["target=4..8:2", "die=4"])
    assert figure.get_suptitle() == "pig die=4"


def test_without_values_the_first_parameter_is_made_smaller():
    assert usual_values(game("pig", target=50)) == {"target": ["10", "20", "30", "40", "50"]}


def test_a_number_that_is_infinite_everywhere_is_said_to_be():
    who = ["rule:hold", "rule:hold"]  # who may pass and always does never ends
    found = sweep("pig", {"target": [5, 6]}, ["length"], who, fixed={"passing": True})
    (axes,) = sweep_figure(found).axes
    assert [text.get_text() for text in axes.texts] == ["no finite number"]
