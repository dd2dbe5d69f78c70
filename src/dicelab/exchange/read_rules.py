"""A game's rules as commands over its fields, read off by asking them about unknown positions.

What was read is compared with the compiled game at a sample of its positions before it is trusted.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple, TypeVar

import numpy as np

from dicelab.errors import DicelabError
from dicelab.exchange import formulas
from dicelab.exchange.formulas import Formula, Term, Unreadable
from dicelab.exchange.seated import Node, Seated
from dicelab.rules import OTHER, Amount, Chance, Gain, HouseRules, Outcome, Position, Throw
from dicelab.strategies.named import AnyStrategy, rule_of
from dicelab.table.unfolded import UnfoldedTable

Asked = TypeVar("Asked")

SAMPLE = 500
"""How many positions what was read is compared at."""


class Branch(NamedTuple):
    """One outcome: its chance, the fields that change and how, whether the turn passes."""

    chance: Term
    updates: dict[str, Term]
    passes: bool


@dataclass(frozen=True)
class Command:
    """A seat's move: where it may be made, and what may happen."""

    move: str
    seat: int
    guard: Term
    branches: list[Branch]
    gain: Term


@dataclass(frozen=True)
class ReadRules:
    """Everything a short model needs."""

    ranges: dict[str, tuple[int, int, int]]  # lowest, highest and first value of each field
    result: Term
    results: frozenset[int]  # those that play comes to
    commands: list[Command]


def read_rules(
    model: Seated, word: Callable[[str], str], against: AnyStrategy | None = None
) -> ReadRules:
    """Return a game's rules as formulas over its fields, or raise `Unreadable`."""
    table, game = model.table, model.game
    if isinstance(game, HouseRules) or game.is_simultaneous:
        raise Unreadable("no rules on arrays")
    if isinstance(table, UnfoldedTable):
        raise Unreadable("a choice after a throw, which needs a state of its own")
    start = game.start()
    names = {name: word(name) for name in start._fields}
    unknown = type(start)(*(formulas.field(name) for name in names.values()))
    here = table.positions(np.arange(len(table)))
    known = dict(zip(names.values(), here, strict=True))
    commands = []
    for seat in range(game.players):
        fixed = model.against is not None and seat != model.us
        chosen = _chosen(model, unknown, against) if fixed else None
        for move in game.moves:
            guard = _asked(game.legal, unknown, move)
            if np.all(formulas.at(guard, known)):
                guard = True
            if chosen is not None:
                guard = formulas.both(guard, formulas.equal(chosen, move))
            if guard is not False:
                commands.append(_command(model, unknown, move, seat, guard))
    result = _asked(game.result, unknown)
    ranges = {
        names[name]: (int(np.min(values)), int(np.max(values)), int(first))
        for name, values, first in zip(start._fields, here, start, strict=True)
    }
    read = ReadRules(ranges, result, frozenset(map(int, np.unique(table.result))), commands)
    _compare(model, read)
    return read


def _amount(gained: Any) -> Term:
    """Return a gain, of which there may be one for each position."""
    if isinstance(gained, Amount):
        return Formula("/", (gained.numerator, gained.denominator))
    return gained if isinstance(gained, Formula) else Fraction(gained)


def _asked(rule: Callable[..., Asked], *given: object) -> Asked:
    """Return what a rule says about an unknown position."""
    try:
        return rule(*given)
    except (Unreadable, DicelabError):
        raise
    except Exception as trouble:  # a rule may do anything with what it is given
        raise Unreadable(str(trouble)) from None


def _chosen(model: Seated, unknown: Position, against: AnyStrategy | None) -> Any:
    """Return the fixed opponent's choice as a formula."""
    rule = rule_of(model.game, against)
    if rule is None:
        raise Unreadable("a strategy that is a table")
    chosen = _asked(rule, unknown)
    if isinstance(chosen, Mapping):
        raise Unreadable("a strategy that mixes")
    return chosen


def _command(model: Seated, unknown: Position, move: str, seat: int, guard: Term) -> Command:
    branches: list[Branch] = []
    gain: Gain = 0
    for outcome in _asked(lambda: list(model.game.outcomes(unknown, move))):
        if isinstance(outcome, Throw):
            raise Unreadable("a throw, whose ways depend on the position")
        given, after, mover, gained = Outcome(*outcome)
        if isinstance(given, Chance):
            chance: Term = Formula("/", (given.numerator, given.denominator))
        elif not given:
            continue
        else:
            chance = Fraction(given)
        updates = {
            str(old): new
            for old, new in zip(unknown, after, strict=True)
            if formulas.written(new) != str(old)
        }
        branches.append(Branch(chance, updates, mover == OTHER))
        gain = formulas.plus(gain, formulas.times(chance, _amount(gained)))
    if not isinstance(gain, Formula):
        gain = Fraction(gain)
    elif not any(isinstance(branch.chance, Formula) for branch in branches):
        gain = Fraction(formulas.at(gain, {}))
    return Command(move, seat, guard, branches, gain)


def _compare(model: Seated, read: ReadRules) -> None:
    """Raise `Unreadable` where the formulas do not say what the table says."""
    table = model.table
    numbers = np.unique(np.linspace(0, len(table) - 1, SAMPLE).astype(np.int64))
    for number in numbers.tolist():
        at = dict(zip(read.ranges, table.position(number), strict=True))
        ends = int(formulas.at(read.result, at)) == int(table.result[number])
        if not ends or (
            model.table.is_ongoing[number] and not _same_moves(model, read, number, at)
        ):
            raise Unreadable(f"the formulas are wrong at {table.notation(number)}")


def _same_moves(model: Seated, read: ReadRules, number: int, at: dict[str, int]) -> bool:
    """Return whether the commands at a position do what the table does there."""
    for seat in range(model.game.players):
        node = Node(number, seat)
        expected = {choice.move: choice for choice in model.choices(node)}
        found = {}
        for command in read.commands:
            if command.seat != seat or not formulas.at(command.guard, at):
                continue
            outcomes: dict[Node, Fraction] = {}
            for chance, updates, passes in command.branches:
                share = _exact(chance, at)
                if not share:
                    continue
                values = [int(formulas.at(updates.get(name, at[name]), at)) for name in at]
                there = model.table.number(type(model.game.start())(*values))
                after = Node(there, seat ^ (passes and model.game.players == 2))
                outcomes[after] = outcomes.get(after, Fraction(0)) + share
            found[command.move] = (outcomes, _exact(command.gain, at))
        if found != {move: (c.outcomes, c.gain) for move, c in expected.items()}:
            return False
    return True


def _exact(chance: Term, at: dict[str, int]) -> Fraction:
    if isinstance(chance, Formula) and chance.op == "/":
        over, under = (formulas.at(part, at) for part in chance.parts)
        return Fraction(int(over), int(under))
    return Fraction(formulas.at(chance, at))
