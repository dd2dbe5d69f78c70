"""What ends are worth: any number of any sign, gains in circles, and play that never ends."""

from dataclasses import dataclass
from fractions import Fraction
from math import inf
from typing import ClassVar

import numpy as np
import pytest

from brute import CostSketch, SeatedSketch, Sketch, SoloSketch
from dicelab import OTHER, SAME, WIN, HouseRules, compile, evaluate, solve
from dicelab.errors import NotFinite, RulesError
from dicelab.people.game_review import worth_at
from dicelab.rules import DRAW, LOSS, ONGOING
from dicelab.table.worths import Counting, unit_of
from dicelab.verbs.best_response import best_response
from dicelab.verbs.simulate import simulate

HALF, THIRD = Fraction(1, 2), Fraction(1, 3)


def both_ways(game):
    """Return the exact value, having seen that floats enclose it at every position."""
    table = compile(game)
    exact, rough = solve(table, exact=True), solve(table)
    for low, value, high in zip(rough.lowers, exact.values, rough.uppers, strict=True):
        assert Fraction(float(low)) <= value <= Fraction(float(high))
        assert high - low <= 1e-12 * max(1, abs(value))
    return exact.value


def refusals(game):
    """Return what is said, exactly and in floats, by one who is asked to solve a game."""
    told = set()
    for exact in (True, False):
        with pytest.raises(NotFinite) as refused:
            solve(game, exact=exact)
        told.add(str(refused.value))
    return told


# Alone: play that never ends is worth a loss


def test_a_game_alone_that_never_ends_is_worth_a_loss():
    game = SoloSketch({0: {"wait": [(1, 0, SAME)]}}, (5, 3, 4))
    assert both_ways(game) == 3
    for exact in (True, False):
        assert evaluate(game, "random", exact=exact).value == 3


def test_alone_an_end_that_is_worse_than_a_loss_is_put_off_for_ever():
    # A draw is worth -2 and a loss 0: better go round than leave.
    game = SoloSketch({0: {"leave": [(1, 1, SAME)], "wait": [(1, 0, SAME)]}, 1: DRAW}, (1, 0, -2))
    assert both_ways(game) == 0
    assert solve(game).plan.move_at(0) == "wait"


def test_alone_going_round_by_chance_is_worth_a_loss_too():
    spin = [(HALF, 0, SAME), (HALF, 1, SAME)]
    game = SoloSketch(
        {0: {"spin": spin}, 1: {"spin": spin, "leave": [(1, 2, SAME)]}, 2: WIN}, (-1, THIRD, 0)
    )
    assert both_ways(game) == THIRD


def test_half_of_the_games_of_a_strategy_that_never_end_count_as_lost():
    game = SoloSketch(
        {0: {"go": [(HALF, 1, SAME), (HALF, 2, SAME)]}, 1: {"wait": [(1, 1, SAME)]}, 2: WIN},
        (7, -3, 0),
    )
    for exact in (True, False):
        found = evaluate(game, "random", exact=exact)
        assert (found.value, found.never_ends) == (2, HALF)
    played = simulate(game, "random", games=400, seed=3)
    wins, lost = played.tally.ends[0, [0, 3]]
    assert (wins + lost, played.never_ended) == (400, lost)
    assert played.value.value == pytest.approx((7 * wins - 3 * lost) / 400)
    written = simulate(game, "random", games=20, seed=3, records=True)
    assert 0 < written.never_ended < 20
    assert written.value.value == pytest.approx(7 - 10 * written.never_ended / 20)


def test_a_simulated_game_that_never_ends_keeps_what_was_gained_before():
    graph = {
        0: {"go": [(HALF, 1, SAME, 4), (HALF, 2, SAME, 1)]},
        1: {"wait": [(1, 1, SAME)]},
        2: WIN,
    }
    game = SoloSketch(graph, (5, -3, 0))
    played = simulate(game, "random", games=400, seed=4)
    lost = played.never_ended
    assert played.value.value == pytest.approx((6 * (400 - lost) + 1 * lost) / 400)
    assert evaluate(game, "random", exact=True).value == Fraction(7, 2)


# Gains in circles


def test_gains_without_end_have_no_finite_value():
    game = SoloSketch({0: {"stay": [(1, 0, SAME, 1)], "end": [(1, 1, SAME)]}, 1: WIN}, (0, 0, 0))
    assert refusals(game) == {
        "sketch has no finite value: going round at 0 gains more and more, without end; "
        "limit how often that may be done"
    }
    for exact in (True, False):
        assert evaluate(game, lambda at: "stay", exact=exact).value == inf
        assert evaluate(game, lambda at: "end", exact=exact).value == 0


