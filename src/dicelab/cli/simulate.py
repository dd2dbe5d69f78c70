"""dicelab simulate: play many games by chance, and count."""

from __future__ import annotations

import math
from typing import Annotated, Any

import typer

from dicelab.console.app import app
from dicelab.console.arguments import (
    GameName,
    Given,
    Jobs,
    Json,
    Memory,
    Players,
    compiled,
    two_strategies,
)
from dicelab.console.arguments import given as read_given
from dicelab.console.files import a_file, check_csv
from dicelab.console.output import (
    emit,
    note,
    percent,
    picked,
    progress,
    say,
    show,
    write_text,
    wrote,
)
from dicelab.console.seats import simulation_json, tell_simulation
from dicelab.console.work import Checkpoint, Cluster, taken, workers
from dicelab.core.csv_cells import csv_text, guarded_row
from dicelab.core.intervals import Estimate
from dicelab.core.jobs import cluster as on_cluster
from dicelab.errors import NotSolved
from dicelab.people.decisions import COLUMNS, FORMAT, said_to_pass
from dicelab.people.record_header import header_line
from dicelab.solvers.sampling_kernels import A_WINS, B_WINS, DRAWN, NEVER
from dicelab.verbs.engines import needs_no_table, own_verb
from dicelab.verbs.evaluate import evaluate
from dicelab.verbs.evaluation import SoloEvaluation
from dicelab.verbs.playback import named
from dicelab.verbs.sampler import MOST_TURNS
from dicelab.verbs.seats import SeatedSimulation
from dicelab.verbs.simulate import Check, Simulation, check_numbers
from dicelab.verbs.simulate import check as check_against_exact
from dicelab.verbs.simulate import simulate as worked_out

QUANTILES = (0.05, 0.5, 0.95)


@app.command("simulate")
def simulate(
    game: GameName,
    players: Players,
    check: Annotated[
        bool, typer.Option("--check", help="Compare with the exact answer, in standard errors.")
    ] = False,
    by: Annotated[
        str | None,
        typer.Option(
            metavar="turns|moves",
            help="Draw a turn at a time, or a move at a time. [default: the faster one]",
        ),
    ] = None,
    most_turns: Annotated[int, typer.Option(help="Stop a game after so many turns.")] = MOST_TURNS,
    records: Annotated[
        str | None, a_file("Write every move of every game (.csv), for `review` and `fit` too.")
    ] = None,
    jobs: Jobs = -1,
    cluster: Cluster = None,
    checkpoint: Checkpoint = None,
    memory: Memory = None,
    json: Json = False,
) -> None:
    """Play games by chance and count who wins.

    A and B take turns in starting. games=1e6 says how many to play (100000 if nothing is said),
    seed=1 which ones (0): the same seed gives the same games, whatever --jobs. A game played alone
    takes one strategy.

    JSON keys: game, parameters, a, b, games, seed, by, first (A wins when A starts: value,
    interval, games), second (B wins when B starts), overall (A wins), value (what A gets, in
    the game's unit), unit, draws, never_ended, stopped, mean_length, quantiles, pairs, seconds;
    with --check also check, with --records also records. A game played alone has no first, second,
    overall and pairs. Three players and more have players, games, seed, wins and values (by player:
    value, interval, games), unit, ends (by who starts: wins of each, draws, never ended, stopped),
    draws, never_ended, mean_length, seconds.

    Examples:

        dicelab simulate pig hold-at:20 hold-at:25 games=1e6 seed=1 --json

        dicelab simulate pig hold-at:20 optimal target=50 games=20000 --check

        dicelab simulate solo-pig hold-at:25 games=20000 --check

        dicelab simulate pig turtle random target=20 games=10 --records games.csv
    """
    arguments, asked = taken(players, games=100_000, seed=0)
    given = read_given(game, arguments)
    a, b = two_strategies(given, least=1)
    check_csv(records, "records are")
    if b is None and not records and needs_no_table(given.game, a):
        given_too = {"--by": by, "--checkpoint": checkpoint, "--cluster": cluster}
        for option, value in given_too.items():
            if value is not None:
                raise typer.BadParameter(
                    f"{given.game} is played a round at a time, on this machine: leave out {option}"
                )
        check_numbers(asked["games"], asked["seed"], most_turns, by)
        _points_only(given, a, asked, check, jobs, memory, json)
        return
    table = compiled(given.game, memory, a, b)
    with progress(f"playing {asked['games']:,} games") as report, on_cluster(cluster):
        found = worked_out(
            table,
            a,
            b,
            asked["games"],
            asked["seed"],
            by=by,
            records=bool(records),
            most_turns=most_turns,
            workers=workers(jobs, cluster),
            checkpoint=checkpoint,
            progress=report,
        )
    checks = _checks(found) if check else []
    if records:
        write_text(records, records_text(found))
    if isinstance(found, SeatedSimulation):
        answer = simulation_json(found)
        answer |= {"check": [each._asdict() for each in checks]} if check else {}
        if json:
            emit(given.header | answer | ({"records": records} if records else {}))
            return
        tell_simulation(found)
        _tell_checks(checks, bool(found.ends[:, -1].any()))
        wrote(records)
        return
    if not json:
        tell(found)
        _tell_checks(checks, bool(found.stopped))
        wrote(records)
        return
    answer = given.header | picked(found, "a games seed by" if b is None else "a b games seed by")
    answer |= {} if b is None else picked(found, "first second overall")
    answer |= {**picked(found, "value"), "unit": found.game.unit}
    answer |= picked(found, "draws never_ended stopped mean_length")
    answer["quantiles"] = {part: found.quantile(part) for part in QUANTILES}
    answer |= {} if b is None else {"pairs": found.tally.pairs}
    answer |= picked(found, "seconds")
    answer |= {"check": [each._asdict() for each in checks]} if check else {}
    emit(answer | ({"records": records} if records else {}))


