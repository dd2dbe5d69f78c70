"""distil for scorecards: pars that a person can remember."""

from itertools import product

import pytest

from dicelab import compile, distil, evaluate, game, solve
from dicelab.errors import RulesError, TooLarge

CARD = game("yahtzee", dice=2, casts=2, enough=12, bonus=10, only="aces+sixes+chance")


def test_what_is_told_of_pars_is_what_evaluate_finds():
    found = distil(CARD)
    assert found.optimum == pytest.approx(float(solve(CARD).value))
    values = [one.value for one in found.rules]
    assert values == sorted(values)
    for one in found.rules:
        assert float(evaluate(CARD, one.rule.name).value) == pytest.approx(one.value)
        assert one.cost == pytest.approx(found.optimum - one.value)


def test_no_other_pars_of_a_small_card_are_much_better():
    # Only what is above par counts, so pars that are all higher by as much are the same rule.
    every = [
        pars for pars in product(range(0, 8, 2), range(0, 24, 2), range(0, 14, 2)) if min(pars) == 0
    ]
    table = compile(CARD)
    best = max(
        float(evaluate(table, f"pars:aces={one}+sixes={two}+chance={three}").value)
        for one, two, three in every
    )
    assert distil(CARD, compare=False).best.value >= best - 0.1


def test_the_named_strategies_stand_beside():
    found = distil(CARD, 0)
    costs = dict(found.named)
    greedy = found.optimum - float(evaluate(CARD, "greedy").value)
    assert costs["greedy"] == pytest.approx(greedy)
    assert found.best.cost == pytest.approx(greedy)  # without a number one is greedy


def test_pars_are_saved_and_read_again(tmp_path):
    found = distil(CARD, compare=False)
    path = tmp_path / "card.rule"
    path.write_text(found.card(), encoding="utf-8")
    assert float(evaluate(CARD, f"file:{path}").value) == pytest.approx(found.best.value)
    large = game("yahtzee", dice=3, only="aces+twos+threes+sixes+chance")
    again = distil(large, 2, tries=4, compare=False)
    path.write_text(again.card(), encoding="utf-8")
    assert float(evaluate(large, f"file:{path}").value) == pytest.approx(again.best.value)


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        ({"size": -1}, "a rule has 0 numbers or more: got -1"),
        ({"tries": 0}, "at least one way to play is tried: got 0"),
        ({"size": 99}, f"pars of {CARD} are at most 3 numbers: got 99"),
    ],
)
def test_a_search_for_nothing_is_refused(asked, sentence):
    with pytest.raises(RulesError) as refused:
        distil(CARD, **asked)
    assert str(refused.value) == sentence


def test_a_limit_of_memory_is_kept():
    with pytest.raises(TooLarge) as refused:
        distil(game("yahtzee"), memory=10**6)
    assert str(refused.value).startswith("finding pars of yahtzee needs about 0.0")
    assert str(refused.value).endswith("GB; the limit is 0.001 GB (--memory)")