def test_costs_that_fall_without_end_have_no_finite_value():
    game = CostSketch({0: {"stay": [(1, 0, SAME, -1)], "end": [(1, 1, SAME)]}, 1: WIN})
    assert refusals(game) == {
        "sketch has no finite value: going round at 0 costs less and less, without end; "
        "limit how often that may be done"
    }


def test_a_circle_that_costs_is_left_even_at_a_price():
    game = SoloSketch({0: {"stay": [(1, 0, SAME, -1)], "end": [(1, 1, SAME)]}, 1: WIN}, (-7, 0, 0))
    assert both_ways(game) == -7
    assert evaluate(game, lambda at: "stay").value == -inf


def test_a_circle_that_costs_and_cannot_be_left_has_no_finite_value():
    game = SoloSketch({0: {"stay": [(1, 0, SAME, -1)]}}, (0, 0, 0))
    assert refusals(game) == {
        "sketch has no finite value: from 1 of its positions it can only go on, and loses more "
        "and more, without end"
    }


@pytest.mark.parametrize(
    "graph",
    [
        {0: {"bet": [(HALF, 0, SAME, 1), (HALF, 0, SAME, -1)], "end": [(1, 1, SAME)]}, 1: WIN},
        {
            0: {"up": [(1, 1, SAME, 1)]},
            1: {"down": [(1, 0, SAME, -1)], "end": [(1, 2, SAME)]},
            2: WIN,
        },
    ],
)
def test_gains_that_cancel_out_in_a_circle_leave_the_value_open(graph):
    told = refusals(SoloSketch(graph, (0, 0, 0)))
    assert len(told) == 1
    assert told.pop().endswith(
        ", what is gained and what is lost cancel out; limit how often that may be done"
    )


def test_what_is_gained_before_play_goes_round_for_nothing_counts():
    # One point, and then round for ever, which is a loss worth 7/3.
    graph = {0: {"go": [(1, 1, SAME, 1)]}, 1: {"back": [(1, 0, SAME, -3)], "stay": [(1, 1, SAME)]}}
    game = SoloSketch(graph, (0, Fraction(7, 3), 0))
    assert both_ways(game) == Fraction(10, 3)
    for exact in (True, False):
        found = evaluate(game, lambda at: "go" if at == 0 else "stay", exact=exact)
        assert abs(Fraction(found.value) - Fraction(10, 3)) <= Fraction(found.error)


def test_a_strategy_whose_circle_cancels_out_has_no_definite_value():
    game = SoloSketch({0: {"bet": [(HALF, 0, SAME, 1), (HALF, 0, SAME, -1)]}}, (0, 0, 0))
    with pytest.raises(NotFinite) as refused:
        evaluate(game, "random")
    assert str(refused.value) == (
        "sketch has no definite value for random: it goes round for ever, and what is gained and "
        "what is lost cancel out"
    )


def test_a_circle_that_gains_and_loses_is_judged_by_what_it_brings_on_average():
    # Up by 1 and down by 3 in turn; then up by 3 and down by 1.
    for up, down, brings in ((1, -3, -inf), (3, -1, inf)):
        graph = {0: {"up": [(1, 1, SAME, up)]}, 1: {"down": [(1, 0, SAME, down)]}}
        assert evaluate(SoloSketch(graph, (0, 0, 0)), "random").value == brings


# Points


@dataclass(frozen=True)
class Tosses(HouseRules):
    """Heads is a point, and another toss; tails ends it. Heads comes one time in three."""

    name: ClassVar[str] = "tosses"
    players: ClassVar[int] = 1

    def start(self):
        return 0

    def choices(self, at):
        return ["toss"]

    def outcomes(self, at, move):
        yield THIRD, 0, SAME, 1
        yield 1 - THIRD, 1, SAME

    def result(self, at):
        return WIN if at else ONGOING


def test_a_win_adds_nothing_to_a_game_for_points_unless_its_rules_say_so():
    # v = (1 + v)/3, so v = 1/2.
    assert both_ways(Tosses()) == HALF
    assert evaluate(Tosses(), "random", exact=True).value == HALF
    found = simulate(Tosses(), "random", games=4000, seed=5).value
    assert found.low < 0.5 < found.high
    assert [worth_at(solve(Tosses()), at) for at in (0, 1)] == [pytest.approx(0.5), 0]
    said = type("Said", (Tosses,), {"worth": {WIN: 1, LOSS: 0, DRAW: 0}})
    assert both_ways(said()) == 1 + HALF


