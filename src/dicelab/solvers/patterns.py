"""Patterns: turns that are alike, whoever plays and wherever they begin.

What may happen in a turn is written down as a *script*: how many records, and these. A record is a
position: what a strategy sees of it, and for each move the kind of every outcome and where that
leads, to another record, to one of the turn's *exits*, or to the end of the game. Two turns with
the same script have the same pattern. They differ only in the positions that their exits stand for,
so a strategy needs to be followed through one turn of each pattern.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from dicelab.core.arrays import Ints, Numbers
from dicelab.core.jit import allocating, jit
from dicelab.core.results import DRAW, LOSS, ONGOING, WIN
from dicelab.solvers.decisions import Graph
from dicelab.solvers.hash_index import EMPTY, rehash, spread

FIRST_EXIT = -4
"""Where an outcome leads: a record of its turn, -result for the end, and exits from here down."""


class Patterns(NamedTuple):
    """The patterns of a table's turns, as they look to strategies that see the same of them."""

    of: Ints  # [starts] which pattern each turn has
    exit_first: Ints  # [starts + 1]
    exits: Ints  # [exits] turn starts of the next player
    first: Ints  # [patterns + 1] the first record of each pattern
    order: Ints  # [records] those of a pattern, so that nothing leads back
    record: Ints  # [records] where it begins in the script
    script: Ints


class Turn(NamedTuple):
    """Room for the turn looked at."""

    members: Ints  # its positions, each after those it leads to
    place: Ints  # [positions] 1 and the number among the members, 0 for all others
    path: Ints  # the way to the position looked at,
    edge: Ints  # and the outcome looked at in each position of it
    exit_of: Ints  # [starts] the number of a turn start among the exits,
    exit_seen: Ints  # [starts] of the turn that last had it as one


@jit
def _gather(graph: Graph, turn: Turn, start: int) -> int:
    """List the positions of a turn and return how many; -1 if it leads up or stays somewhere."""
    depth, size = 1, 0
    turn.path[0], turn.edge[0] = start, graph.first[graph.move_first[start]]
    while depth > 0:
        here, o = turn.path[depth - 1], turn.edge[depth - 1]
        last = graph.first[graph.move_first[here + 1]]
        while o < last and (graph.turns[graph.kind[o]] > 0 or turn.place[graph.target[o]] > 0):
            o += 1
        if o < last:
            to = graph.target[o]
            if to >= here:
                return -1
            turn.edge[depth - 1] = o
            turn.path[depth], turn.edge[depth] = to, graph.first[graph.move_first[to]]
            depth += 1
            continue
        turn.members[size] = here
        size += 1
        turn.place[here] = size
        depth -= 1
    return size


@jit
def _write(
    graph: Graph,
    move: Ints,
    result: Ints,
    seen: Ints,
    rank: Ints,
    two: bool,
    turn: Turn,
    size: int,
    number: int,
    exits: Ints,
    record: Ints,
    script: Ints,
) -> tuple[int, int]:
    """Write the script of a turn; return how long it is and how many exits there are."""
    script[0] = size
    at, leaving = 1, 0
    for m in range(size):
        here = turn.members[m]
        begin, end = graph.move_first[here], graph.move_first[here + 1]
        over = result[here]
        record[m] = at
        script[at], script[at + 1] = seen[here] if over == ONGOING else -over, end - begin
        at += 2
        for row in range(begin, end):
            script[at], script[at + 1] = move[row], graph.first[row + 1] - graph.first[row]
            at += 2
            for o in range(graph.first[row], graph.first[row + 1]):
                to = graph.target[o]
                leads = turn.place[to] - 1
                if graph.turns[graph.kind[o]] > 0:
                    leads = -result[to]
                    if leads == ONGOING:
                        start = rank[to]
                        if turn.exit_seen[start] != number:
                            turn.exit_seen[start], turn.exit_of[start] = number, leaving
                            exits[leaving] = start
                            leaving += 1
                        leads = FIRST_EXIT - turn.exit_of[start]
                    elif two and leads != -DRAW:  # the end as the other player sees it
                        leads = -LOSS if leads == -WIN else -WIN
                script[at], script[at + 1] = graph.kind[o], leads
                at += 2
    return at, leaving


