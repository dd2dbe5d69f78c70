"""What a strategy earns, and where it leads: the two equations of a fate, one for each way in time.

Backwards (Kolmogorov; the study says strat-moy): the worth of having kept k after j casts is the
mean over the next throw and over the decision of the strategy, equation (38). Forwards
(Fokker-Planck): the chance of having kept k after j casts, equation (37). The two are adjoint, so

    <v_j, rho_j> + what rounds that ended earlier were paid

is the same number after every cast: (40). ``duality`` gives it for each.

Source: Albarède, "Fate stochastic management and policy benchmark in 421", section 3.

>>> from dicelab.rounds import Round, evaluate, presence, ratchet
>>> plan = ratchet(Round(), "111")
>>> evaluate(plan, "goal:111").value
Fraction(753571, 10077696)
>>> [str(chance) for chance in presence(plan).live_dice(2)]     # no die left ... three dice left
['1331/46656', '3025/15552', '6875/15552', '15625/46656']
"""

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from dicelab.core.arrays import Numbers
from dicelab.core.lazy import lazy
from dicelab.errors import RulesError
from dicelab.rounds.combinations import Combination
from dicelab.rounds.induction import backwards, chances_of, check_exact
from dicelab.rounds.rules import Round
from dicelab.rounds.strategies import RoundStrategy
from dicelab.rounds.utilities import AnyUtility, Utility, utility

ZERO = Fraction(0)
LONGEST_SHARE = 1_000
"""Bits of a common denominator of chances beyond which fractions are the shorter numbers."""


@dataclass(frozen=True, eq=False)
class Evaluation:
    """What every position is worth to a strategy, exact."""

    strategy: RoundStrategy
    utility: Utility
    numerators: tuple[Numbers, ...]
    """The worth of each kept combination after 0, 1 ... casts, over ``scales``: ``[kept]``."""
    scales: tuple[int, ...]

    @property
    def value(self) -> Fraction:
        """What the strategy earns on average."""
        return self.value_of(0, 0)

    def value_of(self, kept: Combination, cast: int) -> Fraction:
        """Return what a kept combination is worth to the strategy after so many casts."""
        number = self.strategy.game.numbers.number(kept)
        return Fraction(self.numerators[cast][number]) / self.scales[cast]

    @lazy
    def worths(self) -> tuple[Numbers, ...]:
        """The worth of each kept combination after 0, 1 ... casts: ``[kept]``."""
        rows = zip(self.numerators, self.scales, strict=True)
        return tuple(
            np.array([Fraction(number) / scale for number in row], dtype=object)
            for row, scale in rows
        )


@dataclass(frozen=True, eq=False)
class Presence:
    """How likely a strategy is to be anywhere, exact."""

    strategy: RoundStrategy
    kept: tuple[Numbers, ...]
    """The chance of each kept combination in play after 0, 1 ... casts: ``[kept]``."""
    ended: tuple[Numbers, ...]
    """The chance that the round ended just then with each result: ``[combinations]``."""
    tables: tuple[Numbers, ...]
    """The chance of each table after cast 1, 2 ...: ``[tables]``."""

    def result(self, cast: int | None = None) -> Numbers:
        """Return the chance of each result, of rounds ending with one cast or of all."""
        rows = self.ended if cast is None else [self.ended[cast]]
        return np.asarray(sum(rows, np.full(len(self.ended[0]), ZERO)))

    def result_of(self, result: Combination, cast: int | None = None) -> Fraction:
        """Return the chance of one result."""
        numbers = self.strategy.game.numbers
        place = numbers.number(result, dice=numbers.dice) - numbers.full.start
        return Fraction(self.result(cast)[place])

    def live_dice(self, cast: int) -> list[Fraction]:
        """Return the chance that 0, 1 ... dice are left to throw after so many casts."""
        numbers = self.strategy.game.numbers
        law = [ZERO] * (numbers.dice + 1)
        for number in np.flatnonzero(self.kept[cast]):
            law[numbers.dice - int(numbers.sizes[number])] += self.kept[cast][number]
        law[0] += sum((sum(row, ZERO) for row in self.ended[: cast + 1]), ZERO)
        return law


