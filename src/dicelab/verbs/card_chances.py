"""solve for a scorecard that is played for a chance: every card with the points so far.

The chance of a card is known without work where its points are enough already, or where the open
boxes cannot bring enough. Between the two, a window of points is solved side by side for each card
and each number that counts towards the bonus (`rounds.card_windows`). How many that are is known
before the work. Only what may follow where play begins is solved, so that a card with a few open
boxes takes milliseconds.

With a checkpoint the chances stand in a file (`verbs.chance_file`), and so does which cards are
done: the same command goes on after a stop, and the whole file answers without any work.
"""

from __future__ import annotations

import contextlib
import hashlib
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from dicelab.core.arrays import Floats, Ints
from dicelab.core.forecast import refuse_more
from dicelab.errors import TooLarge, UnknownPosition
from dicelab.rounds.card_aim import AimedCard, CardAgainst, CardSoFar
from dicelab.rounds.card_kernels import Cards
from dicelab.rounds.card_strategy import casting_of, desk_of
from dicelab.rounds.card_windows import (
    LANES,
    Windows,
    chance_cards,
    fillings_of,
    most_to_come,
    reach_windows,
)
from dicelab.rounds.lattice import lattice
from dicelab.rounds.scorecard import Card, Scorecard
from dicelab.rules import ONGOING
from dicelab.solvers.rows import runs
from dicelab.solvers.settle import Progress
from dicelab.strategies.file import mark_of_rules
from dicelab.table import compile, memory_limit
from dicelab.verbs.card_play import law_of_points, optimal_card, refuse_law
from dicelab.verbs.chance_file import ChanceFile
from dicelab.verbs.match import MatchSolution
from dicelab.verbs.points_law import PointsLaw
from dicelab.verbs.scorecards import fullest_first, shape_of
from dicelab.verbs.solution import Solution
from dicelab.verbs.solve import solve_graph

MOST_LISTED = 5_000_000
"""Cards with points that are written one by one."""


@dataclass(frozen=True, eq=False)
class CardChances:
    """The chance of every card with its points so far, and how far off it may be."""

    game: AimedCard
    windows: Windows
    errors: Floats  # [boxes filled]

    def __len__(self) -> int:
        return len(self.windows.chance)

    def at(self, standing: CardSoFar) -> tuple[Floats, Floats]:
        """Return the chances of cards and how far off they may be; fields may be arrays."""
        filled, counted, marked, so_far = np.broadcast_arrays(*standing)
        windows = self.windows
        place = (filled, marked, windows.settled[filled, counted])
        low, high = windows.low[place], windows.high[place]
        inside = (so_far >= low) & (so_far < high)
        hopeless = so_far + windows.most[place] < self.game.lowest
        sure = so_far >= windows.sure
        strange = np.flatnonzero(~(inside | hopeless | sure))
        if strange.size:
            fields = (filled, counted, marked, so_far)
            row = CardSoFar(*[int(each.flat[strange[0]]) for each in fields])
            told = self.game.standing_notation(row)
            raise UnknownPosition(f"{self.game} never comes to {told}")
        number = np.where(inside, windows.first[place] + so_far - low, 0)
        chance = np.asarray(windows.chance[number]) if len(self) else np.zeros(number.shape)
        found = np.where(inside, chance, np.where(sure & ~hopeless, 1.0, 0.0))
        return found, self.errors[self.game.own.boxes_filled(filled)]

    def listed(self) -> tuple[Ints, Floats, Floats]:
        """Return the fields of all cards `[standings, fields]`, their chances and errors.

        Cards that differ only in what no longer counts are one.
        """
        if len(self) > MOST_LISTED:
            raise TooLarge(
                f"{self.game} has {len(self):,} cards with points, too many to write one by one: "
                f"--checkpoint FILE keeps them all, and `dicelab explain --known FILE` reads them"
            )
        size = sizes_of(self.windows).ravel()
        places = np.unravel_index(np.arange(size.size), self.windows.low.shape)
        filled, marked, counted = (np.repeat(each, size) for each in places)
        so_far = runs(self.windows.low.ravel(), size)
        fields = np.stack([filled, counted, marked, so_far], axis=1)
        return fields, *self.at(CardSoFar(filled, counted, marked, so_far))


def solve_aimed(
    game: AimedCard,
    exact: bool = False,
    progress: Progress | None = None,
    began: float | None = None,
    memory: int | None = None,
    checkpoint: str | Path | None = None,
) -> Solution:
    """Return the chance of every card with its points so far under best play for it."""
    began = time.perf_counter() if began is None else began
    if exact:
        return solve_graph(compile(game, memory, exact=True), True, progress, began)
    limit = memory_limit() if memory is None else memory
    found = chance_values(game, limit, progress, checkpoint)
    seconds = time.perf_counter() - began
    return MatchSolution(game, found, seconds, method="certified float rounds, card by card")


def load_chances(path: str | Path, game: AimedCard) -> MatchSolution:
    """Return the solution that a checkpoint has, refused unless it is complete and of this game."""
    began = time.perf_counter()
    windows = windows_of(game)
    file = ChanceFile(path, label_of(game), len(windows.low), int(sizes_of(windows).sum()))
    with file.opened() as kept:
        kept.refuse_unfinished(sizes_of(windows).sum(axis=(1, 2)) > 0)
        found = CardChances(game, windows._replace(chance=kept.chance), errors_of(game))
    return MatchSolution(game, found, time.perf_counter() - began, method="read from a file")


