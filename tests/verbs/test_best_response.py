"""Best responses: never beaten, from any start, and iterated until they are optimal."""

from fractions import Fraction

import numpy as np
import pytest

from brute import Sketch
from dicelab import (
    DRAW,
    OTHER,
    SAME,
    WIN,
    best_response,
    compile,
    evaluate,
    iterate,
    on_arrays,
    plan,
    solve,
)
from dicelab.errors import NotSolved, RulesError
from dicelab.games.pig import BigPig, Pig, Piglet, TwoDicePig
from dicelab.games.pig.solo import SoloPig
from dicelab.rules.dice import Die

TABLE = compile(Pig(target=30))


def some_strategies(count):
    """Return strategies that choose at random, once and for all, at every position."""
    rng = np.random.default_rng(7)
    shares = rng.random((count, len(TABLE)))
    for share in shares:

        @on_arrays
        def choose(at, share=share):
            rolls = (at.at_risk == 0) | (share[: at.at_risk.size] < 0.6)
            return np.where(rolls, "roll", "hold")

        yield plan(TABLE, choose)


@pytest.mark.parametrize("opponent", ["hold-at:10", "random", "turtle", "optimal"])
def test_no_strategy_we_know_beats_the_best_response(opponent):
    reply = best_response(TABLE, opponent)
    for other in ("hold-at:8", "hold-at:15", "roll-to-win", "random", *some_strategies(5)):
        found = evaluate(TABLE, other, opponent)
        assert found.first <= reply.first + 1e-12
        assert found.second >= reply.second - 1e-12


def test_the_best_response_is_the_same_from_every_start():
    replies = [
        best_response(TABLE, "hold-at:10", start)
        for start in (None, "turtle", "roll-to-win", "random", "optimal")
    ]
    assert all(reply.first == pytest.approx(replies[0].first, abs=1e-13) for reply in replies)
    assert all(reply.plan.plays_like(replies[0].plan) for reply in replies)


def test_the_value_of_the_reply_is_what_it_wins():
    reply = best_response(TABLE, "hold-at:10")
    again = evaluate(TABLE, reply.plan, "hold-at:10")
    assert reply.solution.value == pytest.approx(again.first, abs=1e-13)
    assert reply.solution.lower <= again.first <= reply.solution.upper
    assert reply.overall == pytest.approx(again.overall, abs=1e-13)


def test_the_reply_to_a_mixed_strategy_is_exact_in_fractions():
    # Piglet to 1: both just toss, so the reply wins 2/3.
    reply = best_response(Piglet(target=1), "random", exact=True)
    assert (reply.first, reply.second) == (Fraction(2, 3), Fraction(2, 3))


def test_replying_to_optimal_play_gains_nothing():
    best = solve(Pig(target=30))
    reply = best_response(TABLE, "optimal")
    assert reply.first == pytest.approx(best.value, abs=1e-13)
    assert reply.plan.plays_like(plan(TABLE, "optimal"))


def test_a_reply_counts_a_game_that_never_ends_as_lost():
    # Against one who always passes, waiting too would never end: so it plays, and always wins.
    reply = best_response(Pig(target=9, passing=True), lambda at: "hold", exact=True)
    assert (reply.first, reply.second) == (1, 0)


def certainly_won(reply):
    """Return whether the reply is certified to win always, from every position it can move at."""
    found = reply.solution
    mine = found.uppers - found.lowers
    return found.lower <= 1 <= found.upper and mine.max() < 1e-11 and reply.first > 1 - 1e-11


@pytest.mark.parametrize("target", [9, 20, 30, 50])
def test_who_always_passes_is_beaten_for_certain(target):
    # Nothing the reply does costs anything, so that nearly all its moves are equally good.
    assert certainly_won(best_response(Pig(target=target, passing=True), lambda at: "hold"))


@pytest.mark.parametrize(
    ("game", "opponent"),
    [
        (Pig(target=50, passing=True), "roll-and-wait:40,45,20"),
        (Piglet(target=20, passing=True), "roll-and-wait:15,17,5"),
        (BigPig(target=40, passing=True), "roll-and-wait:15,17,5"),
    ],
    ids=str,
)
def test_who_rolls_and_waits_is_beaten_for_certain(game, opponent):
    # The reply passes until the other waits, then banks what falls just short of what he waits for.
    # From there a bust costs nothing: it tries until it wins.
    assert certainly_won(best_response(game, opponent))


