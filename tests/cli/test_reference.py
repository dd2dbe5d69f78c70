"""docs/cli.md says what the commands say, its examples run, and its keys are those printed."""

from __future__ import annotations

import json
import re
import runpy
import shlex
import shutil
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest
import typer

from dicelab.cli import OWN, app

ROOT = Path(__file__).parent.parent.parent
PAGE = (ROOT / "docs" / "cli.md").read_text(encoding="utf-8")
EXAMPLES = [
    line.strip()
    for part in PAGE.split("Examples:")[1:]
    for line in part.partition("\n## ")[0].splitlines()
    if line.startswith("    dicelab ")
]


def test_the_page_is_up_to_date():
    tool = [sys.executable, str(ROOT / "tools" / "cli_reference.py"), "--check"]
    run = subprocess.run(tool, capture_output=True, text=True, check=False)
    assert (run.returncode, run.stderr) == (0, "")


def test_every_command_has_its_section_with_examples():
    every = runpy.run_path(str(ROOT / "tools" / "cli_reference.py"))["commands"]
    named = dict(every(typer.main.get_command(app)))
    assert re.findall(r"^## (.*)$", PAGE, re.MULTILINE) == list(named)
    for name, command in named.items():
        shown = [example for example in EXAMPLES if example.startswith(f"dicelab {name}")]
        assert shown or hasattr(command, "commands"), name


def test_a_command_is_in_a_file_of_its_name():
    homes = (ROOT / "src" / "dicelab" / "games").glob("*/commands_*.py")
    files = {*OWN, *(path.stem.removeprefix("commands_") for path in homes)}
    named = {name.replace("-", "_") for name in typer.main.get_command(app).commands}
    assert named <= files


SERVING = [example for example in EXAMPLES if example.startswith("dicelab lab")]
"""These run until somebody stops them."""


@pytest.mark.parametrize("example", SERVING)
def test_the_examples_that_serve_say_where_and_stop_when_told(dicelab, example):
    own = (ROOT / "docs" / "write-your-own-game.md").read_text(encoding="utf-8")
    box = re.search(r"^```python\n(# box\.py\n.*?)^```$", own, re.M | re.S)[1]
    (dicelab.folder / "box.py").write_text(box, encoding="utf-8")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    words = [*shlex.split(example)[1:], "--no-browser", "--data", "games.db", "--port", port]
    with dicelab.start(*words) as run:
        said = run.stdout.readline()
        run.send_signal(signal.SIGINT)
        try:
            _, error = run.communicate(timeout=60)
        finally:
            run.kill()
    assert f":{port}/" in said
    *notes, last = error.splitlines()
    assert (run.returncode, last) == (130, "interrupted")
    assert [note.split(":")[0] for note in notes] == (["note"] if "0.0.0.0" in example else [])


@pytest.mark.usefixtures("games_solved_once", "studies_worked_out_once")
@pytest.mark.parametrize("example", [each for each in EXAMPLES if each not in SERVING])
def test_the_examples_on_the_page_run(dicelab, example):
    for record in (ROOT / "docs" / "data").glob("*.csv"):
        shutil.copy(record, dicelab.folder)
    words = shlex.split(example)[1:]
    result = dicelab(*words)
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout
    if "--json" in words:
        assert isinstance(json.loads(result.stdout), dict)


@pytest.mark.parametrize(
    "words",
    [
        "solve pig target=9",
        "evaluate pig turtle hold-at:3 target=9",
        "respond pig turtle target=9",
        "density pig turtle hold-at:3 target=9",
        "explain pig 0-0 target=9",
        "round value --dice 1",
        "round advise 'threw 421, 1 cast left'",
        "round benchmark --utility sum --policy h0s0",
        "round charts --dice 2 --faces 3",
        "round theorem --dice 2 --faces 2 --casts 2",
        "simulate pig turtle hold-at:3 target=9 games=10",
        "compare pig turtle hold-at:3 target=9",
        "tournament pig turtle hold-at:3 target=9 --jobs 1",
        "family pig hold-at:3..4 target=9",
        "sweep pig target=3..4 --jobs 1",
        "distil pig target=5 --size 1 --tries 5",
        "balance pig target=3..4 --jobs 1",
        "games",
        "strategies",
        f"study {ROOT}/docs/data/figure6.csv",
        f"review {ROOT}/docs/data/games.csv",
        f"review {ROOT}/docs/data/forms.csv",
        f"fit {ROOT}/docs/data/games.csv",
    ],
)
def test_the_keys_on_the_page_are_those_printed(dicelab, words):
    name = re.match(r"round \w+|\S+", words)[0]
    section = PAGE.partition(f"\n## {name}\n")[2]
    told = re.search(r"JSON keys: ([^.;]*)", section)
    assert told is not None
    keys = re.sub(r"\([^)]*\)", "", told[1]).replace("\n", " ")
    assert list(dicelab.json(*shlex.split(words))) == [key.strip() for key in keys.split(",")]
