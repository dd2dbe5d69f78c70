"""Ctrl-C at any moment of any long command: it is answered, and nothing is broken or left over."""

import os
import pty
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import dicelab
from dicelab import compile, game
from dicelab.console import interrupts

BEGIN = """
import signal, sys
import dicelab_command
signal.signal(signal.SIGINT, dicelab_command._leave)
sys.argv[:] = ["dicelab", *sys.argv[1:]]
print("begun", flush=True)
dicelab_command.main()
"""
LONG = [
    "solve pig target=300 --out best.csv",
    "evaluate pig hold-at:20 hold-at:25 target=400",
    "respond pig hold-at:20 target=300 --out reply.csv",
    "density pig hold-at:20 optimal target=250 --out visits.csv",
    "respond pig hold-at:1..90 target=90 --iterate --jobs 2",
    "simulate pig hold-at:20 random games=1e12 --jobs 2",
    "tournament pig hold-at:1..100 games=1e9 --jobs 2 --checkpoint work.db",
    "family pig hold-at:1..60 target=50..90 --jobs 2 --checkpoint work.db",
    "conjectures --max 200 --sides 2..12 --jobs 2 --keep sweep.jsonl",
    "round benchmark --dice 8 --faces 6 --casts 5 --csv table.csv",
    "plot pig tournament --out map.png",
    "reproduce pig --jobs 2 --out report",
]


def begun(command, folder, **options):
    """Return a command as a process of its own that hears Ctrl-C already."""
    run = subprocess.Popen(
        [sys.executable, "-P", "-c", BEGIN, *command.split()],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,  # a group of its own, as a shell gives a command
        **options,
    )
    assert run.stdout.readline() == "begun\n"
    return run


def alive(group):
    """Return the processes of a group that are there and not only remembered."""
    found = []
    for place in Path("/proc").glob("[0-9]*"):
        try:
            about = (place / "stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(about[2]) == group and about[0] not in "ZX":
            found.append((place / "cmdline").read_text().replace("\0", " "))
    return [command for command in found if "resource_tracker" not in command]


@pytest.mark.parametrize("latest", [2, pytest.param(6, marks=pytest.mark.slow)])
@pytest.mark.parametrize("number", range(len(LONG)))
def test_ctrl_c_at_a_random_moment_is_answered_and_leaves_nothing_half_done(
    tmp_path, number, latest
):
    command, moment = LONG[number], random.Random(number).uniform(0, latest)
    with begun(command, tmp_path) as run:
        time.sleep(moment)
        # At a terminal all processes of a command hear Ctrl-C; `kill` tells only the first.
        (os.killpg if number % 2 else os.kill)(run.pid, signal.SIGINT)
        output, error = run.communicate(timeout=60)
        assert (run.returncode, output, error) == (130, "", "interrupted\n")
    ended = time.monotonic() + 60
    while alive(run.pid) and time.monotonic() < ended:
        time.sleep(0.1)
    assert alive(run.pid) == []
    left = {path.name for path in tmp_path.iterdir()}
    assert left <= {"work.db", "work.db-journal", "sweep.jsonl"}


def test_ctrl_c_inside_a_kernel_is_answered_in_python_too(tmp_path):
    # Numba makes the arrays that a kernel returns without looking whether that failed.
    code = """
import os, signal, threading
from dicelab import compile, game
from dicelab.solvers import order
table = compile(game("pig", target=220))
first = table.outcome_first[table.move_first].astype("uint32")
target = table.target.astype("uint32")
for work in (
    lambda: order.solving_order(first, target),
    lambda: order.cuts(table.component_first, first, target),
):
    work()
    for part in range(0, 40, 3):
        timer = threading.Timer(part / 1000, os.kill, (os.getpid(), signal.SIGINT))
        try:
            timer.start()
            while True:
                work()
        except KeyboardInterrupt:
            timer.join()
print("answered")
"""
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (ended.returncode, ended.stdout) == (0, "answered\n"), ended.stderr


def test_no_kernel_hands_arrays_back_to_python():
    from numba.core import types
    from numba.core.dispatcher import Dispatcher

    table = compile(game("pig", target=12))
    dicelab.solve(table)
    dicelab.evaluate(table, "hold-at:5", "random")
    dicelab.density(table, "hold-at:5", "random")
    dicelab.simulate(table, "hold-at:5", "random", games=10)
    kernels = {
        kernel
        for name, module in list(sys.modules.items())
        if name.startswith("dicelab.")
        for kernel in vars(module).values()
        if isinstance(kernel, Dispatcher)
    }
    returned = {
        kernel.__qualname__: made.signature.return_type
        for kernel in kernels
        for made in kernel.overloads.values()
    }
    assert len(returned) > 20

    def parts(kind):
        return [kind] if not isinstance(kind, types.BaseTuple) else list(kind)

    assert not {
        name: kind
        for name, kind in returned.items()
        if any(isinstance(part, types.Array | types.BaseNamedTuple) for part in parts(kind))
        or isinstance(kind, types.BaseNamedTuple)
    }


def test_the_cursor_that_a_progress_bar_hid_is_shown_again(tmp_path):
    master, slave = pty.openpty()
    run = subprocess.Popen(
        [sys.executable, "-P", "-c", BEGIN, *["simulate", "pig", "random", "random", "games=1e12"]],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=slave,
        text=True,
        start_new_session=True,
        env={**os.environ, "TERM": "xterm"},
    )
    os.close(slave)
    shown = b""
    while b"\x1b[?25l" not in shown:  # hidden: the bar is there
        shown += os.read(master, 1000)
    run.send_signal(signal.SIGINT)
    try:
        while True:
            shown += os.read(master, 1000)
    except OSError:  # the other end is closed
        pass
    run.stdout.close()
    os.close(master)
    assert run.wait(timeout=60) == 130
    assert shown.endswith(b"\r\x1b[2K\x1b[?25hinterrupted\r\n")


def test_a_command_in_the_background_that_ignores_ctrl_c_goes_on_doing_so(tmp_path):
    def ignore():
        signal.signal(signal.SIGINT, signal.SIG_IGN)

    command = [sys.executable, "-m", "dicelab", "games"]
    with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, preexec_fn=ignore) as run:
        for _ in range(20):
            time.sleep(0.05)
            if run.poll() is None:
                run.send_signal(signal.SIGINT)
        assert b"pig" in run.stdout.read()
    assert run.returncode == 0


def test_handlers_are_put_back():
    before = signal.getsignal(signal.SIGINT)
    try:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        with interrupts.answered_at_once():
            assert signal.getsignal(signal.SIGINT) is not signal.default_int_handler
            with interrupts.left_alone(), pytest.raises(KeyboardInterrupt):
                signal.raise_signal(signal.SIGINT)
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
        assert signal.set_wakeup_fd(-1) == -1
    finally:
        signal.signal(signal.SIGINT, before)
