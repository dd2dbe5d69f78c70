"""What must agree on a small game: the solver, exact mode, and brute force over all strategies.

Each function takes a game (and what else it needs), asks the engine and asks brute force, and
raises `Disagreement` with the game in it where the two do not fit together. Brute force is that of
`brute`, in fractions; for two who throw at once it is here, by kernels of matrix games.
"""

from collections.abc import Callable
from fractions import Fraction
from math import inf
from typing import Any

from brute import (
    SeatedSketch,
    averaged,
    brought,
    chances,
    fared,
    guaranteed,
    has_no_value,
    pure_strategies,
    two_have_no_value,
    value_by_kernels,
)
from dicelab import compile
from dicelab.errors import NotFinite, NotSolved, RulesError
from dicelab.rules import DRAW
from dicelab.verbs.best_response import best_response
from dicelab.verbs.evaluate import evaluate
from dicelab.verbs.solution import TIED
from dicelab.verbs.solve import solve

ZERO, ONE = Fraction(0), Fraction(1)


VERBS: dict[str, Callable[[Any], Any]] = {
    "solve": solve,
    "solve exactly": lambda game: solve(game, exact=True),
    "respond": lambda game: best_response(game, "random"),
    "evaluate": lambda game: evaluate(game, "random", "random"),
}
"""What may be asked of a game."""


class Disagreement(AssertionError):
    """Two ways to one number gave two numbers."""


def agree(told: bool, game: Any, what: str) -> None:
    """Raise with the game, as it can be pasted back, unless something holds."""
    if not told:
        raise Disagreement(f"{what}\n{game!r}")


def disagreement(check: Callable[..., Any], *given: Any) -> str:
    """Return what a check of this module has against a game; nothing where all agrees."""
    try:
        check(*given)
    except Disagreement as told:
        return str(told)
    return ""


def asked(strategy: dict[Any, Any]) -> Any:
    """Return a strategy given as a dictionary as a function."""
    return lambda at: strategy[at]


def moves_of(game: Any, plan: Any) -> dict[Any, Any]:
    """Return a plan as {position: move}."""
    return {at: plan.move_at(at) for at, rule in game.graph.items() if isinstance(rule, dict)}


def hold(game: Any, lowers: Any, uppers: Any, truth: Any, what: str) -> None:
    """Raise unless every true value lies in its bounds. All are `[positions]`."""
    for number, (low, high, value) in enumerate(zip(lowers, uppers, truth, strict=True)):
        agree(
            Fraction(float(low)) <= value <= Fraction(float(high)),
            game,
            f"{what} at number {number}: {value} is not within [{low!r}, {high!r}]",
        )


def statuses(game: Any, exact: Any, rough: Any) -> None:
    """Raise where floats call a move best or worse that exactly is not."""
    for at, rule in game.graph.items():
        if isinstance(rule, dict):
            true = {one.move: one.status for one in exact.moves_at(at)}
            for one in rough.moves_at(at):
                fits = one.status == TIED or one.status == true[one.move]
                agree(fits, game, f"{one.move} at {at} is {true[one.move]}, not {one.status}")


# By turns


def two_players(game: Any) -> None:
    """Check best play: no strategy beats the plans found, and floats hold the exact values."""
    table = compile(game)
    try:
        exact = solve(table, exact=True)
    except NotFinite:
        agree(two_have_no_value(game), game, "it was refused, and every play has a finite worth")
        agree(raises(NotFinite, solve, table), game, "exact mode refused it, and floats do not")
        return
    rough = solve(table)
    plan = moves_of(game, exact.plan)
    sure = guaranteed(game, plan)
    for at, pair in sure.items():
        value = exact.value_at(at)
        agree(pair == (value, value), game, f"exact value {value} at {at}: brute force has {pair}")
    hold(game, rough.lowers, rough.uppers, exact.values, "the certified value")
    statuses(game, exact, rough)
    if (other := moves_of(game, rough.plan)) != plan:
        sure = guaranteed(game, other)
    for at, (least, most) in sure.items():
        lower, upper = map(Fraction, rough.bounds_at(at))
        agree(lower <= least and most <= upper, game, f"the plan in floats at {at} gets {least}")


def raises(kind: Any, work: Callable[..., Any], *given: Any) -> bool:
    """Return whether some work is refused in this way."""
    try:
        work(*given)
    except kind:
        return True
    return False


