"""Ranges: what a person types for the values of a parameter."""

import pytest

from dicelab import Die
from dicelab.errors import RulesError
from dicelab.rules import registry
from dicelab.rules.ranges import ranges_in


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("10..30:10", ["10", "20", "30"]),
        ("10..35:10", ["10", "20", "30"]),
        ("30..10:-10", ["30", "20", "10"]),
        ("3..5,9", ["3", "4", "5", "9"]),
        ("5,7", ["5", "7"]),
    ],
)
def test_a_range_is_written_out(text, values):
    assert ranges_in("pig", {"target": text}) == ({}, {"target": values})


@pytest.mark.parametrize("text", ["1:1/2,2:1/2", "6", "d8"])
def test_a_die_that_is_one_die_stays_one(text):
    assert ranges_in("pig", {"die": text}) == ({"die": text}, {})


def test_a_bar_parts_values_that_have_commas_themselves():
    assert ranges_in("pig", {"die": "6|1:1/2,2:1/2"})[1] == {"die": ["6", "1:1/2,2:1/2"]}
    assert ranges_in("pig", {"die": "2,3,3,4|"})[1] == {"die": ["2,3,3,4"]}


def test_numbers_alone_are_dice_in_a_sweep_and_faces_elsewhere():
    assert ranges_in("pig", {"die": "4,6,8"}) == ({}, {"die": ["4", "6", "8"]})
    assert ranges_in("pig", {"die": "4,6,8"}, whole=True) == ({"die": "4,6,8"}, {})


def test_words_are_cut_only_where_the_game_does_not_take_them_whole():
    found = ranges_in("dice-battle", {"variant": "one,zero"})[1]
    assert found == {"variant": ["one", "zero"]}
    assert ranges_in("pig", {"from": "30-12 +9"}) == ({"from": "30-12 +9"}, {})


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (
            "9..8",
            "the range target=9..8 is empty: write the smaller number first, or a step below 0",
        ),
        ("1..8:0", "the range target=1..8:0 never moves: give it a step other than 0"),
        ("1..8:1/0", "the range target=1..8:1/0 divides by 0"),
        (
            "1..10000000",
            "the range target=1..10000000 has 10,000,000 values: at most 100,000 are gone through, "
            "so give a larger step, as in target=0..1000:100",
        ),
    ],
)
def test_ranges_that_are_none_are_refused(text, sentence):
    with pytest.raises(RulesError) as refused:
        ranges_in("pig", {"target": text})
    assert str(refused.value) == sentence


def test_a_game_is_altered_and_keeps_where_it_begins_and_what_for():
    game = registry.game("pig", target=30, from_="10-5", for_="win")
    other = registry.altered(game, {"die": 8})
    assert other.parameters == {**game.parameters, "die": Die(8)}
    assert (other.notation(other.start()), other.aim) == ("10-5 +0", "win")
