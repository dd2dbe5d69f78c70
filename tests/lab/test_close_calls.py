"""Close calls: positions that play comes to, where the second best move costs a little."""

import pytest

from dicelab import game, solve
from dicelab.lab.close_calls import close_calls


@pytest.mark.parametrize(
    ("name", "rules", "stakes"),
    [
        ("pig", {}, 1),
        ("greed", {"max": 15}, 1),  # a solver of its own
        ("undercut", {}, 1),  # at once
        ("421-round", {}, 10),  # alone, dice to keep
        ("bear-off", {}, 1),  # choices after a throw
    ],
)
def test_the_second_best_move_costs_between_a_thousandth_and_a_twentieth(name, rules, stakes):
    solution = solve(game(name, **rules))
    found = close_calls(solution, 0)
    assert len(found) >= 5
    for at in found:
        costs = [float(move.cost) for move in solution.moves_at(solution.game.read(at))]
        assert 0.001 <= min(cost for cost in costs if cost > 1e-9) / stakes <= 0.05


def test_everybody_meets_the_same_positions_and_another_batch_has_others():
    solution = solve(game("pig"))
    first = close_calls(solution, 0)
    assert close_calls(solve(game("pig")), 0) == first
    assert set(close_calls(solution, 1)) != set(first)


def test_choices_after_a_throw_are_among_them():
    assert any(" threw " in at for at in close_calls(solve(game("bear-off")), 0))


def test_a_game_whose_choices_are_clear_has_none():
    assert close_calls(solve(game("craps")), 0) == []
