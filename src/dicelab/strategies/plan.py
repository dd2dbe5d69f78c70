"""Strategies: how a player moves, at every position of a table.

A strategy may be given as

- a name, with a parameter if it takes one: ``hold-at:25``, ``optimal``, ``random``;
- ``file:PATH``, a table saved by `save_strategy`;
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
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeVar

import numpy as np

from dicelab.core.exact import each_once, exactly
from dicelab.core.lazy import lazy
from dicelab.errors import DicelabError, IllegalMove, RulesError, StrategyError, UnknownStrategy
from dicelab.rules import Chance, Game, HouseRules, Position
from dicelab.rules.registry import all_games, did_you_mean, imported, read
from dicelab.solvers import rows as kernels
from dicelab.strategies.observed_fields import Sight, look
from dicelab.table import Table

AnyStrategy = Any  # a name, a function, or a Plan
Rule = TypeVar("Rule", bound=Callable[..., Any])

GENERAL = {
    "optimal": "Play a best move at every position, as `solve` finds it.",
    "random": "Play every legal move with the same chance.",
}
"""The strategies every game has, and what they do."""


def on_arrays(function: Rule) -> Rule:
    """Return the function, marked as one that takes arrays of positions."""
    function.on_arrays = True  # type: ignore[attr-defined]
    return function


@dataclass(frozen=True, eq=False)
class Plan:
    """A strategy on one table: a row for each position, or a chance for each row."""

    name: str
    table: Table
    choice: Any  # [positions] the row played, -1 where the game is over
    chances: Any = None  # [rows] Fractions, for a strategy that mixes; else None

    def __repr__(self) -> str:
        """Return the name and the game."""
        return f"<Plan {self.name} for {self.table.game}>"

    @property
    def is_mixed(self) -> bool:
        """Whether chance decides somewhere."""
        return self.chances is not None

    def weights(self, exact: bool) -> Any:
        """Return the chance of each row. `[rows]`"""
        if self.chances is not None:
            return self.chances if exact else self._floats
        weights = np.zeros(self.table.rows, object if exact else np.float64)
        weights[self.choice[self.choice >= 0]] = Fraction(1) if exact else 1.0
        return weights

    @lazy
    def _floats(self) -> Any:
        return np.array(each_once(float, self.chances))

    @lazy
    def laws(self) -> Any:
        """Where each turn leads (`turns.Turns.laws`), or None where that is not to be had."""
        return self.table.turns.laws(self)

    @lazy
    def fingerprint(self) -> str:
        """A short text that two plans share only if they play alike."""
        played = self.choice - self.table.move_first[:-1]  # which of a position's moves
        digest = hashlib.blake2b(played.astype(np.int16).tobytes())
        if self.chances is not None:
            digest.update(" ".join(map(str, self.chances)).encode())
        return digest.hexdigest()[:16]

    def move_at(self, at: Any) -> str | dict[str, Fraction]:
        """Return the move at a position, or the chances of the moves."""
        number = self.table.number(at)
        rows = range(self.table.move_first[number], self.table.move_first[number + 1])
        if not rows:
            raise IllegalMove(f"the game is over at {self.table.notation(number)}: nobody moves")
        if self.chances is None:
            return str(self.table.moves[self.table.move[self.choice[number]]])
        return {
            self.table.moves[self.table.move[row]]: self.chances[row]
            for row in rows
            if self.chances[row]
        }

    def plays_like(self, other: Plan, where: Any = None) -> bool:
        """Return whether two plans make the same moves, everywhere or at some positions."""
        mine, theirs = self.weights(exact=False), other.weights(exact=False)
        differ = np.abs(mine - theirs) > 1e-12
        if where is not None:
            differ &= where[self.table.row_position]
        return not differ.any()


class SightedPlan(Plan):
    """A plan that looks at some fields only: a move for each thing it sees."""

    sight: Sight
    played: Any  # [things] the number of a move

    def __init__(self, name: str, table: Table, sight: Sight, played: Any) -> None:
        self.__dict__.update(name=name, table=table, chances=None, sight=sight, played=played)

    @lazy
    def choice(self) -> Any:
        """The row played, -1 where the game is over. `[positions]`"""
        table, choice = self.table, _nowhere(self.table)
        kernels.rows_seen(table.move_first, table.move, self.sight.which, self.played, choice)
        return choice

    @lazy
    def laws(self) -> Any:
        """Where each turn leads, found by what turns look like if that can be."""
        turns = self.table.turns
        return turns.sighted_laws(self.sight, self.played) or turns.laws(self)

    @lazy
    def fingerprint(self) -> str:
        """A short text that two plans share only if they play alike."""
        digest = hashlib.blake2b(self.played.tobytes())
        digest.update(" ".join(self.sight.fields).encode())
        return digest.hexdigest()[:16]


def plan(table: Table, strategy: AnyStrategy) -> Plan:
    """Return what a strategy does at every position of a table."""
    if isinstance(strategy, Plan):
        if strategy.table is not table:
            from dicelab.strategies.file import carried_over

            return carried_over(strategy, table)
        return strategy
    if callable(strategy):
        return plan_of_function(table, strategy, _name_of(strategy))
    if not isinstance(strategy, str):
        raise StrategyError(f"a strategy is a name, a function or a Plan: got {strategy!r}")
    return _from_name(table, strategy)


def _name_of(function: Callable[..., Any]) -> str:
    return getattr(function, "__name__", repr(function))


def _from_name(table: Table, text: str) -> Plan:
    """Return the plan of a strategy given as text: a name, a file, or a function in a module."""
    name, colon, argument = text.partition(":")
    if name == "file" and colon:
        from dicelab.strategies.file import load_strategy

        return load_strategy(argument, table)
    is_code = colon and re.fullmatch(r"[A-Za-z_][\w.]*", name) and argument.isidentifier()
    if is_code and name not in _strategies(table.game):
        function = imported(text)
        if not callable(function):
            raise StrategyError(f"{text!r} is not a function: got {function!r}")
        return plan_of_function(table, function, text)
    return named_plan(table, text)


def _strategies(game: Game) -> dict[str, Callable[..., Any]]:
    """Return the named strategies of a game, also those in another file than the game."""
    all_games()
    return game.strategies


def named_plan(table: Table, text: str) -> Plan:
    """Return the plan of a strategy that the game knows by name; nothing else is looked for.

    This is for names that a stranger may have written, as in the web lab: no file is opened and
    nothing is imported.
    """
    name, colon, argument = text.partition(":")
    if name == "optimal" and not colon:
        from dicelab.verbs.solve import solve

        return solve(table).plan
    if name == "random" and not colon:
        return _random(table)
    makers = table.game.strategies
    if name not in makers:
        makers = _strategies(table.game)
    if name in makers:
        return _on_arrays(table, _made(table.game, name, argument), text)
    known = [*makers, *GENERAL]
    raise UnknownStrategy(f"{table.game.name} has no strategy {name!r}{did_you_mean(name, known)}")


def _made(game: Game, name: str, argument: str) -> Callable[..., Any]:
    """Return the rule of a named strategy."""
    maker = game.strategies[name]
    try:
        rule: Callable[..., Any] = maker(game, *_arguments(maker, name, argument))
    except RulesError as trouble:
        raise UnknownStrategy(str(trouble)) from None
    return rule


def rule_of(game: Game, strategy: AnyStrategy) -> Callable[..., Any] | None:
    """Return the function that a strategy asks at a position, or None where it is a table."""
    if callable(strategy):
        function: Callable[..., Any] = strategy
        return function
    name, _, argument = str(strategy).partition(":")
    return _made(game, name, argument) if name in game.strategies else None


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
    if name not in game.strategies:
        known = [*game.strategies, "random"]
        raise UnknownStrategy(f"{game.name} has no strategy {name!r}{did_you_mean(name, known)}")
    choose = _made(game, name, argument)
    return lambda at: _answer(game, at, choose(at), text)


def _even_chances(game: Game, at: Position) -> dict[str, Fraction]:
    legal = [move for move in game.moves if game.legal(at, move)]
    return dict.fromkeys(legal, Fraction(1, len(legal)))


def _answer(game: Game, at: Position, answer: Any, name: str) -> str | dict[str, Fraction]:
    """Return a strategy's answer at one position, refused where it is not allowed there."""
    shares = answer if isinstance(answer, Mapping) else {str(answer): Fraction(1)}
    chances: dict[str, Fraction] = {}
    for move, share in shares.items():
        exact = isinstance(share, Chance)
        chance = Fraction(int(share.numerator), share.denominator) if exact else Fraction(share)
        if chance:
            if move not in game.moves or not game.legal(at, move):
                legal = [other for other in game.moves if game.legal(at, other)]
                raise IllegalMove(
                    f"{name} cannot {move} at {game.notation(at)}: you can only {_or(legal)} here"
                )
            chances[move] = chance
    return next(iter(chances)) if len(chances) == 1 else chances


