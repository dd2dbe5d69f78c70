"""The boxes of a scorecard as people declare them, made into the arrays that the kernels read."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from numbers import Real
from typing import Any, NamedTuple

import numpy as np

from dicelab.core.arrays import Ints
from dicelab.errors import RulesError
from dicelab.rounds.card_kernels import CardArrays

JOKERS = ("forced", "free", "none")
MOST_POINTS = 10**6
"""Less than this is what a box or a bonus may bring, so that whole cards fit in 32 bits."""

Dice = tuple[int, ...]


class Box(NamedTuple):
    """One box of a scorecard."""

    name: str  # one word
    score: Callable[[Dice], int]  # of the faces, rising
    counts: bool = False  # towards the bonus
    joker: int | None = None  # what a joker is worth there; None: what its faces are
    home: Callable[[Dice], bool] | None = None  # which jokers must go there first


class Again(NamedTuple):
    """What happens when the special box could be filled once more."""

    special: str  # the name of the box; none where there is no such
    points: int  # gained besides
    joker: str  # one of `JOKERS`


def scores_of(
    boxes: Sequence[Box], results: Sequence[Dice], written: Sequence[str], game: str
) -> Ints:
    """Return what each result scores in each box. `[boxes, results]`

    Refused where that is no whole number from 0 up; the dice are told as they are `written`.
    """
    found = np.zeros((len(boxes), len(results)), np.int64)
    for place, box in enumerate(boxes):
        for result, dice in enumerate(results):
            points: Any = box.score(dice)
            whole = not isinstance(points, bool) and isinstance(points, Real) and points % 1 == 0
            if not (whole and 0 <= points < MOST_POINTS):
                raise RulesError(
                    f"{game} needs whole points from 0 up in every box: "
                    f"{box.name} gives {points!r} for {written[result]}"
                )
            found[place, result] = points
    return found


def card_arrays(
    boxes: Sequence[Box],
    results: Sequence[Dice],
    score: Ints,
    again: Again,
    enough: int,
    bonus: int,
) -> CardArrays:
    """Return a card as arrays: what a result scores, by how it may be scored."""
    many, names = len(results), [box.name for box in boxes]
    counts = np.array([box.counts and enough > 0 for box in boxes], np.int32)
    marks = np.zeros((len(boxes), many), np.int8)
    special_of: Any = np.full(many, -1, np.int32)
    modes: Any = np.zeros((1, 1), np.int8)
    scores, extra = [score], np.zeros((1, 1, many), np.int32)
    if again.special in names and (again.points or again.joker != "none"):
        place = names.index(again.special)
        special = score[place] > 0
        marks[place] = special
        special_of[special] = np.arange(special.sum())
        home = _homes(boxes, results)
        modes = _modes(boxes, place, home[special])
        scores += _joker_scores(boxes, score, special, home, again.joker)
        extra = np.zeros((2, len(scores), many), np.int32)
        extra[1, 1:, special] = again.points
    every = np.array(scores, np.int32)
    most = int((every.max(axis=(0, 2)) * counts).sum())
    reach = min(enough, most + 1)  # a bonus out of reach: any number beyond will do
    return CardArrays(special_of, modes, every, counts, extra, marks, reach, bonus)


def _homes(boxes: Sequence[Box], results: Sequence[Dice]) -> Ints:
    """Return in which box each result is at home as a joker; -1: in none. `[results]`"""
    home = np.full(len(results), -1)
    for place, box in enumerate(boxes):
        for result, dice in enumerate(results):
            if box.home is not None and box.home(dice):
                home[result] = place
    return home


def _modes(boxes: Sequence[Box], place: int, home: Ints) -> Ints:
    """Return how each special result may be scored at each card. `[cards, specials]`

    0: as any other; 1: a joker that is at home in an open box; 2: a joker that may go anywhere
    but home; 3: a joker that finds only boxes where it is worth what its faces are.
    """
    cards = np.arange(1 << len(boxes))
    is_again = (cards >> place & 1) == 1
    away = sum(1 << number for number, box in enumerate(boxes) if box.home is None)
    at_home = (home >= 0) & ((cards[:, None] >> np.maximum(home, 0) & 1) == 0)
    elsewhere = (cards & away) != away
    mode = np.where(at_home, 1, np.where(elsewhere[:, None], 2, 3))
    return np.where(is_again[:, None], mode, 0).astype(np.int8)


def _joker_scores(
    boxes: Sequence[Box], score: Ints, special: Ints, home: Ints, joker: str
) -> list[Ints]:
    """Return what boxes are worth in the three modes of a joker; -1: not open. `[3][...]`"""
    as_joker = score.copy()
    for place, box in enumerate(boxes):
        if box.joker is not None and joker != "none":
            as_joker[place, special] = box.joker
    if joker != "forced":
        return [score, as_joker, as_joker]
    at_home, away = np.full_like(score, -1), as_joker.copy()
    for result in np.flatnonzero(special).tolist():
        at_home[home[result], result] = score[home[result], result]
    for place, box in enumerate(boxes):
        if box.home is not None:
            away[place] = -1
    return [at_home, away, score]
