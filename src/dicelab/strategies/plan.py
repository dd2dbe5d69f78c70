"""Plans: what a strategy does at every position of one table.

Every strategy becomes a plan, whether it was given by name (see `named`), as a function or as a
file. It is here that an illegal move is found, and named with its position.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import TypeVar

import numpy as np

from dicelab.core.arrays import Array, Bools, Floats, Ints, Numbers
from dicelab.core.exact import each_once, exactly
from dicelab.core.lazy import Remembers, lazy
from dicelab.errors import DicelabError, IllegalMove, StrategyError
from dicelab.rules import Chance, HouseRules, Moment, Position, exact_chance
from dicelab.solvers import rows as kernels
from dicelab.strategies.observed_fields import Sight, look
from dicelab.table import Table
from dicelab.table.unfolded import open_at

Rule = TypeVar("Rule", bound=Callable[..., object])


def on_arrays(function: Rule) -> Rule:
    """Return the function, marked as one that takes arrays of positions."""
    function.on_arrays = True  # type: ignore[attr-defined]
    return function


BYTES_PER_SHARE = 40
"""Of a row of a plan that mixes: its fraction, its float, and copies while they are made."""


@dataclass(frozen=True, eq=False)
class Plan(Remembers):
    """A strategy on one table: a row for each position, or a chance for each row."""

    name: str
    table: Table
    #: [positions] the row played, -1 where the game is over; or what makes these
    played: Ints | Callable[[], Ints]
    chances: Numbers | None = None  # [rows] Fractions, for a strategy that mixes; else None
    #: [outcomes] which ways are taken after throws, as marks or as shares; None: there are none
    ways: Array | None = None

    def __repr__(self) -> str:
        """Return the name and the game."""
        return f"<Plan {self.name} for {self.table.game}>"

    @property
    def is_mixed(self) -> bool:
        """Whether chance decides somewhere."""
        return self.chances is not None

    @lazy
    def choice(self) -> Ints:
        """The row played, -1 where the game is over. `[positions]`"""
        return self.played() if callable(self.played) else self.played

    def weights(self, exact: bool) -> Numbers:
        """Return the chance of each row. `[rows]`"""
        if self.chances is not None:
            return self.chances if exact else self._floats
        weights = np.zeros(self.table.rows, object if exact else np.float64)
        played = self.choice[self.table.is_ongoing & (self.choice >= 0)]  # at an end nobody moves
        weights[played] = Fraction(1) if exact else 1.0
        return weights

    def way_shares(self, exact: bool) -> Numbers:
        """Return the share of each way after its throw; plain outcomes have 1. `[outcomes]`"""
        assert self.ways is not None
        if not exact:
            return self.ways.astype(np.float64)
        if self.ways.dtype == object:
            return self.ways
        return np.array([Fraction(0), Fraction(1)], object)[self.ways.astype(np.int8)]

    @lazy
    def _floats(self) -> Floats:
        assert self.chances is not None
        return np.array(each_once(float, self.chances))

    @lazy
    def fingerprint(self) -> str:
        """A short text that two plans share only if they play alike."""
        played = self.choice - self.table.move_first[:-1]  # which of a position's moves
        digest = hashlib.blake2b(played.astype(np.int16).tobytes())
        if self.chances is not None:
            digest.update(" ".join(map(str, self.chances)).encode())
        if self.ways is not None:
            followed = np.where(self._follows, self.ways, False)
            plain = followed.dtype == np.bool_
            digest.update(followed.tobytes() if plain else " ".join(map(str, followed)).encode())
        return digest.hexdigest()[:16]

    @property
    def _follows(self) -> Bools:
        """Which outcomes are of moves that the plan makes. `[outcomes]`"""
        counts = np.diff(self.table.outcome_first)
        return np.repeat(self.weights(exact=False) > 0, counts)

    def move_at(self, at: Position | str) -> str | dict[str, Fraction]:
        """Return the move at a position, or a way at a moment after a throw; or their chances."""
        if self.ways is not None and (moment := self.table.moment(at)) is not None:
            return self._way_at(moment)
        number = self.table.number(at)
        rows = range(self.table.move_first[number], self.table.move_first[number + 1])
        if not rows:
            raise IllegalMove(f"the game is over at {self.table.notation(number)}: nobody moves")
        if self.chances is None:
            return str(self.table.moves[self.table.move[self.choice[number]]])
        return {
            self.table.moves[self.table.move[row]]: self.chances[row]
            for row in rows
            if self.chances[row]
        }

    def _way_at(self, moment: Moment) -> str | dict[str, Fraction]:
        """Return the way taken at a moment after a throw, or the chances of the ways."""
        assert self.ways is not None
        first, ways = open_at(self.table, moment)
        shares = self.ways[first : first + len(ways)].tolist()
        taken = {
            way.name: Fraction(share) for way, share in zip(ways, shares, strict=True) if share
        }
        return next(iter(taken)) if len(taken) == 1 else taken

    def plays_like(self, other: Plan, where: Bools | None = None) -> bool:
        """Return whether two plans make the same moves, everywhere or at some positions."""
        mine, theirs = self.weights(exact=False), other.weights(exact=False)
        differ = np.abs(mine - theirs) > 1e-12
        if where is not None:
            differ &= where[self.table.row_position]
        if differ.any() or self.ways is None or other.ways is None:
            return not differ.any()
        taken = self._follows & (self.ways != other.ways)
        if where is not None:
            rows = where[self.table.row_position]
            taken &= np.repeat(rows, np.diff(self.table.outcome_first))
        return not taken.any()


@dataclass(frozen=True, eq=False)
class ObservedPlan(Plan):
    """A plan that looks at some fields only: a move for each thing it may see."""

    sight: Sight = None  # type: ignore[assignment]  # follows a field with a default
    moves: Ints = None  # type: ignore[assignment]  # [things] the number of a move

    @lazy
    def fingerprint(self) -> str:
        """A short text that two plans share only if they play alike."""
        digest = hashlib.blake2b(self.moves.tobytes())
        digest.update(" ".join(self.sight.fields).encode())
        return digest.hexdigest()[:16]


def nowhere(table: Table) -> Ints:
    return np.full(len(table), -1, np.int32)


def plan_of_function(table: Table, function: Callable[..., object], name: str) -> Plan:
    """Return the plan of a function of a position."""
    if has_arrays(table, function):
        return plan_on_arrays(table, function, name)
    return _one_by_one(table, function, name)


def failed_at(name: str, where: str, trouble: Exception) -> StrategyError:
    """Return the error for a strategy that raised at a position or a moment."""
    return StrategyError(f"{name} failed at {where}: {type(trouble).__name__}: {trouble}")


def has_arrays(table: Table, function: Callable[..., object], told: bool = False) -> bool:
    """Return whether a strategy may be asked about arrays of positions; `told`: it says so."""
    says = told or getattr(function, "on_arrays", False)
    return bool(says) and not isinstance(table.game, HouseRules)


def plan_on_arrays(table: Table, choose: Callable[..., object], name: str) -> Plan:
    """Return the plan of a strategy that answers for all positions at once."""
    if isinstance(table.game, HouseRules):
        return _one_by_one(table, choose, name)
    seen = None if table.has_choices else look(table, choose)
    if seen is not None:
        found = _by_sight(table, *seen, name)
        if found is not None:
            return found
    here, at = table.ongoing
    try:
        answer = choose(at)
        if not isinstance(answer, Mapping):
            answer = np.broadcast_to(np.asarray(answer), here.shape)
    except DicelabError:
        raise
    except Exception as trouble:
        raise StrategyError(
            f"{name} failed on an array of {here.size} positions: "
            f"{type(trouble).__name__}: {trouble}"
        ) from trouble
    if isinstance(answer, Mapping):
        shares = {move: _shares(part, name, table, here) for move, part in answer.items()}
        return _mixture(table, here, shares, name)
    played = _numbers_of(table, answer)
    choice = nowhere(table)
    wrong = kernels.rows_of(table.move_first, table.move, here, played, choice)
    if wrong >= 0:
        raise _illegal(table, int(here[wrong]), str(answer[wrong]), name)
    return Plan(name, table, choice)


def _numbers_of(table: Table, answer: Array) -> Ints:
    """Return the numbers of some moves, -1 for what is none."""
    played = np.full(answer.shape, -1, np.int16)
    for number, move in enumerate(table.moves):
        np.copyto(played, number, where=answer == move)
    return played


def _by_sight(table: Table, sight: Sight, answer: Array, name: str) -> Plan | None:
    """Return the plan of a strategy that looks at some fields, if it plays one legal move each."""
    things = len(sight.allowed)
    if isinstance(answer, Mapping) or np.shape(answer) not in ((), (things,)):
        return None
    played = _numbers_of(table, np.broadcast_to(np.asarray(answer), (things,)))
    if (played < 0).any() or not sight.allowed[np.arange(things), played].all():
        return None
    rows = partial(_rows_seen, table, sight, played)
    return ObservedPlan(name, table, rows, sight=sight, moves=played)


def _rows_seen(table: Table, sight: Sight, played: Ints) -> Ints:
    """Return the row played at each position, from the move for each thing seen. `[positions]`"""
    choice = nowhere(table)
    kernels.rows_seen(table.move_first, table.move, sight.which, played, choice)
    return choice


def _shares(part: object, name: str, table: Table, here: Ints) -> list[Fraction]:
    """Return one move's chance at every position of an array."""
    if isinstance(part, Chance):  # few different ones, as a rule: each is made once
        numerators = np.broadcast_to(part.numerator, here.shape)
        known, which = np.unique(numerators, return_inverse=True)
        chances = [exact_chance(Chance(numerator, part.denominator)) for numerator in known]
        return list(np.array(chances, object)[which])
    entries = np.broadcast_to(np.asarray(part), here.shape).tolist()
    return [
        _chance(entry, table, int(number), name)
        for entry, number in zip(entries, here, strict=True)
    ]


