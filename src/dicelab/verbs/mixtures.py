"""What solving a game at once gives back: a mixture of moves at every position, and its words."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

from dicelab.core.arrays import Numbers, Real
from dicelab.core.json_object import JsonObject
from dicelab.core.language import mark, number, tr
from dicelab.rules import Position
from dicelab.solvers.problem import NOTHING
from dicelab.verbs.table_solution import TableSolution

NUMBERS = (
    *("", mark("one"), mark("two"), mark("three"), mark("four"), mark("five")),
    *(mark("six"), mark("seven"), mark("eight"), mark("nine"), mark("ten"), mark("eleven")),
    mark("twelve"),
)
CLOSE = Fraction(1, 2**40)
"""How far from a simple fraction a share of floats may be to be told as that."""


def how_often(share: Real) -> str:
    """Return a share in words where it is a simple one, else in per cent.

    >>> how_often(Fraction(2, 3)), how_often(0.123)
    ('two times in three', 'in 12.30% of cases')
    """
    simple = Fraction(share).limit_denominator(12)
    if not 0 < simple < 1 or abs(simple - Fraction(share)) > CLOSE:
        return tr("in {share} of cases", share=number(float(share), ".2%"))
    top, bottom = (tr(NUMBERS[each]) for each in (simple.numerator, simple.denominator))
    if simple.numerator == 1:
        return tr("once in {whole}", whole=bottom)
    return tr("{part} times in {whole}", part=top, whole=bottom)


@dataclass(frozen=True, eq=False, repr=False)
class SimultaneousSolution(TableSolution):
    """Values and mixtures of a game in which both choose at once."""

    #: What the other player is taken to play: the mixtures of best play, or a fixed strategy.
    opposed: Numbers = field(default_factory=lambda: NOTHING)

    def mixture_at(self, at: Position | str) -> dict[str, Real]:
        """Return the chance of each move in best play, those that are never played left out."""
        answer = self.plan.move_at(at)
        if isinstance(answer, str):
            return {answer: self._number(Fraction(1))}
        return {move: self._number(chance) for move, chance in answer.items()}

    def advice_at(self, at: Position | str) -> str | None:
        """Return the mixture in words, where best play is one."""
        mixture = self.mixture_at(at)
        if self.against is not None or len(mixture) == 1:
            return None
        here = self.game.read(at) if isinstance(at, str) else at
        *first, last = (
            f"{self.game.spoken(here, move)} {how_often(share)}" for move, share in mixture.items()
        )
        return tr(
            "Leave it to chance: {choices} and {last}. Any other player can then do no better than "
            "the value.",
            choices=", ".join(first),
            last=last,
        )

    @property
    def opening(self) -> dict[str, Real]:
        """The mixture at the start."""
        return self.mixture_at(self.game.start())

    def as_dict(self) -> JsonObject:
        """Return what a program wants to know, and the chance of each number of dice at first."""
        told = {move.removeprefix("throw "): float(share) for move, share in self.opening.items()}
        return super().as_dict() | {"opening": told}

    def summary(self) -> list[str]:
        """Return the first move, or the mixture of first moves."""
        if self.against is not None:
            return []
        said = self.advice_at(self.game.start())
        first = next(iter(self.opening))
        return [f"First move: {said[0].lower()}{said[1:]}" if said else f"First move: {first}."]
