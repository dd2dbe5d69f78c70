"""The sections of a report: what each has to tell, as numbers with their bounds."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dicelab.core.arrays import Floats
from dicelab.core.json_object import JsonObject
from dicelab.verbs.course import ByTurn
from dicelab.verbs.numbers import Number
from dicelab.verbs.points_law import PointsLaw
from dicelab.verbs.skill import Ladder, Spread


@dataclass(frozen=True)
class Refused:
    """A section that cannot be had, and why."""

    sentence: str

    def as_dict(self) -> JsonObject:
        """Return what a program wants to know."""
        return {"refused": self.sentence}


@dataclass(frozen=True, eq=False)
class Size:
    """How large a game is."""

    positions: int
    is_counted: bool  # or estimated by the rules
    moves: int | None  # over all positions
    outcomes: int | None  # over all moves
    component: int | None  # the most positions that can all reach one another
    choices: dict[int, int]  # how many positions have so many moves
    visited: int | None  # positions that best play comes to

    def as_dict(self) -> JsonObject:
        """Return what a program wants to know."""
        return {
            "positions": self.positions,
            "counted": self.is_counted,
            "moves": self.moves,
            "outcomes": self.outcomes,
            "largest_component": self.component,
            "positions_by_choices": {str(count): many for count, many in self.choices.items()},
            "visited_by_best_play": self.visited,
        }


@dataclass(frozen=True, eq=False)
class Worth:
    """What best play is worth, and to whom."""

    value: Number
    advantage: Number | None  # between two: going first less going second
    seats: tuple[Number, ...]  # what each player gets, first player first
    spread: Number | None  # between the best and the worst seat
    temptation: float | None  # with three and more: what anybody could gain by changing
    points: PointsLaw | None = None  # how likely each number of points is, of a game for points

    def as_dict(self) -> JsonObject:
        """Return what a program wants to know."""
        told: JsonObject = {"value": self.value.as_dict()}
        told |= {"advantage": self.advantage.as_dict()} if self.advantage else {}
        told |= {"seats": [each.as_dict() for each in self.seats]} if self.seats else {}
        told |= {"spread_between_seats": self.spread.as_dict()} if self.spread else {}
        return told | ({} if self.temptation is None else {"temptation": self.temptation})


@dataclass(frozen=True, eq=False)
class Length:
    """How long a game lasts when all play best."""

    turns: Number
    moves: Number | None
    throws: Number | None
    law: Floats  # [turns] the chance that it ends in its 1st, 2nd, ... turn
    quantiles: dict[int, int | None]  # the turn by which so many of 100 games have ended

    def as_dict(self) -> JsonObject:
        """Return what a program wants to know."""
        told: JsonObject = {"turns": self.turns.as_dict()}
        told |= {"moves": self.moves.as_dict()} if self.moves else {}
        told |= {"throws": self.throws.as_dict()} if self.throws else {}
        quantiles = {str(share): turn for share, turn in self.quantiles.items()}
        return told | {"quantiles": quantiles, "law": self.law.tolist()}


@dataclass(frozen=True, eq=False)
class Endings:
    """How games of best play end, when the first player begins."""

    wins: tuple[Number, ...]  # by seat; alone, the chance to make it
    draws: Number
    never_ends: Number

    def as_dict(self) -> JsonObject:
        """Return what a program wants to know."""
        told: JsonObject = {"wins": [each.as_dict() for each in self.wins]}
        return told | {"draws": self.draws.as_dict(), "never_ends": self.never_ends.as_dict()}


@dataclass(frozen=True, eq=False)
class Skill:
    """How much is skill."""

    ladder: Ladder
    spread: Spread | Refused
    decisions: Number | None  # of a game, where some move is worse
    mistake: Number | None  # what a wrong one costs on average

    def as_dict(self) -> JsonObject:
        """Return what a program wants to know."""
        left = dict(self.ladder.left_out)
        told: JsonObject = {"ladder": [rung.as_dict() for rung in self.ladder.rungs]}
        told |= {"left_out": left, "spread": self.spread.as_dict()}
        told |= {"decisions": self.decisions.as_dict()} if self.decisions else {}
        return told | ({"average_mistake": self.mistake.as_dict()} if self.mistake else {})


@dataclass(frozen=True, eq=False)
class Lead:
    """Who leads, and how early a game is decided."""

    changes: Number | None  # of the lead in a game; None alone
    decided: dict[float, tuple[Number, Number]]  # turns until so much is expected, and upsets
    variance: Number  # of the first player's result
    by_turn: ByTurn
    step: str  # what the curves go by: turns, or moves

    @property
    def half_settled(self) -> int:
        """The turn in which half of the spread of results has come about."""
        return int(np.searchsorted(self.by_turn.settled, 0.5 - 1e-12)) + 1

    def as_dict(self) -> JsonObject:
        """Return what a program wants to know."""
        told: JsonObject = {"variance": self.variance.as_dict(), "by": self.step}
        told |= {"lead_changes": self.changes.as_dict()} if self.changes else {}
        told["decided"] = [
            {"share": share, "turns": turns.as_dict(), "upsets": upsets.as_dict()}
            for share, (turns, upsets) in self.decided.items()
        ]
        curves = self.by_turn
        return told | {
            "half_settled": self.half_settled,
            "leader_expects": curves.leader.tolist(),
            "settled": curves.settled.tolist(),
            "unfinished": curves.unfinished,
            "error": curves.error,
        }
