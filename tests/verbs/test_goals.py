"""Goals: what they say, what meets them, and those that cannot be."""

from fractions import Fraction

import pytest

from dicelab.errors import RulesError
from dicelab.verbs.goals import goals_read
from dicelab.verbs.numbers import Number


def test_goals_are_values_ranges_and_limits():
    told = goals_read(["advantage=0", "length=6..8", "within:20>=95%", "draws <= 1/8"])
    assert [(goal.number, goal.low, goal.high) for goal in told] == [
        ("advantage", 0, 0),
        ("length", 6, 8),
        ("within:20", Fraction(19, 20), None),
        ("draws", None, Fraction(1, 8)),
    ]
    assert [goal.miss(Fraction(1, 2)) for goal in told] == [
        Fraction(1, 2),
        Fraction(11, 2),
        Fraction(9, 20),
        Fraction(3, 8),
    ]


def test_a_game_may_do_without_chance():
    (goal,) = goals_read(["throws=0"])
    assert goal.target == 0


def test_a_limit_is_met_where_all_that_a_number_may_be_is_inside():
    (limit,) = goals_read(["within:20>=95%"])
    assert limit.is_met(Number(0.951, 0.001, "chance"))
    assert not limit.is_met(Number(0.951, 0.01, "chance"))
    (value,) = goals_read(["advantage=0"])
    assert value.is_met(Number(1e-15, 2e-15, "chance to win"))
    assert not value.is_met(Number(0.0, 0.0, "chance to win", "1/1000000000000000000000000000000"))


@pytest.mark.parametrize(
    ("texts", "sentence"),
    [
        (
            ["short"],
            "a goal is a number and what it is to be, as advantage=0, length=6..8 or "
            "within:20>=95%: got 'short'",
        ),
        (["lenght=8"], "there is no number called 'lenght'; did you mean 'length'?"),
        (
            ["length>=6..8"],
            "a goal with a range has an equals sign, as length=6..8: got 'length>=6..8'",
        ),
        (["length=8..6"], "the goal length=8..6 is empty: write the smaller number first"),
        (
            ["length=soon"],
            "a goal has numbers such as 0, 1/2, 0.5 or 50%: got 'soon' in 'length=soon'",
        ),
        (
            ["value=1e400"],
            "a goal has numbers such as 0, 1/2, 0.5 or 50%: got '1e400' in 'value=1e400'",
        ),
        (["wins=150%"], "the goal wins=150% cannot be: wins is a chance, between 0 and 1"),
        (["length=0"], "the goal length=0 cannot be: length is 1 or more"),
        (["throws=-1"], "the goal throws=-1 cannot be: throws is 0 or more"),
        *(
            (
                [text],
                "a goal with a range has both ends, as length=6..8, and one with a limit has >= or "
                f"<=: got {text!r}",
            )
            for text in ("length=6..", "length=..6")
        ),
        (["length=8", "length>=10"], "the goals length=8 and length>=10 contradict each other"),
        (
            ["length>=8", "length<=10"],
            "the goals length>=8 and length<=10 are about one number: give one of them, or a range",
        ),
        (
            ["within:20<=50%", "within:10>=90%"],
            "the goals within:20<=50% and within:10>=90% contradict each other",
        ),
        (
            ["wins>=60%", "loses>=60%"],
            "the goals wins>=60% and loses>=60% contradict each other: these chances are at most 1",
        ),
    ],
)
def test_goals_that_cannot_be_are_refused(texts, sentence):
    with pytest.raises(RulesError) as refused:
        goals_read(texts)
    assert str(refused.value) == sentence
