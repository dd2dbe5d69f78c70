"""The routes of the API: who asks, for what, and which part of the lab answers."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Depends, FastAPI, Query, Request, Response
from fastapi.responses import JSONResponse

import dicelab
from dicelab.errors import RulesError
from dicelab.lab import catalogue
from dicelab.lab.app import Lab, Refused
from dicelab.lab.documents import BEGUN, MATCH, MOVED, REFUSALS, REVIEW, Job
from dicelab.lab.forms import CoachForm, GameForm, MatchForm, MoveForm, NameForm
from dicelab.lab.given import game_of, kind_of, told
from dicelab.lab.playing import Begin, NotFound
from dicelab.lab.store import Player

COOKIE = "dicelab_player"
YEAR = 365 * 24 * 3600

Wait = Annotated[float, Query(ge=0, le=60, description="seconds to wait for a game to be solved")]
Id = Annotated[str, "the id of a match"]


def lab_asked(request: Request) -> Lab:
    """Return the lab."""
    lab: Lab = request.app.state.lab
    return lab


InLab = Annotated[Lab, Depends(lab_asked)]


def maybe_player(request: Request, lab: InLab) -> Player | None:
    """Return the player who asks, if there is one."""
    kind, _, token = request.headers.get("authorization", "").partition(" ")
    if kind.lower() != "bearer" or not token:
        token = request.cookies.get(COOKIE, "")
    return lab.store.player(token) if token else None


def player_asking(found: Annotated[Player | None, Depends(maybe_player)]) -> Player:
    """Return the player who asks, refused where there is none."""
    if found is None:
        raise Refused(401, "you are no player here: open the page, or ask POST /api/players")
    return found


AsPlayer = Annotated[Player, Depends(player_asking)]
router = APIRouter(prefix="/api", responses=REFUSALS)


def add(app: FastAPI) -> None:
    """Add every route to the application."""
    from dicelab.lab import more_routes

    app.include_router(router)
    app.include_router(more_routes.router)
    app.include_router(more_routes.admin)


@router.get("/status", tags=["lab"])
def status(lab: InLab) -> Any:
    """Return whether the lab is up."""
    return {"ok": True, "version": dicelab.__version__, "seeded": lab.settings.seed is not None}


# Players.


@router.post("/players", tags=["players"], status_code=201)
def new_player(lab: InLab) -> Any:
    """Return the token of a new player, for a bot to send as a bearer."""
    player, token = lab.store.new_player()
    return {"token": token, "player": about(lab, player)["player"]}


@router.get("/me", tags=["players"])
def me(
    lab: InLab, response: Response, found: Annotated[Player | None, Depends(maybe_player)]
) -> Any:
    """Return who asks; someone new is made a player and gets a cookie."""
    if found is None:
        found, token = lab.store.new_player()
        response.set_cookie(COOKIE, token, max_age=YEAR, httponly=True, samesite="strict", path="/")
    return about(lab, found)


def about(lab: Lab, player: Player) -> dict[str, Any]:
    """Return what a player may know about themselves."""
    matches = lab.store.matches("player = ?", player.number)
    waiting = [match for match in matches if match.ended is None]
    return {
        "player": {
            "name": player.name,
            "since": player.since,
            "games": len(matches) - len(waiting),
            "unfinished": [lab.playing.summary(match) for match in waiting[-20:]],
            "answers": player.answers or None,
        },
        "admin": {"needs_token": lab.settings.admin_token is not None},
        "seeded": lab.settings.seed is not None,
        "version": dicelab.__version__,
    }


@router.patch("/me", tags=["players"])
def rename(lab: InLab, player: AsPlayer, form: NameForm) -> Any:
    """Return the player under another name."""
    name = form.name.strip()
    if not name or not name.isprintable() or name[0] in "=+-@":
        raise RulesError(
            f"a name has 1 to 40 characters and does not begin with = + - or @: got {form.name!r}"
        )
    lab.store.rename(player.number, name)
    return about(lab, Player(player.number, name, player.since, player.answers))


# Games.


@router.get("/games", tags=["games"])
def games() -> Any:
    """Return every game, its parameters and its named strategies."""
    return {"games": catalogue.games()}


@router.get("/strategies", tags=["games"])
def strategies(game: Annotated[str, Query(max_length=40)]) -> Any:
    """Return the named strategies of one game."""
    found = next((one for one in catalogue.games() if one["name"] == game), None)
    if found is None:
        raise NotFound(f"no game called {game!r}")
    return {"game": game, "strategies": found["strategies"]}


@router.post("/games/check", tags=["games"])
def check(lab: InLab, form: GameForm) -> Any:
    """Return a game as it was understood, refused where it makes none or is too large."""
    made = game_of(form.game, form.parameters, lab.solving.memory)
    return {
        "game": form.game,
        "title": str(made),
        "kind": kind_of(made),
        "parameters": told(made),
        "unit": made.unit,
        "ready": lab.solving.is_ready(made),
    }


@router.get("/jobs/{id}", tags=["games"], response_model=Job)
def job(lab: InLab, id: str) -> Any:
    """Return how far a piece of work has come."""
    found = lab.shelf.job(id)
    if found is None:
        raise NotFound(f"there is no job {id[:40]!r}")
    return found.told


# Matches.


@router.post("/matches", tags=["play"], status_code=201, responses=BEGUN)
def begin(lab: InLab, player: AsPlayer, form: MatchForm, wait: Wait = 20) -> Any:
    """Return a new match, the other player's first turn made if it starts."""
    asked = Begin(
        form.game,
        form.parameters,
        form.opponent.model_dump(),
        form.starts,
        form.coach,
        form.warn_at,
    )
    return JSONResponse(lab.playing.begin(player, asked, wait), 201)


