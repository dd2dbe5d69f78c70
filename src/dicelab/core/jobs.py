"""Long work as many small jobs: on this machine or on a cluster, and able to go on after a stop.

The jobs go through joblib, so the engine is the user's choice: one process by default, `workers` of
them if asked, or whatever `joblib.parallel_config` says. `cluster` sets that for a Dask address.

With a checkpoint, every result goes into an SQLite file as soon as it is known. Started again with
the same file, the work takes up where it stopped; a job that was being played when the power went
is played again, and gives the same result. The file says what work it belongs to, and to which
state of the modules of one's own.
"""

from __future__ import annotations

import contextlib
import json
import sqlite3
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from dicelab.core.atomic_write import require_regular
from dicelab.core.typed_modules import codes_so_far, found_so_far, import_from
from dicelab.core.version import __version__
from dicelab.core.workers import starting
from dicelab.errors import ClusterError, DicelabError, WorkerKilled, WrongCheckpoint

Job = TypeVar("Job")
Result = TypeVar("Result")
Report = Callable[[float], None]

FORMAT = "dicelab checkpoint 1"
REPLACED = "A worker stopped while some jobs were given to the executor"
PATIENCE = 10.0
"""Seconds to wait for a cluster to answer."""


def finished(
    work: Callable[[Job], Result],
    jobs: Iterable[Job],
    count: int,
    label: Mapping[str, object],
    workers: int | None = None,
    checkpoint: str | Path | None = None,
    progress: Report | None = None,
    threads: bool = False,
    fits: Callable[[int, Result], bool] | None = None,
    numbers: Sequence[int] | None = None,
) -> Iterator[tuple[int, Result]]:
    """Yield (number, result) of every job as it is done; results are what JSON can hold.

    The jobs are numbered as they come, or by `numbers`: some of `count` of them, for work that
    decides as it goes which of them are worth doing.

    `threads` says that the work is compiled and may share this process. `fits` looks at a result
    that a checkpoint remembers and says whether the job of that number can have given it.
    """
    with contextlib.ExitStack() as stack:
        book = stack.enter_context(_Book(Path(checkpoint), label)) if checkpoint else None
        done = 0
        known = book.known() if book else set()
        if book:
            for number, result in book.results():
                book.check(number, result, count, fits)
                done += 1
                if progress:
                    progress(done / count)
                yield number, result
        every = enumerate(jobs) if numbers is None else zip(numbers, jobs, strict=True)
        left = ((number, job) for number, job in every if number not in known)
        todo = count - done if numbers is None else len(set(numbers) - known)
        for number, result in _run(work, left, todo, workers, threads):
            if book:
                book.keep(number, result)
            done += 1
            if progress:
                progress(done / count)
            yield number, result


def _run(
    work: Callable[[Job], Result],
    jobs: Iterable[tuple[int, Job]],
    count: int,
    workers: int | None,
    threads: bool,
) -> Iterator[tuple[int, Result]]:
    from joblib import Parallel, delayed

    run = Parallel(
        n_jobs=bounded(workers, count),
        prefer="threads" if threads else "processes",
        return_as="generator_unordered",
        batch_size=1,
    )
    if run.n_jobs == 1 and not _elsewhere(run):
        for number, job in jobs:
            yield number, work(job)
        return
    if count:
        every = (delayed(_numbered)(_Wrapped(work, number, job)) for number, job in jobs)
        if not threads:
            _start_watchers()
            # joblib replaces a process that has grown by another, which nobody needs to know.
            warnings.filterwarnings("ignore", REPLACED, UserWarning)
        with _refusing_killed():
            with starting():  # all processes begin here, at the first job
                found = run(every)
            yield from found


@contextlib.contextmanager
def _refusing_killed() -> Iterator[None]:
    """Turn the end of a process that worked for this one into a sentence."""
    from joblib.externals.loky.process_executor import BrokenProcessPool

    try:
        yield
    except BrokenProcessPool:
        raise WorkerKilled(
            "one of the processes that shared the work was killed, perhaps because the machine ran "
            "out of memory: start fewer of them, as --jobs 1, or give them less, as --memory 4GB"
        ) from None


def share_of(memory: int, workers: int | None, count: int) -> int:
    """Return how many bytes each process may take that works on some of so many jobs.

    Those of a cluster, or of `joblib.parallel_config`, have their own machines.
    """
    return memory // (bounded(workers, count) or 1)


