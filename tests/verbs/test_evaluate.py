"""Evaluating: by hand, by counting games, by playing them; and play that never ends."""

from fractions import Fraction
from functools import cache

import numpy as np
import pytest

from brute import HALF, Sketch, chances
from dicelab import Die, compile, evaluate, game, solve
from dicelab.errors import NotSolved
from dicelab.games.pig import Pig, Piglet, PigPosition
from dicelab.games.pig.solo import SoloPig
from dicelab.rules import DRAW, LOSS, ONGOING, OTHER, SAME, WIN
from dicelab.strategies.matchup import Pairing
from dicelab.strategies.named import plan
from dicelab.verbs.evaluate import move_by_move, turn_by_turn
from dicelab.verbs.evaluation import Chances, Stakes


def play(game, names, games, seed, most_turns=400):
    """Play many games at once by the game's own rules; return shares (A wins, B wins, unfinished).

    A player who passes with nothing at risk at a position where the other one passes too is at a
    stalemate; no other game of Pig lasts 400 turns.
    """
    rng = np.random.default_rng(seed)
    chooses = [game.strategies[name](game, *parameters) for name, *parameters in names]
    at = PigPosition(*(np.zeros(games, int) for _ in range(3)))
    seat = np.zeros(games, int)
    wins = np.zeros(2)
    for _ in range(20 * most_turns):
        over = game.result(at) != ONGOING
        wins += np.bincount(seat[over], minlength=2)
        at, seat = PigPosition(*(field[~over] for field in at)), seat[~over]
        if not seat.size:
            break
        moves = np.where(seat == 0, *(np.broadcast_to(c(at), seat.shape) for c in chooses))
        dice = rng.random(seat.size)
        after = [field.copy() for field in at]
        passed = np.zeros(seat.size, bool)
        for move in game.moves:
            low = 0.0
            for chance, then, mover, *_ in game.outcomes(at, move):
                here = (moves == move) & (dice >= low) & (dice < low + float(chance))
                low += float(chance)
                for field, value in zip(after, then, strict=True):
                    field[here] = np.broadcast_to(value, seat.shape)[here]
                passed |= here & (mover == OTHER)
        waits = (at.mine == at.yours) & (moves == "hold") & (at.at_risk == 0)
        at, seat = PigPosition(*after), np.where(passed, 1 - seat, seat)
        if waits.all():
            break
    return (*(wins / games), seat.size / games)


# The stalemate of the study: both skip when the banks are equal, the opening excepted


@cache
def waiting():
    return compile(Pig(passing=True))


@pytest.mark.parametrize("points", [16, 20, 25])
def test_players_who_skip_when_level_come_to_a_stalemate_as_often_as_in_play(points):
    games = 20_000
    name = f"skip-when-level:{points}"
    found = evaluate(waiting(), name, name)
    played = play(waiting().game, [("skip-when-level", points)] * 2, games, seed=2004)
    for known, share in zip(
        (found.first, found.a_first.b_wins, found.a_first.never_ends), played, strict=True
    ):
        assert abs(known - share) < 4 * np.sqrt(known * (1 - known) / games)
    assert found.first == pytest.approx(found.second, abs=1e-12)
    assert found.first + found.a_first.b_wins + found.never_ends == pytest.approx(1, abs=1e-12)


def test_around_a_quarter_of_these_games_never_end():
    # "around a quarter of games": the study does not say when its players hold.
    shares = {
        points: evaluate(waiting(), *[f"skip-when-level:{points}"] * 2).never_ends
        for points in (15, 16, 17, 20, 25)
    }
    assert all(0.24 <= shares[points] <= 0.26 for points in (15, 16, 17))
    assert 0.21 < shares[20] < 0.23
    assert list(shares.values()) == sorted(shares.values(), reverse=True)


def test_two_who_always_pass_never_end():
    for exact in (False, True):
        found = evaluate(Pig(target=9, passing=True), *[lambda at: "hold"] * 2, exact=exact)
        assert (found.first, found.second, found.never_ends) == (0, 0, 1)
        assert found.values == (Fraction(1, 2), Fraction(1, 2))


def test_one_who_always_passes_loses_to_one_who_plays():
    found = evaluate(Pig(target=9, passing=True), lambda at: "hold", "roll-to-win", exact=True)
    assert (found.first, found.second, found.overall, found.never_ends) == (0, 1, 0, 0)


# By hand and by symmetry


def test_piglet_to_one_is_a_coin_tossed_in_turn():
    # The first of a row of tosses: 1/2 + 1/8 + 1/32 + ... = 2/3.
    found = evaluate(Piglet(target=1), "roll-to-win", "roll-to-win", exact=True)
    assert (found.first, found.second, found.overall) == (
        Fraction(2, 3),
        Fraction(2, 3),
        Fraction(1, 2),
    )


def test_the_study_s_piglet_to_two_by_hand():
    # A holds at 1, B rolls to win. At 1-0 A wins a toss at once: P(1,0) = 1/2 + (1 - Q(0,1))/2,
    # Q(0,1) = 1/4 + 3/4 (1 - P(1,0)), hence P(1,0) = 4/5, Q(0,1) = 2/5; then
    # P(0,0) = (1 - Q(0,1))/2 + (1 - Q(0,0))/2, Q(0,0) = 1/4 + 3/4 (1 - P(0,0)).
    found = evaluate(Piglet(target=2), "hold-at:1", "roll-to-win", exact=True)
    p = Fraction(3, 5) / 2  # P = 3/10 + (1 - Q)/2 and Q = 1 - 3P/4, so P = 3/10 + 3P/8
    assert found.first == p / (1 - Fraction(3, 8)) == Fraction(12, 25)
    assert found.second == 1 - Fraction(3, 4) * found.first == Fraction(16, 25)


