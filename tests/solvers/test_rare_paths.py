"""Paths through the engine that small games seldom take: large components, units, tight errors.

Each test here holds something that the engine promises and that a planted fault once broke without
any other test noticing it (`tools/mutate.py` plants them; docs/proof.md tells how many are found).
"""

from dataclasses import dataclass
from fractions import Fraction
from importlib import import_module
from typing import Any, ClassVar

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import agreement
import certificates
from agreement import disagreement
from brute import HALF, CostSketch, Sketch, can_go_round
from dicelab import DRAW, LOSS, OTHER, SAME, WIN, compile, evaluate, exploitability, plan, solve
from dicelab.errors import NotSolved, TooLarge
from dicelab.games.dice_battle import DiceBattle
from dicelab.games.pig import Pig, PigPosition, TwoDicePig
from dicelab.rules import Chance, where
from dicelab.solvers.certificate import shortfalls
from dicelab.solvers.ends import can_stay
from dicelab.solvers.problem import MOST, Problem
from dicelab.strategies.plan import Plan, on_arrays
from dicelab.table.expand import refuse_beyond
from dicelab.table.numbering import Box
from dicelab.verbs.best_response import best_response, iterate
from random_games import TINY, Race, Scores, races, sketches, strategies_for

THIRD = Fraction(1, 3)


def some(examples):
    return settings(max_examples=examples, derandomize=True, deadline=None, database=None)


def set_in(monkeypatch, module, **values):
    for name, value in values.items():
        monkeypatch.setattr(import_module(f"dicelab.{module}"), name, value)


# Units


@dataclass(frozen=True, eq=False, repr=False)
class Staked(Sketch):
    """The same game for a stake: the loser pays the winner."""

    worth: ClassVar[Any] = {WIN: Fraction(3), LOSS: Fraction(-1), DRAW: Fraction(1)}


@some(40)
@given(st.data())
def test_counting_in_another_unit_changes_nothing_else(data):
    # Three for a win and one less than nothing for a loss is four times the chance, less one.
    game = data.draw(sketches(most=3, moves=2))
    opponent, other = (data.draw(strategies_for(game)) for _ in "ab")
    one, two = compile(game), compile(Staked(game.graph))
    for exact in (True, False):
        near = {"abs": 0 if exact else 1e-9, "rel": 0}
        wins, gains = (solve(table, exact) for table in (one, two))
        assert gains.values.tolist() == pytest.approx((4 * wins.values - 1).tolist(), **near)
        wins, gains = (
            best_response(table, agreement.asked(opponent), exact=exact).solution
            for table in (one, two)
        )
        assert gains.values.tolist() == pytest.approx((4 * wins.values - 1).tolist(), **near)
        firsts = (4 * wins.replies[0] - 1).tolist()
        assert gains.replies[0].tolist() == pytest.approx(firsts, **near)
    wins, gains = (
        evaluate(table, agreement.asked(other), agreement.asked(opponent), exact=True)
        for table in (one, two)
    )
    assert gains.values == tuple(4 * value - 1 for value in wins.values)


@dataclass(frozen=True)
class StakedRace(Race):
    """The same race for a stake."""

    worth: ClassVar[Any] = {WIN: Fraction(3), LOSS: Fraction(-1), DRAW: Fraction(1)}


@some(15)
@given(races(nothing=False))
def test_counting_in_another_unit_changes_nothing_else_at_once(race):
    # One for a win and one less than nothing for a loss, doubled, and one more.
    staked = StakedRace(race.laws, race.target, race.larger)
    one, two = solve(race, exact=True), solve(staked, exact=True)
    assert (two.values == 2 * one.values + 1).all()
    inexact = solve(staked)
    assert inexact.lower <= two.value <= inexact.upper
    assert inexact.upper - inexact.lower < 1e-12
    assert all(type(chance) is Fraction for chance in inexact.plan.chances)
    assert sum(inexact.plan.chances) == len(inexact.table.ongoing[0])


def test_exploitability_is_a_fraction_in_exact_mode_and_a_float_else():
    found = exploitability(Pig(target=2), "random", exact=True)
    assert type(found.value) is Fraction
    assert type(exploitability(Pig(target=2), "random").value) is float


# Paths of large components


