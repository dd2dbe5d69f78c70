"""Pig against a fixed opponent as plain arrays, for solvers that know one player and no game.

A state is a position and whose turn it is. In the opponent's states there is one action. Reaching
the target pays 1, once. The arrays are those of a sparse matrix, one row for each state and action:
``python benchmarks/peers/one_player.py TARGET HOLD FILE.npz`` writes them.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import breadth_first_order


def arrays(target: int, hold: int) -> dict[str, Any]:
    """Return state, action, reward and transitions of each row, in CSR form; state 0 is the start.

    The last state is the end of the game, which stays where it is.
    """
    number = np.full((2, target, target, target), -1, np.int64)
    mine, yours, risk = (axis.ravel() for axis in np.indices((target, target, target)))
    playing = mine + risk < target
    for turn in (0, 1):
        order = np.flatnonzero(playing)
        first = 0 if turn == 0 else int(number.max()) + 1
        number[turn].ravel()[order] = first + np.arange(order.size)
    end = int(number.max()) + 1
    rows: list[tuple[Any, ...]] = []
    for turn in (0, 1):
        here = number[turn].ravel()
        known = here >= 0
        at = mine[known], yours[known], risk[known]
        state = here[known]
        holds = at[2] > 0 if turn == 0 else at[2] >= hold
        rolls = np.ones(state.size, bool) if turn == 0 else at[2] < hold
        rows.append(_roll(number, turn, end, target, state[rolls], *(a[rolls] for a in at)))
        rows.append(_hold(number, turn, state[holds], *(a[holds] for a in at)))
    state, action, reward, columns, chances = (
        np.concatenate(part) if part[0].ndim == 1 else part for part in zip(*rows, strict=True)
    )
    return _csr(state, action, reward, columns, chances, end)


def _roll(number: Any, turn: int, end: int, target: int, state: Any, *at: Any) -> tuple[Any, ...]:
    mine, yours, risk = at
    columns = np.empty((state.size, 6), np.int64)
    columns[:, 0] = number[1 - turn][yours, mine, 0]
    reward = np.zeros(state.size)
    for face in range(2, 7):
        wins = mine + risk + face >= target
        after = np.where(wins, 0, risk + face)
        columns[:, face - 1] = np.where(wins, end, number[turn][mine, yours, after])
        reward += wins / 6 * (turn == 0)
    return state, np.zeros(state.size, np.int64), reward, columns, np.full(columns.shape, 1 / 6)


def _hold(number: Any, turn: int, state: Any, *at: Any) -> tuple[Any, ...]:
    mine, yours, risk = at
    columns = np.full((state.size, 6), -1, np.int64)
    columns[:, 0] = number[1 - turn][yours, mine + risk, 0]
    chances = np.zeros(columns.shape)
    chances[:, 0] = 1.0
    return state, np.ones(state.size, np.int64), np.zeros(state.size), columns, chances


def _csr(
    state: Any, action: Any, reward: Any, columns: Any, chances: Any, end: int
) -> dict[str, Any]:
    columns, chances = np.concatenate(columns), np.concatenate(chances)
    order = np.lexsort((action, state))
    used = columns[order] >= 0
    first = np.concatenate([[0], np.cumsum(used.sum(axis=1))])
    every = {
        "state": np.append(state[order], end),
        "action": np.append(action[order], 0),
        "reward": np.append(reward[order], 0.0),
        "first": np.append(first, first[-1] + 1),
        "column": np.append(columns[order][used], end),
        "chance": np.append(chances[order][used], 1.0),
    }
    return _reachable(every)


def _reachable(every: dict[str, Any]) -> dict[str, Any]:
    """Return the rows of the states that play can reach, numbered anew."""
    counts = np.diff(every["first"])
    source = np.repeat(every["state"], counts)
    size = int(every["state"].max()) + 1
    graph = csr_matrix((np.ones(source.size), (source, every["column"])), (size, size))
    reached = np.sort(breadth_first_order(graph, 0, return_predecessors=False))
    number = np.full(size, -1, np.int64)
    number[reached] = np.arange(reached.size)
    rows = number[every["state"]] >= 0
    entries = np.repeat(rows, counts)
    return {
        "state": number[every["state"][rows]],
        "action": every["action"][rows],
        "reward": every["reward"][rows],
        "first": np.concatenate([[0], np.cumsum(counts[rows])]),
        "column": number[every["column"][entries]],
        "chance": every["chance"][entries],
    }


if __name__ == "__main__":
    np.savez(sys.argv[3], **arrays(int(sys.argv[1]), int(sys.argv[2])))
