"""Strategies: rules for ties, mixed decisions, and answers the rules forbid."""

from fractions import Fraction

import numpy as np
import pytest

from dicelab.errors import IllegalMove, RulesError, StrategyError, UnknownStrategy
from dicelab.rounds import (
    Round,
    RoundStrategy,
    bernoulli,
    evaluate,
    from_function,
    optimal,
    policy,
    random,
    ratchet,
    solve,
)
from dicelab.rules.dice import Die

GAME = Round()


@pytest.mark.parametrize(
    "ties", ["fewest", "most", "dictionary", "even", lambda faces: -sum(faces)]
)
@pytest.mark.parametrize("player", ["first", "next"])
def test_however_ties_are_broken_best_play_earns_the_same(ties, player):
    for worth in ("goal:421", "transfer", "goal:123+224+345"):
        plan = optimal(GAME, worth, player, ties)
        assert evaluate(plan, worth).value == solve(GAME, worth, player).value


@pytest.mark.parametrize(
    ("ties", "kept"),
    [
        ("fewest", {"21": 1}),
        ("dictionary", {"21": 1}),
        (lambda faces: -sum(faces), {"42": 1}),
        ("even", {"21": Fraction(1, 3), "41": Fraction(1, 3), "42": Fraction(1, 3)}),
    ],
)
def test_a_rule_for_ties_says_which_die_a_next_player_throws_again(ties, kept):
    assert ratchet(GAME, "421", "next", ties).decisions("-", "421", 1) == kept
    assert optimal(GAME, "goal:421", "next", ties).decisions("-", "421", 1) == kept


def test_the_dictionary_and_the_fewest_dice_part_where_sizes_differ():
    # two dice of two faces: nothing and a 1 are equally good after 11, for the goal 21
    game = Round(2, Die(2), 2)
    assert optimal(game, "goal:21", ties="fewest").decisions("-", "11", 1) == {"-": 1}
    assert optimal(game, "goal:21", ties="most").decisions("-", "11", 1) == {"1": 1}
    # with everything worthless all is tied: 1 stands before 11, and 11 before 2
    nothing = dict.fromkeys(["11", "21", "22"], 0)
    assert optimal(game, nothing, ties="dictionary").decisions("-", "22", 1) == {"-": 1}
    assert optimal(game, nothing, ties=lambda faces: -len(faces)).decisions("-", "22", 1) == {
        "22": 1
    }


def test_the_ratchet_puts_aside_what_helps_and_nothing_else():
    plan = ratchet(GAME, "421")
    assert plan.decisions("-", "441", 1) == {"41": 1}
    assert plan.decisions("-", "653", 1) == {"-": 1}
    assert plan.decisions("4", "41", 2) == {"41": 1}
    assert plan.decisions("4", "21", 2) == {"421": 1}
    assert all(set(row.tolist()) <= {0, 1} for row in plan.chances)


def test_bernoulli_throws_everything_until_the_goal_lies_there():
    plan = bernoulli(GAME, "421")
    assert plan.decisions("-", "441", 1) == {"-": 1}
    assert plan.decisions("-", "421", 1) == {"421": 1}
    # three independent tries of 1/36
    assert evaluate(plan, "goal:421").value == 1 - Fraction(35, 36) ** 3
    assert evaluate(bernoulli(GAME, "421", "next"), "goal:421").value == Fraction(1, 36)


def test_random_play_of_one_die_stops_half_the_time():
    # keep it or throw it: the sum of one die stays 7/2 whatever chance decides
    game = Round(1)
    assert random(game).decisions("-", "4", 1) == {"-": Fraction(1, 2), "4": Fraction(1, 2)}
    assert evaluate(random(game), "sum").value == Fraction(7, 2)


def test_a_function_may_decide_and_may_leave_it_to_chance():
    def keep_sixes(aside, thrown, left):
        return aside + tuple(face for face in thrown if face == 6)

    assert (
        evaluate(from_function(GAME, keep_sixes), "goal:666").value == solve(GAME, "goal:666").value
    )

    def toss(aside, thrown, left):
        return {aside: Fraction(1, 2), aside + thrown: "1/2"}

    # half of the rounds stop after each cast, so 1 + 1/2 + 1/4 casts are thrown on average
    plan = from_function(GAME, toss)
    assert evaluate(plan, lambda faces, cast: cast).value == Fraction(7, 4)


