"""Rock, paper, scissors with a bonus die, against linear programs and by hand."""

from fractions import Fraction

import numpy as np
import pytest

from at_once_games import by_program
from dicelab import evaluate, exploitability, solve
from dicelab.errors import RulesError, UnknownStrategy
from dicelab.games.bonus_fists import BonusFists
from dicelab.rules.dice import Die
from dicelab.strategies.named import plan
from dicelab.table import compile

WINS = {("rock", "scissors"), ("scissors", "paper"), ("paper", "rock")}
FISTS = ("rock", "paper", "scissors")


def by_programs(target, faces):
    """Return the chance to win at every pair of scores, told anew, by linear programs.

    A draw leads back, so each position is a fixed point of its own: iterated until it settles.
    """
    found = {}

    def worth(i, j):
        return 1.0 if i >= target else 0.0 if j >= target else found[i, j]

    def entry(one, two, i, j):
        if one == two:
            return found[i, j]
        winner = one if (one, two) in WINS else two
        points = range(1, faces + 1) if winner == "rock" else [1]
        ends = [worth(i + p, j) if winner == one else worth(i, j + p) for p in points]
        return sum(ends) / len(ends)

    for i in range(target - 1, -1, -1):
        for j in range(target - 1, -1, -1):
            found[i, j], before = 0.5, -1.0
            while abs(found[i, j] - before) > 1e-13:
                before = found[i, j]
                matrix = [[entry(one, two, i, j) for two in FISTS] for one in FISTS]
                found[i, j] = by_program(np.array(matrix))
    return found


@pytest.mark.parametrize(("target", "faces"), [(2, 2), (4, 6)])
def test_every_pair_of_scores_is_worth_what_linear_programs_say(target, faces):
    solution = solve(BonusFists(target, Die(faces)))
    for (i, j), value in by_programs(target, faces).items():
        assert solution.value_at(f"{i}-{j}") == pytest.approx(value, abs=1e-8)
    assert (solution.uppers - solution.lowers).max() < 1e-11


def test_to_one_all_are_alike():
    assert solve(BonusFists(target=1), exact=True).opening == dict.fromkeys(FISTS, Fraction(1, 3))


def test_a_bonus_for_rock_makes_paper_the_likeliest():
    opening = solve(BonusFists()).opening
    assert max(opening, key=opening.get) == "paper"


def test_who_always_shows_rock_loses_every_turn():
    assert exploitability(BonusFists(target=3), "always", exact=True).value == Fraction(1, 2)
    played = evaluate(BonusFists(target=3), lambda at: "paper", "always:rock", exact=True)
    assert played.first == 1


def test_two_who_always_show_the_same_never_end():
    assert evaluate(BonusFists(target=2), "always", "always").never_ends == 1


def test_parameters_that_make_no_game_are_refused():
    with pytest.raises(RulesError, match=r"bonus-fists needs a target of at least 1: got target=0"):
        BonusFists(target=0)
    said = r"always:fire cannot be played in bonus-fists: its moves are rock, paper, scissors$"
    with pytest.raises(UnknownStrategy, match=said):
        plan(compile(BonusFists()), "always:fire")
