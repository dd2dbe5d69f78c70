"""The routes of the game of the day: what it is, the one try, and its line to paste."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path
from fastapi.responses import JSONResponse
from pydantic import BaseModel

from dicelab.lab.dependencies import AsPlayer, InLab, Wait
from dicelab.lab.documents import BEGUN, REFUSALS, WORKING, Responses

router = APIRouter(prefix="/api/daily", responses=REFUSALS, tags=["daily"])


class DayDocument(BaseModel):
    """The game of the day, and the player's try."""

    day: str
    next: str  # when the next day's game begins
    game: str
    headline: str
    match: str | None
    over: bool
    streak: int  # days in a row whose game was played to its end


class LineDocument(BaseModel):
    """How a try went: a text to paste, which tells no dice, and its review."""

    day: str
    line: str
    review: str


LINE: Responses = {200: {"model": LineDocument, "description": "The line"}, **WORKING}


@router.get("", response_model=DayDocument)
def today(lab: InLab, player: AsPlayer) -> object:
    """Return today's game, and the player's try if there was one."""
    return lab.daily.today(player)


@router.post("", status_code=201, responses=BEGUN)
def begin_daily(lab: InLab, player: AsPlayer, wait: Wait = 20) -> object:
    """Return today's match, begun; a second try is refused."""
    return JSONResponse(lab.daily.begin(player, wait), 201)


@router.get("/{day}/line", responses=LINE)
def daily_line(
    lab: InLab,
    player: AsPlayer,
    day: Annotated[str, Path(pattern=r"^\d{4}-\d\d-\d\d$", examples=["2026-11-18"])],
    wait: Wait = 20,
) -> object:
    """Return how the player's try of a day went."""
    return JSONResponse(lab.daily.line(player, day, wait))
