"""Pig at once, against linear programs and by hand."""

from fractions import Fraction

import numpy as np
import pytest

from at_once_games import by_program
from dicelab import evaluate, explain, exploitability, solve
from dicelab.errors import RulesError
from dicelab.games.pig_at_once import PigAtOnce
from dicelab.rules.dice import Die
from dicelab.strategies.named import plan
from dicelab.table import compile

IN, OUT = True, False


def by_programs(target, faces):
    """Return the chance to win where every round begins, told anew, by linear programs.

    A player is (bank, at risk, in or out). What both do is a matrix game while both are in; the
    round may lead back to its beginning by two busts, so that is iterated until it settles.
    """
    begins = {}

    def rolled(player):
        bank, risk, _ = player
        for face in range(1, faces + 1):
            if face == 1:
                yield bank, 0, OUT
            elif bank + risk + face >= target:
                yield target, 0, OUT
            else:
                yield bank, risk + face, IN

    def done(player, move):
        if move == "roll":
            return list(rolled(player))
        return [(player[0] + player[1], 0, OUT)]

    def worth(one, two, known):
        if not one[2] and not two[2]:
            i, j = one[0], two[0]
            if i >= target or j >= target:
                return 0.5 if i == j else float(i > j)
            return begins[i, j]
        if (one, two) not in known:
            ways = [
                ["out"] if not each[2] else ["roll"] + ["hold"] * (each[1] > 0)
                for each in (one, two)
            ]
            known[one, two] = by_program(
                np.array(
                    [[mean(done(one, a), done(two, b), known) for b in ways[1]] for a in ways[0]]
                )
            )
        return known[one, two]

    def mean(ones, twos, known):
        return sum(worth(a, b, known) for a in ones for b in twos) / (len(ones) * len(twos))

    for total in range(2 * target - 2, -1, -1):
        for i in range(max(0, total - target + 1), min(target, total + 1)):
            j, before = total - i, None
            begins[i, j] = 0.5
            while before is None or abs(begins[i, j] - before) > 1e-13:
                before = begins[i, j]
                begins[i, j] = worth((i, 0, IN), (j, 0, IN), {})
    return begins


@pytest.mark.parametrize(("target", "faces"), [(4, 6), (5, 3)])
def test_every_round_is_worth_what_linear_programs_say(target, faces):
    solution = solve(PigAtOnce(target, Die(faces)))
    for (i, j), value in by_programs(target, faces).items():
        assert solution.value_at(f"{i}-{j}") == pytest.approx(value, abs=1e-9)
    assert (solution.uppers - solution.lowers).max() < 1e-11


def test_one_roll_decides_a_race_to_two():
    # From 0-0 each roll but a 1 is enough: both get there (25/36, a draw), one does, or all again.
    game = PigAtOnce(target=2)
    assert solve(game, exact=True).value == Fraction(1, 2)
    played = evaluate(game, "hold-at", "hold-at", exact=True)
    assert played.a_first.draws == Fraction(25, 36) / (1 - Fraction(1, 36))


def test_who_is_out_waits_and_a_round_begins_with_a_roll():
    game = PigAtOnce(target=20)
    assert game.legal_moves(game.parse("3-4")) == ["roll"]
    assert game.legal_moves(game.parse("3-4 +0-2")) == ["wait"]
    assert game.legal_moves(game.parse("3-4 +2-0")) == ["roll", "hold"]
    law = {
        str(game.notation(o.at)): c
        for c, o in game.law_of_both(game.parse("3-4 +5-2"), "hold", "roll")
    }
    assert law["8-4 +0-0"] == law["8-4 +0-8"] == Fraction(1, 6)


def test_against_one_who_is_there_only_a_roll_helps():
    # The other player is at the target: to hold 2 of 10 loses, to roll on may still draw.
    table = compile(PigAtOnce(target=10))
    assert plan(table, "hold-at:2").move_at("0-10 +2-0") == "hold"
    assert plan(table, "catch-up:2").move_at("0-10 +2-0") == "roll"
    told = explain(solve(table), "0-10 +2-0")
    assert [(each.move, each.lower > 0) for each in told.moves] == [("roll", True), ("hold", False)]


@pytest.mark.parametrize("sides", [3, 4])
def test_exact_mode_gives_rationals_in_circles_and_nobody_profits(sides):
    game = PigAtOnce(4, Die(sides))
    exact, rough = solve(game, exact=True), solve(game)
    for number, value in enumerate(exact.values):
        assert Fraction(rough.lowers[number]) <= value <= Fraction(rough.uppers[number])
    assert exploitability(game, "optimal", exact=True).value == 0
    assert evaluate(game, "optimal", "optimal", exact=True).value == Fraction(1, 2)


def test_a_position_is_told_from_both_sides():
    game = PigAtOnce(target=20)
    at = game.parse("3-4 +5-0")
    assert game.describe(at) == (
        "You have 3 and 5 at risk. The other player has 4 and is out of the round."
    )
    assert game.describe(at, mine=False) == (
        "You have 4 and are out of the round. The other player has 3 and 5 at risk."
    )
    told = game.narrate(at, "roll", (), game.parse("3-4 +9-0"), True, True)
    assert told.text == "You roll a 4."
    assert game.narrate(at, "roll", (), game.parse("3-4"), False, False).text == (
        "The other player rolls a 1 and loses the round."
    )


def test_parameters_that_make_no_game_are_refused():
    with pytest.raises(
        RulesError, match=r"^pig-at-once needs a target of at least 1: got target=0$"
    ):
        PigAtOnce(target=0)
    said = r"^pig-at-once needs faces of 1 or more besides the 1: got die=0:1/2,1:1/2$"
    with pytest.raises(RulesError, match=said):
        PigAtOnce(die=Die({0: "1/2", 1: "1/2"}))
