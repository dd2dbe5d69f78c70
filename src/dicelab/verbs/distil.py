"""distil: the best strategy that a person can remember, and what it costs.

The best way to play Pig is a table of half a million positions. A person keeps a few numbers in
mind: hold at 20; hold at 21 plus an eighth of the difference, and roll to win near the end. Distil
looks for the best rule of each size, counted in numbers to remember, and says what one more buys.

Rules grow clause by clause (a beam search). Which clause might help is read off how often play
comes to each position and what a wrong move costs there; then the most promising are worked out
exactly, the numbers of the best are moved by small steps for as long as that helps, and the order
of promise is made anew from where that rule itself leads. Of rules with one limit of one field, all
are tried where there are few enough: there the best is proved, elsewhere it is the best found. No
chance is in it: the same question gives the same rules.

Where all choices are made after throws, a rule is a list of ways: the first that is open is taken.

>>> from dicelab.games.pig import Pig
>>> found = distil(Pig(target=20), size=1)
>>> str(found.best.rule), round(found.best.cost, 12)     # to 20, it is best never to hold
('roll', 0.0)
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from dicelab.core.csv_cells import csv_text, guarded_row
from dicelab.core.json_object import JsonObject
from dicelab.errors import DicelabError, RulesError
from dicelab.rules import Game, contract
from dicelab.rules.registry import imported
from dicelab.strategies.named import AnyStrategy, plan
from dicelab.strategies.plan import Plan
from dicelab.table import Table, compile
from dicelab.verbs.list_search import ListSearch
from dicelab.verbs.rule_board import RuleBoard
from dicelab.verbs.rule_search import Distilled, RuleSearch, refuse_budget
from dicelab.verbs.solve import on_table, solve
from dicelab.verbs.way_board import WayBoard

SIZE = 3
"""Numbers that one wants to remember, unless told otherwise."""

MOST_SIZE = 6
"""Numbers beyond which there are too many rules to look through."""

LIST_SIZE, MOST_LIST_SIZE = 10, 16
"""The same for lists of ways, whose every line has a number or two."""

TRIES = 400
"""How many rules are worked out exactly, unless told otherwise."""

TRIES_AFTER_THROWS = 80
"""The same where one chooses after throws, which takes several times as long."""


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
    size: int | None = None,
    against: Sequence[AnyStrategy] | None = None,
    *,
    tries: int | None = None,
    prove: bool = True,
    compare: bool = True,
    progress: Callable[[float], None] | None = None,
    memory: int | None = None,
) -> Card:
    """Return the best rules of up to `size` numbers, by exact evaluation.

    Without `size`, rules have up to three numbers, a list of ways up to ten, and the pars of a
    scorecard one for each box.

    Between two players a rule is worth what it gets on average from those it is played `against`,
    best play if nobody is named, taking turns in starting; alone, what it brings. `tries` is how
    many ways to play may be worked out exactly; with `prove` all rules with one limit are tried
    besides, where they are few; with `compare` the game's named strategies are worked out too.
    `memory` is a limit in bytes for a game that is given without its table.
    """
    began = time.perf_counter()
    rules = game.game if isinstance(game, Table) else game
    refuse_kind(rules, against)
    if rules.distiller:
        found: Card = imported(rules.distiller)(rules, size, tries, compare, progress, memory)
        return found
    table = compile(game, memory)
    many = TRIES_AFTER_THROWS if table.has_choices else TRIES
    tries = many if tries is None else tries
    refuse_budget(size, tries)
    if table.game.is_simultaneous:
        raise RulesError(
            f"{table.game} is played by both at once, best by chance: a rule of thumb is one move"
        )
    board = RuleBoard(on_table(solve(table)))
    board.refuse()
    ways = WayBoard(board)
    usual, most = (LIST_SIZE, MOST_LIST_SIZE) if ways.tells_all else (SIZE, MOST_SIZE)
    size = usual if size is None else size
    if size > most:
        many_rules = (ways.lines**size) if ways.tells_all else family_size(board, size)
        raise RulesError(
            f"rules of {size} numbers for {table.game} are about {many_rules:.0e}: "
            f"ask for at most {most}"
        )
    search = RuleSearch(board, _opponents(table, against), tries, progress, prove)
    lists = ListSearch(search, ways).run(size) if ways.tells_all else []
    rules_found = _joined(search.run(0 if lists else size), lists)
    return Card(
        table.game,
        tuple(one.name for one in search.opponents),
        table.unit if table.game.unit == Game.unit else table.game.unit,
        search.optimum,
        tuple(rules_found),
        _named(search) if compare else (),
        size,
        len(search.known),
        time.perf_counter() - began,
    )


def _joined(rules: list[Distilled], lists: list[Distilled]) -> list[Distilled]:
    """Return the best of both kinds, those that are no better than a smaller left out."""
    found: list[Distilled] = []
    for one in sorted([*rules, *lists], key=lambda each: (each.size, each.cost)):
        if not found or one.cost < found[-1].cost - 1e-12:
            found.append(one)
    return found


def refuse_kind(game: Game, against: Sequence[AnyStrategy] | None = None) -> None:
    """Refuse what can be known to have no rules of thumb before its table is made."""
    contract.refuse_many(game, "be asked for rules of thumb")
    if game.players == 1 and against is not None:
        raise RulesError(
            f"{game} is played alone: a rule is worth what it brings, against nobody; "
            f"leave out whom it is to do well against"
        )
    if not game.distiller:
        refuse_engine(game)


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


def _opponents(table: Table, against: Sequence[AnyStrategy] | None) -> tuple[Plan, ...]:
    if table.game.players == 1:
        return ()
    against = ("optimal",) if against is None else against
    if not against:
        raise RulesError(f"{table.game} is played by two: say against whom the rule is to do well")
    return tuple(plan(table, one) for one in against)


def _named(search: RuleSearch) -> tuple[tuple[str, float], ...]:
    """Return what the game's named strategies cost, those without parameters or as they are."""
    found = []
    for name in search.board.table.game.strategies:
        try:
            value, _ = search.met(plan(search.board.table, name))
        except DicelabError:  # one that needs other rules, such as passing
            continue
        found.append((name, search.cost_of(value)))
    return tuple(sorted(found, key=lambda each: each[1]))