@some(40)
@given(st.data())
def test_an_evaluation_without_elimination_is_within_its_error(data):
    game = data.draw(sketches(most=5, moves=2))
    a, b = (data.draw(strategies_for(game)) for _ in "ab")
    with pytest.MonkeyPatch.context() as patch:
        set_in(patch, "strategies.matchup", MOST_UNKNOWNS=0)
        assert disagreement(agreement.evaluation, game, a, b) == ""


@pytest.mark.parametrize("rules", [Pig(target=12), TwoDicePig(target=12)], ids=str)
def test_an_evaluation_without_elimination_is_not_refused(rules, monkeypatch):
    table = compile(rules)
    known = evaluate(table, "hold-at:5", "hold-at:4").first
    moves = [plan(table, f"hold-at:{points}").choice for points in (5, 4)]
    set_in(monkeypatch, "strategies.matchup", MOST_UNKNOWNS=0)
    again = evaluate(table, *(Plan(str(n), table, each) for n, each in enumerate(moves)))
    assert again.first == pytest.approx(known, abs=1e-13)
    assert again.error < 1e-12


@some(40)
@given(sketches(most=5, moves=3))
def test_bounds_without_elimination_hold_the_truth(game):
    assume(not can_go_round(game))
    with pytest.MonkeyPatch.context() as patch:
        set_in(patch, "solvers.settle", MOST_UNKNOWNS=0)
        set_in(patch, "verbs.solve", MOST_RESCUED=0)
        assert disagreement(agreement.two_players, game) == ""


@some(25)
@given(races())
def test_mixtures_that_highs_finds_are_proved_too(game):
    with pytest.MonkeyPatch.context() as patch:
        set_in(patch, "verbs.races", TIGHT=-1.0)
        assert "by HiGHS" in solve(game).method
        assert disagreement(agreement.at_once, game) == ""


# Errors that are no larger than they must be


@pytest.mark.parametrize("players", [("optimal", "random"), ("random", "random")])
def test_the_error_of_an_evaluation_is_a_few_roundings(players):
    # Pig to 6: some hundred positions, each with a rounding of 2**-52 or so.
    assert 0 < evaluate(Pig(target=6), *players).error < 1e-13


def test_the_bounds_of_a_reply_and_of_best_play_are_a_few_roundings():
    table = compile(Pig(target=6))
    best, reply = solve(table), best_response(table, "random").solution
    for found in (best, reply):
        assert 0 < (found.uppers - found.lowers).max() < 1e-13
    assert 0 < (reply.replies[2] - reply.replies[1]).max() < 1e-13


def test_a_race_that_hardly_moves_is_not_known_to_many_digits():
    # Both score once in 10**12 throws, so a rounding of 10**-16 is made 10**12 times over.
    race = Race({"a": {0: 1 - TINY, 1: TINY}}, 1)
    reply = best_response(compile(race), lambda at: "a").solution
    assert 1e-6 < reply.upper - reply.lower < 1e-2
    assert reply.lower < 0 < reply.upper  # neither is ahead


def test_what_may_be_off_later_in_a_race_may_be_off_before():
    # Each throw of the race adds its own: further from the end, bounds are wider.
    race = Race({"a": {0: 1 - TINY, 1: TINY}}, 3)
    table = compile(race)
    reply = best_response(table, lambda at: "a").solution
    wide = [
        reply.uppers[n] - reply.lowers[n]
        for n in map(table.number, (Scores(2, 2), Scores(1, 1), Scores(0, 0)))
    ]
    assert 2 * wide[0] < wide[1] < wide[2]


def test_chances_that_floats_make_sum_to_exactly_one():
    # 0.1 + 0.2 + 0.7 is 1.0000000000000002 or so in floats.
    game = Sketch({0: {move: [(1, 1, SAME)] for move in "abc"}, 1: WIN})
    found = plan(compile(game), lambda at: {"a": 0.1 + 0.2, "b": 0.7, "c": 2.0**-53})
    assert sum(found.chances) == 1
    assert found.chances[0] == pytest.approx(0.3)


def test_chances_that_floats_make_leave_the_others_alone():
    moves = {move: [(1, 1, SAME)] for move in "abc"}
    table = compile(Sketch({0: moves, 1: {move: [(1, 2, SAME)] for move in "abc"}, 2: WIN}))
    even, odd = {"a": 0.25, "b": 0.75}, {"a": 0.3, "b": 0.7, "c": 2.0**-53}
    found = plan(table, lambda at: odd if at else even)
    assert found.move_at(0) == {"a": Fraction(1, 4), "b": Fraction(3, 4)}
    assert sum(found.move_at(1).values()) == 1
    assert found.move_at(1)["c"] == pytest.approx(2.0**-53)


