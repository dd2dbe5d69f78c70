"""Tables of the moves that strategies make: the same play, and never anything else than play."""

from typing import ClassVar

import numpy as np
import pytest

from dicelab import best_response, compile, evaluate, simulate, solve, tournament
from dicelab.errors import IllegalMove
from dicelab.games.dice_battle import DiceBattle
from dicelab.games.greed import Greed
from dicelab.rules.dice import Die
from dicelab.strategies import followed
from dicelab.strategies.followed import table_of_play


@pytest.fixture
def all_are_large(monkeypatch):
    monkeypatch.setattr(followed, "LARGE", 0)


@pytest.mark.usefixtures("all_are_large")
@pytest.mark.parametrize(
    ("game", "a", "b"),
    [
        (Greed(max=20, die=Die(3)), "aim-at", "aim-at:15"),
        (Greed(max=20, die=Die(3)), "rule:throw 2 if mine < 15; throw 0", "aim-at"),
        (Greed(max=20, die=Die(3)), "optimal", "aim-at"),
        (Greed(max=20, die=Die(3), tie=1, second_tie=0), "optimal", "optimal"),
        (DiceBattle(target=15, dice=4), "by-turns", "blind:2"),
    ],
)
def test_strategies_fare_as_they_do_among_all_moves(game, a, b):
    whole, table = compile(game), table_of_play(game, a, b)
    assert table.target.size < whole.target.size / 2
    known, found = evaluate(whole, a, b), evaluate(game, a, b)
    assert found.values == pytest.approx(known.values, abs=1e-12)
    assert found.never_ends == known.never_ends
    played = simulate(game, a, b, 4000, seed=1)
    assert abs(played.first.value - known.first) < 4 * (0.25 / 2000) ** 0.5


@pytest.mark.usefixtures("all_are_large")
def test_no_other_question_is_answered_of_a_part_of_the_moves():
    game = DiceBattle(target=15, dice=4)
    part = simulate(game, "by-turns", "blind:2", 10).table
    assert part.target.size < compile(game).target.size
    assert solve(part).value == solve(game).value
    assert best_response(part, "blind:2").first == best_response(game, "blind:2").first
    assert evaluate(part, "random", "blind:3").values == evaluate(game, "random", "blind:3").values


@pytest.mark.usefixtures("all_are_large")
@pytest.mark.parametrize("workers", [1, 2])
def test_a_tournament_is_that_of_all_moves_whoever_plays_it(workers):
    game = Greed(max=20, die=Die(3))
    names = ["aim-at", "aim-at:12", "rule:throw 3 if mine < 15; throw 0"]
    found = tournament(table_of_play(game, *names), names, workers=workers)
    known = tournament(compile(game), names, workers=1)
    assert found.values == pytest.approx(known.values, abs=1e-12)
    assert found.ranking == known.ranking


@pytest.mark.usefixtures("all_are_large")
@pytest.mark.parametrize(
    ("game", "strategy"),
    [
        (Greed(max=10, die=Die(3)), "random"),
        (Greed(max=10, die=Die(3)), lambda at: "throw 1"),
        (DiceBattle(target=15, dice=4), "optimal"),
    ],
)
def test_what_is_asked_of_a_table_gets_all_moves(game, strategy):
    known = next(iter(game.strategies))
    assert len(table_of_play(game, known, strategy).target) == len(compile(game).target)


@pytest.mark.usefixtures("all_are_large")
@pytest.mark.parametrize("other", ["nine", "aim-at"])
def test_a_move_that_is_not_legal_is_told_as_ever(other):
    class Careless(Greed):
        strategies: ClassVar = {
            **Greed.strategies,
            "nine": lambda game: lambda at: np.full(np.shape(at.mine), "throw 9"),
        }

    game = Careless(max=10, die=Die(3))
    with pytest.raises(IllegalMove) as known:
        evaluate(compile(game), "nine", other)
    with pytest.raises(IllegalMove) as told:
        evaluate(game, "nine", other)
    assert str(told.value) == str(known.value)


def test_a_hundred_dice_are_followed_in_little_memory():
    # The graph of all moves took 10 GB and 98 s, and gave 0.439946 there.
    game = Greed(max=200)
    assert table_of_play(game, "aim-at", memory=500 * 10**6).target.size < 10**7
    assert evaluate(game, "aim-at", "aim-at").values[0] == pytest.approx(0.439946, abs=1e-6)
