"""Policies by name: rules that turn a utility into a strategy.

A function of the dice aside, the dice thrown and the casts left will do too. The names:
``optimal``; ``random``; ``ratchet:421`` and ``bernoulli:421``, which need no utility; and goal
identification, ``h0s0``, ``h0s1``, ``h1s0``, ``h1s1`` or any longer horizon, with ``r0``, ``r1``
and so on to say how often the goal is revised. Whole strategies in files are read by `plan_file`.

>>> from dicelab.rounds import Round, policy
>>> policy("ratchet:421", Round()).name
'ratchet:421'
"""

from collections.abc import Callable

from dicelab.errors import RulesError, UnknownStrategy
from dicelab.rounds.goals import NOTATION, Thinking, identify
from dicelab.rounds.results import Play
from dicelab.rounds.rules import Player, Round, check_round
from dicelab.rounds.strategies import (
    RoundStrategy,
    Ties,
    bernoulli,
    from_function,
    optimal,
    random,
    ratchet,
)
from dicelab.rounds.utilities import AnyUtility

POLICIES = ("optimal", "random", "ratchet:G", "bernoulli:G", "h0s0", "h0s1", "h1s0", "h1s1")
"""The names, with G for a goal; h and s take other numbers, and r may follow."""


AnyPolicy = str | Callable[..., object]
"""A name, or a function of the dice aside, the dice thrown and the casts left."""


def policy(
    name: AnyPolicy,
    game: Round,
    worth: AnyUtility | None = None,
    player: Player = "first",
    ties: Ties = "fewest",
    play: Play = "ratchet",
) -> RoundStrategy:
    """Return the strategy that a policy makes for a round and a utility."""
    check_round(game)
    if not isinstance(name, str):
        return from_function(game, name, player)
    name = name.strip()
    kind, _, goal = name.partition(":")
    if kind == "ratchet" and goal:
        return ratchet(game, goal, player, ties)
    if kind == "bernoulli" and goal:
        return bernoulli(game, goal, player)
    if name == "random":
        return random(game, player)
    thinks = NOTATION.fullmatch(name)
    if name != "optimal" and not thinks:
        raise UnknownStrategy(
            f"no policy called {name[:60]!r}; the policies are {', '.join(POLICIES)}"
        )
    if worth is None:
        raise RulesError(f"the policy {name!r} needs a utility")
    if name == "optimal":
        return optimal(game, worth, player, ties)
    return identify(game, worth, Thinking.parse(name), player, ties, play)
