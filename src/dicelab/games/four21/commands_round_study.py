"""dicelab round, what the study of 421 prints: the benchmark, the charts and the theorem."""

from __future__ import annotations

from typing import Annotated

import typer

from dicelab.console.arguments import Json, Plot
from dicelab.console.files import check_out, save_figure
from dicelab.console.output import check_place, emit, picked, say, show, write_text, wrote
from dicelab.core.json_object import JsonObject
from dicelab.games.four21 import round_views as views
from dicelab.games.four21.commands_round import (
    Costs,
    Imposed,
    Pursued,
    Ties,
    of_a_round,
    policy_of,
    rounds,
    utility_of,
)
from dicelab.rounds import Round, failures
from dicelab.rounds import charts as charts_of
from dicelab.rounds.benchmark import POLICIES, default_utilities
from dicelab.rounds.benchmark import benchmark as benchmark_of
from dicelab.rounds.charts import as_csv, as_text
from dicelab.rounds.theorem import MOST_CASTS, STUDIED

Csv = Annotated[str | None, typer.Option(metavar="FILE", help="Write the tables there.")]


@rounds.command("benchmark")
@of_a_round
def benchmark(
    game: Round,
    utility: Annotated[
        list[str] | None,
        typer.Option(metavar="UTILITY", help="What results are worth; may be given several times."),
    ] = None,
    policy: Annotated[
        list[str] | None,
        typer.Option(metavar="POLICY", help="Who plays; may be given several times."),
    ] = None,
    casts_imposed: Imposed = None,
    ties: Ties = "fewest",
    pursuit: Pursued = "ratchet",
    costs: Costs = False,
    csv: Csv = None,
    plot: Plot = None,
    json: Json = False,
) -> None:
    """Compare policies on utilities, for both players.

    These are the study's tables 1 to 4. Utilities and policies are written as for `value`.

    JSON keys: dice, faces, die, casts, rule, ties, play, casts_imposed, tables.

    Examples:

        dicelab round benchmark

        dicelab round benchmark --utility rank --policy h2s0 --policy optimal --costs
    """
    _check_files(csv, plot)
    chosen: JsonObject = {"ties": ties, "play": pursuit, "casts_imposed": casts_imposed}
    tables = benchmark_of(
        game,
        [*map(utility_of, utility or [])] or default_utilities(game),
        [*map(policy_of, policy or [])] or POLICIES,
        costs=costs or bool(plot),
        **chosen,
    )
    if csv:
        write_text(csv, views.benchmark_csv(tables))
    if plot:
        from dicelab.plots.rounds import cost_figure

        title = "What a policy earns, and the arithmetic it takes"
        save_figure(cost_figure(tables, title), plot)
    if json:
        told = [views.table_data(table) for table in tables]
        emit({**views.header(game), **chosen, "tables": told})
        return
    for table in tables:
        say(*views.table_title(table))
        show(*views.table_rows(table, costs))
        say("")
    say("Decimals are cut, not rounded. Cells with a * go beyond the study.")
    wrote(csv, plot)


@rounds.command("charts")
@of_a_round
def charts(
    game: Round,
    csv: Csv = None,
    plot: Plot = None,
    json: Json = False,
) -> None:
    """Print the result probabilities of every goal.

    These are the study's tables 6 to 10.

    JSON keys: dice, faces, die, casts, rule, classes, charts.

    Examples:

        dicelab round charts --csv charts.csv --plot charts.svg
    """
    _check_files(csv, plot)
    lines = charts_of(game)
    if csv:
        write_text(csv, as_csv(lines))
    if plot:
        from dicelab.plots.rounds import chart_figure

        title = f"{game.dice} dice with {game.die.sides} faces"
        save_figure(chart_figure(lines, title), plot)
    if json:
        shown = [picked(line, "dice goal result couples first next") for line in lines]
        classes = sum(line.dice == game.dice for line in lines)
        emit({**views.header(game), "classes": classes, "charts": shown})
        return
    say(as_text(lines))
    wrote(csv, plot)


@rounds.command("theorem")
def theorem(
    dice: Annotated[
        int | None, typer.Option(help="Rounds of up to so many dice. [default: 4]")
    ] = None,
    faces: Annotated[
        int | None, typer.Option(help="Dice of up to so many faces. [default: 8]")
    ] = None,
    casts: Annotated[int | None, typer.Option(help="Up to so many casts. [default: 20]")] = None,
    json: Json = False,
) -> None:
    """Tell where the ratchet stops being the best way to a goal.

    JSON keys: most_casts, failures.

    Examples:

        dicelab round theorem
    """
    most = MOST_CASTS if casts is None else casts
    found = failures(
        STUDIED[0] if dice is None else dice, STUDIED[1] if faces is None else faces, most
    )
    if json:
        emit({"most_casts": most, "failures": [views.failure(*each) for each in found.items()]})
        return
    say(
        "The fewest casts with which the ratchet is not the best way to some goal",
        f"(dice down, faces across; - where it is best up to {most} casts):",
    )
    across = sorted({sides for _, sides in found})
    rows = []
    for each in sorted({count for count, _ in found}):
        row = [found[each, sides] for sides in across]
        rows.append([str(each), *("-" if fails is None else str(fails.casts) for fails in row)])
    show(["", *map(str, across)], rows)


def _check_files(csv: str | None, plot: str | None) -> None:
    check_out(None, plot)
    if csv is not None:
        check_place(csv)
