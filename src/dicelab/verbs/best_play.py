"""Best play of a game, and what every other move costs: what reports and rules of thumb look at.

Moments after throws are positions here, so that what is taken after a throw is a move like any
other. What a move costs is what it is worth less than the best one, everybody playing best from
then on. What a whole way to play costs follows: the sum of the costs of its moves, as often as it
comes to make them, is what it gets less than best play from the same opponent.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from dicelab.core.arrays import Bools, Floats, Ints
from dicelab.core.lazy import lazy
from dicelab.errors import RulesError
from dicelab.rules import Game
from dicelab.strategies.named import AnyStrategy, plan
from dicelab.strategies.plan import Plan
from dicelab.table import Table, written_out
from dicelab.table.at_once import PairTable
from dicelab.table.races import RaceTable
from dicelab.table.unfolded import plain_table
from dicelab.verbs.course import Course, course_of
from dicelab.verbs.density import density_on
from dicelab.verbs.engines import needs_no_table
from dicelab.verbs.numbers import Number, Numbers
from dicelab.verbs.seats import Rest, opposite
from dicelab.verbs.solve import on_table, solve
from dicelab.verbs.table_solution import TableSolution

MOST_POSITIONS = 10_000
"""Positions up to which a table is made of a game whose own engine needs none."""


@dataclass(frozen=True, eq=False)
class MoveUse:
    """How one move fares, over all positions where there is a choice."""

    move: str
    allowed: int  # positions where it is allowed, and another move too
    best: int  # those where it is best, or cannot be told from the best
    only: int  # those where it is the only best one
    played: float  # how often best play makes it in a game, where there is a choice

    @property
    def is_never_best(self) -> bool:
        """Whether another move is better wherever it is allowed."""
        return self.best == 0


@dataclass(frozen=True, eq=False)
class Turning:
    """A position where the choice matters: best and next best move."""

    position: str
    visits: float  # how often somebody comes there in a game of best play
    best: str
    next_best: str
    cost: float  # what the next best move costs there
    error: float  # of the cost

    @property
    def per_game(self) -> float:
        """What it would cost in a game to get this one position wrong."""
        return self.visits * self.cost


@dataclass(frozen=True, eq=False)
class BestPlay:
    """A game with its table and its solution, made once."""

    numbers: Numbers

    @property
    def game(self) -> Game:
        """The game."""
        return self.numbers.game

    @lazy
    def has_table(self) -> bool:
        """Whether a table of positions is made; else the game's own engine answers without one."""
        game = self.game
        known = bool(game.engine) and needs_no_table(game, "optimal")
        return not known or (game.size() or MOST_POSITIONS + 1) <= MOST_POSITIONS

    def refuse_without_table(self) -> None:
        """Refuse what takes a table of positions, where there is none."""
        if not self.has_table:
            raise RulesError(
                f"{self.game} has about {self.game.size():,} positions and no table of them: "
                f"ask about a smaller form"
            )

    @lazy
    def folded(self) -> Table:
        """The compiled game; a race at once with what follows each pair of moves."""
        table = self.numbers.table
        return written_out(table) if isinstance(table, RaceTable) else table

    @lazy
    def table(self) -> Table:
        """The same with every moment after a throw as a position."""
        return plain_table(self.folded)

    @lazy
    def solution(self) -> TableSolution:
        """Best play on that table."""
        if self.folded is not self.numbers.table or self.game.players > 2:
            return on_table(solve(self.table))
        return on_table(self.numbers.solution.on(self.folded)).on(self.table)

    @property
    def plan(self) -> Plan:
        """Best play, as a plan."""
        return self.solution.plan

    @lazy
    def folded_plan(self) -> Plan:
        """Best play, as a plan on the folded table, where meetings take less time."""
        if self.table is self.folded:
            return self.plan
        return plan(self.folded, self.plan)

    @property
    def others(self) -> Rest:
        """Who sits opposite of one player, on the folded table: best play by all."""
        return opposite((self.folded_plan,) * (self.game.players - 1))

    @lazy
    def course(self) -> Course:
        """The course of a game that all play best."""
        return course_of(self.folded, (self.folded_plan,) * self.game.players)

    # What moves cost

    @lazy
    def costs(self) -> Floats:
        """What each move costs against the best one of its position. `[rows]`"""
        sign = -1.0 if self.game.fewest else 1.0
        values = sign * np.asarray(self.solution.row_values, np.float64)
        best = np.maximum.reduceat(values, self.firsts)
        found: Floats = np.repeat(best, self.counts) - values
        found[self.is_best] = 0.0
        return found

    @lazy
    def cost_error(self) -> float:
        """How far a cost may be from the truth: twice as far as a value."""
        solution = self.solution
        here = np.isfinite(solution.values.astype(np.float64))
        width = (solution.uppers - solution.lowers)[here].astype(np.float64)
        return 2 * float(width.max(initial=0.0)) + 2.0**-48 * float(
            np.abs(solution.values[here].astype(np.float64)).max(initial=0.0)
        )

    @lazy
    def is_best(self) -> Bools:
        """Which moves are best, or cannot be told from the best. `[rows]`"""
        return np.asarray(self.solution.measures()[3], bool)

    @lazy
    def firsts(self) -> Ints:
        """The first row of every position where somebody moves. `[ongoing]`"""
        return self.table.move_first[:-1][self.table.is_ongoing]

    @lazy
    def counts(self) -> Ints:
        """How many moves there are at each of them. `[ongoing]`"""
        return np.diff(self.table.move_first)[self.table.is_ongoing]

    @lazy
    def visits(self) -> Floats:
        """How often best play comes to each position in a game, by seat. `[seats, positions]`

        Where it goes round for ever, that is the chance to come there.
        """
        return self._visits_of((self.plan,) * self.game.players)

    def visits_of(self, one: Plan) -> Floats:
        """Return how often a plan of the table comes to each position against best play.

        All seats are counted together. `[positions]`
        """
        seats, found = range(self.game.players), np.zeros(len(self.table))
        for seat in seats:
            plans = tuple(one if place == seat else self.plan for place in seats)
            found += self._visits_of(plans)[seat]
        return found

    def _visits_of(self, plans: tuple[Plan, ...]) -> Floats:
        found = density_on(self.table, plans[0], opposite(plans[1:]))
        return np.where(np.isinf(found.visits), found.at_most, found.visits)

    @lazy
    def is_choice(self) -> Bools:
        """Where there is more than one move. `[positions]`"""
        return np.asarray(np.diff(self.table.move_first) > 1)

    def per_position(self, rows: Floats) -> Floats:
        """Return the sums of something over the moves of each position. `[positions]`"""
        found = np.zeros(len(self.table))
        found[self.table.is_ongoing] = np.add.reduceat(rows, self.firsts)
        return found

    def moves(self) -> list[MoveUse]:
        """Return how each move fares where there is a choice, the most played first."""
        table, best = self.table, self.is_best
        several = self.per_position(best.astype(float)) > 1
        played = self.plan.weights(exact=False) * self.visits.sum(axis=0)[table.row_position]
        chosen = self.is_choice[table.row_position]
        found = []
        for number, move in enumerate(table.moves):
            rows = np.flatnonzero((table.move == number) & chosen)
            if rows.size:
                is_best = best[rows]
                alone = is_best & ~several[table.row_position[rows]]
                counts = int(rows.size), int(is_best.sum()), int(alone.sum())
                found.append(MoveUse(move, *counts, float(played[rows].sum())))
        return sorted(found, key=lambda each: -each.played)

    def turning_points(self, most: int = 10) -> list[Turning]:
        """Return the positions where a game has most to lose by the next best move."""
        table = self.table
        rows = np.where(self.is_best, np.inf, self.costs)
        gap = np.zeros(len(table))
        gap[table.is_ongoing] = np.minimum.reduceat(rows, self.firsts)
        tied = self.per_position(self.is_best.astype(float)) > 1
        gap[tied | ~np.isfinite(gap)] = 0.0
        visits = self.visits.sum(axis=0)
        stakes = visits * gap
        found = []
        for number in np.argsort(-stakes, kind="stable")[:most].tolist():
            if stakes[number] <= self.cost_error:
                break
            span = slice(int(table.move_first[number]), int(table.move_first[number + 1]))
            names = [table.moves[move] for move in table.move[span]]
            order = np.argsort(self.costs[span], kind="stable")
            found.append(
                Turning(
                    table.notation(number),
                    float(visits[number]),
                    names[order[0]],
                    names[order[1]],
                    float(gap[number]),
                    self.cost_error,
                )
            )
        return found

    # What ways to play cost

    def mistakes(self, strategy: AnyStrategy) -> tuple[Number, Number]:
        """Return mistakes in a game and their cost in all, against best play, seats taken in turn.

        The cost is what the strategy gets less than best play gets.
        """
        one, seats = plan(self.table, strategy), self.game.players
        weights = one.weights(exact=False)
        wrong = self.per_position(weights * ~self.is_best)
        costs = self.per_position(weights * self.costs)
        course = course_of(self.table, (one,) + (self.plan,) * (seats - 1))
        often, price = (by_node(course, self.table, each, 0) for each in (wrong, costs))
        count = course.sums(often, "mistakes", overall=True)
        return count, course.sums(price, self.solution.unit, often * self.cost_error, overall=True)

    def average_mistake(self) -> tuple[Number, Number]:
        """Return decisions of a game that can go wrong, and what a wrong one costs on average.

        All players play best; a wrong move is any that is worse, each as likely as the others.
        """
        worse = (~self.is_best).astype(float)
        count = self.per_position(worse)
        share = np.divide(1.0, count, out=np.zeros_like(count), where=count > 0)
        cost = self.per_position(self.costs) * share
        course = self.course if self.table is self.folded else None
        if course is None:
            course = course_of(self.table, (self.plan,) * self.game.players)
        can = (count > 0).astype(float)
        often = course.sums(by_node(course, self.table, can), "decisions")
        own = by_node(course, self.table, cost)
        total = course.sums(own, self.solution.unit, np.where(own > 0, self.cost_error, 0.0))
        return often, ratio(total, often, self.solution.unit)


