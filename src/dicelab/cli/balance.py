"""dicelab balance: the rules, the head start or the order of starting for a fair or short game."""

from __future__ import annotations

from typing import Annotated

import typer

from dicelab.cli.sweep import cell
from dicelab.console.app import app
from dicelab.console.arguments import PARAMETER, Exact, GameName, Jobs, Json, Memory, Plot, only
from dicelab.console.files import a_file, check_csv, check_out, save_figure
from dicelab.console.output import emit, progress, say, show, within, write_text, wrote
from dicelab.console.ranges import Ranged, ranged
from dicelab.console.work import Checkpoint, Cluster, workers
from dicelab.core.jobs import cluster as on_cluster
from dicelab.rules.ranges import values_of
from dicelab.verbs.balance import TRIES
from dicelab.verbs.balance import balance as worked_out
from dicelab.verbs.fronts import Balance, Proposal
from dicelab.verbs.orders import FIRST, ROUNDS
from dicelab.verbs.variants import START

MOST_SHOWN = 12
"""Variants of the front that are printed."""


@app.command("balance")
def balance(
    game: GameName,
    arguments: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="NAME=RANGE|STRATEGY",
            help="What may change: target=20..60:10, die=4,6,8, passing=yes,no; one value stays. "
            "And who plays; nobody named: best play by all.",
        ),
    ] = None,
    goal: Annotated[
        list[str] | None,
        typer.Option(
            "--goal",
            metavar="GOAL",
            help="A number (`dicelab sweep GAME --show list`) and what it is to be: advantage=0, "
            "length=6..8, within:20>=95%. May be given several times. [default: advantage=0]",
        ),
    ] = None,
    head_start: Annotated[
        list[str] | None,
        typer.Option(
            "--head-start",
            metavar="FIELD=RANGE",
            help="A field of the position to start from, as yours=0..10: what the second player "
            "has already. Without values one step after the other.",
        ),
    ] = None,
    order: Annotated[
        str,
        typer.Option(
            "--order",
            metavar="ORDERS",
            help="Who starts: first, toss, alternate:4, loser:3, winner:3, pie; several with "
            "commas.",
        ),
    ] = FIRST,
    tries: Annotated[
        int, typer.Option("--tries", metavar="N", help="How many games are worked out.")
    ] = TRIES,
    seed: Annotated[
        int, typer.Option("--seed", metavar="N", help="Seed of the search, where not all are.")
    ] = 1,
    exact: Exact = False,
    out: Annotated[str | None, a_file("Write all that was worked out to FILE.csv.")] = None,
    plot: Plot = None,
    jobs: Jobs = -1,
    cluster: Cluster = None,
    checkpoint: Checkpoint = None,
    memory: Memory = None,
    json: Json = False,
) -> None:
    """Find the rules, the head start or the order of starting that bring numbers to goals.

    Where all variants are at most --tries they are all worked out, and what is told is proved; of
    more the best found is told. Between two head starts a lottery hits a goal exactly. Several
    goals make a front: the variants that no other beats in every goal.

    An order is one game (first), a toss for the first turn, a match of so many rounds in which the
    players take turns in starting (alternate:4), the loser of a round starts the next (loser:3) or
    the winner does (winner:3), or the pie rule: one proposes the head start, the other chooses the
    seat.

    JSON keys: game, fixed, goals, axes (what may change), players, met (whether every goal is),
    proposed, front, tried, variants, proved, refused, seed, exact, seconds. A proposal has
    settings, numbers by name (value, error, unit, with --exact fraction), misses by goal, met, and
    lottery (axis, usual, other, chance to give the other, error, with --exact fraction).

    Examples:

        dicelab balance pig target=30 --head-start yours=0..6

        dicelab balance pig target=20..50:10 die=4,6,8 --goal length=8 --goal "advantage<=5%"

        dicelab balance piglet target=3 --head-start yours --goal value=1/2 --exact --json

        dicelab balance pig target=20 --order first,alternate:2,loser:3,pie --head-start yours=0..5
    """
    check_out(None, plot)
    check_csv(out, "the table of variants is")
    asked = ranged(game, arguments or [])
    strategies = [one for each in asked.strategies for one in each]
    only("at most two strategies, as `dicelab strategies` lists them", strategies, 0, 2)
    with progress(f"balancing {asked.name}") as report, on_cluster(cluster):
        found = worked_out(
            asked.name,
            goal or ("advantage=0",),
            asked.several,
            _head_starts(head_start or []),
            [each.strip() for each in order.split(",")],
            strategies,
            fixed=asked.fixed,
            exact=exact,
            memory=memory,
            workers=workers(jobs, cluster),
            checkpoint=checkpoint,
            progress=report,
            tries=tries,
            seed=seed,
        )
    if out:
        write_text(out, found.as_csv())
    if plot:
        from dicelab.plots.fronts import front_figure
        from dicelab.plots.style import signed

        save_figure(signed(_command(asked, goal, head_start, order), front_figure, found), plot)
    if json:
        emit(found.as_dict())
        return
    tell(found)
    wrote(out, plot)


