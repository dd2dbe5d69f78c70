"""dicelab compare: which of two strategies is better, from as few games as that takes."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import Annotated

import typer

from dicelab.console.app import app
from dicelab.console.arguments import GameName, Json, Memory, Players, compiled, two_strategies
from dicelab.console.arguments import given as read_given
from dicelab.console.output import emit, percent, picked, say
from dicelab.console.progress import aside, console
from dicelab.console.work import taken
from dicelab.core.intervals import Estimate
from dicelab.rules import contract
from dicelab.verbs.fair_test import (
    A_BETTER,
    B_BETTER,
    GAMES,
    MARGIN,
    MOST_GAMES,
    NEITHER,
    REPEATS,
    Comparison,
    Rule,
    games_needed,
)
from dicelab.verbs.fair_test import compare as worked_out
from dicelab.verbs.sampler import Tally

EVERY = 20
"""Looks between two lines of live progress."""


@app.command("compare")
def compare(
    game: GameName,
    players: Players,
    margin: Annotated[
        float, typer.Option(help="What counts as better: so much above a half.")
    ] = MARGIN,
    alpha: Annotated[float, typer.Option(help="The chance to tell equal players apart.")] = 0.05,
    beta: Annotated[
        float, typer.Option(help="The chance to miss a player better by the margin.")
    ] = 0.05,
    memory: Memory = None,
    json: Json = False,
) -> None:
    """Tell which of two strategies is better, and stop as soon as that is clear.

    They play pairs of games with seats swapped. A sequential probability ratio test looks at the
    pairs as they come in. A game that nobody wins, drawn or never ending, is half a point for
    each. seed=1 says which games are played, games=1e6 the most of them.

    JSON keys: game, parameters, a, b, better (A, B, neither or undecided), games, score (A's share
    of points: value, interval, games), overall (A wins), draws, never_ended, stopped (of those, at
    the turn limit), pairs (by A's points: 0, 1/2, 1, 3/2, 2), ratios (log-likelihood, for A and for
    B), bounds, margin, alpha, beta, seed, fixed (games a fixed test needs), saved, seconds.

    Examples:

        dicelab compare pig hold-at:25 hold-at:30 seed=1

        dicelab compare pig optimal hold-at:25 target=50 --margin 0.01 --json
    """
    arguments, asked = taken(players, games=MOST_GAMES, seed=0)
    given = read_given(game, arguments)
    contract.refuse_alone(
        given.game, "there is nobody to compare with; `dicelab tournament` tells what each brings"
    )
    a, b = two_strategies(given)
    rule = Rule(margin, alpha, beta)
    table = compiled(given.game, memory, a, b)
    with live(rule) as watch:
        found = worked_out(table, a, b, rule, asked["seed"], asked["games"], watch)
    if not json:
        tell(found)
        return
    fixed = REPEATS * GAMES
    emit(
        given.header
        | picked(found, "a b better games score overall draws never_ended stopped pairs ratios")
        | {"bounds": [rule.lower, rule.upper]}
        | picked(rule, "margin alpha beta")
        | {"seed": found.seed, "fixed": fixed, "saved": fixed - found.games}
        | {"seconds": found.seconds}
    )


@contextlib.contextmanager
def live(rule: Rule) -> Iterator[Callable[[Tally], None] | None]:
    """Yield what to call after each look; a person sees the test move, a pipe sees nothing."""
    screen = console(stderr=True)
    if not screen.is_terminal:
        yield None
        return
    looks = 0
    with aside(stderr=True), screen.status("playing") as status:

        def watch(tally: Tally) -> None:
            nonlocal looks
            looks += 1
            if looks % EVERY == 0:
                for_a, for_b = rule.ratios(tally.pairs)
                status.update(
                    f"{int(tally.ends.sum()):,} games; evidence for A {for_a:+.2f}, "
                    f"for B {for_b:+.2f} (from {rule.lower:.2f} to {rule.upper:+.2f})"
                )

        yield watch


def tell(found: Comparison) -> None:
    """Print a comparison for people."""
    rule = found.rule
    answers = {
        A_BETTER: f"{found.a} is better than {found.b}",
        B_BETTER: f"{found.b} is better than {found.a}",
        NEITHER: f"neither is better by {rule.margin:g}",
    }
    say(
        f"{found.table.game}: {answers.get(found.better, 'not decided')} "
        f"after {found.games:,} games",
        *_shares(found),
        f"chances of error: {rule.alpha:g} to tell equals apart, "
        f"{rule.beta:g} to miss a player better by {rule.margin:g}",
        f"the fixed protocol plays {REPEATS} x {GAMES:,} games; one sample of "
        f"{games_needed(rule.margin):,} is within {rule.margin:g} of a half 19 times in 20",
    )


def _shares(found: Comparison) -> list[str]:
    """Return A's share of the games in words, with those that nobody won where there are any."""
    won, score = found.overall, found.score
    if not found.draws + found.never_ended:
        return [f"{found.a} won {percent(won.value)} of them ({_interval(won)})"]
    counts = {"drawn": found.draws, "never ended": found.never_ended - found.stopped}
    counts |= {"stopped at the turn limit": found.stopped}
    nobody = [f"{percent(count / found.games)} {how}" for how, count in counts.items() if count]
    lost = 1 - won.value - (found.draws + found.never_ended) / found.games
    return [
        f"{found.a} scored {percent(score.value)} of the points ({_interval(score)}), "
        f"half a point for a game that nobody won",
        f"{found.a} won {percent(won.value)} of the games and lost {percent(lost)}; "
        + ", ".join(nobody),
    ]


def _interval(found: Estimate) -> str:
    return f"95%: {percent(found.low)} to {percent(found.high)}"
