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
    endless: Any = None  # what play without an end is worth, likewise
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

    @property
    def never(self):
        """What play without an end is worth: as given, or left open."""
        return self.endless

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
        ends += "" if self.never is None else f", endless={self.never!r}"
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


PAYS = [*map(Fraction, (3, -1, 0)), Fraction(11, 6), Fraction(-10, 3), *map(Fraction, (1, 7))]
"""What ends pay in a sketch that pays them: the end at 0 pays the first, and so on in a circle."""


class Paying:
    """Ends that pay something beside being won or lost."""

    def payoff(self, at):
        return PAYS[at % len(PAYS)]


@dataclass(frozen=True, eq=False, repr=False)
class PayingSketch(Paying, Sketch):
    """The same for two, whose ends pay."""


@dataclass(frozen=True, eq=False, repr=False)
class PayingSolo(Paying, SoloSketch):
    """The same for one, whose ends pay."""


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


def worth_of(game):
    """Return what the ends are worth: nothing in a game for points that leaves it open."""
    rows = [o for rule in game.graph.values() if isinstance(rule, dict) for o in rule.values()]
    gains = any(sum(gain) for outcomes in rows for _, _, _, *gain in outcomes)
    if game.worth is Game.worth and (gains or isinstance(game, Paying)):
        return dict.fromkeys(Game.worth, Fraction(0))
    return game.worth


def never_of(game):
    """Return what play without an end is worth: as given, a draw between two, a loss alone."""
    if game.never is not None:
        return Fraction(game.never)
    if game.players == 1 and game.fewest:
        return inf
    return worth_of(game)[DRAW if game.players == 2 else LOSS]


def ending_worths(game, seats):
    """Return {end node: what it is worth to A, the player of seat 0}."""
    worth, other, ends = worth_of(game), {WIN: LOSS, LOSS: WIN, DRAW: DRAW}, {}
    for at, rule in game.graph.items():
        for seat in range(seats):
            if isinstance(rule, dict):
                continue
            ends[seat, at] = worth[rule if seat == 0 else other[rule]]
            if isinstance(game, Paying):
                total = worth[WIN] + worth[LOSS] if seats == 2 else Fraction(0)
                paid = game.payoff(at)
                ends[seat, at] = paid if seat == 0 else total - paid
    return ends


def fared(game, *strategies, never=None):
    """Return what A, the player of seat 0, gets from every (seat, position), or None.

    What the other player gains counts against A. Play that never ends is worth `never` beside what
    was gained, unless that grows without end; None is where nobody can tell, as it goes up and down
    for ever.
    """
    steps, never = chain(game, *strategies), never_of(game) if never is None else never
    ends = {node: (worth,) for node, worth in ending_worths(game, len(strategies)).items()}
    steps = {
        (seat, at): [(c, to, m, gain if seat == 0 else -gain) for c, to, m, gain in after]
        for (seat, at), after in steps.items()
    }
    own = {node: (sum((s[0] * s[3] for s in after), Fraction(0)),) for node, after in steps.items()}
    endless = {}
    for ring in rings(steps, ends):
        gains = any(step[3] for node in ring for step in steps[node])
        mean = mean_gain(steps, ring)
        if never == inf:
            kind = inf
        elif gains:
            kind = inf if mean > 0 else -inf if mean < 0 else None
        else:
            ends |= dict.fromkeys(ring, (never,))
            continue
        for node in alive(steps, ring):
            endless[node] = kind if endless.get(node, kind) == kind else None
    found = absorbed(steps, ends, own)
    return {node: endless[node] if node in endless else found[node][0] for node in steps}


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
    """Return what a strategy brings one player from each position; None where nobody can tell."""
    return {at: value for (_, at), value in fared(game, strategy).items()}


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


def guaranteed(game, plan):
    """Return {position: (least, most)}: what a plan gets as A at worst, and gives as B at worst.

    Where both are equal, that is the value of the game there, and the plan is optimal: no pure
    strategy does better against it, and against a fixed plan some pure strategy is a best reply.
    Where nobody can tell what a plan gets, that counts as the worst of all.
    """
    least, most = {}, {}
    for other in pure_strategies(game):
        mine, theirs = fared(game, plan, other), fared(game, other, plan)
        for at in game.graph:
            low, high = mine[0, at], theirs[0, at]
            low, high = (-inf if low is None else low), (inf if high is None else high)
            least[at] = min(least.get(at, low), low)
            most[at] = max(most.get(at, high), high)
    return {at: (least[at], most[at]) for at in game.graph}


def two_have_no_value(game):
    """Return whether two can go round in a way that nobody can tell the worth of, or gain for ever.

    Then the game may be refused; if neither can come about, it may not.
    """
    plans = list(pure_strategies(game))
    return any(
        value in (None, inf, -inf)
        for a in plans
        for b in plans
        for value in fared(game, a, b).values()
    )


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