def test_a_strategy_against_itself_is_even_when_the_start_alternates():
    for name in ("hold-at:7", "random", "end-race-or-keep-pace"):
        found = evaluate(Pig(target=11), name, name, exact=True)
        assert found.overall == Fraction(1, 2)


def test_changing_seats_changes_names_and_nothing_else():
    table = compile(Pig(target=25))
    one = evaluate(table, "hold-at:9", "random")
    two = evaluate(table, "random", "hold-at:9")
    assert (one.first, one.second) == pytest.approx((two.second, two.first), abs=1e-13)
    assert one.overall + two.overall == pytest.approx(1, abs=1e-12)


def test_floats_agree_with_exact_chances_within_their_error():
    table = compile(Pig(target=14, die=Die({1: "1/10", 2: "3/10", 5: "6/10"})))
    for a, b in (("hold-at:9", "random"), ("optimal", "turtle"), ("random", "random")):
        exact, rough = (evaluate(table, a, b, exact=way) for way in (True, False))
        assert abs(Fraction(rough.first) - exact.first) <= rough.error < 1e-11
        assert abs(Fraction(rough.second) - exact.second) <= rough.error
        assert exact.error == 0


def test_optimal_play_against_itself_is_worth_the_value_of_the_game():
    table = compile(Pig(target=30))
    found = evaluate(table, "optimal", "optimal")
    assert found.first == pytest.approx(solve(Pig(target=30)).value, abs=1e-13)


def test_many_games_in_play_agree_with_the_chances():
    games = 20_000
    found = evaluate(Pig(), "hold-at:20", "turtle")
    won, lost, unfinished = play(Pig(), [("hold-at", 20), ("turtle",)], games, seed=25)
    assert unfinished == 0
    assert abs(found.first - won) < 4 * np.sqrt(found.first * (1 - found.first) / games)
    assert won + lost == 1


# Alone


def test_holding_at_one_number_alone_takes_a_known_number_of_turns():
    # A fair coin, target 2, hold at 1: two points at 2 turns each. Rolling through: 1/(1/4) = 4.
    game = SoloPig(target=2, die=Die({0: "1/2", 1: "1/2"}), bust=0)
    assert evaluate(game, "hold-at:1", exact=True).value == 4
    assert evaluate(game, "roll-to-win", exact=True).value == 4
    assert evaluate(game, "random", exact=True).value == 4
    assert evaluate(game, "hold-at:1").value == pytest.approx(4, abs=1e-13)


def test_one_who_never_plays_needs_for_ever():
    game = SoloPig(target=5, passing=True)
    found = evaluate(game, lambda at: "hold")
    assert found.value == float("inf")


def test_the_optimum_alone_is_never_beaten_by_a_holding_point():
    for turns in (0, 4):
        game = SoloPig(target=25, turns=turns)
        table = compile(game)
        best = evaluate(table, plan(table, "optimal")).value
        others = [evaluate(table, f"hold-at:{points}").value for points in range(1, 26)]
        assert best == pytest.approx(solve(game).value, abs=1e-12)
        assert (best <= min(others) + 1e-12) if game.fewest else (best >= max(others) - 1e-12)


def test_a_game_that_is_one_large_ring_is_evaluated_with_a_proved_error():
    # Two-dice Pig to 45 has more cuts than elimination takes. Who goes second against whom is the
    # same question from the other side, so the two answers must agree within their errors.
    table = compile(game("two-dice-pig", target=45))
    plans = plan(table, "random"), plan(table, "hold-at:20")
    for follow in (turn_by_turn, lambda table, plans: move_by_move(Pairing(table, plans))):
        a_first, b_first, error = follow(table, plans)
        other_first, other_second, other_error = follow(table, plans[::-1])
        assert max(error, other_error) < 1e-11
        assert abs(a_first.a_wins - other_second.b_wins) <= error + other_error
        assert abs(b_first.b_wins - other_first.a_wins) <= error + other_error


def test_a_game_that_is_left_once_in_very_many_steps_is_refused_in_floats():
    # A random game of seed 22: floats put the expected number of turns below 0.
    rare = Fraction(1, 10**12)
    graph = {
        0: {"a": [(rare, 3, OTHER), (HALF - rare, 4, OTHER), (HALF, 4, SAME)]},
        1: {"a": [(rare, 1, OTHER), (1 - rare, 3, OTHER)]},
        2: {"a": [(1, 1, OTHER)], "b": [(rare, 0, OTHER), (1 - rare, 1, SAME)]},
        3: {"a": [(rare, 2, OTHER), (1 - rare, 2, SAME)]},
        4: WIN,
    }
    strategies = [lambda at: "a", lambda at: "b" if at == 2 else "a"]
    with pytest.raises(NotSolved) as refused:
        evaluate(Sketch(graph), *strategies)
    assert str(refused.value) == (
        "sketch goes round too often between these two for floats to say how it ends: ask for "
        "exact chances (exact=True)"
    )
    known = chances(Sketch(graph), *({at: choose(at) for at in range(4)} for choose in strategies))
    assert evaluate(Sketch(graph), *strategies, exact=True).first == known[0, 0][0]


def test_ends_that_are_all_worth_the_same_are_worth_that_whatever_floats_make_of_chances():
    stakes = Stakes(({WIN: Fraction(7), LOSS: Fraction(7), DRAW: Fraction(7)},) * 2, (7, 7))
    assert stakes.worth(0, Chances(0.6, 0.4000003, 0.0, 0.0)) == 7
