"""Processes that work for this one: Ctrl-C is not for them, and none is missed when it ends.

At a terminal every process of a command hears Ctrl-C. The one that shares the work out answers it
and ends the others, so these are started deaf to it: a signal that is blocked stays blocked in
whatever a process starts, from its first moment on.
"""

from __future__ import annotations

import contextlib
import os
import signal
import threading
from collections.abc import Iterator
from pathlib import Path

WORKER = "DICELAB_WORKER"
"""A variable of the environment that every process has which was started inside `starting`."""
_starting = threading.Lock()


@contextlib.contextmanager
def starting() -> Iterator[None]:
    """Start processes inside; none is started any more once `end_workers` was called."""
    with _starting:
        before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
        os.environ[WORKER] = "1"
        try:
            yield
        finally:
            del os.environ[WORKER]
            signal.pthread_sigmask(signal.SIG_SETMASK, before)


def is_worker() -> bool:
    """Return whether this process works for another one, and should start none itself."""
    return WORKER in os.environ


def end_workers() -> None:
    """End every process that this one has started, and those that they have started.

    A pool of processes knows a worker only once it has begun, so the system is asked instead.
    joblib's watcher stays: it tidies up and then ends by itself.
    """
    _starting.acquire(timeout=2)  # and never given back: this process is about to end
    started: dict[int, list[int]] = {}
    for place in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError, IndexError, ValueError):
            parent = int((place / "stat").read_text().rpartition(")")[2].split()[1])
            started.setdefault(parent, []).append(int(place.name))
    ours = [os.getpid()]
    for process in ours:  # grows while it is read
        for child in started.get(process, []):
            with contextlib.suppress(OSError):
                if b"resource_tracker" not in Path(f"/proc/{child}/cmdline").read_bytes():
                    ours.append(child)
                    os.kill(child, signal.SIGKILL)
