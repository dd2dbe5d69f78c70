"""Rules of thumb as text: ``hold if at_risk >= 21 + (yours - mine)/8; roll``.

A rule is a list of clauses, parted by semicolons or lines; the first that fits is played. A clause
is a move, and after ``if`` when to make it: fields of the position and whole-number parameters of
the game, compared (``>= > <= < == !=``), with ``and``, ``or``, ``not``; whole numbers, ``+ - *``,
``//`` rounded down, and ``/`` rounded to the nearest whole number, halves up, as one does at the
table. A clause whose move the rules do not allow there is passed over; where none fits, the first
move that is allowed is made.

A number in braces picks a numbered move: ``roll {4 + (yours - mine)/20}`` is the allowed one
nearest to it. After a throw, the name of a way is a clause like any other; ``take most points`` or
``take least dice`` picks the way by the position it leads to, and ``take first`` is the first that
is open. A clause for after a throw may also compare what the game reads off the dice there
(`Game.throw_numbers`).

The text is read by Python's own parser and walked; nothing of it is ever run as code.

>>> from dicelab.games.pig import Pig
>>> rule = parsed("roll if mine >= target - 29; hold if at_risk >= 20; roll").on(Pig())
>>> str(rule(Pig().parse("75-0 +25"))), str(rule(Pig().parse("0-0 +20")))
('roll', 'hold')
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np

from dicelab.core.arrays import Array
from dicelab.errors import DicelabError, StrategyError
from dicelab.rules import Bools, Faces, Game, HouseRules, Ints, Position, Way
from dicelab.rules.parts import part_of, parts_of
from dicelab.rules.registry import did_you_mean

MOST_LETTERS = 4_000
"""Letters of a rule beyond which nobody keeps it in mind, nor reads it."""

MOST_DIGITS = 9

Names = str | Array
"""A move or a way, or an array of them."""

Known = Callable[[str], Ints]
"""What tells a field, a parameter, or what is read off the dice, by its name."""

SUFFIX = ".rule"
"""What the names of files end in that hold a rule."""

TAKE = re.compile(r"take (most|least) (.+)", re.DOTALL)
TAKE_FIRST = "take first"
AFTER_THROWS = ("most", "least", "first")
"""Kinds of clauses that say what to take after a throw."""
BRACES = re.compile(r"([^{}]*)\{([^{}]+)\}([^{}]*)")
_ORDERS: dict[type[ast.cmpop], Callable[[Ints, Ints], Bools]] = {
    ast.GtE: lambda one, two: one >= two,
    ast.Gt: lambda one, two: one > two,
    ast.LtE: lambda one, two: one <= two,
    ast.Lt: lambda one, two: one < two,
    ast.Eq: lambda one, two: one == two,
    ast.NotEq: lambda one, two: one != two,
}


@dataclass(frozen=True)
class Clause:
    """One line of a rule: what to do, and when."""

    does: str  # a move, a way, a move with braces, take most/least of something, or take first
    when: str = ""  # empty: always

    def __str__(self) -> str:
        """Return the clause as it is written."""
        return f"{self.does} if {self.when}" if self.when else self.does


@dataclass(frozen=True)
class Rule:
    """A rule of thumb: clauses of which the first that fits is played."""

    clauses: tuple[Clause, ...]

    def __str__(self) -> str:
        """Return the rule as it is written, in one line."""
        return "; ".join(map(str, self.clauses))

    @property
    def name(self) -> str:
        """What every verb takes: the rule as a strategy."""
        return f"rule:{self}"

    @property
    def size(self) -> int:
        """How many numbers one has to remember: one that an `or` or `and` repeats counts once."""
        return sum(_count(clause) for clause in self.clauses)

    def on(self, game: Game) -> RuleOn:
        """Return the rule as a strategy of a game, for one position or an array of them."""
        return RuleOn(self, game)


def _count(clause: Clause) -> int:
    """Return how many numbers a clause has; mine >= 71 or yours >= 71 has one."""
    parts = [re.findall(r"\b\d+", part) for part in re.split(r"\band\b|\bor\b", clause.when)]
    return len(re.findall(r"\d+", clause.does)) + sum(map(len, set(map(tuple, parts))))


def parsed(text: str) -> Rule:
    """Return the rule that a text tells, refused where it is none."""
    if len(text) > MOST_LETTERS:
        raise StrategyError(f"a rule has at most {MOST_LETTERS:,} letters: got {len(text):,}")
    clauses = []
    for piece in re.split(r"[;\n]", text):
        told = " ".join(piece.partition("#")[0].split())
        if not told:
            continue
        does, found, when = told.partition(" if ")
        if found and not when.strip():
            raise StrategyError(f"a clause says when after 'if': got {told!r}")
        for part in (when, *_numbers_of(does)):
            if part:
                tree_of(part)
        clauses.append(Clause(does.strip(), when.strip()))
    if not clauses:
        raise StrategyError("a rule has a clause or more, as in 'hold if at_risk >= 20; roll'")
    return Rule(tuple(clauses))


def read_rule(path: str | Path) -> Rule:
    """Return the rule that a file holds; lines are clauses, and what follows # is for people."""
    try:
        with open(path, encoding="utf-8") as file:
            text = file.read(4 * MOST_LETTERS)
    except (OSError, UnicodeDecodeError) as trouble:
        reason = getattr(trouble, "strerror", None) or "it is no text"
        raise StrategyError(f"cannot read a rule from {str(path)!r}: {reason}") from None
    return parsed("\n".join(line.partition("#")[0] for line in text.splitlines()))


