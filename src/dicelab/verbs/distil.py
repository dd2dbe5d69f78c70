"""distil: the best strategy that a person can remember, and what it costs.

The best way to play Pig is a table of half a million positions. A person keeps a few numbers in
mind: hold at 20; hold at 21 plus an eighth of the difference, and roll to win near the end. Distil
looks for the best rule of each size, counted in numbers to remember, and says what one more buys.

Rules grow clause by clause (a beam search). Which clause might help is read off how often play
comes to each position and what a wrong move costs there; then the most promising are worked out
exactly, the numbers of the best are moved by small steps for as long as that helps, and the order
of promise is made anew from where that rule itself leads. Of rules with one comparison of one
field, all are tried where there are few enough: there the best is proved, elsewhere it is the best
found. No chance is in it: the same question gives the same rules.

>>> from dicelab.games.pig import Pig
>>> found = distil(Pig(target=20), size=1)
>>> str(found.best.rule), round(found.best.cost, 12)     # to 20, it is best never to hold
('roll', 0.0)
"""

from __future__ import annotations

import dataclasses
import hashlib
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from dicelab.core.arrays import Floats
from dicelab.core.csv_cells import csv_text, guarded_row
from dicelab.core.json_object import JsonObject
from dicelab.errors import DicelabError, RulesError
from dicelab.rules import Game, contract
from dicelab.strategies.named import AnyStrategy, plan
from dicelab.strategies.plan import Plan
from dicelab.strategies.rule_text import Rule
from dicelab.table import Table, compile
from dicelab.verbs.density import density_on
from dicelab.verbs.evaluate import evaluate
from dicelab.verbs.evaluation import Evaluation, SoloEvaluation
from dicelab.verbs.rule_board import (
    Candidate,
    Feature,
    Line,
    RuleBoard,
    count_numbers,
    replaced,
)
from dicelab.verbs.solve import on_table, solve

MOST_SIZE = 6
"""Numbers beyond which there are too many rules to look through."""

TRIES = 400
"""How many rules are worked out exactly, unless told otherwise."""

TRIES_AFTER_THROWS = 80
"""The same where one chooses after throws, which takes several times as long."""

MOST_SINGLES = 1_000
"""Rules with one comparison of one field up to which all are worked out, beside the others."""

FOUND = "the best found"

BEAM = 3
"""Rules of each size that larger ones grow from."""

STEPS = (1, -1, 2, -2, 5, -5)
"""By how much the numbers of a rule are moved."""

MOVES = 4
"""Moves that a new clause may make: those that promise most."""

NEGLIGIBLE = 1e-10
"""What a position may add to the promise of a rule and still be left out of it."""


@dataclass(frozen=True)
class Distilled:
    """One rule, and what it is worth."""

    rule: Rule
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


@dataclass(frozen=True)
class Card:
    """The best rules of a game, one for each size that is better than all smaller ones."""

    game: Game
    against: tuple[str, ...]  # empty: the game is played alone
    unit: str
    optimum: float  # what best play gets from the same opponents
    rules: tuple[Distilled, ...]
    named: tuple[tuple[str, float], ...]  # named strategies and what they cost, to compare with
    size: int  # the numbers that were allowed
    tried: int  # how many different ways to play were worked out exactly
    seconds: float

    @property
    def best(self) -> Distilled:
        """The best rule within the budget."""
        return self.rules[-1]

    def as_dict(self) -> JsonObject:
        """Return what a program wants to know, as plain numbers and words."""
        return {
            "against": list(self.against),
            "unit": self.unit,
            "optimum": self.optimum,
            "rules": [rule.as_dict() for rule in self.rules],
            "named": [{"strategy": name, "cost": cost} for name, cost in self.named],
            "size": self.size,
            "tried": self.tried,
            "seconds": self.seconds,
        }

    def card(self) -> str:
        """Return the best rule as a file to share, a clause a line; the lines with # are told."""
        whom = f" against {', '.join(self.against)}" if self.against else ""
        told = f"# {self.game}: costs {self.best.cost:.3g} {self.unit}{whom}\n"
        return told + "".join(f"{clause}\n" for clause in self.best.rule.clauses)

    def as_csv(self) -> str:
        """Return a table, a row for each rule."""
        head = ["size", "rule", "value", "error", "cost", "proof"]
        rows = [
            guarded_row([one.size, str(one.rule), one.value, one.error, one.cost, one.proof])
            for one in self.rules
        ]
        return csv_text([head, *rows])


def distil(
    game: Game | Table,
    size: int = 3,
    against: Sequence[AnyStrategy] = ("optimal",),
    *,
    tries: int | None = None,
    prove: bool = True,
    progress: Callable[[float], None] | None = None,
) -> Card:
    """Return the best rules of up to `size` numbers, by exact evaluation.

    Between two players a rule is worth what it gets on average from those it is played `against`,
    taking turns in starting; alone, what it brings. `tries` is how many ways to play may be worked
    out exactly; with `prove` all rules of one comparison are tried besides, where they are few.
    """
    began = time.perf_counter()
    rules = game.game if isinstance(game, Table) else game
    contract.refuse_many(rules, "be asked for rules of thumb")
    refuse_engine(rules)
    table = compile(game)
    tries = (TRIES_AFTER_THROWS if table.has_choices else TRIES) if tries is None else tries
    if size < 0 or tries < 1:
        raise RulesError(f"a rule has 0 numbers or more, and one is tried: got {size} and {tries}")
    if table.game.is_simultaneous:
        raise RulesError(
            f"{table.game} is played by both at once, best by chance: a rule of thumb is one move"
        )
    solution = on_table(solve(table))
    board = RuleBoard(solution)
    board.refuse()
    if size > MOST_SIZE:
        raise RulesError(
            f"rules of {size} numbers for {table.game} are about {family_size(board, size):.0e}: "
            f"ask for at most {MOST_SIZE}"
        )
    search = _Search(board, _opponents(table, against), tries, progress, prove)
    found = search.run(size)
    return Card(
        table.game,
        tuple(one.name for one in search.opponents),
        table.unit if table.game.unit == Game.unit else table.game.unit,
        search.optimum,
        tuple(found),
        _named(search),
        size,
        len(search.known),
        time.perf_counter() - began,
    )


