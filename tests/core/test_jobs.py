"""Long work: killed and resumed, or on a cluster that loses a machine, it comes out the same."""

from __future__ import annotations

import hashlib
import inspect
import json
import os
import re
import signal
import sqlite3
import subprocess
import sys
import time
import warnings

import pytest
from joblib.externals.loky import process_executor

from dicelab import compile, game, plan, sweep
from dicelab.core import typed_modules
from dicelab.core.jobs import REPLACED, cluster, finished, results, share_of
from dicelab.errors import ClusterError, WorkerKilled, WrongCheckpoint
from dicelab.verbs.simulate import BLOCK, simulate
from dicelab.verbs.tournament import tournament

SHORT = game("pig", target=20)
NAMES = [f"hold-at:{n}" for n in range(2, 14)]

KILLED = """
import os, signal, sys
from dicelab.core.jobs import finished

def work(job):
    with open("played.txt", "a") as file:
        file.write(f"{job}\\n")
    if job == int(sys.argv[1]):
        os.kill(os.getpid(), signal.SIGKILL)
    return [job, job / 3]

results = dict(finished(work, range(10), 10, {"work": "test"}, 1, "work.db"))
print([results[job] for job in range(10)])
"""


def wait_for(condition, what, seconds=60.0):
    """Wait until a condition holds, and fail if it never does."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, f"waited {seconds} s for {what}"
        time.sleep(0.02)


def stop(process):
    """End a process that this test started."""
    process.kill()
    process.wait()
    for pipe in (process.stdout, process.stderr):
        if pipe:
            pipe.close()


def rows(path):
    """Return how many results a checkpoint holds, seen from another process."""
    if not path.exists():
        return 0
    file = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    try:
        return file.execute("SELECT count(*) FROM results").fetchone()[0]
    except sqlite3.OperationalError:  # not laid out yet
        return 0
    finally:
        file.close()


@pytest.mark.slow
def test_killed_work_goes_on_and_repeats_one_job_at_most(tmp_path):
    def run(killed_at):
        command = [sys.executable, "-c", KILLED, str(killed_at)]
        return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)

    assert run(4).returncode == -signal.SIGKILL
    assert run(7).returncode == -signal.SIGKILL
    last = run(-1)
    assert (last.returncode, last.stderr) == (0, "")
    assert json.loads(last.stdout) == [[job, job / 3] for job in range(10)]
    played = [int(line) for line in (tmp_path / "played.txt").read_text().split()]
    assert played == [0, 1, 2, 3, 4, 4, 5, 6, 7, 7, 8, 9]  # each kill cost the job it hit


@pytest.mark.slow
def test_a_tournament_killed_at_some_moment_ends_bit_for_bit_the_same(tmp_path):
    words = ["tournament", "pig", "hold-at:2..13", "target=20", "games=60000", "--jobs", "1"]
    words += ["--json", "--checkpoint", "work.db"]
    command = [sys.executable, "-m", "dicelab", *words]
    first = subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.DEVNULL)
    wait_for(lambda: rows(tmp_path / "work.db") >= 3, "three rows of the tournament")
    os.kill(first.pid, signal.SIGKILL)
    first.wait()
    kept = rows(tmp_path / "work.db")
    assert 3 <= kept < len(NAMES)
    again = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    straight = tournament(SHORT, NAMES, games=60_000)
    assert json.loads(again.stdout)["matrix"] == straight.values.tolist()
    assert json.loads(again.stdout)["low"] == straight.low.tolist()


def test_a_finished_checkpoint_plays_nothing_again(tmp_path):
    played = []

    def work(job):
        played.append(job)
        return job * job

    for _ in range(2):
        found = dict(finished(work, range(5), 5, {"work": "squares"}, 1, tmp_path / "a.db"))
        assert found == {0: 0, 1: 1, 2: 4, 3: 9, 4: 16}
    assert played == [0, 1, 2, 3, 4]


def test_a_simulation_resumes_too(tmp_path):
    class Enough(Exception):
        pass

    def some(share):
        if share > 0.5:
            raise Enough

    ask = {"games": 4 * BLOCK, "seed": 3, "workers": 1, "checkpoint": tmp_path / "games.db"}
    with pytest.raises(Enough):
        simulate(SHORT, "hold-at:9", "random", **ask, progress=some)
    assert 0 < rows(tmp_path / "games.db") < 4
    resumed = simulate(SHORT, "hold-at:9", "random", **ask)
    straight = simulate(SHORT, "hold-at:9", "random", games=4 * BLOCK, seed=3)
    assert resumed.tally.as_lists() == straight.tally.as_lists()


def test_the_checkpoint_of_other_work_is_refused(tmp_path):
    place = tmp_path / "games.db"
    simulate(SHORT, "hold-at:9", "random", games=10, seed=3, checkpoint=place)
    with pytest.raises(WrongCheckpoint) as refused:
        simulate(SHORT, "hold-at:9", "random", games=10, seed=4, checkpoint=place)
    assert str(refused.value) == (
        f"{str(place)!r} is the checkpoint of other work (seed is 3 there and 4 here): "
        f"name another file, or remove it"
    )


def test_a_checkpoint_from_before_ones_own_rules_changed_is_refused(tmp_path, monkeypatch):
    place, label = tmp_path / "work.db", {"work": "test"}
    (tmp_path / "own_rules_here.py").write_text("import own_part_here\n")
    (tmp_path / "own_part_here.py").write_text("FINE = 5\n")
    monkeypatch.setattr(typed_modules, "_found", {})
    with typed_modules.looking_in(str(tmp_path)):
        typed_modules.import_typed("own_rules_here")
    for name in ("own_rules_here", "own_part_here"):
        monkeypatch.setitem(sys.modules, name, sys.modules[name])
    dict(finished(abs, [-1], 1, label, 1, place))
    assert dict(finished(None, [-1], 1, label, 1, place)) == {0: 1}  # remembered
    (tmp_path / "own_part_here.py").write_text("FINE = 6\n")
    with pytest.raises(WrongCheckpoint) as refused:
        dict(finished(None, [-1], 1, label, 1, place))
    marks = [hashlib.sha256(f"FINE = {fine}\n".encode()).hexdigest()[:12] for fine in (5, 6)]
    assert str(refused.value) == (
        f"{str(place)!r} is the checkpoint of other work (the code of own_part_here is "
        f"{marks[0]!r} there and {marks[1]!r} here): name another file, or remove it"
    )


def test_a_checkpoint_from_before_a_file_of_a_strategy_changed_is_refused(tmp_path):
    rule, place = tmp_path / "card.rule", tmp_path / "work.db"
    ask = {"strategies": [f"file:{rule}", "optimal"], "checkpoint": place}
    rule.write_text("roll\n")
    first = sweep("pig", {"target": [4]}, ["wins"], **ask)
    assert sweep("pig", {"target": [4]}, ["wins"], **ask).rows == first.rows
    rule.write_text("hold if at_risk >= 2; roll\n")
    with pytest.raises(WrongCheckpoint, match=r"of other work \(players is "):
        sweep("pig", {"target": [4]}, ["wins"], **ask)


def test_a_file_that_is_no_checkpoint_is_refused(tmp_path):
    place = tmp_path / "notes.txt"
    place.write_text("buy dice\n" * 100)
    with pytest.raises(WrongCheckpoint) as refused:
        simulate(SHORT, "hold-at:9", "random", games=10, checkpoint=place)
    assert str(refused.value) == (
        f"cannot use {str(place)!r} as a checkpoint: file is not a database; name another file"
    )
    assert place.read_text() == "buy dice\n" * 100


def test_plans_that_play_differently_have_different_fingerprints():
    table = compile(SHORT)
    prints = {plan(table, name).fingerprint for name in (*NAMES, "random", "optimal")}
    assert len(prints) == len(NAMES) + 2
    assert plan(table, "turtle").fingerprint == plan(table, "hold-at:5").fingerprint


@pytest.mark.parametrize("workers", [2, 3])
def test_a_tournament_is_the_same_with_more_workers(workers):
    alone = tournament(SHORT, NAMES, games=2000, seed=5)
    together = tournament(SHORT, NAMES, games=2000, seed=5, workers=workers)
    assert (alone.first == together.first).all()
    assert (alone.low == together.low).all()


@pytest.fixture
def dask(tmp_path):
    """A scheduler and two workers on loopback: its address and the processes of the workers."""
    place = tmp_path / "scheduler.json"
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    run = [sys.executable, "-m"]
    files = ["--scheduler-file", str(place), "--no-dashboard", "--no-show"]
    scheduler = subprocess.Popen(
        [*run, "distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", "0", *files],
        **quiet,
    )
    processes = [scheduler]
    try:
        wait_for(lambda: place.exists() and place.stat().st_size, "the scheduler")
        worker = [*run, "distributed.cli.dask_worker", "--scheduler-file", str(place)]
        worker += ["--nthreads", "1", "--no-nanny", "--no-dashboard", "--host", "127.0.0.1"]
        worker += ["--local-directory", str(tmp_path)]
        processes += [subprocess.Popen(worker, **quiet) for _ in range(2)]
        address = json.loads(place.read_text())["address"].removeprefix("tcp://")
        from distributed import Client

        with Client(f"tcp://{address}", set_as_default=False) as client:
            client.wait_for_workers(2, timeout=60)
        yield f"dask://{address}", processes[1:]
    finally:
        for process in reversed(processes):
            stop(process)


@pytest.mark.slow
def test_a_cluster_that_loses_a_worker_still_gives_the_same_tournament(dask):
    address, workers = dask
    shares = []

    def watch(share):
        shares.append(share)
        if len(shares) == 3:
            workers[0].kill()

    with cluster(address):
        pids = {pid for _, pid in finished(lambda job: os.getpid(), range(8), 8, {})}
        assert pids == {worker.pid for worker in workers}
        found = tournament(SHORT, NAMES, games=20_000, seed=2, progress=watch)
    assert len(shares) == len(NAMES)
    assert workers[0].wait(10) == -signal.SIGKILL
    assert workers[1].poll() is None
    local = tournament(SHORT, NAMES, games=20_000, seed=2)
    assert (found.first == local.first).all()
    assert (found.low == local.low).all()
    with cluster(address):  # and the one that is left plays on
        games = simulate(SHORT, "hold-at:9", "random", games=BLOCK + 5, seed=6)
    straight = simulate(SHORT, "hold-at:9", "random", games=BLOCK + 5, seed=6)
    assert games.tally.as_lists() == straight.tally.as_lists()


def killed(job):
    """Work that somebody kills, as the system does where memory runs out."""
    os.kill(os.getpid(), signal.SIGKILL)


@pytest.mark.skipif(os.cpu_count() == 1, reason="one core works in this process")
def test_a_process_that_has_grown_is_replaced_without_a_word():
    source = re.sub(r'"\s+"', "", inspect.getsource(process_executor))
    assert f'"{REPLACED}. ' in source  # what joblib says when it starts a process anew
    assert sorted(results(abs, [-1, -2, 3], 2)) == [1, 2, 3]
    warnings.warn(f"{REPLACED}. This", UserWarning, stacklevel=1)  # raises unless it is ignored


@pytest.mark.skipif(os.cpu_count() == 1, reason="one core works in this process")
def test_a_process_that_is_killed_is_told_in_a_sentence():
    with pytest.raises(WorkerKilled) as refused:
        list(finished(killed, range(4), 4, {"work": "test"}, 2))
    assert str(refused.value) == (
        "one of the processes that shared the work was killed, perhaps because the machine ran "
        "out of memory: start fewer of them, as --jobs 1, or give them less, as --memory 4GB"
    )


DEAF = """
import re
import signal
from dicelab.core.jobs import finished

