"""Weaving: one layer's outcomes, met move by move, put together position by position.

A block holds the outcomes first[b] to first[b + 1], all of one move, each from its `source`, a
place in the layer. A position's blocks come in the order of its moves.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from dicelab.compiled import allocating


@allocating
def count(first: Any, move: Any, source: Any, rows: Any) -> Any:
    """Write how many rows each position of a layer has; return how many outcomes."""
    outcomes = np.zeros(rows.size, np.int32)
    last = np.full(rows.size, -1, np.int32)
    rows[:] = 0
    for b in range(move.size):
        for o in range(first[b], first[b + 1]):
            here = source[o]
            if last[here] != move[b]:
                last[here] = move[b]
                rows[here] += 1
            outcomes[here] += 1
    return outcomes


@allocating
def weave(
    first: Any,
    move: Any,
    source: Any,
    target: Any,
    kind: Any,
    rows: Any,
    outcomes: Any,
    row_move: Any,
    row_outcomes: Any,
    woven_target: Any,
    woven_kind: Any,
) -> None:
    """Write the moves of each row, how many outcomes it has, and these, position by position."""
    row_place, place = np.empty(rows.size, np.int32), np.empty(rows.size, np.int32)
    row, out = 0, 0
    for here in range(rows.size):
        row_place[here], place[here] = row - 1, out
        row += rows[here]
        out += outcomes[here]
    last = np.full(rows.size, -1, np.int32)
    for b in range(move.size):
        for o in range(first[b], first[b + 1]):
            here = source[o]
            if last[here] != move[b]:
                last[here] = move[b]
                row_place[here] += 1
                row_move[row_place[here]] = move[b]
                row_outcomes[row_place[here]] = 0
            row_outcomes[row_place[here]] += 1
            woven_target[place[here]] = target[o]
            woven_kind[place[here]] = kind[o]
            place[here] += 1
