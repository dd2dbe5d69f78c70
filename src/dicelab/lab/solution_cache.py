"""Solved tables, shared between all players and kept within a memory budget.

A table is worked out once, by one thread, however many people ask for it at the same time. The
others wait, but no longer than they said they would; then they are told how far it has come and ask
again. When the budget is used up, the table that nobody has used for longest goes first.
"""

from __future__ import annotations

import dataclasses
import itertools
import threading
import time
import traceback
from collections import OrderedDict
from collections.abc import Callable, Hashable
from concurrent.futures import ThreadPoolExecutor
from types import TracebackType
from typing import Any

import numpy as np

from dicelab.errors import DicelabError
from dicelab.lab.http_errors import Busy
from dicelab.table.expand import in_bytes

Make = Callable[[Callable[[float], None]], Any]
"""Works something out; it gets a function to report the share that is done."""

AT_ONCE = 2  # how many things are worked out at the same time
MOST_WAITING = 10
PATIENT = 50  # how many may wait at the same time; there must be threads left for the others
REMEMBERED = 60.0  # seconds for which a failure is told again instead of tried again
OVERHEAD = 2000  # bytes that anything takes


@dataclasses.dataclass(eq=False)
class Job:
    """Something that is being worked out."""

    id: str
    what: str
    began: float
    share: float = 0.0
    done: threading.Event = dataclasses.field(default_factory=threading.Event)
    found: Any = None
    trouble: BaseException | None = None
    happened: TracebackType | None = None

    def fail(self, trouble: BaseException) -> None:
        """Note what went wrong, and let go of what was being worked on: that may be large."""
        self.trouble, self.happened = trouble, trouble.__traceback__
        cause: BaseException | None = trouble
        while cause is not None:
            traceback.clear_frames(cause.__traceback__)
            cause = cause.__context__

    def answer(self) -> Any:
        """Return what was found; raise what went wrong, each time as it happened."""
        if self.trouble is not None:
            raise self.trouble.with_traceback(self.happened)
        return self.found

    def report(self, share: float) -> None:
        """Note how much is done."""
        self.share = max(self.share, min(1.0, float(share)))

    @property
    def told(self) -> dict[str, Any]:
        """What is said about it to those who wait."""
        trouble = self.trouble
        return {
            "id": self.id,
            "what": self.what,
            "progress": round(1.0 if self.done.is_set() else min(self.share, 0.99), 4),
            "seconds": round(time.monotonic() - self.began, 2),
            "done": self.done.is_set(),
            "error": str(trouble) if isinstance(trouble, DicelabError) else None,
        }


class Working(Exception):
    """It is not ready yet."""

    def __init__(self, job: Job) -> None:
        super().__init__(job.what)
        self.job = job


class Shelf:
    """What was worked out, the least recently used in front."""

    def __init__(self, budget: int) -> None:
        self.budget = budget
        self._kept: OrderedDict[Hashable, Any] = OrderedDict()
        self._jobs: dict[Hashable, Job] = {}
        self._failed: dict[Hashable, tuple[float, Job]] = {}
        self._told: OrderedDict[str, Job] = OrderedDict()
        self._lock = threading.Lock()
        self._patient = threading.BoundedSemaphore(PATIENT)
        self._numbers = itertools.count(1)
        self._workers = ThreadPoolExecutor(AT_ONCE, thread_name_prefix="lab-work")

    def get(self, key: Hashable, what: str, make: Make, wait: float) -> Any:
        """Return what a key stands for; raise `Working` where that takes longer than `wait`."""
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key]
            failed = self._failed.get(key)
            if failed is not None and time.monotonic() - failed[0] < REMEMBERED:
                return failed[1].answer()
            job = self._jobs.get(key)
            if job is None:
                if len(self._jobs) >= MOST_WAITING:
                    raise Busy(f"{len(self._jobs)} games are being worked out: ask again later")
                job = Job(f"j{next(self._numbers)}", what, time.monotonic())
                self._jobs[key] = self._told[job.id] = job
                while len(self._told) > 200:
                    self._told.popitem(last=False)
                self._workers.submit(self._work, key, job, make)
        if not self._waited(job, wait):
            raise Working(job)
        return job.answer()

    def _waited(self, job: Job, wait: float) -> bool:
        """Return whether a job was done in time; where too many wait already, at once."""
        if not self._patient.acquire(blocking=False):
            return job.done.is_set()
        try:
            return job.done.wait(wait)
        finally:
            self._patient.release()

    def _work(self, key: Hashable, job: Job, make: Make) -> None:
        try:
            job.found = make(job.report)
        except BaseException as trouble:
            job.fail(trouble)
        with self._lock:
            del self._jobs[key]
            if job.id in self._told:  # told about for long, and what was found may have to go
                self._told[job.id] = dataclasses.replace(job, found=None)
            if job.trouble is None:
                self._kept[key] = job.found
                self._trim()
            else:
                self._failed = {
                    old: failed
                    for old, failed in self._failed.items()
                    if time.monotonic() - failed[0] < REMEMBERED
                }
                self._failed[key] = (time.monotonic(), job)
        job.done.set()

    def _trim(self) -> None:
        """Let the least recently used go until the rest fits; what was just made stays."""
        while len(self._kept) > 1 and size_of(*self._kept.values()) > self.budget:
            self._kept.popitem(last=False)

    def holds(self, key: Hashable) -> bool:
        """Return whether a key is ready."""
        with self._lock:
            return key in self._kept

    def job(self, id: str) -> Job | None:
        """Return what is known of a piece of work."""
        with self._lock:
            return self._told.get(id)

    @property
    def contents(self) -> dict[str, Any]:
        """What is kept and how much memory it takes."""
        with self._lock:
            kept = dict(self._kept)
        size = size_of(*kept.values())
        return {
            "bytes": size,
            "budget": self.budget,
            "said": f"{in_bytes(size)} of {in_bytes(self.budget)}",
            "held": [" ".join(map(str, key)) for key in kept if isinstance(key, tuple)],
        }

    def close(self) -> None:
        """Take no more work."""
        self._workers.shutdown(wait=False, cancel_futures=True)


def size_of(*things: Any) -> int:
    """Return about how many bytes some things take together: those of the arrays in them.

    What several share counts once; plans hold the table of the solution they belong to.
    """
    seen: set[int] = set()
    total, waiting = OVERHEAD * len(things), list(things)
    while waiting:
        one = waiting.pop()
        if id(one) in seen:
            continue
        seen.add(id(one))
        if isinstance(one, np.ndarray):
            base = one.base if isinstance(one.base, np.ndarray) else one
            if id(base) not in seen or base is one:
                seen.add(id(base))
                total += base.nbytes
        elif isinstance(one, dict):
            waiting += one.values()
        elif isinstance(one, list | tuple):
            if one and isinstance(one[0], int | float | str):
                total += 32 * len(one)
            else:
                waiting += one
        elif hasattr(one, "__dict__") and not isinstance(one, type | type(size_of)):
            waiting += vars(one).values()
    return total
