"""Result probabilities: tables 6 to 10 of the study, and the classes behind them."""

from fractions import Fraction

import pytest

from dicelab.errors import RulesError, UnknownPosition
from dicelab.rounds import (
    Round,
    combination_classes,
    couple_classes,
    presence,
    ratchet,
    result_probability,
)
from dicelab.rounds.charts import as_csv, as_text, charts, rounded
from dicelab.rules.dice import Die

GAME = Round()


@pytest.mark.parametrize("play", ["ratchet", "optimal"])
@pytest.mark.parametrize("player", ["first", "next"])
def test_every_fraction_of_table_6(printed, player, play):
    for goal, fractions in printed["table_6"][player].items():
        found = [
            result_probability(GAME, goal, goal, cast, player=player, play=play)
            for cast in range(1, len(fractions) + 1)
        ]
        assert found == [Fraction(fraction) for fraction in fractions]


@pytest.mark.parametrize("play", ["ratchet", "optimal"])
def test_every_fraction_of_tables_7_to_10(printed, play):
    assert len(printed["tables_7_to_10"]) == 36
    for couple, fractions in printed["tables_7_to_10"].items():
        goal, result = couple.split("->")
        found = [
            result_probability(GAME, goal, result, cast, play=play)
            for cast in range(1, len(fractions) + 1)
        ]
        assert found == [Fraction(fraction) for fraction in fractions]


def test_the_charts_are_these_tables_line_for_line(printed):
    lines = charts(GAME)
    diagonal = {line.goal: line for line in lines if line.is_diagonal}
    others = {f"{line.goal}->{line.result}": line for line in lines if not line.is_diagonal}
    for player in ("first", "next"):
        assert {
            goal: [str(chance) for chance in getattr(line, player)]
            for goal, line in diagonal.items()
        } == printed["table_6"][player]
    assert {
        couple: [str(chance) for chance in line.first] for couple, line in others.items()
    } == printed["tables_7_to_10"]


def test_the_decimals_beside_the_fractions(printed):
    for fraction, decimal in printed["decimals"].items():
        assert rounded(Fraction(fraction)) == decimal


def test_there_are_31_classes_of_couples_and_3_on_the_diagonal(printed):
    classes = couple_classes(GAME)
    assert len(classes) == printed["classes"]["couples_of_three_dice"]
    assert sum(each.is_diagonal for each in classes) == printed["classes"]["on_the_diagonal"]
    # for each class of goals its couples share out all 56 results
    by_goal = dict.fromkeys(combination_classes(GAME), 0)
    for each in classes:
        by_goal[each.goal] += each.members
    assert set(by_goal.values()) == {56}


def test_combinations_fall_into_brelans_pairs_and_the_rest():
    classes = combination_classes(GAME)
    named = {GAME.numbers.write(goal, rising=True): n for goal, n in classes.items()}
    assert named == {"111": 6, "112": 30, "123": 20}


@pytest.mark.parametrize("player", ["first", "next"])
def test_couples_of_one_class_have_equal_probabilities(player):
    from dicelab.rounds.results import representative

    game = Round(3, Die(4), 3)
    for goal in game.numbers.full:
        for result in game.numbers.full:
            lowest = representative(game.numbers, game.die, goal, result)
            ours, theirs = (
                result_probability(game, *couple, 3, player=player, ties="even")
                for couple in ((goal, result), lowest)
            )
            assert ours == theirs


def test_loaded_faces_do_not_change_places():
    # the fair die of two faces has 111 and 112 as classes; the loaded one keeps all four apart
    assert len(combination_classes(Round(3, Die(2)))) == 2
    assert len(combination_classes(Round(3, Die({1: "1/3", 2: "2/3"})))) == 4


@pytest.mark.parametrize("player", ["first", "next"])
@pytest.mark.parametrize("ties", ["fewest", "even"])
@pytest.mark.parametrize("goal", ["421", "211", "666"])
def test_they_are_the_results_of_the_ratchet(player, ties, goal):
    # the recurrence over parts of the goal, against the forward law of the strategy
    law = presence(ratchet(GAME, goal, player, ties)).result(3)
    for place, result in enumerate(GAME.numbers.full):
        found = result_probability(GAME, goal, result, 3, player=player, ties=ties)
        assert found == law[place]