@jit
def _same(script: Ints, before: int, begin: int, length: int) -> bool:
    """Return whether a script of some length stands where another begins."""
    same = True
    for i in range(length):
        same &= script[before + i] == script[begin + i]
    return same


class Search(NamedTuple):
    """How far a search for patterns has come."""

    keys: Ints  # a hash table of the scripts,
    known: Ints  # and the pattern each of them is
    reached: Ints  # [6] turn starts looked at, patterns, exits, records, script, outcomes met


def find(
    graph: Graph,
    move: Ints,
    result: Ints,
    seen: Ints,
    starts: Ints,
    rank: Ints,
    two: bool,
    most: int,
) -> Patterns | None:
    """Return the patterns of all turns, or None if there are none.

    There are none where a turn may lead up or stay, or where turns share positions so often that
    more than `most` outcomes would have to be written down.
    """
    turn = Turn(
        np.empty(result.size, np.uint32),
        np.zeros(result.size, np.int32),
        np.empty(result.size, np.uint32),
        np.empty(result.size, np.uint32),
        np.empty(starts.size, np.int32),
        np.full(starts.size, -1, np.int32),
    )
    of, exit_first = np.empty(starts.size, np.int32), np.zeros(starts.size + 1, np.int32)
    exits, order, record, script = (np.empty(64, np.int32) for _ in range(4))
    found = Patterns(of, exit_first, exits, np.zeros(64, np.int32), order, record, script)
    search = Search(np.full(64, EMPTY), np.empty(64, np.int32), np.zeros(6, np.int64))
    while True:
        needed = _find(graph, move, result, seen, starts, rank, two, most, turn, found, search)
        if needed < 0:
            return None
        _, count, used, records, begin, _ = search.reached.tolist()
        if needed == 0:
            break
        found = Patterns(
            of,
            exit_first,
            _with_room(found.exits, used + needed),
            _with_room(found.first, count + 2),
            _with_room(found.order, records + needed),
            _with_room(found.record, records + needed),
            _with_room(found.script, begin + needed),
        )
        if 4 * count >= search.keys.size:
            keys = np.full(4 * search.keys.size, EMPTY)
            known = np.empty(keys.size, np.int32)
            rehash(search.keys, search.known, keys, known)
            search = Search(keys, known, search.reached)
    return Patterns(
        of,
        exit_first,
        found.exits[:used].copy(),
        found.first[: count + 1].copy(),
        found.order[:records].copy(),
        found.record[:records].copy(),
        found.script[:begin].copy(),
    )


def _with_room(numbers: Ints, needed: int) -> Ints:
    """Return the same numbers with room for so many."""
    if needed <= numbers.size:
        return numbers
    longer = np.empty(2 * needed, numbers.dtype)
    longer[: numbers.size] = numbers
    return longer