def evaluate(strategy: RoundStrategy, worth: AnyUtility) -> Evaluation:
    """Return what a strategy earns against a utility, for which it need not be the best."""
    game = strategy.game
    ours, matrices = utility(worth, game), game.matrices

    def decided(cast: int, row: Numbers) -> tuple[Numbers, int]:
        shares, whole = _whole_shares(strategy.chances[cast - 1])
        return _spread(shares, row, matrices.option, matrices.start), whole

    return Evaluation(strategy, ours, *backwards(game, ours, decided))


def _whole_shares(chances: Numbers) -> tuple[Numbers, int]:
    """Return chances as whole numbers over one denominator, or as they are where that is long."""
    every = {chance: chance.denominator for chance in set(chances.tolist())}
    whole = math.lcm(*every.values())
    if whole.bit_length() > LONGEST_SHARE:
        return chances, 1
    whole_of = {chance: int(chance * whole) for chance in every}
    return np.array([whole_of[chance] for chance in chances.tolist()], dtype=object), whole


def _spread(
    chances: Numbers, row: Numbers, option: NDArray[np.int64], start: NDArray[np.int64]
) -> Numbers:
    """Return the mean worth of the decision at each table, without touching the zeros."""
    tables = np.full(len(start) - 1, 0, dtype=object)
    used = np.flatnonzero(chances)
    of = np.searchsorted(start, used, side="right") - 1
    first = np.flatnonzero(np.diff(of, prepend=-1))
    tables[of[first]] = np.add.reduceat(chances[used] * row[option[used]], first)
    return tables


def presence(strategy: RoundStrategy) -> Presence:
    """Return how likely a strategy is to meet each table, keep each combination and end where."""
    game = strategy.game
    check_exact(game)
    full = game.numbers.full
    row = np.full(len(game.numbers), ZERO)
    row[0] = Fraction(1)
    kept, ended, tables = [row], [np.full(len(full), ZERO)], []
    for cast in range(1, game.casts + 1):
        met = thrown_from(game, row)
        row = decided_at(game, met, strategy.chances[cast - 1])
        ended.append(row[full.start :].copy())
        row[full.start :] = ZERO
        kept.append(row)
        tables.append(met)
    return Presence(strategy, tuple(kept), tuple(ended), tuple(tables))


def thrown_from(game: Round, kept: Numbers) -> Numbers:
    """Return the chance of each table one throw after these chances of what is kept."""
    matrices = game.matrices
    met = np.full(len(matrices.shows), ZERO)
    here = np.flatnonzero(kept[matrices.caster])
    thrown = chances_of(game)[here] * kept[matrices.caster[here]]
    np.add.at(met, matrices.table[here], thrown)
    return met


def decided_at(game: Round, met: Numbers, chances: Numbers) -> Numbers:
    """Return the chance of what is kept after these tables, decided with these chances."""
    matrices = game.matrices
    used = np.flatnonzero((chances != 0) & (met[matrices.of] != 0))
    kept = np.full(len(game.numbers), ZERO)
    np.add.at(kept, matrices.option[used], chances[used] * met[matrices.of[used]])
    return kept


def duality(strategy: RoundStrategy, worth: AnyUtility) -> list[Fraction]:
    """Return <u, rho> after 0, 1 ... casts: the same number each time."""
    found, where = evaluate(strategy, worth), presence(strategy)
    paid, products = ZERO, []
    for cast in range(strategy.game.casts + 1):
        if cast:
            paid += sum(where.ended[cast] * found.utility.at(cast), ZERO)
        products.append(paid + sum(where.kept[cast] * found.worths[cast], ZERO))
    return products


def galton_watson(game: Round, face: int, cast: int) -> list[Fraction]:
    """Return the law (56) of the dice left to throw on the way to all dice showing one face.

    Each die is left with the chance q = 1 - p after a cast, whatever the others do, so after j
    casts (j < J) their number is binomial: C(D, d) q**(j d) (1 - q**j)**(D - d).
    """
    if face not in game.die.faces:
        raise RulesError(
            f"the die has no face {face}: its faces are {', '.join(map(str, game.die.faces))}"
        )
    if not 0 <= cast < game.casts:
        raise RulesError(
            f"the law (56) holds before the last cast, from 0 to {game.casts - 1}: got cast={cast}"
        )
    left = (1 - dict(game.die)[face]) ** cast
    return [
        math.comb(game.dice, live) * left**live * (1 - left) ** (game.dice - live)
        for live in range(game.dice + 1)
    ]
