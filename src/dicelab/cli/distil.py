"""dicelab distil: the best strategy that a person can remember, and what it costs."""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import Annotated, Any

import typer

from dicelab.console.app import app
from dicelab.console.arguments import (
    GameName,
    Json,
    Memory,
    Parameters,
    Plot,
    only_a_game,
    table_of,
)
from dicelab.console.files import a_file, check_out, save_figure
from dicelab.console.output import (
    check_place,
    emit,
    in_unit,
    progress,
    say,
    within,
    write_text,
    wrote,
)
from dicelab.rounds.card_pars import Pars
from dicelab.verbs.distil import Card, refuse_kind
from dicelab.verbs.distil import distil as worked_out


@app.command("distil")
def distil(
    game: GameName,
    parameters: Parameters = None,
    size: Annotated[
        int | None,
        typer.Option(
            "--size",
            metavar="N",
            help="The most numbers one wants to remember. "
            "[default: 3; of a list of ways, 10; of a scorecard, all]",
        ),
    ] = None,
    against: Annotated[
        list[str] | None,
        typer.Option(
            "--against",
            metavar="STRATEGY",
            help="Against whom the rule is to do well; may be given several times. "
            "[default: optimal]",
        ),
    ] = None,
    tries: Annotated[
        int | None,
        typer.Option("--tries", metavar="N", help="How many ways to play are worked out."),
    ] = None,
    out: Annotated[
        str | None,
        a_file("Write the best rule to FILE.rule, for file:FILE.rule, or all to FILE.csv."),
    ] = None,
    plot: Plot = None,
    memory: Memory = None,
    json: Json = False,
) -> None:
    """Find the best rules of thumb: a few comparisons with small numbers, and what each costs.

    Every rule is worked out exactly, against best play unless told otherwise; the cost is what best
    play gets more. The sizes count the numbers one has to remember. Any rule is a strategy for
    every other command: 'rule:hold if at_risk >= 20; roll'.

    JSON keys: game, parameters, against, unit, optimum (what best play gets), rules, named (the
    named strategies and their costs), size, tried, seconds. A rule has rule, strategy, size, value,
    error, cost and proof.

    Examples:

        dicelab distil pig target=20 die=4 --size 2 --tries 60

        dicelab distil pig target=20 --size 1 --against hold-at:10 --tries 50 --json

        dicelab distil yahtzee dice=3 only=aces+sixes+chance enough=9

        dicelab distil solo-pig target=30 --size 1 --out solo.rule --plot solo.svg
    """
    given = only_a_game(game, parameters)
    check_out(None, plot)
    if out and Path(out).suffix not in (".rule", ".csv"):
        raise typer.BadParameter(f"a rule is written to a .rule file, all to a .csv: got {out!r}")
    if out:
        check_place(out)
    with progress(f"distilling {given.game}") as report:
        asked: Any = given.game
        refuse_kind(given.game, against)  # before its table is made, which may be too large
        if not given.game.distiller:
            asked = table_of(given.game, memory, report)
        found = worked_out(asked, size, against, tries=tries, progress=report, memory=memory)
    if out:
        write_text(out, found.as_csv() if out.endswith(".csv") else found.card())
    if plot:
        from dicelab.plots.cards import card_figure
        from dicelab.plots.style import signed

        command = f"dicelab distil {given.named} --size {found.size}"
        save_figure(signed(command, card_figure, found), plot)
    if json:
        emit(given.header | found.as_dict())
        return
    tell(found)
    wrote(out, plot)


def tell(found: Card) -> None:
    """Print a card for people."""
    whom = f" against {', '.join(found.against)}" if found.against else ""
    optimum = in_unit(found, found.optimum)
    say(f"{found.game}: rules of up to {found.size} numbers{whom} (best play gets {optimum})")
    for one in found.rules:
        numbers = f"{one.size} number{'' if one.size == 1 else 's'}"
        say(f"{numbers}, costs {in_unit(found, one.cost)} ({one.proof}):")
        if isinstance(one.rule, Pars):
            say(*(f"    {line}" for line in one.rule.in_words()))
        else:
            say(f"    {one.rule}")
    if isinstance(found.best.rule, Pars):
        say(f"as a strategy: {found.best.rule.name}")
    if found.named:
        told = ", ".join(f"{name} {in_unit(found, cost)}" for name, cost in found.named[:4])
        say(f"the game's own strategies cost: {told}")
        name, cost = found.named[0]
        if cost < found.best.cost - found.best.error:
            about = (inspect.getdoc(found.game.strategies[name]) or "").partition("\n")[0]
            say(f"no rule found is as good as {name}: {about}")
    error = max(one.error for one in found.rules)
    say(f"({found.tried:,} ways to play worked out, each {within(error)})")
