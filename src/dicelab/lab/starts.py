"""Matches that begin elsewhere than their game does: at a position that somebody chose.

Such a match is practice. It is reviewed like any other, and counts in no statistics: who begins
with thirty points more has not played better.
"""

from __future__ import annotations

from functools import lru_cache

from dicelab.core.json_object import JsonObject
from dicelab.core.language import tr, trn
from dicelab.errors import DicelabError, RulesError, UnknownPosition
from dicelab.lab.store import Match
from dicelab.rules import Game, Position, before_throw
from dicelab.verbs.solution import Solution


def begun_at(game: Game, text: str) -> tuple[Game, str]:
    """Return a game begun at a position or at a moment after a throw, and how that is written."""
    try:
        at = game.read(text)
        begun = _begun(game, before_throw(at))
        if not begun.legal_moves(at):
            raise RulesError(
                tr(
                    "{game} has no move at {at}: start where there is one",
                    game=game,
                    at=game.write(at),
                )
            )
        return begun, game.write(at)
    except DicelabError:
        raise
    except Exception:  # rules of somebody's own, at a position that they never meant
        raise UnknownPosition(
            tr(
                "the rules of {game} fail at {text}: start from a position that play comes to",
                game=game,
                text=repr(text[:60]),
            )
        ) from None


@lru_cache(maxsize=256)  # every move of a match that began elsewhere asks for its game
def _begun(game: Game, at: Position) -> Game:
    return game.starting(at)


def refuse_unknown(solution: Solution, start: str) -> None:
    """Refuse a position that the solved game does not know."""
    solution.moves_at(solution.game.read(start))


def title(game: Game, start: str | None) -> str:
    """Return what a match of a game is called."""
    return str(game) if start is None else f"{game.at_usual_start} from {start}"


def practice(match: Match) -> str | None:
    """Return why a match counts in no statistics; None where it does."""
    if match.people is not None:
        return tr("Two people play this game. It counts in no statistics.")
    if match.taken_back is not None:
        return tr("Practice: a move was taken back in this game. It counts in no statistics.")
    if match.start is None:
        return None
    return tr(
        "Practice: this game began at {start}. It counts in no statistics.", start=match.start
    )


def left_out(games: int) -> str | None:
    """Return how many games of a list do not count; None where all do."""
    if not games:
        return None
    return trn(
        "{n} practice game is in the list and counts in no statistics.",
        "{n} practice games are in the list and count in no statistics.",
        games,
    )


def event(match: Match) -> JsonObject:
    """Return the first thing that happened: the game began there."""
    return {
        "ply": 0,
        "who": None,
        "move": "start",
        "label": tr("Start"),
        "dice": [],
        "points": 0,
        "effect": "start",
        "marked": [],
        "text": tr("The game begins at {start}.", start=match.start),
        "fields": {},
    }
