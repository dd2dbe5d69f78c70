"""What nobody may do: send too much, ask too fast, frame the page, or speak for another site.

Written as one layer around the application, without any of its own parts, so that nothing gets past
it: every answer has the headers, also those that refuse. Starlette's TrustedHostMiddleware checks
hosts too, but it refuses in plain text and does not say which host it met.
"""

from __future__ import annotations

import asyncio
import json
import logging
import re
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any
from urllib.parse import urlsplit

from dicelab.core.language import number, tr
from dicelab.lab.solution_cache import ASKER

Message = MutableMapping[str, Any]
Scope = Message
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]

MOST_BODY = 512 * 1024
RATE, BURST = 40.0, 80.0  # requests a second of one player, and how many at once
MACHINE = 20  # so many times as much may come from one machine, where many play
MOST_AT_ONCE = 500  # requests that are being answered
BODY_SECONDS = 20.0  # for a body to come in
MOST_REMEMBERED = 10_000
COOKIE = "dicelab_player"  # what a browser shows to be known as a player
MANUAL = "/api/docs"  # a page, to which anybody may link
LOOPBACK = ("127.0.0.1", "localhost", "::1")
logger = logging.getLogger("uvicorn.error")

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
    "font-src 'self'; connect-src 'self'; manifest-src 'self'; base-uri 'none'; "
    "form-action 'self'; frame-ancestors 'none'"
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
}


KEPT = (
    ("/api", "no-store"),
    ("/static/vendor", "public, max-age=86400"),
    ("/static/fonts", "public, max-age=86400"),
    ("/static", "no-cache"),  # asked for again each time, and sent again only if it changed
)
"""How long a browser may keep what is below an address."""


class Bucket:
    """Requests that one player may still make: they come back with time."""

    def __init__(self, rate: float, burst: float) -> None:
        self.rate, self.burst = rate, burst
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, who: str, at: float) -> float:
        """Return 0 where a request may go on, else the seconds to wait."""
        left, before = self._left.pop(who, (self.burst, at))
        left = min(self.burst, left + (at - before) * self.rate)
        wait = 0.0 if left >= 1 else (1 - left) / self.rate
        self._left[who] = (left - 1 if not wait else left, at)
        while len(self._left) > MOST_REMEMBERED:
            self._left.popitem(last=False)
        return wait


class Gone(Exception):
    """Who asked went away in the middle of a body: half of a record reads like a whole one."""


