"""Code in the current folder runs only where somebody typed the name of its module."""

import subprocess
import sys
from pathlib import Path

import pytest

SPY = """
import pathlib
pathlib.Path("ran-" + __name__).touch()
raise RuntimeError("code in the current folder ran unasked")
"""
BOX = """
from fractions import Fraction
import helper  # beside it: found, since this module was typed
from dicelab import HouseRules, LOSS, ONGOING, OTHER
from dataclasses import dataclass

@dataclass(frozen=True)
class Coin(HouseRules):
    def start(self):
        return 0
    def choices(self, at):
        return ["throw", "wait"]
    def outcomes(self, at, move):
        yield Fraction(1, 2), 1, OTHER
        yield Fraction(1, 2), 0, OTHER
    def result(self, at):
        return LOSS if at else ONGOING

def thrower(at):
    return "throw"
"""
LAZY = ("matplotlib", "choix", "joblib", "uvicorn", "fastapi", "numba", "distributed", "rich")


@pytest.fixture
def trap(dicelab):
    """A folder in which every module that dicelab loads late stands once more."""
    for name in LAZY:
        (dicelab.folder / f"{name}.py").write_text(SPY)
    (dicelab.folder / "box.py").write_text(BOX)
    (dicelab.folder / "helper.py").write_text("")
    return dicelab.folder


@pytest.mark.parametrize(
    "command",
    [
        "solve greed max=5 --plot x.svg",
        "tournament pig turtle random target=5 --jobs 2",
        "family pig hold-at:3..5 target=5..7 --jobs 2",
        "plot 421-round theorem most_casts=3 --out t.svg",
        "solve box:Coin --plot x.svg",
        "evaluate box:Coin box:thrower random",
        "tournament box:Coin box:thrower random games=20 --jobs 2",
        "respond box:Coin box:thrower --iterate",
    ],
)
def test_no_module_in_the_current_folder_takes_the_place_of_an_installed_one(
    dicelab, trap, command
):
    script = Path(sys.executable).with_name("dicelab")
    ended = subprocess.run([script, *command.split()], capture_output=True, text=True, cwd=trap)
    assert not list(trap.glob("ran-*")), ended.stderr
    assert "unasked" not in ended.stderr
    assert ended.returncode == 0, ended.stderr


def test_nothing_of_the_current_folder_stays_on_the_path(dicelab, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "own_game.py").write_text(BOX.replace("import helper", "import helper_of_mine"))
    (tmp_path / "helper_of_mine.py").write_text("")
    path, finders = sys.path[:], sys.meta_path[:]
    assert dicelab("solve", "own_game:Coin").exit_code == 0
    assert (sys.path, sys.meta_path) == (path, finders)
    assert dicelab("solve", "not_there:Coin").stderr == (
        "DicelabError: cannot import 'not_there' for 'not_there:Coin': "
        "ModuleNotFoundError: No module named 'not_there'\n"
    )
    assert (sys.path, sys.meta_path) == (path, finders)


def test_python_itself_looks_in_the_current_folder_only_if_told(tmp_path, monkeypatch):
    from dicelab import DicelabError, game

    monkeypatch.chdir(tmp_path)
    (tmp_path / "unseen_game.py").write_text(BOX)
    monkeypatch.setattr(sys, "path", [place for place in sys.path if place])
    with pytest.raises(DicelabError, match="cannot import 'unseen_game'"):
        game("unseen_game:Coin")


def test_no_file_in_the_current_folder_says_where_machine_code_is(dicelab):
    (dicelab.folder / ".numba_config.yaml").write_text("cache_dir: planted\n")
    command = [sys.executable, "-c", "import dicelab.core.jit as jit; print(jit.cache_folders())"]
    ended = subprocess.run(command, capture_output=True, text=True, check=True, cwd=dicelab.folder)
    assert "planted" not in ended.stdout
    assert not (dicelab.folder / "planted").exists()
