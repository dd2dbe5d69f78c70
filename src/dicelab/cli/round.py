"""dicelab round: rounds of keep-and-reroll such as 421: values, charts, benchmark, advice."""

from __future__ import annotations

from enum import StrEnum
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from dicelab.cli.app import app
from dicelab.cli.given import Json, Plot, in_bytes
from dicelab.cli.output import check_place, emit, say, show, write_text, writing

if TYPE_CHECKING:
    from dicelab.rounds import Round, Utility

FIGURES = (".svg", ".png", ".pdf")
LONGEST = 14_000
"""Bits of a denominator beyond which Python refuses to print a fraction."""
SIGNS = 60
"""Signs beyond which people are spared a fraction."""
LISTED = 12
"""How many mistakes or dilemmas are shown to people; --json has them all."""


class Seat(StrEnum):
    """Who plays: the first player may stop early, a next one must use every cast."""

    first = "first"
    next = "next"


class Rule(StrEnum):
    """What may be thrown again: in 421 nothing that was put aside, at Yahtzee everything."""

    four21 = "421"
    yahtzee = "yahtzee"


class Break(StrEnum):
    """How ties are broken."""

    fewest = "fewest"
    most = "most"
    dictionary = "dictionary"
    even = "even"


class Pursuit(StrEnum):
    """How a goal is pursued."""

    ratchet = "ratchet"
    optimal = "optimal"


@app.command("round")
def round_(
    utility: Annotated[
        list[str] | None,
        typer.Option(
            metavar="UTILITY",
            help="What results are worth: goal:421, goal:123+224, transfer, sum, rank, or a CSV "
            "file with the columns combination, value and perhaps cast. "
            "[default: transfer for 421, else sum]",
        ),
    ] = None,
    policy: Annotated[
        list[str] | None,
        typer.Option(
            metavar="POLICY",
            help="Who plays: optimal, random, ratchet:421, bernoulli:421, h0s0, h1s1, h2s0r1 and "
            "so on. [default: optimal]",
        ),
    ] = None,
    player: Annotated[
        Seat, typer.Option(metavar="first|next", help="Who may stop early, and who must not.")
    ] = Seat.first,
    dice: Annotated[int, typer.Option(help="How many dice.")] = 3,
    faces: Annotated[int, typer.Option(help="How many faces a die has.")] = 6,
    die: Annotated[
        str | None,
        typer.Option(
            metavar="DIE", help="A die of your own instead: 1:1/2,2:1/4,3:1/4 or 2,3,3,4."
        ),
    ] = None,
    casts: Annotated[int, typer.Option(help="The most casts of a round.")] = 3,
    casts_imposed: Annotated[
        int | None, typer.Option(help="How many casts a next player must use. [default: all]")
    ] = None,
    rule: Annotated[
        Rule, typer.Option(metavar="421|yahtzee", help="What was put aside stays, or not.")
    ] = Rule.four21,
    ties: Annotated[
        Break, typer.Option(metavar="fewest|most|dictionary|even", help="How ties are broken.")
    ] = Break.fewest,
    pursuit: Annotated[
        Pursuit,
        typer.Option(
            metavar="ratchet|optimal", help="How a player goes for the goal he identified."
        ),
    ] = Pursuit.ratchet,
    benchmark: Annotated[
        bool, typer.Option("--benchmark", help="Compare policies on utilities, for both players.")
    ] = False,
    charts: Annotated[
        bool, typer.Option("--charts", help="Print the result probabilities of every goal.")
    ] = False,
    advise: Annotated[
        str | None,
        typer.Option(
            metavar="QUESTION",
            help="What to keep: 'goal 421, have 4, threw 21, 1 cast left'.",
        ),
    ] = None,
    theorem: Annotated[
        bool,
        typer.Option("--theorem", help="Where the ratchet stops being the best way to a goal."),
    ] = False,
    mistakes: Annotated[
        bool, typer.Option("--mistakes", help="List the wrong decisions and what each costs.")
    ] = False,
    dilemmas: Annotated[
        bool, typer.Option("--dilemmas", help="List where several decisions are best.")
    ] = False,
    live: Annotated[
        bool, typer.Option("--live", help="Show how many dice are left after each cast.")
    ] = False,
    costs: Annotated[
        bool, typer.Option("--costs", help="Count the operations a policy takes.")
    ] = False,
    simulate: Annotated[
        int | None, typer.Option(metavar="ROUNDS", help="Play so many rounds with random dice too.")
    ] = None,
    seed: Annotated[int, typer.Option(help="The seed of these dice.")] = 421,
    csv: Annotated[
        str | None, typer.Option(metavar="FILE", help="Write the charts or the benchmark there.")
    ] = None,
    plot: Plot = None,
    memory: Annotated[
        Any,
        typer.Option(
            "--memory",
            parser=in_bytes,
            metavar="SIZE",
            help="The most memory the round may take, such as 8GB. [default: 4GB]",
        ),
    ] = None,
    json: Json = False,
) -> None:
    """Play rounds of keep-and-reroll: cast, put dice aside, cast the rest.

    Without --benchmark, --charts, --advise or --theorem it tells what one policy earns.

    JSON keys: dice, faces, die, casts, rule, player, utility, policy, ties, play, value, fraction
    (in lowest terms), best, best_fraction, exact; and mistakes, dilemmas, live_dice, costs,
    simulation where they were asked for. The others begin with the same five and add tables
    (--benchmark), classes and charts (--charts), or keep, value, fraction and choices (--advise).

    Examples:

        dicelab round --utility goal:421

        dicelab round --utility transfer --policy h1s1 --player first --json

        dicelab round --advise "goal 421, have 4, threw 61, 1 cast left"

        dicelab round --benchmark

        dicelab round --charts --csv charts.csv --plot charts.svg
    """
    asked = [name for name, on in _modes(benchmark, charts, advise, theorem) if on]
    if len(asked) > 1:
        raise typer.BadParameter(f"give one of {' and '.join(asked)}, not both")
    _check_files(csv, plot, asked)
    if casts_imposed is not None and player is Seat.first and not benchmark:
        raise typer.BadParameter("--casts-imposed is for next players: add --player next")
    game = _game(dice, faces, die, casts, rule, memory)
    utilities, policies = utility or [], policy or []
    if theorem:
        _theorem(dice, faces, casts, json)
    elif charts:
        _charts(game, csv, plot, json)
    elif benchmark:
        chosen = {"ties": ties.value, "play": pursuit.value, "casts_imposed": casts_imposed}
        _benchmark(game, utilities, policies, chosen, costs, csv, plot, json)
    else:
        from dicelab.rounds import utility as read

        # a utility speaks of every cast of the round, also of those nobody imposes
        ours = read(_one("--utility", utilities, _usual(game)), game)
        game = game if casts_imposed is None else game.imposed(casts_imposed)
        if advise is not None:
            _advise(game, advise, ours if utilities else None, player.value, json)
            return
        extras = {"mistakes": mistakes, "dilemmas": dilemmas, "live": live, "costs": costs}
        _value(
            game,
            ours,
            _one("--policy", policies, "optimal"),
            player.value,
            {"ties": ties.value, "play": pursuit.value},
            {**extras, "simulate": simulate, "seed": seed},
            json,
        )


