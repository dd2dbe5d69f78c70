"""Holding points say in one number per turn what a strategy does."""

from __future__ import annotations

import math

import numpy as np
import pytest

from dicelab import compile, plan, solve
from dicelab.games.pig import Pig
from dicelab.games.pig.solo import SoloPig
from dicelab.strategies.holding_points import has_holding_points, holding_points
from dicelab.warm import CoinRace


@pytest.mark.parametrize("points", [2, 5, 9])
def test_hold_at_holds_where_it_says_until_that_would_win(points):
    table = compile(Pig(target=30))
    found = holding_points(plan(table, f"hold-at:{points}"))
    assert found.fields == ("mine", "yours")
    for mine in (0, 2, 20, 29):
        wanted = points if mine + points < 30 else math.inf
        assert found.at(mine, 7) == wanted


def test_no_turn_begins_with_a_bank_that_cannot_be():
    found = holding_points(plan(compile(Pig(target=30)), "hold-at:5"))
    assert math.isnan(found.at(1, 0))  # a 1 is never banked
    assert math.isnan(found.at(30, 0))  # the game is over


def test_rolling_to_win_never_holds():
    found = holding_points(plan(compile(SoloPig(target=20)), "roll-to-win"))
    assert found.fields == ("mine", "left")
    assert np.isinf(found.points[0, 0])


def test_passing_is_holding_at_nothing():
    table = compile(Pig(target=30, passing=True))
    found = holding_points(plan(table, "skip-when-level:5"))
    assert (found.at(0, 0), found.at(7, 7), found.at(7, 8)) == (5, 0, 5)


def test_the_best_first_turn_of_pig_holds_at_21():
    # Two ways: the rule of thumb fitted to optimal play by Neller & Presser, "Practical Play of the
    # Dice Game Pig", 2010, gives 21 for level banks (as in the strategy end-race-or-keep-pace).
    assert holding_points(solve(Pig()).plan).at(0, 0) == 21


def test_a_game_without_points_at_risk_has_none():
    assert not has_holding_points(compile(CoinRace()))
    assert has_holding_points(compile(Pig(target=5)))
