"""Random small games in which both choose at once, and their values by linear programs.

The games have circles, points, ends that pay, moves that only one of the two may make, positions
that look the same from both sides, and seats that differ. What they are worth is found here by
value iteration with a linear program at every position, in the solver's own arithmetic nowhere.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, ClassVar, NamedTuple

import numpy as np
from scipy.optimize import linprog

from dicelab.rules import BOTH, DRAW, LOSS, ONGOING, SEEN_BY_OTHER, WIN, HouseRules
from dicelab.rules import SimultaneousGame as AtOnce

Pick = Callable[[Any], Any]

LAWS = [
    [Fraction(1)],
    [Fraction(1, 2), Fraction(1, 2)],
    [Fraction(1, 3), Fraction(2, 3)],
    [Fraction(1, 3), Fraction(1, 3), Fraction(1, 3)],
]


@dataclass(frozen=True)
class Alike(AtOnce, HouseRules):
    """A game by its graph; `twin` has the position that each is to the other player.

    Graph: position to a result, a worth, or moves: {mine: {yours: [(chance, next, gain)]}}.
    """

    graph: Any = field(default_factory=dict, hash=False)
    twin: Any = field(default_factory=dict, hash=False)
    name: ClassVar[str] = "alike"

    def __str__(self):
        return self.name

    def start(self):
        return 0

    def mirror(self, at):
        return self.twin[at]

    def result(self, at):
        return self.graph[at] if isinstance(self.graph[at], int) else ONGOING

    def choices(self, at):
        return list(self.graph[at])

    def outcomes(self, at, mine, yours):
        for chance, after, gain in self.graph[at][mine][yours]:
            yield chance, after, BOTH, gain


class Seat(NamedTuple):
    place: int
    seat: int


@dataclass(frozen=True)
class Seated(AtOnce, HouseRules):
    """The same where the seats differ: the graph is what who sits first sees."""

    graph: Any = field(default_factory=dict, hash=False)
    name: ClassVar[str] = "seated"

    def __str__(self):
        return self.name

    def start(self):
        return Seat(0, 0)

    def result(self, at):
        assert at.seat == 0
        return self.graph[at.place] if isinstance(self.graph[at.place], int) else ONGOING

    def choices(self, at):
        moves = self.graph[at.place]
        return list(moves) if at.seat == 0 else list(next(iter(moves.values())))

    def outcomes(self, at, mine, yours):
        assert at.seat == 0
        for chance, after, gain in self.graph[at.place][mine][yours]:
            yield chance, Seat(after, 0), BOTH, gain


def random_seated(
    pick: Pick, most: int = 4, moves: int = 3, gains: Any = (0,), circles: bool = True
) -> Seated:
    """Return a game whose seats differ, of at most so many positions that go on."""
    size = pick(range(1, most + 1))
    graph: dict[int, Any] = {size: WIN, size + 1: LOSS, size + 2: DRAW}
    for at in range(size):
        mine, yours = "abc"[: pick(range(1, moves + 1))], "xyz"[: pick(range(1, moves + 1))]
        places = range(0 if circles else at + 1, size)
        graph[at] = {one: {two: _law(pick, places, size, gains) for two in yours} for one in mine}
    return Seated(graph)


def _law(pick: Pick, places: Any, end: int, gains: Any) -> list[Any]:
    """Return what follows: mostly another position, sometimes an end, in circles too."""
    ends = (end, end + 1, end + 2)
    return [
        (share, pick(ends) if pick((True, False)) or not places else pick(places), pick(gains))
        for share in pick(LAWS)
    ]


def random_alike(
    pick: Pick, most: int = 3, moves: int = 3, gains: Any = (0,), circles: bool = True
) -> Alike:
    """Return a game that treats both alike: level positions, and pairs of mirrored ones."""
    level, pairs = pick(range(1, most + 1)), pick(range(most))
    size = level + 2 * pairs
    twin = {at: at for at in range(level)}
    for number in range(pairs):
        one, two = level + 2 * number, level + 2 * number + 1
        twin[one], twin[two] = two, one
    graph: dict[int, Any] = {size: WIN, size + 1: LOSS, size + 2: DRAW}
    twin |= {size: size + 1, size + 1: size, size + 2: size + 2}
    for at in range(size):
        if at in graph:
            continue
        other = twin[at]
        places = range(0 if circles else max(at, other) + 1, size)
        if other == at:
            names = "abc"[: pick(range(1, moves + 1))]
            graph[at] = {one: {} for one in names}
            for i, one in enumerate(names):
                for two in names[: i + 1]:
                    law = _law(pick, places, size, gains)
                    if one == two:  # the same for both: half as it is, half turned
                        half = [(share / 2, after, gain) for share, after, gain in law]
                        law = half + _turned(half, twin)
                    graph[at][one][two] = law
                    graph[at][two][one] = law if one == two else _turned(law, twin)
            continue
        mine, yours = "abc"[: pick(range(1, moves + 1))], "abc"[: pick(range(1, moves + 1))]
        graph[at] = {one: {two: _law(pick, places, size, gains) for two in yours} for one in mine}
        graph[other] = {
            two: {one: _turned(graph[at][one][two], twin) for one in mine} for two in yours
        }
    return Alike(graph, twin)


def _turned(law: list[Any], twin: dict[int, int]) -> list[Any]:
    return [(share, twin[after], -gain) for share, after, gain in law]


def values(game: Any, worth: Any = None, rounds: int = 3000) -> dict[Any, float]:
    """Return what each position is worth to who looks, less an even share; by linear programs."""
    seated = isinstance(game, Seated)
    graph = game.graph
    ends = {WIN: 0.5, LOSS: -0.5, DRAW: 0.0} if worth is None else worth
    found = {at: ends[then] if isinstance(then, int) else 0.0 for at, then in graph.items()}
    for _ in range(rounds):
        moved = 0.0
        for at, moves in graph.items():
            if isinstance(moves, int):
                continue
            matrix = np.array(
                [
                    [
                        sum(float(c) * (float(g) + found[to]) for c, to, g in law)
                        for law in row.values()
                    ]
                    for row in moves.values()
                ]
            )
            now = by_program(matrix)
            moved = max(moved, abs(now - found[at]))
            found[at] = now
        if moved < 1e-12:
            break
    else:
        raise AssertionError("value iteration did not settle")
    if seated:
        return {Seat(at, 0): v for at, v in found.items()} | {
            Seat(at, 1): -v for at, v in found.items()
        }
    return found


def by_program(matrix: Any) -> float:
    """Return the value of a matrix game by SciPy's linear program."""
    rows, columns = matrix.shape
    if rows == 1:
        return float(matrix.min())
    if columns == 1:
        return float(matrix.max())
    answer = linprog(
        np.append(np.zeros(rows), -1.0),
        A_ub=np.hstack([-matrix.T, np.ones((columns, 1))]),
        b_ub=np.zeros(columns),
        A_eq=np.append(np.ones(rows), 0.0).reshape(1, -1),
        b_eq=[1.0],
        bounds=[(0, None)] * rows + [(None, None)],
        method="highs",
    )
    return float(-answer.fun)


__all__ = ["SEEN_BY_OTHER", "Alike", "Seated", "by_program", "random_alike", "random_seated"]
