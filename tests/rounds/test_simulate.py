"""Rounds played with random dice agree with the exact values."""

import numpy as np
import pytest

from dicelab.errors import RulesError
from dicelab.rounds import Round, evaluate, policy, random, simulate
from dicelab.rules.dice import Die

GAME = Round()
POLICIES = [
    "optimal",
    "random",
    "ratchet:421",
    "bernoulli:421",
    "h0s0",
    "h0s1",
    "h1s0",
    "h1s1",
    "h0s0r1",
    "h1s0r0",
    "h2s0",
]


@pytest.mark.parametrize("player", ["first", "next"])
@pytest.mark.parametrize("name", POLICIES)
def test_every_policy_earns_within_four_standard_errors_of_its_value(name, player):
    plan = policy(name, GAME, "transfer", player, ties="even")
    seen = simulate(plan, "transfer", 20_000, np.random.default_rng(421))
    assert seen.error > 0
    assert seen.agrees(evaluate(plan, "transfer").value)


@pytest.mark.parametrize("keep", ["aside", "any"])
def test_loaded_dice_and_worths_that_fall_with_time(keep):
    game = Round(2, Die({1: "1/2", 3: "1/3", 7: "1/6"}), 4, keep)
    plan = random(game)

    def worth(faces, cast):
        return sum(faces) - cast

    seen = simulate(plan, worth, 20_000, np.random.default_rng(1))
    assert seen.agrees(evaluate(plan, worth).value)


def test_a_wrong_value_does_not_agree():
    seen = simulate(random(GAME), "sum", 20_000, np.random.default_rng(1))
    assert not seen.agrees(evaluate(random(GAME), "sum").value + 1)


def test_the_same_seed_gives_the_same_estimate():
    one, two = (simulate(random(GAME), "sum", 100, np.random.default_rng(3)) for _ in range(2))
    assert one == two
    assert one.rounds == 100


def test_one_round_makes_no_estimate():
    with pytest.raises(RulesError) as caught:
        simulate(random(GAME), "sum", 1, np.random.default_rng(1))
    assert str(caught.value) == "an estimate needs at least 2 rounds: got 1"
