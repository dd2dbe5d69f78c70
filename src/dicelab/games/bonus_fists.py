"""Bonus fists: rock, paper, scissors for points, and a winning rock throws a die for more.

Two players show rock, paper or scissors at once. Rock beats scissors, scissors beat paper, paper
beats rock. Who wins the turn scores a point; who wins with rock throws ``die`` and scores what it
shows instead. The first to reach ``target`` points wins. A draw leads back to the same position, so
the game has circles, and where play mixes on a circle a value need not be rational.

Rock is worth more than the others, so paper is shown more often: who shows it wins against rock.

Source: rock, paper, scissors with a prize for one of the three is a common exercise on matrix
games; the die is ours.

>>> from dicelab import solve
>>> solve(BonusFists(target=1), exact=True).opening       # to 1 no bonus counts
{'rock': Fraction(1, 3), 'paper': Fraction(1, 3), 'scissors': Fraction(1, 3)}
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

from dicelab.errors import RulesError
from dicelab.games.throwing import TwoScores
from dicelab.rules import (
    BOTH,
    LOSS,
    ONGOING,
    WIN,
    Bools,
    Ints,
    Outcome,
    SimultaneousGame,
    where,
)
from dicelab.rules.dice import Die, d6
from dicelab.rules.registry import register, strategy

BEATS = {"rock": "scissors", "scissors": "paper", "paper": "rock"}


class FistsPosition(NamedTuple):
    """Both scores, written ``30-12``."""

    mine: Ints
    yours: Ints


@register("bonus-fists")
@dataclass(frozen=True)
class BonusFists(TwoScores, SimultaneousGame):
    """Rock, paper, scissors, where a winning rock throws a die."""

    target: int = 10
    die: Die = d6

    pair: ClassVar[Any] = FistsPosition
    moves: ClassVar[tuple[str, ...]] = ("rock", "paper", "scissors")
    in_short: ClassVar[str] = (
        "Rock, paper, scissors at once. A win is a point; who wins with rock throws the die and "
        "scores what it shows. The first to reach the target wins."
    )
    rivals: ClassVar[tuple[str, ...]] = ("always", "random", "optimal")

    def __post_init__(self) -> None:
        """Refuse parameters that make no game."""
        self.needs(self.target >= 1, f"a target of at least 1: got target={self.target}")
        self.needs(self.die.faces[0] >= 1, f"faces of 1 or more: got die={self.die}")

    def start(self) -> FistsPosition:
        """Return the position the game starts from."""
        return FistsPosition(0, 0)

    def mirror(self, at: FistsPosition) -> FistsPosition:
        """Return a position as the other player sees it."""
        return FistsPosition(at.yours, at.mine)

    def legal(self, at: FistsPosition, move: str) -> Bools:
        """Return whether the move is allowed: each is, always."""
        return at.mine >= 0

    def outcomes(self, at: FistsPosition, mine: str, yours: str = "") -> Iterator[Outcome]:
        """Yield what two fists score; equal ones lead back."""
        if mine == yours:
            yield Outcome(1, at, BOTH)
            return
        ours = BEATS[mine] == yours
        score = at.mine if ours else at.yours
        law = list(self.die) if (mine if ours else yours) == "rock" else [(1, 1)]
        for points, chance in law:
            # A score beyond the target wins like the target itself.
            then = where(score + points >= self.target, self.target, score + points)
            after = at._replace(mine=then) if ours else at._replace(yours=then)
            yield Outcome(chance, after, BOTH)

    def result(self, at: FistsPosition) -> Ints:
        """Return who has won: whoever is at the target."""
        there = where(at.yours >= self.target, LOSS, ONGOING)
        return where(at.mine >= self.target, WIN, there)


@strategy(BonusFists, "always")
def always(game: BonusFists, fist: str = "rock") -> Callable[[FistsPosition], object]:
    """Always show the same: rock, or your own."""
    if fist not in BEATS:
        raise RulesError(f"always:{fist} cannot be played in {game}: show {', '.join(game.moves)}")
    return lambda at: where(at.mine >= 0, fist, "")
