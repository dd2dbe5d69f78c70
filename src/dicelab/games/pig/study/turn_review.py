"""What turns whose rolls nobody wrote down cost at least and at most, and what the dice gave.

From a tracker form the rolls are unknown. A turn's cost lies between a least and a most, over all
rolls that fit what was written down, and so does its luck.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from dicelab.core.arrays import Array
from dicelab.core.csv_cells import guarded_row
from dicelab.core.json_object import JsonObject
from dicelab.games.pig.rules import HOLD, ROLL, PigPosition
from dicelab.games.pig.study.study import some
from dicelab.games.pig.study.unrecorded_rolls import Turns
from dicelab.people.review import by_player, costliest, same_table, whose
from dicelab.verbs.table_solution import TableSolution

BLOCK = 8192
"""Turns that are looked at together."""


@dataclass(frozen=True)
class Bounds:
    """What a player's turns may have cost in one game, or in all, and how lucky they may have been.

    Each pair is a least and a most, over all rolls that fit the form.
    """

    player: str
    game: str  # empty: over all games
    seat: int  # 1 or 2; 0 over all games
    turns: int
    unforced: int
    cost: tuple[float, float]
    luck: tuple[float, float]
    result: float


@dataclass(frozen=True, eq=False)
class TrackerReview:
    """What the turns of tracker forms may have cost, over all rolls that fit them."""

    turns: Turns
    solution: TableSolution
    least: Array  # [turns] the least the turn's decisions may have cost
    most: Array  # [turns] the most
    last: Array  # [turns] what holding cost, exactly; 0 where the turn was not held
    change: Array  # [turns] luck minus cost, exactly
    unforced: Array  # [turns] unforced decisions
    error: float

    @property
    def luck(self) -> tuple[Array, Array]:
        """The least and the most luck each turn may have had."""
        return self.change + self.least, self.change + self.most

    @property
    def bounds(self) -> list[Bounds]:
        """One line per game and player."""
        turns, found = self.turns, []
        start, total = float(self.solution.value), float(self.solution.game.total)
        side = 2 * turns.game + turns.seat
        sides = 2 * len(turns.names)
        columns = (self.unforced, self.least, self.most, *self.luck, self.change)
        sums = [np.bincount(side, column, sides).tolist() for column in columns]
        unforced, least, most, low, high, change = sums
        count = np.bincount(side, minlength=sides).tolist()
        player = np.zeros(sides, int)
        player[side] = turns.player
        for place in range(sides):
            game, seat = divmod(place, 2)
            value = start if seat == 0 else total - start
            result = value + change[place] - change[place ^ 1]
            found.append(
                Bounds(
                    turns.players[player[place]],
                    turns.names[game],
                    seat + 1,
                    count[place],
                    int(unforced[place]),
                    (least[place], most[place]),
                    (low[place], high[place]),
                    round(result, 12) + 0.0,  # a won game is worth 1, not 1 - 1e-16
                )
            )
        return found

    @property
    def players(self) -> list[Bounds]:
        """One line per player over all games; the result is an average per game."""
        lines = []
        for player, own in by_player(self.bounds).items():
            cost, luck = (
                tuple(sum(getattr(one, field)[end] for one in own) for end in (0, 1))
                for field in ("cost", "luck")
            )
            turns, unforced = (
                sum(getattr(one, field) for one in own) for field in ("turns", "unforced")
            )
            result = sum(one.result for one in own) / len(own)
            lines.append(
                Bounds(
                    player, "", 0, turns, unforced, (cost[0], cost[1]), (luck[0], luck[1]), result
                )
            )
        return lines

    def as_dict(self, worst: int) -> JsonObject:
        """Return the scores by game and by player, and the costliest turns."""
        return {
            "bounds": True,
            "scores": [_bounds(one) for one in self.bounds],
            "players": [_bounds(one) for one in self.players],
            "worst": [self._turn(int(i)) for i in costliest(self.least, self.error, worst)],
            "left_out": list(self.turns.left_out),
        }

    def _turn(self, i: int) -> JsonObject:
        turns, (low, high) = self.turns, self.luck
        return {
            "game": turns.names[turns.game[i]],
            "player": turns.players[turns.player[i]],
            "turn": int(turns.turn[i]),
            "began": turns.began(i),
            "rolls": int(turns.rolls[i]),
            "banked": int(turns.banked[i]),
            "cost": [float(self.least[i]), float(self.most[i])],
            "luck": [float(low[i]), float(high[i])],
        }

    def told(self, answer: JsonObject, most: int) -> tuple[list[str], list[list[str]]]:
        """Return the scores as a table for people."""
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
            for line in answer["scores"][:most]
        ]
        return ["game", "player", "turns", "unforced", "cost", "luck", "result"], rows

    def remarks(self, answer: JsonObject) -> list[str]:
        """Return what the bounds mean, the costliest turns, and the games that are left out."""
        lines = ["the rolls are not in these forms: least and most over all that fit"]
        lines += [
            f"game {one['game']}, {one['player']}, turn {one['turn']} from {one['began']}: "
            f"{one['rolls']} rolls for {one['banked']} cost at least {one['cost'][0]:.4f}"
            for one in answer["worst"]
        ]
        if answer["left_out"]:
            lines.append(f"left out, one player's turns only: {some(answer['left_out'])}")
        return lines

    def rows(self) -> Iterator[Sequence[object]]:
        """Yield every turn as cells, the headings first."""
        bounds = ("cost_least", "cost_most", "luck_least", "luck_most")
        yield ("game", "player", "turn", "began", "rolls", "banked", *bounds)
        for i in range(len(self.turns)):
            *cells, cost, luck = self._turn(i).values()
            yield guarded_row([*cells, *cost, *luck])


def _bounds(one: Bounds) -> JsonObject:
    return {
        **whose(one),
        "turns": one.turns,
        "unforced": one.unforced,
        "cost": list(one.cost),
        "luck": list(one.luck),
        "result": one.result,
    }


def review_turns(turns: Turns, solution: TableSolution) -> TrackerReview:
    """Return bounds on what each turn cost, from the solved game.

    Turns are looked at a block at a time, so that memory does not grow with the record.
    """
    same_table(turns.table, solution)
    blocks = []
    for begin in range(0, len(turns), BLOCK):
        blocks.append(_review_block(turns.pick(slice(begin, begin + BLOCK)), solution))
    least, most, last, change, unforced = (
        np.concatenate(column) for column in zip(*blocks, strict=True)
    )
    error = float((solution.uppers - solution.lowers).max())
    return TrackerReview(turns, solution, least, most, last, change, unforced, error)


def _review_block(turns: Turns, solution: TableSolution) -> tuple[Array, ...]:
    """Return least, most, last, change and unforced of some turns, as `TrackerReview` has them."""
    values, row_values = solution.values, solution.row_values
    here = turns.numbers
    cost = {}
    for move in (ROLL, HOLD):
        rows = turns.rows(move)
        cost[move] = np.where(rows >= 0, values[here] - row_values[rows], np.inf)
    least, most = turns.extremes({move: np.where(np.isinf(c), 0.0, c) for move, c in cost.items()})
    every = np.arange(len(turns))
    held = ((turns.banked > 0) | (turns.rolls == 0)) & ~turns.wins
    last = np.where(held, cost[HOLD][every, turns.banked], 0.0)
    start = values[here[:, 0]]
    total = float(solution.game.total)
    nothing = np.zeros_like(turns.mine)
    bank = turns.mine + turns.banked
    then = turns.table.numbers(PigPosition(turns.yours, np.where(turns.wins, 0, bank), nothing))
    after = np.where(turns.wins, total, total - values[then])
    forced = 0 if turns.rules.passing else 1  # the first roll of a turn
    unforced = np.maximum(turns.rolls - forced, 0) + held
    return least, most, last, after - start, unforced
