"""Which rule of thumb covers this position."""

import pytest

from dicelab import evaluate, game
from dicelab.errors import RulesError
from dicelab.games.pig import Pig
from dicelab.strategies.rule_text import parsed
from dicelab.verbs.rule_of_thumb import Covered, RuleOfThumb, rule_of_thumb

BY_HAND = RuleOfThumb(
    Pig(), parsed("roll if mine >= 71 or yours >= 71; hold if at_risk >= 21 + (yours - mine)/8")
)


@pytest.mark.parametrize(
    ("position", "line", "move"),
    [
        ("80-0 +20", 1, "roll"),  # the end race
        ("0-71 +30", 1, "roll"),
        ("0-40 +26", 2, "hold"),  # 21 + 40/8 = 26
        ("0-40 +25", None, "roll"),  # no line fits: the first move that is allowed
        ("0-0 +0", None, "roll"),
    ],
)
def test_the_first_line_that_fits_covers_a_position(position, line, move):
    covered = BY_HAND.at(position)
    assert (covered.line, covered.move) == (line, move)


def test_a_line_is_told_with_its_number_at_that_position():
    words = "hold if the sum at risk is at least 21 plus an eighth of what you are behind (26 here)"
    text = "hold if at_risk >= 21 + (yours - mine)/8"
    assert BY_HAND.at("0-40 +26") == Covered(2, text, words, "hold")
    assert BY_HAND.at("0-40 +25").words == "no line fits: roll"


def test_after_a_throw_the_line_about_taking_covers():
    rules = game("farkle", target=500)
    rule = RuleOfThumb(rules, parsed("bank if at_risk >= 6; roll; take most at_risk"))
    covered = rule.at("0-0 threw 1 1 5")
    assert covered.line == 3
    told = "after a throw, take what leaves the most of the sum at risk"
    assert covered.words == told
    assert covered.move == rule.rule.on(rules)(*_moment(rules, "0-0 threw 1 1 5"))


def _moment(rules, text):
    here = rules.read(text)
    return here.at, here.dice


def test_a_rule_that_is_found_costs_what_evaluate_finds():
    rules = Pig(target=30)
    found = rule_of_thumb(rules, size=1, tries=30)
    assert found.rule.size <= 1
    assert found.cost == pytest.approx(0.5 - evaluate(rules, found.name, "optimal").value)
    told = found.as_dict()
    assert told["lines"] == list(found.lines)
    assert told["strategy"] == found.name


def test_a_game_without_such_rules_is_refused_as_distil_does():
    with pytest.raises(RulesError, match="has no fields that are numbers to a player"):
        rule_of_thumb(game("craps"))
