"""The figure of a card: the rule one would pin to the wall."""

from tests.strange_games import Heap

from dicelab.games.pig import Pig
from dicelab.plots.cards import card_figure
from dicelab.plots.style import house_style
from dicelab.strategies.rule_text import parsed
from dicelab.verbs.distil import Card
from dicelab.verbs.rule_search import Distilled


def test_a_card_tells_its_rule_in_words():
    rule = parsed("hold if at_risk >= 20; roll")
    one = Distilled(rule, 0.46, 0.0, 0.04, "the best found")
    card = Card(Pig(), ("optimal",), "chance to win", 0.5, (one,), (), 1, 1, 0.0)
    with house_style():
        told = card_figure(card).axes[0].texts
    assert told[0].get_text() == "1.  hold if the sum at risk is 20 or more\n2.  roll"
    assert "Costs 4.00% a game, against optimal." in told[1].get_text().replace("\n", " ")


def test_a_part_of_a_plain_tuple_is_called_by_its_number():
    assert Heap().field_in_words("part_2") == "part 2"
    assert Heap().field_in_words("fine") == "the fine"
