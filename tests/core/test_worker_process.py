"""A process that works for this one: results come back, named things go once, ends are told."""

import os
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import numpy as np
import pytest

from dicelab.core.lazy import Remembers
from dicelab.core.typed_modules import import_typed, looking_in
from dicelab.core.worker_process import Names, Unsendable, WorkerProcess, packed, unpacked
from dicelab.errors import NotSolved, WorkerKilled

SENT = """
    import os
    import time

    import numpy as np

    from dicelab.core.lazy import Remembers
    from dicelab.errors import NotSolved


    class Heavy(Remembers):
        def __init__(self, size):
            self.values = np.arange(size)


    def same(*things, report):
        return things


    def made(size, report):
        return Heavy(size)


    def size_of(heavy, report):
        return heavy.values.size


    def doubled(heavy, report):
        return heavy, 2 * heavy.values


    def reporting(report):
        for share in (0.25, 0.5):
            time.sleep(0.3)
            report(share)
        return os.getpid()


    def unsolved(report):
        raise NotSolved("{game} did not settle at {at}", 7)


    def unsendable(report):
        return lambda: None


    def dying(report):
        os.kill(os.getpid(), 9)


    def slow(report):
        time.sleep(60)
"""


@pytest.fixture(scope="module")
def sent(tmp_path_factory):
    """A module of somebody's own, which only the folder that was named has."""
    folder = tmp_path_factory.mktemp("own")
    (folder / "sent_to_a_worker.py").write_text(textwrap.dedent(SENT))
    with looking_in(str(folder)):
        return import_typed("sent_to_a_worker")


def started(budget=10**8, lines=2):
    return WorkerProcess((Remembers,), budget, lines)


@pytest.fixture
def worker():
    worker = started()
    yield worker
    worker.end()


def unheard(_):
    """Hear how far the work has come, and say nothing."""


def ask(worker, function, *arguments):
    return worker.call(function, *arguments, report=unheard)


