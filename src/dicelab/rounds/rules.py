"""A round: cast the dice, put some aside, cast the rest; so many casts and no more.

You throw D dice at most J times. After each cast you put aside any of the dice just thrown, or
all of them, which ends the round. In 421 what was put aside stays aside (``keep="aside"``). At
Yahtzee every die may be thrown again (``keep="any"``). After the last cast all dice count.

Two matrices say all of it. The **cast law** leads from what is kept to what lies on the table
and has one row for each kept combination. The **keep relation** leads from the table back to
what may be kept next. In 421 the table also remembers which dice were already aside, so it is a
pair; at Yahtzee it is the combination alone. Both matrices serve every cast, so the work grows
with the number of casts and no faster. They hold no zeros: rows are stretches of flat arrays.

Source: Albarède, "Fate stochastic management and policy benchmark in 421", equations (1) to (11).

>>> game = Round()
>>> game
Round(dice=3, die=Die(6), casts=3, keep='aside')
>>> game.matrices
Matrices(kept=84, tables=308, options=1084)
"""

import math
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from dicelab.core.arrays import Floats
from dicelab.core.lazy import lazy
from dicelab.errors import RulesError
from dicelab.rounds.combinations import (
    MOST_BYTES,
    Combination,
    Combinations,
    check_dice,
    check_size,
    combinations,
)
from dicelab.rules.dice import Die

Keep = Literal["aside", "any"]
Player = Literal["first", "next"]


@dataclass(frozen=True, repr=False, eq=False)
class Matrices:
    """The keep relation and the shape of the cast law, for one number of dice and faces."""

    numbers: Combinations
    row: NDArray[np.int64]
    """Where the throws from each kept combination begin: ``[kept + 1]``."""
    table: NDArray[np.int64]
    """The table each throw leads to: ``[throws]``."""
    thrown: NDArray[np.int64]
    """The combination each throw shows: ``[throws]``."""
    shows: NDArray[np.int64]
    """The combination of all dice on each table: ``[tables]``."""
    aside: NDArray[np.int64]
    """What was aside before the cast, or -1 where that no longer matters: ``[tables]``."""
    start: NDArray[np.int64]
    """Where the options of each table begin: ``[tables + 1]``."""
    option: NDArray[np.int64]
    """What may be kept, fewest dice first; the last option keeps all: ``[options]``."""

    def __repr__(self) -> str:
        return (
            f"Matrices(kept={len(self.numbers)}, tables={len(self.shows)}, "
            f"options={len(self.option)})"
        )

    @lazy
    def of(self) -> NDArray[np.int64]:
        """The table each option belongs to: ``[options]``."""
        return np.repeat(np.arange(len(self.shows)), np.diff(self.start))

    @lazy
    def caster(self) -> NDArray[np.int64]:
        """The kept combination each throw starts from: ``[throws]``."""
        return np.repeat(np.arange(len(self.numbers)), np.diff(self.row))

    @lazy
    def last(self) -> NDArray[np.int64]:
        """The option of each table that keeps all dice: ``[tables]``."""
        return self.start[1:] - 1


@dataclass(frozen=True)
class Round:
    """A round of ``casts`` casts with ``dice`` dice of one kind."""

    dice: int = 3
    die: Die = field(default_factory=lambda: Die(6))
    casts: int = 3
    keep: Keep = "aside"
    memory: int = field(default=MOST_BYTES, repr=False, compare=False)

    def __post_init__(self) -> None:
        check_dice(self.dice, self.casts)
        if self.keep not in get_args(Keep):
            raise RulesError(
                f"dice may be kept 'aside' for good or 'any' thrown again: got keep={self.keep!r}"
            )
        if not isinstance(self.die, Die):
            raise RulesError(f"a round needs a die: got die={self.die!r}; write Die(6)")
        if not isinstance(self.memory, int | float) or self.memory <= 0:
            raise RulesError(f"memory is a number of bytes: got memory={self.memory!r}")
        check_size(self.dice, self.die.sides, self.casts, self.keep, self.memory)

    @property
    def numbers(self) -> Combinations:
        """The combinations of this round, numbered."""
        return combinations(self.dice, self.die.faces)

    @property
    def matrices(self) -> Matrices:
        """The keep relation, made once for each number of dice and faces."""
        return _matrices(self.dice, self.die.faces, self.keep)

    @property
    def weights(self) -> tuple[int, ...]:
        """The chance of each combination as a cast, over ``die.denominator ** its size``."""
        return weights_of(self.dice, self.die)

    @property
    def chances(self) -> Floats:
        """The chance of each throw, rounded once: ``[throws]``."""
        return _chances(self.dice, self.die)[self.matrices.thrown]

    def chance(self, thrown: Combination) -> Fraction:
        """Return the chance of throwing a combination with as many dice as it has.

        >>> Round().chance("421"), Round().chance("11")
        (Fraction(1, 36), Fraction(1, 36))
        """
        number = self.numbers.number(thrown)
        return Fraction(
            self.weights[number], self.die.denominator ** int(self.numbers.sizes[number])
        )

    def table_of(self, aside: Combination, thrown: Combination) -> int:
        """Return the number of the table where these dice are aside and those were just thrown."""
        kept = self.numbers.number(aside)
        number = self.numbers.number(thrown, dice=self.dice - int(self.numbers.sizes[kept]))
        cast = (
            int(self.matrices.row[kept])
            + number
            - int(self.numbers.starts[self.numbers.sizes[number]])
        )
        return int(self.matrices.table[cast])

    def options_of(self, table: int) -> NDArray[np.int64]:
        """Return what may be kept at a table, fewest dice first."""
        return self.matrices.option[self.matrices.start[table] : self.matrices.start[table + 1]]

    def write_table(self, table: int) -> str:
        """Return the notation of a table: ``4+21`` has a 4 aside and 21 just thrown."""
        shows, aside = int(self.matrices.shows[table]), int(self.matrices.aside[table])
        if aside <= 0:
            return self.numbers.write(shows)
        rest = self.numbers.rank(self.numbers.counts[shows] - self.numbers.counts[aside])
        return f"{self.numbers.write(aside)}+{self.numbers.write(int(rest))}"

    def imposed(self, casts: int) -> "Round":
        """Return the round of a next player, who must cast exactly so many times."""
        check_dice(self.dice, casts)
        if casts > self.casts:
            raise RulesError(
                f"a round of {self.casts} casts cannot impose {casts}: "
                f"casts-imposed goes from 1 to {self.casts}"
            )
        return Round(self.dice, self.die, casts, self.keep, self.memory)


