"""Brute force: small games played out in fractions, one dense system at a time.

These are the twins the engine is compared with. They share no code with it: a game is a dictionary,
a pair of strategies is a chain of (seat, position), and every question about it is one system of
linear equations, solved by elimination in fractions.
"""

from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, product
from typing import Any, ClassVar

from dicelab.rules import DRAW, LOSS, ONGOING, WIN, HouseRules

HALF = Fraction(1, 2)
ENDS = {WIN: "WIN", LOSS: "LOSS", DRAW: "DRAW"}


def outcome_line(outcome):
    """Return an outcome as it is written in a game: short, and exact."""
    chance, after, mover, *gain = outcome
    told = [chance if chance == 1 else repr(chance), repr(after), ("SAME", "OTHER")[mover]]
    return f"({', '.join(map(str, [*told, *map(repr, gain)]))})"


@dataclass(frozen=True, eq=False, repr=False)
class Sketch(HouseRules):
    """A game for two given as {position: {move: outcomes}}; an end is given as its result."""

    graph: Any = None
    name: ClassVar[str] = "sketch"

    def __str__(self):
        return self.name

    def __repr__(self):
        """Return the game as lines that can be pasted back."""
        lines = []
        for at, rule in self.graph.items():
            if not isinstance(rule, dict):
                lines.append(f"    {at!r}: {ENDS[rule]},")
                continue
            lines.append(f"    {at!r}: {{")
            for move, outcomes in rule.items():
                told = ", ".join(map(outcome_line, outcomes))
                lines.append(f"        {move!r}: [{told}],")
            lines.append("    },")
        return "\n".join([f"{type(self).__name__}({{", *lines, "})"])

    def start(self):
        return 0

    def choices(self, at):
        return list(self.graph[at])

    def outcomes(self, at, move):
        yield from self.graph[at][move]

    def result(self, at):
        return ONGOING if isinstance(self.graph[at], dict) else self.graph[at]


@dataclass(frozen=True, eq=False, repr=False)
class SoloSketch(Sketch):
    """The same for one player, who wants to win."""

    players: ClassVar[int] = 1
    worth: ClassVar[Any] = {WIN: Fraction(1), LOSS: Fraction(0), DRAW: HALF}


@dataclass(frozen=True, eq=False, repr=False)
class CostSketch(Sketch):
    """The same for one player, who wants it to cost little."""

    players: ClassVar[int] = 1
    fewest: ClassVar[bool] = True
    unit: ClassVar[str] = "turns"
    worth: ClassVar[Any] = {WIN: Fraction(0), LOSS: Fraction(0), DRAW: Fraction(0)}


def pure_strategies(game):
    """Yield every pure strategy as {position: move}."""
    places = [at for at, rule in game.graph.items() if isinstance(rule, dict)]
    for moves in product(*(list(game.graph[at]) for at in places)):
        yield dict(zip(places, moves, strict=True))


def chances_of(strategy, at):
    """Return the chances of the moves of a strategy given as {position: move or chances}."""
    answer = strategy[at]
    return answer if isinstance(answer, dict) else {answer: Fraction(1)}


def chain(game, *strategies):
    """Return {node: [(chance, node, passes, gain)]} for all nodes (seat, position)."""
    seats, steps = len(strategies), {}
    for seat, strategy in enumerate(strategies):
        for at, rule in game.graph.items():
            steps[seat, at] = [
                (share * chance, ((seat + mover) % seats, after), mover, sum(gain))
                for move, share in (
                    chances_of(strategy, at).items() if isinstance(rule, dict) else ()
                )
                for chance, after, mover, *gain in rule[move]
                if share * chance
            ]
    return steps


def alive(steps, ends):
    """Return the nodes from which one of the ends can be reached."""
    found, grew = set(ends), True
    while grew:
        more = {
            node
            for node, after in steps.items()
            if node not in found and any(step[1] in found for step in after)
        }
        found |= more
        grew = bool(more)
    return found


def solve_linear(rows, rights):
    """Return x with rows x = rights, for rows given as {column: number}, by elimination."""
    rows = [dict(row) for row in rows]
    rights = [list(right) for right in rights]
    used = []
    for column in range(len(rows)):
        pivot = next(i for i in range(len(rows)) if i not in used and rows[i].get(column))
        used.append(pivot)
        scale = rows[pivot][column]
        rows[pivot] = {c: x / scale for c, x in rows[pivot].items()}
        rights[pivot] = [x / scale for x in rights[pivot]]
        for i, row in enumerate(rows):
            if i != pivot and (factor := row.pop(column, None)):
                for c, x in rows[pivot].items():
                    if c != column:
                        row[c] = row.get(c, 0) - factor * x
                rights[i] = [y - factor * z for y, z in zip(rights[i], rights[pivot], strict=True)]
    return [rights[pivot] for pivot in used]


