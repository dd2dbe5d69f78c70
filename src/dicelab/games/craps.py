"""Craps: a bet on two dice, won or lost at once or by the point.

The shooter's first throw is the *come-out*. On the pass line it wins with 7 or 11 and loses with
2, 3 or 12; any other sum becomes the *point*. Then the dice are thrown until the point comes
again, which wins, or a 7, which loses. *Don't pass* is the other way round, only that a 12 on the
come-out is *barred*: nobody wins. Nobody chooses anything, so all there is to know is a chance.

A throw that is neither the point nor a 7 leads back to where it was.

Source: the rules of the bank game, as casinos print them. The chance of the pass line, 244/495, is
a classic exercise; see for example F. Mosteller, "Fifty Challenging Problems in Probability", 1965,
number 9.

>>> from dicelab import solve
>>> solve(Craps(), exact=True).value
Fraction(244, 495)
>>> solve(Craps(bet="dont-pass"), exact=True).value      # and 1/36 is drawn
Fraction(949, 1980)
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, NamedTuple

from dicelab.core.json_object import JsonObject
from dicelab.core.language import mark, tr
from dicelab.rules import (
    DRAW,
    LOSS,
    ONGOING,
    SAME,
    WIN,
    Bools,
    Game,
    Ints,
    Outcome,
    Position,
    where,
)
from dicelab.rules.dice import Die, d6
from dicelab.rules.dice_laws import sum_law
from dicelab.rules.registry import register
from dicelab.rules.sentences import YOU, rolled, said_by, shown
from dicelab.rules.speech import Told

ROLL = "roll"
PASS, DONT_PASS = BETS = "pass", "dont-pass"
DICE, SEVEN = 2, 7
NATURALS, CRAPS, BARRED = (7, 11), (2, 3, 12), 12
COME_OUT = 0
ENDS = {WIN: "won", LOSS: "lost", DRAW: "drawn"}
ENDINGS = {
    WIN: mark("The bet is won."),
    LOSS: mark("The bet is lost."),
    DRAW: mark("The bet is drawn."),
}
THROWN = {
    WIN: mark("{done}: {total}, and the bet is won."),
    LOSS: mark("{done}: {total}, and the bet is lost."),
    DRAW: mark("{done}: {total}, and the bet is drawn."),
}


class CrapsPosition(NamedTuple):
    """The point, 0 on the come-out, and how the bet ended, if it has; written ``point 6``."""

    point: Ints
    ended: Ints


@register("craps")
@dataclass(frozen=True)
class Craps(Game):
    """Craps, one bet alone: the pass line or don't pass."""

    bet: str = PASS
    die: Die = d6

    players: ClassVar[int] = 1
    moves: ClassVar[tuple[str, ...]] = (ROLL,)
    worth: ClassVar[Mapping[int, Fraction]] = {
        WIN: Fraction(1),
        LOSS: Fraction(0),
        DRAW: Fraction(0),
    }
    in_short: ClassVar[str] = (
        "Throw two dice: 7 or 11 wins at once, and 2, 3 or 12 loses. Any other sum is the point. "
        "Then throw until the point comes again, which wins, or a 7, which loses."
    )
    list_place: ClassVar[int] = 70
    choices_in_words: ClassVar[Mapping[str, Mapping[str, str]]] = {
        "bet": {PASS: "the pass line", DONT_PASS: "don't pass, a 12 is drawn"}
    }
    help_in_words: ClassVar[Mapping[str, str]] = {"bet": "what the money is on"}

    def __post_init__(self) -> None:
        """Refuse parameters that make no game."""
        self.needs(self.bet in BETS, f"a bet among {', '.join(BETS)}: got bet={self.bet}")
        self.needs(
            self.die.faces[0] >= 1 and self.die.faces[-1] <= 6,
            f"faces 1 to 6: got die={self.die}",
        )

    @property
    def solved_exactly(self) -> bool:
        """Whether fractions take no longer than people wait."""
        return True

    def start(self) -> CrapsPosition:
        """Return the come-out."""
        return CrapsPosition(COME_OUT, ONGOING)

    def legal(self, at: CrapsPosition, move: str) -> Bools:
        """Return whether the move is allowed: all one can do is roll."""
        return at.ended == ONGOING

    def outcomes(self, at: CrapsPosition, move: str) -> Iterator[Outcome]:
        """Yield (chance, next position, who moves next)."""
        for total, chance in sum_law(self.die, DICE).items():
            yield self._then(at, total, chance)

    def _then(self, at: CrapsPosition, total: int, chance: Fraction) -> Outcome:
        """Return where a sum leads."""
        won, lost = (WIN, LOSS) if self.bet == PASS else (LOSS, WIN)
        first, point = ONGOING, total
        if total in NATURALS:
            first, point = won, COME_OUT
        elif total in CRAPS:
            barred = self.bet == DONT_PASS and total == BARRED
            first, point = DRAW if barred else lost, COME_OUT
        later = where(at.point == total, won, lost if total == SEVEN else ONGOING)
        ended = where(at.point == COME_OUT, first, later)
        point = where(at.point == COME_OUT, point, where(ended == ONGOING, at.point, COME_OUT))
        return Outcome(chance, CrapsPosition(point, ended), SAME)

    def result(self, at: CrapsPosition) -> Ints:
        """Return how the bet ended."""
        return at.ended

    def dice_of(self, move: str) -> int:
        """Return how many dice a move throws."""
        return DICE

    def after(self, at: CrapsPosition, move: str, faces: Sequence[int]) -> Outcome:
        """Return what follows when the dice show these faces."""
        return self._then(at, sum(faces), Fraction(1))

    def size(self) -> int:
        """Return about how many positions there are: the come-out, six points and the ends."""
        return 10

    def label(self, at: Position, move: str) -> str:
        """Return what stands on the button of a move."""
        return tr("Come out") if at.point == COME_OUT else tr("Roll for {point}", point=at.point)

    def counters(self, at: Position, mine: bool = True) -> JsonObject:
        """Return the point, where there is one."""
        return {"point": int(at.point)} if at.point else {}

    def describe(self, at: Position, mine: bool = True) -> str:
        """Return a position in a sentence."""
        if at.ended:
            return tr(ENDINGS[int(at.ended)])
        return tr("The point is {point}.", point=at.point) if at.point else tr("The come-out.")

    def narrate(
        self, at: Position, move: str, faces: Sequence[int], after: Position, you: bool, seen: bool
    ) -> Told:
        """Return what happened when the dice were thrown."""
        done = rolled(you, shown(faces))
        if after.ended:
            effect = {WIN: "won", LOSS: "bust", DRAW: "drawn"}[int(after.ended)]
            return Told(tr(THROWN[int(after.ended)], done=done, total=sum(faces)), effect)
        plain, point = mark("{done}: {total}."), mark("{done}: {total}, the point.")
        text = tr(point if at.point == COME_OUT else plain, done=done, total=sum(faces))
        return Told(text, "scored")

    def ending(self, at: Position, mine: bool, ended: str, turns: int, who: str = YOU) -> str:
        """Return how the bet ended for somebody, in a sentence."""
        if ended == "drawn":
            return tr(ENDINGS[DRAW])
        you = who == YOU
        if ended == "won":
            return said_by(you, "You won the bet.", "{who} won the bet.", who=who)
        return said_by(you, "You lost the bet.", "{who} lost the bet.", who=who)

    def example_positions(self) -> list[str]:
        """Return the come-out and a point."""
        return [self.notation(self.start()), self.notation(CrapsPosition(6, ONGOING))]

    def notation(self, at: Position) -> str:
        """Return ``come-out``, ``point 6``, or how the bet ended."""
        if at.ended:
            return ENDS[int(at.ended)]
        return f"point {at.point}" if at.point else "come-out"

    def parse(self, text: str) -> CrapsPosition:
        """Return the position that a notation stands for."""
        words = text.split()
        for ended, word in ENDS.items():
            if words == [word]:
                return CrapsPosition(COME_OUT, ended)
        if words == ["come-out"]:
            return self.start()
        points = {str(total) for total in range(2, 13)} - {str(n) for n in (*NATURALS, *CRAPS)}
        if len(words) != 2 or words[0] != "point" or words[1] not in points:
            raise self.unreadable(text)
        return CrapsPosition(int(words[1]), ONGOING)
