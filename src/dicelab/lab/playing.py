"""Playing: begin a match, make a move, look at it. Every answer is the same document.

The order in a move is: check it, throw, let the other player answer, write it all down, and only
then tell. A move says at which decision the player thinks the match stands; so a move that is sent
twice, because the first answer was lost, is played once.
"""

from __future__ import annotations

import secrets
import sqlite3
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace

import numpy as np

from dicelab.core.json_object import JsonObject
from dicelab.core.language import tr, trn
from dicelab.errors import DicelabError, RulesError, UnknownGame
from dicelab.lab import adapting, coach, narration, opponents, starts, taken_back
from dicelab.lab.arguments import UNBOUNDED, game_of, kind_of, strategy_name
from dicelab.lab.forms import MatchForm
from dicelab.lab.http_errors import MovedOn, NotFound
from dicelab.lab.matches import CHOICE, COIN, Play, PlayAtOnce, Standing, chance
from dicelab.lab.narration import YOU, starter
from dicelab.lab.opponents import Chooser
from dicelab.lab.paintings import Paintings
from dicelab.lab.records import records_of
from dicelab.lab.seat_store import Seat, SeatStore
from dicelab.lab.solution_cache import Working, in_spare_time
from dicelab.lab.solving import Solving
from dicelab.lab.store import Decision, Finished, Match, Overtaken, Player, Store, now
from dicelab.people import marks
from dicelab.people.game_review import ends_of
from dicelab.rules import SEEN_BY_OTHER, Game, exact_amount
from dicelab.rules.registry import told
from dicelab.rules.throw import below
from dicelab.verbs.solution import WORSE, Solution

MANY = ("strategy", "optimal")
"""Opponents at a table of three and more."""


