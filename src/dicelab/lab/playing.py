"""Playing: begin a match, make a move, look at it. Every answer is the same document.

The order in a move is: check it, throw, let the other player answer, write it all down, and only
then tell. A move says at which decision the player thinks the match stands; so a move that is sent
twice, because the first answer was lost, is played once.
"""

from __future__ import annotations

import secrets
import sqlite3
from contextlib import suppress
from dataclasses import replace

import numpy as np

from dicelab.core.json_object import JsonObject
from dicelab.errors import DicelabError, RulesError, UnknownGame
from dicelab.lab import adapting, coach, narration, opponents, starts
from dicelab.lab.arguments import UNBOUNDED, game_of, kind_of, strategy_name
from dicelab.lab.forms import MatchForm
from dicelab.lab.http_errors import MovedOn, NotFound
from dicelab.lab.matches import CHOICE, COIN, Play, PlayAtOnce, Standing, chance
from dicelab.lab.narration import YOU, starter
from dicelab.lab.opponents import Chooser
from dicelab.lab.paintings import Paintings
from dicelab.lab.records import records_of
from dicelab.lab.solution_cache import Working
from dicelab.lab.solving import Solving
from dicelab.lab.store import Decision, Finished, Match, Player, Store, now
from dicelab.people.game_review import ends_of
from dicelab.rules import SEEN_BY_OTHER, Game, exact_amount
from dicelab.rules.registry import IN_WORDS, told
from dicelab.rules.throw import below
from dicelab.verbs.solution import WORSE, Solution

MANY = ("strategy", "optimal")
"""Opponents at a table of three and more."""