def _one_by_one(table: Table, function: Callable[..., object], name: str) -> Plan:
    """Return the plan of a plain function, asked at one position after another."""
    here = np.flatnonzero(table.is_ongoing)
    choice = nowhere(table)
    mixed: dict[int, dict[str, Fraction]] = {}
    rows = {move: table.row_of(move) for move in table.moves}
    for number, at in zip(here.tolist(), table.each(here), strict=True):
        try:
            answer = function(at)
        except DicelabError:
            raise
        except Exception as trouble:
            raise failed_at(name, table.notation(number), trouble) from trouble
        if isinstance(answer, Mapping):
            mixed[number] = {
                str(move): _chance(share, table, number, name) for move, share in answer.items()
            }
        elif isinstance(answer, str):
            row = rows[answer][number] if answer in rows else -1
            if row < 0:
                raise _illegal(table, number, answer, name)
            choice[number] = row
        else:
            raise StrategyError(
                f"{name} answered {answer!r} at {table.notation(number)}: "
                f"answer {any_of(table.legal_moves(number))}, or their chances"
            )
    if not mixed:
        return Plan(name, table, choice)
    moves = {move for shares in mixed.values() for move in shares}
    pure = choice >= 0
    parts = {
        move: [
            mixed[n].get(move, Fraction(0)) if n in mixed else Fraction(0) for n in here.tolist()
        ]
        for move in sorted(moves)
    }
    return _mixture(table, here, parts, name, choice if pure.any() else None)


