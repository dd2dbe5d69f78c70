"""Pars: a way to play a scorecard that fits on a card on the wall.

Every box has a *par*, the points that it should bring; one that is not named has 0. A player keeps
and scores whatever brings the most points above par in this round. Where there is a bonus, points
that count towards it may count more than once, until there are enough.

It is written ``pars:sixes=19+chance=22+counted=3/2``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from dicelab.errors import RulesError
from dicelab.rounds.card_strategy import CardStrategy, score_wish
from dicelab.rounds.scorecard import COUNTED, Scorecard
from dicelab.rules.registry import did_you_mean, strategy

PARS = "pars"
TIMES = {"3/2": "one and a half times", "2": "twice", "3": "three times"}


@dataclass(frozen=True)
class Pars:
    """The pars of some boxes, and how often a point counts that counts towards the bonus."""

    points: tuple[tuple[str, int], ...] = ()  # in the order of the card; never 0
    times: Fraction = Fraction(1)

    def __str__(self) -> str:
        """Return the pars as they are written."""
        counted = [(COUNTED, str(self.times))] if self.times != 1 else []
        return "+".join(f"{name}={number}" for name, number in [*self.points, *counted])

    @property
    def name(self) -> str:
        """What every verb takes: the pars as a strategy."""
        return f"{PARS}:{self}" if str(self) else PARS

    @property
    def size(self) -> int:
        """How many numbers one has to remember."""
        return len(self.points) + (self.times != 1)

    @property
    def clauses(self) -> tuple[str, ...]:
        """The lines of a file that holds it."""
        return (self.name,)

    def changed(self, game: Scorecard, box: str, par: int) -> Pars:
        """Return the same with another par for a box."""
        known = {**dict(self.points), box: par}
        named = tuple((name, known[name]) for name in game.names if known.get(name))
        return Pars(named, self.times)

    def strategy(self, game: Scorecard) -> CardStrategy:
        """Return how a card is played by these pars."""
        wish, rules = score_wish(game), game.arrays
        for name, points in self.points:
            wish[:, game.names.index(name)] -= points
        if self.times == 1:
            return CardStrategy(game, wish)
        shape = (1 << len(game.boxes), rules.extra.shape[0], 1)
        ahead = float(self.times - 1) * np.arange(rules.enough + 1.0)
        return CardStrategy(game, wish, np.tile(ahead, shape))

    def in_words(self) -> Iterator[str]:
        """Yield the lines of the card on the wall."""
        if not self.points:
            yield "keep and score what brings the most points in this round"
        else:
            yield "keep and score what brings the most points above par"
            told = [f"{name.replace('-', ' ')} {points}" for name, points in self.points]
            yield f"par: {', '.join(told)}; any other box 0"
        if self.times != 1:
            often = TIMES.get(str(self.times), f"{self.times} times")
            yield f"points towards the bonus count {often}, until there are enough"


def read_pars(game: Scorecard, text: str) -> Pars:
    """Return the pars that a text tells, refused where it is none."""
    found: dict[str, Fraction] = {}
    for piece in text.split("+") if text else []:
        name, _, number = piece.strip().partition("=")
        known = [*game.names, COUNTED]
        if name not in known:
            raise RulesError(f"{game} has no box {name!r} for a par{did_you_mean(name, known)}")
        if name in found:
            raise RulesError(f"{name} has two pars in {text!r}: a box has one")
        if not re.fullmatch(r"\d{1,4}(/[1-9]\d?)?" if name == COUNTED else r"\d{1,4}", number):
            what = "a number such as 3/2" if name == COUNTED else "a whole number of points"
            raise RulesError(f"{name} takes {what} in pars: got {number!r}")
        found[name] = Fraction(number)
    times = found.pop(COUNTED, Fraction(1))
    if times < 1:
        raise RulesError(f"points towards the bonus count once or more often: got {times}")
    pars: Mapping[str, int] = {name: int(points) for name, points in found.items()}
    return Pars(tuple((name, pars[name]) for name in game.names if pars.get(name)), times)


@strategy(Scorecard, PARS, "one who looks at a par for each box")
def pars(game: Scorecard, boxes: str = "") -> CardStrategy:
    """Play for the most points above par, as pars:sixes=19+chance=22; other boxes have par 0."""
    return read_pars(game, boxes).strategy(game)
