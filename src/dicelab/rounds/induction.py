"""Backward induction: what a round is worth when it is played as well as it can be.

Read from the last cast to the first. With v_j(k) the worth of having kept k after j casts,

    v_J(t) = u_J(t),   m_j(k, t) = max of v_j over what may be kept,   v_{j-1}(k) = E m_j(k, k + e),

where e is the throw of the dice that are not kept. The study calls it max-moy: equations (17),
(20) and (22). A first player may keep everything early and is then paid u_j. A next player must
use every cast, so keeping everything early is not among the choices: (15).

Exact mode works on whole numbers over one denominator for each cast, so nothing is rounded and
nothing is reduced on the way. Floats run the same steps as a product with the cast law and a
maximum over the keep relation, for one utility or for a batch ``[batch, combinations]`` at once.

Source: Albarède, "Fate stochastic management and policy benchmark in 421", section 2.4.

>>> from dicelab.rounds import Round, solve
>>> solve(Round(), "goal:421").value
Fraction(42571, 186624)
>>> solve(Round(), "goal:421", player="next").value
Fraction(24631, 186624)
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dicelab.core.arrays import Bools, Floats, Numbers, Real
from dicelab.core.jit import jit
from dicelab.core.lazy import lazy
from dicelab.errors import RulesError, TooLarge
from dicelab.rounds.combinations import Combination, combinations, short
from dicelab.rounds.rules import Player, Round, check_player, weights_of
from dicelab.rounds.utilities import AnyUtility, Utility, utility
from dicelab.rules.dice import Die

if TYPE_CHECKING:
    from scipy.sparse import csr_array

CHUNK_BYTES = 16 * 2**20
"""How much memory the tables of one piece of a batch take: about what a cache holds."""


@dataclass(frozen=True, eq=False)
class RoundSolution:
    """What every position of a round is worth under best play, and the best decisions."""

    game: Round
    utility: Utility
    player: Player
    exact: bool
    numerators: tuple[Numbers, ...]
    """The worth of each kept combination after 0, 1 ... casts, over ``scales``: ``[kept]``.

    Entries nobody can reach (all dice kept before the first cast, or too early) are 0.
    """
    scales: tuple[int, ...]

    @property
    def value(self) -> Real:
        """What the round is worth before the first cast: a Fraction, or a float within bound."""
        return self.value_of("-", 0)

    @lazy
    def bound(self) -> float:
        """How far the true values can lie from the floats shown; 0 in exact mode.

        Each cast adds up at most as many terms as there are throws, each rounded like its
        chance, and the worths themselves were rounded once.
        """
        if self.exact:
            return 0.0
        terms = len(self.game.numbers.full) + 3
        largest = max(abs(float(worth)) for worth in self.utility.values.flat)
        return (self.game.casts * terms + 1) * float(np.finfo(float).eps) * largest

    def value_of(self, kept: Combination, cast: int) -> Real:
        """Return what a kept combination is worth after so many casts."""
        _check_cast(cast, 0, self.game)
        number = self.game.numbers.number(kept)
        return self._shown(self.numerators[cast][number], cast)

    def worths(self, cast: int) -> Numbers:
        """Return the worth of every kept combination after so many casts: ``[kept]``."""
        row = self.numerators[cast]
        if not self.exact:
            return row
        return np.array([self._shown(number, cast) for number in row], dtype=object)

    def _shown(self, numerator: Real, cast: int) -> Real:
        return Fraction(int(numerator), self.scales[cast]) if self.exact else float(numerator)

    def allowed(self, cast: int) -> Bools:
        """Return which options the rules leave open after a cast: ``[options]``."""
        return allowed(self.game, self.player, cast)

    def best(self, cast: int) -> Bools:
        """Return which options are best after a cast (1, 2 ...), all of them: ``[options]``.

        In floats two options count as equal when their values lie within the bound.
        """
        _check_cast(cast, 1, self.game)
        matrices, row = self.game.matrices, self.numerators[cast]
        best = best_of_tables(self.game, self.player, cast, row)
        # whole numbers must not meet a float here: they may be too long for one
        least = best if self.exact else best - 2 * self.bound
        ours: Bools = row[matrices.option] >= least[matrices.of]
        return np.asarray(ours & self.allowed(cast), dtype=np.bool_)

    def met(self, cast: int) -> Bools:
        """Return which tables best play may meet with a cast, however ties fall: ``[tables]``."""
        _check_cast(cast, 1, self.game)
        matrices = self.game.matrices
        kept = np.zeros(len(self.game.numbers), dtype=bool)
        kept[0] = True
        for before in range(1, cast + 1):
            tables = np.zeros(len(matrices.shows), dtype=bool)
            tables[matrices.table[kept[matrices.caster]]] = True
            if before < cast:
                chosen = self.best(before) & tables[matrices.of]
                kept = np.zeros(len(self.game.numbers), dtype=bool)
                kept[matrices.option[chosen]] = True
        return tables

    def dilemmas(self, cast: int) -> dict[int, list[int]]:
        """Return the tables of best play where several decisions are best, and these decisions."""
        best, met = self.best(cast), self.met(cast)
        matrices = self.game.matrices
        per_table = np.add.reduceat(best, matrices.start[:-1], dtype=np.int64)
        found = {}
        for table in np.flatnonzero((per_table > 1) & met):
            part = slice(int(matrices.start[table]), int(matrices.start[table + 1]))
            found[int(table)] = [int(kept) for kept in matrices.option[part][best[part]]]
        return found


def allowed(game: Round, player: Player, cast: int) -> Bools:
    """Return which options the rules leave open after a cast (1, 2 ...): ``[options]``."""
    matrices = game.matrices
    if cast == game.casts:
        open_ = np.zeros(len(matrices.option), dtype=bool)
        open_[matrices.last] = True
        return open_
    open_ = np.ones(len(matrices.option), dtype=bool)
    if player == "next":
        open_[matrices.last] = False
    return open_


def solve(
    game: Round, worth: AnyUtility, player: Player = "first", *, exact: bool = True
) -> RoundSolution:
    """Return the solution of a round against a utility, for a first or a next player."""
    check_player(player)
    ours = utility(worth, game)
    return _solve_exact(game, ours, player) if exact else _solve_floats(game, ours, player)


def check_exact(game: Round) -> None:
    """Refuse rounds so long that their exact numbers would not fit: they grow with each cast."""
    bits = game.dice * max(1, game.die.denominator.bit_length())
    needed = len(game.numbers) * bits * game.casts**2 // 16
    if needed > game.memory:
        raise TooLarge(
            f"the exact values of {game.casts} casts with {game.dice} dice need about "
            f"{short(needed / 10**9)} GB; the limit is {game.memory / 10**9:g} GB (--memory), "
            f"and floats need less (exact=False)"
        )


def _solve_exact(game: Round, ours: Utility, player: Player) -> RoundSolution:
    def best(cast: int, row: Numbers) -> tuple[Numbers, int]:
        return best_of_tables(game, player, cast, row), 1

    return RoundSolution(game, ours, player, True, *backwards(game, ours, best, player == "first"))


def backwards(
    game: Round,
    ours: Utility,
    decided: Callable[[int, Numbers], tuple[Numbers, int]],
    pays_early: bool = True,
) -> tuple[tuple[Numbers, ...], tuple[int, ...]]:
    """Return the exact worth of each kept combination after 0, 1 ... casts, and their scales.

    `decided` returns the worth of each table after a cast from that of what is kept, and how much
    larger it has made the scale. With `pays_early` a round may end before the last cast.
    """
    check_exact(game)
    full = game.numbers.full
    scale = ours.denominator
    row = np.zeros(len(game.numbers), dtype=object)
    row[full.start :] = ours.times(game.casts, scale)
    numerators, scales = [row], [scale]
    for cast in range(game.casts, 0, -1):
        tables, larger = decided(cast, row)
        row = whole_means(game, tables)
        scale *= larger * whole_chance(game)
        if pays_early and cast > 1:
            row[full.start :] = ours.times(cast - 1, scale)
        numerators.append(row)
        scales.append(scale)
    return tuple(reversed(numerators)), tuple(reversed(scales))


def whole_chance(game: Round) -> int:
    """Return what the chances of a throw are whole numbers over, however many dice it has."""
    return int(game.die.denominator**game.dice)


def whole_means(game: Round, tables: Numbers) -> Numbers:
    """Return the exact sum over the next throw, over ``whole_chance`` of the tables: ``[kept]``."""
    matrices = game.matrices
    casters = np.flatnonzero(np.diff(matrices.row))
    row = np.zeros(len(game.numbers), dtype=object)
    each = _lifted(game.dice, game.die)[matrices.thrown] * tables[matrices.table]
    row[casters] = np.add.reduceat(each, matrices.row[casters])
    return row


@lru_cache(maxsize=32)
def _lifted(dice: int, die: Die) -> Numbers:
    # a throw of n dice weighs its share of den**n, lifted to den**D so that all share a scale
    sizes = combinations(dice, die.faces).sizes.tolist()
    pairs = zip(weights_of(dice, die), sizes, strict=True)
    lifted = [weight * die.denominator ** (dice - size) for weight, size in pairs]
    return np.array(lifted, dtype=object)


def means(game: Round, tables: Numbers) -> Numbers:
    """Return the exact mean over the next throw, from each kept combination: ``[kept]``."""
    whole, scale = whole_numbers(tables)
    return over(whole_means(game, whole), scale * whole_chance(game))


def whole_numbers(fractions: Numbers) -> tuple[Numbers, int]:
    """Return fractions as whole numbers over one denominator; these are added many times faster."""
    every = fractions.ravel().tolist()
    scale = math.lcm(*{each.denominator for each in every})
    found = np.empty(len(every), dtype=object)
    found[:] = [each.numerator * (scale // each.denominator) for each in every]
    return found.reshape(fractions.shape), scale


def over(numerators: Numbers, scale: int) -> Numbers:
    """Return whole numbers over a denominator as fractions."""
    found = np.empty(numerators.size, dtype=object)
    found[:] = [Fraction(int(number), scale) for number in numerators.ravel().tolist()]
    return found.reshape(numerators.shape)


def chances_of(game: Round) -> Numbers:
    """Return the chance of each throw as a Fraction: ``[throws]``."""
    return _fractions(game.dice, game.die)[game.matrices.thrown]


@lru_cache(maxsize=32)
def _fractions(dice: int, die: Die) -> Numbers:
    sizes = combinations(dice, die.faces).sizes.tolist()
    pairs = zip(weights_of(dice, die), sizes, strict=True)
    every = [Fraction(weight, die.denominator**size) for weight, size in pairs]
    return np.array(every, dtype=object)


def best_of_tables(game: Round, player: Player, cast: int, row: Numbers) -> Numbers:
    """Return the best worth at each table: ``[tables]``; ``row`` is exact or floats."""
    matrices = game.matrices
    if cast == game.casts:
        return np.asarray(row[matrices.shows])
    if player == "next":
        row = row.copy()
        row[game.numbers.full.start :] = min(row) - 1  # below every choice there is
    return np.asarray(np.maximum.reduceat(row[matrices.option], matrices.start[:-1]))


def _solve_floats(game: Round, ours: Utility, player: Player) -> RoundSolution:
    rows = np.array(ours.values, dtype=float)[None]
    values = round_sweep(game, rows, player, everything=True)
    shown = tuple(np.ascontiguousarray(row[:, 0]) for row in values)
    return RoundSolution(game, ours, player, False, shown, (1,) * len(shown))


def solve_batch(
    game: Round, worths: ArrayLike, player: Player = "first", *, jobs: int | None = None
) -> Floats:
    """Return what the round is worth against each utility of a batch: ``[batch]``.

    ``worths`` is an array ``[batch, combinations]`` over ``game.numbers.full``, or
    ``[batch, casts, combinations]`` where the worth depends on when the round ends. Pieces of the
    batch go to ``jobs`` threads through joblib; a number of jobs left open is joblib's to choose.
    """
    from joblib import Parallel, delayed  # slow to import, and only needed here

    check_player(player)
    rows = np.asarray(worths, dtype=float)
    if rows.ndim == 2:
        rows = rows[:, None, :]
    wanted = (len(game.numbers.full), (1, game.casts))
    if rows.ndim != 3 or rows.shape[2] != wanted[0] or rows.shape[1] not in wanted[1]:
        raise RulesError(
            f"a batch of utilities is an array [batch, {wanted[0]}] "
            f"or [batch, {game.casts}, {wanted[0]}]: got shape {list(np.shape(worths))}"
        )
    if not np.isfinite(rows).all():
        raise RulesError("a batch of utilities must be finite: got nan or infinity")
    size = max(1, CHUNK_BYTES // (8 * len(game.matrices.shows)))
    pieces = [rows[start : start + size] for start in range(0, len(rows), size)]
    done = Parallel(n_jobs=jobs, prefer="threads")(
        delayed(round_sweep)(game, piece, player) for piece in pieces
    )
    return np.concatenate([piece[-1][0] for piece in done]) if pieces else np.zeros(0)


@lru_cache(maxsize=8)  # every standing of a card has the same round
def cast_law(game: Round) -> "csr_array":
    """Return the cast law as a sparse matrix of floats: ``[kept, tables]``."""
    from scipy.sparse import csr_array  # slow to import, and only needed here

    matrices = game.matrices
    shape = (len(game.numbers), len(matrices.shows))
    return csr_array((game.chances, matrices.table, matrices.row), shape=shape)


def round_sweep(
    game: Round, rows: Floats, player: Player, everything: bool = False
) -> list[Floats]:
    """Return the values ``[kept, batch]`` after 0, 1 ... casts, or only those at the start.

    ``rows`` is ``[batch, casts, combinations]``, or has one row where it does not matter when the
    round ends.
    """
    matrices, full = game.matrices, game.numbers.full
    law = cast_law(game)
    stops = matrices.start[1:] - (1 if player == "next" else 0)

    def paid(cast: int) -> Floats:
        return rows[:, min(cast, rows.shape[1]) - 1 if rows.shape[1] > 1 else 0].T

    values = np.zeros((len(game.numbers), len(rows)))
    values[full.start :] = paid(game.casts)
    kept = [values]
    tables = np.empty((len(matrices.shows), len(rows)))
    for cast in range(game.casts, 0, -1):
        if cast == game.casts:
            tables[:] = values[matrices.shows]
        else:
            _maxima(values, matrices.start, stops, matrices.option, tables)
        values = law @ tables
        if player == "first" and cast > 1:
            values[full.start :] = paid(cast - 1)
        if everything:
            kept.append(values)
    return kept[::-1] if everything else [values]


@jit
def _maxima(
    values: Floats,
    starts: NDArray[np.int64],
    stops: NDArray[np.int64],
    options: NDArray[np.int64],
    tables: Floats,
) -> None:
    """Fill ``tables[t, b]`` with the largest ``values[o, b]`` over the options of the table."""
    for table in range(len(stops)):
        first = options[starts[table]]
        for b in range(values.shape[1]):
            tables[table, b] = values[first, b]
        for place in range(starts[table] + 1, stops[table]):
            option = options[place]
            for b in range(values.shape[1]):
                tables[table, b] = max(tables[table, b], values[option, b])


def _check_cast(cast: object, least: int, game: Round) -> None:
    if not isinstance(cast, int | np.integer) or not least <= cast <= game.casts:
        raise RulesError(f"this round has casts {least} to {game.casts}: got cast={cast!r}")
