"""The player who takes every legal move with the same chance, followed over all cards.

After a cast the moves are what may be kept, each part of the dice once, and the open boxes. What
they are worth together is a product with the matrix of parts, for all that may count side by side.
"""

from __future__ import annotations

import numpy as np
from scipy.sparse import csr_matrix

from dicelab.core.arrays import Floats
from dicelab.rounds.card_kernels import CardArrays, Cards
from dicelab.rounds.lattice import lattice
from dicelab.rounds.scorecard import Scorecard
from dicelab.solvers.settle import Progress
from dicelab.verbs.scorecards import CardValues, all_cards, shape_of


def random_values(game: Scorecard, progress: Progress | None = None) -> CardValues:
    """Return what random moves bring on average from every card on, with bounds."""
    rules, numbers = game.arrays, game.numbers
    marks = shape_of(game)[1]
    matrices, full = game.rounds[0].round.matrices, numbers.full.start
    many = np.diff(matrices.start)
    shape = (len(game.results), len(numbers))
    parts = csr_matrix((np.ones(len(matrices.option)), matrices.option, matrices.start), shape)
    parts.data[matrices.start[1:] - 1] = 0.0  # to keep all dice is no move
    up, chance = lattice(game.dice, game.die).up, lattice(game.dice, game.die).chance
    sizes = [numbers.of_size(dice) for dice in range(game.dice - 1, -1, -1)]

    def cast(worth: Floats) -> Floats:
        """Return what each kept combination is worth before the other dice are cast."""
        values = np.zeros((len(numbers), worth.shape[1]))
        values[full:] = worth
        for size in sizes:
            rows = slice(size.start, size.stop)
            values[rows] = np.einsum("f,kfl->kl", chance, values[up[rows]])
        return values

    def work(cards: Cards, known: Floats) -> None:
        for card in cards.tolist():
            for mark in range(marks[card]):
                total, boxes = _all_boxes(card, mark, known, rules)
                worth = total / boxes
                for _ in range(game.casts - 1):
                    worth = (total + parts @ cast(worth)) / (boxes + many[:, None] - 1)
                known[card, mark] = cast(worth)[0]

    found = all_cards(game, work, progress)
    # Beside the casts themselves, each adds up all parts and boxes and divides: so many roundings
    # for one of those that are counted (see `all_cards`), of which a cast has `roundings` or more.
    more = int(many.max()) + len(game.boxes) + 3
    roundings = lattice(game.dice, game.die).roundings
    return CardValues(game, found.values, found.errors * (1 + more / roundings))


def _all_boxes(card: int, mark: int, known: Floats, rules: CardArrays) -> tuple[Floats, Floats]:
    """Return what all open boxes bring together, by result and what counts, and how many are open.

    `[results, counted]` and `[results, 1]`
    """
    results = np.arange(rules.score.shape[2])
    which = rules.special_of
    mode = np.where(which >= 0, rules.modes[card * (len(rules.modes) > 1), which], 0)
    counted = np.arange(rules.enough + 1)
    total, boxes = np.zeros((len(results), len(counted))), np.zeros((len(results), 1))
    for box in range(len(rules.counts)):
        score = rules.score[mode, box, results][:, None]
        if card >> box & 1:
            continue
        is_open = score >= 0
        to = np.minimum(rules.enough, counted + rules.counts[box] * np.maximum(score, 0))
        gain = score + rules.extra[mark, mode, results][:, None]
        gain = gain + np.where((to >= rules.enough) & (counted < rules.enough), rules.bonus, 0)
        after = known[card | 1 << box, mark | rules.marks[box][:, None], to]
        total += np.where(is_open, gain + after, 0.0)
        boxes += is_open
    return total, boxes
