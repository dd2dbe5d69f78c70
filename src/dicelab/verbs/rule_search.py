"""The search for rules of thumb: they grow clause by clause, each worked out exactly once.

Which clause might help is read off how often play comes to each position and what a wrong move
costs there; then the most promising are worked out exactly, the numbers of the best are moved by
small steps for as long as that helps, and the order of promise is made anew from where that rule
itself leads. This is a beam search.
"""

from __future__ import annotations

import dataclasses
import hashlib
import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from dicelab.core.arrays import Floats, Ints
from dicelab.core.json_object import JsonObject
from dicelab.errors import RulesError
from dicelab.rounds.card_pars import Pars
from dicelab.strategies.plan import Plan
from dicelab.strategies.rule_text import Rule
from dicelab.verbs.density import visits_on
from dicelab.verbs.evaluate import evaluate
from dicelab.verbs.evaluation import Evaluation, SoloEvaluation
from dicelab.verbs.rule_board import (
    Candidate,
    Feature,
    Line,
    RuleBoard,
    count_numbers,
    digits,
    replaced,
)

MOST_SINGLES = 1_000
"""Rules with one limit of one field up to which all are worked out, beside the others."""

FOUND = "the best found"

BEAM = 3
"""Rules of each size that larger ones grow from."""

STEPS = (1, -1, 2, -2, 5, -5)
"""By how much the numbers of a rule are moved."""

MOVES = 4
"""Moves that a new clause may make: those that promise most."""

SLOPES = tuple(
    sign * part
    for part in (1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30, 40, 50)
    for sign in (1, -1)
)
"""By how much of a field a numbered move grows, or with a sign falls."""

NEGLIGIBLE = 0.003
"""The part of what is at stake whose positions may be left out of the promise of a rule."""


def refuse_budget(size: int | None, tries: int) -> None:
    """Refuse rules of less than no number, and a search that tries nothing."""
    if size is not None and size < 0:
        raise RulesError(f"a rule has 0 numbers or more: got {size}")
    if tries < 1:
        raise RulesError(f"at least one way to play is tried: got {tries}")


@dataclass(frozen=True)
class Distilled:
    """One rule, and what it is worth."""

    rule: Rule | Pars
    value: float  # what it gets, in the game's unit; between two, from both seats
    error: float
    cost: float  # what the optimum gets more against the same opponents
    proof: str  # what is known about better rules of its size

    @property
    def size(self) -> int:
        """How many numbers one has to remember."""
        return self.rule.size

    def as_dict(self) -> JsonObject:
        """Return what a program wants to know."""
        told: JsonObject = {"rule": str(self.rule), "strategy": self.rule.name, "size": self.size}
        told |= {"value": self.value, "error": self.error, "cost": self.cost}
        return told | {"proof": self.proof}