def best_play(game: Game, memory: int | None = None) -> BestPlay:
    """Return a game with its best play."""
    return BestPlay(Numbers(game, memory=memory))


def by_node(course: Course, table: Table, per_position: Floats, seat: int | None = None) -> Floats:
    """Return what positions bring, at the nodes of a course where a player (or any) moves there."""
    chain = course.pairing.chain
    if isinstance(table, PairTable):
        steps = table.steps
        worth = np.zeros(len(steps))
        worth[steps.place] = per_position
        worth[steps.made] = per_position[table.mirror[table.row_position]]
        worth[~steps.is_ongoing] = 0.0
    else:
        worth = per_position
    found: Floats = worth[chain.position]
    return found if seat is None else np.where(chain.seat == seat, found, 0.0)


def ratio(top: Number, bottom: Number, unit: str) -> Number:
    """Return one number divided by another, with a bound where both have one."""
    if not bottom.value or top.value is None:
        return Number(0.0, 0.0, unit)
    if math.isinf(bottom.value):
        return Number(None, None, unit, refused="play may go on for ever")
    found = top.value / bottom.value
    if top.error is None or bottom.error is None or bottom.value <= bottom.error:
        return Number(found, None, unit)
    error = (top.error + abs(found) * bottom.error) / (bottom.value - bottom.error)
    return Number(found, error + 2.0**-51 * abs(found), unit)