def test_a_decision_the_rules_forbid_is_refused():
    with pytest.raises(IllegalMove) as caught:
        from_function(GAME, lambda aside, thrown, left: (6, 6, 6))
    assert str(caught.value) == (
        "cannot keep 666 at 111: keep what is aside and any of the dice thrown"
    )
    with pytest.raises(IllegalMove) as caught:
        from_function(GAME, lambda aside, thrown, left: aside + thrown, "next")
    assert str(caught.value) == (
        "cannot keep 111 at 111 after cast 1: a next player must not finish early"
    )


def test_chances_that_do_not_sum_to_one_are_refused():
    with pytest.raises(StrategyError) as caught:
        from_function(GAME, lambda aside, thrown, left: {aside: "1/2"}, name="half")
    assert str(caught.value) == (
        "half after cast 1 at 111: the chances must be from 0 up and sum to 1"
    )
    with pytest.raises(StrategyError) as caught:
        from_function(GAME, lambda aside, thrown, left: {aside: 2, aside + thrown: -1}, name="debt")
    assert str(caught.value) == (
        "debt after cast 1 at 111: the chances must be from 0 up and sum to 1"
    )
    with pytest.raises(StrategyError) as caught:
        from_function(GAME, lambda aside, thrown, left: {aside: "half"})
    assert str(caught.value) == "a chance is a number such as '1/3': got 'half'"


def test_a_strategy_must_decide_after_every_cast_and_keep_all_after_the_last():
    rows = ratchet(GAME, "421").chances
    with pytest.raises(StrategyError) as caught:
        RoundStrategy("short", GAME, "first", rows[:2])
    assert str(caught.value) == "short decides after 2 casts and the round has 3"
    with pytest.raises(IllegalMove) as caught:
        RoundStrategy("odd", GAME, "first", (rows[0], rows[1], np.roll(rows[2], -1)))
    assert str(caught.value) == (
        "cannot keep 11 at 111 after cast 3: all dice count after the last cast"
    )


def test_an_unknown_rule_for_ties_is_refused():
    with pytest.raises(RulesError) as caught:
        optimal(GAME, "sum", ties="luck")
    assert str(caught.value) == (
        "no rule for ties called 'luck'; the rules are fewest, most, dictionary, even"
    )


def test_an_unknown_policy_is_refused():
    with pytest.raises(UnknownStrategy) as caught:
        policy("h1", GAME, "sum")
    assert str(caught.value) == (
        "no policy called 'h1'; the policies are optimal, random, ratchet:G, bernoulli:G, "
        "h0s0, h0s1, h1s0, h1s1"
    )
    with pytest.raises(RulesError) as caught:
        policy("optimal", GAME)
    assert str(caught.value) == "the policy 'optimal' needs a utility"


@pytest.mark.parametrize("name", ["ratchet:421", "bernoulli:421", "random", "optimal", "h1s0"])
def test_policies_keep_their_names(name):
    assert policy(name, GAME, "sum").name == name


def forgets(aside, thrown, left):
    return None


def stumbles(aside, thrown, left):
    return aside[7]


@pytest.mark.parametrize(
    ("decide", "message"),
    [
        (
            forgets,
            "forgets answered None at 111, 2 left: answer what to keep in all, such as '111', or "
            "chances of such answers",
        ),
        (stumbles, "stumbles failed at 111, 2 left: IndexError: tuple index out of range"),
    ],
)
def test_a_function_that_does_not_answer_is_named_with_the_table(decide, message):
    with pytest.raises(StrategyError) as refused:
        from_function(GAME, decide)
    assert str(refused.value) == message


def test_what_to_keep_may_be_any_collection_of_faces():
    made = [
        from_function(GAME, lambda aside, thrown, left, kind=kind: kind((*aside, *thrown)))
        for kind in (tuple, list, np.array)
    ]
    assert len({evaluate(one, "sum").value for one in made}) == 1
