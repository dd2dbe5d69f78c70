"""Games at once by brute force in fractions, and what must agree with it.

A mixture is worth what the worst of all pure replies leaves it, each a system of linear equations
in fractions; play that never ends is worth an even share. Without circles the value is found from
the end, by kernels of matrix games. Nothing here shares code with the engine.
"""

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import Any

from agreement import Disagreement, agree
from at_once_games import Alike, Pick, Seat, Seated, random_alike, random_seated
from brute import solve_linear, value_by_kernels
from dicelab import compile
from dicelab.errors import NotSolved
from dicelab.rules import DRAW, LOSS, WIN
from dicelab.verbs import at_once as verbs
from dicelab.verbs.best_response import best_response
from dicelab.verbs.evaluate import evaluate
from dicelab.verbs.solve import solve

ZERO, ONE, HALF = Fraction(0), Fraction(1), Fraction(1, 2)
WORTH = {WIN: HALF, LOSS: -HALF, DRAW: ZERO}
"""What ends are worth, less an even share."""

HAIR = Fraction(1, 10**12)

Mixture = dict[Any, dict[str, Fraction]]


def any_game(pick: Pick, circles: bool, gains: Any = (0,)) -> Any:
    """Return a small game at once: seats that differ, or both alike."""
    if pick((True, False)):
        return reached(random_seated(pick, 3, 3, gains, circles))
    return reached(random_alike(pick, 2, 3, gains, circles))


def reached(game: Any) -> Any:
    """Return a game with the places that play leads to, seen from either side, and no others."""
    found, left = set(), [0]
    while left:
        at = left.pop()
        if at in found:
            continue
        found.add(at)
        left += [game.twin[at]] if isinstance(game, Alike) else []
        then = game.graph[at]
        rows = [] if isinstance(then, int) else then.values()
        left += [after for row in rows for law in row.values() for _, after, _ in law]
    graph = {at: then for at, then in game.graph.items() if at in found}
    return replace(game, graph=graph)


def places(game: Any) -> list[Any]:
    """Return where play goes on, as who sits first or just looks sees it."""
    return [at for at, then in game.graph.items() if not isinstance(then, int)]


def seen(game: Any, at: Any, seat: int) -> Any:
    """Return a place of the graph as one of the players sees it."""
    if isinstance(game, Seated):
        return Seat(at, seat)
    return game.twin[at] if seat else at


def options(game: Any, at: Any, seat: int) -> list[str]:
    """Return the moves of one of the players at a place."""
    moves = game.graph[at]
    return list(next(iter(moves.values()))) if seat else list(moves)


def random_mixture(pick: Pick, game: Any) -> Mixture:
    """Return chances of moves for every position, from either side."""
    found: Mixture = {}
    for at in places(game):
        for seat in (0, 1):
            moves = options(game, at, seat)
            parts = [pick((0, 1, 2)) for _ in moves]
            parts[pick(range(len(parts)))] += 1
            shares = {m: Fraction(p, sum(parts)) for m, p in zip(moves, parts, strict=True) if p}
            found.setdefault(seen(game, at, seat), shares)
    return found


def played(game: Any, one: Mixture, two: Mixture, worth: Any) -> dict[Any, Fraction]:
    """Return what each place is worth to who looks there with `one`, against `two`."""
    inside = places(game)
    flows: dict[Any, dict[Any, Fraction]] = {}
    base = dict.fromkeys(inside, ZERO)
    leaves = set()
    for at in inside:
        flow: dict[Any, Fraction] = {}
        for mine, share in one[seen(game, at, 0)].items():
            for yours, other in two[seen(game, at, 1)].items():
                for chance, after, gain in game.graph[at][mine][yours]:
                    part = share * other * chance
                    if not part:
                        continue
                    base[at] += part * gain
                    if isinstance(game.graph[after], int):
                        base[at] += part * worth[game.graph[after]]
                        leaves.add(at)
                    else:
                        flow[after] = flow.get(after, ZERO) + part
        flows[at] = flow
    while more := {at for at in inside if at not in leaves and leaves & set(flows[at])}:
        leaves |= more
    ends = [at for at in inside if at in leaves]  # elsewhere play never ends: an even share
    rows = [
        {
            column: part
            for column, to in enumerate(ends)
            if (part := (ONE if at == to else ZERO) - flows[at].get(to, ZERO))
        }
        for at in ends
    ]
    solved = solve_linear(rows, [[base[at]] for at in ends]) if ends else []
    return dict.fromkeys(inside, ZERO) | {at: v for at, (v,) in zip(ends, solved, strict=True)}


def pure(game: Any, seat: int) -> Iterator[Mixture]:
    """Yield every pure strategy of one of the players."""
    inside = places(game)
    for chosen in product(*(options(game, at, seat) for at in inside)):
        yield {seen(game, at, seat): {m: ONE} for at, m in zip(inside, chosen, strict=True)}


def sure(game: Any, mine: Mixture, worth: Any) -> dict[Any, Fraction]:
    """Return what a mixture of who looks is sure of, against every pure reply."""
    every = [played(game, mine, reply, worth) for reply in pure(game, 1)]
    return {at: min(each[at] for each in every) for at in places(game)}


def let_go(game: Any, yours: Mixture, worth: Any) -> dict[Any, Fraction]:
    """Return the most that anybody gets against a mixture of the other player."""
    every = [played(game, reply, yours, worth) for reply in pure(game, 0)]
    return {at: max(each[at] for each in every) for at in places(game)}


