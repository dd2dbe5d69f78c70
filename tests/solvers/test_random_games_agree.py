"""Hundreds of random games a run, from rules to answer; `benchmarks/` has thousands.

Hypothesis makes the games and shrinks what fails. The games that once failed are below, as it
left them.
"""

import random
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import agreement
import at_once_brute
from agreement import disagreement
from brute import HALF, CostSketch, SeatedSketch, Sketch, SoloSketch
from dicelab import OTHER, SAME, WIN, compile, evaluate, solve
from dicelab.rules import DRAW, LOSS
from random_games import (
    GAINS,
    NEVERS,
    TINY,
    UNLIKELY,
    Race,
    any_worths,
    broken_games,
    by_seat,
    mixtures_for,
    one_pot,
    points_games,
    races,
    sketches,
    strategies_for,
)

WORTHS = st.sampled_from([None, any_worths])


def some(examples):
    return settings(max_examples=examples, derandomize=True, deadline=None, database=None)


@pytest.mark.parametrize("seed", range(4))
def test_small_games_at_once_agree_with_brute_force_in_fractions(seed):
    pick = random.Random(f"at once {seed}").choice
    game = at_once_brute.any_game(pick, False, (0, 0, 1, -2))
    assert disagreement(at_once_brute.without_circles, game) == ""
    game = at_once_brute.any_game(pick, True)
    one, two = (at_once_brute.random_mixture(pick, game) for _ in "ab")
    assert disagreement(at_once_brute.with_circles, game) == ""
    assert disagreement(at_once_brute.given_mixtures, game, one, two) == ""
    assert disagreement(at_once_brute.planted, game, one) == ""


def test_a_disagreement_is_told_with_its_game():
    game = Sketch({0: {"go": [(1, 1, SAME)]}, 1: WIN})
    told = disagreement(lambda each: agreement.agree(False, each, "1 is not 2"), game)
    assert told == f"1 is not 2\n{game!r}"


@some(80)
@given(sketches(most=4, moves=3, laws=UNLIKELY))
def test_no_strategy_beats_either_plan_even_with_unlikely_ways_out(game):
    assert disagreement(agreement.two_players, game) == ""


@some(60)
@given(st.data())
def test_what_two_strategies_do_is_a_linear_system(data):
    game = data.draw(sketches(most=6, moves=3, laws=UNLIKELY))
    both = [data.draw(strategies_for(game)) for _ in "ab"]
    assert disagreement(agreement.evaluation, game, *both) == ""


@some(60)
@given(st.data())
def test_the_best_reply_is_the_best_of_all_from_both_seats(data):
    game = data.draw(sketches(most=4, moves=2, laws=UNLIKELY))
    assert disagreement(agreement.best_reply, game, data.draw(strategies_for(game))) == ""


@some(60)
@given(st.data())
def test_alone_nothing_is_better_than_best_play(data):
    game = data.draw(sketches(SoloSketch, most=4, moves=3, laws=UNLIKELY, movers=(SAME,)))
    assert disagreement(agreement.alone, game, data.draw(strategies_for(game))) == ""


@some(80)
@given(st.data())
def test_points_collected_on_the_way_add_up_or_have_no_finite_sum(data):
    gains, worths = data.draw(st.sampled_from(GAINS)), data.draw(WORTHS)
    game = data.draw(sketches(SoloSketch, 4, 3, UNLIKELY, (SAME,), gains, worths))
    assert disagreement(agreement.alone, game, data.draw(strategies_for(game))) == ""


@some(80)
@given(st.data())
def test_the_cheapest_way_is_found_also_where_waiting_is_free(data):
    gains, worths = data.draw(st.sampled_from(GAINS)), data.draw(WORTHS)
    game = data.draw(sketches(CostSketch, 4, 3, UNLIKELY, (SAME,), gains, worths))
    assert disagreement(agreement.alone, game, data.draw(strategies_for(game))) == ""


@some(60)
@given(st.data())
def test_ends_of_any_worth_are_honoured_alone_and_never_ending_is_a_loss(data):
    game = data.draw(sketches(SoloSketch, 4, 3, UNLIKELY, (SAME,), worths=any_worths))
    assert disagreement(agreement.alone, game, data.draw(strategies_for(game))) == ""


@some(60)
@given(sketches(most=4, moves=2, laws=UNLIKELY, worths=one_pot))
def test_ends_of_any_worth_are_honoured_between_two(game):
    assert disagreement(agreement.two_players, game) == ""


@some(80)
@given(points_games())
def test_points_between_two_are_shared_out_or_have_no_definite_sum(game):
    assert disagreement(agreement.two_players, game) == ""


@some(60)
@given(st.data())
def test_what_two_strategies_gain_from_each_other_is_a_linear_system(data):
    game = data.draw(points_games(most=5, never=data.draw(st.sampled_from(NEVERS))))
    both = [data.draw(strategies_for(game)) for _ in "ab"]
    assert disagreement(agreement.evaluation, game, *both) == ""


@some(20)
@given(st.data())
def test_a_reply_for_points_is_best_whatever_never_ending_is_worth(data):
    game = data.draw(points_games(most=4, never=data.draw(st.sampled_from(NEVERS))))
    assert disagreement(agreement.best_reply, game, data.draw(strategies_for(game))) == ""


@some(60)
@given(st.data())
def test_a_reply_is_best_whatever_ends_are_worth(data):
    game = data.draw(sketches(most=4, moves=2, laws=UNLIKELY, worths=any_worths))
    assert disagreement(agreement.best_reply, game, data.draw(strategies_for(game))) == ""