def _head_starts(texts: list[str]) -> dict[str, list[str]]:
    """Return the fields to start from, and the values of each; none where only the field is."""
    found: dict[str, list[str]] = {}
    for text in texts:
        match = PARAMETER.fullmatch(text)
        name = match[1] if match else text
        if name in found:
            raise typer.BadParameter(f"the head start {name} is given twice: the second is {text}")
        found[name] = values_of(name, match[2], lambda _: True) if match else []
    return found


def _command(
    asked: Ranged, goals: list[str] | None, head_starts: list[str] | None, order: str
) -> str:
    """Return the command that finds this."""
    told = [f'--goal "{each}"' for each in goals or []]
    told += [f"--head-start {each}" for each in head_starts or []]
    told += [f"--order {order}"] if order != FIRST else []
    return " ".join(["dicelab balance", asked.name, *asked.arguments, *told])


def tell(found: Balance) -> None:
    """Print what was found for people."""
    fixed = [f"{key}={value}" for key, value in found.fixed.items()]
    who = " against ".join(found.players) or "best play"
    goals = " and ".join(goal.text for goal in found.goals)
    say(f"{' '.join([found.game, *fixed])}, {who}: {goals}")
    names = [name for name, values in found.axes.items() if len(values) > 1]
    rows = []
    shown, alike = _told_once(found)
    for way in shown[:MOST_SHOWN]:
        numbers = [cell(number) for number in way.numbers]
        rows.append(
            [*(way.settings[name] for name in names), *numbers, _verdict(found, way.is_met)]
        )
    asked = [goal.number.replace("_", " ").replace(":", " ") for goal in found.goals]
    heads = [name.replace(START, "start ") for name in names]
    show([*heads, *asked, ""], rows, left=0)
    if more := len(shown[MOST_SHOWN:]) + alike:
        say(f"and {more:,} more that no other beats (--out FILE.csv has them)")
    told = [f"{name}={value}" for name, value in found.best.settings.items()]
    what = "proposed" if found.is_met else "nothing meets every goal; the nearest"
    if found.best.may_be_met and not found.is_met:
        what = "floats cannot tell whether this meets every goal (--exact does)"
    say(f"{what}: {', '.join(told) or 'the game as it stands'}")
    for goal, low, high in found.missed:
        whose = "no variant" if found.is_proved else "no variant tried"
        least, most = cell(low), cell(high)
        is_there = f"is {least}" if least == most else f"goes from {least} to {most}"
        say(f"{whose} has {goal.text}: {goal.number} {is_there}")
    if not found.best.may_be_met and not found.missed:
        say("each goal is met by some variant, and all of them by none")
    say(f"({found.proof}; {_errors(found)})")
    if any(each.partition(":")[0] in ROUNDS for each in found.axes.get("order", ())):
        say("(each round of a match is played for itself)")
    if found.refusals:
        others = f" ({len(found.refusals) - 1:,} more)" if len(found.refusals) > 1 else ""
        say(f"refused: {found.refusals[0]}{others}")


def _told_once(found: Balance) -> tuple[list[Proposal], int]:
    """Return the front with one of those that are alike in goals and order, and how many are not.

    Three of a kind are told apart; of more one stands for all.
    """
    kinds: dict[tuple[object, ...], list[Proposal]] = {}
    for way in found.front:
        kinds.setdefault((way.misses, way.extras, way.settings.get("order")), []).append(way)
    shown = [way for each in kinds.values() for way in (each if len(each) <= 3 else each[:1])]
    order = {id(way): place for place, way in enumerate(found.front)}
    return sorted(shown, key=lambda way: order[id(way)]), len(found.front) - len(shown)


def _verdict(found: Balance, met: bool) -> str:
    """Return whether a variant meets the goals."""
    if not met:
        return ""
    return "met" if len(found.goals) == 1 else "all met"


def _errors(found: Balance) -> str:
    """Return how far the numbers shown may be from the truth."""
    numbers = [number for way in found.front for number in way.numbers]
    error = max((number.error or 0.0 for number in numbers), default=0.0)
    pairs = [pair for way in found.front for pair in zip(found.goals, way.numbers, strict=True)]
    unsure = dict.fromkeys(goal.number for goal, number in pairs if number.error is None)
    without = f"; {' and '.join(unsure)} in floats, without a bound" if unsure else ""
    return ("exact" if not error and not unsure else within(error)) + without
