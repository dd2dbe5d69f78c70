"""The two evolution equations: against fate trees, and against each other."""

from fractions import Fraction
from random import Random

import numpy as np
import pytest

from dicelab.errors import RulesError
from dicelab.rounds import (
    Round,
    RoundStrategy,
    duality,
    evaluate,
    galton_watson,
    policy,
    presence,
    ratchet,
    solve,
)
from dicelab.rounds.induction import allowed
from dicelab.rules.dice import Die

LOADED = Die({1: "1/2", 2: "1/3", 3: "1/6"})


def random_strategy(game, player, seed):
    """Return a strategy whose chances are drawn at random, some of them 0."""
    random = Random(seed)
    rows = []
    for cast in range(1, game.casts + 1):
        weights = np.array([random.randint(0, 3) for _ in game.matrices.option], dtype=object)
        weights = np.where(allowed(game, player, cast), weights, 0)
        sums = np.add.reduceat(weights, game.matrices.start[:-1])
        # a table whose weights are all 0 takes its first allowed option
        firsts = np.where(allowed(game, player, cast), np.arange(len(weights)), len(weights))
        first = np.minimum.reduceat(firsts, game.matrices.start[:-1])
        for table in np.flatnonzero(sums == 0):
            weights[first[table]], sums[table] = 1, 1
        rows.append(
            np.array([Fraction(w, s) for w, s in zip(weights, sums[game.matrices.of], strict=True)])
        )
    return RoundStrategy(f"random {seed}", game, player, tuple(rows))


GAMES = [Round(), Round(2, LOADED, 4), Round(3, Die(4), 3, keep="any")]


@pytest.mark.parametrize("player", ["first", "next"])
@pytest.mark.parametrize("game", GAMES, ids=str)
def test_worth_times_presence_is_conserved_at_every_cast(game, player, random_worths):
    # equation (40), for strategies and utilities of result and time drawn at random
    for seed in range(3):
        plan, worth = random_strategy(game, player, seed), random_worths(game, seed)
        products = duality(plan, worth)
        assert len(products) == game.casts + 1
        assert set(products) == {evaluate(plan, worth).value}


@pytest.mark.parametrize("player", ["first", "next"])
@pytest.mark.parametrize("game", GAMES, ids=str)
def test_presence_and_results_sum_to_one(game, player):
    where = presence(random_strategy(game, player, 5))
    for cast in range(game.casts + 1):
        ended = sum(sum(row) for row in where.ended[: cast + 1])
        assert sum(where.kept[cast]) + ended == 1
        assert sum(where.live_dice(cast)) == 1
    assert sum(where.result()) == 1
    if player == "next":
        assert sum(where.result(game.casts)) == 1


@pytest.mark.parametrize("player", ["first", "next"])
@pytest.mark.parametrize(("dice", "faces", "casts"), [(1, 3, 3), (2, 2, 3), (2, 3, 3), (3, 2, 2)])
@pytest.mark.parametrize("keep", ["aside", "any"])
def test_a_strategy_earns_what_its_fate_tree_says(
    dice, faces, casts, keep, player, fate_tree, random_worths
):
    game = Round(dice, Die(faces), casts, keep)
    worth = random_worths(game, 11)
    for plan in (random_strategy(game, player, 1), policy("h1s0", game, worth, player)):

        def decide(aside, thrown, cast, plan=plan):
            found = plan.decisions(aside, thrown, cast)
            return {
                game.numbers.faces_of(game.numbers.number(kept)): chance
                for kept, chance in found.items()
            }

        brute = fate_tree(game, lambda result, cast, _: worth(result, cast), player, decide)
        assert evaluate(plan, worth).value == brute


def test_no_strategy_earns_more_than_the_best(random_worths):
    for seed in range(5):
        worth = random_worths(GAMES[0], seed)
        for player in ("first", "next"):
            best = solve(GAMES[0], worth, player).value
            assert evaluate(random_strategy(GAMES[0], player, seed), worth).value <= best


