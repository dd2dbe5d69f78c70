"""The table of a game in which both players choose at once.

Its rows are the moves of the player who looks, as on any other table, so that strategies, files and
notation work on it as they are. What follows depends on both moves: `pairs` has a row for each pair
of moves, those of who looks one after another, each with all of the other's. `mirror` tells which
position is which as the other player sees it; the positions are closed under it.

`steps` is the same game as one by turns: who looks chooses, then the other one, who does not know
what was chosen and so plays what he plays where he looks. Whatever follows two given players, or
the best reply to one of them, is asked there.
"""

from __future__ import annotations

import dataclasses
import math
from fractions import Fraction

import numpy as np

from dicelab.core.arrays import Array, Ints
from dicelab.core.jit import unsigned
from dicelab.core.lazy import lazy
from dicelab.errors import DicelabError
from dicelab.rules import ONGOING, SEEN_BY_OTHER, HouseRules, SimultaneousGame
from dicelab.rules import contract_at_once as contract
from dicelab.rules.failure import failure
from dicelab.solvers import order as ordering
from dicelab.solvers.arrays import Kind
from dicelab.solvers.rows import runs
from dicelab.table.pair_rules import Pair, PairRules
from dicelab.table.table import Table

BYTES_PER_OUTCOME = 56  # of a check that both see the same game: keys of both, sorted
BYTES_PER_STEP = 30  # of a row or an outcome of the same game by turns


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class SimultaneousTable(Table):
    """A compiled game in which both choose at once."""

    mirror: Ints  # [positions] the number of each position as the other player sees it


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class PairTable(SimultaneousTable):
    """A compiled game at once, with what follows each pair of moves."""

    pairs: Table  # rows are pairs of moves; it has the same positions by the same numbers

    @lazy
    def steps(self) -> StepTable:
        """The same game by turns: the other player chooses second, without having seen."""
        self.spare((self.pairs.target.size + self.pairs.rows) * BYTES_PER_STEP)
        return _by_steps(self)

    @lazy
    def pair_first(self) -> Ints:
        """The first pair of moves that each row is part of. `[rows + 1]`"""
        counts = np.diff(self.move_first)[self.mirror[self.row_position]]
        return np.append(0, np.cumsum(counts))

    @lazy
    def of_looker(self) -> Ints:
        """The row of who looks in each pair of moves. `[pairs]`"""
        return np.repeat(np.arange(self.rows), np.diff(self.pair_first))

    @lazy
    def of_other(self) -> Ints:
        """The row of the other player's move, as he sees it, of each pair of moves. `[pairs]`"""
        pairs, first = self.pairs, self.move_first
        at = pairs.row_position
        count = np.diff(first)[self.mirror[at]]
        place = np.arange(pairs.rows) - pairs.move_first[at]
        found: Ints = first[self.mirror[at]] + place % count
        return found


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class StepTable(Table):
    """A game at once as one by turns: positions of the table, and each after a move was made."""

    at_once: PairTable
    place: Ints  # [positions of the table] their numbers here
    made: Ints  # [rows of the table] the number of the position after that move was chosen
    weighed: Ints  # [rows] the row of the table whose chance a plan gives to this one
    of_pair: Ints  # [pairs] the row of each pair of moves

    def notation(self, number: int) -> str:
        """Return the notation of a position, which does not tell what was chosen."""
        return self.at_once.notation(int(np.searchsorted(self.place, number)))

    @lazy
    def start(self) -> int:
        """The number of the position the game starts from."""
        return int(self.place[self.at_once.start])

    @property
    def owner(self) -> Ints:
        """The position of the table that each one here belongs to. `[positions]`"""
        return np.searchsorted(self.place, np.arange(len(self)))


def paired(rules: PairRules, pairs: Table) -> PairTable:
    """Return the table of a game at once, refused where the two players see different games."""
    game: SimultaneousGame = rules.rules
    pairs = _by_looker(game, rules, pairs)
    pairs.spare(pairs.target.size * BYTES_PER_OUTCOME)
    mirror = _mirror(game, pairs)
    names, mine, yours = _moves(game, rules, pairs)
    first = pairs.move_first[:-1]
    at = pairs.row_position
    own = np.flatnonzero(yours == yours[first[at]]) if pairs.rows else np.empty(0, np.int64)
    counts = np.bincount(at[own], minlength=len(pairs))
    nothing = np.empty(0, np.int32)
    table = PairTable(
        game=pairs.game.rules,  # type: ignore[attr-defined]
        moves=names,
        numbering=pairs.numbering,
        memory=pairs.memory,
        payoffs=pairs.payoffs,
        end_kind=pairs.end_kind,
        result=pairs.result,
        move_first=np.append(0, np.cumsum(counts)).astype(np.int32),
        move=mine[own],
        outcome_first=np.zeros(own.size + 1, np.int32),
        target=nothing,
        kind=nothing,
        kinds=pairs.kinds,
        component_first=pairs.component_first,
        cut=pairs.cut,
        cuts=pairs.cuts,
        mirror=mirror,
        pairs=pairs,
    )
    _check_alike(table, mine, yours)
    return table