@allocating
def _find(
    graph: Graph,
    move: Ints,
    result: Ints,
    seen: Ints,
    starts: Ints,
    rank: Ints,
    two: bool,
    most: int,
    turn: Turn,
    found: Patterns,
    search: Search,
) -> int:
    """Go on with a search, and return 0 when it is over, or -1 where there are no patterns.

    Where the next turn may not fit, return how much room each array should have for it.
    """
    exits, order, record, script = found.exits, found.order, found.record, found.script
    keys, known = search.keys, search.known
    reached = search.reached
    count, used, records = reached[1], reached[2], reached[3]
    begin, written = reached[4], reached[5]
    for s in range(reached[0], starts.size):
        size = _gather(graph, turn, starts[s])
        rows, outcomes = 0, 0
        for m in range(size):
            here = turn.members[m]
            low, high = graph.move_first[here], graph.move_first[here + 1]
            rows, outcomes = rows + high - low, outcomes + graph.first[high] - graph.first[low]
        if size < 0 or written + outcomes > most:
            return -1
        needed: int = 1 + 2 * (size + rows + outcomes)
        if (
            used + outcomes > exits.size
            or begin + needed > script.size
            or records + size > min(record.size, order.size)
            or count + 2 > found.first.size
            or 4 * count >= keys.size
        ):
            for m in range(size):
                turn.place[turn.members[m]] = 0
            reached[0], reached[1], reached[2] = s, count, used
            reached[3], reached[4], reached[5] = records, begin, written
            return needed
        written += outcomes
        length, leaving = _write(
            graph,
            move,
            result,
            seen,
            rank,
            two,
            turn,
            size,
            s,
            exits[used:],
            record[records:],
            script[begin:],
        )
        used += leaving
        found.exit_first[s + 1] = used
        key = (np.int64(length) << 32) + (np.int64(leaving) << 16) + seen[starts[s]]
        slot = spread(key, keys.size - 1)
        while keys[slot] != EMPTY and not (
            keys[slot] == key and _same(script, record[found.first[known[slot]]] - 1, begin, length)
        ):
            slot = (slot + 1) & (keys.size - 1)
        if keys[slot] == EMPTY:
            keys[slot], known[slot] = key, count
            downwards = np.argsort(turn.members[:size])[::-1]
            for m in range(size):
                order[records + m] = records + downwards[m]
                record[records + m] += begin
            count, records, begin = count + 1, records + size, begin + length
            found.first[count] = records
        found.of[s] = known[slot]
        for m in range(size):
            turn.place[turn.members[m]] = 0
    reached[0], reached[1], reached[2] = starts.size, count, used
    reached[3], reached[4], reached[5] = records, begin, written
    return 0


@allocating
def follow(
    patterns: Patterns, chances: Numbers, played: Ints, first: Ints, leads: Ints, chance: Numbers
) -> int:
    """Write where the turns of each pattern lead under a strategy; return the most moves in one.

    `played` is the move at each thing seen. `leads` are exits, or -result.
    """
    widest = 0
    for s in range(patterns.of.size):
        widest = max(widest, patterns.exit_first[s + 1] - patterns.exit_first[s])
    mass, steps = np.zeros(patterns.record.size), np.zeros(patterns.record.size, np.int32)
    landed, touched, ends = np.zeros(widest), np.empty(widest, np.int32), np.zeros(4)
    script, count, depth = patterns.script, 0, 0
    for p in range(patterns.first.size - 1):
        low, high, touches = patterns.first[p], patterns.first[p + 1], 0
        mass[high - 1] = 1.0  # the start of the turn leads to all others
        for i in range(low, high):
            here = patterns.order[i]
            flow, at = mass[here], patterns.record[here]
            if flow == 0.0:
                continue
            if script[at] < 0:
                ends[-script[at]] += flow
                continue
            wanted = played[script[at]]
            depth = max(depth, steps[here] + 1)
            at += 2
            while script[at] != wanted:
                at += 2 + 2 * script[at + 1]
            for o in range(at + 2, at + 2 + 2 * script[at + 1], 2):
                part, to = flow * chances[script[o]], script[o + 1]
                if part == 0.0:
                    continue
                if to >= 0:
                    mass[low + to] += part
                    steps[low + to] = max(steps[low + to], steps[here] + 1)
                elif to > FIRST_EXIT:
                    ends[-to] += part
                else:
                    leaving = FIRST_EXIT - to
                    if landed[leaving] == 0.0:
                        touched[touches] = leaving
                        touches += 1
                    landed[leaving] += part
        for t in range(touches):
            leads[count], chance[count] = touched[t], landed[touched[t]]
            landed[touched[t]] = 0.0
            count += 1
        for end in (WIN, LOSS, DRAW):
            if ends[end] > 0.0:
                leads[count], chance[count] = -end, ends[end]
                ends[end] = 0.0
                count += 1
        first[p + 1] = count
    return depth


@jit
def spread_out(
    patterns: Patterns,
    by_pattern: Ints,
    leads: Ints,
    shares: Numbers,
    first: Ints,
    target: Ints,
    chance: Numbers,
) -> None:
    """Write the law of every turn, from those of the patterns."""
    for s in range(patterns.of.size):
        before, out = by_pattern[patterns.of[s]], first[s]
        for e in range(first[s + 1] - out):
            to = leads[before + e]
            target[out + e] = patterns.exits[patterns.exit_first[s] + to] if to >= 0 else to
            chance[out + e] = shares[before + e]
