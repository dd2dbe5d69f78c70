"""Advice at the table."""

from fractions import Fraction

import pytest

from dicelab.errors import RulesError, UnknownPosition, UnreadablePosition
from dicelab.rounds import Round, advise, ask
from dicelab.rules.dice import Die

GAME = Round()


def test_with_421_on_the_table_keep_it():
    advice = ask(GAME, "421 goal, have 4, threw 21, 1 cast left")
    assert advice.best == ("421",)
    # keep two dice: the last shows the right face with 1/6; keep the 4 alone: 21 with 2/36
    assert [(c.kept, c.value, c.cost) for c in advice.choices] == [
        ("421", 1, 0),
        ("41", Fraction(1, 6), Fraction(5, 6)),
        ("42", Fraction(1, 6), Fraction(5, 6)),
        ("4", Fraction(1, 18), Fraction(17, 18)),
    ]
    assert str(advice) == "keep 421: worth 1 on goal:421"


def test_a_next_player_must_break_it():
    advice = ask(GAME, "goal 421, threw 421, 1 cast left, nothing aside", player="next")
    assert advice.best == ("21", "41", "42")
    assert str(advice) == "keep 21 or 41 or 42: worth 1/6 = 0.166667 on goal:421"


@pytest.mark.parametrize(
    "question",
    [
        "goal 421, have 4, threw 61, 1 cast left",
        "421 goal; kept 4; threw 61; 1 left",
        "Goal 421, 4 aside, thrown 16, one cast left",
        "goal (1,1,0,1,0,0), have (0,0,0,1,0,0), threw 61, 1 more cast left",
    ],
)
def test_the_question_may_be_put_in_several_ways(question):
    assert ask(GAME, question).best == ("41",)


def test_advice_may_follow_any_utility():
    # one die left to the sum: throw what is below 7/2
    assert advise(Round(1), "-", "3", 1, "sum").best == ("-",)
    assert advise(Round(1), "-", "4", 1, "sum").best == ("4",)


@pytest.mark.parametrize(
    ("question", "error", "message"),
    [
        (
            "give me luck",
            UnreadablePosition,
            "cannot read 'give me luck'; write 'have 6, threw 41, 1 cast left', "
            "and 'goal 641' if that is all you want",
        ),
        (
            "goal 421, 1 cast left",
            UnreadablePosition,
            "the question 'goal 421, 1 cast left' does not say what was thrown; add 'threw 21'",
        ),
        (
            "threw 421",
            UnreadablePosition,
            "the question 'threw 421' does not say how many casts are left; add '1 cast left'",
        ),
        (
            "goal 421, have 4, threw 2, 1 cast left",
            UnknownPosition,
            "2 has 1 die: 2 wanted here",
        ),
        (
            "goal 421, have 4, threw 21, 2 casts left",
            UnknownPosition,
            "4 cannot be aside with 2 casts left: the first cast throws all dice",
        ),
        (
            "goal 421, threw 421, 0 casts left",
            UnknownPosition,
            "nothing to choose with 0 casts left: a round of 3 casts has 1 to 2 left at a decision",
        ),
    ],
)
def test_a_question_that_makes_no_sense_is_refused(question, error, message):
    with pytest.raises(error) as caught:
        ask(GAME, question)
    assert str(caught.value) == message


def test_without_goal_and_utility_results_count_what_they_usually_do():
    # 421 hands over 10 tokens, the most there is; four dice have no tokens, so faces add up
    assert str(ask(GAME, "threw 421, 2 casts left")) == "keep 421: worth 10 on transfer"
    assert ask(Round(4), "threw 6666, 2 casts left").utility == "sum"


def test_faces_beyond_nine_take_commas():
    dozen = Round(3, Die(12))
    advice = ask(dozen, "threw 12,10,3, 2 casts left")
    # the sum of faces: each die thrown again is worth 13/2 with one cast left, so 12 and 10 stay
    assert (advice.table, advice.best) == ("12,10,3", ("12,10",))
    # 12 + 10 + 13/2
    assert ask(dozen, "have 12,, threw 3, 10; 1 left").choices[0].value == Fraction(57, 2)
    assert ask(dozen, "2 casts left, 12,10,3 goal, threw 12 , 10 , 3").choices[0].value == 1


def test_a_goal_beside_a_utility_is_refused():
    with pytest.raises(RulesError) as caught:
        ask(GAME, "goal 421, threw 421, 2 casts left", "sum")
    assert str(caught.value) == (
        "the question has the goal 421 and there is a utility too: give one"
    )


def test_a_round_of_one_cast_leaves_nothing_to_choose():
    with pytest.raises(UnknownPosition) as caught:
        advise(Round(casts=1), "-", "421", 0, "sum")
    assert str(caught.value) == "a round of one cast leaves nothing to choose"
