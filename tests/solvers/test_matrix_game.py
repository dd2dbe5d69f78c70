"""Matrix games: closed forms, degenerate games, and HiGHS as the other opinion."""

from fractions import Fraction

import numpy as np
import pytest

from dicelab.errors import RulesError
from dicelab.solvers import matrix_game as module
from dicelab.solvers.matrix_game import HIGHS, SADDLE, SIMPLEX, by_highs, guaranteed, matrix_game


@pytest.mark.parametrize("exact", [False, True])
def test_rock_paper_scissors_is_fair_and_mixes_evenly(exact):
    found = matrix_game([[0, -1, 1], [1, 0, -1], [-1, 1, 0]], exact)
    assert found.lower <= 0 <= found.upper
    assert found.rows.tolist() == pytest.approx([1 / 3] * 3)
    assert found.columns.tolist() == pytest.approx([1 / 3] * 3)


def test_a_two_by_two_game_has_a_closed_form():
    # Without a saddle point the value is (ad - bc) / (a + d - b - c).
    found = matrix_game([[3, -1], [-2, 4]], exact=True)
    assert found.value == Fraction(3 * 4 - 2, 3 + 4 + 1 + 2)
    assert found.rows.tolist() == [Fraction(3, 5), Fraction(2, 5)]
    assert found.method == SIMPLEX


def test_a_saddle_point_needs_no_mixture():
    found = matrix_game([[4, 1, 3], [5, 2, 6], [0, 1, 7]])
    assert (found.value, found.method) == (2.0, SADDLE)
    assert found.rows.tolist() == [0, 1, 0]
    assert found.columns.tolist() == [0, 1, 0]


@pytest.mark.parametrize(
    ("payoffs", "value"),
    [
        ([[7]], 7),
        ([[3, 1, 2]], 1),
        ([[3], [1], [2]], 3),
        ([[0, 0], [0, 0]], 0),
        ([[1, -1], [-1, 1], [1, -1]], 0),  # a row twice
        ([[1, -1, 1], [-1, 1, -1]], 0),  # a column twice
        ([[1, -1, 5], [-1, 1, 5], [-2, -2, 5]], 0),  # a row and a column that are dominated
        ([[2, 2, 2], [2, 2, 2]], 2),
    ],
)
def test_degenerate_games_have_the_value_one_sees(payoffs, value):
    for exact in (False, True):
        found = matrix_game(payoffs, exact)
        assert found.lower <= value <= found.upper
        assert sum(found.rows) == 1
        assert sum(found.columns) == 1


def test_rationals_agree_with_kernels_on_small_games_with_many_ties(by_kernels):
    rng = np.random.default_rng(3)
    for _ in range(120):
        payoffs = rng.integers(-2, 3, rng.integers(1, 5, 2)).tolist()
        assert matrix_game(payoffs, exact=True).value == by_kernels(payoffs)


def test_floats_stay_within_tiny_bounds_of_the_rationals():
    rng = np.random.default_rng(4)
    for number in range(200):
        payoffs = rng.integers(-3, 4, rng.integers(1, 8, 2))
        found, truth = matrix_game(payoffs), matrix_game(payoffs, exact=True)
        assert found.lower <= truth.value <= found.upper, number
        assert found.upper - found.lower < 1e-13
        assert found.method != HIGHS


def test_our_simplex_and_highs_agree_on_games_of_ten_by_ten():
    rng = np.random.default_rng(5)
    for _ in range(20):
        payoffs = rng.normal(size=(10, 10))
        payoffs[3] = payoffs[7]
        found = matrix_game(payoffs)
        lower, upper = guaranteed(payoffs, *by_highs(payoffs))
        assert lower - 1e-9 <= found.value <= upper + 1e-9
        assert found.method == SIMPLEX
        assert found.upper - found.lower < 1e-13


def test_highs_is_asked_where_the_simplex_gives_up(monkeypatch):
    monkeypatch.setattr(module, "mix", lambda *arguments: 2)
    found = matrix_game([[3, -1], [-2, 4]])
    assert found.method == HIGHS
    assert found.value == pytest.approx(1.0, abs=1e-9)
    assert found.lower <= 1.0 <= found.upper


def test_a_symmetric_game_is_worth_nothing_to_either():
    rng = np.random.default_rng(6)
    for size in (2, 5, 12, 30):
        half = rng.normal(size=(size, size))
        found = matrix_game(half - half.T)
        assert found.lower <= 0 <= found.upper
        assert found.upper - found.lower < 1e-12


@pytest.mark.parametrize("payoffs", [[], [[]], [1, 2], [[1, 2], [3]], [[1, float("nan")]]])
def test_what_is_no_table_of_payoffs_is_refused(payoffs):
    with pytest.raises(RulesError) as refused:
        matrix_game(payoffs)
    assert str(refused.value) == f"a matrix game is a table of finite payoffs: got {payoffs!r}"


def test_rows_and_columns_that_others_dominate_are_left_out():
    # Row 1 is never better than row 0, row 2 is its twin. Column 1 costs more than column 0, and
    # column 3 is that one's twin.
    payoffs = np.array([[1.0, 2, 0, 1], [0, 1, 0, 0], [1, 2, 0, 1], [0, 0, 3, 0]])
    rows, columns = np.empty(4, np.bool_), np.empty(4, np.bool_)
    module.undominated(payoffs, rows, columns)
    assert rows.tolist() == [True, False, False, True]
    assert columns.tolist() == [True, False, True, False]


def test_a_mixture_does_not_depend_on_what_was_in_the_room_before():
    # y and 1 - y make both rows worth the same: 3 y = 1 - y.
    payoffs, both = np.array([[3.0, 0.0], [0.0, 1.0]]), np.arange(2)
    room = np.full((4, 4), 7.0)
    assert module.equalise(payoffs, both, both, 2, room, 1.0, 0.0)
    assert room[:2, 3] == pytest.approx([1 / 4, 3 / 4])