def _by_looker(game: SimultaneousGame, rules: PairRules, pairs: Table) -> Table:
    """Return the pairs with the moves of who looks first, where the rules tell them by seat."""
    if not game.seats_differ or not pairs.rows:
        return pairs
    names, first, second = _moves(game, rules, pairs)
    seats = pairs.numbering.field("seat")[pairs.row_position]
    mine, yours = np.where(seats, second, first), np.where(seats, first, second)
    # The order of moves is that in which they are told; each side's stays as it is.
    order = np.lexsort((_rank(pairs, yours), _rank(pairs, mine), pairs.row_position))
    counts = np.diff(pairs.outcome_first)[order]
    outcome_first = np.append(0, np.cumsum(counts)).astype(np.int32)
    which = runs(pairs.outcome_first[:-1][order], counts)
    told = {str(Pair(names[a], names[b])): None for a, b in zip(mine, yours, strict=True)}
    named = {name: number for number, name in enumerate(told)}
    rules.pairs.update(
        (str(pair), pair) for pair in (Pair(names[a], names[b]) for a, b in _distinct(mine, yours))
    )
    called = [named[str(Pair(names[a], names[b]))] for a, b in zip(mine, yours, strict=True)]
    return dataclasses.replace(
        pairs,
        moves=tuple(named),
        move=np.array(called, np.int32)[order],
        outcome_first=outcome_first,
        target=pairs.target[which],
        kind=pairs.kind[which],
    )


def _distinct(one: Ints, two: Ints) -> list[tuple[int, int]]:
    return sorted(set(zip(one.tolist(), two.tolist(), strict=True)))


def _rank(pairs: Table, moves: Ints) -> Ints:
    """Return at which row of its position each move is told first. `[pairs]`"""
    keys = pairs.row_position.astype(np.int64) * (int(moves.max()) + 1) + moves
    _, first, which = np.unique(keys, return_index=True, return_inverse=True)
    return first[which]


def _moves(
    game: SimultaneousGame, rules: PairRules, pairs: Table
) -> tuple[tuple[str, ...], Ints, Ints]:
    """Return all moves, and the numbers of both moves of each pair. Each is `[pairs]`."""
    told = [rules.pairs[name] for name in pairs.moves]
    if isinstance(game, HouseRules):
        names = tuple(dict.fromkeys(move for pair in told for move in pair))
    else:
        names = tuple(game.moves)
    number = {name: place for place, name in enumerate(names)}
    both = np.array([[number[move] for move in pair] for pair in told], np.int32).reshape(-1, 2)
    mine, yours = both[pairs.move].T if pairs.rows else (both[:0, 0], both[:0, 1])
    return names, mine, yours


def _mirror(game: SimultaneousGame, pairs: Table) -> Ints:
    """Return the number of each position as the other player sees it."""
    try:
        if isinstance(game, HouseRules):
            turned = [game.mirror(at) for at in pairs.each(np.arange(len(pairs)))]
            found = np.array([pairs.numbering.find(at) for at in turned], np.int32)
        else:
            at = game.mirror(pairs.positions(np.arange(len(pairs))))
            found = np.asarray(pairs.numbering.find(at), np.int32)
    except DicelabError:
        raise
    except Exception as trouble:  # the rules are somebody's own code
        raise failure(game, trouble) from trouble
    contract.check_mirror(game, found, pairs.position)
    return found


