"""Farkle at the table: what stands on its buttons, and what happened in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from dicelab.core.json_object import JsonObject
from dicelab.core.language import mark, tr, trn
from dicelab.games.farkle.rules import BANK, KEEP, MOST_DICE, ROLL, FarkleRules, put_aside
from dicelab.games.farkle.scores import Dice
from dicelab.rules import WIN, Ints, Moment, Position, before_throw
from dicelab.rules.board import Done, thrown_dice
from dicelab.rules.registry import register
from dicelab.rules.sentences import FURTHER, rolled, said_by, shown
from dicelab.rules.speech import YOU_HAVE, Told, seat_fields, turned_to

FARKLED = {
    1: (mark("You farkled once in a row."), mark("The other player farkled once in a row.")),
    2: (mark("You farkled twice in a row."), mark("The other player farkled twice in a row.")),
}


@register("farkle")
@dataclass(frozen=True)
class Farkle(FarkleRules):
    """Farkle for two, with the scores and the house rules of your table."""

    in_short: ClassVar[str] = (
        "Throw the dice, put aside some that score, and throw the rest or bank. A throw in which "
        "nothing scores costs you the turn. The first to reach the target wins."
    )
    list_place: ClassVar[int] = 12
    tile_dice: ClassVar[tuple[int, ...]] = (1, 5, 1, 3, 1)
    tile_rules: ClassVar[Mapping[str, str]] = {"target": "1500"}  # to 1000 one throw often wins
    rivals: ClassVar[tuple[str, ...]] = (
        "bank-at:300",
        "cautious",
        "greedy",
        "look-ahead",
        "random",
        "optimal",
    )
    rivals_in_words: ClassVar[Mapping[str, tuple[str, str]]] = {
        "bank-at:300": (
            mark("the classic"),
            mark("Keeps every die that scores, and banks from 300 points on."),
        ),
        "cautious": (mark("the cautious one"), mark("Banks as soon as it may.")),
        "greedy": (
            mark("the gambler"),
            mark("Keeps few dice and never banks: wins in this turn or farkles."),
        ),
        "look-ahead": (
            mark("the reckoner"),
            mark("Weighs one throw more, as if it were the last of the turn."),
        ),
    }
    seat_pairs: ClassVar[tuple[tuple[str, str], ...]] = (("mine", "yours"), ("farkles", "others"))
    habits: ClassVar[Mapping[str, tuple[str, str]]] = {
        "more": (mark("Roll on longer"), mark("banking too early")),
        "fewer": (mark("Bank earlier"), mark("rolling too long")),
    }
    suggested: ClassVar[Mapping[str, Mapping[str, str]]] = {
        "scoring": {
            "standard": "1s, 5s and three of a kind",
            "facebook": "sets up to six, 1500 for a straight, 750 for three pairs",
            "patch": "1000 to 3000 for four to six of a kind, 2500 for two triplets",
            "kingdom-come": "every die beyond three doubles the set; short straights count",
        }
    }
    help_in_words: ClassVar[Mapping[str, str]] = {
        "scoring": "a table, or entries such as standard,straight:1500",
        "entry": "the least that a first bank must have",
        "minimum": "the least that any bank must have",
        "hot_dice": "throw all dice again where all have scored",
        "three_farkles": "what three farkles in a row cost; 0: nothing",
        "floor": "what a bank never falls below",
    }
    largest: ClassVar[Mapping[str, int]] = {"target": 2000, "dice": MOST_DICE, "die": 6}

    def points(self, steps: Ints) -> int:
        """Return so many steps in points."""
        return int(steps) * self.step

    def points_of_one(self, name: str) -> int:
        """Return how many points one of a field is: scores are counted in steps."""
        seats = seat_fields("mine", "yours", self.players)
        return self.step if name in (*seats, "at_risk") else 1

    def label(self, at: Position, move: str) -> str:
        """Return what stands on the button of a move."""
        if move == ROLL:
            return tr("Roll {dice}", dice=trn("{n} die", "{n} dice", int(at.dice)))
        if move == BANK:
            return tr("Bank {points}", points=self.points(at.at_risk))
        worth = self.scores.worth_of[put_aside(move)]
        return tr("Keep {dice} for {points}", dice=move.removeprefix(KEEP), points=worth)

    def spoken(self, at: Position, move: str) -> str:
        """Return a move as one says it in a sentence: roll, bank, keep 1 5."""
        if move.startswith(KEEP):
            return tr("keep {dice}", dice=move.removeprefix(KEEP))
        return super().spoken(at, move)

    def counters(self, at: Position, mine: bool = True) -> JsonObject:
        """Return the fields of a position in points; farkles in a row only where they count."""
        told = super().counters(before_throw(at), mine)
        for name in (*seat_fields("mine", "yours", self.players), "at_risk"):
            told[name] = self.points(told[name])
        names = seat_fields("farkles", "others", self.players)
        rows = {name: told.pop(name) for name in names}
        if self.three_farkles:
            told |= rows if mine else turned_to(rows, [names], 1)
        return told

    def board_parts(self, at: Position, seat: int, past: Sequence[Done]) -> list[JsonObject]:
        """Return the dice of a throw, of which those that score can be picked."""
        if not isinstance(at, Moment):
            return []
        scoring: Dice = at.dice  # type: ignore[assignment]
        thrown = past[-1].faces if past and past[-1].move == ROLL else scoring
        return [thrown_dice(tr("The dice"), thrown, scoring)]

    def touched(self, at: Position, move: str) -> list[str]:
        """Return the faces that a move puts aside."""
        return [str(face) for face in put_aside(move)] if move.startswith(KEEP) else []

    def final_counters(self, at: Position, mine: bool = True) -> JsonObject:
        """Return the last score: the points at risk that reached the target are banked."""
        told = self.counters(at, mine)
        winner = "mine" if mine else "yours"
        return {**told, winner: told[winner] + told["at_risk"], "at_risk": 0}

    def remark_on(self, at: Position) -> str:
        """Return how many dice are left to throw in a turn under way."""
        return trn("There is {n} die to throw.", "There are {n} dice to throw.", int(at.dice))

    def describe(self, at: Position, mine: bool = True) -> str:
        """Return a position in a sentence or two."""
        told = self.counters(at, mine)
        text = [self._has(told, "mine", mine), self._has(told, "yours", not mine)]
        if isinstance(at, Moment):
            threw = at.shown
            text.append(
                said_by(mine, "You threw {dice}.", "The other player threw {dice}.", dice=threw)
            )
        for you, farkles in ((True, "farkles"), (False, "others")):
            if times := told.get(farkles):
                text.append(said_by(you, *FARKLED[times]))
        return " ".join(text)

    def _has(self, told: JsonObject, whose: str, moves: bool) -> str:
        """Return what one of two has, and what is at risk where that player moves."""
        you, score = whose == "mine", told[whose]
        if not (moves and told["at_risk"]):
            return said_by(you, YOU_HAVE, mark("The other player has {score}."), score=score)
        return said_by(
            you,
            "You have {score} and {risk} at risk, with {dice} to throw.",
            "The other player has {score} and {risk} at risk, with {dice} to throw.",
            score=score,
            risk=told["at_risk"],
            dice=trn("{n} die", "{n} dice", told["dice"]),
        )

    def narrate(
        self, at: Position, move: str, faces: Sequence[int], after: Position, you: bool, seen: bool
    ) -> Told:
        """Return what happened when somebody threw, put dice aside or banked."""
        if move == BANK:
            held = self.points(at.at_risk)
            text = said_by(
                you, "You bank {points}.", "The other player banks {points}.", points=held
            )
            return Told(text, "held", held)
        wins = not isinstance(after, Moment) and int(self.result(after)) == WIN
        if move != ROLL:
            some = put_aside(move)
            points = self.scores.worth_of[some]
            done = said_by(
                you, "You keep {dice}", "The other player keeps {dice}", dice=shown(some)
            )
        else:
            dice, thrown = self.scores.scoring_dice(faces), shown(faces)
            done = rolled(you, thrown)
            if not dice:
                marked = tuple(range(len(faces)))
                return Told(tr("{done}: a farkle.", done=done), "bust", 0, marked)
            if len(self.scores.sets_of[dice]) > 1:
                return Told(f"{done}.", "threw")
            some, points = self.scores.sets_of[dice][0]
            done = said_by(
                you,
                "{done} and keep {dice}",
                "{done} and keeps {dice}",
                done=done,
                dice=shown(some),
            )
        if wins:
            return Told(
                said_by(you, "{done} and win.", "{done} and wins.", done=done), "won", points
            )
        more = trn("{n} point", "{n} points", points)
        hot = mark("{done}: {more}, and all dice again.")
        text = tr(hot if after.dice == self.dice else FURTHER, done=done, more=more)
        return Told(text, "scored", points)

    def example_positions(self) -> list[str]:
        """Return a position somewhere in the middle of a game."""
        parts = [40, 50, *range(30, 30 + self.players - 2)]
        banks = [self.goal * part // 100 for part in parts]
        dice, at_risk = -(-self.dice // 2), max(1, self.goal * 20 // 100)
        return [self.notation(self.place(*banks, at_risk, dice, *[0] * self.players))]
