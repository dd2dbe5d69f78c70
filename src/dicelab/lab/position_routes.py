"""The routes of positions: what one is worth, wherever it was set."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Query
from fastapi.responses import JSONResponse
from pydantic import BaseModel

from dicelab.core.json_object import JsonObject
from dicelab.lab import positions
from dicelab.lab.dependencies import AskedGame, InLab, Text, Wait, player_asking
from dicelab.lab.documents import REFUSALS, WORKING, Advice, Responses, Scale, Where

router = APIRouter(
    prefix="/api/positions",
    responses=REFUSALS,
    tags=["explore"],
    dependencies=[Depends(player_asking)],  # a stranger has no game solved
)

Change = Annotated[str, Query(max_length=60)]


class FieldDocument(BaseModel):
    """A field that can be set, and between what numbers, where that is known."""

    name: str
    label: str
    value: int
    min: int
    max: int | None
    step: int


class PositionDocument(BaseModel):
    """A position that somebody set: what can be set there, what it is worth, and each move."""

    game: str
    title: str
    kind: str
    parameters: JsonObject
    unit: str
    scale: Scale | None
    sides: int
    players: int
    at: str  # in the game's notation, seen by who is about to move
    examples: list[str]
    fields: list[FieldDocument]
    position: Where
    coach: Advice


POSITION: Responses = {200: {"model": PositionDocument, "description": "The position"}, **WORKING}


@router.get("/{game}", responses=POSITION)
def set_position(
    lab: InLab,
    game: AskedGame,
    at: Text = "",
    change: Annotated[
        list[Change],
        Query(alias="set", max_length=20, description="a field and its number, as mine=40"),
    ] = [],  # noqa: B006  FastAPI copies it
    wait: Wait = 20,
) -> object:
    """Return a position, in its notation and with fields set; without either, one worth asking."""
    return JSONResponse(positions.asked(lab.solving, game, at, change, wait))
