"""Who asks, of which lab and about which game: what the routes want to know before they answer."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Path, Query, Request

from dicelab.core.language import tr
from dicelab.lab.arguments import game_of
from dicelab.lab.container import Lab
from dicelab.lab.http_errors import Refused
from dicelab.lab.limits import COOKIE
from dicelab.lab.records import studied_game
from dicelab.lab.store import Player
from dicelab.rules import Game

OWN = (
    *("wait", "game", "name", "seed", "imported"),
    *("strategy", "at", "set", "yours", "left"),
)
"""Query parameters that are not parameters of the game."""

Wait = Annotated[float, Query(ge=0, le=60, description="seconds to wait for a game to be solved")]
Id = Annotated[str, "the id of a match"]
GamePath = Annotated[str, Path(max_length=100)]
GameQuery = Annotated[
    str,
    Query(
        max_length=100,
        description="without one, that of the study; its parameters follow, as target=20",
    ),
]
Text = Annotated[str, Query(max_length=200)]


def lab_asked(request: Request) -> Lab:
    """Return the lab."""
    lab: Lab = request.app.state.lab
    return lab


InLab = Annotated[Lab, Depends(lab_asked)]


def maybe_player(request: Request, lab: InLab) -> Player | None:
    """Return the player who asks, if there is one."""
    kind, _, token = request.headers.get("authorization", "").partition(" ")
    if kind.lower() != "bearer" or not token:
        token = request.cookies.get(COOKIE, "")
    return lab.store.player(token) if token else None


MaybePlayer = Annotated[Player | None, Depends(maybe_player)]


def player_asking(found: MaybePlayer) -> Player:
    """Return the player who asks, refused where there is none."""
    if found is None:
        raise Refused(401, tr("you are no player here: open the page, or ask POST /api/players"))
    return found


AsPlayer = Annotated[Player, Depends(player_asking)]


def game_asked(request: Request, lab: InLab, game: GamePath) -> Game:
    """Return the game in an address: its parameters are in the query."""
    given = {key: value for key, value in request.query_params.items() if key not in OWN}
    return game_of(game, given, lab.solving.memory)


def game_studied(request: Request, lab: InLab, game: GameQuery = "") -> Game:
    """Return the game in a query, with its parameters; without one, that of the study."""
    return game_asked(request, lab, game or studied_game())


AskedGame = Annotated[Game, Depends(game_asked)]
StudiedGame = Annotated[Game, Depends(game_studied)]
