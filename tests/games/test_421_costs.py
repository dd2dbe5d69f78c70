"""What results are worth in the match of 421, first throws, and what strategies give away."""

import json

import numpy as np
import pytest
from typer.testing import CliRunner

from dicelab import compile, evaluate, game, solve
from dicelab.cli import app
from dicelab.errors import RulesError
from dicelab.games.four21.first_throws import first_throws
from dicelab.games.four21.match_costs import (
    best_round,
    costs,
    law_of,
    next_worths_at,
    openings,
    worths_at,
)
from dicelab.rounds import Round, solve_batch
from dicelab.rules.dice import Die
from four21_match import Twin

SMALL = ["tokens=3", "casts=2", "die=4"]


@pytest.fixture(scope="module")
def solved():
    """A match with three tokens, two casts and dice with four faces."""
    return solve(game("421", tokens=3, casts=2, die=Die(4)))


def told(*words):
    """Return what a command answers in JSON."""
    answer = CliRunner().invoke(app, ["421", *words, *SMALL, "--json"])
    assert answer.exit_code == 0, answer.output
    return json.loads(answer.stdout)


def test_a_set_is_a_round_for_the_chance_of_the_match(solved):
    # The engine of rounds, given these worths, finds the values of the match again.
    whole = Round(3, Die(4), 2)
    for mine, yours in openings(solved.game):
        value = solved.value_at(f"{mine}-{yours}")
        found = solve_batch(whole, worths_at(solved, mine, yours)[None])[0]
        assert found == pytest.approx(float(value), abs=1e-12)
        law = law_of(best_round(solved, mine, yours))
        assert (law * worths_at(solved, mine, yours)).sum() == pytest.approx(value, abs=1e-12)


def test_results_are_worth_to_both_what_the_twin_says(solved):
    twin = Twin(3, casts=2, sides=4)
    values = twin.solve()
    then = next_worths_at(solved, 1, 2)
    numbers = solved.game.numbers
    faces = [numbers.faces_of(full) for full in numbers.full]
    for i, j in np.ndindex(then.shape):
        wins = 1 - twin.worth(values, 1, 2, faces[i], faces[j])
        assert then[i, j] == pytest.approx(wins, abs=1e-12)


@pytest.mark.parametrize("name", ["transfer", "rank:h1s1", "goal:421", "beat"])
def test_with_one_token_a_set_is_the_match(name):
    table = compile(game("421", tokens=1, casts=2, die=Die(4)))
    best = solve(table)
    only = costs(best, name).at(0, 0)
    first, after = evaluate(table, name, best.plan), evaluate(table, best.plan, name)
    assert only.set_first == pytest.approx(float(best.value) - first.first, abs=1e-12)
    assert only.match_first == pytest.approx(only.set_first, abs=1e-12)
    assert only.match_next >= float(after.first) - float(best.value) - 1e-12


def test_who_knows_a_strategy_takes_no_less_than_one_set_costs(solved):
    found = costs(solved, "transfer")
    assert 0 < found.error < 1e-11
    for row in found.rows:
        assert row.match_first >= row.set_first - found.error


def test_a_strategy_that_looks_at_the_tokens_has_no_cost_in_a_set(solved):
    with pytest.raises(RulesError) as refused:
        costs(solved, "optimal")
    assert str(refused.value) == (
        "what optimal gives away in a set cannot be told: name a strategy that plays its rounds "
        "whatever the tokens, such as transfer, rank:h1s1 or beat"
    )


def test_first_throws_name_what_is_best_and_what_transfer_costs(solved):
    at = solved.game.parse("1-2")
    for each in first_throws(solved, at):
        moves = solved.moves_at(f"1-2 threw {each.throw}")
        kept = next(move for move in moves if move.move == each.transfer)
        assert each.best[0] == moves[0].move
        assert each.cost == pytest.approx(float(moves[0].value - kept.value), abs=1e-12)


@pytest.mark.slow
def test_transfer_keeps_something_else_at_13_and_25_of_56_first_throws():
    # Counted by the twin too: every throw where none of its best keeps is transfer's.
    best = solve(game("421"))
    for at, many in (("0-0", 13), ("5-6", 25), ("6-5", 11)):
        found = first_throws(best, best.game.parse(at))
        assert sum(each.cost > 0 for each in found) == many


def test_commands_tell_throws_worths_and_costs(tmp_path):
    throws = told("keep", "1-2")
    assert throws["position"] == "1-2 pot 0"
    assert throws["differ"] == sum(each["cost"] > 0 for each in throws["throws"])
    worths = told("worth", "1-2, other 321 in 2")
    assert worths["player"] == "next"
    assert len(worths["worths"]) == 20
    given = told("costs", "beat")["strategies"]
    assert [each["strategy"] for each in given] == ["beat"]
    assert len(given[0]["tokens"]) == 8


def test_the_worths_of_a_set_are_a_utility_of_a_round(tmp_path, solved):
    file = tmp_path / "late.csv"
    answer = CliRunner().invoke(app, ["421", "worth", "1-2", *SMALL, "--out", str(file)])
    assert answer.exit_code == 0, answer.output
    assert file.read_text().splitlines()[0] == "combination,cast,value"
    dice = ["--faces", "4", "--casts", "2", "--json"]
    asked = ["round", "value", "--utility", str(file), *dice]
    answer = CliRunner().invoke(app, asked)
    assert answer.exit_code == 0, answer.output
    value = json.loads(answer.stdout)["value"]
    assert float(value) == pytest.approx(float(solved.value_at("1-2")), abs=1e-12)


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (
            ["keep", "0-0 threw 421"],
            "a round begins before its first cast, such as at 3-2: got '0-0 threw 421'",
        ),
        (["worth", "0-3"], "the match is over at 0-3 pot 0: no round begins there"),
        (
            ["keep", "1-2, other 321 in 1"],
            "there is nothing to keep at 1-2 pot 0, other 321, cast 1 of 1: one cast is all",
        ),
    ],
)
def test_what_begins_no_round_is_refused(asked, said):
    answer = CliRunner().invoke(app, ["421", *asked, *SMALL])
    assert answer.exit_code == 1
    assert said in " ".join(answer.output.split())
