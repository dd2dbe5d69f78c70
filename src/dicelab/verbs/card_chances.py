"""solve for a scorecard that is played for a chance: every card with every score so far.

The chance of a card is known without work where its points are enough already, or where the open
boxes cannot bring enough. Between the two, a window of scores is solved side by side for each card
and each number that counts towards the bonus. How many that are is known before.
"""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dicelab.core.arrays import Floats, Ints
from dicelab.errors import TooLarge
from dicelab.rounds.card_aim import AimedCard, CardAgainst, CardSoFar
from dicelab.rounds.card_kernels import Windows, chance_cards
from dicelab.rounds.card_strategy import casting_of, desk_of
from dicelab.rounds.lattice import lattice
from dicelab.rounds.scorecard import Scorecard
from dicelab.solvers.settle import Progress
from dicelab.table import compile, memory_limit
from dicelab.verbs.match import MatchSolution
from dicelab.verbs.points_law import PointsLaw
from dicelab.verbs.scorecards import PIECES, bounded_threads, shape_of
from dicelab.verbs.solution import Solution
from dicelab.verbs.solve import solve_graph


@dataclass(frozen=True, eq=False)
class CardChances:
    """The chance of every card with every score so far, and how far off it may be."""

    game: AimedCard
    windows: Windows
    errors: Floats  # [boxes filled]

    def __len__(self) -> int:
        return len(self.windows.chance)

    def at(self, standing: CardSoFar) -> tuple[Floats, Floats]:
        """Return the chances of cards and how far off they may be; fields may be arrays."""
        filled, counted, marked, so_far = np.broadcast_arrays(*standing)
        low, high = (each[filled, marked, counted] for each in self.windows[:2])
        inside = (so_far >= low) & (so_far < high)
        place = np.where(inside, self.windows.first[filled, marked, counted] + so_far - low, 0)
        chance = self.windows.chance[place] if len(self) else np.zeros(place.shape)
        found = np.where(inside, chance, np.where(so_far < low, 0.0, 1.0))
        return found, self.errors[self.game.own.boxes_filled(filled)]

    def listed(self) -> tuple[Ints, Floats, Floats]:
        """Return the fields of all cards `[standings, fields]`, their chances and errors."""
        size = np.maximum(0, self.windows.high - self.windows.low)
        filled, marked, counted = (np.repeat(each, size.ravel()) for each in _places(size.shape))
        order = np.repeat(self.windows.first.ravel(), size.ravel())
        step = np.arange(len(order)) - np.repeat(np.cumsum(size) - size.ravel(), size.ravel())
        so_far = np.repeat(self.windows.low.ravel(), size.ravel()) + step
        fields = np.stack([filled, counted, marked, so_far], axis=1)
        found, off = self.at(CardSoFar(filled, counted, marked, so_far))
        return fields, found, off


def _places(shape: tuple[int, ...]) -> tuple[Any, ...]:
    return tuple(each.ravel() for each in np.indices(shape))


def solve_aimed(
    game: AimedCard,
    exact: bool = False,
    progress: Progress | None = None,
    began: float | None = None,
    memory: int | None = None,
) -> Solution:
    """Return the chance of every card with every score so far under best play for it."""
    began = time.perf_counter() if began is None else began
    if exact:
        return solve_graph(compile(game, memory, exact=True), True, progress, began)
    found = chance_values(game, memory_limit() if memory is None else memory, progress)
    seconds = time.perf_counter() - began
    return MatchSolution(game, found, seconds, method="certified float rounds, card by card")


