"""Games of one throw a turn: choose how many dice, add their sum, stay within the maximum.

Both scores lie between 0 and m. R(o, p) is what I get when the other player, who has o, is about to
move and I have p. With p points of my own, n dice are worth

    X(n) = sum over t <= m - p of P(n, t) R(o, p + t),

and going bust is worth nothing. Scores only grow, so everything above some score a can be known
before anything at a is asked. One step down then takes two products of matrices: one for all
positions where I have a, one for all where the other player has it (there R(a, p + t) is laid out
as a matrix that depends on p + t alone).

More dice are not always worth asking about. The sum of n fair dice is as likely above its mean as
below, and falls off on both sides; so for t up to the mean P(n + 1, t), an average of P(n, t - 1),
P(n, t - 2), ..., is at most P(n, t). Once the mean of n dice is beyond what fits, every sum that
fits only becomes less likely with more dice, and no rating is negative: n + 1 dice are no better.
For fair dice the tables end there. For loaded ones they go on until every throw is bust.

Every array holds lower and upper bounds; for rationals both are the value itself. The same lines
serve floats and rationals, and one seat or two (players who value the end differently).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from dicelab.core.arrays import Array, Bools, Ints, Numbers, Real
from dicelab.core.jit import jit

ROUNDING = 2.0**-53
NEAR = 1e-11
"""Numbers this close count as tied where the players do not fight over one pot."""
TINY = 1e-290
"""Chances below this count as none: they are lost in rounding, and slow a processor down."""


@dataclass(frozen=True, eq=False)
class Laws:
    """The law of the sum of 0, 1, 2, ... dice, up to the maximum."""

    chance: Numbers  # [dice, sum]
    within: Array  # [dice, sum] the chance of at most that sum
    lowest: int  # the lowest face
    mean: Fraction | None  # the mean of one die, where that limits the dice worth asking about
    counts: tuple[tuple[int, ...], ...]  # [dice, sum] ways to throw each sum

    @property
    def most(self) -> int:
        """The maximum score."""
        return int(self.chance.shape[1]) - 1

    @property
    def is_exact(self) -> bool:
        """Whether chances are rationals."""
        return bool(self.chance.dtype == object)

    def fitting(self, score: int) -> int:
        """Return the largest number of dice worth asking about."""
        room = self.most - score
        fits = room // self.lowest
        return fits if self.mean is None else min(fits, math.ceil(room / self.mean))


def laws_of_sums(
    weights: dict[int, int], every: int, most: int, exact: bool, mean: Fraction | None = None
) -> Laws:
    """Return the laws of sums of dice whose faces have these weights, each rounded only once.

    With `mean`, that of one fair die, they end where more dice are no better.
    """
    lowest = min(weights)
    kind = object if exact else np.float64
    none = np.zeros((1, most + 1), kind)
    dice = Laws(none, none, lowest, mean, ()).fitting(0)
    chance, within = np.zeros((dice + 1, most + 1), kind), np.zeros((dice + 1, most + 1), kind)
    counts = [[1] + [0] * most]
    for n in range(dice + 1):
        total, whole = 0, every**n
        for t, count in enumerate(counts[n]):
            total += count
            # Dividing Python's integers rounds correctly, however long they are.
            chance[n, t] = Fraction(count, whole) if exact else count / whole
            within[n, t] = Fraction(total, whole) if exact else total / whole
        counts.append(_one_more(counts[n], weights))
    if not exact:
        chance[chance < TINY] = 0.0
    return Laws(chance, within, lowest, mean, tuple(map(tuple, counts[: dice + 1])))


def _one_more(law: list[int], weights: dict[int, int]) -> list[int]:
    """Return the weights of each sum with one more die."""
    after = [0] * len(law)
    for face, weight in weights.items():
        for t in range(face, len(law)):
            if law[t - face]:
                after[t] += weight * law[t - face]
    return after


@dataclass(eq=False)
class Ratings:
    """What positions are worth to the player about to move and to the other. `[mine, yours]`"""

    lower: Numbers
    upper: Numbers
    other_lower: Numbers
    other_upper: Numbers
    dice: Ints  # the fewest dice that are best, or cannot be told from the best


def blank(laws: Laws) -> Ratings:
    """Return ratings that are yet to be filled in."""
    shape = (laws.most + 1, laws.most + 1)
    kind = laws.chance.dtype
    zero: Real = Fraction(0) if laws.is_exact else 0.0
    low, high, other_low, other_high = (np.full(shape, zero, kind) for _ in range(4))
    return Ratings(low, high, other_low, other_high, np.zeros(shape, np.int32))


def last_throws(laws: Laws, mine: int, yours: Ints) -> tuple[Numbers, Numbers]:
    """Return the chance to win and to tie with each number of dice. Both `[dice, yours]`."""
    room = laws.most - mine
    gap = yours - mine
    reachable = np.maximum(gap, 0)
    none: Any = Fraction(0) if laws.is_exact else 0.0
    tie = np.where(gap >= 0, laws.chance[:, reachable], none)
    behind = np.where(gap >= 0, laws.within[:, reachable], none)
    win = laws.within[:, [room]] - behind
    return win, tie


def rate_last(laws: Laws, tie: Fraction, other_tie: Fraction, one_pot: bool) -> Ratings:
    """Return the ratings of last turns, in which the game ends with this throw."""
    found = blank(laws)
    yours = np.arange(laws.most + 1)
    kind: type[float] | type[Fraction] = Fraction if laws.is_exact else float
    loss = 0 if laws.is_exact else 8 * ROUNDING
    for mine in range(laws.most + 1):
        win, tied = last_throws(laws, mine, yours)
        own = win + kind(tie) * tied
        rest = kind(1) - win - tied + kind(other_tie) * tied
        own = own[: laws.fitting(mine) + 1]
        here = (mine, slice(None))
        _choose(found, here, own - loss, own + loss, rest - loss, rest + loss, one_pot)
    return found


def exact_rating(laws: Laws, dice: int, gap: int, room: int, tie: Fraction, every: int) -> Fraction:
    """Return the rating of so many dice in a last turn, `gap` behind and with `room` to go."""
    counts = laws.counts[dice]
    wins = sum(counts[max(gap + 1, 0) : room + 1])
    ties = counts[gap] if gap >= 0 else 0
    return (wins + tie * ties) / Fraction(every**dice)


def _choose(
    found: Ratings,
    here: Any,
    low: Numbers,
    high: Numbers,
    rest_low: Numbers | None,
    rest_high: Numbers | None,
    one_pot: bool,
) -> None:
    """Write the best of the options `[dice, positions]` at some positions."""
    one = Fraction(1) if low.dtype == object else 1.0
    lower, upper = low.max(axis=0), high.max(axis=0)
    if one_pot:
        found.lower[here], found.upper[here] = lower, upper
        found.other_lower[here], found.other_upper[here] = one - upper, one - lower
        found.dice[here] = np.asarray(high >= lower, bool).argmax(axis=0)
        return
    # What the choice leaves the other player matters now, so it must not hang on rounding.
    near = 0 if low.dtype == object else NEAR
    fewest = np.asarray(high >= lower - near, bool).argmax(axis=0)
    chosen = (fewest, np.arange(fewest.size))
    found.dice[here] = fewest
    found.lower[here], found.upper[here] = low[chosen], high[chosen]
    assert rest_low is not None
    assert rest_high is not None
    found.other_lower[here], found.other_upper[here] = rest_low[chosen], rest_high[chosen]


def rate_normal(
    laws: Laws,
    last: list[Ratings],
    one_pot: bool,
    progress: Callable[[float], None] | None = None,
) -> list[Ratings]:
    """Return the ratings of ordinary turns, for one seat or two; `last` are those of last turns."""
    seats = len(last)
    found = [blank(laws) for _ in last]
    most = laws.most
    for a in range(most, -1, -1):
        above = np.arange(a + 1, most + 1)
        for seat in range(seats):
            then, end = found[(seat + 1) % seats], last[(seat + 1) % seats]
            if above.size:  # I have a, the other player more: all is known already
                ahead = _Ahead(laws, a, then, (above, slice(a + 1, None)))
                _turn(found[seat], (a, above), ahead, end, above, a, one_pot)
        for seat in range(seats):  # both have a
            then, end = found[(seat + 1) % seats], last[(seat + 1) % seats]
            ahead = _Ahead(laws, a, then, (slice(a, a + 1), slice(a + 1, None)))
            _turn(found[seat], (a, np.array([a])), ahead, end, np.array([a]), a, one_pot)
        for seat in range(seats):  # the other player has a, I have more
            then, end = found[(seat + 1) % seats], last[(seat + 1) % seats]
            if above.size:
                ahead = _Ahead(laws, a, then, above)
                _turn(found[seat], (above, a), ahead, end, a, above, one_pot)
        if progress:
            progress(1 - (a / (most + 1)) ** 4)
    return found


@jit
def product(law: Numbers, after: Numbers, answer: Numbers) -> None:
    """Add law x after to the answer. Most of the law is zero, which a general product ignores."""
    for n in range(law.shape[0]):
        for t in range(law.shape[1]):
            chance = law[n, t]
            if chance != 0.0:
                for position in range(after.shape[1]):
                    answer[n, position] += chance * after[t, position]


class _Ahead:
    """What each number of dice leads to, at many positions at once."""

    def __init__(self, laws: Laws, a: int, then: Ratings, where: Any) -> None:
        self.laws, self.a, self.then, self.where = laws, a, then, where
        self.dice = laws.fitting(a)
        if isinstance(where, tuple):
            self.rooms = np.array([laws.most - a])
        else:
            self.rooms = laws.most - where

    def averages(self, ratings: Numbers) -> Numbers:
        """Return sum over t of P(n, t) x the rating after it, for n from 1. `[dice, positions]`"""
        laws, a, where = self.laws, self.a, self.where
        room = laws.most - a
        law = laws.chance[1 : self.dice + 1, 1 : room + 1]
        if isinstance(where, tuple):
            after = ratings[where].T
        else:
            padded = np.append(ratings[a], np.zeros(laws.most + 1, ratings.dtype))
            after = padded[where[None, :] + np.arange(1, room + 1)[:, None]]
        if laws.is_exact:
            return law @ after
        answer = np.zeros((self.dice, after.shape[1]))
        product(law, np.ascontiguousarray(after), answer)
        return answer

    @property
    def bust(self) -> Array:
        """The chance that each number of dice goes bust. `[dice, positions or 1]`"""
        one = Fraction(1) if self.laws.is_exact else 1.0
        return one - self.laws.within[1 : self.dice + 1][:, self.rooms]

    @property
    def sure_bust(self) -> Bools:
        """Where every one of these throws goes bust. `[dice, positions or 1]`"""
        dice = np.arange(1, self.dice + 1)[:, None]
        return dice * self.laws.lowest > self.rooms[None, :]


def _turn(
    found: Ratings, here: Any, ahead: _Ahead, end: Ratings, yours: Any, mine: Any, one_pot: bool
) -> None:
    """Write the ratings of some positions where I have `mine` and the other player `yours`."""
    laws, then = ahead.laws, ahead.then
    loss = 0 if laws.is_exact else (laws.most + 8) * ROUNDING
    never = -1 if laws.is_exact else -np.inf
    stop = (yours, mine)
    options: list[Any] = []
    rests: list[Any] = []
    for ratings, stopping, sign in (
        (then.other_lower, end.other_lower[stop], -1),
        (then.other_upper, end.other_upper[stop], 1),
    ):
        if laws.is_exact and sign > 0:
            options.append(options[0])
            continue
        thrown = ahead.averages(ratings) + sign * loss
        thrown = np.where(ahead.sure_bust, never, thrown)
        options.append(np.concatenate([np.atleast_2d(stopping), thrown]))
    if one_pot:
        rests = [None, None]
    else:
        for ratings, stopping, sign in (
            (then.lower, end.lower[stop], -1),
            (then.upper, end.upper[stop], 1),
        ):
            thrown = ahead.averages(ratings) + ahead.bust + sign * loss
            rests.append(np.concatenate([np.atleast_2d(stopping), thrown]))
    low, high = options
    rest_low, rest_high = rests
    _choose(found, here, low, high, rest_low, rest_high, one_pot)
