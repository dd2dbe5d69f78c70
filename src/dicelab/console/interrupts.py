"""Ctrl-C is answered at once, whatever the command is at.

Python hears a signal between two of its own steps, and a compiled kernel is a single step that may
take minutes. Raised inside Numba or one of its callbacks, the interrupt may also be lost or spoil
what is being made. So nothing is raised: a thread that waits for the signal removes the files that
are not finished, ends the processes that share the work, and ends this one. Files that are finished
are whole (`atomic_write`), and checkpoints keep what was done (`jobs`).
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
from collections.abc import Iterator
from typing import NoReturn

from dicelab.core.atomic_write import remove_unfinished
from dicelab.core.workers import end_workers

INTERRUPTED = 130  # what a shell reports for a command that Ctrl-C ended


@contextlib.contextmanager
def answered_at_once() -> Iterator[None]:
    """End the process at the first Ctrl-C, for as long as a command runs."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # started in the background by a shell
        yield
        return
    heard, told = os.pipe()
    os.set_blocking(told, False)
    before = signal.signal(signal.SIGINT, _do_nothing)
    fd_before = signal.set_wakeup_fd(told, warn_on_full_buffer=False)
    threading.Thread(target=_wait, args=(heard,), daemon=True).start()
    try:
        yield
    finally:
        signal.set_wakeup_fd(fd_before)
        signal.signal(signal.SIGINT, before)
        os.close(told)  # which ends the thread


@contextlib.contextmanager
def left_alone() -> Iterator[None]:
    """Let a server hear Ctrl-C by itself and close what it has open."""
    fd_before = signal.set_wakeup_fd(-1)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
        signal.set_wakeup_fd(fd_before)


def _do_nothing(*_: object) -> None:
    """Take the place of the handler that raises; the thread has been told already."""


def _wait(heard: int) -> None:
    """Wait until the pipe tells of a Ctrl-C, or is closed."""
    while numbers := os.read(heard, 1):
        if numbers[0] == signal.SIGINT:
            leave()
    os.close(heard)


def leave() -> NoReturn:
    """End this process and those that work for it; nothing half done stays."""
    try:
        remove_unfinished()
        end_workers()
        if sys.stderr is not None:
            with contextlib.suppress(OSError, ValueError):
                # A progress bar hides the cursor, and has its line.
                shown = "\r\x1b[2K\x1b[?25h" if sys.stderr.isatty() else ""
                screen, stderr = os.dup(sys.stderr.fileno()), sys.stderr.fileno()
                os.dup2(os.open(os.devnull, os.O_WRONLY), stderr)  # the bar draws no more
                os.write(screen, f"{shown}interrupted\n".encode())
    finally:
        os._exit(INTERRUPTED)
