"""Random small games: rings, ties, dead ends of play that never ends, unlikely ways out.

Every claim is checked against brute force in fractions, which shares no code with the engine.
"""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from brute import (
    HALF,
    Sketch,
    SoloSketch,
    absorbed,
    can_go_round,
    chain,
    chances,
    ends_of,
    fared,
    guaranteed,
    pure_strategies,
)
from dicelab import compile, evaluate
from dicelab.errors import NotSolved
from dicelab.rules import DRAW, LOSS, OTHER, SAME, WIN
from dicelab.verbs.best_response import best_response
from dicelab.verbs.solve import solve
from random_games import TINY, UNLIKELY, reachable, sketches, strategies_for


def some(examples):
    return settings(max_examples=examples, derandomize=True, deadline=None, database=None)


def asked(strategy):
    """Return a strategy given as a dictionary as a function."""
    return lambda at: strategy[at]


def moves_of(game, plan):
    return {at: plan.move_at(at) for at, rule in game.graph.items() if isinstance(rule, dict)}


def assert_certified(game, table, exact):
    """Assert that floats enclose the exact values."""
    rough = solve(table)
    for at in game.graph:
        lower, upper = rough.bounds_at(at)
        assert Fraction(lower) <= exact.value_at(at) <= Fraction(upper)


@some(150)
@given(sketches())
def test_no_strategy_at_all_does_better_against_the_exact_plan(game):
    # Never ending is worth half to both, as a draw is.
    game = reachable(game)
    table = compile(game)
    exact = solve(table, exact=True)
    worst = guaranteed(game, moves_of(game, exact.plan))
    assert worst == {at: (exact.value_at(at), exact.value_at(at)) for at in game.graph}
    assert_certified(game, table, exact)


@some(60)
@given(sketches(most=3))
def test_the_exact_values_are_the_saddle_of_all_pairs_of_pure_strategies(game):
    game = reachable(game)
    exact = solve(compile(game), exact=True)
    every = list(pure_strategies(game))
    pairs = [[fared(game, a, b) for b in every] for a in every]
    for at in game.graph:
        worth = [[pair[0, at] for pair in row] for row in pairs]
        assert max(min(row) for row in worth) == exact.value_at(at)
        assert min(max(column) for column in zip(*worth, strict=True)) == exact.value_at(at)


@some(60)
@given(sketches(kind=SoloSketch, moves=3, most=4))
def test_alone_the_exact_value_is_that_of_the_best_pure_strategy(game):
    game = reachable(game)
    table = compile(game)
    exact = solve(table, exact=True)
    worth = {(0, at): (game.worth[r],) for at, r in game.graph.items() if not isinstance(r, dict)}
    best = dict.fromkeys(game.graph, Fraction(0))  # what never ending is worth to one alone
    for strategy in pure_strategies(game):
        for (_, at), (value,) in absorbed(chain(game, strategy), worth).items():
            best[at] = max(best[at], value)
    assert {at: exact.value_at(at) for at in game.graph} == best
    assert_certified(game, table, exact)


@some(100)
@given(st.data())
def test_floats_are_within_their_error_of_the_exact_chances(data):
    # A way out that is taken once in 10**12 visits costs floats four digits: the error says so.
    # Two in a row cost all of them, and floats are refused.
    game = reachable(data.draw(sketches(laws=UNLIKELY, moves=3)))
    a, b = (data.draw(strategies_for(game)) for _ in "ab")
    known = chances(game, a, b)
    exact = evaluate(game, asked(a), asked(b), exact=True)
    for seat, found in enumerate((exact.a_first, exact.b_first)):
        assert (found.a_wins, found.b_wins, found.draws, found.never_ends) == known[seat, 0]
    try:
        rough = evaluate(game, asked(a), asked(b))
    except NotSolved:
        assert any(chance < HALF / 10 for node in chain(game, a, b).values() for chance, *_ in node)
        return
    for seat, side in enumerate(("a_first", "b_first")):
        near = getattr(rough, side)
        for number, truth in zip(
            (near.a_wins, near.b_wins, near.draws), known[seat, 0][:3], strict=True
        ):
            assert abs(Fraction(number) - truth) <= Fraction(rough.error)
        total = near.a_wins + near.b_wins + near.draws + near.never_ends
        assert total == pytest.approx(1, abs=max(3 * rough.error, 1e-12))


