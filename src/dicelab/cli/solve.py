"""dicelab solve: the best way to play, and what the game is then worth."""

from __future__ import annotations

import math
import time
from fractions import Fraction
from pathlib import Path

import numpy as np
import typer

from dicelab.cli.sweep import short_way
from dicelab.console.app import app
from dicelab.console.arguments import (
    Exact,
    GameName,
    Given,
    Json,
    Memory,
    Parameters,
    Plot,
    only,
    only_a_game,
    table_of,
    tell_long,
)
from dicelab.console.files import Out, check_out, draw, write_out
from dicelab.console.output import emit, never_counts, percent, progress, say, within, wrote
from dicelab.console.ranges import range_in
from dicelab.console.seats import profile_lines
from dicelab.console.work import Checkpoint
from dicelab.core.arrays import Bools, Floats
from dicelab.rules import DRAW, LOSS, Game, HouseRules, SimultaneousGame
from dicelab.strategies.holding_points import HoldingPoints, has_holding_points, holding_points
from dicelab.verbs.mixtures import SimultaneousSolution
from dicelab.verbs.profile_solution import Profile
from dicelab.verbs.solution import Solution
from dicelab.verbs.solve import solve as worked_out


@app.command("solve")
def solve(
    game: GameName,
    parameters: Parameters = None,
    exact: Exact = False,
    out: Out = None,
    plot: Plot = None,
    memory: Memory = None,
    checkpoint: Checkpoint = None,
    json: Json = False,
) -> None:
    """Find the best way to play a game, with certified bounds.

    A parameter may have several values, as target=10..50:10: that is a sweep, with its table, its
    JSON keys, and --out FILE.csv.

    A scorecard that is played for a chance (--for "at least 300", --for "more than 250") takes
    --checkpoint: what is worked out stands in that file, and the same command goes on after a stop.
    So does a match in sets (421) for three players and more.

    Best play may go on for ever: between two that counts as a draw, alone as a loss, unless the
    rules say otherwise.

    JSON keys: game, parameters, value, lower, upper, unit, never_ends, positions, method, sweeps,
    exact, seconds; with --exact also fraction, or fractions (two, with the value between them)
    where both choose at once and none was found. Where a move is a number of dice also opening: the
    best numbers, or the chance of each where both players throw at once; in Greed also other, the
    rating of the second player. There a folder given to --out also gets the whole boards.
    Three players and more also have players, values (what each gets where all play the strategy
    found, first player first), lowers, uppers, temptation (the most that anybody could gain, from
    any position, by changing his own strategy), equilibria (others that were met: values,
    temptation, apart, example) and compared (whether others were looked for).

    Examples:

        dicelab solve pig

        dicelab solve pig target=50 --json

        dicelab solve piglet target=2 --exact

        dicelab solve pig target=30 --out best.csv --plot best.svg

        dicelab solve dice-battle variant=simultaneous --json

        dicelab solve pig target=10..50:10

        dicelab solve greed max=20 sides=3 --exact --out greed/
    """
    if asked := range_in(game, parameters):
        named = [one for several in asked.strategies for one in several]
        only("only parameters such as target=50 after the game", named, 0, 0)
        if checkpoint is not None:
            raise typer.BadParameter(
                "a range of games is a sweep: `dicelab sweep` has --checkpoint"
            )
        short_way(asked, "value", "value advantage", exact, out, plot, memory, json)
        return
    given = only_a_game(game, parameters)
    check_out(out, plot)
    solution = solved(given, memory, exact, checkpoint)
    command = f"dicelab solve {given.named}"
    answer = {**given.header, **solution.as_dict()}
    written = write_out(solution, answer, out, command) if out else []
    if plot:
        written += draw(solution, command, plot)
    if json:
        emit(answer)
        return
    say(*headline(solution), *advice(solution))
    wrote(*written)


