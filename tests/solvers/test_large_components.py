"""Large components with very many ways back: settled, certified, and what value iteration finds."""

import numpy as np
import pytest

from dicelab import best_response, compile, evaluate, solve
from dicelab.games.pig import TwoDicePig
from random_graphs import RandomGraph, RandomSolo, by_iteration


@pytest.mark.parametrize("percent", [20, 45])
@pytest.mark.parametrize("rules", [RandomGraph, RandomSolo])
def test_a_game_with_very_many_ways_back_is_certified(rules, percent):
    game = rules(20_000, percent)
    table = compile(game)
    assert table.cuts.max() > 10_000
    solution = solve(table)
    assert (solution.uppers - solution.lowers).max() < 1e-9
    values, _ = by_iteration(game)
    known = values[table.positions(np.arange(len(table))).place]
    assert (np.abs(solution.values - known) < 1e-9).all()


@pytest.mark.slow
def test_the_moves_of_a_large_component_earn_its_value():
    for rules in (RandomGraph, RandomSolo):
        solution = solve(rules(2_000, 45))
        one = evaluate(solution.table, solution.plan, *[solution.plan] * (rules is RandomGraph))
        earned = one.first if rules is RandomGraph else one.value
        assert earned == pytest.approx(solution.value, abs=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize(
    "opponent", [lambda at: "hold", "roll-and-wait:15,17,5", "skip-when-level:5"]
)
def test_a_reply_may_wait_in_a_large_component_and_still_ends(opponent):
    # Two ones cost the bank, so that nearly all of the game is one component; and both may pass.
    table = compile(TwoDicePig(target=30, passing=True))
    reply = best_response(table, opponent)
    assert reply.solution.upper - reply.solution.lower < 1e-11
    again = evaluate(table, reply.plan, opponent)
    assert again.first == pytest.approx(reply.solution.value, abs=1e-11)
