"""dicelab fair-test: the study's protocol from the command line."""

import pytest


def test_a_fair_test_says_who_is_better_and_by_which_count(dicelab):
    words = ("fair-test", "pig", "hold-at:10", "hold-at:2", "target=20", "games=300", "repeats=5")
    answer = dicelab.json(*words)
    assert (answer["better"], answer["games"], answer["repeats"]) == ("A", 300, 5)
    assert answer["needed"] == 158  # 300 x 0.525, rounded up
    assert answer["mean"] == pytest.approx(sum(answer["shares"]) / 5)
    assert answer["lowest"] == min(answer["shares"])
    told = dicelab(*words).stdout.splitlines()
    assert told[0] == "pig target=20: hold-at:10 is better than hold-at:2"
    assert told[2] == "a strategy is better with 158 of 300 points on average; seed 0"


def test_equals_are_told_to_be_equal(dicelab):
    words = ("fair-test", "pig", "turtle", "turtle", "target=20", "games=1000", "repeats=20")
    assert dicelab.json(*words)["better"] == "neither"
    assert "neither is better by 0.025" in dicelab(*words).stdout


def test_a_fair_test_of_nothing_is_refused(dicelab):
    words = ("fair-test", "pig", "turtle", "turtle", "target=20", "repeats=0")
    assert dicelab.refused(*words) == (
        "RulesError: a fair test needs a result or more: got repeats=0\n"
    )
