"""Figures of three players and more, their numbers against the solution."""

import numpy as np
import pytest

from dicelab import density, evaluate, game, solve
from dicelab.errors import RulesError
from dicelab.plots.kinds import draw

PIGLET = ["players=3", "target=6"]


@pytest.fixture(scope="module")
def solution():
    return solve(game("piglet", players=3, target=6))


def test_the_best_way_to_play_for_three_is_drawn_over_two_banks(solution):
    figure = draw("piglet", "best", PIGLET)
    assert figure.get_suptitle().startswith("piglet target=6 players=3: the players in turn get ")
    panels = figure.axes[:6]
    titles = [axes.get_title(loc="left") for axes in panels[:3]]
    assert titles[-1] == "the third player has 5"
    values = panels[2].get_images()[0].get_array()
    holds = panels[5].get_images()[0].get_array()
    for mine, yours in [(0, 0), (3, 1), (2, 5)]:
        at = f"{mine}-{yours}-5"
        assert values[yours, mine] == pytest.approx(100 * solution.value_at(f"{at} +0"))
        risks = range(1, 6 - mine)
        least = next((r for r in risks if solution.plan.move_at(f"{at} +{r}") == "hold"), None)
        drawn = holds[yours, mine]
        assert least == drawn if least else np.isnan(drawn) or np.ma.is_masked(drawn)


def test_a_map_for_three_takes_the_bank_of_the_third(solution):
    left = draw("piglet", "map", [*PIGLET, "x=mine", "y=third", "yours=2"]).axes[0]
    shown = left.get_images()[0].get_array()
    assert shown[4, 1] == pytest.approx(100 * solution.value_at("1-2-4 +0"))


def test_a_ladder_for_three_tells_what_one_gets_among_players_of_the_strategy_found(solution):
    axes = draw("piglet", "ladder", ["random", "optimal", *PIGLET]).axes[0]
    bars = {
        label.get_text(): bar.get_width()
        for label, bar in zip(axes.get_yticklabels(), axes.patches, strict=True)
    }
    found = evaluate(solution.table, "random", [solution.plan] * 2)
    assert bars["random"] == pytest.approx(100 * float(found.overall[0]))
    assert bars["optimal"] == pytest.approx(100 / 3)


def test_the_length_of_a_game_of_three_is_drawn(solution):
    left = draw("piglet", "length", ["random", "optimal", "hold-at:1", *PIGLET]).axes[0]
    truth = density(solution.table, "random", ["optimal", "hold-at:1"])
    assert f"{truth.mean_length:.1f} turns on average" in left.get_title(loc="left")
    with pytest.raises(RulesError) as refused:
        draw("piglet", "length", ["random", "optimal", "random"])
    assert str(refused.value) == (
        "piglet is played by 2: name as many strategies or fewer; got random optimal random"
    )


def test_throws_of_three_are_drawn_as_moves():
    figure = draw("greed", "best", ["players=3", "max=5", "sides=3"])
    assert "has gone bust" in figure.axes[2].get_title(loc="left")


def test_figures_over_two_banks_are_for_two():
    with pytest.raises(RulesError) as refused:
        draw("pig", "boundary", ["players=3", "target=9"])
    assert str(refused.value).startswith(
        "pig target=9 players=3 is played by 3 and cannot be drawn as 'boundary': "
    )
