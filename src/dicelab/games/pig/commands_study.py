"""dicelab study: the Pig study's tables, tests and figures, for your own tracker forms."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from dicelab.console.app import app
from dicelab.console.arguments import Json
from dicelab.console.files import save_figure
from dicelab.console.output import (
    as_json,
    check_folder,
    emit,
    make_folder,
    say,
    show,
    write_text,
    wrote,
)
from dicelab.console.records import Record, RecordGame, Seed, game_given, interval
from dicelab.core.json_object import JsonObject
from dicelab.games.pig.study.for_the_lab import FIGURES, figure
from dicelab.games.pig.study.played_risk import MEASURES, RISKS, TOO_CLOSE, PlayedRisk
from dicelab.games.pig.study.study import Study, numbers
from dicelab.games.pig.study.study import study as study_forms
from dicelab.games.pig.study.tracker import as_tracker
from dicelab.people.decisions import Decisions
from dicelab.people.read_record import read_record
from dicelab.rules.registry import told


@app.command("study")
def study(
    file: Record,
    game: RecordGame = None,
    out: Annotated[
        str | None, typer.Option(metavar="FOLDER", help="Write study.json and the figures there.")
    ] = None,
    seed: Seed = 1,
    json: Json = False,
) -> None:
    """Analyse tracker forms: totals by turn, risk taken and risk stated, influence, mirroring.

    JSON keys: game, parameters, file, games, players, groups, differ, lotteries, influence,
    mirroring, risk (neutral, measures with their tests, power and size, table of what was said and
    played, more_seeking, players), notes, seed.

    Examples:

        dicelab study forms.csv

        dicelab study forms.csv --out study/

        dicelab study figure6.csv pig target=100 --json
    """
    if out:
        check_folder(out)
    record = read_record(file, game_given(game))
    tracker = as_tracker(record) if isinstance(record, Decisions) else record
    found = study_forms(tracker, seed)
    answer = {"game": tracker.game.name, "parameters": told(tracker.game), "file": file}
    answer |= numbers(found)
    written = write(found, answer, make_folder(out), f"dicelab study {file}") if out else []
    if json:
        emit(answer)
    else:
        _tell(found)
        wrote(*written)


def write(found: Study, answer: JsonObject, folder: Path, command: str) -> list[str]:
    """Write the numbers and the figures, and return the files."""
    numbers = folder / "study.json"
    write_text(numbers, as_json(answer) + "\n")
    drawn = [save_figure(figure(n, found, command), folder / f"{n}.svg")[0] for n in FIGURES]
    return [str(numbers), *drawn]


def _tell(found: Study) -> None:
    tracker = found.tracker
    people, games = len(tracker.players), len(tracker.forms)
    say(f"{tracker.game}: {games} game{'s' * (games > 1)}, {people} player{'s' * (people > 1)}")
    rows = []
    for name, slope in found.slopes.items():
        habits = found.habits[name]
        rows.append(
            [
                name,
                str(slope.players),
                f"{slope.value:.2f}",
                interval(slope.low, slope.high, 2),
                f"{slope.trend:.2f}",
                f"{habits.rolls:.2f}",
                f"{100 * habits.busts:.0f}%",
                f"{habits.banked:.1f}",
            ]
        )
    columns = ["", "players", "points a turn", "95%", "trend", "rolls", "nothing", "banked"]
    show(columns, rows)
    say("trend: the line through the mean curve; rolls, nothing, banked: by turn")
    _tell_risk(found.risk)
    if found.lotteries:
        said = found.lotteries
        if said.rho == said.rho:
            say(f"lotteries and stated preference: rho = {said.rho:.2f}, p = {said.p:.4f}")
        else:
            say("lotteries and stated preference: all answers, or all preferences, are the same")
    if found.influence and found.influence.decisions:
        looks = found.influence
        say(
            f"influence: log odds to roll on {looks.per_ten_points:+.3f} "
            f"(standard error {looks.error:.3f}) for every 10 points the opponent is ahead of "
            f"pace, p = {looks.p:.4f}"
        )
    if found.mirroring:
        alike = found.mirroring
        say(
            f"mirroring: r = {alike.by_turn:+.3f} turn by turn, p = {alike.p_by_turn:.4f}; "
            f"r = {alike.by_game:+.3f} game by game, p = {alike.p_by_game:.4f}"
        )
    say(*(f"note: {note}" for note in found.notes))
    say(f"shuffled with seed {found.seed}")


def _tell_risk(risk: PlayedRisk) -> None:
    """Print how people played beside what they said."""
    if risk.measures:
        groups = list(next(iter(risk.measures.values())).means)
        rows = [
            [
                MEASURES[name],
                *(f"{each.means[group]:.2f}" if group in each.means else "-" for group in groups),
                f"{each.differ.kruskal:.4f}",
                f"{each.differ.welch:.4f}",
                f"{each.differ.permutation:.4f}",
                *(f"{100 * x:.0f}%" if x == x else "-" for x in (each.power, each.size)),
            ]
            for name, each in risk.measures.items()
        ]
        say("do they differ? p by Kruskal and Wallis's test, by Welch's and by permutation:")
        show(["by player", *groups, "p", "Welch", "permuted", "power", "size"], rows)
        neutral = risk.neutral or 0
        if next(iter(risk.measures.values())).records:
            holds = ", ".join(f"{name} {part * neutral:g}" for name, part in RISKS.items())
            say(f"power: how often p <= 0.05 if they hold at {holds}; size: if all are neutral")
    if risk.more_seeking is None:
        return
    columns = ["averse", TOO_CLOSE, "seeking"]
    rows = [[said, *(str(row[c]) for c in columns)] for said, row in risk.table.items()]
    show(["said, and played", *columns], rows)
    more = risk.more_seeking
    say(
        f"played: holds surely below or above {risk.neutral}, where a neutral player holds (95%)",
        f"{more.played} play seeking and {more.said} say so; {more.played_only} only play it, "
        f"{more.said_only} only say it: do more play it than say it? p = {more.p:.4f} (McNemar)",
    )
