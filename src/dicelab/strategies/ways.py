"""Ways: what a strategy takes after a throw, and what is left of a game once that is decided.

A strategy for a game with choices after throws has a second argument, `threw`. Before the throw it
is None and the answer is a move; after it, it is what the dice show, and the answer is a way. Only
where its own moves lead is it asked for ways, and only where several are open.

What it takes is kept beside the outcomes of the table, in their order: a mark for each outcome, or
its share where the strategy mixes ways. Once all players are decided, nobody chooses any more: the
game is then a table of plain moves, one for each player at each position (`decided`), and whoever
follows play needs to know nothing of choices.
"""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import groupby
from typing import NamedTuple

import numpy as np

from dicelab.core.arrays import Array, Bools, Ints, Numbers
from dicelab.core.exact import exactly
from dicelab.errors import DicelabError, IllegalMove, StrategyError
from dicelab.rules import Chance, Faces, HouseRules, Moment, Position, exact_chance
from dicelab.solvers.arrays import Kind
from dicelab.strategies.plan import Plan, any_of, failed_at, has_arrays, nowhere
from dicelab.table import Table
from dicelab.table.expand import Block, select
from dicelab.table.unfolded import UnfoldedTable, asked_at_once, outcomes_of, unfolded_table

ARGUMENT = "threw"


def first_ways(table: Table) -> Bools:
    """Return the marks of who takes the first way everywhere. `[outcomes]`"""
    return np.asarray(~table.another[table.kind], np.bool_)


def even_ways(table: Table) -> Numbers:
    """Return the shares of who takes every open way with the same chance. `[outcomes]`"""
    heads = np.flatnonzero(first_ways(table))
    counts = np.diff(np.append(heads, table.target.size))
    shares = np.array([Fraction(1, int(count) or 1) for count in range(counts.max() + 1)], object)
    return np.repeat(shares[counts], counts)


def named_ways(table: Table, heads: Ints) -> tuple[tuple[str, ...], Ints, dict[str, Ints]]:
    """Return the names of all ways, which of them each outcome is, and what the dice tell.

    The second is `[outcomes]`; the last has the game's `throw_numbers`, each `[throws]`. `heads`
    are the first outcomes of throws.
    """
    game = table.game
    names: dict[str, int] = {"": 0}  # an outcome without a choice has no name
    way: Ints = np.zeros(table.target.size, np.int16)
    throw_at = np.full(table.target.size, -1, np.int64)
    throw_at[heads] = np.arange(heads.size)
    numbers: dict[str, Ints] = {name: np.zeros(heads.size, np.int64) for name in game.throw_numbers}

    def note(first: Ints, at: Position, dice: Faces) -> None:
        """Write down what is read off the dice, at throws by their first outcomes."""
        for name, each in numbers.items():
            each[throw_at[first]] = game.throw_number(name, at, dice)

    if isinstance(game, HouseRules):
        rows = np.arange(table.row_position.size)
        for row, at in zip(rows.tolist(), table.each(table.row_position), strict=True):
            for outcome, each, ways in outcomes_of(table, row, at, table.moves[table.move[row]]):
                for offset, one in enumerate(ways):
                    way[outcome + offset] = names.setdefault(one.name, len(names))
                if ways:
                    note(np.array([outcome]), at, each.dice)
        return tuple(names), way, numbers
    for _, at, place, blocks in asked_at_once(table):
        for block in blocks:
            met = place[block.source]
            way[met] = names.setdefault(block.way, len(names))
            begins = throw_at[met] >= 0
            if block.throw >= 0 and numbers and begins.any():
                note(met[begins], select(at, block.source[begins]), block.dice)
            place[block.source] += 1
    return tuple(names), way, numbers


def with_ways(plan: Plan, choose: Callable[..., object], arrays: bool = False) -> Plan:
    """Return a plan with what its strategy takes after throws; as it is where nothing is left.

    `arrays`: the strategy is one of those by name, which answer for many positions at once.
    """
    table = plan.table
    if not table.has_choices:
        return plan
    if not _sees_throws(choose):
        raise StrategyError(
            f"{plan.name} does not say which way to take after a throw: give it a second argument, "
            f"{ARGUMENT}, which is None before the throw and then what the dice show"
        )
    taken = first_ways(table)
    shares: dict[int, Fraction] = {}
    many = has_arrays(table, choose, arrays)
    (_in_arrays if many else _one_by_one)(plan, choose, taken, shares)
    if not shares:
        return dataclasses.replace(plan, ways=taken)
    ways = np.array([Fraction(0), Fraction(1)], object)[taken.astype(np.int8)]
    ways[list(shares)] = list(shares.values())
    return dataclasses.replace(plan, ways=ways)