def _start_watchers() -> None:
    """Start joblib's and Python's watchers of what is left behind before any worker is started.

    Python's unblocks Ctrl-C here when it begins (seen with 3.11). Were it started with the workers,
    as joblib does by itself, they would hear it.
    """
    from multiprocessing import resource_tracker

    from joblib.externals.loky.backend.resource_tracker import ensure_running

    ensure_running()
    resource_tracker.ensure_running()


def results(work: Callable[[Job], Result], jobs: Sequence[Job], workers: int) -> Iterator[Result]:
    """Yield the results of some jobs as they are done, in any order, from so many processes."""
    if bounded(workers, len(jobs)) == 1:
        yield from map(work, jobs)
        return
    for _, result in _run(work, enumerate(jobs), len(jobs), workers, threads=False):
        yield result


def bounded(workers: int | None, count: int) -> int | None:
    """Return how many workers to start: no more than there are jobs, or cores.

    -1 is one for each core; None leaves it to `joblib.parallel_config`, or to a cluster.
    """
    if workers is None or workers == 1:
        return workers
    if workers < 1 and workers != -1:
        raise DicelabError(f"workers are 1 or more, or -1 for one per core: got {workers}")
    from joblib import cpu_count

    cores: int = cpu_count()
    return max(1, min(cores if workers == -1 else workers, cores, count))


def prepare(work: Callable[[Job], object], things: Sequence[Job], workers: int | None) -> None:
    """Do some compiled work that jobs in threads will share; other machines do their own."""
    from joblib import Parallel, delayed

    run = Parallel(n_jobs=bounded(workers, len(things)), prefer="threads")
    if run.n_jobs != 1 and not _elsewhere(run):
        run(delayed(work)(thing) for thing in things)


def _elsewhere(run: Any) -> bool:
    """Return whether the jobs go to another machine, even if to a single worker."""
    return type(run._backend).__name__ not in (
        "LokyBackend",
        "ThreadingBackend",
        "SequentialBackend",
        "MultiprocessingBackend",
    )


class _Wrapped:
    """A job in one piece.

    Joblib's Dask engine puts large arguments on one worker and sends the others there for them;
    if that worker dies they are gone. Wrapped up, an argument travels with its job.
    """

    def __init__(self, work: Callable[[Any], object], number: int, job: object) -> None:
        self.work, self.number, self.job = work, number, job

    def __reduce__(self) -> tuple[object, ...]:
        # The modules come first: what is in the job may need them.
        return _arriving, (found_so_far(),), self.__dict__


def _arriving(modules: dict[str, str]) -> _Wrapped:
    """Return a job still empty, in a process that has imported the modules of one's own."""
    for module, folder in modules.items():
        import_from(module, folder)
    return _Wrapped.__new__(_Wrapped)


def _numbered(wrapped: _Wrapped) -> tuple[int, object]:
    return wrapped.number, wrapped.work(wrapped.job)


