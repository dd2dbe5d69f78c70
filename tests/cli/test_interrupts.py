"""Struck while writing: Ctrl-C, a kill, a full disk. The old file stays whole, or the new one is.

Each command runs in a fork of this process and is struck at a moment of its writing: with half of
the first bytes out, or with all of them out and the file not yet in its place. A few are real
processes, on a real disk that is too small.
"""

import ast
import os
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
import warnings
from pathlib import Path

import pytest
from typer.testing import CliRunner

import dicelab
from dicelab.cli import app
from dicelab.core.jobs import finished
from dicelab.errors import WrongCheckpoint
from dicelab.games.greed.conjectures import sweep
from dicelab.studies import study
from dicelab.studies.checks import Reproduction
from dicelab.studies.report import write_reports

TRACKER = """# {"format": "dicelab tracker 1", "game": "pig", "parameters": {"target": "9"}}
game,seat,player,preference,turn,rolls,banked,total
1,1,ann,averse,1,1,4,4
1,2,ben,,1,2,0,0
1,1,ann,averse,2,1,5,9
"""
OLD = b"the old one"

WRITERS = {
    "best.csv": "solve pig target=5 --out best.csv",
    "best.npz": "solve pig target=5 --out best.npz",
    "best.svg": "solve pig target=5 --plot best.svg",
    "strategy.csv": "solve pig target=5 --out ./",
    "reply.csv": "respond pig hold-at:3 target=5 --out reply.csv",
    "visits.csv": "density pig hold-at:3 hold-at:3 target=5 --out visits.csv",
    "games.csv": "simulate pig turtle random target=5 games=5 seed=1 --jobs 1 --records games.csv",
    "wins.csv": "tournament pig turtle random target=5 --jobs 1 --out wins.csv",
    "first.csv": "advantage --max 1..3 --sides 2..3 --jobs 1 --out first.csv",
    "costs.csv": "review forms.csv --out costs.csv",
    "charts.csv": "round charts --dice 2 --faces 3 --csv charts.csv",
    "charts.png": "round charts --dice 2 --faces 3 --plot charts.png",
    "pig.prism": "export pig target=5 --to prism --out pig.prism",
    "line.png": "plot pig boundary target=5 --out line.png",
}
"""Everything that writes a file, by the first file it writes."""
STRIKES = {
    "while it is written": ["best.csv", "best.npz", "best.svg", "charts.png"],
    "before it takes its place": [name for name in WRITERS if name != "best.svg"],
}
KILLED = {"best.csv", "best.npz", "charts.png", "games.csv"}


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "forms.csv").write_text(TRACKER)
    return tmp_path


@pytest.fixture(scope="module")
def warm(tmp_path_factory):
    """Load once, before the forks, what each of them would have to."""
    before = Path.cwd()
    os.chdir(tmp_path_factory.mktemp("warm"))
    for name in ("best.svg", "reply.csv", "games.csv", "wins.csv", "charts.csv"):
        assert said(WRITERS[name]) == 0
    os.chdir(before)


