"""Strategies: functions, mixtures, names, and what is said when one misbehaves."""

from fractions import Fraction

import numpy as np
import pytest

from dicelab import Chance, Die, compile, evaluate, on_arrays, plan, solve
from dicelab.errors import IllegalMove, RulesError, StrategyError, UnknownStrategy, WrongTable
from dicelab.games.pig import Pig, PigPosition
from dicelab.games.pig.solo import SoloPig
from dicelab.rules import where
from dicelab.strategies.named import rule_of

TABLE = compile(Pig(target=10))


def hold_at_four(at: PigPosition):
    return "hold" if at.at_risk >= 4 else "roll"


@on_arrays
def hold_at_four_at_once(at: PigPosition):
    return where(at.at_risk >= 4, "hold", "roll")


def half_and_half(at: PigPosition):
    return {"roll": 0.5, "hold": "1/2"} if at.at_risk else "roll"


@on_arrays
def half_and_half_at_once(at: PigPosition):
    return {
        "roll": Chance(where(at.at_risk > 0, 1, 2), 2),
        "hold": Chance(where(at.at_risk > 0, 1, 0), 2),
    }


def test_a_function_a_name_and_an_array_function_make_the_same_plan():
    named = plan(TABLE, "hold-at:4")
    assert plan(TABLE, hold_at_four).plays_like(named)
    assert plan(TABLE, hold_at_four_at_once).plays_like(named)
    assert plan(TABLE, hold_at_four).name == "hold_at_four"
    assert named.move_at("0-0 +4") == "hold"
    assert not named.is_mixed


def test_an_array_function_is_asked_at_once_and_a_plain_one_at_every_position():
    asked = []

    def watched(at):
        asked.append(at)
        return "roll"

    plan(TABLE, watched)
    assert len(asked) == TABLE.is_ongoing.sum()
    assert all(isinstance(field, int) for at in asked for field in at)
    asked.clear()
    plan(TABLE, on_arrays(watched))
    assert 1 <= len(asked) <= 3  # to see what it looks at, and then for all of that
    assert all(isinstance(at.mine, np.ndarray) for at in asked[:1])


def test_a_mixture_may_be_written_in_floats_strings_or_fractions():
    one, two = plan(TABLE, half_and_half), plan(TABLE, half_and_half_at_once)
    assert one.is_mixed
    assert one.plays_like(two)
    assert one.move_at("0-0 +3") == {"roll": Fraction(1, 2), "hold": Fraction(1, 2)}
    assert one.move_at("0-0 +0") == {"roll": 1}
    assert one.plays_like(plan(TABLE, "random"))


def test_a_mixture_computed_in_floats_may_be_off_by_a_rounding():
    weights = np.array([0.3, 0.3, 0.4]) / np.array([0.3, 0.3, 0.4]).sum()

    def third(at):
        if not at.at_risk:
            return "roll"
        return {"roll": float(weights[0] + weights[1]), "hold": float(weights[2])}

    made = plan(TABLE, third)
    assert sum(made.move_at("0-0 +3").values()) == 1


def test_a_mixture_fares_between_the_moves_it_mixes():
    # Two sides, target 4: rolling to win needs two 2s in a row, v = 1/4 + 3/4 (1 - v) = 4/7.
    game, other = Pig(target=4, die=Die(2)), "roll-to-win"
    holds, rolls = (evaluate(game, f"hold-at:{n}", other, exact=True).first for n in (2, 4))
    assert rolls == Fraction(4, 7)
    mixed = evaluate(game, half_and_half, other, exact=True).first
    assert min(holds, rolls) < mixed < max(holds, rolls)


def test_optimal_and_random_are_names_of_every_game():
    assert plan(TABLE, "optimal").plays_like(solve(Pig(target=10)).plan)
    assert plan(TABLE, "random").move_at("0-0 +0") == {"roll": 1}


def test_a_plan_moves_to_another_table_of_the_same_game_and_to_no_other():
    made = plan(TABLE, "hold-at:4")
    again = compile(Pig(target=10))
    assert plan(again, made).table is again
    assert plan(again, made).move_at("0-0 +4") == "hold"
    with pytest.raises(WrongTable) as refused:
        plan(compile(Pig(target=11)), made)
    assert str(refused.value) == (
        "'hold-at:4' is a strategy for pig target=10: it cannot play pig target=11"
    )


