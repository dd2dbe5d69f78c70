"""Mistakes and luck: what each decision cost, and what the dice gave.

Let v be the value of a position under best play and q the value of a move. At each decision

    cost = v(before) - q(move)          what the player gave away
    luck = v(after)  - q(move)          what the dice then gave, seen by the same player

and both are exact from the solved table. Everything cancels along a game, so for either player

    result - v(start) = my luck - my costs - (your luck - your costs).

The luck-adjusted result leaves the luck out: result - my luck + your luck. It is what the players'
decisions alone deserved. These are the numbers GNU Backgammon reports for its game. A decision is
unforced where the rules allow more than one move.

Alone, there is no other player; where fewest is best, a cost is a number of turns too many.

From a tracker form the rolls are unknown. Then a turn's cost lies between a least and a most, over
all rolls that fit what was written down, and so does its luck.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np

from dicelab.errors import RecordError
from dicelab.games.pig.rules import HOLD, ROLL, PigPosition
from dicelab.people.decisions import Decisions
from dicelab.people.unrecorded_rolls import Turns
from dicelab.rules import ONGOING
from dicelab.verbs.solution import TableSolution

BLOCK = 8192
"""Turns that are looked at together."""


@dataclass(frozen=True)
class Score:
    """How one player did in one game, or in all of them."""

    player: str
    game: str  # empty: over all games
    seat: int  # 1 or 2; 0 over all games
    decisions: int
    unforced: int
    mistakes: int  # unforced decisions that cost something
    cost: Any  # in all
    luck: Any
    result: Any  # what the game brought; its value so far where it was broken off
    adjusted: Any  # the same without luck

    @property
    def cost_per_unforced(self) -> float:
        """The average cost of an unforced decision; 0 where there was none."""
        return float(self.cost) / self.unforced if self.unforced else 0.0


@dataclass(frozen=True, eq=False)
class Review:
    """Costs and luck of every decision of a record, in the unit of the game."""

    record: Decisions
    solution: TableSolution
    cost: Any  # [decisions]
    luck: Any  # [decisions]
    unforced: Any  # [decisions]
    error: float  # each cost and each luck is within this

    @property
    def scores(self) -> list[Score]:
        """One line per game and player."""
        record, lines, mistaken = self.record, [], self.is_mistake
        for number, name in enumerate(record.names):
            begin, end = int(record.first[number]), int(record.first[number + 1])
            here = slice(begin, end)
            seats = record.seat[here]
            sums = []
            for seat in range(self.solution.game.players):
                mine = seats == seat
                sums.append((self.cost[here][mine].sum(), self.luck[here][mine].sum(), mine))
            for seat, (cost, luck, mine) in enumerate(sums):
                if not record.players[number][seat]:
                    continue  # lost before the first move, and is not in the record
                result = self._result(begin, end, seat)
                theirs = sums[1 - seat][1] if len(sums) == 2 else 0
                adjusted = result - self._sign * luck + theirs
                unforced = mine & self.unforced[here]
                lines.append(
                    Score(
                        record.players[number][seat],
                        name,
                        seat + 1,
                        int(mine.sum()),
                        int(unforced.sum()),
                        int((unforced & mistaken[here]).sum()),
                        self._plain(cost),
                        self._plain(luck),
                        self._plain(result),
                        self._plain(adjusted),
                    )
                )
        return lines

    @property
    def is_mistake(self) -> Any:
        """Whether a decision surely cost something. `[decisions]`"""
        return self.cost > 2 * self.error

    @property
    def players(self) -> list[Score]:
        """One line per player over all games; results are averages per game."""
        lines = []
        for player, own in _by_player(self.scores).items():
            sums = {
                field: sum(getattr(score, field) for score in own)
                for field in ("decisions", "unforced", "mistakes", "cost", "luck")
            }
            mean = {
                field: sum(getattr(score, field) for score in own) / len(own)
                for field in ("result", "adjusted")
            }
            lines.append(Score(player=player, game="", seat=0, **sums, **mean))
        return lines

    @property
    def _sign(self) -> int:
        return -1 if self.solution.game.fewest else 1

    def _plain(self, number: Any) -> Any:
        return number if self.solution.exact else float(number)

    def start_value(self, number: int) -> Any:
        """Return what a game was worth to who began it."""
        record = self.record
        return self._plain(self.solution.values[record.number[record.first[number]]])

    def _result(self, begin: int, end: int, seat: int) -> Any:
        """Return what the game brought one seat, everything gained on the way included."""
        record, solution = self.record, self.solution
        last = int(record.after[end - 1])
        value = solution.values[last]
        if solution.game.players == 1:
            gains = _gains(solution, record.outcome[begin:end])
            return value + gains.sum()
        mover = int(record.seat[end - 1]) ^ int(record.passes[end - 1])
        total = solution.game.total if solution.exact else float(solution.game.total)
        return value if mover == seat else total - value

    def is_finished(self, number: int) -> bool:
        """Return whether a game was played to its end."""
        last = int(self.record.after[self.record.first[number + 1] - 1])
        return bool(self.record.table.result[last] != ONGOING)


_Line = TypeVar("_Line", "Score", "Bounds")


def _by_player(lines: list[_Line]) -> dict[str, list[_Line]]:
    """Return the lines of each player, in the order of their first ones."""
    found: dict[str, list[_Line]] = {}
    for line in lines:
        found.setdefault(line.player, []).append(line)
    return found


def _gains(solution: TableSolution, outcomes: Any) -> Any:
    table, exact = solution.table, solution.exact
    if not table.has_gains:
        return np.zeros(len(outcomes), object if exact else float)
    gains = np.array(table.gains, object if exact else float)
    return gains[table.kind[outcomes]]


def review(record: Decisions, solution: TableSolution) -> Review:
    """Return what each decision cost and what the dice gave, from the solved game."""
    _same_table(record.table, solution)
    table, game = record.table, solution.game
    before = solution.values[record.number]
    chosen = solution.row_values[record.row]
    after = solution.values[record.after]
    if game.players == 2:
        total = game.total if solution.exact else float(game.total)
        after = np.where(record.passes, total - after, after)
    else:
        after = after + _gains(solution, record.outcome)
    sign = -1 if game.fewest else 1
    moves = np.diff(table.move_first)[record.number]
    error = 0.0 if solution.exact else float((solution.uppers - solution.lowers).max())
    return Review(
        record, solution, sign * (before - chosen), sign * (after - chosen), moves > 1, error
    )


def _same_table(table: Any, solution: TableSolution) -> None:
    if solution.table is not table:
        if solution.table.game != table.game:
            raise RecordError(
                f"a record of {table.game} cannot be reviewed with {solution.game}: solve that game"
            )
        # Compiling is deterministic, so two tables of one game number their positions alike.
        assert len(solution.table) == len(table)


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
    least: Any  # [turns] the least the turn's decisions may have cost
    most: Any  # [turns] the most
    last: Any  # [turns] what holding cost, exactly; 0 where the turn was not held
    change: Any  # [turns] luck minus cost, exactly
    unforced: Any  # [turns] unforced decisions
    error: float

    @property
    def luck(self) -> tuple[Any, Any]:
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
        for player, own in _by_player(self.bounds).items():
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


def review_turns(turns: Turns, solution: TableSolution) -> TrackerReview:
    """Return bounds on what each turn cost, from the solved game.

    Turns are looked at a block at a time, so that memory does not grow with the record.
    """
    _same_table(turns.table, solution)
    blocks = []
    for begin in range(0, len(turns), BLOCK):
        blocks.append(_review_block(turns.pick(slice(begin, begin + BLOCK)), solution))
    least, most, last, change, unforced = (
        np.concatenate(column) for column in zip(*blocks, strict=True)
    )
    error = float((solution.uppers - solution.lowers).max())
    return TrackerReview(turns, solution, least, most, last, change, unforced, error)


def _review_block(turns: Turns, solution: TableSolution) -> tuple[Any, Any, Any, Any, Any]:
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
