"""One job in a process of its own: laps of a stopwatch, the peak of memory, versions; as JSON.

Nothing is imported here but Python's own, so that start-up belongs to the job.
"""

from __future__ import annotations

import json
import os
import re
import time
from collections.abc import Callable, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

BEGAN = "BENCH_BEGAN"
"""The variable that says when the process was asked for, in seconds of `time.time`."""


class Watch:
    """A stopwatch with named laps."""

    def __init__(self) -> None:
        self.laps: dict[str, float] = {}
        self._last = time.perf_counter()

    def ready(self) -> None:
        """Say that everything is imported and loaded: start-up ends here."""
        self.laps["startup"] = time.time() - float(os.environ.get(BEGAN, time.time()))
        self._last = time.perf_counter()

    def lap(self, name: str) -> None:
        """Count the time since the last lap under a name."""
        now = time.perf_counter()
        self.laps[name] = self.laps.get(name, 0.0) + now - self._last
        self._last = now


def memory(field: str) -> float:
    """Return the MB that this process holds now (VmRSS), or held at most (VmHWM)."""
    told = Path("/proc/self/status").read_text(encoding="ascii")
    found = re.search(rf"{field}:\s+(\d+) kB", told)
    assert found is not None
    return int(found[1]) / 1024


def run(jobs: dict[str, Callable[..., dict[str, Any]]], arguments: Sequence[str]) -> None:
    """Do the job named first with the numbers that follow, and print what came of it."""
    watch = Watch()
    found = jobs[arguments[0]](watch, *(int(argument) for argument in arguments[1:]))
    packages = {name: version(name) for name in found.pop("packages", ())}
    print(json.dumps({**watch.laps, **found, "versions": packages, "peak": memory("VmHWM")}))
