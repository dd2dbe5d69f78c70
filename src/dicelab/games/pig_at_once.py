"""Pig at once: both roll or hold at the same time, until both have held or bust.

Two players race to ``target`` points in rounds. In a round both are in at first and must roll; from
then on whoever is still in chooses, at the same time as the other, to roll or to hold. Each roll
adds to the points at risk. Who holds banks them and is out until the round ends; who rolls a 1
loses them and is out as well. A bank that would reach the target is held at once and counts as the
target. The round ends when both are out. If one player is at the target then, that player has won;
if both are, it is a draw. Otherwise the next round begins.

Each sees what the other has at risk, but not what the other chooses now: while both are in, best
play may have to be a mixture. Two busts lead back to the same round, so the game has circles.

Source: the rules of Pig are those of Neller & Presser, "Optimal Play of the Dice Game Pig", The
UMAP Journal 25(1), 2004; that both play at once is ours.

>>> from dicelab import solve
>>> solve(PigAtOnce(target=2), exact=True).value_at("0-0 +0-0")       # both look alike
Fraction(1, 2)
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, NamedTuple

import numpy as np

from dicelab.core.json_object import JsonObject
from dicelab.core.language import mark, tr, trn
from dicelab.games.pig.rules import HOLD, ROLL
from dicelab.rules import (
    BOTH,
    DRAW,
    LOSS,
    ONGOING,
    WIN,
    Bools,
    Ints,
    Outcome,
    Position,
    SimultaneousGame,
    both,
    where,
)
from dicelab.rules.dice import Die, d6
from dicelab.rules.registry import register, strategy
from dicelab.rules.sentences import rolled, said_by, shown
from dicelab.rules.speech import Told

WAIT = "wait"


class RoundPosition(NamedTuple):
    """Both banks and what both have at risk, written ``30-12 +9-4``.

    Nothing at risk means out of the round, and for both that a round begins.
    """

    mine: Ints
    yours: Ints
    at_risk: Ints
    their_risk: Ints


@register("pig-at-once")
@dataclass(frozen=True)
class PigAtOnce(SimultaneousGame):
    """Pig in rounds in which both roll or hold at once."""

    target: int = 20
    die: Die = d6
    bust: int = 1

    moves: ClassVar[tuple[str, ...]] = (ROLL, HOLD, WAIT)
    in_short: ClassVar[str] = (
        "Both roll or hold at once; a 1 loses what is at risk. Who has held or bust is out until "
        "the round ends. At the end of a round whoever is at the target has won."
    )
    called: ClassVar[str] = "Pig at once"
    rivals: ClassVar[tuple[str, ...]] = ("catch-up", "hold-at", "random", "optimal")
    rivals_in_words: ClassVar[Mapping[str, tuple[str, str]]] = {
        "catch-up": (
            mark("the chaser"),
            mark("Holds at 8 points, but rolls on while the other player is at the target."),
        ),
        "hold-at": (mark("the classic"), mark("Holds once 8 points are at risk.")),
    }
    largest: ClassVar[Mapping[str, int]] = {"target": 20}

    def __post_init__(self) -> None:
        """Refuse parameters that make no game."""
        self.needs(self.target >= 1, f"a target of at least 1: got target={self.target}")
        scoring = [face for face in self.die.faces if face != self.bust]
        self.needs(
            bool(scoring) and min(scoring) >= 1,
            f"faces of 1 or more besides the {self.bust}: got die={self.die}",
        )

    def start(self) -> RoundPosition:
        """Return the position the game starts from."""
        return RoundPosition(0, 0, 0, 0)

    def mirror(self, at: RoundPosition) -> RoundPosition:
        """Return a position as the other player sees it."""
        return RoundPosition(at.yours, at.mine, at.their_risk, at.at_risk)

    def legal(self, at: RoundPosition, move: str) -> Bools:
        """Return whether the move is allowed: who is in rolls or holds, who is out waits."""
        if move == HOLD:
            return at.at_risk > 0
        waits = both(at.at_risk == 0, at.their_risk > 0)
        return waits if move == WAIT else waits == 0

    def outcomes(self, at: RoundPosition, mine: str, yours: str = "") -> Iterator[Outcome]:
        """Yield what both moves together may lead to."""
        for chance, bank, risk in self._done(at.mine, at.at_risk, mine):
            for other, their_bank, their_risk in self._done(at.yours, at.their_risk, yours):
                after = RoundPosition(bank, their_bank, risk, their_risk)
                yield Outcome(chance * other, after, BOTH)

    def _done(self, bank: Ints, risk: Ints, move: str) -> Iterator[tuple[Fraction, Ints, Ints]]:
        """Yield the chance of each bank and risk that a player may have after a move."""
        if move != ROLL:  # who waits has nothing at risk
            yield Fraction(1), bank + risk, 0 * risk
            return
        for face, chance in self.die:
            if face == self.bust:
                yield chance, bank, 0 * risk
            else:
                there = bank + risk + face >= self.target
                yield chance, where(there, self.target, bank), where(there, 0, risk + face)

    def result(self, at: RoundPosition) -> Ints:
        """Return who has won: at the end of a round, whoever is at the target."""
        mine, yours = at.mine >= self.target, at.yours >= self.target
        won = where(mine, WIN, where(yours, LOSS, ONGOING))
        return where(self._begins(at), where(both(mine, yours), DRAW, won), ONGOING)

    def _begins(self, at: RoundPosition) -> Bools:
        """Return where both are out: a round ends, and another begins."""
        return both(at.at_risk == 0, at.their_risk == 0)

    def everywhere(self) -> Position:
        """Return the beginning of a round at every pair of banks, a head start included."""
        banks = np.indices((self.target, self.target)).reshape(2, -1)
        return RoundPosition(*banks, *np.zeros_like(banks))

    def size(self) -> int:
        """Return about how many positions there are: all banks with what may be at risk."""
        one = (self.target + 1) * (self.target + 2) // 2
        return one * one

    def label(self, at: Position, move: str) -> str:
        """Return what stands on the button of a move."""
        if move != HOLD:
            return super().label(at, move)
        return tr("Hold {points}", points=int(at.at_risk))

    def counters(self, at: Position, mine: bool = True) -> JsonObject:
        """Return the fields of a position by name, seen by you."""
        return super().counters(at if mine else self.mirror(at))

    def describe(self, at: Position, mine: bool = True) -> str:
        """Return a position in a sentence or two."""
        seen = at if mine else self.mirror(at)
        if self._begins(seen):
            text = tr(
                "You have {mine}. The other player has {yours}.", mine=seen.mine, yours=seen.yours
            )
            begins = tr("A round begins.")
            return f"{text} {begins}"
        own = (
            mark("You have {score} and {risk} at risk.")
            if seen.at_risk
            else mark("You have {score} and are out of the round.")
        )
        other = (
            mark("The other player has {score} and {risk} at risk.")
            if seen.their_risk
            else mark("The other player has {score} and is out of the round.")
        )
        mine_text = tr(own, score=seen.mine, risk=seen.at_risk)
        return f"{mine_text} {tr(other, score=seen.yours, risk=seen.their_risk)}"

    def narrate(
        self, at: Position, move: str, faces: Sequence[int], after: Position, you: bool, seen: bool
    ) -> Told:
        """Return what happened when somebody rolled, held or waited."""
        if move == WAIT:
            return Told(said_by(you, "You wait.", "The other player waits."), "waited")
        if move == HOLD:
            held = int(at.at_risk)
            told = trn("{n} point", "{n} points", held)
            text = said_by(
                you, "You hold {points}.", "The other player holds {points}.", points=told
            )
            return Told(text, "held", held)
        if after.mine > at.mine:
            text = said_by(
                you,
                "You roll and reach the target.",
                "The other player rolls and reaches the target.",
            )
            return Told(text, "scored")
        points = 0 if not after.at_risk else int(after.at_risk - at.at_risk)
        dice = shown([points] if after.at_risk else [self.bust])
        done = rolled(you, dice)
        if after.at_risk:
            return Told(f"{done}.", "scored", points)
        text = said_by(
            you, "{rolled} and lose the round.", "{rolled} and loses the round.", rolled=done
        )
        return Told(text, "bust")

    def example_positions(self) -> list[str]:
        """Return a position in the middle of a round, and one where a round begins."""
        score = self.target // 3
        return [f"{score}-{score} +2-2", f"{score}-{score + 1} +0-0"]

    def notation(self, at: RoundPosition) -> str:
        """Return ``mine-yours +at_risk-their_risk``."""
        return f"{at.mine}-{at.yours} +{at.at_risk}-{at.their_risk}"

    def parse(self, text: str) -> RoundPosition:
        """Return the position that ``30-12 +9-4`` stands for; ``30-12`` is ``30-12 +0-0``."""
        number = r"(\d{1,9})"
        pair = rf"{number}\s*-\s*{number}"
        match = re.fullmatch(rf"\s*{pair}\s*(?:\+\s*{pair})?\s*", text)
        if match is None:
            raise self.unreadable(text)
        return RoundPosition(*(int(part or 0) for part in match.groups()))


Choose = Callable[[RoundPosition], object]


def _holding(game: PigAtOnce, holds: Callable[[RoundPosition], Bools]) -> Choose:
    """Return who rolls until something is true, and waits where that is all there is to do."""

    def choose(at: RoundPosition) -> Ints:
        roll = where(both(game.legal(at, HOLD), holds(at)), HOLD, ROLL)
        return where(game.legal(at, WAIT), WAIT, roll)

    return choose


@strategy(PigAtOnce, "hold-at")
def hold_at(game: PigAtOnce, points: int = 8) -> Choose:
    """Hold as soon as so many points are at risk."""
    return _holding(game, lambda at: at.at_risk >= points)


@strategy(PigAtOnce, "catch-up")
def catch_up(game: PigAtOnce, points: int = 8) -> Choose:
    """Hold at so many points, but roll on while the other player is at the target."""
    return _holding(game, lambda at: both(at.at_risk >= points, at.yours < game.target))
