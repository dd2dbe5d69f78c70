"""Ways to play the match of 421: the study's utilities and policies, and those of the café.

The study plays a round for a utility that is the same whatever the tokens: as many tokens as the
result moves (`transfer`), its place among all results (`rank`), or a goal. Each becomes a strategy
of the match by playing every round for it, as the first player and as the next, with a policy such
as ``h1s1`` in place of best play if one likes. What that gives away can then be asked.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np

from dicelab.errors import RulesError
from dicelab.games.four21.match import FourTwentyOne
from dicelab.games.four21.match_rules import DICE, STOP, MatchPosition, keep
from dicelab.games.four21.utilities import rank
from dicelab.rounds.induction import solve
from dicelab.rounds.policies import policy as policy_named
from dicelab.rounds.rules import Round
from dicelab.rounds.strategies import RoundStrategy, optimal_of
from dicelab.rounds.utilities import AnyUtility, named_utility
from dicelab.rules.registry import strategy

Choose = Callable[..., object]
Names = dict[tuple[int, ...], Any]
"""The way that is taken after a throw, by the dice: ``[rounds, casts left, aside]``."""


def as_played(game: FourTwentyOne, plans: list[RoundStrategy]) -> Choose:
    """Return the strategy that plays rounds by plans: the first player's, then one for each bound.

    A next player who must cast so often follows the plan of that number.
    """
    names = _names(game, plans)

    def choose(at: MatchPosition, threw: Any = None) -> object:
        if threw is None:
            return np.array(game.moves)[at.aside]
        return names[threw][np.where(at.other == 0, 0, at.bound), at.left, at.aside]

    return choose


def _names(game: FourTwentyOne, plans: list[RoundStrategy]) -> Names:
    """Return what some plans of rounds keep after every throw."""
    found: Names = {}
    for aside, falls in enumerate(game.dice.falls):
        for fall in falls:
            shape = len(plans), game.casts + 1, len(game.moves)
            names = found.setdefault(fall.dice, np.full(shape, STOP, dtype="<U12"))
            for number, plan in enumerate(plans):
                for left in range(2, plan.game.casts + 1):
                    names[number, left, aside] = _kept(plan, aside, fall.dice, left)
    return found


def _kept(plan: RoundStrategy, aside: int, dice: tuple[int, ...], left: int) -> str:
    """Return what a plan keeps, or that it stops, when the dice show this before the last cast."""
    cast = plan.game.casts - left + 1
    if aside and cast == 1:
        return STOP  # nothing is aside before the first cast: nobody asks
    kept = plan.decisions(aside, dice, cast)
    if len(kept) > 1:
        raise RulesError(
            f"{plan.name} leaves to chance what it keeps: in a match a policy takes one way"
        )
    (written,) = kept
    return (
        STOP
        if plan.game.numbers.sizes[plan.game.numbers.number(written)] == DICE
        else keep(written)
    )


@lru_cache(maxsize=64)
def plans_of(game: FourTwentyOne, utility: str, policy: str) -> list[RoundStrategy]:
    """Return how rounds are played for a utility: the first player's, then one for each bound."""
    whole = Round(DICE, game.die, game.casts)
    rounds = [whole, *(whole.imposed(casts) for casts in range(1, game.casts + 1))]
    worths = [named_utility(utility, each) for each in rounds]
    return [
        policy_named(policy, each, worth, "next" if number else "first")
        for number, (each, worth) in enumerate(zip(rounds, worths, strict=True))
    ]


def _for(game: FourTwentyOne, utility: str, policy: str) -> Choose:
    return as_played(game, plans_of(game, utility, policy))


@strategy(FourTwentyOne, "transfer", "as many tokens as the result moves")
def transfer_(game: FourTwentyOne, policy: str = "optimal") -> Choose:
    """Play each round for the tokens that its result moves, the study's utility."""
    return _for(game, "transfer", policy)


@strategy(FourTwentyOne, "rank", "the highest result")
def rank_(game: FourTwentyOne, policy: str = "optimal") -> Choose:
    """Play each round for a high place among all results."""
    return _for(game, "rank", policy)


@strategy(FourTwentyOne, "goal", "always for a goal")
def goal_(game: FourTwentyOne, goals: str = "421", policy: str = "optimal") -> Choose:
    """Play each round for one result, or several such as 421*10+111*7, whatever the tokens."""
    return _for(game, f"goal:{goals}", policy)


@strategy(FourTwentyOne, "ratchet")
def ratchet_(game: FourTwentyOne, goal: str = "421") -> Choose:
    """Keep every die that helps towards a goal, and only those."""
    return _for(game, f"goal:{goal}", f"ratchet:{goal}")


@strategy(FourTwentyOne, "beat", "not to be the lowest")
def beat(game: FourTwentyOne) -> Choose:
    """Play each set so as not to be the lowest in it, whatever it moves.

    The next player goes for whatever is higher than the first one's result; the first goes for
    what a next player who does that is least likely to exceed.
    """
    first, *after = _beating(game)
    names = _names(game, [first])
    by_result = [_names(game, [first, *plans]) for plans in zip(*after, strict=True)]

    def choose(at: MatchPosition, threw: Any = None) -> object:
        if threw is None:
            return np.array(game.moves)[at.aside]
        told = np.stack([names[threw][0]] * (game.casts + 1))
        every = np.stack([told, *(each[threw] for each in by_result)])
        return every[at.other, at.bound, at.left, at.aside]

    return choose


@lru_cache(maxsize=16)
def _beating(game: FourTwentyOne) -> list[Any]:
    """Return the first player's plan, and for each bound the plans against every result."""
    whole = Round(DICE, game.die, game.casts)
    places = [int(place) + 1 for place in rank(whole)]
    results = range(1, len(places) + 1)
    after, safe = [], []
    for casts in range(1, game.casts + 1):
        game_of = whole.imposed(casts)
        plans, chances = [], []
        for other in results:
            worth = _as_utility(game_of, [int(place > other) for place in places])
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

    return [optimal_of(solve(whole, not_lowest, "first")), *after]


def _as_utility(game: Round, worths: list[int]) -> AnyUtility:
    return {
        game.numbers.write(full): worth
        for full, worth in zip(game.numbers.full, worths, strict=True)
    }
