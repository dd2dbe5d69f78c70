"""Solved tables, shared between all players and kept within a memory budget.

A table is worked out once, by one thread, however many people ask for it at the same time. The
others wait, but no longer than they said they would; then they are told how far it has come and ask
again. When the budget is used up, the table that nobody has used for longest goes first.

Work is taken up in turns, one piece for each who asks, and one who asks has one piece done at a
time: nobody who asks for much keeps the others from their games. What nobody waits for is done in
spare time: one piece at a time for everybody, so that there is always room for who waits.

A cache of cachetools measures a thing once, when it comes in. Here things share arrays, which count
once, and grow after they were made; so what goes, and when, is decided by the ledger of `sizes`.
"""

from __future__ import annotations

import dataclasses
import itertools
import threading
import time
import traceback
from collections import OrderedDict, deque
from collections.abc import Callable, Hashable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import ContextVar
from types import TracebackType
from typing import Any

from dicelab.core.json_object import JsonObject
from dicelab.core.language import Later, tr
from dicelab.core.sizes import Ledger
from dicelab.errors import DicelabError
from dicelab.lab.http_errors import Busy
from dicelab.table.expand import in_bytes

Make = Callable[[Callable[[float], None]], object]
"""Works something out; it gets a function to report the share that is done."""

AT_ONCE = 2  # how many things are worked out at the same time
MOST_WAITING = 50  # how many things one who asks may have worked out
MOST_IN_ALL = 500
PATIENT = 50  # how many may wait at the same time; there must be threads left for the others
REMEMBERED = 60.0  # seconds for which a failure is told again instead of tried again
MEASURED_AGAIN = 4  # things used last, which may have grown since they were measured

ASKER: ContextVar[str] = ContextVar("asker", default="")
"""Who asks, set for each request before it is answered."""

LATER = " later"  # after the name of who asks for what nobody waits for


@contextmanager
def in_spare_time() -> Iterator[None]:
    """Have what is asked for within done in spare time."""
    token = ASKER.set(ASKER.get() + LATER)
    try:
        yield
    finally:
        ASKER.reset(token)


@dataclasses.dataclass(eq=False)
class Job:
    """Something that is being worked out."""

    id: str
    what: str | Later
    began: float
    key: Hashable = None
    asker: str = ""
    make: Make | None = None
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
    def told(self) -> JsonObject:
        """What is said about it to those who wait."""
        trouble = self.trouble
        return {
            "id": self.id,
            "what": str(self.what),
            "progress": round(1.0 if self.done.is_set() else min(self.share, 0.99), 4),
            "seconds": round(time.monotonic() - self.began, 2),
            "done": self.done.is_set(),
            "error": str(trouble) if isinstance(trouble, DicelabError) else None,
        }


class Working(Exception):
    """It is not ready yet."""

    def __init__(self, job: Job) -> None:
        super().__init__(str(job.what))
        self.job = job


