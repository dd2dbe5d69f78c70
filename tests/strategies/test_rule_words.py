"""Rules of thumb as one says them."""

from itertools import product

import pytest

from dicelab import game
from dicelab.strategies.rule_text import parsed
from dicelab.strategies.rule_words import clause_in_words, rule_in_words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("roll", "roll"),
        ("hold if at_risk >= 25", "hold if the sum at risk is 25 or more"),
        ("hold if at_risk > 25", "hold if the sum at risk is more than 25"),
        ("roll if mine < 30", "roll if your score is below 30"),
        ("roll if mine <= 30 and yours == 4",
         "roll if your score is 30 or less and the other player's score is 4"),
        ("roll if mine >= 71 or yours >= 71",
         "roll if your score or the other player's score is 71 or more"),
        ("roll if mine >= 71 and yours >= 71",
         "roll if your score and the other player's score each is 71 or more"),
        ("hold if at_risk >= 21 + (yours - mine)/8",
         "hold if the sum at risk is at least 21 plus an eighth of what you are behind"),
        ("hold if at_risk >= 2*(mine + 3) - yours/11",
         "hold if the sum at risk is at least 2 times (your score plus 3) less one part in 11 "
         "of the other player's score"),
        ("roll if mine - yours >= 40", "roll if what you are ahead is 40 or more"),
        ("roll if mine + at_risk >= target",
         "roll if your score plus the sum at risk is at least the target"),
        ("roll if not mine >= 40", "roll if not: your score is 40 or more"),
        ("take most at_risk + 2*dice",
         "after a throw, take what leaves the most of the sum at risk plus 2 times the number of "
         "dice"),
        ("throw {4 + mine/20}", "throw about 4 plus a twentieth of your score"),
    ],
)  # fmt: skip
def test_a_line_in_words(text, words):
    assert clause_in_words(parsed(text).clauses[0], game("pig")) == words


def test_a_number_that_changes_is_worked_out_at_a_position():
    clause = parsed("hold if at_risk >= 21 + (yours - mine)/8").clauses[0]
    known = {"at_risk": 3, "mine": 10, "yours": 50}.__getitem__
    assert clause_in_words(clause, game("pig"), known).endswith("of what you are behind (26 here)")


def test_a_count_beside_points_is_told_as_points_for_each():
    farkle = game("farkle")  # counts in steps of 50
    clause = parsed("bank if dice < 1 + (at_risk - yours)/4").clauses[0]
    told = clause_in_words(clause, farkle)
    assert told == (
        "bank if the sum at risk less the other player's score is at least 200 for each die "
        "less 100"
    )
    for dice, at_risk, yours in product(range(1, 7), range(25), range(25)):
        rounded = (2 * (at_risk - yours) + 4) // 8  # to the nearest, halves up
        assert (dice < 1 + rounded) == (50 * (at_risk - yours) >= 200 * dice - 100)


def test_ways_of_one_kind_in_a_row_make_one_line():
    rule = parsed("stop if worth >= 4; keep 11; keep 41; keep 21 if yours < 5; keep 1; take first")
    assert rule_in_words(rule, game("421")) == [
        "stop if the worth of the dice is 4 or more",
        "keep 11, else 41",
        "keep 21 if the other's number of tokens is below 5",
        "keep 1",
        "keep nothing more",
    ]