class Playing:
    """The matches of the lab."""

    def __init__(self, store: Store, solving: Solving, seed: int | None = None) -> None:
        self.store = store
        self.solving = solving
        self.seats = SeatStore(store)
        self.paintings = Paintings(store, solving)
        self.seed = seed

    def game_of(self, match: Match) -> Game:
        """Return the game of a match, refused where this lab was started without it."""
        try:
            game = game_of(match.game, match.parameters, UNBOUNDED)
            return game if match.start is None else starts.begun_at(game, match.start)[0]
        except UnknownGame:
            raise UnknownGame(
                tr(
                    "this match is of {title}, which is not played here now: whoever "
                    "starts the lab can name its game, as in dicelab lab module:Class",
                    title=match.title,
                )
            ) from None

    def play_of(self, match: Match) -> Play:
        """Return a match ready to be played."""
        game = self.game_of(match)
        return (PlayAtOnce if game.is_simultaneous else Play)(game, match)

    def begin(
        self,
        player: Player,
        asked: MatchForm,
        wait: float,
        seed: int | None = None,
        day: str | None = None,
    ) -> JsonObject:
        """Return a new match, the other player's first turn made if it starts.

        `seed` says how its dice fall, and `day` whose game of the day it is.
        """
        game = game_of(asked.game, asked.parameters, self.solving.memory)
        opponent = self._opponents(player, game, asked, wait)
        start = None
        if asked.start is not None:
            game, start = starts.begun_at(game, asked.start)
            starts.refuse_unknown(self.solving.solution(game, wait), start)
        match = self.new_match(player, game, start, asked, opponent, seed)
        match = replace(match, day=day)
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
        self.keep(match, rows)
        return document

    def keep(self, match: Match, rows: list[Decision], seats: Sequence[Seat] = ()) -> None:
        """Write down a new match."""
        try:
            self.store.add_match(match, rows, seats)
        except sqlite3.IntegrityError:  # the player began two matches at the same moment
            raise RulesError(tr("another match of yours began at this moment: ask again")) from None

    def new_match(
        self,
        player: Player,
        game: Game,
        start: str | None,
        asked: MatchForm,
        opponent: JsonObject,
        seed: int | None = None,
    ) -> Match:
        """Return a match before its first decision; where a coin decides, it is tossed."""
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
            seed=self._seed(number) if seed is None else seed,
            coach=asked.coach,
            warn_at=asked.warn_at,
            started=now(),
            ended=None,
            outcome=None,
            start=start,
            people=None if asked.people is None else asked.people.where,
        )
        if kind_of(game) == "turns":
            coin = asked.starts == "coin"
            seat = below(game.players, chance(match, 0, COIN)) if coin else asked.starts != "me"
            if game.players > 2:
                opponent = {**opponent, "starter": int(seat)}
            match = replace(match, you_start=seat == 0, coin=coin, opponent=opponent)
        return match

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
                trn(
                    "{game} is played by {players}: name {n} opponent, or one who plays all of "
                    "them; got {given}",
                    "{game} is played by {players}: name {n} opponents, or one who plays all of "
                    "them; got {given}",
                    count,
                    game=game,
                    players=game.players,
                    given=len(given),
                )
            )
        if game.players <= 2:
            return self._settled(player, game, given[0], wait)
        for each in given:
            if each["kind"] not in MANY:
                raise RulesError(
                    tr(
                        "{game} is played by {players}: each opponent there is a strategy, or "
                        "plays what solving found; how a person plays is known for one or two",
                        game=game,
                        players=game.players,
                    )
                )
        others = [self._settled(player, game, each, wait) for each in given]
        return {"kind": narration.SEVERAL, "others": others}

    def _settled(self, player: Player, game: Game, asked: JsonObject, wait: float) -> JsonObject:
        """Return an opponent with everything it needs to play on after a restart."""
        if game.players == 1:
            return {"kind": "nobody"}
        kind = asked["kind"]
        if kind == "nobody":
            raise RulesError(tr("{game} is played by two: name an opponent", game=game))
        if kind == "strategy":
            name = strategy_name(game, asked.get("name") or "optimal")
            if name == "optimal":
                return {"kind": "optimal"}
            self.solving.named(game, name, wait)  # refused now, not at its first move
            return {"kind": "strategy", "name": name, "called": narration.name_of(game, name)}
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
                tr(
                    "{painting} is painted for {other}: it cannot play {game}",
                    painting=repr(kept["name"]),
                    other=kept["title"],
                    game=game,
                )
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
            raise NotFound(tr("you have no match {id}", id=repr(id[:40])))
        return found

    def to_decide(self, player: Player, id: str) -> tuple[Match, Play, Standing]:
        """Return a match of a player with where it stands."""
        match = self.match(player, id)
        play = self.play_of(match)
        return match, play, play.standing(self.store.decisions(id))

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
            raise self.moved_on(match, play, rows, ply, wait)
        play.check(standing, move)
        game = play.game
        others = self._choosers(match, game, wait)
        solution = self.solving.solution(game, wait) if match.coach in ("on", "warn") else None
        if solution is not None and match.coach == "warn" and not sure:
            warning = self.warning(play, solution, standing, move, match.warn_at)
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
            document["played"] = self.judged(play, solution, standing, move)
        try:
            self.store.add_decisions(id, made, ended)
        except (sqlite3.IntegrityError, Overtaken):  # somebody was quicker, with whatever it was
            rows = self.store.decisions(id)
            raise self.moved_on(self.match(player, id), play, rows, ply, wait) from None
        if ended:
            document["ended"] = self.match(player, id).ended
            self.begin_review(game)
        return document

    def begin_review(self, game: Game) -> None:
        """Begin to solve a game whose review will be asked for; nobody waits for it here."""
        with suppress(Working, DicelabError):
            self.solving.solution(game, 0)

    def moved_on(
        self, match: Match, play: Play, rows: list[Decision], ply: int, wait: float
    ) -> MovedOn:
        """Return the refusal of who thinks that a match stands elsewhere."""
        document = self.document(match, play, rows, [row for row in rows if row.ply > ply], wait)
        if match.ended:
            why = tr("it is over")
        else:
            why = tr("{made} decisions were made, not {ply}", made=document["ply"], ply=ply)
        return MovedOn(tr("the match has moved on: {why}", why=why), document)

    def take_back(self, player: Player, id: str, ply: int, wait: float) -> JsonObject:
        """Return a match before the last choice of its player, who is told what that would cost."""
        match = self.match(player, id)
        taken_back.refuse(match)
        play, rows = self.play_of(match), self.store.decisions(id)
        if play.standing(rows).ply != ply:
            raise self.moved_on(match, play, rows, ply, wait)
        chosen = taken_back.last_choice(play.game, rows)
        if chosen is None:
            raise RulesError(tr("there is nothing to take back: you have not chosen anything yet"))
        with suppress(DicelabError):  # a game too large to be solved is played too
            self.solving.solution(play.game, wait)  # nothing is written down before it can be told
        try:
            self.store.take_back(id, chosen.ply, ply + 1)
        except Overtaken:  # what came at the same moment stands
            match, rows = self.match(player, id), self.store.decisions(id)
            raise self.moved_on(match, self.play_of(match), rows, ply, wait) from None
        return self.look(player, id, -1, wait)

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
        if self.match(player, id).day is not None:
            raise RulesError(
                tr(
                    "the game of the day is played without a coach, by everybody: its review "
                    "tells all when it is over"
                )
            )
        self.store.set_coach(id, mode, warn_at)
        return self.look(player, id, 10**9, wait)

    def judged(self, play: Play, solution: Solution, standing: Standing, move: str) -> JsonObject:
        """Return what a move cost."""
        one = solution.value_of(standing.at, move)
        said = coach.past(play.game, standing.at, one)
        return {"move": move, "cost": float(one.cost), "status": one.status, "sentence": said}

    def warning(
        self, play: Play, solution: Solution, standing: Standing, move: str, least: float
    ) -> JsonObject | None:
        """Return a warning where a move would cost at least such a share of the game."""
        one = coach.told_move(play.game, standing.at, solution.value_of(standing.at, move))
        if one["status"] != WORSE or one["cost"] < least * marks.at_stake(solution):
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
        if match.taken_back is not None and whole:
            events = taken_back.among(events, play, self.store)
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
            result = {**self.result(play, rows, match.outcome), "review": f"/review/{match.id}"}
        board = play.board(standing, rows)
        return {
            "id": match.id,
            "game": match.game,
            "title": match.title,
            "start": match.start,
            "day": match.day,
            "practice": starts.practice(match),
            "kind": kind_of(play.game),
            "parameters": match.parameters,
            "unit": tr(play.game.unit),
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
            "position": {**play.position(standing), "board": board},
            "moves": [] if over else play.moves(standing, board),
            "events": events,
            "coach": advice,
            "result": result,
            "people": None,
            "taken": taken_back.last(self.store, self.solving, play, standing, patience),
            "can_take_back": not over and taken_back.is_allowed(play, rows),
            "played": None,
            "warning": None,
        }

    def _against(
        self, match: Match, play: Play, standing: Standing, patience: float
    ) -> JsonObject | None:
        """Return what the match is worth against who sits opposite; None where that plays best."""
        game = play.game
        if game.players == 1 or opponents.is_perfect(match.opponent) or match.people is not None:
            return None
        label = narration.called(match.opponent)
        try:
            with in_spare_time():
                reply = opponents.reply_to(self.solving, game, match.opponent, patience)
        except Working:
            said = tr("What you can get against {opponent} is being worked out.", opponent=label)
            return coach.unknown(label, said, pending=True)
        except DicelabError as refused:
            said = tr("Not known against {opponent}: {why}.", opponent=label, why=refused)
            return coach.unknown(label, said)
        return coach.against(reply, standing.at, label)

    def result(
        self, play: Play, rows: list[Decision], outcome: str, who: str = "You"
    ) -> JsonObject:
        """Return how a match ended for somebody: what it brought, and a sentence."""
        value, sentence = self.value(play, rows, outcome), play.ending(rows, outcome, who)
        if value is not None and outcome == "done" and play.game.unit == "points":
            points = trn("{n} point", "{n} points", round(value))  # a full card is not a sum
            sentence = f"{points}. {sentence}"
        return {"outcome": outcome, "value": value, "sentence": sentence}

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

    def _label(self, match: Match) -> str:
        """Return what is called who sits opposite, also where that is a person."""
        guest = self.seats.seats(match.id).get(1) if match.people is not None else None
        return narration.called(match.opponent) if guest is None else guest.name

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
            "opponent": {"label": self._label(match)},
            "started": match.started,
            "practice": match.is_practice,
            "over": match.ended is not None,
            "outcome": match.outcome,
            "score": score,
            "ply": ply,
        }


def _coin(match: Match, play: Play) -> JsonObject:
    text = tr("The coin says you start.")
    if not match.you_start:
        text = tr("The coin says the other player starts.")
    if play.game.players > 2 and not match.you_start:
        name = play.names[starter(match) - 1]
        text = tr("The coin says {name} starts.", name=name)
    return {
        "ply": 0,
        "who": None,
        "move": "coin",
        "label": tr("Coin"),
        "dice": [],
        "points": 0,
        "effect": "coin",
        "marked": [],
        "text": text,
        "fields": {},
    }