def _numbers_of(does: str) -> list[str]:
    """Return the expressions inside what a clause does."""
    if take := TAKE.fullmatch(does):
        return [take[2]]
    if braces := BRACES.fullmatch(does):
        return [braces[2]]
    if "{" in does or "}" in does:
        raise StrategyError(
            f"a move has one pair of braces, as in 'roll {{4 + mine/20}}': got {does!r}"
        )
    return []


def tree_of(text: str) -> ast.expr:
    """Return an expression as a tree, refused where it is more than a rule may be."""
    try:
        tree = ast.parse(text, mode="eval").body
        for node in ast.walk(tree):
            _check(node, text)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as trouble:
        if isinstance(trouble, DicelabError):
            raise
        raise StrategyError(
            f"cannot read {text!r}: a rule compares fields and whole numbers, "
            f"as in at_risk >= 21 + (yours - mine)/8"
        ) from None
    return tree


_ALLOWED = (
    ast.BoolOp,
    ast.And,
    ast.Or,
    ast.UnaryOp,
    ast.Not,
    ast.USub,
    ast.Compare,
    ast.BinOp,
    ast.Add,
    ast.Sub,
    ast.Mult,
    ast.Div,
    ast.FloorDiv,
    ast.Name,
    ast.Load,
    *_ORDERS,
)


def _check(node: ast.AST, text: str) -> None:
    """Refuse what is no part of a rule."""
    if isinstance(node, ast.Constant):
        if type(node.value) is int and len(str(node.value)) <= MOST_DIGITS:
            return
        raise StrategyError(
            f"a rule has whole numbers of at most {MOST_DIGITS} digits: got {node.value!r}"
        )
    if not isinstance(node, _ALLOWED):
        raise StrategyError(
            f"cannot read {text!r}: a rule compares fields and whole numbers, "
            f"as in at_risk >= 21 + (yours - mine)/8"
        )
    if isinstance(node, ast.BinOp):
        constant = [isinstance(side, ast.Constant) for side in (node.left, node.right)]
        if isinstance(node.op, ast.Div | ast.FloorDiv) and not (
            constant[1] and node.right.value > 0  # type: ignore[attr-defined]
        ):
            raise StrategyError(f"a rule divides by whole numbers above 0 only: got {text!r}")
        if isinstance(node.op, ast.Mult) and not any(constant):
            raise StrategyError(f"a rule multiplies by whole numbers only: got {text!r}")


def worked(node: ast.expr, known: Known) -> Ints:
    """Return what an expression is, for one position or for many."""
    if isinstance(node, ast.Constant):
        return node.value
    if isinstance(node, ast.Name):
        return known(node.id)
    if isinstance(node, ast.UnaryOp):
        inside = worked(node.operand, known)
        return np.logical_not(inside) if isinstance(node.op, ast.Not) else -inside
    if isinstance(node, ast.BoolOp):
        parts = [worked(each, known) for each in node.values]
        join = np.logical_and if isinstance(node.op, ast.And) else np.logical_or
        found = parts[0]
        for part in parts[1:]:
            found = join(found, part)
        return found
    if isinstance(node, ast.Compare):
        sides = [worked(side, known) for side in (node.left, *node.comparators)]
        found = True
        for order, one, two in zip(node.ops, sides, sides[1:], strict=False):
            found = np.logical_and(found, _ORDERS[type(order)](one, two))
        return found
    assert isinstance(node, ast.BinOp)
    one, two = worked(node.left, known), worked(node.right, known)
    if isinstance(node.op, ast.Add):
        return one + two
    if isinstance(node.op, ast.Sub):
        return one - two
    if isinstance(node.op, ast.Mult):
        return one * two
    if isinstance(node.op, ast.FloorDiv):
        return one // two
    return (2 * one + two) // (2 * two)  # to the nearest, halves up


