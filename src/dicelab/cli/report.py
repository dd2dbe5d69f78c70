"""dicelab report: everything a designer asks about a game, on one page."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from dicelab.console.app import app
from dicelab.console.arguments import GameName, Json, Memory, Parameters, only_a_game
from dicelab.console.files import a_file
from dicelab.console.output import check_place, emit, progress, say, write_text, wrote
from dicelab.verbs.report import Report
from dicelab.verbs.report import report as asked
from dicelab.verbs.report_sections import Refused


@app.command("report")
def report(
    game: GameName,
    parameters: Parameters = None,
    out: Annotated[str | None, a_file("Where the page goes. [default: GAME.html]")] = None,
    tries: Annotated[
        int | None,
        typer.Option("--tries", metavar="N", help="How many rules of thumb are worked out."),
    ] = None,
    memory: Memory = None,
    json: Json = False,
) -> None:
    """Write a page about a game: is it fair, how long, how much is skill, what one should know.

    The page has everything inside: rules and size; value with bounds and the advantage of going
    first (for more players, what each seat gets); the length in turns and throws; draws and games
    that never end; a ladder of strategies and what spreads the results, play or chance; players who
    never risk, always risk, look one move ahead or ignore the opponent; changes of the lead and how
    early a game is decided; moves that are never best; where the choice matters most; rules of
    thumb; and what one step in each parameter would do. What makes no sense for a kind of game says
    so in its place.

    JSON keys: game, parameters, unit, size, value, length, endings, skill, restricted, lead, moves,
    turning_points, rules_of_thumb, changes, version, seconds. A number has value, error (null: no
    bound known) and unit; a section that cannot be had has refused. With --json no page is written,
    unless --out names one.

    Examples:

        dicelab report pig target=20 --out pig.html

        dicelab report craps --json

        dicelab report pig target=10 players=3 --out three.html
    """
    given = only_a_game(game, parameters)
    place = out or (None if json else f"{given.name.replace(':', '-')}.html")
    if place is not None:
        if Path(place).suffix not in (".html", ".htm"):
            raise typer.BadParameter(f"a report is an .html file: got {place!r}")
        check_place(place)
    if tries is not None and tries < 1:
        raise typer.BadParameter(f"at least one rule of thumb is tried: got {tries}")
    with progress(f"reporting on {given.game}") as share:
        found = asked(given.game, memory, share, tries)
        if place is not None:
            from dicelab.plots.report_page import report_page

            write_text(place, report_page(found, f"dicelab report {given.named}"))
    if json:
        emit(given.header | found.as_dict())
        return
    _tell(found)
    wrote(place)


def _tell(found: Report) -> None:
    """Print what a report says first, in a few lines."""
    from dicelab.plots.page import told

    lines = [str(found.game)]
    if not isinstance(found.worth, Refused):
        lines.append(f"value: {told(found.worth.value, True)} ({found.unit})")
        if found.worth.advantage is not None:
            lines.append(f"advantage of going first: {told(found.worth.advantage, True)}")
        elif found.worth.spread is not None:
            lines.append(f"between the best seat and the worst: {told(found.worth.spread, True)}")
    if not isinstance(found.length, Refused):
        turns = told(found.length.turns, True)
        lines.append(f"length: {turns}{'' if turns == 'for ever' else ' turns'} on average")
    if not isinstance(found.skill, Refused) and not isinstance(found.skill.spread, Refused):
        spread = found.skill.spread
        lines.append(f"spread of results: {told(spread.share(spread.by_play), True)} is play")
    if not isinstance(found.lead, Refused) and found.lead.changes is not None:
        lines.append(f"the lead changes {told(found.lead.changes, True)} times on average")
    say(*lines)
