"""Restricted players: what it costs to play best but for one thing.

A designer asks whether a game rewards nerve, foresight, or a look at the opponent. So each of these
is taken away, and what is left is evaluated exactly against best play (Jaffe, Miller, Andersen,
Liu, Karlin, Popovic, "Evaluating Competitive Game Balance with Restricted Play", AIIDE 2012, who
simulate it). The players are, for any game:

- *never risks*: makes the move after which chance can change least, by the standard deviation of
  what the game is then worth; of equals the best;
- *always risks*: the same with the most;
- *looks one move ahead*: makes the move that would be best if everybody moved at random afterwards;
- *ignores the opponent*: sees everything but the fields that are the other player's, and makes the
  move that is best on average over what these may be, as often as he comes there himself; that is
  found in rounds, and the best of them is told.

Which fields are the other player's is found in the rules themselves: fields that change places when
the turn passes hold the same thing of two players, and the first of them is one's own.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from dicelab.core.arrays import Floats, Ints
from dicelab.errors import DicelabError, RulesError
from dicelab.rules import HouseRules
from dicelab.rules.parts import part_of, parts_of
from dicelab.strategies.named import plan
from dicelab.strategies.plan import Plan
from dicelab.table import Table
from dicelab.table.at_once import PairTable, StepTable
from dicelab.table.unfolded import UnfoldedTable
from dicelab.verbs.best_play import BestPlay
from dicelab.verbs.course import course_of
from dicelab.verbs.mixtures import SimultaneousSolution
from dicelab.verbs.numbers import Number

FEW = 4_096
"""Outcomes on which it is tried first which fields the turn exchanges."""

ROUNDS = 6
"""How often it is looked again where a player who ignores the opponent comes to."""

MOST_ROWS = 4_000_000
"""Moves over all positions up to which play at random is followed."""


@dataclass(frozen=True, eq=False)
class Restricted:
    """A restricted player: how he fares against best play and what the restriction costs."""

    name: str
    about: str
    value: Number | None  # what he gets, seats taken in turn; None where there is no such player
    cost: Number | None  # what best play gets more
    refused: str = ""


ABOUT = {
    "never risks": "makes the move after which chance can change least; of equals the best",
    "always risks": "makes the move after which chance can change most; of equals the best",
    "looks one move ahead": "makes the move that is best if all move at random afterwards",
    "ignores the opponent": "makes the move that is best on average, without a look at the other",
}


def restricted(best: BestPlay, optimum: Number) -> Iterator[Restricted]:
    """Yield each restricted player, what he gets of `optimum` and what it costs him."""
    makers = (never_risks, always_risks, one_move_ahead, ignores_the_opponent)
    for (name, about), maker in zip(ABOUT.items(), makers, strict=True):
        try:
            played = maker(best)
            _, cost = best.mistakes(played)
        except DicelabError as trouble:
            yield Restricted(name, about, None, None, str(trouble))
            continue
        assert cost.value is not None
        assert optimum.value is not None
        sign = -1 if best.game.fewest else 1
        value = optimum.value - sign * cost.value
        error = None if cost.error is None else cost.error + (optimum.error or 0.0)
        yield Restricted(name, about, Number(value, error, cost.unit), cost)


def never_risks(best: BestPlay) -> Plan:
    """Return the player who makes the move after which chance can change least."""
    return _by_risk(best, "never risks", -1)


def always_risks(best: BestPlay) -> Plan:
    """Return the player who makes the move after which chance can change most."""
    return _by_risk(best, "always risks", 1)


def _by_risk(best: BestPlay, name: str, sign: int) -> Plan:
    """Return who wants the most, or the least, risk."""
    table, found = best.table, risks(best)
    if not isinstance(table, PairTable):
        # What leads surely on to a move of one's own is as risky as that move.
        single = np.diff(table.outcome_first) == 1
        only = table.outcome_first[:-1][single]
        on = ~table.passes(only) & table.is_ongoing[table.target[only]]
        rows, then = np.flatnonzero(single)[on], table.target[only][on]
        wanted = np.full(len(table), 0.0)
        wanted[table.is_ongoing] = sign * np.maximum.reduceat(sign * found, best.firsts)
        found = found.copy()
        found[rows] = wanted[then]
    spread = sign * found
    most, least = (each.reduceat(spread, best.firsts) for each in (np.maximum, np.minimum))
    if (most - least <= best.cost_error).all():
        raise RulesError(f"{best.game} has no move that is riskier than another")
    most = np.repeat(most, best.counts)
    return _chosen(best, np.where(spread >= most - best.cost_error, -best.costs, -np.inf), name)


def risks(best: BestPlay) -> Floats:
    """Return how far chance can change what the game is worth after each move. `[rows]`

    That is a standard deviation, in the game's unit; where both choose at once, the other player's
    choice is part of what chance does.
    """
    solution, table = best.solution, best.table
    if isinstance(table, PairTable):
        assert isinstance(solution, SimultaneousSolution)
        pairs = table.pairs
        gains = np.array([float(gain) for gain in pairs.gains])
        after = solution.values.astype(np.float64)[pairs.target] + gains[pairs.kind]
        weights = np.asarray(solution.opposed, np.float64)[table.of_other]
        share = np.repeat(weights, np.diff(pairs.outcome_first)) * pairs.chance_floats[pairs.kind]
        first = pairs.outcome_first[table.pair_first[:-1]]
    else:
        after = np.asarray(solution.way_values, np.float64)
        share, first = table.chance_floats[table.kind], table.outcome_first[:-1]
    if not first.size:
        return np.zeros(0)
    mean = np.add.reduceat(share * after, first)
    counts = np.diff(np.append(first, after.size))
    return np.sqrt(np.add.reduceat(share * (after - np.repeat(mean, counts)) ** 2, first))


def one_move_ahead(best: BestPlay) -> Plan:
    """Return the player who takes it that everybody moves at random after his move."""
    table, solution, seats = best.table, best.solution, best.game.players
    if table.rows > MOST_ROWS:
        raise RulesError(
            f"{best.game} has {table.rows:,} moves over all positions: play at random is followed "
            f"up to {MOST_ROWS:,}"
        )
    guess = plan(table, "random")
    course = course_of(table, (guess,) * seats)
    node = course.pairing.node[0]
    if isinstance(course.table, StepTable):
        node = node[course.table.place]
        assert isinstance(solution, SimultaneousSolution)
        solution = dataclasses.replace(solution, opposed=guess.weights(exact=False))
    worths = np.where(node[:, None] >= 0, course.worths[node], 0.0).T
    values = worths if seats > 2 else worths[0]
    sign = -1.0 if best.game.fewest else 1.0
    return _chosen(best, sign * solution.worth_of_rows(values), "looks one move ahead")


def ignores_the_opponent(best: BestPlay) -> Plan:
    """Return the player who does not look at the other player's fields."""
    if best.game.players == 1:
        raise RulesError(f"{best.game} is played alone: there is no opponent to ignore")
    table = best.table
    fields = fields_of(best.folded)
    others = fields_of_others(best.folded, fields)
    if not others:
        raise RulesError(f"{best.game} has no field that is the other player's alone")
    seen = [codes for name, codes in fields.items() if name not in others]
    if isinstance(table, UnfoldedTable):
        owner = np.searchsorted(table.whole.number, np.arange(len(table)))
        seen = [codes[owner] for codes in seen]
        thrown = np.zeros(len(table), np.int64)
        thrown[table.whole.moment] = table.throw + 1
        seen.append(thrown)
    group = _grouped([*seen, np.zeros(len(table), np.int64)])
    key = _grouped([group[table.row_position], table.move.astype(np.int64)])
    met, tried = best.visits.sum(axis=0), list[tuple[float, Plan]]()
    for _ in range(ROUNDS):
        weight = met[table.row_position] + 1e-12
        mean = np.bincount(key, weights=weight * best.costs) / np.bincount(key, weights=weight)
        made = _chosen(best, -mean[key], "ignores the opponent")
        if any(np.array_equal(made.choice, other.choice) for _, other in tried):
            break
        tried.append((best.mistakes(made)[1].value or 0.0, made))
        met = 0.1 * met + best.visits_of(made)
    return min(tried, key=lambda each: each[0])[1]


