"""Two people at one table: at one device, or each at their own by a link that the host gave away.

It answers as `Playing` does, with the same document. At one device everything is told by names, and
whoever is to move is offered the moves. By link each sees the match from their own seat, and may
move when it is their turn. Who watches sees what both have done, no coach, and no hidden choice.
"""

from __future__ import annotations

import sqlite3
from contextlib import suppress
from dataclasses import dataclass, replace

from dicelab.core.json_object import JsonObject
from dicelab.core.language import tr
from dicelab.errors import RulesError
from dicelab.lab import coach, narration, seats, starts, taken_back
from dicelab.lab.arguments import game_of
from dicelab.lab.forms import JoinForm, MatchForm
from dicelab.lab.http_errors import MovedOn, NotFound
from dicelab.lab.matches import Play, Standing
from dicelab.lab.narration import GUEST, OPPONENT, YOU
from dicelab.lab.playing import Playing
from dicelab.lab.seat_store import HERE, LINK, SEAT, WATCH, Seat, fit_name, new_token
from dicelab.lab.store import Decision, Finished, Match, Overtaken, Player, hashed
from dicelab.rules.sentences import upper_first


@dataclass(frozen=True)
class Table:
    """A match between people as it stands, in the words of who began it."""

    match: Match
    play: Play
    rows: list[Decision]
    standing: Standing
    seats: dict[int, Seat]
    hidden: dict[int, str]  # at once: who has chosen, and what

    @property
    def is_here(self) -> bool:
        """Whether both are at one device."""
        return self.match.people == HERE

    @property
    def turn(self) -> int | None:
        """The seat that is to decide; at once, the first that has not chosen yet."""
        if self.match.ended is not None:
            return None
        if self.play.game.is_simultaneous:
            return next((seat for seat in (0, 1) if seat not in self.hidden), None)
        return 0 if self.standing.seat == 0 else 1

    def may_move(self, seat: int) -> bool:
        """Return whether a seat is to decide now."""
        if self.match.ended is not None or len(self.seats) < 2:
            return False
        if self.play.game.is_simultaneous:
            return seat not in self.hidden and (not self.is_here or seat == self.turn)
        return seat == self.turn


