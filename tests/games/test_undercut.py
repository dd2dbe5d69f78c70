"""Undercut, against linear programs and by hand."""

from fractions import Fraction

import numpy as np
import pytest

from at_once_games import by_program
from dicelab import evaluate, explain, exploitability, solve
from dicelab.errors import RulesError, UnknownStrategy
from dicelab.games.undercut import Undercut
from dicelab.strategies.named import plan
from dicelab.table import compile


def scores(one, two):
    """Return what two numbers score, told anew."""
    if abs(one - two) == 1:
        return (one + two, 0) if one < two else (0, one + two)
    return one, two


def by_programs(most, target):
    """Return the chance to win at every pair of scores, a draw counting half."""
    found = {}

    def worth(i, j):
        if i >= target or j >= target:
            return 0.5 if i == j else float(i > j)
        return found[i, j]

    for i in range(target - 1, -1, -1):
        for j in range(target - 1, -1, -1):
            numbers = range(1, most + 1)
            rows = [[scores(one, two) for two in numbers] for one in numbers]
            matrix = [[worth(i + a, j + b) for a, b in row] for row in rows]
            found[i, j] = by_program(np.array(matrix))
    return found


@pytest.mark.parametrize(("most", "target"), [(3, 5), (5, 12)])
def test_every_pair_of_scores_is_worth_what_linear_programs_say(most, target):
    solution = solve(Undercut(most, target))
    for (i, j), value in by_programs(most, target).items():
        assert solution.value_at(f"{i}-{j}") == pytest.approx(value, abs=1e-8)
    assert (solution.uppers - solution.lowers).max() < 1e-12


def test_one_turn_is_a_matrix_game_with_a_known_mixture():
    # To 1 everybody arrives: the larger score wins. Of 1, 2, 3: 1 beats 2, 2 beats 3, 3 beats 1,
    # so each is named once in three.
    solution = solve(Undercut(most=3, target=1), exact=True)
    assert solution.mixture_at("0-0") == {f"name {n}": Fraction(1, 3) for n in (1, 2, 3)}
    told = explain(solution, "0-0").sentence
    assert told == (
        "Leave it to chance: name 1 once in three, name 2 once in three and name 3 once in three. "
        "Any other player can then do no better than the value."
    )


def test_exact_mode_is_rational_and_cannot_be_exploited():
    game = Undercut(most=3, target=4)
    solution = solve(game, exact=True)
    assert solution.value == Fraction(1, 2)
    assert exploitability(game, "optimal", exact=True).value == 0
    assert evaluate(game, "optimal", "optimal", exact=True).value == Fraction(1, 2)


def test_who_always_names_the_largest_number_is_undercut():
    # 4 against 5 scores 9 to nothing, turn after turn.
    assert exploitability(Undercut(), "always").value == 0.5
    assert plan(compile(Undercut(target=10)), "always:2").move_at("0-0") == "name 2"


def test_parameters_that_make_no_game_are_refused():
    with pytest.raises(RulesError, match=r"undercut needs numbers up to 2 to 20: got most=1"):
        Undercut(most=1)
    with pytest.raises(RulesError, match=r"undercut needs a target of at least 1: got target=0"):
        Undercut(target=0)
    with pytest.raises(
        UnknownStrategy,
        match=r"always:9 cannot be played in undercut: its moves are name 1 to name 5$",
    ):
        plan(compile(Undercut()), "always:9")
