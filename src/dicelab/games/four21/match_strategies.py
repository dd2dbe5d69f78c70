"""Ways to play the match of 421: the study's utilities and policies, and those of the café.

The study plays a round for a utility that is the same whatever the tokens: as many tokens as the
result moves (`transfer`), its place among all results (`rank`), or a goal. Each becomes a strategy
of the match by playing every round for it, as the first player and as the next, with a policy such
as ``h1s1`` in place of best play if one likes. What that gives away can then be asked.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from dicelab.core.lazy import lazy
from dicelab.errors import RulesError
from dicelab.games.four21.match import FourTwentyOne
from dicelab.games.four21.match_casts import DICE, keep
from dicelab.games.four21.match_rules import STOP, MatchPosition
from dicelab.rounds.induction import solve
from dicelab.rounds.policies import policy as policy_named
from dicelab.rounds.rules import Round
from dicelab.rounds.strategies import RoundStrategy, optimal_of
from dicelab.rounds.utilities import named_utility
from dicelab.rules import Faces
from dicelab.rules.registry import strategy

Taken = dict[tuple[int, ...], Any]
"""What is aside after a throw, by the dice: ``[plans, casts left, aside before]``."""


@dataclass(frozen=True, eq=False)
class Played:
    """A strategy of the match that plays rounds by plans, whatever the tokens."""

    game: FourTwentyOne
    first: RoundStrategy
    after: tuple[tuple[RoundStrategy, ...], ...]
    """The next player's plans by how often he must cast, for each result to beat or one for all."""

    def __call__(self, at: MatchPosition, threw: Faces = None) -> object:
        """Return the move at a position, or the way after a throw, for one or for many."""
        if threw is None:
            return np.array(self.game.moves)[at.aside]
        each = len(self.after[0])
        number = 1 + (at.bound - 1) * each + (at.other - 1) * (each > 1)
        kept = self._taken[threw][np.where(at.other == 0, 0, number), at.left, at.aside]
        return self._ways[kept]

    @lazy
    def _ways(self) -> Any:
        """What keeping dice is called by the number of all that are aside then; the last stops."""
        numbers = self.game.numbers
        return np.array([*(keep(numbers.write(kept)) for kept in range(numbers.full.start)), STOP])

    @lazy
    def _taken(self) -> Taken:
        """What is aside after every throw by the plans, or the number of the way that stops."""
        game, plans = self.game, [self.first, *(plan for plans in self.after for plan in plans)]
        found: Taken = {}
        for aside, falls in enumerate(game.dice.falls):
            for fall in falls:
                shape = len(plans), game.casts + 1, len(game.dice.names)
                taken = found.setdefault(fall.dice, np.full(shape, len(self._ways) - 1, np.int16))
                for number, plan in enumerate(plans):
                    for left in range(2, plan.game.casts + 1 if not aside else plan.game.casts):
                        taken[number, left, aside] = _kept(plan, aside, fall.dice, left)
        return found


def _kept(plan: RoundStrategy, aside: int, dice: tuple[int, ...], left: int) -> int:
    """Return what is aside when the dice show this with so many casts left, theirs among them."""
    numbers = plan.game.numbers
    kept = plan.decisions(aside, dice, plan.game.casts - left + 1)
    if len(kept) > 1:
        raise RulesError(
            f"{plan.name} leaves to chance what it keeps: in a match a policy takes one way"
        )
    return min(numbers.number(next(iter(kept))), numbers.full.start)


@lru_cache(maxsize=64)
def played(game: FourTwentyOne, utility: str, policy: str) -> Played:
    """Return the strategy that plays every round for a utility, by a policy."""
    whole = Round(DICE, game.die, game.casts)
    first = policy_named(policy, whole, named_utility(utility, whole), "first")
    after = []
    for casts in range(1, game.casts + 1):
        bound = whole.imposed(casts)
        after.append((policy_named(policy, bound, named_utility(utility, bound), "next"),))
    found = Played(game, first, tuple(after))
    found._taken  # noqa: B018  what cannot be played is refused now
    return found


@strategy(FourTwentyOne, "transfer", "one who plays for many tokens")
def transfer_(game: FourTwentyOne, policy: str = "optimal") -> Played:
    """Play each round for the tokens that its result moves, the study's utility."""
    return played(game, "transfer", policy)


@strategy(FourTwentyOne, "rank", "one who plays for a high result")
def rank_(game: FourTwentyOne, policy: str = "optimal") -> Played:
    """Play each round for a high place among all results."""
    return played(game, "rank", policy)


@strategy(FourTwentyOne, "goal", "one who always plays for one goal")
def goal_(game: FourTwentyOne, goals: str = "421", policy: str = "optimal") -> Played:
    """Play each round for one result, or several such as 421*10+111*7, whatever the tokens."""
    return played(game, f"goal:{goals}", policy)


@strategy(FourTwentyOne, "ratchet")
def ratchet_(game: FourTwentyOne, goal: str = "421") -> Played:
    """Keep every die that helps towards a goal, and only those."""
    return played(game, f"goal:{goal}", f"ratchet:{goal}")


@strategy(FourTwentyOne, "beat", "one who plays not to be the lowest")
def beat(game: FourTwentyOne) -> Played:
    """Play each set so as not to be the lowest in it, whatever it moves.

    The next player goes for whatever is higher than the first one's result; the first goes for
    what a next player who does that is least likely to exceed.
    """
    return _beating(game)


@lru_cache(maxsize=16)
def _beating(game: FourTwentyOne) -> Played:
    whole = Round(DICE, game.die, game.casts)
    places = game.dice.places
    results = range(1, len(places) + 1)
    names = [whole.numbers.write(full) for full in whole.numbers.full]
    after, safe = [], []
    for casts in range(1, game.casts + 1):
        game_of = whole.imposed(casts)
        plans, chances = [], []
        for other in results:
            worth = dict(zip(names, (int(place > other) for place in places), strict=True))
            solved = solve(game_of, worth, "next")
            plans.append(optimal_of(solved))
            chances.append(1 - solved.value)
        after.append(plans)
        safe.append([chances[place - 1] for place in places])
    stops = {
        (faces, cast): safe[cast - 1][number]
        for number, faces in enumerate(map(whole.numbers.faces_of, whole.numbers.full))
        for cast in range(1, game.casts + 1)
    }

    def not_lowest(faces: tuple[int, ...], cast: int) -> object:
        return stops[tuple(sorted(faces)), cast]

    return Played(game, optimal_of(solve(whole, not_lowest, "first")), tuple(map(tuple, after)))