def refuse_engine(game: Game) -> None:
    """Refuse a game that is solved without a table of positions."""
    if game.engine:
        raise RulesError(
            f"{game} has an engine of its own and no table of positions to find rules in: "
            f"evaluate its named strategies"
        )


def family_size(board: RuleBoard, size: int) -> float:
    """Return about how many rules of so many numbers there are."""
    thresholds = sum(np.ptp(values) + 1 for values in board.fields.values())
    plain = len(board.table.moves) * 2.0 * float(thresholds) * 4
    return plain**size


def _opponents(table: Table, against: Sequence[AnyStrategy]) -> tuple[Plan, ...]:
    if table.game.players == 1:
        return ()
    if not against:
        raise RulesError(f"{table.game} is played by two: say against whom the rule is to do well")
    return tuple(plan(table, one) for one in against)


def _named(search: _Search) -> tuple[tuple[str, float], ...]:
    """Return what the game's named strategies cost, those without parameters or as they are."""
    found = []
    for name in search.board.table.game.strategies:
        try:
            value, _ = search.met(plan(search.board.table, name))
        except DicelabError:  # one that needs other rules, such as passing
            continue
        found.append((name, search.cost_of(value)))
    return tuple(sorted(found, key=lambda each: each[1]))


@dataclass(eq=False)
class _Search:
    """A beam search for rules, each worked out exactly once."""

    board: RuleBoard
    opponents: tuple[Plan, ...]
    tries: int
    progress: Callable[[float], None] | None = None
    prove: bool = True
    known: dict[bytes, tuple[float, float]] = field(default_factory=dict)
    optimum: float = 0.0

    def __post_init__(self) -> None:
        self.sign = -1.0 if self.board.table.game.fewest else 1.0
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
        return self.sign * (self.optimum - value)

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
            found = density_on(table, played, None).visits[0]
        else:
            found = np.zeros(len(table))
            for other in self.opponents:
                found = found + density_on(table, played, other).visits[0]
                found = found + density_on(table, other, played).visits[1]
        return np.minimum(np.nan_to_num(found, posinf=1e6), 1e6)

    # The search

    def run(self, size: int) -> list[Distilled]:
        """Return the best rule of each size, those that are no better than a smaller left out."""
        moves = self.board.table.moves
        kept: dict[int, list[Candidate]] = {}
        proof: dict[int, str] = {}
        found: list[Distilled] = []
        for numbers in range(size + 1):
            self.limit = max(len(self.known), round(self.tries * (numbers + 1) / (size + 1)))
            first = self.beginnings(numbers)
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
                if numbers == 0:
                    told = "proved: all tried"
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
        return candidate.rule(self.board.table.moves).size

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
            for part in (1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30, 40, 50):
                for start in range(max(board.numbered.values()) + 1):
                    candidate = Candidate((), 0, (start, feature, part), take)
                    places = board.decisions(candidate)
                    cost = board.costs[np.arange(places.size), places]
                    promise.append((float((weights * cost).sum()), candidate))
        promise.sort(key=lambda each: each[0])
        return [candidate for _, candidate in promise[:40]]

    @property
    def singles(self) -> list[Candidate]:
        """Every rule with one comparison of one field, for two moves."""
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
        """Work out every rule with one comparison of one field, where there are few enough."""
        every = self.singles
        if not every or len(every) > MOST_SINGLES:
            return FOUND
        self.tries += len(every)
        self.limit += len(every)
        for candidate in every:
            self.cost(candidate)
        return f"proved among all {len(every):,} with one field; the best found among others"

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
        for parent in parents:
            for place in range(len(parent.lines) + 1):
                promise += self.longer(parent, place, visits, numbers)
        promise.sort(key=lambda each: each[0])
        left = max(0, self.limit - len(self.known))
        return [candidate for _, candidate in promise[: max(BEAM, left // 3)]]

    def longer(
        self, parent: Candidate, at: int, visits: Floats, numbers: int
    ) -> list[tuple[float, Candidate]]:
        """Return rules with one clause more at a place, and their promise."""
        board = self.board
        weights = visits[board.here]
        seen = np.flatnonzero(weights * board.costs.max(axis=1, initial=0) > NEGLIGIBLE)
        taken = board.captured(parent.lines[:at])[seen]
        seen = seen[~taken]
        if not seen.size:
            return []
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
                if hope >= 0:
                    continue
                sums = np.cumsum(np.bincount(value - least, change))
                for above in (True, False):
                    after = sums[-1] - sums[:-1] if above else sums[:-1]  # from least + 1 on
                    for place in np.argsort(after, kind="stable")[:2].tolist():
                        line = Line(move, feature, least + 1 + place, above)
                        lines = (*parent.lines[:at], line, *parent.lines[at:])
                        longer = dataclasses.replace(parent, lines=lines)
                        if self.size_of(longer) == numbers:
                            found.append((base + float(after[place]), longer))
        return found
