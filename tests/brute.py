"""Brute force: small games played out in fractions, one dense system at a time.

These are the twins the engine is compared with. They share no code with it: a game is a dictionary,
a pair of strategies is a chain of (seat, position), and every question about it is one system of
linear equations, solved by elimination in fractions.
"""

from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, product
from math import inf
from typing import Any, ClassVar

from dicelab.rules import DRAW, LOSS, ONGOING, WIN, Game, HouseRules

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
    ends: Any = None  # what a win, a loss and a draw are worth, where that is not the usual
    name: ClassVar[str] = "sketch"

    def __str__(self):
        return self.name

    @property
    def worth(self):
        """What each end is worth: as given, or as the class has it."""
        return (
            self.usual
            if self.ends is None
            else dict(zip((WIN, LOSS, DRAW), self.ends, strict=True))
        )

    usual: ClassVar[Any] = Game.worth

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
        ends = "" if self.ends is None else f", {self.ends!r}"
        return "\n".join([f"{type(self).__name__}({{", *lines, f"}}{ends})"])

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
    usual: ClassVar[Any] = {WIN: Fraction(1), LOSS: Fraction(0), DRAW: HALF}


@dataclass(frozen=True, eq=False, repr=False)
class CostSketch(Sketch):
    """The same for one player, who wants it to cost little."""

    players: ClassVar[int] = 1
    fewest: ClassVar[bool] = True
    unit: ClassVar[str] = "turns"
    usual: ClassVar[Any] = {WIN: Fraction(0), LOSS: Fraction(0), DRAW: Fraction(0)}


@dataclass(frozen=True, eq=False, repr=False)
class SeatedSketch(Sketch):
    """The same for two to whom the ends are worth different things; `ends` are two such threes."""

    def worth_to(self, seat):
        return dict(zip((WIN, LOSS, DRAW), self.ends[seat], strict=True))

    @property
    def worth(self):
        return self.worth_to(0)


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
    return {node: averaged(game.worth, four, never) for node, four in chances(game, a, b).items()}


def averaged(worth, four, never):
    """Return what chances to win, lose, draw and never end are worth."""
    return worth[WIN] * four[0] + worth[LOSS] * four[1] + worth[DRAW] * four[2] + never * four[3]


def rings(steps, ends):
    """Return the sets of nodes that play goes round in for ever, once it is there."""
    found = []
    for node in set(steps) - alive(steps, ends):
        ring = followers(steps, node)
        if all(node in followers(steps, other) for other in ring) and ring not in found:
            found.append(ring)
    return found


def followers(steps, node):
    """Return the nodes that play may come to after a node."""
    found, waiting = set(), [node]
    while waiting:
        for step in steps[waiting.pop()]:
            if step[1] not in found:
                found.add(step[1])
                waiting.append(step[1])
    return found


def mean_gain(steps, ring):
    """Return what is gained in a step, on average, by going round in a ring for ever."""
    nodes = sorted(ring)
    rows = [dict.fromkeys(range(len(nodes)), Fraction(1))]
    for node in nodes[1:]:
        row = {nodes.index(node): Fraction(-1)}
        for i, other in enumerate(nodes):
            for chance, after, *_ in steps[other]:
                if after == node:
                    row[i] = row.get(i, 0) + chance
        rows.append({column: x for column, x in row.items() if x})
    shares = solve_linear(rows, [[Fraction(int(i == 0))] for i in range(len(nodes))])
    return sum(
        share * chance * gain
        for node, (share,) in zip(nodes, shares, strict=True)
        for chance, _, _, gain in steps[node]
    )


def brought(game, strategy):
    """Return what a strategy brings one player from each position; None where nobody can tell.

    Play that never ends is worth a loss beside what was gained, unless that grows without end. If
    the fewest are wanted it takes for ever.
    """
    steps = chain(game, strategy)
    ends = {(0, at): (game.worth[r],) for at, r in game.graph.items() if not isinstance(r, dict)}
    own = {node: (sum((s[0] * s[3] for s in after), Fraction(0)),) for node, after in steps.items()}
    endless = {}
    for ring in rings(steps, ends):
        gains = any(step[3] for node in ring for step in steps[node])
        mean = mean_gain(steps, ring)
        if game.fewest:
            kind = inf
        elif gains:
            kind = inf if mean > 0 else -inf if mean < 0 else None
        else:
            ends |= dict.fromkeys(ring, (game.worth[LOSS],))
            continue
        for node in alive(steps, ring):
            endless[node] = kind if endless.get(node, kind) == kind else None
    found = absorbed(steps, ends, own)
    return {at: endless.get(node, found[node][0]) for node in steps for at in [node[1]]}


def has_no_value(game):
    """Return whether one alone gains without end by going round, or what that brings cancels out.

    Both are so if some pure strategy goes round in a ring with a mean gain above 0 (a mean cost
    below 0, where the fewest are wanted), or with gains whose mean is 0.
    """
    ends = {(0, at) for at, rule in game.graph.items() if not isinstance(rule, dict)}
    for strategy in pure_strategies(game):
        steps = chain(game, strategy)
        for ring in rings(steps, ends):
            if any(step[3] for node in ring for step in steps[node]):
                mean = mean_gain(steps, ring)
                if mean == 0 or (mean > 0) != game.fewest:
                    return True
    return False


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