class Together:
    """The matches between two people."""

    def __init__(self, playing: Playing) -> None:
        self.playing, self.store, self.seats = playing, playing.store, playing.seats

    def begin(self, player: Player, asked: MatchForm, wait: float) -> JsonObject:
        """Return a new match between the player and another person."""
        assert asked.people is not None
        game = game_of(asked.game, asked.parameters, self.playing.solving.memory)
        if game.players != 2:
            raise RulesError(
                tr(
                    "{game} is played by {players}: two people play a game for two",
                    game=game,
                    players=game.players,
                )
            )
        start = None
        if asked.start is not None:
            game, start = starts.begun_at(game, asked.start)
            starts.refuse_unknown(self.playing.solving.solution(game, wait), start)
        sitting = [Seat(0, player.number, fit_name(asked.people.me or player.name), asked.coach)]
        if asked.people.where == HERE:
            other = fit_name(asked.people.name or tr("another person"))
            if other.lower() == sitting[0].name.lower():
                raise RulesError(tr("two people have two names: got {name!r} twice", name=other))
            sitting.append(Seat(1, None, other, asked.people.coach))
        if any(one.coach in ("on", "warn") for one in sitting):
            self.playing.solving.solution(game, wait)
        match = self.playing.new_match(player, game, start, asked, {"kind": GUEST})
        self.playing.keep(match, [], sitting)
        return self.look(player, match.id, -1, wait)

    # Who sits where.

    def _seat_of(self, player: Player, id: str) -> tuple[Match, int]:
        """Return a match and where a player sits there; who does not sit there finds nothing."""
        match = self.store.match(id)
        if match is not None and match.player == player.number:
            return match, 0
        sitting = self.seats.seats(id) if match is not None else {}
        if match is None or not any(one.player == player.number for one in sitting.values()):
            raise NotFound(tr("you have no match {id}", id=repr(id[:40])))
        return match, 1

    def _table(self, match: Match) -> Table:
        """Return a match as it stands; where both have chosen, the dice fall first."""
        play, rows = self.playing.play_of(match), self.store.decisions(match.id)
        standing = play.standing(rows)
        hidden: dict[int, str] = {}
        if play.game.is_simultaneous and match.ended is None:
            hidden = self.seats.hidden(match.id, standing.ply + 1)
            if len(hidden) == 2:
                made = play.move(standing, hidden[0], [lambda at, rng: hidden[1]])
                self._write(match, play, rows, made)
                return self._table(self.store.match(match.id) or match)
        return Table(match, play, rows, standing, self.seats.seats(match.id), hidden)

    def _write(self, match: Match, play: Play, rows: list[Decision], made: list[Decision]) -> bool:
        """Write decisions down, and return whether nobody was quicker."""
        ended = play.ended([*rows, *made])
        try:
            self.store.add_decisions(match.id, made, ended)
        except (sqlite3.IntegrityError, Overtaken):
            return False
        if ended:
            self.playing.begin_review(play.game)
        return True

    # Looking and moving.

    def to_decide(self, player: Player, id: str) -> tuple[Match, Play, Standing]:
        """Return a match as one sees it who is to decide; the coach is silent to others."""
        match, seat = self._seat_of(player, id)
        table = self._table(match)
        mover = (table.turn or 0) if table.is_here else seat
        mine, rows = seats.seen_from(table.match, table.rows, table.seats, mover)
        play = self.playing.play_of(mine)
        told = mine if table.may_move(mover) else replace(mine, coach="off")
        return told, play, play.standing(rows)

    def look(self, player: Player, id: str, since: int, wait: float) -> JsonObject:
        """Return a match as a player sees it, with everything that happened after a decision."""
        match, seat = self._seat_of(player, id)
        return self._told(self._table(match), seat, since, wait)

    def watch(self, token: str, since: int, wait: float) -> JsonObject:
        """Return a match as somebody sees it who was given the link to watch."""
        return self._told(self._table(self._linked(token, WATCH)), None, since, wait)

    def move(
        self,
        player: Player,
        id: str,
        move: str,
        ply: int,
        sure: bool,
        wait: float,
        said: int | None = None,
    ) -> JsonObject:
        """Return the match after a move of a player, written down; `said` is whose they think."""
        match, seat = self._seat_of(player, id)
        table = self._table(match)
        mover = (table.turn or 0) if table.is_here else seat
        if table.match.ended or table.standing.ply != ply or (said is not None and said != mover):
            raise self._moved_on(table, seat, ply, wait)
        if len(table.seats) < 2:
            raise RulesError(tr("nobody sits opposite yet: give somebody the link to the seat"))
        if not table.may_move(mover):
            raise self._not_yours(table, mover)
        mine, rows = seats.seen_from(table.match, table.rows, table.seats, mover)
        play = self.playing.play_of(mine)
        standing = play.standing(rows)
        play.check(standing, move)
        judged = None
        if mine.coach in ("on", "warn"):
            solution = self.playing.solving.solution(play.game, wait)
            judged = self.playing.judged(play, solution, standing, move)
            if mine.coach == "warn" and not sure:
                found = self.playing.warning(play, solution, standing, move, mine.warn_at)
                if found is not None:
                    return {**self._told(table, seat, ply, wait), "warning": found}
        if play.game.is_simultaneous:
            with suppress(sqlite3.IntegrityError):  # it was sent twice: the first one stands
                self.seats.hide(id, ply + 1, mover, move)
        elif not self._write(
            match, table.play, table.rows, table.play.decided(table.standing, move)
        ):
            raise self._moved_on(self._table(self._seat_of(player, id)[0]), seat, ply, wait)
        document = self._told(self._table(self._seat_of(player, id)[0]), seat, ply, wait)
        if mine.coach == "on" and not play.game.is_simultaneous:
            document["played"] = judged
        return document

    def _not_yours(self, table: Table, mover: int) -> RulesError:
        if mover in table.hidden:
            return RulesError(tr("you have chosen: the dice fall when both have"))
        return RulesError(
            tr("it is the turn of {name}", name=seats.name_at(table.seats, 1 - mover))
        )

    def _moved_on(self, table: Table, seat: int, ply: int, wait: float) -> MovedOn:
        document = self._told(table, seat, ply, wait)
        why = (
            tr("it is over")
            if table.match.ended
            else tr("{made} decisions were made, not {ply}", made=document["ply"], ply=ply)
        )
        return MovedOn(tr("the match has moved on: {why}", why=why), document)

    def resign(self, player: Player, id: str, wait: float) -> JsonObject:
        """Return a match that one of the two has stopped."""
        self._seat_of(player, id)
        with suppress(Finished):  # the last move came at the same moment, and stands
            self.store.add_decisions(id, [], "stopped")
        return self.look(player, id, -1, wait)

    def set_coach(
        self, player: Player, id: str, mode: str, warn_at: float, wait: float
    ) -> JsonObject:
        """Return a match with another coach for who asks; at one device, for who is to move."""
        match, seat = self._seat_of(player, id)
        table = self._table(match)
        whose = (table.turn or 0) if table.is_here else seat
        if mode in ("on", "warn"):
            self.playing.solving.solution(table.play.game, wait)
        self.seats.set_coach(id, whose, mode)
        return self.look(player, id, 10**9, wait)

    def take_back(self, player: Player, id: str, ply: int, wait: float) -> JsonObject:
        """Refuse: between people a move made is made."""
        taken_back.refuse(self._seat_of(player, id)[0])
        raise AssertionError("a match between people is refused")

    # Links.

    def open_link(self, player: Player, id: str, kind: str) -> str:
        """Return a new link to a match of the player's, the only one of its kind from now on."""
        match = self._own(player, id)
        if kind == SEAT and match.people != LINK:
            raise RulesError(tr("both sit at this device: there is no free seat to link to"))
        if match.ended is not None:
            raise RulesError(tr("this game is over: its review has a link that stays"))
        token = new_token()
        self.seats.new_link(id, kind, hashed(token))
        return f"/{'join' if kind == SEAT else 'watch'}/{token}"

    def end_link(self, player: Player, id: str, kind: str) -> None:
        """Let a link to a match of the player's lead nowhere; who sits there stays."""
        self._own(player, id)
        self.seats.end_link(id, kind)

    def _own(self, player: Player, id: str) -> Match:
        match, seat = self._seat_of(player, id)
        if seat != 0:
            raise RulesError(tr("only who began this game opens and ends links to it"))
        return match

    def _linked(self, token: str, kind: str) -> Match:
        id = self.seats.linked(hashed(token), kind)
        match = self.store.match(id) if id is not None else None
        if match is None:
            raise NotFound(tr("this link leads nowhere: ask for another"))
        return match

    def invitation(self, player: Player | None, token: str) -> JsonObject:
        """Return what a link to a seat leads to."""
        match = self._linked(token, SEAT)
        sitting = self.seats.seats(match.id)
        guest = sitting.get(1)
        known = player is not None and (
            match.player == player.number or (guest is not None and guest.player == player.number)
        )
        return {
            "game": match.game,
            "title": match.title,
            "start": match.start,
            "host": seats.name_at(sitting, 0),
            "open": guest is None and match.ended is None,
            "match": match.id if known else None,
        }

    def join(self, player: Player, token: str, form: JoinForm, wait: float) -> JsonObject:
        """Return the match whose free seat the player takes; who sits there already goes on."""
        match = self._linked(token, SEAT)
        if match.player == player.number:
            raise RulesError(tr("this is your own link: give it to somebody else"))
        sitting = self.seats.seats(match.id)
        if 1 not in sitting or sitting[1].player != player.number:
            if match.ended is not None:
                raise RulesError(tr("this game is over"))
            name = fit_name(form.name or player.name)
            if name.lower() == seats.name_at(sitting, 0).lower():
                raise RulesError(tr("two people have two names: got {name!r} twice", name=name))
            if form.coach in ("on", "warn"):
                self.playing.solving.solution(self.playing.game_of(match), wait)
            self.seats.sit(match.id, Seat(1, player.number, name, form.coach))
        return self.look(player, match.id, -1, wait)

    def leave(self, player: Player, id: str) -> None:
        """Let the seat of a guest be free; the game waits for another."""
        _, seat = self._seat_of(player, id)
        if seat == 0:
            raise RulesError(tr("this game is yours: give it up to end it"))
        self.seats.leave(id, seat)

    def joined(self, player: Player) -> list[JsonObject]:
        """Return the games of others at which a player sits and which are not over."""
        found = [self.store.match(id) for id in self.seats.joined(player.number)]
        return [
            {
                **self.playing.summary(match),
                "opponent": {"label": seats.name_at(self.seats.seats(match.id), 0)},
            }
            for match in found
            if match is not None and match.ended is None
        ]

    # Telling.

    def _told(self, table: Table, seat: int | None, since: int, wait: float) -> JsonObject:
        """Return a match as one of the two sees it; at one device, and to who watches, by names."""
        by_name = seat is None or table.is_here
        frame = 0 if by_name or seat is None else seat
        mine, rows = seats.seen_from(table.match, table.rows, table.seats, frame)
        play = self.playing.play_of(mine)
        shown = [row for row in rows if row.ply > since]
        silent = replace(mine, coach="off")  # whether it speaks depends on whose move it is
        document = self.playing.document(silent, play, rows, shown, wait, whole=since < 0)
        names = [seats.name_at(table.seats, place) for place in (frame, 1 - frame)]
        turn = table.turn
        mover = turn if table.is_here else seat
        document |= {
            "coach_mode": "off" if seat is None else self._coach_of(table, mover or 0),
            "to_move": self._to_move(table, seat, frame),
            "moves": [],
            "people": {
                "where": table.match.people,
                "names": [
                    table.seats[place].name if place in table.seats else None for place in (0, 1)
                ],
                "you": None if by_name else seat,
                "turn": turn,
                "chosen": [place in table.hidden for place in (0, 1)],
                "host": seat == 0,
                "watching": seat is None,
                "links": self.seats.links(table.match.id) if seat == 0 else [],
            },
        }
        for event in document["events"]:
            event["text"] = seats.named(event["text"], names[1])
        if by_name:
            self._by_name(document, table, play, shown, names)
        else:
            words = document["position"]["words"]
            document["position"]["words"] = seats.named(words, names[1])
            if document["result"] is not None:
                told = document["result"]["sentence"]
                document["result"]["sentence"] = seats.named(told, names[1])
        if seat is not None and mover is not None and table.may_move(mover):
            self._offer(document, table, mover, wait)
        return document

    def _coach_of(self, table: Table, seat: int) -> str:
        return table.seats[seat].coach if seat in table.seats else "off"

    def _to_move(self, table: Table, seat: int | None, frame: int) -> str:
        if table.match.ended is not None:
            return "nobody"
        if seat is not None and not table.is_here:
            return YOU if table.may_move(seat) else OPPONENT
        return YOU if table.turn in (frame, None) else OPPONENT

    def _by_name(
        self,
        document: JsonObject,
        table: Table,
        play: Play,
        shown: list[Decision],
        names: list[str],
    ) -> None:
        """Tell a document by names, to both at once."""
        told = {row.ply * 2 + (row.who == OPPONENT): row for row in shown}
        for event in document["events"]:
            row = told.get(event["ply"] * 2 + (event["who"] == OPPONENT))
            if row is not None and event["who"] is not None:
                event["text"] = narration.reported(play.game, row, names[1:], names[0])
        for seat, name in zip(document["seats"], names, strict=False):
            seat["name"] = name
        for part in document["position"]["board"]:
            for item in part["items"]:
                if item.get("seat") is not None:
                    item["name"] = upper_first(names[item["seat"]])
        if document["result"] is not None:
            assert table.match.outcome is not None
            said = play.ending(table.rows, table.match.outcome, names[0])
            document["result"]["sentence"] = seats.named(said, names[1])
        if table.match.coin:
            first = names[0 if table.match.you_start else 1]
            for event in document["events"]:
                if event["effect"] == "coin":
                    event["text"] = tr("The coin says {name} starts.", name=first)
        if table.turn is not None and not table.play.game.is_simultaneous:
            words = narration.described(play.game, table.standing.at, 0)
            name, other = names[table.turn], names[1 - table.turn]
            document["position"]["words"] = (
                tr("{name} is to move. {words}", name=name, words=seats.named(words, other))
                if table.is_here and not document["people"]["watching"]
                else tr("{name} is to move.", name=name)
            )

    def _offer(self, document: JsonObject, table: Table, mover: int, wait: float) -> None:
        """Offer the moves to who is to decide, with what their coach says."""
        mine, rows = seats.seen_from(table.match, table.rows, table.seats, mover)
        play = self.playing.play_of(mine)
        standing = play.standing(rows)
        document["moves"] = play.moves(standing, document["position"]["board"])
        if mine.coach == "on":
            solution = self.playing.solving.solution(play.game, wait)
            document["coach"] = coach.advice(solution, standing.at)
