"""The web server of the lab: uvicorn, with limits of time, of connections and of what is logged.

Uvicorn waits for ever for a request that was begun and never ended, takes connections until the
machine has no more, and at Ctrl-C waits for whatever is being worked out. Here a connection has a
few seconds to say what it wants, the one that has been silent for longest makes room for a new one,
and a signal ends the process at once: every decision is in the file before it is answered.
"""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import sys
import time
from types import FrameType
from typing import TYPE_CHECKING

import uvicorn
from fastapi import FastAPI
from uvicorn.protocols.http.h11_impl import H11Protocol

if TYPE_CHECKING:
    from socket import socket

ASKING_SECONDS = 10.0  # to send the headers of a request
ANSWERING_SECONDS = 150.0  # for a request to be answered and the answer to be taken
CLOSING_SECONDS = 1  # for requests that are being answered when the lab is told to end
ACCEPTED_AT_ONCE = 16  # connections taken in before the next look at how many there are
BACKLOG = 512  # connections that may wait to be taken in
MOST_CONNECTIONS = 3000
SPARE_FILES = 300  # descriptors left for the records, the page and connections being accepted
MOST_LINES = 20  # of one logger in a minute


class Connection(H11Protocol):
    """A connection whose time is limited, both to ask and to be answered."""

    since: float

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to count the time, and let the most silent one go where there are too many."""
        super().connection_made(transport)
        self.since = time.monotonic()
        if len(self.connections) > most_connections():
            waiting = [one for one in self.connections if one.is_waiting]  # type: ignore[union-attr]
            oldest = min(waiting, key=lambda one: one.since, default=self)  # type: ignore[union-attr]
            self.connections.discard(oldest)  # now: others may come before it has closed
            oldest.transport.abort()

    def data_received(self, data: bytes) -> None:
        """Read on; the time to answer begins with a new request."""
        before = self.cycle
        super().data_received(data)
        if self.cycle is not before:
            self.since = time.monotonic()

    def on_response_complete(self) -> None:
        """Wait for the next request."""
        self.since = time.monotonic()
        super().on_response_complete()

    @property
    def is_waiting(self) -> bool:
        """Whether no request is being answered here."""
        return self.cycle is None or self.cycle.response_complete

    def end_if_late(self, at: float) -> None:
        """Close the connection where its time is over."""
        if at - self.since > (ASKING_SECONDS if self.is_waiting else ANSWERING_SECONDS):
            self.transport.abort()


def most_connections() -> int:
    """Return how many connections there may be: fewer than files may be open."""
    try:
        import resource
    except ModuleNotFoundError:  # not on Windows, where the limit is another one
        return MOST_CONNECTIONS
    (files, _) = resource.getrlimit(resource.RLIMIT_NOFILE)
    return max(16, min(MOST_CONNECTIONS, files - SPARE_FILES))


class Sparing(logging.Filter):
    """Lets a logger say a few things a minute, so that nobody fills the disk through it."""

    def __init__(self) -> None:
        super().__init__()
        self.began, self.said = -60.0, 0

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether there is still room for this record."""
        at = time.monotonic()
        if at - self.began >= 60:
            self.began, self.said = at, 0
        self.said += 1
        if self.said == MOST_LINES:
            record.msg, record.args = f"{record.getMessage()} (more in this minute is left out)", ()
        return self.said <= MOST_LINES


class Server(uvicorn.Server):
    """The server of a lab, which ends when it is told to."""

    def __init__(self, app: FastAPI, trusted_proxy: str | None = None) -> None:
        super().__init__(
            uvicorn.Config(
                app,
                http=Connection,
                ws="none",
                log_config=None,  # its own would close the handlers that others here have
                log_level="warning",
                access_log=False,
                server_header=False,
                backlog=ACCEPTED_AT_ONCE,
                timeout_graceful_shutdown=CLOSING_SECONDS,
                proxy_headers=trusted_proxy is not None,
                forwarded_allow_ips=trusted_proxy or "",
            )
        )
        self.lab = app.state.lab
        self.ended = False
        for name in ("uvicorn.error", "asyncio"):
            logger = logging.getLogger(name)
            if not any(isinstance(one, Sparing) for one in logger.filters):
                logger.addFilter(Sparing())

    async def startup(self, sockets: list[socket] | None = None) -> None:
        """Begin to serve; asyncio takes the same number for what it accepts and for the queue."""
        await super().startup(sockets)
        for one in sockets or []:
            one.listen(BACKLOG)

    async def on_tick(self, counter: int) -> bool:
        """Close connections whose time is over, once a second."""
        if counter % 10 == 0:
            at = time.monotonic()
            for one in list(self.server_state.connections):
                one.end_if_late(at)  # type: ignore[union-attr]
        return await super().on_tick(counter)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """End: at a first signal those who wait are told, at a second nothing is waited for."""
        if self.should_exit and not self.ended:
            self._leave(sig)
        self.lab.solving.close()
        super().handle_exit(sig, frame)

    async def shutdown(self, sockets: list[socket] | None = None) -> None:
        """Stop serving, and leave work behind that nobody can wait for any more."""
        await super().shutdown(sockets)
        self.ended = True
        if self._captured_signals and (self.lab.shelf.is_working or self.server_state.tasks):
            self._leave(self._captured_signals[-1])

    def _leave(self, sig: int) -> None:
        """End the process now: a thread that solves a game cannot be stopped in any other way."""
        if sig == signal.SIGINT:
            sys.stderr.write("interrupted\n")
        for stream in (sys.stdout, sys.stderr):
            stream.flush()
        if sig != signal.SIGINT:  # die of it, as a lab at rest does
            signal.signal(sig, signal.SIG_DFL)
            signal.raise_signal(sig)
        os._exit(128 + sig)
