"""A check has a verdict, and a reason has to be shown."""

from fractions import Fraction

import pytest

from dicelab.studies.checks import Check, Reason, number, rounded, shown, words


@pytest.mark.parametrize(
    ("same", "reason", "verdict"),
    [
        (True, None, "agrees"),
        (False, None, "wrong"),
        (False, Reason("rounded twice", True), "explained"),
        (False, Reason("rounded twice", False), "wrong"),
        (True, Reason("rounded twice", True), "wrong"),
    ],
)
def test_only_a_difference_whose_reason_is_shown_is_explained(same, reason, verdict):
    assert Check("figure 17", "A overall", "0.4426", "0.4425", same, reason).verdict == verdict


def test_a_reason_that_does_not_hold_says_so():
    lost = Check("figure 17", "A", "1", "2", False, Reason("rounded twice", False))
    assert lost.remark == "the known reason does not account for it: rounded twice"
    needless = Check("figure 17", "A", "1", "1", True, Reason("rounded twice", True))
    assert needless.remark == "agrees although a difference was expected: rounded twice"


@pytest.mark.parametrize(
    ("paper", "ours", "same"),
    [
        ("0.667", Fraction(2, 3), True),
        ("0.666", Fraction(2, 3), False),
        ("0.9860", 0.98604, True),
        ("0.986", 0.98644, True),
        ("1", 0.9999999, True),
        ("2/3", Fraction(2, 3), True),
        ("2/3", Fraction(66, 100), False),
    ],
)
def test_a_number_agrees_to_every_printed_digit(paper, ours, same):
    assert number("table 1", "a chance", paper, ours).same is same


def test_halves_are_rounded_up():
    assert rounded(Fraction(44255, 100000), "0.4426") == "0.4426"


def test_our_numbers_are_shown_as_people_read_them():
    assert shown(Fraction(6, 7)) == "6/7 = 0.857143"
    assert shown(Fraction(3)) == "3"
    assert shown(Fraction(10**9, 10**9 + 7)) == "1.000000"
    assert shown(480447) == "480,447"


def test_a_claim_in_words_is_a_check_too():
    assert words("section 5", "all is well", "it is", True).verdict == "agrees"
