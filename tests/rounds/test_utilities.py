"""Utilities by name, by function, by table and by file."""

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

from dicelab.errors import RulesError, UnknownPosition
from dicelab.rounds import Round, solve, utility
from dicelab.rules.dice import Die

GAME = Round()


def test_transfer_is_table_5():
    # table 5 of the study; f11 and fff count f tokens
    tokens = utility("transfer", GAME)
    expected = {"421": 10, "111": 7, "654": 2, "543": 2, "432": 2, "321": 2, "221": 1, "665": 1}
    expected |= {f"{face}11": face for face in range(2, 7)}
    expected |= {f"{face}{face}{face}": face for face in range(2, 7)}
    assert {name: tokens.of(name) for name in expected} == expected
    others = [number for number in GAME.numbers.full if GAME.numbers.write(number) not in expected]
    assert {tokens.of(number) for number in others} == {1}


def test_rank_is_the_hierarchic_order():
    # equation (54) of the study, with the combinations it leaves out as falling numbers
    top = ["421", "111", "611", "666", "511", "555", "411", "444"]
    top += ["311", "333", "211", "222", "654", "543", "432", "321"]
    names = sorted((GAME.numbers.write(number) for number in GAME.numbers.full), reverse=True)
    order = top + [name for name in names if name not in top]
    worth = utility("rank", GAME)
    assert [worth.of(name) for name in order] == list(range(55, -1, -1))
    assert order[16] == "665"
    assert order[-1] == "221"


def test_one_goal_several_goals_and_goals_with_weights():
    assert utility("goal:421", GAME).of("421") == 1
    assert sum(utility("goal:421", GAME).values.flat) == 1
    several = utility("goal:123+224+345", GAME)
    assert {GAME.numbers.write(n, rising=True) for n in several.goals()} == {"123", "224", "345"}
    weighted = utility("goal:421*10+111*7/2", GAME)
    assert (weighted.of("421"), weighted.of("111"), weighted.of("221")) == (10, Fraction(7, 2), 0)


def test_a_goal_may_be_written_by_counts():
    assert utility("goal:(1,1,0,1,0,0)", GAME).of("421") == 1


def test_a_function_may_look_at_the_cast():
    hurry = utility(lambda faces, cast: Fraction(sum(faces), cast), GAME)
    assert (hurry.of("666", 1), hurry.of("666", 3)) == (18, 6)
    assert not hurry.is_stationary
    assert utility(max, GAME).of("421") == 4


def test_a_float_means_the_decimal_it_prints():
    assert utility(lambda faces: 0.1, GAME).of("421") == Fraction(1, 10)


@pytest.mark.parametrize(
    "worth",
    ["1e-3", " 0.001 ", "1/1000", ".1E-2", 0.001, Decimal("0.001"), np.float32(0.001)],
    ids=str,
)
def test_a_worth_is_read_however_it_is_written(worth):
    assert utility(lambda faces: worth, GAME).of("421") == Fraction(1, 1000)


def test_worths_of_numpy_and_weights_with_exponents_are_read():
    assert utility(lambda faces: np.bool_(faces == (4, 2, 1)), GAME).goals() == [36]
    assert utility("goal:421*1e3+111*2.", GAME).of("421") == 1000
    assert utility(lambda faces: sum(faces) / 3, GAME).of("655") == Fraction(16, 3)


def test_a_file_may_give_each_combination_a_worth(tmp_path):
    path = tmp_path / "mine.csv"
    rows = [f"{GAME.numbers.write(n)},{n % 7}/3" for n in GAME.numbers.full]
    path.write_text("combination,value\n" + "\n".join(rows))
    assert utility(str(path), GAME).of("421") == Fraction(GAME.numbers.number("421") % 7, 3)


