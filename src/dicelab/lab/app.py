"""The application: routes, who is asking, and how refusals are told.

`create` puts a lab together: a file, a shelf of solved tables, and the routes around them.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from anyio import to_thread
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.middleware.gzip import GZipMiddleware
from fastapi.responses import FileResponse, HTMLResponse, JSONResponse
from fastapi.staticfiles import StaticFiles
from starlette.exceptions import HTTPException

import dicelab
from dicelab.errors import DicelabError
from dicelab.lab.explore import Explore
from dicelab.lab.history import History
from dicelab.lab.limits import BURST, LOOPBACK, RATE, Limits
from dicelab.lab.manual import page
from dicelab.lab.playing import MovedOn, NotFound, Playing
from dicelab.lab.reviews import Reviews
from dicelab.lab.solving import Solving
from dicelab.lab.store import Store
from dicelab.lab.study import StudyRoom
from dicelab.lab.tables import Busy, Shelf, Working
from dicelab.lab.versus import Versus

THREADS = 100
STATIC = Path(__file__).parent / "static"
PAGES = ("/", "/play", "/review", "/explore", "/versus", "/history", "/study", "/admin")


@dataclass(frozen=True)
class Settings:
    """How a lab is set up."""

    data: Path
    memory: int = 4 * 10**9
    seed: int | None = None
    admin_token: str | None = None  # None: this machine only, and its user is the administrator
    hosts: tuple[str, ...] | None = LOOPBACK
    rate: float = RATE
    burst: float = BURST


@dataclass(frozen=True)
class Lab:
    """Everything a route needs."""

    settings: Settings
    store: Store
    shelf: Shelf
    solving: Solving
    playing: Playing
    reviews: Reviews
    history: History
    explore: Explore
    versus: Versus
    study: StudyRoom
    began: float = field(default_factory=time.monotonic)


def lab_of(settings: Settings) -> Lab:
    """Return a lab that is ready to answer."""
    store, shelf = Store(settings.data), Shelf(settings.memory)
    solving = Solving(shelf, settings.memory // 2)  # so that one table never fills the shelf
    playing = Playing(store, solving, settings.seed)
    reviews = Reviews(playing)
    return Lab(
        settings,
        store,
        shelf,
        solving,
        playing,
        reviews,
        History(reviews),
        Explore(solving),
        Versus(solving),
        StudyRoom(playing),
    )


class Refused(DicelabError):
    """The one who asks may not."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


def error(status: int, kind: str, message: str, **more: Any) -> JSONResponse:
    """Return a refusal: a sentence, and the right status."""
    return JSONResponse({"error": {"kind": kind, "message": message}, **more}, status)


def create(settings: Settings) -> FastAPI:
    """Return the application of a lab."""
    lab = lab_of(settings)

    @asynccontextmanager
    async def life(_: FastAPI) -> AsyncIterator[None]:
        # Some threads wait for a game to be solved while others go on answering.
        to_thread.current_default_thread_limiter().total_tokens = THREADS
        yield
        lab.shelf.close()
        lab.store.close()

    app = FastAPI(
        title="dicelab lab",
        version=dicelab.__version__,
        description=(
            "Play dice games against perfection. A player is a cookie, or a bearer token from "
            "`POST /api/players`. A request that needs a game which is not solved yet waits for "
            "`wait` seconds and then answers 202: ask again."
        ),
        docs_url=None,
        redoc_url=None,
        lifespan=life,
        generate_unique_id_function=lambda route: str(route.name),
    )
    app.state.lab = lab
    _refusals(app)
    from dicelab.lab import routes

    routes.add(app)
    _pages(app)

    @app.get("/api/docs", include_in_schema=False)
    def manual() -> HTMLResponse:
        return HTMLResponse(page(app.openapi()))

    app.add_middleware(GZipMiddleware, minimum_size=2000)
    app.add_middleware(
        Limits,
        hosts=settings.hosts,
        rate=settings.rate,
        burst=settings.burst,
    )
    return app


def _refusals(app: FastAPI) -> None:
    """Tell everything that can be refused as one sentence."""

    @app.exception_handler(DicelabError)
    def refused(_: Request, trouble: DicelabError) -> JSONResponse:
        kind = type(trouble).__name__
        if isinstance(trouble, MovedOn):
            return error(409, kind, str(trouble), match=trouble.document)
        status = {NotFound: 404, Busy: 503}.get(type(trouble), 400)
        return error(getattr(trouble, "status", status), kind, str(trouble))

    @app.exception_handler(Working)
    def working(_: Request, still: Working) -> JSONResponse:
        return JSONResponse({"job": still.job.told}, 202)

    @app.exception_handler(MemoryError)
    def too_large(_: Request, trouble: MemoryError) -> JSONResponse:
        return error(503, "MemoryError", "this machine ran out of memory: try a smaller game")

    @app.exception_handler(RequestValidationError)
    def unreadable(_: Request, trouble: RequestValidationError) -> JSONResponse:
        first = trouble.errors()[0]
        where = ".".join(str(part) for part in first["loc"] if part != "body") or "the body"
        return error(422, "WrongForm", f"{where}: {first['msg'].lower()}")

    @app.exception_handler(HTTPException)
    def plain(request: Request, trouble: HTTPException) -> JSONResponse:
        if trouble.status_code == 404:
            return error(404, "NotFound", f"there is nothing at {request.url.path[:80]!r}")
        told = error(trouble.status_code, "Refused", str(trouble.detail).lower())
        told.headers.update(trouble.headers or {})
        return told


def _pages(app: FastAPI) -> None:
    """Serve the page: one file for every address that its script knows."""
    file = STATIC / "index.html"

    def index() -> FileResponse:
        if not file.exists():
            raise NotFound("this installation has no page: only the API answers")
        return FileResponse(file, headers={"cache-control": "no-cache"})

    for path in PAGES:
        app.add_api_route(path, index, include_in_schema=False)
        if path != "/":
            app.add_api_route(path + "/{rest:path}", index, include_in_schema=False)
    app.mount("/static", StaticFiles(directory=STATIC, check_dir=False), name="static")


def new_token() -> str:
    """Return a token for the administrator."""
    return secrets.token_urlsafe(18)
