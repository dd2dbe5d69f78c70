"""A scorecard played for a chance: at least so many points, or more than somebody else has.

What counts is what the final score is worth: nothing up to some score, 1 from another on, and
between them what is told (the chance that the other player has fewer). The points so far are then a
part of what stands between rounds: ``aces chance=22 counted=3 so far 25 | 66651, 2 left``.

The other player of `CardAgainst` plays on for the most points on average and does not look at this
card: what he will have is then a law of scores. Whoever looks may do better.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, ClassVar, NamedTuple

import numpy as np

from dicelab.core.json_object import JsonObject
from dicelab.core.language import trn
from dicelab.core.lazy import lazy
from dicelab.rounds.match import Match, MatchPosition, Throws
from dicelab.rounds.scorecard import WHOLE, Card, Scorecard
from dicelab.rules import DRAW, LOSS, ONGOING, WIN, Gain, Ints, Way, where
from dicelab.rules.registry import imported

SO_FAR = " so far "


class CardSoFar(NamedTuple):
    """A card and the points on it."""

    filled: Ints
    counted: Ints
    marked: Ints
    so_far: Ints


@dataclass(frozen=True)
class CardGame(Match):
    """A game played on a scorecard, with more between its rounds than what stands on the card.

    The fields of its standings begin with those of the card of the player about to throw.
    """

    own: Scorecard

    unit: ClassVar[str] = "chance to win"

    @property
    def name(self) -> str:  # type: ignore[override]
        """The name of the card."""
        return self.own.name

    @property
    def unaimed(self) -> Scorecard:
        """The card alone."""
        return self.own

    def __str__(self) -> str:
        """Return the card and the aim."""
        begun = "" if self.begins_at is None else f" from {self.notation(self.begins_at)}"
        return f"{self.own} for {self.aim}{begun}"

    @property
    def rounds(self) -> tuple[Throws, ...]:
        """The one round that is thrown."""
        return self.own.rounds

    def inner(self, at: MatchPosition) -> MatchPosition:
        """Return a position as the card itself has it."""
        return at._replace(standing=Card(*at.standing[:3]))

    def begins_position(self, word: str) -> bool:
        """Return whether a notation may begin with a word and an equals sign."""
        return self.own.begins_position(word)

    def label(self, at: MatchPosition, move: str) -> str:
        """Return what stands on the button of a move."""
        return self.own.label(self.inner(at), move)


@dataclass(frozen=True)
class AimedCard(CardGame):
    """A scorecard for the chance of at least so many points."""

    least: int
    asked: CardSoFar | None = field(default=None, compare=False)

    players: ClassVar[int] = 1
    worth: ClassVar[Mapping[int, Fraction]] = {
        WIN: Fraction(1),
        LOSS: Fraction(0),
        DRAW: Fraction(0),
    }
    solver: ClassVar[str] = "dicelab.verbs.card_chances:solve_aimed"
    loader: ClassVar[str] = "dicelab.verbs.card_chances:load_chances"
    may_draw: ClassVar[bool | None] = False

    @property
    def aim(self) -> str:  # type: ignore[override]
        """The purpose, as it was given."""
        return f"at least {self.least}"

    @property
    def since(self) -> CardSoFar:
        """The card from which on it is solved."""
        return CardSoFar(*map(int, self.start().standing if self.asked is None else self.asked))

    def asked_at(self, at: MatchPosition) -> AimedCard:
        """Return the same game, to be solved from one card on and not before."""
        return replace(self, asked=at.standing)

    def opening(self) -> CardSoFar:
        """Return the empty card."""
        return CardSoFar(*self.own.opening(), 0)

    def ended(self, standing: CardSoFar) -> Ints:
        """Return WIN where the card is full and has so many points; LOSS where it has not."""
        over = self.own.ended(Card(*standing[:3])) != ONGOING
        return where(over, where(standing.so_far >= self.least, WIN, LOSS), ONGOING)

    def leads(self, standing: CardSoFar, cast: int, result: Ints) -> Iterable[Way]:
        """Yield the boxes that may be filled; their points are counted on."""
        for each in self.own.leads(Card(*standing[:3]), cast, result):
            gain: Gain = each.gain
            card = Card(*each.at)
            so_far = standing.so_far + gain
            after = CardSoFar(card.filled, card.counted, card.marked, so_far)
            yield Way(each.name, after, each.mover, 0, each.allowed)

    def standing_notation(self, standing: CardSoFar) -> str:
        """Return the notation of the card, and its points so far."""
        return f"{self.own.standing_notation(Card(*standing[:3]))}{SO_FAR}{int(standing.so_far)}"

    def read_standing(self, text: str) -> CardSoFar:
        """Return the card of a notation; without points, those that its boxes tell."""
        before, told, points = text.partition(SO_FAR)
        if told and not WHOLE.fullmatch(points.strip()):
            raise self.unreadable(text)
        card = self.own.read_standing(before)
        so_far = int(points) if told else self.own.points_told(before, card, "so far N")
        return CardSoFar(card.filled, card.counted, card.marked, so_far)

    def size(self) -> int:
        """Return about how many positions there are, with every number of points so far."""
        return self.own.size() * max(1, self.least)

    def lifted(self, at: MatchPosition) -> MatchPosition:
        """Return a position of the card itself as one of this game, with no points so far."""
        card = Card(*at.standing)
        return at._replace(standing=CardSoFar(card.filled, card.counted, card.marked, 0))

    def describe_standing(self, standing: CardSoFar, mine: bool = True) -> str:
        """Return the card in a sentence or two."""
        card = self.own.describe_standing(Card(*standing[:3]), mine)
        so_far = trn("{n} point so far.", "{n} points so far.", int(standing.so_far))
        return f"{card} {so_far}"

    def counters(self, at: MatchPosition, mine: bool = True) -> JsonObject:
        """Return the counters of the card itself, and the points so far."""
        return {**self.own.counters(self.inner(at), mine), "so_far": int(at.standing.so_far)}

    @property
    def stakes(self) -> tuple[float, float] | None:
        """The chance lies between nothing and 1."""
        return (0.0, 1.0)

    @lazy
    def worths(self) -> Any:
        """What a final score is worth, between `lowest` and `sure`. `[scores]`"""
        return np.zeros(0)

    @property
    def lowest(self) -> int:
        """The least score that is worth anything."""
        return self.least

    @property
    def sure(self) -> int:
        """The score that is worth 1, as all beyond."""
        return self.least


@dataclass(frozen=True)
class CardAgainst(AimedCard):
    """A scorecard for the chance to have more points than somebody else; a draw is half a win.

    Either the chance of each score of the other player is given (`scores`), with how far sums of
    them may be `off`, or his card (`other`).
    """

    least: int = 0
    scores: tuple[tuple[int, float], ...] = ()
    off: float = 0.0
    other: CardSoFar | None = None

    worth: ClassVar[Mapping[int, Fraction]] = {**AimedCard.worth, DRAW: Fraction(1, 2)}
    may_draw: ClassVar[bool | None] = True

    @lazy
    def their_law(self) -> tuple[tuple[tuple[int, float], ...], float]:
        """The chance of each score of the other player, and how far sums of them may be off."""
        if self.other is None:
            return self.scores, self.off
        found: Any = imported("dicelab.verbs.card_chances:scores_from")(self.own, self.other)
        return tuple(found[0]), float(found[1])

    @property
    def their_scores(self) -> tuple[tuple[int, float], ...]:
        """The chance of each score of the other player."""
        return self.their_law[0]

    @property
    def aim(self) -> str:  # type: ignore[override]
        """The purpose in words."""
        if self.other is not None:
            return f"more than {self.standing_notation(self.other)}"
        mean = sum(points * chance for points, chance in self.their_scores)
        return f"more than a player with {mean:.4g} points on average"

    def ended(self, standing: CardSoFar) -> Ints:
        """Return DRAW where the card is full: `payoff` says what its score is worth."""
        return self.own.ended(Card(*standing[:3]))

    def payoff(self, at: MatchPosition) -> Fraction:
        """Return the chance that the other player has fewer points, half of that of as many."""
        score = int(at.standing.so_far)
        if not self.lowest <= score < self.sure:
            return Fraction(int(score >= self.sure))
        return Fraction(float(self.worths[score - self.lowest]))

    @property
    def lowest(self) -> int:
        """The least score that is worth anything."""
        return min(points for points, _ in self.their_scores)

    @property
    def sure(self) -> int:
        """The score that is worth 1, as all beyond."""
        return max(points for points, _ in self.their_scores) + 1

    @lazy
    def worths(self) -> Any:
        """What a final score is worth, between `lowest` and `sure`. `[scores]`"""
        chance = np.zeros(self.sure - self.lowest)
        for points, share in self.their_scores:
            chance[points - self.lowest] += share
        return np.cumsum(chance) - chance / 2
