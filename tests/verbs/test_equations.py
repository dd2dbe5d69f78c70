"""The linear system around one position: the study's own numbers, and that solving it solves."""

import csv
import io
import json
from fractions import Fraction

import numpy as np
import pytest
from typer.testing import CliRunner

from dicelab import evaluate, game
from dicelab.cli import app
from dicelab.errors import RulesError
from dicelab.studies.printed import printed
from dicelab.verbs.equations import equations

HAND = printed("pig")["pig"]["exeter"]["hand_solved"]


def test_the_equations_the_study_solved_by_hand():
    # Section 2.2.1: both roll at 97-99; its three numbers to every printed digit.
    found = equations(game("pig"), "hold-at:20", "hold-at:21", "97-99 +0")
    assert found.names == ("P(97-99 +0)", "P(97-99 +2)", "Q(99-97 +0)")
    assert found.lines()[1:] == [
        "P(97-99 +2) + 1/6 Q(99-97 +0) = 1",
        "Q(99-97 +0) + 1/6 P(97-99 +0) = 1",
    ]
    # Section 2.2.2 has the same matrix, less the slips told on the study's page.
    assert found.matrix == pytest.approx(
        np.array([[1, -1 / 6, 1 / 6], [0, 1, 1 / 6], [1 / 6, 0, 1]])
    )
    assert found.right == pytest.approx([5 / 6, 1, 1])
    shown = [f"{value:.4f}" for value in found.solution]
    assert shown == [paper for _, _, paper in HAND["both_roll"]]


@pytest.mark.parametrize("b", ["hold-at:4", "noisy:5,0,2"])
def test_solving_the_system_gives_what_evaluating_gives(b):
    pig = game("pig", target=12)
    found = equations(pig, "hold-at:5", b, "0-0 +0")
    assert np.linalg.solve(found.matrix, found.right) == pytest.approx(found.solution, abs=1e-12)
    whole = evaluate(pig, "hold-at:5", b)
    place = dict(zip(found.names, found.solution, strict=True))
    assert place["P(0-0 +0)"] == pytest.approx(whole.first)
    assert place["Q(0-0 +0)"] == pytest.approx(whole.second)


def test_in_exact_mode_everything_is_a_fraction():
    found = equations(game("pig", target=7), "roll-to-win", "roll-to-win", "0-0 +0", exact=True)
    assert (found.matrix @ found.solution == found.right).all()
    assert (
        found.solution[0]
        == evaluate(game("pig", target=7), "roll-to-win", "roll-to-win", exact=True).first
    )
    assert found.matrix[0, 1] == Fraction(-1, 6)


def test_a_position_that_they_never_come_to_is_asked_about_as_a_start():
    pig = game("pig", target=7)
    found = equations(pig, "roll-to-win", "roll-to-win", "2-0 +0", exact=True)
    assert found.names[0] == "P(2-0 +0)"
    alike = evaluate(pig.starting("2-0 +0"), "roll-to-win", "roll-to-win", exact=True)
    assert found.solution[0] == alike.first


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        (
            lambda: equations(game("greed", max=5), "optimal", "optimal", "0-0"),
            "these equations are for games that somebody wins: greed max=5 may be drawn or never "
            "end between these strategies",
        ),
        (
            lambda: equations(game("solo-pig"), "hold-at:20", "hold-at:20", "0 +0"),
            "solo-pig is not played by two in turns: there is no such system",
        ),
    ],
)
def test_what_has_no_such_system_is_refused(asked, sentence):
    with pytest.raises(RulesError) as refused:
        asked()
    assert str(refused.value) == sentence


def test_the_command_shows_and_writes_the_system(tmp_path):
    file = tmp_path / "system.csv"
    words = ["equations", "pig", "hold-at:5", "hold-at:4", "0-0 +0", "target=12"]
    answer = CliRunner().invoke(app, [*words, "--out", str(file), "--json"])
    told = json.loads(answer.stdout)
    rows = list(csv.reader(io.StringIO(file.read_text())))
    assert rows[0] == ["unknown", *told["unknowns"], "right side", "solution"]
    assert [float(cell) for cell in rows[1][1:-2]] == told["matrix"][0]
    shown = CliRunner().invoke(app, words).stdout.splitlines()
    assert shown[0] == "pig target=12: 19 unknowns, A is hold-at:5, B is hold-at:4"
    assert "solved by:" in shown
