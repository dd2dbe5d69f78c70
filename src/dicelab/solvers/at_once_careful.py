"""Mixtures at once that hold where no best ones exist, in rationals.

There need not be a best mixture at all, only ever better ones (Everett): to stay may look as good
as to go on, and is worth only an even share, 0, if nobody ever goes on. Values W with

    val A(W) > W where W > 0,       val A(W) >= W elsewhere

are guaranteed by mixtures that are best for W (Everett 1957, theorem 2). The *careful* solution has
such W: every step from a position worth more than 0 ends the game, at 0, with a tiny chance. It is
found for who looks and for the other player alike, each from his own side.

"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from dicelab.core.arrays import Numbers
from dicelab.solvers.at_once_exact import (
    ONE,
    ZERO,
    Mixed,
    RationalGame,
    Settled,
    best_mixtures,
    components,
    decided,
    shortened,
    whole_shares,
)

ENDING = Fraction(1, 2**160)
"""The chance that a careful step ends the game."""
FAR = (Fraction(2), *(1 - Fraction(1, 2**bits) for bits in (64, 32, 16, 8, 4, 2)))
"""Parts of a step of Newton's that are tried: twice as far is right for a double root."""
TINY = Fraction(1, 2**120)
"""Shares below this are there only because careful steps may end the game."""
ENOUGH = Fraction(1, 2**150)
"""Values that rise by less are left as they are."""
MOST_STEPS = 300


def settle_carefully(game: RationalGame, ends: Numbers) -> Settled:
    """Return values that hold and mixtures that are sure of about as much, for every position."""
    value, kept = ends.copy(), dict[int, Numbers]()
    for low, high, leads_back in components(game):
        found = _carefully(game, value, low, high) if leads_back else []
        for here, each in zip(range(low, high), found, strict=False):
            kept[here] = each.mine
        if not leads_back:
            found = [best_mixtures(game.matrix(value, low))]
            value[low:high] = game.pinned((shortened(each.value) for each in found), low)
    # To wait is no harm to who would lose, so that what the other is sure of tells more there.
    nothing = 0 * value
    most = np.minimum(-value[game.mirror], nothing)
    value = np.where(value > 0, value, np.maximum(value, most))
    chances = np.full(int(game.move_first[-1]), ZERO, object)
    for low, high, leads_back in components(game):
        found = _tilted(game, value, low, high)
        for here, each in zip(range(low, high), found, strict=True):
            mine = each.mine
            if leads_back:  # where one would lose, what is next to never played is never played
                sure = value[here] > 0
                mine = kept[here] if sure else np.where(mine < TINY, 0 * mine, mine)
            chances[game.rows(here)] = whole_shares(mine)
        if not leads_back:
            value[low:high] = game.pinned((shortened(each.value) for each in found), low)
    return Settled(value, chances)


def _carefully(game: RationalGame, value: Numbers, low: int, high: int) -> list[Mixed]:
    """Return careful mixtures of a component: values from below that always hold.

    Given W that hold, Newton's method leads to others, also twice as far. What does not hold is not
    taken; then who looks keeps to what is best for W, and the other's best reply to that gives the
    next W, which hold and are never lower (Hoffman and Karp).
    """
    value[low:high] = ZERO
    found = _tilted(game, value, low, high)
    value[low:high] = _replied(game, value, found, low, high)
    for _ in range(MOST_STEPS):
        before, found = value[low:high].copy(), _tilted(game, value, low, high)
        risen = _risen(game, value, found, low, high)
        value[low:high] = _replied(game, value, found, low, high) if risen is None else risen
        if sum(value[low:high] - before) <= ENOUGH:
            break
    return found


def _tilted(game: RationalGame, value: Numbers, low: int, high: int) -> list[Mixed]:
    """Return what is best for values that count less, by very little, where play stays inside.

    Of mixtures that are as good, this takes one that does not depend on who waits longer.
    """
    less = value.copy()
    less[low:high] *= 1 - ENDING
    return [best_mixtures(game.matrix(less, here)) for here in range(low, high)]


def _risen(
    game: RationalGame, value: Numbers, found: list[Mixed], low: int, high: int
) -> Numbers | None:
    """Return values above those that hold, where Newton's method finds such that hold as well."""
    found_values = decided(game, value, found, _ends([each.value for each in found]), low, high)
    if found_values is None:
        return None
    before = value[low:high].copy()
    for far in FAR:
        trial = value.copy()
        steps = (
            shortened(now + far * (then - now))
            for now, then in zip(before, found_values, strict=True)
        )
        trial[low:high] = game.pinned(steps, low)
        if (trial[low:high] < before).any() or sum(trial[low:high] - before) <= ENOUGH:
            return None
        there = [best_mixtures(game.matrix(trial, here)) for here in range(low, high)]
        aims = [
            each.value * (1 - end)
            for each, end in zip(there, _ends([each.value for each in there]), strict=True)
        ]
        if (game.pinned(aims, low) >= trial[low:high]).all():
            return trial[low:high]
    return None


def _ends(values: list[Fraction]) -> list[Fraction]:
    """Return the chance that a careful step ends the game, for each position."""
    return [ENDING if each > 0 else ZERO for each in values]


def _replied(
    game: RationalGame, value: Numbers, found: list[Mixed], low: int, high: int
) -> Numbers:
    """Return what the mixtures of who looks are sure of in a component, by policy iteration."""
    places, trial = range(low, high), value.copy()
    ends = _ends([each.value for each in found])
    fixed = [whole_shares(each.mine) for each in found]
    choice = [
        int(np.argmin(mine @ game.matrix(value, here)))
        for here, mine in zip(places, fixed, strict=True)
    ]
    for _ in range(MOST_STEPS):
        both = []
        for mine, move, each in zip(fixed, choice, found, strict=True):
            yours = np.full(each.yours.size, ZERO, object)
            yours[move] = ONE
            both.append(Mixed(ZERO, mine, yours))
        found_values = decided(game, trial, both, ends, low, high)
        assert found_values is not None
        trial[low:high] = game.pinned(found_values, low)
        then = _ends(found_values)
        ends, changed = then, then != ends
        for place, here in enumerate(places):
            worth = fixed[place] @ game.matrix(trial, here)
            least = int(np.argmin(worth))
            if worth[least] < worth[choice[place]]:
                choice[place], changed = least, True
        if not changed:
            break
    return game.pinned(map(shortened, trial[low:high].tolist()), low)
