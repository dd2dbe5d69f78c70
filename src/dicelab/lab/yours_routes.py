"""The routes of what belongs to a player: paintings, all their games as a file, and leaving."""

from __future__ import annotations

from fastapi import APIRouter, Depends, Response
from fastapi.responses import JSONResponse

from dicelab.lab.dependencies import AsPlayer, Id, InLab, Wait, player_asking
from dicelab.lab.documents import REFUSALS, WORKING, Painting
from dicelab.lab.forms import PaintingForm

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