def test_a_file_may_give_a_worth_for_each_cast(tmp_path):
    path = tmp_path / "mine.csv"
    game = Round(1, Die(2), 2)
    path.write_text("cast,combination,value\n1,1,5\n1,2,6\n2,1,7\n2,2,8\n")
    worth = utility(str(path), game)
    assert [worth.of(face, cast) for cast in (1, 2) for face in ("1", "2")] == [5, 6, 7, 8]
    # wait: the second cast pays 7.5 on average, more than 5 or 6
    assert solve(game, worth).value == Fraction(15, 2)


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        (
            "transfers",
            "no utility called 'transfers'; write 'goal:123', 'goal:123+224', 'rank', 'sum', "
            "'transfer' or a path to a CSV file",
        ),
        (
            {"421": 1},
            "the utility 'table' says nothing of 111, 211, 311 and 52 more: "
            "each of the 56 combinations needs a worth",
        ),
        ({"421": 1, "124": 2}, "the utility 'table' gives 421 a worth twice"),
        (
            {"421": "much"},
            "the utility 'table' gives 421 the worth 'much': "
            "a worth is a number such as 3, 0.5 or '1/3'",
        ),
        (
            lambda faces: float("nan"),
            "the utility '<lambda>' gives 111 the worth 'nan': "
            "a worth is a number such as 3, 0.5 or '1/3'",
        ),
        (
            "goal:421*1e999",
            "the utility 'goal:421*1e999' gives 421 the worth '1e999': a worth is at most 1e+300",
        ),
        (
            lambda faces: Decimal("1e999999"),
            "the utility '<lambda>' gives 111 the worth '1E+999999': "
            "a worth is a number such as 3, 0.5 or '1/3'",
        ),
        ("nowhere.csv", "cannot read the utility 'nowhere.csv': no such file or directory"),
    ],
)
def test_a_utility_that_is_none_is_refused(asked, message):
    with pytest.raises(RulesError) as caught:
        utility(asked, GAME)
    assert str(caught.value) == message


def test_a_file_without_its_columns_is_refused(tmp_path):
    path = tmp_path / "mine.csv"
    path.write_text("a,b\n1,2\n")
    with pytest.raises(RulesError) as caught:
        utility(str(path), GAME)
    assert str(caught.value) == (
        f"the utility {str(path)!r} needs a heading with the columns combination and value, "
        f"and cast where the worth depends on it"
    )


def test_a_file_that_speaks_of_a_cast_the_round_does_not_have_is_refused(tmp_path):
    path = tmp_path / "mine.csv"
    path.write_text("cast,combination,value\n4,421,5\n")
    with pytest.raises(RulesError) as caught:
        utility(str(path), GAME)
    assert str(caught.value) == (
        f"the utility {str(path)!r} speaks of cast '4': this round has casts 1 to 3"
    )


def test_a_file_that_misses_a_cast_says_which(tmp_path):
    path = tmp_path / "mine.csv"
    path.write_text("cast,combination,value\n1,1,5\n1,2,6\n2,1,7\n")
    with pytest.raises(RulesError) as caught:
        utility(str(path), Round(1, Die(2), 2))
    assert str(caught.value) == (
        f"the utility {str(path)!r} says nothing of 2 at cast 2: "
        f"each of the 2 combinations needs a worth"
    )


def test_a_goal_with_the_wrong_dice_is_refused():
    with pytest.raises(UnknownPosition) as caught:
        utility("goal:42", GAME)
    assert str(caught.value) == "42 has 2 dice: 3 wanted here"


def test_the_tokens_of_421_need_the_dice_of_421():
    with pytest.raises(RulesError) as caught:
        utility("transfer", Round(2))
    assert str(caught.value) == (
        "the utility 'transfer' is about 421 and needs 3 dice with faces 1 to 4 or more: "
        "got 2 dice with faces 1, 2, 3, 4, 5, 6; 'sum' is for any dice"
    )


def test_a_utility_made_for_another_round_is_refused():
    with pytest.raises(RulesError) as caught:
        solve(Round(2), utility("sum", GAME))
    assert str(caught.value) == (
        "the utility 'sum' is for 3 dice with 6 faces, and this round has 2 dice with 6 faces"
    )
    timed = utility(lambda faces, cast: cast, GAME)
    with pytest.raises(RulesError) as caught:
        solve(Round(casts=4), timed)
    assert str(caught.value) == "the utility '<lambda>' covers 3 casts and this round has 4"
