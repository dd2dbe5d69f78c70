"""Scorecards as arrays, and what a card may lead to, for all that may count at once.

Cards that differ only in what counts towards the bonus are solved side by side, a lane for each:
from them the same box leads to the same other card, further along by the same number of lanes.
Cards with the same number of filled boxes do not depend on each other: threads take them.

A way to play is told by what it hopes for: a wish for each box and result, and what it thinks the
next card is worth. Best play wishes the score and knows the value.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dicelab.core.arrays import Floats
from dicelab.core.jit import inlined, jit
from dicelab.rounds.lattice import best_of_kept, mean_of_cast, spread_by_cast, take_best_of_kept

Faces = NDArray[np.int32]
Pairs = NDArray[np.int32]
Cards = NDArray[np.int64]


class CardArrays(NamedTuple):
    """A scorecard as arrays. How a special result may be scored depends on the card: its mode."""

    special_of: NDArray[np.int32]  # [results] which of the special results it is; -1: none
    modes: NDArray[np.int8]  # [cards, specials]
    score: NDArray[np.int32]  # [modes, boxes, results] -1 where the box is not open to it
    counts: NDArray[np.int32]  # [boxes] 1 where a box counts towards the bonus
    extra: NDArray[np.int32]  # [marks, modes, results] gained beside the score, whatever the box
    marks: NDArray[np.int8]  # [boxes, results] 1 where filling the box so sets the mark
    enough: int  # what it takes to get the bonus
    bonus: int


class Casting(NamedTuple):
    """The dice as the kernels read them; see `lattice`."""

    casts: int
    up: Faces
    chance: Floats
    down: Pairs


class Desk(NamedTuple):
    """Room to work on one card at a time, a lane for each number that may count."""

    hoped: Floats  # [results, lanes] what is hoped for
    taken: NDArray[np.int8]  # [results, lanes] the box that is filled
    paid: Floats  # [results, lanes] what that brings
    hopes: Floats  # [combinations, lanes] what is hoped for with so many dice kept
    values: Floats  # [combinations, lanes] what that brings
    kept: NDArray[np.int16]  # [casts but one, combinations, lanes] what is kept
    law: Floats  # [results, lanes] how likely each result is to be scored


def desk_for(results: int, combinations: int, casts: int, lanes: int) -> Desk:
    """Return room to work on cards, in rows of an odd number of cache lines.

    Rows that begin a power of two apart would push each other out of the first cache.
    """
    wide = 8 * (-(-lanes // 8) | 1)
    few, many = (results, wide), (combinations, wide)
    return Desk(
        np.empty(few),
        np.zeros(few, np.int8),
        np.empty(few),
        np.empty(many),
        np.empty(many),
        np.zeros((max(1, casts - 1), *many), np.int16),
        np.empty(few),
    )


@inlined
def mode_of(rules: CardArrays, card: int, result: int) -> int:
    """Return how a result may be scored on a card."""
    special = rules.special_of[result]
    return rules.modes[card, special] if special >= 0 else 0


@inlined
def after_scores(
    card: int,
    mark: int,
    lanes: int,
    wish: Floats,
    ahead: Floats,
    rules: CardArrays,
    paid: Floats,
    taken: NDArray[np.int8],
) -> None:
    """Fill ``paid[result, lane]`` with the best that is hoped for, and which box that takes."""
    last = rules.enough
    for result in range(paid.shape[0]):
        mode = mode_of(rules, card, result)
        for lane in range(lanes):
            paid[result, lane] = -np.inf
        for box in range(rules.counts.size):
            score = rules.score[mode, box, result]
            if card >> box & 1 or score < 0:
                continue
            then = ahead[card | 1 << box, mark | rules.marks[box, result]]
            step = min(rules.counts[box] * score, last)
            gain = wish[mode, box, result] + rules.extra[mark, mode, result]
            for lane in range(min(lanes, last - step)):
                hoped = gain + then[lane + step]
                is_more = hoped > paid[result, lane]
                paid[result, lane] = hoped if is_more else paid[result, lane]
                taken[result, lane] = box if is_more else taken[result, lane]
            for lane in range(last - step, lanes):  # enough, by this box or before
                hoped = gain + then[last] + (rules.bonus if lane < last else 0)
                if hoped > paid[result, lane]:
                    paid[result, lane] = hoped
                    taken[result, lane] = box


@inlined
def fill(rows: Floats, values: Floats, lanes: int) -> None:
    """Copy what each result is paid to where the combinations of all dice stand."""
    full = values.shape[0] - rows.shape[0]
    for result in range(rows.shape[0]):
        for lane in range(lanes):
            values[full + result, lane] = rows[result, lane]


@inlined
def play_round(paid: Floats, values: Floats, lanes: int, dice: Casting) -> None:
    """Leave in ``values[0]`` what a round is worth that is paid so, in some lanes."""
    for cast in range(dice.casts):
        fill(paid, values, lanes)
        if cast:
            best_of_kept(values, dice.down, lanes)
        mean_of_cast(values, dice.up, dice.chance, lanes)


@inlined
def best_scores(
    card: int, mark: int, lanes: int, known: Floats, rules: CardArrays, paid: Floats
) -> None:
    """Fill ``paid[result, lane]`` with the best that a card leads to, its gain included."""
    last = rules.enough
    for result in range(paid.shape[0]):
        mode = mode_of(rules, card, result)
        for lane in range(lanes):
            paid[result, lane] = -np.inf
        for box in range(rules.counts.size):
            score = rules.score[mode, box, result]
            if card >> box & 1 or score < 0:
                continue
            then = known[card | 1 << box, mark | rules.marks[box, result]]
            step = min(rules.counts[box] * score, last)
            gain = float(score + rules.extra[mark, mode, result])
            for lane in range(min(lanes, last - step)):
                one, other = paid[result, lane], gain + then[lane + step]
                paid[result, lane] = one if one > other else other
            enough = gain + then[last]
            for lane in range(last - step, min(lanes, last)):  # this box brings the bonus
                paid[result, lane] = max(paid[result, lane], enough + rules.bonus)
            if lanes > last:  # the bonus was there before
                paid[result, last] = max(paid[result, last], enough)


@jit
def solve_cards(
    cards: Cards,
    lanes: Cards,
    marks: Cards,
    known: Floats,
    rules: CardArrays,
    dice: Casting,
    desk: Desk,
) -> None:
    """Fill ``known[card, mark, lane]`` for some cards from those with one more box filled.

    `lanes` and `marks` say how many of each a card may have. ``[cards]``
    """
    for place in range(cards.size):
        card = cards[place]
        for mark in range(marks[place]):
            best_scores(card, mark, lanes[place], known, rules, desk.paid)
            play_round(desk.paid, desk.values, lanes[place], dice)
            for lane in range(lanes[place]):
                known[card, mark, lane] = desk.values[0, lane]


@inlined
def true_scores(
    card: int,
    mark: int,
    lanes: int,
    known: Floats,
    rules: CardArrays,
    taken: NDArray[np.int8],
    paid: Floats,
) -> None:
    """Fill ``paid[result, lane]`` with what the box that is taken leads to, its gain included."""
    last = rules.enough
    for result in range(paid.shape[0]):
        mode = mode_of(rules, card, result)
        for lane in range(lanes):
            box = taken[result, lane]
            score = rules.score[mode, box, result]
            then = min(last, lane + rules.counts[box] * score)
            gain = score + rules.extra[mark, mode, result]
            gain += rules.bonus if then == last and lane < last else 0
            paid[result, lane] = (
                gain + known[card | 1 << box, mark | rules.marks[box, result], then]
            )


@jit
def follow_cards(
    cards: Cards,
    lanes: Cards,
    marks: Cards,
    known: Floats,
    wish: Floats,
    ahead: Floats,
    rules: CardArrays,
    dice: Casting,
    desk: Desk,
) -> None:
    """Fill ``known[card, mark, lane]`` for some cards with what a way to play brings."""
    paid, hopes, values, kept = desk.paid, desk.hopes, desk.values, desk.kept[0]
    for place in range(cards.size):
        card, many = cards[place], lanes[place]
        for mark in range(marks[place]):
            after_scores(card, mark, many, wish, ahead, rules, desk.hoped, desk.taken)
            true_scores(card, mark, many, known, rules, desk.taken, paid)
            for cast in range(dice.casts):
                fill(desk.hoped, hopes, many)
                if cast:
                    take_best_of_kept(hopes, kept, dice.down, many)
                    full = dice.up.shape[0]
                    for row in range(full, values.shape[0]):
                        for lane in range(many):
                            if kept[row, lane] < full:
                                values[row, lane] = values[kept[row, lane], lane]
                            else:
                                values[row, lane] = paid[row - full, lane]
                else:
                    fill(paid, values, many)
                mean_of_cast(hopes, dice.up, dice.chance, many)
                mean_of_cast(values, dice.up, dice.chance, many)
            for lane in range(many):
                known[card, mark, lane] = values[0, lane]


@jit
def follow_law(
    card: int,
    mark: int,
    lanes: int,
    wish: Floats,
    ahead: Floats,
    rules: CardArrays,
    dice: Casting,
    desk: Desk,
) -> None:
    """Fill the desk's `law` with how likely a way to play is to score each result on a card.

    What it keeps after each cast and which boxes it fills are left there as well; the last decision
    comes first.
    """
    hoped, taken, hopes, kept = desk.hoped, desk.taken, desk.hopes, desk.kept
    reach, law, full = desk.values, desk.law, dice.up.shape[0]
    after_scores(card, mark, lanes, wish, ahead, rules, hoped, taken)
    for cast in range(dice.casts - 1):
        fill(hoped, hopes, lanes)
        if cast:
            take_best_of_kept(hopes, kept[cast - 1], dice.down, lanes)
        mean_of_cast(hopes, dice.up, dice.chance, lanes)
    if dice.casts > 1:
        fill(hoped, hopes, lanes)
        take_best_of_kept(hopes, kept[dice.casts - 2], dice.down, lanes)
    for row in range(reach.shape[0]):
        for lane in range(lanes):
            reach[row, lane] = 1.0 if row == 0 else 0.0
    for cast in range(dice.casts):
        spread_by_cast(reach, dice.up, dice.chance, lanes)
        if cast == dice.casts - 1:
            break
        chosen = kept[dice.casts - 2 - cast]
        for row in range(full, reach.shape[0]):
            for lane in range(lanes):
                if chosen[row, lane] < full:
                    reach[chosen[row, lane], lane] += reach[row, lane]
                    reach[row, lane] = 0.0
    for result in range(law.shape[0]):
        for lane in range(lanes):
            law[result, lane] = reach[full + result, lane]


@jit
def push_law(
    card: int,
    mark: int,
    lanes: int,
    rules: CardArrays,
    desk: Desk,
    together: Floats,
    mass: Floats,
    here: int,
    width: int,
    used: int,
    first: Cards,
    widths: Cards,
    then: Floats,
    least: float,
) -> float:
    """Add the chances of all scores so far on a card to those of the cards it leads to.

    ``mass[here + lane * width + w]`` is the chance of a card with ``lane + w`` points so far, for
    `w` below `used`; `first` and `widths` tell the same of the next cards, ``[cards * marks]``.
    `together` is ``[boxes, scores, 2]``, all 0, and so it is left. What is less than `least` in all
    is left out: the chance of that is returned.
    """
    last, lost, again = rules.enough, 0.0, 0
    law, taken = desk.law, desk.taken
    for mode in range(rules.extra.shape[1]):
        for result in range(rules.extra.shape[2]):
            again = max(again, rules.extra[mark, mode, result])
    for lane in range(lanes):
        row = here + lane * width
        total = 0.0
        for w in range(used):
            total += mass[row + w]
        if total < least:
            lost += total
            continue
        for result in range(law.shape[0]):
            if law[result, lane] > 0.0:
                mode, box = mode_of(rules, card, result), taken[result, lane]
                has = 1 if rules.extra[mark, mode, result] else 0
                together[box, rules.score[mode, box, result], has] += law[result, lane]
        for box in range(together.shape[0]):
            for score in range(together.shape[1]):
                for has in range(2):
                    share = together[box, score, has]
                    if share == 0.0:
                        continue
                    together[box, score, has] = 0.0
                    to = min(last, lane + rules.counts[box] * score)
                    gain = score + has * again
                    gain += rules.bonus if to == last and lane < last else 0
                    marked = mark
                    for result in range(law.shape[0]):
                        if rules.marks[box, result] and rules.score[0, box, result] == score:
                            marked = 1
                            break
                    next_card = (card | 1 << box) * rules.extra.shape[0] + marked
                    shift = gain - (to - lane)
                    into = first[next_card] + to * widths[next_card]
                    for w in range(used):
                        then[into + shift + w] += share * mass[row + w]
    return lost