class Playing:
    """The matches of the lab."""

    def __init__(self, store: Store, solving: Solving, seed: int | None = None) -> None:
        self.store = store
        self.solving = solving
        self.paintings = Paintings(store, solving)
        self.seed = seed

    def game_of(self, match: Match) -> Game:
        """Return the game of a match, refused where this lab was started without it."""
        try:
            game = game_of(match.game, match.parameters, UNBOUNDED)
            return game if match.start is None else starts.begun_at(game, match.start)[0]
        except UnknownGame:
            raise UnknownGame(
                f"this match is of {match.title}, which is not played here now: whoever starts the "
                f"lab can name its game, as in dicelab lab module:Class"
            ) from None

    def play_of(self, match: Match) -> Play:
        """Return a match ready to be played."""
        game = self.game_of(match)
        return (PlayAtOnce if game.is_simultaneous else Play)(game, match)

    def begin(self, player: Player, asked: MatchForm, wait: float) -> JsonObject:
        """Return a new match, the other player's first turn made if it starts."""
        game = game_of(asked.game, asked.parameters, self.solving.memory)
        opponent = self._opponents(player, game, asked, wait)
        start = None
        if asked.start is not None:
            game, start = starts.begun_at(game, asked.start)
            starts.refuse_unknown(self.solving.solution(game, wait), start)
        number = self.store.next_number(player.number)
        match = Match(
            id="m_" + secrets.token_urlsafe(15),
            player=player.number,
            number=number,
            game=asked.game,
            parameters=told(game),
            title=starts.title(game, start),
            opponent=opponent,
            you_start=True,
            coin=False,
            seed=self._seed(number),
            coach=asked.coach,
            warn_at=asked.warn_at,
            started=now(),
            ended=None,
            outcome=None,
            start=start,
        )
        if kind_of(game) == "turns":
            coin = asked.starts == "coin"
            seat = below(game.players, chance(match, 0, COIN)) if coin else asked.starts != "me"
            if game.players > 2:
                opponent = {**opponent, "starter": int(seat)}
            match = replace(match, you_start=seat == 0, coin=coin, opponent=opponent)
        play = self.play_of(match)
        others = self._choosers(match, game, wait)
        for other in others:
            other(play.start, chance(match, 0, CHOICE))  # one that may not play is refused now
        if asked.coach in ("on", "warn"):
            self.solving.solution(game, wait)
        rows = play.begin(others)
        ended = play.ended(rows) if rows else None
        if ended:
            match = replace(match, ended=now(), outcome=ended)
        # Nothing is written down before it can be told.
        document = self.document(match, play, rows, rows, wait, whole=True)
        try:
            self.store.add_match(match, rows)
        except sqlite3.IntegrityError:  # the player began two matches at the same moment
            raise RulesError("another match of yours began at this moment: ask again") from None
        return document

    def _seed(self, number: int) -> int:
        if self.seed is None:
            return secrets.randbits(62)
        high, low = np.random.SeedSequence([self.seed, number]).generate_state(2, np.uint32)
        return (int(high) << 30) ^ int(low)

    def _opponents(self, player: Player, game: Game, asked: MatchForm, wait: float) -> JsonObject:
        """Return who sits opposite; at a table of three and more, each of them in turn."""
        given = [each.model_dump() for each in asked.opponents] or [asked.opponent.model_dump()]
        count = max(1, game.players - 1)
        if len(given) == 1:
            given *= count
        if len(given) != count:
            raise RulesError(
                f"{game} is played by {game.players}: name {count} "
                f"opponent{'s' * (count > 1)}, or one who plays all of them; got {len(given)}"
            )
        if game.players <= 2:
            return self._settled(player, game, given[0], wait)
        for each in given:
            if each["kind"] not in MANY:
                raise RulesError(
                    f"{game} is played by {game.players}: each opponent there is a strategy, or "
                    f"plays what solving found; how a person plays is known for one or two"
                )
        others = [self._settled(player, game, each, wait) for each in given]
        return {"kind": narration.SEVERAL, "others": others}

    def _settled(self, player: Player, game: Game, asked: JsonObject, wait: float) -> JsonObject:
        """Return an opponent with everything it needs to play on after a restart."""
        if game.players == 1:
            return {"kind": "nobody"}
        kind = asked["kind"]
        if kind == "nobody":
            raise RulesError(f"{game} is played by two: name an opponent")
        if kind == "strategy":
            name = strategy_name(game, asked.get("name") or "optimal")
            if name == "optimal":
                return {"kind": "optimal"}
            self.solving.named(game, name, wait)  # refused now, not at its first move
            maker = game.strategies.get(name.partition(":")[0])
            label, _ = IN_WORDS.get(maker, ("", {})) if maker else ("", {})
            return {"kind": "strategy", "name": name, "called": narration.spoken(name, label)}
        if kind == "optimal":
            return {"kind": "optimal"}
        if kind == "painted":
            return self._painted(game, asked.get("painting") or "", wait)
        return adapting.settled(self.store, self.solving, player, game, asked, wait)

    def _painted(self, game: Game, id: str, wait: float) -> JsonObject:
        """Return a painted opponent, map and all: the match goes on where the painting is gone."""
        kept = self.paintings.painting(id)
        if kept["title"] != str(game):
            raise RulesError(
                f"{kept['name']!r} is painted for {kept['title']}: it cannot play {game}"
            )
        self.solving.painted(game, kept["painted"], wait)
        return {"kind": "painted", "painting": id, "painted": kept["painted"]}

    def _choosers(self, match: Match, game: Game, wait: float) -> list[Chooser]:
        return [
            opponents.chooser(self.solving, game, each, wait)
            for each in narration.each_of(match.opponent)
        ]

    def match(self, player: Player, id: str) -> Match:
        """Return a match of a player; nobody else's is found."""
        found = self.store.match(id)
        if found is None or found.player != player.number:
            raise NotFound(f"you have no match {id[:40]!r}")
        return found

    def look(self, player: Player, id: str, since: int, wait: float) -> JsonObject:
        """Return a match as it stands, with everything that happened after a decision."""
        match = self.match(player, id)
        rows = self.store.decisions(id)
        shown = [row for row in rows if row.ply > since]
        play = self.play_of(match)
        return self.document(match, play, rows, shown, wait, whole=since < 0, patience=wait)

    def move(
        self, player: Player, id: str, move: str, ply: int, sure: bool, wait: float
    ) -> JsonObject:
        """Return the match after a move of the player and the other's answer, written down."""
        match = self.match(player, id)
        play, rows = self.play_of(match), self.store.decisions(id)
        standing = play.standing(rows)
        if match.ended or standing.ply != ply:
            raise self._moved_on(match, play, rows, ply, wait)
        play.check(standing, move)
        game = play.game
        others = self._choosers(match, game, wait)
        solution = self.solving.solution(game, wait) if match.coach in ("on", "warn") else None
        if solution is not None and match.coach == "warn" and not sure:
            warning = self._warning(play, solution, standing, move, match.warn_at)
            if warning is not None:
                return {**self.document(match, play, rows, [], wait), "warning": warning}
        made = play.move(standing, move, others)
        rows = [*rows, *made]
        ended = play.ended(rows)
        if ended:
            match = replace(match, ended=now(), outcome=ended)
        # Nothing is written down before it can be told.
        document = self.document(match, play, rows, made, wait)
        if match.coach == "on" and solution is not None:
            document["played"] = self._judged(play, solution, standing, move)
        try:
            self.store.add_decisions(id, made, ended)
        except (sqlite3.IntegrityError, Finished):  # somebody was quicker: this move, or giving up
            rows = self.store.decisions(id)
            raise self._moved_on(self.match(player, id), play, rows, ply, wait) from None
        if ended:
            document["ended"] = self.match(player, id).ended
            self._begin_review(game)
        return document

    def _begin_review(self, game: Game) -> None:
        """Begin to solve a game whose review will be asked for; nobody waits for it here."""
        with suppress(Working, DicelabError):
            self.solving.solution(game, 0)

    def _moved_on(
        self, match: Match, play: Play, rows: list[Decision], ply: int, wait: float
    ) -> MovedOn:
        document = self.document(match, play, rows, [row for row in rows if row.ply > ply], wait)
        why = "it is over" if match.ended else f"{document['ply']} decisions were made, not {ply}"
        return MovedOn(f"the match has moved on: {why}", document)

    def resign(self, player: Player, id: str, wait: float) -> JsonObject:
        """Return a match that the player has stopped."""
        match = self.match(player, id)
        if match.ended is None:
            with suppress(Finished):  # the last move came at the same moment, and stands
                self.store.add_decisions(id, [], "stopped")
        return self.look(player, id, -1, wait)

    def set_coach(
        self, player: Player, id: str, mode: str, warn_at: float, wait: float
    ) -> JsonObject:
        """Return a match with another coach."""
        self.match(player, id)
        self.store.set_coach(id, mode, warn_at)
        return self.look(player, id, 10**9, wait)

    def _judged(self, play: Play, solution: Solution, standing: Standing, move: str) -> JsonObject:
        """Return what a move cost."""
        one = coach.told_move(play.game, standing.at, solution.value_of(standing.at, move))
        said = one["sentence"].replace("would cost", "cost")
        return {"move": move, "cost": one["cost"], "status": one["status"], "sentence": said}

    def _warning(
        self, play: Play, solution: Solution, standing: Standing, move: str, least: float
    ) -> JsonObject | None:
        """Return a warning where a move would cost at least such a share of the game."""
        one = coach.told_move(play.game, standing.at, solution.value_of(standing.at, move))
        bounds = coach.scale(play.game)
        whole = 1.0 if bounds is None else bounds["high"] - bounds["low"]
        if one["status"] != WORSE or one["cost"] < least * whole:
            return None
        told = coach.advice(solution, standing.at)["moves"]
        best = [other["move"] for other in told if other["status"] != WORSE]
        return {"move": move, "cost": one["cost"], "best": best, "sentence": one["sentence"]}

    def document(
        self,
        match: Match,
        play: Play,
        rows: list[Decision],
        shown: list[Decision],
        wait: float,
        whole: bool = False,
        patience: float = 0,
    ) -> JsonObject:
        """Return a match as everybody who asks for it gets it; `shown` are the events in it.

        `patience` is how long it may take to find what the match is worth against this opponent.
        """
        standing = play.standing(rows)
        over = match.ended is not None
        events = play.events(shown)
        if match.start is not None and whole:
            events = [starts.event(match), *events]
        if match.coin and whole:
            events = [_coin(match, play), *events]
        advice = None
        if match.coach == "on" and not over:
            advice = coach.advice(self.solving.solution(play.game, wait), standing.at)
            advice["against"] = self._against(match, play, standing, patience)
        result = None
        if over:
            assert match.outcome is not None
            result = {
                "outcome": match.outcome,
                "value": self.value(play, rows, match.outcome),
                "sentence": play.ending(rows, match.outcome),
                "review": f"/review/{match.id}",
            }
        return {
            "id": match.id,
            "game": match.game,
            "title": match.title,
            "start": match.start,
            "practice": starts.practice(match),
            "kind": kind_of(play.game),
            "parameters": match.parameters,
            "unit": play.game.unit,
            "scale": coach.scale(play.game),
            "layout": play.layout(),
            "opponent": opponents.shown(match.opponent),
            "opponents": [opponents.shown(each) for each in narration.each_of(match.opponent)],
            "seats": play.seats(),
            "starter": narration.who_at(starter(match)),
            "you_start": match.you_start,
            "coin": match.coin,
            "coach_mode": match.coach,
            "warn_at": match.warn_at,
            "started": match.started,
            "ended": match.ended,
            "ply": standing.ply,
            "over": over,
            "to_move": "nobody" if over else YOU,
            "position": play.position(standing),
            "moves": [] if over else play.moves(standing),
            "events": events,
            "coach": advice,
            "result": result,
            "played": None,
            "warning": None,
        }

    def _against(
        self, match: Match, play: Play, standing: Standing, patience: float
    ) -> JsonObject | None:
        """Return what the match is worth against who sits opposite; None where that plays best."""
        game = play.game
        if game.players == 1 or opponents.is_perfect(match.opponent):
            return None
        label = narration.called(match.opponent)
        try:
            reply = opponents.reply_to(self.solving, game, match.opponent, patience)
        except Working:
            said = f"What you can get against {label} is being worked out."
            return coach.unknown(label, said, pending=True)
        except DicelabError as refused:
            return coach.unknown(label, f"Not known against {label}: {refused}.")
        return coach.against(reply, standing.at, label)

    def value(self, play: Play, rows: list[Decision], outcome: str) -> float | None:
        """Return what the match brought you; None where it was stopped."""
        if outcome == "stopped":
            return None
        standing = play.standing(rows)
        game = play.game
        gains = [row.gain if row.who == YOU or game.players == 1 else -row.gain for row in rows]
        if game.pays_ends or any(gains):
            game = game.for_points()
        if game.players > 2:
            worth = ends_of(game, standing.at)[standing.seat]
        elif game.pays_ends:
            paid = exact_amount(game.payoff(standing.at))
            worth = game.total - paid if standing.seat else paid
        else:
            result = int(game.result(standing.at))
            seat = 0 if play.match.you_start else 1
            worth = game.worth_to(seat)[SEEN_BY_OTHER[result] if standing.seat else result]
        return float(worth + sum(gains))

    def summary(self, match: Match) -> JsonObject:
        """Return a match in a line; one that the rules no longer understand has no score."""
        try:
            play, rows = self.play_of(match), self.store.decisions(match.id)
            standing = play.standing(rows)
            ply, score = standing.ply, play.position(standing)["notation"]
            kind, records = kind_of(play.game), records_of(play.game)
        except Exception:
            narration.log.exception("match %s of %s cannot be told", match.id, match.title)
            ply, score, kind, records = 0, "", "turns", []
        return {
            "id": match.id,
            "game": match.game,
            "title": match.title,
            "parameters": match.parameters,
            "kind": kind,
            "records": records,
            "opponent": {"label": narration.called(match.opponent)},
            "started": match.started,
            "practice": match.is_practice,
            "over": match.ended is not None,
            "outcome": match.outcome,
            "score": score,
            "ply": ply,
        }


def _coin(match: Match, play: Play) -> JsonObject:
    who = "you start" if match.you_start else "the other player starts"
    if play.game.players > 2 and not match.you_start:
        who = f"{play.names[starter(match) - 1]} starts"
    return {
        "ply": 0,
        "who": None,
        "move": "coin",
        "label": "Coin",
        "dice": [],
        "points": 0,
        "effect": "coin",
        "marked": [],
        "text": f"The coin says {who}.",
        "fields": {},
    }
