"""The linear system behind an evaluation: the positions around one that depend on each other.

Let A play against B. P(x) is the chance that A wins from x with A to move, Q(x) that B wins from x
with B to move. Once both have decided, each of these is a mean of others; where the turn passes, a
chance becomes 1 minus the other player's. Positions that lead back to each other form one system

    C X = D,

which is what the Pig study builds for each pair of banks. Positions that play only moves on to are
known by then and stand on the right.

>>> from dicelab.games.pig import Pig
>>> found = equations(Pig(target=2), "roll-to-win", "roll-to-win", "0-0 +0")
>>> print(*found.lines(), sep="\\n")
P(0-0 +0) + 1/6 Q(0-0 +0) = 1
Q(0-0 +0) + 1/6 P(0-0 +0) = 1
>>> found.solution.round(6).tolist()
[0.857143, 0.857143]
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from dicelab.core.arrays import Numbers, Real
from dicelab.core.csv_cells import csv_text
from dicelab.errors import RulesError, TooLarge
from dicelab.rules import Game, contract
from dicelab.strategies.matchup import Pairing
from dicelab.strategies.named import AnyStrategy, plan
from dicelab.table import Table, compile, refuse_exact
from dicelab.verbs.evaluate import ends_of

MOST = 5_000
"""Unknowns beyond which a system is refused."""


@dataclass(frozen=True, eq=False)
class Equations:
    """One linear system and its solution: floats, or fractions in exact mode."""

    game: Game
    names: tuple[str, ...]  # P(...) where A is to move, Q(...) where B is
    matrix: Numbers  # C: [unknowns, unknowns]
    right: Numbers  # D: [unknowns]
    solution: Numbers  # X: [unknowns]

    def lines(self) -> list[str]:
        """Return each equation as people write it."""
        return [self._line(row) for row in range(len(self.names))]

    def _line(self, row: int) -> str:
        others = [place for place in np.flatnonzero(self.matrix[row]) if place != row]
        parts = [_term(self.matrix[row, row], self.names[row]).removeprefix("+ ")]
        parts += [_term(self.matrix[row, place], self.names[place]) for place in others]
        return f"{' '.join(parts)} = {decimal(self.right[row])}"

    def as_csv(self) -> str:
        """Return C, D and X as CSV: a row for each equation, a column for each unknown."""
        rows = [
            [name, *map(str, [*self.matrix[row], self.right[row], self.solution[row]])]
            for row, name in enumerate(self.names)
        ]
        return csv_text([["unknown", *self.names, "right side", "solution"], *rows])


def number(value: Real) -> str:
    """Return a coefficient: the short fraction that it is the nearest float of, or its digits."""
    if isinstance(value, Fraction):
        return str(value)
    short = Fraction(float(value)).limit_denominator(10_000)
    return str(short) if float(short) == float(value) else f"{float(value):.9g}"


def decimal(value: Real) -> str:
    """Return a number that was worked out: a fraction in exact mode, and else its digits."""
    return str(value) if isinstance(value, Fraction) else f"{float(value):.9g}"


def _term(factor: Real, name: str) -> str:
    size = number(max(factor, -factor))
    return f"{'-' if factor < 0 else '+'} {name if size == '1' else f'{size} {name}'}"


def equations(
    game: Game | Table, a: AnyStrategy, b: AnyStrategy, at: str, exact: bool = False
) -> Equations:
    """Return the system of the positions that depend on each other around one, A to move there."""
    table = compile(game)
    contract.refuse_many(table.game, "be written as a system for two")
    if table.game.players != 2 or table.game.is_simultaneous:
        raise RulesError(f"{table.game} is not played by two in turns: there is no such system")
    if exact:
        refuse_exact(table)
    pairing = Pairing(table, (plan(table, a, exact), plan(table, b, exact)), exact)
    start = int(pairing.node[0, table.number(at)])
    if start < 0:  # they never come there from where the game starts: let them begin there
        return equations(table.game.starting(at), a, b, at, exact)
    own = ends_of(pairing)
    if own.shape[1] > 1:
        raise RulesError(
            f"these equations are for games that somebody wins: {table.game} may be drawn or "
            "never end between these strategies"
        )
    wins = pairing.absorb(own)[:, 0]
    inside = _together(pairing, start)
    if len(inside) > MOST:
        raise TooLarge(f"the system has {len(inside):,} unknowns; the limit is {MOST:,}")
    return _written(pairing, inside, wins)


def _together(pairing: Pairing, start: int) -> list[int]:
    """Return the nodes of the start's component that play comes to from it, where A moves first."""
    chain = pairing.chain
    block = int(np.searchsorted(chain.component_first, start, side="right")) - 1
    low, high = int(chain.component_first[block]), int(chain.component_first[block + 1])
    found, todo = {start}, [start]
    while todo:
        here = todo.pop()
        for target in chain.target[chain.first[here] : chain.first[here + 1]]:
            node = int(target)
            if low <= node < high and node not in found:
                found.add(node)
                todo.append(node)

    def place(node: int) -> tuple[int, list[int | str]]:
        told = pairing.table.notation(int(chain.position[node]))
        parts = re.split(r"(\d+)", told)  # so that 10 comes after 2
        return (int(chain.seat[node]), [int(part) if part.isdecimal() else part for part in parts])

    return sorted(found, key=place)


def _written(pairing: Pairing, inside: list[int], wins: Numbers) -> Equations:
    """Return the equations of some nodes; what they need besides is known from the values."""
    chain, table, exact = pairing.chain, pairing.table, pairing.exact
    place = {node: row for row, node in enumerate(inside)}
    kind: Any = object if exact else np.float64
    zero, one = (Fraction(0), Fraction(1)) if exact else (0.0, 1.0)
    matrix = np.full((len(inside), len(inside)), zero, kind)
    right = np.full(len(inside), zero, kind)
    mine = np.where(chain.seat == 0, wins, 1 - wins)  # the chance of whoever is to move
    for node, row in place.items():
        matrix[row, row] += one
        for step in range(chain.first[node], chain.first[node + 1]):
            target, chance = int(chain.target[step]), chain.chance[step]
            passes = chain.seat[target] != chain.seat[node]
            if target in place:
                matrix[row, place[target]] += chance if passes else -chance
                right[row] += chance if passes else zero
            else:
                known = mine[target]
                right[row] += chance * (1 - known if passes else known)
    names = tuple(
        f"{'PQ'[int(chain.seat[node])]}({table.notation(int(chain.position[node]))})"
        for node in inside
    )
    return Equations(table.game, names, matrix, right, mine[inside])
