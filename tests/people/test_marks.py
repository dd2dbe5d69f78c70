"""Marks: one word for what a decision cost, the same in every game."""

import math

import pytest

from dicelab import game, solve
from dicelab.people.marks import accuracy, mark, mark_of, stakes_of


@pytest.mark.parametrize(
    ("share", "word"),
    [
        (0.0, "fine"),
        (0.0019, "fine"),
        (0.002, "inaccuracy"),
        (0.0099, "inaccuracy"),
        (0.01, "mistake"),
        (0.0299, "mistake"),
        (0.03, "blunder"),
        (1.0, "blunder"),
    ],
)
def test_the_thresholds_are_those_of_the_page(share, word):
    # docs/lab.md states 0.2%, 1% and 3% of what can be won or lost; here a game between -1 and 1.
    assert mark(2 * share, False, 2.0) == word


def test_a_move_that_cannot_be_told_from_the_best_is_best():
    assert mark(1e-15, True, 1.0) == "best"


def test_who_holds_at_nothing_in_a_race_to_two_blunders():
    # v = 6/7 for who rolls; who holds with nothing at risk is left 1 - 6/7 = 1/7.
    solution = solve(game("pig", target=2, passing=True))
    marks = {
        move.move: (mark_of(move, stakes_of(solution)), float(move.cost))
        for move in solution.moves_at("0-0 +0")
    }
    assert marks["roll"] == ("best", 0)
    assert marks["hold"] == ("blunder", pytest.approx(5 / 7))


@pytest.mark.parametrize(
    ("name", "rules", "stakes"),
    [
        ("pig", {"target": 5}, 1.0),  # a chance to win
        ("dice-battle", {"target": 6, "dice": 2}, 2.0),  # from -1 to 1
        ("solo-pig", {"target": 5}, 1.0),  # a turn is a turn
    ],
)
def test_what_is_at_stake(name, rules, stakes):
    assert stakes_of(solve(game(name, **rules))) == stakes


def test_accuracy_is_the_average_of_what_each_decision_kept():
    # exp(-20 x 1%) = 0.8187...
    assert accuracy([0, 0.02], 2.0) == pytest.approx((1 + math.exp(-0.2)) / 2)
    assert accuracy([0, 0, 0], 1.0) == 1
    assert accuracy([], 1.0) is None
