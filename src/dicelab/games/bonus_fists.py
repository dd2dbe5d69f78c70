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

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar

from dicelab.core.language import mark
from dicelab.games.naming import ScoresAtOnce
from dicelab.games.throwing import ScorePosition
from dicelab.rules import BOTH, LOSS, ONGOING, WIN, Ints, Outcome, where
from dicelab.rules.dice import Die, d6
from dicelab.rules.registry import register

BEATS = {"rock": "scissors", "scissors": "paper", "paper": "rock"}


@register("bonus-fists")
@dataclass(frozen=True)
class BonusFists(ScoresAtOnce):
    """Rock, paper, scissors, where a winning rock throws a die."""

    target: int = 10
    die: Die = d6

    usual: ClassVar[str] = "rock"
    moves: ClassVar[tuple[str, ...]] = ("rock", "paper", "scissors")
    in_short: ClassVar[str] = (
        "Rock, paper, scissors at once. A win is a point; who wins with rock throws the die and "
        "scores what it shows. The first to reach the target wins."
    )
    rivals: ClassVar[tuple[str, ...]] = ("always", "random", "optimal")
    rivals_in_words: ClassVar[Mapping[str, tuple[str, str]]] = {
        "always": (mark("the stubborn one"), mark("Always shows the same hand.")),
    }

    def __post_init__(self) -> None:
        """Refuse parameters that make no game."""
        self.needs(self.target >= 1, f"a target of at least 1: got target={self.target}")
        self.needs(self.die.faces[0] >= 1, f"faces of 1 or more: got die={self.die}")

    def outcomes(self, at: ScorePosition, mine: str, yours: str = "") -> Iterator[Outcome]:
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

    def result(self, at: ScorePosition) -> Ints:
        """Return who has won: whoever is at the target."""
        there = where(at.yours >= self.target, LOSS, ONGOING)
        return where(at.mine >= self.target, WIN, there)