# The certificate counts every rounding


def test_a_move_that_is_only_tied_must_be_checked_with_its_rounding():
    # At 0, a copies the value of 1 without rounding, and b, as good, has a rounding of its own.
    law = [(THIRD, 2, SAME), (1 - THIRD, 3, SAME)]
    game = Sketch({0: {"a": [(1, 1, SAME)], "b": law}, 1: {"c": law}, 2: WIN, 3: LOSS})
    problem, error = certificates.settled(lambda: solve(compile(game)))
    assert shortfalls(problem.graph, problem.play, 0 * error, error.copy()) == 2


def test_a_mixture_must_be_checked_with_its_rounding():
    game = Sketch({0: {"a": [(1, 1, SAME)], "b": [(1, 2, SAME)]}, 1: WIN, 2: LOSS})
    mixture = {0: {"a": THIRD, "b": 1 - THIRD}}
    _, problem, error, _ = certificates.of_reply(game, mixture)
    assert problem.value[1, problem.arrays.number(0)] == float(1 - THIRD - HALF)
    assert shortfalls(problem.graph, problem.play, 0 * error, error.copy()) == 1


@pytest.mark.parametrize(("above", "fails"), [(1e-3, 1), (-1e-3, 1), (0.0, 0)])
def test_what_is_uncertain_later_is_uncertain_before(above, fails):
    # 0 leads to 1, which is known to 1e-3; with 0 off by as much, 1.5e-3 cannot be enough there.
    law = [(THIRD, 2, SAME), (1 - THIRD, 3, SAME)]
    game = Sketch({0: {"a": [(1, 1, SAME)]}, 1: {"b": law}, 2: WIN, 3: LOSS})
    table = compile(game)
    problem, error = certificates.settled(lambda: solve(table))
    error[0, table.number(1)], error[0, table.number(0)] = 1e-3, 1.5e-3
    problem.value[0, table.number(0)] += above
    assert shortfalls(problem.graph, problem.play, error, error.copy()) == fails


# Limits


def test_positions_without_an_end_are_counted():
    # From 1 and 2 there is no way out, so that waiting there costs without end.
    ring = {1: {"a": [(1, 2, SAME, 1)]}, 2: {"a": [(1, 1, SAME, 1)]}}
    game = CostSketch({0: {"a": [(HALF, 1, SAME, 1), (HALF, 3, SAME, 1)]}, **ring, 3: WIN})
    with pytest.raises(NotSolved) as refused:
        solve(game)
    assert str(refused.value) == (
        "sketch cannot end from 2 of its positions: from there it takes for ever"
    )


def test_exact_mode_is_refused_beyond_its_size_by_every_verb(monkeypatch):
    set_in(monkeypatch, "table.compiler", MOST_EXACT=20)
    table = compile(Pig(target=4))
    for work in (
        lambda: solve(table, exact=True),
        lambda: best_response(table, "random", exact=True),
        lambda: evaluate(table, "random", "random", exact=True),
    ):
        with pytest.raises(TooLarge) as refused:
            work()
        assert str(refused.value) == (
            f"pig target=4 has {len(table)} positions: exact mode goes up to 20; without it the "
            f"bounds are certified all the same"
        )


def test_what_floats_cannot_do_is_refused_where_fractions_would_take_too_long(monkeypatch):
    set_in(monkeypatch, "verbs.solve", MOST_RESCUED=1)
    set_in(monkeypatch, "verbs.best_response", MOST_RESCUED=1)
    back = [(TINY, 1, SAME), (1 - TINY, 0, SAME)]
    game = Sketch({0: {"a": back}, 1: {"a": [(TINY, 2, SAME), (1 - TINY, 0, SAME)]}, 2: WIN})
    with pytest.raises(NotSolved):
        solve(game)
    with pytest.raises(NotSolved):
        best_response(compile(game), "random")


@dataclass(frozen=True)
class Unmeasured(Pig):
    """Pig that does not say how large it is."""

    def size(self):
        return None


def test_a_game_that_does_not_say_its_size_is_refused_on_the_way():
    with pytest.raises(TooLarge) as refused:
        compile(Unmeasured(target=60), memory=100_000)
    assert str(refused.value).startswith("pig target=60 has more than ")
    assert str(refused.value).endswith("; the limit is 100 kB (--memory)")


