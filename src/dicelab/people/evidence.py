"""Decisions as evidence, asked of a solution one position at a time; and the habit that costs most.

`fit` works on the rows of a table. Some solved games have no table at hand (Greed), or one without
outcomes (both throw at once). What a `Quantal` person feels is only what each move costs there, and
any solution can be asked for that.

The costs of a person's mistakes also say what to change. A mistake errs one way or the other (held
too early or rolled too long, too few dice or too many), and happens ahead, level or behind. The
pair that has cost most in all is the one change that would help most.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dicelab.core.arrays import Floats, Ints
from dicelab.core.language import mark, tr
from dicelab.errors import RecordError
from dicelab.people.fit import Evidence
from dicelab.people.game_review import Judged
from dicelab.people.models import Features, Model, log_chances
from dicelab.rules import Game, Moment, Position, before_throw
from dicelab.verbs.explain import per_cent
from dicelab.verbs.solution import Solution

AHEAD, LEVEL, BEHIND = "ahead", "level", "behind"
MORE, FEWER = "more", "fewer"
CHANGES = {
    "": mark("{change}: {habit} cost you {cost} per match."),
    AHEAD: mark("{change} when you are ahead: {habit} cost you {cost} per match."),
    LEVEL: mark("{change} when you are level: {habit} cost you {cost} per match."),
    BEHIND: mark("{change} when you are behind: {habit} cost you {cost} per match."),
}
NEAR = 0.05  # scores that differ by no more than this share of the larger goal are level


@dataclass(frozen=True, eq=False)
class AskedEvidence(Evidence):
    """Decisions, each with what every move there was worth below the best."""

    felt: Floats  # [moves] minus the cost of each move, position after position
    first: Ints  # [decisions] where each position's moves begin
    chosen: Ints  # [decisions] which of all the moves was made

    def features(self, model: Model) -> Features:
        """Return what every move is worth below the best."""
        return self.felt

    def log_likelihood(self, model: Model, features: Features, numbers: Sequence[float]) -> Floats:
        """Return the logarithm of the chance of each decision."""
        return log_chances(model.utilities(features, numbers), self.first)[self.chosen]


def asked_evidence(
    solution: Solution, decisions: Sequence[tuple[int, Position, str]]
) -> AskedEvidence:
    """Return evidence from decisions: the number of the game, the position and the move."""
    felt: list[float] = []
    first, chosen, games = [], [], []
    for game, at, move in decisions:
        moves = {one.move: float(one.cost) for one in solution.moves_at(at)}
        if move not in moves:
            moves[move] = float(solution.value_of(at, move).cost)
        if len(moves) < 2:
            continue  # nothing to decide, and nothing to learn from
        first.append(len(felt))
        chosen.append(len(felt) + list(moves).index(move))
        games.append(game)
        felt += [-cost for cost in moves.values()]
    if not first:
        raise RecordError(f"no decision in these games of {solution.game} left a choice")
    nothing: Any = None  # there is no record of rows: the solution was asked instead
    return AskedEvidence(
        nothing, np.array(games), np.array(felt), np.array(first), np.array(chosen)
    )


def standing(game: Game, at: Position) -> str:
    """Return whether the player about to move is ahead, level or behind, by the scores."""
    at = before_throw(at)
    if game.players == 1 or not {"mine", "yours"} <= set(getattr(at, "_fields", ())):
        return LEVEL
    _, goal = game.score_limit or ("", 1)
    told = game.counters(at)
    gap = told["mine"] - told["yours"]
    return LEVEL if abs(gap) <= NEAR * goal else AHEAD if gap > 0 else BEHIND


def faults(game: Game, judged: Sequence[Judged]) -> dict[str, float]:
    """Return what one player's mistakes cost, by which way they erred and how the game stood.

    A mistake throws more dice than was best, or fewer. Where both throw as many there is no way
    to name, and nothing is told; nor of what is chosen after a throw.
    """
    found: dict[str, float] = {}
    for one in judged:
        if isinstance(one.step.at, Moment):
            continue
        dice, wanted = game.dice_of(one.step.move), [game.dice_of(best) for best in one.best]
        if not (one.is_mistake and one.unforced) or dice in wanted:
            continue
        way = FEWER if min(wanted) < dice else MORE
        key = f"{way} {standing(game, one.step.at)}"
        found[key] = found.get(key, 0.0) + one.cost
    return found


@dataclass(frozen=True)
class Change:
    """The one change that would have helped most."""

    way: str  # "more" or "fewer" dice, or rolls
    where: str  # "ahead", "level" or "behind"
    gain: float  # what it would have saved per game
    sentence: str


def change(game: Game, costs: Mapping[str, float], games: int) -> Change | None:
    """Return the change that would have saved most, from what mistakes cost over some games."""
    if not costs or not games:
        return None
    key = max(costs, key=lambda one: costs[one])
    way, where = key.split()
    gain = costs[key] / games
    when = CHANGES["" if game.players == 1 else where]
    what, other = map(tr, game.habits[way])
    said = tr(when, change=what, habit=other, cost=per_cent(game, gain))
    return Change(way, where, gain, said)
