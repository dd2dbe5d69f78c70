"""More routes: exploring, strategies against strategies, history, and the study."""

from __future__ import annotations

import hmac
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Path, Query, Request, Response
from fastapi.responses import JSONResponse

from dicelab.errors import RecordError, RulesError
from dicelab.lab import catalogue, study
from dicelab.lab.app import Lab, Refused
from dicelab.lab.documents import CSV, REFUSALS, SVG, WORKING
from dicelab.lab.forms import AnswersForm, AnyStrategyForm, ReplyForm, TournamentForm, VersusForm
from dicelab.lab.given import AnyGame, RoundGame, game_of
from dicelab.lab.routes import AsPlayer, InLab, Wait
from dicelab.rounds.advice import read_question
from dicelab.rules import Game

OWN = ("strategy", "at", "yours", "left", "wait", "ask", "aside", "thrown", "seed", "imported")
"""Query parameters that are not parameters of the game."""

router = APIRouter(prefix="/api", responses=REFUSALS)
SHEET = {**CSV, **WORKING}
GamePath = Annotated[str, Path(max_length=40, examples=["pig"])]
GameQuery = Annotated[str, Query(max_length=40, description="its parameters follow, as target=20")]
Text = Annotated[str, Query(max_length=200)]


def asked_game(request: Request, lab: Lab, game: str) -> AnyGame:
    """Return the game in an address, its parameters among the query parameters."""
    given = dict(request.query_params)
    for name in (*OWN, "game", "name"):
        given.pop(name, None)
    return game_of(game, given, lab.solving.memory)


def by_positions(game: AnyGame) -> Game:
    """Return a game that has positions, refused where it is a round."""
    if isinstance(game, RoundGame):
        raise RulesError(f"{game} is a round: ask /api/explore/421 and /api/explore/421/keep")
    return game


# Exploring.


@router.get("/explore/421", tags=["explore"], responses=WORKING)
def explore_round(request: Request, lab: InLab, wait: Wait = 20) -> Any:
    """Return what a round is worth, and what its results are."""
    game = asked_game(request, lab, "421")
    assert isinstance(game, RoundGame)
    return JSONResponse(lab.explore.round(game, wait))


@router.get("/explore/421/keep", tags=["explore"], responses=WORKING)
def explore_keep(
    request: Request,
    lab: InLab,
    thrown: Text = "",
    left: Annotated[int, Query(ge=0, le=100)] = 1,
    aside: Text = "-",
    ask: Text = "",
    wait: Wait = 20,
) -> Any:
    """Return what to keep; `ask` is a question in words, such as I threw 6 5 1, two casts left."""
    given = dict(request.query_params)
    if ask:
        question = read_question(ask)
        aside, thrown, left = question.aside, question.thrown, question.left
        if question.goal is not None:
            given["utility"] = f"goal:{question.goal}"
    for name in OWN:
        given.pop(name, None)
    game = game_of("421", given, lab.solving.memory)
    assert isinstance(game, RoundGame)
    return JSONResponse(lab.explore.keep(game, aside or "-", thrown, left, wait))


@router.get("/explore/{game}", tags=["explore"], responses=WORKING)
def explore(request: Request, lab: InLab, game: GamePath, wait: Wait = 20) -> Any:
    """Return what is known of a game as a whole."""
    made = by_positions(asked_game(request, lab, game))
    return JSONResponse(lab.explore.about(made, catalogue.views(made), wait))


@router.get("/explore/{game}/holding", tags=["explore"], responses=WORKING)
def explore_holding(
    request: Request, lab: InLab, game: GamePath, strategy: Text = "optimal", wait: Wait = 20
) -> Any:
    """Return from how many points a strategy holds, for every pair of banks."""
    made = by_positions(asked_game(request, lab, game))
    return JSONResponse(lab.explore.holding(made, strategy, wait))


