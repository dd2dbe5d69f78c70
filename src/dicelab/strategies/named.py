"""Strategies by name: what a person gives becomes a `Plan` on a table.

A strategy may be given as

- a name, with a parameter if it takes one: ``hold-at:25``, ``optimal``, ``random``;
- ``file:PATH``, a table saved by `save_strategy`, or a rule in a file ``PATH.rule``, which may
  also name a strategy of the game;
- ``rule:TEXT``, a rule of thumb such as ``rule:hold if at_risk >= 20; roll`` (`rule_text`);
- ``module:function``, or a function: it gets a position and returns a move, or a dictionary of
  moves and their chances. It is asked once per position. One that also works on arrays of
  positions may say so with ``@on_arrays``, and is then asked about many at once;
- a `Plan`, which is what all the others become: the move, or the chances of moves, at every
  position of one table.
"""

from __future__ import annotations

import hashlib
import inspect
import re
from collections.abc import Callable, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

from dicelab.errors import IllegalMove, RulesError, StrategyError, UnknownStrategy
from dicelab.rules import Chance, Game, Moment, Position
from dicelab.rules.registry import all_games, did_you_mean, imported, read
from dicelab.strategies.file import carried_over, load_strategy
from dicelab.strategies.plan import Plan, any_of, nowhere, plan_of_function, plan_on_arrays
from dicelab.strategies.rule_text import SUFFIX, Rule, parsed, read_rule
from dicelab.strategies.ways import even_ways, folded_plan, unfolded_plan, with_ways
from dicelab.table import Table
from dicelab.table.unfolded import UnfoldedTable

AnyStrategy = Any  # a name, a function, or a Plan

RULE = "rule"
"""What a rule of thumb begins with, before its colon."""

GENERAL: dict[str, str] = {}
"""The strategies every game has, and what they do."""

Maker = Callable[[Table, bool], Plan]

_MAKERS: dict[str, Maker] = {}


def general(name: str) -> Callable[[Maker], Maker]:
    """Return a decorator that makes a strategy known to every game.

    It gets the table, and whether the plan is wanted as exact mode has it.
    """

    def remember(maker: Maker) -> Maker:
        known = {**GENERAL, name: inspect.getdoc(maker) or ""}
        GENERAL.clear()
        GENERAL.update(sorted(known.items()))
        _MAKERS[name] = maker
        return maker

    return remember


def plan(table: Table, strategy: AnyStrategy, exact: bool = False) -> Plan:
    """Return what a strategy does at every position of a table.

    With `exact`, the optimal one is that of exact mode: its moves are best and its mixtures
    rational, where floats leave both within their bounds.
    """
    if isinstance(table, UnfoldedTable) and getattr(strategy, "table", None) is not table:
        return unfolded_plan(plan(table.folded, strategy, exact))
    if isinstance(strategy, Plan):
        strategy = strategy if strategy.table is table else folded_plan(strategy)
        if strategy.table is not table:
            return carried_over(strategy, table)
        return strategy
    if callable(strategy):
        name = getattr(strategy, "__name__", repr(strategy))
        rule = table.game.lent(strategy)
        return with_ways(plan_of_function(table, rule, name), rule)
    if not isinstance(strategy, str):
        raise StrategyError(f"a strategy is a name, a function or a Plan: got {strategy!r}")
    return _from_name(table, strategy, exact)


def _from_name(table: Table, text: str, exact: bool) -> Plan:
    """Return the plan of a strategy given as text: a name, a file, or a function in a module."""
    text = str(spelled_out(table.game, text))
    name, colon, argument = text.partition(":")
    if name == "file" and colon and argument.endswith(SUFFIX):
        return rule_plan(table, read_rule(argument))
    if name == "file" and colon:
        return load_strategy(argument, table)
    is_code = colon and re.fullmatch(r"[A-Za-z_][\w.]*", name) and argument.isidentifier()
    if is_code and name != RULE and name not in _strategies(table.game):
        function = imported(text)
        if not callable(function):
            raise StrategyError(f"{text!r} is not a function: got {function!r}")
        rule = table.game.lent(function)
        return with_ways(plan_of_function(table, rule, text), rule)
    return named_plan(table, text, exact)


def _strategies(game: Game) -> dict[str, Callable[..., object]]:
    """Return the named strategies of a game, also those in another file than the game."""
    all_games()
    return game.strategies


def named_plan(table: Table, text: str, exact: bool = False) -> Plan:
    """Return the plan of a strategy that the game knows by name; nothing else is looked for.

    This is for names that a stranger may have written, as in the web lab: no file is opened and
    nothing is imported.
    """
    name, colon, argument = text.partition(":")
    if name in GENERAL and not colon:
        return _MAKERS[name](table, exact)
    if name == RULE and colon:
        return rule_plan(table, parsed(argument))
    makers = table.game.strategies
    if name not in makers:
        makers = _strategies(table.game)
    if name in makers:
        choose = _made(table.game, name, argument)
        return with_ways(plan_on_arrays(table, choose, text), choose, arrays=True)
    known = [*makers, *GENERAL]
    raise UnknownStrategy(f"{table.game.name} has no strategy {name!r}{did_you_mean(name, known)}")


