"""A process that works for this one, so that long work keeps nobody waiting here.

Python lets one thread of a process go on at a time. A thread that works for long makes every other
one wait a little at every step, and cannot be stopped. A process of its own does neither; and where
the system ends it, as one that takes too much memory, nothing is lost here but what it was at.

A call is a function and its arguments, as `pickle` sends them; arrays go beside that as they are,
without a copy in between. What is of one of the `kinds`, such as a table, is sent once: from then
on both processes know it by a name, and only the name goes. This process knows such things as long
as something else here holds them. The other one holds those it used last, within a budget; what it
has let go of is sent again.
"""

from __future__ import annotations

import contextlib
import importlib
import io
import itertools
import os
import pickle
import queue
import socket
import struct
import subprocess
import sys
import threading
import time
import traceback
import uuid
import weakref
from collections import OrderedDict
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dicelab.core.made_classes import as_made
from dicelab.core.sizes import Ledger
from dicelab.core.typed_modules import found_so_far, import_from
from dicelab.core.workers import starting
from dicelab.errors import WorkerKilled

Report = Callable[[float], None]

FOUND, TROUBLE, UNSENDABLE, SHARE, GONE = range(5)
"""What an answer tells: what was returned, or raised; that the call or what it returned cannot be
sent; how far the work has come; and what is not held any more."""

TOLD_EVERY = 0.2  # seconds between two reports of how far the work has come
NICE = 5  # how far the work stands back behind processes that answer people


class Unsendable(Exception):
    """A call, or what it returned, cannot go from one process to another."""


class Names:
    """Things of some kinds and their names, as long as something else holds the things."""

    def __init__(self, kinds: tuple[type, ...]) -> None:
        self.kinds = kinds
        # No other process gives such names, nor one that takes the place of this one.
        self._sign, self._numbers = uuid.uuid4().hex, itertools.count()
        self._names: weakref.WeakKeyDictionary[Any, str] = weakref.WeakKeyDictionary()
        self._things: weakref.WeakValueDictionary[str, Any] = weakref.WeakValueDictionary()
        self._lock = threading.Lock()

    def name(self, thing: Any) -> str:
        """Return the name of a thing, a new one where it has none."""
        with self._lock:
            if thing not in self._names:
                self._enter(f"{self._sign}-{next(self._numbers)}", thing)
            return self._names[thing]

    def thing(self, name: str) -> Any:
        """Return the thing of a name; None where it is not held any more."""
        with self._lock:
            return self._things.get(name)

    def enter(self, name: str, thing: Any) -> None:
        """Note what the other process calls a thing."""
        with self._lock:
            self._enter(name, thing)

    def _enter(self, name: str, thing: Any) -> None:
        self._names[thing], self._things[name] = name, thing


@dataclass
class Parcel:
    """A message as it travels, and which named things it speaks of and which it brings."""

    text: bytes
    arrays: Sequence[Any]
    spoken_of: set[str]
    brought: list[tuple[str, Any]]


def packed(message: object, names: Names, known_there: Collection[str]) -> Parcel:
    """Return a message ready to travel; of what is known there only the name goes."""
    spoken_of: set[str] = set()
    brought: list[tuple[str, Any]] = []
    arrays: list[pickle.PickleBuffer] = []
    is_listing = False

    class Packer(pickle.Pickler):
        def persistent_id(self, thing: Any) -> str | None:
            if is_listing or not isinstance(thing, names.kinds):
                return None
            name = names.name(thing)
            if name in known_there:
                spoken_of.add(name)
                return name
            brought.append((name, thing))
            return None

        def reducer_override(self, thing: Any) -> Any:
            return as_made(thing)

    text = io.BytesIO()
    packer = Packer(text, protocol=5, buffer_callback=arrays.append)
    packer.dump(message)
    is_listing = True  # what went already is only pointed at
    packer.dump(brought)
    return Parcel(text.getvalue(), [array.raw() for array in arrays], spoken_of, brought)


def unpacked(text: bytes, arrays: Sequence[Any], names: Names) -> tuple[Any, list[Any]]:
    """Return a message, and the things it brought, which have their names from now on."""

    class Unpacker(pickle.Unpickler):
        def persistent_load(self, name: str) -> Any:
            thing = names.thing(name)
            if thing is None:  # rather no answer than one with a hole
                raise Unsendable(f"what is called {name} is not held here any more")
            return thing

    unpacker = Unpacker(io.BytesIO(text), buffers=arrays)
    message, brought = unpacker.load(), unpacker.load()
    for name, thing in brought:
        names.enter(name, thing)
    return message, [thing for _, thing in brought]


