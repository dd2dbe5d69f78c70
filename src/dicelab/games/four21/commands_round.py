"""dicelab round: the study of rounds such as 421. Here: what a policy earns, and what to keep."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import wraps
from inspect import Signature, signature
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from dicelab import rounds as engine
from dicelab.console.app import app
from dicelab.console.arguments import Json, in_bytes
from dicelab.console.files import a_file
from dicelab.console.output import check_place, emit, say, show, write_text, wrote
from dicelab.core.exact import decimal, told
from dicelab.core.json_object import JsonObject
from dicelab.games.four21.round_views import LISTED, extras, header, number
from dicelab.rounds import Round, Utility, ask, plan_file
from dicelab.rounds import utility as read
from dicelab.rounds.combinations import MOST_BYTES
from dicelab.rounds.strategies import optimal_of
from dicelab.rounds.utilities import usual
from dicelab.rules.dice import Die
from dicelab.rules.registry import imported

rounds = typer.Typer(no_args_is_help=True, rich_markup_mode=None)
app.add_typer(rounds, name="round")

UtilityName = Annotated[
    list[str] | None,
    typer.Option(
        metavar="UTILITY",
        help="What results are worth: goal:421, goal:123+224, transfer, sum, rank, a CSV "
        "file with the columns combination, value and perhaps cast, or module:function: it "
        "gets the faces, and perhaps the cast. "
        "[default: transfer for 421, else sum]",
    ),
]
PolicyName = Annotated[
    list[str] | None,
    typer.Option(
        metavar="POLICY",
        help="Who plays: optimal, random, ratchet:421, bernoulli:421, h0s0, h1s1, h2s0r1 and "
        "so on, file:PATH for one saved with --out, or module:function: it gets the dice "
        "aside, those thrown and the casts left, and returns what to keep in all. "
        "[default: optimal]",
    ),
]
Seat = Literal["first", "next"]
Player = Annotated[
    Seat, typer.Option(metavar="first|next", help="Who may stop early, and who must not.")
]
Imposed = Annotated[
    int | None, typer.Option(help="How many casts a next player must use. [default: all]")
]
Ties = Annotated[
    Literal["fewest", "most", "dictionary", "even"],
    typer.Option(metavar="fewest|most|dictionary|even", help="How ties are broken."),
]
Pursued = Annotated[
    Literal["ratchet", "optimal"],
    typer.Option(metavar="ratchet|optimal", help="How a player goes for the goal he identified."),
]
Costs = Annotated[bool, typer.Option("--costs", help="Count the operations a policy takes.")]


def round_told(
    dice: Annotated[int, typer.Option(help="How many dice.")] = 3,
    faces: Annotated[
        int | None, typer.Option(help="How many faces a die has. [default: 6]")
    ] = None,
    die: Annotated[
        str | None,
        typer.Option(
            metavar="DIE", help="A die of your own instead: 1:1/2,2:1/4,3:1/4 or 2,3,3,4."
        ),
    ] = None,
    casts: Annotated[int, typer.Option(help="The most casts of a round.")] = 3,
    rule: Annotated[
        Literal["421", "yahtzee"],
        typer.Option(metavar="421|yahtzee", help="What was put aside stays, or not."),
    ] = "421",
    memory: Annotated[
        Any,
        typer.Option(
            "--memory",
            parser=in_bytes,
            metavar="SIZE",
            help="The most memory the round may take, such as 8GB. [default: 4GB]",
        ),
    ] = None,
) -> Round:
    """Return the round of these dice, refused where they are told twice."""
    if faces is not None and die is not None:
        raise typer.BadParameter("a die has its own faces: give --faces or --die, not both")
    made = Die(6 if faces is None else faces) if die is None else Die.parse(die)
    keep: Literal["aside", "any"] = "aside" if rule == "421" else "any"
    return Round(dice, made, casts, keep, memory or MOST_BYTES)


def of_a_round(command: Callable[..., None]) -> Callable[..., None]:
    """Return a command about a round, which is told by options that stand before its last one."""
    told = signature(round_told, eval_str=True).parameters
    _, *own, last = signature(command, eval_str=True).parameters.values()

    @wraps(command)
    def asked(**options: Any) -> None:
        game = round_told(**{name: options.pop(name) for name in told})
        command(game, **options)

    asked.__signature__ = Signature([*own, *told.values(), last])  # type: ignore[attr-defined]
    return asked


@rounds.callback()
def round_() -> None:
    """Study rounds of keep-and-reroll: cast, put dice aside, cast the rest.

    `dicelab solve 421-round` and its kin play them as any other game; this is what the study of
    421 asks beyond that, for any dice.
    """


@rounds.command("value")
@of_a_round
def value(
    game: Round,
    utility: UtilityName = None,
    policy: PolicyName = None,
    player: Player = "first",
    casts_imposed: Imposed = None,
    ties: Ties = "fewest",
    pursuit: Pursued = "ratchet",
    mistakes: Annotated[
        bool, typer.Option("--mistakes", help="List the wrong decisions and what each costs.")
    ] = False,
    dilemmas: Annotated[
        bool, typer.Option("--dilemmas", help="List where several decisions are best.")
    ] = False,
    goals: Annotated[
        bool, typer.Option("--goals", help="List the goals that a policy such as h1s0 identifies.")
    ] = False,
    live: Annotated[
        bool, typer.Option("--live", help="Show how many dice are left after each cast.")
    ] = False,
    costs: Costs = False,
    simulate: Annotated[
        int | None, typer.Option(metavar="ROUNDS", help="Play so many rounds with random dice too.")
    ] = None,
    seed: Annotated[int | None, typer.Option(help="The seed of these dice. [default: 421]")] = None,
    out: Annotated[str | None, a_file("Write the strategy there, as CSV.")] = None,
    json: Json = False,
) -> None:
    """Tell what a policy earns on a utility, and where it errs.

    JSON keys: dice, faces, die, casts, rule, player, utility, policy, ties, play, value, fraction
    (in lowest terms), best, best_fraction, exact; and mistakes, dilemmas, goals, live_dice, costs,
    simulation where they were asked for.

    Examples:

        dicelab round value --utility goal:421

        dicelab round value --utility transfer --policy h1s1 --player first --json

        dicelab round value --policy h1s0 --goals --out h1s0.csv
    """
    if out is not None:
        if Path(out).suffix != ".csv":
            raise typer.BadParameter(f"a strategy of a round is a .csv file: got {out!r}")
        check_place(out)
    if seed is not None and simulate is None:
        raise typer.BadParameter("--seed is for the dice of --simulate: add it")
    game, ours = _asked(game, utility, player, casts_imposed)
    name = policy_of(_one("--policy", policy, "optimal"))
    solution = engine.solve(game, ours, player)
    best = Fraction(solution.value)
    if isinstance(name, str) and name.startswith("file:"):
        plan = plan_file.load(game, name.removeprefix("file:"), player)
    elif name == "optimal":
        plan = optimal_of(solution, ties)
    else:
        plan = engine.policy(name, game, ours, player, ties, pursuit)
    worth = best if name == "optimal" else engine.evaluate(plan, ours).value
    chosen = {"ties": ties, "play": pursuit}
    if costs and (not isinstance(name, str) or name.startswith("file:")):
        raise typer.BadParameter("--costs counts for a policy by name: leave it out for your own")
    asked: JsonObject = {"mistakes": mistakes, "dilemmas": dilemmas, "goals": goals, "live": live}
    asked |= {"costs": costs, "simulate": simulate, "seed": 421 if seed is None else seed}
    parts = extras(game, plan, ours, chosen | asked)
    if out:
        write_text(out, plan_file.as_csv(plan))
    if json:
        who = {"player": player, "utility": ours.name, "policy": plan.name}
        numbers = {**number("value", worth), **number("best", best), "exact": True}
        data = {key: part.data for key, part in parts.items()}
        emit({**header(game), **who, **chosen, **numbers, **data})
        return
    more = f"best play earns {told(best)}, {decimal(best - worth)} more"
    say(
        f"{plan.name} earns {told(worth)} on {ours.name} as {player} player",
        more if worth != best else "no strategy earns more",
    )
    for part in parts.values():
        say("", part.title)
        if part.rows:
            show(part.columns, part.rows[:LISTED], left=part.left)
        if len(part.rows) > LISTED:
            say(f"and {len(part.rows) - LISTED} more; --json lists them all")
    wrote(out)


@rounds.command("advise")
@of_a_round
def advise(
    game: Round,
    question: Annotated[
        str,
        typer.Argument(
            metavar="QUESTION", help="What lies there: 'goal 421, have 4, threw 21, 1 cast left'."
        ),
    ],
    utility: UtilityName = None,
    player: Player = "first",
    casts_imposed: Imposed = None,
    json: Json = False,
) -> None:
    """Tell which dice to keep, and what every other choice costs.

    JSON keys: dice, faces, die, casts, rule, player, utility, table, casts_left, keep, value,
    fraction, choices.

    Examples:

        dicelab round advise "goal 421, have 4, threw 61, 1 cast left"
    """
    game, ours = _asked(game, utility, player, casts_imposed)
    advice = ask(game, question, ours if utility else None, player)
    choices = advice.choices
    if not json:
        say(f"{advice}", "")
        rows = [[each.kept, told(each.value), decimal(each.cost)] for each in choices]
        show(["keep", "worth", "costs"], rows)
        return
    asked = {"player": player, "utility": advice.utility, "table": advice.table}
    answer = {"casts_left": advice.left, "keep": advice.best, **number("value", choices[0].value)}
    each_of = [
        {"keep": each.kept, **number("value", each.value), **number("cost", each.cost)}
        for each in choices
    ]
    emit({**header(game), **asked, **answer, "choices": each_of})


def _asked(
    game: Round, utility: list[str] | None, player: Seat, casts_imposed: int | None
) -> tuple[Round, Utility]:
    """Return the round that was asked about, and what its results are worth."""
    if casts_imposed is not None and player == "first":
        raise typer.BadParameter("--casts-imposed is for next players: add --player next")
    # a utility speaks of every cast of the round, also of those nobody imposes
    ours = read(utility_of(_one("--utility", utility, usual(game))), game)
    return game if casts_imposed is None else game.imposed(casts_imposed), ours


def _one(option: str, given: list[str] | None, usual: str) -> str:
    if given and len(given) > 1:
        raise typer.BadParameter(f"give {option} once; dicelab round benchmark compares several")
    return given[0] if given else usual


def utility_of(name: str) -> Any:
    """Return a utility as it was written, or the function that it names."""
    return _typed(name, ("goal", "goals"))


def policy_of(name: str) -> Any:
    """Return a policy as it was written, or the function that it names."""
    return _typed(name, ("ratchet", "bernoulli", "file"))


def _typed(name: str, kinds: tuple[str, ...]) -> Any:
    """Return the function that module:function stands for, and any other name as it is."""
    module, colon, function = name.strip().partition(":")
    if not (colon and function) or module in kinds or name.lower().endswith(".csv"):
        return name
    found = imported(f"{module}:{function}")
    if not callable(found):
        raise typer.BadParameter(f"{name!r} is not a function: got {found!r}")
    return found
