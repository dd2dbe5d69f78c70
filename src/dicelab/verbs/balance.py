"""balance: the rules, the head start or the order of starting that make a game as one wants it.

A goal is a number about the game and what it is to be: advantage=0, length=8, within:20>=95%. What
may change are parameters, the position to start from (a head start, komi) and who starts. Where all
variants are few they are all worked out, so that what is said to be nearest is proved; where they
are many, SciPy's differential evolution looks for them, and the best found is told.

A head start is a whole number and mostly too much or too little. A lottery between two of them
brings an average to exactly what is wanted: give the larger one with the chance p for which
(1 - p) x + p y is the goal.

With several goals no variant may be nearest in all. Those that no other beats in every one are the
front (Pareto); a lottery, and an order other than one game, count as something to put up with.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from dicelab.core.jobs import Report
from dicelab.errors import RulesError
from dicelab.rules import Game
from dicelab.strategies.named import AnyStrategy
from dicelab.table import memory_limit
from dicelab.verbs.fronts import Balance, front_of
from dicelab.verbs.goals import goals_read, refuse_for
from dicelab.verbs.handicaps import refusals_of, ways_of
from dicelab.verbs.orders import FIRST, PIE, orders_read
from dicelab.verbs.variant_search import Search
from dicelab.verbs.variants import Variants, refuse_values, usual_range, usual_ranges

TRIES = 500
"""Games that are worked out unless told otherwise."""
MOST_TRIES = 100_000
"""Games beyond which a search is taken for a slip of the hand."""


def balance(
    game: str | Game,
    goals: Sequence[str] = ("advantage=0",),
    over: Mapping[str, Iterable[object]] | None = None,
    head_start: Mapping[str, Iterable[object]] | None = None,
    orders: Sequence[str] = (),
    strategies: Sequence[AnyStrategy] = (),
    *,
    fixed: Mapping[str, object] | None = None,
    exact: bool = False,
    memory: int | None = None,
    workers: int | None = 1,
    checkpoint: str | Path | None = None,
    progress: Report | None = None,
    tries: int = TRIES,
    seed: int = 1,
) -> Balance:
    """Return the variants of a game that come nearest to some goals, and what was tried.

    `over` has the values of parameters, `head_start` those of fields of the position to start from
    (no values: one step after the other), `orders` who starts; see `verbs.orders`. Where none of
    the three is given, values of every parameter are tried that is not `fixed`. No strategies are
    best play by all.

    Piglet to 2 is worth 4/7, and 2/5 where the second player has 1 point:

    >>> found = balance("piglet", ["value=1/2"], head_start={"yours": [0, 1]},
    ...     fixed={"target": 2}, exact=True)
    >>> found.best.lottery.chance, found.best.numbers[0].fraction
    (Fraction(5, 12), '1/2')
    """
    began = time.perf_counter()
    if not goals:
        raise RulesError("say what is to be reached, as advantage=0 or length=8")
    wanted, order = goals_read(goals), orders_read(orders)
    if not 1 <= tries <= MOST_TRIES:
        raise RulesError(f"tries are 1 to {MOST_TRIES:,} games: got {tries:,}")
    if len(strategies) > 2:
        raise RulesError(f"at most two strategies play: got {len(strategies)}")
    variants = _variants(game, fixed or {}, over, head_start, order)
    players = tuple(strategies)
    refuse_for(variants.usual, wanted, alike=not players)
    if PIE in order and len(set(map(str, players))) > 1:
        raise RulesError(
            f"the pie rule is for players who play alike: got {players[0]} and {players[1]}"
        )
    search = Search(
        variants,
        wanted,
        order,
        players,
        exact,
        memory_limit() if memory is None else memory,
        workers,
        checkpoint,
        progress,
        tries,
    )
    starts = len(variants.head_starts)
    if starts > tries:
        raise RulesError(
            f"the head starts alone are {starts:,}: at most {tries:,} games are worked out, so "
            f"give fewer, or more tries"
        )
    if variants.combinations * starts <= tries:
        search.work(range(variants.combinations))
    else:
        search.look(seed)
    ways = ways_of(search)
    if not ways:
        why = next(refusals_of(search), "") or next(iter(search.refused.values()), "")
        raise RulesError(f"no variant has every number that is wanted; the first: {why}")
    return Balance(
        game if isinstance(game, str) else game.name,
        {key: str(value) for key, value in variants.fixed.items()},
        wanted,
        variants.axes | ({"order": order} if order != (FIRST,) else {}),
        tuple(map(str, players)),
        front_of(ways, wanted),
        tuple(ways),
        search.count * starts - search.unfound,
        variants.combinations * starts,
        len(order),
        tuple(dict.fromkeys([*search.refused.values(), *refusals_of(search)])),
        seed,
        exact,
        time.perf_counter() - began,
    )


def _variants(
    game: str | Game,
    fixed: Mapping[str, object],
    over: Mapping[str, Iterable[object]] | None,
    head_start: Mapping[str, Iterable[object]] | None,
    orders: tuple[str, ...],
) -> Variants:
    """Return what is looked through; ranges that nobody gave are filled in."""
    parameters = {name: tuple(values) for name, values in (over or {}).items()}
    starts = {name: tuple(map(str, values)) for name, values in (head_start or {}).items()}
    for name, values in {**parameters, **starts}.items():
        refuse_values(name, values, none=name not in parameters)
    usual = Variants(game, fixed, parameters, {}).usual
    starts = {name: values or usual_range(usual, name) for name, values in starts.items()}
    if not parameters and not starts and orders == (FIRST,):
        parameters = usual_ranges(usual, fixed)
    return Variants(game, fixed, parameters, starts)
