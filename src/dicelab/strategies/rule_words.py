"""Rules of thumb in words: ``hold if at_risk >= 25`` is "hold if the sum at risk is 25 or more".

A game says what its fields are called (`Speech.fields_in_words`); everything else is read off the
text of the rule. With a position at hand, what a line compares is worked out beside it. Where
positions count points in steps, a comparison is told in points, both its sides so many times.

>>> from dicelab.games.pig import Pig
>>> from dicelab.strategies.rule_text import parsed
>>> rule = parsed("roll if mine >= 71 or yours >= 71; hold if at_risk >= 21 + (yours - mine)/8")
>>> for clause in rule.clauses:
...     print(clause_in_words(clause, Pig()))
roll if your score or the other player's score is 71 or more
hold if the sum at risk is at least 21 plus an eighth of what you are behind
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from dicelab.rules import Game
from dicelab.rules.sentences import in_a_row
from dicelab.strategies.rule_text import BRACES, TAKE, TAKE_FIRST, Clause, Rule, tree_of, worked

PARTS = {2: "half", 3: "a third", 4: "a quarter", 5: "a fifth", 6: "a sixth", 7: "a seventh"}
PARTS |= {8: "an eighth", 9: "a ninth", 10: "a tenth", 12: "a twelfth", 20: "a twentieth"}
PLAIN = {
    ast.GtE: "is {} or more",
    ast.Gt: "is more than {}",
    ast.LtE: "is {} or less",
    ast.Lt: "is below {}",
    ast.Eq: "is {}",
    ast.NotEq: "is not {}",
}
LONG = {**PLAIN, ast.GtE: "is at least {}", ast.LtE: "is at most {}"}

Known = Callable[[str], Any]
"""What a name stands for at one position."""


def clause_in_words(clause: Clause, game: Game, known: Known | None = None) -> str:
    """Return one line of a rule as one says it; `known`, if given, has the fields of a position."""
    does = _does_in_words(clause.does, game)
    if not clause.when:
        return does
    tree = tree_of(clause.when)
    return f"{does} if {_Telling(game, known, tree).condition(tree)}"


def rule_in_words(rule: Rule, game: Game) -> list[str]:
    """Return the lines of a rule as one says them; ways of one kind in a row make one line.

    >>> from dicelab.strategies.rule_text import parsed
    >>> from dicelab.games.four21 import FourTwentyOne
    >>> rule_in_words(parsed("stop if worth >= 4; keep 11; keep 41; take first"), FourTwentyOne())
    ['stop if the worth of the dice is 4 or more', 'keep 11, else 41', 'keep nothing more']
    """
    told: list[str] = []
    before = ""  # the first word of the line before, where that is nothing but a way
    for clause in rule.clauses:
        word, _, rest = clause.does.partition(" ")
        plain = word if rest and not clause.when and clause.does != TAKE_FIRST else ""
        if plain and plain == before and not TAKE.fullmatch(clause.does):
            told[-1] += f", else {rest}"
        else:
            told.append(clause_in_words(clause, game))
        before = plain
    return told


def _does_in_words(does: str, game: Game) -> str:
    if does == TAKE_FIRST:
        return game.first_way_in_words
    if take := TAKE.fullmatch(does):
        return f"after a throw, take what leaves the {take[1]} of {_told(take[2], game)}"
    if braces := BRACES.fullmatch(does):
        return f"{braces[1]}about {_told(braces[2], game)}{braces[3]}"
    return does


def _told(text: str, game: Game) -> str:
    tree = tree_of(text)
    return _Telling(game, None, tree).amount(tree)


class _Telling:
    """Turns the tree of a condition into words."""

    def __init__(self, game: Game, known: Known | None, tree: ast.expr) -> None:
        self.game, self.known = game, known
        names = [node.id for node in ast.walk(tree) if isinstance(node, ast.Name)]
        self.step = max(map(game.points_of_one, names), default=1)

    def condition(self, node: ast.expr) -> str:
        if isinstance(node, ast.BoolOp):
            return self._joined(node)
        if isinstance(node, ast.UnaryOp):
            return f"not: {self.condition(node.operand)}"
        if not isinstance(node, ast.Compare):
            return f"{self.amount(node)} is not 0"
        sides = [node.left, *node.comparators]
        told = [
            self._turned(one, order, two) or self._compared(self.amount(one), order, two)
            for one, order, two in zip(sides, node.ops, sides[1:], strict=False)
        ]
        return " and ".join(told)

    def _compared(self, what: str, order: ast.cmpop, number: ast.expr) -> str:
        plain = isinstance(number, ast.Constant)
        told = (PLAIN if plain else LONG)[type(order)].format(self.amount(number))
        here = (
            ""
            if plain or self.known is None
            else f" ({self.step * worked(number, self.known)} here)"
        )
        return f"{what} {told}{here}"

    def _joined(self, node: ast.BoolOp) -> str:
        """Return several conditions, those that compare with the same number told together."""
        word = "and" if isinstance(node.op, ast.And) else "or"
        alike = {
            (type(each.ops[0]), ast.dump(each.comparators[0]))
            for each in node.values
            if isinstance(each, ast.Compare) and len(each.ops) == 1
        }
        same = [each for each in node.values if isinstance(each, ast.Compare)]
        if len(alike) == 1 and len(same) == len(node.values):
            names = [self.amount(each.left) for each in same]
            joined = in_a_row(names) if word == "and" else " or ".join(names)
            both = f"{joined} each" if word == "and" else joined
            return self._compared(both, same[0].ops[0], same[0].comparators[0])
        return f" {word} ".join(map(self.condition, node.values))

    def amount(self, node: ast.expr) -> str:
        if isinstance(node, ast.Constant):
            return str(self.step * node.value)  # type: ignore[operator]
        if isinstance(node, ast.Name):
            return self._times(self.step // self.game.points_of_one(node.id), node)
        if isinstance(node, ast.UnaryOp):
            return f"minus {self.amount(node.operand)}"
        if not isinstance(node, ast.BinOp):
            return self.condition(node)
        if isinstance(node.op, ast.Div | ast.FloorDiv):
            assert isinstance(node.right, ast.Constant)
            divisor = int(node.right.value)  # type: ignore[arg-type]
            part = PARTS.get(divisor, f"one part in {divisor}")
            return f"{part} of {self._inside(node.left)}"
        if isinstance(node.op, ast.Mult):
            number, what = node.left, node.right
            if not isinstance(number, ast.Constant):
                number, what = what, number
            assert isinstance(number, ast.Constant)
            return f"{number.value!r} times {self._inside(what)}"
        if isinstance(node.op, ast.Sub) and (behind := self._apart(node)):
            return behind
        one, two = self.amount(node.left), self.amount(node.right)
        return f"{one} {'plus' if isinstance(node.op, ast.Add) else 'less'} {two}"

    def _times(self, times: int, node: ast.Name) -> str:
        """Return so many times a field."""
        told, one = self.game.field_in_words(node.id), self.game.one_in_words(node.id)
        if times == 1:
            return told
        return f"{times} for each {one}" if one else f"{times} times {told}"

    def _turned(self, one: ast.expr, order: ast.cmpop, two: ast.expr) -> str:
        """Return a count compared with a part of points as those points compared with the count.

        A number of dice below 1 + points/4, rounded, is the same as points of at least 4 for each
        die less 2; and that is what one works out at the table.
        """
        if self.step == 1 or not isinstance(one, ast.Name) or self.known is not None:
            return ""
        if self.game.points_of_one(one.id) != 1 or type(order) not in (ast.Lt, ast.GtE):
            return ""
        if not (isinstance(two, ast.BinOp) and isinstance(two.op, ast.Add | ast.Sub)):
            return ""
        number, part = two.left, two.right
        if not (isinstance(number, ast.Constant) and isinstance(part, ast.BinOp)):
            return ""
        if not isinstance(part.op, ast.Div) or not isinstance(part.right, ast.Constant):
            return ""
        start, k = int(number.value), int(part.right.value)  # type: ignore[arg-type]
        each = self._times(self.step * k, one)
        grows = isinstance(two.op, ast.Add)
        rest = self.step * ((-k * (start - 1) if grows else k * start) - k // 2)
        least = (type(order) is ast.Lt) == grows
        other = (
            (f"{each} {'plus' if rest > 0 else 'less'} {abs(rest)}" if rest else each)
            if grows
            else (f"{rest} less {each}")
        )
        return f"{self.amount(part.left)} {LONG[ast.GtE if least else ast.Lt].format(other)}"

    def _inside(self, node: ast.expr) -> str:
        told = self.amount(node)
        bare = not isinstance(node, ast.BinOp) or bool(self._apart(node))
        return told if bare else f"({told})"

    def _apart(self, node: ast.expr) -> str:
        """Return what one player has more than the other, as one says it."""
        if not isinstance(node, ast.BinOp) or not isinstance(node.op, ast.Sub):
            return ""
        if not (isinstance(node.left, ast.Name) and isinstance(node.right, ast.Name)):
            return ""
        if (node.left.id, node.right.id) == ("yours", "mine"):
            return self.game.apart_in_words[0]
        if (node.left.id, node.right.id) == ("mine", "yours"):
            return self.game.apart_in_words[1]
        return ""
