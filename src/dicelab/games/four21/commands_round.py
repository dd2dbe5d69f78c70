"""dicelab round: rounds of keep-and-reroll such as 421: values, charts, benchmark, advice."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from dicelab.console.app import app
from dicelab.console.arguments import Json, Plot, in_bytes
from dicelab.console.files import check_out
from dicelab.console.output import check_place
from dicelab.games.four21.round_answers import (
    tell_advice,
    tell_benchmark,
    tell_charts,
    tell_theorem,
    tell_value,
)

if TYPE_CHECKING:
    from dicelab.rounds import Round


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


_DICE = ("dice", "faces", "die", "casts", "rule", "memory", "json")
_TAKES = {
    "--theorem": ("dice", "faces", "casts", "json"),
    "--charts": (*_DICE, "csv", "plot"),
    "--benchmark": (
        *("utility", "policy", "ties", "pursuit", "casts_imposed", "costs", "csv", "plot"),
        *_DICE,
    ),
    "--advise": (*_DICE, "utility", "player", "casts_imposed"),
}
"""The options that each mode can honour; any other is refused where it is given."""


@app.command("round")
def round_(
    ctx: typer.Context,
    utility: Annotated[
        list[str] | None,
        typer.Option(
            metavar="UTILITY",
            help="What results are worth: goal:421, goal:123+224, transfer, sum, rank, a CSV "
            "file with the columns combination, value and perhaps cast, or module:function: it "
            "gets the faces, and perhaps the cast. "
            "[default: transfer for 421, else sum]",
        ),
    ] = None,
    policy: Annotated[
        list[str] | None,
        typer.Option(
            metavar="POLICY",
            help="Who plays: optimal, random, ratchet:421, bernoulli:421, h0s0, h1s1, h2s0r1 and "
            "so on, file:PATH for one saved with --out, or module:function: it gets the dice "
            "aside, those thrown and the casts left, and returns what to keep in all. "
            "[default: optimal]",
        ),
    ] = None,
    player: Annotated[
        Seat, typer.Option(metavar="first|next", help="Who may stop early, and who must not.")
    ] = Seat.first,
    dice: Annotated[
        int | None, typer.Option(help="How many dice. [default: 3; up to 4 with --theorem]")
    ] = None,
    faces: Annotated[
        int | None,
        typer.Option(help="How many faces a die has. [default: 6; up to 8 with --theorem]"),
    ] = None,
    die: Annotated[
        str | None,
        typer.Option(
            metavar="DIE", help="A die of your own instead: 1:1/2,2:1/4,3:1/4 or 2,3,3,4."
        ),
    ] = None,
    casts: Annotated[
        int | None,
        typer.Option(help="The most casts of a round. [default: 3; up to 20 with --theorem]"),
    ] = None,
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
    goals: Annotated[
        bool,
        typer.Option("--goals", help="List the goals that a policy such as h1s0 identifies."),
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
    out: Annotated[
        str | None, typer.Option(metavar="FILE", help="Write the strategy there, as CSV.")
    ] = None,
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
    (in lowest terms), best, best_fraction, exact; and mistakes, dilemmas, goals, live_dice, costs,
    simulation where they were asked for. The others begin with the same five and add tables
    (--benchmark), classes and charts (--charts), or keep, value, fraction and choices (--advise).

    Examples:

        dicelab round --utility goal:421

        dicelab round --utility transfer --policy h1s1 --player first --json

        dicelab round --advise "goal 421, have 4, threw 61, 1 cast left"

        dicelab round --policy h1s0 --goals --out h1s0.csv

        dicelab round --benchmark

        dicelab round --charts --csv charts.csv --plot charts.svg
    """
    modes = {
        "--benchmark": benchmark,
        "--charts": charts,
        "--advise": advise is not None,
        "--theorem": theorem,
    }
    asked = [name for name, on in modes.items() if on]
    if len(asked) > 1:
        raise typer.BadParameter(f"give one of {' and '.join(asked)}, not both")
    _check_files(csv, plot, out, asked)
    if faces is not None and die is not None:
        raise typer.BadParameter("a die has its own faces: give --faces or --die, not both")
    _check_taken(ctx, asked)
    if casts_imposed is not None and player is Seat.first and not benchmark:
        raise typer.BadParameter("--casts-imposed is for next players: add --player next")
    if theorem:
        tell_theorem(dice, faces, casts, json)
        return
    game = _game(dice, faces, die, casts, rule, memory)
    utilities = [_typed(name, ("goal", "goals")) for name in utility or []]
    policies = [_typed(name, ("ratchet", "bernoulli", "file")) for name in policy or []]
    if charts:
        tell_charts(game, csv, plot, json)
    elif benchmark:
        chosen = {"ties": ties.value, "play": pursuit.value, "casts_imposed": casts_imposed}
        tell_benchmark(game, utilities, policies, chosen, costs, csv, plot, json)
    else:
        from dicelab.rounds import utility as read
        from dicelab.rounds.utilities import usual

        # a utility speaks of every cast of the round, also of those nobody imposes
        ours = read(_one("--utility", utilities, usual(game)), game)
        game = game if casts_imposed is None else game.imposed(casts_imposed)
        if advise is not None:
            tell_advice(game, advise, ours if utilities else None, player.value, json)
            return
        extras = {"mistakes": mistakes, "dilemmas": dilemmas, "live": live, "costs": costs}
        extras |= {"goals": goals}
        tell_value(
            game,
            ours,
            _one("--policy", policies, "optimal"),
            player.value,
            {"ties": ties.value, "play": pursuit.value},
            {**extras, "simulate": simulate, "seed": seed},
            out,
            json,
        )