def _check_alike(table: PairTable, mine: Ints, yours: Ints) -> None:
    """Refuse rules that tell the two players different things about one position."""
    game, pairs, mirror = table.game, table.pairs, table.mirror
    assert isinstance(game, SimultaneousGame)
    seen = np.array(list(SEEN_BY_OTHER.values()), np.int8)
    contract.check_results_alike(
        game, table.result, seen[table.result[mirror]], mirror, table.position
    )
    if game.pays_ends:
        over = np.flatnonzero(~table.is_ongoing)
        contract.check_paid_alike(game, table.payoffs, table.end, over, mirror, table.position)
    if not pairs.rows:
        return
    outcomes = np.diff(pairs.outcome_first)
    row = np.repeat(np.arange(pairs.rows), outcomes)
    at = pairs.row_position
    kinds, gains = (
        pairs.kinds,
        sorted({k.gain for k in pairs.kinds} | {-k.gain for k in pairs.kinds}),
    )
    gain = {each: number for number, each in enumerate(gains)}
    told = np.array([gain[kind.gain] for kind in kinds])[pairs.kind]
    turned = np.array([gain[-kind.gain] for kind in kinds])[pairs.kind]
    size = len(table.moves)

    def law(
        place: Ints, one: Ints, two: Ints, target: Ints, gained: Ints
    ) -> tuple[Ints, Array, Array]:
        """Return distinct things that may follow, in order: who, what, and how likely."""
        key = (place[row].astype(np.int64) * size + one[row]) * size + two[row]
        then = target.astype(np.int64) * len(gains) + gained
        order = np.lexsort((then, key))
        key, then = key[order], then[order]
        fresh = np.append(True, (key[1:] != key[:-1]) | (then[1:] != then[:-1]))
        parts = np.add.reduceat(_parts(kinds)[pairs.kind[order]], np.flatnonzero(fresh))
        return key[fresh], then[fresh], parts

    straight = law(at, mine, yours, pairs.target, told)
    across = law(mirror[at], yours, mine, mirror[pairs.target], turned)
    least = min(straight[0].size, across[0].size)
    differs = np.append(np.zeros(least, bool), straight[0].size != across[0].size)
    for one, two in zip(straight, across, strict=True):
        differs[:least] |= np.asarray(one[:least] != two[:least], bool)
    if differs.any():
        wrong = int(np.argmax(differs))
        key = int(min(each[0][wrong] for each in (straight, across) if wrong < each[0].size))
        here, (first, second) = key // size**2, divmod(key % size**2, size)
        raise contract.not_alike(
            game,
            table.moves[first],
            table.moves[second],
            table.position(here),
            table.position(int(mirror[here])),
        )


def _parts(kinds: tuple[Kind, ...]) -> Array:
    """Return the chance of each kind as whole numbers of one denominator."""
    whole = math.lcm(*(kind.chance.denominator for kind in kinds))
    parts = [int(kind.chance * whole) for kind in kinds]
    return np.array(parts, np.int64 if whole < 2**62 else object)


def _by_steps(table: PairTable) -> StepTable:
    """Return a game at once as one by turns.

    The positions after a move was chosen stand right before the one where it was, so that all are
    in solving order and the cuts are those of the table.
    """
    pairs, size = table.pairs, len(table)
    moves, rows = np.diff(table.move_first), table.rows
    others = np.where(moves > 0, moves[table.mirror], 0)
    at = table.row_position
    place = (np.arange(size) + table.move_first[1:]).astype(np.int32)
    made = (np.arange(rows) + at).astype(np.int32)
    counts = np.empty(size + rows, np.int32)
    counts[place], counts[made] = moves, others[at]
    of_pair = np.arange(pairs.rows) + table.move_first[pairs.row_position]
    own = pairs.move_first[1:][at] + np.arange(rows)
    weighed, move = (np.empty(pairs.rows + rows, np.int32) for _ in range(2))
    weighed[of_pair], weighed[own] = table.of_other, np.arange(rows)
    move[:] = table.move[weighed]
    outcomes = np.empty(pairs.rows + rows, np.int32)
    outcomes[of_pair], outcomes[own] = np.diff(pairs.outcome_first), 1
    outcome_first = np.append(0, np.cumsum(outcomes)).astype(np.int32)
    target = np.empty(pairs.target.size + rows, np.int32)
    kind = np.empty(target.size, np.min_scalar_type(len(pairs.kinds)))
    is_own = np.zeros(target.size, np.bool_)
    is_own[outcome_first[own]] = True
    target[is_own], target[~is_own] = made, place[pairs.target]
    kind[is_own], kind[~is_own] = len(pairs.kinds), pairs.kind
    result, end_kind = np.full(size + rows, ONGOING, table.result.dtype), None
    result[place] = table.result
    if table.end_kind is not None:
        end_kind = np.zeros(size + rows, table.end_kind.dtype)
        end_kind[place] = table.end_kind
    move_first = np.append(0, np.cumsum(counts)).astype(np.int32)
    component_first = table.component_first + table.move_first[table.component_first]
    component_first = component_first.astype(np.int32)
    first = unsigned(outcome_first[move_first])
    cut, cuts = ordering.cuts(component_first, first, unsigned(target))
    # The other player moves second and pays what who looks gains.
    kinds = tuple(Kind(each.chance, True, -each.gain) for each in pairs.kinds)
    return StepTable(
        game=table.game,
        moves=table.moves,
        numbering=table.numbering,
        memory=table.memory,
        payoffs=table.payoffs,
        end_kind=end_kind,
        result=result,
        move_first=move_first,
        move=move,
        outcome_first=outcome_first,
        target=target,
        kind=kind,
        kinds=(*kinds, Kind(Fraction(1), True, Fraction(0))),
        component_first=component_first,
        cut=cut,
        cuts=cuts,
        at_once=table,
        place=place,
        made=made,
        weighed=weighed,
        of_pair=of_pair,
    )
