"""Where commands write: into files, whole; straight into devices and pipes; through links."""

import os
import socket
import stat
import threading

import pytest

from dicelab import DicelabError
from dicelab.core.jobs import bounded

TRACKER = """# {"format": "dicelab tracker 1", "game": "pig", "parameters": {"target": "9"}}
game,seat,player,preference,turn,rolls,banked,total
1,1,ann,averse,1,1,4,4
1,2,ben,,1,2,0,0
1,1,ann,averse,2,1,5,9
"""
WRITERS = {
    "csv": [
        "solve pig target=5 --out {}",
        "respond pig hold-at:3 target=5 --out {}",
        "density pig hold-at:3 hold-at:3 target=5 --out {}",
        "simulate pig turtle random target=5 games=5 seed=1 --jobs 1 --records {}",
        "tournament pig turtle random target=5 --jobs 1 --out {}",
        "advantage --max 1..3 --sides 2..3 --jobs 1 --out {}",
        "review forms.csv --out {}",
        "fit forms.csv --player ann --model coin --out {}",
        "round charts --dice 2 --faces 3 --csv {}",
        "round benchmark --dice 2 --faces 3 --csv {}",
        "export pig target=5 --to prism --out {}",
        "export solo-pig target=5 --to gymnasium --out {}",
    ],
    "npz": ["solve pig target=5 --out {}"],
    "svg": [
        "solve pig target=5 --plot {}",
        "density pig hold-at:3 hold-at:3 target=5 --plot {}",
        "plot pig boundary target=5 --out {}",
    ],
    "png": ["round charts --dice 2 --faces 3 --plot {}", "solve pig target=5 --plot {}"],
    "pdf": ["round charts --dice 2 --faces 3 --plot {}", "solve pig target=5 --plot {}"],
}
EACH = [
    pytest.param(command, kind, id=f"{command.split(' {}')[0]} {kind}")
    for kind, commands in WRITERS.items()
    for command in commands
]


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "forms.csv").write_text(TRACKER)
    return tmp_path


def wrote(dicelab, command, name):
    result = dicelab(*command.format(name).split())
    assert result.exit_code == 0, result.stderr


@pytest.mark.parametrize(("command", "kind"), EACH)
def test_every_writer_writes_into_a_pipe_and_through_links_and_replaces_neither(
    dicelab, folder, command, kind
):
    wrote(dicelab, command, f"plain.{kind}")
    plain = (folder / f"plain.{kind}").read_bytes()
    assert plain

    os.mkfifo(folder / f"pipe.{kind}")
    heard = []
    reader = threading.Thread(target=lambda: heard.append((folder / f"pipe.{kind}").read_bytes()))
    reader.start()
    wrote(dicelab, command, f"pipe.{kind}")
    reader.join(timeout=20)
    assert stat.S_ISFIFO((folder / f"pipe.{kind}").lstat().st_mode)
    if kind not in ("npz", "svg"):  # which tell their own name or are packed as a stream
        assert heard == [plain]
    assert len(heard[0]) > 0

    (folder / "deep").mkdir()
    (folder / "deep" / f"old.{kind}").write_text("old")
    (folder / "deep" / f"old.{kind}").chmod(0o640)
    (folder / f"link.{kind}").symlink_to(f"deep/old.{kind}")
    (folder / f"new.{kind}").symlink_to(f"deep/made.{kind}")  # which is not there yet
    for link, made in ((f"link.{kind}", f"old.{kind}"), (f"new.{kind}", f"made.{kind}")):
        wrote(dicelab, command, link)
        assert (folder / link).is_symlink()
        assert (folder / "deep" / made).stat().st_size == pytest.approx(len(plain), abs=64)
    assert stat.S_IMODE((folder / "deep" / f"old.{kind}").stat().st_mode) == 0o640
    assert not list(folder.rglob(".*"))


@pytest.mark.parametrize("kind", ["null", "full"])
@pytest.mark.parametrize(
    "command", ["export pig target=5 --to prism --out {}", "round charts --dice 2 --csv {}"]
)
def test_a_device_is_written_to_and_stays_a_device(dicelab, folder, command, kind):
    # A node of our own, where one may be made; a link to the machine's otherwise.
    place = folder / kind
    try:
        os.mknod(place, 0o600 | stat.S_IFCHR, os.stat(f"/dev/{kind}").st_rdev)
        place.open("wb").close()
    except OSError:
        place.unlink(missing_ok=True)
        place.symlink_to(f"/dev/{kind}")
    before = place.lstat().st_ino
    result = dicelab(*command.format(place).split())
    told = (0, "") if kind == "null" else (1, "no space left on device")
    assert (result.exit_code, result.stderr[-24:-1]) == told
    assert place.lstat().st_ino == before
    assert stat.S_ISCHR(os.stat(f"/dev/{kind}").st_mode)
    assert stat.S_ISCHR(place.stat().st_mode)


