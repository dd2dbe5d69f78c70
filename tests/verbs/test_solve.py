"""Solving: closed forms, exact values inside the certified bounds, ties, and the certificate."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from brute import Sketch
from dicelab import Die, coin, compile, explain, solve
from dicelab.errors import NotSolved, TooLarge, UnknownPosition
from dicelab.games.pig import BigPig, Pig, Piglet, TwoDicePig
from dicelab.games.pig.solo import SoloPig
from dicelab.rules import DRAW, LOSS, OTHER, SAME, WIN, registry
from dicelab.solvers.certificate import certify, shortfalls
from dicelab.solvers.problem import MOST, Problem
from dicelab.solvers.settle import settle
from dicelab.table.worths import counted
from dicelab.verbs.best_response import best_response
from dicelab.verbs.evaluate import evaluate
from dicelab.verbs.solution import BEST, TIED, WORSE

LOADED = Die({1: "1/10", 2: "3/10", 5: "6/10"})

SMALL = [
    Pig(target=12),
    Pig(target=10, die=LOADED),
    Pig(target=11, die=Die({1: Fraction(1, 10**6), 3: 1 - Fraction(1, 10**6)})),
    Pig(target=14, dice=2),
    Pig(target=9, passing=True),
    Piglet(target=6),
    Piglet(target=5, passing=True),
    TwoDicePig(target=10),
    TwoDicePig(target=8, die=Die(3), passing=True),
    BigPig(target=12),
    SoloPig(target=20),
    SoloPig(target=15, die=LOADED),
    SoloPig(target=12, turns=3),
    SoloPig(target=11, passing=True),
]


# Closed forms


@pytest.mark.parametrize("sides", [2, 4, 6, 20, 100])
def test_a_race_to_two_has_a_closed_form(sides):
    # v = (s - 1)/s + (1 - v)/s, hence v = s/(s + 1).
    game = Pig(target=2, die=Die(sides))
    assert solve(game, exact=True).value == Fraction(sides, sides + 1)
    assert solve(game).value == pytest.approx(sides / (sides + 1), abs=1e-14)


@pytest.mark.parametrize("chance", ["1/2", "1/3", "9/10", "1/1000"])
def test_a_race_to_one_with_a_loaded_coin_has_a_closed_form(chance):
    # v = p + (1 - p)(1 - v), hence v = 1/(2 - p).
    p = Fraction(chance)
    game = Piglet(target=1, die=Die({0: 1 - p, 1: p}))
    assert solve(game, exact=True).value == 1 / (2 - p)


@pytest.mark.parametrize("heads", ["1/2", "9/10", "1/3"])
def test_alone_with_a_coin_the_turns_have_a_closed_form(heads):
    # Who plays for k points succeeds with p**k: v(n) = 1 + p**k v(n - k) + (1 - p**k) v(n),
    # hence v(n) = min over k of 1/p**k + v(n - k).
    p = Fraction(heads)
    turns = [Fraction(0)]
    for left in range(1, 9):
        turns.append(min(1 / p**k + turns[left - k] for k in range(1, left + 1)))
        game = SoloPig(target=left, die=Die({0: 1 - p, 1: p}), bust=0)
        assert solve(game, exact=True).value == turns[left]
        assert solve(game).value == pytest.approx(float(turns[left]), rel=1e-13)


def test_a_die_without_a_losing_face_wins_at_once():
    assert solve(Pig(target=30, die=Die({2: "1/2", 3: "1/2"})), exact=True).value == 1


# Brute force of our own


def value_iteration(target, tail, sweeps):
    """Return Piglet's values by plain value iteration, from below and from above."""
    places = [
        (mine, yours, risk)
        for mine, yours in product(range(target), repeat=2)
        for risk in range(target - mine)
    ]
    answer = []
    for guess in (Fraction(0), Fraction(1)):
        value = dict.fromkeys(places, guess)

        def at(mine, yours, risk, value=value):
            return Fraction(1) if mine + risk >= target else value[mine, yours, risk]

        for _ in range(sweeps):
            for mine, yours, risk in reversed(places):
                roll = tail * (1 - at(yours, mine, 0)) + (1 - tail) * at(mine, yours, risk + 1)
                hold = 1 - at(yours, mine + risk, 0) if risk else Fraction(-1)
                value[mine, yours, risk] = Fraction(max(roll, hold)).limit_denominator(10**30)
        answer.append(value)
    return answer