class RuleOn:
    """A rule made ready for one game: its words found among the moves and fields of that."""

    on_arrays = True

    def __init__(self, rule: Rule, game: Game) -> None:
        self.rule, self.game, self.__name__ = rule, game, rule.name
        own = game.unaimed  # for another aim its positions may have a field more
        self.numbers = {name: value for name, value in own.parameters.items() if type(value) is int}
        self.fields = tuple(parts_of(game.start()))
        self.clauses = [(clause, self._when(clause), self._does(clause)) for clause in rule.clauses]

    def _when(self, clause: Clause) -> ast.expr | None:
        more = self.game.throw_numbers
        return self._known(tree_of(clause.when), more) if clause.when else None

    def _does(self, clause: Clause) -> tuple[str, ast.expr | None, Mapping[int, str] | None]:
        """Return what kind of clause it is, its expression, and the moves it may mean."""
        if clause.does == TAKE_FIRST:
            return "first", None, None
        if take := TAKE.fullmatch(clause.does):
            return take[1], self._known(tree_of(take[2])), None
        if braces := BRACES.fullmatch(clause.does):
            moves = _numbered(clause.does, self.game.moves)
            if self.game.moves and not moves:
                raise StrategyError(f"{self.game.name} has no numbered moves {clause.does!r}")
            return "number", self._known(tree_of(braces[2])), moves
        known = self.game.moves
        own = type(self.game.unaimed)
        if known and clause.does not in known and own.ways is Game.ways:
            raise StrategyError(
                f"{self.game.name} has no move {clause.does!r}{did_you_mean(clause.does, known)}"
            )
        return "move", None, None

    def _known(self, tree: ast.expr, more: Iterable[str] = ()) -> ast.expr:
        """Return an expression, refused where it names what the game does not have."""
        known = [*self.fields, *self.numbers, *more]
        for node in ast.walk(tree):
            if isinstance(node, ast.Name) and node.id not in known:
                raise StrategyError(
                    f"{self.game.name} has no field {node.id!r}{did_you_mean(node.id, known)}"
                )
        return tree

    def known_at(self, at: Position, name: str, threw: Faces = None) -> Ints:
        """Return a field of a position, a parameter of the game, or what is read off the dice."""
        if name in self.game.throw_numbers:
            return self.game.throw_number(name, at, threw)
        return part_of(at, name) if name in self.fields else self.numbers[name]

    def _reads_dice(self, when: ast.expr | None) -> bool:
        """Return whether a condition compares what is read off the dice after a throw."""
        names = () if when is None else ast.walk(when)
        return any(isinstance(n, ast.Name) and n.id in self.game.throw_numbers for n in names)

    def __call__(self, at: Position, threw: Faces = None) -> Names:
        """Return the move at a position, or the way after a throw; of many, an array of them."""
        known = partial(self.known_at, at, threw=threw)
        if threw is not None:
            return self._way(at, threw, known)
        moves = self.game.moves
        if isinstance(self.game, HouseRules) or not moves:
            allowed = set(self.game.legal_moves(at))
            return self._first(known, lambda move: move in allowed, self.game.legal_moves(at))
        return self._first(known, lambda move: self.game.legal(at, move), moves)

    def line_at(self, at: Position, threw: Faces = None) -> int | None:
        """Return the number of the clause that is played at one position, the first one 0.

        None where no clause fits, so that the first move that is allowed is made.
        """
        known = partial(self.known_at, at, threw=threw)
        if threw is None:
            open_ = dict.fromkeys(self.game.legal_moves(at), True)
        else:
            ways = _ways(self.game, at, str(self(at)), threw)
            open_ = {way.name: True for way in ways if way.allowed}
        for place, (clause, when, (kind, _, _)) in enumerate(self.clauses):
            if threw is None and self._reads_dice(when):
                continue
            if when is not None and not worked(when, known):
                continue
            if kind == "move" and clause.does in open_:
                return place
            if kind == "number" and threw is None and _numbered(clause.does, open_):
                return place
            if kind in AFTER_THROWS and threw is not None:
                return place
        return None

    def _first(self, known: Known, legal: Callable[[str], Bools], moves: Iterable[str]) -> Names:
        """Return the move of the first clause that fits."""
        moves = list(moves)
        names = np.array([*moves, ""])
        answer: Ints = np.array(len(moves))  # the place of a move, so far of none
        open_: Bools = np.array(True)

        def answer_where(fits: Bools, place: Ints) -> None:
            nonlocal answer, open_
            fits = np.logical_and(open_, fits)
            answer = np.where(fits, place, answer)
            open_ = np.logical_and(open_, np.logical_not(fits))

        for clause, when, (kind, number, meant) in self.clauses:
            if not np.any(open_):
                break
            if kind in AFTER_THROWS or self._reads_dice(when):
                continue
            now = True if when is None else worked(when, known)
            if kind == "move":
                if clause.does in moves:
                    fits = np.logical_and(now, legal(clause.does))
                    answer_where(fits, moves.index(clause.does))
                continue
            assert number is not None
            wanted = worked(number, known)
            numbered = meant or _numbered(clause.does, moves)
            nearest: Ints = np.array(len(moves))
            distance: Ints = np.array(np.inf)
            for count, move in sorted(numbered.items()):
                off = np.where(legal(move), np.abs(wanted - count), np.inf)
                nearest = np.where(off < distance, moves.index(move), nearest)
                distance = np.minimum(off, distance)
            answer_where(np.logical_and(now, np.isfinite(distance)), nearest)
        for place, move in enumerate(moves):
            if not np.any(open_):
                break
            answer_where(legal(move), place)
        found = names[answer]
        return found if np.ndim(found) else str(found)

    def _way(self, at: Position, threw: Faces, known: Known) -> Names:
        """Return the way that is taken after a throw."""
        shown = self(at)
        move = str(np.asarray(shown).flat[0])
        ways = list(_ways(self.game, at, move, threw))
        shape = np.shape(shown)
        may = [np.broadcast_to(np.asarray(way.allowed, bool), shape) for way in ways]
        answer = np.full(shape, "", f"<U{max(len(way.name) for way in ways)}")
        left = np.ones(shape, bool)
        for clause, when, (kind, number, _) in self.clauses:
            now = left & (True if when is None else worked(when, known))
            if kind in ("move", "first"):
                for way, mask in zip(ways, may, strict=True):
                    if kind == "first" or way.name == clause.does:
                        answer = np.where(left & now & mask, way.name, answer)
                        left = left & ~(now & mask)
            elif kind in ("most", "least"):
                assert number is not None
                answer = np.where(now, self._best_way(ways, may, number, kind, shape), answer)
                left = left & ~now
        for way, mask in zip(ways, may, strict=True):
            answer = np.where(left & mask, way.name, answer)
            left = left & ~mask
        return answer if answer.ndim else str(answer)

    def _best_way(
        self, ways: list[Way], may: list[Array], number: ast.expr, kind: str, shape: tuple[int, ...]
    ) -> Array:
        """Return the way that leads where a number is largest, or smallest; the first of equals."""
        best: Array = np.full(shape, -np.inf)
        taken: Array = np.full(shape, "", f"<U{max(len(way.name) for way in ways)}")
        for way, mask in zip(ways, may, strict=True):
            there = worked(number, partial(self.known_at, way.at))
            worth = np.where(mask, there if kind == "most" else -there, -np.inf)
            taken = np.where(worth > best, way.name, taken)
            best = np.maximum(worth, best)
        return taken


def _numbered(does: str, moves: Iterable[str]) -> Mapping[int, str]:
    """Return the numbered moves among some, where a game has others at every position."""
    braces = BRACES.fullmatch(does)
    assert braces is not None
    pattern = re.compile(rf"{re.escape(braces[1])}(\d+){re.escape(braces[3])}")
    return {int(match[1]): move for move in moves if (match := pattern.fullmatch(move))}


def _ways(game: Game, at: Position, move: str, threw: Faces) -> Iterable[Way]:
    for way in game.ways(at, move, threw):
        yield way if isinstance(way, Way) else Way(*way)
