"""Every command that takes a path, with paths of every kind, in a folder that is watched.

Whatever stands at a path and is no regular file stays what it was, nothing appears outside the
folder or in a place nobody named, and what is refused is refused in one sentence.
"""

import contextlib
import os
import stat
import tempfile
import threading
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from dicelab.cli import app

TRACKER = """# {"format": "dicelab tracker 1", "game": "pig", "parameters": {"target": "9"}}
game,seat,player,preference,turn,rolls,banked,total
1,1,ann,averse,1,1,4,4
1,2,ben,,1,2,0,0
1,1,ann,averse,2,1,5,9
"""
WRITING = """
solve pig target=3 --out {}
solve pig target=3 --plot {}
respond pig hold-at:2 target=3 --out {}
density pig hold-at:2 hold-at:2 target=3 --out {}
simulate pig turtle random target=3 games=5 --jobs 1 --records {}
tournament pig turtle random target=3 --jobs 1 --out {}
tournament pig turtle random target=3 games=9 --jobs 1 --checkpoint {}
family pig hold-at:1..3 target=4..5 --jobs 1 --checkpoint {}
sweep pig target=4..5 --jobs 1 --checkpoint {}
sweep pig target=4..5 --jobs 1 --out {}
distil pig target=4 --size 1 --tries 3 --out {}
conjectures --max 2 --sides 2..2 --jobs 1 --keep {}
advantage --max 1..2 --sides 2..2 --jobs 1 --out {}
review forms.csv --out {}
study forms.csv --out {}
fit forms.csv --player ann --model coin --out {}
round charts --dice 2 --faces 3 --csv {}
export pig target=3 --to prism --out {}
plot pig boundary target=5 --out {}
""".strip().splitlines()
READING = """
evaluate pig file:{} turtle target=3
review {}
study {}
fit {} --model coin
round value --dice 2 --faces 3 --utility {}
""".strip().splitlines()
KINDS = ("", ".csv", ".npz", ".svg", ".png", ".db", ".jsonl", ".prism", "/")
NAMES = [
    *(
        f"{stem}{kind}"
        for stem in ("new", "pipe", "null", "full", "zero", "folder")
        for kind in KINDS
    ),
    *(
        f"{stem}{kind}"
        for stem in ("link", "lost", "loop", "out/new", "forms.csv/x")
        for kind in KINDS
    ),
    *("", ".", "..", "-", "~", " ", "a\nb.csv", "%s.csv", "x" * 300 + ".csv", "ä.csv"),
    *("../x.csv", "folder/../new.csv", "/dev/null", "/dev/full", "/dev/zero", "/proc/self/mem"),
    *("\udcff.csv", "link.csv/x.csv", "--json", "http://localhost/x.csv"),
]


def furnish(folder):
    """Put something of every kind into a folder; return what must stay as it is."""
    (folder / "forms.csv").write_text(TRACKER)
    kinds = {}
    for kind in KINDS[:-1]:
        os.mkfifo(folder / f"pipe{kind}")
        (folder / f"folder{kind}").mkdir()
        for device in ("null", "full", "zero"):
            (folder / f"{device}{kind}").symlink_to(f"/dev/{device}")
        (folder / f"target{kind}").write_text("the old one")
        (folder / f"link{kind}").symlink_to(f"target{kind}")
        (folder / f"lost{kind}").symlink_to("nowhere/at/all")
        (folder / f"loop{kind}").symlink_to(f"loop{kind}")
    for path in folder.iterdir():
        about = path.lstat()
        if not stat.S_ISREG(about.st_mode):
            kinds[path] = (stat.S_IFMT(about.st_mode), about.st_ino)
    return kinds


def heard(folder, stop):
    """Read from every pipe, so that whoever writes there need not wait."""
    pipes = [os.open(path, os.O_RDONLY | os.O_NONBLOCK) for path in folder.glob("pipe*")]
    while not stop.wait(0.005):
        for pipe in pipes:
            with contextlib.suppress(BlockingIOError):
                os.read(pipe, 1 << 20)
    for pipe in pipes:
        os.close(pipe)


@pytest.mark.slow
@settings(
    max_examples=80,
    derandomize=True,
    deadline=None,
    database=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(st.sampled_from(WRITING + READING), st.sampled_from(NAMES))
@example("export pig target=3 --to prism --out {}", "/dev/null")
@example("round charts --dice 2 --faces 3 --csv {}", "null")
@example("review {}", "/dev/zero")
@example("evaluate pig file:{} turtle target=3", "/dev/zero")
@example("round value --dice 2 --faces 3 --utility {}", "zero.csv")
@example("conjectures --max 2 --sides 2..2 --jobs 1 --keep {}", "pipe.jsonl")
def test_no_path_harms_what_stands_there(monkeypatch, command, name):
    if command in READING and "pipe" in name:
        return  # whoever reads a pipe waits for somebody to write
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "watched"
        (folder / "work").mkdir(parents=True)
        monkeypatch.chdir(folder / "work")
        kinds = furnish(folder / "work")
        devices = {path: os.stat(path).st_rdev for path in ("/dev/null", "/dev/full", "/dev/zero")}
        stop = threading.Event()
        reader = threading.Thread(target=heard, args=(folder / "work", stop))
        reader.start()
        try:
            words = [word.replace("{}", name) for word in command.split()]
            result = CliRunner().invoke(app, words, catch_exceptions=False)
        finally:
            stop.set()
            reader.join()
        assert result.exit_code in (0, 1, 2), (words, result.exception)
        if result.exit_code == 1:
            assert result.stderr.count("\n") == 1, (words, result.stderr)
        assert "Traceback" not in result.stderr
        for path, before in kinds.items():
            about = path.lstat()
            assert (stat.S_IFMT(about.st_mode), about.st_ino) == before, (words, path)
        assert {path: os.stat(path).st_rdev for path in devices} == devices
        assert all(stat.S_ISCHR(os.stat(path).st_mode) for path in devices)
        beside = {path.name for path in folder.iterdir()} - {"work"}
        assert beside <= ({"x.csv"} if name == "../x.csv" else set()) | (
            {"pig-boundary.svg", "pig-boundary.png", "study.json", "totals.svg", "games.svg"}
            | {"strategy.csv", "strategy.npz", "solution.json", "figure.svg", "figure.png"}
            if name == ".."
            else set()
        ), words
        assert not list(folder.rglob(".*")), words  # nothing unfinished
        monkeypatch.undo()


@pytest.mark.parametrize("name", ["/dev/zero", "/dev/full", "zero.csv"])
def test_a_device_that_never_ends_is_not_read(tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "zero.csv").symlink_to("/dev/zero")
    for command, told in (
        ("review {}", "RecordError: cannot read {!r}: it is a device\n"),
        (
            "evaluate pig file:{} turtle target=3",
            "WrongTable: cannot read the strategy file {!r}: it is a device\n",
        ),
    ):
        result = CliRunner().invoke(app, command.format(name).split())
        assert (result.exit_code, result.stderr) == (1, told.format(name))
