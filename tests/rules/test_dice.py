"""Dice: exact laws, checked by counting by hand, by closed forms and by enumeration."""

import math
import pickle
from collections import Counter
from dataclasses import FrozenInstanceError
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dicelab.errors import RulesError, TooLarge
from dicelab.rules.dice import Die, coin, d6
from dicelab.rules.dice_laws import (
    chance_of_any,
    combinations_law,
    number_of_combinations,
    sum_law,
    sum_law_without,
)

LOADED = Die({-1: "1/2", 2: "1/3", 7: "1/6"})


@st.composite
def dice(draw: st.DrawFn) -> Die:
    faces = draw(st.lists(st.integers(-9, 30), min_size=1, max_size=6, unique=True))
    weights = draw(st.lists(st.integers(1, 12), min_size=len(faces), max_size=len(faces)))
    shares = (Fraction(weight, sum(weights)) for weight in weights)
    return Die(dict(zip(faces, shares, strict=True)))


def sum_law_closed_form(sides: int, n: int) -> dict[int, Fraction]:
    """Return the law of the sum of n fair dice by inclusion and exclusion.

    P(t) = s**-n * sum over k from 0 to (t - n) // s of (-1)**k C(n, k) C(t - s k - 1, n - 1).
    Source: Addis, "A Guide to Optimal Play in Greed", Reed College, 2023, Theorem 1.
    """
    if n == 0:
        return {0: Fraction(1)}  # C(t - 1, -1) has no meaning, yet no dice sum to 0
    signed = [(-1) ** k * math.comb(n, k) for k in range(n + 1)]
    choose = [math.comb(m, n - 1) for m in range(sides * n)]
    return {
        total: Fraction(
            sum(signed[k] * choose[total - sides * k - 1] for k in range((total - n) // sides + 1)),
            sides**n,
        )
        for total in range(n, sides * n + 1)
    }


def throws(die: Die, n: int):
    """Yield every ordered throw of n dice with its chance: the brute-force twin of the laws."""
    for throw in product(die, repeat=n):
        yield [face for face, _ in throw], math.prod((p for _, p in throw), start=Fraction(1))


# The die itself


def test_a_fair_die_shows_each_face_equally_often():
    assert list(Die(3)) == [(face, Fraction(1, 3)) for face in (1, 2, 3)]


def test_a_loaded_die_takes_its_chances_as_fraction_string_float_or_int():
    die = Die({3: 0.25, 1: Fraction(1, 2), 2: "1/4", 9: 0})
    assert die.faces == (1, 2, 3)
    assert die.chances == (Fraction(1, 2), Fraction(1, 4), Fraction(1, 4))
    assert die.denominator == 4
    assert die.weights == (2, 1, 1)
    assert die.sides == 3
    assert not die.is_fair


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        (0.1, Fraction(1, 10)),
        (0.123456789, Fraction(123456789, 10**9)),
        (1 / 3, Fraction(1, 3)),
        (1 - 2 / 3, Fraction(1, 3)),
        (1 - 0.9, Fraction(1, 10)),  # the float is 0.09999999999999998
        (0.1 + 0.2, Fraction(3, 10)),
        (1 / 999983, Fraction(1, 999983)),
        (1e-17, Fraction(1, 10**17)),
        (1.0000000001e-6, Fraction(10000000001, 10**16)),
        (np.float64(0.1), Fraction(1, 10)),
    ],
)
def test_a_float_means_the_number_someone_wrote_or_computed(written, meant):
    assert dict(Die({1: written, 2: 1 - meant}))[1] == meant


def test_a_long_float_near_no_simple_fraction_is_the_decimal_it_prints():
    root = math.sqrt(0.5)  # prints 0.7071067811865476
    assert dict(Die({1: root, 2: "0.2928932188134524"}))[1] == Fraction(7071067811865476, 10**16)


def test_sixths_typed_as_floats_make_a_fair_die():
    assert Die(dict.fromkeys(range(1, 7), 1 / 6)) == d6


def test_numpy_integers_are_whole_numbers():
    assert Die(np.int64(6)) == d6
    assert type(Die({np.int64(4): 1}).faces[0]) is int


def test_a_fair_die_is_fair_however_it_was_made():
    assert Die({2: "1/2", 1: 0.5}).is_fair
    assert not Die({0: "1/2", 1: "1/2"}).is_fair
    assert not Die({1: "1/3", 2: "2/3"}).is_fair


def test_equal_dice_are_one_key_and_cannot_be_changed():
    assert {Die(6): "fair"}[Die.parse("1,2,3,4,5,6")] == "fair"
    assert Die(6) != Die(8)
    with pytest.raises(FrozenInstanceError):
        d6.faces = (1, 2)  # type: ignore[misc]