class Limits:
    """The layer around the application."""

    def __init__(
        self,
        app: Application,
        hosts: tuple[str, ...] | None = LOOPBACK,
        rate: float = RATE,
        burst: float = BURST,
    ) -> None:
        self.app = app
        self.hosts = hosts  # None: any name will do
        self.bucket = Bucket(rate, burst)
        self.machine = Bucket(rate * MACHINE, burst * MACHINE)
        self.inside = 0  # requests that are being answered

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        headers = {
            name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]
        }

        begun = False

        async def sending(message: Message) -> None:
            nonlocal begun
            if message["type"] == "http.response.start":
                begun = True
                given = {name.lower() for name, _ in message["headers"]}
                message["headers"] = [
                    *message["headers"],
                    *(
                        (name.encode(), value.encode())
                        for name, value in HEADERS.items()
                        if name.encode() not in given
                    ),
                ]
                kept = next((how for start, how in KEPT if scope["path"].startswith(start)), None)
                if kept and b"cache-control" not in given:
                    message["headers"].append((b"cache-control", kept.encode()))
            await send(message)

        refused = self._refused(scope, headers)
        if refused is not None:
            await _refuse(sending, *refused)
            return
        ASKER.set(f"{_client(scope)} {_player(headers)}")
        self.inside += 1
        try:
            await self._answer(scope, receive, sending)
        except Gone:
            return
        except Exception:
            logger.exception("the lab failed at %s %s", scope["method"], scope["path"][:200])
            if begun:
                raise
            await _refuse(sending, 500, "Failed", tr("the lab failed at this: its log says how"))
        finally:
            self.inside -= 1

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let the application answer once the whole body is here."""
        try:
            async with asyncio.timeout(BODY_SECONDS):
                body = await self._body(receive)
        except TimeoutError:
            late = tr(
                "a request has {seconds} seconds to come in: this one took longer",
                seconds=number(BODY_SECONDS, "g"),
            )
            await _refuse(send, 408, "TooSlow", late)
            return
        if body is None:
            await _refuse(send, 413, "TooBig", self._too_big())
            return
        messages = [{"type": "http.request", "body": body, "more_body": False}]

        async def receiving() -> Message:
            return messages.pop() if messages else await receive()

        await self.app(scope, receiving, send)

    async def _body(self, receive: Receive) -> bytes | None:
        """Return the whole body of a request, or None where it is too big."""
        parts, size = [], 0
        while True:
            message = await receive()
            if message["type"] == "http.disconnect":
                raise Gone
            part = message.get("body", b"")
            parts.append(part)
            size += len(part)
            if size > MOST_BODY:
                return None
            if not message.get("more_body", False):
                return b"".join(parts)

    def _too_big(self) -> str:
        return tr("a request may have up to {size} kB: this one has more", size=MOST_BODY // 1024)

    def _refused(
        self, scope: Scope, headers: dict[str, str]
    ) -> tuple[int, str, str] | tuple[int, str, str, float] | None:
        """Return why a request is refused before anybody reads it, or None."""
        host = headers.get("host", "")
        if self.hosts is not None and _name(host) not in self.hosts:
            return (
                400,
                "WrongHost",
                tr("this lab answers on this machine only: got host {host}", host=repr(host[:60])),
            )
        # Reading counts too: to ask about a game makes the lab solve it.
        guarded = scope["path"].startswith("/api") and scope["path"] != MANUAL
        if guarded and not _same_site(headers, host):
            return 403, "CrossSite", tr("another site may not play here: open the lab's own page")
        length = headers.get("content-length", "0")
        if not re.fullmatch("[0-9]{1,9}", length) or int(length) > MOST_BODY:
            return 413, "TooBig", self._too_big()
        if scope["path"].startswith("/api"):
            client, player, at = _client(scope), _player(headers), time.monotonic()
            wait = self.machine.take(client, at)  # names may be made up
            if player:  # those who only come in are many, and have no name yet
                wait = max(wait, self.bucket.take(f"{client} {player}", at))
            if wait:
                return (
                    429,
                    "TooFast",
                    tr("too many requests: wait {wait} seconds", wait=number(wait, ".1f")),
                    wait,
                )
            if self.inside >= MOST_AT_ONCE:
                told = tr("{n} requests are being answered: ask again in a second", n=self.inside)
                return 503, "Busy", told, 1.0
        return None


def _name(host: str) -> str:
    """Return the name in a Host header, without its port; empty where it has none."""
    try:
        return urlsplit(f"//{host}").hostname or "" if "@" not in host else ""
    except ValueError:  # a bracket that is not closed
        return ""


def _same_site(headers: dict[str, str], host: str) -> bool:
    """Return whether a request comes from the lab's own page, or from no page at all."""
    if headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
        return False
    origin = headers.get("origin")
    return origin is None or origin.partition("://")[2].lower() == host.lower()


def _client(scope: Scope) -> str:
    """Return the address of the machine that a request comes from."""
    return str((scope.get("client") or ("", 0))[0])


def _player(headers: dict[str, str]) -> str:
    """Return whom a request claims to come from."""
    for cookie in headers.get("cookie", "").split(";"):
        name, _, value = cookie.strip().partition("=")
        if name == COOKIE:
            return value[:80]
    return headers.get("authorization", "")[:80]


async def _refuse(send: Send, status: int, kind: str, message: str, wait: float = 0.0) -> None:
    body = json.dumps({"error": {"kind": kind, "message": message}}).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    if wait:
        headers.append((b"retry-after", str(max(1, round(wait))).encode()))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