@some(40)
@given(st.data())
def test_seats_that_differ_are_valued_each_by_its_own_worths(data):
    game = data.draw(sketches(SeatedSketch, most=5, laws=UNLIKELY, worths=by_seat))
    both = [data.draw(strategies_for(game)) for _ in "ab"]
    assert disagreement(agreement.evaluation, game, *both) == ""


@some(60)
@given(broken_games())
def test_a_contract_that_cannot_be_kept_is_refused_in_a_sentence(broken):
    assert disagreement(agreement.refused, *broken) == ""


@some(60)
@given(WORTHS.flatmap(lambda worths: races(worths=worths and one_pot)))
def test_bounds_at_once_are_proved_by_kernels_of_matrix_games(game):
    assert disagreement(agreement.at_once, game) == ""


@some(40)
@given(st.data())
def test_fixed_players_at_once_meet_as_they_must(data):
    game = data.draw(races(worths=data.draw(st.sampled_from([None, one_pot]))))
    both = [data.draw(mixtures_for(game)) for _ in "ab"]
    assert disagreement(agreement.at_once_fixed, game, *both) == ""


@some(40)
@given(sketches(gains=GAINS[3], worths=any_worths))
def test_a_game_can_be_pasted_back_from_what_it_prints(game):
    names = {"Sketch": Sketch, "Fraction": Fraction, "SAME": SAME, "OTHER": OTHER}
    again = eval(repr(game), names | {"WIN": WIN, "LOSS": LOSS, "DRAW": DRAW})
    assert (again.graph, again.ends) == (game.graph, game.ends)


def test_a_disagreement_shows_the_game():
    game = Sketch({0: {"a": [(1, 1, OTHER)]}, 1: WIN})
    with pytest.raises(agreement.Disagreement) as shown:
        agreement.agree(False, game, "nothing fits")
    assert str(shown.value) == (
        "nothing fits\nSketch({\n    0: {\n        'a': [(1, 1, OTHER)],\n    },\n    1: WIN,\n})"
    )


# Games that once failed


def test_the_chance_that_is_left_over_has_an_error_of_its_own():
    # A wins once in 10**12 games, known to 27 digits. What that leaves of 1 for B is not.
    game = Sketch(
        {0: {"a": [(TINY, 2, SAME), (1 - TINY, 1, SAME)], "b": [(1, 2, SAME)]}, 1: LOSS, 2: WIN}
    )
    found = evaluate(game, lambda at: "a", lambda at: "b")
    assert found.a_first.b_wins != 1 - TINY
    assert abs(Fraction(found.a_first.b_wins) - (1 - TINY)) <= Fraction(found.error)
    assert 0 < found.error < 1e-15


def test_a_cost_that_floats_lose_is_worked_out_in_fractions():
    # Out of 0 once in 10**12 steps of cost 3 (the last costs 1), and from 1 by c at no cost but for
    # 2, which costs 1 for each time it stays: twice, on average. So 1 costs 1 and 0 costs
    # 3 (10**12 - 1) + 1 + 1. Floats took going round between 0 and 1 for the best, at a cost
    # without end, and called that certified.
    far = Fraction(1, 2) - TINY
    game = CostSketch(
        {
            0: {"a": [(TINY, 1, SAME, 1), (1 - TINY, 0, SAME, 3)]},
            1: {
                "a": [(1, 0, SAME, 3)],
                "b": [(TINY, 3, SAME, 1), (far, 1, SAME, 1), (HALF, 0, SAME, 1)],
                "c": [(Fraction(1, 3), 2, SAME, 0), (Fraction(2, 3), 3, SAME, 0)],
            },
            2: {"a": [(Fraction(1, 3), 1, SAME, 0), (Fraction(2, 3), 2, SAME, 1)]},
            3: WIN,
        }
    )
    solution = solve(game)
    assert solution.lower <= 3 * (10**12 - 1) + 2 <= solution.upper
    assert solution.upper - solution.lower < 0.01


def test_a_small_game_whose_moves_keep_changing_in_floats_is_solved_all_the_same():
    # From 0 one gets to the win at 2 in the end, from 1 one gets back to 0: both are worth 1.
    game = SoloSketch(
        {
            0: {
                "a": [(HALF, 1, SAME), (HALF, 2, SAME)],
                "b": [(Fraction(1, 3), 1, SAME), (Fraction(2, 3), 0, SAME)],
                "c": [(1, 1, SAME)],
            },
            1: {
                "a": [(TINY, 0, SAME), (1 - TINY, 1, SAME)],
                "b": [(HALF + TINY, 0, SAME), (HALF - TINY, 0, SAME)],
            },
            2: WIN,
        }
    )
    solution = solve(game)
    assert solution.lower <= 1 <= solution.upper
    assert solution.upper - solution.lower < 1e-3


def test_a_race_of_one_throw_is_the_game_of_that_throw():
    # One point wins. Both arrive together with 2/3 x 2/3, and each alone with 2/9.
    law = {0: Fraction(1, 3), 1: Fraction(2, 3)}
    assert solve(Race({"a": law}, 1)).value == 0
    half = {0: HALF, 1: HALF}
    # a wins with 2/3 x 1/2 of 5/6 that end, b with 1/6, and 1/3 is drawn: (2/6 - 1/6) / (5/6).
    found = evaluate(Race({"a": law, "b": half}, 1), lambda at: "a", lambda at: "b", exact=True)
    assert found.values[0] == Fraction(1, 5)
    assert len(compile(Race({"a": law}, 1))) == 4
