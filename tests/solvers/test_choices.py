"""Games with choices after throws, folded and unfolded; `choices` makes them at random."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import choices
import random_games as make
from agreement import Disagreement
from brute import CostSketch, Sketch, SoloSketch
from dicelab import OTHER, SAME, WIN, best_response, compile, solve
from dicelab.errors import NotSolved, TooLarge
from dicelab.rules import DRAW, LOSS
from dicelab.solvers.certificate import certify
from dicelab.solvers.problem import MOST, Problem
from dicelab.solvers.settle import settle
from dicelab.solvers.unfold import unfolded
from dicelab.table.worths import counted

HALF = Fraction(1, 2)


def some(examples):
    return settings(max_examples=examples, derandomize=True, deadline=None, database=None)


def disagreement(check, *given):
    try:
        check(*given)
    except Disagreement as told:
        return str(told)
    except NotSolved:  # floats may be refused, never wrong
        return ""
    return ""


@st.composite
def both_forms(draw, kind=Sketch, **options):
    pick = make.picking(draw)
    whole, moments = choices.with_moments(pick, make.random_sketch(pick, kind, **options))
    return whole, choices.folded(whole, moments)


ALONE = {"most": 5, "movers": (SAME,)}


@some(120)
@given(both_forms(most=6))
def test_two_players_choose_after_a_throw_as_well_as_at_a_position(forms):
    assert disagreement(choices.best_play, *forms) == ""


@some(60)
@given(both_forms(SoloSketch, worths=make.any_worths, **ALONE))
def test_one_player_does_too_whatever_ends_are_worth(forms):
    assert disagreement(choices.best_play, *forms) == ""


@some(60)
@given(st.data())
def test_points_come_by_the_way_that_is_taken(data):
    kind, gains = data.draw(st.sampled_from([SoloSketch, CostSketch])), st.sampled_from(make.GAINS)
    forms = data.draw(both_forms(kind, gains=data.draw(gains), **ALONE))
    assert disagreement(choices.best_play, *forms) == ""
    strategy = data.draw(make.strategies_for(forms[0]))
    assert disagreement(choices.alone, *forms, strategy) == ""


@some(60)
@given(st.data())
def test_strategies_that_mix_ways_fare_as_they_do_unfolded(data):
    forms = data.draw(both_forms(most=7))
    both = [data.draw(make.strategies_for(forms[0])) for _ in "ab"]
    assert disagreement(choices.strategies, *forms, *both) == ""
    assert disagreement(choices.reply, *forms, both[0]) == ""


# A coin, then a choice: heads, take the win or throw again; tails, lose or pass.
COIN = Sketch(
    {
        0: {"throw": [(HALF, 1, SAME), (HALF, 2, SAME)]},
        1: {"win": [(1, 3, SAME)], "again": [(1, 0, SAME)]},
        2: {"lose": [(1, 4, SAME)], "pass": [(1, 0, OTHER)]},
        3: WIN,
        4: LOSS,
    }
)


def test_a_coin_and_a_choice_have_a_closed_form():
    game = choices.folded(COIN, frozenset({1, 2}))
    # v = 1/2 + 1/2 (1 - v), so v = 2/3: win on heads, pass on tails.
    solution = solve(game, exact=True)
    assert solution.value == Fraction(2, 3)
    assert [one.move for one in solution.moves_at("0 threw 2")] == ["pass", "lose"]
    assert solution.value_at("0 threw 2") == Fraction(1, 3)
    assert solution.value_at("0 threw 1") == 1


def test_what_lies_between_throw_and_choice_has_no_number():
    table = compile(choices.folded(COIN, frozenset({1, 2})))
    assert len(table) == 3
    assert table.target.size == 4  # a way each
    assert len(unfolded(table).arrays) == 5


def folded_problem(game):
    table = compile(game)
    problem = Problem(
        table,
        seats=1,
        sign=-1,
        role=(MOST,),
        ends=counted(table).ends,
        taken=~table.another[table.kind].reshape(1, -1),
    )
    settle(problem)
    return table, problem


def test_the_certificate_refuses_wrong_values_and_wrong_ways():
    game = choices.folded(COIN, frozenset({1, 2}))
    table, problem = folded_problem(game)
    start = table.start
    assert certify(problem)[0, start] < 1e-12
    problem.value[0, start] += 1e-3
    refused_or_wide(problem, start, Fraction(1, 6))
    table, problem = folded_problem(game)
    problem.taken[:] = ~problem.taken  # lose and throw again: not what the value is made of
    refused_or_wide(problem, start, Fraction(1, 6))


def refused_or_wide(problem, start, truth):
    """Raise unless no bounds come back, or bounds that hold the centred truth, 2/3 - 1/2."""
    try:
        error = certify(problem)[0]
    except NotSolved:
        return
    value = problem.value[0, start]
    assert value - error[start] <= truth <= value + error[start]
    assert error[start] > 1e-4


def test_a_best_reply_takes_ways_too():
    game = choices.folded(COIN, frozenset({1, 2}))

    def timid(at, threw=None):
        return {None: "throw", 1: "again", 2: "lose"}[threw]

    # Against one who loses on tails and never wins: v = 1/2 + 1/2 w, w = 1/2 w + 1/2, so v = 1.
    reply = best_response(game, timid, exact=True)
    assert (reply.first, reply.second) == (1, 0)


def test_a_draw_in_a_choice_is_worth_half():
    graph = COIN.graph | {4: DRAW}
    game = choices.folded(replace(COIN, graph=graph), frozenset({1, 2}))
    # tails: a draw, 1/2, or pass, 1 - v; v = 1/2 + 1/2 max(1/2, 1 - v) = 3/4.
    assert solve(game, exact=True).value == Fraction(3, 4)
    assert solve(game).value == pytest.approx(0.75, abs=1e-12)
    assert not np.isnan(solve(game).lowers).any()


def test_unfolding_is_refused_before_it_takes_more_than_the_limit():
    table = compile(choices.folded(COIN, frozenset({1, 2})))

    def sure(at, threw=None):
        return {None: "throw", 1: "win", 2: "pass"}[threw]

    # What is there already fits, and four ways of 40 bytes more do not.
    told = (
        r"sketch has 3 positions, which needs about 2\.\d+ kB; the limit is 2\.\d+ kB \(--memory\)"
    )
    with pytest.raises(TooLarge, match=told):
        solve(replace(table, memory=2_400), exact=True)
    with pytest.raises(TooLarge, match=told):
        best_response(replace(table, memory=2_550), sure)
    assert best_response(replace(table, memory=2_800), sure).first == pytest.approx(2 / 3)
