"""One round under the glass: costs and luck cancel to the result."""

from fractions import Fraction

import pytest

from dicelab.errors import IllegalMove
from dicelab.rounds import Round, advise, solve
from dicelab.rounds.review import judge, options, worth


def test_options_are_those_of_the_advice():
    game = Round()
    solution = solve(game, "transfer")
    found = options(solution, "4", "61", 2)
    advice = advise(game, "4", "61", 1, "transfer")
    assert [(one.kept, one.value, one.cost) for one in found] == [
        (one.kept, one.value, one.cost) for one in advice.choices
    ]


def test_luck_of_the_first_cast_is_nothing_on_average():
    game = Round()
    solution = solve(game, "goal:421")
    numbers = game.numbers
    total = sum(game.chance(number) * worth(solution, "-", number, 1) for number in numbers.full)
    assert total == solution.value == Fraction(42571, 186624)  # table 1 of the study


def test_a_decision_costs_what_the_advice_says():
    solution = solve(Round(), "goal:421")
    made = judge(solution, "4", "61", 2, "4")
    assert (made.cost, made.best) == (Fraction(1, 9), ("41",))  # 1/6 against 1/18
    assert made.unforced


def test_after_the_last_cast_a_table_is_worth_its_result():
    solution = solve(Round(), "sum")
    assert worth(solution, "4", "61", 3) == 11


def test_what_cannot_be_kept_is_refused():
    solution = solve(Round(), "goal:421", player="next")
    with pytest.raises(IllegalMove) as refused:
        judge(solution, "4", "61", 2, "641")
    assert str(refused.value) == "cannot keep 641 at 4+61: you can keep 41 or 4 or 64 here"
