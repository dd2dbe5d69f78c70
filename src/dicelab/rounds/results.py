"""Result probabilities: how likely each result is, with a goal in mind and so many casts.

``p_i(J, goal, j, result)`` is the chance that player i (first or next), who may cast J times and
goes for the goal, ends with this result after j casts. The goal is pursued by the ratchet: put
aside whatever helps. A first player who ends early has the goal, so only rounds that use every
cast need a law over all results.

That law follows from itself. Throw n dice; whatever part a of the goal they show is put aside;
the rest of the goal is the same problem with fewer dice and one cast less (equation (23)):

    last(J, g)[d] = sum over parts a of g of P(a shown) * last(J - 1, g - a)[d - a].

Faces of equal chance may change places. Combinations, and couples of goal and result, that differ
only by such an exchange have equal probabilities and form a class; three fair dice have 31
classes of couples. A next player with the goal too early is in a dilemma, and a rule for ties that
prefers some faces then breaks this symmetry; ``even`` keeps it.

Source: Albarède, "Fate stochastic management and policy benchmark in 421", section 4.2.

>>> from dicelab.rounds import Round, result_probability
>>> result_probability(Round(), "421", "421", cast=3)
Fraction(21043, 186624)
>>> result_probability(Round(), "641", "652", cast=3)
Fraction(3277, 559872)
"""

import math
import sys
from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Literal

import numpy as np

from dicelab.core.arrays import Numbers
from dicelab.errors import RulesError
from dicelab.rounds.combinations import Combination, Combinations
from dicelab.rounds.evaluation import presence
from dicelab.rounds.induction import whole_numbers
from dicelab.rounds.rules import Keep, Player, Round, check_player
from dicelab.rounds.strategies import Ties, optimal, ratchet, tie_order
from dicelab.rounds.utilities import utility
from dicelab.rules.dice import Die

Play = Literal["ratchet", "optimal"]
"""How a goal is pursued: by the ratchet, or by a best strategy for that goal alone."""