def test_the_chance_of_a_result_is_the_worth_of_that_result_alone():
    # example 1 of section 3.3
    plan = ratchet(Round(), "421")
    where = presence(plan)
    for result in ("421", "665", "111"):
        assert evaluate(plan, f"goal:{result}").value == where.result_of(result)


@pytest.mark.parametrize("die", [Die(6), Die({1: "1/3", 2: "1/2", 6: "1/6"})])
@pytest.mark.parametrize("casts", [2, 3, 5])
def test_dice_on_the_way_to_a_brelan_follow_the_galton_watson_law(die, casts):
    # equation (56) of the study, for the brelan of the last face
    game = Round(3, die, casts)
    where = presence(ratchet(game, "666"))
    for cast in range(casts):
        assert where.live_dice(cast) == galton_watson(game, 6, cast)
    assert where.live_dice(casts) == [1, 0, 0, 0]


def test_other_goals_and_next_players_do_not_follow_that_law():
    # the study's remark after (54): only brelans, only first players
    game = Round()
    assert presence(ratchet(game, "221")).live_dice(1) != galton_watson(game, 2, 1)
    assert presence(ratchet(game, "222", "next")).live_dice(1) != galton_watson(game, 2, 1)


def test_the_first_cast_on_the_way_to_421_leaves_dice_by_hand():
    # none of 1, 2, 4: (1/2)**3; all of them: 6/216; exactly one of them in 19 * 3 throws (1, 11 or
    # 111 with other faces: 27 + 9 + 1 - ... counted as 4**3 - 3**3 = 37 for each of three faces)
    law = presence(ratchet(Round(), "421")).live_dice(1)
    assert law[3] == Fraction(1, 8)
    assert law[0] == Fraction(6, 216)
    assert law[2] == 3 * Fraction(4**3 - 3**3, 216)


@pytest.mark.parametrize(
    ("face", "cast", "message"),
    [
        (7, 1, "the die has no face 7: its faces are 1, 2, 3, 4, 5, 6"),
        (6, 3, "the law (56) holds before the last cast, from 0 to 2: got cast=3"),
    ],
)
def test_the_law_is_refused_where_it_does_not_hold(face, cast, message):
    with pytest.raises(RulesError) as caught:
        galton_watson(Round(), face, cast)
    assert str(caught.value) == message


@pytest.mark.parametrize("player", ["first", "next"])
def test_whole_numbers_and_fractions_earn_the_same(monkeypatch, player):
    game = Round(dice=2, die=LOADED, casts=3)
    plan = random_strategy(game, player, seed=5)
    whole = evaluate(plan, "sum")
    monkeypatch.setattr("dicelab.rounds.evaluation.LONGEST_SHARE", 0)
    fractions = evaluate(plan, "sum")
    assert whole.value == fractions.value
    assert all((a == b).all() for a, b in zip(whole.worths, fractions.worths, strict=True))
    assert all(isinstance(number, int) for row in whole.numerators for number in row)


def test_many_faces_need_no_more_than_their_throws():
    # With nothing but the sum at stake each die is thrown for itself.
    one = Fraction(0)
    for _ in range(3):
        one = sum((max(Fraction(face), one) for face in range(1, 61)), Fraction(0)) / 60
    game = Round(dice=3, die=Die(60))
    assert solve(game, "sum").value == 3 * one
    assert evaluate(policy("optimal", game, "sum"), "sum").value == 3 * one


def test_a_goal_identified_among_thousands_earns_what_its_decisions_earn():
    game = Round(dice=5, casts=3)
    plan = policy("h1s1", game, "sum")
    assert evaluate(plan, "sum").value == sum(
        presence(plan).result() * solve(game, "sum").utility.at(1)
    )
    assert evaluate(plan, "sum").value < solve(game, "sum").value