def test_the_mean_and_variance_of_a_fair_die_have_a_closed_form():
    # (s + 1)/2 and (s**2 - 1)/12: Lemmas 3 and 4 of Addis, for one die.
    for sides in (1, 2, 6, 20):
        assert Die(sides).mean() == Fraction(sides + 1, 2)
        assert Die(sides).variance() == Fraction(sides**2 - 1, 12)


def test_the_coin_counts_heads():
    assert coin.mean() == Fraction(1, 2)
    assert coin.variance() == Fraction(1, 4)


# Notation


@pytest.mark.parametrize("text", ["6", "d6", " D6 ", "1,2,3,4,5,6", "6,5,4,3,2,1"])
def test_one_die_has_many_notations(text):
    assert Die.parse(text) == d6


def test_a_face_listed_twice_is_twice_as_likely():
    assert str(Die.parse("2,3,3,4")) == "2:1/4,3:1/2,4:1/4"


def test_a_loaded_die_is_read_with_spaces_negatives_and_decimals():
    assert Die.parse("-1: 1/2, 2 :.25, 3:0.25") == Die({-1: "1/2", 2: "1/4", 3: "1/4"})


def test_a_die_with_a_single_face_has_a_notation_of_its_own():
    assert str(Die({3: 1})) == "3:1"
    assert Die.parse("3:1").faces == (3,)
    assert Die.parse("3").faces == (1, 2, 3)


@given(dice())
def test_notation_repr_and_pickle_give_the_die_back(die):
    assert Die.parse(str(die)) == die
    assert eval(repr(die), {"Die": Die, "Fraction": Fraction}) == die
    assert pickle.loads(pickle.dumps(die)) == die


def test_repr_is_code_you_can_paste():
    assert repr(d6) == "Die(6)"
    assert repr(coin) == "Die({0: Fraction(1, 2), 1: Fraction(1, 2)})"


# Refusals

NO_DIE = (
    "a die is a number of sides or a table of faces and chances: got {}; "
    "Die.parse reads notation such as 'd6' or '1:1/2,2:1/2'"
)


@pytest.mark.parametrize(
    ("faces", "message"),
    [
        (0, "a die needs at least one side: got 0"),
        (-1, "a die needs at least one side: got -1"),
        ({}, "a die needs at least one face: got {}"),
        ("x", NO_DIE.format("'x'")),
        (2.0, NO_DIE.format("2.0")),
        (True, NO_DIE.format("True")),
        ({1.5: 1}, "the faces of a die are whole numbers: got 1.5"),
        ({1: "3/2", 2: "-1/2"}, "a chance cannot be negative: got -1/2 for face 2"),
        (
            {1: "1/2", 2: "1/4"},
            "the chances of a die must sum to 1: got 3/4 from {1: 1/2, 2: 1/4}",
        ),
        (
            dict.fromkeys(range(10), "1/8"),
            "the chances of a die must sum to 1: got 5/4 from {0: 1/8, 1: 1/8, 2: 1/8, 3: 1/8, "
            "4: 1/8, 5: 1/8, 6: 1/8, 7: 1/8, and 2 more}",
        ),
    ],
)
def test_what_is_not_a_die_is_refused(faces, message):
    with pytest.raises(RulesError) as refused:
        Die(faces)
    assert str(refused.value) == message


@pytest.mark.parametrize(
    "chance", ["half", "1/0", "1e-9999", "", None, math.nan, math.inf, 1j, "1/" + "9" * 5000]
)
def test_a_chance_that_cannot_be_read_is_shown(chance):
    with pytest.raises(RulesError) as refused:
        Die({1: "1/2", 2: chance})
    assert str(refused.value) == (
        f"cannot read the chance of face 2: got {chance!r}; "
        "write a number or a string such as '1/3'"
    )


def test_a_sum_too_long_to_print_is_rounded():
    # The denominators 10**80 and 3**170 have no common factor, so the sum has 162 digits.
    with pytest.raises(RulesError) as refused:
        Die({1: Fraction(1, 2), 2: Fraction(1, 10**80), 3: Fraction(1, 3**170)})
    assert str(refused.value) == (
        "the chances of a die must sum to 1: got about 0.5 from "
        f"{{1: 1/2, 2: 1/{10**80}, 3: 1/{3**170}}}"
    )


