"""Reproduce: every number a study prints, every claim and figure, worked out again and judged.

A study is a list of parts. Parts are independent, so they may run in several processes. What comes
back is sections of checks and figures; `report` makes a page of them that needs no network.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence

from dicelab.core.jobs import bounded
from dicelab.core.workers import starting
from dicelab.studies.checks import Reproduction, Section
from dicelab.studies.studies import STUDIES, study

__all__ = ["STUDIES", "reproduce", "study"]

Done = tuple[str, int, Section, float]


def reproduce(
    names: Sequence[str],
    quick: bool = False,
    jobs: int = -1,
    progress: Callable[[float], None] | None = None,
) -> list[Reproduction]:
    """Return some studies worked out; `quick` plays fewer games and follows fewer starts."""
    asked = [study(name) for name in names]
    work = [(one.name, place) for one in asked for place in range(len(one.parts))]
    found: dict[tuple[str, int], Section] = {}
    seconds = {one.name: 0.0 for one in asked}
    for name, place, section, took in _run(work, quick, jobs):
        found[name, place] = section
        seconds[name] += took
        if progress:
            progress(len(found) / len(work))
    return [
        Reproduction(
            one, tuple(found[one.name, place] for place in range(len(one.parts))), seconds[one.name]
        )
        for one in asked
    ]


def _run(work: list[tuple[str, int]], quick: bool, jobs: int) -> Iterator[Done]:
    workers = bounded(jobs, len(work))
    if workers == 1:
        yield from (_one(name, place, quick) for name, place in work)
        return
    from concurrent.futures import ProcessPoolExecutor, as_completed
    from multiprocessing import get_context

    # Not joblib: its workers are replaced when they grow, and ours keep solved games on purpose.
    with ProcessPoolExecutor(workers, get_context("spawn")) as pool:
        with starting():  # deaf to Ctrl-C from their first moment: it is for this process
            asked = [pool.submit(_one, name, place, quick) for name, place in work]
        yield from (done.result() for done in as_completed(asked))


def _one(name: str, place: int, quick: bool) -> Done:
    began = time.perf_counter()
    section = study(name).parts[place](quick)
    return name, place, section, time.perf_counter() - began