def forked(work):
    """Return how a fork of this process ended that does some work: its exit code, or -signal."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # threads that wait elsewhere are not needed in the fork
        pid = os.fork()
    if pid == 0:
        try:
            signal.signal(signal.SIGINT, signal.default_int_handler)
            os._exit(work())
        finally:
            os._exit(99)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


class Halfway:
    """A file in which writing strikes with half of the first bytes out."""

    def __init__(self, file, strike):
        self.file, self.strike = file, strike

    def __enter__(self):
        self.file.__enter__()
        return self

    def __exit__(self, *trouble):
        return self.file.__exit__(*trouble)

    def __getattr__(self, name):
        return getattr(self.file, name)

    def write(self, content):
        self.file.write(content[: len(content) // 2])
        self.file.flush()
        self.strike()
        return self.file.write(content[len(content) // 2 :])


def said(command):
    """Return the exit code of a command."""
    return CliRunner().invoke(app, command.split()).exit_code


def struck(write, moment, sign):
    """Do some writing that a signal strikes at a moment of it."""

    def strike(*_):
        os.kill(os.getpid(), sign)

    def work():
        if moment == "while it is written":
            opened = os.fdopen
            os.fdopen = lambda *given, **options: Halfway(opened(*given, **options), strike)
        else:
            os.fsync = strike
        return write()

    return forked(work)


@pytest.mark.parametrize(
    ("moment", "name", "sign"),
    [
        (moment, name, sign)
        for moment, names in STRIKES.items()
        for name in names
        for sign in ("SIGINT", *(["SIGKILL"] if name in KILLED else []))
    ],
)
def test_a_stroke_leaves_the_old_file_whole(folder, moment, name, sign, warm):
    (folder / name).write_bytes(OLD)
    sign = signal.Signals[sign]
    ended = struck(lambda: said(WRITERS[name]), moment, sign)
    assert ended == (130 if sign == signal.SIGINT else -signal.SIGKILL)
    assert (folder / name).read_bytes() == OLD
    left = {path.name for path in folder.iterdir()} - {"forms.csv", name}
    # A kill leaves no time to tidy up: the file that was never finished stays, under its own name.
    assert all(one.startswith(f".{name}.") for one in left)
    assert len(left) == (0 if sign == signal.SIGINT else 1)


@pytest.mark.parametrize("name", [*STRIKES["while it is written"], "games.csv", "wins.csv"])
def test_a_full_disk_leaves_the_old_file_whole_and_says_so(folder, name, warm):
    (folder / name).write_bytes(OLD)

    def work():
        resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))  # a file may grow no longer
        result = CliRunner().invoke(app, WRITERS[name].split())
        told = f"CannotWrite: cannot write {name!r}: file too large\n"
        return 0 if (result.exit_code, result.stderr) == (1, told) else 7

    assert forked(work) == 0
    assert (folder / name).read_bytes() == OLD
    assert {path.name for path in folder.iterdir()} == {"forms.csv", name}


def test_a_report_is_whole_or_not_there(folder):
    (folder / "greed.html").write_bytes(OLD)
    found = [Reproduction(study("greed"), (), 0.0)]
    for moment in ("while it is written", "before it takes its place"):
        killed = struck(lambda: write_reports(found, folder), moment, signal.SIGKILL)
        assert killed == -signal.SIGKILL
        assert (folder / "greed.html").read_bytes() == OLD
    write_reports(found, folder)
    assert b"</html>" in (folder / "greed.html").read_bytes()


# What is added to: a sweep that is kept, and a checkpoint


def test_a_sweep_on_a_full_disk_keeps_whole_lines_and_goes_on(folder):
    def work():
        resource.setrlimit(resource.RLIMIT_FSIZE, (120, 120))
        command = "conjectures --max 6 --sides 2..2 --jobs 1 --keep sweep.jsonl"
        result = CliRunner().invoke(app, command.split())
        return 0 if (result.exit_code, result.stderr) == (1, FULL) else 7

    FULL = "OSError: File too large 'sweep.jsonl'\n"
    assert forked(work) == 0
    kept = (folder / "sweep.jsonl").read_text()
    assert kept.count("\n") == 2
    assert kept.endswith("}\n")
    again = sweep(6, (2, 2), kept=folder / "sweep.jsonl")
    assert again == sweep(6, (2, 2))
    assert (folder / "sweep.jsonl").read_text().count("\n") == 6


def test_a_sweep_whose_last_line_was_cut_is_mended_whole_or_not_at_all(folder):
    sweep(4, (2, 2), kept=folder / "sweep.jsonl")
    whole = (folder / "sweep.jsonl").read_bytes()
    (folder / "sweep.jsonl").write_bytes(whole[:-10])
    command = "conjectures --max 4 --sides 2..2 --jobs 1 --keep sweep.jsonl"
    assert (
        struck(lambda: said(command), "before it takes its place", signal.SIGKILL)
        == -signal.SIGKILL
    )
    assert (folder / "sweep.jsonl").read_bytes() == whole[:-10]
    assert CliRunner().invoke(app, command.split()).exit_code == 0
    assert sorted((folder / "sweep.jsonl").read_bytes().splitlines()) == sorted(whole.splitlines())


def long_answer(job):
    return f"{job} " * 300


def worked():
    return dict(finished(long_answer, range(40), 40, {"what": "answers"}, 1, "work.db"))


def test_a_checkpoint_on_a_full_disk_says_so_and_stays_good():
    def work():
        resource.setrlimit(resource.RLIMIT_FSIZE, (20_480, 20_480))  # five pages of SQLite
        try:
            worked()
        except WrongCheckpoint as refused:
            told = "cannot write to the checkpoint 'work.db': "
            good = "; what it remembers so far is still good"
            return 0 if str(refused).startswith(told) and str(refused).endswith(good) else 7

    assert forked(work) == 0
    file = sqlite3.connect("work.db")
    assert file.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    assert 0 < file.execute("SELECT count(*) FROM results").fetchone()[0] < 40
    file.close()
    assert worked() == {job: long_answer(job) for job in range(40)}


def test_a_database_of_something_else_is_refused_and_left_alone(folder):
    with sqlite3.connect("music.db") as file:
        file.execute("CREATE TABLE songs (name TEXT)")
    file.close()
    before = (folder / "music.db").read_bytes()
    command = "family pig hold-at:1..3 target=5 --jobs 1 --checkpoint music.db"
    result = CliRunner().invoke(app, command.split())
    assert (result.exit_code, result.stderr) == (
        1,
        "WrongCheckpoint: 'music.db' is a database of something else: name another file\n",
    )
    assert (folder / "music.db").read_bytes() == before


# Real processes


def test_answers_that_nobody_can_keep_are_an_error():
    # /dev/full is a disk that is always full.
    command = [sys.executable, "-m", "dicelab", "games", "--json"]
    with open("/dev/full", "w") as full:
        ended = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, timeout=120)
    assert (ended.returncode, ended.stderr) == (1, "OSError: No space left on device\n")


SMALL_DISK = """
mount -t tmpfs -o size=64k none disk && cp old.csv disk/strategy.csv &&
"{python}" -m dicelab solve pig target=30 --out disk/ 2>said; echo $? >code
cp disk/strategy.csv after.csv; ls -A disk >left
"""


def test_a_real_disk_that_is_too_small_leaves_the_old_file_whole(folder):
    # A tmpfs of 64 kB where a test may mount one, else a limit on the size of a file.
    (folder / "disk").mkdir()
    (folder / "old.csv").write_bytes(OLD)
    script = SMALL_DISK.format(python=sys.executable)
    mounted = (
        shutil.which("unshare")
        and not subprocess.run(
            ["unshare", "--mount", "--propagation", "private", "sh", "-c", script], check=False
        ).returncode
    )
    if not mounted:
        script = "cp old.csv disk/strategy.csv; ulimit -f 64;" + script.split("&&\n")[1]
        subprocess.run(["bash", "-c", script], check=False)
    said = "no space left on device" if mounted else "file too large"
    assert (folder / "said").read_text() == (
        f"CannotWrite: cannot write 'disk/strategy.csv': {said}\n"
    )
    assert (folder / "code").read_text() == "1\n"
    assert (folder / "after.csv").read_bytes() == OLD
    assert (folder / "left").read_text() == "strategy.csv\n"


# No way around


WRITES = {"write_text", "write_bytes", "savefig", "savez", "savez_compressed", "save", "tofile"}
KNOWN = {
    ("verbs/match.py", "savez_compressed"),  # into a file that is written whole
    ("verbs/set_file.py", "savez_compressed"),  # so does this
    ("console/output.py", "write_text"),  # these write through `written_whole`
    ("games/greed/conjectures.py", "open"),  # a line at a time, each whole
    ("lab/study.py", "savefig"),  # into memory
    ("plots/style.py", "savefig"),
    ("strategies/file.py", "savez_compressed"),
}


def test_nothing_is_written_but_whole():
    package = Path(dicelab.__file__).parent
    found = set()
    for path in sorted(package.rglob("*.py")):
        name = path.relative_to(package).as_posix()
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call):
                continue
            called = getattr(node.func, "attr", getattr(node.func, "id", ""))
            words = [a.value for a in node.args if isinstance(a, ast.Constant)]
            opens = called == "open" and any(
                isinstance(word, str) and set(word) <= set("wabx+t") and set(word) & set("wax+")
                for word in words
            )
            module = getattr(getattr(node.func, "value", None), "id", "")
            if opens or (called in WRITES and isinstance(node.func, ast.Attribute)):
                if called == "save" and module in ("plots", "found", "figures", "solution"):
                    continue  # ours, which writes whole
                found.add((name, called))
    assert found <= KNOWN
