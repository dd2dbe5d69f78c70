"""The routes of players: who they are, the games there are, matches, reviews and the history."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Response
from fastapi.responses import JSONResponse

import dicelab
from dicelab.core.json_object import JsonObject
from dicelab.errors import RulesError
from dicelab.lab import catalogue
from dicelab.lab.arguments import game_of, kind_of
from dicelab.lab.container import Lab
from dicelab.lab.dependencies import AsPlayer, Id, InLab, MaybePlayer, Wait
from dicelab.lab.documents import BEGUN, MATCH, MOVED, REFUSALS, WORKING, Job
from dicelab.lab.forms import CoachForm, GameForm, MatchForm, MoveForm, NameForm
from dicelab.lab.http_errors import NotFound
from dicelab.lab.limits import COOKIE
from dicelab.lab.review_documents import REVIEW
from dicelab.lab.store import Player
from dicelab.rules.registry import did_you_mean, told

YEAR = 365 * 24 * 3600

router = APIRouter(prefix="/api", responses=REFUSALS)


@router.get("/status", tags=["lab"])
def status(lab: InLab) -> object:
    """Return whether the lab is up."""
    return {"ok": True, "version": dicelab.__version__, "seeded": lab.settings.seed is not None}


# Players.


@router.post("/players", tags=["players"], status_code=201)
def new_player(lab: InLab) -> object:
    """Return the token of a new player, for a bot to send as a bearer."""
    player, token = lab.store.new_player()
    return {"token": token, "player": about(lab, player)["player"]}


@router.get("/me", tags=["players"])
def me(lab: InLab, response: Response, found: MaybePlayer) -> object:
    """Return who asks; someone new is made a player and gets a cookie."""
    if found is None:
        found, token = lab.store.new_player()
        response.set_cookie(COOKIE, token, max_age=YEAR, httponly=True, samesite="strict", path="/")
    return about(lab, found)


def about(lab: Lab, player: Player) -> JsonObject:
    """Return what a player may know about themselves."""
    matches = lab.store.matches(player.number)
    waiting = [match for match in matches if match.ended is None]
    return {
        "player": {
            "name": player.name,
            "since": player.since,
            "games": len(matches) - len(waiting),
            "unfinished": [lab.playing.summary(match) for match in waiting[:-21:-1]],
            "answers": player.answers or None,
        },
        "admin": {"needs_token": lab.settings.admin_token is not None},
        "seeded": lab.settings.seed is not None,
        "version": dicelab.__version__,
    }


@router.patch("/me", tags=["players"])
def rename(lab: InLab, player: AsPlayer, form: NameForm) -> object:
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
def games(lab: InLab) -> object:
    """Return every game, its parameters and its named strategies."""
    return {"games": catalogue.games(lab.settings.games)}


@router.get("/strategies", tags=["games"])
def strategies(lab: InLab, game: Annotated[str, Query(max_length=100)]) -> object:
    """Return the named strategies of one game."""
    known = {one["name"]: one for one in catalogue.games(lab.settings.games)}
    if game not in known:
        raise NotFound(f"no game called {game!r}{did_you_mean(game, known)}")
    return {"game": game, "strategies": known[game]["strategies"]}


@router.post("/games/check", tags=["games"])
def check(lab: InLab, form: GameForm) -> object:
    """Return a game as it was understood, refused where it makes none or is too large."""
    made = game_of(form.game, form.parameters, lab.solving.memory)
    return {
        "game": form.game,
        "title": str(made),
        "kind": kind_of(made),
        "parameters": told(made),
        "unit": made.unit,
        "canvas": getattr(made, "canvas", None),
        "ready": lab.solving.is_ready(made),
    }


@router.get("/jobs/{id}", tags=["games"], response_model=Job)
def job(lab: InLab, id: str) -> object:
    """Return how far a piece of work has come."""
    found = lab.shelf.job(id)
    if found is None:
        raise NotFound(f"there is no job {id[:40]!r}")
    return found.told


# Matches.


@router.post("/matches", tags=["play"], status_code=201, responses=BEGUN)
def begin(lab: InLab, player: AsPlayer, form: MatchForm, wait: Wait = 20) -> object:
    """Return a new match, the other player's first turn made if it starts."""
    return JSONResponse(lab.playing.begin(player, form, wait), 201)


@router.get("/matches", tags=["play"])
def matches(
    lab: InLab,
    player: AsPlayer,
    state: Annotated[str, Query(pattern="^(open|over|all)$")] = "all",
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
) -> object:
    """Return the player's matches, the newest first."""
    over = {"open": False, "over": True, "all": None}[state]
    found = lab.store.matches(player.number, over=over)[::-1][:limit]
    return {"matches": [lab.playing.summary(match) for match in found]}


@router.get("/matches/{id}", tags=["play"], responses=MATCH)
def match(
    lab: InLab,
    player: AsPlayer,
    id: Id,
    since: Annotated[int, Query(ge=-1, le=10**6)] = -1,
    wait: Wait = 20,
) -> object:
    """Return a match as it stands, and what happened after a decision."""
    return JSONResponse(lab.playing.look(player, id, since, wait))


@router.post("/matches/{id}/moves", tags=["play"], responses=MOVED)
def move(lab: InLab, player: AsPlayer, id: Id, form: MoveForm, wait: Wait = 20) -> object:
    """Return the match after a move and the other player's answer, both written down."""
    return JSONResponse(lab.playing.move(player, id, form.move, form.ply, form.sure, wait))


@router.post("/matches/{id}/resign", tags=["play"], responses=MATCH)
def resign(lab: InLab, player: AsPlayer, id: Id, wait: Wait = 20) -> object:
    """Return a match that the player has stopped."""
    return JSONResponse(lab.playing.resign(player, id, wait))


@router.post("/matches/{id}/coach", tags=["play"], responses=MATCH)
def coach(lab: InLab, player: AsPlayer, id: Id, form: CoachForm, wait: Wait = 20) -> object:
    """Return a match with another coach."""
    return JSONResponse(lab.playing.set_coach(player, id, form.coach, form.warn_at, wait))


@router.get("/reviews/{id}", tags=["play"], responses=REVIEW)
def review(lab: InLab, found: MaybePlayer, id: Id, wait: Wait = 20) -> object:
    """Return the review of a match that is over, to anybody who has its link."""
    return JSONResponse(lab.reviews.review(id, wait, None if found is None else found.number))


# History.


@router.get("/history", tags=["history"], responses=WORKING)
def history(
    lab: InLab,
    player: AsPlayer,
    game: Annotated[str | None, Query(max_length=100)] = None,
    styles: bool = True,
    wait: Wait = 20,
) -> object:
    """Return how the player has done, their style, what it costs and what to change."""
    return JSONResponse(lab.history.history(player, game, wait, styles))


@router.get("/people", tags=["history"])
def people(lab: InLab, player: AsPlayer) -> object:
    """Return who can be an opponent as fitted."""
    return {"people": lab.history.people(player)}
