"""Two players fill a scorecard each, turn by turn and in sight of each other; more points win.

What stands between rounds are both cards and how far ahead the player about to throw is. Written
``aces=3 vs sixes=18 lead -15``: one's own card, the other's, and the lead.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from dicelab.core.json_object import JsonObject
from dicelab.core.language import tr, trn
from dicelab.errors import UnknownPosition
from dicelab.rounds.card_aim import CardGame
from dicelab.rounds.match import MatchPosition
from dicelab.rounds.scorecard import Card
from dicelab.rules import DRAW, LOSS, ONGOING, OTHER, WIN, Ints, Way, where

VERSUS, LEAD = " vs ", " lead "
DUEL = "more than another player"
"""The purpose that makes two players of one."""


class BothCards(NamedTuple):
    """The card of the player about to throw, that of the other, and the lead."""

    filled: Ints
    counted: Ints
    marked: Ints
    their_filled: Ints
    their_counted: Ints
    their_marked: Ints
    lead: Ints

    @property
    def mine(self) -> Card:
        """The card of the player about to throw."""
        return Card(self.filled, self.counted, self.marked)

    @property
    def theirs(self) -> Card:
        """The card of the other player."""
        return Card(self.their_filled, self.their_counted, self.their_marked)


@dataclass(frozen=True)
class CardDuel(CardGame):
    """A scorecard between two, who both see both cards; as many points are a draw."""

    players: ClassVar[int] = 2
    aim: ClassVar[str] = DUEL
    solver: ClassVar[str] = "dicelab.verbs.card_duels:solve_duel"
    engine: ClassVar[str] = "dicelab.verbs.card_duels"
    may_draw: ClassVar[bool | None] = True

    def opening(self) -> BothCards:
        """Return two empty cards."""
        return BothCards(*self.own.opening(), *self.own.opening(), 0)

    def ended(self, standing: BothCards) -> Ints:
        """Return who has more points, where both cards are full."""
        full = (1 << len(self.own.boxes)) - 1
        over = (standing.filled == full) & (standing.their_filled == full)
        lead = standing.lead
        return where(over, where(lead > 0, WIN, where(lead < 0, LOSS, DRAW)), ONGOING)

    def leads(self, standing: BothCards, cast: int, result: Ints) -> Iterable[Way]:
        """Yield the boxes that may be filled; then it is the other's turn."""
        for each in self.own.leads(standing.mine, cast, result):
            lead = standing.lead + each.gain
            after = BothCards(*standing.theirs, *Card(*each.at), -lead)
            yield Way(each.name, after, OTHER, 0, each.allowed)

    def standing_notation(self, standing: BothCards) -> str:
        """Return both cards, one's own first, and the lead."""
        mine, theirs = map(self.own.standing_notation, (standing.mine, standing.theirs))
        return f"{mine}{VERSUS}{theirs}{LEAD}{int(standing.lead)}"

    def read_standing(self, text: str) -> BothCards:
        """Return both cards of a notation; without a lead, what their boxes tell."""
        before, told, lead = text.partition(LEAD)
        mine, versus, theirs = before.partition(VERSUS)
        if not versus or (told and not re.fullmatch(r"\s*-?\d{1,6}\s*", lead)):
            raise self.unreadable(text)
        cards = [self.own.read_standing(each) for each in (mine, theirs)]
        ahead = int(cards[1].filled).bit_count() - int(cards[0].filled).bit_count()
        if ahead not in (0, 1):
            raise UnknownPosition(
                f"the player about to throw has as many boxes filled as the other in {text!r}, "
                f"or one fewer: got {abs(ahead)} {'fewer' if ahead > 0 else 'more'}"
            )
        if not told:
            points = [
                self.own.points_told(each, card, "lead N")
                for each, card in zip((mine, theirs), cards, strict=True)
            ]
            lead = str(points[0] - points[1])
        return BothCards(*cards[0], *cards[1], int(lead))

    def pairs(self) -> int:
        """Return how many pairs of cards may stand together, whatever the lead."""
        own = self.own
        filled = own.boxes_filled(np.arange(1 << len(own.boxes)))
        many = np.bincount(filled, weights=own.standings_each)
        return int(many @ many + many[1:] @ many[:-1])

    def standings(self) -> int:
        """Return about how many standings there are, with every lead."""
        most = int(self.own.arrays.score.max(axis=(0, 2)).sum()) + self.own.bonus
        return self.pairs() * (2 * most + 1)

    def size(self) -> int:
        """Return about how many positions there are, in every round of every standing."""
        return self.standings() * (self.own.casts * len(self.own.results) + 1)

    def describe_standing(self, standing: BothCards, mine: bool = True) -> str:
        """Return the card of who throws in a sentence or two, and the lead."""
        lead = int(standing.lead)
        told = tr("Level.")
        if lead > 0:
            told = trn("{n} point ahead.", "{n} points ahead.", lead)
        elif lead:
            told = trn("{n} point behind.", "{n} points behind.", -lead)
        return f"{self.own.describe_standing(standing.mine, mine)} {told}"

    def counters(self, at: MatchPosition, mine: bool = True) -> JsonObject:
        """Return the counters of the card itself, and the lead."""
        return {**self.own.counters(self.inner(at), mine), "lead": int(at.standing.lead)}