# Answers that were worked out in fractions instead


def test_a_rescued_reply_has_its_own_bounds_in_both_seats():
    # Out once in 10**24 visits: the reply wins in the end if it goes first, and if it goes second
    # it is the other who does.
    back = [(TINY, 1, SAME), (1 - TINY, 0, SAME)]
    game = Sketch({0: {"a": back}, 1: {"a": [(TINY, 2, SAME), (1 - TINY, 0, SAME)]}, 2: WIN})
    found = best_response(compile(game), "random").solution
    start = found.table.start
    assert found.lowers[start] == 1 == found.uppers[start]  # floats, so no rounding is counted in
    value, lower, upper = (part[start] for part in found.replies)
    assert lower == value == upper == 0


# Rules


def test_two_ones_with_two_dice_cost_the_bank_and_one_costs_the_turn():
    # Two ones come up with 1/36, exactly one with 10/36.
    game = TwoDicePig(target=20)
    table = compile(game)
    at = table.game.parse("8-5 +0")
    law = {}
    for outcome in game.outcomes(at, "roll"):
        after = game.notation(outcome[1])
        law[after] = law.get(after, 0) + outcome[0]
    assert law["5-0 +0"] == Fraction(1, 36)
    assert law["5-8 +0"] == Fraction(10, 36)


def test_play_that_goes_round_in_two_places_is_counted_in_both():
    # One half each: round at 1, round at 2; both are told apart from a third that is won.
    law = [(THIRD, 1, SAME), (THIRD, 2, OTHER), (THIRD, 3, SAME)]
    game = Sketch({0: {"a": law}, 1: {"a": [(1, 1, SAME)]}, 2: {"a": [(1, 2, OTHER)]}, 3: WIN})
    found = evaluate(game, "random", "random")
    assert found.a_first.never_ends == pytest.approx(2 / 3, abs=found.error)
    assert found.a_first.a_wins == pytest.approx(1 / 3, abs=found.error)
    assert found.error < 1e-14
    assert evaluate(game, "random", "random", exact=True).a_first.never_ends == 2 * THIRD


def test_chances_of_moves_may_be_given_for_all_positions_at_once():
    # With something at risk one holds with 1/4 or 2/4, by whether the other's points are odd.
    @on_arrays
    def shy(at):
        holds = where(at.at_risk > 0, 1 + at.yours % 2, 0)
        return {"hold": Chance(holds, 4), "roll": Chance(4 - holds, 4)}

    found = plan(compile(Pig(target=6)), shy)
    assert found.move_at("0-0 +0") == {"roll": 1}
    assert found.move_at("2-0 +2") == {"roll": Fraction(3, 4), "hold": Fraction(1, 4)}
    assert found.move_at("0-3 +2") == {"roll": Fraction(1, 2), "hold": Fraction(1, 2)}


@pytest.mark.parametrize(
    ("mine", "yours", "holds"),
    # 21 and an eighth of the distance, halves up: 20/8 = 2.5 is 3, -20/8 is -2, 3/8 is 0.
    [(0, 0, 21), (30, 50, 24), (50, 30, 19), (40, 43, 21), (70, 70, 21)],
)
def test_keeping_pace_holds_at_21_and_an_eighth_of_the_distance(mine, yours, holds):
    # Neller & Presser, "Practical Play of the Dice Game Pig", 2010.
    choose = Pig.strategies["end-race-or-keep-pace"](Pig())
    risks = np.arange(60)
    moves = np.asarray(choose(PigPosition(np.full(60, mine), np.full(60, yours), risks)))
    assert (moves == np.where(risks >= holds, "hold", "roll")).all()


@pytest.mark.parametrize(("mine", "yours"), [(71, 0), (0, 71), (71, 99)])
def test_a_race_is_ended_once_either_needs_29_or_less(mine, yours):
    choose = Pig.strategies["end-race-or-keep-pace"](Pig())
    assert all(choose(PigPosition(mine, yours, risk)) == "roll" for risk in range(29))


def test_a_box_that_becomes_a_hash_table_keeps_its_numbers():
    game = Pig(target=10)
    at = [PigPosition(mine, 2, risk) for mine in range(5) for risk in range(3)]
    arrays = PigPosition(*(np.array(field) for field in zip(*at, strict=True)))
    box = Box(PigPosition)
    before, _ = box.meet([(arrays, len(at))])
    after, fresh = box.hashed(game).meet([(arrays, len(at))])
    assert np.sort(before).tolist() == list(range(len(at)))
    assert after.tolist() == before.tolist()
    assert len(fresh.mine) == 0