def _points_only(
    given: Given,
    a: str,
    asked: dict[str, int],
    check: bool,
    jobs: int,
    memory: int | None,
    json: bool,
) -> None:
    """Play games of a kind that has its own engine for it, and tell the points."""
    own = own_verb(given.game, "simulate")
    assert own is not None
    with progress(f"playing {asked['games']:,} games") as report:
        found = own(given.game, a, asked["games"], asked["seed"], report, jobs, memory)
    checks = []
    if check:
        alone = evaluate(given.game, a)
        assert isinstance(alone, SoloEvaluation)
        exact, error = float(alone.value), found.standard_error
        away = abs(found.value.value - exact) / error if error else 0.0
        checks = [Check("points", found.value.value, exact, away)]
    if json:
        answer = given.header | picked(found, "a games seed value")
        quantiles = {part: found.quantile(part) for part in QUANTILES}
        answer |= {"unit": found.game.unit, "quantiles": quantiles, "seconds": found.seconds}
        emit(answer | ({"check": [each._asdict() for each in checks]} if check else {}))
        return
    _tell_alone(found)
    told = ", ".join(f"{100 * part:.0f}% within {found.quantile(part)}" for part in QUANTILES)
    say(f"{told}; played in {found.seconds:.2f} s")
    for each in checks:
        say(f"exactly {each.exact:.6f}: {each.standard_errors:.2f} standard errors apart")


def _checks(found: Simulation | SeatedSimulation) -> list[Check]:
    """Return the checks, or none and a note where there is no exact answer to be had."""
    try:
        return check_against_exact(found)
    except NotSolved as trouble:
        note(f"note: no check: {trouble}")
        return []


def _tell_alone(found: Any) -> None:
    """Print what games of one player brought on average."""
    value, unit = found.value, found.game.unit
    is_chance = unit == "chance to win"
    said = percent(value.value) if is_chance else f"{value.value:.6g} {unit}"
    say(f"{found.game}: {found.a}, {found.games:,} games, seed {found.seed}")
    say(f"{said} on average (95%: {value.low:.6g} to {value.high:.6g})")


