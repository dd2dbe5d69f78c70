"""Boards: a game of two scores as two maps, what each position is worth and how many dice to throw.

The study of Dice Battle calls them EG(i, j) and OPT(i, j); that of Greed, rating and n, once for
ordinary turns and once for the last. Rows are the score of the player about to move, columns the
other's.
"""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass
from typing import Any

import numpy as np

from dicelab.games.greed import LAST, NORMAL
from dicelab.games.greed.solver import GreedSolution
from dicelab.rules import HouseRules
from dicelab.verbs.at_once import SimultaneousSolution
from dicelab.verbs.solution import Solution


@dataclass(frozen=True, eq=False)
class Board:
    """One map of a game: values and dice by both scores; nan where play never comes."""

    name: str  # how its files are called
    title: str  # which turns it is about; empty where it is about all
    shown: str  # what the dice are: those to throw, or the likeliest of a mixture
    values: Any  # [mine, yours] floats, or rationals in exact mode
    dice: Any  # [mine, yours]
    mixes: Any = None  # [mine, yours] whether play mixes several numbers of dice; None: nowhere

    @property
    def numbers(self) -> Any:
        """The dice as whole numbers, for a file."""
        return np.array([[d if d != d else int(d) for d in row] for row in self.dice], object)


def has_boards(solution: Solution) -> bool:
    """Return whether a solution is a map over two scores with numbers of dice as moves."""
    if isinstance(solution, GreedSolution):
        return True
    table = solution.table
    if isinstance(table.game, HouseRules):
        return False
    fields = getattr(type(table.game.start()), "_fields", ())
    return fields == ("mine", "yours") and all(move.startswith("throw ") for move in table.moves)


def boards(solution: Solution) -> list[Board]:
    """Return the maps of a solution."""
    if isinstance(solution, GreedSolution):
        return _of_greed(solution)
    table = solution.table
    here = np.flatnonzero(table.is_ongoing)
    at = table.positions(here)
    size = int(max(at.mine.max(), at.yours.max())) + 1
    kind = object if solution.exact else np.float64
    values, dice = np.full((size, size), np.nan, kind), np.full((size, size), np.nan)
    values[at.mine, at.yours] = solution.values[here]
    numbers = np.array([int(move.removeprefix("throw ")) for move in table.moves])
    if solution.plan.is_mixed:
        weights = solution.plan.weights(exact=False).reshape(here.size, len(table.moves))
        shown = weights.argmax(axis=1)
        what = "the likeliest number of dice"
        mixes = np.zeros((size, size), bool)
        mixes[at.mine, at.yours] = (weights > 0).sum(axis=1) > 1
    else:
        mixes = None
        shown = table.move[solution.plan.choice[here]]
        what = "dice to throw"
    dice[at.mine, at.yours] = numbers[shown]
    assert isinstance(solution, SimultaneousSolution) or not solution.plan.is_mixed
    return [Board("board", "", what, values, dice, mixes)]


def _of_greed(solution: GreedSolution) -> list[Board]:
    found = []
    seats = len(solution.ratings[0])
    for stage, title in ((NORMAL, ": ordinary turns"), (LAST, ": the last turn")):
        for seat, ratings in enumerate(solution.ratings[stage]):
            middle = ratings.lower
            if not solution.exact:
                middle = np.clip((ratings.lower + ratings.upper) / 2, 0.0, 1.0)
            who = "" if seats == 1 else " of the second player" if seat else " of the first player"
            name = ("normal" if stage == NORMAL else "last") + ("-second" if seat else "")
            dice = ratings.dice.astype(float)
            found.append(Board(name, title + who, "dice to throw", middle, dice))
    return found


def as_csv(table: Any) -> str:
    """Return a map as CSV: a row for each score of mine, a column for each of yours."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["mine \\ yours", *range(table.shape[1])])
    for mine, row in enumerate(table.tolist()):
        # What is not a number is a position that play never comes to.
        writer.writerow([mine, *("" if entry != entry else str(entry) for entry in row)])
    return text.getvalue()