def test_a_reply_may_go_round_by_chance_as_well():
    # A 0 scores nothing: rolling may lead back to the same position within a turn.
    game = Pig(target=12, die=Die.parse("0:1/4,1:1/4,2:1/4,3:1/4"), passing=True)
    for opponent in (lambda at: "hold", "roll-and-wait:6,9,3", "skip-when-level:3", "random"):
        rough, exact = best_response(game, opponent), best_response(game, opponent, exact=True)
        assert (rough.solution.lowers <= exact.solution.values.astype(float)).all()
        assert (exact.solution.values.astype(float) <= rough.solution.uppers).all()
        assert (rough.solution.uppers - rough.solution.lowers).max() < 1e-11


def test_replies_to_one_who_waits_reach_the_optimum_too():
    game = Pig(target=20, passing=True)
    found = iterate(game, "roll-and-wait:14,16,6")
    assert found.settled
    value = solve(game).value
    assert evaluate(game, found.plan, found.plan).first == pytest.approx(value, abs=1e-12)


@pytest.mark.parametrize("start", ["hold-at:1", "hold-at:6", "hold-at:20", "hold-at:30", "random"])
def test_replies_to_replies_reach_the_optimum_at_every_position(start):
    found = iterate(TABLE, start)
    best = solve(Pig(target=30))
    assert found.settled
    assert found.plan.plays_like(best.plan)
    assert found.orders[-1].first == pytest.approx(best.value, abs=1e-13)


@pytest.mark.parametrize(
    "game", [Pig(target=20, passing=True), Piglet(target=8), TwoDicePig(target=20)], ids=str
)
def test_replies_to_replies_are_worth_the_value_in_other_games_too(game):
    found = iterate(game, "hold-at:5")
    assert found.settled
    value = solve(game).value
    assert evaluate(game, found.plan, found.plan).first == pytest.approx(value, abs=1e-12)


def test_iterating_tells_of_every_order_and_stops_where_it_is_told():
    told = []
    found = iterate(TABLE, "hold-at:5", progress=lambda order, reply: told.append((order, reply)))
    assert [order for order, _ in told] == list(range(1, len(told) + 1))
    assert found.orders == [reply for _, reply in told]
    assert found.taken == len(told) - 1  # the last one changed nothing
    short = iterate(TABLE, "hold-at:5", most_orders=1)
    assert not short.settled
    assert len(short.orders) == 1
    with pytest.raises(NotSolved) as refused:
        iterate(TABLE, "hold-at:5", most_orders=0)
    assert str(refused.value) == "no order was asked for: got most_orders=0"


def test_nobody_replies_in_a_game_for_one():
    with pytest.raises(RulesError) as refused:
        best_response(SoloPig(target=9), "hold-at:3")
    assert str(refused.value) == "solo-pig target=9 is played alone: there is nobody to reply to"


@pytest.mark.parametrize(
    ("game", "opponent"),
    [
        (Pig(target=25), "hold-at:8"),
        (Pig(target=25), "random"),
        (Pig(target=20, passing=True), "skip-when-level:7"),
        (Piglet(), "hold-at:2"),
        (TwoDicePig(target=20), "random"),
    ],
)
def test_how_the_reply_fares_is_what_evaluating_it_says(game, opponent):
    table = compile(game)
    reply = best_response(table, opponent)
    found, again = reply.evaluation, evaluate(table, reply.plan, opponent)
    for mine, theirs in ((found.a_first, again.a_first), (found.b_first, again.b_first)):
        for one, two in zip(vars(mine).values(), vars(theirs).values(), strict=True):
            assert abs(one - two) <= found.error + again.error
    assert found.values == pytest.approx(again.values, abs=1e-12)
    assert 0 < found.error < 1e-11
    assert (found.a, found.b) == (again.a, again.b)


def test_how_the_reply_fares_is_exact_in_exact_mode():
    table = compile(Pig(target=8))
    reply = best_response(table, "hold-at:3", exact=True)
    again = evaluate(table, reply.plan, "hold-at:3", exact=True)
    assert (reply.evaluation.a_first, reply.evaluation.b_first) == (again.a_first, again.b_first)
    assert reply.evaluation.error == 0


@pytest.mark.parametrize("end", [DRAW, None])
def test_a_reply_that_may_draw_or_never_end_is_evaluated(end):
    # Half of the games are won at once. The others are drawn, or go round for ever.
    turn = {"go": [(Fraction(1, 2), 2, SAME), (Fraction(1, 2), 1, OTHER)]}
    after = end if end is not None else {"wait": [(1, 1, OTHER)]}
    found = best_response(Sketch({0: turn, 1: after, 2: WIN}), "random").evaluation
    half = pytest.approx(0.5)
    assert (found.a_first.a_wins, found.b_first.b_wins) == (half, half)
    assert found.a_first.draws == (half if end is not None else 0)
    assert found.a_first.never_ends == (half if end is None else 0)