def check_round(game: object) -> None:
    """Refuse what is no round."""
    if not isinstance(game, Round):
        raise RulesError(f"a round is asked for, such as Round(dice=3): got {str(game)[:60]!r}")


def check_player(player: object) -> None:
    """Refuse a player who is neither first nor next."""
    if player not in get_args(Player):
        raise RulesError(
            f"the player is 'first' (may stop early) or 'next' (must use every cast): "
            f"got {player!r}"
        )


@lru_cache(maxsize=16)
def _matrices(dice: int, faces: tuple[int, ...], keep: Keep) -> Matrices:
    numbers = combinations(dice, faces)
    counts = numbers.counts
    full = int(numbers.starts[dice])
    row, thrown, shows, aside, sizes, option = [0], [], [], [], [], []
    for live in range(dice, 0, -1):
        kept, casts = numbers.of_size(dice - live), numbers.of_size(live)
        below, times = _parts(numbers, live)
        row += [row[-1] + len(casts) * (place + 1) for place in range(len(kept))]
        thrown.append(np.tile(np.arange(casts.start, casts.stop), len(kept)))
        whole = counts[kept.start : kept.stop, None, :] + counts[None, casts.start : casts.stop, :]
        shows.append(numbers.rank(whole).ravel())
        aside.append(np.repeat(np.arange(kept.start, kept.stop), len(casts)))
        if keep == "aside":
            for first in kept:  # one at a time, so that the counts of all triples never coexist
                option.append(numbers.rank(counts[first] + counts[below]))
                sizes.append(times)
    row += [row[-1]] * (len(numbers) - full)
    table = np.arange(row[-1])
    if keep == "any":
        table = np.concatenate(shows) - full
        below, times = _parts(numbers, dice)
        option, sizes = [below], [times]
        shows = [np.arange(full, len(numbers))]
        aside = [np.full(len(numbers) - full, -1)]
    return Matrices(
        numbers=numbers,
        row=np.array(row, dtype=np.int64),
        table=table,
        thrown=np.concatenate(thrown),
        shows=np.concatenate(shows),
        aside=np.concatenate(aside),
        start=np.concatenate([[0], np.cumsum(np.concatenate(sizes))]),
        option=np.concatenate(option),
    )


def _parts(numbers: Combinations, size: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the parts of every combination of one size, and how many each has.

    The parts of one combination come in the order of their numbers, and adding the same dice to
    all of them keeps that order.
    """
    of_size = numbers.of_size(size)
    faces = np.array([numbers.places_of(whole) for whole in of_size]).reshape(len(of_size), size)
    row = np.arange(len(of_size))
    parts = np.empty((len(of_size), 2**size), dtype=np.int64)
    for subset in range(2**size):  # of the dice, so that equal faces give a part several times
        counts = np.zeros((len(of_size), len(numbers.faces)), dtype=np.int16)
        for die in range(size):
            if subset >> die & 1:
                counts[row, faces[:, die]] += 1
        parts[:, subset] = numbers.rank(counts)
    parts.sort(axis=1)
    first = np.ones(parts.shape, dtype=bool)
    first[:, 1:] = parts[:, 1:] != parts[:, :-1]
    return parts[first], first.sum(axis=1)


@lru_cache(maxsize=32)
def weights_of(dice: int, die: Die) -> tuple[int, ...]:
    """Return the chance of each combination as a throw, over ``die.denominator ** its size``."""
    numbers = combinations(dice, die.faces)
    weights, left = [1] * len(numbers), numbers.sizes.tolist()
    rows, places = np.nonzero(numbers.counts)  # few of the faces, where there are many
    times_shown = numbers.counts[rows, places].tolist()
    for number, place, times in zip(rows.tolist(), places.tolist(), times_shown, strict=True):
        weights[number] *= math.comb(left[number], times) * die.weights[place] ** times
        left[number] -= times
    return tuple(weights)


@lru_cache(maxsize=32)
def _chances(dice: int, die: Die) -> Floats:
    sizes = combinations(dice, die.faces).sizes.tolist()
    pairs = zip(weights_of(dice, die), sizes, strict=True)
    return np.array([float(Fraction(weight, die.denominator**size)) for weight, size in pairs])
