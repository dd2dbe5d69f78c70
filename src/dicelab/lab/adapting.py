"""People as opponents: a fit of somebody's games, and the opponent that adapts to you.

A person is settled as a model with its numbers when the match begins: a model that the game brings,
or one who feels what moves are worth, with some precision.
"""

from __future__ import annotations

import math
from typing import Any

from dicelab.core.json_object import JsonObject
from dicelab.core.language import Later, number, tr, trn
from dicelab.core.worker_process import Report
from dicelab.errors import RecordError
from dicelab.lab.narration import ME, YOU
from dicelab.lab.records import own_rows, record_of
from dicelab.lab.solving import Solving
from dicelab.lab.store import Player, Store
from dicelab.people.adaptive import Guarded, guarded_reply
from dicelab.people.decisions import decisions_of
from dicelab.people.evidence import asked_evidence
from dicelab.people.fit import Fit, evidence_of, fit
from dicelab.people.forms import evidence_in
from dicelab.people.models import models as own_models
from dicelab.people.models import plan_of, usual_model
from dicelab.rules import LOSS, WIN, Game
from dicelab.rules.sentences import said_by
from dicelab.strategies.plan import Plan
from dicelab.table import Table
from dicelab.verbs.solution import Solution
from dicelab.verbs.solve import on_table


def settled(
    store: Store,
    solving: Solving,
    player: Player,
    game: Game,
    asked: JsonObject,
    wait: float,
) -> JsonObject:
    """Return a person, or one that adapts to the player, with the numbers it plays by."""
    if asked["kind"] == "person":
        record = asked.get("record") or ME
        if record == ME:
            found = own_fit(store, solving, player, game, wait)
            if found is None:
                raise RecordError(
                    tr(
                        "there is no game of {game} of yours to learn from: play one to its end",
                        game=game,
                    )
                )
            name = player.name
        else:
            name = asked.get("player") or ""
            found = imported_fit(store, solving, record, name, game, wait)
        return {
            "kind": "person",
            "record": record,
            "player": name,
            "model": found.model.name,
            "numbers": list(found.numbers),
            "says": sentence(game, found, own=True),
        }
    found = own_fit(store, solving, player, game, wait)
    says = tr("I have not seen you play this yet, so I play my best.")
    if found is not None:
        seen = trn(
            "I have watched {n} game of yours.", "I have watched {n} games of yours.", found.games
        )
        says = f"{seen} {sentence(game, found)}"
    opponent = {
        "kind": "adaptive",
        "margin": asked["margin"],
        "model": None if found is None else found.model.name,
        "numbers": None if found is None else list(found.numbers),
        "says": says,
    }
    if found is not None:
        reply(solving, game, opponent, wait)  # worked out before the match begins
    return opponent


def own_fit(store: Store, solving: Solving, player: Player, game: Game, wait: float) -> Fit | None:
    """Return how a player plays a game, by all they have finished of it; None if nothing."""
    finished = len(store.matches(player.number, str(game), True, counted=True))
    if not finished:
        return None
    solution = solving.solution(game, wait)

    def make(report: Report) -> Fit | None:
        rows = own_rows(store, player.number, str(game))
        return solving.apart(report, fit_of, game, solution, rows) if rows else None

    key = ("fit", str(game), player.number, finished)
    found: Fit | None = solving.shelf.get(
        key, Later("fitting your games of {game}", game=game), make, wait
    )
    return found


def fit_of(
    game: Game, solution: Solution, rows: list[tuple[str, ...]], report: Report
) -> Fit | None:
    """Return the fit of the player called YOU in rows of decisions."""
    model = usual_model(solution)
    try:
        if own_models(game):
            record = decisions_of(solution.table, rows)
            return fit(model, evidence_of(record, YOU), prior=True)
        mine = [(int(row[0]), game.read(row[3]), row[4]) for row in rows if row[2] == YOU]
        return fit(model, asked_evidence(solution, mine), prior=True)
    except RecordError:  # nothing was ever decided
        return None


