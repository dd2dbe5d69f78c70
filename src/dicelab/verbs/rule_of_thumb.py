"""Which rule of thumb covers this position: a short rule of a game, and the line that applies.

`rule_of_thumb(game)` looks for a good rule of a few numbers, in seconds rather than minutes; what
it costs is exact as always. `at` then says in words which line of it covers a position, and what
it plays there. Any rule of one's own can be asked the same way: `RuleOfThumb(game, parsed(text))`.

>>> from dicelab.games.pig import Pig
>>> rule = rule_of_thumb(Pig(target=60), size=1)
>>> rule.at("0-0 +24").words, rule.at("0-0 +24").move
("hold if the sum at risk less the other player's score is 20 or more", 'hold')
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, partial

from dicelab.core.json_object import JsonObject
from dicelab.rules import Game, Moment, Position
from dicelab.rules.chance import before_throw
from dicelab.strategies.named import AnyStrategy
from dicelab.strategies.rule_text import Rule, RuleOn
from dicelab.strategies.rule_words import clause_in_words
from dicelab.table import Table
from dicelab.verbs.distil import distil, refuse_engine

SIZE = 2
"""Numbers of a rule that one is told at the table."""

TRIES, TRIES_AFTER_THROWS = 100, 24
"""How many rules are worked out exactly for it."""


@dataclass(frozen=True)
class Covered:
    """The line of a rule that applies at a position."""

    line: int | None  # from 1; None: no line fits, and the first allowed move is made
    text: str  # the line as it is written
    words: str  # the line as one says it
    move: str  # what it plays here: a move, or a way after a throw

    def as_dict(self) -> JsonObject:
        """Return what a page or a program wants to know."""
        return {"line": self.line, "text": self.text, "words": self.words, "move": self.move}


@dataclass(frozen=True)
class RuleOfThumb:
    """A rule of a game, ready to be asked about positions."""

    game: Game
    rule: Rule
    cost: float | None = None  # what best play gets more; None where nobody worked it out
    unit: str = ""

    @property
    def name(self) -> str:
        """What every verb takes: the rule as a strategy."""
        return self.rule.name

    @cached_property
    def lines(self) -> tuple[str, ...]:
        """All lines of the rule in words."""
        return tuple(clause_in_words(clause, self.game) for clause in self.rule.clauses)

    @cached_property
    def _asked(self) -> RuleOn:
        return self.rule.on(self.game)

    def at(self, position: Position | str) -> Covered:
        """Return the line that covers a position, or a moment after a throw, and what it plays."""
        here = self.game.read(position) if isinstance(position, str) else position
        at, threw = before_throw(here), here.dice if isinstance(here, Moment) else None
        line, move = self._asked.line_at(at, threw), str(self._asked(at, threw))
        if line is None:
            return Covered(None, "", f"no line fits: {move}", move)
        clause = self.rule.clauses[line]
        known = partial(self._asked.known_at, at)
        return Covered(line + 1, str(clause), clause_in_words(clause, self.game, known), move)

    def as_dict(self) -> JsonObject:
        """Return what a page or a program wants to know."""
        told: JsonObject = {"rule": str(self.rule), "strategy": self.name, "size": self.rule.size}
        return told | {"lines": list(self.lines), "cost": self.cost, "unit": self.unit}


def rule_of_thumb(
    game: Game | Table,
    size: int = SIZE,
    against: Sequence[AnyStrategy] | None = None,
    tries: int | None = None,
) -> RuleOfThumb:
    """Return a good rule of at most `size` numbers, from a short search without any chance in it.

    A game that has no such rules (played at once, best by chance, by three and more) is refused as
    `distil` refuses it. A table that somebody has made is used as it is.
    """
    if tries is None:
        rules = game.game if isinstance(game, Table) else game
        tries = TRIES_AFTER_THROWS if type(rules).ways is not Game.ways else TRIES
    refuse_engine(game.game if isinstance(game, Table) else game)
    found = distil(game, size, against, tries=tries, prove=False, compare=False)
    assert isinstance(found.best.rule, Rule)
    return RuleOfThumb(found.game, found.best.rule, found.best.cost, found.unit)
