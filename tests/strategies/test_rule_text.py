"""Rules of thumb as text: read safely, and played as they say."""

import pytest
from tests.house_games import Hog
from tests.strange_games import Perch

from dicelab import HouseRules, evaluate, game
from dicelab.errors import StrategyError
from dicelab.games.pig import Pig
from dicelab.strategies.named import plan, player
from dicelab.strategies.rule_text import parsed, read_rule
from dicelab.table import compile

NELLER_AND_PRESSER = (
    "rule:roll if mine >= target - 29 or yours >= target - 29; "
    "hold if at_risk >= 21 + (yours - mine)/8; roll"
)


def test_the_rule_of_neller_and_presser_is_the_named_strategy():
    # The named strategy is written in Python, from "Practical Play of the Dice Game Pig" (2010).
    table = compile(Pig(target=60))
    assert plan(table, NELLER_AND_PRESSER).plays_like(plan(table, "end-race-or-keep-pace"))


def test_a_rule_is_a_strategy_for_every_verb_and_a_player():
    met = evaluate(Pig(target=30), "rule:hold if at_risk >= 9; roll", "hold-at:9")
    assert met.value == pytest.approx(0.5)
    sits = player(Pig(), "rule:hold if at_risk >= 20; roll")
    assert (sits(Pig().parse("0-0 +19")), sits(Pig().parse("0-0 +20"))) == ("roll", "hold")


@pytest.mark.parametrize(
    ("rule", "at", "move"),
    [
        ("hold; roll", "0-0 +0", "roll"),  # to hold is not allowed there: the clause is passed over
        ("hold if at_risk > 3 and mine < 5; roll", "4-0 +4", "hold"),
        ("hold if at_risk > 3 and mine < 5; roll", "5-0 +4", "roll"),
        ("roll if not mine >= 5; hold", "4-0 +4", "roll"),
        ("hold if 2 <= at_risk < 5; roll", "0-0 +4", "hold"),
        ("hold if at_risk == 2*mine; roll", "2-0 +4", "hold"),
        ("hold if at_risk >= mine/8; roll", "20-0 +2", "roll"),  # 20/8 is 2.5, which rounds up
        ("hold if at_risk >= mine//8; roll", "20-0 +2", "hold"),
        ("hold if at_risk >= -mine + 6; roll", "4-0 +2", "hold"),
        ("hold if mine >= 99", "4-0 +2", "roll"),  # no clause fits: the first move of the rules
    ],
)
def test_a_rule_says_what_it_says(rule, at, move):
    assert parsed(rule).on(Pig())(Pig().parse(at)) == move


def test_a_number_in_braces_picks_the_nearest_move_there_is():
    hog = game("hog", dice=4)
    rule = parsed("roll {2 + (yours - mine)/10}").on(hog)
    assert rule(hog.parse("0-0")) == "roll 2"
    assert rule(hog.parse("0-90")) == "roll 4"
    assert rule(hog.parse("90-0")) == "roll 0"


def test_rules_play_house_rules_too():
    house = Hog(dice=3, target=10)
    assert parsed("roll {1 + mine/5}").on(house)(house.start()._replace(mine=5)) == "roll 2"
    assert isinstance(house, HouseRules)
    assert 0 < evaluate(house, "rule:roll 2 if mine >= 5; roll 3", "optimal").value <= 0.5


def test_after_a_throw_a_way_is_named_or_the_most_of_something_taken():
    farkle = compile(game("farkle", target=500))
    # The named strategies are written in Python; points are in steps of 50.
    same = {"bank-at:300": "take most at_risk", "cautious": "take most at_risk"}
    rules = {"bank-at:300": "bank if at_risk >= 6; throw", "cautious": "bank; throw"}
    for name, take in same.items():
        one = evaluate(farkle, f"rule:{rules[name]}; {take}", "optimal").value
        assert one == pytest.approx(evaluate(farkle, name, "optimal").value, abs=1e-12)
    perch = compile(Perch())
    told = "rule:hold if risk >= 4; throw; press if risk < 4; bank"
    one = evaluate(perch, told, "random").value
    assert one == pytest.approx(evaluate(perch, "press-below:4", "random").value, abs=1e-12)