@pytest.mark.parametrize(
    "text", ["", "x", "d", "2d6", "1.5", "1:1/2,2", "1:", "1:1/0", "1:1e99999", "1,,2", "9" * 5000]
)
def test_a_notation_that_is_no_die_is_refused(text):
    with pytest.raises(RulesError) as refused:
        Die.parse(text)
    assert str(refused.value) == (
        f"cannot read a die from {text[:60]!r}; write '6', 'd6', '1:1/2,2:1/2' "
        "or a list of faces such as '2,3,3,4'"
    )


def test_a_notation_may_break_the_rules_of_a_die():
    with pytest.raises(RulesError) as negative:
        Die.parse("-5")
    assert str(negative.value) == "a die needs at least one side: got -5"
    with pytest.raises(RulesError) as twice:
        Die.parse("1:1/2,1:1/2")
    assert str(twice.value) == "a loaded die gives each face one chance: got '1:1/2,1:1/2'"


@pytest.mark.parametrize("n", [-1, 1.5, "2", True])
def test_the_number_of_dice_is_a_whole_number(n):
    for law in (sum_law, combinations_law):
        with pytest.raises(RulesError) as refused:
            law(d6, n)
        assert str(refused.value) == f"the number of dice is a whole number from 0 up: got {n!r}"


def test_the_count_of_combinations_checks_its_die():
    with pytest.raises(RulesError) as none:
        number_of_combinations(2, 0)
    assert str(none.value) == "a die needs at least one face: got faces=0"


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (lambda: Die(2_000_000), "a die has at most 1000000 sides: got 2000000"),
        (lambda: Die(10**400), "a die has at most 1000000 sides: got more than 1e300"),
        (
            # C(13 + 19, 13) = 347373600
            lambda: combinations_law(Die(20), 13),
            "13 dice with 20 faces have 347373600 combinations; the limit is 5000000",
        ),
        (
            # C(149, 49) is about 6.7e39, by Stirling (lgamma) as well
            lambda: combinations_law(Die(50), 100),
            "100 dice with 50 faces have 6.7e39 combinations; the limit is 5000000",
        ),
        (
            lambda: combinations_law(Die(2000), 2000),
            "2000 dice with 2000 faces have more than 1e300 combinations; the limit is 5000000",
        ),
        (
            lambda: combinations_law(coin, 100_000),
            "100000 dice with 2 faces have 100001 combinations, which take 10000100000 faces "
            "to write down; the limit is 100000000",
        ),
        (
            # 1900001 sums, each a numerator and a denominator of 10**5 * 5 bits at the most.
            lambda: sum_law(Die(20), 100_000),
            "100000 dice with 20 faces have 1900001 sums, which need about 238 GB; "
            "the limit is 1 GB",
        ),
    ],
)
def test_what_would_not_fit_is_refused_before_the_work(ask, message):
    with pytest.raises(TooLarge) as refused:
        ask()
    assert str(refused.value) == message


# Sums


def test_galileo_counted_27_ways_to_throw_ten_and_25_to_throw_nine():
    # Galileo, "Sopra le scoperte dei dadi": of 216 throws of three dice.
    assert sum_law(d6, 3)[10] == Fraction(27, 216)
    assert sum_law(d6, 3)[9] == Fraction(25, 216)


def test_two_dice_make_a_triangle():
    assert sum_law(d6, 2) == {t: Fraction(6 - abs(7 - t), 36) for t in range(2, 13)}


def test_coins_follow_pascal():
    assert sum_law(coin, 10) == {k: Fraction(math.comb(10, k), 2**10) for k in range(11)}


def test_no_dice_sum_to_nothing():
    assert sum_law(d6, 0) == sum_law_closed_form(6, 0) == {0: 1}


@pytest.mark.parametrize("sides", [1, 2, 3, 6, 10])
@pytest.mark.parametrize("n", [0, 1, 2, 3, 7, 12])
def test_the_closed_form_agrees_with_the_recurrence(sides, n):
    assert sum_law(Die(sides), n) == sum_law_closed_form(sides, n)


def test_the_closed_form_agrees_on_fifty_dice_of_twenty_sides():
    assert sum_law(Die(20), 50) == sum_law_closed_form(20, 50)


def test_five_hundred_dice_of_twenty_sides_are_symmetric_and_sum_to_one():
    law = sum_law(Die(20), 500)
    assert sum(law.values()) == 1
    assert law[500] == law[10_000] == Fraction(1, 20**500)
    assert all(law[t] == law[10_500 - t] for t in range(500, 5_250))


