"""solve for a scorecard: every card that may stand between rounds, the fullest first.

v(card) is what the boxes that are still open bring on average under best play. Cards with as many
filled boxes are independent of each other and shared out to threads; those that differ only in what
counts towards the bonus are solved side by side (`rounds.card_kernels`).

**Bounds.** A round is worth a mean of what it pays, so the errors of cards with one more box filled
are carried and not grown, and each round adds its own rounding: a few units in the last place of
the largest value for every die of every cast.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dicelab.core.arrays import Floats, Ints
from dicelab.core.forecast import Forecast, refuse_more
from dicelab.core.jobs import bounded
from dicelab.errors import TooLarge
from dicelab.rounds.card_kernels import Cards, solve_cards
from dicelab.rounds.card_strategy import casting_of, desk_of
from dicelab.rounds.lattice import lattice
from dicelab.rounds.scorecard import Card, Scorecard
from dicelab.solvers.settle import Progress
from dicelab.table import compile, memory_limit
from dicelab.verbs.match import MatchSolution, solve_match
from dicelab.verbs.solution import Solution
from dicelab.verbs.solve import solve_graph

PIECES = 8
"""Pieces of work that each thread gets for cards with as many filled boxes, so that none waits."""


@dataclass(frozen=True, eq=False)
class CardValues:
    """What every card brings on average, and how far off that may be by boxes filled."""

    game: Scorecard
    values: Floats  # [cards, marks, counted]
    errors: Floats  # [boxes filled]

    def __len__(self) -> int:
        return self.game.standings

    def at(self, standing: Card) -> tuple[Floats, Floats]:
        """Return the values of cards and how far off they may be; fields may be arrays."""
        filled, counted, marked = standing
        return self.values[filled, marked, counted], self.errors[self.game.boxes_filled(filled)]

    def listed(self) -> tuple[Ints, Floats, Floats]:
        """Return the fields of all cards `[standings, fields]`, their values and errors."""
        game = self.game
        marks = shape_of(game)[1]
        is_there = (
            np.broadcast_to(
                game.countable[game.counting(np.arange(len(marks)))][:, None, :], self.values.shape
            )
            & (np.arange(self.values.shape[1]) < marks[:, None])[:, :, None]
        )
        filled, marked, counted = np.nonzero(is_there)
        fields = np.stack([filled, counted, marked], axis=1)
        return fields, self.values[is_there], self.errors[game.boxes_filled(filled)]


def solve_card(
    game: Scorecard,
    exact: bool = False,
    progress: Progress | None = None,
    began: float | None = None,
    memory: int | None = None,
) -> Solution:
    """Return what every card brings on average under best play, with certified bounds.

    `memory` is a limit in bytes, known to be kept before the work begins. Cards with rules of their
    own for what a result leads to are solved as any match is.
    """
    began = time.perf_counter() if began is None else began
    limit = memory_limit() if memory is None else memory
    if exact:
        refuse_exact_card(game)
        return solve_graph(compile(game, memory, exact=True), True, progress, began)
    if type(game).leads is not Scorecard.leads:
        return solve_match(game, exact, progress, began, memory)
    refuse_beyond(game, limit)
    found = card_values(game, progress)
    return MatchSolution(
        game, found, time.perf_counter() - began, method="certified float rounds, card by card"
    )


def bounded_threads() -> int:
    """Return how many threads share the work: one for each core."""
    return bounded(-1, PIECES) or 1


def bytes_of(game: Scorecard) -> int:
    """Return about how many bytes the values of all cards take, and the work on them."""
    rules = game.arrays
    known = (1 << len(game.boxes)) * rules.extra.shape[0] * (rules.enough + 1)
    return (
        8 * known
        + rules.modes.nbytes
        + bounded_threads() * 8 * 2 * len(game.numbers) * (rules.enough + 1)
    )


def refuse_beyond(game: Scorecard, limit: int) -> None:
    """Refuse a card whose values do not fit, before any work is done."""
    what = f"{game} has {game.standings:,} standings, which needs"
    refuse_more(bytes_of(game), limit, what)


A_SECOND = 450e6
"""Combinations of dice, times standings and casts, that a core goes through in a second."""


def forecast_card(game: Scorecard) -> Forecast:
    """Return how much work it is to go through every card once.

    Cards with rules of their own are solved as any match is, and small.
    """
    work = game.standings * len(game.numbers) * game.casts
    seconds = work / A_SECOND / bounded_threads()
    return Forecast(f"{game.standings:,} standings", bytes_of(game), seconds)


MOST_EXACT = 20_000
"""Positions of a card that are solved in fractions."""


def refuse_exact_card(game: Scorecard) -> None:
    """Refuse fractions for a card where they would take hours, saying how long they would be."""
    if game.size() > MOST_EXACT:
        bits = len(game.boxes) * game.casts * game.dice * np.log2(game.die.denominator)
        raise TooLarge(
            f"{game} has {game.standings:,} standings, and its exact values are fractions of about "
            f"{bits:.0f} bits: exact mode goes up to {MOST_EXACT:,} positions, bounds to any size"
        )


def card_values(game: Scorecard, progress: Progress | None = None) -> CardValues:
    """Return what every card brings on average under best play."""
    rules, casting = game.arrays, casting_of(game)
    lanes, marks, _ = shape_of(game)

    def work(cards: Cards, known: Floats) -> None:
        solve_cards(cards, lanes[cards], marks[cards], known, rules, casting, desk_of(game))

    return all_cards(game, work, progress)


def all_cards(
    game: Scorecard, work: Callable[[Cards, Floats], None], progress: Progress | None
) -> CardValues:
    """Return what `work` fills in for every card, with bounds.

    It is given some cards with as many filled boxes, and an array in which those with one more are
    known. `[cards, marks, counted]`
    """
    rules = game.arrays
    lanes, marks, filled = shape_of(game)
    known = np.zeros((len(filled), rules.extra.shape[0], rules.enough + 1))
    errors = np.zeros(len(game.boxes) + 1)
    most = float(rules.score.max() + rules.extra.max() + rules.bonus)
    steps = game.casts * lattice(game.dice, game.die).roundings + 3
    layers = fullest_first(game, lambda cards: work(cards, known), lanes * marks, progress)
    for boxes in layers:
        largest = float(np.abs(known[filled == boxes + 1]).max()) + most
        errors[boxes] = errors[boxes + 1] + 1.01 * steps * 2.0**-53 * largest
    return CardValues(game, known, errors)


def fullest_first(
    game: Scorecard,
    work: Callable[[Cards], None],
    sizes: Ints,
    progress: Progress | None = None,
) -> Iterator[int]:
    """Yield how many boxes are filled, once the work on all such cards is done.

    `sizes` says how much work a card is; those of size 0 are left out. `[cards]`
    """
    filled = shape_of(game)[2]
    threads, done, whole = bounded_threads(), 0, max(1, int(sizes.sum()))
    with ThreadPoolExecutor(threads) as pool:
        for boxes in range(len(game.boxes) - 1, -1, -1):
            cards = np.flatnonzero((filled == boxes) & (sizes > 0))
            pieces: list[Any] = np.array_split(cards, max(1, min(len(cards), PIECES * threads)))
            for piece, _ in zip(pieces, pool.map(work, pieces), strict=True):
                done += int(sizes[piece].sum())
                if progress:
                    progress(done / whole)
            yield boxes


def shape_of(game: Scorecard) -> tuple[NDArray[np.int64], NDArray[np.int64], Ints]:
    """Return how many lanes and marks each card may have, and its filled boxes. Each `[cards]`."""
    cards = np.arange(1 << len(game.boxes))
    highest = game.countable.shape[1] - np.argmax(game.countable[:, ::-1], axis=1)
    lanes = highest[game.counting(cards)].astype(np.int64)
    return lanes, game.marks_may, game.boxes_filled(cards)
