"""Commands about strategies that never come to an end, and about ends that share no pot."""

import json

import pytest
from typer.testing import CliRunner

from dicelab.cli import app

RULES = '''
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from dicelab import DRAW, LOSS, ONGOING, OTHER, SAME, WIN, HouseRules, strategy


@dataclass(frozen=True)
class Waits(HouseRules):
    """Toss a coin for three points, or wait, which is worth two if one waits for ever."""

    name: ClassVar[str] = "waits"
    players: ClassVar[int] = 1
    unit: ClassVar[str] = "points"
    never: ClassVar[Fraction] = Fraction(2)

    def start(self):
        return 0

    def choices(self, at):
        return ["wait", "toss"]

    def outcomes(self, at, move):
        if move == "wait":
            yield 1, 0, SAME
        else:
            yield Fraction(1, 2), 1, SAME, 3
            yield Fraction(1, 2), 1, SAME

    def result(self, at):
        return DRAW if at else ONGOING


@strategy(Waits, "waiter")
def waiter(game):
    """Wait."""
    return lambda at: "wait"


@dataclass(frozen=True)
class Football(HouseRules):
    """One toss of a coin: three points for a win, one for a draw."""

    name: ClassVar[str] = "football"
    worth: ClassVar = {WIN: 3, DRAW: 1, LOSS: 0}

    def start(self):
        return 0

    def choices(self, at):
        return ["toss"]

    def outcomes(self, at, move):
        yield Fraction(1, 2), 1, OTHER
        yield Fraction(1, 2), 2, OTHER

    def result(self, at):
        return (ONGOING, LOSS, DRAW)[at]
'''


@pytest.fixture
def asked(tmp_path, monkeypatch):
    """Return a function that runs a command about these rules and returns what it prints."""
    (tmp_path / "endless_rules.py").write_text(RULES)
    monkeypatch.syspath_prepend(tmp_path)

    def run(*words):
        done = CliRunner().invoke(app, words)
        assert done.exit_code == 0, done.output
        return done.stdout

    return run


def test_points_of_games_that_never_end_are_not_counted(asked):
    told = asked("density", "endless_rules:Waits", "waiter").splitlines()
    assert told[1] == "the game never ends in 100.0000% of cases"
    assert told[-1] == "points: no game ends, so that there is nothing to count"
    law = json.loads(asked("density", "endless_rules:Waits", "waiter", "--json"))["points"]
    assert (law["law"], law["unfinished"], "mean" in law) == ([], 1, False)


def test_games_that_never_end_have_no_length(asked):
    told = asked("simulate", "endless_rules:Waits", "waiter", "games=50").splitlines()
    assert told[1] == "2 points on average (95%: 2 to 2)"
    assert told[2].startswith("no game ended; played by moves in ")


def test_a_score_beyond_one_is_no_share(asked):
    # Who starts wins half of the games and draws the others: 3/2 + 1/2 = 2; the other gets 1/2.
    told = asked("evaluate", "endless_rules:Football", "random", "random").splitlines()
    assert told[-1] == "A scores 1.25: a draw counts 1"


def test_bounds_that_prove_little_say_so_and_why(dicelab):
    # Who is far behind hardly ever wins: floats cannot tell passing for ever from rolling.
    said = dicelab("solve", "pig", "die=2", "bust=2", "passing=yes", "target=40").stdout
    assert "where positions lead back, floats are sure of no more" in said.splitlines()[0]