@router.get("/explore/{game}/slice", tags=["explore"], responses=WORKING)
def explore_slice(
    request: Request,
    lab: InLab,
    game: GamePath,
    yours: Annotated[int | None, Query(ge=0, le=10**6)] = None,
    left: Annotated[int | None, Query(ge=0, le=10**6)] = None,
    wait: Wait = 20,
) -> Any:
    """Return what rolling and holding are worth where the other's bank is fixed."""
    made = by_positions(asked_game(request, lab, game))
    at = left if made.players == 1 else yours
    return JSONResponse(lab.explore.slice(made, at, wait))


@router.get("/explore/{game}/boards", tags=["explore"], responses=WORKING)
def explore_boards(request: Request, lab: InLab, game: GamePath, wait: Wait = 20) -> Any:
    """Return what positions are worth and how many dice to throw, by both scores."""
    made = by_positions(asked_game(request, lab, game))
    return JSONResponse(lab.explore.boards(made, wait))


@router.get("/explore/{game}/position", tags=["explore"], responses=WORKING)
def explore_position(
    request: Request, lab: InLab, game: GamePath, at: Text, wait: Wait = 20
) -> Any:
    """Return what one position is worth, and each move there."""
    made = by_positions(asked_game(request, lab, game))
    return JSONResponse(lab.explore.position(made, at, wait))


# Strategy against strategy.


def given(form: AnyStrategyForm) -> Any:
    """Return a strategy as it was sent."""
    return form if isinstance(form, str) else form.model_dump()


@router.post("/versus", tags=["versus"], responses=WORKING)
def versus(lab: InLab, player: AsPlayer, form: VersusForm, wait: Wait = 20) -> Any:
    """Return exactly how one strategy fares against another."""
    game = by_positions(game_of(form.game, form.parameters, lab.solving.memory))
    b = None if form.b is None else given(form.b)
    return JSONResponse(lab.versus.meet(game, given(form.a), b, wait))


@router.post("/versus/reply", tags=["versus"], responses=WORKING)
def reply(lab: InLab, player: AsPlayer, form: ReplyForm, wait: Wait = 20) -> Any:
    """Return the best reply to a strategy, and what the strategy loses to it."""
    game = by_positions(game_of(form.game, form.parameters, lab.solving.memory))
    return JSONResponse(lab.versus.reply(game, given(form.to), wait))


@router.post("/versus/tournament", tags=["versus"], responses=WORKING)
def tournament(lab: InLab, player: AsPlayer, form: TournamentForm, wait: Wait = 20) -> Any:
    """Return everybody against everybody."""
    game = by_positions(game_of(form.game, form.parameters, lab.solving.memory))
    strategies = [given(one) for one in form.strategies]
    return JSONResponse(lab.versus.tournament(game, strategies, wait))


# History.


@router.get("/history", tags=["history"], responses=WORKING)
def history(
    lab: InLab,
    player: AsPlayer,
    game: Annotated[str | None, Query(max_length=40)] = None,
    wait: Wait = 20,
) -> Any:
    """Return how the player has done, their style, what it costs and what to change."""
    return JSONResponse(lab.history.history(player, game, wait))


@router.get("/people", tags=["history"])
def people(lab: InLab, player: AsPlayer) -> Any:
    """Return who can be an opponent as fitted."""
    return {"people": lab.history.people(player)}


# The study.


@router.get("/study/questions", tags=["study"])
def questions() -> Any:
    """Return the questionnaire."""
    return {"questions": study.questions()}


@router.get("/study/answers", tags=["study"])
def answers(player: AsPlayer) -> Any:
    """Return what the player answered."""
    return {"answers": player.answers or None}


@router.put("/study/answers", tags=["study"])
def answer(lab: InLab, player: AsPlayer, form: AnswersForm) -> Any:
    """Return what the player now answers."""
    said = form.model_dump()
    lab.store.answer(player.number, said)
    return {"answers": said}


def sheet(text: str, name: str) -> Response:
    """Return a CSV file."""
    headers = {"content-disposition": f'attachment; filename="{name}.csv"'}
    return Response(text, media_type="text/csv; charset=utf-8", headers=headers)


@router.get("/me/tracker.csv", tags=["study"], response_class=Response, responses=SHEET)
def own_tracker(
    request: Request, lab: InLab, player: AsPlayer, game: GameQuery = "pig", wait: Wait = 20
) -> Any:
    """Return the player's own games in the tracker form."""
    made = asked_game(request, lab, game)
    return sheet(lab.study.tracker_csv(made, player.number, wait), "tracker")


