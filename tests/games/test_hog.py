"""Hog: every throw listed, best play by brute force in rationals, and the same game as house rules.

The rules are those of "The Game of Hog", a project of the course CS 61A at Berkeley; the examples
of scores are its own.
"""

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import product
from typing import ClassVar

import pytest

from dicelab import (
    OTHER,
    WIN,
    Die,
    HouseRules,
    Outcome,
    compile,
    evaluate,
    game,
    plan,
    solve,
)
from dicelab.errors import RulesError, UnknownStrategy, UnreadablePosition
from dicelab.games.dice_battle import DiceBattle
from dicelab.games.hog import ZEROS, Hog
from dicelab.games.throwing import ScorePosition
from dicelab.rules import LOSS, ONGOING


@cache
def thrown(dice, faces=6):
    """Return the law of a turn's points, every throw listed."""
    points = Counter(
        1 if 1 in throw else sum(throw) for throw in product(range(1, faces + 1), repeat=dice)
    )
    return {score: Fraction(times, faces**dice) for score, times in points.items()}


def for_none(zero, mine, yours):
    """Return what no dice score, digit by digit."""
    if zero == "free-bacon":
        return 1 + max(int(digit) for digit in str(yours))
    other, own = f"{yours:02}", f"{mine:02}"
    if zero == "pig-tail":
        return 2 * abs(int(other[-2]) - int(other[-1])) + 1
    return max(1, 3 * abs(int(other[-2]) - int(own[-1])))


@cache
def best(target, dice, zero, mine=0, yours=0):
    """Return the chance to win of the player about to move, and the best numbers of dice."""
    laws = {number: thrown(number) for number in range(1, dice + 1)}
    if zero != "none":
        laws[0] = {for_none(zero, mine, yours): Fraction(1)}
    worth = {}
    for number, law in laws.items():
        worth[number] = Fraction(0)
        for points, chance in law.items():
            wins = mine + points >= target
            then = Fraction(0) if wins else best(target, dice, zero, yours, mine + points)[0]
            worth[number] += chance * (1 - then)
    most = max(worth.values())
    return most, sorted(number for number in worth if worth[number] == most)


