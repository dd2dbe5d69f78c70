"""Random small games: rings, ties, dead ends, play that never ends, chances of 1/3 and 10**-12.

A game is made by picking from short lists, over and over. In a test Hypothesis picks, and shrinks
what fails to a few lines that can be pasted back as a game; in `benchmarks/check_random_games.py`
a seeded generator picks, thousands of times. Both make the same games.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, ClassVar, NamedTuple

from hypothesis import strategies as st

from brute import HALF, PayingSketch, SeatedSketch, Sketch
from dicelab.rules import DRAW, LOSS, ONGOING, OTHER, SAME, WIN, RaceAtOnce, where

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
    worths: Any = None,
    never: Any = None,
) -> Any:
    """Return a game of at most so many positions that go on, less those that no play reaches.

    `worths` gives what a win, a loss and a draw are worth, made by picking; `never` what play
    without an end is worth.
    """
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
    return reachable(kind(graph, worths(pick) if worths else None, never))


NUMBERS = [
    *map(Fraction, (0, 1, -1, 3, -7)),
    Fraction(11, 6),
    Fraction(-1, 3),
    Fraction(10**9 + 1, 3),
    Fraction(-1, 10**6),
]
"""What an end may be worth: of any sign and size, and not always a float."""

GAINS = [(0, 1, 3), (0, -1, -3), (0, -1, 1, 2), (0, 0, Fraction(-1, 3), Fraction(1, 7)), (-1, -2)]
"""What may be gained or lost on the way: upward, downward, either way, or always lost."""


NEVERS = [None, None, Fraction(0), Fraction(1), Fraction(-7), Fraction(11, 6)]
"""What play without an end may be worth: as it comes, or a number."""


def points_between_two(pick: Pick, most: int, never: Any = None) -> Any:
    """Return a game in which one gains what the other pays, or whose ends pay."""
    kind, worths = pick([(Sketch, None), (Sketch, one_pot), (PayingSketch, None)])
    gains = pick([*GAINS, (0, 0, 0, 0, 1), (1, 2)])
    if kind is PayingSketch and pick((True, False)):
        gains = None
    return random_sketch(pick, kind, most=most, gains=gains, worths=worths, never=never)


def any_worths(pick: Pick) -> tuple[Fraction, ...]:
    """Return what a win, a loss and a draw are worth: anything."""
    return tuple(pick(NUMBERS) for _ in range(3))


def one_pot(pick: Pick) -> tuple[Fraction, ...]:
    """Return what they are worth between two: a draw is worth half of what there is."""
    win, loss = pick(NUMBERS), pick(NUMBERS)
    return (win, loss, (win + loss) / 2)


def broken_game(pick: Pick) -> Any:
    """Return a game that breaks the contract in some way, and the verbs that must say so."""
    game = random_sketch(pick, most=3)
    every = ("solve", "solve exactly", "respond", "evaluate")
    how = pick(list(BREAKS))
    return how(pick, game), (BREAKS[how] or every)


def _chances_beyond_one(pick: Pick, game: Any) -> Any:
    at, move, outcomes = _some_row(pick, game)
    chance, *rest = outcomes[0]
    return _with_row(game, at, move, [(chance + pick((TINY, HALF)), *rest), *outcomes[1:]])


def _no_move(pick: Pick, game: Any) -> Any:
    at, _, _ = _some_row(pick, game)
    return replace(game, graph=game.graph | {at: {}})


def _never_of_another_pot(pick: Pick, game: Any) -> Any:
    return replace(game, endless=pick((Fraction(0), Fraction(1), HALF + TINY)))


def _worth_left_out(pick: Pick, game: Any) -> Any:
    return replace(game, ends=pick([(1, None, 0), (float("inf"), 0, 1), (1, 0, float("nan"))]))


def _two_pots(pick: Pick, game: Any) -> Any:
    win, loss, draw = one_pot(pick)
    return replace(game, ends=(win, loss, draw + pick((TINY, -1))))


def _other_players(pick: Pick, game: Any) -> Any:
    kind = type("Crowd", (Sketch,), pick([{"players": -1}, {"players": 0}, {"fewest": True}]))
    return kind(game.graph)


def _unequal_seats(pick: Pick, game: Any) -> Any:
    mine, yours = by_seat(pick)
    return SeatedSketch(game.graph, (mine, yours if mine != yours else (mine[0] + 1, *mine[1:])))


BREAKS: dict[Any, Any] = {
    _chances_beyond_one: (),
    _no_move: (),
    _worth_left_out: (),
    _other_players: (),
    _two_pots: ("solve", "solve exactly"),
    _never_of_another_pot: ("solve", "solve exactly"),
    _unequal_seats: ("solve", "solve exactly", "respond"),
}
"""Ways to break the contract, and the verbs that cannot keep it; none stands for all."""


def _some_row(pick: Pick, game: Any) -> tuple[Any, str, Any]:
    at = pick([at for at, rule in game.graph.items() if isinstance(rule, dict)])
    move = pick(list(game.graph[at]))
    return at, move, game.graph[at][move]


def _with_row(game: Any, at: Any, move: str, outcomes: Any) -> Any:
    return replace(game, graph=game.graph | {at: game.graph[at] | {move: outcomes}})


def by_seat(pick: Pick) -> tuple[tuple[Fraction, ...], ...]:
    """Return what they are worth to who goes first and who goes second."""
    return (any_worths(pick), any_worths(pick))


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
    return replace(game, graph={at: rule for at, rule in sorted(game.graph.items()) if at in seen})


# Both at once


class Scores(NamedTuple):
    mine: Any
    yours: Any


@dataclass(frozen=True)
class Race(RaceAtOnce):
    """A race in which both throw at once; laws are {move: {points: chance}}."""

    laws: Any = field(default_factory=dict, hash=False)
    target: int = 2
    larger: bool = True  # where both arrive together the larger score wins; else it is a draw
    ends: tuple[Fraction, ...] = (Fraction(1), Fraction(-1), Fraction(0))
    name: ClassVar[str] = "race"

    @property
    def worth(self):
        return dict(zip((WIN, LOSS, DRAW), self.ends, strict=True))

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

    def result(self, at):
        here, there = at.mine >= self.target, at.yours >= self.target
        ahead = where(at.mine == at.yours, DRAW, where(at.mine > at.yours, WIN, LOSS))
        both = ahead if self.larger else DRAW
        one = where(here, WIN, where(there, LOSS, ONGOING))
        return where(here & there, both, one)


def random_race(
    pick: Pick, moves: int = 3, target: int = 3, nothing: bool = True, worths: Any = None
) -> Race:
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
    race = Race(laws, pick(range(1, target + 1)), pick((True, False)))
    return replace(race, ends=worths(pick)) if worths else race


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
def sketches(
    draw,
    kind=Sketch,
    most=5,
    moves=2,
    laws=LAWS,
    movers=(SAME, OTHER),
    gains=None,
    worths=None,
    never=None,
):
    """Draw a game with rings, ties and ends, of at most so many positions that go on."""
    return random_sketch(picking(draw), kind, most, moves, laws, movers, gains, worths, never)


@st.composite
def points_games(draw, most=3, never=None):
    """Draw a game for points between two: gains on the way, ends that pay, or both."""
    return points_between_two(picking(draw), most, never)


@st.composite
def broken_games(draw):
    """Draw a game that breaks the contract, and the verbs that must say so."""
    return broken_game(picking(draw))


@st.composite
def strategies_for(draw, game, mixed=True):
    """Draw a strategy {position: move, or chances of moves}."""
    return random_strategy(picking(draw), game, mixed)


@st.composite
def races(draw, moves=3, target=3, nothing=True, worths=None):
    """Draw a race in which both throw at once."""
    return random_race(picking(draw), moves, target, nothing, worths)


@st.composite
def mixtures_for(draw, game):
    """Draw a strategy for a race."""
    return random_mixtures(picking(draw), game)


def picking(draw: Any) -> Pick:
    """Return the pick that lets Hypothesis choose, and shrink towards the first."""
    return lambda options: draw(st.sampled_from(options))
