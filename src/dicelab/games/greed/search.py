"""The search shortcuts of the Greed study, beside the search that tries everything.

In the last turn, with `gap` to the other score and `room` to the maximum, the study starts at the
smallest number of dice whose mean passes the middle, n (s + 1) > gap + room, and goes on upwards
until the rating falls. Its own conjecture says that from there on ratings only fall, so this stops
at once, and the best number may lie below. Walking downwards from the same place is what the
conjectures support. On ordinary turns the study stops at n0, the first number of dice whose mean
passes the room; that bound is a theorem (see `solvers.sums`). A tighter bound that nothing has yet
contradicted: on an ordinary turn no more dice than hit the maximum exactly with the best chance,
which is what a last turn against a score of the maximum throws.

All comparisons here are between whole numbers: ratings of n dice are counts of throws over s**n.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from dicelab.errors import RulesError, TooLarge
from dicelab.games.greed import Greed
from dicelab.games.greed.solver import GreedSolution, laws_of, solve_greed
from dicelab.solvers.settle import Progress
from dicelab.solvers.sums import Laws, Ratings, blank, exact_rating, rate_normal

Rate = Callable[[int], Fraction]
Found = tuple[int, int]
"""A number of dice, and how many numbers were tried to find it."""


def exhaustive(rate: Rate, start: int, most: int) -> Found:
    """Try every number of dice that may stay within the maximum."""
    return max(range(most + 1), key=lambda dice: (rate(dice), -dice)), most + 1


def upward(rate: Rate, start: int, most: int) -> Found:
    """Start where the mean passes the middle and go up until the rating falls, as printed."""
    dice, tried = start, 1
    while dice < most:
        tried += 1
        if rate(dice + 1) < rate(dice):
            break
        dice += 1
    return dice, tried


def downward(rate: Rate, start: int, most: int) -> Found:
    """Start where the mean passes the middle and go down until the rating falls."""
    dice, tried = min(start, most), 1
    while dice > 0:
        tried += 1
        if rate(dice - 1) < rate(dice):
            break
        dice -= 1
    return dice, tried


SEARCHES: dict[str, Callable[[Rate, int, int], Found]] = {
    "exhaustive": exhaustive,
    "upward": upward,
    "downward": downward,
}
"""Ways to look for the best number of dice in a last turn."""


@dataclass(frozen=True)
class Wrong:
    """A last turn where a search misses the best number of dice."""

    position: str
    found: int
    best: int
    loss: Fraction


@dataclass(frozen=True, eq=False)
class Shortcut:
    """How one search did in every last turn."""

    name: str
    tried: int  # ratings worked out
    wrong: list[Wrong]  # where it misses, the worst first
    value: float  # the first player's rating if last turns were rated by this search


@dataclass(frozen=True, eq=False)
class Shortcuts:
    """All searches in the last turn, and the bound on ordinary turns."""

    game: Greed
    last: list[Shortcut]
    all_normal: int  # ratings on ordinary turns if every number of dice is tried
    bounded_normal: int  # and up to n0
    bound_misses: int  # positions where more than n0 dice are better
    tighter_normal: int  # ratings up to the number of dice that most often hits the maximum
    tighter_misses: int  # positions where more than that are better
    ties: list[str]  # positions with several best numbers of dice
    closest: tuple[str, Any] | None  # where best and second best are nearest without being equal
    solution: GreedSolution


MOST_SEARCHED = 300
"""The largest maximum that is searched: the work grows with its third power and more."""


def shortcuts(game: Greed, exact: bool = True, progress: Progress | None = None) -> Shortcuts:
    """Return how the study's searches do on a game with a fair die."""
    if game.players > 2:
        raise RulesError(
            f"the shortcuts search the last turns of two players: got {game}, where others may "
            f"throw after one's last turn"
        )
    if not game.die.is_fair or len(set(game.ties)) == 2:
        raise RulesError(f"the shortcuts are for fair dice and one worth of a tie: got {game}")
    if game.max > MOST_SEARCHED:
        raise TooLarge(
            f"{game} has {(game.max + 1) ** 2:,} last turns, each searched for {len(SEARCHES)} "
            f"times, one number of dice after another: shortcuts go up to max={MOST_SEARCHED}"
        )
    laws = laws_of(game, exact, every_number=True)
    solution = solve_greed(game, exact)
    last = []
    for name in SEARCHES:
        last.append(_search(game, laws, name, exact))
        if progress:
            progress(len(last) / len(SEARCHES))
    rooms = range(game.max + 1)
    bounded = sum(min(room, _beyond(game, room)) + 1 for room in rooms)
    hits = [  # the fewest dice whose chance to sum to the room is largest
        max(range(room + 1), key=lambda dice: (laws.chance[dice, room], -dice)) for room in rooms
    ]
    ties, closest = _margins(solution)
    return Shortcuts(
        game,
        last,
        sum(room + 1 for room in rooms) * len(rooms),
        bounded * len(rooms),
        _misses(laws, solution, [min(_beyond(game, room), room) for room in rooms]),
        sum(hit + 1 for hit in hits) * len(rooms),
        _misses(laws, solution, hits),
        ties,
        closest,
        solution,
    )