class ResultLaws:
    """The laws of the result for every goal of up to so many dice, made as they are asked for."""

    def __init__(
        self, game: Round, player: Player, ties: Ties = "fewest", play: Play = "ratchet"
    ) -> None:
        check_player(player)
        if play not in ("ratchet", "optimal"):
            raise RulesError(f"a goal is pursued by 'ratchet' or 'optimal' play: got {play!r}")
        self.game, self.player, self.ties, self.play = game, player, ties, play
        self.numbers = game.numbers
        self._laws: dict[tuple[int, int], Numbers] = {}
        self._whole: dict[tuple[int, int], Numbers] = {}
        self._before: dict[int, list[Fraction]] = {}
        self._order = tie_order(game, ties)

    def last(self, goal: int, casts: int) -> Numbers:
        """Return the law of the result of rounds that use all their casts, with a goal in mind.

        The goal may have fewer dice than the round: then it is what is still wanted of the live
        dice. The entries are Fractions over the combinations of as many dice.
        """
        key = (goal, casts)
        if key not in self._laws:
            if self._is_recurrent:
                scale = self._scale**casts
                found = [Fraction(number, scale) for number in self._numerators(goal, casts)]
                self._laws[key] = np.array(found, dtype=object)
            else:
                self._laws[key] = self._played(goal, casts)
        return self._laws[key]

    def matrix(self, size: int, casts: int) -> tuple[Numbers, int]:
        """Return ``last`` for every goal of one size, over one scale: ``[goals, results]``."""
        goals = self.numbers.of_size(size)
        if self._is_recurrent:
            return np.stack([self._numerators(goal, casts) for goal in goals]), self._scale**casts
        return whole_numbers(np.stack([self.last(goal, casts) for goal in goals]))

    def hit(self, goal: int, cast: int) -> Fraction:
        """Return the chance to have the goal with exactly this cast, however many may follow.

        For a next player: when the round has so many casts.
        """
        first = self.numbers.of_size(int(self.numbers.sizes[goal])).start
        return Fraction(self.last(goal, cast)[goal - first])

    @property
    def _is_recurrent(self) -> bool:
        return self.play == "ratchet" and self.game.keep == "aside"

    @property
    def _scale(self) -> int:
        # what all chances of one cast are whole numbers over, and ways to break a goal are as well
        ways = 1 if self._order is not None else math.lcm(*range(1, self.game.dice + 1))
        return int(self.game.die.denominator**self.game.dice) * ways

    def _numerators(self, goal: int, casts: int) -> Numbers:
        """Return the law over ``scale ** casts``: whole numbers are many times faster."""
        # from one cast up, so that a long round needs no deep recursion
        for so_many in range(1, casts + 1):
            if (goal, so_many) not in self._whole:
                self._whole[goal, so_many] = self._recurrence(goal, so_many)
        return self._whole[goal, casts]

    def _recurrence(self, goal: int, casts: int) -> Numbers:
        numbers, size = self.numbers, int(self.numbers.sizes[goal])
        results = numbers.of_size(size)
        lift = self._scale // self.game.die.denominator**size
        if casts == 1:
            weights = self.game.weights[results.start : results.stop]
            return np.array([weight * lift for weight in weights], dtype=object)
        law = np.full(len(results), 0, dtype=object)
        for part, weight in self._weights(goal).items():
            if part != goal:
                self._add(law, goal, part, casts, weight * lift)
            elif self.player == "next":
                broken = self._too_early(goal)
                for smaller in broken:
                    self._add(law, goal, smaller, casts, weight * lift // len(broken))
        return law

    def _add(self, law: Numbers, goal: int, part: int, casts: int, weight: int) -> None:
        counts, numbers = self.numbers.counts, self.numbers
        rest = int(numbers.rank(counts[goal] - counts[part]))
        left = numbers.of_size(int(numbers.sizes[rest]))
        whole = numbers.rank(counts[part] + counts[left.start : left.stop])
        first = numbers.of_size(int(numbers.sizes[goal])).start
        law[whole - first] += weight * self._numerators(rest, casts - 1)

    def before(self, goal: int, casts: int) -> Fraction:
        """Return the chance of a first player to have the goal before the last of so many casts."""
        found = self._before.setdefault(goal, [Fraction(0)])
        while len(found) < casts:
            found.append(found[-1] + self.hit(goal, len(found)))
        return found[casts - 1]

    def shown(self, goal: int) -> dict[int, Fraction]:
        """Return the chance that one cast shows just this part of a goal, for each part."""
        every = self.game.die.denominator ** int(self.numbers.sizes[goal])
        return {part: Fraction(weight, every) for part, weight in self._weights(goal).items()}

    def _weights(self, goal: int) -> dict[int, int]:
        counts = self.numbers.counts
        throws = self.numbers.of_size(int(self.numbers.sizes[goal]))
        parts = self.numbers.rank(np.minimum(counts[goal], counts[throws.start : throws.stop]))
        weights: Counter[int] = Counter()
        thrown = self.game.weights[throws.start : throws.stop]
        for part, weight in zip(parts.tolist(), thrown, strict=True):
            weights[part] += weight
        return dict(weights)

    def _too_early(self, goal: int) -> list[int]:
        """Return what a next player who has the goal too early keeps: all dice but one."""
        counts = self.numbers.counts
        faces = np.flatnonzero(counts[goal])
        one = np.eye(counts.shape[1], dtype=counts.dtype)
        parts = [int(self.numbers.rank(counts[goal] - one[face])) for face in faces]
        if self._order is None:
            return parts
        order = self._order
        return [min(parts, key=lambda part: int(order[part]))]

    def _played(self, goal: int, casts: int) -> Numbers:
        size = int(self.numbers.sizes[goal])
        game = Round(size, self.game.die, casts, self.game.keep, self.game.memory)
        faces = self.numbers.faces_of(goal)
        if self.play == "ratchet":
            plan = ratchet(game, faces, self.player, self.ties)
        else:
            wanted = utility("goal:" + game.numbers.write(game.numbers.number(faces)), game)
            plan = optimal(game, wanted, self.player, self.ties)
        return presence(plan).result(casts)


@lru_cache(maxsize=64)
def result_laws(
    dice: int, die: Die, keep: Keep, player: Player, ties: Ties, play: Play
) -> ResultLaws:
    """Return the laws for one kind of round, the same object each time."""
    # the round that asks has passed its own limit
    return ResultLaws(Round(dice, die, 1, keep, memory=sys.maxsize), player, ties, play)


def laws_of(
    game: Round, player: Player, ties: Ties = "fewest", play: Play = "ratchet"
) -> ResultLaws:
    """Return the laws that belong to a round."""
    return result_laws(game.dice, game.die, game.keep, player, ties, play)


def result_probability(
    game: Round,
    goal: Combination,
    result: Combination,
    cast: int,
    *,
    casts: int | None = None,
    player: Player = "first",
    ties: Ties = "fewest",
    play: Play = "ratchet",
) -> Fraction:
    """Return p_i(J, goal, j, result), where j is ``cast`` and J is ``casts`` (or also ``cast``)."""
    casts = cast if casts is None else casts
    if not 0 <= cast <= casts <= game.casts:
        raise RulesError(
            f"a result needs 0 <= cast <= casts <= {game.casts}: got cast={cast}, casts={casts}"
        )
    numbers = game.numbers
    target = numbers.number(goal)
    found = numbers.number(result, dice=int(numbers.sizes[target]))
    if casts == 0 or target == 0:
        return Fraction(int(target == found and cast == 0))
    laws = laws_of(game, player, ties, play)
    if cast < casts:
        early = player == "first" and target == found and cast > 0
        return laws.hit(target, cast) if early else Fraction(0)
    first = numbers.of_size(int(numbers.sizes[target])).start
    return Fraction(laws.last(target, casts)[found - first])


@dataclass(frozen=True)
class Couple:
    """A goal and a result, standing for all couples that differ by an exchange of equal faces."""

    goal: int
    result: int
    members: int
    """How many couples with this goal the class has."""

    @property
    def is_diagonal(self) -> bool:
        """Whether the result is the goal."""
        return self.goal == self.result


def representative(numbers: Combinations, die: Die, goal: int, result: int) -> tuple[int, int]:
    """Return the couple of lowest faces that an exchange of equally likely faces makes of one.

    The goal gets the lowest faces it can, then the result.

    >>> from dicelab.rules.dice import d6
    >>> three = Combinations(3, d6.faces)
    >>> found = representative(three, d6, three.number("641"), three.number("655"))
    >>> [three.write(number, rising=True) for number in found]
    ['123', '144']
    """
    pairs = np.stack([numbers.counts[goal], numbers.counts[result]], axis=1)
    moved = np.empty_like(pairs)
    for chance in set(die.chances):
        places = [place for place, other in enumerate(die.chances) if other == chance]
        moved[places] = sorted(pairs[places].tolist(), reverse=True)
    return int(numbers.rank(moved[:, 0])), int(numbers.rank(moved[:, 1]))


def combination_classes(game: Round, size: int | None = None) -> dict[int, int]:
    """Return a representative of each class of combinations of one size, and how many it holds."""
    numbers = game.numbers
    classes: Counter[int] = Counter()
    for number in numbers.of_size(game.dice if size is None else size):
        classes[representative(numbers, game.die, number, number)[0]] += 1
    return dict(sorted(classes.items()))


def couple_classes(game: Round, size: int | None = None) -> list[Couple]:
    """Return the classes of couples of a goal and a result of one size.

    >>> len(couple_classes(Round())), len(combination_classes(Round()))
    (31, 3)
    """
    numbers = game.numbers
    every = numbers.of_size(game.dice if size is None else size)
    classes: Counter[tuple[int, int]] = Counter()
    for goal in combination_classes(game, size):
        for result in every:
            classes[representative(numbers, game.die, goal, result)] += 1
    return [Couple(*couple, members) for couple, members in sorted(classes.items())]
