"""One round under the glass: costs and luck cancel to the result."""

from fractions import Fraction

import pytest

from dicelab import game, solve
from dicelab.errors import IllegalMove
from dicelab.people.game_review import Step, judge, worth_at
from dicelab.rounds import Round, advise


def solved(**parameters):
    return solve(game("421-round", **parameters), exact=True)


def test_the_moves_of_a_solved_round_are_the_choices_of_the_advice():
    found = solved(utility="transfer").moves_at("4+61, 1 left")
    advice = advise(Round(), "4", "61", 1, "transfer")
    told = sorted((one.move.removeprefix("keep "), one.value, one.cost) for one in found)
    assert told == sorted(
        ("stop" if len(one.kept) == 3 else one.kept, one.value, one.cost) for one in advice.choices
    )


def test_luck_of_the_first_cast_is_nothing_on_average():
    solution = solved(utility="goal:421")
    rules = solution.game
    law = rules.outcomes(rules.start(), "cast")
    total = sum(one.chance * solution.value_at(one.at) for one in law)
    assert total == solution.value == Fraction(42571, 186624)  # table 1 of the study


def test_a_decision_costs_what_the_advice_says():
    solution = solved(utility="goal:421")
    at = solution.game.parse("4+61, 1 left")
    made = judge(solution, Step(0, at, "keep 4", solution.game.parse("4+66, 0 left"), 0))
    assert made.cost == pytest.approx(1 / 9, abs=1e-15)  # 1/6 against 1/18
    assert solution.value_of(at, "keep 4").cost == Fraction(1, 9)
    assert made.best == ("keep 41",)
    assert made.unforced
    assert made.luck == pytest.approx(-1 / 18, abs=1e-15)  # no 421 any more


def test_after_the_last_cast_a_table_is_worth_its_result():
    solution = solved(utility="sum")
    assert worth_at(solution, solution.game.parse("4+61, 0 left")) == 11


def test_what_cannot_be_kept_is_refused():
    solution = solved(utility="goal:421", player="next")
    with pytest.raises(IllegalMove) as refused:
        solution.value_of("4+61, 1 left", "stop")
    assert str(refused.value) == "cannot stop at 4+61, 1 left: no rule allows that"
