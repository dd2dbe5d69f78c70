"""Maps over two fields and ladders, for any game."""

import numpy as np
import pytest
from tests.strange_games import Heap

from dicelab import evaluate, solve
from dicelab.errors import RulesError
from dicelab.games.pig import Pig
from dicelab.plots.kinds import draw
from dicelab.rules import registry


@pytest.fixture
def heap(monkeypatch):
    """Make a game of plain tuples known by name."""
    monkeypatch.setitem(registry._GAMES, "heap", Heap)
    return "heap"


def shown(axes):
    """Return the numbers of a map. `[up, across]`"""
    return axes.get_images()[0].get_array()


def test_a_map_shows_what_positions_are_worth():
    left = draw("pig", "map", ["target=30", "x=mine", "y=yours", "at_risk=5"]).axes[0]
    solution = solve(Pig(target=30))
    for mine, yours in [(0, 10), (10, 0), (20, 24)]:
        value = solution.value_at(f"{mine}-{yours} +5")
        assert shown(left)[yours, mine] == pytest.approx(100 * value)
    assert (left.get_xlabel(), left.get_ylabel()) == ("my bank", "the other player's bank")
    # Nobody has 29 and 5 at risk, which would have won; nor a bank of 1.
    assert np.ma.getmaskarray(shown(left))[0, 1] or np.isnan(shown(left)[0, 1])


def test_a_map_shows_the_best_move():
    arguments = ["target=60", "x=mine", "y=at_risk", "yours=20"]
    right = draw("pig", "map", arguments).axes[1]
    plan = solve(Pig(target=60)).plan
    names = [text.get_text() for text in right.get_legend().get_texts()]
    for at_risk in (10, 20, 30):
        number = shown(right)[at_risk, 20]
        assert names[int(number)] == plan.move_at(f"20-20 +{at_risk}")


def test_a_game_of_plain_tuples_has_a_map_too(heap):
    figure = draw(heap, "map", ["x=part_1", "part_2=0"])
    left, right = figure.axes
    assert figure.get_suptitle() == "Heap: part 2 0"
    assert (left.get_xlabel(), left.get_ylabel()) == ("part 1", "chance to win (%)")
    # Before the first turn there are seven matches.
    assert left.collections[0].get_offsets()[:, 0].tolist() == [7]
    assert len(right.collections[0].get_offsets()) == 1


def test_a_ladder_has_a_rung_for_every_strategy():
    axes = draw("pig", "ladder", ["target=20"]).axes[0]
    rungs = {
        label.get_text(): bar.get_width()
        for label, bar in zip(axes.get_yticklabels(), axes.patches, strict=True)
    }
    turtle = evaluate(Pig(target=20), "turtle", "optimal").value
    assert rungs["turtle"] == pytest.approx(100 * turtle)
    assert rungs["optimal"] == pytest.approx(50)
    assert list(rungs.values()) == sorted(rungs.values())


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["x=min"], "pig target=20 has no field 'min' to map; did you mean 'mine'?"),
        (["x=mine", "y=mine"], "a map is over two fields: got mine twice"),
        (["x=mine", "y=yours", "at_risk=a"], "at_risk is a whole number: got 'a'"),
        (
            ["x=mine", "y=yours", "at_risk=90"],
            "pig target=20 has no position with at_risk=90 where somebody moves",
        ),
    ],
)
def test_what_cannot_be_mapped_is_refused(arguments, sentence):
    with pytest.raises(RulesError) as refused:
        draw("pig", "map", ["target=20", *arguments])
    assert str(refused.value) == sentence
