"""dicelab tournament: everybody meets everybody."""

from __future__ import annotations

from typing import Annotated

import typer

from dicelab.console.app import app
from dicelab.console.arguments import GameName, Given, Jobs, Json, Memory, Plot, only, table_of
from dicelab.console.arguments import given as read_given
from dicelab.console.files import a_file, check_csv, check_out, save_figure
from dicelab.console.output import (
    emit,
    in_unit,
    picked,
    progress,
    say,
    show_ranking,
    within,
    writing,
    wrote,
)
from dicelab.console.seats import tell_tournament, tournament_json
from dicelab.console.work import Checkpoint, Cluster, taken, workers
from dicelab.core.jobs import cluster as on_cluster
from dicelab.verbs.seated_tournament import SeatedTournament
from dicelab.verbs.solo_tournament import solo_tournament
from dicelab.verbs.tournament import Tournament, members
from dicelab.verbs.tournament import tournament as round_robin

MOST_SHOWN = 10

Entrants = Annotated[
    list[str],
    typer.Argument(
        metavar="STRATEGY|NAME=VALUE",
        help="Strategies, ranges such as hold-at:1..100, and parameters of the game.",
    ),
]


@app.command("tournament")
def tournament(
    game: GameName,
    entrants: Entrants,
    exact: Annotated[
        bool,
        typer.Option("--exact", help="Work the chances out; with games=N, do both and compare."),
    ] = False,
    out: Annotated[str | None, a_file("Write who gets what from whom (.csv).")] = None,
    plot: Plot = None,
    jobs: Jobs = -1,
    cluster: Cluster = None,
    checkpoint: Checkpoint = None,
    memory: Memory = None,
    json: Json = False,
) -> None:
    """Let everybody meet everybody: who wins how often, who is best, who beats whom in a circle.

    The chances are worked out. With games=3000 so many games a pair are played by chance instead,
    and with --exact as well, both are done and the exact matrix says which circles are real.
    They are ranked by what they get in the game's own unit: a draw counts what the game says.

    JSON keys: game, parameters, names, best, champion (beats every other, or null), transitive,
    cycles, ranking, share (what each gets, in the game's unit), unit, strengths (Bradley-Terry),
    matrix (what the row gets from the column), low, high, wins (the row wins), first (the row wins
    when it starts), never_ends, exact, games, seed, error, seconds. Three players and more meet at
    tables: names, best, ranking, share, low, high, wins, beside (what the row gets where the column
    sits), tables, unit, exact, games, seed, seconds. Alone they are ranked by what each brings:
    names, best, ranking, value, error, unit, exact, seconds.

    Examples:

        dicelab tournament pig hold-at:15..30 optimal target=50 --jobs 1

        dicelab tournament pig turtle roll-to-win hold-at:9..11 target=20 --json --jobs 1

        dicelab tournament pig hold-at:1..9 target=20 games=2000 seed=1 --exact --jobs 1

        dicelab tournament pig hold-at:1..9 target=20 --out wins.csv --plot wins.svg --jobs 1
    """
    arguments, asked = taken(entrants, games=0, seed=0)
    given = read_given(game, arguments)
    names = members(given.others)
    only("strategies to take part, such as hold-at:1..100", names, 1, 10**6)
    check_out(None, plot)
    check_csv(out, "the matrix is")
    if given.game.players == 1:
        _alone(given, names, asked["games"], plot or checkpoint or cluster, out, memory, json)
        return
    if given.game.players > 2 and (out or plot):
        raise typer.BadParameter("tables of three and more make no matrix: leave out --out, --plot")
    with progress(f"{len(names)} strategies") as report, on_cluster(cluster):
        found = round_robin(
            table_of(given.game, memory, report, False, *names),
            names,
            asked["games"],
            asked["seed"],
            both=exact,
            workers=workers(jobs, cluster),
            checkpoint=checkpoint,
            progress=report,
        )
    if isinstance(found, SeatedTournament):
        emit(given.header | tournament_json(found)) if json else tell_tournament(found, MOST_SHOWN)
        return
    assert isinstance(found, Tournament)
    if out:
        with writing(out):
            found.save(out)
    if plot:
        from dicelab.plots.play import heat_map
        from dicelab.plots.style import signed

        save_figure(signed(given.command("tournament"), heat_map, found), plot)
    if not json:
        tell(found)
        wrote(out, plot)
        return
    cycle = "members margins widest narrowest clear confirmed"
    answer = picked(found, "names best champion") | {"transitive": found.is_transitive}
    answer |= {"cycles": [picked(one, cycle) for one in found.cycles]}
    answer |= {**picked(found, "ranking share"), "unit": found.game.unit}
    answer |= {**picked(found, "strengths"), "matrix": found.values}
    answer |= {**picked(found, "low high wins first"), "never_ends": found.never}
    emit(given.header | answer | picked(found, "exact games seed error seconds"))


