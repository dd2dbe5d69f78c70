"""dicelab conjectures: what the study of Greed supposed, tested in whole numbers."""

from __future__ import annotations

from dataclasses import asdict
from fractions import Fraction
from typing import Annotated

import typer

from dicelab.console.app import app
from dicelab.console.arguments import Jobs, Json
from dicelab.console.output import check_place, emit, progress, say
from dicelab.core.json_object import JsonObject
from dicelab.games.greed.conjectures import CLAIMS, STRICTLY, Counterexample, Verdict, sweep
from dicelab.rules.dice import Die
from dicelab.rules.registry import read


@app.command("conjectures")
def conjectures(
    most: Annotated[int, typer.Option("--max", metavar="M", help="Every maximum up to M.")] = 60,
    sides: Annotated[
        str | None,
        typer.Option(metavar="FROM..TO", help="Fair dice with so many sides. [default: 1..12]"),
    ] = None,
    die: Annotated[
        str | None,
        typer.Option(metavar="DIE", help="One die in place of the fair ones, such as 1:1/2,6:1/2."),
    ] = None,
    tie: Annotated[
        str, typer.Option(metavar="WORTH", help="What a tie is worth, such as 1/2.")
    ] = "1/2",
    kept: Annotated[
        str | None,
        typer.Option(
            "--keep", metavar="FILE", help="Keep finished work there and go on from it next time."
        ),
    ] = None,
    jobs: Jobs = -1,
    json: Json = False,
) -> None:
    """Look for counterexamples to the two conjectures and the upper bound of the Greed study.

    Every game of Greed with a maximum up to --max and a fair die of these sides is looked at, in
    whole numbers; or with one die that may be loaded. The smallest counterexample of each claim is
    printed, or the range that was clean. Conjecture 1 is also read strictly, as the study words it.

    JSON keys: max, sides, die, tie, tested, clean, claims, strict.

    Examples:

        dicelab conjectures --max 20 --sides 1..6

        dicelab conjectures --max 10 --die 1:1/2,6:1/2

        dicelab conjectures --max 40 --sides 2..8 --keep sweep.jsonl --json
    """
    if kept:
        check_place(kept, keeps=True)
    worth = read(Fraction, tie, "tie")
    if die is not None and sides is not None:
        raise typer.BadParameter("--die asks about one die and --sides about fair ones: give one")
    asked = None if die is None else read(Die, die, "die")
    with progress("looking for counterexamples") as report:
        verdict = sweep(most, between(sides or "1..12", "sides"), worth, kept, jobs, report, asked)
    if json:
        emit(numbers(verdict))
    else:
        tell(verdict)


def between(text: str, what: str) -> tuple[int, int]:
    """Return the two ends of a range such as 2..12, or of a single number."""
    low, _, high = text.partition("..")
    try:
        ends = int(low), int(high or low)
    except ValueError:
        raise typer.BadParameter(
            f"--{what} is a number or a range such as 2..12: got {text!r}"
        ) from None
    if ends[0] > ends[1]:
        raise typer.BadParameter(f"--{what} {text} is empty: write the smaller number first")
    return ends


def numbers(verdict: Verdict) -> JsonObject:
    """Return what `--json` says about a sweep."""
    return {
        "max": verdict.max,
        "sides": list(verdict.sides) if verdict.die is None else None,
        "die": None if verdict.die is None else str(verdict.die),
        "tie": verdict.tie,
        "tested": verdict.tested,
        "clean": verdict.is_clean,
        "claims": {
            claim: {"says": CLAIMS[claim], "counterexample": asdict(one) if one else None}
            for claim, one in verdict.counterexamples.items()
        },
        "strict": {
            "says": STRICTLY,
            "counterexample": asdict(verdict.strict) if verdict.strict else None,
        },
    }


def tell(verdict: Verdict) -> None:
    """Print what a sweep has shown."""
    low, high = verdict.sides
    dice = f"dice of {low} to {high} sides" if verdict.die is None else f"the die {verdict.die}"
    say(
        f"Greed with a maximum of 1 to {verdict.max}, {dice}, "
        f"a tie worth {verdict.tie}: {verdict.tested:,} games"
    )
    for claim, one in verdict.counterexamples.items():
        say(f"{claim}: {CLAIMS[claim]}", f"    {_found(one, 'beat')}")
    say(f"conjecture 1 read strictly: {STRICTLY}", f"    {_found(verdict.strict, 'do as well as')}")


def _found(one: Counterexample | None, compared: str) -> str:
    if one is None:
        return "no counterexample"
    where = f"at 0-{one.gap} last" if one.claim != "upper bound" else f"for the sum {one.gap}"
    die = f"die={one.die}" if one.die else f"sides={one.sides}"
    return f"fails in greed max={one.max} {die} {where}: {one.dice + 1} dice {compared} {one.dice}"