class Shelf:
    """What was worked out, the least recently used in front."""

    def __init__(self, budget: int) -> None:
        self.budget = budget
        self._kept: OrderedDict[Hashable, Any] = OrderedDict()
        self._jobs: dict[Hashable, Job] = {}
        self._failed: dict[Hashable, tuple[float, Job]] = {}
        self._told: OrderedDict[str, Job] = OrderedDict()
        self._queues: OrderedDict[str, deque[Job]] = OrderedDict()  # whose turn it is in front
        self._running: dict[str, Job] = {}  # by who asks
        self._ledger = Ledger()
        self._closed = False
        self._lock = threading.Lock()
        self._patient = threading.BoundedSemaphore(PATIENT)
        self._numbers = itertools.count(1)
        self._workers = ThreadPoolExecutor(AT_ONCE, thread_name_prefix="lab-work")

    def get(self, key: Hashable, what: str | Later, make: Make, wait: float) -> Any:
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
                job = self._begin(key, what, make)
            elif job.asker.endswith(LATER):
                self._wanted_now(job)
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

    def _begin(self, key: Hashable, what: str | Later, make: Make) -> Job:
        """Return a new piece of work, refused where there is too much of it."""
        asker = ASKER.get()
        own = sum(job.asker == asker for job in self._jobs.values())
        if self._closed:
            raise closing()
        if own >= MOST_WAITING:
            raise Busy(tr("{own} games are being worked out for you: ask again later", own=own))
        if len(self._jobs) >= MOST_IN_ALL:
            now = len(self._jobs)
            raise Busy(tr("{now} games are being worked out: ask again later", now=now))
        job = Job(f"j{next(self._numbers)}", what, time.monotonic(), key, asker, make)
        self._jobs[key] = self._told[job.id] = job
        while len(self._told) > 200:
            self._told.popitem(last=False)
        self._queue(job)
        return job

    def _queue(self, job: Job) -> None:
        self._queues.setdefault(job.asker, deque()).append(job)
        self._workers.submit(self._work)

    def _wanted_now(self, job: Job) -> None:
        """Let somebody wait for what was for spare time, if that has not begun."""
        asker, waiting = ASKER.get(), self._queues.get(job.asker, deque())
        if asker.endswith(LATER) or job not in waiting:
            return
        waiting.remove(job)
        if not waiting:
            del self._queues[job.asker]
        job.asker = asker
        self._queue(job)

    def _next(self) -> Job | None:
        """Return the next piece of work: of whoever has waited longest and has none in hand."""
        spare = not any(asker.endswith(LATER) for asker in self._running)
        for asker, waiting in self._queues.items():
            if asker not in self._running and (spare or not asker.endswith(LATER)):
                job = self._running[asker] = waiting.popleft()
                if waiting:
                    self._queues.move_to_end(asker)
                else:
                    del self._queues[asker]
                return job
        return None

    def _work(self) -> None:
        """Do the next piece of work, if one may begin: the end of another piece asks again."""
        with self._lock:
            job = None if self._closed else self._next()
        if job is None:
            return
        assert job.make is not None
        try:
            job.found = job.make(job.report)
        except BaseException as trouble:
            job.fail(trouble)
        job.make = None
        with self._lock:
            self._put(job)
            del self._running[job.asker]
            if self._queues and not self._closed:
                self._workers.submit(self._work)
        job.done.set()

    def _put(self, job: Job) -> None:
        """Keep what was found, or what went wrong."""
        self._jobs.pop(job.key, None)
        if job.id in self._told:  # told about for long, and what was found may have to go
            self._told[job.id] = dataclasses.replace(job, found=None)
        if job.trouble is None:
            self._kept[job.key] = job.found
            self._trim(job.key)
        else:
            self._failed = {
                old: failed
                for old, failed in self._failed.items()
                if time.monotonic() - failed[0] < REMEMBERED
            }
            self._failed[job.key] = (time.monotonic(), job)

    def _trim(self, new: Hashable) -> None:
        """Let the least recently used go until the rest fits; what was just made stays."""
        self._ledger.enter(new, self._kept[new])
        for key in list(itertools.islice(reversed(self._kept), 1, 1 + MEASURED_AGAIN)):
            self._ledger.enter(key, self._kept[key])
        while len(self._kept) > 1 and self._ledger.bytes > self.budget:
            key, _ = self._kept.popitem(last=False)
            self._ledger.strike(key)

    def holds(self, key: Hashable) -> bool:
        """Return whether a key is ready."""
        with self._lock:
            return key in self._kept

    def job(self, id: str) -> Job | None:
        """Return what is known of a piece of work."""
        with self._lock:
            return self._told.get(id)

    @property
    def contents(self) -> JsonObject:
        """What is kept and how much memory it takes."""
        with self._lock:
            kept, size = list(self._kept), self._ledger.bytes
        return {
            "bytes": size,
            "budget": self.budget,
            "said": f"{in_bytes(size)} of {in_bytes(self.budget)}",
            "held": [" ".join(map(str, key)) for key in kept if isinstance(key, tuple)],
        }

    @property
    def is_half_full(self) -> bool:
        """Whether half of the budget is used."""
        return 2 * self._ledger.bytes > self.budget

    @property
    def is_working(self) -> bool:
        """Whether something is being worked out."""
        return bool(self._running)

    def close(self) -> None:
        """Take no more work, and tell everybody who waits."""
        with self._lock:
            self._closed = True
            for job in self._jobs.values():
                job.fail(closing())
                job.done.set()
            self._queues.clear()
        self._workers.shutdown(wait=False, cancel_futures=True)


def closing() -> Busy:
    """Return what is said to those who wait when the lab ends."""
    return Busy(tr("the lab is closing: start it again to go on"))
