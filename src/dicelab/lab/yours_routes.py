"""The routes of what belongs to a player: paintings, all their games as a file, and leaving."""

from __future__ import annotations

from fastapi import APIRouter, Depends, Response
from fastapi.responses import JSONResponse

from dicelab.lab.belongings import Belongings
from dicelab.lab.dependencies import AsPlayer, Id, InLab, Wait, player_asking
from dicelab.lab.documents import REFUSALS, WORKING, BroughtIn, Painting
from dicelab.lab.forms import BelongingsForm, PaintingForm
from dicelab.lab.limits import COOKIE

router = APIRouter(prefix="/api", responses=REFUSALS, dependencies=[Depends(player_asking)])


@router.get("/paintings", tags=["yours"])
def paintings(lab: InLab, player: AsPlayer) -> object:
    """Return the strategies that the player painted and kept, the newest first."""
    return {"paintings": lab.playing.paintings.own(player)}


@router.post(
    "/paintings",
    tags=["yours"],
    status_code=201,
    responses={201: {"model": Painting, "description": "The painting"}, **WORKING},
)
def keep(lab: InLab, player: AsPlayer, form: PaintingForm, wait: Wait = 20) -> object:
    """Return a painted strategy that is kept from now on, with the link that shares it."""
    return JSONResponse(lab.playing.paintings.keep(player, form, wait), 201)


@router.get("/paintings/{id}", tags=["yours"], response_model=Painting)
def painting(lab: InLab, id: Id) -> object:
    """Return a painted strategy, to whoever has its link."""
    return lab.playing.paintings.painting(id)


@router.delete("/paintings/{id}", tags=["yours"], status_code=204)
def remove(lab: InLab, player: AsPlayer, id: Id) -> Response:
    """Forget a painting of the player."""
    lab.playing.paintings.remove(player, id)
    return Response(status_code=204)


@router.get("/me/games", tags=["yours"])
def exported(lab: InLab, player: AsPlayer) -> object:
    """Return every finished game of the player and their paintings, as a file to keep."""
    name = {"content-disposition": 'attachment; filename="dicelab-games.json"'}
    return JSONResponse(Belongings(lab.playing).exported(player), headers=name)


@router.post("/me/games", tags=["yours"], responses={200: {"model": BroughtIn}, **WORKING})
def bring_in(lab: InLab, player: AsPlayer, form: BelongingsForm, wait: Wait = 20) -> object:
    """Return what became of games from a file: added, known already, or refused and why."""
    return JSONResponse(Belongings(lab.playing).bring_in(player, form, wait))


@router.delete("/me", tags=["yours"], status_code=204)
def forget_me(lab: InLab, player: AsPlayer) -> Response:
    """Forget everything about the player: games, reviews, paintings and the player."""
    lab.store.forget(player.number)
    gone = Response(status_code=204)
    gone.delete_cookie(COOKIE, path="/")
    return gone
