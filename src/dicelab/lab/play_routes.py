"""The routes of players: who they are, the games there are, matches, reviews and the history."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, BackgroundTasks, Query, Response
from fastapi.responses import JSONResponse

import dicelab
from dicelab.core.json_object import JsonObject
from dicelab.core.language import tr
from dicelab.lab import catalogue
from dicelab.lab.arguments import game_of, kind_of
from dicelab.lab.container import Lab
from dicelab.lab.dependencies import AsPlayer, Id, InLab, MaybePlayer, Wait
from dicelab.lab.documents import BEGUN, MATCH, MOVED, REFUSALS, WORKING, Job
from dicelab.lab.forms import CoachForm, GameForm, MatchForm, MoveForm, NameForm, TakeBackForm
from dicelab.lab.http_errors import NotFound
from dicelab.lab.limits import COOKIE
from dicelab.lab.review_documents import AGAINST, REVIEW, WHY
from dicelab.lab.seat_store import fit_name
from dicelab.lab.store import Player
from dicelab.lab.together import Together
from dicelab.people import marks
from dicelab.rules.registry import did_you_mean, told

YEAR = 365 * 24 * 3600

router = APIRouter(prefix="/api", responses=REFUSALS)


@router.get("/status", tags=["lab"])
def status(lab: InLab) -> object:
    """Return whether the lab is up, and whether it is working something out."""
    return {
        "ok": True,
        "version": dicelab.__version__,
        "seeded": lab.settings.seed is not None,
        "working": lab.shelf.is_working or not lab.launched.is_set(),
    }


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
            "unfinished": [
                *lab.together.joined(player),
                *(lab.playing.summary(match) for match in waiting[:-21:-1]),
            ],
            "answers": player.answers or None,
        },
        "admin": {"needs_token": lab.settings.admin_token is not None},
        "seeded": lab.settings.seed is not None,
        "version": dicelab.__version__,
    }


@router.patch("/me", tags=["players"])
def rename(lab: InLab, player: AsPlayer, form: NameForm) -> object:
    """Return the player under another name."""
    name = fit_name(form.name)
    lab.store.rename(player.number, name)
    return about(lab, Player(player.number, name, player.since, player.answers))


# Games.


@router.get("/games", tags=["games"])
def games(lab: InLab) -> object:
    """Return every game, its parameters and its named strategies; and what marks mean."""
    return {"games": catalogue.games(lab.settings.games), "marks": marks.scale()}


@router.get("/strategies", tags=["games"])
def strategies(lab: InLab, game: Annotated[str, Query(max_length=100)]) -> object:
    """Return the named strategies of one game."""
    known = {one["name"]: one for one in catalogue.games(lab.settings.games)}
    if game not in known:
        raise NotFound(
            tr("no game called {game}{known}", game=repr(game), known=did_you_mean(game, known))
        )
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
        "unit": tr(made.unit),
        "canvas": getattr(made, "canvas", None),
        "ready": lab.solving.is_ready(made),
    }


@router.get("/jobs/{id}", tags=["games"], response_model=Job)
def job(lab: InLab, id: str) -> object:
    """Return how far a piece of work has come."""
    found = lab.shelf.job(id)
    if found is None:
        raise NotFound(tr("there is no job {id}", id=repr(id[:40])))
    return found.told


# Matches.


@router.post("/matches", tags=["play"], status_code=201, responses=BEGUN)
def begin(lab: InLab, player: AsPlayer, form: MatchForm, wait: Wait = 20) -> object:
    """Return a new match, the other player's first turn made if it starts."""
    who = lab.playing if form.people is None else lab.together
    return JSONResponse(who.begin(player, form, wait), 201)


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
    return JSONResponse(lab.table(id).look(player, id, since, wait))


@router.post("/matches/{id}/moves", tags=["play"], responses=MOVED)
def move(
    lab: InLab,
    player: AsPlayer,
    id: Id,
    form: MoveForm,
    later: BackgroundTasks,
    wait: Wait = 20,
) -> object:
    """Return the match after a move and the other player's answer, both written down."""
    asked = (player, id, form.move, form.ply, form.sure, wait)
    table = lab.table(id)
    told = table.move(*asked, form.seat) if isinstance(table, Together) else table.move(*asked)
    if told["over"]:
        later.add_task(lab.reviews.keep_score, id)
    return JSONResponse(told, background=later)


@router.post("/matches/{id}/resign", tags=["play"], responses=MATCH)
def resign(lab: InLab, player: AsPlayer, id: Id, wait: Wait = 20) -> object:
    """Return a match that the player has stopped."""
    return JSONResponse(lab.table(id).resign(player, id, wait))


@router.post("/matches/{id}/take-back", tags=["play"], responses=MOVED)
def take_back(lab: InLab, player: AsPlayer, id: Id, form: TakeBackForm, wait: Wait = 20) -> object:
    """Return a match before your last choice, with what that would have cost; it is practice."""
    return JSONResponse(lab.table(id).take_back(player, id, form.ply, wait))


@router.post("/matches/{id}/coach", tags=["play"], responses=MATCH)
def coach(lab: InLab, player: AsPlayer, id: Id, form: CoachForm, wait: Wait = 20) -> object:
    """Return a match with another coach."""
    return JSONResponse(lab.table(id).set_coach(player, id, form.coach, form.warn_at, wait))


@router.get("/matches/{id}/why", tags=["play"], responses=WHY)
def why(lab: InLab, player: AsPlayer, id: Id, wait: Wait = 20) -> object:
    """Return why the coach advises what it does: the next throw, and a rule of thumb."""
    return JSONResponse(lab.why.at_table(lab.table(id), player, id, wait))


@router.get("/reviews/{id}/why", tags=["play"], responses=WHY)
def why_then(
    lab: InLab, id: Id, ply: Annotated[int, Query(ge=0, le=10**6)], wait: Wait = 20
) -> object:
    """Return the same about a decision of a match that is over."""
    return JSONResponse(lab.why.in_review(id, ply, wait))


@router.get("/reviews/{id}/against", tags=["play"], responses=AGAINST)
def review_against(lab: InLab, id: Id, wait: Wait = 20) -> object:
    """Return what a match that is over was worth against its opponent, with the best reply."""
    return JSONResponse(lab.reviews.against(id, wait))


@router.get("/reviews/{id}", tags=["play"], responses=REVIEW)
def review(
    lab: InLab,
    found: MaybePlayer,
    id: Id,
    seat: Annotated[int | None, Query(ge=0, le=1, description="of two people, which")] = None,
    wait: Wait = 20,
) -> object:
    """Return the review of a match that is over, to anybody who has its link."""
    viewer = None if found is None else found.number
    return JSONResponse(lab.reviews.review(id, wait, viewer, seat))


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
