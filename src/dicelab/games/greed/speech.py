"""Greed at the table: what stands on its buttons, what happened in words, its named strategy."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from dicelab.core.arrays import Array
from dicelab.core.json_object import JsonObject
from dicelab.core.language import mark, tr, trn
from dicelab.errors import RulesError
from dicelab.games import seats
from dicelab.games.greed.rules import BUST, HALF, NORMAL, GreedPosition, GreedRules
from dicelab.games.painting import dice_map, throwing
from dicelab.games.throwing import number_of_dice, throw
from dicelab.rules import Ints, Position, both, where
from dicelab.rules.registry import register, strategy
from dicelab.rules.sentences import YOU, said_by, shown, threw
from dicelab.rules.speech import Told, seat_fields

GONE_BUST = mark("gone bust")


@register("greed")
@dataclass(frozen=True)
class Greed(GreedRules):
    """Greed with any maximum, any die and any worth of a tie."""

    fields_in_words: ClassVar[Mapping[str, str]] = {
        "stage": "the mark of the last turns (0 until somebody stops)"
    }
    in_short: ClassVar[str] = (
        "Throw any number of dice you like, but go above the maximum and you have lost. Throw "
        "none, and the other player has one last throw. Then the higher score wins."
    )
    list_place: ClassVar[int] = 15
    tile_dice: ClassVar[tuple[int, ...]] = (6, 2, 5, 4)
    is_daily: ClassVar[bool] = True
    tray: ClassVar[str] = "handfuls"
    map_views: ClassVar[tuple[str, ...]] = ("boards",)
    rivals: ClassVar[tuple[str, ...]] = ("aim-at", "random", "optimal")
    rivals_in_words: ClassVar[Mapping[str, tuple[str, str]]] = {
        "aim-at": (
            mark("the reckoner"),
            mark("Throws the dice whose mean comes nearest to a good score."),
        ),
    }

    @property
    def score_limit(self) -> tuple[str, int]:
        """The parameter that scores run up to, and its value."""
        return "max", self.max

    @property
    def counts_as(self) -> str:
        """What a percentage of this game means."""
        if self.players > 2:
            return tr("chance to win, a tie being shared")
        if self.tie == HALF:
            return tr("chance to win, a tie counting half")
        return tr("chance to win, a tie counting {part}", part=self.tie)

    def label(self, at: GreedPosition, move: str) -> str:
        """Return what stands on the button of a move."""
        dice = number_of_dice(move)
        if dice:
            return tr("Throw {dice}", dice=dice)
        return tr("Throw none") if at.stage else tr("Stop here")

    def spoken(self, at: GreedPosition, move: str) -> str:
        """Return a move as one says it in a sentence."""
        if dice := number_of_dice(move):
            return tr("throw {dice}", dice=dice)
        return self.label(at, move).lower()

    def offered(self, at: GreedPosition) -> list[str]:
        """Return the moves worth a button: beyond the mean that fits, more dice are no better.

        That is so for fair dice; with others all that are allowed are offered.
        """
        moves = self.legal_moves(at)
        if not self.die.is_fair:
            return moves
        return moves[: math.ceil((self.max - int(at.mine)) / self.die.mean()) + 1]

    def sensible_move(self, at: GreedPosition) -> str:
        """Return as many dice as stay within the maximum with one standard deviation to spare."""
        room, mean, apart = self.max - int(at.mine), self.die.mean(), self.die.variance()
        dice = int(room / mean) if mean > 0 else 1
        while dice > 1 and dice * mean + math.sqrt(dice * apart) > room:
            dice -= 1
        return throw(max(1, dice))

    def counters(self, at: GreedPosition, mine: bool = True) -> JsonObject:
        """Return the fields worth drawing."""
        told = super().counters(at, mine)
        del told["second"]
        names = seat_fields("mine", "yours", self.players)
        return told | {name: BUST for name in names if told[name] > self.max}

    def describe(self, at: GreedPosition, mine: bool = True) -> str:
        """Return a position in a sentence or two."""
        told = self.counters(at, mine)
        text = tr(
            "You have {mine}, the other player {yours}; above {most} is bust.",
            mine=self.score_in_words(told["mine"]),
            yours=self.score_in_words(told["yours"]),
            most=self.max,
        )
        last = tr("It is the last turn.")
        return f"{text} {last}" if told["stage"] else text

    def turned(self, at: Position, seat: int) -> Position:
        """Return a position as one sees it who sits so many seats further on.

        In last turns that is left alone: its stage says where the one sits who has stopped.
        """
        return at if NORMAL < at.stage < self.players else super().turned(at, seat)

    def score_in_words(self, score: object) -> str:
        """Return what somebody has, as one says it."""
        return tr(GONE_BUST) if score == BUST else str(score)

    def remark_on(self, at: Position) -> str:
        """Return what one must not pass, and whether somebody has stopped."""
        text = tr("Above {most} is bust.", most=self.max)
        last = tr("It is your last turn.")
        return f"{text} {last}" if NORMAL < at.stage < self.players else text

    def narrate(
        self, at: Position, move: str, faces: Sequence[int], after: Position, you: bool, seen: bool
    ) -> Told:
        """Return what happened when somebody threw, or stopped."""
        points = sum(faces)
        if not faces:
            none = said_by(you, "You throw no dice.", "The other player throws no dice.")
            last = said_by(
                you,
                "You throw no dice: the last turn begins.",
                "The other player throws no dice: the last turn begins.",
            )
            return Told(none if at.stage else last, "stood")
        what = threw(you, shown(faces))
        if int(at.mine) + points > self.max:
            text = tr("{done}: {points} is too much, bust.", done=what, points=points)
            return Told(text, "over", points, tuple(range(len(faces))))
        score = trn("{n} point", "{n} points", points)
        return Told(tr("{done}: {more}.", done=what, more=score), "scored", points)

    def ending(self, at: GreedPosition, mine: bool, ended: str, turns: int, who: str = YOU) -> str:
        """Return how a game ended, in a sentence."""
        told = self.counters(at, mine)
        if told["yours"] == BUST:
            return said_by(
                who == YOU,
                "You won with {score}: the other player went bust.",
                "{who} won with {score}: the other player went bust.",
                who=who,
                score=told["mine"],
            )
        if told["mine"] == BUST:
            return said_by(
                who == YOU,
                "You went bust and lost to {score}.",
                "{who} went bust and lost to {score}.",
                who=who,
                score=told["yours"],
            )
        return super().ending(at, mine, ended, turns, who)

    @property
    def canvas(self) -> JsonObject:
        """How a strategy can be painted: numbers of dice over both scores."""
        most = len(self.offered(self.start())) - 1
        return {"kind": "dice", "size": self.max + 1, "least": 0, "most": most}

    def painted(self, kind: str, given: JsonObject) -> Callable[[GreedPosition], object]:
        """Return the strategy that maps of numbers of dice tell; the second is for last turns."""
        if kind == "dice":
            parts = (given["dice"], given["last"] or given["dice"])
            normal, last = (dice_map(self, part, self.max + 1) for part in parts)

        def wanted(at: GreedPosition, mine: Ints, yours: Ints) -> Ints:
            dice = np.where(at.stage > NORMAL, last[mine, yours], normal[mine, yours])
            return np.minimum(dice, (self.max - at.mine) // self.die.faces[0])

        return throwing(self, self.max + 1, kind, wanted)

    def example_positions(self) -> list[str]:
        """Return a position towards the end of a game."""
        parts = [6, 7, 5, 4, *[3] * self.players][: self.players]
        at = self.place(*(self.max * part // 10 for part in parts), NORMAL, 0)
        return [self.notation(at)]


@strategy(Greed, "aim-at")
def aim_at(game: Greed, score: int | None = None) -> Callable[[GreedPosition], object]:
    """Throw the dice whose mean comes nearest to a score, and none once you are there.

    The score is ``max`` less the mean of one die unless you give one. In the last turn it aims at
    the middle between the other score (of several the highest) and the maximum, and throws nothing
    when ahead.
    """
    mean = float(game.die.mean())
    goal = max(1, round(game.max - mean)) if score is None else score
    if not 1 <= goal <= game.max:
        raise RulesError(f"aim-at:{goal} cannot be played in {game}: aim at 1 to {game.max}")
    names = np.array(game.moves)
    lowest = game.die.faces[0]

    def choose(at: GreedPosition) -> Array:
        room = (game.max - at.mine) // lowest
        rest = seats.others(at, game.players)
        leader = seats.most_of([where(score > game.max, 0, score) for score in rest])
        catch_up = both(at.stage > NORMAL, at.mine <= leader, room > 0)
        middle = (leader + 1 + game.max) / 2
        aim = where(at.stage > NORMAL, middle, goal)
        nearest = np.asarray((aim - at.mine) / mean + 0.5).astype(np.int64)
        dice = np.maximum(nearest, 1)
        climbing = both(at.stage == NORMAL, at.mine < goal)
        dice = np.where(climbing | catch_up, np.minimum(dice, room), 0)
        return names[dice]

    return choose
