"""Figures say what they show, in the players' words, and are the same every time."""

from __future__ import annotations

import re

import numpy as np
import pytest

from dicelab import density, game, solve
from dicelab.games.pig import Pig
from dicelab.plots import density_picture, picture, save
from dicelab.strategies.holding_points import holding_points
from dicelab.verbs.best_response import best_response
from dicelab.warm import CoinRace


def labels(figure):
    """Return the titles and the labels of the axes of a figure."""
    return [text for axes in figure.axes for text in (axes.get_xlabel(), axes.get_ylabel())]


def test_the_map_of_pig_has_the_holding_points_and_four_cuts():
    solution = solve(Pig(target=40))
    figure = picture(solution, "dicelab solve pig target=40")
    left, right = figure.axes[:2]
    drawn = left.images[1].get_array().filled(np.nan)
    points = holding_points(solution.plan).points.T
    assert np.array_equal(drawn, np.where(np.isinf(points), np.nan, points), equal_nan=True)
    legend = [text.get_text() for text in right.get_legend().get_texts()]
    assert legend == ["0", "12", "24", "36", "hold at 20", "that would win"]
    assert (left.get_xlabel(), left.get_ylabel()) == ("my bank", "the other player's bank")
    assert figure.get_supxlabel() == "made by: dicelab solve pig target=40"


def test_the_picture_of_a_reply_says_so():
    reply = best_response(Pig(target=20), "turtle").solution
    assert "With best reply the first player wins" in picture(reply, "").get_suptitle()


@pytest.mark.parametrize("turns", [0, 4])
def test_a_player_alone_sees_the_holding_point_of_each_bank(turns):
    figure = picture(solve(game("solo-pig", target=20, turns=turns)), "")
    assert labels(figure) == ["my bank", "hold at (points at risk)"]
    assert len(figure.axes[0].lines) == (2 if turns == 0 else 4)


def test_other_games_show_what_positions_are_worth():
    figure = picture(solve(CoinRace()), "")
    assert labels(figure) == ["value (chance to win)", "positions"]


def test_fields_with_too_many_values_for_a_map_are_not_mapped():
    # A side of this game is a number with a bit for each square: 40,000 by 40,000 cells.
    ur = game("ur", pieces=1)
    assert labels(picture(solve(ur), "")) == ["value (chance to win)", "positions"]
    figure = density_picture(density(ur, "random", "random"), "")
    assert labels(figure)[2] == "chance to come there (%)"


def test_a_density_shows_how_long_and_where():
    figure = density_picture(density(Pig(target=20), "turtle", "turtle"), "")
    assert labels(figure)[:4] == [
        "turns",
        "games that end then (%)",
        "my bank",
        "the other player's bank",
    ]
    heights = [bar.get_height() for bar in figure.axes[0].patches]
    assert sum(heights) == pytest.approx(99.9, abs=0.1)  # the last thousandth is cut off


def test_the_same_picture_is_the_same_file(tmp_path):
    solution = solve(Pig(target=15))
    for name in ("one.svg", "two.svg"):
        save(picture(solution, "dicelab solve pig target=15"), tmp_path / name)
    one, two = ((tmp_path / name).read_text() for name in ("one.svg", "two.svg"))
    assert one == two
    assert not re.search(r"<dc:date>", one)


def test_the_boards_of_a_game_of_two_scores_are_drawn_with_the_dice_in_their_cells():
    greed = picture(solve(game("greed", max=10, sides=3)), "dicelab solve greed")
    titles = [axes.get_title(loc="left") for axes in greed.axes if axes.get_title(loc="left")]
    assert titles == [
        "rating: ordinary turns",
        "dice to throw: ordinary turns",
        "rating: the last turn",
        "dice to throw: the last turn",
    ]
    assert len(greed.axes[0].texts) == 11 * 11
    both = solve(game("dice-battle", dice=3, target=5, variant="simultaneous"))
    titles = [axes.get_title(loc="left") for axes in picture(both, "x").axes]
    assert titles[:2] == ["gain", "the likeliest number of dice"]