@pytest.mark.parametrize("zero", ZEROS)
@pytest.mark.parametrize(("target", "dice"), [(2, 2), (13, 3), (25, 4)])
def test_best_play_is_that_of_brute_force_in_rationals(target, dice, zero):
    solution = solve(Hog(dice=dice, target=target, zero=zero), exact=True)
    for mine, yours in [(0, 0), (target - 1, 0), (target // 2, target - 1), (1, target // 3)]:
        value, moves = best(target, dice, zero, mine, yours)
        at = ScorePosition(mine, yours)
        assert solution.value_at(at) == value
        assert sorted(solution.best_moves(at)) == [f"roll {number}" for number in moves]


@dataclass(frozen=True)
class PlainHog(HouseRules):
    """The same game in plain Python."""

    target: int = 12
    zero: str = "free-bacon"
    swine_swap: bool = True
    dice: int = 3
    name: ClassVar[str] = "plain hog"

    def start(self):
        return (0, 0)

    def choices(self, at):
        return [f"roll {number}" for number in range(self.zero == "none", self.dice + 1)]

    def outcomes(self, at, move):
        mine, yours = at
        number = int(move[5:])
        law = thrown(number) if number else {for_none(self.zero, mine, yours): Fraction(1)}
        for points, chance in law.items():
            pair = (mine + points, yours)
            if self.swine_swap and (pair[0] == 2 * pair[1] or pair[1] == 2 * pair[0]):
                pair = (pair[1], pair[0])
            yield Outcome(chance, (min(pair[1], self.target), min(pair[0], self.target)), OTHER)

    def result(self, at):
        if at[0] >= self.target:
            return WIN
        return LOSS if at[1] >= self.target else ONGOING


@pytest.mark.parametrize("swap", [False, True])
@pytest.mark.parametrize("zero", ZEROS)
def test_arrays_and_house_rules_are_the_same_game(zero, swap):
    house = solve(PlainHog(14, zero, swap), exact=True)
    arrays = solve(Hog(dice=3, target=14, zero=zero, swine_swap=swap), exact=True)
    table = house.table
    for number in range(len(table)):
        at = table.position(number)
        assert arrays.value_at(ScorePosition(*at)) == house.values[number], at
        if not house.game.result(at):
            assert set(arrays.best_moves(ScorePosition(*at))) == set(house.best_moves(at))


def test_with_the_swap_no_move_is_better_than_its_value_by_every_throw_listed():
    target, dice = 14, 3
    solution = solve(Hog(dice=dice, target=target, swine_swap=True), exact=True)
    for mine, yours in product(range(target), repeat=2):
        worth = []
        for number in range(dice + 1):
            law = thrown(number) if number else {for_none("free-bacon", mine, yours): Fraction(1)}
            total = Fraction(0)
            for points, chance in law.items():
                i, j = mine + points, yours
                if i == 2 * j or j == 2 * i:
                    i, j = j, i
                if i >= target or j >= target:
                    total += chance * (i >= target)
                else:
                    total += chance * (1 - solution.value_at(ScorePosition(j, i)))
            worth.append(total)
        assert solution.value_at(ScorePosition(mine, yours)) == max(worth)


def test_without_a_rule_for_no_dice_it_is_dice_battle():
    # A win counts 1 here and a gain of 1 there, where a loss counts -1.
    mine = solve(Hog(dice=4, target=20, zero="none"), exact=True)
    theirs = solve(DiceBattle(dice=4, target=20), exact=True)
    assert mine.value == (1 + theirs.value) / 2


@pytest.mark.parametrize(
    ("zero", "at", "points"),
    [
        ("free-bacon", "0-42", 5),  # 1 + max(4, 2)
        ("free-bacon", "30-0", 1),
        ("free-bacon", "0-7", 8),
        ("pig-tail", "0-46", 5),  # 2 x |4 - 6| + 1
        ("pig-tail", "0-73", 9),
        ("pig-tail", "5-8", 17),  # of 8 the tens digit is 0
        ("boar-brawl", "21-46", 9),  # 3 x |4 - 1|
        ("boar-brawl", "45-52", 1),  # 3 x |5 - 5| is nothing, and the least is 1
        ("boar-brawl", "2-5", 6),
    ],
)
def test_no_dice_score_what_the_course_says(zero, at, points):
    hog = Hog(zero=zero)
    (only,) = hog.outcomes(hog.parse(at), "roll 0")
    assert only.at.yours == hog.parse(at).mine + points
    assert hog.label(hog.parse(at), "roll 0").startswith(f"No dice: {points} point")


def test_a_largest_digit_has_as_many_places_as_the_target():
    hog = Hog(target=5000)
    assert [int(hog.for_no_dice(ScorePosition(0, score))) for score in (987, 4321, 1900)] == [
        10,
        5,
        10,
    ]


def test_swapped_scores_may_lose_the_game_at_the_target():
    hog = Hog(swine_swap=True)
    after = hog.after(hog.parse("94-50"), "roll 1", [6])
    assert hog.notation(after.at) == "100-50"
    assert hog.result(after.at) == WIN  # for who did not roll
    # The half is swapped as well as the double: 9 + 5 = 14 against 28.
    assert hog.notation(hog.after(hog.parse("9-28"), "roll 1", [5]).at) == "14-28"
    told = hog.narrate(hog.parse("9-28"), "roll 1", [5], hog.parse("14-28"), True, False)
    assert told.text == "You roll a 5: 5 points. 14 and 28 change hands."


def test_what_happened_is_told():
    hog = Hog()
    at = hog.parse("30-12")
    told = hog.narrate(at, "roll 3", [4, 1, 1], at, True, False)
    assert (told.text, told.marked) == ("You roll 4, 1 and 1: a 1 leaves 1 point.", (1, 2))
    told = hog.narrate(at, "roll 0", [], at, False, True)
    assert told.text == "The other player rolls no dice: 3 points."
    assert hog.describe(at) == "You have 30. The other player has 12."
    assert [hog.spoken(at, move) for move in ("roll 0", "roll 2")] == ["roll no dice", "roll 2"]


def test_named_strategies_do_what_they_say():
    table = compile(Hog(target=60))
    assert plan(table, "always-roll").move_at("30-12") == "roll 6"
    assert plan(table, "always-roll:4").move_at("30-12") == "roll 4"
    cautious = plan(table, "bacon:8,5")
    assert cautious.move_at("30-17") == "roll 0"  # 1 + 7
    assert cautious.move_at("30-26") == "roll 5"
    assert plan(table, "bacon").move_at("30-26") == "roll 6"
    optimal = evaluate(table, "optimal", "bacon")
    assert optimal.overall > 0.5


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"dice": 0}, "hog needs 1 to 20 dice: got dice=0"),
        ({"target": 0}, "hog needs a target of at least 1: got target=0"),
        (
            {"zero": "ham"},
            "hog needs a zero rule among free-bacon, pig-tail, boar-brawl, none: got zero=ham",
        ),
        ({"die": Die({0: "1/2", 2: "1/2"})}, "hog needs faces of 1 or more: got die=0:1/2,2:1/2"),
        ({"die": Die(1)}, "hog needs a face besides the 1: got die=1"),
    ],
)
def test_parameters_that_make_no_game_are_refused(wrong, sentence):
    with pytest.raises(RulesError) as refused:
        game("hog", **wrong)
    assert str(refused.value) == sentence


@pytest.mark.parametrize(
    ("given", "strategy", "sentence"),
    [
        (
            {},
            "always-roll:11",
            "always-roll cannot roll 11 dice in hog target=20: roll 0 to 10",
        ),
        (
            {"zero": "none"},
            "always-roll:0",
            "always-roll cannot roll 0 dice in hog target=20 zero=none: roll 1 to 10",
        ),
        (
            {"zero": "none"},
            "bacon",
            "bacon rolls no dice, and hog target=20 zero=none does not allow that",
        ),
    ],
)
def test_a_strategy_that_the_rules_do_not_allow_is_refused(given, strategy, sentence):
    with pytest.raises(UnknownStrategy) as refused:
        plan(compile(game("hog", target=20, **given)), strategy)
    assert str(refused.value) == sentence


def test_a_position_is_two_scores():
    with pytest.raises(UnreadablePosition) as refused:
        Hog().parse("30")
    assert str(refused.value) == "cannot read '30' as a position of hog: write it like '0-0'"
    assert Hog().parse(" 30 - 12 ") == ScorePosition(30, 12)
    assert game("hog", faces=4, goal=30) == Hog(die=Die(4), target=30)
