"""`dicelab export` writes what the library writes, and refuses in a sentence."""

from __future__ import annotations

import ast
import importlib.util
from pathlib import Path
from typing import Any

import gymnasium
import pyspiel
import pytest
from typer.testing import CliRunner

from dicelab import compile, game
from dicelab.cli import app
from dicelab.exchange.modules import module
from dicelab.exchange.prism import prism
from dicelab.exchange.storm import drn


def run(*words: str) -> Any:
    return CliRunner().invoke(app, ["export", *words], catch_exceptions=False)


def imported(path: Path) -> Any:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_a_model_is_printed_where_no_file_is_named():
    assert run("pig", "target=9").stdout == "".join(prism(compile(game("pig", target=9))))


def test_a_model_is_written_to_a_file(tmp_path):
    out = tmp_path / "pig.drn"
    words = ["pig", "target=9", "--to", "storm", "--against", "hold-at:5", "--seat", "second"]
    assert run(*words, "--out", str(out)).stdout == f"wrote {out}\n"
    table = compile(game("pig", target=9))
    assert out.read_text() == "".join(drn(table, "hold-at:5", "second"))


def test_every_position_is_written_out_if_asked():
    assert "s : [0.." in run("pig", "target=5", "--explicit").stdout


def test_the_first_lines_say_what_to_ask():
    lines = run("dice-battle", "dice=2", "target=5", "--against", "blind").stdout.splitlines()
    assert lines[:3] == [
        "// dice-battle dice=2 target=5 against blind, written by dicelab",
        '// its value is -1 + 2 * (Pmax=? [F "paid"])',
        "mdp",
    ]


def test_a_module_can_be_read_whatever_the_path_of_its_opponent():
    against = 'file:C:\\d\\"""best".csv'
    text = "".join(module("gymnasium", game("pig", target=20), "pig", {"target": "20"}, against))
    tree = ast.parse(text)
    about = "pig target=20 against file:C:/d/'''best'.csv for Gymnasium, by dicelab"
    assert ast.get_docstring(tree) == f"{about}: ``gymnasium.make(ID)``."
    texts = [node.value for node in ast.walk(tree) if isinstance(node, ast.Constant)]
    assert against in texts


def test_the_module_for_openspiel_registers_the_game(tmp_path):
    out = tmp_path / "pig_for_openspiel.py"
    run("pig", "target=9", "--to", "openspiel", "--out", str(out))
    module = imported(out)
    assert str(pyspiel.load_game(module.NAME).new_initial_state()) == "0-0 +0, first to move"


def test_the_module_for_gymnasium_registers_the_game(tmp_path):
    out = tmp_path / "pig_for_gymnasium.py"
    run("pig", "target=9", "--to", "gymnasium", "--against", "optimal", "--out", str(out))
    env = gymnasium.make(imported(out).ID)
    assert env.reset(seed=1)[1]["position"] == "0-0 +0"


def test_the_module_for_pettingzoo_makes_the_environment(tmp_path):
    out = tmp_path / "pig_for_pettingzoo.py"
    run("pig", "target=9", "--to", "pettingzoo", "--out", str(out))
    env = imported(out).env()
    env.reset(seed=1)
    assert env.observe("player_0")["action_mask"].tolist() == [1, 0]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (
            "pig target=5 --to storm",
            "ExportError: storm's explicit format knows one player, and pig target=5 is for two: "
            "fix one with --against STRATEGY, or export it --to prism",
        ),
        (
            "pig target=5 --to gymnasium",
            "ExportError: gymnasium is for one learner, and pig target=5 is for two: fix one with "
            "--against STRATEGY, or export it --to pettingzoo",
        ),
        (
            "solo-pig target=5 --to pettingzoo",
            "ExportError: pettingzoo is for several players, and solo-pig target=5 is played "
            "alone: export it --to gymnasium",
        ),
        (
            "pig target=5 --to pettingzoo --against optimal",
            "ExportError: pettingzoo's environments are for two players who both choose: leave "
            "out --against, or export the game --to gymnasium",
        ),
        (
            "solo-pig target=5 --to gymnasium --against hold-at:3",
            "ExportError: solo-pig target=5 is played alone: there is nobody to play against",
        ),
        (
            "pig target=5 --to openspiel --against hold-on",
            "UnknownStrategy: pig has no strategy 'hold-on'; did you mean 'hold-at'?",
        ),
    ],
)
def test_what_cannot_be_exported_is_refused(words, sentence):
    refused = run(*words.split())
    assert (refused.exit_code, refused.stdout) == (1, "")
    assert refused.stderr.strip() == sentence


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (
            "pig --to jani",
            "a format is one of prism, storm, openspiel, gymnasium, pettingzoo: got 'jani'",
        ),
        ("pig --to storm --explicit", "--explicit is for prism: got --to storm"),
        ("pig --seat third", "a seat is first or second: got 'third'"),
        ("pig hold-at:3", "give a game and its parameters: got 'hold-at:3'"),
    ],
)
def test_misuse_is_told_apart(words, sentence):
    refused = run(*words.split())
    assert refused.exit_code == 2
    assert sentence in " ".join(refused.stderr.split())