def test_far_apart_faces_cost_only_the_sums_they_reach():
    # Three faces and four dice: at most C(6, 2) = 15 sums, although they span 4 * 10**12.
    law = sum_law(Die({0: "1/2", 1: "1/4", 10**12: "1/4"}), 4)
    assert len(law) == 15
    assert law[2 * 10**12 + 1] == Fraction(4 * 3, 2 ** (1 + 2 + 4))  # 12 orders of 0, 1, far, far


@given(dice(), st.integers(0, 4))
def test_enumerating_every_throw_gives_the_law_of_the_sum(die, n):
    expected: Counter[int] = Counter()
    for faces, chance in throws(die, n):
        expected[sum(faces)] += chance
    law = sum_law(die, n)
    assert law == expected
    assert list(law) == sorted(law)


@given(dice(), st.integers(0, 30))
def test_means_and_variances_add_up(die, n):
    law = sum_law(die, n)
    mean = sum(total * chance for total, chance in law.items())
    assert sum(law.values()) == 1
    assert mean == n * die.mean()
    assert sum((total - mean) ** 2 * chance for total, chance in law.items()) == n * die.variance()


# One face that matters


def test_de_mere_wins_with_four_throws_for_a_six():
    assert chance_of_any(d6, 6, 4) == Fraction(671, 1296)


def test_a_face_the_die_lacks_never_shows():
    assert chance_of_any(d6, 7, 100) == 0
    assert chance_of_any(d6, 6, 0) == 0
    assert sum_law_without(d6, 7, 3) == sum_law(d6, 3)


@pytest.mark.parametrize("n", [0, 1, 2, 5])
def test_dice_without_a_one_are_smaller_dice_one_point_up(n):
    # A die with no 1 is a fair die of one side less, each face moved up by 1.
    smaller = sum_law_closed_form(5, n)
    expected = {t + n: p * Fraction(5, 6) ** n for t, p in smaller.items()}
    assert sum_law_without(d6, 1, n) == expected


def test_a_die_of_one_face_cannot_avoid_it():
    assert sum_law_without(Die({3: 1}), 3, 2) == {}
    assert sum_law_without(Die({3: 1}), 3, 0) == {0: 1}
    assert chance_of_any(Die({3: 1}), 3, 2) == 1


@given(dice(), st.data(), st.integers(0, 4))
def test_a_throw_without_a_face_is_the_throw_less_those_that_show_it(die, data, n):
    face = data.draw(st.sampled_from(die.faces))
    expected: Counter[int] = Counter()
    shown = Fraction(0)
    for faces, chance in throws(die, n):
        if face in faces:
            shown += chance
        else:
            expected[sum(faces)] += chance
    law = sum_law_without(die, face, n)
    assert law == expected
    assert chance_of_any(die, face, n) == shown
    assert sum(law.values()) == (1 - dict(die)[face]) ** n


# Combinations


def test_421_has_six_throws_of_216_and_three_dice_have_56_combinations():
    law = combinations_law(d6, 3)
    assert law[4, 2, 1] == Fraction(6, 216)
    assert law[1, 1, 1] == Fraction(1, 216)
    assert law[2, 2, 1] == Fraction(3, 216)
    assert len(law) == 56
    assert all(type(chance) is Fraction for chance in law.values())


def test_yahtzee_has_252_combinations_and_one_throw_in_1296_is_a_yahtzee():
    law = combinations_law(d6, 5)
    assert len(law) == number_of_combinations(5, 6) == 252
    assert sum(law[(face,) * 5] for face in d6.faces) == Fraction(1, 1296)


def test_combinations_come_highest_first():
    assert list(combinations_law(Die(2), 2)) == [(2, 2), (2, 1), (1, 1)]


def test_no_dice_have_one_empty_combination():
    assert combinations_law(d6, 0) == {(): 1}
    assert number_of_combinations(0, 6) == 1


@given(dice(), st.integers(0, 4))
def test_enumerating_every_throw_gives_the_law_of_combinations(die, n):
    expected: Counter[tuple[int, ...]] = Counter()
    for faces, chance in throws(die, n):
        expected[tuple(sorted(faces, reverse=True))] += chance
    law = combinations_law(die, n)
    assert law == expected
    assert len(law) == number_of_combinations(n, die.sides)
    assert sum(law.values()) == 1


# What is kept


def test_a_law_that_is_kept_is_the_callers_own():
    law = sum_law(d6, 2)
    law[7] = Fraction(0)
    assert sum_law(d6, 2)[7] == Fraction(1, 6)
    assert sum_law(d6, 2, below=4) == {2: Fraction(1, 36), 3: Fraction(2, 36)}
    pairs = combinations_law(d6, 2)
    pairs.clear()
    assert combinations_law(d6, 2)[(6, 6)] == Fraction(1, 36)