def _beyond(game: Greed, room: int) -> int:
    """Return n0: the first number of dice whose mean passes the room."""
    return int(room // game.die.mean()) + 1


def _search(game: Greed, laws: Laws, name: str, exact: bool) -> Shortcut:
    tried, wrong = 0, []
    ratings = blank(laws)
    search, sides = SEARCHES[name], game.die.sides
    for mine in range(game.max + 1):
        for yours in range(game.max + 1):
            gap, room = yours - mine, game.max - mine
            known: dict[int, Fraction] = {}

            def rate(dice: int, gap: int = gap, room: int = room, known: Any = known) -> Fraction:
                if dice not in known:
                    fits = dice <= room
                    rated = exact_rating(laws, dice, gap, room, game.tie, sides) if fits else None
                    known[dice] = rated or Fraction(0)
                rating: Fraction = known[dice]
                return rating

            if gap < 0:  # ahead already: nobody needs to search
                dice, best = 0, 0
            else:
                dice, count = search(rate, (gap + room) // (sides + 1) + 1, room)
                tried += count
                best = exhaustive(rate, 0, room)[0]
            loss = rate(best) - rate(dice)
            if loss:
                wrong.append(Wrong(f"{mine}-{yours} last", dice, best, loss))
            _write(ratings, (mine, yours), rate(dice), dice, exact)
    (normal,) = rate_normal(laws, [ratings], game.is_one_pot)
    value = float((normal.lower[0, 0] + normal.upper[0, 0]) / 2)
    return Shortcut(name, tried, sorted(wrong, key=lambda one: -one.loss), value)


def _write(
    ratings: Ratings, here: tuple[int, int], rated: Fraction, dice: int, exact: bool
) -> None:
    worth: Any = rated if exact else float(rated)
    ratings.lower[here] = ratings.upper[here] = worth
    ratings.other_lower[here] = ratings.other_upper[here] = 1 - worth
    ratings.dice[here] = dice


def _misses(laws: Laws, solution: GreedSolution, bounds: list[int]) -> int:
    """Count ordinary turns where some number of dice beyond a bound is better than all up to it.

    The bounds are given by the room that is left.
    """
    misses, after = 0, solution.ratings[0][0].other_lower
    near = 0 if laws.is_exact else 1e-11
    for mine in range(laws.most):
        room = laws.most - mine
        tried, beyond = np.split(laws.chance[: room + 1, 1 : room + 1], [bounds[room] + 1])
        if not len(beyond):
            continue
        stop = solution.ratings[1][0].other_lower[:, mine]
        best = np.maximum(stop, (tried[1:] @ after[:, mine + 1 :].T).max(axis=0, initial=0))
        rated = beyond @ after[:, mine + 1 :].T  # [dice, yours]
        misses += int((rated.max(axis=0) > best + near).sum())
    return misses


def _margins(solution: GreedSolution) -> tuple[list[str], tuple[str, Any] | None]:
    """Return the positions with ties, and the smallest margin anywhere else."""
    ties = solution.ties
    closest: tuple[str, Any] | None = None
    scores = range(solution.laws.most + 1)
    for stage in (0, 1):
        for mine in scores:
            for yours in scores:
                at = type(solution.game.start())(mine, yours, stage, 0)
                low, high = solution.rated(at)
                best = low.max()
                below = high[np.asarray(high < best, bool)]
                if below.size and (closest is None or best - below.max() < closest[1]):
                    closest = solution.notation(at), best - below.max()
    return [solution.notation(at) for at in ties], closest
