"""The application: a lab behind its routes and limits, and how refusals are told."""

from __future__ import annotations

import secrets
import sqlite3
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from itertools import islice

from anyio import to_thread
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.middleware.gzip import GZipMiddleware
from fastapi.responses import FileResponse, HTMLResponse, JSONResponse, Response
from fastapi.staticfiles import StaticFiles
from starlette.exceptions import HTTPException

import dicelab
from dicelab.core.language import tr
from dicelab.errors import DicelabError, WorkerKilled
from dicelab.lab import (
    catalogue,
    daily_routes,
    drill_routes,
    explore_routes,
    installing,
    language_routes,
    people_routes,
    play_routes,
    position_routes,
    study_routes,
    yours_routes,
)
from dicelab.lab.arguments import game_of
from dicelab.lab.container import Lab, Settings, lab_of
from dicelab.lab.http_errors import MovedOn, NotFound
from dicelab.lab.installing import STATIC
from dicelab.lab.languages import Languages
from dicelab.lab.limits import MANUAL, Limits
from dicelab.lab.manual import page
from dicelab.lab.solution_cache import PATIENT, Working, in_spare_time
from dicelab.lab.solving import Choose
from dicelab.rules import Game, Moment

THREADS = 2 * PATIENT  # as many as may wait for a game to be solved, and as many for the others
ROUTERS = (
    language_routes.router,
    installing.router,
    play_routes.router,
    people_routes.router,
    explore_routes.router,
    position_routes.router,
    yours_routes.router,
    drill_routes.router,
    daily_routes.router,
    study_routes.router,
    study_routes.admin,
)
PAGES = (
    "/",
    "/play",
    "/together",
    "/join",
    "/watch",
    "/review",
    "/train",
    "/daily",
    "/explore",
    "/position",
    "/versus",
    "/history",
    "/study",
    "/admin",
)


def error(status: int, kind: str, message: str, **more: object) -> JSONResponse:
    """Return a refusal: a sentence, and the right status."""
    return JSONResponse({"error": {"kind": kind, "message": message}, **more}, status)


def create(settings: Settings) -> FastAPI:
    """Return the application of a lab."""
    lab = lab_of(settings)
    if not settings.prepared:
        lab.launched.set()

    @asynccontextmanager
    async def life(_: FastAPI) -> AsyncIterator[None]:
        to_thread.current_default_thread_limiter().total_tokens = THREADS
        if settings.prepared:
            threading.Thread(target=launch, args=[lab], name="lab-launch", daemon=True).start()
        yield
        lab.solving.close()
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
    for router in ROUTERS:
        app.include_router(router)
    _pages(app)

    @app.get(MANUAL, include_in_schema=False)
    def manual() -> HTMLResponse:
        return HTMLResponse(page(app.openapi()))

    app.add_middleware(GZipMiddleware, minimum_size=2000)
    app.add_middleware(
        Limits,
        hosts=settings.hosts,
        rate=settings.rate,
        burst=settings.burst,
    )
    app.add_middleware(Languages)  # around the limits, which refuse in sentences too
    return app


def launch(lab: Lab) -> None:
    """Prepare a lab, and note that this is done."""
    try:
        prepare(lab)
    finally:
        lab.launched.set()


def prepare(lab: Lab) -> None:
    """Work out what a first tap on each game needs, one after the other, in the order of the page.

    Where dice are known, as in tests and demonstrations, only for the game that is shown first.
    """
    listed = catalogue.games(lab.settings.games)
    for each in listed if lab.settings.seed is None else listed[:1]:
        if lab.shelf.is_half_full:  # what was solved first would go
            return
        with suppress(DicelabError), in_spare_time():  # too large; or the lab is told to end
            game = game_of(each["name"], each["tile"]["rules"], lab.solving.memory)
            solution = lab.solving.solution(game, threading.TIMEOUT_MAX)
            solution.moves_at(game.start())  # loads here what answering needs
            for rival in each["people"][:1]:
                begin_to_think(
                    game, lab.solving.named(game, rival["strategy"], threading.TIMEOUT_MAX)
                )


def begin_to_think(game: Game, choose: Choose) -> None:
    """Ask a strategy at the start and after a first throw: what it works out then, it keeps."""
    at = game.start()
    move = choose(at)
    if isinstance(move, str) and not game.is_simultaneous:
        after = (outcome.at for _, outcome in game.law(at, move))
        choices = (each for each in after if isinstance(each, Moment))
        for each in islice(choices, 1):
            choose(each)


def _refusals(app: FastAPI) -> None:
    """Tell everything that can be refused as one sentence."""

    @app.exception_handler(DicelabError)
    def refused(_: Request, trouble: DicelabError) -> JSONResponse:
        kind = type(trouble).__name__
        if isinstance(trouble, MovedOn):
            return error(trouble.status, kind, str(trouble), match=trouble.document)
        usual = 503 if isinstance(trouble, WorkerKilled) else 400
        return error(getattr(trouble, "status", usual), kind, str(trouble))

    @app.exception_handler(Working)
    def working(_: Request, still: Working) -> JSONResponse:
        return JSONResponse({"job": still.job.told}, 202)

    @app.exception_handler(MemoryError)
    def too_large(_: Request, trouble: MemoryError) -> JSONResponse:
        return error(503, "MemoryError", tr("this machine ran out of memory: try a smaller game"))

    @app.exception_handler(sqlite3.Error)
    def no_records(_: Request, trouble: sqlite3.Error) -> JSONResponse:
        return error(
            503, "NoRecords", tr("the lab cannot reach its records: {trouble}", trouble=trouble)
        )

    @app.exception_handler(RequestValidationError)
    def unreadable(_: Request, trouble: RequestValidationError) -> JSONResponse:
        first = trouble.errors()[0]
        where = ".".join(str(part) for part in first["loc"] if part != "body") or "the body"
        if first["type"] == "json_invalid":  # where is then a number of letters
            where = "the body"
        return error(422, "WrongForm", f"{where}: {first['msg'].lower()}")

    @app.exception_handler(HTTPException)
    def plain(request: Request, trouble: HTTPException) -> Response:
        if trouble.status_code == 404 and _is_for_a_person(request):
            return FileResponse(STATIC / "index.html", 404, {"cache-control": "no-cache"})
        if trouble.status_code == 404:
            return error(
                404,
                "NotFound",
                tr("there is nothing at {path}", path=repr(request.url.path[:80])),
            )
        told = error(trouble.status_code, "Refused", str(trouble.detail).lower())
        told.headers.update(trouble.headers or {})
        return told


def _is_for_a_person(request: Request) -> bool:
    """Return whether somebody typed an address: the page then says that nothing is there."""
    path = request.url.path
    wants = "text/html" in request.headers.get("accept", "")
    return wants and request.method == "GET" and not path.startswith(("/api", "/static"))


def _pages(app: FastAPI) -> None:
    """Serve the page: one file for every address that its script knows."""
    file = STATIC / "index.html"

    def index() -> FileResponse:
        if not file.exists():
            raise NotFound(tr("this installation has no page: only the API answers"))
        return FileResponse(file, headers={"cache-control": "no-cache"})

    for path in PAGES:
        app.add_api_route(path, index, include_in_schema=False)
        if path != "/":
            app.add_api_route(path + "/{rest:path}", index, include_in_schema=False)
    app.mount("/static", StaticFiles(directory=STATIC, check_dir=False), name="static")


def new_token() -> str:
    """Return a token for the administrator."""
    return secrets.token_urlsafe(18)