def solved(
    given: Given, memory: int | None, exact: bool, checkpoint: str | None = None
) -> Solution:
    """Return the solution, showing a bar while it takes long."""
    began = time.perf_counter()
    if not exact and not (checkpoint and Path(checkpoint).exists()):
        tell_long(given.game, stops=checkpoint is None)
    with progress(f"solving {given.game}") as report:
        if given.game.solver or checkpoint or not isinstance(given.game, HouseRules):
            return worked_out(given.game, exact, memory, report, checkpoint=checkpoint)
        found = worked_out(table_of(given.game, memory, report, exact), exact, progress=report)
        return found.taking(time.perf_counter() - began)


WIDE = 1e-6
"""How far apart bounds may be before it is told why."""
FEW_DIGITS = 12
"""Digits of a denominator that are hardly there by chance."""


def headline(solution: Solution) -> list[str]:
    """Return what the game is worth, in words."""
    game = solution.game
    if isinstance(solution, Profile):
        return profile_lines(solution)
    return [
        f"{game}: {worth(solution)} ({certainty(solution)})",
        *_endless(solution),
        f"{solution.positions:,} positions in {solution.seconds:.2f} s",
    ]


def _endless(solution: Solution) -> list[str]:
    """Return how often best play never ends and what that counts, where it may be so."""
    if not 0 < solution.never_ends < 1:
        return []
    who = "both play" if solution.game.players == 2 else "one plays"
    share = percent(solution.never_ends)
    counts = never_counts(solution.game, solution.table.never, solution.unit)
    return [f"when {who} like that the game never ends in {share} of cases: that {counts}"]


def is_level(game: Game) -> bool:
    """Return whether both choose at once and see the same start, so that nobody goes first."""
    if not (isinstance(game, SimultaneousGame) and game.is_simultaneous):
        return False
    return bool(game.mirror(game.start()) == game.start())


def worth(solution: Solution) -> str:
    """Return a sentence about the value."""
    game, value = solution.game, solution.value
    unit, is_chance = solution.unit, solution.unit == "chance to win"
    who = "the first player" if game.players == 2 else "the player"
    who = "either player" if is_level(game) else who
    if solution.never_ends == 1:
        counts = never_counts(game, solution.table.never, unit)
        counts += ", and each player gets" if game.players == 2 else ":"
        amount = f"{percent(value)} of the game" if is_chance else f"{float(value):.6g} {unit}"
        return f"with best play the game never ends; that {counts} {amount}"
    if game.players == 1 and not is_chance:
        return f"{float(value):.6g} {unit} with best play"
    if not is_chance:
        if unit.endswith("s"):
            return f"{who} gets {float(value):.6g} {unit} with best play"
        return f"{unit} {float(value):.6g} for {who} with best play"
    ends = game.worth_to(0)
    counts_draws = ends[DRAW] != ends[LOSS] and solution.may_draw
    halves = ["a draw"] if counts_draws else []
    halves += ["a game that never ends"] if solution.never_ends and game.players == 2 else []
    if halves:
        half = " or ".join(halves)
        return f"{who} gets {percent(value)} of the game with best play, {half} being half of it"
    return f"{who} wins {percent(value)} with best play"


def certainty(solution: Solution) -> str:
    """Return how sure the value is."""
    if solution.exact and solution.lower < solution.upper:
        return _between(solution)
    if solution.exact:
        text = str(solution.value)
        return f"exactly {text}" if len(text) <= 60 else f"exactly a fraction of {len(text)} signs"
    error = max(solution.upper - solution.value, solution.value - solution.lower)
    if error <= WIDE:
        return f"certified {within(float(error))}"
    mixes = isinstance(solution, SimultaneousSolution)
    why = "no mixture was found that is sure of more" if mixes else "floats are sure of no more"
    return f"certified {within(float(error))}; where positions lead back, {why}"


