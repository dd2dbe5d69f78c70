"""A game that is over, to be walked through: every decision with its board, dice, mark and luck."""

from __future__ import annotations

from collections.abc import Sequence

from dicelab.core.json_object import JsonObject
from dicelab.core.language import tr
from dicelab.lab import coach, narration
from dicelab.lab.matches import Play, Standing
from dicelab.lab.narration import OPPONENT, YOU
from dicelab.lab.store import Decision
from dicelab.people import marks
from dicelab.people.game_review import Judged, worth_at
from dicelab.rules import SAME, Moment, Position
from dicelab.rules.board import Done
from dicelab.verbs.explain import per_cent
from dicelab.verbs.solution import Solution
from dicelab.verbs.table_solution import TableSolution

Pairs = Sequence[tuple[Decision, Judged]]


def walked(
    play: Play, solution: Solution, pairs: Pairs, whole: float, name: str | None
) -> list[JsonObject]:
    """Return what the match was worth to the player, at the start and after every decision.

    `whole` is what is at stake; `name` is the player's, where somebody else reads it.
    """
    game, first = play.game, play.standing([])
    start = worth_at(solution, first.at, first.seat)
    points: list[JsonObject] = [
        {
            "ply": 0,
            "value": start,
            "share": coach.share(game, start),
            "who": None,
            "notation": narration.notation(game, first.at, 0),
        }
    ]
    spent, turns = 0.0, 0  # gained so far, less what the other did; turns of the player's own
    past = narration.done([row for row, _ in pairs])
    for place, (row, judged) in enumerate(pairs):
        if game.is_simultaneous and row.who == OPPONENT:
            points[-1]["other"] = {"move": row.move, "dice": list(row.faces)}
            points[-1]["text"] += f" {_happened(play, row, name)}"
            continue
        value, spent = _worth(play, solution, row, judged, spent)
        points.append(
            {
                **_point(play, row, value),
                **_told(play, row, judged, whole, name),
                "text": _happened(play, row, name),
                "before": {
                    **_board(play, row, judged, turns, name),
                    "board": _parts(play, row, judged, past[:place]),
                },
                "play_on": _play_on(play, row),
            }
        )
        turns += row.who == YOU and row.mover != SAME
    return points


def _worth(
    play: Play, solution: Solution, row: Decision, judged: Judged, spent: float
) -> tuple[float, float]:
    """Return what the match is worth to the player after a decision, and what was gained so far."""
    gain = float(row.gain)
    if play.game.players == 1 or row.who == YOU:
        return judged.after + spent, spent + gain
    seat = narration.your_seat(row, play.game.players)
    return worth_at(solution, play.game.read(row.after), seat) + spent - gain, spent - gain


def _point(play: Play, row: Decision, value: float) -> JsonObject:
    game, seat = play.game, narration.your_seat(row, play.game.players)
    return {
        "ply": row.ply,
        "value": value,
        "share": coach.share(game, value),
        "who": row.who,
        "notation": narration.notation(game, game.read(row.after), seat),
        "move": row.move,
        "dice": list(row.faces),
    }


def _happened(play: Play, row: Decision, name: str | None) -> str:
    """Return what happened, to who played or to somebody who is told their name."""
    if name is not None:
        return narration.reported(play.game, row, play.names, name)
    return str(narration.event(play.game, row, play.names)["text"])


def _told(play: Play, row: Decision, judged: Judged, whole: float, name: str | None) -> JsonObject:
    """Return how good a decision was and how lucky the throw after it."""
    game, at = play.game, narration.told_at(play.game, judged.step.at)
    mark = judged.mark(whole)
    return {
        "label": game.label(at, row.move),
        "cost": judged.cost,
        "luck": judged.luck,
        "unforced": judged.unforced,
        "mark": mark if judged.unforced else None,
        "luck_mark": marks.luck_mark(judged.luck / whole),
        "best": list(judged.best),
        "sentence": _sentence(play, row, judged, mark, name),
    }


