"""Can't Stop at the table: what stands on its buttons, and what happened in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from dicelab.core.json_object import JsonObject
from dicelab.core.language import mark, tr, trn
from dicelab.games.cant_stop.rules import BUST, CLIMB, STOP, CantStopPosition, CantStopRules
from dicelab.rules import Moment, Position, before_throw
from dicelab.rules.registry import register
from dicelab.rules.sentences import YOU, in_a_row, rolled, said_by, shown, upper_first
from dicelab.rules.speech import Told, by_side


def _columns(way: str) -> str:
    """Return the columns that a way climbs: 5 and 7, 6 twice."""
    columns = way.split()[1:]
    if len(columns) == 2 and columns[0] == columns[1]:
        return tr("{column} twice", column=columns[0])
    return in_a_row(columns)


@register("cant-stop")
@dataclass(frozen=True)
class CantStop(CantStopRules):
    """Can't Stop on a board of any size, alone for few turns or for two."""

    called: ClassVar[str] = "Can't Stop"
    in_short: ClassVar[str] = (
        "Roll four dice, pair them, and climb the columns of the two sums; roll again or stop. "
        "A throw that lets you climb nothing costs the steps of the turn. "
        "Who first climbs three columns to the top wins; alone, in the fewest turns."
    )
    list_place: ClassVar[int] = 46
    tells_throws: ClassVar[bool] = True
    rivals: ClassVar[tuple[str, ...]] = ("rule-of-28", "no-marker-left", "random", "optimal")
    rivals_in_words: ClassVar[Mapping[str, tuple[str, str]]] = {
        "rule-of-28": (
            mark("the classic"),
            mark("Stops once the turn has 28 points by a well-known rule of thumb."),
        ),
        "no-marker-left": (
            mark("the cautious one"),
            mark("Stops as soon as all markers are placed."),
        ),
    }
    largest: ClassVar[Mapping[str, int]] = {
        "sides": 3,
        "shortest": 3,
        "columns": 3,
        "markers": 3,
        "players": 2,
    }
    help_in_words: ClassVar[Mapping[str, str]] = {
        "sides": "sides of the four dice; the columns are the sums of two of them",
        "shortest": "steps of the columns at the edge; each further in has two more",
        "columns": "columns to climb to win",
        "markers": "columns that may be climbed in one turn",
        "players": "1 alone for few turns, 2 against each other",
    }

    def label(self, at: Position, move: str) -> str:
        """Return what stands on the button of a move: Roll, Stop, Climb 5 and 7."""
        return upper_first(self.spoken(at, move))

    def spoken(self, at: Position, move: str) -> str:
        """Return a move as one says it in a sentence: roll, stop, climb 5 and 7."""
        if move.startswith(CLIMB):
            return tr("climb {columns}", columns=_columns(move))
        return super().spoken(at, move)

    def final_counters(self, at: Position, mine: bool = True) -> JsonObject:
        """Return how many columns each has climbed."""
        columns = int(self.climbed(at.now))
        if self.players == 1:
            return {"columns": columns}
        return by_side((columns, int(self.climbed(at.yours))), mine)

    def describe(self, at: Position, mine: bool = True) -> str:
        """Return a position in a sentence or two."""
        at = before_throw(at)
        told = [self._has(at.mine, mine)]
        if self.players == 2:
            told.append(self._has(at.yours, not mine))
        if at.now != at.mine:
            told.append(tr("This turn: {steps}.", steps=self._told(at.now, at.mine)))
        return " ".join(told)

    def _has(self, code: int, you: bool) -> str:
        steps = self._told(code, 0)
        return said_by(you, "You have {steps}.", "The other player has {steps}.", steps=steps)

    def _told(self, code: int, before: int) -> str:
        """Return the steps in the columns that have more of them than before."""
        steps = [(int(self.steps(code, c)), c) for c in self.board]
        more = [
            tr("{steps} in the {column}", steps=n, column=c)
            for n, c in steps
            if n != self.steps(before, c)
        ]
        return ", ".join(more) or tr("no steps yet")

    def narrate(
        self, at: Position, move: str, faces: Sequence[int], after: Position, you: bool, seen: bool
    ) -> Told:
        """Return what happened when somebody rolled, climbed or stopped."""
        if isinstance(at, Moment):
            columns = _columns(move)
            text = said_by(
                you,
                "You climb {columns}.",
                "The other player climbs {columns}.",
                columns=columns,
            )
            return Told(text, "scored")
        if move == STOP:
            return Told(said_by(you, "You stop.", "The other player stops."), "held")
        if not faces:
            return Told(said_by(you, "You roll.", "The other player rolls."))
        done = rolled(you, shown(faces))
        ways = self.legal_moves(Moment(at, move, tuple(sorted(faces))))
        if ways == [BUST]:
            return Told(tr("{done}: nothing to climb, the turn is lost.", done=done), "bust")
        if len(ways) == 1:
            columns = _columns(ways[0])
            text = said_by(
                you,
                "{done} and climb {columns}.",
                "{done} and climbs {columns}.",
                done=done,
                columns=columns,
            )
            return Told(text, "scored")
        return Told(f"{done}.")

    def ending(self, at: Position, mine: bool, ended: str, turns: int, who: str = YOU) -> str:
        """Return how a game ended, in a sentence."""
        if self.players == 2:
            return super().ending(at, mine, ended, turns, who)
        return said_by(
            who == YOU,
            "You climbed {columns} in {turns}.",
            "{who} climbed {columns} in {turns}.",
            who=who,
            columns=trn("{n} column", "{n} columns", int(self.climbed(at.now))),
            turns=trn("{n} turn", "{n} turns", turns),
        )

    def example_positions(self) -> list[str]:
        """Return a position in the first turn, with a marker in the middle, and the start."""
        middle = self._bases[self.sides - 1]
        return [self.notation(CantStopPosition(0, 0, middle)), self.notation(self.start())]
