"""dicelab review: what each decision cost, and what the dice gave."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
import typer

from dicelab.cli.app import app
from dicelab.cli.arguments import Json
from dicelab.cli.files import check_csv
from dicelab.cli.output import emit, say, show, within, write_text
from dicelab.cli.study import Record, RecordGame, game_given
from dicelab.core.csv_cells import guarded, guarded_row
from dicelab.rules.registry import told

if TYPE_CHECKING:
    from dicelab.people.review import Bounds, Review, Score, TrackerReview


LISTED = 60
"""Lines of games, and of players, that are printed for people."""


@app.command("review")
def review(
    file: Record,
    game: RecordGame = None,
    worst: Annotated[
        int, typer.Option("--worst", min=0, help="How many of the costliest decisions to show.")
    ] = 5,
    out: Annotated[
        str | None,
        typer.Option("--out", metavar="FILE", help="Write every decision or turn to FILE.csv."),
    ] = None,
    json: Json = False,
) -> None:
    """Tell the mistakes and the luck in a record, exactly from the solved game.

    Of decisions, each has its cost and its luck. Of tracker forms, whose rolls are unknown, each
    turn has a least and a most, over all rolls that fit.

    JSON keys: game, parameters, file, unit, error, value, bounds, scores, players, worst,
    left_out.

    Examples:

        dicelab review games.csv

        dicelab review forms.csv --worst 10 --out costs.csv

        dicelab review games.csv --json
    """
    from dicelab.people.decisions import Decisions
    from dicelab.people.read_record import read_record
    from dicelab.people.review import review as review_decisions
    from dicelab.people.review import review_turns
    from dicelab.people.unrecorded_rolls import turns_of
    from dicelab.table import compile
    from dicelab.verbs.solve import on_table, solve

    check_csv(out, "the table of costs is")
    record = read_record(file, game_given(game))
    if isinstance(record, Decisions):
        solution = on_table(solve(record.table))
        found: Review | TrackerReview = review_decisions(record, solution)
        answer = _decisions(found, worst)  # type: ignore[arg-type]
    else:
        turns = turns_of(record, compile(record.game))
        solution = on_table(solve(turns.table))
        found = review_turns(turns, solution)
        answer = _turns(found, worst)
    head: dict[str, Any] = {
        "game": solution.game.name,
        "parameters": told(solution.game),
        "file": file,
    }
    if out:
        write_text(Path(out), as_csv(found))
    if json:
        head |= {"unit": solution.game.unit, "error": found.error}
        emit({**head, "value": float(solution.value), **answer})
        return
    say(f"{solution.game}: {file}, in {solution.game.unit} (certified {within(found.error)})")
    _tell_decisions(answer) if isinstance(record, Decisions) else _tell_turns(answer)
    if out:
        say(f"wrote {out}")


def _decisions(found: Review, worst: int) -> dict[str, Any]:
    return {
        "bounds": False,
        "scores": [_score(score) for score in found.scores],
        "players": [_score(score) for score in found.players],
        "worst": [_mistake(found, int(i)) for i in _top(found.cost, 2 * found.error, worst)],
        "left_out": [],
    }


def _top(cost: Any, least: float, most: int) -> Any:
    order = np.argsort(-np.asarray(cost, float), kind="stable")[:most]
    return order[np.asarray(cost, float)[order] > least]


def _score(score: Score) -> dict[str, Any]:
    """Return one line of the table of games or players."""
    return {
        "player": score.player,
        **({"game": score.game, "seat": score.seat} if score.seat else {}),
        "decisions": score.decisions,
        "unforced": score.unforced,
        "mistakes": score.mistakes,
        "cost": float(score.cost),
        "cost_per_unforced": score.cost_per_unforced,
        "luck": float(score.luck),
        "result": float(score.result),
        "luck_adjusted": float(score.adjusted),
    }


def _mistake(found: Review, i: int) -> dict[str, Any]:
    record, table = found.record, found.record.table
    at = int(record.number[i])
    return {
        "game": record.names[record.game[i]],
        "player": record.players[record.game[i]][record.seat[i]],
        "position": table.notation(at),
        "move": table.moves[table.move[record.row[i]]],
        "best": found.solution.best_moves(table.position(at)),
        "cost": float(found.cost[i]),
    }


def _turns(found: TrackerReview, worst: int) -> dict[str, Any]:
    turns = found.turns
    order = _top(found.least, 2 * found.error, worst)
    return {
        "bounds": True,
        "scores": [_bounds(one) for one in found.bounds],
        "players": [_bounds(one) for one in found.players],
        "worst": [_turn(found, int(i)) for i in order],
        "left_out": list(turns.left_out),
    }


def _bounds(one: Bounds) -> dict[str, Any]:
    return {
        "player": one.player,
        **({"game": one.game, "seat": one.seat} if one.seat else {}),
        "turns": one.turns,
        "unforced": one.unforced,
        "cost": list(one.cost),
        "luck": list(one.luck),
        "result": one.result,
    }


def _turn(found: TrackerReview, i: int) -> dict[str, Any]:
    turns, (low, high) = found.turns, found.luck
    return {
        "game": turns.names[turns.game[i]],
        "player": turns.players[turns.player[i]],
        "turn": int(turns.turn[i]),
        "began": turns.began(i),
        "rolls": int(turns.rolls[i]),
        "banked": int(turns.banked[i]),
        "cost": [float(found.least[i]), float(found.most[i])],
        "luck": [float(low[i]), float(high[i])],
    }


def _tell_decisions(answer: dict[str, Any]) -> None:
    columns = [
        "game",
        "player",
        "unforced",
        "mistakes",
        "cost",
        "each",
        "luck",
        "result",
        "no luck",
    ]
    rows = [
        [
            score.get("game", "all"),
            score["player"],
            str(score["unforced"]),
            str(score["mistakes"]),
            f"{score['cost']:.4f}",
            f"{score['cost_per_unforced']:.5f}",
            f"{score['luck']:+.4f}",
            f"{score['result']:.3f}",
            f"{score['luck_adjusted']:.3f}",
        ]
        for score in [*answer["scores"][:LISTED], *answer["players"][:LISTED]]
    ]
    show(columns, rows, left=2)
    _tell_more(answer)
    say("each: cost per unforced decision; no luck: the luck-adjusted result")
    for one in answer["worst"]:
        best = " or ".join(one["best"])
        say(
            f"game {one['game']}, {one['player']} at {one['position']}: {one['move']} "
            f"costs {one['cost']:.4f}; best is to {best}"
        )


def _tell_more(answer: dict[str, Any]) -> None:
    more = len(answer["scores"]) - LISTED
    if more > 0:
        say(f"and {more:,} more lines; --json lists them all")


def _tell_turns(answer: dict[str, Any]) -> None:
    rows = [
        [
            line["game"],
            line["player"],
            str(line["turns"]),
            str(line["unforced"]),
            f"{line['cost'][0]:.4f} to {line['cost'][1]:.4f}",
            f"{line['luck'][0]:+.4f} to {line['luck'][1]:+.4f}",
            f"{line['result']:.3f}",
        ]
        for line in answer["scores"][:LISTED]
    ]
    show(["game", "player", "turns", "unforced", "cost", "luck", "result"], rows, left=2)
    _tell_more(answer)
    say("the rolls are not in these forms: least and most over all that fit")
    for one in answer["worst"]:
        say(
            f"game {one['game']}, {one['player']}, turn {one['turn']} from {one['began']}: "
            f"{one['rolls']} rolls for {one['banked']} cost at least {one['cost'][0]:.4f}"
        )
    if answer["left_out"]:
        from dicelab.people.study import some

        say(f"left out, one player's turns only: {some(answer['left_out'])}")


def as_csv(found: Review | TrackerReview) -> str:
    """Return every decision, or every turn, with its cost and luck as CSV."""
    from dicelab.people.review import Review

    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    if not isinstance(found, Review):
        names = ("cost_least", "cost_most", "luck_least", "luck_most")
        writer.writerow(("game", "player", "turn", "began", "rolls", "banked", *names))
        for i in range(len(found.turns)):
            one = _turn(found, i)
            cells = [one[key] for key in ("game", "player", "turn", "began", "rolls", "banked")]
            writer.writerow(guarded_row([*cells, *one["cost"], *one["luck"]]))
        return out.getvalue()
    record, table = found.record, found.record.table
    writer.writerow(("game", "player", "position", "move", "after", "unforced", "cost", "luck"))
    for i in range(len(record)):
        game, seat = int(record.game[i]), int(record.seat[i])
        writer.writerow(
            (
                guarded(record.names[game]),
                guarded(record.players[game][seat]),
                table.notation(int(record.number[i])),
                table.moves[table.move[record.row[i]]],
                table.notation(int(record.after[i])),
                "yes" if found.unforced[i] else "no",
                float(found.cost[i]),
                float(found.luck[i]),
            )
        )
    return out.getvalue()