def _sentence(play: Play, row: Decision, judged: Judged, mark: str, name: str | None) -> str:
    """Return what a decision should have been, and what it cost, as of the past."""
    game, at = play.game, narration.told_at(play.game, judged.step.at)
    if not judged.unforced:
        return tr("There was nothing to choose.")
    if mark == marks.BEST:
        more = len(judged.best) > 1
        return tr("One of the best moves there were.") if more else tr("The best move there was.")
    best = tr(" or ").join(game.spoken(at, move) for move in judged.best[: coach.MOST_NAMED])
    told = {"best": best, "done": game.spoken(at, row.move), "cost": per_cent(game, judged.cost)}
    if row.who != YOU:
        return tr("Best was to {best}; to {done} cost {cost}.", **told)
    if name is None:
        return tr("Best was to {best}; to {done} cost you {cost}.", **told)
    return tr("Best was to {best}; to {done} cost {name} {cost}.", name=name, **told)


def _play_on(play: Play, row: Decision) -> JsonObject | None:
    """Return what it takes to play on from a decision against perfect play; None of a third one."""
    if row.who not in (YOU, OPPONENT) or (row.who != YOU and play.game.players > 2):
        return None
    return {"start": row.position, "starts": "me" if row.who == YOU else "opponent"}


def against(play: Play, reply: Solution, rows: Sequence[Decision]) -> list[float | None]:
    """Return what the match was worth against one opponent, at the start and after each decision.

    It is not known where the other player, or one of several, has thrown and is to choose.
    """
    game, first = play.game, play.standing([])
    values = [_met(reply, first.at, first.seat)]
    spent = 0.0  # gained so far, less what the other did
    for row in rows:
        if game.is_simultaneous and row.who == OPPONENT:
            continue
        spent += float(row.gain) if row.who == YOU else -float(row.gain)
        at, seat = game.read(row.after), narration.your_seat(row, game.players)
        if narration.outcome(game, at, seat) is not None:
            values.append(worth_at(reply, at, seat) + spent)
        else:
            met = _met(reply, at, seat)
            values.append(None if met is None else met + spent)
    return values


def _met(reply: Solution, at: Position | Moment, seat: int) -> float | None:
    """Return what a position is worth to who replies, sitting so many seats after who moves."""
    if seat == 0:
        return float(reply.value_at(at))
    if isinstance(at, Moment) or not isinstance(reply, TableSolution) or reply.replies is None:
        return None
    return float(reply.replies[0][reply.table.number(at)])


def _board(play: Play, row: Decision, judged: Judged, turns: int, name: str | None) -> JsonObject:
    """Return the position of a decision as the player saw it, to be drawn.

    Its words speak to the player; somebody else gets its notation.
    """
    decided = judged.step.at
    if row.who == YOU:
        told = play.position(Standing(decided, 0, row.ply, turns, None))
    else:
        seat = -narration.seat_of(row.who) % play.game.players
        told = narration.where(play.game, decided, seat, False, play.names)
    return told if name is None else {**told, "words": told["notation"]}


def _parts(play: Play, row: Decision, judged: Judged, past: Sequence[Done]) -> list[JsonObject]:
    """Return what lay on the table when somebody decided, as the player saw it."""
    seat = -narration.seat_of(row.who) % play.game.players
    return narration.board(play.game, judged.step.at, seat, past, play.names)


def mistakes(points: Sequence[JsonObject]) -> list[JsonObject]:
    """Return the player's decisions that were not best, the costliest first."""
    found = [
        {
            "ply": point["ply"],
            "place": place,
            "position": {**point["before"], "board": []},  # which the walk has
            **{name: point[name] for name in ("move", "label", "best", "cost", "mark", "sentence")},
            "slip": point["mark"] == marks.FINE,
            "dice_then": point["dice"],
        }
        for place, point in enumerate(points)
        if point["who"] == YOU and point["mark"] not in (None, marks.BEST)
    ]
    return sorted(found, key=lambda one: -one["cost"])