@pytest.mark.parametrize(
    ("strategy", "kind", "message"),
    [
        (
            "hold-att",
            UnknownStrategy,
            "pig has no strategy 'hold-att'; did you mean 'hold-at'?",
        ),
        ("hold-at:x", UnknownStrategy, "hold-at:points must be a whole number: got 'x'"),
        ("hold-at:1,2", UnknownStrategy, "hold-at takes at most 1 parameters: got '1,2'"),
        ("turtle:3", UnknownStrategy, "turtle takes no parameters: got '3'"),
        (7, StrategyError, "a strategy is a name, a function or a Plan: got 7"),
    ],
)
def test_a_name_that_is_not_a_strategy_is_refused(strategy, kind, message):
    with pytest.raises(kind) as refused:
        plan(TABLE, strategy)
    assert str(refused.value) == message


def odd_at(text, answer):
    """Return a function that answers oddly at one position and rolls at all others."""
    place = Pig().parse(text)

    def odd(at):
        if at != place:
            return "roll"
        return answer() if callable(answer) else answer

    return odd


@pytest.mark.parametrize(
    ("at", "answer", "kind", "message"),
    [
        ("3-4 +0", "hold", IllegalMove, "odd cannot hold at 3-4 +0: you can only roll here"),
        (
            "3-4 +0",
            {"roll": 0.5, "hold": 0.5},
            IllegalMove,
            "odd cannot hold at 3-4 +0: you can only roll here",
        ),
        (
            "3-4 +5",
            "fold",
            IllegalMove,
            "odd answered 'fold' at 3-4 +5, which is no move of pig: you can roll or hold here",
        ),
        (
            "3-4 +5",
            None,
            StrategyError,
            "odd answered None at 3-4 +5: answer roll or hold, or their chances",
        ),
        (
            "3-4 +5",
            lambda: 1 // 0,
            StrategyError,
            "odd failed at 3-4 +5: ZeroDivisionError: integer division or modulo by zero",
        ),
        (
            "3-4 +5",
            {"roll": "3/4", "hold": "3/4"},
            StrategyError,
            "odd gave chances at 3-4 +5 that sum to 3/2: they must sum to 1",
        ),
        (
            "3-4 +5",
            {"roll": -1, "hold": 2},
            StrategyError,
            "odd gave the chance -1 at 3-4 +5: a chance is a number from 0 to 1",
        ),
        (
            "3-4 +5",
            {"roll": float("nan")},
            StrategyError,
            "odd gave the chance nan at 3-4 +5: a chance is a number from 0 to 1",
        ),
        (
            "3-4 +5",
            {},
            StrategyError,
            "odd gave chances at 3-4 +5 that sum to 0: they must sum to 1",
        ),
    ],
)
def test_a_strategy_that_misbehaves_is_named_with_the_position(at, answer, kind, message):
    with pytest.raises(kind) as refused:
        plan(TABLE, odd_at(at, answer))
    assert str(refused.value) == message


def test_an_array_strategy_that_misbehaves_is_named_too():
    @on_arrays
    def fails(at):
        return at.mine[10**6]

    @on_arrays
    def short(at):
        return np.array(["roll", "hold"])

    with pytest.raises(StrategyError) as refused:
        plan(TABLE, fails)
    count = int(TABLE.is_ongoing.sum())
    assert str(refused.value) == (
        f"fails failed on an array of {count} positions: IndexError: index 1000000 is out of "
        f"bounds for axis 0 with size {count}"
    )
    with pytest.raises(StrategyError, match=rf"^short failed on an array of {count} positions: "):
        plan(TABLE, short)


def test_a_solo_game_takes_one_strategy_and_a_game_for_two_takes_two():
    with pytest.raises(RulesError) as refused:
        evaluate(SoloPig(target=5), "hold-at:2", "hold-at:2")
    assert str(refused.value) == (
        "solo-pig target=5 is played alone: leave out the second strategy"
    )
    with pytest.raises(RulesError) as refused:
        evaluate(Pig(target=5), "hold-at:2")
    assert str(refused.value) == ("pig target=5 is played by two: say whom hold-at:2 plays against")


def test_a_plan_says_nothing_where_the_game_is_over():
    with pytest.raises(IllegalMove) as refused:
        plan(TABLE, "hold-at:4").move_at("6-0 +4")
    assert str(refused.value) == "the game is over at 6-0 +4: nobody moves"


def test_a_named_strategy_has_a_rule_and_a_table_has_none():
    rule = rule_of(TABLE.game, "hold-at:4")
    assert [rule(TABLE.game.parse(f"0-0 +{points}")) for points in (3, 4)] == ["roll", "hold"]
    assert rule_of(TABLE.game, "optimal") is None
    assert rule_of(TABLE.game, len) is len


def test_what_a_strategy_refuses_it_refuses_in_its_own_words():
    @on_arrays
    def refuses(at):
        raise RulesError(f"not today, with {at.mine.size} positions")

    with pytest.raises(RulesError, match=f"^not today, with {TABLE.is_ongoing.sum()} positions$"):
        plan(TABLE, refuses)
