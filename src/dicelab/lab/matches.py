"""Matches: dice thrown here, moves checked here, everything written down before it is answered.

Where a match stands follows from its rows alone. The dice of a decision depend on the seed of the
match and on the number of the decision, so nothing about chance has to be remembered either.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dicelab.core.json_object import JsonObject
from dicelab.core.language import tr
from dicelab.errors import IllegalMove
from dicelab.lab import narration
from dicelab.lab.narration import OPPONENT, YOU, starter
from dicelab.lab.opponents import Chooser
from dicelab.lab.store import Decision, Match
from dicelab.people.game_review import Step
from dicelab.rules import (
    SAME,
    Game,
    Position,
    RaceAtOnce,
    SimultaneousGame,
    Throw,
    exact_amount,
    faces_of,
)
from dicelab.rules.dice import Die
from dicelab.rules.speech import seat_fields
from dicelab.rules.throw import drawn, play, score

MOST_DECISIONS = 5_000
"""Decisions after which a match is called off: two who pass may go on for ever."""

DICE, CHOICE, COIN = 0, 1, 2


def chance(match: Match, ply: int, purpose: int, who: str = YOU) -> np.random.Generator:
    """Return the source of chance for one purpose of one decision."""
    return np.random.default_rng([match.seed, ply, purpose, narration.seat_of(who)])


@dataclass(frozen=True)
class Standing:
    """Where a match stands."""

    at: Position  # seen by who is about to move, or at once by you
    seat: int  # how many seats after who is about to move, or would be, you sit
    ply: int  # decisions so far, with those that were taken back
    turns: int  # of yours that are over
    outcome: str | None  # of the rules; a match may also have been stopped


class Play:
    """A match by turns, against somebody, against several, or alone."""

    def __init__(self, game: Game, match: Match) -> None:
        self.game = game
        self.match = match
        self.names = narration.names_of(match.opponent)

    @property
    def start(self) -> Position:
        """Where the match began: a position, or a moment after a throw."""
        return self.game.start() if self.match.start is None else self.game.read(self.match.start)

    def standing(self, rows: list[Decision]) -> Standing:
        """Return where the match stands."""
        if not rows:
            seat = -starter(self.match) % self.game.players
            return Standing(self.start, seat, self._number(rows), 0, None)
        last = rows[-1]
        at = self.game.read(last.after)
        seat = narration.your_seat(last, self.game.players)
        turns = sum(1 for row in rows if row.who == YOU and row.mover != SAME)
        ended = narration.outcome(self.game, at, seat)
        if self.game.players == 1 and ended == "won" and last.mover == SAME:
            turns += 1
        return Standing(at, seat, self._number(rows), turns, ended)

    def _number(self, rows: list[Decision]) -> int:
        """Return the number of the last thing that happened: a decision, or that it went back."""
        return max(rows[-1].ply if rows else 0, self.match.taken_back or 0)

    def check(self, standing: Standing, move: str) -> None:
        """Refuse a move that the rules forbid where the match stands."""
        game = self.game
        legal = game.legal_moves(standing.at)
        if move not in legal:
            can = tr(" or ").join(legal) if len(legal) < 6 else f"{legal[0]} to {legal[-1]}"
            raise IllegalMove(
                tr(
                    "cannot {move} at {at}: you can only {can} here",
                    move=move[:60],
                    at=game.write(standing.at),
                    can=can,
                )
            )

    def move(self, standing: Standing, move: str, others: Sequence[Chooser]) -> list[Decision]:
        """Return your decision and everything the other players then do."""
        made = self._decide(standing.at, YOU, move, standing.ply + 1)
        return [made, *self.replies(made, others)]

    def decided(self, standing: Standing, move: str) -> list[Decision]:
        """Return the decision of whoever is to move, where nobody answers by itself."""
        who = narration.who_at(-standing.seat % self.game.players)
        return [self._decide(standing.at, who, move, standing.ply + 1)]

    def begin(self, others: Sequence[Chooser]) -> list[Decision]:
        """Return what happens before your first decision."""
        seat = starter(self.match)
        if not others or seat == 0:
            return []
        first = self._chosen(self.start, seat, 1, others)
        return [first, *self.replies(first, others)]

    def replies(self, last: Decision, others: Sequence[Chooser]) -> list[Decision]:
        """Return the other players' decisions until it is your turn or the game is over."""
        made: list[Decision] = []
        players = self.game.players
        while others and (yours := narration.your_seat(last, players)):
            at = self.game.read(last.after)
            if narration.outcome(self.game, at, yours) is not None or last.ply >= MOST_DECISIONS:
                break
            last = self._chosen(at, players - yours, last.ply + 1, others)
            made.append(last)
        return made

    def _chosen(self, at: Position, seat: int, ply: int, others: Sequence[Chooser]) -> Decision:
        """Return the decision of who sits so many seats after you."""
        who = narration.who_at(seat)
        move = others[seat - 1](at, chance(self.match, ply, CHOICE, who))
        return self._decide(at, who, move, ply)

    def _decide(self, at: Position, who: str, move: str, ply: int) -> Decision:
        faces, outcome = play(self.game, at, move, chance(self.match, ply, DICE, who))
        written = self.game.write
        return Decision(
            ply,
            who,
            written(at),
            move,
            written(outcome.at),
            outcome.mover,
            tuple(faces),
            exact_amount(outcome.gain),
        )

    def ended(self, rows: list[Decision]) -> str | None:
        """Return how the match ended by these rows: also after too many decisions."""
        standing = self.standing(rows)
        return standing.outcome or ("stopped" if standing.ply >= MOST_DECISIONS else None)

    def events(self, rows: list[Decision]) -> list[JsonObject]:
        """Return what happened, as the page shows it."""
        return [narration.event(self.game, row, self.names) for row in rows]

    def position(self, standing: Standing) -> JsonObject:
        """Return where the match stands, as the page draws it."""
        over = standing.outcome is not None
        told = narration.where(self.game, standing.at, standing.seat, over, self.names)
        if self.game.players == 1:
            told["fields"]["turns"] = standing.turns
        return told

    def board(self, standing: Standing, rows: Sequence[Decision]) -> list[JsonObject]:
        """Return what lies on the table where the match stands after these rows."""
        return narration.board(
            self.game, standing.at, standing.seat, narration.done(rows), self.names
        )

    def moves(self, standing: Standing, board: Sequence[JsonObject] = ()) -> list[JsonObject]:
        """Return the moves you have, as the page offers them, and what each is about."""
        offers = narration.moves(self.game, standing.at)
        return narration.touching(self.game, standing.at, offers, board)

    def ending(self, rows: list[Decision], outcome: str, who: str = "You") -> str:
        """Return how the match ended for somebody, in a sentence."""
        standing = self.standing(rows)
        return narration.ending(
            self.game, standing.at, standing.seat, outcome, standing.turns, who, self.names
        )

    def seats(self) -> list[JsonObject]:
        """Return who sits at the table, you first, and the field that holds what each has."""
        names = [tr("You"), *self.names][: self.game.players]
        fields = seat_fields("mine", "yours", self.game.players)
        return [
            {"who": narration.who_at(seat), "name": name, "field": fields[seat]}
            for seat, name in enumerate(names)
        ]

    def layout(self) -> JsonObject:
        """Return how the table is laid."""
        return layout_of(self.game)

    def steps(self, rows: list[Decision]) -> list[Step]:
        """Return the decisions for a review; you have seat 0."""
        read = self.game.read
        return [
            Step(
                narration.seat_of(row.who),
                read(row.position),
                row.move,
                read(row.after),
                row.mover,
                row.gain,
            )
            for row in rows
        ]


