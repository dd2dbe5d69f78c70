"""Utilities of the whole history, against fate trees that know it."""

from fractions import Fraction

import pytest

from dicelab.errors import RulesError, TooLarge
from dicelab.rounds import Round, solve, solve_history, utility
from dicelab.rules.dice import Die


def dice_thrown(memory, step):
    return memory + len(step.thrown)


@pytest.mark.parametrize("player", ["first", "next"])
@pytest.mark.parametrize(("dice", "faces", "casts"), [(2, 3, 3), (3, 2, 3), (2, 2, 2)])
def test_paying_for_each_die_thrown(dice, faces, casts, player, fate_tree):
    game = Round(dice, Die(faces), casts)

    def paid(result, cast, history):
        return sum(result) - sum(len(thrown) for thrown, _ in history) * Fraction(1, 4)

    found = solve_history(
        game, 0, dice_thrown, lambda memory, faces, _: sum(faces) - Fraction(memory, 4), player
    )
    assert found.value == fate_tree(game, paid, player)


def test_counting_the_best_throw_seen_on_the_way(fate_tree):
    # a utility of events, not of kept dice: the largest sum any cast showed
    game = Round(2, Die(3), 2)
    found = solve_history(
        game,
        0,
        lambda best, step: max(best, sum(step.thrown)),
        lambda best, faces, cast: best,
    )
    brute = fate_tree(game, lambda result, cast, history: max(sum(t) for t, _ in history))
    assert found.value == brute


def test_free_dice_are_the_plain_round():
    game = Round()
    tokens = utility("transfer", game)
    found = solve_history(game, 0, dice_thrown, lambda _, result, cast: tokens.of(result))
    assert found.value == solve(game, "transfer").value


def test_the_price_of_dice_changes_what_to_keep():
    # two casts, one die: another throw is worth 7/2 less its price
    game = Round(1, casts=2)
    for price, best in ((0, ["-"]), (1, ["3"])):
        found = solve_history(
            game, 0, dice_thrown, lambda n, faces, _, price=price: faces[0] - price * n
        )
        assert found.best("-", "3", 1, 0) == best


def test_a_table_with_a_memory_nobody_has_is_refused():
    found = solve_history(Round(1, casts=2), 0, dice_thrown, lambda n, faces, _: faces[0])
    with pytest.raises(RulesError) as caught:
        found.best("-", "3", 1, 99)
    assert str(caught.value) == "nobody decides at 3 after cast 1 with the memory 99"


def test_a_worth_that_is_no_number_is_refused():
    with pytest.raises(RulesError) as caught:
        solve_history(Round(1, casts=1), 0, dice_thrown, lambda n, faces, _: "much")
    assert str(caught.value) == "the worth of 1 with the memory 1 is not a number"


def test_a_history_longer_than_python_recurses_is_refused():
    with pytest.raises(TooLarge) as caught:
        solve_history(Round(1, casts=201), 0, dice_thrown, lambda n, faces, _: faces[0])
    assert str(caught.value) == "a history is followed through at most 200 casts: got casts=201"