def rule_plan(table: Table, rule: Rule) -> Plan:
    """Return what a rule of thumb does at every position of a table."""
    choose = rule.on(table.game)
    return with_ways(plan_on_arrays(table, choose, rule.name), choose, arrays=True)


def _made(game: Game, name: str, argument: str) -> Callable[..., object]:
    """Return the rule of a named strategy."""
    maker = game.strategies[name]
    try:
        rule: Callable[..., object] = maker(game, *_arguments(maker, name, argument))
    except RulesError as trouble:
        raise UnknownStrategy(str(trouble)) from None
    return rule


def rule_of(game: Game, strategy: AnyStrategy) -> Callable[..., object] | None:
    """Return the function that a strategy asks at a position, or None where it is a table."""
    if callable(strategy):
        function: Callable[..., object] = strategy
        return function
    name, _, argument = str(spelled_out(game, strategy)).partition(":")
    if name == RULE:
        return parsed(argument).on(game)
    return _made(game, name, argument) if name in game.strategies else None


def spelled_out(game: Game, strategy: AnyStrategy) -> AnyStrategy:
    """Return the strategy of a game that a file of one line names; any other as it is."""
    if not isinstance(strategy, str) or not strategy.startswith("file:"):
        return strategy
    path = strategy.removeprefix("file:")
    if not path.endswith(SUFFIX):
        return strategy
    first, *others = read_rule(path).clauses
    is_name = not others and not first.when and first.does.partition(":")[0] in _strategies(game)
    return first.does if is_name else strategy


def marked(strategy: AnyStrategy) -> str:
    """Return the name of a strategy; of one in a file, with a mark of what the file holds."""
    name = str(strategy)
    if not name.startswith("file:"):
        return name
    try:
        held = Path(name.removeprefix("file:")).read_bytes()
    except OSError:  # that is told where it is played
        return name
    return f"{name} {hashlib.sha256(held).hexdigest()[:12]}"


def player(game: Game, text: str) -> Callable[[Position], str | dict[str, Fraction]]:
    """Return a named strategy as someone to play with: asked at one position, it answers there.

    No table is needed, so this also serves games whose table is large. Only names are known here:
    no file is opened and nothing is imported.

    >>> from dicelab.games.pig import Pig
    >>> player(Pig(), "hold-at:20")(Pig().parse("30-12 +21"))
    'hold'
    """
    name, colon, argument = text.partition(":")
    all_games()
    if name == "random" and not colon:
        return lambda at: _even_chances(game, at)
    if name not in game.strategies and not (name == RULE and colon):
        known = [*game.strategies, "random"]
        raise UnknownStrategy(f"{game.name} has no strategy {name!r}{did_you_mean(name, known)}")
    choose = parsed(argument).on(game) if name == RULE else _made(game, name, argument)

    def answer(at: Position) -> str | dict[str, Fraction]:
        answered = choose(at.at, at.dice) if isinstance(at, Moment) else choose(at)
        return _answer(game, at, answered, text)

    return answer


def _even_chances(game: Game, at: Position) -> dict[str, Fraction]:
    legal = game.legal_moves(at)
    return dict.fromkeys(legal, Fraction(1, len(legal)))


def _answer(game: Game, at: Position, answer: object, name: str) -> str | dict[str, Fraction]:
    """Return a strategy's answer at one position, refused where it is not allowed there."""
    shares = answer if isinstance(answer, Mapping) else {str(answer): Fraction(1)}
    chances: dict[str, Fraction] = {}
    for move, share in shares.items():
        exact = isinstance(share, Chance)
        chance = Fraction(int(share.numerator), share.denominator) if exact else Fraction(share)
        if chance:
            legal = game.legal_moves(at)
            if move not in legal:
                raise IllegalMove(
                    f"{name} cannot {move} at {game.write(at)}: you can only {any_of(legal)} here"
                )
            chances[move] = chance
    return next(iter(chances)) if len(chances) == 1 else chances


def _arguments(maker: Callable[..., object], name: str, text: str) -> list[object]:
    """Return the parameters of a named strategy, read from what follows the colon."""
    wanted = list(inspect.signature(maker, eval_str=True).parameters.values())[1:]
    given = text.split(",") if text else []
    if len(given) > len(wanted):
        most = f"at most {len(wanted)}" if wanted else "no"
        raise UnknownStrategy(f"{name} takes {most} parameters: got {text!r}")
    return [
        read(parameter.annotation, value.strip(), f"{name}:{parameter.name}")
        for parameter, value in zip(wanted, given, strict=False)
    ]


@general("random")
def _random(table: Table, exact: bool) -> Plan:
    """Play every legal move with the same chance."""
    counts = np.diff(table.move_first)
    share = np.array([Fraction(1, int(count) or 1) for count in range(counts.max() + 1)], object)
    ways = even_ways(table) if table.has_choices else None
    return Plan("random", table, nowhere(table), share[counts[table.row_position]], ways)
