"""What a model checker must be asked so that its answer is our value.

A game's worth lies between that of a loss and that of a win. Each end pays with the chance that
its worth is of this span: a win always, a loss never, a tie worth half of it in half of cases. The
chance to be paid is then the value, up to the span. A game that never ends pays nothing, as a loss
does, whatever its rules say of that. One player who gains points on the way counts rewards instead;
points between two, and ends that each pay their own number, no model checker is told.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from dicelab.core.lazy import lazy
from dicelab.errors import ExportError
from dicelab.exchange.seated import SEATS, Node, Seated, check_one_pot
from dicelab.rules import DRAW, LOSS, WIN


@dataclass(frozen=True, eq=False)
class Objective:
    """The property whose optimum is the value of a game."""

    model: Seated

    def __post_init__(self) -> None:
        """Refuse two players who do not play for one pot, and ends that no chance stands for."""
        check_one_pot(self.model)
        game, worth = self.model.game, self.model.table.worth_to(self.model.us)
        if game.pays_ends or (game.players == 2 and self.model.table.has_gains):
            told = "pays each end its own number" if game.pays_ends else "gains points between two"
            raise ExportError(
                f"{game} {told}: a model checker is told of wins, and of what one player gains; "
                f"export it for a win (--for win), or to openspiel, gymnasium or pettingzoo"
            )
        if self.counts_rewards:
            if worth[LOSS] and not game.fewest:
                raise ExportError(
                    f"{game} gains points on the way, and play that never ends is worth "
                    f"{worth[LOSS]} as a loss is: a model checker can only count that as 0"
                )
            return
        if not worth[LOSS] <= worth[DRAW] <= worth[WIN] or worth[LOSS] == worth[WIN]:
            raise ExportError(
                f"{game} has ends worth {worth[WIN]}, {worth[LOSS]} and {worth[DRAW]}: only where "
                f"a win is worth more than a loss, and a draw lies between, is the value a chance"
            )

    @property
    def counts_rewards(self) -> bool:
        """Whether the value is a sum of gains and not a chance."""
        return self.model.table.has_gains or self.model.game.fewest

    @lazy
    def span(self) -> tuple[Fraction, Fraction]:
        """What a loss is worth, and what a win is worth beyond it."""
        worth = self.model.table.worth_to(self.model.us)
        return Fraction(worth[LOSS]), Fraction(worth[WIN] - worth[LOSS])

    def share_of(self, result: int) -> Fraction:
        """Return the chance that a result, seen by the player we are, is paid."""
        if self.counts_rewards:
            return Fraction(1)  # who counts what is gained asks for no chance
        low, span = self.span
        return (Fraction(self.model.table.worth_to(self.model.us)[result]) - low) / span

    def share(self, node: Node) -> Fraction:
        """Return the chance that an end is paid."""
        return self.share_of(self.model.result(node, self.model.us))

    def reward(self, node: Node) -> Fraction:
        """Return what an end is worth, where gains are counted."""
        return self.model.worth(node, self.model.us)

    @property
    def opponent(self) -> str:
        """Who is fixed, in words."""
        fixed, us = self.model.against, self.model.us
        moves = "" if us == 0 else f" that goes {SEATS[1 - us]}"
        return f" against {fixed.name}{moves}" if fixed is not None else ""

    @property
    def formula(self) -> str:
        """The property, in the language that PRISM and Storm share."""
        if self.counts_rewards:
            if self.model.game.fewest:
                return 'R{"value"}min=? [F "done"]'
            return 'R{"value"}max=? [C]'
        player = "<<first>> " if self.model.is_for_two else ""
        return f'{player}Pmax=? [F "paid"]'

    @property
    def said(self) -> str:
        """The property, and what to make of its answer."""
        low, span = self.span
        if self.counts_rewards or (low == 0 and span == 1):
            return self.formula
        scaled = f"{span} * " if span != 1 else ""
        return f"{low} + {scaled}({self.formula})"

    def value(self, answer: Fraction | float) -> Fraction | float:
        """Return the value that an answer to the property stands for."""
        low, span = self.span
        return answer if self.counts_rewards else low + span * answer