def _between(solution: Solution) -> str:
    """Return how sure an exact value is that lies between two fractions; it is the simplest."""
    simplest = Fraction(solution.value)
    apart = within(float(solution.upper - solution.lower)).removeprefix("within ")
    digits = len(str(simplest.denominator))
    if solution.upper - solution.lower > WIDE:
        return (
            f"between two fractions {apart} apart; where positions lead back, no mixture was found "
            f"that is sure of more"
        )
    if digits <= FEW_DIGITS:
        return (
            f"between two fractions {apart} apart, the simplest there being {simplest}; no mixture "
            f"was found that is sure of it, only ever better ones"
        )
    return (
        f"between two fractions {apart} apart; if it is a fraction at all, its denominator has "
        f"{digits} digits or more"
    )


def _many(number: int, thing: str) -> str:
    return f"{number:,} {thing}{'s' * (number != 1)}"


def advice(solution: Solution) -> list[str]:
    """Return a few lines on the strategy."""
    if said := solution.summary():
        return said
    table, start = solution.table, solution.table.start
    if not table.is_ongoing[start]:
        return []
    if has_holding_points(table):
        return _holding(holding_points(solution.plan), solution)
    lines = [f"First move: {_first_move(solution)}."]
    several = np.diff(table.move_first) > 1
    if several.any():
        shares = _shares(solution, several)
        often = np.argsort(-shares, kind="stable")[:6]
        told = ", ".join(f"{table.moves[m]} at {100 * shares[m]:.0f}%" for m in often if shares[m])
        lines.append(f"Of the {_many(int(several.sum()), 'position')} with a choice: {told}.")
    if table.has_choices:
        more = table.another[table.kind]
        left = int((more & ~np.append(False, more[:-1])).sum())
        lines.append(f"After {_many(left, 'throw')} there is a choice as well.")
    return lines


def _first_move(solution: Solution) -> str:
    """Return how to begin; the likeliest move where that is left to chance."""
    told = solution.plan.move_at(solution.game.start())
    return told if isinstance(told, str) else max(told, key=told.__getitem__)


def _shares(solution: Solution, several: Bools) -> Floats:
    """Return how often each move is made, over some positions. `[moves]`"""
    table, plan = solution.table, solution.plan
    if not plan.is_mixed:
        played = table.move[plan.choice[several]]
        return np.bincount(played, minlength=len(table.moves)) / several.sum()
    weights = np.where(several[table.row_position], plan.weights(exact=False), 0.0)
    return np.bincount(table.move, weights, len(table.moves)) / several.sum()


def _holding(points: HoldingPoints, solution: Solution) -> list[str]:
    """Return the holding points of a strategy, as a few lines."""
    two = points.fields[1] == "yours"
    last = points.points.shape[1] - 1
    start = solution.game.start()
    first = points.at(*(getattr(start, name) for name in points.fields))
    lines = []
    if math.isinf(first):
        lines = ["On the first turn, roll until you win or bust."]
    elif first == 0:
        lines = ["On the first turn, pass."]
    elif not math.isnan(first):
        lines = [f"On the first turn, hold at {first:.0f}."]
    banks = _spread(points.points.shape[0])
    if two:
        lines.append("Hold at so many points at risk, by my bank (down) and yours (across):")
        across = banks
    elif last == 0:
        across = [0]
        lines.append("Hold at so many points at risk, by my bank (down):")
    else:
        across = [turn + 1 for turn in _spread(last)]
        lines.append("Hold at so many points at risk, by my bank (down) and turns left (across):")
    if two or last:
        lines.append("      " + "".join(f"{column:>6}" for column in across))
    shown = [[_point(points.at(bank, column)) for column in across] for bank in banks]
    for bank, cells in zip(banks, shown, strict=True):
        lines.append(f"{bank:>6}" + "".join(f"{cell:>6}" for cell in cells))
    for sign, words in (("win", "roll until you win or bust"), ("-", "no turn begins there")):
        if any(sign in cells for cells in shown):
            lines.append(f"({sign}: {words})")
    return lines


def _spread(size: int) -> list[int]:
    """Return up to five round numbers below `size`, from 0 on."""
    return list(range(0, size, max(1, size // 5)))[:5]


def _point(point: float) -> str:
    return "-" if math.isnan(point) else "win" if math.isinf(point) else f"{point:.0f}"