@router.get("/me/decisions.csv", tags=["study"], response_class=Response, responses=SHEET)
def own_decisions(
    request: Request, lab: InLab, player: AsPlayer, game: GameQuery = "pig", wait: Wait = 20
) -> Any:
    """Return every decision of the player's own games."""
    made = asked_game(request, lab, game)
    return sheet(lab.study.decisions_csv(made, player.number, wait), "decisions")


def administrator(request: Request, lab: InLab) -> None:
    """Refuse everybody but the administrator."""
    token = lab.settings.admin_token
    given_token = request.headers.get("x-admin-token", "")
    if token is not None and not hmac.compare_digest(token.encode(), given_token.encode()):
        raise Refused(403, "this is for the administrator: give the token that dicelab lab printed")


admin = APIRouter(
    prefix="/api/admin",
    tags=["admin"],
    dependencies=[Depends(administrator)],
    responses=REFUSALS,
)
Imported = Annotated[bool, Query(description="whether records brought in count too")]
Seed = Annotated[int, Query(ge=0, le=2**32)]


@admin.get("/overview")
def overview(lab: InLab) -> Any:
    """Return what there is: players, games, records, tables."""
    return lab.study.overview(lab.began)


@admin.get("/study", responses=WORKING)
def study_of(
    request: Request,
    lab: InLab,
    game: GameQuery = "pig",
    seed: Seed = 1,
    imported: Imported = True,
    wait: Wait = 20,
) -> Any:
    """Return the study's tables and tests over everyone's games."""
    made = asked_game(request, lab, game)
    return JSONResponse(lab.study.study(made, imported, seed, wait))


@admin.get("/plots/{figure}.svg", response_class=Response, responses={**SVG, **WORKING})
def plot(
    request: Request,
    lab: InLab,
    figure: Annotated[str, Path(max_length=40)],
    game: GameQuery = "pig",
    imported: Imported = True,
    wait: Wait = 20,
) -> Any:
    """Return a figure of the study: totals or games."""
    made = asked_game(request, lab, game)
    return Response(lab.study.figure(figure, made, imported, wait), media_type="image/svg+xml")


@admin.get("/tracker.csv", response_class=Response, responses=SHEET)
def every_tracker(request: Request, lab: InLab, game: GameQuery = "pig", wait: Wait = 20) -> Any:
    """Return everybody's games in the tracker form, with what they answered."""
    made = asked_game(request, lab, game)
    return sheet(lab.study.tracker_csv(made, None, wait), "tracker")


@admin.get("/decisions.csv", response_class=Response, responses=SHEET)
def every_decision(request: Request, lab: InLab, game: GameQuery = "pig", wait: Wait = 20) -> Any:
    """Return every decision of everybody's games."""
    made = asked_game(request, lab, game)
    return sheet(lab.study.decisions_csv(made, None, wait), "decisions")


@admin.post(
    "/records",
    status_code=201,
    openapi_extra={"requestBody": {"content": {"text/csv": {"schema": {"type": "string"}}}}},
)
async def bring(
    request: Request,
    lab: InLab,
    name: Annotated[str, Query(max_length=80)] = "record.csv",
) -> Any:
    """Return a record that was brought in: tracker forms or decisions, as CSV in the body."""
    from fastapi.concurrency import run_in_threadpool

    body = await request.body()
    try:
        text = body.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise RecordError(f"cannot read {name!r}: save it as CSV in UTF-8") from None
    record = await run_in_threadpool(lab.study.bring, name, text)
    return JSONResponse({"record": record}, 201)


@admin.delete("/records/{id}", status_code=204)
def forget(lab: InLab, id: str) -> None:
    """Forget a record that was brought in."""
    from dicelab.lab.records import record_of

    record = record_of(lab.store, id, lab.solving.memory)
    lab.store.remove_record(int(record.id.removeprefix("r")))


__all__ = ["Lab", "admin", "router"]