def test_a_link_that_leads_nowhere_or_to_itself_is_refused_and_stays(dicelab, folder):
    (folder / "round.csv").symlink_to("round.csv")
    (folder / "lost.csv").symlink_to("no/such/place.csv")
    for name in ("round.csv", "lost.csv"):
        result = dicelab("solve", "pig", "target=5", "--out", name)
        assert result.exit_code == 1
        assert result.stderr.startswith(f"CannotWrite: cannot write {name!r}: ")
        assert result.stderr.count("\n") == 1
        assert (folder / name).is_symlink()


def test_a_socket_is_refused_and_stays(dicelab, folder):
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind("best.csv")
        result = dicelab("solve", "pig", "target=5", "--out", "best.csv")
    assert (result.exit_code, result.stderr) == (
        1,
        "CannotWrite: cannot write 'best.csv': no such device or address\n",
    )
    assert stat.S_ISSOCK((folder / "best.csv").lstat().st_mode)


# Folders


@pytest.mark.parametrize(("command", "kind"), EACH)
def test_a_file_in_a_folder_that_is_not_there_is_refused_before_the_work(
    dicelab, folder, command, kind
):
    result = dicelab(*command.format(f"no/such.{kind}").split())
    assert (result.exit_code, result.stderr) == (
        1,
        f"CannotWrite: cannot write 'no/such.{kind}': there is no folder 'no'; "
        f"make it first, or name another place\n",
    )
    assert {path.name for path in folder.iterdir()} == {"forms.csv"}


def test_a_folder_that_was_asked_for_is_made(dicelab, folder):
    for command, name in (
        ("solve pig target=5 --out a/b/", "a/b/strategy.csv"),
        ("study forms.csv --out c/d", "c/d/study.json"),
        ("plot pig boundary target=5 --out e/f/", "e/f/pig-boundary.png"),
        ("plot pig boundary target=5 --out .", "pig-boundary.svg"),
    ):
        assert dicelab(*command.split()).exit_code == 0
        assert (folder / name).is_file()


@pytest.mark.parametrize(
    ("command", "told"),
    [
        (
            "conjectures --max 3 --sides 2..2 --jobs 1 --keep {}",
            "CannotWrite: cannot write {!r}: it is not a regular file\n",
        ),
        (
            "tournament pig hold-at:1..3 target=5 games=9 --jobs 1 --checkpoint {}",
            "WrongCheckpoint: cannot use {!r} as a checkpoint: it is not a regular file; "
            "name another file\n",
        ),
    ],
)
def test_what_is_read_and_added_to_must_be_a_regular_file(dicelab, folder, command, told):
    os.mkfifo("pipe")
    for name in ("pipe", "/dev/null", "/dev/zero"):
        result = dicelab(*command.format(name).split())
        assert (result.exit_code, result.stderr) == (1, told.format(name))


def test_a_checkpoint_in_a_folder_that_is_not_there_is_refused(dicelab, folder):
    command = "tournament pig hold-at:1..3 target=5 games=9 --jobs 1 --checkpoint no/work.db"
    result = dicelab(*command.split())
    assert (result.exit_code, result.stderr) == (
        1,
        "WrongCheckpoint: cannot use 'no/work.db' as a checkpoint: there is no folder 'no'; "
        "name another file\n",
    )
    assert not (folder / "no").exists()


@pytest.mark.parametrize("name", ["/dev/null", "forms.csv", "forms"])
def test_a_figure_goes_into_no_file_of_another_kind(dicelab, folder, name):
    (folder / "forms").write_text("something else")
    result = dicelab("plot", "pig", "boundary", "target=5", "--out", name)
    assert result.exit_code == 2
    assert "a figure ends in .svg, .png or .pdf" in result.stderr


# How many processes


@pytest.mark.parametrize("jobs", ["0", "-2", "x", "1.5", ""])
def test_a_number_of_processes_that_is_none_is_refused(dicelab, jobs):
    for command in ("tournament pig turtle random target=5", "respond pig turtle target=5"):
        result = dicelab(*command.split(), "--jobs", jobs)
        assert result.exit_code == 2
        told = " ".join(result.stderr.replace("│", " ").split())
        assert f"--jobs is how many processes, 1 or more, or -1 for one per core: got {jobs!r}" in (
            told
        )


@pytest.mark.parametrize("wanted", [2, 500, 100_000, -1])
def test_there_are_no_more_workers_than_jobs_or_cores(wanted):
    for count in (0, 1, 3, 10**6):
        assert 1 <= bounded(wanted, count) <= max(1, min(count, os.cpu_count()))
    assert bounded(None, 3) is None  # which a cluster or joblib's own setting decides


@pytest.mark.parametrize("wanted", [0, -2])
def test_python_is_refused_a_number_of_workers_that_is_none(wanted):
    with pytest.raises(DicelabError) as refused:
        bounded(wanted, 3)
    assert str(refused.value) == f"workers are 1 or more, or -1 for one per core: got {wanted}"


@pytest.mark.parametrize(
    "command",
    ["respond pig hold-at:2..4 target=6 --iterate", "conjectures --max 3 --sides 2..3"],
)
def test_very_many_processes_for_little_work_are_a_few(dicelab, command):
    assert dicelab(*command.split(), "--jobs", "100000").exit_code == 0