def label_of(game: AimedCard) -> dict[str, object]:
    """Return what chances on file are of."""
    begins, mark = game.standing_notation(game.since), mark_of_rules(game)
    told = {"work": "chances of cards", "game": str(game.own), "aim": game.aim, "from": begins}
    marks = {"mark of the rules": mark}
    if isinstance(game, CardAgainst) and game.other is None:  # told by a mean only
        marks["scores"] = hashlib.sha256(repr(game.scores).encode()).hexdigest()[:12]
    return {**told, **{name: each for name, each in marks.items() if each}}


def sizes_of(windows: Windows) -> NDArray[np.int64]:
    """Return how many points so far each window has. `[cards, marks, counted]`"""
    return np.maximum(0, windows.high - windows.low).astype(np.int64)


def windows_of(game: AimedCard) -> Windows:
    """Return which points so far are to be solved for each card; their chances are not made yet."""
    rules, since = game.own.arrays, game.since
    _, marks, filled = shape_of(game.own)
    cards, counted = np.arange(len(filled)), np.arange(rules.enough + 1)
    ways = fillings_of(rules)
    follow = cards[cards & since.filled == since.filled]
    fullest = follow[np.argsort(-filled[follow], kind="stable")]
    shape = (len(cards), rules.extra.shape[0], rules.enough + 1)
    most = np.zeros(shape, np.int32)
    most_to_come(fullest, marks, rules, ways, most)
    rest = np.zeros(len(cards), np.int64)
    for box in np.flatnonzero(rules.counts).tolist():
        rest += (1 - (cards >> box & 1)) * int(rules.score[:, box].max())
    out_of_reach = counted + rest[:, None] < rules.enough
    settled = np.where(out_of_reach, rules.enough, counted).astype(np.int32)
    low, high = (np.full(shape, game.sure, np.int32) for _ in range(2))  # nothing yet
    begins = (int(since.filled), int(since.marked), int(settled[since.filled, since.counted]))
    if since.so_far + most[begins] >= game.lowest and since.so_far < game.sure:
        low[begins], high[begins] = since.so_far, since.so_far + 1
    windows = Windows(settled, most, low, high, np.zeros(shape, np.int64), game.sure, np.zeros(0))
    reach_windows(fullest[::-1].copy(), marks, rules, ways, windows, game.lowest)
    size = sizes_of(windows).ravel()
    return windows._replace(first=(np.cumsum(size) - size).reshape(shape))


def errors_of(game: AimedCard) -> Floats:
    """Return how far off chances may be, by how many boxes are filled."""
    own = game.own
    steps = own.casts * lattice(own.dice, own.die).roundings + 1
    off = game.their_law[1] if isinstance(game, CardAgainst) else 0.0
    return off + 1.01 * steps * 2.0**-53 * np.arange(len(own.boxes), -1, -1.0)


def chance_values(
    game: AimedCard,
    limit: int,
    progress: Progress | None = None,
    checkpoint: str | Path | None = None,
) -> CardChances:
    """Return the chance of every card with its points so far; refused if that does not fit."""
    own = game.own
    rules, casting = own.arrays, casting_of(own)
    windows, marks, ways = windows_of(game), shape_of(own)[1], fillings_of(rules)
    size = sizes_of(windows)
    needed = 8 * int(size.sum()) + sum(each.nbytes for each in windows[:5])
    what = f"{game} has {int(size.sum()):,} cards with points to solve, which needs"
    refuse_more(needed, limit, what)
    with _room(game, size, checkpoint) as kept:
        windows = windows._replace(chance=kept.chance)
        _fill_ends(game, windows)
        left = np.where(kept.done, 0, size.sum(axis=(1, 2)))

        def work(cards: Cards) -> None:
            desk = desk_of(own, LANES)
            after = np.zeros((len(ways.box) + 1, desk.paid.shape[1]))
            chance_cards(cards, marks, windows, rules, ways, casting, desk, after)
            kept.keep(cards)

        for _ in fullest_first(own, work, left, progress):
            pass
    return CardChances(game, windows, errors_of(game))


@dataclass(frozen=True)
class _Memory:
    """Chances that stand in memory only."""

    chance: Floats
    done: NDArray[np.uint8]

    def keep(self, cards: Ints) -> None:
        """Do nothing: what is in memory is gone with the process."""


def _room(
    game: AimedCard, size: NDArray[np.int64], checkpoint: str | Path | None
) -> contextlib.AbstractContextManager[_Memory | ChanceFile]:
    """Return room for the chances: in memory, or in a file that may have some of them."""
    if checkpoint is None:
        kept = _Memory(np.zeros(int(size.sum())), np.zeros(len(size), np.uint8))
        return contextlib.nullcontext(kept)
    return ChanceFile(checkpoint, label_of(game), len(size), int(size.sum())).opened(make=True)


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
    return CardAgainst(game, scores=_scores(other, gained), off=other.error + other.unfinished)


def scores_from(game: Scorecard, card: CardSoFar) -> tuple[tuple[tuple[int, float], ...], float]:
    """Return the chance of each score of who plays on from a card, for the most on average.

    With how far sums of them may be off.
    """
    standing, so_far = Card(*card[:3]), int(card.so_far)
    if int(game.ended(standing)) != ONGOING:
        return ((so_far, 1.0),), 0.0
    begun = game.starting(game.begin(standing))
    assert isinstance(begun, Scorecard)
    refuse_law(begun, memory_limit())
    law = law_of_points(begun, optimal_card(begun))
    return _scores(law, so_far), law.error + law.unfinished


def _scores(law: PointsLaw, gained: int) -> tuple[tuple[int, float], ...]:
    return tuple(
        (int(points) + gained, share)
        for points, share in zip(law.points, law.chances.tolist(), strict=True)
    )