@pytest.mark.parametrize(
    ("game", "unit"),
    [
        (SoloSketch({0: {"go": [(1, 1, SAME)]}, 1: WIN}), "chance to win"),
        (SoloSketch({0: {"go": [(1, 1, SAME)]}, 1: WIN}, (5, 3, 4)), "points"),
        (Sketch({0: {"go": [(1, 1, SAME)]}, 1: WIN}, (3, 0, Fraction(3, 2))), "points"),
        (Tosses(), "points"),
        (CostSketch({0: {"go": [(1, 1, SAME, 1)]}, 1: WIN}), "turns"),
    ],
)
def test_a_value_that_is_no_chance_to_win_is_not_called_one(game, unit):
    assert (compile(game).unit, solve(game).unit) == (unit, unit)


# Best play that never ends


def test_a_solution_says_how_often_best_play_never_ends():
    wait = Sketch({0: {"wait": [(1, 0, OTHER)]}})
    half = Sketch(
        {0: {"go": [(HALF, 1, SAME), (HALF, 2, SAME)]}, 1: {"wait": [(1, 1, OTHER)]}, 2: WIN}
    )
    alone = SoloSketch({0: {"wait": [(1, 0, SAME)]}})
    ends = Sketch({0: {"go": [(HALF, 0, OTHER), (HALF, 1, SAME)]}, 1: WIN})
    for game, share in ((wait, 1), (half, HALF), (alone, 1), (ends, 0)):
        assert solve(game, exact=True).never_ends == solve(game).never_ends == share


# Bounds


@pytest.mark.parametrize(
    "win", [Fraction(11, 6), Fraction(-1, 3), Fraction(10**9 + 1, 3), Fraction(1, 10**9)]
)
def test_bounds_are_rounded_outward_where_a_worth_is_no_float(win):
    leave = [(THIRD, 1, SAME), (1 - THIRD, 0, SAME)]
    for game in (
        SoloSketch({0: {"go": leave}, 1: WIN}, (win, 0, 0)),
        Sketch({0: {"go": leave}, 1: WIN}, (win, 0, win / 2)),
    ):
        found = solve(game)
        assert Fraction(found.lower) <= win <= Fraction(found.upper)
        assert found.upper - found.lower <= 1e-13 * abs(float(win))
    reply = best_response(Sketch({0: {"go": leave}, 1: WIN}, (win, 0, 0)), "random").solution
    assert Fraction(reply.lower) <= win <= Fraction(reply.upper)


def test_a_clipped_bound_is_not_moved_inward():
    # 11/6 as a float is below 11/6.
    counting = Counting({WIN: (Fraction(11, 6),), LOSS: (Fraction(0),)}, Fraction(0))
    _, low, high = counting.bounded(np.array([1.9]), np.array([0.5]))
    assert (
        Fraction(low[0])
        <= Fraction(11, 6)
        <= Fraction(high[0])
        < Fraction(11, 6) + Fraction(1, 2**52)
    )


@pytest.mark.parametrize(
    ("numbers", "unit"),
    [
        ((), 1),
        ((0,), 1),
        ((1, -3), 1),
        ((2**20,), 2**20),
        ((Fraction(1, 2**20),), Fraction(1, 2**20)),
    ],
)
def test_worths_are_counted_in_a_unit_that_makes_them_about_one(numbers, unit):
    assert unit_of(map(Fraction, numbers)) == unit


# Between two


def test_a_reply_that_goes_round_for_ever_gets_a_draw_unless_told_otherwise():
    # A loss is worth 5, a win 2: to leave is to win, to stay is better.
    game = Sketch(
        {0: {"leave": [(1, 1, SAME)], "stay": [(1, 0, SAME)]}, 1: WIN}, (2, 5, Fraction(7, 2))
    )
    for exact in (True, False):
        reply = best_response(game, "random", exact=exact)
        assert (reply.solution.value, reply.evaluation.values[0]) == (Fraction(7, 2),) * 2
        lost = best_response(game, "random", exact=exact, never=Fraction(5))
        assert (lost.solution.value, lost.evaluation.values[0]) == (5, 5)


def test_a_reply_where_nothing_is_at_stake_is_still_told():
    game = Sketch({0: {"go": [(1, 1, OTHER)]}, 1: WIN}, (1, 1, 1))
    reply = best_response(game, "random", exact=True)
    assert (reply.solution.value, reply.first) == (1, 0)


def test_seats_that_value_ends_differently_have_no_value_in_common():
    game = SeatedSketch({0: {"go": [(1, 1, SAME)]}, 1: WIN}, ((1, 0, HALF), (2, 0, 1)))
    with pytest.raises(RulesError) as refused:
        solve(game)
    assert "it values its ends differently by seat" in str(refused.value)
    assert evaluate(game, "random", "random", exact=True).values == (1, 0)
