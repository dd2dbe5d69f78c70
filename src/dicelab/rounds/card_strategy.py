"""A way to play a scorecard, told by what it hopes for.

A strategy has a wish for every box and result, and a guess at what the next card is worth. In a
round it keeps what is best for these hopes, and fills the box that fulfils them best; extra points
and the bonus count as they come. Best play wishes the score and guesses right. A person who looks
at the points of this round only guesses that all cards are worth the same.

Where hopes are equal it keeps more dice rather than fewer, and fills the box that is listed first.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dicelab.core.arrays import Floats
from dicelab.rounds.card_kernels import Casting, Desk, desk_for, follow_law
from dicelab.rounds.lattice import lattice
from dicelab.rounds.match import CAST, SCORE, MatchPosition
from dicelab.rounds.scorecard import Scorecard


def casting_of(game: Scorecard) -> Casting:
    """Return the dice of a card as the kernels read them."""
    dice = lattice(game.dice, game.die)
    return Casting(game.casts, dice.up, dice.chance, dice.down)


def desk_of(game: Scorecard, lanes: int | None = None) -> Desk:
    """Return room to work on the cards of a game, for all that may count or for so many."""
    width = game.arrays.enough + 1 if lanes is None else lanes
    return desk_for(len(game.results), len(game.numbers), game.casts, width)


@dataclass(frozen=True, eq=False)
class CardStrategy:
    """A strategy for a scorecard, at one position or for all cards at once."""

    game: Scorecard
    wish: Floats  # [modes, boxes, results]
    ahead: Floats | None = None  # [cards, marks, counted] None: all cards are worth the same

    @property
    def guesses(self) -> Floats:
        """What it thinks that each card is worth. `[cards, marks, counted]`"""
        if self.ahead is not None:
            return self.ahead
        rules = self.game.arrays
        return np.zeros((1 << len(self.game.boxes), rules.extra.shape[0], rules.enough + 1))

    def __call__(self, at: MatchPosition) -> str:
        """Return the move at one position."""
        if not at.thrown:
            return CAST
        game, rules = self.game, self.game.arrays
        lanes = int(at.standing.counted) + 1
        desk, full = desk_of(game, lanes), game.numbers.full.start
        card = (int(at.standing.filled), int(at.standing.marked), lanes)
        follow_law(*card, self.wish, self.guesses, rules, casting_of(game), desk)
        shown = game.shown(at)
        if at.left:
            chosen = int(desk.kept[at.left - 1, full + shown, lanes - 1])
            if chosen < full:
                return game.keep_move(chosen)
        return SCORE + game.names[desk.taken[shown, lanes - 1]]


def score_wish(game: Scorecard) -> Floats:
    """Return the wish for the points of every box. `[modes, boxes, results]`"""
    return game.arrays.score.astype(np.float64)
