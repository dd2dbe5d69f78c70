"""Mistakes and luck: what each decision cost, and what the dice gave.

Let v be the value of a position under best play and q the value of a move. At each decision

    cost = v(before) - q(move)          what the player gave away
    luck = v(after)  - q(move)          what the dice then gave, seen by the same player

and both are exact from the solved table. Everything cancels along a game, so for either player

    result - v(start) = my luck - my costs - (your luck - your costs).

The luck-adjusted result leaves the luck out: result - my luck + your luck. It is what the players'
decisions alone deserved. These are the numbers GNU Backgammon reports for its game. A decision is
unforced where the rules allow more than one move.

Among three and more values are those of the profile that was found, and what the dice give one they
take from the others, though not from all alike: the luck of every throw is counted for each seat.

Alone, there is no other player; where fewest is best, a cost is a number of turns too many.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

import numpy as np

from dicelab.core.arrays import Array, Ints, Numbers, Real
from dicelab.core.csv_cells import guarded
from dicelab.core.json_object import JsonObject
from dicelab.core.lazy import lazy
from dicelab.errors import RecordError
from dicelab.people import marks
from dicelab.people.decisions import Decisions, seats_on
from dicelab.people.game_review import Tally
from dicelab.table import Table
from dicelab.verbs.profile_solution import SeatedSolution
from dicelab.verbs.table_solution import TableSolution


@dataclass(frozen=True)
class Score:
    """How one player did in one game, or in all of them."""

    player: str
    game: str  # empty: over all games
    seat: int  # 1, 2, ...; 0 over all games
    decisions: int
    unforced: int
    mistakes: int  # decisions that are an inaccuracy or worse
    cost: Real  # in all
    luck: Real
    result: Real  # what the game brought; its value so far where it was broken off
    adjusted: Real  # the same without luck
    hung: float  # what the worst moves would have cost at the unforced decisions
    interval: tuple[float, float] | None  # of the luck-adjusted result, 95%
    marks: dict[str, int]  # how often a decision was best, fine and so on

    @property
    def accuracy(self) -> float | None:
        """The share kept of what hung on the unforced decisions; None where nothing did."""
        return marks.accuracy([float(self.cost)], [self.hung])

    @property
    def cost_per_unforced(self) -> float:
        """The average cost of an unforced decision; 0 where there was none."""
        return float(self.cost) / self.unforced if self.unforced else 0.0


@dataclass(frozen=True, eq=False)
class Review:
    """Costs and luck of every decision of a record, in the unit of the game."""

    record: Decisions
    solution: TableSolution
    cost: Array  # [decisions]
    luck: Array  # [decisions]
    unforced: Array  # [decisions]
    worst: Array  # [decisions] what the worst move would have cost
    error: float  # each cost and each luck is within this
    lucks: Array | None = None  # [seats, decisions] what the dice gave each of three and more

    @property
    def scores(self) -> list[Score]:
        """One line per game and player."""
        record, lines = self.record, []
        costs, worst, graded = self.cost.astype(float), self.worst.astype(float), self.marks
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
                if self.lucks is not None:
                    adjusted = result - self.lucks[seat, here].sum()
                unforced = mine & self.unforced[here]
                counts = marks.counted(graded[here][unforced].tolist())
                lines.append(
                    Score(
                        record.players[number][seat],
                        name,
                        seat + 1,
                        int(mine.sum()),
                        int(unforced.sum()),
                        marks.errors(counts),
                        self._plain(cost),
                        self._plain(luck),
                        self._plain(result),
                        self._plain(adjusted),
                        float(worst[here][unforced].sum()),
                        marks.interval(self.solution.game, float(adjusted), costs[here].tolist())
                        if len(sums) <= 2
                        else None,
                        counts,
                    )
                )
        return lines

    @property
    def is_mistake(self) -> Array:
        """Whether a decision surely cost something. `[decisions]`"""
        return self.cost > 2 * self.error

    @lazy
    def marks(self) -> Array:
        """How good each decision was, in a word; see `marks`. `[decisions]`"""
        shares = self.cost.astype(float) / marks.at_stake(self.solution)
        levels = np.array([least for _, least in marks.COSTS[1:]])
        words = np.array([word for word, _ in marks.COSTS[1:]], object)
        found = words[np.searchsorted(levels, shares, side="right") - 1]
        return np.where(self.is_mistake & self.unforced, found, marks.BEST)

    @property
    def players(self) -> list[Score]:
        """One line per player over all games; results are averages per game."""
        lines = []
        for player, own in by_player(self.scores).items():
            sums = {
                field: sum(getattr(score, field) for score in own)
                for field in ("decisions", "unforced", "mistakes", "cost", "luck", "hung")
            }
            given = [score.marks for score in own]
            counts = {mark: sum(each[mark] for each in given) for mark in given[0]}
            between = marks.interval_of_mean(
                self.solution.game, [float(score.adjusted) for score in own]
            )
            mean = {
                field: sum(getattr(score, field) for score in own) / len(own)
                for field in ("result", "adjusted")
            }
            lines.append(
                Score(
                    player=player,
                    game="",
                    seat=0,
                    interval=between,
                    marks=counts,
                    **sums,
                    **mean,
                )
            )
        return lines

    @property
    def _sign(self) -> int:
        return -1 if self.solution.game.fewest else 1

    def _plain(self, number: Real) -> Real:
        return number if self.solution.exact else float(number)

    def start_value(self, number: int) -> Real:
        """Return what a game was worth to who began it."""
        record = self.record
        return self._plain(self.solution.values[record.number[record.first[number]]])

    def _result(self, begin: int, end: int, seat: int) -> Real:
        """Return what the game brought one seat, everything gained on the way included."""
        record, solution = self.record, self.solution
        last = int(record.after[end - 1])
        if isinstance(solution, SeatedSolution):
            players = solution.game.players
            mover = int(record.seat[end - 1] + record.seats_on[end - 1]) % players
            found: Real = solution.seats[0][(seat - mover) % players, last]
            return found
        value = solution.values[last]
        gains = _gains(solution, record.outcome[begin:end])
        if solution.game.players == 1:
            return value + gains.sum()
        gained = np.where(record.seat[begin:end] == seat, gains, -gains).sum()
        mover = int(record.seat[end - 1]) ^ int(record.passes[end - 1])
        total = solution.game.total if solution.exact else float(solution.game.total)
        return (value if mover == seat else total - value) + gained

    def as_dict(self, worst: int) -> JsonObject:
        """Return the scores by game and by player, and the costliest decisions."""
        return {
            "bounds": False,
            "scores": [_score(score) for score in self.scores],
            "players": [_score(score) for score in self.players],
            "worst": [self._mistake(int(i)) for i in costliest(self.cost, self.error, worst)],
            "left_out": [],
        }

    def _mistake(self, i: int) -> JsonObject:
        record, table = self.record, self.record.table
        at = int(record.number[i])
        return {
            "game": record.names[record.game[i]],
            "player": record.players[record.game[i]][record.seat[i]],
            "position": table.notation(at),
            "move": table.moves[table.move[record.row[i]]],
            "best": self.solution.best_moves(table.position(at)),
            "cost": float(self.cost[i]),
            "mark": str(self.marks[i]),
        }

    def told(self, answer: JsonObject, most: int) -> tuple[list[str], list[list[str]]]:
        """Return the scores as a table for people."""
        columns = ["game", "player", "unforced", "mistakes", "accuracy", "cost", "each"]
        rows = [
            [
                score.get("game", "all"),
                score["player"],
                str(score["unforced"]),
                str(score["mistakes"]),
                "-" if score["accuracy"] is None else f"{100 * score['accuracy']:.1f}%",
                f"{score['cost']:z.4f}",
                f"{score['cost_per_unforced']:z.5f}",
                f"{score['luck']:+.4f}",
                f"{score['result']:.3f}",
                f"{score['luck_adjusted']:.3f}",
            ]
            for score in [*answer["scores"][:most], *answer["players"][:most]]
        ]
        return [*columns, "luck", "result", "no luck"], rows

    def remarks(self, answer: JsonObject) -> list[str]:
        """Return what the columns mean, and the costliest decisions in words."""
        return [
            "accuracy: the share kept of what hung on the unforced decisions; each: cost per "
            "unforced decision; no luck: the luck-adjusted result",
            *costly_in_words(answer["worst"], 4),
        ]

    def rows(self) -> Iterator[Sequence[object]]:
        """Yield every decision as cells, the headings first."""
        record, table = self.record, self.record.table
        yield "game", "player", "position", "move", "after", "unforced", "cost", "luck"
        for i in range(len(record)):
            game, seat = int(record.game[i]), int(record.seat[i])
            yield (
                guarded(record.names[game]),
                guarded(record.players[game][seat]),
                table.notation(int(record.number[i])),
                table.moves[table.move[record.row[i]]],
                table.notation(int(record.after[i])),
                "yes" if self.unforced[i] else "no",
                float(self.cost[i]),
                float(self.luck[i]),
            )


def costliest(cost: Array, error: float, most: int) -> Ints:
    """Return which of some costs are the largest that surely are no rounding, largest first."""
    cost = np.asarray(cost, float)
    order = np.argsort(-cost, kind="stable")[:most]
    return order[cost[order] > 2 * error]


class Whose(Protocol):
    """A line of a table: about one player, in one game or in all."""

    @property
    def player(self) -> str:
        """Whose line it is."""

    @property
    def game(self) -> str:
        """The game; empty where it is about all."""

    @property
    def seat(self) -> int:
        """1 or 2; 0 over all games."""


def whose(line: Whose) -> JsonObject:
    """Return whose line of a table it is, and of which game where it is of one."""
    game = {"game": line.game, "seat": line.seat} if line.seat else {}
    return {"player": line.player, **game}


def _score(score: Score) -> JsonObject:
    return {**whose(score), **numbers_of(score)}


def costly_in_words(worst: Iterable[JsonObject], digits: int) -> list[str]:
    """Return the costliest decisions in words."""
    return [
        f"game {one['game']}, {one['player']} at {one['position']}: {one['move']} "
        f"costs {one['cost']:.{digits}f}; best is to {' or '.join(one['best'])}"
        for one in worst
    ]


def numbers_of(score: Score | Tally) -> JsonObject:
    """Return how somebody did, as plain numbers and words."""
    return {
        "decisions": score.decisions,
        "unforced": score.unforced,
        "mistakes": score.mistakes,
        "cost": float(score.cost),
        "cost_per_unforced": score.cost_per_unforced,
        "luck": float(score.luck),
        "result": float(score.result),
        "luck_adjusted": None if score.adjusted is None else float(score.adjusted),
        "interval": None if score.interval is None else list(score.interval),
        "accuracy": score.accuracy,
        "marks": dict(score.marks),
    }


Line = TypeVar("Line", bound=Whose)


def by_player(lines: list[Line]) -> dict[str, list[Line]]:
    """Return the lines of each player, in the order of their first ones."""
    found: dict[str, list[Line]] = {}
    for line in lines:
        found.setdefault(line.player, []).append(line)
    return found


def _gains(solution: TableSolution, outcomes: Ints) -> Numbers:
    table, exact = solution.table, solution.exact
    if not table.has_gains:
        return np.zeros(len(outcomes), object if exact else float)
    gains = np.array(table.gains, object if exact else float)
    return gains[table.kind[outcomes]]


def review(record: Decisions, solution: TableSolution) -> Review:
    """Return what each decision cost and what the dice gave, from the solved game."""
    solution = solution.on(record.table)
    same_table(record.table, solution)
    table, game = record.table, solution.game
    before = solution.values[record.number]
    chosen = solution.row_values[record.row]
    after = solution.values[record.after]
    lucks = None
    if isinstance(solution, SeatedSolution):
        after = solution.seats[0][-record.seats_on % game.players, record.after]
        lucks = _lucks(record, solution)
    if game.players == 2:
        total = game.total if solution.exact else float(game.total)
        after = np.where(record.passes, total - after, after)
    after = after + _gains(solution, record.outcome)
    sign = -1 if game.fewest else 1
    moves = np.diff(table.move_first)[record.number]
    error = 0.0 if solution.exact else float((solution.uppers - solution.lowers).max())
    cost, luck = sign * (before - chosen), sign * (after - chosen)
    ongoing = table.move_first[:-1][table.is_ongoing]
    least = np.zeros_like(solution.values)
    least[table.is_ongoing] = np.minimum.reduceat(sign * solution.row_values, ongoing)
    worst = np.maximum(cost, sign * before - least[record.number])
    return Review(record, solution, cost, luck, moves > 1, worst, error, lucks)


def _lucks(record: Decisions, solution: SeatedSolution) -> Numbers:
    """Return what the dice gave each of three and more at every decision. `[seats, decisions]`"""
    table, players, values = record.table, solution.game.players, solution.seats[0]
    on = seats_on(table, np.arange(table.target.size))
    by_kind = np.array(table.chances, object) if solution.exact else table.chance_floats
    chances = by_kind[table.kind]
    found = []
    for seat in range(players):
        away = (seat - record.seat) % players
        then = values[(away - record.seats_on) % players, record.after]
        mean = 0 * then
        for each in range(players):  # how far after the mover this seat sits
            here = away == each
            terms = chances * values[(each - on) % players, table.target]
            mean[here] = np.add.reduceat(terms, table.outcome_first[:-1])[record.row[here]]
        found.append(then - mean)
    return np.stack(found)


def same_table(table: Table, solution: TableSolution) -> None:
    """Refuse to review a record with the solution of another game."""
    if solution.table is not table:
        if solution.table.game != table.game:
            raise RecordError(
                f"a record of {table.game} cannot be reviewed with {solution.game}: solve that game"
            )
        # Compiling is deterministic, so two tables of one game number their positions alike.
        assert len(solution.table) == len(table)