def _arguments(maker: Callable[..., Any], name: str, text: str) -> list[Any]:
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


def _random(table: Table) -> Plan:
    """Return the plan that plays every legal move with the same chance."""
    counts = np.diff(table.move_first)
    share = np.array([Fraction(1, int(count) or 1) for count in range(counts.max() + 1)], object)
    return Plan("random", table, _nowhere(table), share[counts[table.row_position]])


def _nowhere(table: Table) -> Any:
    return np.full(len(table), -1, np.int32)


def plan_of_function(table: Table, function: Callable[..., Any], name: str) -> Plan:
    """Return the plan of a function of a position."""
    if getattr(function, "on_arrays", False) and not isinstance(table.game, HouseRules):
        return _on_arrays(table, function, name)
    return _one_by_one(table, function, name)


def _on_arrays(table: Table, choose: Callable[..., Any], name: str) -> Plan:
    """Return the plan of a strategy that answers for all positions at once."""
    if isinstance(table.game, HouseRules):
        return _one_by_one(table, choose, name)
    seen = look(table, choose)
    if seen is not None:
        found = _by_sight(table, *seen, name)
        if found is not None:
            return found
    here, at = table.ongoing
    try:
        answer = choose(at)
        if not isinstance(answer, Mapping):
            answer = np.broadcast_to(np.asarray(answer), here.shape)
    except DicelabError:
        raise
    except Exception as trouble:
        raise StrategyError(
            f"{name} failed on an array of {here.size} positions: "
            f"{type(trouble).__name__}: {trouble}"
        ) from trouble
    if isinstance(answer, Mapping):
        shares = {move: _shares(part, name, table, here) for move, part in answer.items()}
        return _mixture(table, here, shares, name)
    played = _numbers_of(table, answer)
    choice = _nowhere(table)
    wrong = kernels.rows_of(table.move_first, table.move, here, played, choice)
    if wrong >= 0:
        raise _illegal(table, int(here[wrong]), str(answer[wrong]), name)
    return Plan(name, table, choice)