def test_as_many_orders_of_replies_are_made_as_were_asked_for():
    found = [iterate(Pig(target=6), "hold-at:3", most_orders=most) for most in (1, 2, 3)]
    assert [(len(each.orders), each.settled) for each in found] == [
        (1, False),
        (2, True),
        (2, True),
    ]


@pytest.mark.parametrize(
    "rules",
    [Pig(target=12), TwoDicePig(target=8), DiceBattle(dice=2, target=6, variant="simultaneous")],
    ids=str,
)
def test_what_is_told_of_the_work_done_rises_to_the_whole(rules):
    told = []
    solve(rules, progress=told.append)
    assert told == sorted(told)
    assert told[0] >= 0
    assert told[-1] == 1


def test_the_moves_of_a_game_at_once_are_worth_what_they_bring_against_best_play():
    solution = solve(DiceBattle(dice=3, target=6, variant="simultaneous"))
    for at in solution.table.ongoing[0][::5].tolist():
        here = solution.table.position(at)
        mixture, value = solution.mixture_at(here), solution.value_at(here)
        worth = {move.move: move.value for move in solution.moves_at(here)}
        assert max(worth.values()) == pytest.approx(value, abs=1e-12)
        assert set(solution.best_moves(here)) == {m for m in worth if worth[m] > value - 1e-9}
        assert sum(share * worth[move] for move, share in mixture.items()) == pytest.approx(
            value, abs=1e-12
        )


def test_exact_mode_at_once_goes_up_to_its_limit_and_no_further(monkeypatch):
    rules = DiceBattle(dice=2, target=4, variant="simultaneous")
    most = int(compile(rules).is_ongoing.sum())
    set_in(monkeypatch, "verbs.races", MOST_EXACT=most)
    assert solve(rules, exact=True).exact
    set_in(monkeypatch, "verbs.races", MOST_EXACT=most - 1)
    with pytest.raises(TooLarge, match=f"{most} positions in play"):
        solve(rules, exact=True)


@pytest.mark.parametrize("faces", [(4,), (1,)])
def test_dice_that_lie_on_the_table_leave_nothing_to_chance(faces):
    at = PigPosition(3, 5, 7)
    assert Pig().after(at, "roll", faces).chance == 1


@pytest.mark.parametrize(("here", "there", "stay"), [(-0.25, 0.25, True), (-0.25, 0.5, False)])
def test_two_can_stay_where_that_costs_neither_of_them(here, there, stay):
    # Waiting hands the same game to the other player: it costs nothing if both see the same worth.
    waits = {n: {"wait": [(1, 1 - n, OTHER)], "go": [(1, 2, SAME)]} for n in (0, 1)}
    table = compile(Sketch({**waits, 2: DRAW}))
    problem = Problem(table, 1, -1, (MOST,), {})
    for number, worth in ((0, here), (1, there)):
        problem.value[0, table.number(number)] = worth
    low, high = min(table.number(n) for n in (0, 1)), max(table.number(n) for n in (0, 1)) + 1
    room = np.zeros(high - low, np.bool_)
    assert can_stay(problem.graph, problem.play, room, low, high, False)
    assert can_stay(problem.graph, problem.play, room, low, high, True) == stay


def test_outcomes_have_31_bits_for_their_numbers():
    refuse_beyond(Pig(), 10**12, 10**9, "some", outcomes=2**31 - 1)
    with pytest.raises(TooLarge, match="pig has some positions"):
        refuse_beyond(Pig(), 10**12, 10**9, "some", outcomes=2**31)


@pytest.mark.parametrize("gain", [Fraction(1, 3), 10**25, Fraction(10**25, 7)])
def test_what_is_gained_on_the_way_is_exact_however_large(gain):
    moves = {"go": [(THIRD, 1, SAME, gain), (2 * THIRD, 1, SAME, 7)], "stop": [(1, 1, SAME, 2)]}
    table = compile(CostSketch({0: moves, 1: WIN}))
    assert table.rewards(exact=True).tolist() == [gain * THIRD + 14 * THIRD, 2]
    assert table.rewards().tolist() == [float(gain * THIRD + 14 * THIRD), 2.0]