def hears(job):
    return signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, [])

if __name__ == "__main__":
    print(sorted(finished(hears, range(4), 4, {"work": "test"}, 2)))
    print(hears(None))
"""


@pytest.mark.skipif(os.cpu_count() == 1, reason="one core works in this process")
def test_ctrl_c_is_blocked_in_processes_that_share_work_and_not_in_the_one_that_shares_it(tmp_path):
    (tmp_path / "deaf.py").write_text(DEAF)
    ended = subprocess.run([sys.executable, tmp_path / "deaf.py"], capture_output=True, text=True)
    expected = "[(0, False), (1, False), (2, False), (3, False)]\nTrue\n"
    assert (ended.stdout, ended.stderr) == (expected, "")


def test_processes_share_the_memory(monkeypatch):
    monkeypatch.setattr("joblib.cpu_count", lambda: 4)
    assert share_of(1000, -1, 10) == 250
    assert share_of(1000, -1, 2) == 500  # no more processes than jobs
    assert share_of(1000, 1, 10) == 1000
    assert share_of(1000, None, 10) == 1000  # a cluster has machines of its own


def test_a_cluster_of_no_known_kind_is_refused():
    with pytest.raises(ClusterError) as refused, cluster("slurm://here"):
        pass
    assert str(refused.value) == (
        "a cluster is given as dask://HOST:PORT: got 'slurm://here'; "
        "for another engine use joblib.parallel_config from Python"
    )


@pytest.mark.slow
def test_a_scheduler_that_does_not_answer_is_named(monkeypatch):
    monkeypatch.setattr("dicelab.core.jobs.PATIENCE", 0.2)
    with pytest.raises(ClusterError) as refused, cluster("dask://127.0.0.1:9"):
        pass
    assert str(refused.value) == (
        "no Dask scheduler answers at 'dask://127.0.0.1:9': start one with `dask scheduler`, "
        "or check the address"
    )


def test_no_cluster_changes_nothing():
    with cluster(None):
        assert tournament(SHORT, NAMES[:2]).best == "hold-at:3"
