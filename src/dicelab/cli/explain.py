"""dicelab explain: what each move is worth at a position, and why."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

import typer

from dicelab.cli.solve import solved
from dicelab.console.app import app
from dicelab.console.arguments import (
    Exact,
    GameName,
    Given,
    Json,
    Memory,
    only,
    read_known,
    table_of,
    warn_if_slow,
)
from dicelab.console.arguments import given as read_given
from dicelab.console.files import a_file
from dicelab.console.output import (
    bounded,
    emit,
    halves,
    percent,
    picked,
    progress,
    say,
    show,
    within,
)
from dicelab.errors import RulesError, UnknownPosition
from dicelab.rules import HouseRules, before_throw, contract
from dicelab.verbs.best_response import best_response
from dicelab.verbs.explain import Explanation
from dicelab.verbs.explain import explain as explain_position
from dicelab.verbs.solution import TIED, Solution


@app.command("explain")
def explain(
    game: GameName,
    position: Annotated[
        list[str],
        typer.Argument(
            metavar="POSITION|NAME=VALUE",
            help="A position in the game's notation, and parameters of the game. What the dice "
            "show there is written behind it: 30-12 +9 threw 1 5 5.",
        ),
    ],
    against: Annotated[
        str | None, typer.Option(metavar="STRATEGY", help="Play against this instead of best play.")
    ] = None,
    known: Annotated[
        str | None,
        a_file(
            "What `solve --out FILE.npz` wrote of a match of rounds, or a finished "
            "--checkpoint of a scorecard for a chance, so that nothing is solved again."
        ),
    ] = None,
    exact: Exact = False,
    memory: Memory = None,
    json: Json = False,
) -> None:
    """Tell what each move is worth at a position, or each way on after a throw.

    JSON keys: game, parameters, position, against, value, lower, upper, unit, moves, sentence.

    Examples:

        dicelab explain pig "30-12 +9"

        dicelab explain pig "30-12 +9" target=50 --against hold-at:20 --json
    """
    given = read_given(game, position, positions=True)
    only("one position, in quotes", given.others, 1, 1)
    if given.game.solver or not isinstance(given.game, HouseRules):
        at = given.game.read(given.others[0])  # refused now, and not after the work
        if known is None and against is None:
            given = replace(given, game=given.game.asked_at(at))
    try:
        if known is None:
            solution = _solution(given, against, memory, exact)
        elif given.game.loader:
            solution = read_known(known, given.game)
        else:
            raise typer.BadParameter(
                f"{given.game} is solved anew for each question, and no file has its solution: "
                f"leave out --known"
            )
        found = explain_position(solution, given.others[0])
    except UnknownPosition as unknown:
        if given.game.solver:  # which knows every position that there is
            raise
        try:  # play does not come there from the start, but one may begin there
            begins = before_throw(given.game.read(given.others[0]))
            given = replace(given, game=given.game.starting(begins))
        except RulesError:
            raise unknown from None
        found = explain_position(_solution(given, against, memory, exact), given.others[0])
    if not json:
        _tell(found, against)
        return
    moves = [
        {"move": move.move, **bounded(move), **picked(move, "cost status")} for move in found.moves
    ]
    answer = {"position": found.position, "against": against or "best play", **bounded(found)}
    answer |= {"unit": found.game.unit, "moves": moves, "sentence": found.sentence}
    emit(given.header | answer)


def _solution(given: Given, against: str | None, memory: int | None, exact: bool) -> Solution:
    """Return the solution to ask: best play on both sides, or the best reply to somebody."""
    if against is None:
        return solved(given, memory, exact)
    contract.refuse_alone(given.game, "there is nobody to reply to")
    with progress(f"replying to {against}") as report:
        before, later = halves(report)
        table = table_of(given.game, memory, before, exact)
        warn_if_slow(table, against)
        return best_response(table, against, exact=exact, progress=later).solution


def _tell(found: Explanation, against: str | None) -> None:
    chance = found.game.unit == "chance to win"
    value = percent if chance else lambda number: f"{float(number):.6g}"
    error = float(max(found.upper - found.value, found.value - found.lower))
    unit = "of the game" if chance else found.game.unit
    best = "with best play" if found.game.players <= 2 else "where all play the strategy found"
    who = f"against {against}" if against else best
    sure = f"certified {within(error)}" if error else f"exactly {found.value}"
    say(f"{found.game} at {found.position}: {value(found.value)} {unit} {who} ({sure})")
    # Of moves that cannot be told apart, what little one seems to cost is rounding.
    rows = [
        [m.move, value(m.value), value(0 if m.status == TIED else m.cost), m.status]
        for m in found.moves
    ]
    show(["move", "value", "cost", ""], rows)
    say(found.sentence)
