"""Dice Blotto, against one linear program over all throws and by hand."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from at_once_games import by_program
from dicelab import evaluate, explain, exploitability, solve
from dicelab.errors import RulesError, UnknownStrategy
from dicelab.games.dice_blotto import DiceBlotto
from dicelab.rules.dice import Die
from dicelab.strategies.named import plan
from dicelab.table import compile


def met(one, two, faces):
    """Return the chance to win, a draw half, by looking at every throw of all dice."""
    throws = list(product(range(1, faces + 1), repeat=sum(one) + sum(two)))
    score = 0.0
    for throw in throws:
        dice = iter(throw)
        mine = [sum(next(dice) for _ in range(n)) for n in one]
        yours = [sum(next(dice) for _ in range(n)) for n in two]
        lead = sum((a > b) - (a < b) for a, b in zip(mine, yours, strict=True))
        score += 0.5 if lead == 0 else float(lead > 0)
    return score / len(throws)


def ways(dice, fields):
    return [each for each in product(range(dice + 1), repeat=fields) if sum(each) == dice]


@pytest.mark.parametrize(("dice", "fields", "faces"), [(2, 2, 4), (3, 2, 3), (3, 3, 2)])
def test_every_pair_is_worth_what_all_throws_say(dice, fields, faces):
    game = DiceBlotto(dice, fields, Die(faces))
    table, all_ways = compile(game), ways(dice, fields)
    assert sorted(table.moves) == sorted("+".join(map(str, each)) for each in all_ways)
    matrix = np.array([[met(one, two, faces) for two in all_ways] for one in all_ways])
    assert by_program(matrix) == pytest.approx(0.5, abs=1e-9)
    assert solve(table).value == 0.5
    # What best play is sure of, against every way to share out, in that matrix.
    mixture = solve(table, exact=True).opening
    shares = [float(mixture.get("+".join(map(str, each)), 0)) for each in all_ways]
    assert (np.array(shares) @ matrix).min() == pytest.approx(0.5, abs=1e-12)


def test_the_best_reply_is_the_best_row_of_the_matrix():
    game = DiceBlotto(3, 2, Die(3))
    best = max(met(one, (2, 1), 3) for one in ways(3, 2))
    assert float(exploitability(game, "always:2+1", exact=True).value) == pytest.approx(best - 0.5)


def test_three_dice_on_two_fields_need_no_mixture():
    # 2+1 against 1+2 is even, as fields may be exchanged; 3+0 and 0+3 do worse.
    solution = solve(DiceBlotto(3, 2, Die(3)), exact=True)
    assert solution.opening == {"2+1": 1}
    assert met((2, 1), (1, 2), 3) == 0.5
    assert met((2, 1), (3, 0), 3) > 0.5
    assert met((2, 1), (0, 3), 3) > 0.5


def test_five_dice_on_three_fields_are_mixed_and_told_so():
    solution = solve(DiceBlotto(), exact=True)
    assert len(solution.opening) > 1
    assert sum(solution.opening.values()) == 1
    said = explain(solution, "before").sentence
    assert said.startswith("Leave it to chance: play 3+2+0 in ")
    assert said.endswith(". Any other player can then do no better than the value.")


def test_shares_in_a_known_order_can_be_answered_and_shuffled_ones_less():
    table = compile(DiceBlotto())
    known, shuffled = (exploitability(table, name).value for name in ("always:2+2+1", "shuffled"))
    assert known > shuffled > 0
    assert plan(table, "shuffled:3+1+1").move_at("before") == dict.fromkeys(
        ("3+1+1", "1+3+1", "1+1+3"), Fraction(1, 3)
    )
    assert evaluate(table, "always", "shuffled", exact=True).value == Fraction(1, 2)


def test_a_position_is_told_from_both_sides():
    game = DiceBlotto()
    after = game.parse("2-1")
    assert game.describe(game.start()) == "Share 5 dice out over 3 fields."
    assert game.describe(after, mine=False) == "You took 1 field. The other player took 2."
    told = game.narrate(game.start(), "3+1+1", (), after, True, True)
    assert told.text == "You lay 3+1+1 and take 2 fields."
    told = game.narrate(game.start(), "3+1+1", (), game.mirror(after), False, False)
    assert told.text == "The other player lays 3+1+1 and takes 1 field."


def test_parameters_that_make_no_game_are_refused():
    for given, said in (
        ({"dice": 0}, "a die at least: got dice=0"),
        ({"fields": 0}, "a field at least: got fields=0"),
        ({"die": Die({-1: "1/2", 1: "1/2"})}, "faces of 0 or more: got die=-1:1/2,1:1/2"),
        (
            {"dice": 20, "fields": 5},
            "at most 100 ways to share the dice out: got 10,626 with dice=20 fields=5",
        ),
    ):
        with pytest.raises(RulesError) as refused:
            DiceBlotto(**given)
        assert str(refused.value) == f"dice-blotto needs {said}"
    with pytest.raises(UnknownStrategy) as unknown:
        plan(compile(DiceBlotto(2, 2)), "shuffled:3+1")
    assert str(unknown.value) == (
        "shuffled:3+1 cannot be played in dice-blotto dice=2 fields=2: its moves are 2+0, 1+1, 0+2"
    )