@router.get("/matches", tags=["play"])
def matches(
    lab: InLab,
    player: AsPlayer,
    state: Annotated[str, Query(pattern="^(open|over|all)$")] = "all",
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
) -> Any:
    """Return the player's matches, the newest first."""
    where = {"open": " AND ended IS NULL", "over": " AND ended IS NOT NULL", "all": ""}[state]
    found = lab.store.matches(f"player = ?{where}", player.number)[::-1][:limit]
    return {"matches": [lab.playing.summary(match) for match in found]}


@router.get("/matches/{id}", tags=["play"], responses=MATCH)
def match(
    lab: InLab,
    player: AsPlayer,
    id: Id,
    since: Annotated[int, Query(ge=-1, le=10**6)] = -1,
    wait: Wait = 20,
) -> Any:
    """Return a match as it stands, and what happened after a decision."""
    return JSONResponse(lab.playing.look(player, id, since, wait))


@router.post("/matches/{id}/moves", tags=["play"], responses=MOVED)
def move(lab: InLab, player: AsPlayer, id: Id, form: MoveForm, wait: Wait = 20) -> Any:
    """Return the match after a move and the other player's answer, both written down."""
    return JSONResponse(lab.playing.move(player, id, form.move, form.ply, form.sure, wait))


@router.post("/matches/{id}/resign", tags=["play"], responses=MATCH)
def resign(lab: InLab, player: AsPlayer, id: Id, wait: Wait = 20) -> Any:
    """Return a match that the player has stopped."""
    return JSONResponse(lab.playing.resign(player, id, wait))


@router.post("/matches/{id}/coach", tags=["play"], responses=MATCH)
def coach(lab: InLab, player: AsPlayer, id: Id, form: CoachForm, wait: Wait = 20) -> Any:
    """Return a match with another coach."""
    return JSONResponse(lab.playing.set_coach(player, id, form.coach, form.warn_at, wait))


@router.get("/reviews/{id}", tags=["play"], responses=REVIEW)
def review(lab: InLab, id: Id, wait: Wait = 20) -> Any:
    """Return the review of a match that is over, to anybody who has its link."""
    return JSONResponse(lab.reviews.review(id, wait))