def absorbed(steps, worth, own=None, width=1):
    """Return, for every node, the mean of `worth` (tuples by end node) plus what is met on the way.

    Nodes that can reach no end get zeros: that share of play never ends.
    """
    nothing = (Fraction(0),) * width
    living = sorted(alive(steps, worth) - set(worth))
    number = {node: i for i, node in enumerate(living)}
    rows, rights = [], []
    for node in living:
        row, right = {number[node]: Fraction(1)}, list(own[node] if own else nothing)
        for chance, after, *_ in steps[node]:
            if after in number:
                row[number[after]] = row.get(number[after], 0) - chance
            elif after in worth:
                right = [x + chance * y for x, y in zip(right, worth[after], strict=True)]
        rows.append(row)
        rights.append(right)
    found = solve_linear(rows, rights)
    values = dict.fromkeys(steps, nothing) | {n: tuple(w) for n, w in worth.items()}
    return values | {node: tuple(found[number[node]]) for node in living}


def ends_of(game, seats):
    """Return {end node: (A wins, B wins, draw)} as zeros and ones."""
    ends = {}
    for at, rule in game.graph.items():
        for seat in range(seats):
            if not isinstance(rule, dict):
                won = (rule == WIN) == (seat == 0)
                three = (0, 0, 1) if rule == DRAW else (int(won), int(not won), 0)
                ends[seat, at] = tuple(map(Fraction, three))
    return ends


def chances(game, a, b):
    """Return {(seat, position): (A wins, B wins, draw, never)} when A is seat 0."""
    found = absorbed(chain(game, a, b), ends_of(game, 2), width=3)
    return {node: (*three, 1 - sum(three)) for node, three in found.items()}


def worth_to_a(game, a, b, never):
    """Return what A gets on average from every (seat, position)."""
    found = chances(game, a, b)
    return {node: w + HALF * d + never * n for node, (w, _, d, n) in found.items()}


def can_go_round(game):
    """Return whether the players could keep the game going for ever if both wanted."""
    staying = {at for at, rule in game.graph.items() if isinstance(rule, dict)}
    while True:
        kept = {
            at
            for at in staying
            if any(all(o[1] in staying for o in outcomes) for outcomes in game.graph[at].values())
        }
        if kept == staying:
            return bool(staying)
        staying = kept


def guaranteed(game, plan, never):
    """Return {position: (least, most)}: what a plan gets as A at worst, and gives as B at worst.

    Where both are equal, that is the value of the game there, and the plan is optimal: no pure
    strategy does better against it, and against a fixed plan some pure strategy is a best reply.
    """
    least, most = {}, {}
    for other in pure_strategies(game):
        mine, theirs = worth_to_a(game, plan, other, never), worth_to_a(game, other, plan, never)
        for at in game.graph:
            least[at] = min(least.get(at, mine[0, at]), mine[0, at])
            most[at] = max(most.get(at, theirs[0, at]), theirs[0, at])
    return {at: (least[at], most[at]) for at in game.graph}


# Matrix games


def determinant(rows):
    if not rows:
        return Fraction(1)
    return sum(
        (-1) ** j * rows[0][j] * determinant([row[:j] + row[j + 1 :] for row in rows[1:]])
        for j in range(len(rows))
    )


def value_by_kernels(payoffs):
    """The value by Shapley and Snow: that of some square part, det / sum of minors."""
    A = [[Fraction(entry) for entry in row] for row in payoffs]
    m, n = len(A), len(A[0])
    for size in range(1, min(m, n) + 1):
        for rows in combinations(range(m), size):
            for columns in combinations(range(n), size):
                part = [[A[i][j] for j in columns] for i in rows]
                minors = [
                    [
                        (-1) ** (i + j)
                        * determinant([r[:j] + r[j + 1 :] for k, r in enumerate(part) if k != i])
                        for j in range(size)
                    ]
                    for i in range(size)
                ]
                total = sum(map(sum, minors))
                if total == 0:
                    continue
                x = [sum(row) / total for row in minors]
                y = [sum(column) / total for column in zip(*minors, strict=True)]
                value = determinant(part) / total
                if min(x) < 0 or min(y) < 0:
                    continue
                sure = min(sum(p * A[i][j] for p, i in zip(x, rows, strict=True)) for j in range(n))
                most = max(
                    sum(q * A[i][j] for q, j in zip(y, columns, strict=True)) for i in range(m)
                )
                if sure >= value >= most:
                    return value
    raise AssertionError("every matrix game has a kernel")