def _check_taken(ctx: typer.Context, asked: list[str]) -> None:
    """Refuse options that the chosen mode would have to leave aside."""
    given = [
        parameter
        for parameter in ctx.command.params
        if getattr(ctx.get_parameter_source(parameter.name or ""), "name", "") == "COMMANDLINE"
    ]
    if not asked:
        names = {parameter.name for parameter in given}
        if "seed" in names and "simulate" not in names:
            raise typer.BadParameter("--seed is for the dice of --simulate: add it")
        return
    takes = {*_TAKES[asked[0]], asked[0].removeprefix("--")}
    for parameter in given:
        if parameter.name not in takes:
            raise typer.BadParameter(f"{asked[0]} does not take {parameter.opts[0]}: leave it out")


def _check_files(csv: str | None, plot: str | None, out: str | None, asked: list[str]) -> None:
    if (csv or plot) and asked not in (["--benchmark"], ["--charts"]):
        raise typer.BadParameter("--csv and --plot go with --charts or --benchmark")
    check_out(None, plot)
    if out is not None:
        if Path(out).suffix != ".csv":
            raise typer.BadParameter(f"a strategy of a round is a .csv file: got {out!r}")
        check_place(out)
    if csv is not None:
        check_place(csv)


def _typed(name: str, kinds: tuple[str, ...]) -> Any:
    """Return the function that module:function stands for, and any other name as it is."""
    module, colon, function = name.strip().partition(":")
    if not (colon and function) or module in kinds or name.lower().endswith(".csv"):
        return name
    from dicelab.rules.registry import imported

    found = imported(f"{module}:{function}")
    if not callable(found):
        raise typer.BadParameter(f"{name!r} is not a function: got {found!r}")
    return found


def _one(option: str, given: list[Any], usual: str) -> Any:
    if len(given) > 1:
        raise typer.BadParameter(f"give {option} once, or add --benchmark to compare several")
    return given[0] if given else usual


def _game(
    dice: int | None,
    faces: int | None,
    die: str | None,
    casts: int | None,
    rule: Rule,
    memory: int | None,
) -> Round:
    from dicelab.rounds import Round
    from dicelab.rounds.combinations import MOST_BYTES
    from dicelab.rules.dice import Die

    made = Die(6 if faces is None else faces) if die is None else Die.parse(die)
    keep: Literal["aside", "any"] = "aside" if rule is Rule.four21 else "any"
    dice, casts = 3 if dice is None else dice, 3 if casts is None else casts
    return Round(dice, made, casts, keep, memory or MOST_BYTES)