def backwards(game: Any, worth: Any) -> dict[Any, Fraction]:
    """Return the values of a game without circles, by kernels of matrix games."""
    known = {at: worth[then] for at, then in game.graph.items() if isinstance(then, int)}
    left = places(game)
    while left:
        for at in list(left):
            moves = game.graph[at]
            laws = [law for row in moves.values() for law in row.values()]
            if any(after not in known for law in laws for _, after, _ in law):
                continue
            known[at] = value_by_kernels(
                [
                    [sum((c * (g + known[to]) for c, to, g in law), ZERO) for law in row.values()]
                    for row in moves.values()
                ]
            )
            left.remove(at)
    return known


def mixtures_of(game: Any, solution: Any) -> Mixture:
    """Return what a solution plays, in fractions."""
    found: Mixture = {}
    for at in places(game):
        for seat in (0, 1):
            here = seen(game, at, seat)
            told = solution.plan.move_at(here)
            found[here] = {told: ONE} if isinstance(told, str) else dict(told)
    return found


def counted(game: Any, table: Any) -> tuple[Any, Fraction]:
    """Return what ends are worth less an even share, and that share."""
    if table.has_gains:
        return dict.fromkeys(WORTH, ZERO), ZERO
    return WORTH, HALF


def without_circles(game: Any) -> None:
    """Check best play against values from the end; floats, fractions and mixtures."""
    table = compile(game)
    worth, even = counted(game, table)
    truth = backwards(game, worth)
    exact, rough = solve(table, exact=True), solve(table)
    for at in places(game):
        here = seen(game, at, 0)
        told, value = exact.value_at(here), truth[at] + even
        agree(told == value, game, f"the exact value at {here} is {told}, not {value}")
        low, high = map(Fraction, rough.bounds_at(here))
        agree(low <= value <= high, game, f"{value} at {here} is not within its bounds")
    guaranteed = sure(game, mixtures_of(game, exact), worth)
    for at, least in guaranteed.items():
        agree(least == truth[at], game, f"the exact mixtures at {at} are sure of {least} only")


def with_circles(game: Any) -> None:
    """Check that bounds are proved by the mixtures that come with them, whatever is replied."""
    table = compile(game)
    worth, even = counted(game, table)
    exact, rough = solve(table, exact=True), solve(table)
    wide = max(exact.uppers - exact.lowers)
    if wide > HAIR:
        raise NotSolved(f"the bounds of {game!r} are {float(wide)} apart")
    plan = mixtures_of(game, exact)
    least, most = sure(game, plan, worth), let_go(game, plan, worth)
    for at in places(game):
        here = seen(game, at, 0)
        low, high = exact.bounds_at(here)
        value = exact.value_at(here)
        level = isinstance(game, Alike) and game.twin[at] == at
        # Bounds may be those of two plans that were tried, a hair apart.
        proved = level or (low - HAIR <= least[at] + even and most[at] + even <= high + HAIR)
        agree(proved and low <= value <= high, game, f"the bounds at {here} are not proved")
        below, above = map(Fraction, rough.bounds_at(here))
        # Both pairs of bounds hold the value, so that they must meet.
        agree(below <= high and low <= above, game, f"floats at {here}: [{below}, {above}]")
        agree(above - below < Fraction(1, 10**8), game, f"floats at {here} are wide")


def given_mixtures(game: Any, one: Mixture, two: Mixture) -> None:
    """Check two mixtures against each other, and the best reply to one, in fractions."""
    table = compile(game)
    worth, even = counted(game, table)
    start = 0
    truth = played(game, one, two, worth)[start] + even
    told = evaluate(table, lambda at: one[at], lambda at: two[at], exact=True).values[0]
    agree(told == truth, game, f"{one} against {two}: {told}, not {truth}")
    best = let_go(game, two, worth)
    exact = best_response(table, lambda at: two[at], exact=True).solution
    try:
        rough = best_response(table, lambda at: two[at]).solution
    except NotSolved:
        rough = None
    for at, most in best.items():
        here = seen(game, at, 0)
        told, value = exact.value_at(here), most + even
        agree(told == value, game, f"the reply to {two} at {here} is {told}, not {value}")
        if rough is not None:
            low, high = map(Fraction, rough.bounds_at(here))
            agree(low <= value <= high, game, f"the reply at {here}: {value} not in its bounds")


def planted(game: Any, mixture: Mixture) -> None:
    """Check that wrong mixtures prove only what they are sure of: floats and fractions alike."""
    table = compile(game)
    worth, even = counted(game, table)
    wrong = verbs.plan(table, lambda at: mixture[at])
    counting = verbs.counted(table)
    found = verbs._found(table, counting, None)
    _, _, lowers, uppers = verbs._bounded(table, wrong, counting, found)
    low, high = verbs._proved(table, wrong)
    least, most = sure(game, mixture, worth), let_go(game, mixture, worth)
    for at in places(game):
        if isinstance(game, Alike) and game.twin[at] == at:
            continue  # what looks the same from both sides is worth an even share, and that is it
        number = table.number(seen(game, at, 0))
        told = (low[number], high[number])
        agree(
            told == (least[at] + even, most[at] + even),
            game,
            f"wrong mixtures prove {told} at {at}",
        )
        fits = Fraction(lowers[number]) <= told[0] and told[1] <= Fraction(uppers[number])
        agree(fits, game, f"wrong mixtures prove more in floats at {at}")


__all__ = [
    "Disagreement",
    "any_game",
    "given_mixtures",
    "planted",
    "random_mixture",
    "with_circles",
    "without_circles",
]