def imported_fit(
    store: Store, solving: Solving, record: str, player: str, game: Game, wait: float
) -> Fit:
    """Return how somebody in an imported record plays."""
    brought = record_of(store, record)
    if brought.game != game:
        raise RecordError(
            tr(
                "record {record} is about {other}: it cannot play {game}",
                record=repr(record),
                other=brought.game,
                game=game,
            )
        )
    known = brought.participants
    if player not in known:
        raise RecordError(
            tr(
                "nobody called {player} is in record {record}; there is participant 1 to {last}",
                player=repr(player[:40]),
                record=repr(record),
                last=len(known),
            )
        )
    solution = solving.solution(game, wait)

    def make(report: Report) -> Fit:
        return solving.apart(report, fit_in_record, brought.read(), known[player], solution)

    # A record that comes after one that was removed may get its number.
    key = ("fit", str(game), record, brought.added, player)
    found: Fit = solving.shelf.get(
        key, Later("fitting {player} at {game}", player=player, game=game), make, wait
    )
    return found


def fit_in_record(record: Any, player: str, solution: Solution, report: Report) -> Fit:
    """Return the fit of somebody in a record that was brought in."""
    return fit(usual_model(solution), evidence_in(record, player, solution.table), prior=True)


def reply(solving: Solving, game: Game, opponent: JsonObject, wait: float) -> Plan:
    """Return how one that adapts plays against a player with these numbers."""
    solution = solving.solution(game, wait)
    table = solving.table(game, wait)
    numbers, margin = opponent["numbers"], float(opponent["margin"])
    key = ("reply", str(table.game), tuple(numbers), margin)
    found: Guarded = solving.shelf.get(
        key,
        Later("adapting to you at {game}", game=table.game),
        lambda report: solving.apart(report, adapted, solution, table, numbers, margin),
        wait,
    )
    return found.plan


def adapted(
    solution: Solution, table: Table, numbers: list[float], margin: float, report: Report
) -> Guarded:
    """Return the reply to somebody with these numbers that risks no more than the margin."""
    solved = on_table(solution.on(table))
    person = plan_of(usual_model(solved), numbers, table)
    return guarded_reply(solved, person, margin, progress=report)


def sentence(game: Game, found: Fit, own: bool = False) -> str:
    """Return a person's style in a sentence, said to them; `own`: they say it of themselves."""
    numbers = found.numbers
    if found.model.name == "threshold":
        gap = max(1, round(int(game.parameters["target"]) / 5))
        target = int(game.parameters["target"])
        # Nobody holds with more at risk than wins the game.
        level, ahead, behind = (
            min(target, max(0.0, numbers[0] + numbers[1] * by)) for by in (0, -gap, gap)
        )
        points = {"level": f"{level:.0f}", "gap": gap}
        if min(level, ahead, behind) >= target:
            held = said_by(not own, "You roll until you win.", "I roll until I win.")
        elif abs(ahead - level) < 0.5 and abs(behind - level) < 0.5:
            held = said_by(
                not own,
                "You hold at about {level}, ahead or behind.",
                "I hold at about {level}, ahead or behind.",
                **points,
            )
        else:
            held = said_by(
                not own,
                "You hold at about {level} when level, {ahead} when {gap} ahead and {behind} when "
                "{gap} behind.",
                "I hold at about {level} when level, {ahead} when {gap} ahead and {behind} when "
                "{gap} behind.",
                ahead=f"{ahead:.0f}",
                behind=f"{behind:.0f}",
                **points,
            )
        if numbers[2] < 8:
            return held
        wavers = said_by(not own, "You waver a lot.", "I waver a lot.")
        return f"{held} {wavers}"
    cost = 1.0 if game.fewest else 0.02 * float(game.worth[WIN] - game.worth[LOSS])
    odds = math.exp(min(700.0, numbers[0] * cost))
    share = tr("{share} of what is at stake", share=number(0.02, ".0%"))
    return said_by(
        not own,
        "Between the best move and one that costs {cost}, you pick the worse one in {often} of "
        "100 cases.",
        "Between the best move and one that costs {cost}, I pick the worse one in {often} of "
        "100 cases.",
        cost=tr("a turn") if game.fewest else share,
        often=f"{100 / (1 + odds):.0f}",
    )
