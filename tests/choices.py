"""Random games with choices after throws, each beside the same game without any.

A sketch is made so that some of its positions are moments after a throw: every move there has one
certain outcome, and the throw that leads there gains nothing and keeps the turn. As it is, it is a
game without choices, which brute force plays out (`brute`). *Folded*, those positions are gone:
what led to one is a throw, and its moves are the ways. Both must have the same values everywhere.
"""

from dataclasses import astuple, dataclass, replace
from fractions import Fraction
from typing import Any

import agreement
import random_games as make
from agreement import agree
from brute import Sketch
from dicelab import best_response, compile, evaluate, solve
from dicelab.errors import NotFinite, NotSolved
from dicelab.rules import SAME, Throw, Way


def with_moments(pick: make.Pick, game: Any) -> tuple[Any, frozenset[Any]]:
    """Return a sketch some of whose positions are moments after a throw, and which these are."""
    inner = [at for at, rule in game.graph.items() if isinstance(rule, dict) and at]
    moments = frozenset(at for at in inner if pick((True, True, False)))
    places = [at for at in game.graph if at not in moments]
    graph: dict[Any, Any] = {}
    for at, rule in game.graph.items():
        if not isinstance(rule, dict):
            graph[at] = rule
        elif at in moments:
            graph[at] = {}
            for move, outcomes in rule.items():
                _, after, *rest = outcomes[0]
                after = pick(places) if after in moments else after
                graph[at][move] = [(Fraction(1), after, *rest)]
        else:
            graph[at] = {
                move: [
                    (chance, after, SAME, *(0 for _ in gain))
                    if after in moments
                    else (chance, after, mover, *gain)
                    for chance, after, mover, *gain in outcomes
                ]
                for move, outcomes in rule.items()
            }
    whole = make.reachable(replace(game, graph=graph))
    return whole, moments & frozenset(whole.graph)


def folded(game: Any, moments: frozenset[Any]) -> Any:
    """Return the same game with its moments as choices after throws."""
    kind = type(f"Folded{type(game).__name__}", (Folded, type(game)), {})
    return kind(game.graph, game.ends, game.endless, moments)


@dataclass(frozen=True, eq=False, repr=False)
class Folded(Sketch):
    """A sketch whose moments are thrown."""

    moments: frozenset[Any] = frozenset()

    def __repr__(self):
        return f"{super().__repr__()} folded at {set(self.moments)}"

    def outcomes(self, at, move):
        for chance, after, *rest in self.graph[at][move]:
            yield Throw(chance, after) if after in self.moments else (chance, after, *rest)

    def ways(self, at, move, dice):
        for way, ((_, after, *rest),) in self.graph[dice].items():
            yield Way(way, after, *rest)


def asked(strategy: dict[Any, Any]) -> Any:
    """Return a strategy given as a dictionary as one that is asked after throws too."""
    return lambda at, threw=None: strategy[at if threw is None else threw]


def _solved(game: Any, exact: bool) -> Any:
    try:
        return solve(game, exact=exact)
    except NotFinite:
        return None


def best_play(whole: Any, game: Any) -> None:
    """Check that both forms have the same exact values, and that the bounds in floats hold them."""
    truth, exact = _solved(whole, True), _solved(game, True)
    agree((truth is None) == (exact is None), game, "one form has a finite value, one has not")
    if truth is None:
        return
    rough = solve(game)
    for at in whole.graph:
        if at in game.moments:
            continue
        value = truth.value_at(at)
        agree(exact.value_at(at) == value, game, f"{exact.value_at(at)} at {at}, not {value}")
        low, high = map(Fraction, rough.bounds_at(at))
        agree(low <= value <= high, game, f"{value} at {at} is not within [{low}, {high}]")
    _moments(game, truth, exact)


def _moments(game: Any, truth: Any, exact: Any) -> None:
    """Check every moment: its value, its ways and their status."""
    table = exact.table
    for at in table.each(range(len(table))):
        rule = game.graph[at]
        for move, outcomes in rule.items() if isinstance(rule, dict) else ():
            for _, dice, *_ in outcomes:
                if dice not in game.moments:
                    continue
                moment = game._throws(at, str(dice))[0]._replace(move=move, dice=dice)
                mine = {one.move: (one.value, one.status) for one in exact.moves_at(moment)}
                theirs = {one.move: (one.value, one.status) for one in truth.moves_at(dice)}
                agree(mine == theirs, game, f"{mine} at {at} threw {dice}, not {theirs}")


def strategies(whole: Any, game: Any, a: Any, b: Any) -> bool:
    """Check that two strategies fare alike in both forms; return whether floats were refused."""
    try:
        truth = evaluate(whole, agreement.asked(a), agreement.asked(b), exact=True)
    except NotFinite:
        refused = agreement.raises(NotFinite, evaluate, game, asked(a), asked(b), True)
        agree(refused, game, f"{a} against {b} has no worth, and is given one")
        return False
    exact = evaluate(game, asked(a), asked(b), exact=True)
    agree(exact.values == truth.values, game, f"{a} against {b}: {exact.values}")
    sides = ("a_first", "b_first")
    for side in sides:
        agree(getattr(exact, side) == getattr(truth, side), game, f"{a} against {b}: {exact}")
    try:
        rough = evaluate(game, asked(a), asked(b))
    except NotSolved:
        return True
    for side in sides:
        pair = (astuple(getattr(each, side)) for each in (rough, truth))
        for told, value in zip(*pair, strict=True):
            agree(abs(Fraction(told) - value) <= rough.error, game, f"{told} is not {value}")
    return False


def reply(whole: Any, game: Any, a: Any) -> None:
    """Check that the best reply to a strategy is worth the same in both forms."""
    try:
        truth = best_response(whole, agreement.asked(a), exact=True).solution
    except NotFinite:
        refused = agreement.raises(NotFinite, best_response, game, asked(a), None, True)
        agree(refused, game, f"the best reply to {a} has no worth, and is given one")
        return
    exact = best_response(game, asked(a), exact=True).solution
    rough = best_response(game, asked(a)).solution
    table = compile(game)
    for at in table.each(range(len(table))):
        agree(exact.value_at(at) == truth.value_at(at), game, f"the reply to {a} at {at}")
        low, high = map(Fraction, rough.bounds_at(at))
        agree(low <= truth.value_at(at) <= high, game, f"the reply to {a} at {at} in floats")


def alone(whole: Any, game: Any, a: Any) -> None:
    """Check that a strategy brings the same alone in both forms."""
    try:
        truth = evaluate(whole, agreement.asked(a), exact=True)
    except NotFinite:
        return
    exact = evaluate(game, asked(a), exact=True)
    agree(exact.value == truth.value, game, f"{a} brings {exact.value}, not {truth.value}")
