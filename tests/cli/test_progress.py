"""The bar of a command: it shows by itself, gives way to what is printed, and goes at the end."""

import io
import os
import pty
import subprocess
import sys
import threading

import pytest

from dicelab.console import progress as bars

SLOW = """
import sys, threading, typer
from dicelab.console import progress
from dicelab.console.app import app
from dicelab.console.output import say

progress.PATIENCE = 0.01

def shown():
    while progress._bars[-1]._shown is None:
        threading.Event().wait(0.01)

@app.command("slow")
def slow() -> None:
    shown()
    say("between")
    shown()
    with progress.progress("inside") as report:
        report(0.5)
        shown()
    shown()
    say("done")

sys.argv = ["dicelab", "slow"]
app()
"""


def run_in_terminal(program: str) -> tuple[str, str]:
    """Return what a program writes into a pipe, and into the terminal that is its stderr."""
    master, slave = pty.openpty()
    running = subprocess.Popen(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=slave, text=True
    )
    os.close(slave)
    pieces = []

    def read() -> None:
        try:
            while piece := os.read(master, 4096):
                pieces.append(piece)
        except OSError:  # the other end is closed
            pass

    reader = threading.Thread(target=read)
    reader.start()
    printed, _ = running.communicate()
    reader.join()
    os.close(master)
    assert running.returncode == 0
    return printed, b"".join(pieces).decode()


def test_work_that_reports_nothing_shows_a_bar_and_what_is_printed_stays_whole():
    printed, seen = run_in_terminal(SLOW)
    assert printed == "between\ndone\n"
    assert "working" in seen
    assert "inside" in seen
    assert "50%" in seen


def test_a_bar_gives_way_to_what_is_printed_and_comes_back(monkeypatch):
    told = []
    monkeypatch.setattr(bars._Bar, "begin", lambda bar: told.append(f"{bar.label} begins"))
    monkeypatch.setattr(bars._Bar, "end", lambda bar: told.append(f"{bar.label} ends"))
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    with bars.progress("outer"):
        with bars.progress("inner") as report:
            report(0.25)
            with bars.aside(stderr=True):
                told.append("printed")
        bars.no_bar()
    assert told == [
        *("outer begins", "outer ends", "inner begins"),
        *("inner ends", "printed", "inner begins", "inner ends"),
        *("outer begins", "outer ends", "outer ends"),
    ]


@pytest.mark.parametrize("stream", [None, io.StringIO()])
def test_no_bar_where_nobody_looks(monkeypatch, stream):
    monkeypatch.setattr(sys, "stderr", stream)
    with bars.progress("nobody") as report:
        report(0.5)
        assert not bars._bars
