"""Unfolding: a game with choices after throws as one without, every such moment a position.

The arrays keep a choice folded: its ways stand side by side among the outcomes of a move. Unfolded,
the moment after the throw is a position of its own, whose moves are the ways, each with one certain
outcome. Both are the same game. What is asked seldom (end components, hard components) is asked of
the unfolded one, so that it is written once; the folded one takes a fraction of the memory.

A moment comes right before its position in solving order. Whatever leads from it to a later place
of its component led there from the position too, so that the cuts are cuts still.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from dicelab.core.arrays import Bools, Ints, Numbers
from dicelab.solvers.arrays import Kind, MarkovGame
from dicelab.solvers.rows import runs

BYTES_PER_WAY = 40
"""Of an outcome that is one of several ways: its row, its outcome, and what is made on the way."""


@dataclass(frozen=True, eq=False)
class Unfolded:
    """A game without choices after throws, and where the folded game's numbers went."""

    folded: MarkovGame
    arrays: MarkovGame
    number: Ints  # [positions of the folded game] their numbers here
    moment: Ints  # [moments] the positions here that are moments after a throw
    head: Ints  # [moments] the first of its ways, as an outcome of the folded game

    def fold(self, choice: Ints) -> tuple[Ints, Bools]:
        """Return the moves chosen, and which ways are taken, as the folded game counts.

        `choice` is `[positions here]`; what comes back is `[positions]` and `[outcomes]`.
        """
        folded, arrays = self.folded, self.arrays
        rows = choice[self.number] - arrays.move_first[self.number]
        found = np.where(folded.is_ongoing, folded.move_first[:-1] + rows, -1).astype(np.int32)
        taken = ~folded.another[folded.kind]
        taken[self.head] = False
        taken[self.head + choice[self.moment] - arrays.move_first[self.moment]] = True
        return found, taken

    def unfold(self, choice: Ints, taken: Bools) -> Ints:
        """Return the moves chosen here, from those of the folded game and the ways taken there."""
        folded, arrays = self.folded, self.arrays
        found = np.full(len(arrays), -1, np.int32)
        chosen = folded.is_ongoing & (choice >= 0)
        rows = (choice - folded.move_first[:-1])[chosen]
        found[self.number[chosen]] = arrays.move_first[self.number[chosen]] + rows
        way = np.flatnonzero(taken)
        moment = np.searchsorted(self.head, way, side="right") - 1
        inside = moment >= 0
        inside[inside] = (way - self.head[moment])[inside] < self._ways[moment[inside]]
        way, moment = way[inside], moment[inside]
        found[self.moment[moment]] = (
            arrays.move_first[self.moment[moment]] + way - self.head[moment]
        )
        return found

    def weights(self, rows: Numbers, ways: Numbers) -> Numbers:
        """Return the chances of the moves here, from those of the folded game's moves and ways.

        `rows` is `[rows]` and `ways` `[outcomes]` there; what comes back is `[rows here]`.
        """
        folded, arrays = self.folded, self.arrays
        counts = self._ways
        found = np.empty(arrays.rows, rows.dtype)
        old_row, way_row, way = _places(folded, self.number, arrays.move_first, self.moment, counts)
        found[old_row] = rows
        found[way_row] = ways[np.repeat(self.head, counts) + way]
        return found

    def fold_weights(self, weights: Numbers) -> tuple[Numbers, Numbers]:
        """Return the chances of the folded game's moves and ways, from those of the moves here.

        Where the moves before it are never made, a moment has its chances all the same. Plain
        outcomes have 1. What comes back is `[rows]` and `[outcomes]` there.
        """
        folded, arrays = self.folded, self.arrays
        counts = self._ways
        old_row, way_row, way = _places(folded, self.number, arrays.move_first, self.moment, counts)
        one = weights.dtype.type(1) if weights.dtype != object else Fraction(1)
        ways = np.full(folded.target.size, one, weights.dtype)
        ways[np.repeat(self.head, counts) + way] = weights[way_row]
        return weights[old_row], ways

    @property
    def owner(self) -> Ints:
        """The position of the folded game that each position here belongs to. `[positions here]`"""
        return np.searchsorted(self.number, np.arange(len(self.arrays)))

    @property
    def _ways(self) -> Ints:
        """How many ways each moment has. `[moments]`"""
        return np.diff(self.arrays.move_first)[self.moment]


