"""The two matrices of a round, and rounds that cannot be."""

from collections import Counter
from fractions import Fraction
from itertools import combinations
from math import comb

import numpy as np
import pytest

from dicelab import game
from dicelab.errors import RulesError, TooLarge
from dicelab.rounds import Round, policy, solve
from dicelab.rules.dice import Die
from dicelab.rules.dice_laws import combinations_law

LOADED = Die({1: "1/2", 2: "1/3", 3: "1/6"})


@pytest.mark.parametrize("die", [Die(6), LOADED])
def test_the_cast_law_is_the_law_of_combinations(die):
    game = Round(3, die)
    for size in (1, 2, 3):
        for combination, chance in combinations_law(die, size).items():
            assert game.chance(combination) == chance


@pytest.mark.parametrize("keep", ["aside", "any"])
@pytest.mark.parametrize("die", [Die(6), LOADED])
def test_the_throws_from_every_kept_combination_have_chances_that_sum_to_one(keep, die):
    game = Round(3, die, keep=keep)
    for kept in range(game.numbers.full.start):
        rows = range(*game.matrices.row[kept : kept + 2])
        thrown = [int(number) for number in game.matrices.thrown[list(rows)]]
        assert sum(game.chance(number) for number in thrown) == 1


@pytest.mark.parametrize("dice", [1, 2, 3, 4])
def test_the_matrices_have_as_many_entries_as_the_binomials_say(dice):
    # pairs and triples of combinations of D dice in all: C(D + 2F - 1, D) and C(D + 3F - 1, D);
    # nobody throws from a full hand, so those pairs and triples are left out
    matrices = Round(dice, Die(6)).matrices
    full = comb(dice + 5, dice)
    assert len(matrices.numbers) == comb(dice + 6, dice)
    assert len(matrices.shows) == comb(dice + 11, dice) - full
    assert len(matrices.option) == comb(dice + 17, dice) - full


def test_what_is_aside_stays_aside_in_421_and_may_be_thrown_again_at_yahtzee():
    def kept(keep):
        game = Round(keep=keep)
        return [game.numbers.write(int(k)) for k in game.options_of(game.table_of("4", "21"))]

    assert kept("aside") == ["4", "41", "42", "421"]
    assert kept("any") == ["-", "1", "2", "4", "21", "41", "42", "421"]


def test_the_last_option_of_a_table_keeps_everything_and_the_others_come_in_order():
    for keep in ("aside", "any"):
        matrices = Round(4, Die(3), keep=keep).matrices
        assert (matrices.option[matrices.last] == matrices.shows).all()
        inner = np.diff(matrices.option)[np.diff(matrices.of) == 0]
        assert (inner > 0).all()


def test_a_table_is_written_with_what_is_aside_first():
    game = Round()
    assert game.write_table(game.table_of("4", "21")) == "4+21"
    assert game.write_table(game.table_of("-", "421")) == "421"


def test_a_round_is_what_its_repr_says():
    assert eval(repr(Round(2, LOADED, 4, "any"))) == Round(2, LOADED, 4, "any")
    assert repr(Round()) == "Round(dice=3, die=Die(6), casts=3, keep='aside')"


def test_a_next_player_gets_a_round_of_the_imposed_length():
    assert Round().imposed(2) == Round(casts=2)
    with pytest.raises(RulesError) as caught:
        Round().imposed(4)
    assert str(caught.value) == (
        "a round of 3 casts cannot impose 4: casts-imposed goes from 1 to 3"
    )


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (
            lambda: Round(dice=0),
            "a round needs a whole number of dice from 1 up: got dice=0",
        ),
        (
            lambda: Round(casts=2.5),
            "a round needs a whole number of casts from 1 up: got casts=2.5",
        ),
        (
            lambda: Round(keep="some"),
            "dice may be kept 'aside' for good or 'any' thrown again: got keep='some'",
        ),
    ],
)
def test_a_round_that_cannot_be_is_refused(make, message):
    with pytest.raises(RulesError) as caught:
        make()
    assert str(caught.value) == message


def test_dice_too_many_to_number_are_refused_before_anything_is_made():
    with pytest.raises(TooLarge) as caught:
        Round(40, Die(6))
    assert str(caught.value) == (
        "a round of 40 dice with 6 faces and 3 casts has about 1.4e14 decisions to weigh, "
        "which needs about 2.2e6 GB; the limit is 4 GB (--memory)"
    )
    with pytest.raises(TooLarge) as caught:
        Round(10**9, Die(10**5))
    assert str(caught.value) == (
        "a round of 1000000000 dice with 100000 faces and 3 casts has more than 1e18 decisions "
        "to weigh, which needs more than 1e10 GB; the limit is 4 GB (--memory)"
    )


def test_the_memory_may_be_chosen():
    with pytest.raises(TooLarge) as caught:
        Round(memory=10_000)
    assert str(caught.value) == (
        "a round of 3 dice with 6 faces and 3 casts has about 1.1e3 decisions to weigh, "
        "which needs about 3.7e-05 GB; the limit is 1e-05 GB (--memory)"
    )


def test_a_loaded_face_is_thrown_as_often_as_its_chance_says():
    assert Round(2, LOADED).chance("21") == 2 * Fraction(1, 2) * Fraction(1, 3)


@pytest.mark.parametrize(
    ("made", "message"),
    [
        ({"die": 6}, "a round needs a die: got die=6; write Die(6)"),
        ({"die": None}, "a round needs a die: got die=None; write Die(6)"),
        ({"memory": "4GB"}, "memory is a number of bytes: got memory='4GB'"),
    ],
)
def test_a_round_with_something_else_in_the_place_of_its_parts_is_refused(made, message):
    with pytest.raises(RulesError) as refused:
        Round(**made)
    assert str(refused.value) == message


@pytest.mark.parametrize("ask", [solve, lambda game, worth: policy("h1s1", game, worth)])
def test_what_is_no_round_is_refused(ask):
    for asked, shown in (("421", "'421'"), (game("pig"), "'pig'")):
        with pytest.raises(RulesError) as refused:
            ask(asked, "sum")
        assert str(refused.value) == f"a round is asked for, such as Round(dice=3): got {shown}"


@pytest.mark.parametrize(("dice", "faces"), [(2, 33), (1, 100), (3, 8)])
def test_dice_of_many_faces_have_the_parts_that_brute_force_finds(dice, faces):
    game = Round(dice, Die(faces), casts=2)
    numbers = game.numbers
    for table in range(0, len(game.matrices.shows), 37):
        whole = numbers.faces_of(int(game.matrices.shows[table]))
        aside = numbers.faces_of(int(game.matrices.aside[table]))
        kept = {
            tuple(sorted(part)) for size in range(dice + 1) for part in combinations(whole, size)
        }
        kept = {part for part in kept if not Counter(aside) - Counter(part)}
        assert {numbers.faces_of(int(option)) for option in game.options_of(table)} == kept
