"""Marks: one word for what a decision cost, the same in every game."""

import pytest

from dicelab import game, solve
from dicelab.people.marks import accuracy, at_stake, mark_of
from dicelab.verbs.solution import WORSE


@pytest.mark.parametrize(
    ("share", "word"),
    [
        (0.0, "best"),
        (0.0009, "fine"),
        (0.001, "inaccuracy"),
        (0.0099, "inaccuracy"),
        (0.01, "mistake"),
        (0.0399, "mistake"),
        (0.04, "blunder"),
        (1.0, "blunder"),
    ],
)
def test_the_thresholds_are_a_tenth_of_a_per_cent_one_and_four(share, word):
    assert mark_of(share) == word


def test_a_move_that_cannot_be_told_from_the_best_is_best():
    assert mark_of(1e-15, is_mistake=False) == "best"


def test_who_holds_at_nothing_in_a_race_to_two_blunders():
    # v = 6/7 for who rolls; who holds with nothing at risk is left 1 - 6/7 = 1/7.
    solution = solve(game("pig", target=2, passing=True))
    hold = next(move for move in solution.moves_at("0-0 +0") if move.move == "hold")
    assert float(hold.cost) == pytest.approx(5 / 7)
    assert mark_of(float(hold.cost) / at_stake(solution), hold.status == WORSE) == "blunder"


@pytest.mark.parametrize(
    ("name", "rules", "stakes"),
    [
        ("pig", {"target": 5}, 1.0),  # a chance to win
        ("dice-battle", {"target": 6, "dice": 2}, 2.0),  # from -1 to 1
        ("solo-pig", {"target": 5}, 1.0),  # a turn is a turn
    ],
)
def test_what_is_at_stake(name, rules, stakes):
    assert at_stake(solve(game(name, **rules))) == stakes


def test_accuracy_is_the_share_kept_of_what_hung_on_the_decisions():
    # 0.01 given away where 0.05 hung on it, and nothing where 0.15 did: 19 parts of 20 kept
    assert accuracy([0.01, 0.0], [0.05, 0.15]) == pytest.approx(0.95)
    assert accuracy([0.3], [0.3]) == 0
    assert accuracy([], []) is None