def tell(found: Simulation) -> None:
    """Print a simulation for people."""
    speed = found.games / max(found.playing, 1e-9)
    if found.b is None:
        _tell_alone(found)
    else:
        say(
            f"{found.game}: A is {found.a}, B is {found.b}; "
            f"{found.games:,} games, seed {found.seed}"
        )
        rows = []
        ends_of = {"A starts": found.tally.ends[0], "B starts": found.tally.ends[1]}
        if found.game.is_simultaneous:  # nobody starts
            ends_of = {"at once": found.tally.ends.sum(axis=0)}
        for name, ends in ends_of.items():
            counts = [int(ends[how]) for how in (A_WINS, B_WINS, DRAWN)]
            rows.append([name, *(f"{c:,}" for c in (*counts, int(ends[NEVER:].sum())))])
        show(["", "A wins", "B wins", "draws", "did not end"], rows)
        shares = {
            "A wins, starting": found.first,
            "B wins, starting": found.second,
            "A wins overall": found.overall,
        }
        if found.game.is_simultaneous:
            shares = {"A wins": found.overall}
        show(["", "share", "95% interval"], [[name, *_told(s)] for name, s in shares.items()])
        value, unit = found.value, found.game.unit
        if unit != "chance to win":
            say(f"A gets {value.value:.6g} {unit} (95%: {value.low:.6g} to {value.high:.6g})")
        elif found.draws + found.never_ended:
            score, interval = _told(value)
            say(f"A scores {score} (95%: {interval}), games that nobody won counted")
    if found.stopped:
        say(f"{found.stopped:,} games were stopped after {found.most_turns:,} turns")
    ended = not math.isnan(found.mean_length)
    turns = f"a game that ends takes {found.mean_length:.2f} turns on average"
    say(
        f"{turns if ended else 'no game ended'}; "
        f"played by {found.by} in {found.playing:.2f} s ({speed:,.0f} games a second)"
    )


def _told(found: Estimate) -> list[str]:
    return [percent(found.value), f"{percent(found.low)} to {percent(found.high)}"]


def _tell_checks(checks: list[Check], stopped: bool) -> None:
    if not checks:
        return
    rows = [
        [each.name, f"{each.simulated:.6f}", f"{each.exact:.6f}", f"{each.standard_errors:.2f}"]
        for each in checks
    ]
    show(["", "simulated", "exact", "standard errors apart"], rows)
    if stopped:
        say("games stopped at the turn limit count as not ended here: raise --most-turns")


def records_text(found: Simulation | SeatedSimulation) -> str:
    """Return every move of every game as CSV: a record of decisions, as `review` and `fit` read it.

    What both choose at once is no decision of one after the other, and has a table of its own.
    """
    records = list(enumerate(found.records, start=1))
    if found.game.is_simultaneous:
        rows = [
            (number, record.starter, place, move.player, move.position, move.move, record.winner)
            for number, record in records
            for place, move in enumerate(record.moves, start=1)
        ]
        head = ("game", "starter", "number", "player", "position", "move", "winner")
        return csv_text([head, *map(guarded_row, rows)])
    cells = [
        (
            number,
            _seat(move.player, record.starter, found),
            move.player,
            move.position,
            move.move,
            after,
            said_to_pass(int(move.passes)),
        )
        for number, record in records
        for move, after in zip(
            record.moves,
            [*(move.position for move in record.moves[1:]), record.final],
            strict=True,
        )
    ]
    return csv_text([COLUMNS, *map(guarded_row, cells)], header_line(FORMAT, found.game))


def _seat(player: str, starter: str, found: Simulation | SeatedSimulation) -> int:
    """Return in which seat a player sat, counted from who started."""
    count = max(2, found.game.players)
    names = [named(seat) for seat in range(count)]
    return (names.index(player) - names.index(starter)) % count + 1