def evaluation(game: Any, a: Any, b: Any) -> bool:
    """Check how two strategies fare from both seats; return whether floats were refused."""
    table, known = compile(game), chances(game, a, b)
    worths = {} if isinstance(game, SeatedSketch) else fared(game, a, b)
    wanted = [worths.get((seat, game.start()), ZERO) for seat in (0, 1)]
    if None in wanted:
        for exactly in (True, False):
            refused = raises(NotSolved, evaluate, table, asked(a), asked(b), exactly)
            agree(refused, game, f"{a} against {b} has no worth, and is given one")
        return False
    exact = evaluate(table, asked(a), asked(b), exact=True)
    for seat, side in enumerate((exact.a_first, exact.b_first)):
        told = (side.a_wins, side.b_wins, side.draws, side.never_ends)
        agree(told == known[seat, game.start()], game, f"{told} for {a} against {b}")
        ends = game.worth_to(seat)
        worth = wanted[seat] if worths else averaged(ends, told, ends[DRAW])
        agree(exact.values[seat] == worth, game, f"{a} against {b} is not worth {worth}")
    try:
        rough = evaluate(table, asked(a), asked(b))
    except NotSolved:
        return True
    for seat, side in enumerate((rough.a_first, rough.b_first)):
        told = (side.a_wins, side.b_wins, side.draws, side.never_ends)
        for number, truth in zip(told, known[seat, game.start()], strict=True):
            near = abs(Fraction(number) - truth) <= Fraction(rough.error)
            agree(near, game, f"{number} for {truth} within {rough.error} for {a} against {b}")
    off = Fraction(rough.value_error)
    for told, truth in zip(rough.values, exact.values, strict=True):
        near = told == truth if truth in (inf, -inf) else abs(Fraction(told) - truth) <= 2 * off
        agree(near, game, f"{told} for {truth} within {off} for {a} against {b}")
    return False


def best_reply(game: Any, opponent: Any) -> bool:
    """Check the best reply against all pure ones; return whether floats were refused."""
    table = compile(game)
    best: dict[Any, Any] = {}
    for mine in pure_strategies(game):
        for node, worth in fared(game, mine, opponent).items():
            told = inf if worth is None else worth  # nobody can tell: to be refused
            best[node] = max(best.get(node, told), told)
    if {inf, -inf} & set(best.values()):
        for exactly in (True, False):
            refused = raises(NotFinite, best_response, table, asked(opponent), None, exactly)
            agree(refused, game, f"the best reply to {opponent} has no worth, and is given one")
        return False
    exact = best_response(table, asked(opponent), exact=True)
    assert exact.solution.replies is not None
    for at in game.graph:
        number = table.number(at)
        told = (exact.solution.values[number], exact.solution.replies[0][number])
        wanted = (best[0, at], best[1, at])
        agree(told == wanted, game, f"the best reply to {opponent} at {at}: {told}, not {wanted}")
    try:
        rough = best_response(table, asked(opponent)).solution
    except NotSolved:
        return True
    assert rough.replies is not None
    hold(game, rough.lowers, rough.uppers, exact.solution.values, f"a reply to {opponent}")
    hold(game, *rough.replies[1:], exact.solution.replies[0], f"a reply to {opponent}, second")
    return False


# Alone


def alone(game: Any, strategy: Any) -> bool:
    """Check one player's best play and one strategy's worth; return whether floats were refused."""
    table = compile(game)
    each = [brought(game, plan) for plan in pure_strategies(game)]
    sign = -1 if game.fewest else 1
    if has_no_value(game) or any(
        all(values[at] == -sign * inf for values in each) for at in game.graph
    ):
        for exact in (True, False):
            try:
                found = solve(table, exact=exact)
            except NotFinite:
                continue
            agree(False, game, f"it has no finite value, and is worth {found.value}")
    else:
        best = {at: sign * max(sign * values[at] for values in each) for at in game.graph}
        exact = solve(table, exact=True)
        told = {at: exact.value_at(at) for at in game.graph}
        agree(told == best, game, f"the exact values are {told}, brute force has {best}")
        rough = solve(table)
        hold(game, rough.lowers, rough.uppers, exact.values, "the certified value")
        statuses(game, exact, rough)
        reached = brought(game, moves_of(game, rough.plan))
        for at, value in reached.items():
            bound = Fraction(rough.bounds_at(at)[0 if sign > 0 else 1])
            agree(sign * bound <= sign * value, game, f"the plan in floats gets {value} at {at}")
    return _alone_evaluated(game, table, strategy, brought(game, strategy)[game.start()])


def _alone_evaluated(game: Any, table: Any, strategy: Any, wanted: Any) -> bool:
    for exact in (True, False):
        try:
            found = evaluate(table, asked(strategy), exact=exact)
        except NotFinite:
            agree(wanted is None, game, f"{strategy} is worth {wanted}, and was refused")
            continue
        except NotSolved:
            agree(not exact, game, f"{strategy} is worth {wanted}, and was not evaluated")
            return True
        agree(wanted is not None, game, f"{strategy} has no value, and is worth {found.value}")
        if exact or wanted in (inf, -inf):
            agree(found.value == wanted, game, f"{strategy} is worth {found.value}, not {wanted}")
        else:
            off = abs(Fraction(found.value) - wanted)
            fits = off <= Fraction(found.error)
            agree(fits, game, f"{strategy}: {found.value} is {float(off)} off")
    return False


# Contracts that cannot be kept


def refused(game: Any, verbs: Any) -> None:
    """Check that a game which is none, or none that some verbs know, is refused in a sentence."""
    for name in verbs:
        try:
            found = VERBS[name](game)
        except RulesError as said:
            agree(str(said)[:1].islower(), game, f"{name} refuses without a sentence: {said}")
        else:
            agree(False, game, f"{name} answers with {found}")


# Both at once