def _sees_throws(choose: Callable[..., object]) -> bool:
    """Return whether a strategy takes what was thrown as a second argument."""
    try:
        inspect.signature(choose).bind(None, None)
    except (TypeError, ValueError):
        return False
    return True


def _played(plan: Plan) -> Bools:
    """Return which rows a plan plays. `[rows]`"""
    return np.asarray(plan.weights(exact=False) > 0, np.bool_)


def _one_by_one(
    plan: Plan, choose: Callable[..., object], taken: Bools, shares: dict[int, Fraction]
) -> None:
    """Ask a plain function at one moment after another."""
    table = plan.table
    played = np.flatnonzero(_played(plan))
    numbers = table.row_position[played]
    for row, at in zip(played.tolist(), table.each(numbers), strict=True):
        move = table.moves[table.move[row]]
        for outcome, each, ways in outcomes_of(table, row, at, move):
            if len(ways) > 1:
                moment, names = Moment(at, move, each.dice), [way.name for way in ways]
                answer = _answered(plan, choose, moment)
                taken[outcome] = False
                for name, share in _shares(plan, moment, answer, names).items():
                    taken[outcome + names.index(name)] = share == 1
                    if share != 1:
                        shares[outcome + names.index(name)] = share


def _answered(plan: Plan, choose: Callable[..., object], moment: Moment) -> object:
    """Return what a strategy answers at one moment, or at an array of them."""
    try:
        return choose(moment.at, moment.dice)
    except DicelabError:
        raise
    except Exception as trouble:
        one = np.ndim(next(iter(moment.at), 0)) == 0 if isinstance(moment.at, tuple) else True
        where = plan.table.game.write(moment) if one else f"a throw of {moment.shown}"
        raise failed_at(plan.name, where, trouble) from trouble


def _shares(plan: Plan, moment: Moment, answer: object, ways: list[str]) -> dict[str, Fraction]:
    """Return the share of each way that a strategy takes at one moment."""
    parts = answer if isinstance(answer, Mapping) else {str(answer): 1}
    found: dict[str, Fraction] = {}
    for name, part in parts.items():
        share = exact_chance(part) if isinstance(part, Chance) else exactly(part)
        if share is None or not 0 <= share <= 1:
            raise StrategyError(
                f"{plan.name} gave the chance {part!r} at {plan.table.game.write(moment)}: "
                f"a chance is a number from 0 to 1"
            )
        if share and name not in ways:
            raise _illegal(plan, moment, str(name), ways)
        if share:
            found[name] = share
    total = sum(found.values(), Fraction(0))
    if total != 1 and abs(total - 1) < Fraction(1, 10**9):  # computed with floats
        found, total = {name: share / total for name, share in found.items()}, Fraction(1)
    if total != 1:
        raise StrategyError(
            f"{plan.name} gave chances at {plan.table.game.write(moment)} that sum to {total}: "
            f"they must sum to 1"
        )
    return found


def _illegal(plan: Plan, moment: Moment, name: str, ways: list[str]) -> IllegalMove:
    at = plan.table.game.write(moment)
    return IllegalMove(f"{plan.name} cannot {name} at {at}: you can only {any_of(ways)} here")


def _in_arrays(
    plan: Plan, choose: Callable[..., object], taken: Bools, shares: dict[int, Fraction]
) -> None:
    """Ask a strategy on arrays, one throw at many positions in a call."""
    table, played = plan.table, _played(plan)
    for here, at, place, met in asked_at_once(table):
        for (move, throw), group in groupby(met, key=lambda block: (block.move, block.throw)):
            blocks = list(group)
            if throw >= 0:
                plays = np.zeros(here.size, np.bool_)
                rows = table.row_of(table.moves[move])[here]
                plays[rows >= 0] = played[rows[rows >= 0]]
                _ask(plan, choose, at, blocks, plays, place, taken, shares)
            for block in blocks:
                place[block.source] += 1


