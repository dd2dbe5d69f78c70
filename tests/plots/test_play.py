"""The pictures of play show the numbers they are given."""

import numpy as np

from dicelab import game, plots
from dicelab.plots.play import (
    fair_tests_picture,
    heat_map,
    one_against_all_picture,
    scatter_picture,
)
from dicelab.verbs.fair_test import fair_tests, scatter
from dicelab.verbs.tournament import members, tournament

SHORT = game("pig", target=20)


def test_figure_15_has_a_point_for_every_run():
    sizes = [50, 100, 150]
    shares = scatter(SHORT, "hold-at:9", sizes, repeats=20)
    (axes,) = scatter_picture(sizes, shares, "a test").axes
    points = axes.lines[0]
    assert points.get_ydata().tolist() == shares.ravel().tolist()
    assert points.get_xdata().tolist() == [50] * 20 + [100] * 20 + [150] * 20
    inside = (np.abs(shares[-1] - 0.5) <= 0.025).mean()
    assert axes.get_title(loc="left").endswith(
        f"at 150 games {100 * inside:.0f}% of results are within 0.025 of a half"
    )


def test_figure_16_has_a_point_for_every_fair_test(tmp_path):
    means = fair_tests(SHORT, "hold-at:9", tests=3)
    figure = fair_tests_picture(means, "a test")
    assert figure.axes[0].lines[0].get_ydata().tolist() == means.tolist()
    plots.save(figure, tmp_path / "16.svg")
    assert "made by: a test" in (tmp_path / "16.svg").read_text()


def test_figure_18_and_the_heat_map_show_the_matrix():
    found = tournament(SHORT, members(["hold-at:1..35"]))
    row = one_against_all_picture(found, "hold-at:9", "a test").axes[0].lines[0].get_ydata()
    assert row.tolist() == found.wins[8].tolist()
    axes = heat_map(found, "a test").axes[0]
    assert (axes.images[0].get_array() == 100 * found.wins).all()
    assert len(axes.get_xticks()) == 11  # too many to name them all