def pairs_of(game: Any) -> list[tuple[int, int]]:
    """Return all pairs of scores that play on, those nearest to the end first."""
    scores = range(game.target - 1, -1, -1)
    return [(i, j) for i in scores for j in scores]


def ends_at(game: Any, values: Any) -> Any:
    """Return a function that looks a pair of scores up: an end is worth its result."""
    kind = type(game.start())
    return lambda i, j: (
        values[i, j] if max(i, j) < game.target else game.worth[int(game.result(kind(i, j)))]
    )


def ahead(game: Any, i: int, j: int, look: Any) -> list[list[Fraction]]:
    """Return what each pair of moves brings if both do not score nothing. `[moves][moves]`"""
    return [
        [
            sum(
                (
                    chance * other * look(i + points, j + theirs)
                    for points, chance in mine.items()
                    for theirs, other in yours.items()
                    if points or theirs
                ),
                ZERO,
            )
            for yours in game.laws.values()
        ]
        for mine in game.laws.values()
    ]


def at_once(game: Any) -> None:
    """Check best play where both throw at once.

    With a(v) the game at a position where scoring nothing brings v, the value v is that of a(v).
    Raising v by d raises that of a(v) by less than d. So a value of a(L) that is L or more, what
    comes later being bounded likewise, proves that L is a lower bound; and likewise an upper one.
    """
    table = compile(game)
    found = solve(table)
    stays = [law.get(0, ZERO) for law in game.laws.values()]
    known = {tuple(map(int, table.position(number))): number for number in range(len(table))}
    for bound, sign in ((found.lowers, 1), (found.uppers, -1)):
        values = {at: Fraction(float(bound[number])) for at, number in known.items()}
        for i, j in pairs_of(game):
            if (i, j) not in known:
                continue
            look, here = ends_at(game, values), values[i, j]
            rows = ahead(game, i, j, look)
            matrix = [
                [entry + p * q * here for entry, q in zip(row, stays, strict=True)]
                for row, p in zip(rows, stays, strict=True)
            ]
            proved = sign * (value_by_kernels(matrix) - here) >= 0
            agree(proved, game, f"the bound {float(here)} at {i}-{j} is not one")
    if not any(stays):
        exact, values = solve(table, exact=True), {}
        for i, j in pairs_of(game):
            if (i, j) in known:
                matrix = ahead(game, i, j, ends_at(game, values))
                values[i, j] = value_by_kernels(matrix)
                told = exact.values[known[i, j]]
                agree(told == values[i, j], game, f"{told} at {i}-{j}, not {values[i, j]}")
        hold(game, found.lowers, found.uppers, exact.values, "the certified value")


def at_once_fixed(game: Any, a: Any, b: Any) -> None:
    """Check two strategies for a race against each other, and the best reply to the second."""
    table = compile(game)
    moves = list(game.laws)

    def told(strategy: Any) -> Any:
        return lambda at: strategy[int(at.mine), int(at.yours)]

    wins, replies = {}, {}
    for i, j in pairs_of(game):
        stays = [law.get(0, ZERO) for law in game.laws.values()]
        mine = [a[i, j].get(move, ZERO) for move in moves]
        yours = [b[j, i].get(move, ZERO) for move in moves]
        rows = ahead(game, i, j, ends_at(game, wins))
        stay = sum((p * q for p, q in zip(mine, stays, strict=True)), ZERO) * sum(
            (p * q for p, q in zip(yours, stays, strict=True)), ZERO
        )
        total = sum(
            (p * q * rows[m][n] for m, p in enumerate(mine) for n, q in enumerate(yours)), ZERO
        )
        wins[i, j] = total / (1 - stay)
        rows = ahead(game, i, j, ends_at(game, replies))
        staying = sum((p * q for p, q in zip(yours, stays, strict=True)), ZERO)
        replies[i, j] = max(
            sum((q * rows[m][n] for n, q in enumerate(yours)), ZERO) / (1 - stays[m] * staying)
            for m in range(len(moves))
        )
    exact = evaluate(table, told(a), told(b), exact=True)
    agree(exact.values[0] == wins[0, 0], game, f"{exact.values[0]}, not {wins[0, 0]}")
    rough = evaluate(table, told(a), told(b))
    four = [rough.a_first.a_wins, rough.a_first.b_wins, rough.a_first.draws, 0.0]
    gain = averaged(game.worth, list(map(Fraction, four)), ZERO)
    off, size = abs(gain - wins[0, 0]), sum(map(abs, game.ends))
    slack = Fraction(rough.error) + Fraction(1, 2**52)
    agree(off <= size * slack, game, f"{gain} is {off} off")
    reply = best_response(table, told(b), exact=True).solution
    near = best_response(table, told(b)).solution
    for number in range(len(table)):
        at = tuple(map(int, table.position(number)))
        if max(at) < game.target:
            truth = reply.values[number]
            agree(truth == replies[at], game, f"the reply at {at} is {truth}, not {replies[at]}")
            low, high = (Fraction(float(x[number])) for x in (near.lowers, near.uppers))
            agree(low <= truth <= high, game, f"the reply at {at}: {truth} outside [{low}, {high}]")