def _ask(
    plan: Plan,
    choose: Callable[..., object],
    at: Position,
    blocks: list[Block],
    plays: Bools,
    place: Ints,
    taken: Bools,
    shares: dict[int, Fraction],
) -> None:
    """Ask what is taken after one throw, at the positions where several ways are open."""
    counts = np.zeros(plays.size, np.int64)
    for block in blocks:
        counts[block.source] += 1
    asked = np.flatnonzero(plays & (counts > 1))
    if not asked.size:
        return
    moment = Moment(select(at, asked), plan.table.game.moves[blocks[0].move], blocks[0].dice)
    answer = _answered(plan, choose, moment)
    first = place.copy()
    offset = np.zeros(plays.size, np.int64)
    if isinstance(answer, Mapping):
        _mix(plan, moment, answer, blocks, asked, first, taken, shares)
        return
    named = np.broadcast_to(np.asarray(answer), asked.shape)
    which = np.full(plays.size, -1, np.int64)
    which[asked] = np.arange(asked.size)
    found = np.zeros(asked.size, np.bool_)
    taken[first[asked]] = False
    for block in blocks:
        source = block.source[which[block.source] >= 0]
        chosen = source[named[which[source]] == block.way]
        taken[first[chosen] + offset[chosen]] = True
        found[which[chosen]] = True
        offset[block.source] += 1
    if not found.all():
        number = int(np.argmin(found))
        one = Moment(
            type(at)(*(int(field[asked[number]]) for field in at)), moment.move, moment.dice
        )
        ways = [way.name for way in plan.table.game.open_ways(one)]
        raise _illegal(plan, one, str(named[number]), ways)


def _mix(
    plan: Plan,
    moment: Moment,
    answer: Mapping[str, object],
    blocks: list[Block],
    asked: Ints,
    first: Ints,
    taken: Bools,
    shares: dict[int, Fraction],
) -> None:
    """Note the shares of ways that a strategy gives as arrays of chances."""
    parts: dict[str, Array] = {}
    for name, part in answer.items():
        if isinstance(part, Chance):
            numerators = np.broadcast_to(part.numerator, asked.shape).tolist()
            chances = [Fraction(int(numerator), part.denominator) for numerator in numerators]
            parts[name] = np.array(chances, object)
        else:
            parts[name] = np.broadcast_to(np.asarray(part, object), asked.shape)
    ways: list[list[str]] = [[] for _ in range(int(asked.max()) + 1)]
    for block in blocks:
        for source in block.source[block.source < len(ways)].tolist():
            ways[source].append(block.way)
    for number, source in enumerate(asked.tolist()):
        here = Moment(
            type(moment.at)(*(int(field[number]) for field in moment.at)), moment.move, moment.dice
        )
        given = {name: part[number] for name, part in parts.items()}
        begin = int(first[source])
        taken[begin] = False
        for name, share in _shares(plan, here, given, ways[source]).items():
            shares[begin + ways[source].index(name)] = share


class Decided(NamedTuple):
    """A table on which nobody chooses after a throw any more, and the plans on it."""

    table: Table
    plans: tuple[Plan, ...]
    origin: Ints | None = None  # [outcomes] those of the table it was made from; None: the same


def decided(table: Table, plans: Sequence[Plan]) -> Decided:
    """Return a table of plain moves, one for each plan at each position, and the plans on it.

    A move mixes what its plan mixes. Games without choices after throws come back as they are.
    """
    if not table.has_choices:
        return Decided(table, tuple(plans))
    different = list(dict.fromkeys(plans))
    parts = [_followed(plan) for plan in different]
    codes: dict[Kind, int] = {}
    kind, target, key = [], [], []
    for number, (outcomes, kinds, which) in enumerate(parts):
        code = np.array([codes.setdefault(each, len(codes)) for each in kinds], np.int64)
        kind.append(code[which])
        target.append(table.target[outcomes])
        row = np.searchsorted(table.outcome_first, outcomes, side="right") - 1
        key.append(table.row_position[row].astype(np.int64) * len(different) + number)
    keys = np.concatenate(key)
    order = np.argsort(keys, kind="stable")
    going_on = np.flatnonzero(table.is_ongoing)
    rows = (going_on[:, None] * len(different) + np.arange(len(different))).ravel()
    outcome_first = np.searchsorted(keys[order], np.append(rows, keys.max(initial=0) + 1))
    move_first = np.append(0, np.cumsum(np.where(table.is_ongoing, len(different), 0)))
    numbered = np.concatenate(kind)[order]
    plain = dataclasses.replace(
        table,
        move_first=move_first.astype(np.int32),
        move=np.tile(np.arange(len(different), dtype=np.int32), going_on.size),
        moves=tuple(plan.name for plan in different),
        outcome_first=outcome_first.astype(np.int32),
        target=np.concatenate(target)[order].astype(np.int32),
        kind=numbered.astype(np.min_scalar_type(max(len(codes) - 1, 0))),
        kinds=tuple(codes),
    )
    made = []
    for plan in plans:
        choice = np.full(len(table), -1, np.int32)
        choice[going_on] = move_first[going_on] + different.index(plan)
        made.append(Plan(plan.name, plain, choice))
    origin = np.concatenate([outcomes for outcomes, _, _ in parts])[order]
    return Decided(plain, tuple(made), origin)


