"""Risk preferences: the holding points they imply, in closed form, and what they cost."""

import math

import numpy as np
import pytest

from dicelab import Die, compile, evaluate, game, plan
from dicelab.errors import UnknownStrategy
from dicelab.games.pig import Pig
from dicelab.games.pig.people import level_holds, prospect, threshold, turn_holds
from dicelab.people.price import price
from dicelab.studies.printed import printed

KNOWN = printed("pig")


@pytest.mark.parametrize("sides", [4, 6, 8, 10])
def test_a_neutral_player_holds_where_a_roll_gains_nothing(sides):
    # (2 + ... + s)/s = r/s, so r = s (s + 1)/2 - 1; at exactly that much both are worth the same
    assert threshold(Pig(target=200, die=Die(sides)), "neutral") == sides * (sides + 1) // 2 - 1


@pytest.mark.parametrize("amount", [0.01, 0.03, 0.05, 0.1, 0.3, -0.005, -0.01])
def test_constant_absolute_aversion_has_a_closed_form(amount):
    # hold where 6 (1 - e^-Ar) >= sum over faces of (1 - e^-A(r+f)), that is e^(Ar) >= 6 - S for
    # A > 0, with S the sum of e^-Af; seeking turns both sides around
    S = sum(math.exp(-amount * face) for face in range(2, 7))
    assert threshold(Pig(), "cara", amount) == math.ceil(math.log(6 - S) / amount)


def test_enough_love_of_risk_never_holds():
    # once the faces' e^(A f) average 6/5 or more, rolling is better whatever is at risk: S >= 6
    assert sum(math.exp(0.05 * face) for face in range(2, 7)) > 6
    assert threshold(Pig(), "cara", -0.05) is None
    assert price_of("risk:cara,-0.05") == price_of("roll-to-win")


def price_of(name):
    return evaluate(Pig(target=30), name, "hold-at:10").overall


@pytest.mark.parametrize("amount", [-1.0, -0.5, 0.12, 0.5, 0.9])
def test_constant_relative_aversion_holds_where_one_more_roll_is_not_worth_it(amount):
    # with these utilities a roll that is not worth it stays so with more at risk, so looking one
    # roll ahead is enough
    power = 1 - amount
    wait = next(
        r
        for r in range(1, 200)
        if 6 * r**power >= sum((r + face) ** power for face in range(2, 7)) * (1 - 1e-12)
    )
    assert threshold(Pig(target=200), "crra", amount) == wait


def test_who_finds_nothing_infinitely_bad_holds_at_once():
    assert threshold(Pig(), "crra", 1.0) == 1
    assert plan(compile(Pig(target=20)), "risk:crra,2").plays_like(
        plan(compile(Pig(target=20)), "hold-at:1")
    )


@pytest.mark.parametrize("aversion", [1.0, 1.5, 2.25, 3.0])
def test_what_is_at_risk_feels_owned(aversion):
    # a roll gains f or loses r: it is taken while L r^0.88 < the sum of f^0.88
    gains = sum(face**0.88 for face in range(2, 7))
    assert threshold(Pig(), "prospect", aversion) == math.ceil((gains / aversion) ** (1 / 0.88))


def test_losses_loom_larger_than_gains():
    # Tversky & Kahneman 1992: value of x is x^0.88, of a loss 2.25 times as much
    assert prospect(10, 2.25) == pytest.approx(10**0.88)
    assert prospect(-10, 2.25) == pytest.approx(-2.25 * 10**0.88)


def test_level_with_nothing_lost_prospect_theory_is_a_mild_aversion():
    assert (level_holds(Pig(), 2.25)[0] == turn_holds(Pig(), "crra", 0.12)).all()


def test_who_is_behind_rolls_until_level():
    # a loss is convex: far behind, the holding point is above the one of a player who is level
    holds = level_holds(Pig(), 2.25)
    first = [int(np.flatnonzero(row)[0]) for row in holds]
    assert first[10] == 10  # level again: nothing is dearer than that
    assert first[25] == 23 > first[0]


def test_the_neutral_player_is_hold_at_20_and_costs_as_much(pig):
    assert plan(pig.table, "risk:neutral").plays_like(plan(pig.table, "hold-at:20"))
    found = price(pig, "risk:neutral")
    same = evaluate(Pig(), "hold-at:20", "optimal")
    assert found.cost == pytest.approx(0.5 - same.overall, abs=1e-12)


def test_a_holding_point_of_25_costs_what_the_study_prints(pig):
    # optimal v hold 25: the optimum wins 0.55127 going first, hold 25 wins 0.50914 going first
    _, _, first, second, _ = KNOWN["pig"]["exeter"]["more_pairs"]["optimal"]
    printed = 0.5 - (1 - float(first) + float(second)) / 2
    assert threshold(Pig(), "prospect", 1.0) == 25
    assert price(pig, "risk:prospect,1").cost == pytest.approx(printed, abs=1e-5)


def test_a_throw_that_scores_nothing_changes_no_preference():
    # half of the throws are repeated: the others have the odds of a six-sided die
    lazy = Die({0: "1/2", **dict.fromkeys(range(1, 7), "1/12")})
    assert threshold(Pig(die=lazy), "neutral") == 20
    assert threshold(Pig(die=lazy), "crra", 0.5) == threshold(Pig(), "crra", 0.5)


def test_alone_one_has_preferences_too():
    table = compile(game("solo-pig", target=30))
    assert plan(table, "risk:neutral").plays_like(plan(table, "hold-at:20"))


BAD = {
    "risk:crr": "risk has no kind 'crr'; did you mean 'crra'?",
    "risk:crra,x": "risk:crra must be a fraction such as 1/2: got 'x'",
    "risk:cara,-90": "risk:cara is too large to compute: got -90, use -23.08 to 23.08",
    "risk:crra,-900": "risk:crra is too large to compute: got -900, use -183 or more",
    "noisy:9,0,0": "noisy needs a noise above 0: got 0",
}


@pytest.mark.parametrize(("name", "sentence"), BAD.items())
def test_preferences_that_make_no_strategy_are_refused(name, sentence):
    with pytest.raises(UnknownStrategy) as trouble:
        plan(compile(Pig(target=20)), name)
    assert str(trouble.value) == sentence


def test_alone_nobody_is_ahead():
    with pytest.raises(UnknownStrategy) as trouble:
        plan(compile(game("solo-pig", target=20)), "risk:prospect-level")
    assert str(trouble.value) == (
        "risk:prospect-level looks at the other player: solo-pig target=20 has none"
    )
