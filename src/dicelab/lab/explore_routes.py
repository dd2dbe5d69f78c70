"""The routes of strategies: maps to walk through, and strategies against each other."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query
from fastapi.responses import JSONResponse

from dicelab.lab.arguments import game_of
from dicelab.lab.container import Lab
from dicelab.lab.dependencies import AskedGame, InLab, Text, Wait, player_asking
from dicelab.lab.documents import REFUSALS, WORKING
from dicelab.lab.forms import AnyStrategyForm, GameForm, ReplyForm, TournamentForm, VersusForm
from dicelab.rules import Game, contract

# Every answer here may need a game to be solved, so strangers get none.
router = APIRouter(prefix="/api", responses=REFUSALS, dependencies=[Depends(player_asking)])

MAPPED = "be drawn in the lab over two scores"

# Exploring.


@router.get("/explore/{game}", tags=["explore"], responses=WORKING)
def explore(lab: InLab, game: AskedGame, wait: Wait = 20) -> object:
    """Return what is known of a game as a whole."""
    contract.refuse_many(game, MAPPED)
    return JSONResponse(lab.explore.about(game, wait))


@router.get("/explore/{game}/holding", tags=["explore"], responses=WORKING)
def explore_holding(
    lab: InLab, game: AskedGame, strategy: Text = "optimal", wait: Wait = 20
) -> object:
    """Return from how many points a strategy holds, for every pair of banks."""
    contract.refuse_many(game, MAPPED)
    return JSONResponse(lab.explore.holding(game, strategy, wait))


@router.get("/explore/{game}/slice", tags=["explore"], responses=WORKING)
def explore_slice(
    lab: InLab,
    game: AskedGame,
    yours: Annotated[int | None, Query(ge=0, le=10**6)] = None,
    left: Annotated[int | None, Query(ge=0, le=10**6)] = None,
    wait: Wait = 20,
) -> object:
    """Return what rolling and holding are worth where the other's bank is fixed."""
    contract.refuse_many(game, MAPPED)
    at = left if game.players == 1 else yours
    return JSONResponse(lab.explore.slice(game, at, wait))


@router.get("/explore/{game}/boards", tags=["explore"], responses=WORKING)
def explore_boards(lab: InLab, game: AskedGame, wait: Wait = 20) -> object:
    """Return what positions are worth and how many dice to throw, by both scores."""
    contract.refuse_many(game, MAPPED)
    return JSONResponse(lab.explore.boards(game, wait))


@router.get("/explore/{game}/position", tags=["explore"], responses=WORKING)
def explore_position(lab: InLab, game: AskedGame, at: Text, wait: Wait = 20) -> object:
    """Return what one position is worth, and each move there."""
    return JSONResponse(lab.explore.position(game, at, wait))


# Strategy against strategy.


def met(lab: Lab, form: GameForm) -> Game:
    """Return the game in which strategies meet, refused where more than two do."""
    game = game_of(form.game, form.parameters, lab.solving.memory)
    contract.refuse_many(game, "be asked in the lab how two strategies meet")
    return game


def given(form: AnyStrategyForm) -> Any:
    """Return a strategy as it was sent."""
    return form if isinstance(form, str) else form.model_dump()


@router.post("/versus", tags=["versus"], responses=WORKING)
def versus(lab: InLab, form: VersusForm, wait: Wait = 20) -> object:
    """Return exactly how one strategy fares against another."""
    game = met(lab, form)
    b = None if form.b is None else given(form.b)
    return JSONResponse(lab.versus.meet(game, given(form.a), b, wait))


@router.get("/versus/{game}/strengths", tags=["versus"], responses=WORKING)
def strengths(lab: InLab, game: AskedGame, wait: Wait = 20) -> object:
    """Return how often each opponent worth meeting wins against perfect play."""
    return JSONResponse({"strengths": lab.versus.strengths(game, wait)})


@router.post("/versus/reply", tags=["versus"], responses=WORKING)
def reply(lab: InLab, form: ReplyForm, wait: Wait = 20) -> object:
    """Return the best reply to a strategy, and what the strategy loses to it."""
    game = met(lab, form)
    return JSONResponse(lab.versus.reply(game, given(form.to), wait))


@router.post("/versus/tournament", tags=["versus"], responses=WORKING)
def tournament(lab: InLab, form: TournamentForm, wait: Wait = 20) -> object:
    """Return everybody against everybody."""
    game = met(lab, form)
    strategies = [given(one) for one in form.strategies]
    return JSONResponse(lab.versus.tournament(game, strategies, wait))