def _numbers_of(table: Table, answer: Any) -> Any:
    """Return the numbers of some moves, -1 for what is none."""
    played = np.full(answer.shape, -1, np.int16)
    for number, move in enumerate(table.moves):
        np.copyto(played, number, where=answer == move)
    return played


def _by_sight(table: Table, sight: Sight, answer: Any, name: str) -> Plan | None:
    """Return the plan of a strategy that looks at some fields, if it plays one legal move each."""
    things = len(sight.allowed)
    if isinstance(answer, Mapping) or np.shape(answer) not in ((), (things,)):
        return None
    played = _numbers_of(table, np.broadcast_to(np.asarray(answer), (things,)))
    if (played < 0).any() or not sight.allowed[np.arange(things), played].all():
        return None
    return SightedPlan(name, table, sight, played)


def _shares(part: Any, name: str, table: Table, here: Any) -> list[Fraction]:
    """Return one move's chance at every position of an array."""
    if isinstance(part, Chance):  # few different ones, as a rule: each is made once
        numerators = np.broadcast_to(part.numerator, here.shape)
        known, which = np.unique(numerators, return_inverse=True)
        chances = [Fraction(int(numerator), part.denominator) for numerator in known]
        return list(np.array(chances, object)[which])
    entries = np.broadcast_to(np.asarray(part), here.shape).tolist()
    return [
        _chance(entry, table, int(number), name)
        for entry, number in zip(entries, here, strict=True)
    ]


