"""PAYNT solves our games of two players: `make peers-test`, with PAYNT in .venv-peers."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from dicelab import compile, game, solve
from dicelab.exchange.objective import Objective
from dicelab.exchange.prism import prism
from dicelab.exchange.seated import seated

HERE = Path(__file__).parent
PYTHON = HERE.parent.parent / ".venv-peers" / "bin" / "python"


@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        ("pig", {"target": 10}),
        ("pig", {"target": 20}),
        ("two-dice-pig", {"target": 10}),
        ("big-pig", {"target": 20}),
        ("piglet", {"target": 6}),
        ("dice-battle", {"dice": 3, "target": 10}),
        ("greed", {"max": 10, "sides": 3}),
    ],
)
def test_paynt_finds_our_value_within_its_precision(name, parameters, tmp_path):
    table = compile(game(name, **parameters))
    goal = Objective(seated(table))
    path = tmp_path / "game.prism"
    path.write_text("".join(prism(table)))
    command = [PYTHON, HERE / "ask_paynt.py", path, goal.formula]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    found = goal.value(float(done.stdout.splitlines()[-1]))
    # It stops when a sweep changes nothing by more than 1e-6, and that cannot be tightened.
    assert found == pytest.approx(solve(table.game).value, abs=1e-4)