@some(80)
@given(st.data())
def test_no_strategy_beats_the_best_response(data):
    game = reachable(data.draw(sketches(most=4)))
    opponent = data.draw(strategies_for(game))
    table = compile(game)
    reply = best_response(table, asked(opponent), exact=True)
    # For a reply, a game that never ends is lost.
    best = dict.fromkeys(game.graph, Fraction(0))
    for mine in pure_strategies(game):
        worth = fared(game, mine, opponent)
        best = {at: max(value, worth[0, at]) for at, value in best.items()}
    assert {at: reply.solution.value_at(at) for at in game.graph} == best
    fares = chances(game, moves_of(game, reply.plan), opponent)
    assert (reply.first, 1 - reply.second) >= (fares[0, 0][0], fares[1, 0][0])
    assert reply.first == fares[0, 0][0]
    assert reply.second == fares[1, 0][1]


@some(60)
@given(st.data())
def test_the_best_response_in_floats_is_within_its_bounds(data):
    game = reachable(data.draw(sketches(most=4).filter(lambda game: not can_go_round(game))))
    opponent = data.draw(strategies_for(game))
    table = compile(game)
    exact = best_response(table, asked(opponent), exact=True)
    rough = best_response(table, asked(opponent))
    for at in game.graph:
        lower, upper = rough.solution.bounds_at(at)
        assert Fraction(lower) <= exact.solution.value_at(at) <= Fraction(upper)


@some(60)
@given(st.data())
def test_optimal_play_is_its_own_best_response_where_every_game_ends(data):
    game = reachable(data.draw(sketches()))
    table = compile(game)
    best = solve(table, exact=True)
    reply = best_response(table, best.plan, exact=True)
    for at in game.graph:
        if can_go_round(game):  # a reply counts going round as lost, and two players as a draw
            assert reply.solution.value_at(at) <= best.value_at(at)
        else:
            assert reply.solution.value_at(at) == best.value_at(at)


# Games that may go round for ever, by hand


def test_a_player_who_would_lose_by_leaving_stays():
    # Leaving loses; passing back and forth for ever is a draw.
    game = Sketch({0: {"leave": [(1, 1, SAME)], "wait": [(1, 0, OTHER)]}, 1: LOSS})
    assert solve(compile(game), exact=True).value == HALF
    assert solve(compile(game)).value == pytest.approx(0.5, abs=1e-12)


def test_a_player_who_would_win_by_leaving_leaves():
    leave = [(Fraction(2, 3), 1, SAME), (Fraction(1, 3), 2, SAME)]
    game = Sketch({0: {"wait": [(1, 0, OTHER)], "leave": leave}, 1: WIN, 2: LOSS})
    solution = solve(compile(game), exact=True)
    assert solution.value == Fraction(2, 3)
    assert solution.plan.move_at(0) == "leave"
    assert solve(compile(game)).best_moves(0) == ["leave"]


def test_only_one_player_can_leave_and_does_so_only_with_profit():
    # At 0 one may only pass; at 1 one may pass back, or leave with chance p to win.
    for percent in (20, 50, 80):
        p = Fraction(percent, 100)
        game = Sketch(
            {
                0: {"pass": [(1, 1, OTHER)]},
                1: {"pass": [(1, 0, OTHER)], "leave": [(p, 2, SAME), (1 - p, 3, SAME)]},
                2: WIN,
                3: LOSS,
            }
        )
        assert solve(compile(game), exact=True).value == 1 - max(p, HALF)


