"""dicelab family: the best of its kind."""

from __future__ import annotations

from typing import Annotated

import typer

from dicelab.cli.tournament import Entrants
from dicelab.console.app import app
from dicelab.console.arguments import GameName, Jobs, Json, only
from dicelab.console.arguments import given as read_given
from dicelab.console.output import emit, in_unit, progress, show
from dicelab.console.ranges import ranged
from dicelab.console.work import Checkpoint, Cluster, workers
from dicelab.core.jobs import cluster as on_cluster
from dicelab.core.json_object import JsonObject
from dicelab.rules import registry
from dicelab.table import memory_limit
from dicelab.table.expand import refuse_before
from dicelab.verbs.best_of_family import FamilyBest, sweep
from dicelab.verbs.tournament import members


@app.command("family")
def family(
    game: GameName,
    entrants: Entrants,
    against: Annotated[
        str, typer.Option(metavar="STRATEGY", help="Whom to fare well against.")
    ] = "optimal",
    jobs: Jobs = -1,
    cluster: Cluster = None,
    checkpoint: Checkpoint = None,
    json: Json = False,
) -> None:
    """Find the best of a family, such as hold-at:1..100: against one strategy and among itself.

    A parameter of the game may be a range as well, such as target=10..200 or target=10..200:10: the
    search is then done for each value.

    The best gets most in the game's own unit, in which a draw counts what the game says.

    JSON keys: game, family, unit, found (for each game: game, against, best_reply,
    best_reply_value, best_reply_wins, champion, narrowest, nearest).

    Examples:

        dicelab family pig hold-at:1..50 target=50

        dicelab family pig hold-at:1..12 target=10..12 --jobs 1 --json
    """
    asked = ranged(game, entrants, whole=True)
    if len(asked.several) > 1:
        raise typer.BadParameter(f"one parameter may be a range: got {len(asked.several)}")
    fixed = [argument for argument in entrants if argument.partition("=")[0] not in asked.several]
    settings: list[JsonObject] = [{}]
    if asked.several:
        ((name, values),) = asked.several.items()
        settings = [{name: value} for value in values]
    given = read_given(game, fixed)
    # the largest of a range first, before all the others are made
    refuse_before(registry.game(game, **{**given.parameters, **settings[-1]}), memory_limit())
    names = members(given.others)
    only("a family such as hold-at:1..100", names, 2, 10**6)
    games = [registry.game(game, **{**given.parameters, **each}) for each in settings]
    with progress(f"{len(names)} members, {len(games)} games") as report, on_cluster(cluster):
        found = sweep(
            games,
            [names] * len(games),
            against,
            workers=workers(jobs, cluster) if len(games) > 1 else 1,
            checkpoint=checkpoint,
            progress=report,
        )
    if json:
        rows = [{key: told for key, told in vars(each).items() if key != "unit"} for each in found]
        unit = found[0].unit
        emit({"game": given.game.name, "family": given.others, "unit": unit, "found": rows})
        return
    simple = all(each.best_reply_value == each.best_reply_wins for each in found)
    gets = found[0].unit if found[0].unit != "chance to win" else "score"
    gets = "wins" if simple else gets
    columns = ["game", f"best against {against}", gets, "beats all others", "by", "nearest"]
    show(columns, [_told(each) for each in found])


def _told(found: FamilyBest) -> list[str]:
    by = "" if found.narrowest is None else in_unit(found, found.narrowest)
    gets = "" if found.best_reply_value is None else in_unit(found, found.best_reply_value)
    best, nearest = found.best_reply or "", found.nearest or ""
    return [found.game, best, gets, found.champion or "nobody", by, nearest]