@dataclass(eq=False)
class RuleSearch:
    """A beam search for rules, each worked out exactly once."""

    board: RuleBoard
    opponents: tuple[Plan, ...]
    tries: int
    progress: Callable[[float], None] | None = None
    prove: bool = True
    known: dict[bytes, tuple[float, float]] = field(default_factory=dict)
    optimum: float = 0.0

    def __post_init__(self) -> None:
        self.optimum, _ = self.met(self.board.solution.plan)
        self.start = self.visits(self.board.solution.plan)
        self.limit = self.tries

    def met(self, played: Plan) -> tuple[float, float]:
        """Return what a plan gets on average, and how far that may be from the truth."""
        table = self.board.table
        if not self.opponents:
            found = evaluate(table, played)
            assert isinstance(found, SoloEvaluation)
            return float(found.value), found.error
        values, errors = [], []
        for other in self.opponents:
            pair = evaluate(table, played, other)
            assert isinstance(pair, Evaluation)
            values.append(float(pair.value))
            errors.append(pair.value_error)
        return sum(values) / len(values), max(errors)

    def cost_of(self, value: float) -> float:
        """Return what a value is short of the optimum."""
        return self.board.sign * (self.optimum - value)

    def cost(self, candidate: Candidate) -> float | None:
        """Return the exact cost of a candidate; None where no more may be tried."""
        key = self.key(candidate)
        if key not in self.known:
            if len(self.known) >= self.limit:
                return None
            self.known[key] = self.met(self.board.plan(candidate))
            if self.progress:
                self.progress(min(1.0, len(self.known) / self.tries))
        return self.cost_of(self.known[key][0])

    def key(self, candidate: Candidate) -> bytes:
        """Return what two candidates share only if they play alike."""
        places = self.board.decisions(candidate).astype(np.int16)
        return hashlib.blake2b(places.tobytes() + repr(candidate.take).encode()).digest()

    def visits(self, played: Plan) -> Floats:
        """Return how often a plan comes to each position, from both seats. `[positions]`"""
        table = self.board.table
        if not self.opponents:
            found = visits_on(table, played)[0]
        else:
            found = np.zeros(len(table))
            for other in self.opponents:
                found = found + visits_on(table, played, other)[0]
                found = found + visits_on(table, other, played)[1]
        return np.minimum(np.nan_to_num(found, posinf=1e6), 1e6)

    # The search

    def run(self, size: int) -> list[Distilled]:
        """Return the best rule of each size, those that are no better than a smaller left out."""
        moves = self.board.table.moves
        kept: dict[int, list[Candidate]] = {}
        proof: dict[int, str] = {}
        found: list[Distilled] = []
        for numbers in range(size + 1):
            share = math.ceil(self.tries * (numbers + 1) / (size + 1))
            self.limit = max(len(self.known), share)
            first = self.beginnings(numbers)
            if numbers == 0:
                proof[0] = self.all_of(first, "with one move")
            if numbers == 1 and self.prove:
                proof[1] = self.all_of_one()
                first += self.singles if proof[1] != FOUND else []
            smaller = [each for fewer in kept.values() for each in fewer]
            grown = self.grown(smaller, numbers, self.start)
            best = self.ranked([*first, *grown], numbers)
            best = self.ranked([*best, *(self.moved(best[0]) if best else [])], numbers)
            for _ in range(2):
                if not best:
                    break
                again = self.visits(self.board.plan(best[0])) + 0.1 * self.start
                more = self.grown([*smaller, best[0]], numbers, again)
                best = self.ranked([*best, *more], numbers)
                best = self.ranked([*best, *self.moved(best[0])], numbers)
            kept[numbers] = best
            if not best:
                continue
            cost = self.cost(best[0])
            assert cost is not None
            if not found or cost < found[-1].cost - 1e-12:
                value, error = self.known[self.key(best[0])]
                told = proof.get(numbers, FOUND)
                found.append(Distilled(best[0].rule(moves), value, error, cost, told))
            if found[-1].cost <= found[-1].error:
                break  # as good as the optimum, as far as floats can tell
        if not found:
            raise RulesError(
                f"{self.board.table.game} has no rule of {size} numbers: allow one more"
            )
        return found

    def size_of(self, candidate: Candidate) -> int:
        """Return how many numbers one has to remember."""
        return candidate.size(self.board.table.moves)

    def ranked(self, candidates: Iterable[Candidate], numbers: int) -> list[Candidate]:
        """Return the best of some candidates, worked out exactly, best first."""
        costs: dict[Candidate, float] = {}
        for candidate in dict.fromkeys(candidates):
            if self.size_of(candidate) > numbers:
                continue
            cost = self.cost(candidate)
            if cost is not None:
                costs[candidate] = cost
        best: list[Candidate] = []
        seen: set[bytes] = set()
        for candidate in sorted(costs, key=lambda each: (costs[each], len(each.lines))):
            key = self.key(candidate)
            if key not in seen:
                seen.add(key)
                best.append(candidate)
        return best[:BEAM]

    def beginnings(self, numbers: int) -> list[Candidate]:
        """Return the rules without a comparison that have so many numbers."""
        board = self.board
        takes = self.takes[:8]
        plain = [
            Candidate((), move, take=take)
            for take in takes
            for move in range(len(board.table.moves))
        ]
        plain += self.slopes(takes[0])
        return [each for each in plain if self.size_of(each) == numbers]

    @cached_property
    def takes(self) -> list[tuple[tuple[int, str], ...]]:
        """What to take after throws, the most promising first."""
        board = self.board
        if not board.table.has_choices:
            return [()]
        return sorted(board.takes(), key=lambda take: board.way_cost(take, self.start))

    def slopes(self, take: tuple[tuple[int, str], ...]) -> list[Candidate]:
        """Return the most promising rules whose move is a number that changes with a field."""
        board = self.board
        if not board.numbered or not board.here.size:
            return []
        weights = self.start[board.here]
        promise: list[tuple[float, Candidate]] = []
        shapes = [each for each in board.features() if each.kind in ("one", "difference")]
        for feature in shapes:
            for part in SLOPES if feature.kind == "one" else SLOPES[::2]:
                for start in range(max(board.numbered.values()) + 1):
                    candidate = Candidate((), 0, (start, feature, part), take)
                    places = board.decisions(candidate)
                    cost = board.costs[np.arange(places.size), places]
                    promise.append((float((weights * cost).sum()), candidate))
        promise.sort(key=lambda each: each[0])
        return [candidate for _, candidate in promise[:40]]

    @property
    def singles(self) -> list[Candidate]:
        """Every rule with one limit of one field, for two moves."""
        board = self.board
        moves = range(len(board.table.moves))
        if len(moves) != 2 or board.numbered or board.table.has_choices:
            return []
        return [
            Candidate((Line(move, Feature("one", (name,)), number, True),), 1 - move)
            for move in moves
            for name, values in board.fields.items()
            for number in range(int(values.min()) + 1, int(values.max()) + 1)
        ]

    def all_of_one(self) -> str:
        """Work out every rule with one limit of one field, where there are few enough."""
        every = self.singles
        if not every or len(every) > MOST_SINGLES:
            return FOUND
        self.tries += len(every)
        self.limit += len(every)
        return self.all_of(every, "with one limit of one field")

    def all_of(self, every: Sequence[Candidate], what: str) -> str:
        """Work out some rules, and return what is proved once all of them are."""
        worked = [self.cost(candidate) is not None for candidate in every]
        # After throws there are more ways to take one than are gone through.
        if not all(worked) or self.board.table.has_choices:
            return FOUND
        return f"proved among all {len(every):,} {what}; the best found among others"

    def moved(self, candidate: Candidate) -> list[Candidate]:
        """Return where a rule comes to when its numbers are moved by steps while that helps."""
        best, cost = candidate, self.cost(candidate)
        better = True
        while better and cost is not None:
            better = False
            for place in range(count_numbers(best)):
                for step in STEPS:
                    other = replaced(best, place, step)
                    there = None if other is None else self.cost(other)
                    if other is not None and there is not None and there < cost - 1e-13:
                        best, cost, better = other, there, True
        return [best]

    def grown(self, kept: Sequence[Candidate], numbers: int, visits: Floats) -> list[Candidate]:
        """Return the most promising rules of so many numbers that are one clause from others.

        A clause is put anywhere into a rule, or in the place of one that was there.
        """
        parents = dict.fromkeys(kept)
        for parent in kept:
            for place in range(len(parent.lines)):
                lines = parent.lines[:place] + parent.lines[place + 1 :]
                parents[dataclasses.replace(parent, lines=lines)] = None
        promise: list[tuple[float, Candidate]] = []
        weights = visits[self.board.here]
        at_stake = weights * self.board.most_costs
        order = np.argsort(at_stake)
        stakes = order[np.cumsum(at_stake[order]) > NEGLIGIBLE * at_stake.sum()]
        for parent in parents:
            for place in range(len(parent.lines) + 1):
                promise += self.longer(parent, place, weights, stakes, numbers)
        promise.sort(key=lambda each: each[0])
        left = max(0, self.limit - len(self.known))
        return [candidate for _, candidate in promise[: max(BEAM, left // 3)]]

    def longer(
        self, parent: Candidate, at: int, weights: Floats, stakes: Ints, numbers: int
    ) -> list[tuple[float, Candidate]]:
        """Return rules with one clause more at a place, and their promise.

        `weights` says how often play comes to each place with a choice, `stakes` which of them
        matter.
        """
        board = self.board
        seen = stakes[~board.captured(parent.lines[:at])[stakes]]
        if not seen.size:
            return []
        has = self.size_of(parent)
        fields = {name: values[seen] for name, values in board.fields.items()}
        now = board.costs[seen, board.decisions(parent)[seen]]
        every = np.arange(board.here.size)
        base = float((weights * board.costs[every, board.decisions(parent)]).sum())
        found: list[tuple[float, Candidate]] = []
        changes = []
        for move in range(len(board.table.moves)):
            allowed = board.rows[seen, move] >= 0
            change = np.where(allowed, weights[seen] * (board.costs[seen, move] - now), 0.0)
            changes.append((move, change, float(np.minimum(change, 0).sum())))
        changes.sort(key=lambda each: each[2])
        for feature in board.features():
            value = feature.of(fields)
            least = int(value.min())
            for move, change, hope in changes[:MOVES]:
                adds = 1 + feature.numbers + digits(board.table.moves[move])
                if hope >= 0 or has + adds != numbers:
                    continue
                sums = np.cumsum(np.bincount(value - least, change))
                for above in (True, False):
                    after = sums[-1] - sums[:-1] if above else sums[:-1]  # from least + 1 on
                    for place in np.argsort(after, kind="stable")[:2].tolist():
                        if feature.kind == "part" and least + 1 + place < 1:
                            continue  # -4 plus a quarter of something: nobody plays by that
                        line = Line(move, feature, least + 1 + place, above)
                        lines = (*parent.lines[:at], line, *parent.lines[at:])
                        longer = dataclasses.replace(parent, lines=lines)
                        found.append((base + float(after[place]), longer))
        return found