def _chance(share: object, table: Table, number: int, name: str) -> Fraction:
    chance = exactly(share)
    if chance is None or not 0 <= chance <= 1:
        raise StrategyError(
            f"{name} gave the chance {share!r} at {table.notation(number)}: "
            f"a chance is a number from 0 to 1"
        )
    return chance


def _mixture(
    table: Table,
    here: Ints,
    shares: Mapping[str, list[Fraction]],
    name: str,
    choice: Ints | None = None,
) -> Plan:
    """Return the plan that mixes moves by their shares at the positions `here`."""
    chances = np.full(table.rows, Fraction(0), object)
    total = np.full(here.size, Fraction(0), object)
    for move, parts in shares.items():
        part = np.array(parts, object)
        rows = table.row_of(move)[here]
        used = part != 0
        if (used & (rows < 0)).any():
            raise _illegal(table, int(here[used & (rows < 0)][0]), move, name)
        chances[rows[used]] = part[used]
        total += part
    if choice is not None:
        pure = choice[here] >= 0
        chances[choice[here][pure]] = Fraction(1)
        total[pure] += Fraction(1)
    rounded = np.flatnonzero((total != 1) & (np.abs(total.astype(float) - 1) < 1e-9))
    if rounded.size:  # computed with floats: 1e-16 too much or too little
        scale = np.full(len(table), Fraction(1), object)
        scale[here[rounded]] = total[rounded]
        chances = chances / scale[table.row_position]
        total[rounded] = Fraction(1)
    wrong = np.flatnonzero(total != 1)
    if wrong.size:
        raise StrategyError(
            f"{name} gave chances at {table.notation(int(here[wrong[0]]))} that sum to "
            f"{total[wrong[0]]}: they must sum to 1"
        )
    return Plan(name, table, nowhere(table), chances)


def _illegal(table: Table, number: int, move: str, name: str) -> IllegalMove:
    legal = any_of(table.legal_moves(number))
    at = table.notation(number)
    if move not in table.moves:
        return IllegalMove(
            f"{name} answered {move!r} at {at}, which is no move of {table.game.name}: "
            f"you can {legal} here"
        )
    return IllegalMove(f"{name} cannot {move} at {at}: you can only {legal} here")


def any_of(words: list[str]) -> str:
    return " or ".join(words)