def layout_of(game: Game) -> JsonObject:
    """Return how the table of a game is laid: which tray, how many dice wait there, their sides."""
    game = game.at_usual_start
    die = getattr(game, "die", None)
    waiting = game.moves or game.legal_moves(game.start())
    dice, sides = max([0, *map(game.dice_of, waiting)]), 6
    if not dice:  # a throw that leaves a choice tells its faces itself
        dice, sides = _faces_first_thrown(game)
    return {
        "tray": game.tray,
        "dice": 1 if game.tray == "handfuls" else dice,
        "sides": max(die.faces) if isinstance(die, Die) else sides,
    }


def _faces_first_thrown(game: Game) -> tuple[int, int]:
    """Return how many dice the first throw of a game shows, and the sides to draw them with."""
    if game.is_simultaneous:  # nobody chooses after a throw, so that none has to be shown
        return 0, 6
    start = game.start()
    thrown = [
        faces_of(each.dice)
        for move in game.legal_moves(start)
        for each in game.outcomes(start, move)
        if isinstance(each, Throw)
    ]
    faces = [face for one in thrown for face in one]
    if not faces:
        return 0, 6
    most = max(6, *faces)
    # pips tell one to six; what has other faces is drawn with numerals
    return max(map(len, thrown)), most if min(faces) > 0 else max(8, most)


class PlayAtOnce(Play):
    """A match in which both choose and throw at once: two rows for each throw."""

    def standing(self, rows: list[Decision]) -> Standing:
        """Return where the match stands."""
        number, mine = self._number(rows), [row for row in rows if row.who == YOU]
        if not mine:
            return Standing(self.start, 0, number, 0, None)
        at = self.game.read(mine[-1].after)
        return Standing(at, 0, number, len(mine), narration.outcome(self.game, at, 0))

    def begin(self, others: Sequence[Chooser]) -> list[Decision]:
        """Return nothing: nobody moves before you."""
        return []

    def move(self, standing: Standing, move: str, others: Sequence[Chooser]) -> list[Decision]:
        """Return both decisions; the other chooses without having seen yours."""
        game, at, ply = self.game, standing.at, standing.ply + 1
        assert isinstance(game, SimultaneousGame)
        (other,) = others
        kind = type(at)
        views = {YOU: at, OPPONENT: game.mirror(at)}
        chosen = {
            OPPONENT: other(views[OPPONENT], chance(self.match, ply, CHOICE, OPPONENT)),
            YOU: move,
        }
        if not isinstance(game, RaceAtOnce):
            law = game.law_of_both(at, move, chosen[OPPONENT])
            then = drawn(law, chance(self.match, ply, DICE, YOU))
            gain = exact_amount(then.gain)
            seen = {YOU: (then.at, gain), OPPONENT: (game.mirror(then.at), -gain)}
            return [
                Decision(
                    ply,
                    who,
                    game.notation(views[who]),
                    chosen[who],
                    game.notation(place),
                    SAME,
                    (),
                    gained,
                )
                for who, (place, gained) in seen.items()
            ]
        faces, scores = {}, {}
        for who in (YOU, OPPONENT):
            faces[who], points = score(game, chosen[who], chance(self.match, ply, DICE, who))
            scores[who] = int(views[who][0]) + points
        after = {
            YOU: kind(scores[YOU], scores[OPPONENT]),
            OPPONENT: kind(scores[OPPONENT], scores[YOU]),
        }
        return [
            Decision(
                ply,
                who,
                game.notation(views[who]),
                chosen[who],
                game.notation(after[who]),
                SAME,
                tuple(faces[who]),
            )
            for who in (YOU, OPPONENT)
        ]
