"""Taking back a move, in training: the choice goes back, and what it would have cost is told.

Nothing is erased. Taking back uses up a number, as a decision does, so that the next one is made
with other dice: nobody looks at a throw first and chooses then. What was taken back stays in the
review, and the match is practice from then on.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from dicelab.core.json_object import JsonObject
from dicelab.core.language import tr
from dicelab.errors import DicelabError, RulesError
from dicelab.lab import narration
from dicelab.lab.matches import Play, Standing
from dicelab.lab.narration import YOU
from dicelab.lab.solution_cache import Working
from dicelab.lab.solving import Solving
from dicelab.lab.store import Decision, Match, Store
from dicelab.people import marks
from dicelab.rules import Game
from dicelab.verbs.explain import per_cent
from dicelab.verbs.solution import WORSE, Solution


def is_allowed(play: Play, rows: Sequence[Decision]) -> bool:
    """Return whether there is a choice in a match that can be taken back."""
    match = play.match
    if match.day is not None or match.ended is not None or match.people is not None:
        return False
    return last_choice(play.game, rows) is not None


def refuse(match: Match) -> None:
    """Refuse a match in which nothing is taken back."""
    if match.day is not None:
        raise RulesError(
            tr("nothing is taken back in the game of the day: everybody plays it as it comes")
        )
    if match.people is not None:
        raise RulesError(tr("nothing is taken back between two people: a move made is made"))
    if match.ended is not None:
        raise RulesError(
            tr("nothing is taken back in a game that is over: its review tells what moves cost")
        )


def last_choice(game: Game, rows: Sequence[Decision]) -> Decision | None:
    """Return the last decision of yours where there was something to choose."""
    for row in reversed(rows):
        if row.who == YOU and len(game.legal_moves(game.read(row.position))) > 1:
            return row
    return None


def among(events: Sequence[JsonObject], play: Play, store: Store) -> list[JsonObject]:
    """Return what happened, with every choice that was taken back in its place."""
    back = [
        {
            "ply": number,
            "who": YOU,
            "move": "take back",
            "label": tr("Take back"),
            "dice": [],
            "points": 0,
            "effect": "taken back",
            "marked": [],
            "text": tr("You took back: {move}.", move=_label(play.game, row)),
            "fields": {},
        }
        for number, row in store.taken_back(play.match.id)
    ]
    return sorted([*events, *back], key=lambda event: int(event["ply"]))


def last(
    store: Store, solving: Solving, play: Play, standing: Standing, patience: float
) -> JsonObject | None:
    """Return the choice that has just been taken back; None once the match has gone on."""
    match, game = play.match, play.game
    if match.taken_back is None or match.taken_back != standing.ply or match.ended is not None:
        return None
    _, row = store.taken_back(match.id)[-1]
    told: JsonObject = {
        "move": row.move,
        "label": _label(game, row),
        "cost": None,
        "status": None,
        "sentence": tr("You took back: {move}.", move=_label(game, row)),
    }
    with suppress(Working, DicelabError):
        solution = solving.solution(game, patience)
        found = solution.value_of(game.read(row.position), row.move)
        told |= {
            "cost": float(found.cost),
            "status": found.status,
            "sentence": _sentence(game, row, float(found.cost), found.status == WORSE),
        }
    return told


def reviewed(play: Play, solution: Solution, store: Store) -> list[JsonObject]:
    """Return every choice that was taken back, as the review tells mistakes."""
    if play.match.taken_back is None:
        return []
    game, whole, found = play.game, marks.at_stake(solution), []
    for number, row in store.taken_back(play.match.id):
        at = game.read(row.position)
        chosen = solution.value_of(at, row.move)
        best = [one.move for one in solution.moves_at(at) if one.status != WORSE]
        cost, wrong = float(chosen.cost), chosen.status == WORSE
        found.append(
            {
                "ply": number,
                "position": play.position(Standing(at, 0, row.ply, 0, None)),
                "move": row.move,
                "label": _label(game, row),
                "best": best,
                "cost": cost,
                "mark": marks.mark_of(cost / whole, wrong),
                "sentence": _sentence(game, row, cost, wrong),
            }
        )
    return found


def _label(game: Game, row: Decision) -> str:
    return game.label(narration.told_at(game, game.read(row.position)), row.move)


def _sentence(game: Game, row: Decision, cost: float, wrong: bool) -> str:
    move = _label(game, row)
    if not wrong:
        return tr("You took back: {move}. It was as good as any move.", move=move)
    return tr(
        "You took back: {move}. It would have cost you {cost}.",
        move=move,
        cost=per_cent(game, cost),
    )