def test_where_nobody_can_end_the_game_it_is_a_draw_and_never_ends():
    game = Sketch({0: {"wait": [(1, 0, OTHER)], "turn": [(1, 1, SAME)]}, 1: {"b": [(1, 0, OTHER)]}})
    table = compile(game)
    assert solve(table, exact=True).value == HALF
    assert solve(table).value == 0.5
    for exact in (False, True):
        found = evaluate(table, "random", "random", exact=exact)
        assert (found.first, found.second, found.never_ends) == (0, 0, 1)


def test_three_numbers_where_play_goes_round_for_ever_in_two_places():
    # A third each: A wins, round with A to move, round with both to move in turn.
    third = Fraction(1, 3)
    game = Sketch(
        {
            0: {"go": [(third, 1, SAME), (third, 2, SAME), (third, 3, OTHER)]},
            1: WIN,
            2: {"spin": [(HALF, 2, SAME), (HALF, 4, SAME)]},
            4: {"spin": [(1, 2, SAME)]},
            3: {"pass": [(1, 3, OTHER)]},
        }
    )
    found = evaluate(game, "random", "random", exact=True)
    assert (found.first, found.second, found.never_ends) == (third, third, 2 * third)
    rough = evaluate(game, "random", "random")
    assert np.allclose([rough.first, rough.second, rough.never_ends], [1 / 3, 1 / 3, 2 / 3])
    assert chances(game, *[{0: "go", 2: "spin", 4: "spin", 3: "pass"}] * 2)[0, 0][3] == 2 * third


def test_a_drawn_end_is_half_a_win_to_both():
    game = Sketch({0: {"go": [(HALF, 1, OTHER), (HALF, 2, OTHER)]}, 1: DRAW, 2: WIN})
    assert solve(compile(game), exact=True).value == Fraction(1, 4)
    found = evaluate(game, "random", "random", exact=True)
    assert (found.first, found.a_first.draws, found.second) == (0, HALF, 0)
    assert found.values == (Fraction(1, 4), Fraction(3, 4))
    assert ends_of(game, 2)[1, 1] == (0, 0, 1)


def test_floats_are_refused_where_rounding_hides_how_a_game_ends():
    # It is left once in 10**24 visits.
    back = [(TINY, 1, SAME), (1 - TINY, 0, SAME)]
    game = Sketch({0: {"a": back}, 1: {"a": [(TINY, 2, SAME), (1 - TINY, 0, SAME)]}, 2: WIN})
    assert evaluate(game, "random", "random", exact=True).first == 1
    with pytest.raises(NotSolved) as refused:
        evaluate(game, "random", "random")
    assert str(refused.value) == (
        "sketch goes round too often between these two for floats to say how it ends: "
        "ask for exact chances (exact=True)"
    )


def test_a_value_lies_within_its_own_bounds_even_where_the_game_hardly_ever_ends():
    game = Sketch({0: {"a": [(TINY, 1, SAME), (1 - TINY, 0, SAME)]}, 1: WIN})
    solution = solve(compile(game))
    assert 0.99 < solution.lower <= solution.value <= solution.upper == 1


def test_a_position_that_both_players_come_to_counts_for_both():
    # On no circle, yet A and B may each be the one to move at 1.
    game = Sketch(
        {
            0: {"go": [(HALF, 1, SAME), (HALF, 1, OTHER)]},
            1: {"go": [(Fraction(2, 3), 2, SAME), (Fraction(1, 3), 3, SAME)]},
            2: WIN,
            3: LOSS,
        }
    )
    found = evaluate(game, "random", "random", exact=True)
    assert (found.first, found.a_first.b_wins) == (HALF, HALF)
    assert evaluate(game, "random", "random").first == pytest.approx(0.5, abs=1e-15)


def test_two_outcomes_that_lead_to_one_position_make_no_ring_hang():
    spin = [(HALF, 1, SAME), (HALF, 1, SAME)]
    back = [(HALF, 0, OTHER), (HALF, 0, OTHER)]
    game = Sketch({0: {"a": spin}, 1: {"a": back}})
    assert evaluate(game, "random", "random", exact=True).never_ends == 1