def _followed(plan: Plan) -> tuple[Ints, list[Kind], Ints]:
    """Return the outcomes that a plan lets come about, their kinds, and which kind each has."""
    table, ways = plan.table, plan.ways
    assert ways is not None
    row = np.repeat(np.arange(table.rows), np.diff(table.outcome_first))
    weights = plan.weights(exact=True) if plan.is_mixed else None
    share: Ints = np.zeros(1, np.int64)
    shares = [Fraction(1)]
    taken = ways
    if ways.dtype == object:
        share, shares = _numbered(ways)
        taken = np.array([each != 0 for each in shares])[share]
    outcomes = np.flatnonzero(_played(plan)[row] & taken)
    if weights is None and ways.dtype != object:  # nothing is mixed: kinds stay as they are
        used = np.bincount(table.kind[outcomes], minlength=len(table.kinds)) > 0
        codes_of = np.cumsum(used) - 1
        return (
            outcomes,
            [table.kinds[number] for number in np.flatnonzero(used)],
            codes_of[table.kind[outcomes]],
        )
    part: Ints = np.zeros(1, np.int64)
    parts = [Fraction(1)]
    if weights is not None:
        part, parts = _numbered(weights)
        part = part[row[outcomes]]
    share = share[outcomes] if ways.dtype == object else share
    every = (table.kind[outcomes].astype(np.int64) * len(shares) + share) * len(parts) + part
    met, which = np.unique(every, return_inverse=True)
    found = []
    for number in met.tolist():
        old, here = divmod(number, len(shares) * len(parts))
        kind = table.kinds[old]
        chance = kind.chance * shares[here // len(parts)] * parts[here % len(parts)]
        found.append(Kind(chance, kind.passes, kind.gain))
    return outcomes, found, which


def _numbered(chances: Numbers) -> tuple[Ints, list[Fraction]]:
    """Return a number for each chance, the same for equal ones, and the chances by number.

    A chance that many outcomes share is mostly one object, so that few have to be compared.
    """
    which = np.fromiter(map(id, chances), np.int64, len(chances))
    _, first, which = np.unique(which, return_index=True, return_inverse=True)
    numbers: dict[Fraction, int] = {}
    number = [numbers.setdefault(chance, len(numbers)) for chance in chances[first].tolist()]
    return np.array(number, np.int64)[which], list(numbers)


def unfolded_plan(plan: Plan) -> Plan:
    """Return a plan on the unfolded table of its game, where every moment is a position."""
    table = plan.table
    if not table.has_choices:
        return plan
    assert plan.ways is not None
    there = unfolded_table(table)
    if not plan.is_mixed and plan.ways.dtype == np.bool_:
        return Plan(plan.name, there, there.whole.unfold(plan.choice, plan.ways))
    chances = there.whole.weights(plan.weights(exact=True), plan.way_shares(exact=True))
    return Plan(plan.name, there, nowhere(there), chances)


def folded_plan(plan: Plan) -> Plan:
    """Return a plan of an unfolded table on the table that this was made from."""
    there = plan.table
    if not isinstance(there, UnfoldedTable):
        return plan
    table, whole = there.folded, there.whole
    if not plan.is_mixed:
        choice, taken = whole.fold(plan.choice)
        return Plan(plan.name, table, choice, ways=taken)
    rows, ways = whole.fold_weights(plan.weights(exact=True))
    return Plan(plan.name, table, nowhere(table), rows, ways)
