"""Cards with their points so far: which of them play may come to, and the best chance of each.

Who plays a card for a chance looks at the points so far as well. From one card, one number that
counts towards the bonus and one mark, all points so far that matter lie in a *window*: fewer cannot
be enough any more, more are enough already, and others do not come up. A window is solved side by
side, some lanes at a time.

Where the bonus is out of reach, or there already, it no longer matters what counts: such cards are
one (`settled`). That, and what can be come to at all, leaves a third of what there would be.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dicelab.core.arrays import Floats
from dicelab.core.jit import inlined, jit
from dicelab.rounds.card_kernels import CardArrays, Cards, Casting, Desk, mode_of, play_round

LANES = 96
"""Points so far that are solved side by side: what is worked on then fits in the second cache."""

Small = NDArray[np.int32]


class Fillings(NamedTuple):
    """Every different way to fill a box, whatever dice it takes. Each ``[fillings]``."""

    special: Small  # which of the special results it takes; -1: any other
    mode: Small  # how that must be scored on the card
    box: Small
    score: Small
    extra: Small  # [marks, fillings]
    marks: Small
    number: Small  # [modes, boxes, results] which of them it is; `fillings`: not open


class Windows(NamedTuple):
    """The chances of cards by their points so far: 0 below a window and 1 from `sure` on."""

    settled: Small  # [cards, counted] the same, or what stands for all that no longer matter
    most: Small  # [cards, marks, counted] the most that the open boxes may bring
    low: Small  # [cards, marks, counted] the fewest points in the window
    high: Small  # [cards, marks, counted] the points that are beyond it
    first: Cards  # [cards, marks, counted] where its chances begin
    sure: int  # points that are enough, or beyond all that the other may have
    chance: Floats  # [all windows]


def fillings_of(rules: CardArrays) -> Fillings:
    """Return every different way to fill a box of a card."""
    modes, boxes, results = rules.score.shape
    mode, box, result = (each.ravel() for each in np.indices((modes, boxes, results)))
    special = rules.special_of[result]
    score = rules.score[mode, box, result]
    open_ = (score >= 0) & ((special >= 0) | (mode == 0))
    extra = rules.extra[:, mode, result]
    rows = np.stack([special, mode, box, score, rules.marks[box, result], *extra])[:, open_]
    every, which = np.unique(rows, axis=1, return_inverse=True)
    special, mode, box, score, marks, *brings = every.astype(np.int32)
    number = np.full(rules.score.size, len(box), np.int32)
    number[open_] = which.ravel()
    told = (special, mode, box, score, np.array(brings), marks)
    return Fillings(*told, number.reshape(rules.score.shape))


@inlined
def is_open(rules: CardArrays, ways: Fillings, card: int, way: int) -> bool:
    """Return whether a box may be filled so on a card."""
    if card >> ways.box[way] & 1:
        return False
    return ways.special[way] < 0 or rules.modes[card, ways.special[way]] == ways.mode[way]


@inlined
def gain_of(rules: CardArrays, ways: Fillings, mark: int, counted: int, way: int) -> int:
    """Return what it brings to fill a box so, the bonus included."""
    reached = counted + rules.counts[ways.box[way]] * ways.score[way]
    bonus = rules.bonus if counted < rules.enough and reached >= rules.enough else 0
    return ways.score[way] + ways.extra[mark, way] + bonus


@jit
def most_to_come(
    cards: Cards, marks: Cards, rules: CardArrays, ways: Fillings, most: Small
) -> None:
    """Fill ``most[card, mark, counted]`` with what open boxes may bring, fullest cards first."""
    for place in range(cards.size):
        card = cards[place]
        for mark in range(marks[card]):
            for way in range(ways.box.size):
                if not is_open(rules, ways, card, way):
                    continue
                box = ways.box[way]
                then = most[card | 1 << box, mark | ways.marks[way]]
                step = rules.counts[box] * ways.score[way]
                for counted in range(rules.enough + 1):
                    gain = gain_of(rules, ways, mark, counted, way)
                    found = gain + then[min(rules.enough, counted + step)]
                    if found > most[card, mark, counted]:
                        most[card, mark, counted] = found


@jit
def reach_windows(
    cards: Cards,
    marks: Cards,
    rules: CardArrays,
    ways: Fillings,
    windows: Windows,
    lowest: int,
) -> None:
    """Widen the windows of all that may follow, emptiest cards first.

    The window of where play begins is given; all others are empty. `lowest` is the least score
    that is worth anything.
    """
    for place in range(cards.size):
        card = cards[place]
        for mark in range(marks[card]):
            for counted in range(rules.enough + 1):
                low, high = windows.low[card, mark, counted], windows.high[card, mark, counted]
                if low >= high:
                    continue
                for way in range(ways.box.size):
                    if not is_open(rules, ways, card, way):
                        continue
                    box, gain = ways.box[way], gain_of(rules, ways, mark, counted, way)
                    then, has = card | 1 << box, mark | ways.marks[way]
                    to = min(rules.enough, counted + rules.counts[box] * ways.score[way])
                    to = windows.settled[then, to]
                    least = max(low + gain, lowest - windows.most[then, has, to])
                    beyond = min(high + gain, windows.sure)
                    if least >= beyond:
                        continue
                    is_new = windows.low[then, has, to] >= windows.high[then, has, to]
                    if is_new or least < windows.low[then, has, to]:
                        windows.low[then, has, to] = least
                    if is_new or beyond > windows.high[then, has, to]:
                        windows.high[then, has, to] = beyond


@inlined
def chances_after(
    card: int,
    mark: int,
    counted: int,
    low: int,
    many: int,
    rules: CardArrays,
    ways: Fillings,
    windows: Windows,
    after: Floats,
) -> None:
    """Fill ``after[way, lane]`` with the chance that is left once a box of a card is filled so.

    The card has ``low + lane`` points so far.
    """
    for way in range(ways.box.size):
        if not is_open(rules, ways, card, way):
            continue
        box, gain = ways.box[way], gain_of(rules, ways, mark, counted, way)
        then, has = card | 1 << box, mark | ways.marks[way]
        to = min(rules.enough, counted + rules.counts[box] * ways.score[way])
        to = windows.settled[then, to]
        shift = low + gain - windows.low[then, has, to]
        place = windows.first[then, has, to] + shift
        sure = min(many, max(0, windows.sure - low - gain))
        begins = min(sure, max(0, -shift))
        for lane in range(begins):
            after[way, lane] = 0.0
        for lane in range(begins, sure):
            after[way, lane] = windows.chance[place + lane]
        for lane in range(sure, many):
            after[way, lane] = 1.0


@inlined
def best_chances(
    card: int, many: int, rules: CardArrays, ways: Fillings, after: Floats, paid: Floats
) -> None:
    """Fill ``paid[result, lane]`` with the best chance that a result leaves on a card.

    Boxes are taken two at a time, the last one twice where their number is odd.
    """
    for result in range(paid.shape[0]):
        mode, waiting, is_first = mode_of(rules, card, result), -1, True
        for box in range(rules.counts.size + 1):
            if box == rules.counts.size:
                if waiting < 0:
                    continue
                one, two = waiting, waiting
            elif card >> box & 1:
                continue
            elif waiting < 0:
                waiting = ways.number[mode, box, result]
                continue
            else:
                one, two, waiting = waiting, ways.number[mode, box, result], -1
            if is_first:
                is_first = False
                for lane in range(many):
                    best, other = after[one, lane], after[two, lane]
                    paid[result, lane] = best if best > other else other
                continue
            for lane in range(many):
                best, other = after[one, lane], after[two, lane]
                best = best if best > other else other
                paid[result, lane] = best if best > paid[result, lane] else paid[result, lane]


@jit
def chance_cards(
    cards: Cards,
    marks: Cards,
    windows: Windows,
    rules: CardArrays,
    ways: Fillings,
    dice: Casting,
    desk: Desk,
    after: Floats,
) -> None:
    """Fill in the chances of some cards from those with one more box filled.

    `after` is room for what each way to fill a box leaves: ``[fillings + 1, lanes]``, all 0.
    """
    for place in range(cards.size):
        card = cards[place]
        for mark in range(marks[card]):
            for counted in range(rules.enough + 1):
                first = windows.first[card, mark, counted]
                low, high = windows.low[card, mark, counted], windows.high[card, mark, counted]
                while low < high:
                    many = min(LANES, high - low)
                    chances_after(card, mark, counted, low, many, rules, ways, windows, after)
                    best_chances(card, many, rules, ways, after, desk.paid)
                    play_round(desk.paid, desk.values, many, dice)
                    for lane in range(many):
                        windows.chance[first + lane] = desk.values[0, lane]
                    low, first = low + many, first + many
