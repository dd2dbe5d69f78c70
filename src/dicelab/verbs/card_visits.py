"""Where play goes on a scorecard: how likely each card is, and which boxes are filled there.

The chances of all cards with as many filled boxes are pushed on to those with one more, whatever
the score so far; that is what `law_of_points` does without the points.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from dicelab.core.arrays import Array, Floats
from dicelab.rounds.card_kernels import follow_law
from dicelab.rounds.card_strategy import CardStrategy, casting_of, desk_of
from dicelab.rounds.scorecard import Scorecard
from dicelab.verbs.scorecards import shape_of


class Visit(NamedTuple):
    """A card that play may come to, for all that may count there."""

    card: int
    mark: int
    chance: Floats  # [lanes] of the card with so much that counts
    boxes: Floats  # [boxes, lanes] the same, by the box that is filled then


def card_visits(game: Scorecard, strategy: CardStrategy) -> Iterator[Visit]:
    """Yield every card that a strategy may come to before the last box, the emptiest first."""
    rules, casting, desk = game.arrays, casting_of(game), desk_of(game)
    lanes, _, filled = shape_of(game)
    begins = game.start().standing
    mass = np.zeros((len(filled), rules.extra.shape[0], rules.enough + 1))
    mass[begins.filled, begins.marked, begins.counted] = 1.0
    wish, guesses = strategy.wish, strategy.guesses
    for boxes in range(int(game.boxes_filled(begins.filled)), len(game.boxes)):
        for card in np.flatnonzero(filled == boxes).tolist():
            for mark in np.flatnonzero(mass[card].any(axis=1)).tolist():
                many = int(lanes[card])
                follow_law(card, mark, many, wish, guesses, rules, casting, desk)
                chance = mass[card, mark, :many]
                taken = desk.taken[:, :many]
                yield Visit(card, mark, chance, _pushed(game, card, mark, desk.law, taken, mass))


def _pushed(
    game: Scorecard, card: int, mark: int, law: Floats, taken: Array, mass: Floats
) -> Floats:
    """Add the chance of a card to the cards it leads to, and return it by boxes."""
    rules, many = game.arrays, taken.shape[1]
    which, results = rules.special_of, np.arange(len(law))
    modes = np.where(which >= 0, rules.modes[card * (len(rules.modes) > 1), which], 0)
    shares = law[:, :many] * mass[card, mark, :many]
    found = np.zeros((len(game.boxes), many))
    for box in range(len(game.boxes)):
        if card >> box & 1:
            continue
        part = np.where(taken == box, shares, 0.0)
        found[box] = part.sum(axis=0)
        steps = np.maximum(rules.counts[box] * rules.score[modes, box, results], 0)
        sets = rules.marks[box]
        for step, marks in sorted(set(zip(steps.tolist(), sets.tolist(), strict=True))):
            some = part[(steps == step) & (sets == marks)].sum(axis=0)
            then = np.minimum(np.arange(many) + step, rules.enough)
            np.add.at(mass[card | 1 << box, mark | marks], then, some)
    return found