def _alone(
    given: Given,
    names: list[str],
    games: int,
    others: object,
    out: str | None,
    memory: int | None,
    json: bool,
) -> None:
    """Rank strategies of a game that is played alone by what each brings."""
    if games or others:
        raise typer.BadParameter(
            f"{given.game} is played alone, and its tournament is worked out at once: "
            f"leave out games=N, --plot, --checkpoint and --cluster"
        )
    with progress(f"{len(names)} strategies") as report:
        found = solo_tournament(given.game, names, memory, report)
    if out:
        with writing(out):
            found.save(out)
    if json:
        emit(given.header | found.as_dict())
        return
    say(f"{found.game}: {len(names)} strategies, alone (exact)")
    show_ranking(
        found,
        [found.game.unit, "certified"],
        lambda place: [f"{found.value[place]:.6g}", within(found.error[place])],
        MOST_SHOWN,
    )
    wrote(out)


def tell(found: Tournament) -> None:
    """Print a tournament for people."""
    how = "exact" if found.exact else f"{found.games:,} games a pair, seed {found.seed}"
    count = len(found.names)
    who = "1 strategy" if count == 1 else f"{count} strategies"
    say(f"{found.game}: {who}, everybody meets everybody ({how})")
    gets = found.game.unit if found.game.unit != "chance to win" else "score"
    gets = "wins" if found.only_wins_count else gets
    show_ranking(
        found,
        [gets, "strength", "beats"],
        lambda place: [
            in_unit(found.game, found.share[place]),
            f"{found.strengths[place]:+.3f}",
            str(int(found.beats[place].sum())),
        ],
        MOST_SHOWN,
    )
    if count == 1:
        say("there is nobody to meet: name two strategies or more")
        return
    if found.champion:
        say(f"{found.champion} beats every other")
    else:
        most = "wins most" if found.only_wins_count else "gets most"
        say(f"nobody beats every other; {found.best} {most}")
    if found.game.unit == "chance to win" and not found.only_wins_count:
        say("the score counts a draw, or a game that never ends, as the game does; --json has wins")
    _tell_cycles(found)


def _tell_cycles(found: Tournament) -> None:
    if found.is_transitive:
        say("no circle of three")
        return
    count = len(found.cycles)
    say("1 circle of three:" if count == 1 else f"{count:,} circles of three, the clearest first:")
    for cycle in found.cycles[:MOST_SHOWN]:
        a, b, c = cycle.members
        margins = ", ".join(in_unit(found.game, margin, 2) for margin in cycle.margins)
        even = "a half" if found.game.unit == "chance to win" else "an even share"
        doubt = "" if cycle.clear else "; chance could have done it"
        confirmed = {None: "", True: "; confirmed exactly", False: "; not so, exactly"}
        say(
            f"  {a} beats {b} beats {c} beats {a} (by {margins} above {even}"
            f"{doubt}{confirmed[cycle.confirmed]})"
        )
