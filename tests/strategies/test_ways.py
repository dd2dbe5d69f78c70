"""Ways after throws, of strategies that mix."""

from fractions import Fraction

import numpy as np
import pytest

from dicelab import Moment, compile, game
from dicelab.strategies.named import plan, player
from dicelab.strategies.ways import _numbered
from dicelab.table.unfolded import unfolded_table


def test_equal_chances_have_one_number_though_they_are_different_objects():
    half, third = Fraction(1, 2), Fraction(1, 3)
    which, chances = _numbered(np.array([half, third, Fraction(2, 4), half, Fraction(0)], object))
    assert [chances[number] for number in which] == [half, third, half, half, 0]
    assert len(chances) == 3


CHOOSING = [
    ("farkle", {"dice": 3, "target": 300}, "bank-at:100"),
    ("farkle", {"dice": 3, "target": 300}, "random"),
    ("421", {"tokens": 1, "die": 4}, "beat"),
    ("bear-off", {"chequers": 2, "points": 3, "die": 4}, "random"),
]


@pytest.mark.parametrize("most", [1, 7, 64])
@pytest.mark.parametrize(("name", "parameters", "strategy"), CHOOSING)
def test_a_plan_is_the_same_however_many_positions_are_asked_about_in_a_call(
    name, parameters, strategy, most, monkeypatch
):
    table = compile(game(name, **parameters))
    whole = plan(table, strategy)
    unfolded = unfolded_table(table)
    assert len(table) > most
    monkeypatch.setattr("dicelab.table.unfolded.MOST_ASKED", most)
    few = plan(table, strategy)
    assert few.ways.tolist() == whole.ways.tolist()
    table = compile(game(name, **parameters))  # the other remembers its own
    again = unfolded_table(table)
    assert [again.moves[move] for move in again.move] == [
        unfolded.moves[move] for move in unfolded.move
    ]


@pytest.mark.parametrize(("name", "parameters", "strategy"), CHOOSING)
def test_a_plan_takes_the_ways_that_its_strategy_says_at_each_moment(name, parameters, strategy):
    table = compile(game(name, **parameters))
    taken, says = plan(table, strategy), player(table.game, strategy)
    met = 0
    here = np.flatnonzero(table.is_ongoing)
    for at in table.each(here):
        chosen = taken.move_at(at)
        for move in chosen if isinstance(chosen, dict) else [chosen]:
            for _, then in table.game.law(at, move):
                if isinstance(then.at, Moment):
                    met += 1
                    assert taken.move_at(then.at) == says(then.at)
    assert met > 100
