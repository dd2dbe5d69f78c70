"""What dicelab round answers: values, advice, the benchmark, the charts, the theorem."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dicelab.console.files import save_figure
from dicelab.console.output import emit, picked, say, show, write_text, wrote
from dicelab.core.exact import decimal, fraction, told
from dicelab.core.json_object import JsonObject
from dicelab.rounds.rules import Player
from dicelab.rounds.utilities import AnyUtility

if TYPE_CHECKING:
    from dicelab.rounds import Round, Utility

LISTED = 12
"""How many mistakes or dilemmas are shown to people; --json has them all."""


def _header(game: Round) -> JsonObject:
    return {
        "dice": game.dice,
        "faces": game.die.sides,
        "die": str(game.die),
        "casts": game.casts,
        "rule": "421" if game.keep == "aside" else "yahtzee",
    }


def _number(name: str, number: Fraction) -> JsonObject:
    stem = "" if name == "value" else f"{name}_"
    return {name: float(number), f"{stem}fraction": fraction(number)}


def tell_value(
    game: Round,
    ours: Utility,
    name: Any,
    player: Any,
    chosen: JsonObject,
    extras: JsonObject,
    out: str | None,
    json: bool,
) -> None:
    """Say what a policy earns, with all that was asked about it; write it down if that was."""
    from dicelab.rounds import evaluate, plan_file, policy, solve
    from dicelab.rounds.strategies import optimal_of

    solution = solve(game, ours, player)
    best = Fraction(solution.value)
    if isinstance(name, str) and name.startswith("file:"):
        plan = plan_file.load(game, name.removeprefix("file:"), player)
    elif name == "optimal":
        plan = optimal_of(solution, chosen["ties"])
    else:
        plan = policy(name, game, ours, player, chosen["ties"], chosen["play"])
    value = best if name == "optimal" else evaluate(plan, ours).value
    answer = {
        **_header(game),
        "player": player,
        "utility": ours.name,
        "policy": plan.name,
        **chosen,
        **_number("value", value),
        **_number("best", best),
        "exact": True,
    }
    lines = [
        f"{plan.name} earns {told(value)} on {ours.name} as {player} player",
        f"best play earns {told(best)}, {decimal(best - value)} more"
        if value != best
        else "no strategy earns more",
    ]
    from dicelab.games.four21 import round_views as views

    parts = views.extras(game, plan, ours, {**chosen, **extras})
    if out:
        write_text(Path(out), plan_file.as_csv(plan))
    if json:
        emit(answer | {key: part.data for key, part in parts.items()})
        return
    say(*lines)
    for part in parts.values():
        say("", part.title)
        if part.rows:
            show(part.columns, part.rows[:LISTED], left=part.left)
        if len(part.rows) > LISTED:
            say(f"and {len(part.rows) - LISTED} more; --json lists them all")
    wrote(out)


def tell_advice(
    game: Round, question: str, worth: AnyUtility | None, player: Player, json: bool
) -> None:
    """Say what to keep and what each other choice costs."""
    from dicelab.rounds import ask

    advice = ask(game, question, worth, player)
    if json:
        choices = [
            {"keep": choice.kept, **_number("value", choice.value), **_number("cost", choice.cost)}
            for choice in advice.choices
        ]
        emit(
            {
                **_header(game),
                "player": player,
                "utility": advice.utility,
                "table": advice.table,
                "casts_left": advice.left,
                "keep": list(advice.best),
                **_number("value", advice.choices[0].value),
                "choices": choices,
            }
        )
        return
    say(f"{advice}", "")
    rows = [[choice.kept, told(choice.value), decimal(choice.cost)] for choice in advice.choices]
    show(["keep", "worth", "costs"], rows)


def tell_benchmark(
    game: Round,
    utilities: list[Any],
    policies: list[Any],
    chosen: JsonObject,
    costs: bool,
    csv: str | None,
    plot: str | None,
    json: bool,
) -> None:
    """Print the benchmark, one table for each utility."""
    from dicelab.games.four21 import round_views as views
    from dicelab.rounds.benchmark import POLICIES, benchmark, default_utilities

    tables = benchmark(
        game,
        utilities or default_utilities(game),
        policies or POLICIES,
        costs=costs or bool(plot),
        **chosen,
    )
    if csv:
        write_text(Path(csv), views.benchmark_csv(tables))
    if plot:
        from dicelab.plots.rounds import cost_figure

        title = "What a policy earns, and the arithmetic it takes"
        save_figure(cost_figure(tables, title), plot)
    if json:
        emit({**_header(game), **chosen, "tables": [views.table_data(table) for table in tables]})
        return
    for table in tables:
        say(*views.table_title(table))
        show(*views.table_rows(table, costs))
        say("")
    say("Decimals are cut, not rounded. Cells with a * go beyond the study.")
    wrote(csv, plot)


def tell_charts(game: Round, csv: str | None, plot: str | None, json: bool) -> None:
    """Print the charts of result probabilities."""
    from dicelab.rounds.charts import as_csv, as_text, charts

    lines = charts(game)
    if csv:
        write_text(Path(csv), as_csv(lines))
    if plot:
        from dicelab.plots.rounds import chart_figure

        title = f"{game.dice} dice with {game.die.sides} faces"
        save_figure(chart_figure(lines, title), plot)
    if json:
        shown = [picked(line, "dice goal result couples first next") for line in lines]
        classes = sum(line.dice == game.dice for line in lines)
        emit({**_header(game), "classes": classes, "charts": shown})
        return
    say(as_text(lines))
    wrote(csv, plot)


def tell_theorem(dice: int | None, faces: int | None, casts: int | None, json: bool) -> None:
    """Print the fewest casts with which the ratchet is not the best way to some goal."""
    from dicelab.games.four21 import round_views as views
    from dicelab.rounds import failures
    from dicelab.rounds.theorem import MOST_CASTS, STUDIED

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