class Line:
    """One end of a line between two processes: pickles with arrays go through it whole."""

    HEAD, SIZE = struct.Struct("!QI"), struct.Struct("!Q?")

    def __init__(self, end: socket.socket) -> None:
        self.end = end

    def send(self, text: bytes, arrays: Sequence[Any] = ()) -> None:
        """Send a pickle and the arrays beside it."""
        head = [self.HEAD.pack(len(text), len(arrays))]
        head += [self.SIZE.pack(array.nbytes, array.readonly) for array in arrays]
        self.end.sendall(b"".join(head) + text)
        for array in arrays:
            self.end.sendall(array)

    def receive(self) -> tuple[bytes, list[Any]]:
        """Return a pickle and the arrays beside it; EOFError where the other end is gone."""
        length, count = self.HEAD.unpack(self._taken(self.HEAD.size))
        sizes = [self.SIZE.unpack(self._taken(self.SIZE.size)) for _ in range(count)]
        text = bytes(self._taken(length))
        taken = [(self._taken(size), is_sealed) for size, is_sealed in sizes]
        return text, [array.toreadonly() if is_sealed else array for array, is_sealed in taken]

    def _taken(self, size: int) -> memoryview:
        """Return so many bytes, in memory that is aligned as arrays want it."""
        taken = np.empty(size, np.uint8).data
        done = 0
        while done < size:
            got = self.end.recv_into(taken[done:])
            if not got:
                raise EOFError
            done += got
        return taken


class WorkerProcess:
    """A process that calls functions for this one, as many at a time as it has lines."""

    def __init__(self, kinds: tuple[type, ...], budget: int, lines: int) -> None:
        self.kinds, self.budget, self.lines = kinds, budget, lines
        self._names = Names(kinds)
        self._running: _Running | None = None
        self._is_over = False
        self._lock = threading.Lock()

    def call(self, function: Callable[..., Any], *arguments: Any, report: Report) -> Any:
        """Return what a function returns there; raise what it raises, or `Unsendable`.

        The function is called with the arguments and with `report=`, to tell how far it has come.
        """
        running = self._started()
        line = running.taken()
        try:
            is_trouble, answer = self._asked(running, line, (function, arguments), report)
        except (EOFError, OSError):
            running.end()
            raise WorkerKilled(
                "the process that works for this one was ended from outside, perhaps because the "
                "machine ran out of memory: ask for something smaller, or ask again"
            ) from None
        finally:
            running.give_back(line)
        if is_trouble:
            raise answer
        return answer

    def _asked(
        self, running: _Running, line: Line, call: object, report: Report
    ) -> tuple[bool, Any]:
        while True:
            try:
                parcel = packed(call, self._names, running.known)
            except Exception as trouble:
                raise Unsendable(str(trouble)) from trouble
            line.send(pickle.dumps((found_so_far(), sorted(parcel.spoken_of))))
            line.send(parcel.text, parcel.arrays)
            while (told := pickle.loads(line.receive()[0]))[0] == SHARE:
                report(told[1])
            if told[0] == GONE:  # it has let go of some things since: they are sent again
                running.known -= set(told[1])
                continue
            if told[0] == UNSENDABLE:
                raise Unsendable(told[1])
            running.known |= {name for name, _ in parcel.brought}
            answer, brought = unpacked(*line.receive(), self._names)
            running.known |= {self._names.name(thing) for thing in brought}
            return told[0] == TROUBLE, answer

    def start(self) -> None:
        """Start the process now, so that the first call need not wait for it."""
        self._started()

    @property
    def pid(self) -> int:
        """The number of the process, which is started where there is none."""
        return self._started().pid

    def _started(self) -> _Running:
        with self._lock:
            if self._is_over:
                raise WorkerKilled("this process is about to end: nothing is worked out any more")
            if self._running is not None and self._running.has_ended:
                self._running.end()
                self._running = None
            if self._running is None:
                self._running = _Running(self.kinds, self.budget, self.lines)
            return self._running

    def end(self) -> None:
        """End the process, whatever it is at; no other is started."""
        with self._lock:
            self._is_over = True
            if self._running is not None:
                self._running.end()