def test_numbers_to_remember_are_counted_and_one_that_is_repeated_once():
    assert parsed(NELLER_AND_PRESSER.removeprefix("rule:").replace("target - 29", "71")).size == 3
    assert parsed("roll").size == 0
    assert parsed("roll {4 + mine/4}").size == 2
    assert parsed("roll 5 if mine >= 5; roll 6").size == 3


def test_a_rule_in_a_file_is_a_strategy(tmp_path):
    path = tmp_path / "card.rule"
    path.write_text("# pinned to the wall\nhold if at_risk >= 9  # or so\nroll\n", "utf-8")
    assert str(read_rule(path)) == "hold if at_risk >= 9; roll"
    assert evaluate(Pig(target=30), f"file:{path}", "hold-at:9").value == pytest.approx(0.5)


CANNOT = "a rule compares fields and whole numbers, as in at_risk >= 21 + (yours - mine)/8"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "a rule has a clause or more, as in 'hold if at_risk >= 20; roll'"),
        ("hold if __import__('os')", f"cannot read \"__import__('os')\": {CANNOT}"),
        ("hold if mine.real > 1", f"cannot read 'mine.real > 1': {CANNOT}"),
        ("hold if (mine", f"cannot read '(mine': {CANNOT}"),
        ("hold if mine ** 9 > 1", f"cannot read 'mine ** 9 > 1': {CANNOT}"),
        ("hold if [1][0]", f"cannot read '[1][0]': {CANNOT}"),
        ("hold if mine > 1.5", "a rule has whole numbers of at most 9 digits: got 1.5"),
        ("hold if mine > 12345678901", "a rule has whole numbers of at most 9 digits: "
         "got 12345678901"),
        ("hold if mine/yours > 1", "a rule divides by whole numbers above 0 only: "
         "got 'mine/yours > 1'"),
        ("hold if mine/0 > 1", "a rule divides by whole numbers above 0 only: got 'mine/0 > 1'"),
        ("hold if mine*yours > 1", "a rule multiplies by whole numbers only: "
         "got 'mine*yours > 1'"),
        ("roll {1} {2}", "a move has one pair of braces, as in 'roll {4 + mine/20}': "
         "got 'roll {1} {2}'"),
        ("x" * 4001, "a rule has at most 4,000 letters: got 4,001"),
        ("hold if " + "(" * 3000, f"cannot read '{'(' * 3000}': {CANNOT}"),
    ],
)  # fmt: skip
def test_what_is_no_rule_is_refused(text, sentence):
    with pytest.raises(StrategyError) as refused:
        parsed(text)
    assert str(refused.value) == sentence


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("hold if risk > 3", "pig has no field 'risk'; did you mean 'at_risk'?"),
        ("throw {2}", "pig has no numbered moves 'throw {2}'"),
        ("hodl if mine > 3; roll", "pig has no move 'hodl'; did you mean 'hold'?"),
    ],
)
def test_words_that_the_game_does_not_have_are_refused(text, sentence):
    with pytest.raises(StrategyError) as refused:
        parsed(text).on(Pig())
    assert str(refused.value) == sentence


def test_a_file_that_is_no_rule_is_refused(tmp_path):
    with pytest.raises(StrategyError) as refused:
        plan(compile(Pig(target=3)), f"file:{tmp_path}/none.rule")
    assert str(refused.value) == (
        f"cannot read a rule from '{tmp_path}/none.rule': No such file or directory"
    )


def test_a_list_of_ways_takes_the_first_that_is_open_and_fits():
    four21 = game("421")
    rule = parsed("stop if worth >= 4; keep 42; keep 1; take first").on(four21)
    at = four21.start()
    cast = str(rule(at))
    assert cast == "cast"  # what reads the dice says nothing before they are thrown
    assert rule(at, (1, 1, 4)) == "stop"  # 411 moves four tokens
    assert rule(at, (2, 4, 6)) == "keep 42"
    assert rule(at, (1, 3, 6)) == "keep 1"
    assert rule(at, (3, 5, 6)) == "keep nothing"
    assert [rule.line_at(at, dice) for dice in [(1, 1, 4), (2, 4, 6), (1, 3, 6), (3, 5, 6)]] == [
        0, 1, 2, 3,
    ]  # fmt: skip
    with pytest.raises(StrategyError, match="has no field 'worth'"):
        parsed("take most worth").on(four21)
