"""dicelab density: where a game goes, and how long it lasts."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated

import numpy as np
import typer

from dicelab.cli.sweep import short_way
from dicelab.console.app import app
from dicelab.console.arguments import (
    GameName,
    Given,
    Json,
    Memory,
    Players,
    Plot,
    asked_of,
    two_strategies,
)
from dicelab.console.arguments import given as read_given
from dicelab.console.files import a_file, check_csv, check_out, save_figure
from dicelab.console.output import (
    emit,
    percent,
    picked,
    progress,
    say,
    show,
    within,
    write_text,
    wrote,
)
from dicelab.console.ranges import range_in
from dicelab.core.arrays import Array
from dicelab.core.csv_cells import csv_text, guarded_row
from dicelab.core.exact import exactly
from dicelab.core.json_object import JsonObject
from dicelab.rules import Game
from dicelab.strategies.file import position_columns
from dicelab.verbs.density import Density, PointsDensity, density_on
from dicelab.verbs.engines import own_verb
from dicelab.verbs.playback import named
from dicelab.verbs.points_law import PointsLaw

LENGTHS = "length median moves throws"
"""What is told of each game where there are several."""

QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)
MOST_SHOWN = 8
BAR = 40


@app.command("density")
def density(
    game: GameName,
    players: Players,
    out: Annotated[str | None, a_file("Write every visited position to FILE.csv.")] = None,
    plot: Plot = None,
    at_least: Annotated[
        str | None, typer.Option(metavar="NUMBER", help="Tell the chance of so many points too.")
    ] = None,
    memory: Memory = None,
    json: Json = False,
) -> None:
    """Tell where a game goes and how long it lasts; in a game for points, how many it brings.

    A plays B, and A starts. A game played alone takes one strategy. Points are those of A, between
    two less those of B. Three players and more are named in order of their turns.

    A parameter or a strategy may have several values, as target=10..50:10: that is a sweep, with
    its table and its JSON keys.

    JSON keys: game, parameters, a, b, mean_length (in turns), mean_moves, mean_throws, quantiles,
    lengths, unfinished, never_ends, visited, positions, most_visited, seconds. A turn ends where
    the rules pass the move on, in a game played alone too. A game for points also has points: unit,
    mean, deviation, quantiles, law (points and their chances), unfinished (the chance left over),
    error; with --at-least also at_least and chance.

    Examples:

        dicelab density pig hold-at:20 hold-at:20

        dicelab density pig optimal optimal target=30 --out visits.csv --plot visits.svg

        dicelab density solo-pig hold-at:25 --json

        dicelab density pig hold-at:20 hold-at:20 target=10..50:10

        dicelab density solo-pig hold-at:25 --at-least 10
    """
    if asked := range_in(game, players):
        if at_least is not None:
            raise typer.BadParameter("--at-least is for one game: leave it out, or the range")
        short_way(asked, LENGTHS, LENGTHS, out=out, plot=plot, memory=memory, json=json)
        return
    given = read_given(game, players)
    a, b = two_strategies(given, least=1)
    check_out(None, plot)
    check_csv(out, "the table of visits is")
    least = _number(at_least)
    subject = asked_of(given.game, memory, a, b, whole=True)
    if isinstance(subject, Game):
        _points_only(given, subject, a, b, least, (out, plot), memory, json)
        return
    found = density_on(subject, a, b)
    if least is not None and found.points is None:
        raise typer.BadParameter(f"{found.game} is not for points: leave out --at-least")
    if out:
        write_text(out, as_csv(found))
    if plot:
        from dicelab import plots

        save_figure(plots.density_picture(found, given.command("density")), plot)
    if not json:
        tell(found)
        if found.points is not None:
            _tell_points(found.points, found.table.unit, least)
        wrote(out, plot)
        return
    emit(
        given.header
        | picked(found, "a b mean_length mean_moves mean_throws")
        | {"quantiles": {share: found.quantile(share) for share in QUANTILES}}
        | picked(found, "lengths unfinished never_ends")
        | {"visited": found.visited.any(axis=0).sum(), "positions": len(found.table)}
        | {"most_visited": most_visited(found), "seconds": found.seconds}
        | (
            {}
            if found.points is None
            else {"points": _as_json(found.points, found.table.unit, least)}
        )
    )


def _points_only(
    given: Given,
    game: Game,
    a: str,
    b: str | None,
    least: Fraction | None,
    files: tuple[str | None, str | None],
    memory: int | None,
    json: bool,
) -> None:
    """Tell the law of the points of a game whose own engine follows a strategy."""
    own = own_verb(game, "density")
    assert own is not None
    out, plot = files
    with progress(f"following {a}") as report:
        found: PointsDensity = own(game, a, b, memory, report)
    if out:
        rows = zip(map(float, found.points.points), found.points.chances.tolist(), strict=True)
        write_text(out, csv_text([("points", "chance"), *rows]))
    if plot:
        from dicelab import plots

        save_figure(plots.density_picture(found, given.command("density")), plot)
    if json:
        told = picked(found, "a turns seconds")
        emit(given.header | told | {"points": _as_json(found.points, game.unit, least)})
        return
    say(f"{game}: {found.a}, {found.turns} rounds")
    _tell_points(found.points, game.unit, least)
    say(*points_histogram(found.points))
    wrote(out, plot)


def points_histogram(law: PointsLaw, rows: int = 16) -> list[str]:
    """Return the law of the points as lines of text, a few points to a line."""
    low, high = float(law.quantile(0.0005)), float(law.quantile(0.9995))
    step = max(1, round((high - low) / rows))
    numbers = np.array([float(points) for points in law.points])
    edges = np.arange(step * (low // step), high + step, step)
    parts = [float(law.chances[(numbers >= e) & (numbers < e + step)].sum()) for e in edges]
    bars = ["#" * round(BAR * part / max(parts)) for part in parts]
    return [
        f"{int(edge):>9}-{int(edge + step - 1):<5} {100 * part:6.2f}% {bar}"
        for edge, part, bar in zip(edges, parts, bars, strict=True)
    ]


def _number(text: str | None) -> Fraction | None:
    """Return a number of points as it was typed."""
    number = None if text is None else exactly(text)
    if text is not None and number is None:
        raise typer.BadParameter(f"--at-least is a number of points, such as 300: got {text!r}")
    return number


def _as_json(law: PointsLaw, unit: str, least: Fraction | None) -> JsonObject:
    told: JsonObject = {"unit": unit}
    if law.amounts.size:  # some game ends
        told |= picked(law, "mean deviation")
        told |= {"quantiles": {share: float(law.quantile(share)) for share in QUANTILES}}
    pairs = zip(law.points, law.chances.tolist(), strict=True)
    told |= {"law": [[float(points), chance] for points, chance in pairs]}
    told |= picked(law, "unfinished error")
    if least is not None:
        told |= {"at_least": float(least), "chance": law.at_least(least)}
    return told


def _tell_points(law: PointsLaw, unit: str, least: Fraction | None) -> None:
    """Print the law of the points for people."""
    sure = within(law.error)
    if not law.amounts.size:
        say(f"{unit}: no game ends, so that there is nothing to count")
        return
    shares = {f"{100 * share:.0f}%": float(law.quantile(share)) for share in QUANTILES}
    told = ", ".join(f"{share} within {points:g}" for share, points in shares.items())
    say(f"{unit}: {law.mean:.6g} on average, deviation {law.deviation:.6g}; {told}")
    if least is not None:
        say(f"{least} {unit} or more: {percent(law.at_least(least))}")
    say(f"(chances {sure}; {law.unfinished:.0e} of the games are left over)")


def most_visited(found: Density, most: int = MOST_SHOWN) -> list[JsonObject]:
    """Return the positions that play comes to most surely, the start and the ends left out."""
    return [
        {
            "player": named(seat).lower(),
            "position": found.table.notation(number),
            "ever": float(found.ever[seat, number]),
            "visits": float(found.visits[seat, number]),
        }
        for seat, number in found.likeliest(most)
    ]


def tell(found: Density) -> None:
    """Print a density for people."""
    starts = "" if found.game.is_simultaneous else "; A starts"  # at once nobody does
    who = f"A is {found.a}, B is {found.b}{starts}" if found.b else found.a
    if found.game.players > 2:
        seats = (f"{named(seat)} is {plan.name}" for seat, plan in enumerate(found.pairing.plans))
        who = f"{', '.join(seats)}; A starts"
    say(f"{found.game}: {who}")
    if found.never_ends > 0:
        say(f"the game never ends in {percent(found.never_ends)} of cases")
    else:
        turns = {f"{100 * share:.0f}%": found.quantile(share) for share in QUANTILES}
        told = ", ".join(f"{share} by turn {turn}" for share, turn in turns.items())
        say(f"{found.mean_length:.2f} turns on average; {told}")
        say(f"{found.mean_moves:.2f} moves and {found.mean_throws:.2f} throws on average")
    say(*histogram(found.lengths))
    visited = int(found.visited.any(axis=0).sum())
    say(f"play can come to {visited:,} of the {len(found.table):,} positions, most surely to")
    show(
        ["player", "position", "ever", "visits"],
        [
            [one["player"].upper(), one["position"], percent(one["ever"]), f"{one['visits']:.4f}"]
            for one in most_visited(found)
        ],
        left=2,
    )


def histogram(lengths: Array, rows: int = 12) -> list[str]:
    """Return the law of the length as lines of text, a few turns to a line."""
    done = np.cumsum(lengths)
    if not done.size or done[-1] == 0:
        return []
    last = int(np.searchsorted(done, 0.999 * done[-1])) + 1
    step = -(-last // rows)
    edges = range(0, last, step)
    parts = [float(lengths[low : low + step].sum()) for low in edges]
    top = max(parts)
    lines = []
    for low, part in zip(edges, parts, strict=True):
        turns = str(low + 1) if step == 1 else f"{low + 1}-{low + step}"
        bar = "#" * round(BAR * part / top)
        lines.append(f"{'turn' if step == 1 else 'turns':>5} {turns:>9} {100 * part:6.2f}% {bar}")
    return lines


def as_csv(found: Density) -> str:
    """Return every visited position as CSV: its fields, then ever and visits by player.

    `ever` is left empty where it would take a linear system for each position.
    """
    here = np.flatnonzero(found.visited.any(axis=0))
    players = [named(seat).lower() for seat in range(found.ever.shape[0])]
    titles = [f"{what}_{player}" for player in players for what in ("ever", "visits")]
    numbers = [
        ["" if np.isnan(number) else number for number in array[seat, here].tolist()]
        for seat in range(len(players))
        for array in (found.ever, found.visits)
    ]
    columns = position_columns(found.table, here)
    rows = map(guarded_row, zip(*columns.values(), *numbers, strict=True))
    return csv_text([(*columns, *titles), *rows])
