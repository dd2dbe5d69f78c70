"""The pictures of play show the numbers they are given."""

import numpy as np

from dicelab import game, plots
from dicelab.plots.play import (
    fair_tests_picture,
    heat_map,
    one_against_all_picture,
    scatter_picture,
)
from dicelab.plots.style import signed
from dicelab.verbs.fair_test import fair_tests, scatter
from dicelab.verbs.tournament import members, tournament

SHORT = game("pig", target=20)


def test_figure_15_has_a_point_for_every_run():
    sizes = [50, 100, 150]
    shares = scatter(SHORT, "hold-at:9", sizes, repeats=20)
    (axes,) = signed("a test", scatter_picture, sizes, shares).axes
    points = axes.lines[0]
    assert points.get_ydata().tolist() == shares.ravel().tolist()
    assert points.get_xdata().tolist() == [50] * 20 + [100] * 20 + [150] * 20
    inside = (np.abs(shares[-1] - 0.5) <= 0.025).mean()
    assert axes.get_title(loc="left").endswith(
        f"at 150 games {100 * inside:.0f}% of results are within 0.025 of a half"
    )


def test_figure_16_has_a_point_for_every_fair_test(tmp_path):
    means = fair_tests(SHORT, "hold-at:9", tests=3)
    figure = signed("a test", fair_tests_picture, means)
    assert figure.axes[0].lines[0].get_ydata().tolist() == means.tolist()
    plots.save(figure, tmp_path / "16.svg")
    assert "made by: a test" in (tmp_path / "16.svg").read_text()


def test_figure_18_and_the_heat_map_show_the_matrix():
    found = tournament(SHORT, members(["hold-at:1..35"]))
    row = signed("a test", one_against_all_picture, found, "hold-at:9").axes[0].lines[0].get_ydata()
    assert row.tolist() == found.wins[8].tolist()
    axes = signed("a test", heat_map, found).axes[0]
    assert (axes.images[0].get_array() == 100 * found.wins).all()
    assert len(axes.get_xticks()) == 11  # too many to name them all


def test_a_map_of_few_has_its_numbers_and_parts_its_colours_at_a_half():
    found = tournament(SHORT, ["hold-at:5", "hold-at:9", "turtle"])
    figure = signed("a test", heat_map, found)
    axes = figure.axes[0]
    low, high = axes.images[0].get_clim()
    assert (low + high) / 2 == 50
    assert [text.get_text() for text in axes.texts] == [
        f"{100 * value:.4g}" for value in found.wins.ravel()
    ]
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("against", "strategy")
    assert axes.get_title(loc="left") == ""  # told once, above the figure


def test_a_family_of_holding_points_stands_at_its_points():
    found = tournament(SHORT, members(["hold-at:5..9"]))
    axes = signed("a test", one_against_all_picture, found, "hold-at:7").axes[0]
    assert axes.lines[0].get_xdata().tolist() == [5, 6, 7, 8, 9]
    assert axes.get_xlabel() == "opponent: hold-at"
    mixed = tournament(SHORT, ["hold-at:5", "turtle", "roll-to-win"])
    axes = signed("a test", one_against_all_picture, mixed, "turtle").axes[0]
    assert [tick.get_text() for tick in axes.get_xticklabels()] == list(mixed.names)


def test_every_line_of_figures_15_and_16_is_named():
    shares = scatter(SHORT, "hold-at:9", [50, 100], repeats=5)
    (axes,) = signed("a test", scatter_picture, [50, 100], shares).axes
    assert [text.get_text() for text in axes.get_legend().get_texts()] == [
        "one series of games",
        "95 of 100 should lie between",
        "within 0.025 of a half",
    ]
    (axes,) = signed("a test", fair_tests_picture, fair_tests(SHORT, "hold-at:9", tests=2)).axes
    assert [text.get_text() for text in axes.get_legend().get_texts()] == [
        "a half",
        "mean of these tests",
    ]