def _chosen(best: BestPlay, wanted: Floats, name: str) -> Plan:
    """Return the plan that makes the move of most worth, the first of equals."""
    table = best.table
    most = np.repeat(np.maximum.reduceat(wanted, best.firsts), best.counts)
    rows = np.flatnonzero(wanted >= most)
    choice = np.full(len(table), -1, np.int32)
    choice[table.row_position[rows[::-1]]] = rows[::-1]  # the first of equals is written last
    return Plan(name, table, choice)


# Which fields are whose


def fields_of(table: Table) -> dict[str, Ints]:
    """Return every field of all positions, as numbers that are alike where the values are."""
    names = parts_of(table.position(table.start))
    if not isinstance(table.game, HouseRules):
        return {name: np.asarray(table.numbering.field(name)).astype(np.int64) for name in names}
    codes: dict[Any, int] = {}
    every = list(table.each(np.arange(len(table))))
    found: dict[str, Ints] = {}
    for name in names:
        values = [part_of(at, name) for at in every]
        found[name] = np.array([codes.setdefault(value, len(codes)) for value in values])
    return found


def fields_of_others(table: Table, fields: dict[str, Ints]) -> list[str]:
    """Return the fields that hold what is another player's."""
    before: Ints
    after: Ints
    if isinstance(table, PairTable):
        before, after = np.arange(len(table)), table.mirror
    else:
        passing = np.flatnonzero(table.passes(slice(None)))
        source = np.repeat(np.arange(table.rows), np.diff(table.outcome_first))
        before, after = table.row_position[source[passing]], table.target[passing]
        going = table.is_ongoing[after]
        before, after = before[going], after[going]
    varied = [name for name, values in fields.items() if np.ptp(values) > 0]
    found = []
    for own, other in combinations(varied, 2):
        exchanged = _passes(fields[other], fields[own], before, after)
        if exchanged or _passes(fields[own], fields[other], before, after):
            found.append(other)
    return list(dict.fromkeys(found))


def _passes(one: Ints, into: Ints, before: Ints, after: Ints) -> bool:
    """Return whether one field stands in another after every turn, and not always the same."""
    few = slice(0, FEW)
    if not before.size or not np.array_equal(one[before[few]], into[after[few]]):
        return False
    return bool(np.array_equal(one[before], into[after]) and np.ptp(one[before]) > 0)


def _grouped(codes: list[Ints]) -> Ints:
    """Return one number for each combination of some codes."""
    found: Ints = np.zeros(codes[0].size, np.int64)
    for each in codes:
        place: Ints = np.unique(each, return_inverse=True)[1]
        combined: Ints = found * (int(place.max(initial=0)) + 1) + place
        found = np.unique(combined, return_inverse=True)[1]
    return found
