"""A game may begin anywhere: head starts and handicaps are questions like any other."""

import json
import pickle
from fractions import Fraction

import pytest
from tests.strange_games import Heap
from typer.testing import CliRunner

import dicelab
from dicelab import compile, evaluate, game, solve
from dicelab.cli import app
from dicelab.errors import RulesError
from dicelab.games.pig import Pig, PigPosition
from dicelab.plots.kinds import draw


def run(*words):
    return CliRunner().invoke(app, [*words])


@pytest.mark.parametrize(
    ("name", "parameters", "at"),
    [
        ("pig", {"target": 12}, "5-3 +0"),
        ("pig", {"target": 12}, "5-3 +4"),
        ("solo-pig", {"target": 15}, "4 +0"),
        ("dice-battle", {"dice": 3, "target": 8}, "4-2"),
        ("greed", {"max": 8, "sides": 4}, "3-2"),
        ("421-round", {}, "4+21, 1 left"),
        ("421-round", {}, "641, 2 left"),
        ("yahtzee-round", {"dice": 3}, "221, 1 left"),
    ],
)
def test_the_value_from_a_position_that_play_comes_to_is_its_value_in_the_whole_game(
    name, parameters, at
):
    usual = game(name, **parameters)
    whole = solve(usual, exact=True)
    assert solve(usual.starting(at), exact=True).value == whole.value_at(at)
    again = game(name, **parameters, from_=at)
    assert again == usual.starting(at)
    assert again.starting(usual.start()) != usual.starting(at)
    assert str(again) == f"{usual} from {again.notation(again.start())}"


def test_a_head_start_that_play_never_leads_to_is_valued():
    # A bank of 1 cannot be come by. To 2 every roll but a 1 wins, whatever the banks.
    begun = Pig(target=2).starting(PigPosition(1, 1, 0))
    assert solve(begun, exact=True).value == Fraction(6, 7)
    met = evaluate(Pig(target=20).starting("1-1"), "hold-at:5", "hold-at:5", exact=True)
    assert met.first == met.second


def test_a_game_begun_elsewhere_is_the_same_in_another_process():
    begun = Pig(target=20).starting("8-3")
    again = pickle.loads(pickle.dumps(begun))
    assert again == begun
    assert again.start() == PigPosition(8, 3, 0)
    asked = ["tournament", "pig", "hold-at:5", "hold-at:8", "optimal", "target=20", "--json"]
    told = json.loads(run(*asked, "--from", "8-3", "--jobs", "2").stdout)
    assert told["ranking"][0] == "optimal"
    assert told["share"] == json.loads(run(*asked, "--from", "8-3").stdout)["share"]


@pytest.mark.parametrize(
    ("at", "sentence"),
    [
        ("20-0", "pig target=20 is over at 20-0 +0: start where there is a move to make"),
        ("x", "cannot read 'x' as a position of pig: write it like '0-0 +0'"),
    ],
)
def test_a_start_that_is_none_is_refused(at, sentence):
    with pytest.raises(dicelab.DicelabError) as refused:
        game("pig", target=20, from_=at)
    assert str(refused.value) == sentence


def test_at_once_both_begin_with_the_same_score():
    begun = game("dice-battle", dice=3, target=7, variant="simultaneous").starting("3-1")
    with pytest.raises(RulesError) as refused:
        solve(begun)
    assert str(refused.value).endswith(
        "at once nobody goes first, so that both players start from the same score"
    )


@pytest.mark.parametrize("words", [["--from", "8-3"], ["--from=8-3 +0"], ["from=8-3"]])
def test_every_command_takes_a_start(words):
    told = json.loads(run("solve", "pig", "target=12", *words, "--json").stdout)
    assert told["from"] == "8-3 +0"
    assert told["value"] == pytest.approx(float(solve(Pig(target=12)).value_at("8-3")), abs=1e-13)
    for asked in (
        ["evaluate", "pig", "hold-at:5", "optimal"],
        ["respond", "pig", "hold-at:5"],
        ["density", "pig", "optimal", "optimal"],
        ["simulate", "pig", "optimal", "random", "games=40"],
        ["tournament", "pig", "hold-at:5", "optimal"],
    ):
        assert json.loads(run(*asked, "target=12", *words, "--json").stdout)["from"] == "8-3 +0"


def test_a_position_that_play_never_leads_to_is_explained():
    told = json.loads(run("explain", "pig", "1-1", "target=20", "--json").stdout)
    assert (told["position"], told["from"]) == ("1-1 +0", "1-1 +0")
    assert told["value"] == float(solve(Pig(target=20).starting("1-1")).value)


def test_where_a_game_tells_its_box_its_table_has_no_holes():
    # Who throws always scores: no play leads to 3-0 with the second player to come.
    table = compile(game("dice-battle", dice=3, target=7))
    assert int(table.is_ongoing.sum()) == 49
    solution = solve(table, exact=True)
    assert solution.value_at("3-0") == solve(table.game.starting("3-0"), exact=True).value
    (board,) = solution.boards()
    assert all(entry == entry for row in board.values.tolist() for entry in row)


def test_a_figure_says_where_the_game_began():
    figure = draw("pig", "best", ["target=20", "from=5-3"])
    assert "pig target=20 from 5-3 +0" in figure.get_suptitle()


def test_a_position_that_is_none_is_refused_in_a_sentence():
    with pytest.raises(RulesError) as refused:
        Heap().starting("()")
    told = "Heap cannot start at (): its rules raise IndexError: tuple index out of range"
    assert str(refused.value) == told