def has_ended(pid):
    """Return whether a process is no more, or has only to be waited for."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return True


def ends(pid):
    """Return whether a process ends within ten seconds."""
    deadline = time.monotonic() + 10
    while not has_ended(pid) and time.monotonic() < deadline:
        time.sleep(0.02)
    return has_ended(pid)


def test_arrays_come_back_as_they_were(worker, sent):
    sealed = np.linspace(0, 1, 5)
    sealed.flags.writeable = False
    given = (
        np.arange(12, dtype=np.int16).reshape(3, 4),
        np.asfortranarray(np.ones((2, 3))),
        np.arange(10)[::2],
        np.empty(0, np.bool_),
        np.array([None, "a"], object),
        sealed,
    )
    found = ask(worker, sent.same, *given)
    for one, other in zip(given, found, strict=True):
        assert one.dtype == other.dtype
        assert one.tolist() == other.tolist()
        assert one.flags.writeable == other.flags.writeable
        assert other.flags.aligned
    assert found[1].flags.f_contiguous


def test_what_is_held_on_both_sides_is_the_same_thing_again(worker, sent):
    heavy = sent.Heavy(1000)
    same, doubled = ask(worker, sent.doubled, heavy)
    assert same is heavy
    assert doubled.tolist() == list(range(0, 2000, 2))


def test_only_its_name_travels_once_a_thing_is_known(sent):
    names, heavy = Names((Remembers,)), sent.Heavy(1000)
    first = packed([heavy], names, ())
    ((name, brought),) = first.brought
    assert brought is heavy
    assert sum(array.nbytes for array in first.arrays) == 8000
    again = packed([heavy], names, {name})
    assert (again.spoken_of, again.brought, again.arrays) == ({name}, [], [])
    there = Names((Remembers,))
    message, brought = unpacked(first.text, [bytearray(a) for a in first.arrays], there)
    assert unpacked(again.text, [], there)[0][0] is message[0] is brought[0]
    with pytest.raises(Unsendable, match=f"what is called {name} is not held here any more"):
        unpacked(again.text, [], Names((Remembers,)))


def test_what_the_other_process_has_let_go_of_is_sent_again(sent):
    worker, heavy = started(budget=0), sent.Heavy(1000)
    try:
        for _ in range(3):  # at the second and third call it is not there any more
            assert ask(worker, sent.doubled, heavy)[0] is heavy
    finally:
        worker.end()


def test_one_of_two_things_may_be_gone(sent):
    worker, large, small = started(budget=5000), sent.Heavy(1000), sent.Heavy(10)
    try:
        for some in ((small,), (large,), (small, large), (large, small)):
            found = ask(worker, sent.same, *some)
            assert all(one is other for one, other in zip(some, found, strict=True))
    finally:
        worker.end()


def test_how_far_the_work_has_come_is_told_meanwhile(worker, sent):
    told = []
    assert worker.call(sent.reporting, report=told.append) != os.getpid()
    assert told == [0.25, 0.5]


def test_what_is_raised_there_is_raised_here(worker, sent):
    with pytest.raises(NotSolved) as refused:
        ask(worker, sent.unsolved)
    assert (refused.value.at, str(refused.value)) == (7, "the game did not settle at position 7")
    assert "in unsolved" in refused.value.__notes__[0]  # where it happened, for whoever looks
    assert ask(worker, sent.same, 1) == (1,)


def test_what_cannot_be_sent_is_told_and_spoils_nothing(worker, sent):
    with pytest.raises(Unsendable, match="lambda"):
        ask(worker, sent.unsendable)
    with pytest.raises(Unsendable, match="lambda"):
        ask(worker, sent.same, lambda: None)
    with pytest.raises(Unsendable, match="No module named"):  # it cannot import that
        ask(worker, unheard)
    assert ask(worker, sent.same, 1) == (1,)


def test_a_process_that_was_killed_is_told_and_another_one_takes_its_place(worker, sent):
    with pytest.raises(WorkerKilled) as told:
        ask(worker, sent.dying)
    assert str(told.value) == (
        "the process that works for this one was ended from outside, perhaps because the machine "
        "ran out of memory: ask for something smaller, or ask again"
    )
    heavy = sent.Heavy(10)
    assert ask(worker, sent.doubled, heavy)[0] is heavy


def test_what_came_from_a_process_that_is_no_more_is_never_taken_for_something_else(worker, sent):
    before = [ask(worker, sent.made, size) for size in (10, 20)]
    with pytest.raises(WorkerKilled):
        ask(worker, sent.dying)
    after = [ask(worker, sent.made, size) for size in (30, 40)]
    sizes = [ask(worker, sent.size_of, each) for each in (*before, *after)]
    assert sizes == [10, 20, 30, 40]


def test_once_ended_it_works_no_more(sent):
    worker = started()
    pid = ask(worker, sent.reporting)
    worker.end()
    assert ends(pid)
    with pytest.raises(WorkerKilled, match="about to end"):
        ask(worker, sent.same, 1)


PARENT = """
import sys
from dicelab.core.typed_modules import import_typed, looking_in
from dicelab.core.worker_process import WorkerProcess

with looking_in(sys.argv[1]):
    sent = import_typed("sent_to_a_worker")
worker = WorkerProcess((), 0, 1)
print(worker.call(sent.reporting, report=print), flush=True)
worker.call(sent.slow, report=print)
"""


@pytest.mark.parametrize("sig", [signal.SIGKILL, signal.SIGTERM])
def test_it_ends_with_the_process_that_asks_whatever_it_is_at(sent, sig):
    folder = Path(sent.__file__).parent
    asking = subprocess.Popen(
        [sys.executable, "-c", PARENT, str(folder)], stdout=subprocess.PIPE, text=True
    )
    with asking:
        pid = int([asking.stdout.readline() for _ in range(3)][-1])
        asking.send_signal(sig)
    assert ends(pid)


def test_nothing_in_the_folder_it_was_started_in_is_imported(sent, tmp_path, monkeypatch):
    for name in ("dicelab", "pickle", "socket", "sitecustomize", "numpy"):
        (tmp_path / f"{name}.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w')\n")
    monkeypatch.chdir(tmp_path)
    worker = started()
    try:
        assert ask(worker, sent.same, 1) == (1,)
    finally:
        worker.end()
    assert not (tmp_path / "ran").exists()