def test_the_properties_the_study_lists():
    # (46) to (49): nothing to throw, one cast, rounds ended early, everything sums to one
    every = [GAME.numbers.write(number) for number in GAME.numbers.full]
    assert result_probability(GAME, "421", "421", 0, casts=0) == 1
    assert result_probability(GAME, "421", "422", 0, casts=0) == 0
    assert result_probability(GAME, "-", "-", 0, casts=2) == 1
    assert result_probability(GAME, "421", "665", 1) == GAME.chance("665")
    assert result_probability(GAME, "421", "665", 1, casts=3) == 0
    assert result_probability(GAME, "421", "421", 2, casts=3) == Fraction(227, 2592)
    assert result_probability(GAME, "421", "421", 2, casts=3, player="next") == 0
    total = sum(
        result_probability(GAME, "421", result, cast, casts=3)
        for result in every
        for cast in range(4)
    )
    assert total == 1
    brelan = [result_probability(GAME, "666", result, 3, player="next") for result in every]
    assert sum(brelan) == 1


def test_next_players_get_the_goal_later_than_first_players():
    # the inequality after (50)
    for goal in ("111", "112", "123"):
        p1 = [result_probability(GAME, goal, goal, cast) for cast in (1, 2, 3)]
        p2 = result_probability(GAME, goal, goal, 3, player="next")
        assert sum(p1) > p2 > p1[2]


def test_the_worked_example_of_the_players_guide():
    # goal 641, result 655: the couple (123, 144) of table 10
    assert result_probability(GAME, "641", "655", 3) == Fraction(3277, 1119744)


def test_with_yahtzees_rule_the_ratchet_gives_a_first_player_the_same():
    # a first player on the ratchet never wants a helpful die back
    free = Round(keep="any")
    for result in ("421", "665"):
        assert result_probability(free, "421", result, 3) == result_probability(
            GAME, "421", result, 3
        )


def test_charts_can_be_made_for_other_dice():
    # one die: after a miss (5/6) comes a throw like the first, whichever face it shows
    lines = {line.result: line.first for line in charts(Round(1, Die(6), 3))}
    assert lines["1"] == lines["2"] == tuple(Fraction(5**n, 6 ** (n + 1)) for n in range(3))


def test_charts_as_text_and_as_csv_hold_the_same_fractions(printed):
    lines = charts(GAME)
    text, table = as_text(lines), as_csv(lines)
    for fractions in printed["tables_7_to_10"].values():
        for fraction in fractions:
            assert f"  {fraction}  " in text
            assert f",{fraction}," in table
    assert table.splitlines()[0] == "dice,goal,result,couples,player,casts,fraction,decimal"
    assert len(table.splitlines()) == 1 + sum(len(line.first) + len(line.next) for line in lines)


@pytest.mark.parametrize(
    ("asked", "error", "message"),
    [
        (
            lambda: result_probability(GAME, "421", "421", 4),
            RulesError,
            "a result needs 0 <= cast <= casts <= 3: got cast=4, casts=4",
        ),
        (
            lambda: result_probability(GAME, "421", "42", 1),
            UnknownPosition,
            "42 has 2 dice: 3 wanted here",
        ),
        (
            lambda: result_probability(GAME, "421", "421", 1, play="luck"),
            RulesError,
            "a goal is pursued by 'ratchet' or 'optimal' play: got 'luck'",
        ),
    ],
)
def test_a_probability_that_is_none_is_refused(asked, error, message):
    with pytest.raises(error) as caught:
        asked()
    assert str(caught.value) == message


def test_long_rounds_need_no_deep_recursion():
    # one die misses 299 times and then shows anything
    game = Round(1, casts=300)
    assert result_probability(game, "1", "2", 300) == Fraction(5, 6) ** 299 / 6
