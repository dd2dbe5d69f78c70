"""Maps over two fields and ladders, for any game."""

from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np
import pytest
from tests.strange_games import Heap

from dicelab import DRAW, LOSS, ONGOING, OTHER, WIN, HouseRules, d6, evaluate, solve
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
    assert figure.get_suptitle() == "Heap: part 2 = 0"
    assert (left.get_xlabel(), left.get_ylabel()) == ("part 1", "chance to win (%)")
    # Before the first turn there are seven matches.
    assert left.collections[0].get_offsets()[:, 0].tolist() == [7]
    assert len(right.collections[0].get_offsets()) == 1


class Tally(NamedTuple):
    """What I have thrown, what the other has, and the throws left of both together."""

    mine: int
    yours: int
    left: int


@dataclass(frozen=True)
class HighTotal(HouseRules):
    """Throw in turn; the higher total wins."""

    name: ClassVar[str] = "high-total"

    def start(self):
        return Tally(0, 0, 4)

    def choices(self, at):
        return ["throw"]

    def outcomes(self, at, move):
        for face, chance in d6:
            yield chance, Tally(at.yours, at.mine + face, at.left - 1), OTHER

    def result(self, at):
        over = WIN if at.mine > at.yours else LOSS if at.mine < at.yours else DRAW
        return ONGOING if at.left else over


def test_a_map_of_one_position_is_over_other_fields(monkeypatch):
    # At the start nobody has anything, so with all throws left there is one position to show.
    monkeypatch.setitem(registry._GAMES, "high-total", HighTotal)
    left = draw("high-total", "map").axes[0]
    assert left.get_ylabel() == "turns left"
    # With 6 against 7 to 12, the last throw wins with 12 - yours faces and draws with one.
    axes = draw("high-total", "map", ["mine=6", "x=yours", "y=left"]).axes[0]
    wins = [100 * (12 - yours + 0.5) / 6 for yours in range(7, 13)]
    assert shown(axes)[0, -6:].tolist() == pytest.approx(wins)


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