@pytest.mark.parametrize("tail", [Fraction(1, 2), Fraction(1, 3), Fraction(4, 5)])
def test_value_iteration_from_both_sides_closes_in_on_the_exact_values(tail):
    game = Piglet(target=4, die=Die({0: tail, 1: 1 - tail}))
    solution = solve(game, exact=True)
    below, above = value_iteration(4, tail, 160)
    for mine, yours, risk in below:
        at = f"{mine}-{yours} +{risk}"
        low, high = sorted((below[mine, yours, risk], above[mine, yours, risk]))
        assert high - low < Fraction(1, 10**9)
        assert low - Fraction(1, 10**9) <= solution.value_at(at) <= high + Fraction(1, 10**9)


# Exact and float


@pytest.mark.parametrize("game", SMALL, ids=str)
def test_the_exact_value_lies_within_the_bounds_at_every_position(game):
    table = compile(game)
    exact, rough = solve(table, exact=True), solve(table)
    for number in range(len(table)):
        value = exact.values[number]
        assert isinstance(value, Fraction | int)
        assert Fraction(rough.lowers[number]) <= value <= Fraction(rough.uppers[number])
    assert (rough.uppers - rough.lowers).max() < 1e-8
    assert exact.lower == exact.value == exact.upper


@pytest.mark.parametrize("game", SMALL, ids=str)
def test_no_move_is_better_than_the_value_and_the_best_one_reaches_it(game):
    table = compile(game)
    solution = solve(table, exact=True)
    for number in np.flatnonzero(table.is_ongoing)[::7].tolist():
        moves = solution.moves_at(table.position(number))
        best = (min if game.fewest else max)(move.value for move in moves)
        assert moves[0].value == best == solution.values[number]
        assert [move.cost for move in moves] == [abs(move.value - best) for move in moves]


@pytest.mark.parametrize("game", [game for game in SMALL if game.players == 2], ids=str)
def test_optimal_play_is_worth_as_much_against_itself_as_its_best_response(game):
    table = compile(game)
    best = solve(table, exact=True)
    reply = best_response(table, best.plan, exact=True)
    assert reply.solution.value == best.value
    if not game.passing:
        assert (reply.solution.values == best.values).all()


def test_passing_changes_nothing_for_players_who_would_not_pass():
    # Rolling with nothing at risk costs nothing, so nobody gains by passing.
    for target in (2, 10, 20):
        assert solve(Pig(target=target, passing=True), exact=True).value == (
            solve(Pig(target=target), exact=True).value
        )


# Ties


def test_a_tie_is_listed_and_marked():
    # Alone with a fair coin, 1/p = 2 turns for one point and 1/p**2 = 4 for two: all the same.
    for exact in (True, False):
        solution = solve(SoloPig(target=2, die=coin, bust=0), exact=exact)
        hold, roll = sorted(solution.moves_at("0 +1"), key=lambda move: move.move)
        assert (hold.status, roll.status) == (TIED, TIED)
        assert [hold.value, roll.value] == pytest.approx([3, 3])
        assert [solution.notation(at) for at in solution.ties] == ["0 +1"]


def test_exact_ties_are_all_the_equal_moves_and_no_others():
    solution = solve(SoloPig(target=6, die=coin, bust=0), exact=True)
    listed = {solution.table.number(at) for at in solution.ties}
    for number in np.flatnonzero(solution.table.is_ongoing).tolist():
        moves = solution.moves_at(solution.table.position(number))
        assert (len(moves) > 1 and moves[0].value == moves[1].value) == (number in listed)


def test_two_moves_that_do_the_same_are_tied_and_a_third_is_worse():
    win, lose = [(1, 1, SAME)], [(1, 2, SAME)]
    game = Sketch({0: {"left": win, "right": win, "down": lose}, 1: WIN, 2: LOSS})
    for exact in (True, False):
        solution = solve(game, exact=exact)
        assert list(solution.ties) == [0]
        assert sorted(solution.best_moves(0)) == ["left", "right"]
        told = {move.move: (move.status, move.cost) for move in solution.moves_at(0)}
        assert told == {"left": (TIED, 0), "right": (TIED, 0), "down": (WORSE, 1)}
        assert explain(solution, 0).sentence == (
            "Left and right are equally good. Downing would cost you 100.0% of the game."
        )


