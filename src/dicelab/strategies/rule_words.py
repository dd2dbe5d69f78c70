"""Rules of thumb in words: ``hold if at_risk >= 25`` is "hold if the sum at risk is 25 or more".

A game says what its fields are called (`Speech.fields_in_words`); everything else is read off the
text of the rule. With a position at hand, what a line compares is worked out beside it.

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
from dicelab.rules.speech import in_a_row
from dicelab.strategies.rule_text import BRACES, TAKE, Clause, tree_of, worked

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
    return f"{does} if {_Telling(game, known).condition(tree_of(clause.when))}"


def _does_in_words(does: str, game: Game) -> str:
    if take := TAKE.fullmatch(does):
        return f"after a throw, take what leaves the {take[1]} of {_told(take[2], game)}"
    if braces := BRACES.fullmatch(does):
        return f"{braces[1]}about {_told(braces[2], game)}{braces[3]}"
    return does


def _told(text: str, game: Game) -> str:
    return _Telling(game, None).amount(tree_of(text))


class _Telling:
    """Turns the tree of a condition into words."""

    def __init__(self, game: Game, known: Known | None) -> None:
        self.game, self.known = game, known

    def condition(self, node: ast.expr) -> str:
        if isinstance(node, ast.BoolOp):
            return self._joined(node)
        if isinstance(node, ast.UnaryOp):
            return f"not: {self.condition(node.operand)}"
        if not isinstance(node, ast.Compare):
            return f"{self.amount(node)} is not 0"
        sides = [node.left, *node.comparators]
        told = [
            self._compared(self.amount(one), order, two)
            for one, order, two in zip(sides, node.ops, sides[1:], strict=False)
        ]
        return " and ".join(told)

    def _compared(self, what: str, order: ast.cmpop, number: ast.expr) -> str:
        plain = isinstance(number, ast.Constant)
        told = (PLAIN if plain else LONG)[type(order)].format(self.amount(number))
        here = "" if plain or self.known is None else f" ({worked(number, self.known)} here)"
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
            return str(node.value)
        if isinstance(node, ast.Name):
            return self.game.field_in_words(node.id)
        if isinstance(node, ast.UnaryOp):
            return f"minus {self.amount(node.operand)}"
        if not isinstance(node, ast.BinOp):
            return self.condition(node)
        one, two = self.amount(node.left), self.amount(node.right)
        if isinstance(node.op, ast.Div | ast.FloorDiv):
            divisor = int(two)
            part = PARTS.get(divisor, f"one part in {divisor}")
            return f"{part} of {self._inside(node.left)}"
        if isinstance(node.op, ast.Mult):
            return f"{one} times {self._inside(node.right)}"
        if isinstance(node.op, ast.Sub) and (behind := self._apart(node)):
            return behind
        return f"{one} {'plus' if isinstance(node.op, ast.Add) else 'less'} {two}"

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
