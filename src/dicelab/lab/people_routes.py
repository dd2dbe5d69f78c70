"""The routes of matches between two people: links, invitations, and watching."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Path, Query, Response
from fastapi.responses import JSONResponse
from pydantic import BaseModel

from dicelab.lab.dependencies import AsPlayer, Id, InLab, MaybePlayer, Wait
from dicelab.lab.documents import MATCH, REFUSALS
from dicelab.lab.forms import JoinForm, LinkForm

router = APIRouter(prefix="/api", responses=REFUSALS, tags=["people"])

Token = Annotated[str, Path(max_length=100)]


class LinkDocument(BaseModel):
    """A link to a match, told once: the lab keeps its hash alone."""

    kind: Literal["seat", "watch"]
    link: str


class Invitation(BaseModel):
    """What a link to a seat leads to."""

    game: str
    title: str
    start: str | None
    host: str
    open: bool  # nobody sits there yet
    match: str | None  # where you sit at it already


@router.post("/matches/{id}/links", status_code=201, response_model=LinkDocument)
def open_link(lab: InLab, player: AsPlayer, id: Id, form: LinkForm) -> object:
    """Return a new link to a seat, or to watch; an older one of its kind leads nowhere then."""
    return {"kind": form.kind, "link": lab.together.open_link(player, id, form.kind)}


@router.delete("/matches/{id}/links/{kind}", status_code=204)
def end_link(lab: InLab, player: AsPlayer, id: Id, kind: Literal["seat", "watch"]) -> Response:
    """Let a link lead nowhere; who sits there already stays."""
    lab.together.end_link(player, id, kind)
    return Response(status_code=204)


@router.post("/matches/{id}/leave", status_code=204)
def leave(lab: InLab, player: AsPlayer, id: Id) -> Response:
    """Let the seat that you took by a link be free."""
    lab.together.leave(player, id)
    return Response(status_code=204)


@router.get("/invitations/{token}", response_model=Invitation)
def invitation(lab: InLab, found: MaybePlayer, token: Token) -> object:
    """Return what a link to a seat leads to."""
    return lab.together.invitation(found, token)


@router.post("/invitations/{token}", responses=MATCH)
def join(lab: InLab, player: AsPlayer, token: Token, form: JoinForm, wait: Wait = 20) -> object:
    """Return the match whose free seat you take."""
    return JSONResponse(lab.together.join(player, token, form, wait))


@router.get("/watch/{token}", responses=MATCH)
def watch(
    lab: InLab,
    token: Token,
    since: Annotated[int, Query(ge=-1, le=10**6)] = -1,
    wait: Wait = 20,
) -> object:
    """Return a match as those see it who were given the link to watch: no moves, no coach."""
    return JSONResponse(lab.together.watch(token, since, wait))