class _Running:
    """A process that runs: its lines, and the names of what it was sent or has sent."""

    def __init__(self, kinds: tuple[type, ...], budget: int, lines: int) -> None:
        ours, theirs = zip(*(socket.socketpair() for _ in range(1 + lines)), strict=True)
        told = [f"{kind.__module__}:{kind.__qualname__}" for kind in kinds]
        ends = [str(end.fileno()) for end in theirs]
        with starting():
            # -P: what lies in the folder that this was started in is not for importing.
            self._process = subprocess.Popen(
                [
                    sys.executable,
                    "-P",
                    "-c",
                    f"from {__name__} import serve; serve()",
                    *(str(budget), ",".join(ends), *told),
                ],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                pass_fds=[end.fileno() for end in theirs],
            )
        for end in theirs:
            end.close()
        self._life, *rest = ours  # the other process ends when this one does
        self.known: set[str] = set()
        self._free: queue.SimpleQueue[Line] = queue.SimpleQueue()
        for end in rest:
            self._free.put(Line(end))

    def taken(self) -> Line:
        """Return a line that nobody else uses, as soon as there is one."""
        return self._free.get()

    def give_back(self, line: Line) -> None:
        """Let others use a line; those of a process that has ended are closed, and say so."""
        if self.has_ended:
            line.end.close()
        self._free.put(line)

    @property
    def pid(self) -> int:
        """The number of the process."""
        return self._process.pid

    @property
    def has_ended(self) -> bool:
        """Whether the process is no more."""
        return self._process.poll() is not None

    def end(self) -> None:
        """End the process at once."""
        self._process.kill()
        self._process.wait()
        self._life.close()
        for _ in range(self._free.qsize()):
            self.give_back(self.taken())


# What follows runs in the other process.


class Held:
    """The named things used last, within a budget: they need not be sent again."""

    def __init__(self, budget: int) -> None:
        self.budget = budget
        self._held: OrderedDict[str, Any] = OrderedDict()
        self._ledger = Ledger()
        self._lock = threading.Lock()

    def hold(self, name: str, thing: Any) -> None:
        """Hold a thing, used just now, and let go of those that nobody used for longest."""
        with self._lock:
            self._held[name] = thing
            self._held.move_to_end(name)
            self._ledger.enter(name, thing)
            while self._held and self._ledger.bytes > self.budget:
                gone, _ = self._held.popitem(last=False)
                self._ledger.strike(gone)


def serve() -> None:
    """Answer calls until the process that asks is gone."""
    budget, ends, *kinds = sys.argv[1:]
    names = Names(tuple(map(_kind, kinds)))
    held = Held(int(budget))
    with contextlib.suppress(OSError):
        os.nice(NICE)
    life, *lines = (socket.socket(fileno=int(end)) for end in ends.split(","))
    for end in lines:
        threading.Thread(target=_answering, args=(Line(end), names, held), daemon=True).start()
    with contextlib.suppress(OSError):
        life.recv(1)
    os._exit(0)


def _kind(told: str) -> type:
    module, _, name = told.partition(":")
    kind: type = getattr(importlib.import_module(module), name)
    return kind


def _answering(line: Line, names: Names, held: Held) -> None:
    """Answer one call after another, until nobody asks any more."""
    with contextlib.suppress(EOFError, OSError):
        while True:
            _answer_one(line, names, held)


def _answer_one(line: Line, names: Names, held: Held) -> None:
    modules, spoken_of = pickle.loads(line.receive()[0])
    text, arrays = line.receive()
    known = {name: names.thing(name) for name in spoken_of}
    gone = [name for name, thing in known.items() if thing is None]
    if gone:
        line.send(pickle.dumps((GONE, gone)))
        return
    try:
        for module, folder in modules.items():
            import_from(module, folder)
        (function, arguments), brought = unpacked(text, arrays, names)
    except Exception as trouble:
        line.send(pickle.dumps((UNSENDABLE, str(trouble))))
        return
    known |= {names.name(thing): thing for thing in brought}
    kind, answer = _answer(function, arguments, _telling(line))
    try:
        parcel = packed(answer, names, known)
    except Exception as trouble:
        line.send(pickle.dumps((UNSENDABLE, str(trouble))))
        return
    line.send(pickle.dumps((kind,)))
    line.send(parcel.text, parcel.arrays)
    for name, thing in [*known.items(), *parcel.brought]:
        held.hold(name, thing)


def _answer(
    function: Callable[..., Any], arguments: Sequence[Any], report: Report
) -> tuple[int, Any]:
    try:
        return FOUND, function(*arguments, report=report)
    except BaseException as trouble:
        return TROUBLE, _as_sent(trouble)


def _telling(line: Line) -> Report:
    """Return what tells the process that asks how far the work has come, now and then."""
    told = time.monotonic()

    def report(share: float) -> None:
        nonlocal told
        if time.monotonic() - told > TOLD_EVERY:
            told = time.monotonic()
            line.send(pickle.dumps((SHARE, float(share))))

    return report


def _as_sent(trouble: BaseException) -> BaseException:
    """Return what went wrong as something that can travel, with a note of where it happened."""
    told = "".join(traceback.format_exception(trouble))
    try:
        found: BaseException = pickle.loads(pickle.dumps(trouble))
    except Exception:  # made of what cannot be sent, or made again from other arguments
        found = RuntimeError(f"{type(trouble).__name__}: {trouble}")
    found.add_note(f"In the process that works for this one:\n{told}")
    return found
