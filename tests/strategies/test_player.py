"""A named strategy as someone to play with: asked at one position, it answers as its plan does."""

import numpy as np
import pytest

import dicelab
from dicelab.strategies.named import player

SMALL = {
    "pig": {"target": 30, "passing": True},
    "piglet": {"target": 6},
    "two-dice-pig": {"target": 20, "passing": True},
    "big-pig": {"target": 20, "passing": True},
    "solo-pig": {"target": 20},
    "dice-battle": {"target": 20, "dice": 3},
    "greed": {"max": 12},
}
NEEDS_PASSING = ("roll-and-wait", "skip-when-level")
ASKED = [
    (name, strategy)
    for name, kind in dicelab.all_games().items()
    for strategy in [*kind.strategies, "random"]
    if name in SMALL and not (strategy in NEEDS_PASSING and "passing" not in SMALL[name])
]


@pytest.mark.parametrize(("name", "strategy"), ASKED)
def test_one_answer_is_that_of_the_whole_plan(name, strategy):
    game = dicelab.game(name, **SMALL[name])
    table = dicelab.compile(game)
    whole = dicelab.plan(table, strategy)
    asked = player(game, strategy)
    numbers = np.flatnonzero(table.is_ongoing)[:: max(1, len(table) // 60)]
    assert numbers.size > 5
    for number in numbers.tolist():
        at = table.position(number)
        assert _alone(asked(at)) == _alone(whole.move_at(at))


def _alone(answer):
    """Return a mixture of one move as that move."""
    if isinstance(answer, dict) and len(answer) == 1:
        return next(iter(answer))
    return answer


def test_a_name_nobody_knows_is_refused_and_nothing_is_imported():
    with pytest.raises(dicelab.DicelabError) as refused:
        player(dicelab.game("piglet"), "os:system")
    assert str(refused.value) == "piglet has no strategy 'os'; did you mean 'noisy'?"


def test_an_answer_the_rules_forbid_is_refused_where_it_is_given():
    game = dicelab.game("pig", target=20)
    with pytest.raises(dicelab.DicelabError) as refused:
        player(game, "hold-at:0")(game.start())
    assert str(refused.value) == "hold-at:0 cannot hold at 0-0 +0: you can only roll here"


def test_a_move_that_no_rule_allows_has_no_value():
    solution = dicelab.solve(dicelab.game("pig", target=5))
    with pytest.raises(dicelab.DicelabError) as refused:
        solution.value_of("0-0 +0", "hold")
    assert str(refused.value) == "cannot hold at 0-0 +0: no rule allows that"