class _Book:
    """The file that remembers results."""

    def __init__(self, path: Path, label: Mapping[str, object]) -> None:
        self.path = path
        own = {f"the code of {module}": mark for module, mark in codes_so_far().items()}
        self.label = json.dumps({"dicelab": __version__, **own, **label}, sort_keys=True)

    def __enter__(self) -> _Book:
        with self._refusing():
            if not self.path.parent.is_dir():
                raise OSError(f"there is no folder {str(self.path.parent)!r}")
            require_regular(self.path)
            self.file = sqlite3.connect(self.path, isolation_level=None)
        try:
            with self._refusing():
                found = self._opened()
            if found != (FORMAT, self.label):
                raise WrongCheckpoint(
                    f"{str(self.path)!r} is the checkpoint of other work "
                    f"({_difference(found[1], self.label)}): name another file, or remove it"
                )
        except WrongCheckpoint:
            self.file.close()
            raise
        return self

    def _opened(self) -> tuple[str, str]:
        """Return what the file says it is, made ours if it was empty."""
        self.file.execute("PRAGMA synchronous = FULL")
        tables = {name for (name,) in self.file.execute("SELECT name FROM sqlite_master")}
        if tables - {"about", "results"}:
            raise WrongCheckpoint(
                f"{str(self.path)!r} is a database of something else: name another file"
            )
        self.file.execute("BEGIN IMMEDIATE")  # all of it or nothing, should this process be killed
        self.file.execute("CREATE TABLE IF NOT EXISTS about (format TEXT, label TEXT)")
        self.file.execute(
            "CREATE TABLE IF NOT EXISTS results (job INTEGER PRIMARY KEY, result TEXT)"
        )
        found: list[tuple[str, str]]
        found = self.file.execute("SELECT format, label FROM about").fetchall()
        if not found:
            found = [(FORMAT, self.label)]
            self.file.execute("INSERT INTO about VALUES (?, ?)", found[0])
        self.file.execute("COMMIT")
        return found[0]

    @contextlib.contextmanager
    def _refusing(self) -> Iterator[None]:
        """Turn what SQLite says into a sentence that names the file."""
        try:
            yield
        except WrongCheckpoint:  # a ValueError as well
            raise
        except (sqlite3.Error, OSError, ValueError, TypeError, OverflowError) as trouble:
            reason = getattr(trouble, "strerror", None) or trouble
            raise WrongCheckpoint(
                f"cannot use {str(self.path)!r} as a checkpoint: {reason}; name another file"
            ) from None

    def __exit__(self, *_: object) -> None:
        self.file.close()

    def known(self) -> set[int]:
        """Return the numbers of the jobs that are done."""
        with self._refusing():
            return {int(number) for (number,) in self.file.execute("SELECT job FROM results")}

    def results(self) -> Iterator[tuple[int, Any]]:
        """Yield the results that are known, in the order of the jobs."""
        with self._refusing():
            rows = self.file.execute("SELECT job, result FROM results ORDER BY job").fetchall()
            found = [(number, json.loads(text)) for number, text in rows]
        yield from found

    def check(
        self, number: int, result: Result, count: int, fits: Callable[[int, Result], bool] | None
    ) -> None:
        """Refuse a result that no job of this work can have given."""
        try:
            good = 0 <= number < count and (fits is None or fits(number, result))
        except (TypeError, ValueError, LookupError, AttributeError, OverflowError):
            good = False
        if not good:
            raise WrongCheckpoint(
                f"{str(self.path)!r} remembers a result for job {number} that this work cannot "
                f"have given: remove the file, or name another"
            )

    def keep(self, number: int, result: object) -> None:
        """Write one result down for good."""
        row = (number, json.dumps(result))
        try:
            self.file.execute("INSERT OR REPLACE INTO results VALUES (?, ?)", row)
        except sqlite3.Error as trouble:
            raise WrongCheckpoint(
                f"cannot write to the checkpoint {str(self.path)!r}: {trouble}; "
                f"what it remembers so far is still good"
            ) from None


def _difference(theirs: str, ours: str) -> str:
    """Return the first thing in which two labels differ, in words."""
    try:
        one, two = dict(json.loads(theirs)), json.loads(ours)
    except (ValueError, TypeError, RecursionError):
        return "its label cannot be read"
    for key in sorted({*one, *two}):
        if one.get(key) != two.get(key):
            return f"{key} is {one.get(key)!r} there and {two.get(key)!r} here"
    return "another format"


@contextlib.contextmanager
def cluster(address: str | None) -> Iterator[None]:
    """Send the jobs inside to a cluster, given as dask://HOST:PORT; None changes nothing."""
    if address is None:
        yield
        return
    kind, _, place = address.partition("://")
    if kind != "dask" or not place:
        raise ClusterError(
            f"a cluster is given as dask://HOST:PORT: got {address!r}; "
            f"for another engine use joblib.parallel_config from Python"
        )
    try:
        from distributed import Client
    except ImportError:
        raise ClusterError(
            "a Dask cluster needs dask.distributed: pip install 'dicelab[cluster]'"
        ) from None
    from joblib import parallel_config

    try:
        make: Any = Client
        client = make(f"tcp://{place}", timeout=PATIENCE, set_as_default=False)
    except (OSError, ValueError):
        raise ClusterError(
            f"no Dask scheduler answers at {address!r}: start one with `dask scheduler`, "
            f"or check the address"
        ) from None
    try:
        with parallel_config("dask", client=client):
            yield
    finally:
        client.close()