def _one_by_one(table: Table, function: Callable[..., Any], name: str) -> Plan:
    """Return the plan of a plain function, asked at one position after another."""
    here = np.flatnonzero(table.is_ongoing)
    choice = _nowhere(table)
    mixed: dict[int, dict[str, Fraction]] = {}
    rows = {move: table.row_of(move) for move in table.moves}
    for number, at in zip(here.tolist(), table.each(here), strict=True):
        try:
            answer = function(at)
        except DicelabError:
            raise
        except Exception as trouble:
            raise StrategyError(
                f"{name} failed at {table.notation(number)}: {type(trouble).__name__}: {trouble}"
            ) from trouble
        if isinstance(answer, Mapping):
            mixed[number] = {
                str(move): _chance(share, table, number, name) for move, share in answer.items()
            }
        elif isinstance(answer, str):
            row = rows[answer][number] if answer in rows else -1
            if row < 0:
                raise _illegal(table, number, answer, name)
            choice[number] = row
        else:
            raise StrategyError(
                f"{name} answered {answer!r} at {table.notation(number)}: "
                f"answer {_or(table.legal_moves(number))}, or their chances"
            )
    if not mixed:
        return Plan(name, table, choice)
    moves = {move for shares in mixed.values() for move in shares}
    pure = choice >= 0
    parts = {
        move: [
            mixed[n].get(move, Fraction(0)) if n in mixed else Fraction(0) for n in here.tolist()
        ]
        for move in sorted(moves)
    }
    return _mixture(table, here, parts, name, choice if pure.any() else None)


def _chance(share: Any, table: Table, number: int, name: str) -> Fraction:
    chance = exactly(share)
    if chance is None or not 0 <= chance <= 1:
        raise StrategyError(
            f"{name} gave the chance {share!r} at {table.notation(number)}: "
            f"a chance is a number from 0 to 1"
        )
    return chance


def _mixture(
    table: Table, here: Any, shares: Mapping[str, list[Fraction]], name: str, choice: Any = None
) -> Plan:
    """Return the plan that mixes moves by their shares at the positions `here`."""
    chances = np.full(table.rows, Fraction(0), object)
    total = np.full(here.size, Fraction(0), object)
    for move, parts in shares.items():
        part = np.array(parts, object)
        rows = table.row_of(move)[here]
        used = part != 0
        if (used & (rows < 0)).any():
            raise _illegal(table, int(here[used & (rows < 0)][0]), move, name)
        chances[rows[used]] = part[used]
        total += part
    if choice is not None:
        pure = choice[here] >= 0
        chances[choice[here][pure]] = Fraction(1)
        total[pure] += Fraction(1)
    rounded = np.flatnonzero((total != 1) & (np.abs(total.astype(float) - 1) < 1e-9))
    if rounded.size:  # computed with floats: 1e-16 too much or too little
        scale = np.full(len(table), Fraction(1), object)
        scale[here[rounded]] = total[rounded]
        chances = chances / scale[table.row_position]
        total[rounded] = Fraction(1)
    wrong = np.flatnonzero(total != 1)
    if wrong.size:
        raise StrategyError(
            f"{name} gave chances at {table.notation(int(here[wrong[0]]))} that sum to "
            f"{total[wrong[0]]}: they must sum to 1"
        )
    return Plan(name, table, _nowhere(table), chances)


def _illegal(table: Table, number: int, move: str, name: str) -> IllegalMove:
    legal = _or(table.legal_moves(number))
    at = table.notation(number)
    if move not in table.moves:
        return IllegalMove(
            f"{name} answered {move!r} at {at}, which is no move of {table.game.name}: "
            f"you can {legal} here"
        )
    return IllegalMove(f"{name} cannot {move} at {at}: you can only {legal} here")


def _or(words: list[str]) -> str:
    return " or ".join(words)
