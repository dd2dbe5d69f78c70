"""Maps of scorecards, against means over the games that the rules themselves play."""

from fractions import Fraction

import pytest

from dicelab import game, solve
from dicelab.errors import RulesError
from dicelab.plots.kinds import draw
from dicelab.verbs.card_play import optimal_card
from dicelab.verbs.card_visits import card_visits

SMALL = ["dice=2", "casts=1", "enough=2", "bonus=5", "only=aces+sixes+chance"]


def test_cards_are_met_as_often_as_a_player_with_one_cast_comes_to_them():
    # With one cast there is nothing to keep. Of aces alone, enough=2: two aces have 1 chance in 36.
    card = game("yahtzee", dice=2, casts=1, enough=2, bonus=5, only="aces+chance")
    first, *rest = card_visits(card, optimal_card(card))
    assert first.chance.tolist() == [1.0]
    assert first.boxes.sum() == pytest.approx(1)
    assert sum(float(visit.chance.sum()) for visit in rest) == pytest.approx(1)
    one_ace = [visit.chance for visit in rest if visit.card == 1]
    # 1+1 brings 2 and the bonus in aces: better than 2 in chance, and nobody takes less there
    assert one_ace[0][2] == pytest.approx(float(Fraction(1, 36)))


def test_the_first_round_of_a_map_is_the_value_of_the_game():
    figure = draw("yahtzee", "map", SMALL)
    shown = figure.axes[0].images[0].get_array()
    value = solve(game("yahtzee", dice=2, casts=1, enough=2, bonus=5, only="aces+sixes+chance"))
    assert float(shown[0, 0]) == pytest.approx(float(value.value))
    assert figure.axes[0].get_xlabel() == "round"
    assert figure.axes[0].get_ylabel() == "counted"


def test_a_map_of_a_card_holds_other_fields_fast():
    # Only chance is open in the last round then: two dice bring 7 on average.
    figure = draw("yahtzee", "map", [*SMALL, "x=round", "y=chance", "aces=1", "sixes=1"])
    shown = figure.axes[0].images[0].get_array()
    assert shown.shape == (1, 1)
    assert float(shown[0, 0]) == pytest.approx(7)


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        (["x=rounds"], "has no field 'rounds' to map; did you mean 'round'?"),
        (["x=aces", "y=aces"], "a map is over two fields: got aces twice"),
        (["x=aces", "aces=1"], "aces is an axis of the map: leave out aces=1"),
        (["aces=few"], "aces is a whole number: got 'few'"),
        (["aces=7"], "has no card with aces 7 where a box is open and best play comes"),
    ],
)
def test_what_a_card_has_no_map_of_is_refused(asked, sentence):
    with pytest.raises(RulesError) as refused:
        draw("yahtzee", "map", [*SMALL, *asked])
    assert str(refused.value).endswith(sentence)
