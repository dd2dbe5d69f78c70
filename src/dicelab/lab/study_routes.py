"""The routes of the study: its questions, records out and in, and what the administrator sees."""

from __future__ import annotations

import hmac
from typing import Annotated

from fastapi import APIRouter, Depends, Path, Query, Request, Response
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import JSONResponse

from dicelab.core.language import tr
from dicelab.errors import RecordError
from dicelab.lab import study
from dicelab.lab.dependencies import AsPlayer, InLab, StudiedGame, Wait
from dicelab.lab.documents import CSV, REFUSALS, SVG, WORKING
from dicelab.lab.forms import AnswersForm
from dicelab.lab.http_errors import Refused

router = APIRouter(prefix="/api", responses=REFUSALS)
SHEET = {**CSV, **WORKING}


@router.get("/study/questions", tags=["study"])
def questions() -> object:
    """Return the questionnaire."""
    return {"questions": study.questions()}


@router.get("/study/answers", tags=["study"])
def answers(player: AsPlayer) -> object:
    """Return what the player answered."""
    return {"answers": player.answers or None}


@router.put("/study/answers", tags=["study"])
def answer(lab: InLab, player: AsPlayer, form: AnswersForm) -> object:
    """Return what the player now answers."""
    said = form.model_dump()
    lab.store.answer(player.number, said)
    return {"answers": said}


def sheet(text: str, name: str) -> Response:
    """Return a CSV file."""
    headers = {"content-disposition": f'attachment; filename="{name}.csv"'}
    return Response(text, media_type="text/csv; charset=utf-8", headers=headers)


@router.get("/me/tracker.csv", tags=["study"], response_class=Response, responses=SHEET)
def own_tracker(lab: InLab, player: AsPlayer, game: StudiedGame, wait: Wait = 20) -> object:
    """Return the player's own games in the tracker form."""
    return sheet(lab.study.tracker_csv(game, player.number, wait), "tracker")


@router.get("/me/decisions.csv", tags=["study"], response_class=Response, responses=SHEET)
def own_decisions(lab: InLab, player: AsPlayer, game: StudiedGame, wait: Wait = 20) -> object:
    """Return every decision of the player's own games."""
    return sheet(lab.study.decisions_csv(game, player.number, wait), "decisions")


def administrator(request: Request, lab: InLab) -> None:
    """Refuse everybody but the administrator."""
    token = lab.settings.admin_token
    given_token = request.headers.get("x-admin-token", "")
    if token is not None and not hmac.compare_digest(token.encode(), given_token.encode()):
        raise Refused(
            403, tr("this is for the administrator: give the token that dicelab lab printed")
        )


admin = APIRouter(
    prefix="/api/admin",
    tags=["admin"],
    dependencies=[Depends(administrator)],
    responses=REFUSALS,
)
Imported = Annotated[bool, Query(description="whether records brought in count too")]
Seed = Annotated[int, Query(ge=0, le=2**32)]


@admin.get("/overview")
def overview(lab: InLab) -> object:
    """Return what there is: players, games, records, tables."""
    return lab.study.overview(lab.began)


@admin.get("/study", responses=WORKING)
def study_of(
    lab: InLab, game: StudiedGame, seed: Seed = 1, imported: Imported = True, wait: Wait = 20
) -> object:
    """Return the study's tables and tests over everyone's games."""
    return JSONResponse(lab.study.study(game, imported, seed, wait))


@admin.get("/plots/{figure}.svg", response_class=Response, responses={**SVG, **WORKING})
def plot(
    lab: InLab,
    figure: Annotated[str, Path(max_length=40)],
    game: StudiedGame,
    imported: Imported = True,
    wait: Wait = 20,
) -> object:
    """Return a figure of the study: totals or games."""
    return Response(lab.study.figure(figure, game, imported, wait), media_type="image/svg+xml")


@admin.get("/tracker.csv", response_class=Response, responses=SHEET)
def every_tracker(lab: InLab, game: StudiedGame, wait: Wait = 20) -> object:
    """Return everybody's games in the tracker form, with what they answered."""
    return sheet(lab.study.tracker_csv(game, None, wait), "tracker")


@admin.get("/decisions.csv", response_class=Response, responses=SHEET)
def every_decision(lab: InLab, game: StudiedGame, wait: Wait = 20) -> object:
    """Return every decision of everybody's games."""
    return sheet(lab.study.decisions_csv(game, None, wait), "decisions")


@admin.post(
    "/records",
    status_code=201,
    openapi_extra={"requestBody": {"content": {"text/csv": {"schema": {"type": "string"}}}}},
)
async def bring(
    request: Request,
    lab: InLab,
    name: Annotated[str, Query(max_length=80)] = "record.csv",
) -> object:
    """Return a record that was brought in: tracker forms or decisions, as CSV in the body."""
    body = await request.body()
    try:
        text = body.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise RecordError(
            tr("cannot read {name}: save it as CSV in UTF-8", name=repr(name))
        ) from None
    record = await run_in_threadpool(lab.study.bring, name, text)
    return JSONResponse({"record": record}, 201)


@admin.delete("/records/{id}", status_code=204)
def forget(lab: InLab, id: str) -> None:
    """Forget a record that was brought in."""
    lab.study.forget(id)
