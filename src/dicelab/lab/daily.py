"""The game of the day: the same dice for everybody, one try, and a line to paste.

Which game it is and how its dice fall follow from the date alone, by UTC: of the games that offer
themselves (`Speech.is_daily`), the one whose hash with the date is least, so that a new game
changes no other day than its own. The dice are no secret for who can compute a hash; there is
nothing to win. The other player plays perfectly, the coach is silent, nothing is taken back.
"""

from __future__ import annotations

import hashlib
from datetime import UTC, date, datetime, timedelta

from dicelab.core.json_object import JsonObject
from dicelab.core.language import mark, number, tr
from dicelab.errors import RulesError
from dicelab.lab.forms import MatchForm
from dicelab.lab.http_errors import NotFound
from dicelab.lab.narration import YOU
from dicelab.lab.playing import Playing
from dicelab.lab.reviews import Reviews
from dicelab.lab.shared_file import written
from dicelab.lab.store import Match, Player
from dicelab.lab.training import streak
from dicelab.people import marks
from dicelab.rules import SAME, Game, registry

SIGNS = {
    marks.BEST: "·",
    marks.FINE: "·",
    marks.INACCURACY: "?!",
    marks.MISTAKE: "?",
    marks.BLUNDER: "??",
}
"""How the dearest decision of a turn is told in a line, as chess players write it."""

RESULTS = {
    "won": mark("won"),
    "lost": mark("lost"),
    "drawn": mark("drawn"),
    "stopped": mark("given up"),
    "done": mark("done"),
}


def hashed(day: date, game: str) -> int:
    """Return a number of 62 bits that a day and a game have for themselves.

    >>> hashed(date(2026, 11, 18), "a game") == hashed(date(2026, 11, 18), "a game")
    True
    """
    digest = hashlib.sha256(f"{day.isoformat()} {game}".encode()).digest()
    return int.from_bytes(digest[:8], "big") >> 2


def game_of_day(day: date) -> Game:
    """Return the game that is played on a day, by its usual rules."""
    offered = [name for name, kind in registry.all_games().items() if kind.is_daily]
    return registry.registered_game(min(offered, key=lambda name: hashed(day, name)))


class Daily:
    """The game of the day, and what players made of it."""

    def __init__(self, playing: Playing, reviews: Reviews) -> None:
        self.playing, self.reviews, self.store = playing, reviews, playing.store

    def today(self, player: Player) -> JsonObject:
        """Return today's game, and the player's try if there was one."""
        day = datetime.now(UTC).date()
        game = game_of_day(day)
        tries = {match.day: match for match in self.store.daily(player.number)}
        match = tries.get(day.isoformat())
        midnight = datetime(day.year, day.month, day.day, tzinfo=UTC) + timedelta(days=1)
        played = [date.fromisoformat(text) for text, one in tries.items() if text and one.ended]
        return {
            "day": day.isoformat(),
            "next": written(midnight),
            "game": game.name,
            "headline": game.headline,
            "match": None if match is None else match.id,
            "over": match is not None and match.ended is not None,
            "streak": streak(played, day),
        }

    def begin(self, player: Player, wait: float) -> JsonObject:
        """Return today's match, begun; a second try is refused."""
        day = datetime.now(UTC).date()
        if any(match.day == day.isoformat() for match in self.store.daily(player.number)):
            raise RulesError(
                tr(
                    "you have had your try at the game of {day}: everybody has one, and the next "
                    "game begins at midnight (UTC)",
                    day=day.isoformat(),
                )
            )
        game = game_of_day(day)
        asked = MatchForm(game=game.name, coach="after", starts="coin")
        return self.playing.begin(
            player, asked, wait, seed=hashed(day, str(game)), day=day.isoformat()
        )

    def line(self, player: Player, day: str, wait: float) -> JsonObject:
        """Return how the player's try of a day went, in a text that tells no dice."""
        match = next((one for one in self.store.daily(player.number) if one.day == day), None)
        if match is None or match.ended is None:
            raise NotFound(tr("you have not finished the game of {day}", day=day))
        review = self.reviews.review(match.id, wait, player.number)
        accuracy = review["you"]["accuracy"]
        outcome = RESULTS[review["result"]["outcome"]]
        result = tr(outcome)
        game = self.playing.game_of(match).headline
        head = (
            tr("dicelab {day}, {game}: {result}", day=day, game=game, result=result)
            if accuracy is None
            else tr(
                "dicelab {day}, {game}: {result}, accuracy {accuracy}",
                day=day,
                game=game,
                result=result,
                accuracy=number(accuracy, ".1%"),
            )
        )
        turns = " ".join(self._turns(match, review))
        return {
            "day": day,
            "line": f"{head}\n{turns}" if turns else head,
            "review": f"/review/{match.id}",
        }

    def _turns(self, match: Match, review: JsonObject) -> list[str]:
        """Return the sign of every turn of the player: that of its dearest decision."""
        # a forced decision has no mark, and nothing else could have been better
        found = {
            each["ply"]: each["mark"] or marks.BEST
            for each in review["curve"]
            if each["who"] == YOU
        }
        at_once = self.playing.game_of(match).is_simultaneous
        turns: list[list[str]] = [[]]
        for row in self.store.decisions(match.id):
            if row.who == YOU:
                turns[-1].append(found[row.ply])
                if row.mover != SAME or at_once:
                    turns.append([])
        dearest = list(SIGNS)
        return [SIGNS[max(turn, key=dearest.index)] for turn in turns if turn]