def windows_of(game: AimedCard) -> Windows:
    """Return which scores so far are to be solved for each card; their chances are not made yet."""
    own = game.own
    rules = own.arrays
    lanes, marks, filled = shape_of(own)
    cards, counted = np.arange(len(filled)), np.arange(rules.enough + 1)
    most = np.where(rules.score >= 0, rules.score, 0).max(axis=(0, 2))
    again = rules.extra.max(axis=(1, 2))
    beyond, over, left = (np.zeros(len(cards), np.int64) for _ in range(3))
    for box, points in enumerate(most.tolist()):
        has = cards >> box & 1
        beyond += has * (0 if rules.counts[box] else points)
        over += has * (points if rules.counts[box] else 0)
        left += (1 - has) * points
    rest = len(own.boxes) - filled
    # what a card may have so far, beyond what counts; with the bonus, what counted beyond it too
    width = np.where(counted < rules.enough, 0, over[:, None] - rules.enough + rules.bonus)
    width = np.maximum(width, 0) + beyond[:, None]
    shape = (len(cards), rules.extra.shape[0], rules.enough + 1)
    times = np.maximum(filled - 1, 0)[:, None] * again
    most_now = counted + width[:, None, :] + times[:, :, None]
    # what the open boxes may still bring: a mark may yet be set
    bonus = np.where(counted < rules.enough, rules.bonus, 0)
    to_come = left[:, None] + bonus + (rest * int(again.max()))[:, None]
    low = np.maximum(counted, game.lowest - to_come)[:, None, :]
    high = np.minimum(game.sure, most_now + 1)
    there = (np.arange(shape[1]) < marks[:, None])[:, :, None] & (counted < lanes[:, None])[:, None]
    low = np.broadcast_to(low, shape)
    high = np.where(there, np.maximum(high, low), low)
    # where no window is needed: nothing brings enough, or all is sure
    size = (high - low).astype(np.int64)
    first = (np.cumsum(size.ravel()) - size.ravel()).reshape(shape)
    return Windows(low.astype(np.int32), high.astype(np.int32), first, np.zeros(0))


def chance_values(game: AimedCard, limit: int, progress: Progress | None = None) -> CardChances:
    """Return the chance of every card with every score so far; refused if that does not fit."""
    own = game.own
    rules, casting = own.arrays, casting_of(own)
    lanes, marks, filled = shape_of(own)
    windows = windows_of(game)
    size = (windows.high - windows.low).astype(np.int64)
    needed = 8 * int(size.sum()) + 4 * sum(each.nbytes for each in windows)
    if needed > limit:
        raise TooLarge(
            f"{game} has {int(size.sum()):,} cards with points to solve, which needs about "
            f"{needed / 10**9:.2g} GB; the limit is {limit / 10**9:g} GB (--memory)"
        )
    windows = windows._replace(chance=np.zeros(int(size.sum())))
    _fill_ends(game, windows)
    widest = int(size.max(initial=1))
    steps = own.casts * lattice(own.dice, own.die).roundings + 1
    errors = 1.01 * steps * 2.0**-53 * np.arange(len(own.boxes), -1, -1.0)
    threads, done, work = bounded_threads(), 0, max(1, int(size.sum()))

    def solved(cards: NDArray[np.int64]) -> None:
        part = (cards, lanes[cards], marks[cards])
        chance_cards(*part, windows, rules, casting, desk_of(own, widest))

    with ThreadPoolExecutor(threads) as pool:
        for boxes in range(len(own.boxes) - 1, -1, -1):
            cards = np.flatnonzero(filled == boxes)
            pieces: list[Any] = np.array_split(cards, max(1, min(len(cards), PIECES * threads)))
            for piece, _ in zip(pieces, pool.map(solved, pieces), strict=True):
                done += int(size[piece].sum())
                if progress:
                    progress(done / work)
    return CardChances(game, windows, errors)


def _fill_ends(game: AimedCard, windows: Windows) -> None:
    """Fill in what the full card is worth with every score."""
    full = len(windows.low) - 1
    worths = np.asarray(game.worths)
    for mark, counted in np.ndindex(windows.low.shape[1:]):
        low, high = windows.low[full, mark, counted], windows.high[full, mark, counted]
        first = windows.first[full, mark, counted]
        for points in range(low, high):
            place = points - game.lowest
            windows.chance[first + points - low] = worths[place] if place >= 0 else 0.0


def against(game: Scorecard, other: PointsLaw, gained: int = 0) -> CardAgainst:
    """Return a card played to have more points than somebody whose law of points is known.

    `gained` is what the other player has so far. That player is thought of as playing on without
    looking at this card; whoever looks may do better or worse.
    """
    law = zip(other.points, other.chances.tolist(), strict=True)
    return CardAgainst(game, scores=tuple((int(points) + gained, share) for points, share in law))
