"""What belongs to a player: all their games as one file, that file read again, and leaving.

A file may come from anywhere, so every game in it is played again by the rules: each move must be
legal where it was made, and what followed must be something that the dice can do. How lucky they
were cannot be checked, so games from a file count in a player's own history and in no study.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction

from dicelab.core.json_object import JsonObject
from dicelab.core.language import tr
from dicelab.errors import DicelabError, RecordError
from dicelab.lab import narration
from dicelab.lab.arguments import game_of
from dicelab.lab.forms import BelongingsForm, KeptGame
from dicelab.lab.matches import Play
from dicelab.lab.narration import OPPONENT, YOU
from dicelab.lab.playing import Playing
from dicelab.lab.store import Decision, Match, Player
from dicelab.rules import SAME, RaceAtOnce, SimultaneousGame, exact_amount
from dicelab.rules.registry import told

FORMAT = "dicelab games"
VERSION = 1
OF_A_MATCH = (
    "game",
    "parameters",
    "you_start",
    "started",
    "ended",
    "outcome",
    "start",
    "taken_back",
)


class Belongings:
    """The file of one player, written and read."""

    def __init__(self, playing: Playing) -> None:
        self.playing, self.store = playing, playing.store

    def exported(self, player: Player) -> JsonObject:
        """Return every finished game of a player, and the strategies they painted."""
        paintings = self.playing.paintings
        own = [paintings.painting(one["id"]) for one in paintings.own(player)]
        return {
            "format": FORMAT,
            "version": VERSION,
            "player": player.name,
            "games": list(self._games(player)),
            "paintings": [
                {name: one[name] for name in ("game", "parameters", "painted")} for one in own
            ],
        }

    def _games(self, player: Player) -> Iterator[JsonObject]:
        for match in self.store.matches(player.number, over=True):
            if match.people is not None:
                continue  # a game against a person belongs to both
            rows = self.store.decisions(match.id)
            places = {ply: place for place, ply in enumerate(sorted({one.ply for one in rows}), 1)}
            yield {
                "origin": match.brought or match.id,
                **{name: getattr(match, name) for name in OF_A_MATCH},
                "opponent": narration.recorded(match.opponent),
                "starter": narration.starter(match),
                "decisions": [
                    vars(one)
                    | {"ply": places[one.ply], "faces": list(one.faces), "gain": str(one.gain)}
                    for one in rows
                ],
            }

    def bring_in(self, player: Player, given: BelongingsForm, wait: float) -> JsonObject:
        """Return how many games of a file were added, known already, or refused and why."""
        games, paintings = given.games, self.playing.paintings
        known = self.store.origins(player.number)
        added, refused = 0, []
        for one in games:
            if one.origin in known:
                continue
            try:
                match, rows = self._checked(player, one)
            except DicelabError as trouble:
                refused.append(f"{one.game}, {one.started[:10]}: {trouble}")
                continue
            self.store.add_match(match, rows)
            known.add(one.origin)
            added += 1
        kept = {_map(self.playing.paintings.painting(one["id"])) for one in paintings.own(player)}
        new = [one for one in given.paintings if _map(one.model_dump()) not in kept]
        for painting in new:
            paintings.keep(player, painting, wait)
        return {
            "added": added,
            "known": len(games) - added - len(refused),
            "paintings": len(new),
            "refused": refused[:20],
        }

    def _checked(self, player: Player, given: KeptGame) -> tuple[Match, list[Decision]]:
        """Return a game of a file as a match, refused where it breaks the rules."""
        game = game_of(given.game, given.parameters, self.playing.solving.memory)
        called = given.opponent.split(", ") if game.players > 2 else [given.opponent]
        others: list[JsonObject] = [
            {"kind": "brought", "called": one, "named": narration.name_of(game, one)}
            for one in (called * game.players)[: game.players - 1]
        ]
        opponent: JsonObject = {"kind": "nobody"} if game.players == 1 else others[0]
        if game.players > 2:
            opponent = {"kind": narration.SEVERAL, "others": others, "starter": given.starter}
        match = Match(
            id="m_" + secrets.token_urlsafe(15),
            player=player.number,
            number=self.store.next_number(player.number),
            game=given.game,
            parameters=told(game),
            title=str(game),
            opponent=opponent,
            you_start=given.you_start,
            coin=False,
            seed=secrets.randbits(62),
            coach="off",
            warn_at=0.0,
            started=given.started,
            ended=given.ended,
            outcome=given.outcome,
            start=given.start,
            taken_back=given.taken_back,
            brought=given.origin,
        )
        rows = [
            Decision(**{**vars(one), "faces": tuple(one.faces), "gain": Fraction(one.gain)})
            for one in given.decisions
        ]
        play = self.playing.play_of(match)
        (_check_both if game.is_simultaneous else _check)(play, rows)
        ended = play.ended(rows) if rows else None
        if ended != given.outcome and (ended, given.outcome) != (None, "stopped"):
            raise RecordError(tr("its moves do not lead to the end that it tells"))
        return replace(match, title=str(play.game)), rows


def _check(play: Play, rows: Sequence[Decision]) -> None:
    """Refuse decisions by turns that the rules do not allow, one after the other."""
    game = play.game
    standing = play.standing([])
    at, seat = game.write(standing.at), standing.seat
    for ply, row in enumerate(rows, start=1):
        who = narration.who_at(-seat % game.players if game.players > 1 else 0)
        if (row.ply, row.position, row.who) != (ply, at, who):
            raise _broken(ply)
        place = game.read(row.position)
        if row.move not in game.legal_moves(place):
            raise _broken(ply)
        follows = {
            (game.write(then.at), int(then.mover), exact_amount(then.gain))
            for _, then in game.law(place, row.move)
        }
        if (row.after, row.mover, row.gain) not in follows:
            raise _broken(ply)
        at, seat = row.after, narration.your_seat(row, game.players)
        if narration.outcome(game, game.read(at), seat) is not None and ply < len(rows):
            raise _broken(ply + 1)


def _check_both(play: Play, rows: Sequence[Decision]) -> None:
    """The same where both choose at once: two rows for each throw, yours first."""
    game = play.game
    assert isinstance(game, SimultaneousGame)
    at = game.start()
    for ply, pair in enumerate(zip(rows[::2], rows[1::2], strict=False), start=1):
        mine, yours = pair
        sides = ((mine, YOU, at), (yours, OPPONENT, game.mirror(at)))
        for row, who, seen in sides:
            if (row.ply, row.who, row.position) != (ply, who, game.notation(seen)):
                raise _broken(ply)
            if row.move not in game.legal_moves(seen) or row.mover != SAME:
                raise _broken(ply)
        follows = _follows(game, at, mine.move, yours.move)
        if (mine.after, mine.gain) not in follows:
            raise _broken(ply)
        at = game.read(mine.after)
        if (yours.after, yours.gain) != (game.notation(game.mirror(at)), -mine.gain):
            raise _broken(ply)
    if len(rows) % 2:
        raise _broken(len(rows) // 2 + 1)


def _follows(
    game: SimultaneousGame, at: object, mine: str, yours: str
) -> set[tuple[str, Fraction]]:
    """Return what both moves may lead to, in notation, and what you gain by it."""
    if isinstance(game, RaceAtOnce):
        first, second = (int(points) for points in game.notation(at).split("-"))
        return {
            (game.notation(game.read(f"{first + a}-{second + b}")), Fraction(0))
            for a in game.points(mine)
            for b in game.points(yours)
        }
    law = game.law_of_both(at, mine, yours)
    return {(game.notation(then.at), exact_amount(then.gain)) for _, then in law}


def _map(painting: JsonObject) -> str:
    return json.dumps([painting["game"], painting["painted"]], sort_keys=True)


def _broken(ply: int) -> RecordError:
    return RecordError(tr("decision {ply} cannot have happened by these rules", ply=ply))
