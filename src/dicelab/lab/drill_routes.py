"""The routes of drills: how a player stands, the next card, and its answer."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Depends, Query, Request
from fastapi.responses import JSONResponse
from pydantic import BaseModel

from dicelab.core.json_object import JsonObject
from dicelab.lab.dependencies import AsPlayer, InLab, Wait, game_asked
from dicelab.lab.documents import REFUSALS, WORKING, Advice, Offer, Responses, Scale, Where
from dicelab.lab.forms import DrillAnswerForm
from dicelab.rules import Game

router = APIRouter(prefix="/api/drills", responses=REFUSALS, tags=["drills"])


class RatingDocument(BaseModel):
    """A rating by Glicko-2, between what it lies with a chance of 95%, and what it rests on."""

    rating: float
    deviation: float
    low: float
    high: float
    positions: int  # that were met for the first time
    slower: int  # of these, with more than the usual seconds to think


class Drilled(BaseModel):
    """How a player stands."""

    rating: RatingDocument
    streak: int  # days in a row


class DeckDocument(BaseModel):
    """A game that was played or drilled, and how many of its positions come back now."""

    game: str
    parameters: JsonObject
    title: str
    due: int


class Overview(Drilled):
    """How a player stands, and what there is to drill."""

    decks: list[DeckDocument]


class CardDocument(Drilled):
    """A position to answer."""

    card: str
    number: int  # which try of this card comes next
    source: Literal["due", "mistake", "close call"]
    game: str
    title: str
    parameters: JsonObject
    unit: str
    scale: Scale | None
    sides: int
    position: Where
    moves: list[Offer]
    seconds: float  # to think, for who asks for no more time


class AnswerDocument(Drilled):
    """What an answer was worth, and when its position comes back."""

    card: str
    number: int
    move: str | None  # none where the time ran out
    cost: float | None
    found: bool  # best or fine
    mark: str | None
    word: str
    sentence: str
    coach: Advice
    due: str


CARD: Responses = {200: {"model": CardDocument, "description": "The card"}, **WORKING}
ANSWER: Responses = {200: {"model": AnswerDocument, "description": "The answer"}, **WORKING}


def game_drilled(
    request: Request,
    lab: InLab,
    game: Annotated[str, Query(max_length=100, description="its parameters follow, as target=20")],
) -> Game:
    """Return the game in a query, with its parameters."""
    return game_asked(request, lab, game)


@router.get("", response_model=Overview)
def standing(lab: InLab, player: AsPlayer) -> object:
    """Return how the player stands, and the games that were played or drilled."""
    return lab.drills.overview(player)


@router.get("/next", responses=CARD)
def next_drill(
    lab: InLab,
    player: AsPlayer,
    game: Annotated[Game, Depends(game_drilled)],
    wait: Wait = 20,
) -> object:
    """Return the next card: one that is due, a mistake of the player's, or a close call."""
    return JSONResponse(lab.drills.next(player, game, wait))


@router.post("/answers", responses=ANSWER)
def answer_drill(lab: InLab, player: AsPlayer, form: DrillAnswerForm, wait: Wait = 20) -> object:
    """Return the exact answer to a card; one that is sent again counts once."""
    return JSONResponse(lab.drills.answer(player, form, wait))
