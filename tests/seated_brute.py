"""Brute force for three players and more: every profile of a tiny game, in fractions.

A game is a dictionary as in `brute`; a profile is a chain of (seat, position), and what each player
gets is one dense system of equations. Replies are found by trying every one of them.
"""

from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any, ClassVar

from dicelab.rules import ONGOING, HouseRules

THIRD, HALF = Fraction(1, 3), Fraction(1, 2)


@dataclass(frozen=True, eq=False)
class Ring(HouseRules):
    """A game given as {position: {move: outcomes}}; an end is a tuple of what each gets."""

    graph: Any = None
    players: int = 3  # type: ignore[misc]
    name: ClassVar[str] = "ring"

    def __str__(self):
        return self.name

    def start(self):
        return 0

    def choices(self, at):
        return list(self.graph[at])

    def outcomes(self, at, move):
        yield from self.graph[at][move]

    def result(self, at):
        return ONGOING if isinstance(self.graph[at], dict) else self.won_by(0)

    def payoff(self, at):
        return self.graph[at]


def even(game):
    pots = [sum(end) for end in game.graph.values() if not isinstance(end, dict)]
    return Fraction(pots[0], game.players) if pots else Fraction(0)


def solved(matrix, right):
    """Return x with matrix x = right, by elimination in fractions."""
    size = len(matrix)
    rows = [[*matrix[i], *right[i]] for i in range(size)]
    for k in range(size):
        pivot = next(i for i in range(k, size) if rows[i][k])
        rows[k], rows[pivot] = rows[pivot], rows[k]
        rows[k] = [each / rows[k][k] for each in rows[k]]
        for i in range(size):
            if i != k and rows[i][k]:
                rows[i] = [a - rows[i][k] * b for a, b in zip(rows[i], rows[k], strict=True)]
    return [row[size:] for row in rows]


def values(game, profile):
    """Return {(seat, position): what each player gets} where seat s plays by profile[s].

    A strategy is {position: {move: chance}}.
    """
    players = game.players
    nodes = [(seat, at) for seat in range(players) for at in game.graph]
    place = {node: number for number, node in enumerate(nodes)}
    leads = {}
    for seat, at in nodes:
        law = {}
        if isinstance(game.graph[at], dict):
            for move, share in profile[seat][at].items():
                for chance, after, on in game.graph[at][move]:
                    then = (seat + on) % players, after
                    law[then] = law.get(then, 0) + share * Fraction(chance)
        leads[seat, at] = {node: chance for node, chance in law.items() if chance}
    alive = {node for node in nodes if not isinstance(game.graph[node[1]], dict)}
    while True:
        more = {node for node in nodes if node not in alive and alive & set(leads[node])}
        if not more:
            break
        alive |= more
    matrix = [[Fraction(int(i == j)) for j in range(len(nodes))] for i in range(len(nodes))]
    right = []
    for node in nodes:
        seat, at = node
        if node not in alive:
            right.append([even(game)] * players)
        elif not isinstance(game.graph[at], dict):
            end = game.graph[at]
            right.append([Fraction(end[(who - seat) % players]) for who in range(players)])
        else:
            right.append([Fraction(0)] * players)
            for then, chance in leads[node].items():
                matrix[place[node]][place[then]] -= chance
    return dict(zip(nodes, solved(matrix, right), strict=True))


def pure(game):
    """Return every strategy that does not mix."""
    going = [at for at, rule in game.graph.items() if isinstance(rule, dict)]
    for moves in product(*(game.graph[at] for at in going)):
        yield {at: {move: Fraction(1)} for at, move in zip(going, moves, strict=True)}


def temptations(game, profile):
    """Return, for each player, the most he gains from anywhere by changing his strategy."""
    kept, found = values(game, profile), []
    for who in range(game.players):
        most = Fraction(0)
        for other in pure(game):
            changed = [other if seat == who else profile[seat] for seat in range(game.players)]
            told = values(game, changed)
            most = max(most, *(told[node][who] - kept[node][who] for node in kept))
        found.append(most)
    return found


def random_ring(pick, most=3, players=3, movers=(0, 1, 1, 2)):
    """Return a game of at most so many positions that go on, and ends that share out 6."""
    size = pick(range(1, most + 1))
    shares = [(6, 0, 0), (0, 6, 0), (0, 0, 6), (2, 2, 2), (3, -1, 4), (3, 3, 0), (1, 2, 3)]
    ends = [pick(shares) for _ in range(pick(range(1, 4)))]
    graph = {size + number: end for number, end in enumerate(ends)}
    places = range(size + len(ends))
    laws = [[Fraction(1)], [HALF, HALF], [THIRD, 2 * THIRD]]
    for at in range(size):
        graph[at] = {
            move: [(share, pick(places), pick(movers)) for share in pick(laws)]
            for move in "abc"[: pick(range(1, 4))]
        }
    return Ring(graph=reachable(graph), players=players)


def reachable(graph):
    seen, ahead = {0}, [0]
    while ahead:
        rule = graph[ahead.pop()]
        for outcomes in rule.values() if isinstance(rule, dict) else ():
            for _, after, _ in outcomes:
                if after not in seen:
                    seen.add(after)
                    ahead.append(after)
    return {at: rule for at, rule in graph.items() if at in seen}
