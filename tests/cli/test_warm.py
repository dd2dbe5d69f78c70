"""The compile caches: filled by the warm-up, and not needed where they cannot be written."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import dicelab
from dicelab.warm import CoinRace, Lots

PLAYS = """
from dicelab import *
from dicelab.warm import CoinRace, Lots
solve(game("pig", target=25))
for opponent in ("hold-at:7", "random"):
    best_response(game("pig", target=25), opponent)
    evaluate(game("pig", target=25), opponent, "optimal")
    density(game("pig", target=25), opponent, "turtle")
evaluate(game("pig", target=25, passing=True), "skip-when-level", "roll-and-wait:15,15,9")
solve(game("solo-pig", target=25, turns=4))
evaluate(game("solo-pig", target=25), "random")
solve(game("two-dice-pig", target=45))
evaluate(game("two-dice-pig", target=45), "random", "hold-at:20")
solve(CoinRace())
solve(Lots(players=1, lots=257))
best_response(Lots(lots=257), "random")
for by in ("turns", "moves"):
    simulate(game("pig", target=25), "hold-at:7", "random", games=100, by=by)
    simulate(game("pig", target=25, passing=True), "optimal", "skip-when-level", games=100, by=by)
simulate(game("solo-pig", target=25), "hold-at:9", games=100)
simulate(game("solo-pig", target=25, turns=4), "random", games=100)
simulate(game("two-dice-pig", target=45), "random", "hold-at:20", games=100)
simulate(CoinRace(), "random", "random", games=100)
tournament(game("pig", target=25), ["turtle", "random", "optimal"])
compare(game("pig", target=25), "turtle", "random")
from dicelab.rounds import Round, solve_batch
solve_batch(Round(2), [[1.0] * 21] * 3)
"""


def run(code: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Return what a new Python process says."""
    command = [sys.executable, *(code.split() if code.startswith("-m") else ["-c", code])]
    return subprocess.run(
        command, capture_output=True, text=True, check=False, env={**os.environ, **environment}
    )


def test_the_smallest_house_game_has_a_closed_form():
    # P = 1/2 + 1/2 (1 - P), so P = 2/3.
    assert dicelab.solve(CoinRace(), exact=True).value * 3 == 2


def test_a_coin_decides_the_game_of_lots():
    # An odd lot of 1 to 300 comes with chance 150^2 / (300 * 301 / 2), just below that of a coin.
    assert dicelab.solve(Lots(), exact=True).value * 3 == 2
    assert dicelab.solve(Lots(players=1), exact=True).value == 1


@pytest.mark.slow
def test_after_the_warm_up_nothing_is_left_to_compile():
    warmed = run("-m dicelab.warm")
    assert (warmed.returncode, warmed.stdout.partition(":")[0]) == (0, "dicelab is warm")
    played = run(PLAYS, NUMBA_DEBUG_CACHE="1")
    assert played.returncode == 0, played.stderr
    assert "data loaded from" in played.stdout
    assert "data saved to" not in played.stdout


HALVES = """
import sys
from dicelab.core.jit import jit

@jit
def half(number):
    return number / 2

half(0)  # both processes keep this one
for kind in sys.argv[1:]:
    half({"float": 1.0, "complex": 1j}[kind])
"""


@pytest.mark.slow
def test_processes_that_compile_at_once_keep_the_code_of_each(tmp_path):
    script = tmp_path / "halves.py"
    script.write_text(HALVES)
    kept = {"NUMBA_CACHE_DIR": str(tmp_path / "cache"), "NUMBA_DEBUG_CACHE": "1"}
    environment = {**os.environ, **kept}
    kinds = ("float", "complex")
    command = [sys.executable, str(script)]
    both = [
        subprocess.Popen([*command, kind], env=environment, stdout=subprocess.DEVNULL)
        for kind in kinds
    ]
    assert [process.wait(60) for process in both] == [0, 0]
    again = subprocess.run([*command, *kinds], env=environment, capture_output=True, text=True)
    assert again.returncode == 0, again.stderr
    assert again.stdout.count("data loaded from") == 3
    assert "data saved to" not in again.stdout


@pytest.mark.slow
def test_an_install_that_cannot_be_written_still_solves(tmp_path):
    # Files where the folders for caches would be: nobody, not even root, can write there.
    package = tmp_path / "dicelab"
    source = Path(dicelab.__file__).parent
    shutil.copytree(source, package, ignore=shutil.ignore_patterns("__pycache__"))
    for folder in (package, *(path for path in package.iterdir() if path.is_dir())):
        (folder / "__pycache__").write_text("in the way")
    code = "import dicelab as d; print(d.__file__, d.solve(d.game('piglet', target=2)).value)"
    nowhere = {"HOME": os.devnull, "NUMBA_CACHE_DIR": "", "XDG_CACHE_HOME": ""}
    # Every kernel is compiled for this one answer: quickly rather than well.
    solved = run(code, PYTHONPATH=str(tmp_path), NUMBA_OPT="0", **nowhere)
    assert solved.returncode == 0, solved.stderr
    place, value = solved.stdout.split()
    assert place == str(package / "__init__.py")
    assert abs(float(value) - 4 / 7) < 1e-14  # Neller & Presser (2004): 4/7
