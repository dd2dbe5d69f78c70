"""Games at once in rationals: what floats found made exact, or brought as close as one likes.

A position that never comes back to itself takes one matrix game in rationals. Where positions lead
back, T V = val A(V) has polynomial equations, and their root need not be rational. Floats tell
which moves are mixed; Newton's method in long fractions then gives V to as many digits as wanted.
If simple fractions close to it solve the equations, the values are these, exactly.

Nothing here has to be trusted: mixtures prove themselves by the best reply to them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from dicelab.core.arrays import Array, Bools, Floats, Ints, Numbers
from dicelab.core.jit import interpreted
from dicelab.solvers.arrays import MarkovGame
from dicelab.solvers.matrix_game import equalise, matrix_game
from dicelab.solvers.sweep import eliminate

BITS = 256
"""Binary digits to which values that are no simple fractions are worked out."""
CLOSE = Fraction(1, 2 ** (BITS - 24))
"""How far T V may be from V."""
MOST_TURNS = 60
"""Steps of Newton's method at a position that stays where it is."""
MOST_IN_A_ROW = 5
"""Steps without coming closer after which a component is left as it is."""
MOST_SIMPLE = 2 ** (BITS // 3)
"""Denominators up to which a value is looked for among the fractions."""
USED = 1e-9
"""Shares of moves above this are taken to be used."""
ZERO, ONE = Fraction(0), Fraction(1)


@dataclass(frozen=True, eq=False)
class RationalGame:
    """A game at once as rationals read it; `arrays` has a row for each pair of moves."""

    arrays: MarkovGame
    move_first: Ints  # [positions + 1] the first move of who looks
    mirror: Ints  # [positions]
    reward: Numbers  # [pairs] rationals; [0] where nothing is gained

    def matrix(self, value: Numbers, here: int) -> Array:
        """Return what each pair of moves at a position brings who looks."""
        arrays = self.arrays
        begin, end = int(arrays.move_first[here]), int(arrays.move_first[here + 1])
        firsts = arrays.outcome_first[begin : end + 1]
        outcomes = slice(int(firsts[0]), int(firsts[-1]))
        chances = np.array(arrays.chances, object)[arrays.kind[outcomes]]
        worth = np.add.reduceat(chances * value[arrays.target[outcomes]], firsts[:-1] - firsts[0])
        if self.reward.size:
            worth = worth + self.reward[begin:end]
        return worth.reshape(int(self.move_first[here + 1] - self.move_first[here]), -1)

    def targets(self, here: int) -> Ints:
        """Return where play may go from a position."""
        first, arrays = self.arrays.outcome_first, self.arrays
        begin, end = arrays.move_first[here], arrays.move_first[here + 1]
        return arrays.target[first[begin] : first[end]]

    def pinned(self, values: Iterable[Fraction], low: int) -> Numbers:
        """Return values from position `low` on, an even share where both see the same."""
        placed = enumerate(values, low)
        return np.array([ZERO if self.mirror[at] == at else each for at, each in placed], object)

    def rows(self, here: int) -> slice:
        """Return the moves of who looks at a position."""
        return slice(int(self.move_first[here]), int(self.move_first[here + 1]))


class Mixed(NamedTuple):
    """Mixtures of both at a position, and what they are worth there."""

    value: Fraction
    mine: Numbers
    yours: Numbers


class Settled(NamedTuple):
    """Values and mixtures in rationals."""

    value: Numbers  # [positions]
    share: Numbers  # [moves] the chance of each move of who looks


def settle_exactly(game: RationalGame, ends: Numbers, near: Floats, share: Floats) -> Settled:
    """Return values and mixtures of every position; `ends` [positions] is what the ends are worth.

    `near` and `share` are what floats found.
    """
    value, known = ends.copy(), ~game.arrays.is_ongoing
    chances = np.full(int(game.move_first[-1]), ZERO, object)
    for low, high, leads_back in components(game):
        if leads_back:
            found, exact = _lead_back(game, value, near, share, low, high, known)
        else:
            found, exact = [best_mixtures(game.matrix(value, low))], True
        for here, each in zip(range(low, high), found, strict=True):
            sure = exact and known[_beyond(game, here, low, high)].all()
            value[here] = each.value if sure else shortened(each.value)
            chances[game.rows(here)] = each.mine if sure else whole_shares(each.mine)
            known[here] = sure or game.mirror[here] == here
        value[low:high] = game.pinned(value[low:high], low)
    return Settled(value, chances)


def components(game: RationalGame) -> Iterator[tuple[int, int, bool]]:
    """Yield where each component with choices begins and ends, and whether it leads back."""
    arrays = game.arrays
    for c in range(arrays.cuts.size):
        low, high = (int(each) for each in arrays.component_first[c : c + 2])
        leads_back = bool(arrays.cuts[c])
        if leads_back:
            yield low, high, True
        elif arrays.is_ongoing[low:high].any():
            yield from ((here, here + 1, False) for here in range(low, high))


def _beyond(game: RationalGame, here: int, low: int, high: int) -> Ints:
    """Return where play may go from a position beyond its component."""
    targets = game.targets(here)
    return targets[(targets < low) | (targets >= high)]


def best_mixtures(matrix: Array) -> Mixed:
    found = matrix_game(matrix, exact=True)
    return Mixed(Fraction(found.value), found.rows, found.columns)


def shortened(number: Fraction) -> Fraction:
    """Return a number to so many binary digits, rounded down."""
    return Fraction((number.numerator << BITS) // number.denominator, 1 << BITS)


def whole_shares(mixture: Numbers) -> Numbers:
    """Return a mixture in chances of so many digits, what is cut off given to the likeliest."""
    if all(share.denominator.bit_length() <= BITS for share in mixture) and sum(mixture) == 1:
        return mixture
    cut = np.array([shortened(share) for share in mixture], object)
    cut[int(np.argmax(cut))] += ONE - cut.sum()
    return cut


def _lead_back(
    game: RationalGame,
    value: Numbers,
    near: Floats,
    share: Floats,
    low: int,
    high: int,
    known: Bools,
) -> tuple[list[Mixed], bool]:
    """Return mixtures of a component whose positions lead back, and whether they are exact."""
    value[low:high] = game.pinned(map(Fraction, near[low:high].tolist()), low)
    found = _newton(game, value, share, low, high)
    if all(known[_beyond(game, here, low, high)].all() for here in range(low, high)):
        close = value[low:high].copy()
        simple = _simply(game, value, share, low, high)
        if simple is not None:
            return simple, True
        value[low:high] = close
    return found, False


def _newton(game: RationalGame, value: Numbers, share: Floats, low: int, high: int) -> list[Mixed]:
    """Improve the values of a component until T V is as close to V as it gets; return mixtures."""
    best: tuple[Fraction, Numbers, list[Mixed]] | None = None
    since, nowhere = 0, [ZERO] * (high - low)
    while since < MOST_IN_A_ROW:
        found = [_mixed(game, value, share, here) for here in range(low, high)]
        aims = game.pinned((each.value for each in found), low)
        away = max(abs(aim - now) for aim, now in zip(aims, value[low:high], strict=True))
        since += 1
        if best is None or away < best[0]:
            best, since = (away, value[low:high].copy(), found), 0
        if away <= CLOSE:
            break
        closer = decided(game, value, found, nowhere, low, high)
        value[low:high] = game.pinned(map(shortened, closer or aims.tolist()), low)
    assert best is not None
    value[low:high] = best[1]
    return best[2]


def _mixed(game: RationalGame, value: Numbers, share: Floats, here: int) -> Mixed:
    """Return mixtures at a position: the best ones, or of the moves that floats use."""
    matrix = game.matrix(value, here)
    mine = np.flatnonzero(share[game.rows(here)] > USED)
    yours = np.flatnonzero(share[game.rows(int(game.mirror[here]))] > USED)
    if mine.size != yours.size:
        return best_mixtures(matrix)
    sides = []
    for A, rows, columns in ((matrix, mine, yours), (matrix.T, yours, mine)):
        size = rows.size
        room = np.full((size + 1, size + 2), ZERO, object)
        if not interpreted(equalise)(A, rows, columns, size, room, ONE, ZERO):
            return best_mixtures(matrix)
        mixture = np.full(A.shape[1], ZERO, object)
        mixture[columns] = room[:size, size + 1]
        if (mixture < 0).any():
            return best_mixtures(matrix)
        sides.append(mixture)
    return Mixed(sides[1] @ matrix @ sides[0], sides[1], sides[0])


def _simply(
    game: RationalGame, value: Numbers, share: Floats, low: int, high: int
) -> list[Mixed] | None:
    """Return mixtures for simple fractions near the values, where these solve the equations."""
    value[low:high] = [each.limit_denominator(MOST_SIMPLE) for each in value[low:high]]
    found = [_mixed(game, value, share, here) for here in range(low, high)]
    for here, each in zip(range(low, high), found, strict=True):
        matrix, worth = game.matrix(value, here), value[here]
        if (each.mine @ matrix < worth).any() or (matrix @ each.yours > worth).any():
            return None
    return found


def decided(
    game: RationalGame,
    value: Numbers,
    found: list[Mixed],
    ends: list[Fraction],
    low: int,
    high: int,
) -> list[Fraction] | None:
    """Return the values of the chain that the mixtures leave in a component; None if it fails."""
    arrays, size = game.arrays, high - low
    system = np.full((size, size), ZERO, object)
    right = np.full(size, ZERO, object)
    leaves = np.array([bool(end) for end in ends])
    for row, (here, each, end) in enumerate(zip(range(low, high), found, ends, strict=True)):
        weights = np.multiply.outer(whole_shares(each.mine), whole_shares(each.yours)).ravel()
        begin = int(arrays.move_first[here])
        for place in np.flatnonzero(weights != 0).tolist():
            pair, weight = begin + place, weights[place] * (1 - end)
            if game.reward.size:
                right[row] += weight * game.reward[pair]
            for o in range(arrays.outcome_first[pair], arrays.outcome_first[pair + 1]):
                part, to = weight * arrays.chances[arrays.kind[o]], int(arrays.target[o])
                if low <= to < high and game.mirror[to] != to:
                    system[row, to - low] += part
                else:
                    right[row] += part * value[to]
                    leaves[row] = True
    moved = system != 0
    while (more := leaves | (moved @ leaves)).sum() > leaves.sum():
        leaves = more
    inner = np.flatnonzero(leaves)  # elsewhere play cannot end, which is worth 0
    solved, values = right[inner].copy(), np.full(size, ZERO, object)
    matrix = -system[np.ix_(inner, inner)]
    matrix[np.diag_indices(inner.size)] += ONE
    if inner.size and not interpreted(eliminate)(matrix, solved, inner.size):
        return None
    values[inner] = solved
    return list(values)


def settle_staying(
    low: Array, high: Array, stays: Numbers, level: bool
) -> tuple[Fraction, Fraction, Numbers, Numbers]:
    """Return bounds and mixtures of a position that two moves leave where it is by stays x stays.

    `low` and `high` are what pairs of moves bring otherwise, by bounds of what comes later. What x
    is sure of is the least of (x B) / (1 - (x q) q) over the other's moves, q being what stays. At
    a `level` position both look alike, so that its value is 0.
    """
    B, again = (low + high) / 2, np.multiply.outer(stays, stays)
    value, found = ZERO, best_mixtures(B)
    x, y = found.mine, found.yours
    for _ in range(MOST_TURNS if again.any() else 0):
        x, y = whole_shares(found.mine), whole_shares(found.yours)
        then = shortened(x @ B @ y / (1 - (x @ stays) * (y @ stays)))
        if abs(then - value) <= CLOSE:
            break
        value, found = then, best_mixtures(B + then * again)
    if again.any() and (low == high).all():
        simple = value.limit_denominator(MOST_SIMPLE)
        exact = best_mixtures(B + simple * again)
        if exact.value == simple:
            return simple, simple, exact.mine, exact.yours
    least = min(x @ low / (1 - (x @ stays) * stays))
    most = max(high @ y / (1 - (y @ stays) * stays))
    if level:
        return ZERO, ZERO, x, y
    return (least, most, x, y) if least == most else (shortened(least), -shortened(-most), x, y)


def simplest_between(low: Fraction, high: Fraction) -> Fraction:
    """Return the fraction with the least denominator from `low` to `high`, both included.

    >>> simplest_between(Fraction(33, 100), Fraction(34, 100))
    Fraction(1, 3)
    """
    if low == high:
        return low
    if low <= 0 <= high:
        return ZERO
    if high < 0:
        return -simplest_between(-high, -low)
    whole, rest = divmod(low.numerator, low.denominator)
    if rest == 0:
        return Fraction(whole)
    if whole + 1 <= high:
        return Fraction(whole + 1)
    # low = whole + 1/a and high = whole + 1/b with b < a: the simplest of b to a, turned.
    return whole + 1 / simplest_between(1 / (high - whole), 1 / (low - whole))
