"""Strategies of a round: what to keep at every table, or the chances of keeping it.

A strategy may be mixed everywhere: after each cast every table has a chance for each thing that
may be kept. Pure strategies are those whose chances are 0 and 1.

Where several decisions are equally good, a rule for ties says what to do. ``fewest`` takes the one
that keeps fewest dice, and among these the first of a dictionary of rising lists; ``most`` takes
most dice first; ``dictionary`` is the plain order of a dictionary, whatever the number of dice;
``even`` makes all equally likely, which is the postulate of greatest entropy. A function of the
faces (rising) is a key to sort by.

>>> from dicelab.rounds import Round, optimal
>>> plan = optimal(Round(), "goal:421")
>>> plan.decisions("-", "441", cast=1)
{'41': Fraction(1, 1)}
>>> late = optimal(Round(), "goal:421", player="next", ties="even")
>>> sorted(late.decisions("-", "421", cast=1).items())
[('21', Fraction(1, 3)), ('41', Fraction(1, 3)), ('42', Fraction(1, 3))]
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dicelab.core.arrays import Bools, Numbers
from dicelab.core.exact import exactly
from dicelab.errors import DicelabError, IllegalMove, RulesError, StrategyError
from dicelab.rounds.combinations import Combination
from dicelab.rounds.induction import RoundSolution, allowed, solve
from dicelab.rounds.rules import Player, Round, check_player, check_round
from dicelab.rounds.utilities import AnyUtility

Ties = str | Callable[[tuple[int, ...]], Any]
TIES = ("fewest", "most", "dictionary", "even")


@dataclass(frozen=True, eq=False)
class RoundStrategy:
    """A decision, or chances of decisions, for every table of a round after every cast."""

    name: str
    game: Round
    player: Player
    chances: tuple[Numbers, ...]
    """The chance of each option after cast 1, 2 ...: whole numbers or Fractions, ``[options]``."""

    def __post_init__(self) -> None:
        check_player(self.player)
        if len(self.chances) != self.game.casts:
            raise StrategyError(
                f"{self.name} decides after {len(self.chances)} casts and the round has "
                f"{self.game.casts}"
            )
        start = self.game.matrices.start[:-1]
        for cast, row in enumerate(self.chances, 1):
            given = row != 0
            closed = np.flatnonzero(given & ~allowed(self.game, self.player, cast))
            if len(closed):
                raise self._illegal(int(closed[0]), cast)
            least = np.minimum.reduceat(row, start)
            wrong = np.flatnonzero((np.add.reduceat(row, start) != 1) | (least < 0))
            if len(wrong):
                table = int(wrong[0])
                raise StrategyError(
                    f"{self.name} after cast {cast} at {self.game.write_table(table)}: "
                    f"the chances must be from 0 up and sum to 1"
                )

    def _illegal(self, option: int, cast: int) -> IllegalMove:
        matrices = self.game.matrices
        kept = self.game.numbers.write(int(matrices.option[option]))
        table = self.game.write_table(int(matrices.of[option]))
        why = (
            "all dice count after the last cast"
            if cast == self.game.casts
            else "a next player must not finish early"
        )
        return IllegalMove(f"cannot keep {kept} at {table} after cast {cast}: {why}")

    def decisions(self, aside: Combination, thrown: Combination, cast: int) -> dict[str, Fraction]:
        """Return what the strategy keeps at a table after a cast, with the chance of each."""
        table = self.game.table_of(aside, thrown)
        first = int(self.game.matrices.start[table])
        row = self.chances[cast - 1]
        return {
            self.game.numbers.write(int(kept)): Fraction(row[first + place])
            for place, kept in enumerate(self.game.options_of(table))
            if row[first + place]
        }


def tie_order(game: Round, ties: Ties) -> NDArray[np.int64] | None:
    """Return the place of each combination in the order that breaks ties, or None for ``even``."""
    numbers = game.numbers
    if ties == "even":
        return None
    if ties == "fewest":
        return np.arange(len(numbers))
    key: Callable[[int], Any]
    if ties == "most":
        key = _most(game)
    elif ties == "dictionary":
        key = numbers.faces_of
    elif callable(ties):
        given = ties

        def key(number: int) -> Any:
            return given(numbers.faces_of(number))
    else:
        raise RulesError(f"no rule for ties called {ties!r}; the rules are {', '.join(TIES)}")
    place = np.empty(len(numbers), dtype=np.int64)
    place[sorted(range(len(numbers)), key=key)] = np.arange(len(numbers))
    return place


def _most(game: Round) -> Callable[[int], Any]:
    return lambda number: (-int(game.numbers.sizes[number]), number)


def among(game: Round, good: Bools, ties: Ties) -> Numbers:
    """Return the chances that a rule for ties gives to the good options of every table."""
    matrices = game.matrices
    start = matrices.start[:-1]
    order = tie_order(game, ties)
    if order is None:
        many = np.add.reduceat(good, start, dtype=np.int64)
        even = np.array([Fraction(1, max(1, int(number))) for number in many], dtype=object)
        return np.where(good, even[matrices.of], 0)
    place = np.where(good, order[matrices.option], len(order))
    first = np.minimum.reduceat(place, start)
    return np.where(good & (place == first[matrices.of]), 1, 0).astype(object)


def optimal(
    game: Round, worth: AnyUtility, player: Player = "first", ties: Ties = "fewest"
) -> RoundStrategy:
    """Return a strategy that no other beats, ties broken by a rule."""
    return optimal_of(solve(game, worth, player), ties)


def optimal_of(solution: RoundSolution, ties: Ties = "fewest") -> RoundStrategy:
    """Return the best strategy of a solution already made."""
    game = solution.game
    rows = [among(game, solution.best(cast), ties) for cast in range(1, game.casts + 1)]
    return RoundStrategy("optimal", game, solution.player, tuple(rows))


def random(game: Round, player: Player = "first") -> RoundStrategy:
    """Return the strategy that finds everything the rules allow equally likely."""
    casts = range(1, game.casts + 1)
    rows = [among(game, allowed(game, player, cast), "even") for cast in casts]
    return RoundStrategy("random", game, player, tuple(rows))


def ratchet(
    game: Round, goal: Combination, player: Player = "first", ties: Ties = "fewest"
) -> RoundStrategy:
    """Return the strategy that puts aside every die that helps towards the goal, and only those.

    A next player who would finish too early keeps all dice but one, and ties say which.
    """
    return _towards(game, goal, player, ties, name="ratchet", keeps=True)


def bernoulli(game: Round, goal: Combination, player: Player = "first") -> RoundStrategy:
    """Return the strategy that throws every die again until the goal lies there in one cast."""
    return _towards(game, goal, player, "fewest", name="bernoulli", keeps=False)


def _towards(
    game: Round, goal: Combination, player: Player, ties: Ties, *, name: str, keeps: bool
) -> RoundStrategy:
    check_player(player)
    target = game.numbers.number(goal, dice=game.dice)
    good = [goal_options(game, target, player, cast, keeps) for cast in range(1, game.casts + 1)]
    rows = [among(game, row, ties) for row in good]
    named = f"{name}:{game.numbers.write(target)}"
    return RoundStrategy(named, game, player, tuple(rows))


def goal_options(game: Round, goal: int, player: Player, cast: int, keeps: bool = True) -> Bools:
    """Return the options the ratchet (or Bernoulli) finds good on the way to a goal: ``[options]``.

    Several are good only where a next player has the goal too early.
    """
    matrices, counts = game.matrices, game.numbers.counts
    if cast == game.casts:
        return allowed(game, player, cast)
    shown = counts[matrices.shows]
    aside = counts[np.maximum(matrices.aside, 0)]  # nothing is bound to stay aside at Yahtzee
    # k v (goal ^ t): dice already aside stay there even where they do not help
    wanted = np.maximum(np.minimum(counts[goal], shown), aside) if keeps else aside
    done = matrices.shows == goal
    if not keeps:
        wanted = np.where(done[:, None], shown, wanted)
    chosen = game.numbers.rank(wanted)
    good: Bools = matrices.option == chosen[matrices.of]
    if player == "next":
        early = game.numbers.sizes[chosen] == game.dice
        instead = (
            game.numbers.sizes[matrices.option] == game.dice - 1
            if keeps
            else matrices.option == game.numbers.rank(aside)[matrices.of]
        )
        good = np.where(early[matrices.of], instead, good)
    return good


def from_function(
    game: Round,
    decide: Callable[[tuple[int, ...], tuple[int, ...], int], object],
    player: Player = "first",
    name: str = "",
) -> RoundStrategy:
    """Return the strategy of a function of the dice aside, the dice thrown and the casts left.

    The function answers with what to keep in all (aside and new), or with the chances of several
    such answers. Faces come highest first. At Yahtzee no dice count as aside.
    """
    check_round(game)
    numbers, matrices = game.numbers, game.matrices
    name = name or getattr(decide, "__name__", repr(decide))
    rows = []
    for cast in range(1, game.casts + 1):
        row = np.zeros(len(matrices.option), dtype=object)
        for table in range(len(matrices.shows)):
            if cast == game.casts:
                row[matrices.last[table]] = 1
                continue
            aside = max(int(matrices.aside[table]), 0)
            rest = numbers.counts[matrices.shows[table]] - numbers.counts[aside]
            left = game.casts - cast
            where = f"{game.write_table(table)}, {left} left"
            faces = numbers.faces_of(aside)[::-1], numbers.faces_of(int(numbers.rank(rest)))[::-1]
            try:
                answer = decide(*faces, left)
            except DicelabError:
                raise
            except Exception as trouble:
                raise StrategyError(
                    f"{name} failed at {where}: {type(trouble).__name__}: {trouble}"
                ) from trouble
            if not isinstance(answer, int | np.integer | Iterable):
                raise StrategyError(
                    f"{name} answered {answer!r} at {where}: answer what to keep in all, such as "
                    f"{game.write_table(table).replace('+', '')!r}, or chances of such answers"
                )
            _enter(game, row, table, answer)
        rows.append(row)
    return RoundStrategy(name, game, player, tuple(rows))


def _enter(game: Round, row: Numbers, table: int, answer: object) -> None:
    options = game.options_of(table)
    mixed = answer if isinstance(answer, Mapping) else {_key(answer): 1}
    for kept, chance in mixed.items():
        number = game.numbers.number(kept)
        place = np.flatnonzero(options == number)
        share = exactly(chance)
        if not len(place):
            raise IllegalMove(
                f"cannot keep {game.numbers.write(number)} at {game.write_table(table)}: "
                f"keep what is aside and any of the dice thrown"
            )
        if share is None:
            raise StrategyError(f"a chance is a number such as '1/3': got {chance!r}")
        row[game.matrices.start[table] + place[0]] += share


def _key(answer: object) -> Any:
    return tuple(answer) if isinstance(answer, Iterable) and not isinstance(answer, str) else answer