def _modes(
    benchmark: bool, charts: bool, advise: str | None, theorem: bool
) -> list[tuple[str, bool]]:
    return [
        ("--benchmark", benchmark),
        ("--charts", charts),
        ("--advise", advise is not None),
        ("--theorem", theorem),
    ]


def _check_files(csv: str | None, plot: str | None, asked: list[str]) -> None:
    if (csv or plot) and asked not in (["--benchmark"], ["--charts"]):
        raise typer.BadParameter("--csv and --plot go with --charts or --benchmark")
    if plot is not None and Path(plot).suffix not in FIGURES:
        raise typer.BadParameter(f"a figure ends in .svg, .png or .pdf: got {plot!r}")
    for path in (csv, plot):
        if path is not None:
            check_place(path)


def _one(option: str, given: list[str], usual: str = "") -> str:
    if len(given) > 1:
        raise typer.BadParameter(f"give {option} once, or add --benchmark to compare several")
    return given[0] if given else usual


def _game(
    dice: int, faces: int, die: str | None, casts: int, rule: Rule, memory: int | None
) -> Round:
    from dicelab.dice import Die
    from dicelab.rounds import Round
    from dicelab.rounds.combinations import MOST_BYTES

    made = Die(faces) if die is None else Die.parse(die)
    return Round(dice, made, casts, "aside" if rule is Rule.four21 else "any", memory or MOST_BYTES)


def _usual(game: Round) -> str:
    """Return the utility to take where none is named."""
    from dicelab.rounds.benchmark import default_utilities

    usual = default_utilities(game)
    return "transfer" if "transfer" in usual else "sum"


