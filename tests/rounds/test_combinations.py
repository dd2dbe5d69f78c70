"""Combinations: two notations, one numbering."""

from itertools import combinations_with_replacement

import numpy as np
import pytest

from dicelab.errors import UnknownPosition, UnreadablePosition
from dicelab.rounds import Combinations, Round
from dicelab.rules.dice import Die

SIX = (1, 2, 3, 4, 5, 6)


@pytest.mark.parametrize("dice", [1, 2, 3, 5])
@pytest.mark.parametrize("faces", [1, 2, 6])
def test_numbers_run_by_size_and_then_as_in_a_dictionary(dice, faces):
    # itertools lists combinations of one size in dictionary order
    numbers = Combinations(dice, SIX[:faces])
    listed = [
        combination
        for size in range(dice + 1)
        for combination in combinations_with_replacement(SIX[:faces], size)
    ]
    assert [numbers.faces_of(number) for number in range(len(numbers))] == listed
    assert numbers.rank(numbers.counts).tolist() == list(range(len(listed)))


@pytest.mark.parametrize("text", ["421", "124", "(1,1,0,1,0,0)", "( 1, 1, 0, 1, 0, 0 )", "4,2,1"])
def test_421_is_read_in_both_notations_and_any_order(text):
    numbers = Combinations(3, SIX)
    assert numbers.faces_of(numbers.number(text)) == (1, 2, 4)


def test_both_notations_are_written_and_read_back():
    numbers = Combinations(3, SIX)
    for number in range(len(numbers)):
        assert numbers.number(numbers.write(number)) == number
        assert numbers.number(numbers.write(number, rising=True)) == number
    assert numbers.write(numbers.number("124")) == "421"
    assert numbers.number("(1,1,0,1,0,0)") == numbers.number("421")


@pytest.mark.parametrize("die", [Die(12), Die({-2: "1/2", 7: "1/2"}), Die({0: "1/2", 1: "1/2"})])
def test_faces_that_are_no_single_digit_are_written_and_read_back(die):
    numbers = Combinations(2, die.faces)
    for number in range(len(numbers)):
        assert numbers.number(numbers.write(number)) == number


def test_a_combination_may_be_its_number_or_its_faces():
    numbers = Combinations(3, SIX)
    assert numbers.number(np.int64(36)) == numbers.number([2, 4, 1]) == numbers.number("421") == 36


@pytest.mark.parametrize(
    ("asked", "error", "message"),
    [
        ("42", UnknownPosition, "42 has 2 dice: 3 wanted here"),
        ("4", UnknownPosition, "4 has 1 die: 3 wanted here"),
        ("4211", UnknownPosition, "4211 has 4 dice: 3 wanted here"),
        ("(9,9,0,0,0,0)", UnknownPosition, "(9,9,0,0,0,0) has 18 dice: 3 wanted here"),
        (5, UnknownPosition, "5 has 1 die: 3 wanted here"),
        (
            "427",
            UnknownPosition,
            "427 has the face 7, which the die does not: its faces are 1, 2, 3, 4, 5, 6",
        ),
        ("(1,1)", UnknownPosition, "(1,1) counts 2 faces and the die has 6"),
        (99, UnknownPosition, "no combination has the number 99: they go from 0 to 83"),
        (
            "four",
            UnreadablePosition,
            "cannot read a combination from 'four'; write its faces, as in '641', "
            "or a count for each face, as in '(1,0,0,1,0,1)'",
        ),
    ],
)
def test_a_combination_that_is_none_is_refused(asked, error, message):
    with pytest.raises(error) as caught:
        Round().numbers.number(asked, dice=3)
    assert str(caught.value) == message