def test_the_only_best_move_is_marked_so():
    solution = solve(Pig(target=100))
    roll, hold = solution.moves_at("0-0 +2")
    assert (roll.move, roll.status, hold.move, hold.status) == ("roll", BEST, "hold", WORSE)
    assert hold.cost == pytest.approx(roll.value - hold.value)
    assert explain(solution, "0-0 +0").sentence == "You can only roll here."
    with pytest.raises(UnknownPosition) as refused:
        solution.moves_at("90-0 +10")
    assert str(refused.value) == "the game is over at 90-0 +10: there is no move to make"
    with pytest.raises(UnknownPosition) as refused:
        solution.value_at("0-0 +1")
    assert str(refused.value) == ("no play of pig leads to 0-0 +1: try the start, '0-0 +0'")


# The certificate


def settled(game):
    table = compile(game)
    problem = Problem(table, seats=1, sign=-1, role=(MOST,), ends=counted(table).ends)
    settle(problem)
    return problem


def test_the_certificate_proves_bounds_that_its_own_check_accepts():
    problem = settled(Pig(target=15))
    error = certify(problem)
    short = np.zeros_like(problem.value)
    assert shortfalls(problem.graph, problem.play, error, short) == 0
    assert shortfalls(problem.graph, problem.play, np.zeros_like(error), short) > 0


@pytest.mark.parametrize("amount", [1e-12, -1e-12, 1e-6, -1e-3])
def test_a_perturbed_value_fails_its_check(amount):
    problem = settled(Pig(target=15))
    error = certify(problem)
    problem.value[0, problem.arrays.number("3-4 +5")] += amount
    assert shortfalls(problem.graph, problem.play, error, np.zeros_like(error)) > 0


def test_the_bounds_of_a_perturbed_value_still_hold_the_truth():
    problem = settled(Pig(target=12))
    truth = problem.value.copy()
    problem.value[0, problem.arrays.number("3-4 +5")] += 1e-6
    error = certify(problem)
    assert (np.abs(problem.value - truth) <= error).all()
    assert error.max() >= 1e-7


def test_a_wrong_move_shows_in_the_bounds():
    problem = settled(Pig(target=12))
    number = problem.arrays.number("0-0 +2")
    first = problem.arrays.move_first[number]
    other = {first: first + 1, first + 1: first}[int(problem.choice[0, number])]
    problem.choice[0, number] = other
    assert certify(problem)[0, number] > 0.01  # holding there costs so much


def test_exact_mode_is_refused_for_games_whose_rationals_would_not_end():
    with pytest.raises(TooLarge) as refused:
        solve(Pig(target=60), exact=True)
    assert str(refused.value) == (
        "pig target=60 has more than 60,000 positions: exact mode goes up to 60,000; "
        "without it the bounds are certified all the same"
    )
    # it is refused before all are found, and more it has
    assert len(compile(Pig(target=60))) == 121_835


def test_a_game_too_large_for_memory_is_refused_before_it_is_expanded():
    with pytest.raises(TooLarge) as refused:
        solve(Pig(target=10**9), memory=24 * 10**9)
    assert str(refused.value) == (
        "pig target=1000000000 has about 5e+26 positions, which needs about 6.3e+10 EB; "
        "the limit is 24 GB (--memory)"
    )


def test_progress_is_told_in_rising_shares_and_ends_at_one():
    told = []
    solve(Pig(target=30), progress=told.append)
    assert told == sorted(told)
    assert told[-1] == 1.0


def test_a_draw_is_worth_half():
    game = Sketch(
        {0: {"a": [(Fraction(1, 2), 1, OTHER), (Fraction(1, 2), 2, OTHER)]}, 1: DRAW, 2: LOSS}
    )
    assert solve(game, exact=True).value == Fraction(3, 4)


@pytest.mark.parametrize("target", [50, 60, 80])
def test_near_ties_everywhere_do_not_keep_piglet_from_being_certified(target):
    # Far behind, most moves of Piglet are equally good to the last digit, but their errors differ.
    found = solve(Piglet(target=target))
    assert found.upper - found.lower < 1e-12
    played = evaluate(found.table, found.plan, found.plan)
    assert found.lower - played.error <= played.first <= found.upper + played.error


def test_a_game_that_floats_cannot_certify_is_refused():
    with pytest.raises(
        NotSolved, match=r"^piglet target=150 could not be certified: the bounds at"
    ):
        solve(Piglet(target=150))


def test_moves_that_cannot_be_told_apart_stand_in_the_order_of_the_rules():
    # At 99-99 any throw wins Dice Battle to 100.
    moves = solve(registry.game("dice-battle")).moves_at("99-99")
    assert [move.move for move in moves] == [f"throw {dice}" for dice in range(1, 11)]
    assert {move.status for move in moves} == {TIED}