def _header(game: Round) -> dict[str, Any]:
    return {
        "dice": game.dice,
        "faces": game.die.sides,
        "die": str(game.die),
        "casts": game.casts,
        "rule": "421" if game.keep == "aside" else "yahtzee",
    }


def _number(name: str, number: Fraction) -> dict[str, Any]:
    stem = "" if name == "value" else f"{name}_"
    return {name: float(number), f"{stem}fraction": _digits(number)}


def _digits(number: Fraction) -> str | None:
    """Return a fraction as text, or None where it is longer than Python prints."""
    return str(number) if number.denominator.bit_length() < LONGEST else None


def _told(number: Fraction) -> str:
    """Return a fraction with its decimal, for people."""
    text = _digits(number)
    if text is None or len(text) > SIGNS:
        return f"{float(number):.6g} (exactly a fraction of more than {SIGNS} signs)"
    return text if number.denominator == 1 else f"{text} = {float(number):.6g}"


def _value(
    game: Round,
    ours: Utility,
    name: str,
    player: Any,
    chosen: dict[str, Any],
    extras: dict[str, Any],
    json: bool,
) -> None:
    """Say what a policy earns, with all that was asked about it."""
    from dicelab.rounds import evaluate, policy, solve

    plan = policy(name, game, ours, player, chosen["ties"], chosen["play"])
    value = evaluate(plan, ours).value
    best = Fraction(solve(game, ours, player).value)
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
        f"{plan.name} earns {_told(value)} on {ours.name} as {player} player",
        f"best play earns {_told(best)}, {float(best - value):.6g} more"
        if value != best
        else "no strategy earns more",
    ]
    from dicelab.cli import round_views as views

    parts = views.extras(game, plan, ours, {**chosen, **extras})
    if json:
        emit(answer | {name: told.data for name, told in parts.items()})
        return
    say(*lines)
    for told in parts.values():
        say("", told.title)
        if told.rows:
            show(told.columns, told.rows[:LISTED], left=told.left)
        if len(told.rows) > LISTED:
            say(f"and {len(told.rows) - LISTED} more; --json lists them all")


def _advise(game: Round, question: str, worth: Utility | None, player: Any, json: bool) -> None:
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
    rows = [
        [choice.kept, str(choice.value), f"{float(choice.value):.6g}", f"{float(choice.cost):.6g}"]
        for choice in advice.choices
    ]
    show(["keep", "worth", "", "costs"], rows)


def _benchmark(
    game: Round,
    utilities: list[str],
    policies: list[str],
    chosen: dict[str, Any],
    costs: bool,
    csv: str | None,
    plot: str | None,
    json: bool,
) -> None:
    """Print the benchmark, one table for each utility."""
    from dicelab.cli import round_views as views
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
        from dicelab.rounds.figures import cost_figure, save

        with writing(plot):
            save(cost_figure(tables), plot)
    if json:
        emit({**_header(game), **chosen, "tables": [views.table_data(table) for table in tables]})
        return
    for table in tables:
        say(*views.table_title(table))
        show(*views.table_rows(table, costs))
        say("")
    say("Decimals are cut, not rounded. Cells with a * go beyond the study.")
    _wrote(csv, plot)


def _charts(game: Round, csv: str | None, plot: str | None, json: bool) -> None:
    """Print the charts of result probabilities."""
    from dicelab.rounds.charts import as_csv, as_text, charts

    lines = charts(game)
    if csv:
        write_text(Path(csv), as_csv(lines))
    if plot:
        from dicelab.rounds.figures import chart_figure, save

        with writing(plot):
            save(chart_figure(lines, f"{game.dice} dice with {game.die.sides} faces"), plot)
    if json:
        emit(
            {
                **_header(game),
                "classes": sum(line.dice == game.dice for line in lines),
                "charts": [
                    {
                        "dice": line.dice,
                        "goal": line.goal,
                        "result": line.result,
                        "couples": line.couples,
                        "first": [str(chance) for chance in line.first],
                        "next": [str(chance) for chance in line.next],
                    }
                    for line in lines
                ],
            }
        )
        return
    say(as_text(lines))
    _wrote(csv, plot)


def _wrote(*paths: str | None) -> None:
    say(*(f"wrote {path}" for path in paths if path))


def _theorem(dice: int, faces: int, casts: int, json: bool) -> None:
    """Print the fewest casts with which the ratchet is not the best way to some goal."""
    from dicelab.cli import round_views as views
    from dicelab.rounds import failures

    most = max(casts, 20)
    found = failures(max(dice, 4), max(faces, 8), most)
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
