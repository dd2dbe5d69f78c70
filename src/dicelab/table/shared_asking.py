"""House rules asked by several processes, where asking takes long.

The rules are plain Python, so a second core helps only in a second process. Each process that helps
is a copy of this one (a fork: rules typed at a prompt are in it too). It expands the positions it
is given with numbers of its own for what it meets, and hands back the outcomes with all that it met
for the first time. This process translates the numbers. It takes the parts in the order of their
positions, so positions, moves and kinds of outcomes get the numbers that one process would have
given them: the table is the same, to the last bit.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import sys
import threading
import warnings
from array import array
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any, NamedTuple

import numpy as np

from dicelab.core.arrays import Ints
from dicelab.core.workers import is_worker, starting
from dicelab.table.met import Met

PART = 256
"""The most positions that are handed out at a time."""
AHEAD = 2
"""Parts that a process has at a time, so that it need not wait."""


class Part(NamedTuple):
    """What a process met in the positions it was given, in numbers of its own."""

    results: array[int]  # of the positions, in their order
    sources: array[int]  # counted from the first position of the part
    played: array[int]
    counts: array[int]
    coded: array[int]
    targets: array[int]
    positions: list[Any]  # met for the first time by this process, in the order met
    moves: list[str]
    kinds: list[Any]


def helpers() -> int:
    """Return how many processes may ask the rules; 1 where it has to be this one alone.

    Only a main thread makes copies of its process, only on Linux, and no copy makes more.
    """
    if sys.platform != "linux" or is_worker():
        return 1
    if threading.current_thread() is not threading.main_thread():
        return 1
    return len(os.sched_getaffinity(0))


@dataclass
class _Helper:
    """One process that expands positions, and what its numbers mean here."""

    process: BaseProcess
    pipe: Connection
    given: deque[int] = field(default_factory=deque)  # the first position of each of its parts
    # the number here of each position, move and kind, by its number there
    position: array[int] = field(default_factory=lambda: array("i"))
    move: array[int] = field(default_factory=lambda: array("i"))
    kind: array[int] = field(default_factory=lambda: array("i"))


class SharedAsking:
    """The processes that expand positions for `Met`; each is ended at the end of a `with`."""

    def __init__(self, met: Met, count: int) -> None:
        self.met, self.count = met, count
        self.next = len(met.results)  # the first position that nobody was given

    def __enter__(self) -> SharedAsking:
        context = multiprocessing.get_context("fork")
        self.helpers: list[_Helper] = []
        with starting(), warnings.catch_warnings():
            # Python 3.12 warns of a fork beside threads: the copy takes none of their locks.
            warnings.simplefilter("ignore", DeprecationWarning)
            for _ in range(self.count):
                ours, theirs = context.Pipe()
                ends = [ours, *(helper.pipe for helper in self.helpers)]
                process = context.Process(target=_help, args=(self.met, theirs, ends), daemon=True)
                process.start()
                theirs.close()
                self.helpers.append(_Helper(process, ours))
        return self

    def __exit__(self, *_: object) -> None:
        for helper in self.helpers:
            helper.pipe.close()
            helper.process.kill()
            helper.process.join()

    def expand(self) -> Iterator[int]:
        """Expand all positions there are and will be; yield how many, after every part.

        Whoever stops asking may go on alone: what was taken is whole.
        """
        order: deque[_Helper] = deque()
        while True:
            for helper in sorted(self.helpers, key=lambda each: len(each.given)):
                if len(helper.given) < AHEAD and self._give(helper):
                    order.append(helper)
            if not order:
                return
            helper = order.popleft()
            self._take(helper, helper.pipe.recv())
            yield len(self.met.results)

    def _give(self, helper: _Helper) -> bool:
        positions = self.met.positions
        waiting = len(positions) - self.next
        size = min(PART, -(-waiting // (AHEAD * self.count)))
        if size:
            helper.given.append(self.next)
            helper.pipe.send(positions[self.next : self.next + size])
            self.next += size
        return size > 0

    def _take(self, helper: _Helper, part: Part | Exception) -> None:
        """Add what a process met to what is known."""
        if isinstance(part, Exception):
            raise part
        met, first = self.met, helper.given.popleft()
        kinds = met.kinds.of
        helper.position.extend(met.numbered(part.positions))
        helper.move.extend(met.moves.setdefault(move, len(met.moves)) for move in part.moves)
        helper.kind.extend(kinds.setdefault(kind, len(kinds)) for kind in part.kinds)
        met.results.extend(part.results)
        met.sources.frombytes((np.array(part.sources, np.int32) + np.int32(first)).tobytes())
        met.played.frombytes(_renumbered(part.played, helper.move))
        met.counts.extend(part.counts)
        met.coded.frombytes(_renumbered(part.coded, helper.kind))
        met.targets.frombytes(_renumbered(part.targets, helper.position))


def _renumbered(numbers: array[int], known: array[int]) -> bytes:
    if not numbers:  # of which no array can be made
        return b""
    told: Ints = np.frombuffer(known, np.int32)[np.frombuffer(numbers, np.int32)]
    return told.tobytes()


def _help(met: Met, pipe: Connection, ends: Sequence[Connection]) -> None:
    """Expand positions as they come, until nobody is at the other end."""
    for end in ends:  # copies of this process's ends: while one is open, nobody seems to be gone
        end.close()
    own = met.anew()
    seen = [0, 0, 0]  # positions, moves and kinds that were handed over
    with contextlib.suppress(EOFError, OSError):
        while True:
            given = pipe.recv()
            try:
                for at in given:
                    own.expand(at)
            except Exception as trouble:
                pipe.send(trouble)
                return
            kinds = list(own.kinds.of)
            new = own.positions[seen[0] :], list(own.moves)[seen[1] :], kinds[seen[2] :]
            seen = [len(own.positions), len(own.moves), len(kinds)]
            results, sources, played, counts, coded, targets = own.taken_out()
            pipe.send(Part(results, sources, played, counts, coded, targets, *new))
