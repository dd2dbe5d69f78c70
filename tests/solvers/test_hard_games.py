"""Games that are hard for a reason: waiting that costs, waiting that is free, and tiny chances.

The values follow from the few lines of each game; the comments say how.
"""

from fractions import Fraction

import pytest

from brute import HALF, CostSketch, Sketch
from dicelab import DRAW, LOSS, OTHER, SAME, WIN, Die, density, solve
from dicelab.games.pig.solo import SoloPig

TINY = Fraction(1, 10**12)


@pytest.mark.parametrize("exact", [True, False])
def test_waiting_that_costs_is_not_mistaken_for_the_end(exact):
    # Go costs 3 and ends half of the time: v = 3 + v/2, so v = 6. Staying costs 1 and never ends.
    go = [(HALF, 1, SAME, 3), (HALF, 0, SAME, 3)]
    game = CostSketch({0: {"stay": [(1, 0, SAME, 1)], "go": go}, 1: WIN})
    assert solve(game, exact=exact).value == pytest.approx(6)


@pytest.mark.parametrize("exact", [True, False])
def test_waiting_for_nothing_does_not_make_the_end_cheaper(exact):
    game = CostSketch({0: {"stay": [(1, 0, SAME, 0)], "go": [(1, 1, SAME, 3)]}, 1: WIN})
    assert solve(game, exact=exact).value == pytest.approx(3)


def test_a_ring_by_chance_tied_with_leaving_is_solved_and_bounded():
    # Staying changes nothing; leaving brings 1/3 + 2/3 x 1/2 = 2/3.
    ring = {"b": [(Fraction(1, 3), 0, SAME), (Fraction(2, 3), 0, SAME)]}
    leave = {"a": [(Fraction(1, 3), 1, SAME), (Fraction(2, 3), 2, SAME)]}
    solution = solve(Sketch({0: {**ring, **leave}, 1: WIN, 2: DRAW}))
    assert solution.lower <= Fraction(2, 3) <= solution.upper
    assert solution.upper - solution.lower < 1e-14


def test_chances_far_below_the_draw_chance_still_count():
    # At 1, staying for ever is a draw, and b brings a tiny chance of a win more than that.
    some, more = Fraction(1, 3), Fraction(2, 3)
    game = Sketch(
        {
            0: {"a": [(HALF, 5, SAME), (HALF, 2, OTHER)]},
            1: {
                "a": [(1, 1, SAME)],
                "b": [(TINY, 5, OTHER), (HALF - TINY, 0, SAME), (HALF, 2, SAME)],
            },
            2: {
                "a": [(some, 4, SAME), (more, 0, OTHER)],
                "b": [(TINY, 1, SAME), (HALF - TINY, 4, OTHER), (HALF, 2, OTHER)],
            },
            4: WIN,
            5: LOSS,
        }
    )
    assert solve(game, exact=True).value_at(1) == HALF + TINY


def test_a_turn_that_hardly_ever_ends_leaves_the_length_unfinished():
    game = Sketch({0: {"go": [(TINY, 1, SAME), (1 - TINY, 0, SAME)]}, 1: WIN})
    law = density(game, "random", "random")
    assert law.lengths.sum() + law.unfinished == pytest.approx(1)
    assert law.unfinished > 0.99


def test_the_way_to_improve_from_is_not_one_that_hardly_ever_ends():
    # Each throw ends the turn with nothing half of the time, else brings 2 points. Going on until
    # 300 takes 2^150 turns, which floats cannot tell from never; 2 points a turn take 2 turns each.
    solution = solve(SoloPig(target=300, die=Die({1: HALF, 2: HALF})))
    assert solution.lower <= 300 <= solution.upper
    assert solution.upper - solution.lower < 1e-8