def unfolded(game: MarkovGame) -> Unfolded:
    """Return a game with every moment after a throw as a position of its own."""
    more = game.another[game.kind]
    heads = np.flatnonzero(~more)  # the first outcome of each throw
    ways = np.diff(np.append(heads, more.size))
    chosen = ways > 1
    head, count = heads[chosen], ways[chosen]
    row_of_head = np.searchsorted(game.outcome_first, heads, side="right") - 1
    owner = game.row_position[row_of_head[chosen]].astype(np.int64)
    before = np.searchsorted(owner, np.arange(len(game) + 1))  # moments of earlier positions
    number = np.arange(len(game)) + before[1:]
    moment = owner + np.arange(owner.size)
    size = len(game) + moment.size

    rows = np.zeros(size, np.int64)
    rows[number], rows[moment] = np.diff(game.move_first), count
    move_first = np.append(0, np.cumsum(rows))
    move = np.empty(move_first[-1], np.int32)
    old_row, way_row, way = _places(game, number, move_first, moment, count)
    move[old_row], move[way_row] = game.move, way

    outcomes = np.ones(move.size, np.int64)
    outcomes[old_row] = np.bincount(row_of_head, minlength=game.rows)
    outcome_first = np.append(0, np.cumsum(outcomes))
    kinds, plain, throw, certain = _kinds(game)
    target, kind = np.empty(outcome_first[-1], np.int64), np.empty(outcome_first[-1], np.int64)
    first_of_row = np.searchsorted(heads, game.outcome_first[:-1])
    place = outcome_first[old_row][row_of_head] + np.arange(heads.size) - first_of_row[row_of_head]
    target[place] = number[game.target[heads]]
    target[place[chosen]] = moment
    kind[place] = np.where(chosen, throw[game.kind[heads]], plain[game.kind[heads]])
    through = np.repeat(head, count) + way
    target[outcome_first[way_row]] = number[game.target[through]]
    kind[outcome_first[way_row]] = certain[game.kind[through]]

    result, cut = np.zeros(size, game.result.dtype), np.full(size, -1, game.cut.dtype)
    result[number], cut[number] = game.result, game.cut
    end_kind = None
    if game.end is not game.result:
        end_kind = np.zeros(size, game.end.dtype)
        end_kind[number] = game.end
    low = game.component_first.astype(np.int64)
    arrays = MarkovGame(
        result=result,
        move_first=move_first.astype(np.int32),
        move=move,
        outcome_first=outcome_first.astype(np.int32),
        target=target.astype(np.int32),
        kind=kind.astype(np.min_scalar_type(max(len(kinds) - 1, 0))),
        kinds=kinds,
        component_first=(low + before[low]).astype(game.component_first.dtype),
        cut=cut,
        cuts=game.cuts,
        end_kind=end_kind,
    )
    return Unfolded(game, arrays, number, moment, head)


def _places(
    game: MarkovGame, number: Ints, move_first: Ints, moment: Ints, count: Ints
) -> tuple[Ints, Ints, Ints]:
    """Return the new rows of the old moves and of the ways, and which way of its moment each is."""
    within = np.arange(game.rows) - game.move_first[:-1][game.row_position]
    old_row = move_first[number[game.row_position]] + within
    way = runs(0 * count, count)
    way_row = np.repeat(move_first[moment], count) + way
    return old_row, way_row, way


def _kinds(game: MarkovGame) -> tuple[tuple[Kind, ...], Ints, Ints, Ints]:
    """Return the kinds here, and by old kind: an outcome as it was, the throw, the way alone."""
    codes: dict[Kind, int] = {}

    def code(kind: Kind) -> int:
        return codes.setdefault(kind, len(codes))

    plain = np.array([code(kind._replace(another=False)) for kind in game.kinds])
    throw = np.array([code(Kind(kind.chance, False, Fraction(0))) for kind in game.kinds])
    certain = np.array([code(Kind(Fraction(1), kind.passes, kind.gain)) for kind in game.kinds])
    return tuple(codes), plain, throw, certain
