"""Named strategies of Farkle."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from dicelab.games.farkle.rules import BANK, ROLL, FarklePosition, keep
from dicelab.games.farkle.scores import Dice
from dicelab.games.farkle.speech import Farkle
from dicelab.rules import Bools, Ints, both, either, where
from dicelab.rules.registry import strategy

Choose = Callable[..., object]
"""A named strategy: a move before the throw, and after it what to put aside."""


def _playing(game: Farkle, wants: Callable[[FarklePosition], Bools], few: bool) -> Choose:
    """Return the strategy that banks where it wants to and may, and keeps few dice or all."""

    def choose(at: FarklePosition, threw: Dice | None = None) -> object:
        if threw is not None:
            return keep(game.scores.sets_of[threw][0 if few else -1][0])
        banks = either(both(wants(at), game.legal(at, BANK)), at.dice == 0)
        return where(banks, BANK, ROLL)

    return choose


@strategy(Farkle, "bank-at")
def bank_at(game: Farkle, points: int = 300) -> Choose:
    """Keep every die that scores, and bank once this many points are at risk."""
    return _playing(game, lambda at: at.at_risk * game.step >= points, few=False)


@strategy(Farkle, "keep-few")
def keep_few(game: Farkle, points: int = 300) -> Choose:
    """Keep as few dice as one may, and bank once this many points are at risk."""
    return _playing(game, lambda at: at.at_risk * game.step >= points, few=True)


@strategy(Farkle, "cautious")
def cautious(game: Farkle) -> Choose:
    """Keep every die that scores, and bank as soon as one may."""
    return bank_at(game, 0)


@strategy(Farkle, "greedy")
def greedy(game: Farkle) -> Choose:
    """Keep as few dice as one may, and never bank: win in this turn or farkle."""
    return _playing(game, lambda at: at.at_risk < 0, few=True)


@strategy(Farkle, "look-ahead")
def look_ahead(game: Farkle) -> Choose:
    """Keep and bank what is best on average if one more throw were the last of the turn.

    With s points at risk and n dice that farkle with the chance p and score m points on average,
    nothing counted for a farkle, that is the larger of s and (1 - p) s + m.
    """
    every, scores = game.scores.every, game.scores
    lost = (scores.times_of[()] / every).astype(float)
    added = np.zeros(game.dice + 1)
    for dice, sets in scores.sets_of.items():
        added += (scores.times_of[dice] / every * sets[-1][1]).astype(float)

    def worth(points: Ints, dice: Ints) -> Ints:
        then = (1 - lost[dice]) * points + added[dice]
        return where(both(then > points, dice > 0), then, points)

    def choose(at: FarklePosition, threw: Dice | None = None) -> object:
        at_risk = at.at_risk * game.step
        if threw is None:
            banks = both(worth(at_risk, at.dice) <= at_risk, game.legal(at, BANK))
            return where(banks, BANK, ROLL)
        found = [
            worth(at_risk + points, where(at.dice > len(some), at.dice - len(some), hot))
            for some, points in scores.sets_of[threw]
        ]
        names = np.array([keep(some) for some, _ in scores.sets_of[threw]])
        return names[np.argmax(np.array(found), axis=0)]

    hot = game.dice if game.hot_dice else 0
    return choose
