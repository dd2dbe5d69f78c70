"""Random small games: rings, ties, dead ends, play that never ends, chances of 1/3 and 10**-12.

A game is made by picking from short lists, over and over. In a test Hypothesis picks, and shrinks
what fails to a few lines that can be pasted back as a game; in `benchmarks/check_random_games.py`
a seeded generator picks, thousands of times. Both make the same games.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, ClassVar, NamedTuple

from hypothesis import strategies as st

from brute import HALF, Sketch
from dicelab.rules import DRAW, LOSS, ONGOING, OTHER, SAME, WIN, Outcome, SimultaneousGame, where

Pick = Callable[[Any], Any]  # one of a sequence

TINY = Fraction(1, 10**12)
LAWS = [
    [Fraction(1)],
    [HALF, HALF],
    [Fraction(1, 3), Fraction(2, 3)],
    [Fraction(1, 3), Fraction(1, 3), Fraction(1, 3)],
]
UNLIKELY = [
    *LAWS,
    [TINY, 1 - TINY],
    [TINY, HALF - TINY, HALF],
    [HALF + TINY, HALF - TINY],  # nearly a tie with one half
]
ENDS = [(WIN, LOSS, DRAW), (WIN, LOSS), (WIN,), ()]


def random_sketch(
    pick: Pick,
    kind: Any = Sketch,
    most: int = 4,
    moves: int = 3,
    laws: Any = UNLIKELY,
    movers: Any = (SAME, OTHER),
    gains: Any = None,
) -> Any:
    """Return a game of at most so many positions that go on, less those that no play reaches."""
    size = pick(range(1, most + 1))
    ends = pick(ENDS)
    graph: dict[int, Any] = {size + number: result for number, result in enumerate(ends)}
    places = range(size + len(ends))
    for at in range(size):
        graph[at] = {}
        for move in "abc"[: pick(range(1, moves + 1))]:
            if move != "a" and pick((False, False, False, True)):
                graph[at][move] = graph[at]["a"]  # a tie
                continue
            graph[at][move] = [
                (share, pick(places), pick(movers)) + ((pick(gains),) if gains else ())
                for share in pick(laws)
            ]
    return reachable(kind(graph))


def random_strategy(pick: Pick, game: Any, mixed: bool = True) -> dict[Any, Any]:
    """Return a strategy {position: move, or chances of moves}."""
    answer: dict[Any, Any] = {}
    for at, rule in game.graph.items():
        if isinstance(rule, dict):
            move, other = pick(list(rule)), pick(list(rule))
            if mixed and move != other and pick((True, False)):
                answer[at] = {move: Fraction(1, 3), other: Fraction(2, 3)}
            else:
                answer[at] = move
    return answer


def reachable(game: Any) -> Any:
    """Return the same game without the positions that no play reaches."""
    seen, waiting = {game.start()}, [game.start()]
    while waiting:
        rule = game.graph[waiting.pop()]
        for outcomes in rule.values() if isinstance(rule, dict) else ():
            for _, after, *_ in outcomes:
                if after not in seen:
                    seen.add(after)
                    waiting.append(after)
    return type(game)({at: rule for at, rule in sorted(game.graph.items()) if at in seen})


# Both at once


class Scores(NamedTuple):
    mine: Any
    yours: Any


@dataclass(frozen=True)
class Race(SimultaneousGame):
    """A race in which both throw at once; laws are {move: {points: chance}}."""

    laws: Any = field(default_factory=dict, hash=False)
    target: int = 2
    larger: bool = True  # where both arrive together the larger score wins; else it is a draw
    name: ClassVar[str] = "race"
    worth: ClassVar[Any] = {WIN: Fraction(1), LOSS: Fraction(-1), DRAW: Fraction(0)}

    def __str__(self):
        return self.name

    @property
    def is_simultaneous(self):
        return True

    @property
    def moves(self):
        return tuple(self.laws)

    def points(self, move):
        return self.laws[move]

    def highest(self):
        return self.target - 1

    def start(self):
        return Scores(0, 0)

    def legal(self, at, move):
        return (at.mine >= 0) & (move in self.laws)

    def outcomes(self, at, move):
        for points, chance in self.laws[move].items():
            yield Outcome(chance, Scores(at.yours, at.mine + points), OTHER)

    def result(self, at):
        here, there = at.mine >= self.target, at.yours >= self.target
        ahead = where(at.mine == at.yours, DRAW, where(at.mine > at.yours, WIN, LOSS))
        both = ahead if self.larger else DRAW
        one = where(here, WIN, where(there, LOSS, ONGOING))
        return where(here & there, both, one)


def random_race(pick: Pick, moves: int = 3, target: int = 3, nothing: bool = True) -> Race:
    """Return a race; with `nothing`, a throw may score no points."""
    laws = {}
    for move in "abc"[: pick(range(1, moves + 1))]:
        law: dict[int, Fraction] = {}
        shares = pick(UNLIKELY)
        for share in shares:
            points = pick(range(0 if nothing else 1, 4))
            law[points] = law.get(points, Fraction(0)) + share
        if law.get(0) == 1:
            law = {1: Fraction(1)}
        laws[move] = law
    return Race(laws, pick(range(1, target + 1)), pick((True, False)))


def random_mixtures(pick: Pick, game: Race) -> dict[tuple[int, int], dict[str, Fraction]]:
    """Return a strategy for a race: chances of moves at every pair of scores that plays on."""
    answer = {}
    for mine in range(game.target):
        for yours in range(game.target):
            one, two = pick(game.moves), pick(game.moves)
            share = pick((Fraction(1), Fraction(1, 3), TINY))
            mixture = {one: share}
            if share != 1:
                mixture[two] = mixture.get(two, Fraction(0)) + 1 - share
            answer[mine, yours] = mixture
    return answer


# For Hypothesis


@st.composite
def sketches(draw, kind=Sketch, most=5, moves=2, laws=LAWS, movers=(SAME, OTHER), gains=None):
    """Draw a game with rings, ties and ends, of at most so many positions that go on."""
    return random_sketch(picking(draw), kind, most, moves, laws, movers, gains)


@st.composite
def strategies_for(draw, game, mixed=True):
    """Draw a strategy {position: move, or chances of moves}."""
    return random_strategy(picking(draw), game, mixed)


@st.composite
def races(draw, moves=3, target=3, nothing=True):
    """Draw a race in which both throw at once."""
    return random_race(picking(draw), moves, target, nothing)


@st.composite
def mixtures_for(draw, game):
    """Draw a strategy for a race."""
    return random_mixtures(picking(draw), game)


def picking(draw: Any) -> Pick:
    """Return the pick that lets Hypothesis choose, and shrink towards the first."""
    return lambda options: draw(st.sampled_from(options))
