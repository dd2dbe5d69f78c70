"""Why the coach advises what it does: the fan of the next throw, and a rule of thumb."""

from __future__ import annotations

from dicelab.core.json_object import JsonObject
from dicelab.core.language import tr
from dicelab.errors import RulesError
from dicelab.lab import thumb
from dicelab.lab.fan import fan
from dicelab.lab.http_errors import NotFound
from dicelab.lab.narration import YOU
from dicelab.lab.playing import Playing
from dicelab.lab.reviews import Reviews
from dicelab.lab.solution_cache import Working
from dicelab.lab.solving import Solving
from dicelab.lab.store import Player
from dicelab.lab.together import Together
from dicelab.rules import Position
from dicelab.verbs.solution import Solution


class Why:
    """Reasons, for matches under way and for those that are over."""

    def __init__(self, playing: Playing, reviews: Reviews) -> None:
        self.playing, self.reviews = playing, reviews

    def at_table(
        self, table: Playing | Together, player: Player, id: str, wait: float
    ) -> JsonObject:
        """Return the reasons where a match stands, to a player whose coach may speak."""
        match, play, standing = table.to_decide(player, id)
        if match.ended is not None or match.coach != "on":
            raise RulesError(
                tr("the coach tells its reasons while it sits beside you in a game under way")
            )
        solution = self.playing.solving.solution(play.game, wait)
        return {"ply": standing.ply, **reasons(self.playing.solving, solution, standing.at)}

    def in_review(self, id: str, ply: int, wait: float) -> JsonObject:
        """Return the reasons at one of the player's decisions in a match that is over."""
        match, play, rows = self.reviews.over(id)
        people = match.people is not None  # both are reviewed
        made = next((row for row in rows if row.ply == ply and (people or row.who == YOU)), None)
        if made is None:
            raise NotFound(tr("there is no decision {ply} of the player in this match", ply=ply))
        at = play.game.read(made.position)
        solution = self.playing.solving.solution(play.game, wait)
        return {"ply": ply, **reasons(self.playing.solving, solution, at)}


def reasons(solving: Solving, solution: Solution, at: Position) -> JsonObject:
    """Return what explains advice at a position; the rule is null where there is none, or yet."""
    pending = False
    try:
        rule = thumb.thumb(solving, solution.game)
    except Working:
        rule, pending = None, True
    return {
        "fan": fan(solution, at),
        "rule": None if rule is None else thumb.told(rule, solution, at),
        "pending": pending,
    }
