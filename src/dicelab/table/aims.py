"""Aims: what a game may be played for, once its table has told what there is to gain.

Refusals are sentences that say which purposes a game has (`rules.purpose` says what each means).
"""

from __future__ import annotations

import dataclasses
import math
from fractions import Fraction

import numpy as np

from dicelab.errors import RulesError
from dicelab.rules import LOSS, ONGOING, WIN, Game
from dicelab.rules.purpose import POINTS, TURNS, WINNING, aimed
from dicelab.rules.so_far import SoFar
from dicelab.table.table import Table


def purposes(table: Table) -> list[str]:
    """Return what a game may be played for, in words."""
    game, ends = table.game, set(np.unique(table.result).tolist()) - {ONGOING}
    many = not game.fewest or game.unit == POINTS  # or few of them, and no other costs
    found = [POINTS] if table.is_for_points and many else []
    found += [WINNING] if ends & {WIN, LOSS} else []
    found += [TURNS] if game.players == 1 and LOSS not in ends else []
    if table.is_for_points:
        found.append("at most a number" if game.fewest else "at least a number")
    return [*found, *game.more_purposes]


def for_purpose(game: Game | Table, purpose: str | None) -> Game | Table:
    """Return a game, or a table of it, for another purpose; as it is, where none is given."""
    if purpose is None:
        return game
    return aimed(game.game if isinstance(game, Table) else game, purpose)


def refuse_aim(own: Table, game: Game) -> None:
    """Refuse a purpose that a game does not have; `own` is its table for its own aim."""
    known = purposes(own)
    if game.aim in known or any(game.aim.startswith(each[:8]) for each in known if " a " in each):
        return
    told = ", ".join(repr(each) for each in known)
    raise RulesError(f"{game.unaimed} is not played for {game.aim!r}: it has {told}")


def settled(game: SoFar, own: Table) -> SoFar:
    """Return a game for so many points that knows how to count them, or refuse to count.

    Points that only ever grow are counted up to the number asked about. Others are counted as they
    come, which needs play that cannot go round and gain.
    """
    numbers = [*own.gains, *(worth - own.even for worth, _ in own.ends.values())]
    parts = math.lcm(game.number.denominator, *(number.denominator for number in numbers))
    grows = game.players == 1 and all(number >= 0 for number in numbers)
    if not grows and (at := _without_limit(own)) is not None:
        raise RulesError(
            f"{own.game} cannot be played for {game.aim!r}: going round at {own.notation(at)}, "
            f"points come and go without limit; limit how often that may be done"
        )
    begun = game.begun
    if begun is not None:  # so far it was read in whole points
        begun = (begun[0], begun[1] * parts // (game.parts or 1))
    return dataclasses.replace(game, parts=parts, only_grows=grows, begun=begun)


def _without_limit(own: Table) -> int | None:
    """Return a position from which play may come back with more or fewer points, or None.

    Where every way round brings nothing, points can be written at each position (and for each who
    may be about to move there) so that every step changes them by what it gains; where that fails,
    some way round gains or loses, and may be gone again and again.
    """
    from scipy.sparse import csr_matrix
    from scipy.sparse.csgraph import connected_components

    seats, size = own.game.players, len(own)
    source = own.row_position[np.repeat(np.arange(own.rows), np.diff(own.outcome_first))]
    tails = np.concatenate([seat * size + source for seat in range(seats)])
    passes = own.passes(slice(None)) & (seats == 2)
    heads = np.concatenate([np.where(passes, 1 - s, s) * size + own.target for s in range(seats)])
    kinds = np.tile(own.kind, seats)
    ways = csr_matrix((np.ones(tails.size), (tails, heads)), (seats * size, seats * size))
    label = connected_components(ways, connection="strong")[1]
    inside = np.flatnonzero(label[tails] == label[heads])
    steps: dict[int, list[tuple[int, Fraction]]] = {}
    for tail, head, kind in zip(tails[inside], heads[inside], kinds[inside], strict=True):
        gain = own.gains[kind] if tail < size else -own.gains[kind]
        steps.setdefault(int(tail), []).append((int(head), gain))
    written: dict[int, Fraction] = {}
    for first in steps:
        waiting = [] if first in written else [first]
        written.setdefault(first, Fraction(0))
        while waiting:
            tail = waiting.pop()
            for head, gain in steps[tail]:
                if head not in written:
                    written[head] = written[tail] + gain
                    waiting.append(head)
                elif written[head] != written[tail] + gain:
                    return tail % size
    return None
